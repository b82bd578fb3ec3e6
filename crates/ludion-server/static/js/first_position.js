// The position of an address of Play. It is requested before the module of the page is loaded: over a
// slow line the two then arrive together.

import { post } from "./api.js";

/** The request that was sent early, and its answer. @type {{ body: string, answer: Promise<any> } | null} */
let early = null;

/** Returns the game that an address of Play names. @param {URLSearchParams} query */
export const gameOf = (query) => query.get("game") ?? "connect4";

const requestOf = (game, state, moves) => ({ game, moves, ...(state === null ? {} : { state }) });

/** Requests the position of an address. @param {URLSearchParams} query */
export function askEarly(query) {
  const request = requestOf(gameOf(query), query.get("state"), query.get("moves") ?? "");
  const answer = post("/api/position", request);
  // The page reports the error.
  answer.catch(() => {});
  early = { body: JSON.stringify(request), answer };
}

/** Returns a position of a game. @param {string} game @param {string | null} state @param {string} moves */
export function positionOf(game, state, moves) {
  const request = requestOf(game, state, moves);
  const asked = early;
  early = null;
  return asked?.body === JSON.stringify(request) ? asked.answer : post("/api/position", request);
}
