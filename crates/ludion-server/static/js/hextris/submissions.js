// The submissions of all teams to one problem, ranked; each can be replayed, alone or beside another.

import { h } from "../dom.js";
import { field } from "../form.js";
import { count, moment, plural } from "../runs/words.js";

/** Number of rows that are shown at once. */
const PAGE = 100;
const KINDS = [
  ["best", "best of each team and seed"],
  ["newest", "newest of each team and seed"],
  ["all", "all, also older ones"],
];

export class Submissions {
  /** @param {(submission: any, place: 0 | 1) => void} chosen */
  constructor(chosen) {
    this.chosen = chosen;
    this.all = [];
    this.kind = h("select", { id: "kind", onchange: () => this.draw(PAGE) }, KINDS.map(([value, text]) => h("option", { value }, text)));
    this.seed = h("select", { id: "seed-filter", onchange: () => this.draw(PAGE) });
    this.team = h("select", { id: "team-filter", onchange: () => this.draw(PAGE) });
    this.summary = h("p", { class: "quiet-text", role: "status" });
    this.body = h("tbody");
    this.more = h("button", { type: "button", hidden: true, onclick: () => this.draw(this.shown + PAGE) }, "Show more");
    this.element = h("div", {},
      h("div", { class: "fields" }, field("which", this.kind), field("seed", this.seed), field("team", this.team)), this.summary,
      h("div", { class: "scroll ranking", tabindex: 0, role: "region", "aria-label": "Submissions" }, h("table", { id: "submissions" },
        h("thead", {}, h("tr", {}, ["", "score", "team, tag", "seed", ""].map((name) => h("th", { scope: "col" }, name)))), this.body)), this.more);
  }

  /** @param {any[]} all sorted by score @param {number} leftOut @param {boolean} known whether they can be replayed */
  set(all, leftOut, known) {
    this.all = all;
    this.leftOut = leftOut;
    this.known = known;
    const options = (values) => [h("option", { value: "" }, "all"), ...values.map(([value, text]) => h("option", { value }, text))];
    const seeds = [...new Set(all.map(({ seed }) => seed))].sort((a, b) => a - b);
    this.seed.replaceChildren(...options(seeds.map((seed) => [seed, String(seed)])));
    const teams = new Map(all.map(({ team, name }) => [team, name]));
    this.team.replaceChildren(...options([...teams].sort((a, b) => a[1].localeCompare(b[1]))));
    this.draw(PAGE);
  }

  /** Returns the submissions that the filters leave, with their ranks among them. */
  filtered() {
    const seen = new Set();
    const isFirst = ({ team, seed }) => !seen.has(`${team} ${seed}`) && Boolean(seen.add(`${team} ${seed}`));
    const counts = { best: isFirst, newest: ({ newest }) => newest, all: () => true }[this.kind.value];
    return this.all.filter((one) => counts(one) && (!this.seed.value || String(one.seed) === this.seed.value) && (!this.team.value || String(one.team) === this.team.value));
  }

  draw(most) {
    const found = this.filtered();
    this.shown = Math.min(most, found.length);
    this.more.hidden = this.shown === found.length;
    const left = this.leftOut > 0 ? `; ${plural(this.leftOut, "worse one")} not listed` : "";
    this.summary.textContent = `${plural(found.length, "submission")}${left}`;
    this.body.replaceChildren(...found.slice(0, this.shown).map((one, i) => this.row(one, rankOf(found, i))));
  }

  row(one, rank) {
    const name = nameOf(one);
    const button = (text, label, place) => h("button", { type: "button", disabled: !this.known, "aria-label": `${label} ${name}`, onclick: () => this.chosen(one, place) }, text);
    const worth = one.score === null ? "not scored yet" : count(one.score);
    const note = [one.status, one.power === null ? null : `power ${count(one.power)}`, moment(one.created)].filter(Boolean).join(", ");
    return h("tr", { "data-submission": one.id },
      h("td", { class: "num" }, String(rank)), h("td", { class: "num", title: note }, worth), 
      h("th", { scope: "row" }, one.name, one.tag ? h("span", { class: "tag" }, one.tag) : null), h("td", { class: "num" }, String(one.seed)),
      h("td", { class: "buttons" }, button("Replay", "Replay", 0), button("Beside", "Show beside the first:", 1)));
  }
}

/** Equal scores have equal ranks. */
const rankOf = (list, i) => 1 + list.findIndex(({ score }) => score === list[i].score);

/** Describes a submission in a few words. */
export const nameOf = ({ name, seed, score, tag }) =>
  `${name}${tag ? ` (${tag})` : ""}, seed ${seed}${score === null ? "" : `, ${plural(score, "point")}`}`;
