// Draws any scene as SVG: squares, hexagons in rows or in a rhombus, or heaps, the pieces on them, the names around them. It
// contains no rules of a game. `picture` returns a picture to look at; `board.js` a board to play on.

import { s } from "./dom.js";
import { pegColours } from "./pegs.js";

/** Side of a square and width of a hexagon, in units of the SVG. */
const UNIT = 40;
/** Distance from the centre of a hexagon to its corners. */
const RADIUS = UNIT / Math.sqrt(3);
/** Height of the space for column names, and least width of the space for row names. */
const MARGIN = 22;
/** Estimated width of one character of a name. */
const CHARACTER_WIDTH = 9;
/** Objects in one line of a heap if the largest heap has 25 to 128 objects, fewer, or more. */
const HEAP_LINE_LENGTHS = [16, 24, 32];
/** Distance between two lines of a heap. */
const HEAP_LINE = UNIT * 1.5;

/** @typedef {{ x: number, y: number }} Cell */
/** @typedef {{ layout: any, pieces: any[], columns: string[], rows: string[], caption: string, marked: Cell[], names?: [Cell, string][], lines?: [Cell, Cell][], frames?: [Cell, Cell][], buttons?: [Cell, string][], winning?: Cell[] }} Scene */
/** @typedef {{ flipped?: boolean, width: number, height: number, cells: Cell[], centre(cell: Cell): { x: number, y: number }, outline(cell: Cell): Element, spot?(cell: Cell): Element, labels: { x: number, y: number, text: string, side?: "corner" }[] }} Plan */

/** Returns a map key for a cell. @param {Cell} cell */
export const keyOf = (cell) => `${cell.x},${cell.y}`;

/** Whether the board of a scene can be seen from the other side. @param {Scene} scene */
export const canFlip = (scene) => scene.layout.kind === "grid";

/** Computes where the cells and names of a scene are drawn. @param {Scene} scene @param {boolean} [flipped] @returns {Plan} */
export function plan(scene, flipped = false) {
  const { kind } = scene.layout;
  if (kind === "heaps") return heaps(scene);
  if (kind === "rhombus") return rhombus(scene);
  return kind === "hexagons" ? hexagons(scene) : grid(scene, flipped);
}

function all(cols, rows) {
  return Array.from({ length: cols * rows }, (_, i) => ({ x: i % cols, y: Math.floor(i / cols) }));
}

/** Returns the width of the space left of the cells that these names need. */
const roomFor = (names) => (names.length > 0 ? Math.max(MARGIN, ...names.map((text) => CHARACTER_WIDTH * text.length + 8)) : 2);

/** Whether cells have names of their own (as in checkers) instead of names of rows and columns. @param {Scene} scene */
const isNamed = (scene) => (scene.names?.length ?? 0) > 0;

/** Returns the labels: left of rows and under columns, or in the corners of cells with their own names. */
function names(scene, left, bottom, centre) {
  if (isNamed(scene)) {
    // In the top left corner, which a disc does not cover.
    return scene.names.map(([cell, text]) => ({ x: centre(cell).x - UNIT / 2 + 1.5, y: centre(cell).y - UNIT / 2 + 4.8, text, side: "corner" }));
  }
  return [
    ...scene.rows.map((text, y) => ({ x: left / 2, y: centre({ x: 0, y }).y, text })),
    ...scene.columns.map((text, x) => ({ x: centre({ x, y: 0 }).x, y: bottom + MARGIN / 2, text })),
  ];
}

function grid(scene, flipped) {
  const { cols, rows } = scene.layout;
  const seen = (cell) => (flipped ? { x: cols - 1 - cell.x, y: rows - 1 - cell.y } : cell);
  const left = isNamed(scene) ? 2 : roomFor(scene.rows);
  const bottom = 2 + rows * UNIT;
  const centre = (cell) => ({ x: left + (seen(cell).x + 0.5) * UNIT, y: 2 + (seen(cell).y + 0.5) * UNIT });
  const outline = (cell) => s("rect", {
    x: centre(cell).x - UNIT / 2, y: centre(cell).y - UNIT / 2, width: UNIT, height: UNIT,
    class: (cell.x + cell.y) % 2 === 0 ? "cell even" : "cell odd",
  });
  // On a board of points a place to touch is a circle around its point.
  const spot = scene.lines?.length > 0 ? (cell) => s("circle", { cx: centre(cell).x, cy: centre(cell).y, r: 14 }) : outline;
  return {
    flipped,
    width: left + cols * UNIT + 2,
    height: bottom + (scene.columns.length > 0 && !isNamed(scene) ? MARGIN : 2),
    cells: all(cols, rows), centre, outline, spot, labels: names(scene, left, bottom, centre),
  };
}

