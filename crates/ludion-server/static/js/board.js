// An interactive board: click or drag, or use the keyboard (arrows select a cell, Enter touches it,
// Escape releases). The cells of a move are a path: touch its first cell, then its last, and cells
// between only where moves differ. On hexagons more than two cells are a set, touched until one move
// is left.

import { h, s } from "./dom.js";
import { frame, keyOf, layers, plan } from "./scene.js";

const same = (a, b) => a.x === b.x && a.y === b.y;

/** Moves as sets of cells: the moves still possible, the next cells, the completed move, and the cells left after a release. */
const sets = {
  candidates: (legal, touched) =>
    legal.filter(({ touches }) => touched.every((cell) => touches.some((one) => same(one, cell)))),
  next: (legal, touched) => sets.candidates(legal, touched).flatMap(({ touches }) =>
    touches.filter((cell) => !touched.some((one) => same(one, cell)))),
  played: (legal, touched) => {
    const left = sets.candidates(legal, touched);
    return left.length === 1 ? left[0] : null;
  },
  without: (touched, cell) => touched.filter((one) => !same(one, cell)),
};

/** Returns how many cells of a path are passed by these touched cells, or nothing if they leave it. */
function passed(touches, touched) {
  let at = 0;
  for (const cell of touched) {
    const here = touches.findIndex((one, i) => i >= at && same(one, cell));
    if (here < 0 || (at === 0 && here > 0)) return null;
    at = here + 1;
  }
  return at;
}

/** Moves as paths of cells; releasing a cell releases those after it. */
const ways = {
  candidates: (legal, touched) => legal.filter(({ touches }) => passed(touches, touched) !== null),
  next: (legal, touched) => {
    const left = ways.candidates(legal, touched);
    if (touched.length === 0) return left.map(({ touches }) => touches[0]);
    // The last cell of several moves is ambiguous, unless it is a whole move.
    return left.flatMap(({ touches }) => touches.slice(passed(touches, touched)))
      .filter((cell) => ways.ending(left, [...touched, cell]).length < 2 || ways.played(left, [...touched, cell]));
  },
  ending: (legal, touched) => ways.candidates(legal, touched).filter(({ touches }) => same(touches.at(-1), touched.at(-1))),
  played: (legal, touched) => {
    const ending = ways.ending(legal, touched).filter(({ touches }) => passed(touches, touched) === touches.length || touched.length > 1);
    return ending.length === 1 ? ending[0] : ending.find(({ touches }) => touches.length === touched.length) ?? null;
  },
  without: (touched, cell) => touched.slice(0, touched.findIndex((one) => same(one, cell))),
};

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

function contentOf(piece) {
  if (!piece) return "empty";
  const shape = typeof piece.shape === "string" ? piece.shape : Object.values(piece.shape)[0];
  return piece.owner ? `${shape} of ${piece.owner}` : String(shape);
}

const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** A board that shows positions and reports the moves of a person. */
export class Board {
  /** @param {(move: string) => void} played @param {(sentence: string) => void} [refused] */
  constructor(played, refused) {
    this.played = played;
    this.refused = refused;
    this.element = h("div", { class: "board" });
    this.cursor = null;
    this.element.addEventListener("keydown", (event) => this.key(event));
    this.element.addEventListener("pointerdown", (event) => this.down(event));
    this.element.addEventListener("pointerup", (event) => this.up(event));
  }

  /** Shows a position; `legal` is empty if no person is to move. */
  show(scene, legal, label) {
    this.scene = scene;
    this.legal = legal;
    this.touched = [];
    this.manner = scene.layout.kind === "hexagons" && legal.some(({ touches }) => touches.length > 2) ? sets : ways;
    this.where = plan(scene);
    const { cells, marks, pieces, names } = layers(scene, this.where);
    this.hints = s("g", { class: "hints", "aria-hidden": "true" });
    const at = new Map(scene.pieces.map((piece) => [keyOf(piece.at), piece]));
    this.places = new Map(this.where.cells.map((cell) => [keyOf(cell), this.place(cell, at.get(keyOf(cell)))]));
    const focused = this.element.contains(document.activeElement);
    const svg = s("svg", { ...frame(this.where), role: "group", "aria-label": label },
      cells, marks, pieces, names, this.hints, s("g", { class: "places" }, [...this.places.values()]));
    const buttons = (scene.buttons ?? []).map(([cell, text]) => this.button(cell, text));
    this.element.replaceChildren(svg, ...(buttons.length > 0 ? [h("div", { class: "beside" }, ...buttons)] : []));
    this.mark();
    if (focused) this.focus(this.cursor);
  }

