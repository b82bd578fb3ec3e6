// A board of hexagons for replays. Each row is one SVG path, which is drawn again only when the row
// changes: one element for each cell, as in scenes, is too slow for 100 rows of 100 cells in motion.

import { h, s } from "../dom.js";

/** Width of a hexagon, its radius, and the height of a row. */
const UNIT = 20;
const RADIUS = UNIT / Math.sqrt(3);
const STEP = 1.5 * RADIUS;

/** Returns the path of a hexagon of relative size `shrink`, as offsets from its top corner. */
function outline(shrink) {
  const [w, r] = [(UNIT / 2) * shrink, RADIUS * shrink];
  const f = (number) => number.toFixed(2);
  return { top: r, steps: `l${f(w)} ${f(r / 2)}v${f(r)}l${f(-w)} ${f(r / 2)}l${f(-w)} ${f(-r / 2)}v${f(-r)}z` };
}
const CELL = outline(0.94);
const BLOCK = outline(0.9);

const centreX = (x, y) => 1 + (x + 0.5 + ((y % 2) + 2) % 2 / 2) * UNIT;
const centreY = (y) => 1 + RADIUS + y * STEP;

const hexagon = (x, y, { top, steps }) => `M${centreX(x, y).toFixed(2)} ${(centreY(y) - top).toFixed(2)}${steps}`;

/** Returns the columns and rows of a unit's cells in a placement, from their axial coordinates. */
export function cellsOf(shape, { x, y, turn }) {
  return shape.turns[turn].map(([q, r]) => ({ x: x - (y >> 1) + q + ((y + r) >> 1), y: y + r }));
}

const frame = (width, height) => `0 0 ${(2 + (width + (height > 1 ? 0.5 : 0)) * UNIT).toFixed(1)} ${(2 + 2 * RADIUS + (height - 1) * STEP).toFixed(1)}`;

export class HexBoard {
  constructor() {
    this.element = h("div", { class: "board hex-board" });
  }

  /** @param {{ width: number, height: number }} problem */
  begin({ width, height }) {
    this.width = width;
    this.height = height;
    const columns = Array.from({ length: width }, (_, x) => x);
    const rows = Array.from({ length: height }, (_, y) => y);
    this.rows = rows.map(() => s("path", { class: "hex-full" }));
    this.drawn = rows.map(() => "");
    this.ghost = s("path", { class: "hex-ghost" });
    this.unit = s("path", { class: "hex-unit" });
    this.pivot = s("circle", { class: "hex-pivot", r: 3.2, cx: -99, cy: -99 });
    this.svg = s("svg", { viewBox: frame(width, height), role: "img", class: "hexes" },
      rows.map((y) => s("path", { class: "hex-cell", d: columns.map((x) => hexagon(x, y, CELL)).join("") })),
      this.rows, this.ghost, this.unit, this.pivot);
    this.element.replaceChildren(this.svg);
  }

  /** @param {string[]} rows `#` is full @param {{ x: number, y: number }[]} unit @param {{ x: number, y: number } | null} pivot @param {{ x: number, y: number }[]} ghost where the unit will lock @param {string} label */
  show(rows, unit, pivot, ghost, label) {
    rows.forEach((row, y) => {
      if (row === this.drawn[y]) return;
      this.drawn[y] = row;
      this.rows[y].setAttribute("d", [...row].map((cell, x) => (cell === "#" ? hexagon(x, y, BLOCK) : "")).join(""));
    });
    this.ghost.setAttribute("d", ghost.map(({ x, y }) => hexagon(x, y, BLOCK)).join(""));
    this.unit.setAttribute("d", unit.map(({ x, y }) => hexagon(x, y, BLOCK)).join(""));
    const seen = pivot && pivot.x >= 0 && pivot.x < this.width && pivot.y >= 0 && pivot.y < this.height;
    this.pivot.setAttribute("cx", seen ? centreX(pivot.x, pivot.y) : -99);
    this.pivot.setAttribute("cy", seen ? centreY(pivot.y) : -99);
    this.svg.setAttribute("aria-label", label);
  }
}

/** Draws a single unit in its spawn orientation. @param {any} shape @param {string} label */
export function unitPicture(shape, label) {
  const cells = cellsOf(shape, shape.spawn);
  const [left, top] = [Math.min(...cells.map(({ x }) => x)), Math.min(...cells.map(({ y }) => y))];
  const right = Math.max(...cells.map(({ x }) => x));
  const bottom = Math.max(...cells.map(({ y }) => y));
  const even = top - (top % 2);
  return s("svg", { viewBox: frame(Math.max(2, right - left + 1), Math.max(2, bottom - even + 1)), class: "next-unit", role: "img", "aria-label": label },
    s("path", { class: "hex-unit", d: cells.map(({ x, y }) => hexagon(x - left, y - even, BLOCK)).join("") }));
}
