// The searches of a page: that of the player to move, and one for advice. They run side by side, so a
// hint does not stop the opponent.

import { stream } from "../api.js";

/** Runs the searches of one page; every change of the position stops them. */
export class Searches {
  /**
   * @param {{ place: () => any, isTreeWanted: () => boolean, told: (search: any, event: string, data: any) => void, ended: () => void }} options
   */
  constructor(options) {
    this.options = options;
    this.mover = null;
    this.adviser = null;
  }

  /** Stops all searches. */
  halt() {
    this.stop("mover");
    this.stop("adviser");
  }

  /** Stops one search. @param {"mover" | "adviser"} role */
  stop(role) {
    this[role]?.abort.abort();
    this[role] = null;
    this.options.ended();
  }

  /**
   * Searches the shown position and returns the choice, or nothing if the search was stopped.
   * @param {"mover" | "adviser"} role @param {{ spec: string, budget: { value: string } }} seat @param {boolean} all whether every move is valued
   */
  async run(role, seat, all) {
    this.stop(role);
    const search = { role, abort: new AbortController(), player: seat.spec, best: null, began: performance.now() };
    this[role] = search;
    const question = { ...this.options.place(), player: seat.spec, tree: this.options.isTreeWanted(), all };
    if (seat.budget.value.trim()) question.budget = seat.budget.value.trim();
    this.options.told(search, "begin", null);
    try {
      return await this.follow(search, question);
    } catch (error) {
      if (this[role] !== search) return null;
      this.stop(role);
      throw error;
    }
  }

  /** Reads the events of a search up to its choice. */
  async follow(search, question) {
    const { role } = search;
    for await (const { event, data } of stream("/api/choose", question, search.abort.signal)) {
      if (this[role] !== search) return null;
      if (event === "thinking") search.player = data.player;
      else if (event === "error") throw new Error(data.error);
      else if (event === "report" || event === "choice") search.best = data.best;
      this.options.told(search, event, data);
      if (event === "choice") return this.finish(search, data);
    }
    if (this[role] !== search) return null;
    throw new Error("the server broke off before the move was chosen");
  }

  finish(search, choice) {
    if (search.role === "adviser") this.adviser = null;
    return choice;
  }
}