function hexagons(scene) {
  const { cols, rows } = scene.layout;
  const left = roomFor(scene.rows);
  const step = 1.5 * RADIUS;
  const centre = ({ x, y }) => ({
    x: left + (x + 0.5 + (y % 2) / 2) * UNIT,
    y: 2 + RADIUS + y * step,
  });
  const bottom = 2 + 2 * RADIUS + (rows - 1) * step;
  const outline = (cell) => s("path", { d: hexagon(centre(cell), RADIUS), class: "cell even" });
  return {
    width: left + (cols + (rows > 1 ? 0.5 : 0)) * UNIT + 2,
    height: bottom + (scene.columns.length > 0 ? MARGIN : 2),
    cells: all(cols, rows), centre, outline, labels: names(scene, left, bottom, centre),
  };
}

/** Lays out hexagons, each row half a cell to the right of the one above it. The names of the columns are above them, where they are not shifted. */
function rhombus(scene) {
  const { cols, rows } = scene.layout;
  const left = roomFor(scene.rows);
  const top = scene.columns.length > 0 ? MARGIN : 2;
  const step = 1.5 * RADIUS;
  const centre = ({ x, y }) => ({ x: left + (x + 0.5 + y / 2) * UNIT, y: top + RADIUS + y * step });
  const outline = (cell) => s("path", { d: hexagon(centre(cell), RADIUS), class: "cell even" });
  return {
    width: left + (cols + (rows - 1) / 2) * UNIT + 2,
    height: top + 2 * RADIUS + (rows - 1) * step + 2,
    cells: all(cols, rows), centre, outline,
    labels: [
      ...scene.rows.map((text, y) => ({ x: left / 2 + (y / 2) * UNIT, y: centre({ x: 0, y }).y, text })),
      ...scene.columns.map((text, x) => ({ x: centre({ x, y: 0 }).x, y: MARGIN / 2, text })),
    ],
  };
}

/**
 * Returns the attributes that give the pieces below an element the colours of the sides.
 * @param {string[] | undefined} sides what the sides are called, such as Red and Yellow
 */
export function coloursOf(sides) {
  return sides ? { "data-first": sides[0].toLowerCase(), "data-second": sides[1].toLowerCase() } : {};
}

/** Draws the edges of a rhombus in the colours of the sides. @param {Scene} scene @param {Plan} where */
function edges(scene, where) {
  const { kind, cols, rows } = scene.layout;
  if (kind !== "rhombus") return [];
  return where.cells.flatMap((cell) => [
    [cell.y === 0, "first", [150, 90, 30]],
    [cell.y === rows - 1, "first", [210, 270, 330]],
    [cell.x === 0, "second", [150, 210, 270]],
    [cell.x === cols - 1, "second", [90, 30, 330]],
  ].filter(([isEdge]) => isEdge).map(([, side, corners]) => s("path", {
    d: `M${/** @type {number[]} */ (corners).map((degrees) => corner(where.centre(cell), RADIUS, degrees)).join("L")}`, class: `edge ${side}`,
  })));
}

/** Lays out heaps under each other, long ones in several lines. */
function heaps(scene) {
  const { sizes } = scene.layout;
  const left = roomFor(scene.columns);
  const most = Math.max(1, ...sizes);
  const line = most <= HEAP_LINE_LENGTHS[1] ? HEAP_LINE_LENGTHS[1] : most > 128 ? HEAP_LINE_LENGTHS[2] : HEAP_LINE_LENGTHS[0];
  const pitch = UNIT * 0.6;
  let top = 2;
  const tops = sizes.map((size) => {
    const here = top;
    top += Math.max(1, Math.ceil(size / line)) * HEAP_LINE;
    return here;
  });
  const centre = ({ x, y }) => ({
    x: left + ((y % line) + 0.5) * pitch,
    // The middle of an object is above that of its line: below it is room for a value.
    y: tops[x] + (Math.floor(y / line) + 0.42) * HEAP_LINE,
  });
  const outline = (cell) => s("rect", {
    x: centre(cell).x - pitch / 2, y: centre(cell).y - 0.42 * HEAP_LINE + 1,
    width: pitch, height: HEAP_LINE - 3, rx: 4, class: "cell place",
  });
  return {
    width: left + Math.min(line, most) * pitch + 4,
    height: top + 2,
    cells: sizes.flatMap((size, x) => Array.from({ length: size }, (_, y) => ({ x, y }))),
    centre, outline,
    labels: scene.columns.map((text, x) => ({ x: left / 2, y: centre({ x, y: 0 }).y, text })),
  };
}

