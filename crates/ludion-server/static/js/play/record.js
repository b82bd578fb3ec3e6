// A game in progress, stored in the address of the page: game, initial state, moves and the players of
// both seats. Positions come from the server and are cached, so that stepping is immediate.

import { post } from "../api.js";
import { rename } from "../router.js";

/** A game in progress, and the number of moves after which it is shown. */
export class Record {
  /** @param {string} game @param {string | null} state @param {string} moves */
  constructor(game, state, moves) {
    this.game = game;
    this.state = state;
    this.text = moves;
    this.moves = [];
    this.at = 0;
    this.positions = new Map();
  }

  /** Loads the game of the address; throws the server's error. */
  async open(at) {
    const position = await this.ask(this.text);
    this.game = position.game;
    this.moves = position.moves;
    this.positions.set(this.moves.join(" "), position);
    this.at = at === null || !(at >= 0) ? this.moves.length : Math.min(Number(at), this.moves.length);
    return this;
  }

  ask(moves) {
    const state = this.state === null ? {} : { state: this.state };
    return post("/api/position", { game: this.game, moves, ...state });
  }

  /** Returns the shown position as the fields of a request. */
  get place() {
    const place = { game: this.game, moves: this.moves.slice(0, this.at).join(" ") };
    return this.state === null ? place : { ...place, state: this.state };
  }

  get isLast() {
    return this.at === this.moves.length;
  }

  /** Returns the shown position as the server describes it. */
  position() {
    return this.positionAfter(this.at);
  }

  /** Returns the cache key of the position after `count` moves. @param {number} count */
  keyOf(count) {
    return this.moves.slice(0, count).join(" ");
  }

  /** Returns the position after `count` moves. @param {number} count */
  async positionAfter(count) {
    const key = this.keyOf(count);
    if (!this.positions.has(key)) this.positions.set(key, await this.ask(key));
    return this.positions.get(key);
  }

  /** Plays a move in the shown position; later moves are dropped. */
  async play(move) {
    const line = [...this.moves.slice(0, this.at), move];
    const position = await this.ask(line.join(" "));
    this.moves = position.moves;
    this.at = this.moves.length;
    this.positions.set(this.moves.join(" "), position);
  }

  /** Shows the position after `at` moves. */
  go(at) {
    this.at = Math.max(0, Math.min(at, this.moves.length));
  }

  /** Takes back the last moves. */
  takeBack(count) {
    this.moves = this.moves.slice(0, Math.max(0, this.moves.length - count));
    this.at = this.moves.length;
  }

  /** Returns the address of this position. @param {Record<string, string>} seats */
  address(seats) {
    const query = new URLSearchParams({ game: this.game, ...seats });
    if (this.state !== null) query.set("state", this.state);
    if (this.moves.length > 0) query.set("moves", this.moves.join(" "));
    if (!this.isLast) query.set("at", String(this.at));
    return `/play?${query}`;
  }

  /** Updates the address of the page. */
  keep(seats) {
    rename(this.address(seats));
  }
}
