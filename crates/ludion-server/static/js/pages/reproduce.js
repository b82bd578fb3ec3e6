// Reproduce: the published works that can be repeated, and the reports of runs that repeated one;
// `run` in the address shows a report.

import { get, post } from "../api.js";
import { errorPlace, h } from "../dom.js";
import { go } from "../router.js";
import { report } from "../reproduce/report.js";
import { addressOf, chip, isUnderWay, moment, plural } from "../runs/words.js";

/** Kind of the runs that this page shows. */
const KIND = "reproduction";
/** Interval of updates while a run is under way, in milliseconds. */
const UPDATE_INTERVAL = 2000;

/** @param {HTMLElement} main @param {URLSearchParams} query @param {AbortSignal} signal */
export async function show(main, query, signal) {
  const run = query.get("run");
  return run === null ? list(main, signal) : one(main, run, signal);
}

async function list(main, signal) {
  const [{ works }, { runs }] = await Promise.all([get("/api/reproductions", signal), get("/api/runs", signal)]);
  if (signal.aborted) return;
  const error = errorPlace();
  const known = runs.filter((run) => run.kind === KIND);
  main.append(
    h("h1", {}, "Reproduce"),
    h("p", { class: "lead" }, "Published works, repeated item by item: what was published, what comes out here, and whether that confirms it."),
    error,
    h("div", { id: "works" }, works.map((work) => card(work, error))),
    h("section", { class: "panel", "aria-label": "Reports" }, h("h2", {}, "Reports"),
      known.length === 0
        ? h("p", { class: "quiet-text" }, "No work was repeated yet; a quick run takes some minutes.")
        : h("ul", {}, known.map((run) => h("li", {}, h("a", { href: `/reproduce?run=${run.id}` }, `Run ${run.id}: ${run.what}`), ` ${moment(run.began)} `, chip(run.phase))))));
}

/** Returns a text with the words between asterisks emphasised. @param {string} text */
const emphasised = (text) => text.split(/\*([^*]+)\*/).map((part, i) => (i % 2 === 1 ? h("em", {}, part) : part));

/** A work with a button that repeats it. */
function card(work, error) {
  const minutes = Math.max(1, Math.round(work.seconds[0] / 60));
  const begin = async () => {
    try {
      const { run } = await post("/api/runs", { kind: KIND, work: work.name, size: "quick" });
      go(`/reproduce?run=${run}`);
    } catch (problem) {
      error.say(problem);
    }
  };
  return h("article", { class: "panel work", "data-work": work.name },
    h("h2", {}, work.title),
    h("p", { class: "quiet-text" }, `${work.authors}, ${work.year}`),
    h("p", {}, emphasised(work.about)),
    h("details", {}, h("summary", {}, `${work.items.length} items`),
      h("ol", {}, work.items.map((item) => h("li", {}, `${item.title} (${item.kind}, ${item.place})`)))),
    h("div", { class: "row" }, h("button", { type: "button", onclick: begin, "aria-label": `Repeat ${work.title}` }, "Repeat it, quick"),
      h("span", { class: "quiet-text" }, `about ${plural(minutes, "minute")}`)));
}

async function one(main, id, signal) {
  const [place, state] = [h("div", {}), h("p", { role: "status" })];
  for (let isFirst = true; ; isFirst = false) {
    const run = await get(`/api/runs/${id}`, signal);
    if (signal.aborted) return;
    state.replaceChildren(chip(run.phase), run.error ? ` ${run.error}` : "");
    if (run.figures?.items) place.replaceChildren(report(run.figures));
    // Everything is inserted at once, so that nothing moves.
    if (isFirst) {
      main.append(h("p", {}, h("a", { href: "/reproduce" }, "All works"), " · ", h("a", { href: addressOf(id) }, `Run ${id}`)), state, place);
    }
    if (!isUnderWay(run.phase)) return;
    await new Promise((done) => { setTimeout(done, UPDATE_INTERVAL); });
  }
}
