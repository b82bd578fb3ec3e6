// Codes as text and as discs. Colours are numbers from 1: single digits if there are at most ten colours
// (0 is the tenth), else separated by dashes.

import { h, s } from "../dom.js";
import { peg } from "../scene.js";

/** Formats a code. @param {number[]} code colours from 0 @param {number} colours */
export const showCode = (code, colours) =>
  colours <= 10 ? code.map((colour) => (colour + 1) % 10).join("") : code.map((colour) => colour + 1).join("-");

/** Returns the colours of a code that is being typed, from 0; other text is left out. @param {string} text @param {number} colours */
export function readCode(text, colours) {
  const words = text.split(/[\s,;-]+/).filter(Boolean);
  const digits = colours <= 10 && (words.length === 1 || words.every((word) => word.length === 1));
  const numbers = digits ? words.join("").split("").map((digit) => (digit === "0" ? 10 : Number(digit))) : words.map(Number);
  return numbers.filter((number) => number >= 1 && number <= colours).map((number) => number - 1);
}

/** Draws a random code. @param {number} pegs @param {number} colours @param {boolean} repeats */
export function drawCode(pegs, colours, repeats) {
  const below = (most) => Math.floor(Math.random() * most);
  if (repeats) return Array.from({ length: pegs }, () => below(colours));
  const left = Array.from({ length: colours }, (_, colour) => colour);
  return Array.from({ length: pegs }, () => left.splice(below(left.length), 1)[0]);
}

/** Draws a peg as a disc, or a hole for `null`. @param {number | null} colour */
export const disc = (colour) => s("svg", { viewBox: "0 0 30 30", class: "disc", "aria-hidden": "true" },
  colour === null
    ? s("circle", { cx: 15, cy: 15, r: 13, class: "hole" })
    : peg(colour, s("circle", { cx: 15, cy: 15, r: 14 }),
      s("text", { x: 15, y: 15.5, "font-size": 13, "text-anchor": "middle", "dominant-baseline": "central" }, String(colour + 1))));

/** Draws a code as discs, which screen readers read as numbers. @param {(number | null)[]} code @param {string} label */
export const discs = (code, label) =>
  h("span", { class: "discs", role: "img", "aria-label": `${label}: ${code.map((colour) => (colour === null ? "none" : colour + 1)).join(" ")}` },
    code.map(disc));
