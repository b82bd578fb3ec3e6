// The front page: what the laboratory is for, a board where players think, the games, and the last runs.

import { get, getOnce } from "../api.js";
import { h } from "../dom.js";
import { gallery } from "../home/gallery.js";
import { LiveBoard } from "../home/live.js";
import { bringYourOwn } from "../home/own.js";
import { addressOf, chip, moment, titleOf, whatOf } from "../runs/words.js";

/** Number of runs listed. */
const LAST_RUNS = 4;

/** What a visitor can do first: title, explanation and address. */
const ACTIONS = [
  ["Play Connect Four", "against a beginner, a club player or an expert", "/play?game=connect4"],
  ["Watch two players", "and see every move weighed", "/play?game=connect4&first=mcts&second=expert"],
  ["Compare players", "with error bars, in a minute", "/arena"],
  ["Break a code", "Mastermind, with advice", "/mastermind?view=game"],
  ["Teach a program", "to play a game from nothing", "/learning"],
  ["Bring your own", "game or bot, in any language", "#own"],
];

const action = ([title, text, href], i) => h("a", { class: i === 0 ? "action main-action" : "action", href },
  h("strong", {}, title), h("span", {}, text));

/** @param {HTMLElement} main @param {URLSearchParams} _query @param {AbortSignal} signal */
export async function show(main, _query, signal) {
  const live = new LiveBoard(signal);
  const [{ games, riddles }, { runs }] = await Promise.all([
    getOnce("/api/games"), get(`/api/runs?count=${LAST_RUNS}`, signal), live.open()]);
  if (signal.aborted) return;
  document.title = "Ludion";
  main.append(
    h("div", { class: "hero" },
      h("div", { class: "welcome" },
        h("h1", {}, "A laboratory for players of games"),
        h("p", { class: "lead" }, "Play any game, watch programs think, find out which one is better and why, teach one to play, and bring a game or a bot of your own."),
        h("nav", { class: "actions", "aria-label": "Where to begin" }, ACTIONS.map(action))),
      live.element),
    gallery(games, riddles),
    runs.length > 0 ? lastRuns(runs) : "",
    bringYourOwn());
  if (location.hash === "#own") document.getElementById("own").scrollIntoView();
  live.play();
}

const lastRuns = (runs) => h("section", { class: "last-runs", "aria-labelledby": "last-runs" },
  h("div", { class: "section-head" }, h("h2", { id: "last-runs" }, "Your last runs"), h("a", { href: "/runs" }, "All runs")),
  h("ul", { class: "run-cards" }, runs.map((run) => h("li", {},
    h("a", { href: run.kind === "game" ? addressOf(run.id, 0) : addressOf(run.id) }, titleOf(run)), " ", run.phase === "finished" ? null : chip(run.phase),
    h("p", {}, run.result ?? whatOf(run)),
    h("time", { datetime: run.began, class: "quiet-text" }, moment(run.began))))));
