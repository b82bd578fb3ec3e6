//! Connect Four (French: *puissance quatre*) on any board that fits a 64-bit bitboard.
//!
//! Bits are numbered upwards in each column. A row above the board is always zero, so that no
//! line wraps from one column to the next; on seven columns of six rows:
//!
//! ```text
//!  6 13 20 27 34 41 48    always empty
//!  5 12 19 26 33 40 47
//!  4 11 18 25 32 39 46
//!  3 10 17 24 31 38 45
//!  2  9 16 23 30 37 44
//!  1  8 15 22 29 36 43
//!  0  7 14 21 28 35 42
//! ```

pub mod book;
pub mod evaluator;
pub mod learned;
mod playout;
mod shallow_search;
pub mod solve;
pub mod solver;
pub mod solver_player;

use ludion_core::encoding::{EncodingShape, push_cells};
use ludion_core::game::{Game, Side, Status, perft};
use ludion_core::grid::{GridGame, GridLayout, PieceBitboards};
use ludion_core::named::NamedGame;
use ludion_core::notation::{NotationError, NotationReader, show_owners};
use ludion_core::outcome::{Duel, DuelTally};
use ludion_core::param::{Args, Param, ParamError};
use ludion_core::presentation::StrengthLevel;
use ludion_core::random::Rng;
use ludion_core::scene::{Coord, PieceShape, Scene, Symmetry};

/// The rules of Connect Four: the size of the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Connect4 {
    cols: u8,
    rows: u8,
    /// The set of the lowest cells of all columns.
    bottom: u64,
}

/// A position: the stones of the side to move and the stones of both sides, as bitboards.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct Connect4State {
    /// The stones of the side to move.
    pub mover: u64,
    /// The stones of both sides.
    pub all: u64,
}

impl Connect4State {
    /// Returns the number of stones on the board, which is the number of plies played.
    #[inline]
    #[must_use]
    pub fn plies(&self) -> u32 {
        self.all.count_ones()
    }

    /// Returns the stones of the side that moved last.
    #[inline]
    #[must_use]
    pub fn moved(&self) -> u64 {
        self.mover ^ self.all
    }
}

impl Connect4 {
    /// The standard board of seven columns and six rows.
    pub const STANDARD: Connect4 = Connect4::new(7, 6);

    /// Returns the game on `cols` columns and `rows` rows; `cols·(rows+1)` is at most 64.
    #[must_use]
    pub const fn new(cols: u8, rows: u8) -> Self {
        assert!(cols as usize * (rows as usize + 1) <= 64, "the board fits 64 bits");
        let mut bottom = 0;
        let mut x = 0;
        while x < cols {
            bottom |= 1 << (x * (rows + 1));
            x += 1;
        }
        Connect4 { cols, rows, bottom }
    }

    /// Returns the number of columns.
    #[must_use]
    pub const fn cols(&self) -> u8 {
        self.cols
    }

    /// Returns the number of rows.
    #[must_use]
    pub const fn rows(&self) -> u8 {
        self.rows
    }

    /// Returns the number of bits from one column to the next: the rows and the empty bit above
    /// them.
    #[inline]
    const fn height(&self) -> u8 {
        self.rows + 1
    }

    /// Returns the set of the highest cells of all columns.
    #[inline]
    const fn top(&self) -> u64 {
        self.bottom << (self.rows - 1)
    }

    /// Returns the set of all cells of the board.
    #[inline]
    const fn board(&self) -> u64 {
        // The subtraction borrows in each column from the bit above the board, so columns do not
        // interfere.
        (self.bottom << self.rows).wrapping_sub(self.bottom)
    }

    /// Returns whether `stones` contains four in a row.
    #[inline]
    #[must_use]
    pub const fn has_four(&self, stones: u64) -> bool {
        match (self.rows, self.cols) {
            // Shifts by constants are cheaper, and six rows are by far the most common.
            (6, _) => has_four(stones, 7),
            // Only vertical lines fit, and the columns may be too high for the other shifts.
            (_, ..4) => has_four_vertical(stones),
            _ => has_four(stones, self.height()),
        }
    }

    /// Returns the cells on which the next stone of each column that is not full would land.
    #[inline]
    const fn playable(&self, s: &Connect4State) -> u64 {
        (s.all + self.bottom) & self.board()
    }

