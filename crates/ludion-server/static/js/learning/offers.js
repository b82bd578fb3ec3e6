// What can be done with a model: play against it, match it, see what it thinks.

import { post } from "../api.js";
import { h } from "../dom.js";
import { go } from "../router.js";
import { addressOf } from "../runs/words.js";

/** Number of pairs of a match that measures a model. */
const PAIRS = 50;

/** The match that measures a model, by its kind: both players, and the budget for a move. */
const MATCHES = {
  policy: (model) => ({ players: [model.searching, "mcts"], budget: "200sims" }),
  patterns: (model) => ({ players: [model.player.replace("depth=1", "depth=2"), "minimax(depth=2)"] }),
  network: (model) => ({ players: [model.player, "montecarlo(sims=20)"] }),
};

/** Starts a match that measures a model, and shows it. @param {any} model */
async function match(model) {
  const { run } = await post("/api/runs", { kind: "match", game: model.game, pairs: PAIRS, opening: 2, ...MATCHES[model.kind](model) });
  await go(addressOf(run));
}

/** Creates the buttons of a model. @param {any} model @param {{ say(error?: any): void }} error */
export function offers(model, error) {
  const play = `/play?${new URLSearchParams({ game: model.game, first: "human", second: model.searching })}`;
  const measure = h("button", { type: "button", class: "small", "aria-label": `Match ${model.file}`, onclick: async () => {
    error.say();
    measure.disabled = true;
    await match(model).catch((problem) => error.say(problem));
    measure.disabled = false;
  } }, "Match it");
  return h("span", { class: "row offers" },
    h("a", { class: "button small", href: play, "aria-label": `Play against ${model.file}` }, "Play against it"), measure,
    h("a", { class: "button small", href: `/learning?${new URLSearchParams({ model: model.file })}#mind`, "aria-label": `See what ${model.file} thinks` }, "See what it thinks"));
}
