// Several runs side by side: their results, how they differ, and their curves in one chart.

import { get } from "../api.js";
import { InteractiveChart } from "../chart/chart.js";
import { errorPlace, h } from "../dom.js";
import { addressOf, chip, count, moment, shareOf, signed, table, time, titleOf, whatOf } from "./words.js";

/** Returns the Elo estimate that a run is about, and what it is measured against; nothing for other kinds. */
function estimateOf({ kind, figures }) {
  if (!figures) return null;
  const last = figures.generations?.at(-1);
  const place = last?.places?.at(-1);
  const [elo, against] = kind === "match" ? [figures.elo, (figures.names ?? figures.players)?.[1]]
    : kind === "tuning" ? [figures.confirmed?.elo, figures.opponent]
      : last?.own ? [last.own.elo, "the game's own evaluator"]
        : place?.strength ? [place.strength.elo, place.opponent] : [null, null];
  return elo && Number.isFinite(elo.value) && Number.isFinite(elo.error) ? { ...elo, against } : null;
}

const written = (elo) => (elo ? `${signed(elo.value)} ± ${elo.error.toFixed(0)}` : "–");

/** Returns the difference of two independent estimates with its 95 % interval, and what follows. */
function difference(a, b) {
  const [value, error] = [b.value - a.value, Math.hypot(a.error, b.error)];
  const verdict = value - error > 0 ? "more" : value + error < 0 ? "less" : "may be chance";
  return { value, error, verdict };
}

/** Creates the table of results, with the difference of each run to the first. */
function results(runs) {
  const [first] = runs;
  const base = estimateOf(first);
  const row = (run) => {
    const elo = estimateOf(run);
    const apart = run !== first && elo && base ? difference(base, elo) : null;
    return [h("a", { href: addressOf(run.id) }, `run ${run.id}`), h("span", { class: "wrapped" }, whatOf(run)), chip(run.phase), shareOf(run), written(elo),
      apart ? `${signed(apart.value)} ± ${apart.error.toFixed(0)}, ${apart.verdict}` : run === first ? "the first" : "–",
      h("span", { class: "wrapped" }, run.result ?? (run.phase === "finished" ? "–" : "no result yet"))];
  };
  return table("Results", ["run", "what", "state", "done", "Elo (95 %)", `against run ${first.id}`, "result"], runs.map(row), { id: "results", class: "runs compared" });
}

/** Writes a setting as text: `{"simulations":500,"time":null}` is `500 simulations`. @param {any} value @returns {string} */
function settingText(value) {
  if (value === null || value === undefined || value === "") return "–";
  if (Array.isArray(value)) return value.filter((one) => one !== null && one !== "").map(settingText).join(", ") || "–";
  if (typeof value !== "object") return String(value);
  if ("secs" in value && "nanos" in value) return time(value.secs + value.nanos / 1e9);
  const known = Object.entries(value).filter(([, one]) => one !== null);
  return known.map(([name, one]) => (typeof one === "number" ? `${count(one)} ${name}` : `${name} ${settingText(one)}`)).join(", ") || "–";
}

/** Settings that are a game itself, which its replay shows. */
const GAMES = ["moves", "values"];

/** Creates the table of the settings in which the runs differ. */
function settings(runs) {
  const facts = (run) => ({
    kind: run.kind, game: run.subject ?? "", seed: String(run.seed), version: run.version, began: moment(run.began),
    pairs: run.plan.schedule ? count(run.plan.schedule.pairs) : "", players: run.plan.players?.join(", ") ?? "",
    opening: run.plan.terms ? String(run.plan.terms.opening) : "",
    budget: run.plan.terms ? settingText(run.plan.terms.budget) : "",
    ...Object.fromEntries(Object.entries(run.plan.settings ?? {}).filter(([name]) => !GAMES.includes(name)).map(([name, value]) => [name, settingText(value)])),
  });
  const all = runs.map(facts);
  const names = [...new Set(all.flatMap(Object.keys))].filter((name) => new Set(all.map((one) => one[name] ?? "")).size > 1);
  if (names.length === 0) return h("p", { class: "quiet-text" }, "The runs have the same settings.");
  return table("Settings that differ", ["setting", ...runs.map((run) => `run ${run.id}`)],
    names.map((name) => [name, ...all.map((one) => h("span", { class: "wrapped" }, one[name] || "–"))]), { class: "runs compared" });
}

/** Joins the charts of the runs that have the same axes. @returns {import("../chart/chart.js").ChartData[]} */
function overlaid(runs) {
  const groups = new Map();
  for (const { run, charts } of runs) {
    for (const chart of charts) {
      const key = JSON.stringify([chart.x, chart.y]);
      if (!chart.series.some(({ points, line }) => points.length + line.length > 0)) continue;
      const group = groups.get(key) ?? { ...chart, title: `${chart.y.label} by ${chart.x.label}`, note: "", series: [], optimum: null };
      const several = chart.series.length > 1;
      group.series.push(...chart.series.map((series) => ({ ...series, name: several ? `run ${run.id}, ${series.name}` : `run ${run.id}` })));
      groups.set(key, group);
    }
  }
  return [...groups.values()];
}

/** @param {HTMLElement} main @param {number[]} ids @param {AbortSignal} signal */
export async function showComparison(main, ids, signal) {
  const wrong = ids.find((id) => !Number.isSafeInteger(id) || id < 1);
  if (wrong !== undefined || ids.length < 2) throw new Error("a comparison needs the numbers of two runs or more, such as compare=3,5");
  const runs = await Promise.all(ids.map((id) => get(`/api/runs/${id}`, signal)));
  const withCharts = await Promise.all(runs.map(async (run) =>
    ({ run, charts: run.picture ? (await get(`/api/runs/${run.id}/charts`, signal)).charts : [] })));
  if (signal.aborted) return;
  document.title = `Runs ${ids.join(", ")} · Ludion`;
  const charts = overlaid(withCharts).map((data) => {
    const chart = new InteractiveChart();
    chart.show(data);
    return chart.element;
  });
  const kinds = new Set(runs.map(titleOf));
  main.append(
    h("p", { class: "crumbs" }, h("a", { href: "/runs" }, "Runs")),
    h("h1", {}, `Runs ${ids.join(", ")} side by side`),
    h("p", { class: "lead" }, kinds.size === 1 ? `All of them are a ${[...kinds][0]}.` : "They are of different kinds or games; differences mean little."),
    errorPlace(),
    h("section", { class: "panel", "aria-label": "Results" }, h("h2", {}, "Results"), results(runs),
      h("p", { class: "quiet-text" }, "Differences are those of independent runs: the intervals are added as squares.")),
    charts.length > 0 ? h("section", { class: "panel plot-place chart interactive", "aria-label": "Curves" }, h("h2", {}, "Curves"), charts) : "",
    h("section", { class: "panel", "aria-label": "Settings" }, h("h2", {}, "Settings that differ"), settings(runs)));
}
