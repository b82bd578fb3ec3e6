// The game: you guess a code drawn from the seed. Rows show feedback, expected information and the
// codes left; hints and proposals on request.

import { post } from "../api.js";
import { errorPlace, h } from "../dom.js";
import { field } from "../form.js";
import { Adviser } from "./ask.js";
import { discs, readCode } from "./codes.js";
import { CodeEntry } from "./entry.js";
import { Left, answerPegs, sizeInputs, sizesOf } from "./left.js";

const HINTS = 8;

/** Returns the number of codes of a size. */
const allCodes = ({ pegs, colours, repeats }) =>
  Array.from({ length: pegs }, (_, i) => (repeats ? colours : colours - i)).reduce((all, one) => all * one, 1);

export class Game {
  /** @param {any} about @param {URLSearchParams} query @param {AbortSignal} signal */
  constructor(about, query, signal) {
    this.inputs = sizeInputs(query, () => {});
    this.strategy = h("select", {}, ["auto", ...about.strategies.map(({ name }) => name)].map((name) => h("option", {}, name)));
    this.error = errorPlace();
    this.status = h("p", { class: "status", id: "game-status", role: "status" });
    this.entry = new CodeEntry("your guess", "guess");
    this.left = new Left((guess) => this.take(guess));
    this.body = h("tbody");
    this.adviser = new Adviser(signal, (text) => { this.left.count.textContent = text; });
    this.buttons = {
      guess: h("button", { type: "submit", class: "main", id: "make-guess" }, "Guess"),
      hint: h("button", { type: "button", id: "hints", onclick: () => this.know(HINTS, "") }, "Hints"),
      propose: h("button", { type: "button", id: "propose", onclick: () => this.propose() }, "Propose a guess"),
      undo: h("button", { type: "button", onclick: () => this.undo() }, "Take back"),
      give: h("button", { type: "button", onclick: () => this.update(true) }, "Give up"),
    };
    this.build();
    this.begin();
  }

  build() {
    const fresh = h("form", { class: "panel setup", novalidate: true, onsubmit: (event) => { event.preventDefault(); this.begin(); } },
      h("h2", {}, "The hidden code"),
      h("div", { class: "fields" }, field("pegs", this.inputs.pegs), field("colours", this.inputs.colours), field("a colour may come twice", this.inputs.repeats)),
      h("div", { class: "row" }, h("button", { type: "submit", id: "new-code" }, "New code")));
    const { guess, hint, propose, undo, give } = this.buttons;
    const board = h("form", { class: "panel", novalidate: true, onsubmit: (event) => { event.preventDefault(); this.guess(); } },
      this.status,
      h("div", { class: "wide" }, h("table", { class: "rows", id: "rows" },
        h("thead", {}, h("tr", {}, ["", "guess", "answer", "left", "expected", "told"].map((name, i) => h("th", { scope: "col", class: i > 2 ? "num" : "" }, name)))), this.body)),
      this.entry.element, this.error,
      h("div", { class: "row" }, guess, hint, propose, field("by", this.strategy), undo, give));
    this.element = h("div", { class: "lab-grid" }, fresh, h("div", { class: "side" }, board, this.left.element));
  }

  /** Starts a game with another secret code. */
  begin() {
    if (!this.inputs.pegs.reportValidity() || !this.inputs.colours.reportValidity()) return;
    this.sizes = sizesOf(this.inputs);
    this.seed = Math.floor(Math.random() * 2 ** 48);
    this.guesses = [];
    this.entry.begin(this.sizes.pegs, this.sizes.colours);
    this.left.clear();
    this.update(false);
  }

  take(guess) {
    this.entry.set(readCode(guess, this.sizes.colours));
    this.buttons.guess.focus();
  }

  async guess() {
    const text = this.entry.value();
    if (!text) return this.error.say("type a code, or fill the places with colours");
    this.guesses.push(text);
    if (await this.update(false)) this.entry.set([]);
    else this.guesses.pop();
    return undefined;
  }

  undo() {
    this.guesses.pop();
    this.update(false);
  }

  /** Requests the feedback of all guesses, and returns whether it succeeded. */
  async update(giveUp) {
    this.error.say();
    try {
      const body = { ...this.sizes, seed: this.seed, guesses: this.guesses, give_up: giveUp };
      this.answers = await post("/api/mastermind/answer", body);
    } catch (error) {
      this.error.say(error);
      return false;
    }
    const { asked, solved, secret } = this.answers;
    this.guesses = asked.map(({ guess }) => guess);
    const over = solved || giveUp;
    const count = asked.length === 1 ? "1 guess" : `${asked.length} guesses`;
    this.status.textContent = solved ? `Found in ${count}.` : giveUp ? `It was ${secret}.` : asked.length === 0 ? "A code is hidden; guess it." : `${count} so far.`;
    for (const name of ["guess", "hint", "propose", "give"]) this.buttons[name].disabled = over;
    this.buttons.undo.disabled = solved || asked.length === 0;
    this.draw(null);
    this.know(0, "");
    return true;
  }

  question(hints, strategy) {
    const asked = this.answers.asked.map(({ guess, black, white }) => ({ guess, answer: `${black}b${white}w` }));
    return { ...this.sizes, asked, strategy, hints, seed: this.seed };
  }

  /** Requests the number of codes left and this many hints. */
  async know(hints, strategy) {
    try {
      if (hints > 0 || strategy) this.left.count.textContent = "Thinking …";
      const advice = await this.adviser.ask(this.question(hints, strategy));
      if (!advice) return null;
      this.left.show(advice, this.sizes, hints > 0);
      this.draw(advice.asked);
      return advice;
    } catch (error) {
      this.error.say(error);
      this.left.clear();
      return null;
    }
  }

  async propose() {
    this.error.say();
    const advice = await this.know(0, this.strategy.value);
    if (advice?.guess) this.take(advice.guess);
  }

  draw(information) {
    const gained = (i) => {
      const from = i === 0 ? allCodes(this.sizes) : information[i - 1].left;
      return from && information[i].left ? `${Math.log2(from / information[i].left).toFixed(2)} bits` : "";
    };
    this.body.replaceChildren(...this.answers.asked.map(({ guess, black, white }, i) => h("tr", {},
      h("th", { scope: "row" }, String(i + 1)),
      h("td", {}, discs(readCode(guess, this.sizes.colours), `guess ${i + 1}`)),
      h("td", {}, answerPegs(black, white), h("small", { class: "quiet-text" }, ` ${black}b${white}w`)),
      h("td", { class: "num" }, information?.[i].left?.toLocaleString("en") ?? ""),
      h("td", { class: "num" }, information?.[i].bits === null || !information ? "" : `${information[i].bits.toFixed(2)} bits`),
      h("td", { class: "num" }, information ? gained(i) : ""))));
  }
}
