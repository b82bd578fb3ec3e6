// Curves of an experiment over its iterations, with values from 0 to 1 and a line at the shown iteration.

import { h, s } from "../dom.js";

const [WIDTH, HEIGHT] = [640, 240];
const BOX = { left: 34, right: 10, top: 10, bottom: 26 };

export class Curves {
  constructor() {
    this.legend = h("p", { class: "legend" });
    this.svg = s("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", class: "curves", "aria-label": "Curves of the run" });
    this.element = h("div", {}, this.svg, this.legend);
    this.show([], [], 1);
  }

  x(iteration) {
    return BOX.left + ((iteration - 1) / Math.max(1, this.last - 1)) * (WIDTH - BOX.left - BOX.right);
  }

  y(value) {
    return HEIGHT - BOX.bottom - Math.max(0, Math.min(1, value)) * (HEIGHT - BOX.top - BOX.bottom);
  }

  /** @param {any[]} steps @param {{ name: string, of: (step: any) => number | null }[]} series @param {number} last the last iteration of the axis */
  show(steps, series, last) {
    this.last = Math.max(2, last, steps.length);
    const text = (x, y, anchor, what) => s("text", { x, y, "font-size": 11, "text-anchor": anchor, "dominant-baseline": "central" }, String(what));
    const levels = [0, 0.25, 0.5, 0.75, 1].map((value) => [
      s("line", { class: "grid", x1: BOX.left, x2: WIDTH - BOX.right, y1: this.y(value), y2: this.y(value) }),
      text(BOX.left - 5, this.y(value), "end", value),
    ]);
    const every = Math.max(1, Math.ceil(this.last / 10));
    const ticks = Array.from({ length: this.last }, (_, i) => i + 1).filter((t) => t === 1 || t % every === 0)
      .map((t) => text(this.x(t), HEIGHT - BOX.bottom / 2, "middle", t));
    const lines = series.map(({ of }, i) => {
      const points = steps.map((step) => [step.iteration, of(step)]).filter(([, value]) => value !== null && value !== undefined);
      return s("polyline", { class: `curve curve-${i}`, points: points.map(([t, value]) => `${this.x(t).toFixed(1)},${this.y(value).toFixed(1)}`).join(" ") });
    });
    this.cursor = s("line", { class: "cursor", y1: BOX.top, y2: HEIGHT - BOX.bottom, x1: -10, x2: -10 });
    this.svg.replaceChildren(...levels.flat(), ...ticks, ...lines, this.cursor);
    this.legend.replaceChildren(...series.map(({ name }, i) => h("span", { class: `key key-${i}` }, name)));
  }

  /** Moves the line to an iteration; 0 hides it. @param {number} iteration */
  point(iteration) {
    const x = iteration > 0 ? this.x(iteration) : -10;
    this.cursor.setAttribute("x1", x);
    this.cursor.setAttribute("x2", x);
  }
}
