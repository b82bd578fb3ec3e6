// Archives of games: their players, outcomes and a sample of games.

import { get } from "../api.js";
import { errorPlace, h } from "../dom.js";
import { count, percent, plural, table } from "../runs/words.js";

/** Describes the players in one line. */
const playedBy = ({ players: [first, second], opening, seed }) =>
  `${first === second ? first : `${first} and ${second}`}${opening > 0 ? ` after ${opening} random plies` : ""}, seed ${seed}`;

const size = (bytes) => (bytes < 1e4 ? `${count(bytes)} B` : bytes < 1e7 ? `${count(bytes / 1e3)} kB` : `${count(bytes / 1e6)} MB`);

export class Archives {
  /** @param {any[]} archives @param {AbortSignal} signal */
  constructor(archives, signal) {
    this.signal = signal;
    this.error = errorPlace();
    this.inside = h("div", { id: "inside", "aria-live": "polite" });
    const look = (archive) => h("button", { type: "button", class: "small", "aria-label": `Look into ${archive.file}`, onclick: () => this.look(archive.file) }, archive.file);
    this.element = h("div", {},
      table("Archives", ["file", "game", "games", "size", "played by"], archives.map((archive) => [
        look(archive), archive.game, count(archive.games), size(archive.bytes),
        archive.sources.map(playedBy).join("; ") + (archive.torn > 0 ? "; incomplete at its end" : "")])),
      this.error, this.inside);
  }

  async look(file, from = 0) {
    this.error.say();
    try {
      this.show(file, await get(`/api/learning/games?${new URLSearchParams({ file, from: String(from) })}`, this.signal), from);
    } catch (error) {
      if (!this.signal.aborted) this.error.say(error);
    }
  }

  show(file, { game, counted, plies: [least, mean, most], ends, games }, from) {
    const playing = (moves) => `/play?${new URLSearchParams({ game, moves, first: "human", second: "human", at: "0" })}`;
    const turn = (text, to, disabled) => h("button", { type: "button", disabled, onclick: () => this.look(file, to) }, text);
    this.inside.replaceChildren(
      h("h3", {}, file),
      h("p", { class: "quiet-text" }, `Of ${plural(counted, "game")}: ${mean.toFixed(1)} plies a game, ${least} to ${most}.`),
      table(`How games of ${file} ended`, ["end", "games", "share", ""], ends.slice(0, 8).map(([end, number]) =>
        [end, count(number), percent(number / counted), h("meter", { min: 0, max: 1, value: (number / counted).toFixed(4), "aria-label": `share of ${end}` })])),
      table(`Games of ${file}`, ["game", "plies", "end"], games.map((one) =>
        [h("a", { href: playing(one.moves), "aria-label": `Replay game ${one.number}` }, `game ${one.number}`), one.plies, one.outcome])),
      h("div", { class: "row pager" }, turn("Earlier", Math.max(0, from - 10), from === 0), turn("Later", from + 10, games.length < 10)));
  }
}
