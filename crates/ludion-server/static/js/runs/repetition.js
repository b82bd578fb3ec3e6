// What a comparison of a run with its original found.

import { get } from "../api.js";
import { h } from "../dom.js";
import { addressOf, count, plural } from "./words.js";

/** Describes a comparison. */
function sentence({ compared, same, missing, difference }, unit) {
  if (compared === 0) return "Nothing can be compared yet.";
  const left = missing > 0 ? `; ${plural(missing, unit)} only in one of the two` : "";
  if (same === compared) return `All ${count(compared)} ${unit}s are the same${unit === "game" ? ", move by move" : ""}${left}.`;
  const where = difference
    ? ` The first that differs is game ${difference.game}, at ply ${difference.ply + 1}: ${difference.before ?? "the end"} before, ${difference.now ?? "the end"} now.` : "";
  return `${count(same)} of ${plural(compared, unit)} are the same${left}.${where}`;
}

/** Creates the paragraph about the original of a run, or nothing. @param {any} run @param {AbortSignal} signal */
export async function repetition(run, signal) {
  if (run.repeat_of === null) return null;
  const { original, comparison } = await get(`/api/runs/${run.id}/repetition`, signal);
  const unit = run.game === null ? "output" : "game";
  const link = comparison ? h("a", { href: addressOf(original) }, `run ${original}`) : `run ${original}, which is no longer in the store`;
  return h("p", { id: "repetition", class: comparison && comparison.same === comparison.compared && comparison.compared > 0 ? "told same" : "told" },
    "A repetition of ", link, ". ", comparison ? sentence(comparison, unit) : "",
    comparison?.difference ? [" ", h("a", { href: addressOf(original, comparison.difference.game) }, "before"), " ", h("a", { href: addressOf(run.id, comparison.difference.game) }, "now")] : null);
}