  place(cell, piece) {
    const place = (this.where.spot ?? this.where.outline)(cell);
    for (const [name, value] of Object.entries({
      class: "spot", "data-x": cell.x, "data-y": cell.y, tabindex: -1, role: "button",
    })) place.setAttribute(name, value);
    place.label = `${nameOf(this.scene, cell)}, ${contentOf(piece)}`;
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
      place.setAttribute("aria-label", place.label + (held.has(key) ? ", held" : "") + (target ? ", can be touched" : ""));
      place.setAttribute("tabindex", "-1");
    }
    const first = this.cursor && this.places.has(keyOf(this.cursor)) ? keyOf(this.cursor)
      : [...targets.keys()][0] ?? this.places.keys().next().value;
    this.places.get(first)?.setAttribute("tabindex", "0");
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
    return own.length === 1 && own[0].touches.length === 1 ? own[0].touches[0] : null;
  }

  cellOf(element) {
    const spot = element?.closest?.(".spot");
    return spot && this.element.contains(spot) ? { x: Number(spot.dataset.x), y: Number(spot.dataset.y) } : null;
  }

  down(event) {
    this.from = this.cellOf(event.target);
    if (this.from) {
      this.cursor = this.from;
      // Touch events report the element where the touch began; we need the one under the finger.
      if (event.target.hasPointerCapture?.(event.pointerId)) event.target.releasePointerCapture(event.pointerId);
    }
  }

  up(event) {
    const to = this.cellOf(document.elementFromPoint(event.clientX, event.clientY));
    const { from } = this;
    this.from = null;
    if (!from || !to) return;
    if (!same(from, to)) {
      if (!this.targets([]).has(keyOf(from))) return;
      this.touched = [from];
    }
    this.touch(to);
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
    const next = heaps ? { x: cell.x + dy, y: cell.y + dx } : { x: cell.x + dx, y: cell.y + dy };
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
   * Draws a player's evaluation onto the cells: a bar for each move, the best one highlighted.
   * @param {{ touches: { x: number, y: number }[], share: number, best: boolean, text: string }[]} thoughts
   */
  think(thoughts) {
    const byCell = new Map();
    for (const thought of thoughts) {
      const key = keyOf(thought.touches[thought.touches.length - 1]);
      const rival = byCell.get(key);
      if (!rival || thought.best || (!rival.best && thought.share > rival.share)) byCell.set(key, thought);
    }
    const beside = (thought) => this.places.get(keyOf(thought.touches[0]))?.text !== undefined;
    this.hints.replaceChildren(...[...byCell.values()].filter((thought) => !beside(thought)).flatMap((thought) => this.hint(thought)));
    for (const place of this.places.values()) {
      if (place.text !== undefined) place.textContent = place.text;
    }
    for (const thought of [...byCell.values()].filter(beside)) {
      const button = this.places.get(keyOf(thought.touches[0]));
      button.textContent = `${button.text} ${thought.text}`;
    }
  }

  hint({ touches, share, best, text }) {
    const at = this.where.centre(touches[touches.length - 1]);
    const width = this.scene.layout.kind === "heaps" ? 18 : 32;
    const parts = [
      s("rect", { class: "rail", x: at.x - width / 2, y: at.y + 11, width, height: 5, rx: 2 }),
      s("rect", { class: best ? "bar best" : "bar", x: at.x - width / 2, y: at.y + 11, width: Math.max(1, width * share), height: 5, rx: 2 }),
    ];
    if (width > 20) parts.push(s("text", { x: at.x, y: at.y - 10, "font-size": 10, "text-anchor": "middle", "dominant-baseline": "central" }, text));
    if (best && touches.length === 2) {
      const from = this.where.centre(touches[0]);
      parts.push(s("line", { class: "arrow", x1: from.x, y1: from.y, x2: at.x, y2: at.y }));
    }
    return parts;
  }
}
