//! Connect Four (French: *puissance quatre*) on any board that fits a 64-bit bitboard.
//!
//! Bits run up each column, with one row of zeros above the board so that no line runs
//! over an edge; on seven columns of six:
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

pub mod evaluator;
pub mod expert;
mod foresight;
mod playout;
pub mod solver;

use crate::game::{Game, Side, Status};
use crate::listing::ListedGame;
use crate::notation::{ReadError, Reader, show_owners};
use crate::outcome::{Duel, DuelTally};
use crate::param::{Args, Param, ParamError};
use crate::random::Rng;
use crate::scene::{Cell, Scene, Shape, Symmetry};

/// The rules: the size of the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Connect4 {
    cols: u8,
    rows: u8,
    /// The lowest cell of every column.
    bottom: u64,
}

/// The stones of the side to move, and all stones.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct State {
    /// Stones of the side to move.
    pub mover: u64,
    /// Stones of both sides.
    pub all: u64,
}

impl State {
    /// Stones played so far.
    #[inline]
    #[must_use]
    pub fn plies(&self) -> u32 {
        self.all.count_ones()
    }

    /// Stones of the side that moved last.
    #[inline]
    #[must_use]
    pub fn moved(&self) -> u64 {
        self.mover ^ self.all
    }
}

impl Connect4 {
    /// The ordinary board of seven columns and six rows.
    pub const STANDARD: Connect4 = Connect4::new(7, 6);

    /// A board of `cols` columns and `rows` rows; `cols·(rows+1)` is at most 64.
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

    /// Columns.
    #[must_use]
    pub const fn cols(&self) -> u8 {
        self.cols
    }

    /// Rows.
    #[must_use]
    pub const fn rows(&self) -> u8 {
        self.rows
    }

    /// Bits from one column to the next.
    #[inline]
    const fn height(&self) -> u8 {
        self.rows + 1
    }

    /// The highest cell of every column.
    #[inline]
    const fn top(&self) -> u64 {
        self.bottom << (self.rows - 1)
    }

    /// All cells of the board.
    #[inline]
    const fn board(&self) -> u64 {
        // Each column borrows from its own bit above the board.
        (self.bottom << self.rows).wrapping_sub(self.bottom)
    }

    /// Whether `stones` holds four in a row.
    #[inline]
    #[must_use]
    pub const fn has_four(&self, stones: u64) -> bool {
        let h = self.height();
        let up = stones & stones >> 1;
        if self.cols < 4 {
            // Nothing but columns; and on high boards the steps below leave the word.
            return up & up >> 2 != 0;
        }
        let along = stones & stones >> h;
        let rising = stones & stones >> (h + 1);
        let falling = stones & stones >> (h - 1);
        (up & up >> 2
            | along & along >> (2 * h)
            | rising & rising >> (2 * (h + 1))
            | falling & falling >> (2 * (h - 1)))
            != 0
    }

    #[inline]
    const fn column(&self, x: u8) -> u64 {
        ((1 << self.rows) - 1) << (x * self.height())
    }

    fn owner(&self, s: &State, x: usize, y: usize) -> Option<Side> {
        let bit = x * usize::from(self.height()) + usize::from(self.rows) - 1 - y;
        let turn = Side::after(s.plies());
        match (s.all >> bit & 1, s.mover >> bit & 1) {
            (0, _) => None,
            (_, 1) => Some(turn),
            _ => Some(turn.other()),
        }
    }
}

impl Game for Connect4 {
    type State = State;
    /// The column, from 0.
    type Move = u8;
    type Outcome = Duel;

    fn start(&self) -> State {
        State::default()
    }

