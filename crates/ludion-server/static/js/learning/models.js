// Models with their training, as their files describe it.

import { h } from "../dom.js";
import { count, table } from "../runs/words.js";

const figure = (value, digits) => (value === null || value === undefined ? "–" : value.toFixed(digits));

/** Describes a network: label, layer widths and losses. */
function ofNetwork({ asked, came, widths }) {
  return [asked.labels, widths.join("-"), `${count(came.rows)} rows`, `epoch ${came.best} of ${came.epochs}`,
    figure(came.training_loss, 4), figure(came.validation_loss, 4), figure(came.r2, 3)];
}

/** Describes patterns: generation and number of games. */
function ofPatterns({ generation, loss, settings }) {
  return ["how games end", "–", settings ? `${count(settings.games)} games a round` : "–",
    settings ? `round ${generation} of ${settings.rounds}` : "–", figure(loss, 4), "–", "–"];
}

/** @param {any[]} models */
export function modelTable(models) {
  const head = ["file", "kind", "game", "taught", "layers", "learned from", "kept", "loss", "held back", "R²"];
  return h("div", { id: "models" }, table("Models", head, models.map((model) => [model.file, model.kind, model.game,
    ...(model.kind === "network" ? ofNetwork(model.training) : ofPatterns(model.training ?? {}))])));
}