    /// Returns the cells that would complete four in a row with three of `stones`, including
    /// occupied cells and bits outside the board.
    #[inline]
    const fn completing(&self, stones: u64) -> u64 {
        let up = stones << 1 & stones << 2 & stones << 3;
        if self.cols < 4 {
            return up;
        }
        let h = self.height();
        up | beside_three(stones, h) | beside_three(stones, h + 1) | beside_three(stones, h - 1)
    }

    /// Appends to `out` the column of every cell in `cells`, which has at most one cell per column.
    #[inline]
    fn list_columns(&self, mut cells: u64, out: &mut Vec<u8>) {
        // Division by the height as a multiplication, which is exact for bits 0 to 63.
        let inverse = 4096 / u32::from(self.height()) + 1;
        while cells != 0 {
            out.push(((cells.trailing_zeros() * inverse) >> 12) as u8);
            cells &= cells - 1;
        }
    }

    /// Returns the cells of column `x`.
    #[inline]
    const fn column(&self, x: u8) -> u64 {
        ((1 << self.rows) - 1) << (x * self.height())
    }

    fn owner(&self, s: &Connect4State, x: usize, y: usize) -> Option<Side> {
        let bit = x * usize::from(self.height()) + usize::from(self.rows) - 1 - y;
        let turn = Side::after(s.plies());
        match (s.all >> bit & 1, s.mover >> bit & 1) {
            (0, _) => None,
            (_, 1) => Some(turn),
            _ => Some(turn.other()),
        }
    }
}

/// Returns whether `stones` contains four in a row, with columns `height` bits apart: finds pairs
/// in each direction, then pairs of pairs.
#[inline(always)]
const fn has_four(stones: u64, height: u8) -> bool {
    let up = stones & stones >> 1;
    let along = stones & stones >> height;
    let rising = stones & stones >> (height + 1);
    let falling = stones & stones >> (height - 1);
    (up & up >> 2
        | along & along >> (2 * height)
        | rising & rising >> (2 * (height + 1))
        | falling & falling >> (2 * (height - 1)))
        != 0
}

/// Returns whether `stones` contains four in a column.
#[inline(always)]
const fn has_four_vertical(stones: u64) -> bool {
    let up = stones & stones >> 1;
    up & up >> 2 != 0
}

/// Returns the cells that would complete four in the direction of a step of `d` bits: before
/// three stones, after three, or in a gap.
#[inline]
const fn beside_three(stones: u64, d: u8) -> u64 {
    let (after, before) = (stones << d & stones << (2 * d), stones >> d & stones >> (2 * d));
    after & (stones << (3 * d) | stones >> d) | before & (stones >> (3 * d) | stones << d)
}

impl Game for Connect4 {
    type State = Connect4State;
    /// The column into which the move drops a stone, counted from 0 at the left.
    type Move = u8;
    type Outcome = Duel;

    fn start(&self) -> Connect4State {
        Connect4State::default()
    }

    #[inline]
    fn status(&self, s: &Connect4State) -> Status<Duel> {
        let turn = Side::after(s.plies());
        if self.has_four(s.moved()) {
            Status::Over(Duel::Won(turn.other()))
        } else if s.all == self.board() {
            Status::Over(Duel::Drawn)
        } else {
            Status::Turn(turn)
        }
    }

    #[inline]
    fn moves(&self, s: &Connect4State, out: &mut Vec<u8>) {
        if !self.has_four(s.moved()) {
            self.list_columns(!s.all & self.top(), out);
        }
    }

    #[inline]
    fn play(&self, s: &mut Connect4State, m: u8) {
        s.mover ^= s.all;
        s.all |= s.all + (1 << (m * self.height()));
    }

    /// Returns a unique key: in each column the highest bit set is the one above its stones, and
    /// the bits below it are the stones of the side to move.
    #[inline]
    fn key(&self, s: &Connect4State) -> u64 {
        s.mover + s.all + self.bottom
    }

    #[inline]
    fn count_moves(&self, s: &Connect4State, _scratch: &mut Vec<u8>) -> usize {
        if self.has_four(s.moved()) { 0 } else { (!s.all & self.top()).count_ones() as usize }
    }

