// The tables of the study: the same experiment for many sizes, n pegs by m colours, many times each. A
// table is a run of the store.

import { get, post } from "../api.js";
import { errorPlace, h } from "../dom.js";
import { field } from "../form.js";
import { RunWatch } from "../learning/watch.js";
import { addressOf, moment, percent } from "../runs/words.js";

/** Reads numbers such as `4, 6, 8` or `3..6`. @param {string} text @param {string} what */
export function sizes(text, what) {
  const found = text.split(",").flatMap((part) => {
    const range = part.trim().match(/^(\d+)\s*\.\.\s*(\d+)$/);
    if (range) return Array.from({ length: Math.max(0, Number(range[2]) - Number(range[1]) + 1) }, (_, i) => Number(range[1]) + i);
    return part.trim() === "" ? [] : [Number(part)];
  });
  if (found.length === 0 || found.some((size) => !Number.isInteger(size) || size < 1)) throw new Error(`the ${what} ${text} do not read; allowed are numbers and ranges, such as 4, 6, 8..10`);
  return [...new Set(found)];
}

/** What a cell of the table can show: its name, the text of a cell, and its interval. @type {[string, string, (cell: any) => string, (cell: any) => string][]} */
const SHOWN = [
  ["iterations", "median of the iterations", (cell) => (cell.iterations ? `${cell.iterations.median}` : "–"), (cell) => (cell.iterations ? `${cell.iterations.low} to ${cell.iterations.high}` : "")],
  ["wrong", "share that did not find the secret", (cell) => percent(cell.wrong_share.value), (cell) => `${percent(cell.wrong_share.low)} to ${percent(cell.wrong_share.high)}`],
  ["answers", "mean answers of the secret", (cell) => Math.round(cell.answers).toLocaleString("en"), () => ""],
  ["seconds", "mean milliseconds", (cell) => (1000 * cell.mean_seconds).toFixed(1), () => ""],
];

/** Creates the table of a report. @param {any[]} cells @param {string} which */
function grid(cells, which) {
  const [, , text, interval] = SHOWN.find(([name]) => name === which);
  const [pegs, colours] = ["pegs", "colours"].map((name) => [...new Set(cells.map((cell) => cell[name]))].sort((a, b) => a - b));
  const cellOf = (n, m) => cells.find((cell) => cell.pegs === n && cell.colours === m);
  return h("div", { class: "wide", tabindex: 0, role: "region", "aria-label": "Table by pegs and colours" },
    h("table", { class: "sizes", id: "sizes" },
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "pegs \\ colours"), colours.map((m) => h("th", { scope: "col", class: "num" }, String(m))))),
      h("tbody", {}, pegs.map((n) => h("tr", {}, h("th", { scope: "row" }, String(n)), colours.map((m) => {
        const cell = cellOf(n, m);
        return h("td", { class: "num" }, cell ? [text(cell), h("small", { class: "who" }, interval(cell))] : "");
      }))))));
}

export class Tables {
  /** @param {any} about @param {AbortSignal} signal */
  constructor(about, signal) {
    this.about = about;
    this.signal = signal;
    this.error = errorPlace();
    this.watch = new RunWatch(signal);
    this.law = h("select", { id: "table-law" }, about.laws.map(({ name }, i) => h("option", { value: i }, name)));
    this.pegs = h("input", { id: "table-pegs", type: "text", value: "3, 4, 6", spellcheck: "false" });
    this.colours = h("input", { id: "table-colours", type: "text", value: "6, 8, 10", spellcheck: "false" });
    this.runs = h("input", { id: "table-runs", type: "number", min: 1, max: 10000, value: 20, required: true });
    this.seed = h("input", { id: "table-seed", type: "number", min: 0, value: 1, required: true });
    this.shown = h("select", { id: "table-shown", onchange: () => this.draw() }, SHOWN.map(([value, text]) => h("option", { value }, text)));
    this.begin = h("button", { type: "submit", class: "main", id: "run-table" }, "Run the table");
    this.result = h("section", { class: "panel", hidden: true, "aria-label": "Table" });
    this.earlier = h("ul", { class: "earlier" });
    this.element = this.layout();
    this.list().catch(() => {});
  }

  layout() {
    const form = h("form", { class: "panel setup", novalidate: true, onsubmit: (event) => this.submit(event) },
      h("h2", {}, "Table of sizes"),
      h("p", { class: "quiet-text" }, "The experiment for every number of pegs and colours, each with many secrets: how long it takes, and how often it fails."),
      field("law", this.law),
      h("div", { class: "fields" }, field("pegs (n)", this.pegs, "such as 3, 4 or 3..6"), field("colours (m)", this.colours), field("experiments in a cell", this.runs), field("seed", this.seed)),
      h("div", { class: "row" }, this.begin), this.error);
    return h("div", { class: "lab-grid" }, form, h("div", { class: "side" }, this.watch.element, this.result,
      h("section", { class: "panel", "aria-label": "Tables of the store" }, h("h2", {}, "Tables of the store"), this.earlier)));
  }

  async submit(event) {
    event.preventDefault();
    this.error.say();
    this.begin.disabled = true;
    try {
      const { settings } = this.about.laws[Number(this.law.value)];
      const request = { kind: "mastermind table", settings, pegs: sizes(this.pegs.value, "pegs"), colours: sizes(this.colours.value, "colours"), runs: Number(this.runs.value), seed: Number(this.seed.value) };
      const { run } = await post("/api/runs", request, this.signal);
      await this.watch.follow(run);
      this.watch.element.hidden = true;
      await this.show(run);
    } catch (error) {
      if (!this.signal.aborted) this.error.say(error);
    }
    this.begin.disabled = false;
    await this.list().catch(() => {});
  }

  /** Shows the table of a run. @param {number} run */
  async show(run) {
    this.run = await get(`/api/runs/${run}`, this.signal);
    this.draw();
  }

  draw() {
    const cells = this.run?.figures?.cells;
    this.result.hidden = !cells;
    if (!cells) return;
    this.result.replaceChildren(h("h2", {}, `Run ${this.run.id}: ${this.run.what}`), field("each cell shows", this.shown), grid(cells, this.shown.value),
      h("p", { class: "quiet-text" }, this.run.result ?? "", " ", h("a", { href: addressOf(this.run.id) }, "Its report, to print"), " · ",
        h("a", { href: `/api/runs/${this.run.id}/export.csv`, download: "" }, "CSV")));
  }

  async list() {
    const { runs } = await get("/api/runs", this.signal);
    const tables = runs.filter((run) => run.kind === "mastermind table");
    this.earlier.replaceChildren(...(tables.length === 0 ? [h("li", { class: "quiet-text" }, "none yet")] : tables.slice(0, 12).map((run) => h("li", {},
      h("button", { type: "button", class: "small", "aria-label": `Show the table of run ${run.id}`, onclick: () => this.show(run.id).catch((error) => this.error.say(error)) }, `run ${run.id}`),
      " ", run.what, " ", h("span", { class: "quiet-text" }, moment(run.began))))));
  }
}
