// The form for a new run: game, players, number of games and settings of each game.

import { post } from "../api.js";
import { errorPlace, h } from "../dom.js";
import { field, paramForm } from "../form.js";
import { go } from "../router.js";
import { nameOf } from "../spec.js";
import { addressOf, plural } from "../runs/words.js";
import { Entrant, OpenEntrant } from "./entrant.js";

/** The kinds of runs with their help, default number of pairs and default budget: a total for a move, the same for every player. */
const KINDS = {
  match: { help: "Two players, and the Elo difference between them.", pairs: 100, budget: "500sims" },
  tournament: { help: "Many players, rated over all their games.", pairs: 10, budget: "500sims" },
  championship: { help: "One player with many values of a parameter, in a round robin.", pairs: 5, budget: "" },
  tuning: { help: "A search for the parameters of a player that score best against an opponent.", pairs: 50, budget: "" },
};

const numeric = (id, value, attributes = {}) =>
  h("input", { type: "number", id, value, min: 1, step: 1, required: true, ...attributes });

const choice = (id, options) => h("select", { id }, options.map(([value, text]) => h("option", { value }, text)));

/** The form for a new run. `fill` copies the settings of an earlier run. */
export class Setup {
  /** @param {any[]} games @param {any[]} players */
  constructor(games, players) {
    this.games = games.filter((game) => !game.puzzle);
    this.players = players;
    this.error = errorPlace();
    this.kinds = Object.keys(KINDS).map((kind) =>
      h("button", { type: "button", "data-kind": kind, onclick: () => this.setKind(kind) }, kind));
    this.help = h("p", { class: "quiet-text kind-help" });
    this.game = h("select", { id: "arena-game", onchange: () => this.setGame(this.game.value) },
      this.games.map((game) => h("option", { value: game.name }, game.title ?? game.name)));
    this.rules = h("details", {});
    this.who = h("div", { class: "entrants" });
    this.elsewhere = h("input", { type: "checkbox", id: "on-cluster" });
    this.workers = h("small", { class: "quiet-text" });
    this.clusterField = h("div", { hidden: true }, field("on the machines of the cluster", this.elsewhere), this.workers);
    this.size = h("p", { id: "size", class: "spent", role: "status" });
    this.start = h("button", { type: "submit", class: "main", id: "start" }, "Start");
    this.makeTerms();
    this.element = this.layout();
    this.kind = "match";
    this.setGame("connect4");
    this.setKind("match");
  }

  makeTerms() {
    const changed = () => this.count();
    this.pairs = numeric("pairs", 100, { max: 200000, onchange: changed });
    this.budget = h("input", { type: "text", id: "budget", placeholder: "as the parameters say", spellcheck: "false" });
    this.opening = numeric("opening", 2, { min: 0, max: 100 });
    this.seed = numeric("seed", 1, { min: 0, max: Number.MAX_SAFE_INTEGER });
    this.form = choice("form", [["round-robin", "round robin: all against all"], ["gauntlet", "gauntlet: the first against all others"]]);
    this.form.addEventListener("change", changed);
    this.by = choice("by", [["genetic", "a genetic algorithm"], ["cross-entropy", "cross-entropy"]]);
    this.generations = numeric("generations", 10, { max: 10000, onchange: changed });
    this.tested = h("input", { type: "checkbox", id: "sprt", onchange: () => this.showTest() });
    const bound = (id, value) => h("input", { type: "number", id, value, step: "any", required: true });
    this.test = {
      elo0: bound("elo0", 0), elo1: bound("elo1", 30),
      alpha: numeric("alpha", 0.05, { min: 0.0001, max: 0.4999, step: "any" }),
      beta: numeric("beta", 0.05, { min: 0.0001, max: 0.4999, step: "any" }),
      model: choice("model", [["logistic", "logistic"], ["normalised", "normalised"]]),
    };
    this.testFields = h("div", { class: "fields", hidden: true },
      field("not better than", this.test.elo0, "Elo difference"), field("or better by", this.test.elo1, "Elo difference"),
      field("alpha", this.test.alpha, "wrongly better"), field("beta", this.test.beta, "wrongly not"), field("Elo model", this.test.model));
    this.only = {
      match: h("div", {}, field("stop when a test decides (SPRT)", this.tested), this.testFields),
      tournament: field("form", this.form),
      tuning: h("div", { class: "fields" }, field("method", this.by), field("generations", this.generations, "at most")),
    };
  }

