// The board editor: put pieces on the cells, choose the side to move, and play on from there.

import { post } from "../api.js";
import { errorPlace, h, s } from "../dom.js";
import { go } from "../router.js";
import { picture, shapeText } from "../scene.js";

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
    this.tools = h("div", { class: "editor-tools panel", hidden: true, role: "group", "aria-label": "Board editor" }, this.palette,
      h("div", { class: "row" }, this.turn,
        h("button", { type: "button", id: "edit-clear", onclick: () => this.put([]) }, "Clear"),
        h("button", { type: "button", id: "edit-done", class: "main", onclick: () => this.finish() }, "Play from here"),
        h("button", { type: "button", id: "edit-cancel", onclick: () => this.stop() }, "Cancel")), this.error);
    this.note = h("p", { class: "quiet-text", hidden: true }, "The positions of this game cannot be put up piece by piece; change the text below and open it.");
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
      const { palette } = await post("/api/edit", { game: this.record.game });
      this.note.hidden = palette.length > 0;
      if (palette.length === 0) return;
      this.offer(palette);
      this.active = true;
      this.begin.hidden = true;
      this.tools.hidden = false;
      this.put(this.position.scene.pieces.filter((piece) => piece.owner));
    } catch (error) {
      this.note.hidden = false;
      this.note.textContent = error.message;
    }
  }

  /** Offers the kinds of pieces and an eraser. */
  offer(kinds) {
    const { sides } = this.position;
    const choice = (kind, label, content) => h("label", { class: "piece-choice", title: label },
      h("input", { type: "radio", name: "piece", "aria-label": label, onchange: () => { this.kind = kind; } }), content);
    this.palette.replaceChildren(
      ...kinds.map((kind) => {
        const scene = { layout: { kind: "grid", cols: 1, rows: 1 }, pieces: [{ at: { x: 0, y: 0 }, ...kind }], columns: [], rows: [], caption: "", marked: [] };
        const name = `${kind.owner === "first" ? sides[0] : sides[1]} ${shapeText(kind.shape)}`;
        return choice(kind, name, picture(scene, name));
      }),
      choice(null, "Empty", s("svg", { viewBox: "0 0 44 44", "aria-hidden": "true" }, s("path", { class: "eraser", d: "M12 12l20 20M32 12l-20 20" }))));
    this.palette.querySelector("input").click();
    this.turn.replaceChildren(...["first", "second"].map((side, i) =>
      h("option", { value: side, selected: side === this.position.turn }, `${sides[i]} to move`)));
  }

  /** Draws the pieces. */
  put(pieces) {
    this.pieces = pieces;
    this.board.show({ ...this.position.scene, pieces, marked: [], winning: [], buttons: [] }, [], "board editor");
    this.board.element.classList.add("editing");
    for (const place of this.board.places.values()) place.setAttribute("aria-disabled", "false");
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

  /** Puts the chosen piece on a cell, or takes it off if it is there already. */
  change(cell) {
    if (!cell) return;
    const there = this.pieces.find(isAt(cell));
    const isSame = there && this.kind && there.owner === this.kind.owner && JSON.stringify(there.shape) === JSON.stringify(this.kind.shape);
    const rest = this.pieces.filter((piece) => piece !== there);
    this.put(this.kind && !isSame ? [...rest, { at: cell, ...this.kind }] : rest);
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
    this.board.element.classList.remove("editing");
    this.error.say();
    if (redraw) this.ended?.();
  }
}
