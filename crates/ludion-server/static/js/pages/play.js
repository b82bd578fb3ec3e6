// Play: a board, the seats, the moves, and the players' analysis. The address holds everything, so a
// link leads to the same position.

import { getOnce } from "../api.js";
import { gameOf } from "../first_position.js";
import { nameOf } from "../spec.js";
import { HUMAN, strongOf } from "../play/seat.js";
import { Record } from "../play/record.js";
import { Table } from "../play/table.js";
import { view } from "../play/view.js";

/** Returns the first opponent of a person: one that can be beaten. @param {any} game */
const opponentOf = (game) => game.levels.find(({ name }) => name === "club")?.spec ?? game.capable;

/** Reads the settings of an address. @param {URLSearchParams} query @param {any} game */
const settingsOf = (query, game) => ({
  first: query.get("first") ?? HUMAN,
  second: query.get("second") ?? opponentOf(game),
  firstBudget: query.get("first-budget") ?? "",
  secondBudget: query.get("second-budget") ?? "",
  analyst: query.get("analyst"),
  analystBudget: query.get("analyst-budget") ?? "",
  analyse: query.get("analyse") === "1",
  lines: Number(query.get("lines") ?? 3),
  flip: query.get("flip") === "1",
  tab: query.get("tab"),
});

/** Returns the game of a spec as the list of games and one of its positions describe it. */
function described(games, spec, position) {
  const game = games.find((one) => one.name === nameOf(spec));
  return position ? { ...game, title: position.title, sides: position.sides, levels: position.levels, capable: strongOf(position.levels, game.capable) } : game;
}

/** @param {HTMLElement} main @param {URLSearchParams} query @param {AbortSignal} signal */
export async function show(main, query, signal) {
  const spec = gameOf(query);
  const state = query.get("state");
  const record = new Record(spec, state, query.get("moves") ?? "", query.get("tree"));
  // The position is asked for together with the lists, so that a slow line is waited for once.
  const opened = record.open(query.get("at")).then(() => record.position()).then((position) => ({ position, error: null }), (error) => ({ position: null, error }));
  const [{ games }, { players }, { position, error }] =
    await Promise.all([getOnce("/api/games"), getOnce("/api/players"), opened]);
  if (signal.aborted) return;
  const game = described(games, spec, position);
  if (!game) throw new Error(`no game is called "${nameOf(spec)}"; there are ${games.map((one) => one.name).join(", ")}`);
  const parts = view({ games, game, spec: position?.game ?? spec, settings: settingsOf(query, game), players, state });
  // Only a search that is cut off names its limit.
  getOnce("/api/about").then(({ limits }) => { parts.thinking.limit = limits.seconds; }, () => {});
  document.title = `${game.title} · Ludion`;
  document.body.classList.toggle("embedded", query.get("embed") === "1");
  signal.addEventListener("abort", () => document.body.classList.remove("embedded"));
  // The board is inserted at its full size, so that the layout does not shift.
  main.append(parts.element);
  if (error) {
    parts.error.say(error);
    parts.status.textContent = "This is no position.";
    return;
  }
  const table = new Table(parts, record, game);
  signal.addEventListener("abort", () => table.leave());
  document.addEventListener("keydown", (event) => table.key(event), { signal });
  await table.begin();
}