    #[inline]
    fn status(&self, s: &State) -> Status<Duel> {
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
    fn moves(&self, s: &State, out: &mut Vec<u8>) {
        if !self.has_four(s.moved()) {
            let open = !s.all & self.top();
            out.extend((0..self.cols).filter(|x| open & self.column(*x) != 0));
        }
    }

    #[inline]
    fn play(&self, s: &mut State, m: u8) {
        s.mover ^= s.all;
        s.all |= s.all + (1 << (m * self.height()));
    }

    /// The stones of the mover over a line of ones that marks the height of each column:
    /// one number for one state.
    #[inline]
    fn key(&self, s: &State) -> u64 {
        s.mover + s.all + self.bottom
    }

    #[inline]
    fn count_moves(&self, s: &State, _scratch: &mut Vec<u8>) -> usize {
        if self.has_four(s.moved()) { 0 } else { (!s.all & self.top()).count_ones() as usize }
    }

    #[inline]
    fn playout(&self, s: State, rng: &mut Rng, _scratch: &mut Vec<u8>) -> Duel {
        playout::one(self, s, rng)
    }

    fn playouts(
        &self,
        s: &State,
        count: u64,
        rng: &mut Rng,
        _scratch: &mut Vec<u8>,
        tally: &mut DuelTally,
    ) {
        playout::many(self, s, count, rng, tally);
    }

    fn show_state(&self, s: &State) -> String {
        show_owners(self.cols.into(), self.rows.into(), |x, y| self.owner(s, x, y))
    }

    fn read_state(&self, text: &str) -> Result<State, ReadError> {
        let (cols, rows, height) =
            (usize::from(self.cols), usize::from(self.rows), usize::from(self.height()));
        let mut reader = Reader::new(text);
        let [first, second] = reader.owners(cols, rows)?.map(|set| {
            let raise = |i: usize| 1 << (i % cols * height + rows - 1 - i / cols);
            (0..cols * rows).filter(|i| set >> i & 1 == 1).map(raise).sum::<u64>()
        });
        reader.end()?;
        reader.alternate(first.count_ones(), second.count_ones())?;
        let all = first | second;
        if all & self.board() & !(all << 1 | self.bottom) != 0 {
            return Err(reader.whole("a stone hangs in the air"));
        }
        let turn = Side::after(all.count_ones());
        let s = State { mover: [first, second][turn.index()], all };
        if self.has_four(s.mover) {
            return Err(reader.whole(format!("{turn} had already won before the last move")));
        }
        Ok(s)
    }

    fn show_move(&self, _s: &State, m: u8) -> String {
        (m + 1).to_string()
    }

    fn scene(&self, s: &State) -> Scene {
        let discs = [Shape::Disc, Shape::Disc];
        let mut scene =
            Scene::owners(self.cols.into(), self.rows.into(), discs, |x, y| self.owner(s, x, y));
        scene.columns = (1..=self.cols).map(|x| x.to_string()).collect();
        scene
    }

    /// Where the stone comes to lie.
    fn touches(&self, s: &State, m: u8) -> Vec<Cell> {
        let stones = (s.all & self.column(m)).count_ones();
        vec![Cell::new(m.into(), usize::from(self.rows) - 1 - stones as usize)]
    }

    fn symmetries(&self) -> Vec<Symmetry> {
        vec![Symmetry::Mirror]
    }

    fn transform(&self, s: &State, _mirror: Symmetry) -> State {
        let image = |set: u64| {
            (0..self.cols).fold(0, |image, x| {
                let column = (set & self.column(x)) >> (x * self.height());
                image | column << ((self.cols - 1 - x) * self.height())
            })
        };
        State { mover: image(s.mover), all: image(s.all) }
    }
}

impl ListedGame for Connect4 {
    const NAME: &'static str = "connect4";
    const HELP: &'static str = "drop stones into columns; four in a row win";
    const PARAMS: &'static [Param] = &[
        Param::int("cols", 7, 1, 32, "columns; columns times (rows + 1) is at most 64"),
        Param::int("rows", 6, 1, 63, "rows"),
    ];
    const EXAMPLES: &'static [&'static str] =
        &["connect4", "connect4(4, 5)", "connect4(9, 6)", "connect4(8, 7)"];

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
