// An input for a code: colours are chosen from a palette for the places of a row, or typed.

import { h } from "../dom.js";
import { field } from "../form.js";
import { disc, readCode, showCode } from "./codes.js";

export class CodeEntry {
  /** @param {string} label @param {string} id @param {() => void} [changed] */
  constructor(label, id, changed) {
    this.changed = changed;
    this.row = h("div", { class: "slots", role: "group", "aria-label": `${label}: places` });
    this.palette = h("div", { class: "palette", role: "group", "aria-label": `${label}: colours` });
    this.text = h("input", { type: "text", id, spellcheck: "false", autocomplete: "off", oninput: () => this.typed() });
    this.element = h("div", { class: "entry" }, this.row, this.palette, field(label, this.text));
    this.begin(4, 6);
  }

  begin(pegs, colours) {
    this.pegs = pegs;
    this.colours = colours;
    this.palette.replaceChildren(...Array.from({ length: colours }, (_, colour) =>
      h("button", { type: "button", class: "peg-button", "aria-label": `colour ${colour + 1}`, onclick: () => this.put(colour) }, disc(colour))));
    this.set([]);
  }

  /** Shows a code; `null` is an empty place. @param {(number | null)[]} code */
  set(code) {
    this.code = Array.from({ length: this.pegs }, (_, i) => code[i] ?? null);
    this.text.value = this.complete() ? showCode(this.code, this.colours) : "";
    this.chosen = this.free(0);
    this.draw();
  }

  complete() {
    return this.code.every((colour) => colour !== null);
  }

  /** Returns the first empty place from `from` on, else the first empty one, else 0. */
  free(from) {
    const next = this.code.findIndex((colour, i) => i >= from && colour === null);
    return next >= 0 ? next : Math.max(0, this.code.indexOf(null));
  }

  put(colour) {
    this.code[this.chosen] = colour;
    const full = this.complete();
    this.chosen = full ? Math.min(this.pegs - 1, this.chosen + 1) : this.free(this.chosen);
    this.text.value = full ? showCode(this.code, this.colours) : "";
    this.draw();
  }

  typed() {
    const code = readCode(this.text.value, this.colours);
    this.code = Array.from({ length: this.pegs }, (_, i) => code[i] ?? null);
    this.chosen = this.free(0);
    this.draw();
  }

  draw() {
    this.row.replaceChildren(...this.code.map((colour, i) => h("button", {
      type: "button", class: "peg-button slot", "aria-pressed": String(i === this.chosen),
      "aria-label": `place ${i + 1}: ${colour === null ? "empty" : `colour ${colour + 1}`}`,
      onclick: () => { this.chosen = i; this.draw(); },
    }, disc(colour))));
    this.changed?.();
  }

  /** Returns the code as text: as it was typed, if it was, so that an error message quotes that text. */
  value() {
    return this.text.value.trim() || showCode(this.code.filter((colour) => colour !== null), this.colours);
  }
}
