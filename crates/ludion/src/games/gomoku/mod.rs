//! Gomoku and other games of k in a row on m × n cells: the sides place a stone in turn, and the
//! first to have `k` or more of its stones in a row, column or diagonal wins; a full board is drawn.
//! This is freestyle Gomoku on 15 × 15 with five in a row, and the m,n,k-games of Gardner. With
//! `exact` a row of more than `k` stones does not win (standard Gomoku). Source: the rules of Gomoku
//! of the Renju International Federation.

mod cells;
mod evaluator;
mod rows;

use crate::encoding::EncodingShape;
use crate::erased::GameBuilder;
use crate::game::{Game, Side, Status};
use crate::named::NamedGame;
use crate::notation::{NotationError, NotationReader, show_owners};
use crate::outcome::Duel;
use crate::param::{Args, Param, ParamError};
use crate::presentation::StrengthLevel;
use crate::random::{Rng, mix};
use crate::scene::{Coord, PieceShape, Scene, Symmetry, cell_name};

use cells::CellSet;
pub use evaluator::ThreatEvaluator;

/// The greatest number of columns and of rows.
const MAX_SIZE: usize = 19;

/// The rules of a game of k in a row.
#[derive(Clone, Copy, Debug)]
pub struct Gomoku {
    cols: usize,
    rows: usize,
    length: usize,
    exact: bool,
    board: CellSet,
}

/// The stones of each side. The side to move follows from their number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct GomokuState {
    stones: [CellSet; 2],
    /// A hash of the stones.
    hash: u64,
    count: u16,
    /// Whether the last stone made a row that wins.
    is_won: bool,
}

impl GomokuState {
    #[inline]
    fn turn(&self) -> Side {
        Side::after(self.count.into())
    }

    #[inline]
    fn stones(&self, side: Side) -> CellSet {
        self.stones[side.index()]
    }
}

impl Gomoku {
    /// Returns the game on `cols` × `rows` cells, at most 19 × 19, in which `length` in a row win,
    /// or exactly `length` if `exact` is set.
    #[must_use]
    pub fn new(cols: usize, rows: usize, length: usize, exact: bool) -> Self {
        let mut g = Gomoku { cols, rows, length, exact, board: CellSet::EMPTY };
        for y in 0..rows {
            (0..cols).for_each(|x| g.board.insert(g.bit(x, y)));
        }
        g
    }

    #[inline]
    fn bit(&self, x: usize, y: usize) -> usize {
        y * (self.cols + 1) + x
    }

    /// Returns the column and row of a bit.
    #[inline]
    fn place(&self, bit: usize) -> (usize, usize) {
        (bit % (self.cols + 1), bit / (self.cols + 1))
    }

    #[inline]
    fn empty(&self, s: &GomokuState) -> CellSet {
        self.board & !(s.stones[0] | s.stones[1])
    }

    fn owner(&self, s: &GomokuState, x: usize, y: usize) -> Option<Side> {
        Side::BOTH.into_iter().find(|&side| s.stones(side).contains(self.bit(x, y)))
    }

    /// Returns the number of a cell row by row, without the column beside the board.
    #[inline]
    fn cell_number(&self, bit: usize) -> u32 {
        let (x, y) = self.place(bit);
        (y * self.cols + x) as u32
    }
}

impl Game for Gomoku {
    type State = GomokuState;
    /// The cell on which the move puts a stone: `row·(columns + 1) + column`.
    type Move = u16;
    type Outcome = Duel;

    fn start(&self) -> GomokuState {
        GomokuState { stones: [CellSet::EMPTY; 2], hash: 0, count: 0, is_won: false }
    }

    #[inline]
    fn status(&self, s: &GomokuState) -> Status<Duel> {
        if s.is_won {
            Status::Over(Duel::Won(s.turn().other()))
        } else if usize::from(s.count) == self.cols * self.rows {
            Status::Over(Duel::Drawn)
        } else {
            Status::Turn(s.turn())
        }
    }

    #[inline]
    fn moves(&self, s: &GomokuState, out: &mut Vec<u16>) {
        if !s.is_won {
            out.extend(self.empty(s).bits().map(|bit| bit as u16));
        }
    }

    #[inline]
    fn play(&self, s: &mut GomokuState, m: u16) {
        let (turn, bit) = (s.turn().index(), usize::from(m));
        s.stones[turn].insert(bit);
        s.hash ^= mix((2 * bit + turn) as u64 + 1);
        s.count += 1;
        s.is_won = self.wins_with(&s.stones[turn], bit);
    }

