// Mastermind: the cross-entropy experiment, the Markov chain of the Mallows distribution, and the game,
// to play or to get advice on.

import { getOnce } from "../api.js";
import { h } from "../dom.js";
import { Advice } from "../mastermind/advice.js";
import { Chain } from "../mastermind/chain.js";
import { Experiment } from "../mastermind/experiment.js";
import { Game } from "../mastermind/game.js";
import { Overlay } from "../mastermind/overlay.js";
import { Tables } from "../mastermind/tables.js";
import { rename } from "../router.js";
import { tabs } from "../tabs.js";

/** @param {HTMLElement} main @param {URLSearchParams} query @param {AbortSignal} signal */
export async function show(main, query, signal) {
  const about = await getOnce("/api/mastermind");
  if (signal.aborted) return;
  const parts = [
    { id: "experiment", name: "Experiment", panel: () => new Experiment(about, query, signal) },
    { id: "laws", name: "Laws", panel: () => new Overlay(about, signal) },
    { id: "tables", name: "Tables", panel: () => new Tables(about, signal) },
    { id: "chain", name: "Chain", panel: () => new Chain(about, signal) },
    { id: "game", name: "Play", panel: () => new Game(about, query, signal) },
    { id: "advice", name: "Be advised", panel: () => new Advice(about, query, signal) },
  ];
  // A panel is created when it is first shown.
  const made = new Map(parts.map(({ id }) => [id, h("div")]));
  const look = (id) => {
    const place = made.get(id);
    if (place.children.length === 0) place.append(parts.find((part) => part.id === id).panel().element);
    if ((new URLSearchParams(location.search).get("view") ?? "experiment") !== id) rename(`/mastermind?view=${id}`);
  };
  const tabbed = tabs("Mastermind", parts.map(({ id, name }) => ({ id, name, panel: made.get(id) })), query.get("view"), look);
  main.append(
    h("h1", {}, "Mastermind"),
    h("p", { class: "lead" }, "A hidden code of coloured pegs: found by cross-entropy from many scores, or guess by guess."),
    tabbed.element);
}
