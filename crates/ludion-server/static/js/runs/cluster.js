// The workers of the cluster and the runs whose jobs they execute. The panel stays hidden where the
// laboratory was started without a cluster.

import { get } from "../api.js";
import { h } from "../dom.js";

/** Interval of updates, in milliseconds. */
const UPDATE_INTERVAL = 5000;

const rate = (perSecond) => perSecond.toFixed(perSecond < 10 ? 2 : perSecond < 100 ? 1 : 0);

const table = (label, head, rows) => h("div", { class: "wide", tabindex: 0, role: "region", "aria-label": label },
  h("table", { class: "runs" },
    h("thead", {}, h("tr", {}, head.map((text) => h("th", { scope: "col" }, text)))),
    h("tbody", {}, rows)));

const workerRow = (worker) => h("tr", {},
  h("th", { scope: "row" }, worker.name),
  h("td", {}, worker.version),
  h("td", {}, `${worker.busy}/${worker.threads}`),
  h("td", {}, String(worker.jobs)),
  h("td", {}, rate(worker.jobs_per_second)),
  h("td", { class: "what" }, worker.refusals.join("; ")));

const runRow = (run) => h("tr", {},
  h("th", { scope: "row" }, `${run.kind}: ${run.about}`),
  h("td", {}, `${run.done}/${run.jobs}`),
  h("td", {}, rate(run.jobs_per_second)),
  h("td", {}, run.seconds_left === null ? "" : `${Math.round(run.seconds_left)} s`));

const number = (value, format) => (value === null ? "–" : format(value));

const residualRow = (residual) => h("tr", {},
  h("th", { scope: "row" }, residual.worker),
  h("td", {}, String(residual.results)),
  h("td", {}, residual.mean.toFixed(3)),
  h("td", {}, number(residual.others, (mean) => mean.toFixed(3))),
  h("td", {}, number(residual.residual, (deviations) => `${deviations > 0 ? "+" : ""}${deviations.toFixed(1)} σ`)),
  h("td", {}, number(residual.probability, (chance) => (chance >= 0.01 ? chance.toFixed(2) : chance.toExponential(0)))));

/** Creates a table of how the results of each worker of a run differ from those of the others. */
const residualTable = (run) => table(`Results of ${run.about} by worker`,
  ["worker", "pairs", "mean", "others", "residual", "chance"], run.residuals.map(residualRow));

/** Creates a panel that is updated until the signal aborts. @param {AbortSignal} signal */
export function clusterPanel(signal) {
  const panel = h("section", { class: "panel", hidden: true, "aria-label": "Other machines" });
  const load = async () => {
    const { cluster } = await get("/api/cluster", signal);
    panel.hidden = cluster === null;
    if (cluster === null) return false;
    const { workers, runs } = cluster;
    panel.replaceChildren(
      h("h2", {}, "Other machines"),
      workers.length > 0
        ? table("Workers", ["worker", "version", "busy", "jobs", "jobs/s", "refuses"], workers.map(workerRow))
        : h("p", { class: "quiet-text" }, "No worker answers."),
      runs.length > 0
        ? table("Runs on other machines", ["run", "jobs", "jobs/s", "left"], runs.map(runRow))
        : h("p", { class: "quiet-text" }, "No run is under way there."),
      ...runs.filter((run) => run.residuals).map(residualTable));
    return true;
  };
  const fail = (problem) => {
    if (signal.aborted) return;
    panel.hidden = false;
    panel.replaceChildren(h("h2", {}, "Other machines"), h("p", { class: "error", role: "alert" }, String(problem.message ?? problem)));
  };
  let timer = 0;
  const follow = async () => {
    const more = document.hidden || await load().catch((problem) => (fail(problem), true));
    if (more && !signal.aborted) timer = setTimeout(follow, UPDATE_INTERVAL);
  };
  signal.addEventListener("abort", () => clearTimeout(timer));
  follow();
  return panel;
}
