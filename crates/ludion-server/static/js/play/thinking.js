// A player's analysis: the best lines with their values, every move of the position with visits, proven
// result and variation, and the time and nodes spent.

import { h } from "../dom.js";
import { signed } from "../runs/words.js";

const number = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const short = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

/** Returns the proven result of a move in words, or nothing. */
const provenOf = (line) =>
  line.proven ? line.proven.verdict + (line.proven.plies === null || line.proven.verdict === "draw" ? "" : ` in ${line.proven.plies}`) : "";

/** Returns the proven result of a move in a few signs: +3 wins and −3 loses in three plies, = is a draw; in a word where the plies are not known. */
const shortProof = ({ proven: { verdict, plies } }) =>
  (verdict === "draw" ? "=" : plies === null ? verdict : `${verdict === "win" ? "+" : "−"}${plies}`);

/** Formats a value: −1 to +1 in a duel, points in a puzzle. */
export const written = (value, puzzle) => (value === null ? "" : puzzle ? number.format(value) : signed(value, 2));

/** Sorts the moves of an analysis, best first, as the command line does. */
export function ranked(choice) {
  const worth = (line) => line.value ?? -Infinity;
  return [...choice.lines].sort((a, b) =>
    Number(b.move === choice.best) - Number(a.move === choice.best) || b.visits - a.visits || worth(b) - worth(a));
}

/** Returns for each move the length of its bar from 0 to 1: by visits, or by value where none are counted. */
export function shares(choice, puzzle) {
  const most = Math.max(1, ...choice.lines.map((line) => line.visits));
  const counted = choice.lines.some((line) => line.visits > 0);
  const best = Math.max(1e-9, ...choice.lines.map((line) => line.value ?? 0));
  return new Map(choice.lines.map((line) => [line.move,
    counted ? line.visits / most : puzzle ? Math.max(0, (line.value ?? 0) / best) : ((line.value ?? -1) + 1) / 2]));
}

/** Returns the values and arrows that are drawn on the board for the moves; the first `count` have arrows. */
export function thoughtsOf(choice, legal, puzzle, count = 1) {
  const known = new Map(legal.map((one) => [one.move, one]));
  const share = shares(choice, puzzle);
  return ranked(choice).map((line, rank) => ({ line, rank })).filter(({ line }) => known.has(line.move)).map(({ line, rank }) => ({
    touches: known.get(line.move).touches, way: known.get(line.move).ways?.[0], share: share.get(line.move),
    best: line.move === choice.best, text: line.proven ? shortProof(line) : written(line.value, puzzle), rank: rank < count ? rank : null,
  }));
}

function spentOf(choice) {
  const rate = (count) => `${short.format(count / Math.max(choice.seconds, 1e-3))}/s`;
  return [
    choice.depth > 0 ? `depth ${choice.depth}` : null,
    choice.simulations > 0 ? `${short.format(choice.simulations)} random games, ${rate(choice.simulations)}` : null,
    choice.nodes > 0 ? `${short.format(choice.nodes)} nodes, ${rate(choice.nodes)}` : null,
    `${choice.seconds.toFixed(choice.seconds < 1 ? 2 : 1)} s`,
  ].filter(Boolean).join(" · ");
}

/** Explains why moves of a choice have no analysis. */
function unexamined(choice, player, limit) {
  // A search that counted nodes but has no analysed move was cut off too.
  const cut = choice.cut_off || choice.nodes > 0 || choice.simulations > 0;
  if (!cut) return `${player} looks at nothing before it moves`;
  const before = choice.lines.length > 0 ? "" : " before it had examined every move";
  return `${player} was cut off by the limit of ${limit} s${before}`;
}

/** Interval of the clock during a search, in milliseconds. */
const CLOCK_INTERVAL = 100;
/** Most moves of a line that are shown. */
const MAX_LINE = 12;