/** Returns the corner of a hexagon in a direction, counter-clockwise from the right. */
const corner = ({ x, y }, radius, degrees) => {
  const angle = (degrees * Math.PI) / 180;
  return `${(x + radius * Math.cos(angle)).toFixed(2)} ${(y - radius * Math.sin(angle)).toFixed(2)}`;
};

const hexagon = (centre, radius) =>
  `M${[90, 150, 210, 270, 330, 30].map((degrees) => corner(centre, radius, degrees)).join("L")}Z`;

const round = (radius, attributes) => ({ x, y }) => s("circle", { cx: x, cy: y, r: radius, ...attributes });

const SHAPES = {
  disc: round(15, {}),
  king: (at) => s("g", {}, round(15, {})(at), round(9, { class: "crown" })(at), round(5, { class: "crown" })(at)),
  ring: round(12, { class: "stroke" }),
  token: round(10, {}),
  cross: ({ x, y }) => s("path", { class: "stroke", d: `M${x - 11} ${y - 11}l22 22M${x + 11} ${y - 11}l-22 22` }),
  pawn: ({ x, y }) => s("path", {
    d: `M${x} ${y - 14}a6 6 0 0 1 4 10.5c3 2 4 6 4.500 9.500h3v6h-23v-6h3c.5-3.500 1.500-7.500 4.500-9.500a6 6 0 0 1 4-10.500z`,
  }),
  match: ({ x, y }) => s("g", {},
    s("rect", { class: "stick", x: x - 2, y: y - 12, width: 4, height: 30, rx: 1.5 }),
    s("ellipse", { class: "head", cx: x, cy: y - 14, rx: 4, ry: 5.5 })),
};

/** Draws a pit: its number of seeds, and a seed for each on its rim. */
function pit({ x, y }, seeds) {
  const centre = { x, y: y - 2 };
  const on = (i) => {
    const angle = (2 * Math.PI * i) / Math.max(seeds, 12) - Math.PI / 2;
    return round(1.9, { class: "seed" })({ x: centre.x + 14 * Math.cos(angle), y: centre.y + 14 * Math.sin(angle) });
  };
  return s("g", {}, round(17, { class: "pit" })(centre), Array.from({ length: Math.min(seeds, 24) }, (_, i) => on(i)), written(centre, seeds, 17));
}

/** The pips of a die on a grid of three by three. */
const PIPS = { 1: [4], 2: [0, 8], 3: [0, 4, 8], 4: [0, 2, 6, 8], 5: [0, 2, 4, 6, 8], 6: [0, 2, 3, 5, 6, 8] };

/** Draws a face of a die. */
const die = ({ x, y }, pips) => s("g", {},
  s("rect", { class: "die", x: x - 13, y: y - 16, width: 26, height: 26, rx: 5 }),
  (PIPS[pips] ?? []).map((i) => round(2.4, { class: "pip" })({ x: x + 7 * ((i % 3) - 1), y: y - 3 + 7 * (Math.floor(i / 3) - 1) })));

/** Draws a figure by its properties, with its name in the corner. */
function figure({ x, y }, { short, square, hollow, name }) {
  const size = (short ? 7 : 12) - (hollow ? 2 : 0);
  const kind = hollow ? "stroke" : "solid";
  // A little above the middle, so that a value has room below.
  const middle = y - 4;
  const body = square
    ? s("rect", { class: kind, x: x - size, y: middle - size, width: 2 * size, height: 2 * size, rx: 2 })
    : round(size, { class: kind })({ x, y: middle });
  return s("g", { class: "figure" }, body, s("text", { class: "figure-name", x: x - 18.5, y: y - 15, "font-size": 8, "dominant-baseline": "central" }, name));
}

/** Says what a shape is, for screen readers. @param {any} shape */
export function shapeText(shape) {
  if (typeof shape === "string") return shape;
  if ("seeds" in shape) return `${shape.seeds} seeds`;
  if ("figure" in shape) {
    const { short, square, hollow, name } = shape.figure;
    return `figure ${name}, ${short ? "short" : "tall"}, ${square ? "square" : "round"}, ${hollow ? "hollow" : "solid"}`;
  }
  return String("die" in shape ? `face ${shape.die}` : Object.values(shape)[0]);
}

