// my_bot: a bot that plays any game of Ludion.
//
// Put your own idea into `choose`; the rest of the file speaks the protocol, which Ludion describes
// in docs/guide/protocol.md. The bot reads one command a line and answers on standard output. What
// it writes with console.error is for you: Ludion shows the last line if the bot fails.

import { createInterface } from "node:readline";

/**
 * Returns the move to play, one of `position.legal`.
 *
 * This is the place for your own idea; as it stands, the bot plays a random move. Draw random
 * numbers from `random` and not from Math.random, so that games can be repeated. Keep to `limits`:
 * a move that comes a second late loses the game.
 *
 * @param {{game: string, state: ?string, moves: string[], legal: string[]}} position
 *   `game` has its parameters with it, such as "hexapawn(rows=4)". `state` is in the notation of the
 *   game, null at its start. `moves` were played since then; Ludion sends the state after them, and
 *   no moves.
 * @param {Object<string, number>} limits `movetime` (milliseconds), `depth` (plies), `nodes`
 *   (states); none of them means that the bot decides for itself
 * @param {function(): number} random a number from 0 up to, but not including, 1
 * @returns {string}
 */
function choose(position, limits, random) {
  return position.legal[Math.floor(random() * position.legal.length)];
}

/** Returns random numbers that the seed determines (mulberry32): Math.random has no seed. */
function seeded(seed) {
  let a = seed >>> 0;
  return () => {
    a = (a + 0x6d2b79f5) >>> 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Reads `startpos` or `fen STATE`, either with `moves M M ...` behind it. */
function readPosition(words, position) {
  const end = words.includes("moves") ? words.indexOf("moves") : words.length;
  position.state = words[0] === "fen" ? words.slice(1, end).join(" ") : null;
  position.moves = words.slice(end + 1);
  position.legal = [];
}

/** Reads the words after `go`, such as `movetime 100`. */
function readLimits(words) {
  const pairs = words.map((word, i) => [word, Number(words[i + 1])]);
  return Object.fromEntries(pairs.filter(([, value]) => Number.isInteger(value)));
}

const say = (line) => process.stdout.write(line + "\n");

const position = { game: "", state: null, moves: [], legal: [] };
let seed = 0;
let random = seeded(seed);

for await (const line of createInterface({ input: process.stdin })) {
  const [word, ...rest] = line.trim().split(/\s+/);
  if (word === "ugi") { // who are you?
    say("id name my_bot");
    say("option name Seed type spin default 0 min 0 max 2147483647");
    say("feature game"); // tell me which game it is; I play any
    say("feature legal"); // send the legal moves with every position
    say("ugiok");
  } else if (word === "isready") {
    say("readyok");
  } else if (word === "setoption" && rest[1] === "Seed") {
    seed = Number(rest[3]);
  } else if (word === "game") {
    position.game = rest.join(" ");
  } else if (word === "uginewgame") {
    random = seeded(seed);
  } else if (word === "position") {
    readPosition(rest, position);
  } else if (word === "legal") {
    position.legal = rest;
  } else if (word === "go" && position.legal.length === 0) {
    say("error there is no legal move, or the line legal is missing");
  } else if (word === "go") {
    say(`bestmove ${choose(position, readLimits(rest), random)}`);
  } else if (word === "quit") {
    break;
  }
  // Other lines are ignored, as the protocol asks; so is `stop`, because `choose` has always
  // answered before the bot reads it.
}

// The bot ends although its input is still open.
process.stdin.destroy();