/** The analysis panel. */
export class Thinking {
  /** @param {(moves: string[]) => void} followed called with the moves of a line that is clicked */
  constructor(followed) {
    this.followed = followed;
    /** Seconds after which the laboratory ends a search. */
    this.limit = 120;
    this.title = h("h2", { id: "thinking-title", class: "thinking-title" }, "Thinking");
    this.rows = h("tbody");
    this.lines = h("ol", { id: "lines", class: "lines", "aria-label": "Best lines" });
    this.spent = h("p", { class: "spent", id: "spent" });
    this.count = h("select", { id: "line-count", "aria-label": "Number of lines" },
      [1, 2, 3, 5, 8].map((n) => h("option", { value: n, selected: n === 3 }, n === 1 ? "1 line" : `${n} lines`)));
    /** Heads the priors of a network; hidden for other players. */
    this.priorHead = h("th", { scope: "col", hidden: true }, "prior");
    const head = ["value", "visits", "proven", "expected"];
    this.table = h("details", { class: "every-move" }, h("summary", {}, "Every move"),
      h("div", { class: "scroll wide", tabindex: 0, role: "region", "aria-label": "What the player thinks of each move" },
        h("table", { id: "thinking" },
          h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "move"), this.priorHead, head.map((text) => h("th", { scope: "col" }, text)))), this.rows)));
    this.element = h("section", { class: "thinking", "aria-labelledby": "thinking-title" },
      h("div", { class: "thinking-head" }, this.title, this.spent), this.lines, this.table);
    this.clear();
  }

  get lineCount() {
    return Number(this.count.value);
  }

  clear(text = "Switch it on, or ask for a hint.") {
    this.halt();
    /** Whether a search is shown that has not ended. */
    this.isBusy = false;
    this.title.textContent = "Thinking";
    this.rows.replaceChildren();
    this.lines.replaceChildren();
    this.lines.style.setProperty("--count", this.lineCount);
    this.tell(text);
  }

  /** Shows what was spent; the whole text is a tooltip where it is cut. @param {string} text */
  tell(text) {
    this.spent.textContent = text;
    this.spent.title = text;
  }

  /** Stops the clock at the end of a search. */
  halt() {
    clearInterval(this.clock);
  }

  /** Starts the clock of a search, which is shown until the first report. */
  begin(player) {
    this.halt();
    this.isBusy = true;
    this.title.textContent = `${player} thinks…`;
    this.lines.style.setProperty("--count", this.lineCount);
    const began = performance.now();
    const tick = () => { this.tell(`${((performance.now() - began) / 1000).toFixed(1)} s`); };
    tick();
    this.clock = setInterval(tick, CLOCK_INTERVAL);
  }

  show(choice, player, puzzle, done) {
    if (done || choice.lines.length > 0) this.halt();
    this.isBusy = !done;
    this.title.textContent = done ? `${player}: ${choice.best}` : `${player} thinks…`;
    this.showLines(choice, puzzle);
    this.showTable(choice, puzzle);
    if (choice.lines.length > 0 && !choice.cut_off) this.tell(spentOf(choice));
    else if (done) this.tell(`${unexamined(choice, player, this.limit)} · ${spentOf(choice)}`);
  }

  /** Shows the best lines; a click on a move plays the line up to it. */
  showLines(choice, puzzle) {
    this.lines.replaceChildren(...ranked(choice).slice(0, this.lineCount).map((line) => {
      const variation = line.variation.length > 0 ? line.variation : [line.move];
      const verdict = line.proven?.verdict ?? "";
      return h("li", { class: line.move === choice.best ? "best" : null },
        h("span", { class: `badge ${verdict}` }, provenOf(line) || written(line.value, puzzle) || "–"),
        h("span", { class: "variation-moves" }, variation.slice(0, MAX_LINE).map((move, i) =>
          h("button", { type: "button", class: "quiet pv", onclick: () => this.followed(variation.slice(0, i + 1)) }, move))));
    }));
  }

  showTable(choice, puzzle) {
    const share = shares(choice, puzzle);
    const hasPriors = choice.lines.some((line) => line.prior !== undefined);
    this.priorHead.hidden = !hasPriors;
    this.rows.replaceChildren(...ranked(choice).map((line) =>
      h("tr", { class: line.move === choice.best ? "best" : null, "data-move": line.move },
        h("th", { scope: "row" }, line.move),
        hasPriors ? h("td", { class: "num" }, line.prior === undefined ? "" : `${(100 * line.prior).toFixed(1)} %`) : null,
        h("td", { class: "num" }, written(line.value, puzzle)),
        h("td", { class: "num" }, line.visits > 0 ? number.format(line.visits) : "",
          h("meter", { min: 0, max: 1, value: share.get(line.move).toFixed(3), "aria-hidden": "true" })),
        h("td", { class: `proven ${line.proven?.verdict ?? ""}` }, provenOf(line)),
        h("td", { class: "line" }, line.variation.slice(1, 9).join(" ")))));
  }
}
