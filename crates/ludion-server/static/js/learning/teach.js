// Teaching by buttons: a program learns a game from nothing, or a network is trained on games that are
// played first. The curve is shown while it learns; then the model can be played, matched and looked into.

import { getOnce, post, stream } from "../api.js";
import { InteractiveChart } from "../chart/chart.js";
import { errorPlace, h } from "../dom.js";
import { field } from "../form.js";
import { count, plural } from "../runs/words.js";
import { tabs } from "../tabs.js";
import { offers } from "./offers.js";
import { RunWatch } from "./watch.js";

/** How long a program learns: the settings of the two methods. */
const EFFORTS = [
  ["quick", "quick: about a minute", { learn: { rounds: 2, games: 300, pairs: 20, depth: 1 }, "learn network": { rounds: 4, games: 60, check: 2, pairs: 10, sims: 40, match_sims: 40, positions: 20 } }],
  ["normal", "normal: some minutes", { learn: { rounds: 4, games: 2000, pairs: 50, depth: 2 }, "learn network": { rounds: 20, check: 5, pairs: 40 } }],
  ["long", "long: an hour or more", { learn: { rounds: 8, games: 10000, pairs: 100, depth: 3 }, "learn network": {} }],
];
const METHODS = [["learn", "patterns: windows of the board, fast"], ["learn network", "a network with policy and value, stronger"]];
const LABELS = [["winloss", "who won"], ["distance", "who won, and how soon"], ["captures", "captures that follow (checkers, hexapawn)"]];

const select = (id, options) => h("select", { id }, options.map(([value, text]) => h("option", { value }, text)));
const number = (id, value, max) => h("input", { id, type: "number", min: 1, max, value, required: true });

/** Returns a name for a new file that no file has yet. */
function freeName(stem, extension, taken) {
  for (let i = 1; ; i++) {
    const name = `${stem}${i > 1 ? `-${i}` : ""}.${extension}`;
    if (!taken.includes(name)) return name;
  }
}

const word = (spec) => spec.replace(/[^a-z0-9]+/gi, "-").replace(/^-|-$/g, "");

export class Teaching {
  /** @param {{ file: string, kind: string, game: string }[]} things @param {() => Promise<void>} made called when there is a new file @param {AbortSignal} signal */
  constructor(things, made, signal) {
    this.things = things;
    this.made = made;
    this.signal = signal;
    this.error = errorPlace();
    this.watch = new RunWatch(signal);
    this.chart = new InteractiveChart();
    this.chart.element.hidden = true;
    this.told = h("p", { class: "status", id: "teach-status", role: "status" });
    this.bar = h("progress", { max: 1, value: 0, hidden: true, "aria-label": "Progress" });
    /** What can be done with the model that was just made. */
    this.next = h("div", { id: "next-steps" });
  }

  /** Creates the panel. */
  async open() {
    const { games } = await getOnce("/api/games");
    const duels = games.filter((game) => !game.puzzle).map((game) => [game.name, game.title ?? game.name]);
    this.tabbed = tabs("Ways to teach", [
      { id: "nothing", name: "From nothing", panel: this.fromNothing(duels) },
      { id: "games", name: "From games", panel: this.fromGames(duels) },
    ], this.things.some(({ kind }) => kind === "archive") && !this.things.some(({ kind }) => kind !== "archive") ? "games" : "nothing");
    this.element = h("section", { class: "panel teach", id: "teach", "aria-label": "Teach a program" },
      h("h2", {}, "Teach a program"), this.tabbed.element, this.told, this.bar, this.next, this.error, this.chart.element, this.watch.element);
  }

  fromNothing(duels) {
    const [game, method, effort] = [select("teach-game", duels), select("teach-method", METHODS), select("teach-effort", EFFORTS.map(([value, text]) => [value, text]))];
    game.value = "tictactoe";
    const begin = h("button", { type: "submit", class: "main", id: "learn" }, "Learn");
    return this.form(h("p", { class: "quiet-text" }, "The program plays against itself, learns from the games, and is kept when it beats the one before."),
      [field("game", game), field("method", method), field("effort", effort)], begin, async () => {
        const settings = EFFORTS.find(([value]) => value === effort.value)[2][method.value];
        const extension = method.value === "learn" ? "lpat" : "safetensors";
        const out = freeName(word(game.value), extension, this.things.map(({ file }) => file));
        const { run } = await post("/api/runs", { kind: method.value, game: game.value, ...settings, out }, this.signal);
        this.chart.element.hidden = true;
        const phase = await this.watch.follow(run);
        this.watch.status.textContent = "";
        this.told.textContent = phase === "finished" ? `Learned: ${out}.` : "The learning was stopped.";
        await this.made();
        this.present(out);
      });
  }

  /** Shows a learning that was under way when the page was opened. @param {number} run */
  async resume(run) {
    this.busy(true);
    try {
      const phase = await this.watch.follow(run);
      this.watch.status.textContent = "";
      this.told.textContent = phase === "finished" ? "Learned." : "The learning was stopped.";
      await this.made();
    } catch (error) {
      if (!this.signal.aborted) this.error.say(error);
    }
    this.busy(false);
  }

  fromGames(duels) {
    return h("div", {}, this.generating(duels), this.training());
  }

