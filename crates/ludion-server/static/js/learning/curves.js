// The curves of what was learned: the newest learnings of the store, as the command line draws
// them.

import { get } from "../api.js";
import { h } from "../dom.js";
import { Plot } from "../runs/plot.js";
import { addressOf, chip, moment } from "../runs/words.js";

/** Kinds of runs that learn. */
const KINDS = ["learn", "checkers experiment"];
/** Curves that are shown; the others are a click away. */
const SHOWN = 4;

/** @param {HTMLElement} place @param {AbortSignal} signal */
export async function showCurves(place, signal) {
  const { runs } = await get("/api/runs", signal);
  const learned = runs.filter((run) => KINDS.includes(run.kind));
  if (signal.aborted) return;
  if (learned.length === 0) {
    place.append(h("p", { class: "quiet-text" }, "No learning is in the store: “ludion learn” and “ludion experiment” keep theirs there, training figures of “ludion train” are in its models."));
    return;
  }
  await Promise.all(learned.slice(0, SHOWN).map((run) => curve(place, run, signal)));
  if (learned.length > SHOWN) place.append(h("p", {}, h("a", { href: "/runs?kind=learn" }, `All ${learned.length} learnings`)));
}

async function curve(place, run, signal) {
  const plot = new Plot();
  place.append(h("article", { class: "curve-card" },
    h("h3", {}, h("a", { href: addressOf(run.id) }, `Run ${run.id}: ${run.what}`), " ", chip(run.phase)),
    h("p", { class: "quiet-text" }, `${run.kind}, ${moment(run.began)}, seed ${run.seed}`), plot.element));
  const { picture } = await get(`/api/runs/${run.id}`, signal);
  await plot.show(run.id, picture, signal);
}
