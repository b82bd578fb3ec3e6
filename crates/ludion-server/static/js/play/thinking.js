// A player's analysis: every move of the position with its value, visits, proven result and variation;
// the time and nodes spent; and the evaluation bar from the first side's view.

import { h } from "../dom.js";

const number = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const short = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

/** Returns the proven result of a move in words, or nothing. */
const provenOf = (line) =>
  line.proven ? line.proven.verdict + (line.proven.plies === null ? "" : ` in ${line.proven.plies}`) : "";

/** Formats a value: −1 to +1 in a duel, points in a puzzle. */
const written = (value, puzzle) =>
  value === null ? "" : puzzle ? number.format(value) : (value > 0 ? "+" : value < 0 ? "−" : "") + Math.abs(value).toFixed(2);

/** Sorts the moves of an analysis, best first, as the command line does. */
export function ranked(choice) {
  const worth = (line) => line.value ?? -Infinity;
  return [...choice.lines].sort((a, b) =>
    (b.move === choice.best) - (a.move === choice.best) || b.visits - a.visits || worth(b) - worth(a));
}

/** Returns for each move the length of its bar from 0 to 1: by visits, or by value where none are counted. */
export function shares(choice, puzzle) {
  const most = Math.max(1, ...choice.lines.map((line) => line.visits));
  const counted = choice.lines.some((line) => line.visits > 0);
  const best = Math.max(1e-9, ...choice.lines.map((line) => line.value ?? 0));
  return new Map(choice.lines.map((line) => [line.move,
    counted ? line.visits / most : puzzle ? Math.max(0, (line.value ?? 0) / best) : ((line.value ?? -1) + 1) / 2]));
}

/** Returns the bars and texts that are drawn on the board for the moves. */
export function thoughtsOf(choice, legal, puzzle) {
  const touches = new Map(legal.map((one) => [one.move, one.touches]));
  const share = shares(choice, puzzle);
  return choice.lines.filter((line) => touches.has(line.move)).map((line) => ({
    touches: touches.get(line.move), share: share.get(line.move),
    best: line.move === choice.best, text: provenOf(line) || written(line.value, puzzle),
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

/** The analysis panel. */
export class Thinking {
  constructor() {
    /** Seconds after which the laboratory ends a search. */
    this.limit = 120;
    this.title = h("h2", { id: "thinking-title" }, "Thinking");
    this.rows = h("tbody");
    this.spent = h("p", { class: "spent", id: "spent" });
    /** Heads the priors of a network; hidden for other players. */
    this.priorHead = h("th", { scope: "col", hidden: true }, "prior");
    const head = ["value", "visits", "proven", "expected"];
    this.box = h("div", { class: "scroll", hidden: true, tabindex: 0, role: "region", "aria-label": "What the player thinks of each move" },
      h("table", { id: "thinking" },
        h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "move"), this.priorHead, head.map((text) => h("th", { scope: "col" }, text)))), this.rows));
    this.element = h("section", { class: "thinking", "aria-labelledby": "thinking-title" }, this.title, this.spent, this.box);
    this.clear();
  }

  clear(text = "No search is running; ask for a hint.") {
    this.halt();
    this.title.textContent = "Thinking";
    this.rows.replaceChildren();
    this.box.hidden = true;
    this.spent.textContent = text;
  }

  /** Stops the clock at the end of a search. */
  halt() {
    clearInterval(this.clock);
  }

  /** Starts the clock of a search, which is shown until the first report. */
  begin(player) {
    this.halt();
    this.title.textContent = `${player} thinks…`;
    const began = performance.now();
    const tick = () => { this.spent.textContent = `${((performance.now() - began) / 1000).toFixed(1)} s`; };
    tick();
    this.clock = setInterval(tick, CLOCK_INTERVAL);
  }

  show(choice, player, puzzle, done) {
    if (done || choice.lines.length > 0) this.halt();
    this.title.textContent = done ? `${player}: ${choice.best}` : `${player} thinks…`;
    this.box.hidden = choice.lines.length === 0;
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
    if (choice.lines.length > 0 && !choice.cut_off) this.spent.textContent = spentOf(choice);
    else if (done) this.spent.textContent = `${unexamined(choice, player, this.limit)} · ${spentOf(choice)}`;
  }
}

/** The evaluation bar; puzzles have none. */
export class Evaluation {
  constructor() {
    this.fill = h("div", { class: "fill" });
    this.text = h("span", { class: "text" });
    this.element = h("div", { id: "evaluation", class: "evaluation", role: "meter", "aria-label": "Evaluation for the first side", "aria-valuemin": -1, "aria-valuemax": 1 },
      this.fill, this.text);
    this.show(null, null);
  }

  /** @param {any} line the best line @param {"first" | "second" | null} turn who moves */
  show(line, turn) {
    const value = line?.value ?? null;
    const first = value === null ? 0 : turn === "second" ? -value : value;
    this.set(first, value === null ? "no evaluation yet" : line.proven ? this.proof(line, turn) : written(first, false));
  }

  /** Shows the outcome of a game that is over. */
  end(outcome, text) {
    this.set(outcome?.duel?.won === "first" ? 1 : outcome?.duel?.won === "second" ? -1 : 0, text);
  }

  proof(line, turn) {
    const { verdict, plies } = line.proven;
    const other = turn === "first" ? "second" : "first";
    const who = verdict === "draw" ? "draw" : `${verdict === "win" ? turn : other} wins`;
    return plies === null ? who : `${who} in ${plies}`;
  }

  set(first, text) {
    this.fill.style.width = `${(50 * (first + 1)).toFixed(1)}%`;
    this.text.textContent = text;
    this.element.setAttribute("aria-valuenow", first.toFixed(2));
    this.element.setAttribute("aria-valuetext", text);
  }
}
