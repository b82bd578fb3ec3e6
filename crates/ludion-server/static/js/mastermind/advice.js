// Advice for a game that is played elsewhere: you enter guesses and feedback, the program proposes the
// next guess. Earlier feedback can be corrected; contradictory feedback is marked.

import { errorPlace, h } from "../dom.js";
import { field } from "../form.js";
import { Adviser } from "./ask.js";
import { discs, readCode } from "./codes.js";
import { CodeEntry } from "./entry.js";
import { Left, sizeInputs, sizesOf } from "./left.js";

const HINTS = 8;

export class Advice {
  /** @param {any} about @param {URLSearchParams} query @param {AbortSignal} signal */
  constructor(about, query, signal) {
    this.asked = (query.get("asked") ?? "").split(" ").filter(Boolean).map((text) => text.split("=")).filter((pair) => pair.length === 2)
      .map(([guess, answer]) => ({ guess, answer }));
    this.inputs = sizeInputs(query, () => this.begin());
    this.strategy = h("select", { id: "strategy", onchange: () => this.think(0) },
      h("option", { value: "auto" }, "auto: the best that answers in time"),
      about.strategies.map(({ name, help }) => h("option", { value: name }, `${name}: ${help}`)));
    this.error = errorPlace();
    this.conflict = errorPlace();
    this.conflict.id = "conflict";
    this.status = h("p", { class: "status", id: "advice-status", role: "status" });
    this.entry = new CodeEntry("what you ask", "asked-guess");
    const pegs = (id) => h("input", { type: "number", min: 0, max: 40, value: 0, required: true, id });
    this.black = pegs("black");
    this.white = pegs("white");
    this.left = new Left((guess) => this.take(guess));
    this.body = h("tbody");
    this.adviser = new Adviser(signal, (text) => { this.status.textContent = text; });
    this.build();
    this.sizes = sizesOf(this.inputs);
    this.entry.begin(this.sizes.pegs, this.sizes.colours);
    this.think(0);
  }

  build() {
    const setup = h("div", { class: "panel setup" }, h("h2", {}, "The riddle"),
      h("div", { class: "fields" }, field("pegs", this.inputs.pegs), field("colours", this.inputs.colours), field("a colour may come twice", this.inputs.repeats)),
      field("strategy", this.strategy),
      h("div", { class: "row" },
        h("button", { type: "button", onclick: () => this.begin() }, "Begin anew"),
        h("button", { type: "button", onclick: () => this.think(HINTS) }, "Hints")));
    const board = h("form", { class: "panel", novalidate: true, onsubmit: (event) => { event.preventDefault(); this.add(); } },
      this.status, this.conflict,
      h("div", { class: "wide" }, h("table", { class: "rows", id: "asked" },
        h("thead", {}, h("tr", {}, ["", "guess", "answer", "left", ""].map((name, i) => h("th", { scope: "col", class: i === 3 ? "num" : "" }, name)))), this.body)),
      h("h2", {}, "Next"), this.entry.element, this.error,
      h("div", { class: "row answer" }, field("black", this.black), field("white", this.white),
        h("button", { type: "submit", class: "main", id: "add-answer" }, "That was answered")));
    this.element = h("div", { class: "lab-grid" }, setup, h("div", { class: "side" }, board, this.left.element));
  }

  begin() {
    if (!this.inputs.pegs.reportValidity() || !this.inputs.colours.reportValidity()) return;
    this.sizes = sizesOf(this.inputs);
    this.asked = [];
    this.entry.begin(this.sizes.pegs, this.sizes.colours);
    this.think(0);
  }

  take(guess) {
    this.entry.set(readCode(guess, this.sizes.colours));
  }

  async add() {
    const guess = this.entry.value();
    if (!guess) return this.error.say("type a code, or fill the places with colours");
    this.asked.push({ guess, answer: `${this.black.value || 0}b${this.white.value || 0}w` });
    if (await this.think(0)) {
      this.black.value = 0;
      this.white.value = 0;
    } else this.asked.pop();
    return undefined;
  }

  async edit(number, answer) {
    const before = this.asked[number].answer;
    this.asked[number].answer = answer;
    if (!(await this.think(0))) {
      this.asked[number].answer = before;
      this.draw(null, []);
    }
  }

  /** Requests advice, and returns whether the feedback is consistent. */
  async think(hints) {
    this.error.say();
    this.status.textContent = "Thinking …";
    try {
      const question = { ...this.sizes, asked: this.asked, strategy: this.strategy.value, hints, seed: 1 };
      const advice = await this.adviser.ask(question);
      if (advice) this.show(advice, hints > 0);
      return true;
    } catch (error) {
      this.error.say(error);
      this.status.textContent = "That cannot be.";
      return false;
    }
  }

  show(advice, hinted) {
    this.left.show(advice, this.sizes, hinted);
    this.conflict.say(advice.sentence);
    this.draw(advice.asked, advice.conflict?.questions ?? []);
    if (advice.found) this.status.textContent = advice.found === 1 ? "Found with the first guess." : `Found in ${advice.found} guesses.`;
    else if (advice.conflict) this.status.textContent = "Correct an answer: the marked ones contradict each other.";
    else {
      const worth = advice.bits === null ? "" : `, which tells ${advice.bits.toFixed(2)} bits${advice.possible ? " and can be the code" : ""}`;
      this.status.textContent = `Ask ${advice.guess}${worth} (${advice.strategy}).`;
      this.take(advice.guess);
    }
  }

  draw(information, wrong) {
    this.body.replaceChildren(...this.asked.map(({ guess, answer }, i) => {
      const input = h("input", { type: "text", value: answer, size: 6, "aria-label": `answer to guess ${i + 1}`,
        "aria-invalid": wrong.includes(i + 1) ? "true" : null, onchange: () => this.edit(i, input.value) });
      return h("tr", { class: wrong.includes(i + 1) ? "wrong" : "" },
        h("th", { scope: "row" }, String(i + 1)),
        h("td", {}, discs(readCode(guess, this.sizes.colours), `guess ${i + 1}`)),
        h("td", {}, input),
        h("td", { class: "num" }, information?.[i]?.left?.toLocaleString("en") ?? ""),
        h("td", {}, h("button", { type: "button", class: "quiet", "aria-label": `remove guess ${i + 1}`,
          onclick: () => { this.asked.splice(i, 1); this.think(0); } }, "✕")));
    }));
  }
}
