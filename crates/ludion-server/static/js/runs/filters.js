// The filters above the list of runs: text, game, kind, player, state, tag and date. They are in the address.

import { h } from "../dom.js";
import { field } from "../form.js";
import { nameOf } from "../spec.js";
import { isUnderWay } from "./words.js";

/** Days of the choices of dates. */
const DATES = [["", "any time"], ["1", "last day"], ["7", "last week"], ["30", "last month"]];
const STATES = ["", "under way", "stopped", "finished"];

/** Returns the text of a run in which words are searched: players, results, tags and notes as well. */
const textOf = (run) => [run.id, run.kind, run.subject, run.subject_title, run.what, run.seed, run.result, run.note, ...run.tags].join(" ").toLowerCase();

const hasState = (run, state) => (state === "under way" ? isUnderWay(run.phase) || run.phase === "elsewhere" : run.phase === state);

const isWithin = (run, days) => Date.now() - new Date(run.began).getTime() < Number(days) * 86_400_000;

/** The tests of a run by the name of their filter. */
const TESTS = {
  text: (run, text) => text.toLowerCase().split(/\s+/).every((word) => textOf(run).includes(word)),
  game: (run, game) => run.subject !== null && nameOf(run.subject) === game,
  kind: (run, kind) => run.kind === kind,
  player: (run, player) => run.players.includes(player),
  state: hasState,
  tag: (run, tag) => run.tags.includes(tag),
  days: isWithin,
};

export class RunFilters {
  /** @param {URLSearchParams} query @param {() => void} changed */
  constructor(query, changed) {
    const options = (choices, chosen) => choices.map(([value, text]) => h("option", { value, selected: value === chosen }, text));
    const select = (id, choices) => h("select", { id: `filter-${id}`, onchange: changed }, options(choices, query.get(id) ?? ""));
    this.query = query;
    this.inputs = {
      text: h("input", { type: "search", id: "filter", value: query.get("text") ?? "", placeholder: "connect4 mcts", spellcheck: "false", oninput: changed }),
      game: select("game", [["", "any"]]),
      kind: select("kind", [["", "any"]]),
      player: select("player", [["", "any"]]),
      state: select("state", STATES.map((name) => [name, name || "any"])),
      tag: select("tag", [["", "any"]]),
      days: select("days", DATES),
    };
    const { text, game, kind, player, state, tag, days } = this.inputs;
    this.element = h("div", { class: "filters run-filters", role: "search" },
      field("search", text), field("game", game), field("kind", kind), field("player", player), field("state", state), field("tag", tag), field("date", days));
  }

  /** Offers the games, kinds and tags of these runs. @param {any[]} runs */
  offer(runs) {
    const fill = (name, values) => {
      const select = this.inputs[name];
      const chosen = select.options.length > 1 ? select.value : this.query.get(name) ?? "";
      const all = [...new Set(values)].sort();
      const known = chosen === "" || all.includes(chosen) ? all : [chosen, ...all];
      // Options that are the same stay, so that a list that is open stays open.
      if (select.options.length > 1 && [...select.options].slice(1).map((option) => option.value).join("\n") === known.join("\n")) return;
      select.replaceChildren(...["", ...known].map((value) => h("option", { value, selected: value === chosen }, value ? titles.get(value) ?? value : "any")));
    };
    const titles = new Map(runs.filter((run) => run.subject_title && nameOf(run.subject) === run.subject).map((run) => [run.subject, run.subject_title]));
    fill("game", runs.filter((run) => run.subject !== null).map((run) => nameOf(run.subject)));
    fill("kind", runs.map((run) => run.kind));
    fill("player", runs.flatMap((run) => run.players));
    fill("tag", runs.flatMap((run) => run.tags));
  }

  /** Returns the runs that pass. @param {any[]} runs */
  apply(runs) {
    const said = this.said();
    return runs.filter((run) => said.every(([name, value]) => TESTS[name](run, value)));
  }

  /** Returns the filters in use, by name. @returns {[string, string][]} */
  said() {
    return Object.entries(this.inputs).map(([name, input]) => /** @type {[string, string]} */ ([name, input.value.trim()])).filter(([, value]) => value !== "");
  }
}
