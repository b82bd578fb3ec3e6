// A board with a model's value of each move: bars on the board, a table beside it. The user plays both
// sides; the address contains the model and the position.

import { stream } from "../api.js";
import { Board } from "../board.js";
import { errorPlace, h } from "../dom.js";
import { field } from "../form.js";
import { Record } from "../play/record.js";
import { nameOfSide, withSideNames } from "../play/sentences.js";
import { rename } from "../router.js";
import { coloursOf } from "../scene.js";
import { signed } from "../runs/words.js";

const button = (id, text, onclick) => h("button", { type: "button", id, onclick }, text);

/** Sorts the moves, best first, with each value scaled from [−1, +1] to [0, 1]. */
const weighed = (lines) => lines
  .map((line) => ({ ...line, share: (Math.max(-1, Math.min(1, line.value ?? 0)) + 1) / 2 }))
  .sort((a, b) => (b.value ?? 0) - (a.value ?? 0));

export class Mind {
  /** @param {{ file: string, game: string, player: string, what: string }[]} thinkers @param {URLSearchParams} query @param {AbortSignal} signal */
  constructor(thinkers, query, signal) {
    this.thinkers = thinkers;
    this.signal = signal;
    this.turns = 0;
    const wanted = query.get("model");
    const chosen = Math.max(0, thinkers.findIndex((one) => one.file === wanted));
    this.select = h("select", { id: "model", onchange: () => this.answer(() => this.take("")) },
      thinkers.map((one, i) => h("option", { value: i, selected: i === chosen }, `${one.what} ${one.file}: ${one.game}`)));
    this.first = query.get("moves") ?? "";
    this.board = new Board((move) => this.answer(() => this.play(move)));
    this.error = errorPlace();
    this.status = h("p", { id: "status", class: "status", role: "status", "aria-live": "polite" }, "…");
    this.rows = h("tbody");
    this.back = button("back", "Back", () => this.answer(() => this.takeBack()));
    this.again = button("start-over", "Start over", () => this.answer(() => this.take("")));
    this.best = button("best", "Play its best move", () => this.answer(() => this.play(this.choice)));
    this.element = this.layout();
    signal.addEventListener("abort", () => this.abort?.abort());
  }

  layout() {
    const head = ["move", "value", ""].map((text) => h("th", { scope: "col", class: text === "value" ? "num" : null }, text));
    return h("section", { class: "play mind", "aria-label": "What a model thinks" },
      h("div", { class: "stage" }, this.board.element, this.status, this.error,
        h("div", { class: "row controls", role: "group", "aria-label": "Controls" }, this.back, this.again, this.best)),
      h("div", { class: "side" }, h("div", { class: "panel" },
        h("h2", {}, "What it thinks of each move"), field("model", this.select),
        h("div", { class: "scroll thoughts", tabindex: 0, role: "region", "aria-label": "Every move with its value" },
          h("table", { id: "thoughts" }, h("thead", {}, h("tr", {}, head)), this.rows)),
        h("p", { class: "spent" }, "Values for the side to move, one ply ahead; a bar goes from −1, empty, to +1, full."))));
  }

  get thinker() {
    return this.thinkers[Number(this.select.value)];
  }

  begin() {
    return this.answer(() => this.take(this.first));
  }

  /** Runs an action and shows its error. */
  async answer(action) {
    this.error.say();
    try {
      await action();
    } catch (error) {
      if (!this.signal.aborted && error.name !== "AbortError") this.error.say(error);
    }
  }

  /** Starts from these moves of the model's game. */
  async take(moves) {
    this.record = await new Record(this.thinker.game, null, moves).open(null);
    await this.show();
  }

  async play(move) {
    await this.record.play(move);
    await this.show();
  }

  async takeBack() {
    this.record.takeBack(1);
    await this.show();
  }

  async show() {
    const turn = ++this.turns;
    const { record } = this;
    this.abort?.abort();
    const position = await record.position();
    if (this.signal.aborted || turn !== this.turns) return;
    const moved = record.moves.length === 0 ? "" : `after ${record.moves.at(-1)}: `;
    this.status.textContent = position.turn ? `${moved}${nameOfSide(position, position.turn)} to move` : withSideNames(position, position.result);
    for (const [name, value] of Object.entries(coloursOf(position.sides))) this.element.setAttribute(name, value);
    this.board.sides = position.sides;
    this.board.show(position.scene, position.legal, `${position.title}, ${this.status.textContent}`);
    this.rows.replaceChildren();
    this.back.disabled = this.again.disabled = record.moves.length === 0;
    this.best.disabled = true;
    const moves = record.moves.length > 0 ? { moves: record.moves.join(" ") } : {};
    rename(`/learning?${new URLSearchParams({ model: this.thinker.file, ...moves })}`);
    // The position is shown at once; the model's values may take a while.
    if (position.turn) this.answer(() => this.consider(turn, position));
  }

  async consider(turn, position) {
    const choice = await this.think();
    if (choice && turn === this.turns) this.tell(choice, position);
  }

  /** Requests the model's values of the position. */
  async think() {
    const abort = (this.abort = new AbortController());
    const question = { ...this.record.place, player: this.thinker.player };
    for await (const { event, data } of stream("/api/choose", question, abort.signal)) {
      if (event === "error") throw new Error(data.error);
      if (event === "choice") return data;
    }
    return null;
  }

  tell(choice, position) {
    const lines = weighed(choice.lines);
    const touches = new Map(position.legal.map((one) => [one.move, one.touches]));
    this.board.think(lines.filter((line) => touches.has(line.move)).map((line) => ({
      touches: touches.get(line.move), share: line.share, best: line.move === choice.best, text: signed(line.value, 2),
    })));
    this.rows.replaceChildren(...lines.map((line) => h("tr", { class: line.move === choice.best ? "best" : null, "data-move": line.move },
      h("th", { scope: "row" }, line.move), h("td", { class: "num" }, signed(line.value, 3)),
      h("td", { class: "share" }, h("meter", { min: 0, max: 1, value: line.share.toFixed(3), "aria-label": `${line.move} from −1 to +1` })))));
    this.choice = choice.best;
    this.best.disabled = false;
  }
}
