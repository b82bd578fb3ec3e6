// The gallery: every game and riddle with a picture of a typical position.

import { getOnce } from "../api.js";
import { h } from "../dom.js";
import { picture } from "../scene.js";

/** The page of a riddle by the riddle's name; other riddles are shown without a link. */
const RIDDLES = { mastermind: "/mastermind" };

function card(entry, address, kind) {
  const title = address ? h("a", { href: address }, entry.name) : entry.name;
  return h("article", { class: "card", "data-game": entry.name },
    h("div", { class: "thumb" }, picture(entry.scene, `${entry.name} under way`)),
    h("h2", {}, title, h("span", { class: "kind" }, kind)),
    h("p", {}, entry.help),
    h("p", { class: "examples" }, address && kind !== "riddle"
      ? entry.examples.slice(1, 4).map((spec) => h("a", { href: playing(spec) }, spec))
      : []));
}

const playing = (spec) => `/play?game=${encodeURIComponent(spec)}`;

/** @param {HTMLElement} main @param {URLSearchParams} _query @param {AbortSignal} signal */
export async function show(main, _query, signal) {
  const [{ games, riddles }, { PAGES }] =
    await Promise.all([getOnce("/api/games"), import("../pages.js")]);
  if (signal.aborted) return;
  const known = (address) => PAGES.some((page) => page.path === address);
  const gallery = h("div", { class: "gallery" });
  gallery.append(
    ...games.map((game) => card(game, playing(game.name), game.puzzle ? "puzzle" : "duel")),
    ...riddles.map((riddle) => {
      const address = RIDDLES[riddle.name];
      return card(riddle, known(address) ? address : null, "riddle");
    }));
  main.append(
    h("h1", {}, "Games"),
    h("p", { class: "lead" }, "Pick a game to play it, to watch players at it, or to see what they think."),
    gallery);
}
