// An interactive board: click or drag, or use the keyboard (arrows select a cell, Enter touches it,
// Escape releases). Before a move is complete the pieces that it removes are marked.

import { hints } from "./board_hints.js";
import { mannerOf, same } from "./board_input.js";
import { h, s } from "./dom.js";
import { frame, keyOf, layers, plan, shapeText } from "./scene.js";

/** Returns the name of a cell. */
function nameOf(scene, cell) {
  if (scene.layout.kind === "heaps") {
    return `heap ${scene.columns[cell.x] ?? cell.x + 1}, object ${cell.y + 1}`;
  }
  const own = scene.names?.find(([at]) => same(at, cell));
  if (own) return `square ${own[1]}`;
  const column = scene.columns[cell.x], row = scene.rows[cell.y];
  if (column && row) return `${column}${row}`;
  return `column ${column ?? cell.x + 1}, row ${row ?? cell.y + 1}`;
}

function contentOf(piece, sides) {
  if (!piece) return "empty";
  const shape = shapeText(piece.shape);
  const owner = { first: sides?.[0], second: sides?.[1] }[piece.owner] ?? piece.owner;
  return piece.owner ? `${shape} of ${owner}` : shape;
}

/** Largest scale of a board: its squares are then 112 pixels wide. */
const MAX_SCALE = 2.8;
/** Number of cells to touch beyond which they are marked only under the pointer. */
const MANY = 20;

const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** A board that shows positions and reports the moves of a person. */
export class Board {
  /** @param {(move: string) => void} played @param {(sentence: string) => void} [refused] */
  constructor(played, refused) {
    this.played = played;
    this.refused = refused;
    /** Whether the board is seen from the side of the second player. */
    this.flipped = false;
    /** What the sides are called, for descriptions of cells. */
    this.sides = null;
    this.element = h("div", { class: "board" });
    this.cursor = null;
    this.shown = null;
    const on = (name, action) => this.element.addEventListener(name, (event) => action(event));
    on("keydown", (event) => this.key(event));
    on("pointerdown", (event) => this.down(event));
    on("pointermove", (event) => this.drag(event));
    on("pointerup", (event) => this.up(event));
    on("pointercancel", () => this.release());
    on("pointerover", (event) => this.preview(this.cellOf(event.target)));
    on("pointerleave", () => this.preview(this.shown));
    on("focusin", (event) => this.preview(this.cellOf(event.target)));
    // A click leaves the focus where it was, so that the arrow keys still step through the game.
    on("mousedown", (event) => event.preventDefault());
  }

  /** Shows a position; `legal` is empty if no person is to move. */
  show(scene, legal, label) {
    this.scene = scene;
    this.manner = mannerOf(scene, legal);
    this.legal = this.manner.prepare(legal);
    this.touched = [];
    /** The cell whose taken pieces a finger has been shown. */
    this.shown = null;
    this.label = label;
    this.element.classList.toggle("drags", this.legal.some(({ touches }) => touches.length > 1));
    this.where = plan(scene, this.flipped);
    const { cells, marks, pieces, names, winning } = layers(scene, this.where);
    this.pieces = pieces;
    this.hints = s("g", { class: "hints", "aria-hidden": "true" });
    const at = new Map(scene.pieces.map((piece) => [keyOf(piece.at), piece]));
    /** @type {Map<string, any>} */
    this.places = new Map(this.where.cells.map((cell) => [keyOf(cell), this.place(cell, at.get(keyOf(cell)))]));
    const focused = this.element.contains(document.activeElement);
    const svg = s("svg", { ...frame(this.where), role: "group", "aria-label": label },
      cells, marks, pieces, winning, names, this.hints, s("g", { class: "places" }, [...this.places.values()]));
    // The cells of a small board are not drawn larger than a thumb needs.
    svg.style.maxWidth = `${(MAX_SCALE * this.where.width).toFixed(0)}px`;
    const buttons = (scene.buttons ?? []).map(([cell, text]) => this.button(cell, text));
    this.element.replaceChildren(svg, ...(buttons.length > 0 ? [h("div", { class: "beside" }, ...buttons)] : []));
    this.mark();
    this.element.classList.toggle("many", this.targets([]).size > MANY);
    if (focused) this.focus(this.cursor);
  }