    #[inline]
    fn key(&self, s: &GomokuState) -> u64 {
        let bits = self.bit(0, self.rows);
        if bits > 32 {
            return s.hash;
        }
        s.stones[0].first_word() | s.stones[1].first_word() << bits
    }

    #[inline]
    fn count_moves(&self, s: &GomokuState, _scratch: &mut Vec<u16>) -> usize {
        if s.is_won { 0 } else { self.cols * self.rows - usize::from(s.count) }
    }

    /// Every move has as many replies as cells are left, except a move that wins.
    #[inline]
    fn count_replies(&self, s: &GomokuState, scratch: &mut Vec<u16>) -> u64 {
        let moves = self.count_moves(s, scratch) as u64;
        if moves == 0 {
            return 0;
        }
        let wins = self.winning_cells(s.stones(s.turn()), self.empty(s)).count();
        (moves - u64::from(wins)) * (moves - 1)
    }

    #[inline]
    fn wins_at_once(&self, s: &GomokuState) -> Option<bool> {
        Some(!self.winning_cells(s.stones(s.turn()), self.empty(s)).is_empty())
    }

    /// The only safe move is on the cell where the opponent would win, if there is one.
    #[inline]
    fn safe_moves(&self, s: &GomokuState, out: &mut Vec<u16>) -> bool {
        let threats = self.winning_cells(s.stones(s.turn().other()), self.empty(s));
        match threats.count() {
            0 => self.moves(s, out),
            1 => out.extend(threats.bits().map(|bit| bit as u16)),
            _ => {}
        }
        true
    }

    #[inline]
    fn last_mover_wins(&self) -> bool {
        true
    }

    #[inline]
    fn slot(&self, m: u16) -> usize {
        m.into()
    }

    /// Fills the empty cells in random order.
    fn playout(&self, mut s: GomokuState, rng: &mut Rng, _scratch: &mut Vec<u16>) -> Duel {
        let (mut free, mut count) = ([0; MAX_SIZE * MAX_SIZE], 0);
        for bit in self.empty(&s).bits() {
            free[count] = bit as u16;
            count += 1;
        }
        let mut turn = s.turn();
        while count > 0 && !s.is_won {
            let place = rng.below(count);
            let bit = usize::from(free[place]);
            count -= 1;
            free[place] = free[count];
            let stones = &mut s.stones[turn.index()];
            stones.insert(bit);
            s.is_won = self.wins_with(stones, bit);
            turn = turn.other();
        }
        if s.is_won { Duel::Won(turn.other()) } else { Duel::Drawn }
    }

    fn show_state(&self, s: &GomokuState) -> String {
        show_owners(self.cols, self.rows, |x, y| self.owner(s, x, y))
    }

    fn read_state(&self, text: &str) -> Result<GomokuState, NotationError> {
        let mut reader = NotationReader::new(text);
        let cells = reader.grid(self.cols, self.rows, ".xo")?;
        reader.end()?;
        let mut s = self.start();
        for (i, stone) in cells.into_iter().enumerate().filter(|&(_, stone)| stone > 0) {
            let bit = self.bit(i % self.cols, i / self.cols);
            s.stones[stone - 1].insert(bit);
            s.hash ^= mix((2 * bit + stone - 1) as u64 + 1);
            s.count += 1;
        }
        reader.alternate(s.stones[0].count(), s.stones[1].count())?;
        let has_row = |side: Side| {
            let stones = s.stones(side);
            stones.bits().any(|bit| self.wins_with(&stones, bit))
        };
        if has_row(s.turn()) {
            return Err(reader.whole(format!("{} had already won before the last move", s.turn())));
        }
        s.is_won = has_row(s.turn().other());
        Ok(s)
    }

    fn show_move(&self, _s: &GomokuState, m: u16) -> String {
        let (x, y) = self.place(m.into());
        cell_name(x, y, self.rows)
    }

    fn scene(&self, s: &GomokuState) -> Scene {
        let discs = [PieceShape::Disc, PieceShape::Disc];
        let mut scene = Scene::owners(self.cols, self.rows, discs, |x, y| self.owner(s, x, y));
        scene.name_like_chess();
        let (right, bottom) = (self.cols - 1, self.rows - 1);
        let rows = (0..self.rows).map(|y| [Coord::new(0, y), Coord::new(right, y)]);
        let columns = (0..self.cols).map(|x| [Coord::new(x, 0), Coord::new(x, bottom)]);
        scene.lines = rows.chain(columns).collect();
        if s.is_won {
            scene.mark_winning_lines(self.length);
        }
        scene
    }

