// Learning: a model's value of each move on a board, the models and archives in the data folder, and
// learning curves. The command line creates all of them.

import { get } from "../api.js";
import { errorPlace, h } from "../dom.js";
import { Archives } from "../learning/archives.js";
import { showCurves } from "../learning/curves.js";
import { Mind } from "../learning/mind.js";
import { modelTable } from "../learning/models.js";

/** Commands that create a first model. */
const COMMANDS = [
  ["a network with policy and value, learned from games against itself", (folder) => `ludion learn connect4 --rounds 20 --out ${folder}/connect4.safetensors`],
  ["patterns, learned from games against itself", (folder) => `ludion learn checkers --rounds 2 --games 2000 --pairs 30 --depth 1 --out ${folder}/checkers.lpat`],
  ["games to learn from", (folder) => `ludion generate checkers -n 1000 --out ${folder}/checkers.games`],
  ["a network, trained on them", (folder) => `ludion train checkers --data ${folder}/checkers.games --epochs 5 --out ${folder}/captures.safetensors`],
];

/** Explains how to create a first model. @param {string | null} folder */
function beginning(folder) {
  const place = folder ?? "FOLDER";
  return h("section", { class: "panel", id: "beginning", "aria-label": "How to begin" },
    h("h2", {}, folder ? `Nothing to learn from in ${folder} yet` : "This laboratory was opened without a folder of data"),
    h("p", {}, "The command line makes models and games; some seconds are enough for a first one. ",
      folder ? "Then load this page again." : "Then open the laboratory with --data FOLDER."),
    h("dl", { class: "commands" }, COMMANDS.flatMap(([what, command]) => [h("dt", {}, what), h("dd", {}, h("code", {}, command(place)))])));
}

/** The players that can evaluate a position, by file. */
const thinkersOf = (things) => things.filter((thing) => thing.player).map((thing) => ({
  file: thing.file, game: thing.game, player: thing.player,
  what: { network: "network", patterns: "patterns", archive: "nearest neighbours in" }[thing.kind],
}));

/** @param {HTMLElement} main @param {URLSearchParams} query @param {AbortSignal} signal */
export async function show(main, query, signal) {
  const { folder, things } = await get("/api/learning", signal);
  if (signal.aborted) return;
  const of = (...kinds) => things.filter((thing) => kinds.includes(thing.kind));
  const [thinkers, models, archives] = [thinkersOf(things), of("network", "patterns"), of("archive")];
  const mind = thinkers.length > 0 ? new Mind(thinkers, query, signal) : null;
  // The board is inserted at its full size, so that the layout does not shift.
  await mind?.begin();
  if (signal.aborted) return;
  const curves = h("div", { class: "curve-list", id: "curves" });
  const error = errorPlace();
  main.append(
    h("h1", {}, "Learning"),
    h("p", { class: "lead" }, "What was learned from games, and what it thinks of a position, move by move."),
    things.length === 0 ? beginning(folder) : "",
    mind?.element ?? "",
    models.length > 0 ? section("Models", modelTable(models)) : "",
    archives.length > 0 ? section("Games to learn from", new Archives(archives, signal).element) : "",
    ...of("broken").map((thing) => h("p", { class: "error" }, `${thing.file}: ${thing.error}`)),
    things.length > 0 ? h("p", { class: "quiet-text folder" }, `Looked for in ${folder}; --data names another folder.`) : "",
    section("Curves", error, curves));
  await showCurves(curves, signal).catch((problem) => !signal.aborted && error.say(problem));
}

const section = (name, ...content) => h("section", { class: "panel", "aria-label": name }, h("h2", {}, name), ...content);
