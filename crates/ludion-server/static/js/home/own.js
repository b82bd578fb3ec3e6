// What to type to bring a game or a bot.

import { copyText, h } from "../dom.js";

/** What can be brought: title, explanation and commands. */
const WAYS = [
  ["A game of your own", "One file with the rules. Every player, the arena, learning and these pages work with it at once.",
    ["ludion new mygame", "cd mygame", "cargo run --release -- lab"]],
  ["A bot in any language", "A program that reads positions and writes moves; there are templates in Python, Java, C++, Rust and JavaScript.",
    ["ludion new bot mybot --language python", "cd mybot", "ludion match connect4 \"bot(python3 bot.py)\" random"]],
  ["From Python", "Games, players, matches and learning as a package, for notebooks and your own training.",
    ["pip install ./crates/ludion-python", "python -m ludion games"]],
];

function commands(lines) {
  const copied = h("button", { type: "button", class: "small quiet", onclick: async () => {
    await copyText(lines.join("\n")).then(() => { copied.textContent = "Copied"; }, () => { copied.textContent = "Select it"; });
  } }, "Copy");
  return h("div", { class: "typed" }, h("pre", {}, h("code", {}, lines.join("\n"))), copied);
}

/** Creates the section about games and bots of one's own. */
export const bringYourOwn = () => h("section", { id: "own", tabindex: -1, "aria-labelledby": "own-title" },
  h("div", { class: "section-head" }, h("h2", { id: "own-title" }, "Bring your own game or bot")),
  h("div", { class: "ways" }, WAYS.map(([title, text, lines]) => h("article", { class: "panel" },
    h("h3", {}, title), h("p", { class: "quiet-text" }, text), commands(lines)))));