    #[inline]
    fn count_replies(&self, s: &Connect4State, _scratch: &mut Vec<u8>) -> u64 {
        if self.has_four(s.moved()) {
            return 0;
        }
        let (mut stones, mut lines) = (self.playable(s), 0);
        while stones != 0 {
            let stone = stones & stones.wrapping_neg();
            stones ^= stone;
            if !self.has_four(s.mover | stone) {
                lines += u64::from((!(s.all | stone) & self.top()).count_ones());
            }
        }
        lines
    }

    fn perft(&self, s: &Connect4State, depth: u32, scratch: &mut Vec<u8>) -> u64 {
        perft(self, s, depth, scratch)
    }

    #[inline]
    fn wins_at_once(&self, s: &Connect4State) -> Option<bool> {
        Some(self.completing(s.mover) & self.playable(s) != 0)
    }

    #[inline]
    fn safe_moves(&self, s: &Connect4State, out: &mut Vec<u8>) -> bool {
        let playable = self.playable(s);
        let completing = self.completing(s.moved()) & self.board();
        let threats = completing & playable;
        // A single threat must be blocked, two cannot be, and a stone directly below a threat
        // lets the opponent play there.
        let answers = match threats.count_ones() {
            0 => playable,
            1 => threats,
            _ => 0,
        };
        self.list_columns(answers & !(completing >> 1), out);
        true
    }

    #[inline]
    fn last_mover_wins(&self) -> bool {
        true
    }

    #[inline]
    fn slot(&self, m: u8) -> usize {
        m.into()
    }

    #[inline]
    fn playout(&self, s: Connect4State, rng: &mut Rng, _scratch: &mut Vec<u8>) -> Duel {
        playout::play_one(self, s, rng)
    }

    fn playouts(
        &self,
        s: &Connect4State,
        count: u64,
        rng: &mut Rng,
        _scratch: &mut Vec<u8>,
        tally: &mut DuelTally,
    ) {
        playout::play_many(self, s, count, rng, tally);
    }

    fn show_state(&self, s: &Connect4State) -> String {
        show_owners(self.cols.into(), self.rows.into(), |x, y| self.owner(s, x, y))
    }

    fn read_state(&self, text: &str) -> Result<Connect4State, NotationError> {
        let (cols, rows, height) =
            (usize::from(self.cols), usize::from(self.rows), usize::from(self.height()));
        let mut reader = NotationReader::new(text);
        let [first, second] = reader.owners(cols, rows)?.map(|set| {
            let cell_bit = |i: usize| 1 << (i % cols * height + rows - 1 - i / cols);
            (0..cols * rows).filter(|i| set >> i & 1 == 1).map(cell_bit).sum::<u64>()
        });
        reader.end()?;
        reader.alternate(first.count_ones(), second.count_ones())?;
        let all = first | second;
        if all & self.board() & !(all << 1 | self.bottom) != 0 {
            return Err(reader.whole("a stone has an empty cell below it"));
        }
        let turn = Side::after(all.count_ones());
        let s = Connect4State { mover: [first, second][turn.index()], all };
        if self.has_four(s.mover) {
            return Err(reader.whole(format!("{turn} had already won before the last move")));
        }
        Ok(s)
    }

    fn show_move(&self, _s: &Connect4State, m: u8) -> String {
        (m + 1).to_string()
    }

    fn scene(&self, s: &Connect4State) -> Scene {
        let discs = [PieceShape::Disc, PieceShape::Disc];
        let mut scene =
            Scene::owners(self.cols.into(), self.rows.into(), discs, |x, y| self.owner(s, x, y));
        scene.columns = (1..=self.cols).map(|x| x.to_string()).collect();
        scene.mark_winning_lines(4);
        scene
    }

    fn side_names(&self) -> [&'static str; 2] {
        ["Red", "Yellow"]
    }

    /// Returns the cell to click: the one on which the stone lands.
    fn touches(&self, s: &Connect4State, m: u8) -> Vec<Coord> {
        let stones = (s.all & self.column(m)).count_ones();
        vec![Coord::new(m.into(), usize::from(self.rows) - 1 - stones as usize)]
    }

    fn symmetries(&self) -> Vec<Symmetry> {
        vec![Symmetry::Mirror]
    }

