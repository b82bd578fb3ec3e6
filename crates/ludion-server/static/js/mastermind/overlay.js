// Several laws on one secret: their scores iteration by iteration in one chart, and what each needed.

import { stream } from "../api.js";
import { InteractiveChart } from "../chart/chart.js";
import { errorPlace, h } from "../dom.js";
import { field } from "../form.js";
import { count, table } from "../runs/words.js";
import { drawCode, discs, readCode, showCode } from "./codes.js";

/** What the chart shows of a step: its name and its value. @type {[string, string, (step: any) => number][]} */
const SHOWN = [
  // A Mallows distribution proposes its centre, the others the best code that they drew.
  ["proposal", "score of the proposal", (step) => step.centre_score ?? step.best],
  ["best", "best score of an iteration", (step) => step.best],
  ["gamma", "gamma, the score of the elite", (step) => step.gamma],
];

export class Overlay {
  /** @param {any} about @param {AbortSignal} signal */
  constructor(about, signal) {
    this.about = about;
    this.signal = signal;
    this.error = errorPlace();
    const size = (id, value) => h("input", { id, type: "number", min: 1, max: about.largest, value, required: true, onchange: () => this.draw() });
    this.pegs = size("overlay-pegs", 6);
    this.colours = size("overlay-colours", 10);
    this.secret = h("input", { id: "overlay-secret", type: "text", spellcheck: "false" });
    this.seed = h("input", { id: "overlay-seed", type: "number", min: 0, value: 1, required: true });
    this.ticks = about.laws.map((_, i) => h("input", { type: "checkbox", id: `overlay-law-${i}`, checked: true }));
    this.shown = h("select", { id: "overlay-shown", onchange: () => this.show() }, SHOWN.map(([value, text]) => h("option", { value }, text)));
    this.begin = h("button", { type: "submit", class: "main", id: "run-overlay" }, "Run the laws");
    this.status = h("p", { class: "status", role: "status", id: "overlay-status" }, "Not run yet.");
    this.preview = h("div", { class: "preview" });
    this.chart = new InteractiveChart();
    this.chart.element.hidden = true;
    this.found = h("div", {});
    this.traces = [];
    this.element = this.layout();
    this.draw();
  }

  layout() {
    const form = h("form", { class: "panel setup", novalidate: true, onsubmit: (event) => this.submit(event) },
      h("h2", {}, "Laws on one secret"),
      h("p", { class: "quiet-text" }, "Each law searches for the same secret; the curves show how fast it closes in."),
      h("div", { class: "fields" }, field("pegs (n)", this.pegs), field("colours (m)", this.colours), field("secret", this.secret, "without repeated colours, so that every law can find it"), field("seed", this.seed)),
      h("div", { class: "row" }, h("button", { type: "button", id: "overlay-draw", onclick: () => this.draw() }, "Draw a secret")), this.preview,
      h("h3", {}, "Laws"), ...this.about.laws.map(({ name }, i) => field(name, this.ticks[i])),
      h("div", { class: "row" }, this.begin), this.error);
    return h("div", { class: "lab-grid" }, form, h("div", { class: "side" },
      h("section", { class: "panel plot-place interactive", "aria-label": "Curves of the laws" }, this.status, field("the chart shows", this.shown), this.chart.element, this.found)));
  }

  /** Draws a secret without repeated colours. */
  draw() {
    const [pegs, colours] = [Number(this.pegs.value), Number(this.colours.value)];
    this.secret.value = colours >= pegs ? showCode(drawCode(pegs, colours, false), colours) : showCode(drawCode(pegs, colours, true), colours);
    this.preview.replaceChildren(discs(readCode(this.secret.value, colours), "The secret"));
  }

  async submit(event) {
    event.preventDefault();
    this.error.say();
    if (!event.target.reportValidity()) return;
    this.begin.disabled = true;
    this.traces = [];
    try {
      for (const [i, law] of this.about.laws.entries()) {
        if (!this.ticks[i].checked) continue;
        this.status.textContent = `${law.name} searches …`;
        this.traces.push({ law, trace: await this.run(law) });
        this.show();
      }
      if (this.traces.length === 0) throw new Error("tick a law first");
      this.status.textContent = `The secret is ${this.secret.value}.`;
    } catch (error) {
      if (!this.signal.aborted) this.error.say(error);
      this.status.textContent = "Not run.";
    }
    this.begin.disabled = false;
  }

  /** Returns the trace of one law. */
  async run({ settings }) {
    const request = { settings: { ...settings, pegs: Number(this.pegs.value), colours: Number(this.colours.value) }, secret: this.secret.value.trim(), seed: Number(this.seed.value) };
    for await (const { event, data } of stream("/api/mastermind/run", request, this.signal)) {
      if (event === "error") throw new Error(data.error);
      if (event === "done") return data;
    }
    throw new Error("the server broke off; is the laboratory still open?");
  }

  show() {
    if (this.traces.length === 0) return;
    const [, label, of] = SHOWN.find(([value]) => value === this.shown.value);
    const line = (steps) => steps.map((step) => ({ x: step.iteration, y: of(step), low: of(step), high: of(step) }));
    this.chart.element.hidden = false;
    this.chart.show({
      title: `${label}, secret ${this.secret.value}`, note: `seed ${this.seed.value}`, level: 1,
      x: { label: "iteration", scale: "linear", unit: "count" }, y: { label, scale: "linear", unit: "plain" },
      series: this.traces.map(({ law, trace }) => ({ name: law.name, points: [], line: line(trace.steps) })),
    });
    this.found.replaceChildren(table("What each law needed", ["law", "found", "iterations", "answers", "milliseconds"], this.traces.map(({ law, trace }) =>
      [law.name, trace.outcome.found ? "yes" : "no", count(trace.outcome.iterations), count(trace.outcome.answers), (1000 * trace.seconds).toFixed(0)]), { id: "laws-found" }));
  }
}