  /** Turns the board around. */
  flip() {
    this.flipped = !this.flipped;
  }

  place(cell, piece) {
    const place = /** @type {any} */ ((this.where.spot ?? this.where.outline)(cell));
    for (const [name, value] of Object.entries({
      class: "spot", "data-x": cell.x, "data-y": cell.y, tabindex: -1, role: "button",
    })) place.setAttribute(name, value);
    place.label = `${nameOf(this.scene, cell)}, ${contentOf(piece, this.sides)}`;
    return place;
  }

  /** A button for a move that belongs to no cell, such as a pass. It is touched like a cell. */
  button(cell, text) {
    const button = h("button", { type: "button", class: "spot", "data-x": cell.x, "data-y": cell.y }, text);
    button.label = button.text = text;
    this.places.set(keyOf(cell), button);
    return button;
  }

  /** Returns the cells that can be touched next. */
  targets(touched) {
    return new Map(this.manner.next(this.legal, touched).map((cell) => [keyOf(cell), cell]));
  }

  /** Marks the touched cells and the cells that can be touched next. */
  mark() {
    const targets = this.targets(this.touched);
    const held = new Set(this.touched.map(keyOf));
    for (const [key, place] of this.places) {
      const target = targets.has(key);
      place.classList.toggle("target", target);
      place.classList.toggle("held", held.has(key));
      place.setAttribute("aria-disabled", String(!target && !held.has(key)));
      place.setAttribute("aria-label", place.label + (held.has(key) ? ", held" : "") + (target ? `, can be touched${this.taking(targets.get(key))}` : ""));
      place.setAttribute("tabindex", "-1");
    }
    const first = this.cursor && this.places.has(keyOf(this.cursor)) ? keyOf(this.cursor)
      : [...targets.keys()][0] ?? this.places.keys().next().value;
    this.places.get(first)?.setAttribute("tabindex", "0");
    this.preview(null);
  }

  /** Returns the move that touching a cell would complete. */
  completed(cell) {
    return this.targets(this.touched).has(keyOf(cell)) ? this.manner.played(this.legal, [...this.touched, cell]) : null;
  }

  /** Says how many pieces touching a cell removes. */
  taking(cell) {
    const count = this.completed(cell)?.removes?.length ?? 0;
    return count > 0 ? `, takes ${count}` : "";
  }

  /** Marks the pieces that touching a cell removes. @param {any} cell */
  preview(cell) {
    if (!this.places) return;
    const taken = new Set((cell && this.completed(cell)?.removes || []).map(keyOf));
    for (const [key, place] of this.places) place.classList.toggle("taken", taken.has(key));
  }

  /** Touches a cell, and plays the move if it is complete. */
  touch(cell) {
    const key = keyOf(cell);
    if (this.targets(this.touched).has(key)) this.touched = [...this.touched, cell];
    else if (this.touched.some((one) => same(one, cell))) this.touched = this.manner.without(this.touched, cell);
    else if (this.targets([]).has(key)) this.touched = [cell];
    else {
      const drop = this.onlyOneOfColumn(cell);
      this.touched = drop ? [drop] : [];
      if (!drop && this.legal.length > 0) this.refused?.(`${nameOf(this.scene, cell)} leads to no move`);
    }
    const move = this.touched.length > 0 ? this.manner.played(this.legal, this.touched) : null;
    if (move) {
      this.touched = [];
      this.played(move.move);
    } else this.mark();
  }

  /** Where only columns have names, any cell of a column stands for its move. */
  onlyOneOfColumn(cell) {
    if (this.scene.layout.kind !== "grid" || this.scene.columns.length === 0 || this.scene.rows.length > 0) return null;
    const own = this.legal.filter(({ touches }) => touches[0].x === cell.x);
    return own.length > 0 && own.every(({ move, touches }) => move === own[0].move && touches.length === 1) ? own[0].touches[0] : null;
  }

  cellOf(element) {
    const spot = element?.closest?.(".spot");
    return spot && this.element.contains(spot) ? { x: Number(spot.dataset.x), y: Number(spot.dataset.y) } : null;
  }

  down(event) {
    this.from = this.cellOf(event.target);
    if (!this.from) return;
    this.cursor = this.from;
    this.start = { x: event.clientX, y: event.clientY };
    // Touch events report the element where the touch began; we need the one under the finger.
    if (event.target.hasPointerCapture?.(event.pointerId)) event.target.releasePointerCapture(event.pointerId);
  }

