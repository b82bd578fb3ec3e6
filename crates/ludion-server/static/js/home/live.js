// A board where two players play a game of Connect Four, with the value of every move. A click on a
// column takes over the seat of the side to move.

import { isAway, post, stream } from "../api.js";
import { Board } from "../board.js";
import { h } from "../dom.js";
import { go } from "../router.js";
import { coloursOf } from "../scene.js";
import { signed } from "../runs/words.js";

const GAME = "connect4";
/** The moves before the players take over, so that there is something to think about. */
const OPENING = ["4", "4", "3", "5", "4", "4"];
/** The players of the two sides. */
const PLAYERS = { first: "mcts", second: "mcts" };
/** What a player may spend on a move. */
const BUDGET = "700ms";
/** Time for which a chosen move is shown before it is played, in milliseconds. */
const PAUSE = 900;
/** Number of moves listed. */
const LISTED = 7;

/** Waits, and until the page is visible. */
const rest = (time, signal) => new Promise((done) => {
  const look = () => (document.hidden && !signal.aborted ? setTimeout(look, PAUSE) : done(undefined));
  setTimeout(look, time);
});

export class LiveBoard {
  /** @param {AbortSignal} signal */
  constructor(signal) {
    this.signal = signal;
    this.moves = [...OPENING];
    this.game = 0;
    this.board = new Board((move) => go(this.address([...this.moves, move])));
    this.bar = h("div", { class: "live-fill" });
    this.meter = h("div", { class: "live-bar", role: "meter", "aria-label": "Evaluation for the first side", "aria-valuemin": -1, "aria-valuemax": 1, "aria-valuenow": 0 }, this.bar);
    this.title = h("h2", {}, "A player thinks");
    this.rows = h("tbody");
    this.status = h("p", { class: "live-status" });
    this.take = h("a", { href: "/play" }, "Take over a seat");
    this.again = h("button", { type: "button", class: "small", hidden: true, onclick: () => this.restart() }, "Another game");
    this.element = h("section", { class: "panel live", "aria-label": "Two players at Connect Four" },
      this.meter, this.board.element,
      h("div", { class: "live-side" }, this.title,
        h("table", { class: "live-moves" }, h("caption", { class: "skip" }, "Moves with their values"), this.rows)),
      h("div", { class: "live-foot" }, this.status, this.take, this.again));
    this.list([]);
  }

  address(moves) {
    const turn = this.moves.length % 2 === 0 ? "first" : "second";
    return `/play?${new URLSearchParams({ game: GAME, moves: moves.join(" "), ...PLAYERS, [turn]: "human" })}`;
  }

  /** Shows the position, before the page is inserted. */
  async open() {
    const position = await post("/api/position", { game: GAME, moves: this.moves.join(" ") }, this.signal);
    this.position = position;
    for (const [name, value] of Object.entries(coloursOf(position.sides))) this.element.setAttribute(name, value);
    this.board.show(position.scene, position.legal, `Connect Four, ${position.result ?? `${position.turn} to move`}`);
    this.take.href = this.address(this.moves);
    const name = PLAYERS[position.turn ?? "first"];
    this.title.textContent = position.turn ? `${name} thinks` : "The game is over";
    this.status.textContent = position.result ?? `${PLAYERS.first} against ${PLAYERS.second}, live`;
  }

  /** Plays the game until it is over or the page is left. */
  async play() {
    while (!this.signal.aborted && this.position.turn) {
      try {
        const choice = await this.think();
        if (!choice) return;
        await rest(PAUSE, this.signal);
        if (this.signal.aborted) return;
        this.moves.push(choice.best);
        await this.open();
      } catch (error) {
        if (this.signal.aborted) return;
        this.status.textContent = isAway(error) ? "The laboratory does not answer." : "The players wait: all cores are busy.";
        await rest(4 * PAUSE, this.signal);
      }
    }
    this.again.hidden = false;
    this.take.hidden = true;
  }

  async restart() {
    this.game += 1;
    this.moves = [...OPENING.slice(0, 2 + 2 * (this.game % 2))];
    this.again.hidden = true;
    this.take.hidden = false;
    await this.open();
    await this.play();
  }

  /** Returns the choice of the player whose turn it is, and shows what it thinks meanwhile. */
  async think() {
    const question = { game: GAME, moves: this.moves.join(" "), player: PLAYERS[this.position.turn], budget: BUDGET, seed: this.game + 1 };
    for await (const { event, data } of stream("/api/choose", question, this.signal)) {
      if (event === "error") throw new Error(data.error);
      if (event === "report" || event === "choice") this.tell(data);
      if (event === "choice") return data;
    }
    return null;
  }

  tell(choice) {
    const lines = [...choice.lines].sort((a, b) => b.visits - a.visits);
    const most = Math.max(1, ...lines.map(({ visits }) => visits));
    const touches = new Map(this.position.legal.map((one) => [one.move, one.touches]));
    this.board.think(lines.filter((line) => touches.has(line.move)).map((line) => ({
      touches: touches.get(line.move), share: line.visits / most, best: line.move === choice.best, text: signed(line.value, 2),
    })));
    this.list(lines.map((line) => [line.move, signed(line.value, 2), line.visits / most, line.move === choice.best]));
    const best = lines.find((line) => line.move === choice.best)?.value ?? 0;
    const first = this.position.turn === "second" ? -best : best;
    this.bar.style.height = `${(50 * (1 + first)).toFixed(1)}%`;
    this.meter.setAttribute("aria-valuenow", first.toFixed(2));
  }

  /** Fills the table; it always has the same number of rows, so that nothing moves. */
  list(lines) {
    this.rows.replaceChildren(...Array.from({ length: LISTED }, (_, i) => {
      const [move, value, share, best] = lines[i] ?? ["\u00a0", "", 0, false];
      return h("tr", { class: best ? "best" : null }, h("th", { scope: "row" }, move), h("td", { class: "num" }, value),
        h("td", {}, h("div", { class: "live-share" }, share > 0 ? bar(share) : null)));
    }));
  }
}

/** Creates a bar of this share of its place. */
function bar(share) {
  const element = h("div", { class: "live-visits" });
  element.style.width = `${(100 * share).toFixed(0)}%`;
  return element;
}
