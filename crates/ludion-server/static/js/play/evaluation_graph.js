// The evaluation of a game move by move: a line of the values, marks at moves that lost much, and a
// cursor at the shown position. A click or the arrow keys jump to a position.

import { h, s } from "../dom.js";

const WIDTH = 600;
const HEIGHT = 96;
const EDGE = 6;

/** Creates the mark of a judged move at these shares of the width and the height. */
function mark(name, x, y) {
  const dot = h("i", { class: `graph-mark ${name.split(" ")[0]}` });
  dot.style.left = `${(100 * x).toFixed(2)}%`;
  dot.style.top = `${(100 * y).toFixed(2)}%`;
  return dot;
}

/** A graph of the values of a game. */
export class EvaluationGraph {
  /** @param {{ jumped: (at: number) => void, puzzle: boolean }} options */
  constructor({ jumped, puzzle }) {
    this.jumped = jumped;
    this.puzzle = puzzle;
    this.count = 0;
    this.at = 0;
    this.area = s("path", { class: "graph-area" });
    this.path = s("path", { class: "graph-line" });
    this.marks = h("div", { class: "graph-marks", "aria-hidden": "true" });
    this.cursor = s("line", { class: "graph-cursor", y1: 0, y2: HEIGHT });
    this.svg = s("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", "aria-hidden": "true" },
      puzzle ? null : s("line", { class: "graph-zero", x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2 }),
      this.area, this.path, this.cursor);
    this.note = h("span", { class: "graph-note" });
    this.element = h("div", {
      id: "graph", class: "graph", role: "slider", tabindex: 0, "aria-label": "Evaluation over the game",
      "aria-valuemin": 0, onkeydown: (event) => this.key(event), onpointerdown: (event) => this.press(event),
      onpointermove: (event) => { if (event.buttons === 1) this.press(event); },
    }, this.svg, this.marks, this.note);
  }

  /** Returns the distance of a position from the left edge. @param {number} at */
  x(at) {
    return this.count === 0 ? EDGE : EDGE + ((WIDTH - 2 * EDGE) * at) / this.count;
  }

  press(event) {
    const box = this.svg.getBoundingClientRect();
    const share = ((event.clientX - box.left) / box.width * WIDTH - EDGE) / (WIDTH - 2 * EDGE);
    const at = Math.max(0, Math.min(this.count, Math.round(share * this.count)));
    if (at !== this.at) this.jumped(at);
  }

  key(event) {
    const to = { ArrowLeft: this.at - 1, ArrowRight: this.at + 1, Home: 0, End: this.count }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    if (to >= 0 && to <= this.count) this.jumped(to);
  }

  /**
   * Shows the values of all positions of a line.
   * @param {(import("./evaluations.js").PositionValue | null)[]} values @param {({ sign: string, name: string } | null)[]} judged of the moves
   * @param {number} at
   */
  show(values, judged, at) {
    this.count = values.length - 1;
    this.at = at;
    const known = values.map((entry, i) => ({ i, entry })).filter(({ entry }) => entry !== null);
    const most = Math.max(1, ...known.map(({ entry }) => Math.abs(entry.value)));
    const y = (value) => this.puzzle
      ? HEIGHT - EDGE - ((HEIGHT - 2 * EDGE) * value) / most
      : HEIGHT / 2 - (HEIGHT / 2 - EDGE) * value;
    const points = known.map(({ i, entry }) => `${this.x(i).toFixed(1)} ${y(entry.value).toFixed(1)}`);
    const floor = this.puzzle ? HEIGHT : HEIGHT / 2;
    this.path.setAttribute("d", points.length > 0 ? `M${points.join("L")}L${points.at(-1)}` : "");
    this.area.setAttribute("d", points.length > 1
      ? `M${this.x(known[0].i).toFixed(1)} ${floor}L${points.join("L")}L${this.x(known.at(-1).i).toFixed(1)} ${floor}Z` : "");
    this.marks.replaceChildren(...judged.flatMap((judgement, i) => (judgement && values[i + 1]
      ? [mark(judgement.name, this.x(i + 1) / WIDTH, y(values[i + 1].value) / HEIGHT)] : [])));
    this.cursor.setAttribute("x1", this.x(at));
    this.cursor.setAttribute("x2", this.x(at));
    this.note.textContent = known.length === 0 ? "no evaluation yet" : "";
    this.describe(values[at] ?? null);
  }

  describe(entry) {
    const value = entry === null ? "no evaluation" : entry.proven
      ? `${entry.proven.verdict} for the first side` : `${entry.value.toFixed(2)} for the first side`;
    this.element.setAttribute("aria-valuemax", this.count);
    this.element.setAttribute("aria-valuenow", this.at);
    this.element.setAttribute("aria-valuetext", `move ${this.at} of ${this.count}, ${value}`);
  }
}
