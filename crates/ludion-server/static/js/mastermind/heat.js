// A heat map of a matrix with a row for each peg and a column for each colour; the cells of the secret
// code are framed. Each cell is one pixel of a canvas: one element for each is too slow at 40 by 40.

import { h, s } from "../dom.js";

/** Colours of the scale viridis at 0, 1/8, … 1. */
const VIRIDIS = [[68, 1, 84], [71, 44, 122], [59, 81, 139], [44, 113, 142], [33, 144, 141], [39, 173, 129], [92, 200, 99], [170, 220, 50], [253, 231, 37]];

/** Returns red, green and blue of the scale at a share from 0 to 1. @param {number} share */
export function viridis(share) {
  const place = Math.max(0, Math.min(1, share)) * (VIRIDIS.length - 1);
  const below = Math.min(VIRIDIS.length - 2, Math.floor(place));
  return VIRIDIS[below].map((from, i) => Math.round(from + (place - below) * (VIRIDIS[below + 1][i] - from)));
}

const CELL = 20;
const LEFT_MARGIN = 26;
const BOTTOM_MARGIN = 18;

const numbers = (count) => Array.from({ length: count }, (_, i) => i + 1);
/** Returns the numbers of rows or columns that are written: every fifth if there are more than 20. */
const named = (count) => numbers(count).filter((number) => number % (count > 20 ? 5 : 1) === 0 || number === 1);

export class HeatMap {
  constructor() {
    this.caption = h("p", { class: "caption" }, " ");
    this.canvas = h("canvas", { class: "heat-cells", "aria-hidden": "true" });
    this.holder = h("div", { class: "heat" });
    this.element = h("div", {}, this.holder, this.caption);
    this.holder.addEventListener("pointermove", (event) => this.point(this.cellAt(event)));
    this.holder.addEventListener("pointerleave", () => this.point(null));
  }

  /** Prepares the map for matrices of a size, with the secret to frame and the range of all values. */
  begin(pegs, colours, secret, [low, high], what) {
    this.pegs = pegs;
    this.colours = colours;
    this.low = low;
    this.high = high;
    this.what = what;
    this.table = null;
    const [width, height] = [LEFT_MARGIN + colours * CELL + 2, pegs * CELL + BOTTOM_MARGIN + 2];
    const text = (x, y, number) => s("text", { x, y, "font-size": 11, "text-anchor": "middle", "dominant-baseline": "central" }, String(number));
    Object.assign(this.canvas, { width: colours, height: pegs });
    this.canvas.getContext("2d").clearRect(0, 0, colours, pegs);
    // The canvas lies under the SVG, exactly where that leaves space for the cells.
    const part = (size, whole) => `${((100 * size) / whole).toFixed(4)}%`;
    Object.assign(this.canvas.style, {
      left: part(LEFT_MARGIN, width), top: part(1, height), width: part(colours * CELL, width), height: part(pegs * CELL, height),
    });
    this.svg = s("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", class: "scene", "aria-label": what },
      named(pegs).map((n) => text(LEFT_MARGIN / 2, 1 + (n - 0.5) * CELL, n)),
      named(colours).map((n) => text(LEFT_MARGIN + (n - 0.5) * CELL, pegs * CELL + BOTTOM_MARGIN / 2 + 2, n)),
      secret.map((colour, peg) => s("rect", { class: "framed", x: LEFT_MARGIN + colour * CELL + 1, y: peg * CELL + 2, width: CELL - 2, height: CELL - 2 })));
    this.holder.style.maxWidth = `${Math.min(44, (width * 1.6) / 16)}rem`;
    this.holder.replaceChildren(this.canvas, this.svg);
    this.point(null);
  }

  /** @param {number[][]} table @param {string} label */
  show(table, label) {
    this.table = table;
    const span = this.high - this.low || 1;
    const image = new ImageData(this.colours, this.pegs);
    table.forEach((row, peg) => row.forEach((value, colour) =>
      image.data.set([...viridis((value - this.low) / span), 255], 4 * (peg * this.colours + colour))));
    this.canvas.getContext("2d").putImageData(image, 0, 0);
    this.svg.setAttribute("aria-label", label);
    this.point(null);
  }

  /** Returns the cell under the pointer. @returns {{ peg: number, colour: number } | null} */
  cellAt(event) {
    if (!this.table) return null;
    const box = this.canvas.getBoundingClientRect();
    const [colour, peg] = [Math.floor(((event.clientX - box.x) / box.width) * this.colours), Math.floor(((event.clientY - box.y) / box.height) * this.pegs)];
    return colour >= 0 && colour < this.colours && peg >= 0 && peg < this.pegs ? { peg, colour } : null;
  }

  point(cell) {
    if (!cell) {
      const ends = this.table ? `dark ${this.low.toFixed(2)}, bright ${this.high.toFixed(2)}; ` : "";
      this.caption.textContent = `${this.what ?? ""}: ${ends}framed: the secret`;
      return;
    }
    const { peg, colour } = cell;
    this.caption.textContent = `peg ${peg + 1}, colour ${colour + 1}: ${this.table[peg][colour].toFixed(4)}`;
  }
}
