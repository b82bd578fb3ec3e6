// Controls a game in progress on the page Play: moves of people and players, searches, buttons. At most
// one search runs at a time; every change of the position stops it.

import { stream } from "../api.js";
import { copyText, h } from "../dom.js";
import { plural } from "../runs/words.js";
import { thoughtsOf } from "./thinking.js";

/** Least time between two changes of the address, in milliseconds. */
const ADDRESS_INTERVAL = 250;

/** The player that shows a search tree if the hint player has none. */
const TREE_PLAYER = { spec: "mcts(sims=20000)", budget: { value: "" } };

/** A game in progress. */
export class Table {
  /** @param {any} parts of `view` @param {import("./record.js").Record} record @param {any} game */
  constructor(parts, record, game) {
    this.parts = parts;
    this.record = record;
    this.game = game;
    this.left = false;
    this.mind = null;
    /** Analyses of positions by their moves: best line and side to move. */
    this.judged = new Map();
    /** Number of the last refresh; an outdated one shows nothing. */
    this.turns = 0;
    this.paused = this.machines() && record.moves.length > 0;
    this.wire();
  }

  /** Whether no person plays. */
  machines() {
    const { first, second } = this.parts.seats;
    return !first.isPerson && (this.game.puzzle || !second.isPerson);
  }

  wire() {
    const { parts, record } = this;
    const on = (element, action) => element.addEventListener("click", () => this.answer(action));
    parts.refused = (sentence) => { parts.status.textContent = `${this.said(this.position)}; ${sentence}`; };
    parts.played = (move) => this.answer(() => this.play(move));
    parts.changed = () => this.answer(() => this.refresh());
    on(parts.toStart, () => this.look(0));
    on(parts.back, () => this.look(record.at - 1));
    on(parts.forward, () => this.look(record.at + 1));
    on(parts.toEnd, () => this.look(record.moves.length));
    on(parts.undo, () => this.undo());
    on(parts.hint, () => this.consider(parts.analyst, false));
    on(parts.stop, () => this.moveNow());
    on(parts.pause, () => {
      this.paused = !this.paused;
      return this.refresh();
    });
    parts.analyse.addEventListener("change", () => this.answer(() => this.refresh()));
    parts.tree.element.addEventListener("toggle", () => {
      if (parts.tree.isWanted && !parts.tree.branches && !this.mind && this.position?.turn) {
        const own = parts.analyst.spec.startsWith("mcts") || !this.game.players.includes("mcts");
        this.answer(() => this.consider(own ? parts.analyst : TREE_PLAYER, false));
      }
    });
    parts.typed.form.addEventListener("submit", (event) => {
      event.preventDefault();
      const move = parts.typed.value.trim();
      if (move) this.answer(() => this.play(move).then(() => { parts.typed.value = ""; }));
    });
    this.copies();
  }

