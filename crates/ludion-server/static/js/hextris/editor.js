// Problems made by hand: the board and every unit are drawn, and the problem is played, solved or saved in
// the JSON of the contest.

import { errorPlace, h } from "../dom.js";
import { download } from "../download.js";
import { field } from "../form.js";
import { HexGrid } from "./grid.js";

const number = (id, value, min, max) => h("input", { type: "number", id, value, min, max, required: true });

/** Size of the drawing of a unit. */
const [UNIT_WIDTH, UNIT_HEIGHT] = [5, 4];
const MAX_UNITS = 12;

/** The first units of a new problem: full cells, and the pivot. */
const FIRST_UNITS = [[["2,1"], "2,1"], [["1,1", "2,1", "3,1"], "2,1"]];

export class ProblemEditor {
  /** @param {import("./selection.js").ProblemSelection} selection */
  constructor(selection) {
    this.selection = selection;
    this.error = errorPlace();
    this.width = number("make-width", 8, 1, 40);
    this.height = number("make-height", 12, 1, 60);
    this.number = number("make-id", 900, 0, 1_000_000);
    this.length = number("make-length", 50, 1, 10_000);
    this.seeds = h("input", { type: "text", id: "make-seeds", value: "0, 1", spellcheck: "false" });
    for (const input of [this.width, this.height]) input.addEventListener("change", () => this.resize());
    this.boardPlace = h("div", { class: "make-board" });
    this.unitPlace = h("div", { class: "make-units" });
    this.told = h("p", { class: "quiet-text", role: "status" });
    this.marking = h("input", { type: "checkbox", id: "make-pivots", onchange: () => this.mark() });
    /** @type {HexGrid[]} */
    this.units = [];
    this.resize();
    FIRST_UNITS.forEach(([cells, pivot]) => this.addUnit(/** @type {string[]} */ (cells), /** @type {string} */ (pivot)));
    this.element = this.layout();
  }

  layout() {
    const button = (id, text, onclick, main = false) => h("button", { type: "button", id, class: main ? "main" : null, onclick }, text);
    return h("div", { class: "make" },
      h("p", { class: "quiet-text" }, "Draw the full cells of the board, and the cells of every unit with the point around which it turns."),
      h("div", { class: "fields" }, field("width", this.width), field("height", this.height), field("number", this.number), field("units in a game", this.length), field("seeds", this.seeds, "separated by commas")),
      h("h3", {}, "Board"), this.boardPlace,
      h("h3", {}, "Units"), field("clicks set the pivot", this.marking), this.unitPlace,
      h("div", { class: "row" }, button("add-unit", "Add a unit", () => this.addUnit([], "2,1"))),
      this.error, this.told,
      h("div", { class: "row" }, button("use-made", "Use this problem", () => this.use(), true), button("save-made", "Download", () => this.save())));
  }

  /** Makes a board of the chosen size; cells that are still on it stay full. */
  resize() {
    if (!this.width.checkValidity() || !this.height.checkValidity()) return;
    const kept = this.board?.list() ?? [];
    const [width, height] = [Number(this.width.value), Number(this.height.value)];
    this.board = new HexGrid(width, height, "Board to draw", () => {});
    kept.filter(({ x, y }) => x < width && y < height).forEach(({ x, y }) => this.board.full.add(`${x},${y}`));
    this.board.draw();
    this.boardPlace.replaceChildren(this.board.element);
  }

  addUnit(cells, pivot) {
    if (this.units.length >= MAX_UNITS) return;
    const unit = new HexGrid(UNIT_WIDTH, UNIT_HEIGHT, `Unit ${this.units.length + 1}`, () => {});
    cells.forEach((at) => unit.full.add(at));
    unit.pivot = pivot;
    unit.marking = this.marking.checked;
    unit.draw();
    this.units.push(unit);
    const remove = h("button", { type: "button", class: "quiet small", "aria-label": `Remove unit ${this.units.length}`, onclick: () => {
      this.units.splice(this.units.indexOf(unit), 1);
      card.remove();
    } }, "Remove");
    const card = h("div", { class: "make-unit" }, unit.element, remove);
    this.unitPlace.append(card);
  }

  mark() {
    for (const unit of this.units) unit.marking = this.marking.checked;
  }

  /** Returns the problem in the JSON of the contest. */
  problem() {
    const seeds = this.seeds.value.split(",").map((seed) => Number(seed.trim()));
    if (seeds.some((seed) => !Number.isInteger(seed) || seed < 0)) throw new Error(`the seeds ${this.seeds.value} do not read; allowed are whole numbers, separated by commas`);
    const units = this.units.filter((unit) => unit.full.size > 0).map((unit) => {
      const [x, y] = unit.pivot.split(",").map(Number);
      return { members: unit.list(), pivot: { x, y } };
    });
    if (units.length === 0) throw new Error("a problem needs a unit; draw the cells of one");
    return {
      id: Number(this.number.value), width: this.board.width, height: this.board.height, filled: this.board.list(),
      sourceLength: Number(this.length.value), sourceSeeds: seeds, units,
    };
  }

  async attempt(work) {
    this.error.say();
    this.told.textContent = "";
    try {
      await work();
    } catch (error) {
      this.error.say(error);
    }
  }

  use() {
    return this.attempt(async () => {
      await this.selection.choose(JSON.stringify(this.problem()));
      this.told.textContent = "The problem is on the board: solve it, play it, or score a solution.";
    });
  }

  save() {
    return this.attempt(async () => {
      const problem = this.problem();
      download(`problem_${problem.id}.json`, "application/json", `${JSON.stringify(problem)}\n`);
    });
  }
}