  layout() {
    const terms = h("div", { class: "fields" },
      field("pairs", this.pairs, "two games each, seats swapped"), field("budget a move", this.budget, "a total, such as 50ms or 1000sims"),
      field("opening", this.opening, "random plies"), field("seed", this.seed));
    return h("form", { class: "panel setup", id: "setup", novalidate: true, onsubmit: (event) => this.submit(event) },
      h("h2", {}, "New run"),
      h("div", { class: "row kinds", role: "group", "aria-label": "Kind of run" }, this.kinds), this.help,
      field("game", this.game), this.rules,
      h("h3", {}, "Players"), this.who,
      h("h3", {}, "Terms"), terms, ...Object.values(this.only),
      this.clusterField, this.size, this.error, h("div", { class: "row" }, this.start));
  }

  /** Offers to run on the cluster, if the laboratory has one. @param {{ workers: { threads: number }[] } | null} cluster */
  offerCluster(cluster) {
    this.clusterField.hidden = cluster === null;
    if (cluster === null) return;
    const threads = cluster.workers.reduce((sum, worker) => sum + worker.threads, 0);
    this.elsewhere.disabled = threads === 0;
    this.workers.textContent = threads === 0 ? "No worker answers; “ludion worker” starts one." : `${plural(cluster.workers.length, "worker")} with ${plural(threads, "thread")}`;
  }

  showTest() {
    this.testFields.hidden = !this.tested.checked;
  }

  setKind(kind) {
    this.kind = kind;
    for (const one of this.kinds) one.setAttribute("aria-pressed", String(one.dataset.kind === kind));
    this.help.textContent = KINDS[kind].help;
    this.pairs.value = KINDS[kind].pairs;
    this.budget.value = KINDS[kind].budget;
    for (const [name, element] of Object.entries(this.only)) element.hidden = name !== kind;
    this.seat([]);
  }

  setGame(spec) {
    const name = nameOf(spec);
    const info = this.games.find((game) => game.name === name) ?? this.games[0];
    this.info = info;
    this.game.value = info.name;
    this.gameForm = paramForm(spec, info.params, info.name);
    this.rules.hidden = info.params.length === 0;
    this.rules.open = spec !== name;
    this.rules.replaceChildren(h("summary", {}, "Size and rules"), this.gameForm.element);
    this.seat(this.entrants?.map((one) => one.spec) ?? []);
  }

  /** Returns the players of this game; for a championship or tuning those with parameters. */
  offered() {
    const all = this.players.filter((player) => this.info.players.includes(player.name));
    return ["championship", "tuning"].includes(this.kind) ? all.filter((player) => player.params.length > 0) : all;
  }

  /** Selects players; missing ones get defaults. @param {string[]} specs */
  seat(specs) {
    const changed = () => this.count();
    const players = this.offered();
    const has = (name) => players.some((player) => player.name === name);
    const habit = ["mcts", "montecarlo", "random"].filter((spec) => has(nameOf(spec)));
    const count = { match: 2, tournament: Math.max(2, specs.length || 3), championship: 1, tuning: 1 }[this.kind];
    const tuned = this.kind === "tuning";
    this.entrants = Array.from({ length: count }, (_, i) => {
      const open = count === 1;
      const entrant = open ? new OpenEntrant("player", changed, tuned) : new Entrant(`player ${i + 1}`, changed);
      const usual = open && has("mcts") ? `mcts(sims=200, c=${tuned ? "?0.5..4" : "0.5..4:0.5"})` : habit[i % habit.length];
      entrant.offer(players, specs[i] || usual || players[0].name);
      return entrant;
    });
    this.against = tuned ? new Entrant("against", changed, "the player with its defaults") : null;
    this.against?.offer(this.players.filter((player) => this.info.players.includes(player.name)), "");
    this.who.replaceChildren(...this.entrants.map((one) => this.removable(one)), this.against?.element ?? "", this.adder() ?? "");
    this.count();
  }

