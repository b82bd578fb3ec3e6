// The cross-entropy experiment: run it, watch the distribution converge, step through its iterations.

import { stream } from "../api.js";
import { errorPlace, h } from "../dom.js";
import { csv, download } from "../download.js";
import { rename } from "../router.js";
import { Timeline } from "../timeline.js";
import { discs, showCode } from "./codes.js";
import { Curves } from "./curves.js";
import { HeatMap } from "./heat.js";
import { Series } from "./series.js";
import { Setup } from "./setup.js";
import { StepTable, columnsOf } from "./steps.js";

/** @type {[number, string][]} */
const SPEEDS = [[1, "1 a second"], [3, "3 a second"], [8, "8 a second"], [20, "20 a second"]];

/** Describes the matrix that is shown for a distribution. */
function matrixOf({ law }) {
  if (typeof law !== "object") return "P, the chance of each colour at each peg";
  return law.mallows.update === "excess" ? "what the elite has more of than the distribution gives" : "shares of the elite";
}

const seriesOf = ({ law }) => [
  { name: "gamma", of: (step) => step.gamma },
  { name: "best", of: (step) => step.best },
  typeof law === "object" ? { name: "S(x*)", of: (step) => step.centre_score } : { name: "min_max of P", of: (step) => step.min_max },
];

/** Describes the result of an experiment. */
function conclusion({ outcome, settings, steps, seconds, cut }) {
  const at = (what, iteration) => `${what} at ${iteration === null ? "no iteration" : `iteration ${iteration}`}`;
  const stop = typeof settings.law === "object" ? at("x* is the secret", outcome.stop) : at("the first gamma of 1", outcome.stop);
  const ends = [outcome.convergence === null && typeof settings.law === "object" ? null : at("convergence", outcome.convergence), stop];
  const cost = `${outcome.answers.toLocaleString("en")} answers of the secret in ${(1000 * seconds).toFixed(0)} ms`;
  return `${cut ? "stopped, " : ""}${outcome.found ? "found" : "not found"}: ${ends.filter(Boolean).join(", ")}, ${steps.length} in all; ${cost}`;
}

/** Returns the range of all tables of a run, or the possible range before it. @returns {[number, number]} */
function rangeOf({ settings, steps = [] }) {
  let [low, high] = [0, typeof settings.law === "object" ? 0.05 : 1];
  for (const { table } of steps) {
    for (const row of table) [low, high] = [Math.min(low, ...row), Math.max(high, ...row)];
  }
  return [low, high];
}

export class Experiment {
  /** @param {any} about @param {URLSearchParams} query @param {AbortSignal} signal */
  constructor(about, query, signal) {
    this.setup = new Setup(about, query);
    this.error = errorPlace();
    this.status = h("p", { id: "experiment-status", class: "status", role: "status" }, "Not run yet.");
    this.go = h("button", { type: "submit", id: "run", class: "main" }, "Run");
    this.stop = h("button", { type: "button", id: "stop", disabled: true, onclick: () => this.abort?.abort() }, "Stop");
    this.codes = h("dl", { class: "codes" });
    this.figures = h("dl", { class: "figures" });
    this.heat = new HeatMap();
    this.curves = new Curves();
    this.timeline = new Timeline({ label: "Iteration", moments: "iteration", speeds: SPEEDS, speed: 3, moved: (at) => this.show(at) });
    this.table = new StepTable((at) => { this.timeline.pause(); this.timeline.go(at); });
    this.exports = h("div", { class: "row" },
      h("button", { type: "button", id: "csv", onclick: () => this.save("csv") }, "CSV"),
      h("button", { type: "button", id: "json", onclick: () => this.save("json") }, "JSON"),
      h("button", { type: "button", id: "print", onclick: () => window.print() }, "Print a report"));
    this.exports.hidden = true;
    this.series = new Series(this.setup, signal);
    signal.addEventListener("abort", () => {
      this.abort?.abort();
      this.timeline.pause();
      cancelAnimationFrame(this.drawing);
    });
    this.build();
  }

  build() {
    const form = h("form", { class: "panel setup", novalidate: true, onsubmit: (event) => { event.preventDefault(); this.run(); } },
      h("h2", {}, "Experiment"), this.setup.element, h("div", { class: "row" }, this.go, this.stop), this.error);
    const law = h("section", { class: "panel", "aria-label": "The law" },
      this.status, this.timeline.element, this.codes, this.figures, this.heat.element);
    this.element = h("div", { class: "lab-grid" }, form, h("div", { class: "side" },
      law,
      h("section", { class: "panel" }, h("h2", {}, "Curves"), this.curves.element),
      h("section", { class: "panel" }, h("h2", {}, "Iterations"), this.table.element, this.exports),
      this.series.element));
  }

