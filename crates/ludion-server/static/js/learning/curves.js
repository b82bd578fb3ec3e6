// Learning curves of the newest learning runs in the store, as the command line draws them.

import { get } from "../api.js";
import { h } from "../dom.js";
import { Plot } from "../runs/plot.js";
import { addressOf, chip, moment, titleOf } from "../runs/words.js";

/** Kinds of runs that learn, with their plural. */
const KINDS = { "learn network": "learnings of networks", learn: "learnings of patterns", "checkers experiment": "experiments with checkers" };
/** Number of curves shown. */
const MAX_CURVES = 4;

/** @param {HTMLElement} place @param {AbortSignal} signal */
export async function showCurves(place, signal) {
  const { runs } = await get("/api/runs", signal);
  const learned = runs.filter((run) => run.kind in KINDS);
  if (signal.aborted) return;
  if (learned.length === 0) {
    place.replaceChildren(h("p", { class: "quiet-text" }, "No learning is in the store yet; teach a program above."));
    return;
  }
  place.replaceChildren();
  await Promise.all(learned.slice(0, MAX_CURVES).map((run) => curve(place, run, signal)));
  if (learned.length > MAX_CURVES) place.append(h("p", { class: "row" }, Object.keys(KINDS).map((kind) => all(kind, learned))));
}

/** Link to all runs of a kind. */
function all(kind, learned) {
  const count = learned.filter((run) => run.kind === kind).length;
  return count > 0 ? h("a", { href: `/runs?${new URLSearchParams({ kind })}` }, `All ${KINDS[kind]} (${count})`) : null;
}

async function curve(place, run, signal) {
  const plot = new Plot();
  place.append(h("article", { class: "curve-card" },
    h("h3", {}, h("a", { href: addressOf(run.id) }, `Run ${run.id}: ${run.what}`), " ", run.phase === "finished" ? null : chip(run.phase)),
    h("p", { class: "quiet-text" }, `${titleOf(run)}, ${moment(run.began)}, seed ${run.seed}`), plot.element));
  const { picture } = await get(`/api/runs/${run.id}`, signal);
  await plot.show(run.id, picture, signal);
}
