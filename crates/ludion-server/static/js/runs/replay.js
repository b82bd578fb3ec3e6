// Replays one game of a run: the board, the values that the players gave, and the moves with their costs.

import { get, getOnce } from "../api.js";
import { Board } from "../board.js";
import { errorPlace, h } from "../dom.js";
import { EvaluationBar } from "../play/evaluation_bar.js";
import { EvaluationGraph } from "../play/evaluation_graph.js";
import { Evaluations } from "../play/evaluations.js";
import { GameReview } from "../play/game_review.js";
import { MoveList } from "../play/move_list.js";
import { Record } from "../play/record.js";
import { strongOf } from "../play/seat.js";
import { captionOf, nameOfSide, withSideNames } from "../play/sentences.js";
import { keyTo } from "../play/tree_text.js";
import { rename } from "../router.js";
import { coloursOf } from "../scene.js";
import { nameOf } from "../spec.js";
import { addressOf, signed } from "./words.js";

const button = (id, text, label, onclick) => h("button", { type: "button", id, class: "step", title: label, "aria-label": label, onclick }, text);

/** A game of a run, and the position that is shown. */
class Replay {
  /** @param {any} game the answer of the server @param {{ capable: string }} listed the game in the list of games */
  constructor(game, listed) {
    this.game = game;
    this.board = new Board(() => {});
    this.record = new Record(game.game, game.start ?? null, [...game.opening, ...game.moves.map((ply) => ply.play)].join(" "));
    this.evaluations = new Evaluations(false);
    this.error = errorPlace();
    this.status = h("p", { id: "status", class: "status", role: "status", "aria-live": "polite" }, "…");
    this.caption = h("p", { class: "caption" });
    this.thought = h("p", { id: "thought", class: "caption" });
    this.bar = new EvaluationBar();
    const go = (at) => this.go(at);
    this.graph = new EvaluationGraph({ jumped: go, puzzle: false });
    this.moves = new MoveList({ chosen: (node) => { this.record.select(node); this.look(); } });
    this.review = new GameReview({
      record: () => this.record, evaluations: () => this.evaluations, changed: () => this.values(), began: () => {},
      analyst: ({ levels }) => ({ spec: strongOf(levels, listed.capable), budget: "" }),
    });
    this.play = h("a", { id: "play-here", class: "button" }, "Play from here");
    this.controls = {
      start: button("to-start", "|◀", "To the start", () => this.go(0)),
      back: button("back", "◀", "One move back", () => this.go(this.record.at - 1)),
      forward: button("forward", "▶", "One move forward", () => this.go(this.record.at + 1)),
      end: button("to-end", "▶|", "To the last move", () => this.go(Infinity)),
    };
  }

  /** Loads the position that is shown first, the start of the game if none is given. @param {string | null} at */
  async open(at) {
    await this.record.open(at ?? 0);
    const { record, game } = this;
    const { keys } = record;
    game.moves.forEach((ply, i) => this.evaluations.keepStored(keys[game.opening.length + i], ply.value, ply.side));
    this.position = await record.position();
    const last = record.keyOf(record.moves.length);
    if (game.won !== undefined) this.evaluations.keepEnd(last, { duel: game.won === null ? "drawn" : { won: game.won } });
  }

  go(at) {
    this.record.go(Math.min(at, this.record.moves.length));
    return this.look();
  }

  async look() {
    const { record } = this;
    try {
      this.position = await record.position();
      this.error.say();
      this.board.sides = this.position.sides;
      this.board.show(this.position.scene, [], `${this.position.title} after ${record.at} moves`);
      this.values();
      this.mark();
    } catch (error) {
      this.error.say(error);
    }
  }

  /** Shows the values that are known. */
  values() {
    const { record, evaluations } = this;
    const { keys, moves } = record;
    const judged = moves.map((move, i) => evaluations.judge(keys[i], keys[i + 1], move));
    this.bar.show(evaluations.of(keys[record.at]), this.position.sides);
    this.graph.show(keys.map((key) => evaluations.of(key)), judged, record.at);
    this.moves.show(record.root, record.node, (node) => evaluations.judge(keyTo(node.parent), keyTo(node), node.move));
  }