  async run() {
    if (!this.setup.valid()) return;
    this.abort?.abort();
    const abort = (this.abort = new AbortController());
    this.error.say();
    this.timeline.pause();
    const request = this.setup.request();
    rename(`/mastermind?${new URLSearchParams({ view: "experiment", ...this.setup.address() })}`);
    this.busy(true);
    this.prepare(request.settings);
    this.status.textContent = "Running …";
    try {
      for await (const { event, data } of stream("/api/mastermind/run", request, abort.signal)) this.hear(event, data);
      if (!this.trace?.outcome) throw new Error("the server broke off; is the laboratory still open?");
    } catch (error) {
      if (error.name === "AbortError") this.status.textContent = `Stopped after ${this.trace?.steps.length ?? 0} iterations.`;
      else {
        this.error.say(error);
        this.status.textContent = "Not run.";
      }
    } finally {
      if (this.abort === abort) this.busy(false);
    }
  }

  busy(is) {
    this.go.disabled = is;
    this.stop.disabled = !is;
  }

  hear(event, data) {
    if (event === "waiting") this.status.textContent = "Waiting for its turn …";
    else if (event === "begun") this.begin(data);
    else if (event === "step") {
      if (!this.trace) return;
      this.trace.steps.push(data);
      this.draw();
    } else if (event === "done") {
      this.finish(data);
    } else if (event === "error") throw new Error(data.error);
  }

  /** Reserves space, so that the layout does not shift. */
  prepare(settings) {
    const { pegs, colours } = settings;
    this.trace = { settings, secret: Array(pegs).fill(null), steps: [] };
    this.heat.begin(pegs, colours, [], [0, 1], matrixOf(settings));
    this.show(0);
  }

  /** Shows the latest iteration at the next animation frame. */
  draw() {
    cancelAnimationFrame(this.drawing);
    this.drawing = requestAnimationFrame(() => {
      const { steps, settings } = this.trace;
      this.grow(settings.iterations);
      this.status.textContent = `Running: iteration ${steps.at(-1)?.iteration ?? 0}`;
    });
  }

  /** Shows the complete trace at the next animation frame. */
  finish(trace) {
    const missed = this.trace.steps.some((step, i) => step.iteration !== trace.steps[i].iteration);
    this.trace = trace;
    cancelAnimationFrame(this.drawing);
    this.drawing = requestAnimationFrame(() => {
      const { settings, secret } = trace;
      this.heat.begin(settings.pegs, settings.colours, secret, rangeOf(trace), matrixOf(settings));
      if (missed) this.table.begin(settings);
      this.grow(trace.steps.length);
      this.status.textContent = conclusion(trace);
      this.exports.hidden = false;
    });
  }

  begin(begun) {
    const { settings, secret } = begun;
    this.trace = { ...begun, steps: [] };
    this.heat.begin(settings.pegs, settings.colours, secret, rangeOf(begun), matrixOf(settings));
    this.table.begin(settings);
    this.exports.hidden = true;
  }

  /** Shows the last of the new iterations. */
  grow(room) {
    const { steps, settings } = this.trace;
    this.curves.show(steps, seriesOf(settings), Math.min(room, Math.max(20, steps.length)));
    this.table.show(steps);
    this.timeline.set(steps.length, steps.length);
  }

  /** Shows the distribution after iteration `at`; before the first only the secret. */
  show(at) {
    if (!this.trace) return;
    const { settings, secret, steps } = this.trace;
    const step = steps[at - 1];
    const code = (name, value) => [h("dt", {}, name), h("dd", {}, discs(value, name))];
    this.codes.replaceChildren(...code("Secret", secret),
      ...code("Best code", step?.proposal ?? secret.map(() => null)),
      ...(typeof settings.law === "object" ? code("x*", step?.centre ?? secret.map(() => null)) : []));
    const columns = columnsOf(settings).filter(({ name }) => name !== "t" && name !== "code");
    this.figures.replaceChildren(...columns.map(({ name, of }) =>
      h("div", {}, h("dt", {}, name), h("dd", {}, step ? of(step) : "–"))));
    if (step) this.heat.show(step.table, `${matrixOf(settings)} after iteration ${at}`);
    else if (steps.length > 0) {
      const even = typeof settings.law === "object" ? 0 : 1 / settings.colours;
      this.heat.show(secret.map(() => Array(settings.colours).fill(even)), "before the first iteration");
    }
    this.curves.point(at);
    this.table.point(at);
  }

  save(kind) {
    const { settings, steps, seed } = this.trace;
    const name = `mastermind-${settings.pegs}x${settings.colours}-seed${seed}`;
    if (kind === "json") return download(`${name}.json`, "application/json", JSON.stringify(this.trace, null, 1));
    const names = Object.keys(steps[0]).filter((key) => key !== "table");
    const cell = (value) => (Array.isArray(value) ? showCode(value, settings.colours) : value ?? "");
    return download(`${name}.csv`, "text/csv", csv([names, ...steps.map((step) => names.map((key) => cell(step[key])))]));
  }
}
