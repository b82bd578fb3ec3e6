// Arena: set up and watch a match, a tournament, a championship or a tuning. `run` in the address shows
// a run, `from` fills the form from an earlier run.

import { get, getOnce } from "../api.js";
import { errorPlace, h } from "../dom.js";
import { Setup } from "../arena/setup.js";
import { clusterPanel } from "../runs/cluster.js";
import { runTable } from "../runs/list.js";
import { RunView } from "../runs/view.js";
import { isUnderWay } from "../runs/words.js";

/** Number of runs listed beside the form. */
const RECENT_RUNS = 12;
/** Interval of updates of the list, in milliseconds. */
const UPDATE_INTERVAL = 2000;

/** @param {HTMLElement} main @param {URLSearchParams} query @param {AbortSignal} signal */
export async function show(main, query, signal) {
  if (query.get("run") !== null) {
    const view = new RunView(Number(query.get("run")), signal);
    await view.load();
    if (signal.aborted) return;
    main.append(view.element, isUnderWay(view.phase) ? clusterPanel(signal) : "", h("p", {}, h("a", { href: "/arena" }, "Set up another run")));
    view.listen();
    return;
  }
  // Everything is inserted at once, so that the layout does not shift.
  const [{ games }, { players }, { runs }, { cluster }] = await Promise.all([getOnce("/api/games"), getOnce("/api/players"), get("/api/runs", signal),
    get("/api/cluster", signal).catch(() => ({ cluster: null }))]);
  if (signal.aborted) return;
  const error = errorPlace();
  const setup = new Setup(games, players);
  setup.offerCluster(cluster);
  const lately = runTable(error, "Nothing was run yet; begin with a match.");
  listed(lately, runs);
  main.append(
    h("h1", {}, "Arena"),
    h("p", { class: "lead" }, "Players against players: pairs of games with seats swapped, and what the results are worth."),
    h("div", { class: "arena" }, h("div", { class: "setup-place" }, setup.element),
      h("section", { class: "panel", "aria-label": "Runs" }, h("h2", {}, "Under way and lately"), error, lately.element,
        h("p", {}, h("a", { href: "/runs" }, "All runs")))));
  const from = query.get("from");
  if (from !== null) setup.fill(await get(`/api/runs/${encodeURIComponent(from)}`, signal));
  follow(lately, runs, error, signal);
}

/** Lists runs in progress, then recent ones. */
function listed(lately, runs) {
  const [busy, rest] = [runs.filter((run) => isUnderWay(run.phase)), runs.filter((run) => !isUnderWay(run.phase) && run.game !== null)];
  lately.show([...busy, ...rest].slice(0, Math.max(RECENT_RUNS, busy.length)));
}

/** Updates the list until the page is left. */
function follow(lately, known, error, signal) {
  let runs = known;
  const load = async () => {
    ({ runs } = await get("/api/runs", signal));
    error.say();
    listed(lately, runs);
  };
  const timer = setInterval(() => {
    if (runs.some((run) => isUnderWay(run.phase)) && !document.hidden) load().catch((problem) => !signal.aborted && error.say(problem));
  }, UPDATE_INTERVAL);
  signal.addEventListener("abort", () => clearInterval(timer));
}
