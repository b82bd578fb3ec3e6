// Runs the solver: shows its progress, the best solution so far on the stage, and the scores; solved
// games can be replayed.

import { stream } from "../api.js";
import { copyText, errorPlace, h } from "../dom.js";
import { field } from "../form.js";
import { plural } from "../runs/words.js";

export class Solve {
  /** @param {import("./selection.js").ProblemSelection} selection @param {AbortSignal} signal */
  constructor(selection, signal) {
    this.selection = selection;
    this.seconds = h("input", { type: "number", id: "seconds", min: 0.1, max: 120, step: "any", value: 5, required: true });
    this.solver = h("select", {}, h("option", { value: "beam" }, "beam: placements, then spelling"), h("option", { value: "baseline" }, "baseline: one unit at a time"));
    this.error = errorPlace();
    this.status = h("p", { class: "status", id: "solve-status", role: "status" });
    this.meter = h("progress", { max: 1, value: 0, "aria-label": "Time used" });
    this.go = h("button", { type: "submit", class: "main", id: "solve" }, "Solve");
    this.stop = h("button", { type: "button", id: "stop-solver", disabled: true, onclick: () => this.abort?.abort() }, "Stop");
    this.copy = h("button", { type: "button", disabled: true, onclick: () => copyText(this.json()).catch((error) => this.error.say(error)) }, "Copy solutions");
    this.body = h("tbody");
    signal.addEventListener("abort", () => this.abort?.abort());
    this.element = h("form", { novalidate: true, onsubmit: (event) => { event.preventDefault(); this.run(); } },
      h("div", { class: "fields" }, field("seconds, all games together", this.seconds), field("solver", this.solver)),
      h("div", { class: "row" }, this.go, this.stop, this.copy), this.error, this.status, this.meter,
      h("div", { class: "scroll short", tabindex: 0, role: "region", "aria-label": "Games" }, h("table", { id: "solved" },
        h("thead", {}, h("tr", {}, ["seed", "stage", "score", "moves", "power", ""].map((name) => h("th", { scope: "col" }, name)))), this.body)));
  }

  /** Stops the solver and clears the results, for another problem or another start. */
  begin() {
    this.abort?.abort();
    this.abort = null;
    this.go.disabled = false;
    this.stop.disabled = true;
    this.solved = new Map();
    /** The best solution so far of the game that is being solved. */
    this.best = null;
    this.status.textContent = "";
    this.meter.value = 0;
    this.copy.disabled = true;
    this.error.say();
    this.rows = new Map();
    this.body.replaceChildren(...[...new Set(this.selection.problem.seeds)].map((seed) => {
      const row = h("tr", {}, h("th", { scope: "row" }, String(seed)), ["", "", "", "", ""].map((text) => h("td", {}, text)));
      this.rows.set(seed, row);
      return row;
    }));
  }

  async run() {
    if (!this.seconds.reportValidity()) return;
    this.begin();
    const abort = (this.abort = new AbortController());
    const seconds = Number(this.seconds.value);
    this.go.disabled = true;
    this.stop.disabled = false;
    this.status.textContent = "Beginning …";
    const request = { problem: this.selection.which, seconds, phrases: this.selection.phrases(), solver: this.solver.value, seed: 1 };
    try {
      for await (const { event, data } of stream("/api/hextris/solve", request, abort.signal)) this.hear(event, data, seconds);
    } catch (error) {
      if (this.abort !== abort) return;
      if (error.name === "AbortError") this.stopped();
      else {
        this.error.say(error);
        this.status.textContent = "";
      }
    } finally {
      if (this.abort === abort) {
        this.go.disabled = false;
        this.stop.disabled = true;
      }
    }
  }

  hear(event, data, seconds) {
    if (event === "waiting") this.status.textContent = "Waiting for its turn …";
    if (event === "error") throw new Error(data.error);
    if (event === "progress") {
      this.meter.value = Math.min(1, data.seconds / seconds);
      this.status.textContent = `Game ${data.done + 1} of ${data.games}, ${data.seconds.toFixed(1)} s`;
      const stage = data.stage === "first" ? "first answer" : "improving";
      if (!this.solved.has(data.seed)) this.fill(data.seed, [stage, data.score.toLocaleString("en"), "", ""]);
    }
    if (event === "better") {
      this.best = data;
      if (!this.selection.isPlayed()) this.look(data, Infinity);
    }
    if (event === "solved") {
      this.best = null;
      this.take(data);
      // The solved game is shown while the next one is being solved.
      if (data && !this.selection.isPlayed()) this.look(data, Infinity);
    }
    if (event === "done") {
      data.solved.forEach((game) => this.take(game));
      this.meter.value = 1;
      this.status.textContent = `Done in ${data.seconds.toFixed(1)} s; the problem's score is ${data.mean.toLocaleString("en")}.`;
      this.showBest();
    }
  }

  /** Shows the results after a stop: solved games and the best solution so far of the current one. */
  stopped() {
    this.take(this.best);
    this.status.textContent = `Stopped; ${this.solved.size} of ${plural(this.rows.size, "game")} are solved.`;
    for (const [seed] of [...this.rows].filter(([seed]) => !this.solved.has(seed))) this.fill(seed, ["not solved", "", "", ""]);
    this.showBest();
  }

  /** Replays the solved game with the highest score. */
  showBest() {
    if (this.solved.size === 0 || this.selection.isPlayed()) return;
    this.look([...this.solved.values()].reduce((a, b) => (b.verdict.score > a.verdict.score ? b : a)), 0);
  }

  /** Replays a game on the stage from moment `at`, unless a newer request replaces it. */
  look(game, at) {
    return this.selection.replay(game.seed, game.commands, `solver, seed ${game.seed}`, at).catch((error) => this.error.say(error));
  }

  take(game) {
    if (!game || this.solved.has(game.seed)) return;
    this.solved.set(game.seed, game);
    this.copy.disabled = false;
    const { verdict } = game;
    const again = h("button", { type: "button", onclick: () => this.look(game, 0) }, "Replay");
    this.fill(game.seed, [verdict.status, ...[verdict.score, verdict.move_score, verdict.power_score].map((n) => n.toLocaleString("en")), again]);
  }

  fill(seed, cells) {
    const row = this.rows.get(seed);
    cells.forEach((cell, i) => row.children[i + 1].replaceChildren(cell));
  }

  /** Returns the solutions as a list in the contest's JSON. */
  json() {
    return JSON.stringify([...this.solved.values()].map(({ seed, commands }) =>
      ({ problemId: this.selection.problem.id, seed, tag: "ludion", solution: commands })));
  }
}
