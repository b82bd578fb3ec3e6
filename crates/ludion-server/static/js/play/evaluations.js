// What is known about the values of positions of a game, and what every move of it has lost. A value
// is that of the first side, from −1 to 1, or the points of a puzzle.

/** @typedef {{ value: number, turn: "first" | "second" | null, proven: { verdict: string, plies: number | null } | null, best: string | null, second: number | null, direct: boolean }} PositionValue */

/** Least loss of expected score of an inaccuracy, a mistake and a blunder, with their signs. */
export const LOSSES = [
  { least: 0.3, sign: "??", name: "blunder" },
  { least: 0.2, sign: "?", name: "mistake" },
  { least: 0.1, sign: "?!", name: "inaccuracy" },
];

/**
 * Returns a choice with values as expected scores from −1 to 1. Searches that average games or use a
 * learned evaluator give them; others count points, which are small fractions of a win.
 * @param {any} choice @param {string} player the spec of the player @param {number} advantage that is worth 0.7; 0 in a puzzle
 */
export function withExpectedScores(choice, player, advantage) {
  if (!advantage || player.includes("eval=") || choice.lines.some((line) => line.visits > 0)) return choice;
  const expected = (value) => value / Math.hypot(value, advantage);
  const lines = choice.lines.map((line) => (line.value === null || line.proven ? line : { ...line, value: expected(line.value) }));
  return { ...choice, lines };
}

/** Returns a value of the side to move as one of the first side. */
const forFirst = (value, turn) => (turn === "second" ? -value : value);

/** Returns the verdict seen by the other side. */
const turned = (proven) => proven && { ...proven, verdict: { win: "loss", loss: "win" }[proven.verdict] ?? proven.verdict };

/** The values of positions by their moves. */
export class Evaluations {
  /** @param {boolean} puzzle */
  constructor(puzzle) {
    this.puzzle = puzzle;
    /** @type {Map<string, PositionValue>} */
    this.values = new Map();
  }

  /** Returns what is known about a position. @param {string} key */
  of(key) {
    return this.values.get(key) ?? null;
  }

  /**
   * Keeps what a search found: the value of its position, and of those after each move until they are
   * searched themselves. Moves are judged by the searches of one analyst, not by those of the players.
   * @param {string} key @param {any} choice @param {"first" | "second"} turn @param {{ done: boolean, direct: boolean }} search
   */
  keep(key, choice, turn, { done, direct }) {
    const best = choice.lines.find((line) => line.move === choice.best);
    const known = this.values.get(key);
    if (best && best.value !== null && (direct || !known?.direct)) {
      const entry = { ...this.entry(best, turn, choice), direct };
      // A proof from the position before stays, where this search has only an estimate.
      const proof = known?.proven && !entry.proven ? { value: known.value, proven: known.proven, best: null, second: null } : {};
      this.values.set(key, { ...entry, ...proof });
    }
    if (!done) return;
    for (const line of choice.lines) {
      const after = key ? `${key} ${line.move}` : line.move;
      if (line.value !== null && !this.values.get(after)?.direct) {
        this.values.set(after, { ...this.entry(line, turn, null), best: null, direct: false });
      }
    }
  }

  entry(line, turn, choice) {
    const others = choice?.lines.filter((other) => other !== line && other.value !== null).map((other) => other.value) ?? [];
    return {
      value: this.puzzle ? line.value : forFirst(line.value, turn), turn,
      proven: line.proven ? (turn === "second" ? turned(line.proven) : line.proven) : null,
      best: choice?.best ?? null,
      second: others.length > 0 ? Math.max(...others) : null,
      direct: true,
    };
  }

  /** Keeps the value that a player gave when a game was played. @param {string} key @param {number | null} value @param {"first" | "second"} side */
  keepStored(key, value, side) {
    if (value === null || this.values.has(key)) return;
    this.values.set(key, { value: forFirst(value, side), turn: side, proven: null, best: null, second: null, direct: false });
  }

  /** Keeps the outcome of a game at its last position. */
  keepEnd(key, outcome) {
    const won = outcome?.duel?.won ?? null;
    const value = outcome?.duel === undefined ? outcome?.points ?? null : won === "first" ? 1 : won === "second" ? -1 : 0;
    if (value === null) return;
    const verdict = won === null ? "draw" : won === "first" ? "win" : "loss";
    this.values.set(key, { value, turn: null, proven: { verdict, plies: 0 }, best: null, second: null, direct: true });
  }

  /**
   * Judges the move from one position to the next: what it lost, as a share of the expected score.
   * @param {string} before @param {string} after @param {string} move
   * @returns {{ sign: string, name: string, text: string } | null}
   */
  judge(before, after, move) {
    const [from, to] = [this.values.get(before), this.values.get(after)];
    if (this.puzzle || !from?.direct || !to?.direct || !from.turn) return null;
    const side = from.turn === "first" ? 1 : -1;
    // A proof and an estimate do not compare.
    if (from.proven && !to.proven) return null;
    const loss = (side * (from.value - to.value)) / 2;
    const found = LOSSES.find(({ least }) => loss >= least);
    if (found) return { ...found, text: lossText(from, to, side, loss) };
    const isOnly = from.best === move && from.second !== null && (side * from.value - from.second) / 2 >= LOSSES[0].least;
    return isOnly ? { sign: "!", name: "only move", text: "the only good move" } : null;
  }
}

/** Says what a move has lost. */
function lossText(from, to, side, loss) {
  const better = from.best ? `; ${from.best} was better` : "";
  if (from.proven && to.proven) {
    const was = side > 0 ? from.proven : turned(from.proven);
    const is = side > 0 ? to.proven : turned(to.proven);
    if (was.verdict !== is.verdict) return `a ${was.verdict} became a ${is.verdict}${better}`;
  }
  return `−${loss.toFixed(2)} of the expected score${better}`;
}
