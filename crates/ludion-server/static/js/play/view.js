// The elements of the page Play and their layout; their behaviour is in `table.js`.

import { Board } from "../board.js";
import { errorPlace, h } from "../dom.js";
import { field, paramForm } from "../form.js";
import { go } from "../router.js";
import { nameOf } from "../spec.js";
import { Seat } from "./seat.js";
import { Evaluation, Thinking } from "./thinking.js";
import { TreeView } from "./tree.js";

const button = (id, text, label, kind) =>
  h("button", { type: "button", id, class: kind, title: label, "aria-label": label }, text);

/** Choices for the least time between two moves when no person plays, in milliseconds. */
const PACES = [[0, "at once"], [300, "0.3 s"], [1000, "1 s"], [3000, "3 s"]];

/** Creates the form for the game, its parameters and its initial state. */
function setup({ games, game, spec, state }, seatsOf) {
  const select = h("select", { id: "game", onchange: () => go(`/play?game=${encodeURIComponent(select.value)}`) },
    games.map((one) => h("option", { value: one.name, selected: one.name === game.name }, one.name)));
  const form = paramForm(spec, game.params, game.name);
  const from = h("input", { id: "state", type: "text", value: state ?? "", placeholder: "the start", spellcheck: "false" });
  const start = (event) => {
    event.preventDefault();
    const given = from.value.trim() ? { state: from.value.trim() } : {};
    if (form.valid()) go(`/play?${new URLSearchParams({ game: form.spec(), ...seatsOf(), ...given })}`);
  };
  return h("form", { class: "panel setup", onsubmit: start, novalidate: true },
    h("h2", {}, "Game"),
    field("game", select, game.help),
    h("details", { open: state !== null || nameOf(spec) !== spec.trim() }, h("summary", {}, "Size, rules, position"),
      form.element, field("begin from", from, "a position as Copy gives it")),
    h("div", { class: "row" }, h("button", { type: "submit", id: "new-game", class: "main" }, "New game")));
}

/** Creates all elements of the page. */
export function view({ games, game, spec, seats, players, state }) {
  const offered = players.filter((player) => game.players.includes(player.name));
  const parts = {
    title: h("h1", {}, spec),
    error: errorPlace(),
    status: h("p", { id: "status", class: "status", role: "status", "aria-live": "polite" }, "…"),
    caption: h("p", { id: "caption", class: "caption" }),
    evaluation: new Evaluation(),
    thinking: new Thinking(),
    tree: new TreeView(),
    moves: h("ol", { id: "moves", class: "moves", "aria-label": "Moves" }),
    toStart: button("to-start", "|◀", "To the start", ""),
    back: button("back", "◀", "One move back", ""),
    forward: button("forward", "▶", "One move forward", ""),
    toEnd: button("to-end", "▶|", "To the last move", ""),
    undo: button("undo", "Undo", "Take back your last move", ""),
    hint: button("hint", "Hint", "What would a strong player do?", ""),
    stop: button("stop", "Move now", "Have the player move with what it has", ""),
    pause: button("pause", "Pause", "Pause the players", ""),
    pace: h("select", { id: "pace" }, PACES.map(([ms, text]) => h("option", { value: ms, selected: ms === 300 }, text))),
    analyse: h("input", { type: "checkbox", id: "analyse" }),
    typed: h("input", { id: "typed", type: "text", list: "legal", autocomplete: "off", spellcheck: "false", size: 8 }),
    legal: h("datalist", { id: "legal" }),
    copyLink: button("copy-link", "Link", "Copy a link to this position", "quiet"),
    copyMoves: button("copy-moves", "Moves", "Copy the moves", "quiet"),
    copyState: button("copy-state", "Position", "Copy the position", "quiet"),
    seats: {},
    changed: () => {},
    played: () => {},
    refused: () => {},
  };
  const seat = (id, label, person) =>
    new Seat({ id, label, person, changed: () => parts.changed(id) });
  parts.board = new Board((move) => parts.played(move), (sentence) => parts.refused(sentence));
  parts.seats.first = seat("first", game.puzzle ? "player" : "first", true);
  parts.seats.second = seat("second", "second", true);
  parts.analyst = seat("analyst", "player for hints", false);
  parts.seats.first.offer(offered, seats.first, seats.firstBudget);
  parts.seats.second.offer(offered, seats.second, seats.secondBudget);
  parts.analyst.offer(offered, game.capable);
  parts.addressOfSeats = () => addressOfSeats(parts.seats, game);
  parts.element = layout(parts, game, setup({ games, game, spec, state }, parts.addressOfSeats));
  return parts;
}

/** Returns the players of the seats as parameters of an address. */
function addressOfSeats({ first, second }, game) {
  const all = game.puzzle ? { first } : { first, second };
  return Object.fromEntries(Object.entries(all).flatMap(([side, seat]) => [
    [side, seat.spec], ...(seat.budget.value.trim() ? [[`${side}-budget`, seat.budget.value.trim()]] : []),
  ]));
}

function layout(parts, game, setupForm) {
  const players = h("section", { class: "panel", "aria-label": "Players" },
    h("h2", {}, "Players"),
    h("div", { class: "seats" }, parts.seats.first.element, game.puzzle ? null : parts.seats.second.element),
    h("div", { class: "row" }, parts.pause, field("pace", parts.pace)));
  const moves = h("section", { class: "panel", "aria-label": "Moves" },
    h("h2", {}, "Moves"),
    parts.moves,
    h("form", { class: "row", id: "type-move" }, field("type a move", parts.typed), parts.legal,
      h("button", { type: "submit" }, "Play")),
    h("div", { class: "row copy" }, h("span", { class: "quiet-text" }, "Copy"), parts.copyLink, parts.copyMoves, parts.copyState));
  const thinking = h("div", { class: "panel" },
    h("div", { class: "analyst" }, parts.analyst.element, field("analyse every position", parts.analyse)),
    parts.thinking.element, parts.tree.element);
  return h("div", { class: "play table" },
    parts.title,
    h("div", { class: "left" }, h("div", { class: "stage" },
      game.puzzle ? null : parts.evaluation.element,
      parts.board.element, parts.caption, parts.status, parts.error,
      h("div", { class: "row controls", role: "group", "aria-label": "Controls" },
        parts.toStart, parts.back, parts.forward, parts.toEnd, parts.undo, parts.hint, parts.stop)),
    moves),
    h("div", { class: "side" }, players, setupForm, thinking));
}
