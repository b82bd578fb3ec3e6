// The explorer: for every move of the shown position how often games of the store have played it, with
// what score, and what the solver has proven.

import { post, stream } from "../api.js";
import { errorPlace, h } from "../dom.js";
import { count, percent } from "../runs/words.js";

/** Time that a position must be shown before it is explored, in milliseconds. */
const PATIENCE = 250;
/** Time between two requests while games are still being counted, in milliseconds. */
const AGAIN = 300;

/** A bar with the shares of games that each side won. */
function resultBar({ games, first, drawn, second }) {
  const part = (kind, n) => {
    const bar = h("i", { class: kind });
    bar.style.width = `${(100 * n) / games}%`;
    return bar;
  };
  return h("span", { class: "result-bar", role: "img", "aria-label": `first won ${first}, drawn ${drawn}, second won ${second}` },
    part("first", first), part("drawn", drawn), part("second", second));
}

/** The explorer of one page. */
export class Explorer {
  /** @param {(move: string) => void} played */
  constructor(played) {
    this.played = played;
    this.isOpen = false;
    this.error = errorPlace();
    this.note = h("p", { id: "explorer-note", class: "spent" });
    this.rows = h("tbody");
    this.element = h("div", { class: "explorer" }, this.note, this.error,
      h("div", { class: "wide", tabindex: 0, role: "region", "aria-label": "Moves of stored games" },
        h("table", { id: "explorer" }, h("thead", {}, h("tr", {}, ["move", "games", "results", "score", "proven"].map((text) => h("th", { scope: "col" }, text)))), this.rows)));
  }

  /** Shows the moves of a position, if the explorer is open. @param {any} place @param {any} position */
  async show(place, position) {
    this.place = place;
    this.position = position;
    this.abort?.abort();
    if (!this.isOpen) return;
    const { signal } = this.abort = new AbortController();
    await new Promise((done) => setTimeout(done, PATIENCE));
    if (signal.aborted) return;
    this.error.say();
    this.found = { games: 0, more: true, moves: [] };
    this.proven = new Map();
    this.state = "";
    this.fill();
    try {
      await Promise.all([this.count(signal), this.solve(signal)]);
    } catch (error) {
      if (!signal.aborted) this.error.say(error);
    }
  }

  /** Opens or closes the explorer. @param {boolean} open */
  open(open) {
    const opens = open && !this.isOpen;
    this.isOpen = open;
    if (opens && this.place) this.show(this.place, this.position);
    if (!open) this.abort?.abort();
  }

  async count(signal) {
    do {
      const found = await post("/api/explorer", this.place, signal);
      if (signal.aborted) return;
      this.found = found;
      this.fill();
      if (found.more) await new Promise((done) => setTimeout(done, AGAIN));
    } while (this.found.more && !signal.aborted);
  }

  async solve(signal) {
    if (!this.position.turn || this.position.outcome) return;
    this.state = "solving…";
    this.fill();
    for await (const { event, data } of stream("/api/solve", this.place, signal)) {
      if (signal.aborted) return;
      if (event === "solution") {
        this.proven = new Map(data.lines.filter((line) => line.proven).map((line) => [line.move, line.proven]));
        this.state = data.nodes > 0 ? `solved, ${count(data.nodes)} states` : "solved";
      } else if (event === "error") this.state = "too large for the solver";
    }
    this.fill();
  }

  fill() {
    const known = new Map(this.found.moves.map((one) => [one.move, one]));
    const legal = (this.position?.legal ?? []).map(({ move }) => move);
    const rank = { win: 2, draw: 1, loss: 0 };
    const worth = (move) => rank[this.proven.get(move)?.verdict] ?? -1;
    const shown = legal.filter((move) => known.has(move) || this.proven.has(move))
      .sort((a, b) => worth(b) - worth(a) || (known.get(b)?.games ?? 0) - (known.get(a)?.games ?? 0));
    this.rows.replaceChildren(...shown.map((move) => this.row(move, known.get(move))));
    const games = this.found.games === 0 ? "no games of this variant in the store" : `${count(this.found.games)} games of the store`;
    this.note.textContent = [this.found.more ? "counting games…" : games, this.state].filter(Boolean).join(" · ");
  }

  row(move, found) {
    const proven = this.proven.get(move);
    const first = this.position.turn === "first";
    const score = found ? ((first ? found.first : found.second) + found.drawn / 2) / found.games : null;
    return h("tr", { "data-move": move },
      h("th", { scope: "row" }, h("button", { type: "button", class: "quiet small", onclick: () => this.played(move) }, move)),
      h("td", { class: "num" }, found ? count(found.games) : ""),
      h("td", {}, found ? resultBar(found) : ""),
      h("td", { class: "num" }, score === null ? "" : percent(score)),
      h("td", { class: proven?.verdict ?? "" }, proven ? `${proven.verdict}${proven.plies === null || proven.verdict === "draw" ? "" : ` in ${proven.plies}`}` : ""));
  }
}
