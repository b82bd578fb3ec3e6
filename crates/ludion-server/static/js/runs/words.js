// Formats numbers, times and phases of runs as text.

import { h } from "../dom.js";

const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });

/** Formats a whole number with separated thousands. @param {number} n */
export const count = (n) => whole.format(n);

/** Formats a number of things, such as `3 games`. @param {number} n @param {string} thing */
export const plural = (n, thing) => `${count(n)} ${thing}${n === 1 ? "" : "s"}`;

/** Formats a share from 0 to 1 in per cent. @param {number} share */
export const percent = (share) => `${(100 * share).toFixed(1)} %`;

/** Formats a number with its sign; `null` stands for an infinite number and becomes a dash. @param {number | null} value */
export function signed(value, digits = 0) {
  if (value === null || value === undefined) return "–";
  const text = Math.abs(value).toFixed(digits);
  // A number that is rounded to zero has no sign.
  return Number(text) === 0 ? text : `${value < 0 ? "−" : "+"}${text}`;
}

/** Formats a duration in seconds, minutes or hours. @param {number} seconds */
export function time(seconds) {
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 100) return `${seconds.toFixed(0)} s`;
  if (seconds < 6000) return `${(seconds / 60).toFixed(0)} min`;
  return `${(seconds / 3600).toFixed(1)} h`;
}

/** Formats a UTC timestamp in local time. @param {string | null} text */
export const moment = (text) =>
  text ? new Date(text).toLocaleString([], { dateStyle: "medium", timeStyle: "short" }) : "";

const STATES = {
  queued: "waiting", running: "running", stopping: "stopping", elsewhere: "running elsewhere",
  stopped: "stopped", finished: "finished",
};

/** Creates the label of a run's phase. @param {string} phase */
export const chip = (phase) => h("span", { class: `chip ${phase}`, "data-phase": phase }, STATES[phase] ?? phase);

/** Whether a run is queued or in progress in this laboratory. @param {string} phase */
export const isUnderWay = (phase) => ["queued", "running", "stopping"].includes(phase);

const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** What kinds of runs are called, where it is not the name of the kind. */
const KINDS = { learn: "learning", "learn network": "network learning" };

/** Returns the kind and the game of a run as text, such as `Match of Connect Four`. */
export function titleOf(run) {
  const kind = capital(KINDS[run.kind] ?? run.kind);
  return run.subject ? `${kind} of ${run.subject_title ?? run.subject}` : kind;
}

/** Returns the players of a run or the description of a study as text; the title says the game. */
export function whatOf(run) {
  if (run.kind !== "game") return run.what;
  const [, players] = run.what.match(/^.*?: (.*)$/) ?? [null, run.what];
  return players.replaceAll(/\bhuman\b/g, "you").replace(/^you/, "You");
}

/** Returns how many games or jobs of a run are done, as text. */
export function shareOf(run) {
  if (run.total === null) return plural(run.done, run.unit.replace(/s$/, ""));
  return run.phase === "finished" && run.done === run.total
    ? plural(run.done, run.unit.replace(/s$/, ""))
    : `${count(run.done)} of ${count(run.total)} ${run.unit}`;
}

/** Returns the address of the page of a run, or of one of its games. @param {number} run @param {number} [game] */
export const addressOf = (run, game) => `/runs?run=${run}${game === undefined ? "" : `&game=${game}`}`;

/** Creates a table with a head. @param {string} label @param {any[]} head @param {any[][]} rows */
export function table(label, head, rows, attributes = {}) {
  const cell = (content, i) =>
    i === 0 ? h("th", { scope: "row" }, content) : h("td", { class: "num" }, content);
  return h("div", { class: "wide", tabindex: 0, role: "region", "aria-label": label },
    h("table", attributes,
      h("thead", {}, h("tr", {}, head.map((text, i) => h("th", { scope: "col", class: i > 0 ? "num" : null }, text)))),
      h("tbody", {}, rows.map((row) => h("tr", {}, row.map(cell))))));
}
