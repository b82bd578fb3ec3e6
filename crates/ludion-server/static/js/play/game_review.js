// "Analyse this game": one player values every position of the shown line, with progress.

import { stream } from "../api.js";
import { errorPlace, h } from "../dom.js";
import { plural } from "../runs/words.js";
import { LOSSES, withExpectedScores } from "./evaluations.js";

/** A button that has all positions of a game analysed. */
export class GameReview {
  /**
   * @param {{ record: () => import("./record.js").Record, evaluations: () => import("./evaluations.js").Evaluations, analyst: (position: any) => { spec: string, budget: string }, changed: () => void, began: () => void }} options
   */
  constructor(options) {
    this.options = options;
    this.button = h("button", { type: "button", id: "review", class: "small", onclick: () => (this.abort ? this.stop() : this.run()) }, "Analyse this game");
    this.progress = h("progress", { id: "review-progress", max: 1, value: 0, hidden: true, "aria-label": "Analysed positions" });
    this.result = h("p", { id: "review-result", class: "review-result", role: "status" });
    this.error = errorPlace();
    this.element = h("div", { class: "review" }, this.progress, this.result, this.error);
  }

  stop() {
    this.abort?.abort();
    this.abort = null;
    this.button.textContent = "Analyse this game";
    this.progress.hidden = true;
  }

  /** Analyses the positions of the shown line one after the other. */
  async run() {
    this.options.began();
    this.stop();
    const abort = new AbortController();
    this.abort = abort;
    this.error.say();
    this.button.textContent = "Stop";
    this.progress.hidden = false;
    const record = this.options.record();
    const count = record.moves.length;
    try {
      for (let at = 0; at <= count && this.abort === abort; at++) {
        this.progress.value = at / (count + 1);
        this.result.textContent = `position ${at + 1} of ${count + 1}`;
        await this.analyse(record, at, abort.signal);
        this.options.changed();
      }
      if (this.abort === abort) this.finish(record);
    } catch (error) {
      if (error.name !== "AbortError") this.error.say(error);
      if (this.abort === abort) this.stop();
    }
  }

  async analyse(record, at, signal) {
    const evaluations = this.options.evaluations();
    const [key, position] = [record.keyOf(at), await record.positionAfter(at)];
    if (position.outcome) return evaluations.keepEnd(key, position.outcome);
    const { spec, budget } = this.options.analyst(position);
    const question = { ...record.placeAfter(at), player: spec, all: true, ...(budget ? { budget } : {}) };
    for await (const { event, data } of stream("/api/choose", question, signal)) {
      if (event === "error") throw new Error(data.error);
      if (event === "choice") evaluations.keep(key, withExpectedScores(data, spec, evaluations.puzzle ? 0 : position.advantage), position.turn, { done: true, direct: true });
    }
    return undefined;
  }

  /** Counts what the sides have lost. */
  async finish(record) {
    this.stop();
    const evaluations = this.options.evaluations();
    const { keys } = record;
    const found = record.moves.map((move, i) => ({ judgement: evaluations.judge(keys[i], keys[i + 1], move), side: evaluations.of(keys[i])?.turn }));
    const { sides } = await record.positionAfter(0);
    const of = (side) => LOSSES.map(({ name }) => ({ name, count: found.filter((one) => one.judgement?.name === name && one.side === side).length }))
      .filter(({ count }) => count > 0).map(({ name, count }) => (name === "inaccuracy" && count > 1 ? `${count} inaccuracies` : plural(count, name)));
    this.result.textContent = evaluations.puzzle ? "analysed" : ["first", "second"]
      .map((side, i) => `${sides?.[i] ?? side}: ${of(side).join(", ") || "no mistakes"}`).join(" · ");
  }
}
