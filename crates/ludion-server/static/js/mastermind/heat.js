// A matrix as a heat map: a row a peg, a column a colour, the secret's cells framed.

import { h, s } from "../dom.js";

/** The scale viridis at eighths. */
const STOPS = [[68, 1, 84], [71, 44, 122], [59, 81, 139], [44, 113, 142], [33, 144, 141], [39, 173, 129], [92, 200, 99], [170, 220, 50], [253, 231, 37]];

/** The colour of a share from 0 to 1. @param {number} share */
export function viridis(share) {
  const place = Math.max(0, Math.min(1, share)) * (STOPS.length - 1);
  const below = Math.min(STOPS.length - 2, Math.floor(place));
  const part = (i) => Math.round(STOPS[below][i] + (place - below) * (STOPS[below + 1][i] - STOPS[below][i]));
  return `rgb(${part(0)} ${part(1)} ${part(2)})`;
}

const CELL = 20;
const LEFT = 26;
const BOTTOM = 18;

export class HeatMap {
  constructor() {
    this.caption = h("p", { class: "caption" }, " ");
    this.holder = h("div", { class: "heat" });
    this.element = h("div", {}, this.holder, this.caption);
    this.holder.addEventListener("pointermove", (event) => this.point(event.target));
    this.holder.addEventListener("pointerleave", () => this.point(null));
  }

  /** Another matrix: its size, what is framed, the range of its values in a whole run. */
  begin(pegs, colours, secret, [low, high], what) {
    Object.assign(this, { low, high, what, table: null });
    const [width, height] = [LEFT + colours * CELL + 2, pegs * CELL + BOTTOM + 2];
    const every = (count) => (count > 20 ? 5 : 1);
    const named = (number, count) => number % every(count) === 0 || number === 1;
    this.cells = Array.from({ length: pegs * colours }, (_, i) => s("rect", {
      x: LEFT + (i % colours) * CELL, y: 1 + Math.floor(i / colours) * CELL, width: CELL, height: CELL,
      class: "heat-cell", "data-cell": i,
    }));
    this.colours = colours;
    const text = (x, y, number) => s("text", { x, y, "font-size": 11, "text-anchor": "middle", "dominant-baseline": "central" }, String(number));
    const numbers = (count) => Array.from({ length: count }, (_, i) => i + 1);
    this.svg = s("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", class: "scene" },
      this.cells,
      numbers(pegs).filter((n) => named(n, pegs)).map((n) => text(LEFT / 2, 1 + (n - 0.5) * CELL, n)),
      numbers(colours).filter((n) => named(n, colours)).map((n) => text(LEFT + (n - 0.5) * CELL, pegs * CELL + BOTTOM / 2 + 2, n)),
      secret.map((colour, peg) => s("rect", { class: "framed", x: LEFT + colour * CELL + 1, y: peg * CELL + 2, width: CELL - 2, height: CELL - 2 })));
    this.holder.style.maxWidth = `${Math.min(44, (width * 1.6) / 16)}rem`;
    this.holder.replaceChildren(this.svg);
  }

  /** @param {number[][]} table @param {string} label */
  show(table, label) {
    this.table = table;
    const span = this.high - this.low || 1;
    table.forEach((row, peg) => row.forEach((value, colour) =>
      this.cells[peg * this.colours + colour].setAttribute("fill", viridis((value - this.low) / span))));
    this.svg.setAttribute("aria-label", label);
    this.point(null);
  }

  point(target) {
    const cell = target?.dataset?.cell;
    if (cell === undefined || !this.table) {
      const ends = this.table ? `dark ${this.low.toFixed(2)}, bright ${this.high.toFixed(2)}; ` : "";
      this.caption.textContent = `${this.what ?? ""}: ${ends}framed: the secret`;
      return;
    }
    const [peg, colour] = [Math.floor(cell / this.colours), cell % this.colours];
    this.caption.textContent = `peg ${peg + 1}, colour ${colour + 1}: ${this.table[peg][colour].toFixed(4)}`;
  }
}
