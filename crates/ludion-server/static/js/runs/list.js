// A table of runs, each with a button to resume or repeat it.

import { post } from "../api.js";
import { h } from "../dom.js";
import { go } from "../router.js";
import { addressOf, chip, isUnderWay, moment, shareOf, titleOf } from "./words.js";

/** Creates the button that resumes a stopped run or repeats a finished one, and then shows it. */
function action(run, error) {
  const verb = run.phase === "stopped" ? "resume" : run.phase === "finished" ? "repeat" : null;
  if (!verb || !run.known) return null;
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

/** Creates the rows of the table. @param {any[]} runs @param {{ say(error?: any): void }} error */
export const rowsOf = (runs, error) => runs.map((run) => h("tr", { "data-run": run.id },
  h("th", { scope: "row" }, h("a", { href: addressOf(run.id) }, run.id)),
  h("td", { class: "what" }, h("a", { href: addressOf(run.id) }, titleOf(run)), h("span", { class: "who" }, run.what)),
  h("td", {}, chip(run.phase), isUnderWay(run.phase) && run.total
    ? h("progress", { max: run.total, value: run.done, "aria-label": `Progress of run ${run.id}` }) : null),
  h("td", {}, shareOf(run)),
  h("td", {}, String(run.seed)),
  h("td", {}, h("time", { datetime: run.began }, moment(run.began))),
  h("td", {}, action(run, error))));

/** Creates an empty table; `show` fills it, with the text `empty` if there are no runs. @returns {{ element: HTMLElement, show(runs: any[]): void }} */
export function runTable(error, empty) {
  const rows = h("tbody");
  const head = ["run", "what", "state", "done", "seed", "began", ""];
  const element = h("div", { class: "wide", tabindex: 0, role: "region", "aria-label": "Runs" },
    h("table", { class: "runs" }, h("thead", {}, h("tr", {}, head.map((text) => h("th", { scope: "col" }, text)))), rows));
  return {
    element,
    show(runs) {
      rows.replaceChildren(...(runs.length > 0 ? rowsOf(runs, error) : [h("tr", {}, h("td", { colspan: head.length, class: "quiet-text" }, empty))]));
    },
  };
}
