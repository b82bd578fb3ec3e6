// Runs: all runs of the store; `run` in the address shows one of them, `game` one of its games, and
// `compare` several of them side by side.

import { get } from "../api.js";
import { errorPlace, h } from "../dom.js";
import { go, rename } from "../router.js";
import { clusterPanel } from "../runs/cluster.js";
import { showComparison } from "../runs/compare.js";
import { RunFilters } from "../runs/filters.js";
import { runTable } from "../runs/list.js";
import { showGame } from "../runs/replay.js";
import { RunView } from "../runs/view.js";
import { isUnderWay, plural } from "../runs/words.js";

/** Interval of updates of the list, in milliseconds; shorter while results are being computed. */
const UPDATE_INTERVAL = 2000;
const RESULTS_INTERVAL = 300;

/** @param {HTMLElement} main @param {URLSearchParams} query @param {AbortSignal} signal */
export async function show(main, query, signal) {
  const [run, game, compared] = [query.get("run"), query.get("game"), query.get("compare")];
  if (run !== null && game !== null) return showGame(main, run, game, query.get("at"), signal);
  if (compared !== null) return showComparison(main, compared.split(",").map(Number), signal);
  if (run === null) return list(main, query, signal);
  const view = new RunView(Number(run), signal);
  await view.load();
  if (signal.aborted) return undefined;
  main.append(view.element, isUnderWay(view.phase) ? clusterPanel(signal) : "");
  view.listen();
  return undefined;
}

async function list(main, query, signal) {
  const error = errorPlace();
  const ticked = new Set();
  const compare = h("button", { type: "button", class: "main", id: "compare", disabled: true,
    onclick: () => go(`/runs?compare=${[...ticked].sort((a, b) => a - b).join(",")}`) }, "Compare");
  const ticks = { ticked, changed: () => {
    compare.disabled = ticked.size < 2;
    compare.textContent = ticked.size < 2 ? "Compare" : `Compare ${ticked.size} runs`;
  } };
  const table = runTable(error, "No run matches.", ticks);
  const found = h("p", { class: "spent", role: "status" });
  let [runs, complete] = [[], true];
  const filters = new RunFilters(query, () => fill());
  const fill = () => {
    const some = filters.apply(runs);
    table.show(some);
    found.textContent = some.length === runs.length ? plural(runs.length, "run") : `${some.length} of ${plural(runs.length, "run")}`;
    const said = filters.said();
    rename(said.length > 0 ? `/runs?${new URLSearchParams(said)}` : "/runs");
  };
  const load = async () => {
    ({ runs, complete } = await get("/api/runs", signal));
    error.say();
    filters.offer(runs);
    fill();
  };
  // The list is inserted with the page, so that the layout does not shift.
  await load();
  if (signal.aborted) return;
  main.append(
    h("h1", {}, "Runs"),
    h("p", { class: "lead" }, "Everything that was ever run, here or from the command line, with what came of it and what is needed to do it again."),
    filters.element, error,
    h("div", { class: "list-head" }, found, compare),
    h("div", { class: "panel run-list" }, table.element), clusterPanel(signal));
  follow(load, () => ({ runs, complete }), error, signal);
}

/** Updates the list until the page is left. */
function follow(load, state, error, signal) {
  let timer = 0;
  const again = async () => {
    const { runs, complete } = state();
    const busy = !complete || runs.some((run) => isUnderWay(run.phase) || run.phase === "elsewhere");
    if (busy && !document.hidden) await load().catch((problem) => !signal.aborted && error.say(problem));
    if (!signal.aborted) timer = setTimeout(again, state().complete ? UPDATE_INTERVAL : RESULTS_INTERVAL);
  };
  timer = setTimeout(again, state().complete ? UPDATE_INTERVAL : RESULTS_INTERVAL);
  signal.addEventListener("abort", () => clearTimeout(timer));
}