  /** Steps through the moves by arrow keys, unless the board or a form has the focus. @param {KeyboardEvent} event */
  key(event) {
    if (event.target.closest?.("input, select, .board, .moves, .scroll") || event.ctrlKey || event.metaKey || event.altKey) return;
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step) this.answer(() => this.look(this.record.at + step));
  }

  copies() {
    const { parts, record } = this;
    const copy = (button, text) => button.addEventListener("click", () => this.answer(async () => {
      await copyText(await text());
      parts.status.textContent = `Copied: ${button.textContent.toLowerCase()}.`;
    }));
    copy(parts.copyLink, () => location.origin + record.address(parts.addressOfSeats()));
    copy(parts.copyMoves, () => record.moves.join(" "));
    copy(parts.copyState, async () => (await record.position()).state);
  }

  /** Runs an action and shows its error. */
  async answer(action) {
    this.parts.error.say();
    try {
      await action();
    } catch (error) {
      if (this.left || error.name === "AbortError") return;
      if (this.mind) this.parts.thinking.clear("");
      this.halt();
      this.parts.error.say(error);
    }
  }

  begin() {
    return this.answer(() => this.refresh());
  }

  /** Stops the search when the page is left. */
  leave() {
    this.left = true;
    clearTimeout(this.keeping);
    this.halt();
  }

  /** Updates the address at most a few times a second, because browsers limit that. */
  keepAddress() {
    clearTimeout(this.keeping);
    const keep = () => {
      this.kept = performance.now();
      this.record.keep(this.parts.addressOfSeats());
    };
    const wait = ADDRESS_INTERVAL - (performance.now() - (this.kept ?? -ADDRESS_INTERVAL));
    if (wait <= 0) keep();
    else this.keeping = setTimeout(keep, wait);
  }

  halt() {
    this.mind?.abort.abort();
    this.mind = null;
    this.parts.thinking.halt();
    this.parts.stop.disabled = true;
  }

  /** Plays a move; the analysis of its player stays visible. */
  async play(move) {
    const thought = this.mind?.moves ?? false;
    this.halt();
    await this.record.play(move);
    return this.refresh(thought);
  }

  look(at) {
    this.halt();
    this.record.go(at);
    return this.refresh();
  }

  /** Takes back moves to the last turn of a person, or one move if no person plays. */
  async undo() {
    this.halt();
    const { record, parts } = this;
    const machines = this.machines();
    const isOfPerson = async (at) => parts.seats[(await record.positionAfter(at)).turn].isPerson;
    let at = record.moves.length - 1;
    while (!machines && at > 0 && !(await isOfPerson(at))) at--;
    record.takeBack(record.moves.length - at);
    if (machines) this.paused = true;
    return this.refresh();
  }

  /** Shows the selected position, and starts the player to move. */
  async refresh(keepThoughts = false) {
    this.halt();
    const { parts, record } = this;
    const turn = ++this.turns;
    const position = await record.position();
    if (this.left || turn !== this.turns) return undefined;
    this.position = position;
    const seat = position.turn ? parts.seats[position.turn] : null;
    const person = seat?.isPerson ?? false;
    const label = `${this.game.name}, ${this.said(position)}`;
    parts.board.show(position.scene, person || (seat && this.paused) ? position.legal : [], label);
    parts.title.textContent = record.game;
    parts.caption.textContent = position.scene.caption;
    parts.legal.replaceChildren(...position.legal.map(({ move }) => h("option", { value: move })));
    parts.status.textContent = this.said(position);
    this.showMoves();
    this.showControls(position);
    this.keepAddress();
    if (!keepThoughts) parts.tree.clear();
    this.evaluate(position);
    const moves = seat && !person && !this.paused && record.isLast;
    if (moves) return this.consider(seat, true);
    if (seat && parts.analyse.checked) return this.consider(parts.analyst, false);
    if (!keepThoughts) parts.thinking.clear();
    return undefined;
  }

  /** Shows the analysis of the shown position, if any. */
  evaluate(position) {
    const { parts, record } = this;
    const judged = this.judged.get(record.keyOf(record.at));
    if (position.outcome) parts.evaluation.end(position.outcome, position.result);
    else parts.evaluation.show(judged?.line ?? null, judged?.turn ?? null);
  }

  /** Stores a choice: the value of its best line, and finally of every move. */
  judge(choice, turn, done) {
    const { record } = this;
    const here = record.keyOf(record.at);
    const best = choice.lines.find((line) => line.move === choice.best);
    if (best) this.judged.set(here, { line: best, turn });
    for (const line of done ? choice.lines : []) this.judged.set(here ? `${here} ${line.move}` : line.move, { line, turn });
  }

  said(position) {
    const { record, parts } = this;
    if (position.result) return `${position.result} after ${plural(record.at, "move")}`;
    const seat = parts.seats[position.turn];
    const who = seat.isPerson ? "your move" : this.paused ? `${seat.spec}, paused` : `${seat.spec} to move`;
    const side = this.game.puzzle ? "" : `${position.turn}: `;
    const last = record.at > 0 ? `after ${record.moves[record.at - 1]}, ` : "";
    return `${last}${side}${who}${record.isLast ? "" : ` (move ${record.at} of ${record.moves.length})`}`;
  }

  showMoves() {
    const { record, parts } = this;
    parts.moves.replaceChildren(...record.moves.map((move, i) =>
      h("li", {}, h("button", {
        type: "button", class: "quiet", "aria-current": record.at === i + 1 ? "step" : null,
        onclick: () => this.answer(() => this.look(i + 1)),
      }, move))));
    const current = parts.moves.querySelector("[aria-current]");
    if (current) parts.moves.scrollTop = current.parentElement.offsetTop - parts.moves.clientHeight / 2;
  }

  showControls(position) {
    const { record, parts } = this;
    parts.toStart.disabled = parts.back.disabled = record.at === 0;
    parts.forward.disabled = parts.toEnd.disabled = record.isLast;
    parts.undo.disabled = record.moves.length === 0;
    parts.hint.disabled = !position.turn;
    const people = parts.seats.first.isPerson && (this.game.puzzle || parts.seats.second.isPerson);
    parts.pause.disabled = people || !position.turn;
    parts.pause.textContent = this.paused ? "Go on" : "Pause";
    parts.pause.setAttribute("aria-pressed", String(this.paused));
  }

  /** Starts a player's search in the shown position, and plays its move if it is its turn. */
  async consider(seat, moves) {
    this.halt();
    const mind = { abort: new AbortController(), player: seat.spec, best: null, moves, began: performance.now() };
    this.mind = mind;
    const { parts, position } = this;
    parts.stop.disabled = !moves;
    const choice = await this.follow(mind, seat, position);
    if (this.mind !== mind || !choice) return;
    if (!moves) return this.halt();
    const rest = Number(parts.pace.value) - (performance.now() - mind.began);
    if (rest > 0 && (this.machines() || choice.seconds < 0.05)) await new Promise((done) => setTimeout(done, rest));
    if (this.mind === mind) await this.play(choice.best);
  }

  /** Shows reports until the choice arrives. */
  async follow(mind, seat, position) {
    const { parts, record, game } = this;
    const question = { ...record.place, player: seat.spec, tree: parts.tree.isWanted };
    if (seat.budget.value.trim()) question.budget = seat.budget.value.trim();
    let { spec: player } = seat;
    parts.thinking.begin(player);
    parts.tree.clear();
    for await (const { event, data } of stream("/api/choose", question, mind.abort.signal)) {
      if (this.mind !== mind) return null;
      if (event === "waiting") parts.status.textContent = `${player} waits for its turn to think…`;
      else if (event === "thinking") player = data.player;
      else if (event === "error") throw new Error(data.error);
      else if (event === "tree") parts.tree.show(data);
      else {
        mind.best = data.best;
        parts.thinking.show(data, player, game.puzzle, event === "choice");
        parts.board.think(thoughtsOf(data, position.legal, game.puzzle));
        this.judge(data, position.turn, event === "choice");
        this.evaluate(position);
        if (event === "choice") return data;
      }
    }
    throw new Error("the server broke off before the move was chosen");
  }

  /** Stops the search and plays the best move it has found so far. */
  moveNow() {
    const { mind, parts } = this;
    if (!mind?.moves) return undefined;
    if (mind.best) return this.play(mind.best);
    // Without an intermediate result the page has to wait for the player's choice.
    parts.status.textContent = `${mind.player} cannot be hurried: it tells no move until it is done, after ${parts.thinking.limit} s at the latest; Pause stops it`;
    return undefined;
  }
}
