// Learning: teach a program by buttons, the models with what they think of each move, the games to learn
// from, and learning curves.

import { get, getOnce } from "../api.js";
import { errorPlace, h } from "../dom.js";
import { Archives } from "../learning/archives.js";
import { showCurves } from "../learning/curves.js";
import { Mind } from "../learning/mind.js";
import { modelList } from "../learning/models.js";
import { Teaching } from "../learning/teach.js";
import { isUnderWay } from "../runs/words.js";

/** The kinds of files that are models. */
const MODELS = ["network", "patterns", "policy"];

/** The kinds of runs that make a model. */
const LEARNING = ["learn", "learn network"];

/** What a file is called among those that can evaluate a position. */
const NAMES = { network: "network", patterns: "patterns", policy: "network", archive: "nearest neighbours in" };

/** The players that can evaluate a position, by file; models come before games. */
const thinkersOf = (things) => [...things].sort((a, b) => Number(a.kind === "archive") - Number(b.kind === "archive")).filter((thing) => thing.player).map((thing) => ({
  file: thing.file, game: thing.game, player: thing.player, what: NAMES[thing.kind],
}));

const section = (name, ...content) => h("section", { class: "panel", "aria-label": name }, h("h2", {}, name), ...content);

/** What is said where nothing can be written. */
const noFolder = () => h("section", { class: "panel", id: "beginning", "aria-label": "How to begin" },
  h("h2", {}, "This laboratory was opened without a folder of data"),
  h("p", {}, "Models and games are files of a folder. Open the laboratory with one: ", h("code", {}, "ludion lab --data FOLDER")));

/** @param {HTMLElement} main @param {URLSearchParams} query @param {AbortSignal} signal */
export async function show(main, query, signal) {
  const [{ folder, things }, { runs }] = await Promise.all([get("/api/learning", signal), get("/api/runs", signal), getOnce("/api/games")]);
  if (signal.aborted) return;
  const error = errorPlace();
  const [files, curves] = [h("div", { class: "learning-files" }), h("div", { class: "curve-list", id: "curves" })];
  const fill = async (all, known) => {
    const thinkers = thinkersOf(all);
    const models = all.filter((thing) => MODELS.includes(thing.kind));
    const archives = all.filter((thing) => thing.kind === "archive");
    const mind = thinkers.length > 0 ? new Mind(thinkers, new URLSearchParams(location.search), signal) : null;
    // The board is inserted at its full size, so that the layout does not shift.
    await mind?.begin();
    if (signal.aborted) return;
    files.replaceChildren(...[
      models.length > 0 ? section("Models", modelList(models, known, error)) : null,
      mind ? h("div", { id: "mind" }, mind.element) : null,
      archives.length > 0 ? section("Games to learn from", new Archives(archives, signal).element) : null,
      ...all.filter((thing) => thing.kind === "broken").map((thing) => h("p", { class: "error" }, `${thing.file}: ${thing.error}`)),
      all.length > 0 ? h("p", { class: "quiet-text folder" }, `The files are in ${folder}; --data names another folder.`) : null,
    ].filter(Boolean));
  };
  const renew = async () => {
    const [{ things: now }, { runs: known }] = await Promise.all([get("/api/learning", signal), get("/api/runs", signal)]);
    teaching.offer(now);
    await Promise.all([fill(now, known), drawCurves()]);
  };
  const drawCurves = () => showCurves(curves, signal).catch((problem) => !signal.aborted && error.say(problem));
  const teaching = new Teaching(things, renew, signal);
  await Promise.all([teaching.open(), fill(things, runs)]);
  if (signal.aborted) return;
  main.append(
    h("h1", {}, "Learning"),
    h("p", { class: "lead" }, "Teach a program to play, watch it learn, and see what it thinks of a position, move by move."),
    folder === null ? noFolder() : teaching.element, error, files, section("Curves", curves));
  if (location.hash === "#mind") document.getElementById("mind")?.scrollIntoView();
  const underWay = runs.find((run) => LEARNING.includes(run.kind) && isUnderWay(run.phase));
  if (underWay) teaching.resume(underWay.id);
  await drawCurves();
}
