// One or two replays side by side. Two can move together: both then stand after the same number of
// locked units.

import { post } from "../api.js";
import { h } from "../dom.js";
import { field } from "../form.js";
import { Recording } from "./recording.js";
import { Stage } from "./stage.js";

export class Pair {
  constructor() {
    /** The games that are shown, one for each stage. @type {({ seed: number, solution: string, title: string } | null)[]} */
    this.games = [null, null];
    /** Called when another game is shown. @type {(() => void) | undefined} */
    this.changed = undefined;
    this.stages = [new Stage("", (at) => this.follow(0, at)), new Stage("-second", (at) => this.follow(1, at))];
    this.stages.forEach((stage) => stage.element.setAttribute("role", "group"));
    this.together = h("input", { type: "checkbox", id: "together", checked: true });
    this.close = h("button", { type: "button", id: "one", onclick: () => this.single() }, "Close the second");
    this.tools = h("div", { class: "row", hidden: true }, field("move together, unit by unit", this.together), this.close);
    this.row = h("div", { class: "pair" }, this.stages.map((stage) => stage.element));
    this.element = h("div", {}, this.tools, this.row);
    this.single();
  }

  /** Shows the empty board of a problem. @param {any} which @param {any} problem @param {string[]} phrases */
  begin(which, problem, phrases) {
    this.which = which;
    this.problem = problem;
    this.phrases = phrases;
    this.single();
    this.games = [null, null];
    this.stages.forEach((stage) => stage.begin(problem));
  }

  single() {
    this.games[1] = null;
    this.stages[1].timeline.pause();
    this.stages[1].element.hidden = true;
    this.tools.hidden = true;
    this.row.classList.remove("two");
    this.changed?.();
  }

  /** Replays a game on the first or the second stage. @param {0 | 1} place */
  async show(place, game) {
    const asked = (this.asked = (this.asked ?? 0) + 1);
    const replayed = await post("/api/hextris/replay", { problem: this.which, seed: game.seed, solution: game.solution, phrases: this.phrases });
    // A newer choice replaces this one.
    if (asked !== this.asked) return;
    this.games[place] = game;
    const stage = this.stages[place];
    stage.timeline.pause();
    stage.element.hidden = false;
    stage.element.setAttribute("aria-label", game.title);
    const isPair = this.games[0] !== null && this.games[1] !== null;
    this.tools.hidden = !isPair;
    this.row.classList.toggle("two", isPair);
    const recording = new Recording(this.problem, game.solution, replayed);
    stage.play(recording, game.title, recording.complaint ? recording.length : 0);
    if (isPair && this.together.checked) this.follow(1 - place, this.stages[1 - place].timeline.at);
    this.changed?.();
  }

  /** Moves the other stage to the same number of locked units. */
  follow(place, at) {
    if (this.moving || !this.games[0] || !this.games[1] || !this.together.checked) return;
    const [own, other] = [this.stages[place], this.stages[1 - place]];
    const locked = Recording.before(own.recording.locks, at);
    this.moving = true;
    other.timeline.pause();
    other.timeline.go(locked === 0 ? 0 : (other.recording.locks[locked - 1]?.at ?? other.recording.length - 1) + 1);
    this.moving = false;
  }

  /** Handles the keys of a replay: arrows, Home, End and the space bar. @param {any} event */
  key(event) {
    const inField = event.target.closest?.("input, textarea, select, [role=tablist]");
    if (inField || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest?.("button, a, summary") && event.key === " ") return;
    const { timeline, recording } = this.stages[0];
    if (!recording) return;
    const { at } = timeline;
    const to = {
      ArrowLeft: event.shiftKey ? recording.lockBefore(at) : at - 1,
      ArrowRight: event.shiftKey ? recording.lockAfter(at) : at + 1,
      Home: 0, End: recording.length,
    }[event.key];
    if (to !== undefined) {
      timeline.pause();
      timeline.go(to);
    } else if (event.key === " ") timeline.toggle.click();
    else return;
    event.preventDefault();
  }

  pause() {
    this.stages.forEach((stage) => stage.timeline.pause());
  }
}
