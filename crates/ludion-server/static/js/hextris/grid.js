// A grid of hexagons to draw on: a click or Enter changes a cell, dragging changes many, arrow keys move.

import { h, s } from "../dom.js";

const UNIT = 24;
const RADIUS = UNIT / Math.sqrt(3);
const STEP = 1.5 * RADIUS;

const centre = (x, y) => [1 + (x + 0.5 + (y % 2) / 2) * UNIT, 1 + RADIUS + y * STEP];

const outline = (x, y) => {
  const [cx, cy] = centre(x, y);
  const corner = (i) => [cx + RADIUS * 0.94 * Math.sin((i * Math.PI) / 3), cy - RADIUS * 0.94 * Math.cos((i * Math.PI) / 3)];
  return `M${Array.from({ length: 6 }, (_, i) => corner(i).map((v) => v.toFixed(2)).join(" ")).join("L")}Z`;
};

export class HexGrid {
  /** @param {number} width @param {number} height @param {string} label @param {() => void} changed */
  constructor(width, height, label, changed) {
    this.width = width;
    this.height = height;
    this.changed = changed;
    /** The full cells, as `x,y`. @type {Set<string>} */
    this.full = new Set();
    /** The cell with a mark, for the pivot of a unit. @type {string | null} */
    this.pivot = null;
    this.marking = false;
    this.cells = new Map();
    for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) this.cells.set(`${x},${y}`, this.cell(x, y));
    this.dot = s("circle", { class: "hex-pivot", r: 4.5, cx: -99, cy: -99 });
    this.cells.get("0,0").setAttribute("tabindex", "0");
    const box = `0 0 ${(2 + (width + 0.5) * UNIT).toFixed(1)} ${(2 + 2 * RADIUS + (height - 1) * STEP).toFixed(1)}`;
    this.svg = s("svg", { viewBox: box, class: "hex-grid", role: "group", "aria-label": label, onkeydown: (event) => this.key(event) }, [...this.cells.values()], this.dot);
    this.element = h("div", { class: "hex-grid-box" }, this.svg);
    addEventListener("pointerup", () => { this.painting = undefined; });
  }

  cell(x, y) {
    const at = `${x},${y}`;
    return s("path", { d: outline(x, y), class: "grid-cell", role: "checkbox", "aria-checked": "false", tabindex: "-1", "data-at": at, "aria-label": `column ${x}, row ${y}`,
      onpointerdown: (event) => {
        event.target.releasePointerCapture?.(event.pointerId);
        this.press(at);
      },
      onpointerenter: () => this.painting !== undefined && this.set(at, this.painting) });
  }

  press(at) {
    if (this.marking) {
      this.pivot = at;
      this.draw();
      this.changed();
      return;
    }
    this.painting = !this.full.has(at);
    this.set(at, this.painting);
  }

  set(at, full) {
    if (full) this.full.add(at);
    else this.full.delete(at);
    this.draw();
    this.changed();
  }

  draw() {
    for (const [at, cell] of this.cells) {
      cell.classList.toggle("on", this.full.has(at));
      cell.setAttribute("aria-checked", String(this.full.has(at)));
    }
    const [x, y] = this.pivot ? centre(...this.pivot.split(",").map(Number)) : [-99, -99];
    this.dot.setAttribute("cx", x);
    this.dot.setAttribute("cy", y);
  }

  key(event) {
    const at = event.target.dataset?.at;
    if (!at) return;
    const [x, y] = at.split(",").map(Number);
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (step) this.cells.get(`${x + step[0]},${y + step[1]}`)?.focus();
    else if (event.key === "Enter" || event.key === " ") {
      this.press(at);
      this.painting = undefined;
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Returns the full cells with their coordinates. */
  list() {
    return [...this.full].map((at) => at.split(",").map(Number)).map(([x, y]) => ({ x, y }));
  }
}
