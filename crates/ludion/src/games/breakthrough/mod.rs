//! Breakthrough, by Dan Troyka (2000). The pieces of the first side fill the two lowest rows and move
//! up, those of the second the two highest and move down. A piece moves one cell straight or
//! diagonally forward to an empty cell, or captures one cell diagonally forward. A side wins by
//! reaching the far row or by capturing all pieces of the other; there is no draw, because the
//! foremost piece can always move.

mod evaluator;

use crate::encoding::{EncodingShape, push_bits};
use crate::erased::GameBuilder;
use crate::game::{Game, Side, Status};
use crate::grid::{GridGame, GridLayout, PieceBitboards};
use crate::named::NamedGame;
use crate::notation::{NotationError, NotationReader, show_owners};
use crate::outcome::Duel;
use crate::param::{Args, Param, ParamError};
use crate::presentation::StrengthLevel;
use crate::scene::{Coord, PieceShape, Scene, Symmetry, cell_name};
use crate::search::solve::solve;

use super::bits::{BitGrid, bits};
pub use evaluator::AdvanceEvaluator;

/// The rules of Breakthrough: the size of the board.
#[derive(Clone, Copy, Debug)]
pub struct Breakthrough {
    grid: BitGrid,
}

/// The pieces of each side, as bits `row·cols + column` counted from the top left, and the
/// side to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct BreakthroughState {
    pieces: [u64; 2],
    turn: Side,
}

/// A move of one piece from one cell to another.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct BreakthroughMove {
    from: u8,
    to: u8,
}

/// The cells to which pieces of the side to move can go to the left, straight ahead and to the right.
struct Targets {
    left: u64,
    ahead: u64,
    right: u64,
}

impl Breakthrough {
    /// Returns the game on `rows` × `cols` cells, at most 64; there are at least four rows and two
    /// columns.
    #[must_use]
    pub fn new(rows: usize, cols: usize) -> Self {
        Breakthrough { grid: BitGrid::flat(cols, rows) }
    }

    /// Shifts a set of cells by one row in the direction in which `side` moves.
    #[inline]
    fn forward(&self, side: Side, set: u64) -> u64 {
        match side {
            Side::First => self.grid.up(set),
            Side::Second => self.grid.down(set),
        }
    }

    /// Returns the cells of the row on which a piece of `side` wins.
    #[inline]
    fn goal_row(&self, side: Side) -> u64 {
        match side {
            Side::First => self.grid.row(0),
            Side::Second => self.grid.row(self.grid.rows - 1),
        }
    }

    #[inline(always)]
    fn targets(&self, s: &BreakthroughState) -> Targets {
        let (own, other) = (s.pieces[s.turn.index()], s.pieces[s.turn.other().index()]);
        let ahead = self.forward(s.turn, own);
        Targets {
            left: self.grid.left(ahead) & !own,
            ahead: ahead & !(own | other),
            right: self.grid.right(ahead) & !own,
        }
    }

    /// Returns whether `side` has reached the far row or captured everything.
    #[inline]
    fn has_won(&self, s: &BreakthroughState, side: Side) -> bool {
        s.pieces[side.index()] & self.goal_row(side) != 0 || s.pieces[side.other().index()] == 0
    }

    fn cell_name(&self, cell: u8) -> String {
        let Coord { x, y } = self.cell(cell);
        cell_name(x.into(), y.into(), self.grid.rows)
    }

    fn cell(&self, cell: u8) -> Coord {
        Coord::new(usize::from(cell) % self.grid.cols, usize::from(cell) / self.grid.cols)
    }

    /// Returns a set of cells as `side` sees it: rotated by 180° for the second side.
    #[inline]
    fn seen(&self, set: u64, side: Side) -> u64 {
        match side {
            Side::First => set,
            Side::Second => set.reverse_bits() >> (64 - self.grid.cells()),
        }
    }

    fn owner(&self, s: &BreakthroughState, x: usize, y: usize) -> Option<Side> {
        let bit = y * self.grid.cols + x;
        Side::BOTH.into_iter().find(|side| s.pieces[side.index()] >> bit & 1 == 1)
    }
}

impl Game for Breakthrough {
    type State = BreakthroughState;
    type Move = BreakthroughMove;
    type Outcome = Duel;

    fn start(&self) -> BreakthroughState {
        let rows = |far: Side| {
            let edge = self.goal_row(far);
            edge | self.forward(far.other(), edge)
        };
        BreakthroughState { pieces: [rows(Side::Second), rows(Side::First)], turn: Side::First }
    }

    #[inline]
    fn status(&self, s: &BreakthroughState) -> Status<Duel> {
        let moved = s.turn.other();
        if self.has_won(s, moved) { Status::Over(Duel::Won(moved)) } else { Status::Turn(s.turn) }
    }

