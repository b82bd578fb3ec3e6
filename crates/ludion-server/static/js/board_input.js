// Which cells of a board stand for which move. The cells of a move are a path: touch its first cell,
// then its last, and cells between where one likes or where moves differ. On hexagons more than two
// cells are a set, touched until one move is left.

/** @typedef {{ x: number, y: number }} Cell */
/** @typedef {{ move: string, touches: Cell[], ways?: Cell[][], removes?: Cell[] }} LegalMove */

export const same = (a, b) => a.x === b.x && a.y === b.y;

/** Returns a move for each way of it across the board. @param {LegalMove[]} legal */
const alongWays = (legal) => legal.flatMap((one) => [one.touches, ...(one.ways ?? [])].map((touches) => ({ ...one, touches })));

/** Moves as sets of cells: the next cells, the completed move, and the cells left after a release. */
const sets = {
  prepare: (legal) => legal,
  candidates: (legal, touched) =>
    legal.filter(({ touches }) => touched.every((cell) => touches.some((one) => same(one, cell)))),
  next: (legal, touched) => sets.candidates(legal, touched).flatMap(({ touches }) =>
    touches.filter((cell) => !touched.some((one) => same(one, cell)))),
  played: (legal, touched) => {
    const left = sets.candidates(legal, touched);
    return left.length === 1 ? left[0] : null;
  },
  without: (touched, cell) => touched.filter((one) => !same(one, cell)),
};

/** Returns how many cells of a path are passed by these touched cells, or nothing if they leave it. */
function passed(touches, touched) {
  let at = 0;
  for (const cell of touched) {
    const here = touches.findIndex((one, i) => i >= at && same(one, cell));
    if (here < 0 || (at === 0 && here > 0)) return null;
    at = here + 1;
  }
  return at;
}

/** Whether these paths belong to one move. */
const isOneMove = (paths) => paths.length > 0 && paths.every(({ move }) => move === paths[0].move);

/** Moves as paths of cells; releasing a cell releases those after it. */
const paths = {
  prepare: alongWays,
  candidates: (legal, touched) => legal.filter(({ touches }) => passed(touches, touched) !== null),
  next: (legal, touched) => {
    const left = paths.candidates(legal, touched);
    if (touched.length === 0) return left.map(({ touches }) => touches[0]);
    // The last cell of several moves is ambiguous, unless it is a whole move.
    return left.flatMap(({ touches }) => touches.slice(passed(touches, touched))).filter((cell) => {
      const ending = paths.ending(left, [...touched, cell]);
      return ending.length === 0 || isOneMove(ending) || paths.played(left, [...touched, cell]);
    });
  },
  ending: (legal, touched) => paths.candidates(legal, touched).filter(({ touches }) => same(touches.at(-1), touched.at(-1))),
  played: (legal, touched) => {
    const ending = paths.ending(legal, touched).filter(({ touches }) => passed(touches, touched) === touches.length || touched.length > 1);
    return isOneMove(ending) ? ending[0] : ending.find(({ touches }) => touches.length === touched.length) ?? null;
  },
  without: (touched, cell) => touched.slice(0, touched.findIndex((one) => same(one, cell))),
};

/** Returns how the moves of a position are touched. @param {any} scene @param {LegalMove[]} legal */
export const mannerOf = (scene, legal) =>
  (scene.layout.kind === "hexagons" && legal.some(({ touches }) => touches.length > 2) ? sets : paths);
