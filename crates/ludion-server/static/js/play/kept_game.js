// Keeps finished games that a person played here as runs of the store.

import { post } from "../api.js";
import { h } from "../dom.js";
import { addressOf } from "../runs/words.js";

/** Keeps the games of one page; each only once. */
export class KeptGames {
  constructor() {
    this.kept = new Map();
    /** Whether a person has moved since the page was opened; a shared game is not kept again. */
    this.hasMoved = false;
    this.link = h("a", { id: "kept", hidden: true }, "Kept in Runs");
  }

  /**
   * Keeps the game that ends with the shown position.
   * @param {import("./record.js").Record} record @param {import("./evaluations.js").Evaluations} evaluations @param {string[]} players
   */
  async keep(record, evaluations, players) {
    const moves = record.path.map((node) => node.move);
    const key = moves.join(" ");
    this.link.hidden = true;
    if (!this.hasMoved || !players.includes("human") || moves.length === 0) return;
    if (!this.kept.has(key)) this.kept.set(key, this.send(record, key, evaluations, players, moves));
    try {
      const { run } = await this.kept.get(key);
      this.link.href = addressOf(run, 0);
      this.link.hidden = record.keyOf(record.at) !== key;
    } catch {
      // A laboratory that takes no further runs keeps no games; the game itself is not affected.
      this.kept.delete(key);
    }
  }

  send(record, key, evaluations, players, moves) {
    const values = moves.map((_, i) => {
      const entry = evaluations.of(moves.slice(0, i).join(" "));
      return entry && entry.turn ? (entry.turn === "first" ? entry.value : -entry.value) : null;
    });
    const start = record.state === null ? {} : { start: record.state };
    return post("/api/runs", { kind: "game", game: record.game, moves: key, players: [players[0], players[1] ?? ""], values: evaluations.puzzle ? [] : values, ...start });
  }
}
