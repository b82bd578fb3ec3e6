// Play: a board, the seats, the moves, and the players' analysis. The address holds everything, so a
// link leads to the same position.

import { getOnce } from "../api.js";
import { nameOf } from "../spec.js";
import { HUMAN } from "../play/seat.js";
import { Record } from "../play/record.js";
import { Table } from "../play/table.js";
import { view } from "../play/view.js";

/** @param {HTMLElement} main @param {URLSearchParams} query @param {AbortSignal} signal */
export async function show(main, query, signal) {
  const [{ games }, { players }, { limits }] =
    await Promise.all([getOnce("/api/games"), getOnce("/api/players"), getOnce("/api/about")]);
  if (signal.aborted) return;
  const spec = query.get("game") ?? "connect4";
  const game = games.find((one) => one.name === nameOf(spec));
  if (!game) throw new Error(`no game is called "${nameOf(spec)}"; there are ${games.map((one) => one.name).join(", ")}`);
  const seats = {
    first: query.get("first") ?? HUMAN,
    second: query.get("second") ?? game.capable,
    firstBudget: query.get("first-budget") ?? "",
    secondBudget: query.get("second-budget") ?? "",
  };
  const state = query.get("state");
  const parts = view({ games, game, spec, seats, players, state });
  parts.thinking.limit = limits.seconds;
  document.title = `${game.name} · Ludion`;
  const record = new Record(spec, state, query.get("moves") ?? "");
  try {
    // The board is inserted at its full size, so that the layout does not shift.
    await (await record.open(query.get("at"))).position();
  } catch (error) {
    parts.error.say(error);
    parts.status.textContent = "This is no position.";
    if (!signal.aborted) main.append(parts.element);
    return;
  }
  if (signal.aborted) return;
  main.append(parts.element);
  const table = new Table(parts, record, game);
  signal.addEventListener("abort", () => table.leave());
  document.addEventListener("keydown", (event) => table.key(event), { signal });
  await table.begin();
}
