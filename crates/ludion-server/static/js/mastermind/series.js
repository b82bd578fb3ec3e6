// Runs the same experiment with many seeds: how often the secret is found, and medians of the iterations.
// The seeds are the chosen one and those after it. If a secret is typed, it is that of all of them.

import { stream } from "../api.js";
import { errorPlace, h } from "../dom.js";
import { field } from "../form.js";
import { count, plural, table } from "../runs/words.js";

/** Returns the median of some numbers. @param {number[]} values */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** The rows of the table: name, value of an experiment, format. */
/** @type {[string, (run: any) => number | null, (value: number) => string][]} */
const FIGURES = [
  ["iterations until found", (run) => run.outcome.stop, count],
  ["iterations in all", (run) => run.iterations, count],
  ["answers of the secret", (run) => run.outcome.answers, count],
  ["milliseconds", (run) => 1000 * run.seconds, (value) => value.toFixed(1)],
];

export class Series {
  /** @param {import("./setup.js").Setup} setup @param {AbortSignal} signal */
  constructor(setup, signal) {
    this.setup = setup;
    this.number = h("input", { type: "number", id: "seeds", min: 2, max: 200, value: 20, required: true });
    this.go = h("button", { type: "button", id: "run-seeds", onclick: () => this.run() }, "Run them all");
    this.stop = h("button", { type: "button", disabled: true, onclick: () => this.abort?.abort() }, "Stop");
    this.bar = h("progress", { max: 1, value: 0, "aria-label": "Seeds that were run" });
    this.status = h("p", { class: "status", id: "series-status", role: "status" }, "Not run yet.");
    this.error = errorPlace();
    this.found = h("div", { id: "series" });
    signal.addEventListener("abort", () => this.abort?.abort());
    this.element = h("section", { class: "panel", "aria-label": "Many seeds" }, h("h2", {}, "Many seeds"),
      h("div", { class: "row" }, field("seeds", this.number), this.go, this.stop),
      this.bar, this.status, this.error, this.found);
  }

  async run() {
    if (!this.setup.valid() || !this.number.reportValidity()) return;
    const abort = (this.abort = new AbortController());
    const request = this.setup.request();
    const [runs, all] = [[], Number(this.number.value)];
    this.error.say();
    this.busy(true);
    try {
      while (runs.length < all) {
        runs.push(await this.one({ ...request, seed: request.seed + runs.length }, abort.signal));
        this.show(runs, all, request.seed);
      }
    } catch (error) {
      if (error.name !== "AbortError") this.error.say(error);
    } finally {
      this.busy(false);
    }
  }

  busy(is) {
    this.go.disabled = is;
    this.stop.disabled = !is;
  }

  /** Runs the experiment of one seed. */
  async one(request, signal) {
    for await (const { event, data } of stream("/api/mastermind/run", request, signal)) {
      if (event === "error") throw new Error(data.error);
      if (event === "done") return { outcome: data.outcome, iterations: data.steps.length, seconds: data.seconds };
    }
    throw new Error("the server broke off; is the laboratory still open?");
  }

  show(runs, all, first) {
    this.bar.value = runs.length / all;
    const found = runs.filter((run) => run.outcome.found);
    const failed = runs.length - found.length;
    this.status.textContent = `Seeds ${first} to ${first + runs.length - 1}: found ${plural(found.length, "time")}, not found ${plural(failed, "time")}.`;
    const rows = FIGURES.map(([name, of, written]) => {
      const values = found.map(of).filter((value) => value !== null);
      return values.length === 0 ? [name, "–", "–", "–"]
        : [name, median(values), Math.min(...values), Math.max(...values)].map((value, i) => (i === 0 ? value : written(Number(value))));
    });
    this.found.replaceChildren(table("Over all seeds that found it", ["where it was found", "median", "least", "most"], rows));
  }
}