    fn side_names(&self) -> [&'static str; 2] {
        ["Black", "White"]
    }

    fn touches(&self, _s: &GomokuState, m: u16) -> Vec<Coord> {
        let (x, y) = self.place(m.into());
        vec![Coord::new(x, y)]
    }

    fn symmetries(&self) -> Vec<Symmetry> {
        match self.rows == self.cols {
            true => Symmetry::SQUARE.to_vec(),
            false => vec![Symmetry::Mirror, Symmetry::Flip, Symmetry::HalfTurn],
        }
    }

    fn transform(&self, s: &GomokuState, symmetry: Symmetry) -> GomokuState {
        let mut image = GomokuState { stones: [CellSet::EMPTY; 2], hash: 0, ..*s };
        for side in Side::BOTH {
            for bit in s.stones(side).bits() {
                let (x, y) = symmetry.point(self.place(bit), self.cols, self.rows);
                let bit = self.bit(x, y);
                image.stones[side.index()].insert(bit);
                image.hash ^= mix((2 * bit + side.index()) as u64 + 1);
            }
        }
        image
    }

    fn encoding(&self) -> EncodingShape {
        let (rows, cols) = (self.rows, self.cols);
        EncodingShape { planes: 2, rows, cols, extras: 0, actions: rows * cols }
    }

    #[inline]
    fn features(&self, s: &GomokuState, seen_by: Side, out: &mut Vec<u32>) {
        let cells = (self.cols * self.rows) as u32;
        for (plane, side) in (0..).zip([seen_by, seen_by.other()]) {
            out.extend(s.stones(side).bits().map(|bit| plane * cells + self.cell_number(bit)));
        }
    }

    #[inline]
    fn actions(&self, _s: &GomokuState, moves: &[u16], out: &mut Vec<u32>) {
        out.extend(moves.iter().map(|&m| self.cell_number(m.into())));
    }

    fn move_of_action(&self, s: &GomokuState, action: u32) -> Option<u16> {
        let (x, y) = (action as usize % self.cols, action as usize / self.cols);
        let is_legal = y < self.rows && !s.is_won && self.empty(s).contains(self.bit(x, y));
        is_legal.then(|| self.bit(x, y) as u16)
    }
}

/// Returns the registry entry of Gomoku, with the evaluator `threats`. It is solved by search alone,
/// because a search that looks at threats visits far fewer states than an enumeration.
#[must_use]
pub fn entry() -> GameBuilder<Gomoku> {
    GameBuilder::duel().solved_by_search().evaluator(
        "threats",
        "rows that can still be completed, rows that lack one stone, and forks",
        ThreatEvaluator,
    )
}

impl NamedGame for Gomoku {
    const NAME: &'static str = "gomoku";
    const TITLE: &'static str = "Gomoku";
    const RULES: &'static str = "In turn, each player puts a stone on an empty point. The first to have five stones in a row, \
        column or diagonal wins.";
    const HELP: &'static str = "five in a row on 15 × 15 cells, or k in a row on m × n";
    const PARAMS: &'static [Param] = &[
        Param::int("cols", 15, 1, MAX_SIZE as i64, "columns"),
        Param::int("rows", 15, 1, MAX_SIZE as i64, "rows"),
        Param::int("k", 5, 2, MAX_SIZE as i64, "stones in a row that win"),
        Param::flag("exact", "more than k stones in a row do not win"),
    ];
    const LEVELS: &'static [StrengthLevel] =
        &[StrengthLevel::perfect_in("deepening(secs=0)", &["gomoku(3, 3, 3)"])];
    const EXAMPLES: &'static [&'static str] = &[
        "gomoku",
        "gomoku(3, 3, 3)",
        "gomoku(5, 4, 4)",
        "gomoku(7, 7, 4, exact)",
        "gomoku(9, 6, 5)",
        "gomoku(1, 8, 3)",
    ];

    fn build(args: &Args) -> Result<Self, ParamError> {
        let (cols, rows, length) = (args.size("cols"), args.size("rows"), args.size("k"));
        if length > cols.max(rows) {
            return Err(args.together(format!(
                "no row of {length} stones fits on {cols} columns and {rows} rows"
            )));
        }
        Ok(Gomoku::new(cols, rows, length, args.flag("exact")))
    }
}
