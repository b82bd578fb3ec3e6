// The Metropolis-Hastings chain of the Mallows distribution: traces, autocorrelograms before and after
// thinning, their test, and the exact distribution.

import { stream } from "../api.js";
import { errorPlace, h } from "../dom.js";
import { field } from "../form.js";

/** @type {[string, string, { min: number, max: number, step?: string }][]} */
const FIELDS = [
  ["pegs", "pegs (n)", { min: 1, max: 40 }],
  ["colours", "colours (m)", { min: 1, max: 40 }],
  ["lambda", "lambda", { min: 0, max: 100, step: "any" }],
  ["burn_in", "burn-in a colour", { min: 0, max: 200000 }],
  ["thinning", "thinning", { min: 1, max: 200000 }],
  ["length", "steps that count", { min: 1, max: 100000 }],
  ["lags", "lags", { min: 1, max: 500 }],
  ["coordinates", "pegs to look at", { min: 1, max: 8 }],
];

const chance = (test) => (test ? (test.p < 1e-4 ? "< 0.0001" : test.p.toFixed(4)) : "–");

/** Parses an SVG from the server. @param {string} text */
function plot(text) {
  const svg = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  svg.removeAttribute("width");
  svg.removeAttribute("height");
  svg.classList.add("plot");
  return document.importNode(svg, true);
}

function table(head, rows, label) {
  return h("div", { class: "wide", tabindex: 0, role: "region", "aria-label": label }, h("table", {},
    h("thead", {}, h("tr", {}, head.map((name, i) => h("th", { scope: "col", class: i > 0 ? "num" : "" }, name)))),
    h("tbody", {}, rows.map((row) => h("tr", {}, row.map((cell, i) => h(i > 0 ? "td" : "th", i > 0 ? { class: "num" } : { scope: "row" }, cell)))))));
}

function memory(name, { values, autocorrelation, ljung_box, effective_size }) {
  const r = (lag) => autocorrelation[lag]?.toFixed(3) ?? "–";
  return [name, values.toLocaleString("en"), r(1), r(10), ljung_box ? ljung_box.statistic.toFixed(1) : "–", chance(ljung_box), effective_size ? effective_size.toFixed(0) : "–"];
}

export class Chain {
  /** @param {any} about @param {AbortSignal} signal */
  constructor(about, signal) {
    this.inputs = FIELDS.map(([name, , range]) => h("input", { type: "number", name, required: true, step: 1, value: about.look[name], ...range }));
    this.seed = h("input", { type: "number", min: 0, value: 1, required: true });
    this.error = errorPlace();
    this.status = h("p", { class: "status", role: "status", id: "chain-status" }, "Not looked at yet.");
    this.go = h("button", { type: "submit", class: "main", id: "look" }, "Look at the chain");
    this.seen = h("div", { class: "side" });
    signal.addEventListener("abort", () => this.abort?.abort());
    const form = h("form", { class: "panel setup", novalidate: true, onsubmit: (event) => { event.preventDefault(); this.look(); } },
      h("h2", {}, "Chain of the Mallows distribution"),
      h("p", { class: "quiet-text" }, "How the first pegs move, how long they remember, and whether distances to the centre follow the exact distribution."),
      h("div", { class: "fields" }, FIELDS.map(([, label], i) => field(label, this.inputs[i])), field("seed", this.seed)),
      h("div", { class: "row" }, this.go), this.error);
    this.element = h("div", { class: "lab-grid" }, form, h("div", { class: "side" }, h("div", { class: "panel" }, this.status), this.seen));
  }

  async look() {
    if (![...this.inputs, this.seed].every((input) => input.reportValidity())) return;
    this.error.say();
    this.go.disabled = true;
    this.status.textContent = "Stepping …";
    this.abort = new AbortController();
    const look = Object.fromEntries(FIELDS.map(([name], i) => [name, Number(this.inputs[i].value)]));
    try {
      const request = { look, seed: Number(this.seed.value) };
      for await (const { event, data } of stream("/api/mastermind/chain", request, this.abort.signal)) {
        if (event === "waiting") this.status.textContent = "Waiting for its turn …";
        if (event === "error") throw new Error(data.error);
        if (event === "seen") this.show(data, look);
      }
    } catch (error) {
      if (error.name === "AbortError") return;
      this.error.say(error);
      this.status.textContent = "Not looked at.";
    } finally {
      this.go.disabled = false;
    }
  }

  show(seen, look) {
    this.status.textContent = seen.note;
    const rows = seen.pegs.flatMap(({ all, thinned }, i) =>
      [memory(`peg ${i + 1}`, all), memory(`peg ${i + 1}, every ${look.thinning}`, thinned)]);
    const fit = seen.fit
      ? `chi-squared ${seen.fit.statistic.toFixed(1)} with ${seen.fit.freedom} degrees of freedom, p ${chance(seen.fit)}`
      : "too few codes to compare the distances with the exact distribution";
    const distances = seen.exact.map((p, d) => [String(d), p.toFixed(5), seen.shares[d].toFixed(5), String(seen.counts[d])]);
    this.seen.replaceChildren(
      h("section", { class: "panel" }, h("h2", {}, "Memory"),
        table(["series", "steps", "r(1)", "r(10)", "Ljung-Box Q", "p", "effective size"], rows, "Memory of the chain")),
      h("section", { class: "panel" }, h("h2", {}, "Pictures"), h("div", { class: "plots" }, seen.charts.map(plot))),
      h("section", { class: "panel" }, h("h2", {}, "Distance to the centre"), h("p", {}, `Compared with the exact distribution: ${fit}.`),
        table(["pegs that differ", "exact", "chain", "codes"], distances, "Distances")));
  }
}
