// Shows a solution at a moment: the board, under it the command string with the current character and
// the spelled phrases highlighted, the scores, the next units, and the timeline.

import { h } from "../dom.js";
import { plural } from "../runs/words.js";
import { Timeline } from "../timeline.js";
import { HexBoard, unitPicture } from "./board.js";
import { Recording } from "./recording.js";

/** @type {[number, string][]} */
const SPEEDS = [[2, "2 characters a second"], [8, "8"], [30, "30"], [120, "120"], [600, "600"], [3000, "3000"]];
/** Number of characters of the command string shown on each side of the current one. */
const CONTEXT_LENGTH = 36;
const FIGURES = ["score", "moves", "power", "lines", "units"];
const EFFECTS = { m: "moves", l: "locks", i: "is ignored", e: "is an error" };

export class Stage {
  /** @param {string} [suffix] of the ids, where a page has two stages @param {(at: number) => void} [moved] */
  constructor(suffix = "", moved = () => {}) {
    this.board = new HexBoard();
    this.letters = Array.from({ length: 2 * CONTEXT_LENGTH + 1 }, () => h("span"));
    this.strip = h("div", { class: "strip", id: `strip${suffix}`, role: "img" }, this.letters);
    this.status = h("p", { class: "status", id: `hex-status${suffix}`, role: "status" }, "…");
    this.values = new Map(FIGURES.map((name) => [name, h("dd", {}, "–")]));
    this.figures = h("dl", { class: "figures" }, FIGURES.map((name) => h("div", {}, h("dt", {}, name), this.values.get(name))));
    this.next = h("div", { class: "next", "aria-label": "Next units", role: "group" });
    this.spelled = h("p", { class: "phrases", id: `phrases${suffix}` });
    this.timeline = new Timeline({
      label: "Character", moments: "character", speeds: SPEEDS, speed: 30, moved: (at) => { this.show(at); moved(at); },
      leaps: [(at) => this.recording?.lockBefore(at) ?? 0, (at) => this.recording?.lockAfter(at) ?? 0, "to where a unit locks"],
    });
    // Holds the buttons with which a person plays.
    this.hands = h("div", { class: "hands", hidden: true });
    this.element = h("div", { class: "stage hex-stage" },
      this.status, this.board.element, this.hands, this.strip, this.timeline.element,
      h("div", { class: "scores" }, this.figures, this.next), this.spelled);
  }

  /** Shows the empty board of a problem, without a solution. */
  begin(problem) {
    this.recording = null;
    this.problem = problem;
    this.board.begin(problem);
    this.board.show(problem.rows, [], null, [], `Empty board of ${problem.width} columns and ${problem.height} rows`);
    this.timeline.pause();
    this.timeline.set(0, 0);
    this.next.replaceChildren();
    this.shownNext = "";
    this.spelled.textContent = "";
  }

  /** @param {import("./recording.js").Recording} recording @param {string} title @param {number} at */
  play(recording, title, at) {
    this.recording = recording;
    this.title = title;
    this.timeline.set(recording.length, at);
  }

  show(at) {
    const { recording } = this;
    if (!recording) return;
    const moment = recording.moment(at);
    const { verdict } = recording;
    this.board.show(moment.rows, moment.cells, moment.placement, moment.ghost, `After ${plural(at, "character")}: ${plural(moment.locked, "unit")} locked, ${plural(moment.lines, "line")}`);
    const figures = {
      score: moment.points + moment.power, moves: moment.points, power: moment.power, lines: moment.lines,
      units: `${moment.locked} / ${recording.problem.source_length}`,
    };
    for (const name of FIGURES) this.values.get(name).textContent = figures[name];
    this.upcoming(moment.next);
    this.write(at, moment);
    const phrases = [...moment.counts].map(([phrase, count]) => `${recording.phrases[phrase]}${count > 1 ? ` ×${count}` : ""}`);
    this.spelled.textContent = phrases.length > 0 ? `Spelled: ${phrases.join(", ")}` : "No phrase spelled yet.";
    const last = at === recording.length;
    const end = last ? (recording.complaint ?? `${verdict.status}, ${plural(verdict.score, "point")}`) : this.did(at);
    this.status.textContent = `${this.title}: ${end}`;
    this.status.classList.toggle("loss", last && recording.complaint !== null);
  }

  did(at) {
    if (at === 0) return "the first unit has come";
    const character = this.recording.solution[at - 1];
    const lock = this.recording.locks[Recording.before(this.recording.locks, at) - 1];
    const worth = lock?.at === at - 1 ? `: ${plural(lock.points, "point")}${lock.lines > 0 ? `, ${plural(lock.lines, "line")}` : ""}` : "";
    return `character ${at}, “${character}”, ${EFFECTS[this.recording.what[at - 1]]}${worth}`;
  }

  upcoming(shapes) {
    const key = shapes.map((shape) => this.problem.shapes.indexOf(shape)).join();
    if (key === this.shownNext) return;
    this.shownNext = key;
    this.next.replaceChildren(...shapes.map((shape, i) => unitPicture(shape, `unit ${i + 1} of the next`)));
  }

  /** Writes the characters around the current one into a fixed row of elements, of which only those that differ change. */
  write(at, { spelling, failed }) {
    const { solution, litAt } = this.recording;
    const middle = Math.max(0, at - 1);
    this.strip.setAttribute("aria-label", `Commands so far: ${solution.slice(Math.max(0, at - 20), at)}`);
    this.letters.forEach((letter, i) => {
      const place = middle - CONTEXT_LENGTH + i;
      const kind = place >= at ? "to-come" : litAt[place] < at ? "lit" : place >= at - spelling ? "begun" : "";
      const now = place === at - 1 ? (failed ? " now wrong-char" : " now") : "";
      const text = shownCharacter(place < 0 ? "" : solution.charAt(place));
      if (letter.textContent !== text) letter.textContent = text;
      const look = place < 0 || place >= solution.length ? "" : kind + now;
      if (letter.className !== look) letter.className = look;
    });
  }
}

/** Returns a character in a visible form: other white space than blanks is a dot. */
const shownCharacter = (character) =>
  character === "" || character === " " ? "\u00a0" : /\s/.test(character) ? "·" : character;
