// Controls a game on the page Play: moves of people and players, searches, variations, buttons.

import { h } from "../dom.js";
import { go } from "../router.js";
import { plural } from "../runs/words.js";
import { canFlip } from "../scene.js";
import { Evaluations, withExpectedScores } from "./evaluations.js";
import { KeptGames } from "./kept_game.js";
import { keyAction } from "./keys.js";
import { Searches } from "./searches.js";
import { captionOf, endText, resultFor, turnText } from "./sentences.js";
import { thoughtsOf } from "./thinking.js";
import { keyTo } from "./tree_text.js";

/** Least time between two changes of the address, in milliseconds. */
const ADDRESS_INTERVAL = 250;

/** The player that shows a search tree if the analyst has none. */
const TREE_PLAYER = { spec: "mcts(sims=20000)", budget: { value: "" } };

/** A game in progress. */
export class Table {
  /** @param {any} parts of `view` @param {import("./record.js").Record} record @param {any} game */
  constructor(parts, record, game) {
    this.parts = parts;
    this.record = record;
    this.game = game;
    this.left = false;
    /** @type {any} the shown position */
    this.position = null;
    this.evaluations = new Evaluations(game.puzzle);
    this.keptGames = new KeptGames();
    parts.status.after(this.keptGames.link);
    this.searches = new Searches({
      place: () => record.place, isTreeWanted: () => parts.tree.isWanted,
      told: (search, event, data) => this.told(search, event, data), ended: () => this.searchEnded(),
    });
    /** Number of the last refresh; an outdated one shows nothing. */
    this.turns = 0;
    this.paused = this.machines() && record.moves.length > 0;
    this.wire();
    this.tab(parts.tab);
  }

  /** Whether no person plays. */
  machines() {
    const { first, second } = this.parts.seats;
    return !first.isPerson && (this.game.puzzle || !second.isPerson);
  }

  wire() {
    const { parts, record } = this;
    const on = (element, action) => element.addEventListener("click", () => this.answer(action));
    const act = (action) => (...values) => this.answer(() => action(...values));
    parts.act = {
      record: () => record, evaluations: () => this.evaluations, reviewed: () => this.showValues(), reviewing: () => this.searches.stop("adviser"),
      refused: (sentence) => { parts.status.textContent = `${this.said(this.position)}; ${sentence}`; },
      played: act((move) => this.play(move)), named: act((move) => this.playNamed(move)), followed: act((moves) => this.follow(moves)), changed: act(() => this.refresh()),
      chosen: act((node) => this.show(() => record.select(node))), jumped: act((at) => this.look(at)),
      promoted: act((node) => this.show(() => record.promote(node))), removed: act((node) => this.show(() => record.remove(node))),
      commented: act((node, text) => this.show(() => { node.comment = text; })),
      tab: (id) => this.tab(id),
    };
    on(parts.toStart, () => this.look(0));
    on(parts.back, () => this.look(record.at - 1));
    on(parts.forward, () => this.look(record.at + 1));
    on(parts.toEnd, () => this.look(record.moves.length));
    on(parts.undo, () => this.undo());
    on(parts.hint, () => this.advise(parts.analyst));
    on(parts.flip, () => this.flip());
    on(parts.stop, () => this.moveNow());
    on(parts.pause, () => this.pause());
    on(parts.rematch, () => this.rematch(false));
    on(parts.swap, () => this.rematch(true));
    for (const control of [parts.analyse, parts.thinking.count]) control.addEventListener("change", () => this.answer(() => this.refresh()));
    parts.typed.form.addEventListener("submit", (event) => {
      event.preventDefault();
      const move = parts.typed.value.trim();
      if (move) this.answer(() => this.playNamed(move).then(() => { parts.typed.value = ""; }));
    });
  }

  /** Runs the action of a key, unless a form or the board has the focus. @param {KeyboardEvent} event */
  key(event) {
    const action = keyAction(event, this);
    if (!action) return;
    event.preventDefault();
    this.answer(action);
  }

  /** Runs an action and shows its error. */
  async answer(action) {
    this.parts.error.say();
    try {
      await action();
    } catch (error) {
      if (this.left || error.name === "AbortError") return;
      // A search that failed has stopped by itself; the others go on.
      if (!this.searches.mover && !this.searches.adviser && this.parts.thinking.isBusy) this.parts.thinking.clear("");
      this.parts.error.say(error);
    }
  }

  begin() {
    return this.answer(() => this.refresh());
  }

