// Hexagonal Tetris: problems, the solver at work, solutions scored and replayed, playing by
// keyboard, the teams of the contest.

import { getOnce } from "../api.js";
import { h } from "../dom.js";
import { Desk } from "../hextris/desk.js";
import { Keys } from "../hextris/keys.js";
import { Paste } from "../hextris/paste.js";
import { Solve } from "../hextris/solve.js";
import { Stage } from "../hextris/stage.js";
import { Teams } from "../hextris/teams.js";
import { rename } from "../router.js";
import { tabs } from "../tabs.js";

/** @param {HTMLElement} main @param {URLSearchParams} query @param {AbortSignal} signal */
export async function show(main, query, signal) {
  const about = await getOnce("/api/hextris");
  if (signal.aborted) return;
  const stage = new Stage();
  const desk = new Desk(about, stage, () => {
    keys.begin(false);
    solve.begin();
    address(shown);
  });
  const solve = new Solve(desk, signal);
  const paste = new Paste(desk);
  const keys = new Keys(desk, about.commands, signal);
  const teams = new Teams(signal);
  // A replay takes the board from a game in progress.
  desk.leave = () => keys.begin(false);
  desk.isPlayed = () => keys.active;
  let shown = query.get("view") ?? "solve";
  const address = (view) => {
    shown = view;
    const problem = typeof desk.which === "string" && !desk.which.startsWith("{") ? { problem: desk.which } : {};
    rename(`/hextris?${new URLSearchParams({ view, ...problem })}`);
  };
  const tabbed = tabs("What to do", [
    { id: "solve", name: "Solve", panel: solve.element },
    { id: "score", name: "Score", panel: paste.element },
    { id: "keys", name: "Play", panel: keys.element },
    { id: "teams", name: "Teams", panel: teams.element },
  ], shown, (view) => {
    if (view === "teams") teams.load();
    if (desk.which) address(view);
  });
  signal.addEventListener("abort", () => stage.timeline.pause());
  // The board is inserted at its full size, so that the layout does not shift.
  try {
    await desk.choose(query.get("problem") ?? "corner");
  } catch (error) {
    desk.error.say(error);
  }
  if (signal.aborted) return;
  main.append(
    h("h1", {}, "Hexagonal Tetris"),
    h("div", { class: "play hextris" }, stage.element,
      h("div", { class: "side" }, desk.element, h("section", { class: "panel" }, tabbed.element))));
}
