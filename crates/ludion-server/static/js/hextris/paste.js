// Scores solutions that the user pastes or opens, and shows the exact place of an error.

import { post } from "../api.js";
import { errorPlace, h } from "../dom.js";
import { field } from "../form.js";
import { plural } from "../runs/words.js";

/** Returns the characters around an error, with the wrong one marked. */
function place(solution, { at }) {
  const shown = (text) => text.replace(/\s/g, (space) => (space === " " ? "␣" : "·"));
  return h("code", { class: "around" }, at > 16 ? "…" : "", shown(solution.slice(Math.max(0, at - 16), at)),
    h("mark", {}, shown([...solution.slice(at)][0] ?? "")), shown(solution.slice(at + 1, at + 12)), at + 12 < solution.length ? "…" : "");
}

/** Whether a solution cannot be replayed, because the problem does not have its seed. */
const isUnknown = ({ verdict }) => verdict.status === "unknown seed";

export class Paste {
  /** @param {import("./selection.js").ProblemSelection} selection */
  constructor(selection) {
    this.selection = selection;
    this.text = h("textarea", { id: "solutions", rows: 5, spellcheck: "false", placeholder: "commands such as “ei! aal”, or [{\"problemId\": …, \"seed\": …, \"solution\": …}]" });
    this.file = h("input", { type: "file", accept: ".json,.txt,application/json,text/plain", onchange: () => this.open() });
    this.error = errorPlace();
    this.found = h("div", { id: "scored", "aria-live": "polite" });
    this.element = h("form", { novalidate: true, onsubmit: (event) => { event.preventDefault(); this.score(); } },
      field("a solution, or a list as the contest wrote it", this.text, "commands alone are played with the seed that is chosen"),
      field("or open a file", this.file),
      h("div", { class: "row" }, h("button", { type: "submit", class: "main", id: "score" }, "Score")), this.error, this.found);
  }

  async open() {
    const [file] = this.file.files;
    if (!file) return;
    this.text.value = await file.text();
    this.score();
  }

  async score() {
    this.found.replaceChildren();
    this.error.say();
    const solutions = this.text.value.replace(/\n+$/, "");
    if (!solutions.trim()) return this.error.say("paste a solution first");
    const { which } = this.selection;
    try {
      const scored = await post("/api/hextris/score", { problem: which, seed: this.selection.seed, solutions, phrases: this.selection.phrases() });
      scored.forEach((one) => { one.which = one.problem ?? which; });
      this.found.replaceChildren(...scored.map((one) => this.row(one)));
      if (scored.length === 1 && !isUnknown(scored[0])) await this.show(scored[0]);
    } catch (error) {
      this.error.say(error);
    }
    return undefined;
  }

  row(one) {
    const { verdict, complaint, solution, seed } = one;
    const name = `${one.problem ?? `problem ${one.problemId}`}, seed ${seed}${one.tag ? `, ${one.tag}` : ""}`;
    const worth = `${plural(verdict.score, "point")} (moves ${verdict.move_score}, power ${verdict.power_score}), ${verdict.status}, ${plural(verdict.locked, "unit")} locked, ${plural(verdict.lines, "line")}`;
    return h("article", { class: "scored" },
      h("h3", {}, name),
      h("p", { class: complaint ? "loss" : "" }, complaint ? `0 points: ${complaint}` : worth),
      verdict.error ? place(solution, verdict.error) : null,
      verdict.phrases.length > 0 ? h("p", { class: "quiet-text" }, verdict.phrases.map(({ phrase, count, power }) => `“${phrase}” ×${count} = ${power}`).join(", ")) : null,
      isUnknown(one) ? null : h("button", { type: "button", onclick: () => this.show(one) }, "Replay"));
  }

  /** Shows a solution: from the start, or at its error. */
  async show(one) {
    try {
      if (one.which !== this.selection.which) await this.selection.choose(one.which);
      const at = one.verdict.error ? Infinity : 0;
      await this.selection.replay(one.seed, one.solution, `solution, seed ${one.seed}`, at);
    } catch (error) {
      this.error.say(error);
    }
  }
}