  /** Stops everything when the page is left. */
  leave() {
    this.left = true;
    clearTimeout(this.keeping);
    this.searches.halt();
    this.parts.review.stop();
    this.parts.explorer.open(false);
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

  /** Changes what is shown, without waiting for the server. */
  show(change) {
    this.searches.halt();
    change();
    return this.refresh();
  }

  look(at) {
    return this.show(() => this.record.go(at));
  }

  /** Plays a move; the analysis of its player stays visible. */
  async play(move) {
    // A second click before the first move is shown is not a variation.
    if (this.isPlaying) return undefined;
    this.isPlaying = true;
    const thought = this.searches.mover !== null;
    try {
      await this.record.play(move);
    } finally {
      this.isPlaying = false;
    }
    this.keptGames.hasMoved ||= !thought;
    return this.refresh(thought);
  }

  /** Whether a person may move in the shown position: it is their turn, or no player is about to move. */
  mayMove() {
    const { turn } = this.position;
    return Boolean(turn) && (this.parts.seats[turn].isPerson || this.paused || !this.record.isLast);
  }

  /** Plays a move that a person has typed, or chosen beside the board. */
  async playNamed(move) {
    if (!this.mayMove()) {
      const { turn, sides } = this.position;
      throw new Error(turn ? `it is the turn of ${sides[turn === "first" ? 0 : 1]}, which ${this.parts.seats[turn].spec} plays; pause it to move for it` : "the game is over");
    }
    await this.play(move);
  }

  /** Plays the moves of a line that the analysis shows; players do not answer until a person moves on. */
  async follow(moves) {
    this.searches.halt();
    if (!this.machines()) this.paused = !(this.parts.seats.first.isPerson && this.parts.seats.second.isPerson);
    await this.record.playAll(moves);
    return this.refresh();
  }

  flip() {
    this.parts.board.flip();
    return this.refresh();
  }

  pause() {
    this.paused = !this.paused;
    return this.refresh();
  }

  /** Begins the same game again, with sides swapped or not. */
  rematch(swapped) {
    const seats = this.parts.addressOfSeats();
    const { first, second, "first-budget": firstBudget, "second-budget": secondBudget, flip, ...rest } = seats;
    const budgets = swapped ? { "first-budget": secondBudget, "second-budget": firstBudget } : { "first-budget": firstBudget, "second-budget": secondBudget };
    const given = Object.entries(budgets).filter(([, value]) => value);
    const query = new URLSearchParams({ game: this.record.game, first: swapped ? second : first, ...(second ? { second: swapped ? first : second } : {}), ...Object.fromEntries(given), ...rest });
    if (this.record.state !== null) query.set("state", this.record.state);
    if (swapped ? !flip && canFlip(this.position.scene) : flip) query.set("flip", "1");
    return go(`/play?${query}`);
  }

  /** Takes back moves to the last turn of a person, or one move if no person plays. */
  async undo() {
    this.searches.halt();
    const { record, parts } = this;
    const machines = this.machines();
    const isOfPerson = async (at) => parts.seats[(await record.positionAfter(at)).turn].isPerson;
    const count = record.moves.length;
    let at = count - 1;
    while (!machines && at > 0 && !(await isOfPerson(at))) at--;
    record.takeBack(count - at);
    if (machines) this.paused = true;
    return this.refresh();
  }

  tab(id) {
    this.parts.explorer.open(id === "explorer");
    this.parts.tree.isWanted = id === "tree";
    if (this.position) this.keepAddress();
    if (id === "tree" && !this.parts.tree.branches && !this.searches.mover && this.position?.turn) this.answer(() => this.growTree());
  }

  /** Has the analyst search a tree, or a player that has one. */
  growTree() {
    const own = this.parts.analyst.spec.startsWith("mcts") || !this.game.players.includes("mcts");
    return this.advise(own ? this.parts.analyst : TREE_PLAYER);
  }

  /** Shows the selected position, and starts the player to move. */
  async refresh(keepThoughts = false) {
    this.searches.halt();
    this.hasHint = false;
    const { parts, record } = this;
    const turn = ++this.turns;
    const position = await record.position();
    if (this.left || turn !== this.turns) return undefined;
    this.position = position;
    const seat = position.turn ? parts.seats[position.turn] : null;
    parts.board.sides = position.sides;
    parts.board.show(position.scene, this.mayMove() ? position.legal : [], `${position.title}, ${this.said(position)}`);
    this.showTexts(position);
    this.showControls(position);
    this.keepAddress();
    this.keptGames.link.hidden = true;
    if (position.outcome) {
      this.evaluations.keepEnd(record.keyOf(record.at), position.outcome);
      this.keptGames.keep(record, this.evaluations, Object.values(parts.seats).slice(0, this.game.puzzle ? 1 : 2).map((one) => one.spec));
    }
    if (!keepThoughts) parts.tree.clear();
    this.showValues();
    parts.explorer.show(record.place, position);
    if (seat && !seat.isPerson && !this.paused && record.isLast) return this.move(seat);
    if (seat && parts.tree.isWanted) return this.growTree();
    if (seat && parts.analyse.checked) return this.advise(parts.analyst);
    if (!keepThoughts) parts.thinking.clear(seat ? undefined : "The game is over.");
    return undefined;
  }

  showTexts(position) {
    const { parts, record } = this;
    parts.title.textContent = position.title;
    parts.print.textContent = record.game;
    parts.caption.textContent = captionOf(position, this.game.puzzle);
    parts.legal.replaceChildren(...position.legal.map(({ move }) => h("option", { value: move })));
    parts.status.textContent = this.said(position);
    parts.status.classList.toggle("over", Boolean(position.outcome));
    parts.status.dataset.result = resultFor(position, parts.seats);
    parts.positions.show(record, position, {
      link: () => record.address(parts.addressOfSeats()), flipped: () => parts.board.flipped, home: parts.board.element,
    });
    parts.editor.show(record, position, parts.addressOfSeats, () => this.answer(() => this.refresh()));
  }

  /** Returns the sentence about the shown position. */
  said(position) {
    const { record, parts } = this;
    const { at } = record;
    if (position.outcome) return endText(position, parts.seats, this.game.puzzle, plural(at, "move"));
    return turnText(position, parts.seats[position.turn], { puzzle: this.game.puzzle, paused: this.paused, last: record.isLast, place: `move ${at} of ${record.moves.length}` });
  }

  /** Shows the values that are known: the bar, the graph and what the moves have lost. */
  showValues() {
    const { parts, record, evaluations } = this;
    const { keys, moves } = record;
    parts.evaluation.show(evaluations.of(keys[record.at]), this.position.sides);
    const judged = moves.map((move, i) => evaluations.judge(keys[i], keys[i + 1], move));
    parts.graph.show(keys.map((key) => evaluations.of(key)), judged, record.at);
    parts.moves.show(record.root, record.node, (node) => evaluations.judge(keyTo(node.parent), keyTo(node), node.move));
  }

  showControls(position) {
    const { record, parts } = this;
    parts.toStart.disabled = parts.back.disabled = record.at === 0;
    parts.forward.disabled = parts.toEnd.disabled = record.isLast;
    parts.undo.disabled = record.moves.length === 0;
    parts.hint.disabled = !position.turn;
    parts.flip.disabled = !canFlip(position.scene);
    const people = parts.seats.first.isPerson && (this.game.puzzle || parts.seats.second.isPerson);
    // Nobody is to move when the game is over.
    parts.pause.hidden = people || !position.turn;
    parts.pause.textContent = this.paused ? "Go on" : "Pause";
    parts.pause.setAttribute("aria-pressed", String(this.paused));
    parts.stop.hidden = people || !position.turn;
    parts.rematch.hidden = !position.outcome;
    parts.swap.hidden = !position.outcome || this.game.puzzle;
    for (const side of ["first", "second"]) parts.dots[side].parentElement?.classList.toggle("to-move", position.turn === side);
  }

  searchEnded() {
    if (!this.searches.mover && !this.searches.adviser) this.parts.thinking.halt();
    this.parts.stop.disabled = !this.searches.mover;
  }

  /** Has a player move. */
  async move(seat) {
    const { parts } = this;
    const began = performance.now();
    const choice = await this.searches.run("mover", seat, false);
    const search = this.searches.mover;
    if (!choice || !search) return;
    const rest = Number(parts.pace.value) - (performance.now() - began);
    if (rest > 0 && (this.machines() || choice.seconds < 0.05)) await new Promise((done) => setTimeout(done, rest));
    if (this.searches.mover === search) await this.play(choice.best);
  }

  /** Has a player value the moves of the shown position. */
  advise(seat) {
    return this.searches.run("adviser", seat, true);
  }

  /** Shows what a search tells. */
  told(search, event, data) {
    const { parts, position, game, record } = this;
    // From a hint on, the search of the opponent stays in the background until it has moved.
    if (search.role === "adviser") this.hasHint = true;
    else if (this.hasHint) return;
    if (event === "begin") {
      parts.stop.disabled = !this.searches.mover;
      parts.thinking.begin(search.player);
      parts.tree.clear();
    } else if (event === "waiting") parts.status.textContent = `${search.player} waits for its turn to think…`;
    else if (event === "tree") parts.tree.show(data);
    else if (event === "report" || event === "choice") {
      const done = event === "choice";
      const choice = withExpectedScores(data, search.player, game.puzzle ? 0 : position.advantage);
      parts.thinking.show(choice, search.player, game.puzzle, done);
      parts.board.think(thoughtsOf(choice, position.legal, game.puzzle, parts.thinking.lineCount));
      this.evaluations.keep(record.keyOf(record.at), choice, position.turn, { done, direct: search.role === "adviser" });
      if (done) this.showValues();
      else parts.evaluation.show(this.evaluations.of(record.keyOf(record.at)), position.sides);
    }
  }

  /** Stops the search and plays the best move it has found so far. */
  moveNow() {
    const { searches: { mover }, parts } = this;
    if (!mover) return undefined;
    if (mover.best) return this.play(mover.best);
    // Without an intermediate result the page has to wait for the player's choice.
    parts.status.textContent = `${mover.player} cannot be hurried: it tells no move until it is done, after ${parts.thinking.limit} s at the latest; Pause stops it`;
    return undefined;
  }

  /** Plays the best move that is known for the shown position. */
  playBest() {
    const best = this.evaluations.of(this.record.keyOf(this.record.at))?.best;
    return best && this.mayMove() ? this.play(best) : undefined;
  }
}