    /// Lists the moves by their targets in the order of the cells, for each direction.
    #[inline]
    fn moves(&self, s: &BreakthroughState, out: &mut Vec<BreakthroughMove>) {
        if self.has_won(s, s.turn.other()) {
            return;
        }
        let (targets, cols) = (self.targets(s), self.grid.cols as u8);
        for (set, shift) in [(targets.left, 1), (targets.ahead, 0), (targets.right, u8::MAX)] {
            for to in bits(set) {
                let behind = match s.turn {
                    Side::First => to + cols,
                    Side::Second => to - cols,
                };
                out.push(BreakthroughMove { from: behind.wrapping_add(shift), to });
            }
        }
    }

    #[inline]
    fn play(&self, s: &mut BreakthroughState, m: BreakthroughMove) {
        s.pieces[s.turn.index()] ^= 1 << m.from | 1 << m.to;
        s.turn = s.turn.other();
        s.pieces[s.turn.index()] &= !(1 << m.to);
    }

    #[inline]
    fn key(&self, s: &BreakthroughState) -> u64 {
        self.grid.key(s.pieces, s.turn as u64, 1)
    }

    #[inline]
    fn count_moves(&self, s: &BreakthroughState, _scratch: &mut Vec<BreakthroughMove>) -> usize {
        if self.has_won(s, s.turn.other()) {
            return 0;
        }
        let Targets { left, ahead, right } = self.targets(s);
        (left.count_ones() + ahead.count_ones() + right.count_ones()) as usize
    }

    #[inline]
    fn wins_at_once(&self, s: &BreakthroughState) -> Option<bool> {
        let Targets { left, ahead, right } = self.targets(s);
        let other = s.pieces[s.turn.other().index()];
        let captures_last = other.count_ones() == 1 && (left | right) & other != 0;
        Some((left | ahead | right) & self.goal_row(s.turn) != 0 || captures_last)
    }

    /// A piece of the opponent that is one row from its goal wins unless it is captured.
    #[inline]
    fn safe_moves(&self, s: &BreakthroughState, out: &mut Vec<BreakthroughMove>) -> bool {
        let (own, other) = (s.pieces[s.turn.index()], s.pieces[s.turn.other().index()]);
        // With a single piece, the opponent may also win by capturing it.
        if own.is_power_of_two() {
            return false;
        }
        let before_goal = self.forward(s.turn, self.goal_row(s.turn.other()));
        let threats = other & before_goal;
        if threats.count_ones() < 2 {
            let first = out.len();
            self.moves(s, out);
            if threats != 0 {
                let mut kept = first;
                for i in first..out.len() {
                    if 1 << out[i].to == threats {
                        out.swap(kept, i);
                        kept += 1;
                    }
                }
                out.truncate(kept);
            }
        }
        true
    }

    #[inline]
    fn last_mover_wins(&self) -> bool {
        true
    }

    #[inline]
    fn slot(&self, m: BreakthroughMove) -> usize {
        // The targets of a piece are at most three consecutive cells, which differ modulo 3.
        3 * usize::from(m.from) + usize::from(m.to) % 3
    }

    fn show_state(&self, s: &BreakthroughState) -> String {
        let board = show_owners(self.grid.cols, self.grid.rows, |x, y| self.owner(s, x, y));
        format!("{board} {}", s.turn)
    }

    fn read_state(&self, text: &str) -> Result<BreakthroughState, NotationError> {
        let mut reader = NotationReader::new(text);
        let pieces = reader.owners(self.grid.cols, self.grid.rows)?;
        let turn = reader.side()?;
        reader.end()?;
        let s = BreakthroughState { pieces, turn };
        for side in Side::BOTH {
            let count = pieces[side.index()].count_ones() as usize;
            if count > 2 * self.grid.cols {
                return Err(reader.whole(format!(
                    "the {side} side has {count} pieces; at most {} are allowed",
                    2 * self.grid.cols
                )));
            }
            if self.has_won(&s, side) && side == turn {
                return Err(reader.whole(format!("{side} had already won before the last move")));
            }
        }
        Ok(s)
    }

    fn show_move(&self, _s: &BreakthroughState, m: BreakthroughMove) -> String {
        format!("{}{}", self.cell_name(m.from), self.cell_name(m.to))
    }

    fn scene(&self, s: &BreakthroughState) -> Scene {
        let pawns = [PieceShape::Pawn, PieceShape::Pawn];
        let mut scene =
            Scene::owners(self.grid.cols, self.grid.rows, pawns, |x, y| self.owner(s, x, y));
        scene.name_like_chess();
        let (rows, cols) = (self.grid.rows, self.grid.cols);
        let goals = [(Side::First, 0), (Side::Second, rows - 1)];
        let reached = goals.into_iter().flat_map(|(side, y)| (0..cols).map(move |x| (side, x, y)));
        let reached = reached.filter(|&(side, x, y)| self.owner(s, x, y) == Some(side));
        scene.winning = reached.map(|(_, x, y)| Coord::new(x, y)).collect();
        scene
    }

