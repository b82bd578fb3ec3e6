//! Hexapawn on any board of at most 64 cells. The pawns of the first side start on the top
//! row and move down, those of the second on the bottom row and move up. A pawn moves one
//! cell forward to an empty cell, or captures one cell diagonally forward. A side wins by
//! reaching the far row, and loses if it has no move on its turn; there is no draw.
//!
//! Variants: `cylinder` joins the left and right edges; `forced` makes capturing compulsory
//! (French: *priorité*). With three rows and forced capture the game is Dawson's chess.

use crate::encoding::{EncodingShape, push_bits};
use crate::erased::GameBuilder;
use crate::evaluator::{Evaluator, WIN, expected_result};
use crate::game::{Game, Side, Status};
use crate::grid::{GridGame, GridLayout, PieceBitboards};
use crate::named::NamedGame;
use crate::notation::{NotationError, NotationReader, show_owners};
use crate::outcome::Duel;
use crate::param::{Args, Param, ParamError};
use crate::presentation::StrengthLevel;
use crate::scene::{Coord, PieceShape, Scene, Symmetry, cell_name};

use super::bits::{BitGrid, bits};

/// The rules of Hexapawn: the board, and whether capturing is compulsory.
#[derive(Clone, Copy, Debug)]
pub struct Hexapawn {
    grid: BitGrid,
    forced: bool,
}

/// The pawns of each side, as bits `row·cols + column` counted from the top left, and the
/// side to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct HexapawnState {
    pawns: [u64; 2],
    turn: Side,
}

/// A move of one pawn from one cell to another.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct HexapawnMove {
    from: u8,
    to: u8,
}

/// The pawns of the side to move that can capture to the left, capture to the right, and advance,
/// as sets of cells.
struct MoveSources {
    left: u64,
    right: u64,
    advance: u64,
}

impl MoveSources {
    /// Returns the number of moves.
    #[inline(always)]
    fn count(&self) -> u32 {
        self.left.count_ones() + self.right.count_ones() + self.advance.count_ones()
    }
}

impl Hexapawn {
    /// Returns the game on `rows` × `cols` cells, at most 64. With `cylinder` the left and right
    /// edges are joined; with `forced` capturing is compulsory.
    #[must_use]
    pub fn new(rows: usize, cols: usize, cylinder: bool, forced: bool) -> Self {
        Hexapawn { grid: BitGrid::wrapped(cols, rows, cylinder, false), forced }
    }

    /// Shifts a set of cells by one row in the direction in which `side` moves.
    #[inline]
    fn forward(&self, side: Side, set: u64) -> u64 {
        match side {
            Side::First => self.grid.down(set),
            Side::Second => self.grid.up(set),
        }
    }

    /// Returns the cells of the row on which a pawn of `side` wins.
    #[inline]
    fn goal_row(&self, side: Side) -> u64 {
        match side {
            Side::First => self.grid.row(self.grid.rows - 1),
            Side::Second => self.grid.row(0),
        }
    }

    #[inline(always)]
    fn sources(&self, s: &HexapawnState) -> MoveSources {
        let (mine, theirs) = (s.pawns[s.turn.index()], s.pawns[s.turn.other().index()]);
        let back = |set| self.forward(s.turn.other(), set);
        let left = mine & back(self.grid.right(theirs));
        let right = mine & back(self.grid.left(theirs));
        let must_capture = self.forced && (left | right) != 0;
        let empty = self.grid.all() & !(mine | theirs);
        MoveSources { left, right, advance: if must_capture { 0 } else { mine & back(empty) } }
    }

    #[inline]
    fn has_reached_goal(&self, s: &HexapawnState, side: Side) -> bool {
        s.pawns[side.index()] & self.goal_row(side) != 0
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

    fn owner(&self, s: &HexapawnState, x: usize, y: usize) -> Option<Side> {
        let bit = y * self.grid.cols + x;
        Side::BOTH.into_iter().find(|side| s.pawns[side.index()] >> bit & 1 == 1)
    }
}

impl Game for Hexapawn {
    type State = HexapawnState;
    type Move = HexapawnMove;
    type Outcome = Duel;

    fn start(&self) -> HexapawnState {
        HexapawnState {
            pawns: [self.goal_row(Side::Second), self.goal_row(Side::First)],
            turn: Side::First,
        }
    }

    #[inline]
    fn status(&self, s: &HexapawnState) -> Status<Duel> {
        let moved = s.turn.other();
        if self.has_reached_goal(s, moved) {
            return Status::Over(Duel::Won(moved));
        }
        let from = self.sources(s);
        if from.left | from.right | from.advance == 0 {
            return Status::Over(Duel::Won(moved));
        }
        Status::Turn(s.turn)
    }

