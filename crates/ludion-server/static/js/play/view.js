// The elements of the page Play and their layout; their behaviour is in `table.js`.

import { Board } from "../board.js";
import { errorPlace, h } from "../dom.js";
import { field } from "../form.js";
import { coloursOf } from "../scene.js";
import { tabs } from "../tabs.js";
import { Editor } from "./editor.js";
import { EvaluationBar } from "./evaluation_bar.js";
import { EvaluationGraph } from "./evaluation_graph.js";
import { Explorer } from "./explorer.js";
import { GameReview } from "./game_review.js";
import { MoveList } from "./move_list.js";
import { PositionPanel } from "./position_panel.js";
import { Seat, isPerfectMissing } from "./seat.js";
import { paceSelect, rulesDialog, setup } from "./setup.js";
import { Thinking } from "./thinking.js";
import { TreeView } from "./tree.js";

const button = (id, text, label, kind) =>
  h("button", { type: "button", id, class: kind, title: label, "aria-label": label }, text);

/** Creates the buttons that step through the game and ask for moves. */
const controls = () => ({
  toStart: button("to-start", "|◀", "To the start", "step"),
  back: button("back", "◀", "One move back", "step"),
  forward: button("forward", "▶", "One move forward", "step"),
  toEnd: button("to-end", "▶|", "To the last move", "step"),
  undo: button("undo", "Undo", "Take back your last move", ""),
  hint: button("hint", "Hint", "What would a strong player do? (h)", ""),
  flip: button("flip", "Flip", "See the board from the other side (f)", ""),
  stop: button("stop", "Move now", "Have the player move with what it has", ""),
  pause: button("pause", "Pause", "Pause the players", ""),
  rematch: button("rematch", "Rematch", "Play the same game again", "main"),
  swap: button("swap", "Swap sides", "Play again with sides swapped", ""),
});

/** Creates all elements of the page. */
export function view({ games, game, spec, settings, players, state }) {
  const offered = players.filter((player) => game.players.includes(player.name));
  const act = (name) => (...values) => parts.act[name]?.(...values);
  /** @type {any} */
  const parts = {
    act: {},
    ...controls(),
    title: h("h1", {}, game.title),
    print: h("code", { id: "spec", class: "spec" }, spec),
    rules: rulesDialog(game),
    error: errorPlace(),
    status: h("p", { id: "status", class: "status", role: "status", "aria-live": "polite" }, "…"),
    caption: h("p", { id: "caption", class: "caption" }),
    evaluation: new EvaluationBar(),
    thinking: new Thinking(act("followed")),
    tree: new TreeView(),
    moves: new MoveList({ chosen: act("chosen"), promoted: act("promoted"), removed: act("removed"), commented: act("commented") }),
    graph: new EvaluationGraph({ jumped: act("jumped"), puzzle: game.puzzle }),
    pace: paceSelect(),
    analyse: h("input", { type: "checkbox", id: "analyse", role: "switch", checked: settings.analyse }),
    typed: h("input", { id: "typed", type: "text", list: "legal", autocomplete: "off", spellcheck: "false", size: 8, placeholder: "type a move", "aria-label": "Type a move" }),
    legal: h("datalist", { id: "legal" }),
    seats: {},
    dots: { first: h("i", { class: "dot first" }), second: h("i", { class: "dot second" }) },
  };
  parts.board = new Board(act("played"), act("refused"));
  parts.board.flipped = settings.flip;
  const seat = (id, label, person) => new Seat({ id, label, person, changed: () => parts.act.changed?.(id) });
  parts.seats.first = seat("first", game.puzzle ? "Player" : game.sides[0], true);
  parts.seats.second = seat("second", game.sides[1], true);
  parts.analyst = seat("analyst", "Analyst", false);
  parts.seats.first.offer(offered, game.levels, settings.first, settings.firstBudget);
  parts.seats.second.offer(offered, game.levels, settings.second, settings.secondBudget);
  parts.analyst.offer(offered, game.levels, settings.analyst ?? game.capable, settings.analystBudget);
  parts.thinking.count.value = String(settings.lines);
  parts.explorer = new Explorer(act("named"));
  parts.positions = new PositionPanel(game);
  parts.editor = new Editor(parts.board);
  parts.review = new GameReview({
    record: act("record"), evaluations: act("evaluations"), changed: act("reviewed"), began: act("reviewing"),
    analyst: () => ({ spec: parts.analyst.spec, budget: parts.analyst.budget.value.trim() }),
  });
  parts.addressOfSeats = () => addressOfSettings(parts, game);
  parts.tabs = tabs("More", [
    { id: "explorer", name: "Explorer", panel: parts.explorer.element },
    { id: "tree", name: "Search tree", panel: parts.tree.element },
    { id: "position", name: "Position", panel: h("div", {}, parts.editor.element, parts.positions.element) },
    { id: "setup", name: "Setup", panel: setupPanel(parts, game, setup({ games, game, spec, state }, parts.addressOfSeats)) },
  ], settings.tab ?? "setup", (id) => {
    parts.tab = id;
    parts.act.tab?.(id);
  });
  parts.element = layout(parts, game);
  return parts;
}