  generating(duels) {
    const [game, games, player] = [select("generate-game", duels), number("generate-count", 1000, 1_000_000), h("input", { id: "generate-player", type: "text", value: "random", spellcheck: "false" })];
    game.value = "checkers";
    const begin = h("button", { type: "submit", id: "generate" }, "Play games");
    return this.form(h("h3", {}, "1. Play games to learn from"),
      [field("game", game), field("games", games), field("player of both sides", player, "such as random or mcts(sims=50)")], begin, async () => {
        const out = freeName(`${word(game.value)}-${word(player.value)}`, "games", this.things.map(({ file }) => file));
        const request = { game: game.value, games: Number(games.value), player: player.value.trim() || "random", opening: player.value.trim() === "random" ? 0 : 4, out };
        const done = await this.stream("/api/learning/generate", request, "games", ({ done: played, total }) => {
          this.bar.value = played / total;
          this.told.textContent = `${count(played)} of ${plural(total, "game")} played`;
        });
        this.told.textContent = `${plural(done.games, "game")} in ${done.file}, ${done.seconds.toFixed(1)} s.`;
        await this.made();
      });
  }

  training() {
    this.data = select("train-data", this.archives());
    const [label, epochs] = [select("train-label", LABELS), number("train-epochs", 10, 500)];
    const begin = h("button", { type: "submit", class: "main", id: "train" }, "Train");
    return this.form(h("h3", {}, "2. Train a network on them"),
      [field("games", this.data), field("it learns", label), field("epochs, at most", epochs)], begin, async () => {
        if (!this.data.value) throw new Error("there are no games yet; play some first");
        const out = freeName(`${word(this.data.value.replace(/\.games$/, ""))}-${label.value}`, "safetensors", this.things.map(({ file }) => file));
        const curve = [];
        const done = await this.stream("/api/learning/train", { data: this.data.value, label: label.value, epochs: Number(epochs.value), out }, "epoch", ({ epoch, epochs: all }) => {
          curve.push(epoch);
          this.bar.value = epoch.number / all;
          this.told.textContent = `Epoch ${epoch.number} of at most ${all}: loss ${epoch.training_loss.toFixed(4)}`;
          this.draw(curve, out);
        });
        this.draw(done.curve, out);
        this.told.textContent = `Trained in ${done.seconds.toFixed(1)} s; ${done.file} has the weights of epoch ${done.best} of ${done.epochs}.`;
        await this.made();
        this.present(out);
      });
  }

  archives() {
    return this.things.filter(({ kind }) => kind === "archive").map(({ file, game }) => [file, `${file} (${game})`]);
  }

  /** Offers new files. @param {any[]} things */
  offer(things) {
    this.things = things;
    const chosen = this.data.value;
    const archives = this.archives();
    this.data.replaceChildren(...archives.map(([value, text]) => h("option", { value, selected: value === (chosen || archives.at(-1)?.[0]) }, text)));
  }

  /** Offers what can be done with a new model. @param {string} file */
  present(file) {
    const model = this.things.find((thing) => thing.file === file);
    this.next.replaceChildren(model ? offers(model, this.error) : "");
  }

  /** Creates a form whose work is done one at a time, with its error shown. */
  form(head, fields, begin, work) {
    const submit = async (event) => {
      event.preventDefault();
      if (!event.target.reportValidity()) return;
      this.error.say();
      this.told.textContent = "";
      this.next.replaceChildren();
      this.busy(true);
      try {
        await work();
      } catch (error) {
        if (!this.signal.aborted) this.error.say(error);
      }
      this.busy(false);
    };
    return h("form", { class: "teach-form", novalidate: true, onsubmit: submit }, head, h("div", { class: "fields" }, fields), h("div", { class: "row" }, begin));
  }

  busy(is) {
    for (const button of this.element.querySelectorAll("button[type=submit]")) button.disabled = is;
    this.bar.hidden = !is || !this.watch.element.hidden;
    this.bar.value = 0;
  }

  /** Sends a request and returns its result; `step` gets the events of this name meanwhile. */
  async stream(path, request, name, step) {
    this.watch.element.hidden = true;
    this.bar.hidden = false;
    for await (const { event, data } of stream(path, request, this.signal)) {
      if (event === "waiting") this.told.textContent = "Waits for its turn …";
      else if (event === name) step(data);
      else if (event === "done") return data;
      else if (event === "error") throw new Error(data.error);
    }
    throw new Error("the connection broke off; is the laboratory still open?");
  }

  /** Shows the losses by epoch. */
  draw(curve, file) {
    const line = (name, of) => ({ name, points: [], line: curve.filter((epoch) => of(epoch) !== null).map((epoch) => ({ x: epoch.number, y: of(epoch), low: of(epoch), high: of(epoch) })) });
    this.chart.element.hidden = false;
    this.chart.show({
      title: `Loss of ${file}`, note: "", level: null,
      x: { label: "epoch", scale: "linear", unit: "count" }, y: { label: "loss", scale: "linear", unit: "plain" },
      series: [line("training", (epoch) => epoch.training_loss), line("held back", (epoch) => epoch.validation_loss)].filter((one) => one.line.length > 0),
    });
  }
}
