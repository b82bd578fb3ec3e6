// What a player thinks, drawn on a board: a pill with the value at the last cell of each move, filled
// as far as its share, and arrows along the ways of the best moves.

import { s } from "./dom.js";
import { keyOf } from "./scene.js";

/** @typedef {{ touches: { x: number, y: number }[], way?: { x: number, y: number }[], share: number, best: boolean, text: string, rank?: number }} Thought */

/** Length of an arrow's head. */
const HEAD = 9;

/** Returns the moves to draw, one for each last cell: the best, or the one with the largest share. @param {Thought[]} thoughts */
function oneByCell(thoughts) {
  const byCell = new Map();
  for (const thought of thoughts) {
    const key = keyOf(thought.touches.at(-1));
    const rival = byCell.get(key);
    if (!rival || thought.best || (!rival.best && thought.share > rival.share)) byCell.set(key, thought);
  }
  return [...byCell.values()];
}

/** Height of a pill. */
const PILL = 10.5;

/** Draws the value of a move under the middle of its last cell, where it covers no number on the cell. */
function pill({ touches, share, best, text }, where, scene) {
  const at = where.centre(touches.at(-1));
  const heaps = scene.layout.kind === "heaps";
  const width = heaps ? 22 : Math.min(37, Math.max(20, 8 + 5.6 * text.length));
  const [x, y] = [at.x - width / 2, heaps ? at.y + 20 : at.y + 8.5];
  const size = Math.min(9, (width - 3) / (0.55 * Math.max(2, text.length)));
  return s("g", { class: best ? "hint best" : "hint" },
    s("rect", { class: "rail", x, y, width, height: PILL, rx: 3 }),
    s("rect", { class: "bar", x, y, width: Math.max(1, width * share), height: PILL, rx: 3 }),
    s("text", { x: at.x, y: y + PILL / 2 + 0.3, "font-size": size.toFixed(1), "text-anchor": "middle", "dominant-baseline": "central" }, text));
}

/** Width of a board beyond which its cells are too small for pills. */
const DENSE = 376;

/** Words for proven results by their signs. */
const SIGNS = { win: "+", loss: "−" };

/** Returns the text of a value in few characters: −0.04 is −.04, +0.30 is .30. @param {string} text */
const inFew = (text) => SIGNS[text] ?? (/^[+−]?\d\.\d+$/.test(text) ? text.replace(/^\+/, "").replace(/^(−?)0\./, "$1.").replace(/^(−?\d)\.0+$/, "$1") : text);

/** Draws the value of a move on a small cell: only characters, the stronger the larger the share. */
function figures({ touches, share, best, text, rank }, where) {
  const { x, y } = where.centre(touches.at(-1));
  const few = inFew(text);
  const label = s("text", { x, y, "font-size": (few.length > 3 ? 12 : 14), "text-anchor": "middle", "dominant-baseline": "central" }, few);
  // The edge of the characters stays opaque: it hides the lines of the board.
  label.style.fillOpacity = best || (rank ?? null) !== null ? "1" : (0.55 + 0.4 * share).toFixed(2);
  return s("g", { class: `hint small-hint${best ? " best" : ""}` }, best ? s("circle", { class: "rail", cx: x, cy: y, r: 17 }) : null, label);
}

/** Draws an arrow along a way, the first one strongest. @param {{ x: number, y: number }[]} way */
export function arrow(way, rank, where) {
  const points = way.map((cell) => where.centre(cell));
  const [from, tip] = [points.at(-2), points.at(-1)];
  const angle = Math.atan2(tip.y - from.y, tip.x - from.x);
  const back = (turn, length) => `${(tip.x - length * Math.cos(angle + turn)).toFixed(1)} ${(tip.y - length * Math.sin(angle + turn)).toFixed(1)}`;
  const shaft = [...points.slice(0, -1).map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`), back(0, HEAD - 1)];
  return s("g", { class: `arrow rank-${rank}` },
    s("path", { class: "shaft", d: `M${shaft.join("L")}` }),
    s("path", { class: "head", d: `M${tip.x.toFixed(1)} ${tip.y.toFixed(1)}L${back(0.5, HEAD + 3)}L${back(-0.5, HEAD + 3)}Z` }));
}

/** Returns the drawings of thoughts. @param {Thought[]} thoughts @param {any} where @param {any} scene */
export function hints(thoughts, where, scene) {
  const arrows = thoughts
    .map((thought) => ({ ...thought, way: thought.way ?? thought.touches, rank: thought.rank ?? (thought.best ? 0 : null) }))
    .filter(({ way, rank }) => rank !== null && way.length > 1)
    .sort((a, b) => b.rank - a.rank)
    .map(({ way, rank }) => arrow(way, rank, where));
  const isDense = where.width > DENSE && scene.layout.kind !== "heaps";
  // A pill leaves the piece on its cell in sight.
  const occupied = new Set(scene.pieces.map((piece) => keyOf(piece.at)));
  const isSmall = ({ touches }) => isDense && !occupied.has(keyOf(touches.at(-1)));
  return [...arrows, ...oneByCell(thoughts).map((thought) => (isSmall(thought) ? figures(thought, where) : pill(thought, where, scene)))];
}