  mark() {
    const { record, game, position } = this;
    const { at } = record;
    const { start, back, forward, end } = this.controls;
    start.disabled = back.disabled = at === 0;
    forward.disabled = end.disabled = record.isLast;
    this.status.textContent = record.isLast ? withSideNames(position, game.ended) : position.turn ? `${nameOfSide(position, position.turn)} to move` : "no side to move";
    this.caption.textContent = captionOf(position, false);
    this.thought.textContent = this.thoughtOf(at);
    this.play.href = `/play?${new URLSearchParams({ game: record.game, moves: record.moves.slice(0, at).join(" "), first: "human", second: "human", ...(record.state === null ? {} : { state: record.state }) })}`;
    rename(`${addressOf(game.run, game.number)}&at=${at}`);
  }

  /** Returns the player of the move before position `at`, its value of the move, nodes and time. */
  thoughtOf(at) {
    const { opening, moves } = this.game;
    const players = this.game.names ?? this.game.players;
    if (at === 0) return "";
    if (at <= opening.length) return "a random move of the opening";
    const ply = moves[at - 1 - opening.length];
    const seconds = ply.time.secs + ply.time.nanos / 1e9;
    const parts = [players[ply.side === "first" ? 0 : 1], ply.value === null ? null : `value ${signed(ply.value, 3)}`,
      ply.nodes > 0 ? `${ply.nodes.toLocaleString("en")} nodes` : null, `${(1000 * seconds).toFixed(seconds < 0.1 ? 1 : 0)} ms`];
    return parts.filter(Boolean).join(" · ");
  }

  key(event) {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step || event.defaultPrevented || event.target.closest("input, select, textarea, .board, [role=slider]") || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    this.go(this.record.at + step);
  }

  /** Returns a player under the board, with the colour of its side. */
  seat(side, i) {
    const { game } = this;
    return h("div", { class: "seat-row" }, h("i", { class: `dot ${side}` }), h("span", { class: "side-name" }, this.position.sides[i]),
      h("span", { class: "player-name" }, (game.names ?? game.players)[i]));
  }

  layout(run) {
    const { game, position } = this;
    const number = game.number;
    const { start, back, forward, end } = this.controls;
    const other = (n, text) => h("a", { href: addressOf(game.run, n) }, text);
    const stage = h("div", { class: "stage" },
      h("div", { class: "board-row" }, this.bar.element, this.board.element),
      h("div", { class: "seat-rows" }, this.seat("first", 0), this.seat("second", 1)),
      this.status, this.caption, this.error,
      h("div", { class: "row controls", role: "group", "aria-label": "Moves" }, start, back, forward, end, this.play));
    return h("div", { class: "play table replay", ...coloursOf(position.sides) },
      h("div", { class: "title-row" }, h("h1", {}, `${position.title}, game ${game.run}.${number}`), h("code", { class: "spec" }, game.game)),
      stage,
      h("div", { class: "side" },
        h("section", { class: "panel moves-panel", "aria-label": "Moves" },
          h("div", { class: "moves-head" }, h("h2", {}, "Moves"), this.review.button), this.moves.element, this.thought, this.review.element),
        h("section", { class: "graph-section", "aria-label": "Evaluation" }, this.graph.element),
        h("section", { class: "panel", "aria-label": "Game" },
          h("dl", { class: "facts" },
            h("dt", {}, "result"), h("dd", {}, withSideNames(position, game.ended)),
            h("dt", {}, "opening"), h("dd", {}, game.opening.join(" ") || "none"))),
        h("p", { class: "row" }, h("a", { href: addressOf(game.run) }, `Run ${game.run}`),
          number > 0 ? other(number - 1, "Game before") : null,
          number + 1 < run.done ? other(number + 1, "Next game") : null)));
  }
}

/** @param {HTMLElement} main @param {string} run @param {string} number @param {string | null} at @param {AbortSignal} signal */
export async function showGame(main, run, number, at, signal) {
  const [game, { total }, { games }] = await Promise.all([
    get(`/api/runs/${run}/games/${number}`, signal), get(`/api/runs/${run}/games?count=1`, signal), getOnce("/api/games")]);
  const replay = new Replay(game, games.find((one) => one.name === nameOf(game.game)) ?? { capable: "random" });
  await replay.open(at);
  if (signal.aborted) return;
  main.append(replay.layout({ done: total }));
  document.title = `game ${run}.${number} · Ludion`;
  document.addEventListener("keydown", (event) => replay.key(event), { signal });
  signal.addEventListener("abort", () => replay.review.stop());
  await replay.look();
}
