// Shows what is known after some feedback: the codes left, and the most informative guesses.

import { h } from "../dom.js";
import { discs, readCode } from "./codes.js";

const bits = (count) => Math.log2(Math.max(1, count)).toFixed(2);

/** Draws the black and white pegs of an answer. @param {number} black @param {number} white */
export const answerPegs = (black, white) =>
  h("span", { class: "pegs", role: "img", "aria-label": `${black} black, ${white} white` },
    black + white > 12 ? `${black} ● ${white} ○` : `${"●".repeat(black)}${"○".repeat(white)}` || "none");

export class Left {
  /** @param {(guess: string) => void} taken */
  constructor(taken) {
    this.taken = taken;
    this.count = h("p", { class: "status", id: "left", role: "status" });
    this.hints = h("div", { class: "hint-list" });
    this.list = h("div", { class: "candidates" });
    this.details = h("details", {}, h("summary", {}, "The codes that are left"), this.list);
    this.element = h("section", { class: "panel", "aria-label": "What is known" }, h("h2", {}, "What is known"), this.count, this.hints, this.details);
  }

  clear() {
    this.count.textContent = "";
    this.hints.replaceChildren();
    this.list.replaceChildren();
    this.details.hidden = true;
  }

  /** @param {any} advice @param {{ pegs: number, colours: number }} sizes @param {boolean} wanted whether hints were asked for */
  show(advice, { colours }, wanted) {
    this.details.hidden = !advice.left;
    if (advice.left === null) this.count.textContent = "There are too many codes to count those that are left.";
    else {
      const codes = advice.left === 0 ? "No code is left" : advice.left === 1 ? "1 code is left" : `${advice.left.toLocaleString("en")} codes are left`;
      this.count.textContent = advice.left > 1 ? `${codes}, ${bits(advice.left)} bits to find out.` : `${codes}.`;
      const more = advice.left - advice.candidates.length;
      this.list.replaceChildren(
        ...advice.candidates.map((code) => h("button", { type: "button", class: "quiet candidate", onclick: () => this.taken(code) }, code)),
        ...(more > 0 ? [h("span", { class: "quiet-text" }, `and ${more.toLocaleString("en")} more`)] : []));
    }
    if (!wanted) return this.hints.replaceChildren();
    if (!advice.hints) {
      const why = advice.left === 0 ? "No code is left to ask about." : "There are too many codes to judge every guess; a proposal is still to be had.";
      return this.hints.replaceChildren(h("p", { class: "quiet-text" }, why));
    }
    return this.hints.replaceChildren(h("div", { class: "wide" }, h("table", { class: "rows" },
      h("thead", {}, h("tr", {}, ["guess", "tells", "can be the code", ""].map((name) => h("th", { scope: "col" }, name)))),
      h("tbody", {}, advice.hints.map((hint) => h("tr", {},
        h("th", { scope: "row" }, discs(readCode(hint.guess, colours), hint.guess)),
        h("td", {}, `${hint.bits.toFixed(3)} bits`), h("td", {}, hint.possible ? "yes" : "no"),
        h("td", {}, h("button", { type: "button", "aria-label": `Take ${hint.guess}`, onclick: () => this.taken(hint.guess) }, "Take"))))))));
  }
}

/** Creates the inputs for the size of a Mastermind: pegs, colours, repeats. @param {URLSearchParams} query @param {() => void} changed */
export function sizeInputs(query, changed) {
  const size = (name, usual) => h("input", { type: "number", name, min: 1, max: 40, required: true, value: query.get(name) ?? usual, onchange: changed });
  return {
    pegs: size("pegs", 4),
    colours: size("colours", 6),
    repeats: h("input", { type: "checkbox", name: "repeats", checked: query.get("repeats") !== "no", onchange: changed }),
  };
}

/** Returns the values of the inputs. @param {ReturnType<typeof sizeInputs>} inputs */
export const sizesOf = ({ pegs, colours, repeats }) =>
  ({ pegs: Number(pegs.value), colours: Number(colours.value), repeats: repeats.checked });
