// The teams of the contest whose solutions are in the store.

import { get } from "../api.js";
import { errorPlace, h } from "../dom.js";
import { field } from "../form.js";
import { TeamAdmin } from "./admin.js";

const table = (head, rows, label) => h("div", { class: "wide", tabindex: 0, role: "region", "aria-label": label }, h("table", {},
  h("thead", {}, h("tr", {}, head.map((name) => h("th", { scope: "col" }, name)))),
  h("tbody", {}, rows.map((row) => h("tr", {}, row.map((cell) => h("td", {}, String(cell))))))));

export class Teams {
  /** @param {AbortSignal} signal */
  constructor(signal) {
    this.signal = signal;
    this.counts = h("select", { onchange: () => this.load() },
      h("option", { value: "newest" }, "the newest solution of a team"), h("option", { value: "best" }, "the best solution of a team"));
    this.error = errorPlace();
    this.board = h("div", { id: "leaderboard" });
    const admin = new TeamAdmin(() => this.load(), signal);
    this.element = h("div", {}, field("what counts", this.counts), this.error, this.board, admin.element);
  }

  async load() {
    this.error.say();
    try {
      this.show(await get(`/api/hextris/leaderboard?counts=${this.counts.value}`, this.signal));
    } catch (error) {
      if (!this.signal.aborted) this.error.say(error);
    }
  }

  show({ teams, overall, problems, names }) {
    if (teams === 0) {
      this.board.replaceChildren(h("p", { class: "quiet-text" }, "There are no teams in the store. Add one below; “ludion hextris serve” takes their solutions."));
      return;
    }
    if (overall.length === 0) {
      this.board.replaceChildren(h("p", { class: "quiet-text" }, `${teams === 1 ? "One team" : `${teams} teams`}, and no solution of a known problem yet.`));
      return;
    }
    this.board.replaceChildren(
      h("h3", {}, "Over all problems"),
      table(["", "team", "points", "score"], overall.map(({ name, points, score }, i) => [i + 1, name, points.toFixed(1), score.toLocaleString("en")]), "Over all problems"),
      ...problems.flatMap(({ problem, entries }) => [
        h("h3", {}, names[problem] ?? `problem ${problem}`),
        table(["", "team", "score", "seeds", "tag"], entries.map((entry, i) =>
          [i + 1, entry.name, entry.score.toLocaleString("en"), Object.keys(entry.seeds).length, entry.tag ?? ""]), `Problem ${names[problem] ?? problem}`),
      ]));
  }
}
