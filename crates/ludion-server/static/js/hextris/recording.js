// A solution replayed by the server, at any moment: moment k is after k characters. The server
// reports moves, locks and phrases; this module places cells on the board and removes full rows.
// Boards share unchanged rows.

import { cellsOf } from "./board.js";

const NOT_LIT = 0xffffffff;

export class Recording {
  /** @param {any} problem @param {string} solution @param {any} replayed the answer of the server */
  constructor(problem, solution, replayed) {
    this.problem = problem;
    this.solution = "";
    this.what = "";
    this.x = [];
    this.y = [];
    this.turn = [];
    this.spelling = [];
    this.litAt = [];
    this.locks = [];
    this.spelled = [];
    this.boards = [problem.rows];
    this.totals = [{ points: 0, lines: 0 }];
    this.extend(solution, replayed);
  }

  /** Appends the frames of further characters of the solution. */
  extend(solution, replayed) {
    const { frames } = replayed;
    this.solution = solution;
    this.phrases = replayed.phrases;
    this.units = replayed.units;
    this.legal = replayed.legal;
    this.verdict = replayed.verdict;
    this.complaint = replayed.complaint;
    this.what += frames.what;
    for (const name of ["x", "y", "turn", "spelling"]) for (const value of frames[name]) this[name].push(value);
    for (let i = 0; i < frames.what.length; i++) this.litAt.push(NOT_LIT);
    for (const lock of replayed.locks) this.lock(lock);
    for (const { at, phrase } of replayed.spelled) {
      this.spelled.push({ at, phrase });
      for (let i = at + 1 - this.phrases[phrase].length; i <= at; i++) this.litAt[i] = Math.min(this.litAt[i], at);
    }
  }

  lock({ at, lines, points }) {
    const locked = this.locks.length;
    const rows = [...this.boards[locked]];
    for (const { x, y } of cellsOf(this.shape(locked), this.placement(at, locked))) {
      rows[y] = `${rows[y].slice(0, x)}#${rows[y].slice(x + 1)}`;
    }
    if (lines > 0) {
      const left = rows.filter((row) => row.includes("."));
      rows.splice(0, rows.length, ...Array(lines).fill(".".repeat(this.problem.width)), ...left);
    }
    this.locks.push({ at, lines, points });
    this.boards.push(rows);
    const before = this.totals[locked];
    this.totals.push({ points: before.points + points, lines: before.lines + lines });
  }

  get length() {
    return this.what.length;
  }

  shape(number) {
    return this.problem.shapes[this.units[number]];
  }

  /** Returns the placement of the current unit at moment `at`, when `locked` units had locked. */
  placement(at, locked) {
    const came = locked === 0 ? 0 : this.locks[locked - 1].at + 1;
    if (at === came) return this.shape(locked).spawn;
    return { x: this.x[at - 1], y: this.y[at - 1], turn: this.turn[at - 1] };
  }

  /** Returns how many events of a list that is sorted by `at` happened before moment `at`. */
  static before(list, at) {
    let [low, high] = [0, list.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (list[middle].at < at) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Returns everything that is shown at a moment: board, unit, scores, next units. @param {number} at */
  moment(at) {
    const failed = at > 0 && this.what[at - 1] === "e";
    const locked = Recording.before(this.locks, at);
    const over = locked >= this.problem.source_length || (locked === this.locks.length && this.verdict.status === "full");
    const { points, lines } = this.totals[locked];
    const counts = new Map();
    let power = 0;
    for (const { phrase } of this.spelled.slice(0, Recording.before(this.spelled, at))) {
      const count = counts.get(phrase) ?? 0;
      power += 2 * this.phrases[phrase].length + (count === 0 ? 300 : 0);
      counts.set(phrase, count + 1);
    }
    // A wrong character does not move the unit.
    const placement = over ? null : this.placement(failed ? at - 1 : at, locked);
    const ghost = this.lockPlace(locked, failed);
    return {
      ghost: ghost ? cellsOf(this.shape(locked), ghost) : [],
      rows: this.boards[locked], cells: placement ? cellsOf(this.shape(locked), placement) : [], placement,
      locked, lines, points, power, counts, failed, over,
      next: this.units.slice(locked + 1).filter((_, i) => locked + 1 + i < this.problem.source_length).slice(0, 3).map((unit) => this.problem.shapes[unit]),
      spelling: at > 0 && !failed ? this.spelling[at - 1] : 0,
    };
  }

  /** Returns where unit `locked` will lock; at an error, the earlier placement that it repeats. */
  lockPlace(locked, failed) {
    if (failed) return this.verdict.error?.repeats?.placement ?? null;
    const lock = this.locks[locked];
    return lock ? this.placement(lock.at, locked) : null;
  }

  /** Returns the last moment before `at` at which a unit locked, or 0. */
  lockBefore(at) {
    const index = Recording.before(this.locks, at - 1);
    return index > 0 ? this.locks[index - 1].at + 1 : 0;
  }

  /** Returns the first moment after `at` at which a unit locks, or the end. */
  lockAfter(at) {
    const index = Recording.before(this.locks, at);
    return index < this.locks.length ? this.locks[index].at + 1 : this.length;
  }
}
