// The board editor: put pieces on the cells, set the numbers of heaps and pits, choose the side to move,
// and play on from there.

import { post } from "../api.js";
import { errorPlace, h, s } from "../dom.js";
import { go } from "../router.js";
import { picture, shapeText } from "../scene.js";

/** What a click does, by the kind of board. */
const HELP = {
  pieces: "Choose a piece, then click the cells.",
  heaps: "Click the place up to which a heap is filled; a click on its last object takes that away.",
  seeds: "Click the pits to add or to take seeds.",
};

/** A scene of one cell with one piece. */
const sceneOf = (kind) => ({ layout: { kind: "grid", cols: 1, rows: 1 }, pieces: [{ at: { x: 0, y: 0 }, ...kind }], columns: [], rows: [], caption: "", marked: [] });
const isShape = (one, other) => JSON.stringify(one) === JSON.stringify(other);
const isAt = (cell) => (piece) => piece.at.x === cell.x && piece.at.y === cell.y;

/** The editor of the pieces on a board. */
export class Editor {
  /** @param {import("../board.js").Board} board */
  constructor(board) {
    this.board = board;
    this.active = false;
    this.error = errorPlace();
    this.begin = h("button", { type: "button", id: "edit", onclick: () => this.start() }, "Edit the board");
    this.palette = h("div", { class: "row palette-row", role: "radiogroup", "aria-label": "Piece to put" });
    this.turn = h("select", { id: "edit-turn", "aria-label": "Side to move" });
    /** What stands under the board while it is edited. */
    this.help = h("p", { id: "edit-help", class: "quiet-text", role: "status" });
    this.tools = h("div", { class: "editor-tools panel", hidden: true, role: "group", "aria-label": "Board editor" }, this.help, this.error, this.palette,
      h("div", { class: "row" }, this.turn,
        h("button", { type: "button", id: "edit-clear", onclick: () => this.clear() }, "Clear"),
        h("button", { type: "button", id: "edit-done", class: "main", onclick: () => this.finish() }, "Play from here"),
        h("button", { type: "button", id: "edit-cancel", onclick: () => this.stop() }, "Cancel")));
    this.note = h("p", { id: "edit-note", class: "quiet-text", hidden: true }, "The positions of this game cannot be put up piece by piece; change the text below and open it.");
    this.element = h("div", { class: "editor" }, this.begin, this.note);
    this.board.element.addEventListener("pointerup", (event) => this.click(event), { capture: true });
    this.board.element.addEventListener("keydown", (event) => this.key(event), { capture: true });
  }

  /** Remembers the shown position, from which an edit begins. */
  show(record, position, seats, ended) {
    this.record = record;
    this.position = position;
    this.seats = seats;
    this.ended = ended;
    if (this.active) this.stop();
  }

  async start() {
    this.error.say();
    try {
      const { mode, palette, turn_follows: turnFollows } = await post("/api/edit", { game: this.record.game });
      this.note.hidden = mode !== "text";
      if (mode === "text") return;
      this.mode = mode;
      this.kinds = palette;
      this.offer();
      this.turn.hidden = turnFollows;
      this.active = true;
      this.begin.hidden = true;
      this.tools.hidden = false;
      this.put(this.position.scene.pieces.flatMap((piece) => this.editable(piece)));
      // On a phone the button is far below the board.
      this.board.element.scrollIntoView({ block: "nearest" });
    } catch (error) {
      this.note.hidden = false;
      this.note.textContent = error.message;
    }
  }

  /** Returns a piece of the picture as a piece of the editor; none if it cannot be put up. */
  editable(piece) {
    if (this.mode === "seeds") return [piece];
    const kind = this.kinds.find(({ owner, shape }) => owner === piece.owner && isShape(shape, piece.shape)) ?? (this.kinds[0]?.owner === null ? this.kinds[0] : null);
    return kind ? [{ at: piece.at, ...kind }] : [];
  }

