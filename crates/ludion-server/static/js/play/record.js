// A game with its variations, stored in the address of the page: game, initial state, moves, and the
// players of both seats. Positions come from the server and are cached, so that stepping is immediate.

import { positionOf } from "../first_position.js";
import { rename } from "../router.js";
import { childOf, hasMore, keyTo, newNode, readTree, treeText } from "./tree_text.js";

/** @typedef {import("./tree_text.js").MoveNode} MoveNode */

/** Longest text of variations that an address holds, in characters. */
const MAX_TREE = 6000;

/** A game with its variations, and the position that is shown. */
export class Record {
  /** @param {string} game @param {string | null} state @param {string} moves @param {string | null} [tree] */
  constructor(game, state, moves, tree = null) {
    this.game = game;
    this.state = state;
    this.text = moves;
    this.root = tree ? readTree(tree) : newNode("", null);
    /** @type {MoveNode} the node of the shown position */
    this.node = this.root;
    this.positions = new Map();
  }

  /** Loads the game of the address; throws the server's error. */
  async open(at) {
    const position = await this.ask(this.text);
    this.game = position.game;
    this.node = position.moves.reduce(childOf, this.root);
    this.remember();
    this.positions.set(position.moves.join(" "), position);
    this.go(at === null || !(at >= 0) ? position.moves.length : Number(at));
    return this;
  }

  ask(moves) {
    return positionOf(this.game, this.state, moves);
  }

  /** Returns the nodes from the first move to the shown position. @returns {MoveNode[]} */
  get path() {
    const path = [];
    for (let node = this.node; node.parent; node = node.parent) path.unshift(node);
    return path;
  }

  /** Returns the nodes of the shown line: the path, and the moves that follow it. @returns {MoveNode[]} */
  get line() {
    const line = this.path;
    for (let node = this.node.last ?? this.node.children[0]; node; node = node.last ?? node.children[0]) line.push(node);
    return line;
  }

  get moves() {
    return this.line.map((node) => node.move);
  }

  get at() {
    return this.path.length;
  }

  get isLast() {
    return this.node.children.length === 0;
  }

  /** Returns the shown position as the fields of a request. */
  get place() {
    return this.placeAfter(this.at);
  }

  /** Returns a position of the shown line as the fields of a request. @param {number} count */
  placeAfter(count) {
    const place = { game: this.game, moves: this.keyOf(count) };
    return this.state === null ? place : { ...place, state: this.state };
  }

  /** Returns the shown position as the server describes it. */
  position() {
    return this.positionAfter(this.at);
  }

  /** Returns the cache key of the position after `count` moves. @param {number} count */
  keyOf(count) {
    return count === 0 ? "" : keyTo(this.line[count - 1] ?? this.line.at(-1) ?? this.root);
  }

  /** Returns the cache keys of all positions of the shown line. */
  get keys() {
    return ["", ...this.line.map(keyTo)];
  }

  /** Returns the position after `count` moves. @param {number} count */
  async positionAfter(count) {
    const key = this.keyOf(count);
    if (!this.positions.has(key)) this.positions.set(key, await this.ask(key));
    return this.positions.get(key);
  }

  /** Plays a move in the shown position; another move that was played there stays as a variation. */
  async play(move) {
    const from = this.node;
    const key = [...this.path.map((node) => node.move), move].join(" ");
    const position = this.positions.get(key) ?? await this.ask(key);
    this.node = childOf(from, position.moves.at(-1));
    this.remember();
    this.positions.set(position.moves.join(" "), position);
  }

  /** Plays several moves from the shown position. @param {string[]} moves */
  async playAll(moves) {
    for (const move of moves) await this.play(move);
  }

  /** Makes the path to the shown position the one that stepping forward follows. */
  remember() {
    for (let node = this.node; node.parent; node = node.parent) node.parent.last = node;
  }

  /** Shows the position after `at` moves of the shown line. */
  go(at) {
    const line = this.line;
    const count = Math.max(0, Math.min(at, line.length));
    this.node = count === 0 ? this.root : line[count - 1];
  }

  /** Shows the position of a node. @param {MoveNode} node */
  select(node) {
    this.node = node;
    this.remember();
  }

  /** Takes back the last moves of the shown line. */
  takeBack(count) {
    this.go(this.moves.length - count + 1);
    if (this.node.parent) this.remove(this.node);
  }

  /** Removes a node with everything after it. @param {MoveNode} node */
  remove(node) {
    const { parent } = node;
    if (this.path.includes(node)) this.node = parent;
    parent.children = parent.children.filter((child) => child !== node);
    if (parent.last === node) parent.last = null;
  }

  /** Makes the variation of a node the first one at every branch. @param {MoveNode} node */
  promote(node) {
    for (let at = node; at.parent; at = at.parent) {
      at.parent.children = [at, ...at.parent.children.filter((child) => child !== at)];
    }
  }

  /** Returns the tree as text. */
  get tree() {
    return treeText(this.root);
  }

  /** Returns the address of this position. @param {{ [name: string]: string }} seats */
  address(seats) {
    const query = new URLSearchParams({ game: this.game, ...seats });
    const { moves } = this;
    if (this.state !== null) query.set("state", this.state);
    if (moves.length > 0) query.set("moves", moves.join(" "));
    if (!this.isLast) query.set("at", String(this.at));
    if (hasMore(this.root) && this.tree.length <= MAX_TREE) query.set("tree", this.tree);
    return `/play?${query}`;
  }

  /** Updates the address of the page. */
  keep(seats) {
    rename(this.address(seats));
  }
}
