// The choice of problem, seed and phrases of power that all parts of the page share.

import { post } from "../api.js";
import { errorPlace, h } from "../dom.js";
import { field } from "../form.js";
import { Recording } from "./recording.js";

const OWN_PROBLEM = "own";

export class ProblemSelection {
  /** @param {any} about @param {import("./stage.js").Stage} stage @param {() => void} changed called when another problem is chosen */
  constructor(about, stage, changed) {
    this.about = about;
    this.stage = stage;
    this.changed = changed;
    /** Ends a game that a person plays. @type {(() => void) | undefined} */
    this.leave = undefined;
    /** Whether a person plays. */
    this.isPlayed = () => false;
    this.select = h("select", { id: "problem", onchange: () => this.pick() },
      about.problems.map(({ name, width, height }) => h("option", { value: name }, `${name} (${width}×${height})`)),
      h("option", { value: OWN_PROBLEM, disabled: true }, "one of your own"));
    this.help = h("small", { class: "quiet-text" });
    this.seeds = h("select", { id: "seed", onchange: () => this.reseed() });
    this.error = errorPlace();
    this.own = h("textarea", { id: "own-problem", rows: 4, spellcheck: "false", placeholder: "{\"id\": 0, \"width\": 5, \"height\": 10, \"units\": […], …}" });
    this.file = h("input", { type: "file", accept: ".json,application/json", onchange: () => this.open() });
    this.words = h("textarea", { id: "words", rows: 6, spellcheck: "false" }, about.phrases.join("\n"));
    this.element = h("section", { class: "panel setup", "aria-label": "Problem" }, h("h2", {}, "Problem"),
      h("div", { class: "fields" }, field("problem", this.select), field("seed", this.seeds, "it orders the units")),
      this.help, this.error,
      h("details", {}, h("summary", {}, "A problem of your own"),
        field("in the contest's JSON", this.own), field("or open a file", this.file),
        h("div", { class: "row" }, h("button", { type: "button", id: "use-own", onclick: () => this.take() }, "Use it"))),
      h("details", {}, h("summary", {}, "Phrases of power"), field("one a line", this.words, "nothing: moves alone score")));
  }

  /** Returns the phrases of power, one of each line. */
  phrases() {
    return this.words.value.split("\n").filter((line) => line.length > 0);
  }

  get seed() {
    return Number(this.seeds.value);
  }

  async pick() {
    this.error.say();
    try {
      await this.choose(this.select.value);
    } catch (error) {
      this.error.say(error);
    }
  }

  /** Loads a problem by its name or from the contest's JSON, and shows it. @param {any} which */
  async choose(which) {
    const problem = await post("/api/hextris/problem", { problem: which });
    const known = this.about.problems.find(({ name }) => name === which);
    this.which = which;
    this.problem = problem;
    this.select.value = known ? which : OWN_PROBLEM;
    this.help.textContent = `${known?.help ?? "a problem of your own"}; number ${problem.id}, ${problem.source_length} units of ${problem.units} kinds`;
    this.seeds.replaceChildren(...[...new Set(problem.seeds)].map((seed) => h("option", { value: seed }, String(seed))));
    this.stage.begin(problem);
    this.changed();
    await this.replay(this.seed, "", known ? known.name : `problem ${problem.id}`, 0);
  }

  async reseed() {
    await this.replay(this.seed, "", `seed ${this.seed}`, 0);
  }

  async open() {
    const [file] = this.file.files;
    if (!file) return;
    this.own.value = await file.text();
    this.take();
  }

  async take() {
    this.error.say();
    if (!this.own.value.trim()) return this.error.say("paste a problem first");
    try {
      await this.choose(this.own.value.trim());
    } catch (error) {
      this.error.say(error);
    }
    return undefined;
  }

  /** Has the server replay a solution and shows it on the stage from moment `at`. */
  async replay(seed, solution, title, at) {
    const turn = (this.turn = (this.turn ?? 0) + 1);
    const replayed = await post("/api/hextris/replay", { problem: this.which, seed, solution, phrases: this.phrases() });
    // Only the answer to the latest request is shown.
    if (turn !== this.turn) return;
    this.leave?.();
    this.seeds.value = seed;
    this.stage.timeline.pause();
    this.stage.play(new Recording(this.problem, solution, replayed), title, at);
    if (solution !== "" && at === 0) this.stage.timeline.play();
  }
}