  /** Offers the kinds of pieces and an eraser, or to add and to take seeds. */
  offer() {
    const { sides } = this.position;
    const choice = (kind, label, content) => h("label", { class: "piece-choice", title: label },
      h("input", { type: "radio", name: "piece", "aria-label": label, onchange: () => { this.kind = kind; } }), content);
    const drawn = (kind, label) => choice(kind, label, picture(sceneOf(kind), label));
    const nameOf = ({ owner, shape }) => [{ first: sides[0], second: sides[1] }[owner], shapeText(shape)].filter(Boolean).join(" ");
    const eraser = choice(null, "Empty", s("svg", { viewBox: "0 0 44 44", "aria-hidden": "true" }, s("path", { class: "eraser", d: "M12 12l20 20M32 12l-20 20" })));
    const sign = (step, label, text) => choice(step, label, h("span", { class: "piece-sign", "aria-hidden": "true" }, text));
    this.palette.replaceChildren(...{
      pieces: () => [...this.kinds.map((kind) => drawn(kind, nameOf(kind))), eraser],
      heaps: () => [],
      seeds: () => [sign(1, "Add a seed", "+1"), sign(-1, "Take a seed", "−1")],
    }[this.mode]());
    this.palette.hidden = this.mode === "heaps";
    this.palette.querySelector("input")?.click();
    this.turn.replaceChildren(...["first", "second"].map((side, i) =>
      h("option", { value: side, selected: side === this.position.turn }, `${sides[i]} to move`)));
  }

  /** Draws the pieces. */
  put(pieces) {
    this.pieces = pieces;
    const seeds = pieces.reduce((sum, { shape }) => sum + (shape.seeds ?? 0), 0);
    this.help.textContent = HELP[this.mode] + (this.mode === "seeds" ? ` There are ${seeds}.` : "");
    this.board.show({ ...this.position.scene, pieces, marked: [], winning: [], buttons: [] }, [], "board editor");
    this.board.element.classList.add("editing");
    this.board.element.classList.toggle("heaps", this.mode === "heaps");
    for (const place of this.board.places.values()) place.setAttribute("aria-disabled", "false");
  }

  /** Takes everything off the board. */
  clear() {
    this.put(this.mode === "seeds" ? this.pieces.map((piece) => ({ ...piece, shape: { seeds: 0 } })) : []);
  }

  click(event) {
    if (!this.active) return;
    event.stopPropagation();
    this.change(this.board.cellOf(document.elementFromPoint(event.clientX, event.clientY)));
  }

  key(event) {
    if (!this.active || (event.key !== "Enter" && event.key !== " ")) return;
    event.stopPropagation();
    event.preventDefault();
    this.change(this.board.cellOf(event.target));
  }

  /** Changes the position by a click on a cell. */
  change(cell) {
    if (!cell) return;
    this.error.say();
    this.put({ pieces: () => this.placed(cell), heaps: () => this.filled(cell), seeds: () => this.sown(cell) }[this.mode]());
  }

  /** Puts the chosen piece on a cell, or takes it off if it is there already. A figure is there once. */
  placed(cell) {
    const there = this.pieces.find(isAt(cell));
    const isSame = there && this.kind && there.owner === this.kind.owner && isShape(there.shape, this.kind.shape);
    const isMoved = (piece) => this.kind?.shape.figure && isShape(piece.shape, this.kind.shape);
    const rest = this.pieces.filter((piece) => piece !== there && !isMoved(piece));
    return this.kind && !isSame ? [...rest, { at: cell, ...this.kind }] : rest;
  }

  /** Fills a heap up to a place, or takes the object there away if it is the last one. */
  filled({ x, y }) {
    const [heap, rest] = [true, false].map((isHeap) => this.pieces.filter(({ at }) => (at.x === x) === isHeap));
    const size = heap.length === y + 1 ? y : y + 1;
    return [...rest, ...Array.from({ length: size }, (_, i) => ({ at: { x, y: i }, ...this.kinds[0] }))];
  }

  /** Adds a seed to a pit or takes one. */
  sown(cell) {
    return this.pieces.map((piece) => isAt(cell)(piece) ? { ...piece, shape: { seeds: Math.max(0, piece.shape.seeds + this.kind) } } : piece);
  }

  /** Opens the edited position. */
  async finish() {
    this.error.say();
    try {
      const { game } = this.record;
      const { state } = await post("/api/edit", { game, pieces: this.pieces, turn: this.turn.value });
      this.stop(false);
      go(`/play?${new URLSearchParams({ game, state, ...this.seats() })}`);
    } catch (error) {
      this.error.say(error);
    }
  }

  stop(redraw = true) {
    this.active = false;
    this.begin.hidden = false;
    this.tools.hidden = true;
    this.board.element.classList.remove("editing", "heaps");
    this.error.say();
    if (redraw) this.ended?.();
  }
}