    /// Lists the captures in the order of their cells, to the left before to the right, then the
    /// advances in the order of their cells.
    #[inline]
    fn moves(&self, s: &HexapawnState, out: &mut Vec<HexapawnMove>) {
        if self.has_reached_goal(s, s.turn.other()) {
            return;
        }
        let from = self.sources(s);
        for cell in bits(from.left | from.right) {
            let ahead = self.forward(s.turn, 1 << cell);
            for (sources, target) in
                [(from.left, self.grid.left(ahead)), (from.right, self.grid.right(ahead))]
            {
                if sources >> cell & 1 == 1 {
                    out.push(HexapawnMove { from: cell, to: target.trailing_zeros() as u8 });
                }
            }
        }
        for cell in bits(from.advance) {
            out.push(HexapawnMove {
                from: cell,
                to: self.forward(s.turn, 1 << cell).trailing_zeros() as u8,
            });
        }
    }

    #[inline]
    fn play(&self, s: &mut HexapawnState, m: HexapawnMove) {
        s.pawns[s.turn.index()] ^= 1 << m.from | 1 << m.to;
        s.turn = s.turn.other();
        s.pawns[s.turn.index()] &= !(1 << m.to);
    }

    #[inline]
    fn key(&self, s: &HexapawnState) -> u64 {
        self.grid.key(s.pawns, s.turn as u64, 1)
    }

    #[inline]
    fn count_moves(&self, s: &HexapawnState, _scratch: &mut Vec<HexapawnMove>) -> usize {
        if self.has_reached_goal(s, s.turn.other()) {
            return 0;
        }
        self.sources(s).count() as usize
    }

    #[inline]
    fn last_mover_wins(&self) -> bool {
        true
    }

    #[inline]
    fn slot(&self, m: HexapawnMove) -> usize {
        // The targets of a pawn are at most three consecutive cells, which differ modulo 3, except
        // across the joined edges of a cylinder, where moves may share a slot.
        3 * usize::from(m.from) + usize::from(m.to) % 3
    }

    fn show_state(&self, s: &HexapawnState) -> String {
        let board = show_owners(self.grid.cols, self.grid.rows, |x, y| self.owner(s, x, y));
        format!("{board} {}", s.turn)
    }

    fn read_state(&self, text: &str) -> Result<HexapawnState, NotationError> {
        let mut reader = NotationReader::new(text);
        let pawns = reader.owners(self.grid.cols, self.grid.rows)?;
        let turn = reader.side()?;
        reader.end()?;
        let s = HexapawnState { pawns, turn };
        for side in Side::BOTH {
            let count = pawns[side.index()].count_ones() as usize;
            if count > self.grid.cols {
                return Err(reader.whole(format!(
                    "the {side} side has {count} pawns; at most {} are allowed",
                    self.grid.cols
                )));
            }
            if self.has_reached_goal(&s, side) && side == turn {
                return Err(reader.whole(format!("{side} had already won before the last move")));
            }
        }
        Ok(s)
    }

    fn show_move(&self, s: &HexapawnState, m: HexapawnMove) -> String {
        let captures = s.pawns[s.turn.other().index()] >> m.to & 1 == 1;
        let by = if captures { 'x' } else { '-' };
        format!("{}{by}{}", self.cell_name(m.from), self.cell_name(m.to))
    }

    fn scene(&self, s: &HexapawnState) -> Scene {
        let pawns = [PieceShape::Pawn, PieceShape::Pawn];
        let mut scene =
            Scene::owners(self.grid.cols, self.grid.rows, pawns, |x, y| self.owner(s, x, y));
        scene.name_like_chess();
        let (rows, cols) = (self.grid.rows, self.grid.cols);
        let goals = [(Side::First, rows - 1), (Side::Second, 0)];
        let reached = goals.into_iter().flat_map(|(side, y)| (0..cols).map(move |x| (side, x, y)));
        let reached = reached.filter(|&(side, x, y)| self.owner(s, x, y) == Some(side));
        scene.winning = reached.map(|(_, x, y)| Coord::new(x, y)).collect();
        scene
    }

    fn side_names(&self) -> [&'static str; 2] {
        ["White", "Black"]
    }

    fn touches(&self, _s: &HexapawnState, m: HexapawnMove) -> Vec<Coord> {
        vec![self.cell(m.from), self.cell(m.to)]
    }

    fn symmetries(&self) -> Vec<Symmetry> {
        vec![Symmetry::Mirror]
    }

    fn transform(&self, s: &HexapawnState, symmetry: Symmetry) -> HexapawnState {
        HexapawnState { pawns: s.pawns.map(|set| self.grid.image(set, symmetry)), turn: s.turn }
    }

    /// The board is rotated for the second side. Each cell has three actions: a pawn goes straight
    /// ahead, to the right or to the left.
    fn encoding(&self) -> EncodingShape {
        let (rows, cols) = (self.grid.rows, self.grid.cols);
        EncodingShape { planes: 2, rows, cols, extras: 0, actions: 3 * rows * cols }
    }

    #[inline]
    fn features(&self, s: &HexapawnState, seen_by: Side, out: &mut Vec<u32>) {
        let cells = self.grid.cells();
        for (plane, side) in [seen_by, seen_by.other()].into_iter().enumerate() {
            push_bits(self.seen(s.pawns[side.index()], seen_by), plane * cells, out);
        }
    }

