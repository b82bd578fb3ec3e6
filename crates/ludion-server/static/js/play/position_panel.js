// Paste of positions and moves, and export: link, moves, position, record, pictures, animation.

import { post } from "../api.js";
import { copyText, errorPlace, h } from "../dom.js";
import { download } from "../download.js";
import { go } from "../router.js";
import { animationText, pngOf, svgText } from "./picture_files.js";

/** Most positions of an animation. */
const MAX_FRAMES = 400;

/** The panel for reading and writing positions and games. */
export class PositionPanel {
  /** @param {any} game */
  constructor(game) {
    this.game = game;
    this.error = errorPlace();
    this.note = h("p", { id: "position-note", class: "spent", role: "status" });
    this.state = h("textarea", { id: "state-text", class: "notation", rows: 2, spellcheck: "false", "aria-label": "This position", oninput: () => { this.changed.disabled = this.state.value === this.position.state; } });
    this.paste = h("textarea", { id: "paste", class: "notation", rows: 3, spellcheck: "false", placeholder: "a position, moves, or a record such as PDN", "aria-label": "Paste a position or moves" });
    const button = (id, text, action) => h("button", { type: "button", id, class: "small", onclick: () => this.answer(action) }, text);
    this.changed = button("open-state", "Open the changed position", () => this.load(this.state.value));
    this.changed.disabled = true;
    this.file = h("input", { type: "file", id: "open-file", class: "skip", accept: ".ludion,.txt,.pdn,.pgn", "aria-label": "Open a file", tabindex: -1, onchange: () => this.answer(() => this.openFile()) });
    this.element = h("div", { class: "position-panel" },
      h("h3", {}, "This position"), this.state,
      h("div", { class: "row" }, button("copy-link", "Copy link", () => this.copy("the link", this.link())),
        button("copy-moves", "Copy moves", () => this.copy("the moves", this.record.moves.join(" "))),
        button("copy-state", "Copy position", () => this.copy("the position", this.state.value)),
        this.changed, button("copy-embed", "Copy link to the board alone", () => this.copy("the link to the board alone", `${this.link()}&embed=1`))),
      h("h3", {}, "Open"), this.paste,
      h("div", { class: "row" }, button("load", "Load", () => this.load(this.paste.value)), button("choose-file", "File…", () => this.file.click()), this.file),
      h("h3", {}, "Save"),
      h("div", { class: "row" }, button("save-game", "Game with variations", () => this.save()),
        button("save-svg", "SVG", () => this.saveSvg()), button("save-png", "PNG", () => this.savePng()),
        button("save-animation", "Animation (SVG)", () => this.saveAnimation())),
      this.note, this.error);
  }

  /** Shows the text of a position. */
  show(record, position, { link, flipped, home }) {
    this.record = record;
    this.position = position;
    this.flipped = flipped;
    this.home = home;
    this.link = () => location.origin + link();
    if (this.state.value !== position.state) this.state.value = position.state;
    this.changed.disabled = true;
  }

  async answer(action) {
    this.error.say();
    this.note.textContent = "";
    try {
      await action();
    } catch (error) {
      this.error.say(error);
    }
  }

  async copy(what, text) {
    await copyText(text);
    this.note.textContent = `Copied ${what}.`;
  }

  /** Opens a pasted text. @param {string} text */
  async load(text) {
    const tree = text.match(/^\[Tree "(.*)"\]$/m)?.[1].replaceAll(/\\(.)/g, "$1");
    const plain = text.replace(/^\[Tree ".*"\]$/m, "");
    const { game, state, moves } = await post("/api/read", { game: this.record.game, text: plain });
    const query = new URLSearchParams({ game, first: "human", second: "human", tab: "position" });
    if (state !== null) query.set("state", state);
    if (moves.length > 0) query.set("moves", moves.join(" "));
    if (tree) query.set("tree", tree);
    await go(`/play?${query}`);
  }

  async openFile() {
    const [file] = this.file.files;
    if (file) await this.load(await file.text());
  }

  /** Returns the game as a record with tags; the variations are a tag of their own. */
  text() {
    const { record } = this;
    const tag = (name, value) => `[${name} "${value.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"]\n`;
    const moves = record.moves.map((move, i) => `${i + 1}. ${move}`).join(" ");
    return tag("Game", record.game) + (record.state === null ? "" : tag("Start", record.state)) + tag("Tree", record.tree) + `\n${moves} *\n`;
  }

  get name() {
    return `${this.game.name}-${this.record.at}`;
  }

  save() {
    download(`${this.game.name}.ludion`, "text/plain", this.text());
  }

  saveSvg() {
    download(`${this.name}.svg`, "image/svg+xml", svgText(this.position.scene, this.flipped(), this.home));
  }

  async savePng() {
    download(`${this.name}.png`, "image/png", await pngOf(svgText(this.position.scene, this.flipped(), this.home)));
  }

  async saveAnimation() {
    const { record } = this;
    const count = Math.min(record.moves.length, MAX_FRAMES);
    const scenes = [];
    for (let at = 0; at <= count; at++) {
      this.note.textContent = `position ${at + 1} of ${count + 1}`;
      scenes.push((await record.positionAfter(at)).scene);
    }
    this.note.textContent = "";
    download(`${this.game.name}-game.svg`, "image/svg+xml", animationText(scenes, this.flipped(), this.home));
  }
}