/** Returns the players and the analysis as parameters of an address. */
function addressOfSettings({ seats, analyst, analyse, thinking, board, tab }, game) {
  const all = game.puzzle ? { first: seats.first } : seats;
  const settings = Object.fromEntries(Object.entries(all).flatMap(([side, seat]) => [
    [side, seat.spec], ...(seat.budget.value.trim() ? [[`${side}-budget`, seat.budget.value.trim()]] : []),
  ]));
  if (analyst.spec !== game.capable) settings.analyst = analyst.spec;
  if (analyst.budget.value.trim()) settings["analyst-budget"] = analyst.budget.value.trim();
  if (analyse.checked) settings.analyse = "1";
  if (thinking.lineCount !== 3) settings.lines = String(thinking.lineCount);
  if (board.flipped) settings.flip = "1";
  if (tab !== "setup") settings.tab = tab;
  return settings;
}

function setupPanel(parts, game, form) {
  return h("div", { class: "setup-panel" }, form,
    isPerfectMissing(game.levels) && !game.puzzle ? h("p", { id: "no-perfect", class: "quiet-text" }, "No strength is called perfect: no player is proven to play this game perfectly on this board.") : null,
    h("div", { class: "players" }, parts.seats.first.element, game.puzzle ? null : parts.seats.second.element, parts.analyst.element),
    h("div", { class: "row" }, field("pace of players", parts.pace)));
}

/** Returns a seat under the board: its colour, its name and its player. */
const seatRow = (parts, side, name) => h("div", { class: "seat-row", "data-side": side },
  parts.dots[side], h("span", { class: "side-name" }, name), parts.seats[side].select);

function layout(parts, game) {
  const analysis = h("section", { class: "panel analysis", "aria-label": "Analysis" },
    h("div", { class: "analysis-head" },
      h("label", { class: "switch", for: "analyse" }, parts.analyse, h("span", {}, "Analysis")),
      parts.analyst.select, parts.thinking.count),
    parts.thinking.element);
  const moves = h("section", { class: "panel moves-panel", "aria-label": "Moves" },
    h("div", { class: "moves-head" }, h("h2", {}, "Moves"), h("form", { id: "type-move", class: "row" }, parts.typed, parts.legal), parts.review.button),
    parts.moves.element, parts.review.element);
  const stage = h("div", { class: "stage" },
    h("div", { class: "board-row" }, game.puzzle ? null : parts.evaluation.element, parts.board.element), parts.editor.tools,
    h("div", { class: "seat-rows" }, seatRow(parts, "first", game.puzzle ? "Player" : game.sides[0]), game.puzzle ? null : seatRow(parts, "second", game.sides[1])),
    h("div", { class: "status-row" }, parts.status, parts.rematch, parts.swap), parts.caption, parts.error,
    h("div", { class: "row controls", role: "group", "aria-label": "Controls" },
      parts.toStart, parts.back, parts.forward, parts.toEnd, parts.undo, parts.hint, parts.flip, parts.pause, parts.stop));
  return h("div", { class: "play table", ...coloursOf(game.sides) },
    h("div", { class: "title-row" }, parts.title, parts.print, parts.rules.open, parts.rules.dialog),
    stage,
    h("div", { class: "side" }, analysis, moves,
      h("section", { class: "graph-section", "aria-label": "Evaluation" }, parts.graph.element),
      h("section", { class: "panel more", "aria-label": "More" }, parts.tabs.element)));
}
