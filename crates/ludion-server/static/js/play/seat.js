// A seat: a person, or a player with a form for its parameters.

import { errorPlace, h } from "../dom.js";
import { field, paramForm } from "../form.js";
import { nameOf } from "../spec.js";

export const HUMAN = "human";

/** A seat with its player `spec` and its `budget` for a move. */
export class Seat {
  /**
   * @param {{ id: string, label: string, person: boolean, changed: () => void }} options
   */
  constructor({ id, label, person, changed }) {
    this.person = person;
    this.error = errorPlace();
    this.changed = () => {
      if (this.check()) changed();
    };
    this.select = h("select", { id, onchange: () => this.choose(this.select.value) });
    this.more = h("details", {}, h("summary", {}, "Parameters"));
    this.budget = h("input", {
      type: "text", placeholder: "as the parameters say", spellcheck: "false", onchange: () => this.changed(),
    });
    this.element = h("div", { class: "seat", "data-seat": id }, field(label, this.select), this.more, this.error);
  }

  /** Offers `players` and selects `spec`. */
  offer(players, spec, budget = "") {
    this.players = players;
    const options = this.person ? [h("option", { value: HUMAN }, "you")] : [];
    this.select.replaceChildren(...options,
      ...players.map((player) => h("option", { value: player.name, title: player.help }, player.name)));
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
    this.select.value = name;
    this.form = info ? paramForm(spec, info.params, name, this.changed) : null;
    this.given = spec;
    this.error.say();
    this.more.hidden = !info;
    this.more.replaceChildren(h("summary", {}, "Parameters"),
      h("p", { class: "quiet-text" }, info?.help ?? ""), this.form?.element ?? "",
      field("budget a move", this.budget, "such as 500ms, 2s, 1000sims, 8plies"));
  }

  /** Whether every parameter is valid; shows the first error at the seat. */
  check() {
    const wrong = this.form?.wrong();
    this.error.say(wrong);
    return !wrong;
  }

  choose(name) {
    this.sit(name);
    this.changed();
  }

  get spec() {
    return this.form ? this.form.spec() : this.given;
  }

  get isPerson() {
    return this.spec === HUMAN;
  }
}
