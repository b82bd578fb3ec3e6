// The form for the game, its parameters and its initial position, and the rules in sentences.

import { h } from "../dom.js";
import { field, paramForm } from "../form.js";
import { go } from "../router.js";
import { picture } from "../scene.js";
import { nameOf } from "../spec.js";

/** Choices for the least time between two moves when no person plays, in milliseconds. */
const PACES = [[0, "at once"], [300, "0.3 s"], [1000, "1 s"], [3000, "3 s"]];

/** Creates the choice of the pace of games between players. */
export const paceSelect = () =>
  h("select", { id: "pace" }, PACES.map(([ms, text]) => h("option", { value: ms, selected: ms === 300 }, text)));

/** Creates the form for the game, its parameters and its initial state. */
export function setup({ games, game, spec, state }, seatsOf) {
  const select = h("select", { id: "game", onchange: () => go(`/play?game=${encodeURIComponent(select.value)}`) },
    games.map((one) => h("option", { value: one.name, selected: one.name === game.name }, one.title)));
  const variants = game.variants.length > 0 ? h("select", {
    id: "variant", onchange: () => variants.value && go(`/play?${new URLSearchParams({ game: variants.value, ...seatsOf() })}`),
  }, h("option", { value: "" }, "as set below"), game.variants.map(([one, title]) => h("option", { value: one, selected: one === spec }, title))) : null;
  const form = paramForm(spec, game.params, game.name);
  const from = h("input", { id: "state", type: "text", value: state ?? "", placeholder: "the start", spellcheck: "false" });
  const start = (event) => {
    event.preventDefault();
    const given = from.value.trim() ? { state: from.value.trim() } : {};
    if (form.valid()) go(`/play?${new URLSearchParams({ game: form.spec(), ...seatsOf(), ...given })}`);
  };
  return h("form", { class: "setup", onsubmit: start, novalidate: true },
    h("div", { class: "fields" }, field("game", select), variants ? field("variant", variants) : null),
    h("details", { open: state !== null || nameOf(spec) !== spec.trim() }, h("summary", {}, "Size, rules, position"),
      form.element, field("begin from", from, "a position in the notation of the game")),
    h("div", { class: "row" }, h("button", { type: "submit", id: "new-game", class: "main" }, "New game")));
}

/** Creates the rules as a dialog, and the button that opens it. */
export function rulesDialog(game) {
  const close = h("button", { type: "button", onclick: () => dialog.close() }, "Close");
  const dialog = h("dialog", { id: "rules", class: "rules", "aria-labelledby": "rules-title" },
    h("h2", { id: "rules-title" }, game.title),
    h("div", { class: "rules-picture" }, picture(game.scene, `${game.title} under way`)),
    h("p", {}, game.rules || `${game.help}.`),
    game.puzzle ? null : h("p", { class: "quiet-text" }, `${game.sides[0]} moves first, ${game.sides[1]} second.`),
    h("div", { class: "row" }, close));
  dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
  return { dialog, open: h("button", { type: "button", id: "show-rules", class: "quiet small", onclick: () => dialog.showModal() }, "Rules") };
}
