// The evaluation bar: how far the first side is ahead. Puzzles have none.

import { h } from "../dom.js";
import { signed } from "../runs/words.js";

/** The evaluation bar, upright beside a board or lying above it. */
export class EvaluationBar {
  constructor() {
    this.fill = h("div", { class: "fill" });
    this.text = h("span", { class: "text" });
    this.short = h("span", { class: "eval-short", "aria-hidden": "true" });
    this.element = h("div", { id: "evaluation", class: "evaluation", role: "meter", "aria-label": "Evaluation for the first side", "aria-valuemin": -1, "aria-valuemax": 1 },
      this.fill, this.text, this.short);
    this.show(null, ["First", "Second"]);
  }

  /** @param {import("./evaluations.js").PositionValue | null} entry @param {string[]} sides */
  show(entry, sides) {
    if (entry === null) return this.set(0, "no evaluation yet", "");
    if (!entry.proven) return this.set(entry.value, signed(entry.value, 2), signed(entry.value, 1));
    const { verdict, plies } = entry.proven;
    const winner = verdict === "win" ? sides[0] : sides[1];
    const who = verdict === "draw" ? "draw" : `${winner} wins`;
    const short = entry.turn === null ? { win: "1–0", loss: "0–1", draw: "½" }[verdict] : verdict === "draw" ? "=" : plies === null ? "win" : `#${plies}`;
    return this.set(entry.value, plies && verdict !== "draw" ? `${who} in ${plies}` : who, short);
  }

  set(first, text, short) {
    this.element.style.setProperty("--first-share", `${(50 * (first + 1)).toFixed(1)}%`);
    this.element.classList.toggle("unknown", short === "");
    this.text.textContent = text;
    this.short.textContent = short;
    this.element.setAttribute("aria-valuenow", first.toFixed(2));
    this.element.setAttribute("aria-valuetext", text);
  }
}
