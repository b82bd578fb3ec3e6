// Sentences about a position: whose turn it is, and how a game ended for the people who played it.

/** Returns the name of a side. @param {any} position @param {string} side */
export const nameOfSide = (position, side) => position.sides[side === "first" ? 0 : 1];

/** Replaces the words first and second by the names of the sides. @param {any} position @param {string} text */
export const withSideNames = (position, text) => text.replaceAll(/\b(first|second)\b/g, (side) => nameOfSide(position, side));

/** Returns the caption of a scene with the names of the sides. @param {any} position @param {boolean} puzzle */
export const captionOf = (position, puzzle) => (puzzle ? position.scene.caption : withSideNames(position, position.scene.caption));

/** Returns what a player is called: its strength, or its spec. */
const nameOfPlayer = (seat) => seat.level?.name ?? seat.spec;

/** Says whose turn it is. */
export function turnText(position, seat, { puzzle, paused, last, place }) {
  const side = puzzle ? "" : `${nameOfSide(position, position.turn)}: `;
  const who = seat.isPerson ? "your move" : paused ? `${nameOfPlayer(seat)}, paused` : `${nameOfPlayer(seat)} to move`;
  return last ? `${side}${who}` : `${side}${who} (${place})`;
}

/** Returns how a game ended for the only person who played it: won, lost or drawn; nothing if there is no such person. */
export function resultFor(position, { first, second }) {
  const duel = position.outcome?.duel;
  const people = [first, second].filter((seat) => seat.isPerson);
  if (!duel || people.length !== 1) return "";
  return !duel.won ? "drawn" : (duel.won === "first" ? first : second).isPerson ? "won" : "lost";
}

/** Says how a game ended, to the person who played it if there is one. */
export function endText(position, { first, second }, puzzle, moves) {
  const won = position.outcome.duel?.won;
  if (puzzle) return `${position.result} after ${moves}`;
  if (!won) return `Draw after ${moves}`;
  const people = [first, second].filter((seat) => seat.isPerson).length;
  if (people !== 1) return `${nameOfSide(position, won)} wins after ${moves}`;
  return `${(won === "first" ? first : second).isPerson ? "You won" : "You lost"} after ${moves}`;
}
