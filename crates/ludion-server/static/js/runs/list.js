// A table of runs with their results, each with a button to resume or repeat it.

import { post } from "../api.js";
import { h } from "../dom.js";
import { go } from "../router.js";
import { addressOf, chip, isUnderWay, moment, shareOf, titleOf, whatOf } from "./words.js";

/** Creates the button that resumes a stopped run or repeats a finished one, and then shows it. */
function action(run, error) {
  const verb = run.phase === "stopped" ? "resume" : run.phase === "finished" ? "repeat" : null;
  // A game that a person played is kept, not run.
  if (!verb || !run.known || run.kind === "game") return null;
  const act = async () => {
    error.say();
    try {
      const answer = await post(`/api/runs/${run.id}/${verb}`, {});
      await go(addressOf(answer.run));
    } catch (problem) {
      error.say(problem);
    }
  };
  const text = verb === "resume" ? "Resume" : "Repeat";
  return h("button", { type: "button", class: "small", "aria-label": `${text} run ${run.id}`, onclick: act }, text);
}

/** Creates the labels of a run's tags. @param {string[]} tags */
export const tagList = (tags) => (tags.length > 0 ? h("span", { class: "tags" }, tags.map((tag) => h("span", { class: "tag-chip" }, tag))) : null);

/** @typedef {{ ticked: Set<number>, changed: () => void }} Ticks the runs that are chosen for a comparison */

const tick = (run, ticks) => h("td", { class: "tick" }, h("input", {
  type: "checkbox", "aria-label": `Compare run ${run.id}`, checked: ticks.ticked.has(run.id),
  onchange: (event) => {
    if (event.target.checked) ticks.ticked.add(run.id);
    else ticks.ticked.delete(run.id);
    ticks.changed();
  },
}));

/** Creates a row of the table. @param {any} run @param {{ say(error?: any): void }} error @param {Ticks} [ticks] */
const rowOf = (run, error, ticks) => h("tr", { "data-run": run.id },
  ticks ? tick(run, ticks) : null,
  h("th", { scope: "row" }, h("a", { href: addressOf(run.id) }, run.id)),
  h("td", { class: "what" }, h("a", { href: run.kind === "game" ? addressOf(run.id, 0) : addressOf(run.id) }, titleOf(run)), h("span", { class: "who" }, whatOf(run)), tagList(run.tags)),
  h("td", { class: "result" }, run.result ?? "", run.note ? h("span", { class: "who note-line" }, run.note) : null),
  h("td", {}, chip(run.phase), isUnderWay(run.phase) && run.total
    ? h("progress", { max: run.total, value: run.done, "aria-label": `Progress of run ${run.id}` }) : null,
  run.kind === "game" ? null : h("span", { class: "who" }, shareOf(run))),
  ticks ? h("td", {}, h("time", { datetime: run.began }, moment(run.began))) : null,
  ticks ? h("td", {}, action(run, error)) : null);

/** The columns of the table: their heads, and by what they are sorted. */
const COLUMNS = [
  { head: "run", key: (run) => run.id },
  { head: "what", key: (run) => `${titleOf(run)} ${whatOf(run)}` },
  { head: "result", key: (run) => run.result ?? "" },
  { head: "state", key: (run) => run.phase },
  { head: "began", key: (run) => run.began },
];

/** The columns of a table beside other things. */
const FEW_COLUMNS = COLUMNS.slice(0, -1);

/** Sorts runs by a column. @param {any[]} runs @param {{ head: string, down: boolean }} order */
function sorted(runs, order) {
  const { key } = COLUMNS.find(({ head }) => head === order.head) ?? COLUMNS[0];
  const compare = (a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : a.id - b.id);
  return [...runs].sort((a, b) => (order.down ? compare(b, a) : compare(a, b)));
}

/**
 * Creates an empty table; `show` fills it, with the text `empty` if there are no runs. With `ticks` runs can
 * be chosen, the heads sort the table, and it has all columns.
 * @param {{ say(error?: any): void }} error @param {string} empty @param {Ticks} [ticks]
 */
export function runTable(error, empty, ticks) {
  const rows = h("tbody");
  let shown = [];
  const order = { head: "run", down: true };
  const heads = new Map();
  const sort = (head) => {
    Object.assign(order, { head, down: order.head === head ? !order.down : head === "run" || head === "began" });
    fill();
  };
  const headOf = ({ head }) => {
    const cell = h("th", { scope: "col" }, ticks ? h("button", { type: "button", class: "sort", onclick: () => sort(head) }, head) : head);
    heads.set(head, cell);
    return cell;
  };
  const head = h("tr", {}, ticks ? h("th", { scope: "col" }, h("span", { class: "skip" }, "compare")) : null, (ticks ? COLUMNS : FEW_COLUMNS).map(headOf), ticks ? h("th", { scope: "col" }, h("span", { class: "skip" }, "action")) : null);
  const element = h("div", { class: "wide", tabindex: 0, role: "region", "aria-label": "Runs" },
    h("table", { class: "runs" }, h("thead", {}, head), rows));
  function fill() {
    const list = ticks ? sorted(shown, order) : shown;
    for (const [name, cell] of heads) {
      if (ticks && name === order.head) cell.setAttribute("aria-sort", order.down ? "descending" : "ascending");
      else cell.removeAttribute("aria-sort");
    }
    // A row that has the focus is found again after an update.
    const focused = /** @type {HTMLElement | null} */ (document.activeElement)?.closest("tr")?.dataset.run;
    const label = document.activeElement?.getAttribute("aria-label");
    rows.replaceChildren(...(list.length > 0 ? list.map((run) => rowOf(run, error, ticks))
      : [h("tr", {}, h("td", { colspan: COLUMNS.length + 2, class: "quiet-text" }, empty))]));
    if (focused && label) /** @type {HTMLElement | null} */ (rows.querySelector(`tr[data-run="${focused}"] [aria-label="${label}"]`))?.focus({ preventScroll: true });
  }
  return {
    element,
    /** @param {any[]} runs */
    show(runs) {
      shown = runs;
      fill();
    },
  };
}