/** Draws a piece. @param {any} piece @param {Scene} scene @param {Plan} where */
function drawn(piece, scene, where) {
  const at = where.centre(piece.at);
  const owner = piece.owner ? `piece ${piece.owner}` : "piece unowned";
  if (typeof piece.shape === "string" && piece.shape !== "block") {
    return s("g", { class: owner }, SHAPES[piece.shape](at));
  }
  if (piece.shape === "block") {
    const block = scene.layout.kind === "hexagons" || scene.layout.kind === "rhombus"
      ? s("path", { d: hexagon(at, RADIUS - 1.5) })
      : s("rect", { x: at.x - UNIT / 2 + 2, y: at.y - UNIT / 2 + 2, width: UNIT - 4, height: UNIT - 4, rx: 3 });
    return s("g", { class: owner }, block);
  }
  if ("peg" in piece.shape) {
    const colour = piece.shape.peg;
    return peg(colour, round(14, {})(at), written(at, colour + 1, 13));
  }
  if ("seeds" in piece.shape) return s("g", { class: `${owner} text` }, pit(at, piece.shape.seeds));
  if ("die" in piece.shape) return s("g", { class: "piece" }, die(at, piece.shape.die));
  if ("figure" in piece.shape) return s("g", { class: owner }, figure(at, piece.shape.figure));
  const { text } = piece.shape;
  // A little above the middle, so that a value has room below.
  return s("g", { class: `${owner} text` }, written({ x: at.x, y: at.y - 2 }, text, text.length > 2 ? 14 : 19));
}

/** Colours a peg and the number on it. @param {number} colour @param {any} body @param {any} number */
export function peg(colour, body, number) {
  const { fill, ink } = pegColours(colour);
  body.style.fill = fill;
  number.style.fill = ink;
  return s("g", { class: "piece peg" }, body, number);
}

const written = ({ x, y }, text, size) =>
  s("text", { x, y, "font-size": size, "text-anchor": "middle", "dominant-baseline": "central" }, String(text));

/** Draws the layers of a scene: cells, marks, pieces, names. @param {Scene} scene @param {Plan} where */
export function layers(scene, where) {
  const marked = scene.marked.map((cell) => {
    const mark = where.outline(cell);
    mark.setAttribute("class", "mark");
    return mark;
  });
  const lines = (scene.lines ?? []).map((ends) => {
    const [from, to] = ends.map((end) => where.centre(end));
    return s("line", { class: "board-line", x1: from.x, y1: from.y, x2: to.x, y2: to.y });
  });
  const frames = (scene.frames ?? []).map((corners) => {
    const [a, b] = corners.map((corner) => where.centre(corner));
    return s("rect", {
      class: "board-frame", x: Math.min(a.x, b.x) - UNIT / 2, y: Math.min(a.y, b.y) - UNIT / 2,
      width: Math.abs(a.x - b.x) + UNIT, height: Math.abs(a.y - b.y) + UNIT,
    });
  });
  return {
    // A board with lines is one of points: its cells have no outlines.
    cells: s("g", { class: lines.length > 0 ? "cells points" : "cells" }, where.cells.map((cell) => where.outline(cell)), lines, edges(scene, where)),
    // Marks fill cells, so that frames are drawn over them.
    marks: s("g", { class: "marks" }, marked, frames),
    winning: s("g", { class: "winning" }, (scene.winning ?? []).map((cell) => {
      const { x, y } = where.centre(cell);
      return s("circle", { cx: x, cy: y, r: 17 });
    })),
    pieces: s("g", { class: "pieces" }, scene.pieces.map((piece) => drawn(piece, scene, where))),
    names: s("g", { class: "names", "aria-hidden": "true" },
      where.labels.map((label) => (label.side === "corner"
        ? s("text", { x: label.x, y: label.y, "font-size": 8, "dominant-baseline": "central" }, label.text)
        : written(label, label.text, 13)))),
  };
}

/** Returns the attributes of an SVG element of the layout's size. @param {Plan} where */
export const frame = (where) => ({
  viewBox: `0 0 ${where.width.toFixed(1)} ${where.height.toFixed(1)}`,
  class: "scene",
});

/** Draws a picture that cannot be played on. @param {Scene} scene @param {string} label @param {boolean} [flipped] */
export function picture(scene, label, flipped = false) {
  const where = plan(scene, flipped);
  const { cells, marks, pieces, names, winning } = layers(scene, where);
  return s("svg", { ...frame(where), role: "img", "aria-label": label }, cells, marks, pieces, winning, names);
}