  /** Moves the piece under the pointer while it is dragged. */
  drag(event) {
    if (!this.from || event.buttons !== 1) return;
    const origin = this.touched[0] && same(this.touched.at(-1), this.from) ? this.touched[0] : this.from;
    const [dx, dy] = [event.clientX - this.start.x, event.clientY - this.start.y];
    if (Math.hypot(dx, dy) < 6 || !(this.targets([]).has(keyOf(origin)))) return;
    const svg = this.element.querySelector("svg");
    const scale = svg.viewBox.baseVal.width / svg.getBoundingClientRect().width;
    this.dragged ??= [...this.pieces.children][this.scene.pieces.findIndex((piece) => same(piece.at, origin))];
    this.dragged?.setAttribute("transform", `translate(${(dx * scale).toFixed(1)} ${(dy * scale).toFixed(1)})`);
    this.dragged?.classList.add("dragged");
  }

  /** Puts a dragged piece back. */
  release() {
    this.dragged?.removeAttribute("transform");
    this.dragged?.classList.remove("dragged");
    this.dragged = null;
    this.from = null;
  }

  up(event) {
    const to = this.cellOf(document.elementFromPoint(event.clientX, event.clientY));
    const { from } = this;
    this.release();
    if (!from || !to) return;
    // A drag goes on from the last touched cell, or begins anew.
    if (!same(from, to) && !(this.touched.length > 0 && same(this.touched.at(-1), from))) {
      if (!this.targets([]).has(keyOf(from))) return;
      this.touched = [from];
    }
    if (event.pointerType === "touch" && this.needsSecondTouch(to)) return;
    this.touch(to);
  }

  /** Whether a finger has to touch a cell again: without a pointer the first touch shows what is taken. */
  needsSecondTouch(cell) {
    const count = this.scene.layout.kind === "heaps" ? this.completed(cell)?.removes?.length ?? 0 : 0;
    const isSecond = this.shown !== null && same(this.shown, cell);
    this.shown = cell;
    if (count < 2 || isSecond) return false;
    this.preview(cell);
    this.refused?.(`this takes ${count}; touch it again to take them`);
    return true;
  }

  key(event) {
    const cell = this.cellOf(event.target);
    if (!cell) return;
    this.cursor = cell;
    if (event.key === "Enter" || event.key === " ") this.touch(cell);
    else if (event.key === "Escape") {
      this.touched = [];
      this.mark();
    } else if (STEPS[event.key]) this.focus(this.neighbour(cell, STEPS[event.key]));
    else return;
    event.preventDefault();
  }

  /** Returns the cell that an arrow key selects; heaps are drawn horizontally. */
  neighbour(cell, [dx, dy]) {
    const heaps = this.scene.layout.kind === "heaps";
    const turn = this.where.flipped ? -1 : 1;
    const next = heaps ? { x: cell.x + dy, y: cell.y + dx } : { x: cell.x + turn * dx, y: cell.y + turn * dy };
    if (heaps && dy !== 0) next.y = Math.min(next.y, (this.scene.layout.sizes[next.x] ?? 0) - 1);
    return this.places.has(keyOf(next)) ? next : cell;
  }

  focus(cell) {
    const place = cell && this.places.get(keyOf(cell));
    if (!place) return;
    this.cursor = cell;
    for (const other of this.places.values()) other.setAttribute("tabindex", "-1");
    place.setAttribute("tabindex", "0");
    place.focus({ preventScroll: true });
  }

  /**
   * Draws a player's values of the moves onto the cells, the best one highlighted.
   * @param {import("./board_hints.js").Thought[]} thoughts
   */
  think(thoughts) {
    const beside = (thought) => this.places.get(keyOf(thought.touches[0]))?.text !== undefined;
    this.hints.replaceChildren(...hints(thoughts.filter((thought) => !beside(thought)), this.where, this.scene));
    for (const place of this.places.values()) {
      if (place.text !== undefined) place.textContent = place.text;
    }
    for (const thought of thoughts.filter(beside)) {
      const button = this.places.get(keyOf(thought.touches[0]));
      button.textContent = `${button.text} ${thought.text}`;
    }
  }
}
