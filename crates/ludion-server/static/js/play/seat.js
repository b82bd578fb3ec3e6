// A seat: a person, or a player chosen by its strength or by name, with a form for its parameters.

import { errorPlace, h } from "../dom.js";
import { field, paramForm } from "../form.js";
import { nameOf } from "../spec.js";

export const HUMAN = "human";

/** Returns a word with a capital letter. @param {string} word */
const capital = (word) => word.charAt(0).toUpperCase() + word.slice(1);

/** Returns the spec of the player of the level strong. @param {{ name: string, spec: string }[]} levels @param {string} otherwise */
export const strongOf = (levels, otherwise) => levels.find(({ name }) => name === "strong")?.spec ?? otherwise;

/** Whether no player of a game is proven to play it perfectly. @param {{ name: string }[]} levels */
export const isPerfectMissing = (levels) => !levels.some(({ name }) => name === "perfect");

/** A seat with its player `spec` and its `budget` for a move. */
export class Seat {
  /**
   * @param {{ id: string, label: string, person: boolean, changed: () => void }} options
   */
  constructor({ id, label, person, changed }) {
    this.person = person;
    this.error = errorPlace();
    this.changed = () => {
      this.name();
      if (this.check()) changed();
    };
    this.select = h("select", { id, "aria-label": label, onchange: () => this.choose(this.select.value) });
    this.print = h("code", { class: "spec" });
    this.more = h("details", {}, h("summary", {}, label));
    this.budget = h("input", {
      type: "text", placeholder: "as the parameters say", spellcheck: "false", onchange: () => this.changed(),
    });
    this.label = label;
    this.element = h("div", { class: "seat", "data-seat": id }, this.more, this.error);
  }

  /** Offers `players`, the `levels` of strength, and selects `spec`. */
  offer(players, levels, spec, budget = "") {
    this.players = players;
    this.levels = levels;
    const strengths = levels.map(({ name, spec: level }) => h("option", { value: `level:${name}`, title: level }, capital(name)));
    this.select.replaceChildren(...(this.person ? [h("option", { value: HUMAN }, "You")] : []),
      h("optgroup", { label: "Strength" }, strengths, isPerfectMissing(levels) ? h("option", { disabled: true }, "Perfect: no player is proven") : null),
      h("optgroup", { label: "Player" }, players.map((player) => h("option", { value: player.name, title: player.help }, player.name))));
    this.budget.value = budget;
    this.sit(spec);
  }

  /** Selects the player `spec`; an unknown name is kept, so that the server reports it. */
  sit(spec) {
    const name = nameOf(spec);
    const info = this.players.find((player) => player.name === name);
    if (![...this.select.options].some((option) => option.value === name)) {
      this.select.append(h("option", { value: name }, name));
    }
    this.form = info ? paramForm(spec, info.params, name, this.changed) : null;
    this.given = spec;
    this.error.say();
    this.element.hidden = !info;
    this.more.replaceChildren(h("summary", {}, `${this.label}: `, this.print),
      h("p", { class: "quiet-text" }, info?.help ?? ""), this.form?.element ?? "",
      field("budget a move", this.budget, "such as 500ms, 2s, 1000sims, 8plies"));
    this.name();
  }

  /** Shows the strength of the player, or its name if it has none. */
  name() {
    const { spec } = this;
    this.level = this.levels.find((level) => level.spec === spec) ?? null;
    this.select.value = this.level ? `level:${this.level.name}` : nameOf(spec);
    this.print.textContent = spec;
    this.select.title = this.isPerson ? "" : spec;
  }

  /** Whether every parameter is valid; shows the first error at the seat. */
  check() {
    const wrong = this.form?.wrong();
    this.error.say(wrong);
    return !wrong;
  }

  choose(value) {
    const level = this.levels.find(({ name }) => value === `level:${name}`);
    this.sit(level ? level.spec : value);
    this.changed();
  }

  get spec() {
    return this.form ? this.form.spec() : this.given;
  }

  get isPerson() {
    return this.spec === HUMAN;
  }
}
