// rapid-draughts (npm) as a bot: its alpha-beta player of English draughts at a fixed depth.
//
//     node bench/peers/rapid_draughts.mjs FOLDER DEPTH [LOG]
//
// FOLDER is where `npm install rapid-draughts` was run. Moves and the CPU time they took are
// written to LOG at the end. The protocol is described in docs/guide/protocol.md.

import { appendFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { createInterface } from "node:readline";

const [folder, depth, log] = process.argv.slice(2);
const { EnglishDraughts, EnglishDraughtsComputerFactory } =
  createRequire(join(folder, "package.json"))("rapid-draughts/english");
const computer = EnglishDraughtsComputerFactory.alphaBeta({ maxDepth: Number(depth) });
const empty = { light: 0, dark: 0, king: 0 };
const stats = { sinceCapture: 0, sinceNonKingAdvance: 0 };

/** The bit of every square 1 to 32, found by asking where a single piece of each bit stands. */
const bits = [];
for (let i = 0; i < 32; i++) {
  const game = EnglishDraughts.setup({ player: "light", board: { ...empty, light: 1 << i }, stats });
  bits[game.board.find((square) => square.piece).position + 1] = 1 << i;
}

/** The game at a position such as `B:W31,K28:B1,2:H3`. */
function read(fen) {
  const [turn, ...parts] = fen.split(":");
  const board = { ...empty };
  for (const part of parts.filter((part) => "WB".includes(part[0]))) {
    const colour = part[0] === "W" ? "light" : "dark";
    for (const name of part.slice(1).split(",").filter(Boolean)) {
      const bit = bits[Number(name.replace("K", ""))];
      board[colour] |= bit;
      if (name.startsWith("K")) board.king |= bit;
    }
  }
  return EnglishDraughts.setup({ player: turn === "W" ? "light" : "dark", board, stats: { ...stats } });
}

const place = (square) => {
  const row = Math.floor((square - 1) / 4);
  return [row, 2 * ((square - 1) % 4) + ((row + 1) % 2)];
};

/** The squares jumped on a way that is written whole. */
function jumped(squares) {
  return squares.slice(1).map((to, i) => {
    const [[y0, x0], [y1, x1]] = [place(squares[i]), place(to)];
    return ((y0 + y1) / 2) * 4 + Math.floor((x0 + x1) / 4) + 1;
  });
}

/** The legal move that is written for one of theirs. */
function spell(move, legal) {
  const [from, to] = [move.origin + 1, move.destination + 1];
  const ways = legal.map((text) => [text, text.split(/[-x]/).map(Number)]);
  const same = ways.filter(([, way]) => way[0] === from && way.at(-1) === to);
  const taken = new Set(move.captures.map((square) => square + 1));
  const exact = same.find(([, way]) => jumped(way).every((square) => taken.has(square)));
  return (exact ?? same[0])?.[0] ?? `${from}-${to}`;
}

let [position, legal, moves, micros] = [EnglishDraughts.setup(), [], 0, 0];
const say = (line) => process.stdout.write(line + "\n");
for await (const line of createInterface({ input: process.stdin })) {
  const [word, ...rest] = line.trim().split(" ");
  if (word === "ugi") {
    say(`id name rapid-draughts depth ${depth}\nfeature game checkers\nfeature legal\nugiok`);
  } else if (word === "isready") {
    say("readyok");
  } else if (word === "position") {
    position = rest[0] === "fen" ? read(rest[1]) : EnglishDraughts.setup();
  } else if (word === "legal") {
    legal = rest;
  } else if (word === "go") {
    const before = process.cpuUsage();
    const move = await computer(position);
    const { user, system } = process.cpuUsage(before);
    [moves, micros] = [moves + 1, micros + user + system];
    say(`bestmove ${spell(move, legal)}`);
  } else if (word === "quit") {
    break;
  }
}
if (log) appendFileSync(log, `${moves} ${micros / 1e6}\n`);
