// Hexagonal Tetris: choosing a problem, running the solver, scoring and replaying solutions, playing by
// keyboard, and the leaderboard of the teams.

import { getOnce } from "../api.js";
import { h } from "../dom.js";
import { ProblemEditor } from "../hextris/editor.js";
import { ProblemSelection } from "../hextris/selection.js";
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
  const selection = new ProblemSelection(about, stage, () => {
    keys.begin(false);
    solve.begin();
    address(shown);
  });
  const solve = new Solve(selection, signal);
  const paste = new Paste(selection);
  const keys = new Keys(selection, about.commands, signal);
  const teams = new Teams(signal);
  const editor = new ProblemEditor(selection);
  // A replay ends a game that a person plays, because both use the same board.
  selection.leave = () => keys.begin(false);
  selection.isPlayed = () => keys.active;
  let shown = query.get("view") ?? "solve";
  const address = (view) => {
    shown = view;
    const problem = typeof selection.which === "string" && !selection.which.startsWith("{") ? { problem: selection.which } : {};
    rename(`/hextris?${new URLSearchParams({ view, ...problem })}`);
  };
  const tabbed = tabs("What to do", [
    { id: "solve", name: "Solve", panel: solve.element },
    { id: "score", name: "Score", panel: paste.element },
    { id: "keys", name: "Play", panel: keys.element },
    { id: "make", name: "Make", panel: editor.element },
    { id: "teams", name: "Teams", panel: teams.element },
  ], shown, (view) => {
    if (view === "teams") teams.load();
    if (selection.which) address(view);
  });
  signal.addEventListener("abort", () => stage.timeline.pause());
  // The board is inserted at its full size, so that the layout does not shift.
  try {
    await selection.choose(query.get("problem") ?? "corner");
  } catch (error) {
    selection.error.say(error);
  }
  if (signal.aborted) return;
  main.append(
    h("h1", {}, "Hexagonal Tetris"),
    h("div", { class: "play hextris" }, stage.element,
      h("div", { class: "side" }, selection.element, h("section", { class: "panel" }, tabbed.element))));
}
