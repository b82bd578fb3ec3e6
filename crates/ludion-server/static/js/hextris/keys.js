// Playing by keyboard or buttons. Letters are commands as in a solution, so that phrases can be
// spelled; arrows are commands too. The server computes the effect of a command.

import { post } from "../api.js";
import { copyText, errorPlace, h } from "../dom.js";
import { Recording } from "./recording.js";

/** The commands: symbol, effect, and key besides the letters. */
const COMMANDS = [
  ["←", "west", "←"], ["→", "east", "→"], ["↙", "south-west", "↓"],
  ["↘", "south-east", "Shift ↓"], ["↻", "clockwise", "↑"], ["↺", "counter-clockwise", "Shift ↑"],
];

function commandOf(event) {
  const shifted = event.shiftKey ? 1 : 0;
  return {
    ArrowLeft: 0, ArrowRight: 1, ArrowDown: 2 + shifted, ArrowUp: 4 + shifted,
    Numpad4: 0, Numpad6: 1, Numpad1: 2, Numpad3: 3, Numpad9: 4, Numpad7: 5,
  }[event.code];
}

export class Keys {
  /** @param {import("./selection.js").ProblemSelection} selection @param {{ characters: string }[]} commands @param {AbortSignal} signal */
  constructor(selection, commands, signal) {
    this.selection = selection;
    this.commands = commands;
    this.typed = "";
    this.active = false;
    this.waiting = [];
    this.known = new Set(commands.flatMap(({ characters }) => [...characters]));
    this.error = errorPlace();
    this.start = h("button", { type: "button", class: "main", id: "start-playing", onclick: () => this.begin(true) }, "Start");
    this.undo = h("button", { type: "button", disabled: true, onclick: () => this.back() }, "Take back");
    this.copy = h("button", { type: "button", disabled: true, onclick: () => copyText(this.typed).catch((error) => this.error.say(error)) }, "Copy commands");
    this.pad = h("div", { class: "pad", role: "group", "aria-label": "Commands" }, COMMANDS.map(([sign, name, keys], i) =>
      h("button", { type: "button", disabled: true, "data-command": i, title: `${name} (${keys})`, "aria-label": name,
        onclick: () => this.type(this.commands[i].characters[0]) }, sign)));
    this.element = h("div", {},
      h("p", { class: "quiet-text" }, "Letters are the commands that they are in a solution: type “ei!” to spell it. Arrows move: ← → west and east, ↓ south-west, Shift ↓ south-east, ↑ and Shift ↑ turn. Backspace takes back."),
      h("div", { class: "row" }, this.start, this.copy),
      h("details", {}, h("summary", {}, "Which letters are which command"), h("dl", { class: "letters" },
        commands.flatMap(({ characters }, i) => [h("dt", {}, `${COMMANDS[i][0]} ${COMMANDS[i][1]}`), h("dd", {}, h("code", {}, [...characters].map((c) => (c === " " ? "␣" : c)).join(" ")))]))));
    selection.stage.hands.append(this.pad, this.undo, this.error);
    document.addEventListener("keydown", (event) => this.key(event), { signal });
  }

  /** Starts a game, or leaves it if not `active`. */
  async begin(active) {
    this.active = active;
    this.selection.stage.hands.hidden = !active;
    this.selection.stage.element.classList.toggle("playing", active);
    this.typed = "";
    this.waiting = [];
    this.recording = null;
    this.enable();
    if (!active) return;
    this.start.blur();
    await this.update("", 0);
    // On a phone the button is below the board; the board and the buttons under it are shown together.
    this.selection.stage.board.element.scrollIntoView({ block: "start" });
  }

  key(event) {
    const inField = event.target.closest?.("input:not([type=range]), textarea, select, [role=tablist]");
    if (!this.active || inField || event.ctrlKey || event.metaKey || event.altKey) return;
    const command = commandOf(event);
    const isButton = event.target.closest?.("button") && (event.key === " " || event.key === "Enter");
    if (event.key === "Backspace") this.back();
    else if (command !== undefined) this.type(this.commands[command].characters[0]);
    else if (event.key.length === 1 && this.known.has(event.key.toLowerCase()) && !isButton) this.type(event.key);
    else return;
    event.preventDefault();
  }

  /** Plays a command; commands typed while a request is in progress are queued. */
  async type(character) {
    if (!this.active) return;
    this.waiting.push(character);
    if (this.busy) return;
    this.busy = true;
    while (this.waiting.length > 0 && this.active) {
      // One command at a time, so that a rejected one does not discard the others.
      const next = this.waiting.shift();
      if (!this.allows(next)) {
        this.refuse(next);
        continue;
      }
      await this.update(this.typed + next, this.typed.length);
    }
    this.busy = false;
  }

  allows(character) {
    const command = this.commands.findIndex(({ characters }) => characters.includes(character.toLowerCase()));
    return this.recording?.legal[command];
  }

  refuse(character) {
    const over = this.recording && !this.recording.legal.includes(true);
    this.error.say(over ? "the game is over" : `“${character}” would bring the unit back to where it has been`);
  }

  async back() {
    if (!this.active || this.typed.length === 0 || this.busy) return;
    this.busy = true;
    this.recording = null;
    await this.update(this.typed.slice(0, -1), 0);
    this.busy = false;
  }

  async update(solution, from) {
    this.error.say();
    const { selection } = this;
    try {
      const replayed = await post("/api/hextris/replay", { problem: selection.which, seed: selection.seed, solution, phrases: selection.phrases(), from });
      if (!this.active) return;
      if (this.recording && from > 0) this.recording.extend(solution, replayed);
      else this.recording = new Recording(selection.problem, solution, replayed);
      this.typed = solution;
      selection.stage.play(this.recording, "you", this.recording.length);
    } catch (error) {
      this.error.say(error);
    }
    this.enable();
  }

  enable() {
    [...this.pad.children].forEach((button, i) => { button.disabled = !this.active || !this.recording?.legal[i]; });
    this.undo.disabled = this.copy.disabled = !this.active || this.typed.length === 0;
  }
}