    fn side_names(&self) -> [&'static str; 2] {
        ["White", "Black"]
    }

    fn touches(&self, _s: &BreakthroughState, m: BreakthroughMove) -> Vec<Coord> {
        vec![self.cell(m.from), self.cell(m.to)]
    }

    fn symmetries(&self) -> Vec<Symmetry> {
        vec![Symmetry::Mirror]
    }

    fn transform(&self, s: &BreakthroughState, symmetry: Symmetry) -> BreakthroughState {
        BreakthroughState {
            pieces: s.pieces.map(|set| self.grid.image(set, symmetry)),
            turn: s.turn,
        }
    }

    /// The board is rotated for the second side. Each cell has three actions: its piece goes to the
    /// left, straight ahead or to the right.
    fn encoding(&self) -> EncodingShape {
        let (rows, cols) = (self.grid.rows, self.grid.cols);
        EncodingShape { planes: 2, rows, cols, extras: 0, actions: 3 * rows * cols }
    }

    #[inline]
    fn features(&self, s: &BreakthroughState, seen_by: Side, out: &mut Vec<u32>) {
        let cells = self.grid.cells();
        for (plane, side) in [seen_by, seen_by.other()].into_iter().enumerate() {
            push_bits(self.seen(s.pieces[side.index()], seen_by), plane * cells, out);
        }
    }

    #[inline]
    fn piece_counts(&self, s: &BreakthroughState) -> Option<[u32; 2]> {
        Some(s.pieces.map(u64::count_ones))
    }

    #[inline]
    fn actions(&self, s: &BreakthroughState, moves: &[BreakthroughMove], out: &mut Vec<u32>) {
        let (cols, last) = (self.grid.cols as u32, self.grid.cells() as u32 - 1);
        out.extend(moves.iter().map(|m| {
            let [from, to] = [m.from, m.to].map(|cell| match s.turn {
                Side::First => u32::from(cell),
                Side::Second => last - u32::from(cell),
            });
            3 * from + to % cols + 1 - from % cols
        }));
    }
}

impl GridGame for Breakthrough {
    fn board(&self) -> GridLayout {
        let (cols, rows) = (self.grid.cols, self.grid.rows);
        GridLayout {
            max_pieces: 4 * cols as u8,
            ..GridLayout::full(cols, rows, |x, y| y * cols + x)
        }
    }

    /// Returns the pieces of the side to move and of its opponent. If the second side is to move,
    /// the board is rotated by 180°, so that the side to move always moves up.
    #[inline]
    fn pieces(&self, s: &BreakthroughState) -> PieceBitboards {
        let men = [s.turn, s.turn.other()].map(|side| self.seen(s.pieces[side.index()], s.turn));
        PieceBitboards { men, ..PieceBitboards::default() }
    }
}

/// Returns the registry entry of Breakthrough, with the evaluator `advance`.
#[must_use]
pub fn entry() -> GameBuilder<Breakthrough> {
    let builder = GameBuilder::duel().grid().solver(solve);
    builder.evaluator(
        "advance",
        "pieces, how far they have come, and those that cannot be stopped",
        AdvanceEvaluator,
    )
}

impl NamedGame for Breakthrough {
    const NAME: &'static str = "breakthrough";
    const TITLE: &'static str = "Breakthrough";
    const RULES: &'static str = "Pieces move one cell straight or diagonally forward, and capture diagonally forward. The \
        first player to reach the far row, or to capture all pieces of the opponent, wins.";
    const HELP: &'static str = "pieces that step forward and capture diagonally; reach the far row";
    const PARAMS: &'static [Param] = &[
        Param::int("rows", 8, 4, 32, "rows; rows times columns is at most 64"),
        Param::int("cols", 8, 2, 16, "columns"),
    ];
    const LEVELS: &'static [StrengthLevel] =
        &[StrengthLevel::perfect_in("deepening(secs=0)", &["breakthrough(4, 2)"])];
    const EXAMPLES: &'static [&'static str] =
        &["breakthrough", "breakthrough(5, 5)", "breakthrough(6, 4)", "breakthrough(4, 2)"];

    fn build(args: &Args) -> Result<Self, ParamError> {
        let (rows, cols) = (args.size("rows"), args.size("cols"));
        if rows * cols > 64 {
            return Err(args.together(format!(
                "{rows} rows of {cols} make {} cells, and the board holds at most 64",
                rows * cols
            )));
        }
        Ok(Breakthrough::new(rows, cols))
    }
}
