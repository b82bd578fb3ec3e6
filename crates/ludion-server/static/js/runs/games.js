// The games of a run, page by page.

import { get } from "../api.js";
import { errorPlace, h } from "../dom.js";
import { addressOf, count } from "./words.js";

/** Number of games on one page. */
const PAGE_SIZE = 20;

/** The list of a run's games. */
export class GameList {
  /** @param {number} run @param {AbortSignal} signal */
  constructor(run, signal) {
    this.run = run;
    this.signal = signal;
    this.from = 0;
    this.total = 0;
    this.error = errorPlace();
    this.rows = h("tbody");
    this.where = h("span", { class: "quiet-text", "aria-live": "polite" });
    this.back = h("button", { type: "button", onclick: () => this.turn(-PAGE_SIZE) }, "Earlier");
    this.forward = h("button", { type: "button", onclick: () => this.turn(PAGE_SIZE) }, "Later");
    const head = ["game", "first", "second", "result", "plies"];
    this.element = h("section", { class: "panel", "aria-label": "Games", hidden: true },
      h("h2", {}, "Games"), this.error,
      h("div", { class: "wide", tabindex: 0, role: "region", "aria-label": "Games of the run" },
        h("table", { id: "games" }, h("thead", {}, h("tr", {}, head.map((text) => h("th", { scope: "col" }, text)))), this.rows)),
      h("div", { class: "row pager" }, this.back, this.forward, this.where));
  }

  turn(step) {
    this.from = Math.max(0, this.from + step);
    return this.show();
  }

  /** Loads the current page of games. */
  async show() {
    try {
      const { total, games } = await get(`/api/runs/${this.run}/games?from=${this.from}&count=${PAGE_SIZE}`, this.signal);
      this.error.say();
      this.total = total;
      this.fill(games);
    } catch (error) {
      if (!this.signal.aborted) this.error.say(error);
    }
  }

  fill(games) {
    this.element.hidden = this.total === 0;
    this.rows.replaceChildren(...games.map((game) => h("tr", {},
      h("th", { scope: "row" }, h("a", { href: addressOf(this.run, game.number), "aria-label": `Replay game ${game.number}` }, `${this.run}.${game.number}`)),
      h("td", { class: game.won === "first" ? "won" : null }, (game.names ?? game.players)[0]),
      h("td", { class: game.won === "second" ? "won" : null }, (game.names ?? game.players)[1]),
      h("td", {}, game.ended),
      h("td", { class: "num" }, game.plies))));
    const last = games.at(-1)?.number ?? this.from;
    this.where.textContent = games.length > 0 ? `${count(this.from + 1)} to ${count(last + 1)} of ${count(this.total)}` : "no games yet";
    this.back.disabled = this.from === 0;
    this.forward.disabled = this.from + games.length >= this.total;
  }
}