    fn transform(&self, s: &Connect4State, _mirror: Symmetry) -> Connect4State {
        let image = |set: u64| {
            (0..self.cols).fold(0, |image, x| {
                let column = (set & self.column(x)) >> (x * self.height());
                image | column << ((self.cols - 1 - x) * self.height())
            })
        };
        Connect4State { mover: image(s.mover), all: image(s.all) }
    }

    fn encoding(&self) -> EncodingShape {
        let (rows, cols) = (usize::from(self.rows), usize::from(self.cols));
        EncodingShape { planes: 2, rows, cols, extras: 0, actions: cols }
    }

    #[inline]
    fn features(&self, s: &Connect4State, seen_by: Side, out: &mut Vec<u32>) {
        let (cols, rows) = (u32::from(self.cols), u32::from(self.rows));
        let cell = |bit: u32| (rows - 1 - bit % (rows + 1)) * cols + bit / (rows + 1);
        let is_mover = seen_by == Side::after(s.all.count_ones());
        let [own, other] = if is_mover { [s.mover, s.moved()] } else { [s.moved(), s.mover] };
        push_cells(own, 0, cell, out);
        push_cells(other, (rows * cols) as usize, cell, out);
    }

    #[inline]
    fn actions(&self, _s: &Connect4State, moves: &[u8], out: &mut Vec<u32>) {
        out.extend(moves.iter().map(|&column| u32::from(column)));
    }

    #[inline]
    fn move_of_action(&self, s: &Connect4State, action: u32) -> Option<u8> {
        let column = u8::try_from(action).ok().filter(|&column| column < self.cols)?;
        let is_legal = !s.all & self.top() & self.column(column) != 0 && !self.has_four(s.moved());
        is_legal.then_some(column)
    }

    /// Returns the free cells of the top row, and 0 if the game is over.
    #[inline]
    fn actions_key(&self, s: &Connect4State) -> Option<u64> {
        Some(if self.has_four(s.moved()) { 0 } else { !s.all & self.top() })
    }
}

impl GridGame for Connect4 {
    fn board(&self) -> GridLayout {
        let (cols, rows) = (usize::from(self.cols), usize::from(self.rows));
        GridLayout::full(cols, rows, |x, y| x * usize::from(self.height()) + rows - 1 - y)
    }

    #[inline]
    fn pieces(&self, s: &Connect4State) -> PieceBitboards {
        PieceBitboards { men: [s.mover, s.moved()], ..PieceBitboards::default() }
    }
}

impl NamedGame for Connect4 {
    const NAME: &'static str = "connect4";
    const TITLE: &'static str = "Connect Four";
    const RULES: &'static str = "In turn, each player drops a stone into a column; it falls to the lowest free cell. Four of \
        your stones in a row, column or diagonal win. If the board is full without four in a row, \
        the game is drawn.";
    const HELP: &'static str = "drop stones into columns; four in a row win";
    // Measured: of 0.003 to 0.5, values about 0.08 predict the exact results of 60 random positions best.
    const ADVANTAGE: f64 = 0.08;
    const PARAMS: &'static [Param] = &[
        Param::int("cols", 7, 1, 32, "columns; columns times (rows + 1) is at most 64"),
        Param::int("rows", 6, 1, 63, "rows"),
    ];
    const LEVELS: &'static [StrengthLevel] = &[StrengthLevel::perfect_in(
        "expert(ms=10000)",
        &["connect4", "connect4(4, 4)", "connect4(4, 5)", "connect4(5, 4)", "connect4(5, 5)"],
    )];
    const EXAMPLES: &'static [&'static str] =
        &["connect4", "connect4(4, 5)", "connect4(9, 6)", "connect4(8, 7)", "connect4(2, 31)"];

    fn build(args: &Args) -> Result<Self, ParamError> {
        let (cols, rows) = (args.size("cols"), args.size("rows"));
        if cols * (rows + 1) > 64 {
            return Err(args.together(format!(
                "{cols} columns of {rows} rows do not fit: {cols}·({rows}+1) = {} is more than 64",
                cols * (rows + 1)
            )));
        }
        Ok(Connect4::new(cols as u8, rows as u8))
    }
}

#[doc(hidden)]
#[deprecated(since = "0.2.0", note = "renamed to `Connect4State`")]
pub type State = Connect4State;