  removable(entrant) {
    if (this.kind !== "tournament" || this.entrants.length <= 2) return entrant.element;
    const remove = () => this.seat(this.entrants.filter((one) => one !== entrant).map((one) => one.spec));
    entrant.element.append(h("button", { type: "button", class: "quiet small", onclick: remove }, "Remove"));
    return entrant.element;
  }

  adder() {
    if (this.kind !== "tournament") return null;
    const add = () => {
      const seated = this.entrants.map((one) => one.spec);
      const free = this.offered().map((player) => player.name).filter((name) => !["human", "bot"].includes(name))
        .find((name) => !seated.some((spec) => nameOf(spec) === name));
      this.seat([...seated, free ?? "random"]);
    };
    return h("button", { type: "button", id: "add-player", onclick: add }, "Add a player");
  }

  /** Shows the number of games, as far as it is known. */
  count() {
    const pairs = Number(this.pairs.value);
    const players = this.entrants.length;
    const meetings = { match: 1, tournament: this.form.value === "gauntlet" ? players - 1 : (players * (players - 1)) / 2 }[this.kind];
    const all = pairs * (meetings ?? 1);
    const games = `${plural(all, "pair")}, ${plural(2 * all, "game")}`;
    this.size.textContent = meetings ? `${plural(meetings, "meeting")}, ${games}`
      : this.kind === "tuning" ? `${games} for each candidate` : `${games} between any two values`;
  }

  /** Fills the form from an earlier run. @param {any} run */
  fill({ kind, plan }) {
    if (!KINDS[kind]) return;
    this.setKind(kind);
    this.setGame(plan.game);
    this.seat(plan.tuning ? [plan.tuning.player] : plan.field ? [plan.field] : plan.players);
    this.against?.sit(plan.players[0]);
    const { terms, schedule, sprt, tuning } = plan;
    this.pairs.value = schedule.pairs;
    this.opening.value = terms.opening;
    this.seed.value = terms.seed;
    const units = { time: (t) => `${t.secs * 1000 + t.nanos / 1e6}ms`, simulations: (n) => `${n}sims`, nodes: (n) => `${n}nodes`, depth: (n) => `${n}plies` };
    this.budget.value = Object.entries(terms.budget).filter(([, value]) => value !== null).map(([unit, value]) => units[unit](value)).join(", ");
    if (tuning) [this.by.value, this.generations.value] = [tuning.by, tuning.generations];
    if (kind === "tournament" && schedule.meetings.length === plan.players.length - 1 && plan.players.length > 2) this.form.value = "gauntlet";
    this.tested.checked = Boolean(sprt);
    for (const [name, input] of Object.entries(this.test)) if (sprt) input.value = sprt[name];
    this.showTest();
    this.count();
  }

  order() {
    const number = (input) => Number(input.value);
    const order = {
      kind: this.kind, game: this.gameForm.spec(), players: this.entrants.map((one) => one.spec),
      pairs: number(this.pairs), opening: number(this.opening), seed: number(this.seed),
    };
    if (this.elsewhere.checked) order.cluster = true;
    if (this.budget.value.trim()) order.budget = this.budget.value.trim();
    if (this.kind === "match" && this.tested.checked) {
      order.sprt = Object.entries(this.test).map(([name, input]) => `${name}=${input.value}`).join(",");
    }
    if (this.kind === "tournament") order.form = this.form.value;
    if (this.kind === "tuning") {
      Object.assign(order, { by: this.by.value, generations: number(this.generations) });
      if (this.against.spec) order.against = this.against.spec;
    }
    return order;
  }

  valid() {
    const seen = [...this.element.querySelectorAll("input, select")].filter((input) => !input.closest("[hidden]"));
    return this.gameForm.valid() && this.entrants.every((one) => one.valid()) && seen.every((input) => input.reportValidity());
  }

  async submit(event) {
    event.preventDefault();
    this.error.say();
    if (!this.valid()) return;
    this.start.disabled = true;
    try {
      const { run } = await post("/api/runs", this.order());
      await go(addressOf(run).replace("/runs", "/arena"));
    } catch (error) {
      this.error.say(error);
    } finally {
      this.start.disabled = false;
    }
  }
}
