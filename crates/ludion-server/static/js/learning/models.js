// The models: what they play, how large they are, how they were made, and how strong they are.

import { h } from "../dom.js";
import { addressOf, count } from "../runs/words.js";
import { offers } from "./offers.js";

const figure = (value, digits) => (value === null || value === undefined ? "–" : value.toFixed(digits));

/** Describes in a sentence how a model was made, by its kind. */
const MADE = {
  network: ({ asked, came, widths }) => `trained on ${count(came.rows)} rows labelled ${asked.labels}, layers ${widths.join("-")}; epoch ${came.best} of ${came.epochs} was the best, loss ${figure(came.validation_loss ?? came.training_loss, 4)}`,
  patterns: ({ generation, loss, settings }) => (settings
    ? `learned from games against itself: round ${generation} of ${settings.rounds}, ${count(settings.games)} games each, loss ${figure(loss, 4)}` : "learned patterns"),
  policy: ({ run, widths, inputs }) => `learned from games against itself, policy and value; layers ${widths.join("-")}, inputs ${inputs}${run?.round ? `, round ${run.round}` : ""}`,
};

const KINDS = { network: "network", patterns: "patterns", policy: "policy and value" };

const size = (bytes) => (bytes < 1e4 ? `${count(bytes)} B` : bytes < 1e7 ? `${count(bytes / 1e3)} kB` : `${count(bytes / 1e6)} MB`);

/** Returns the newest match in which a model played, with its result. */
const matchOf = (model, runs) => runs.find((run) => run.kind === "match" && run.result && run.what.includes(model.file));

/** Creates the list of models. @param {any[]} models @param {any[]} runs @param {{ say(error?: any): void }} error */
export function modelList(models, runs, error) {
  return h("ul", { id: "models", class: "models" }, models.map((model) => {
    const match = matchOf(model, runs);
    return h("li", { "data-model": model.file },
      h("div", { class: "model-head" }, h("strong", {}, model.file), h("span", { class: "quiet-text" }, `${model.game}, ${KINDS[model.kind]}, ${count(model.weights)} weights, ${size(model.bytes)}`)),
      h("p", {}, MADE[model.kind](model.training ?? {})),
      h("p", { class: "strength" }, match ? [h("a", { href: addressOf(match.id) }, `run ${match.id}`), `: ${match.result.replaceAll(model.player, "it").replaceAll(model.searching, "it")}`] : "Its strength was not measured yet; match it."),
      offers(model, error));
  }));
}
