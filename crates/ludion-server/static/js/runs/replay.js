// Replays one game of a run: the board, and the moves with their players' values and costs.

import { get } from "../api.js";
import { Board } from "../board.js";
import { errorPlace, h } from "../dom.js";
import { Record } from "../play/record.js";
import { rename } from "../router.js";
import { addressOf, signed } from "./words.js";

const button = (id, text, label, onclick) => h("button", { type: "button", id, title: label, "aria-label": label, onclick }, text);

/** A game of a run, and the position that is shown. */
class Replay {
  /** @param {any} game the answer of the server */
  constructor(game) {
    this.game = game;
    this.board = new Board(() => {});
    this.record = new Record(game.game, game.start ?? null, [...game.opening, ...game.moves.map((ply) => ply.play)].join(" "));
    this.error = errorPlace();
    this.status = h("p", { id: "status", class: "status", role: "status", "aria-live": "polite" }, "…");
    this.thought = h("p", { class: "caption" });
    this.moves = h("ol", { id: "moves", class: "moves replay-moves", "aria-label": "Moves" });
    this.play = h("a", { id: "play-here" }, "Play from here");
    this.controls = {
      start: button("to-start", "|◀", "To the start", () => this.go(0)),
      back: button("back", "◀", "One move back", () => this.go(this.record.at - 1)),
      forward: button("forward", "▶", "One move forward", () => this.go(this.record.at + 1)),
      end: button("to-end", "▶|", "To the last move", () => this.go(Infinity)),
    };
  }

  /** Loads the position that is shown first, and lists the moves. @param {string | null} at */
  async open(at) {
    await (await this.record.open(at)).position();
    this.moves.append(...this.record.moves.map((move, i) =>
      h("li", {}, h("button", { type: "button", class: "quiet", onclick: () => this.go(i + 1) }, move))));
  }

  go(at) {
    this.record.go(Math.min(at, this.record.moves.length));
    return this.look();
  }

  async look() {
    const { record, game } = this;
    try {
      const position = await record.position();
      this.error.say();
      this.board.show(position.scene, [], `${game.game} after ${record.at} moves`);
      this.mark(position);
    } catch (error) {
      this.error.say(error);
    }
  }

  mark(position) {
    const { record, game } = this;
    const { at } = record;
    [...this.moves.querySelectorAll("button")].forEach((one, i) => {
      if (i + 1 === at) one.setAttribute("aria-current", "step");
      else one.removeAttribute("aria-current");
    });
    const current = this.moves.querySelector("[aria-current]");
    if (current) this.moves.scrollTop = current.offsetTop - this.moves.clientHeight / 2;
    const { start, back, forward, end } = this.controls;
    start.disabled = back.disabled = at === 0;
    forward.disabled = end.disabled = record.isLast;
    this.status.textContent = record.isLast ? game.ended : position.turn ? `${position.turn} to move` : "no side to move";
    this.thought.textContent = this.thoughtOf(at);
    this.play.href = `/play?${new URLSearchParams({ game: record.game, moves: record.moves.slice(0, at).join(" "), first: "human", second: "human" })}`;
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
    if (!step || event.target.closest("input, select, textarea, .board") || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    this.go(this.record.at + step);
  }

  layout(run) {
    const { game } = this;
    const number = game.number;
    const { start, back, forward, end } = this.controls;
    const other = (n, text) => h("a", { href: addressOf(game.run, n) }, text);
    return h("div", { class: "play" },
      h("h1", {}, `${game.game}, game ${game.run}.${number}`),
      h("div", { class: "stage" }, this.board.element, this.thought, this.status, this.error,
        h("div", { class: "row controls", role: "toolbar", "aria-label": "Moves" }, start, back, forward, end)),
      h("div", { class: "side" },
        h("section", { class: "panel", "aria-label": "Game" },
          h("h2", {}, "Players"),
          h("dl", { class: "facts" },
            h("dt", { class: "first" }, "first"), h("dd", {}, (game.names ?? game.players)[0]),
            h("dt", { class: "second" }, "second"), h("dd", {}, (game.names ?? game.players)[1]),
            h("dt", {}, "result"), h("dd", {}, game.ended),
            h("dt", {}, "opening"), h("dd", {}, game.opening.join(" ") || "none"))),
        h("section", { class: "panel", "aria-label": "Moves" }, h("h2", {}, "Moves"), this.moves, h("p", {}, this.play)),
        h("p", { class: "row" }, h("a", { href: addressOf(game.run) }, `Run ${game.run}`),
          number > 0 ? other(number - 1, "Game before") : null,
          number + 1 < run.done ? other(number + 1, "Next game") : null)));
  }
}

/** @param {HTMLElement} main @param {string} run @param {string} number @param {string | null} at @param {AbortSignal} signal */
export async function showGame(main, run, number, at, signal) {
  const [game, { total }] = await Promise.all([
    get(`/api/runs/${run}/games/${number}`, signal), get(`/api/runs/${run}/games?count=1`, signal)]);
  const replay = new Replay(game);
  await replay.open(at);
  if (signal.aborted) return;
  main.append(replay.layout({ done: total }));
  document.title = `game ${run}.${number} · Ludion`;
  document.addEventListener("keydown", (event) => replay.key(event), { signal });
  await replay.look();
}
