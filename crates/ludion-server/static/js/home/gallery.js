// The games and riddles, each with a picture of a position.

import { h } from "../dom.js";
import { coloursOf, picture } from "../scene.js";

/** The page of a riddle by the riddle's name; other riddles are shown without a link. */
const RIDDLES = { mastermind: "/mastermind?view=game" };

/** What is said of games that are not for two players. */
const KINDS = { puzzle: "puzzle", riddle: "riddle" };

const address = (game, seats = {}) => `/play?${new URLSearchParams({ game: game.opens, ...seats })}`;

/** Returns the links under a game. */
function links(game) {
  const all = [["Play", address(game)]];
  if (!game.puzzle) {
    const strong = game.capable === "mcts" ? "montecarlo" : "mcts";
    all.push(["Watch", address(game, { first: game.capable, second: strong })],
      ["Analyse", address(game, { first: "human", second: "human" })]);
  }
  return all;
}

function card(entry, href, kind, more) {
  const name = entry.title ?? `${entry.name[0].toUpperCase()}${entry.name.slice(1)}`;
  return h("article", { class: "card", "data-game": entry.name, ...coloursOf(entry.sides) },
    h("div", { class: "thumb" }, picture(entry.picture ?? entry.scene, `${name} under way`)),
    h("h3", {}, href ? h("a", { href }, name) : name, KINDS[kind] ? h("span", { class: "kind" }, KINDS[kind]) : null),
    h("p", {}, entry.help),
    h("p", { class: "card-links" }, more.map(([text, to]) => h("a", { href: to, "aria-label": `${text} ${name}` }, text))));
}

/** Creates the gallery. @param {any[]} games @param {any[]} riddles */
export function gallery(games, riddles) {
  const cards = [
    ...games.map((game) => card(game, address(game), game.puzzle ? "puzzle" : "duel", links(game))),
    ...riddles.map((riddle) => card(riddle, RIDDLES[riddle.name], "riddle",
      RIDDLES[riddle.name] ? [["Play", RIDDLES[riddle.name]]] : []))];
  return h("section", { "aria-labelledby": "games" },
    h("div", { class: "section-head" }, h("h2", { id: "games" }, "Games"), h("span", { class: "quiet-text" }, `${cards.length} of them, and yours`)),
    h("div", { class: "gallery" }, cards));
}
