// Runs: all runs of the store; `run` in the address shows one of them, `game` one of its games.

import { get } from "../api.js";
import { errorPlace, h } from "../dom.js";
import { field } from "../form.js";
import { rename } from "../router.js";
import { showGame } from "../runs/replay.js";
import { clusterPanel } from "../runs/cluster.js";
import { runTable } from "../runs/list.js";
import { RunView } from "../runs/view.js";
import { isUnderWay, plural } from "../runs/words.js";

/** Interval of updates of the list, in milliseconds. */
const UPDATE_INTERVAL = 2000;

/** @param {HTMLElement} main @param {URLSearchParams} query @param {AbortSignal} signal */
export async function show(main, query, signal) {
  const [run, game] = [query.get("run"), query.get("game")];
  if (run !== null && game !== null) return showGame(main, run, game, query.get("at"), signal);
  if (run === null) return list(main, query, signal);
  const view = new RunView(run, signal);
  main.append(view.element);
  return view.show();
}

function matches(run, { text, kind, state }) {
  const all = `${run.id} ${run.kind} ${run.game ?? ""} ${run.what} ${run.seed}`.toLowerCase();
  return text.toLowerCase().split(/\s+/).every((word) => all.includes(word)) &&
    (!kind || run.kind === kind) &&
    (!state || (state === "under way" ? isUnderWay(run.phase) || run.phase === "elsewhere" : run.phase === state));
}

async function list(main, query, signal) {
  const error = errorPlace();
  const table = runTable(error, "No run matches.");
  const found = h("p", { class: "spent", role: "status" });
  const text = h("input", { type: "search", id: "filter", value: query.get("text") ?? "", placeholder: "connect4 mcts", spellcheck: "false" });
  const kind = h("select", { id: "filter-kind" }, h("option", { value: "" }, "any"));
  const state = h("select", { id: "filter-state" }, ["", "under way", "stopped", "finished"].map((name) =>
    h("option", { value: name, selected: name === query.get("state") }, name || "any")));
  let runs = [];
  const fill = () => {
    const wanted = { text: text.value, kind: kind.value, state: state.value };
    const some = runs.filter((run) => matches(run, wanted));
    table.show(some);
    found.textContent = some.length === runs.length ? plural(runs.length, "run") : `${some.length} of ${plural(runs.length, "run")}`;
    const said = Object.entries(wanted).filter(([, value]) => value);
    rename(said.length > 0 ? `/runs?${new URLSearchParams(said)}` : "/runs");
  };
  for (const input of [text, kind, state]) input.addEventListener("input", fill);
  const page = [
    h("h1", {}, "Runs"),
    h("p", { class: "lead" }, "Everything that was ever run, here or from the command line, with what is needed to do it again."),
    h("div", { class: "filters", role: "search" }, field("filter", text), field("kind", kind), field("state", state)),
    error, found, h("div", { class: "panel" }, table.element), clusterPanel(signal)];
  const load = async () => {
    ({ runs } = await get("/api/runs", signal));
    error.say();
    const chosen = kind.options.length > 1 ? kind.value : query.get("kind") ?? "";
    const kinds = [...new Set(runs.map((run) => run.kind))].sort();
    kind.replaceChildren(...["", ...kinds].map((name) => h("option", { value: name, selected: name === chosen }, name || "any")));
    fill();
  };
  // The list is inserted with the page, so that the layout does not shift.
  await load();
  if (signal.aborted) return;
  main.append(...page);
  const timer = setInterval(() => {
    const busy = runs.some((run) => isUnderWay(run.phase) || run.phase === "elsewhere");
    if (busy && !document.hidden) load().catch((problem) => !signal.aborted && error.say(problem));
  }, UPDATE_INTERVAL);
  signal.addEventListener("abort", () => clearInterval(timer));
}
