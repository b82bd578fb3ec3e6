// The table of an experiment's iterations, with the same columns as on the command line.

import { h } from "../dom.js";
import { showCode } from "./codes.js";

const four = (name, of) => ({ name, of: (step) => (of(step) ?? 0).toFixed(4) });

/** Returns the columns for the distribution of an experiment. @param {any} settings */
export function columnsOf(settings) {
  const mallows = typeof settings.law === "object";
  const own = mallows
    ? [{ name: "lambda", of: (step) => step.lambda.toFixed(3) }, four("S(x*)", (step) => step.centre_score)]
    : ["min", "max_min", "max", "min_max"].map((name) => four(name, (step) => step[name]));
  return [
    { name: "t", of: (step) => String(step.iteration) },
    four("gamma", (step) => step.gamma),
    four("best", (step) => step.best),
    { name: "elite", of: (step) => String(step.elite) },
    ...own,
    { name: "answers", of: (step) => step.answers.toLocaleString("en") },
    { name: "code", of: (step) => showCode(mallows ? step.centre : step.proposal, settings.colours) },
  ];
}

export class StepTable {
  /** @param {(iteration: number) => void} chosen */
  constructor(chosen) {
    this.body = h("tbody", { onclick: (event) => {
      const row = event.target.closest("tr");
      if (row) chosen(Number(row.dataset.t));
    } });
    this.head = h("thead");
    this.box = h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Iterations" }, h("table", { class: "steps" }, this.head, this.body));
    this.element = this.box;
  }

  begin(settings) {
    this.columns = columnsOf(settings);
    this.head.replaceChildren(h("tr", {}, this.columns.map(({ name }) => h("th", { scope: "col", class: name === "code" ? "" : "num" }, name))));
    this.body.replaceChildren();
  }

  /** Adds rows for the iterations that the table does not have yet. */
  show(steps) {
    for (const step of steps.slice(this.body.children.length)) {
      this.body.append(h("tr", { "data-t": this.body.children.length + 1 }, this.columns.map(({ name, of }) =>
        h("td", { class: name === "code" ? "code" : "num" }, of(step)))));
    }
  }

  point(at) {
    this.body.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const row = this.body.children[at - 1];
    if (!row) return;
    row.setAttribute("aria-current", "true");
    const [top, height] = [row.offsetTop - 32, this.box.clientHeight - 64];
    if (top < this.box.scrollTop || top > this.box.scrollTop + height) this.box.scrollTop = Math.max(0, top - height / 2);
  }
}