    #[inline]
    fn piece_counts(&self, s: &HexapawnState) -> Option<[u32; 2]> {
        Some(s.pawns.map(u64::count_ones))
    }

    #[inline]
    fn actions(&self, s: &HexapawnState, moves: &[HexapawnMove], out: &mut Vec<u32>) {
        let (cols, last) = (self.grid.cols as u32, self.grid.cells() as u32 - 1);
        out.extend(moves.iter().map(|m| {
            let [from, to] = [m.from, m.to].map(|cell| match s.turn {
                Side::First => u32::from(cell),
                Side::Second => last - u32::from(cell),
            });
            let step = (to % cols + cols - from % cols) % cols;
            3 * from + step.min(2)
        }));
    }
}

/// Evaluates a position by the number of pawns, how far they have advanced, and the number of moves
/// of each side. Moves count because a side without a move loses.
#[derive(Clone, Copy, Debug)]
pub struct PawnEvaluator;

impl PawnEvaluator {
    fn side_value(g: &Hexapawn, s: &HexapawnState, side: Side) -> i32 {
        let pawns = s.pawns[side.index()];
        let mut advance = 0;
        for y in 0..g.grid.rows {
            let rows_advanced = match side {
                Side::First => y,
                Side::Second => g.grid.rows - 1 - y,
            };
            let squared = (rows_advanced * rows_advanced) as u32;
            advance += (pawns & g.grid.row(y)).count_ones() * squared;
        }
        let moves = g.sources(&HexapawnState { turn: side, ..*s }).count();
        (40 * pawns.count_ones() + 10 * advance + 15 * moves) as i32
    }
}

impl Evaluator<Hexapawn> for PawnEvaluator {
    fn value(&self, g: &Hexapawn, s: &HexapawnState) -> i32 {
        let value = PawnEvaluator::side_value(g, s, s.turn)
            - PawnEvaluator::side_value(g, s, s.turn.other());
        value.clamp(1 - WIN, WIN - 1)
    }

    fn expected_result(&self, g: &Hexapawn, s: &HexapawnState) -> f64 {
        // The best fit to the results of 240 positions of 5×5 between searches of depth 3.
        expected_result(self.value(g, s), 80.0)
    }
}

impl GridGame for Hexapawn {
    fn board(&self) -> GridLayout {
        let (cols, rows) = (self.grid.cols, self.grid.rows);
        GridLayout {
            max_pieces: 2 * cols as u8,
            ..GridLayout::full(cols, rows, |x, y| y * cols + x)
        }
    }

    /// Returns the pawns of the side to move and of its opponent. If the second side is to move,
    /// the board is rotated by 180°, so that the side to move always moves down.
    #[inline]
    fn pieces(&self, s: &HexapawnState) -> PieceBitboards {
        let men = [s.turn, s.turn.other()].map(|side| self.seen(s.pawns[side.index()], s.turn));
        PieceBitboards { men, ..PieceBitboards::default() }
    }
}

/// Returns the registry entry of Hexapawn, with the evaluator `pawns`.
#[must_use]
pub fn entry() -> GameBuilder<Hexapawn> {
    GameBuilder::duel().compiled_searches().grid().evaluator(
        "pawns",
        "pawns, how far they have come, and moves left",
        PawnEvaluator,
    )
}

impl NamedGame for Hexapawn {
    const NAME: &'static str = "hexapawn";
    const TITLE: &'static str = "Hexapawn";
    const RULES: &'static str = "Each player has a row of pawns. A pawn moves one cell straight forward to an empty cell, or \
        captures one cell diagonally forward. You win if a pawn reaches the far row, or if your \
        opponent cannot move.";
    const LEVELS: &'static [StrengthLevel] = &[StrengthLevel::perfect_in(
        "deepening(secs=0)",
        &["hexapawn", "hexapawn(4, 4)", "hexapawn(4, 5, cylinder)", "hexapawn(5, 4, forced)"],
    )];
    const HELP: &'static str =
        "pawns that advance and capture; reach the far row or block the other";
    const PARAMS: &'static [Param] = &[
        Param::int("rows", 3, 2, 64, "rows; rows times columns is at most 64"),
        Param::int("cols", 3, 1, 32, "columns"),
        Param::flag("cylinder", "the left and right edges meet"),
        Param::flag("forced", "a capture must be made where there is one"),
    ];
    const EXAMPLES: &'static [&'static str] = &[
        "hexapawn",
        "hexapawn(4, 5, cylinder)",
        "hexapawn(5, 4, forced)",
        "hexapawn(8, 8, cylinder, forced)",
    ];

    fn build(args: &Args) -> Result<Self, ParamError> {
        let (rows, cols) = (args.size("rows"), args.size("cols"));
        if rows * cols > 64 {
            return Err(args.together(format!(
                "{rows} rows of {cols} make {} cells, and the board holds at most 64",
                rows * cols
            )));
        }
        if args.flag("cylinder") && cols < 3 {
            return Err(args.together("a cylinder needs at least 3 columns"));
        }
        Ok(Hexapawn::new(rows, cols, args.flag("cylinder"), args.flag("forced")))
    }
}
