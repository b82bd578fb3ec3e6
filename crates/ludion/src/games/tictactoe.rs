//! Tic-tac-toe on the usual 3×3 board. Cells are numbered row by row; a state is a set of nine bits
//! for each side.

use crate::encoding::{EncodingShape, push_bits};
use crate::erased::GameBuilder;
use crate::game::{Game, Side, Status};
use crate::grid::{GridGame, GridLayout, PieceBitboards};
use crate::named::NamedGame;
use crate::notation::{NotationError, NotationReader, show_owners};
use crate::outcome::Duel;
use crate::param::{Args, Param, ParamError};
use crate::presentation::StrengthLevel;
use crate::random::Rng;
use crate::scene::{Coord, PieceShape, Scene, Symmetry, cell_name};

use super::bits::{BitGrid, bits};

/// The rules of tic-tac-toe; the game has no parameters.
#[derive(Clone, Copy, Debug)]
pub struct TicTacToe;

/// The stones of each side, as bits `3·row + column`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct TicTacToeState {
    stones: [u16; 2],
}

pub(super) const FULL: u16 = 0x1ff;
/// The eight lines of three cells.
pub(super) const LINES: [u16; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];
const GRID: BitGrid = BitGrid::flat(3, 3);

/// A bit for each of the 512 sets of cells, which is 1 if the set contains three in a row.
static HAS_LINE: [u64; 8] = line_table();

const fn line_table() -> [u64; 8] {
    let mut table = [0; 8];
    let mut set = 0;
    while set < 512 {
        let mut i = 0;
        while i < 8 {
            if set & LINES[i] == LINES[i] {
                table[set as usize / 64] |= 1 << (set % 64);
            }
            i += 1;
        }
        set += 1;
    }
    table
}

/// Returns whether a set of cells contains three in a row.
#[inline]
pub(super) fn has_line(set: u16) -> bool {
    HAS_LINE[usize::from(set >> 6) & 7] >> (set & 63) & 1 == 1
}

impl TicTacToeState {
    fn owner(self, x: usize, y: usize) -> Option<Side> {
        Side::BOTH.into_iter().find(|side| self.stones[side.index()] >> (3 * y + x) & 1 == 1)
    }

    #[inline]
    fn occupied(self) -> u16 {
        self.stones[0] | self.stones[1]
    }

    /// Returns the side to move, which follows from the number of stones on the board.
    #[inline]
    fn turn(self) -> Side {
        Side::after(self.occupied().count_ones())
    }
}

impl Game for TicTacToe {
    type State = TicTacToeState;
    /// The cell on which the move puts a stone: `3·row + column`.
    type Move = u8;
    type Outcome = Duel;

    fn start(&self) -> TicTacToeState {
        TicTacToeState::default()
    }

    #[inline]
    fn status(&self, s: &TicTacToeState) -> Status<Duel> {
        let turn = s.turn();
        if has_line(s.stones[turn.other().index()]) {
            Status::Over(Duel::Won(turn.other()))
        } else if s.occupied() == FULL {
            Status::Over(Duel::Drawn)
        } else {
            Status::Turn(turn)
        }
    }

    #[inline]
    fn moves(&self, s: &TicTacToeState, out: &mut Vec<u8>) {
        if let Status::Turn(_) = self.status(s) {
            for cell in bits((!s.occupied() & FULL).into()) {
                out.push(cell);
            }
        }
    }

    #[inline]
    fn play(&self, s: &mut TicTacToeState, m: u8) {
        s.stones[s.turn().index()] |= 1 << m;
    }

    #[inline]
    fn key(&self, s: &TicTacToeState) -> u64 {
        u64::from(s.stones[0]) << 9 | u64::from(s.stones[1])
    }

    #[inline]
    fn count_moves(&self, s: &TicTacToeState, _scratch: &mut Vec<u8>) -> usize {
        match self.status(s) {
            Status::Turn(_) => 9 - s.occupied().count_ones() as usize,
            Status::Over(_) => 0,
        }
    }

    /// Fills the empty cells in random order until the game ends. The k-th empty cell, counted from
    /// 0, is found by clearing the k lowest bits of the set.
    fn playout(&self, s: TicTacToeState, rng: &mut Rng, _scratch: &mut Vec<u8>) -> Duel {
        if let Status::Over(end) = self.status(&s) {
            return end;
        }
        let mut turn = s.turn();
        let [mut mine, mut other] = [s.stones[turn.index()], s.stones[turn.other().index()]];
        let mut empty = !s.occupied() & FULL;
        // One 64-bit random number serves the whole game: it is a fraction below 1, which each ply
        // multiplies by its number of choices. The integer part is the choice, and the fractional
        // part serves the next ply.
        let mut choices = empty.count_ones();
        let mut digits = rng.bits();
        loop {
            let wide = u128::from(digits) * u128::from(choices);
            digits = wide as u64;
            let mut rest = empty;
            for _ in 0..(wide >> 64) as u32 {
                rest &= rest - 1;
            }
            let cell = rest & rest.wrapping_neg();
            mine |= cell;
            empty ^= cell;
            choices -= 1;
            if has_line(mine) {
                return Duel::Won(turn);
            }
            if choices == 0 {
                return Duel::Drawn;
            }
            (mine, other) = (other, mine);
            turn = turn.other();
        }
    }

    #[inline]
    fn last_mover_wins(&self) -> bool {
        true
    }

    #[inline]
    fn slot(&self, m: u8) -> usize {
        m.into()
    }

    fn show_state(&self, s: &TicTacToeState) -> String {
        show_owners(3, 3, |x, y| s.owner(x, y))
    }

    fn read_state(&self, text: &str) -> Result<TicTacToeState, NotationError> {
        let mut reader = NotationReader::new(text);
        let s = TicTacToeState { stones: reader.owners(3, 3)?.map(|set| set as u16) };
        reader.end()?;
        reader.alternate(s.stones[0].count_ones(), s.stones[1].count_ones())?;
        if has_line(s.stones[s.turn().index()]) {
            return Err(reader.whole(format!("{} had already won before the last move", s.turn())));
        }
        Ok(s)
    }

    fn show_move(&self, _s: &TicTacToeState, m: u8) -> String {
        cell_name((m % 3).into(), (m / 3).into(), 3)
    }

    fn scene(&self, s: &TicTacToeState) -> Scene {
        let mut scene =
            Scene::owners(3, 3, [PieceShape::Cross, PieceShape::Ring], |x, y| s.owner(x, y));
        scene.name_like_chess();
        scene.mark_winning_lines(3);
        scene
    }

    fn side_names(&self) -> [&'static str; 2] {
        ["Crosses", "Noughts"]
    }

    fn touches(&self, _s: &TicTacToeState, m: u8) -> Vec<Coord> {
        vec![Coord::new((m % 3).into(), (m / 3).into())]
    }

    fn symmetries(&self) -> Vec<Symmetry> {
        Symmetry::SQUARE.to_vec()
    }

    fn transform(&self, s: &TicTacToeState, symmetry: Symmetry) -> TicTacToeState {
        TicTacToeState { stones: s.stones.map(|set| GRID.image(set.into(), symmetry) as u16) }
    }

    fn encoding(&self) -> EncodingShape {
        EncodingShape { planes: 2, rows: 3, cols: 3, extras: 0, actions: 9 }
    }

    #[inline]
    fn features(&self, s: &TicTacToeState, seen_by: Side, out: &mut Vec<u32>) {
        push_bits(s.stones[seen_by.index()].into(), 0, out);
        push_bits(s.stones[seen_by.other().index()].into(), 9, out);
    }

    #[inline]
    fn actions(&self, _s: &TicTacToeState, moves: &[u8], out: &mut Vec<u32>) {
        out.extend(moves.iter().map(|&cell| u32::from(cell)));
    }
}

impl GridGame for TicTacToe {
    fn board(&self) -> GridLayout {
        GridLayout::full(3, 3, |x, y| 3 * y + x)
    }

    #[inline]
    fn pieces(&self, s: &TicTacToeState) -> PieceBitboards {
        let turn = Side::after(s.occupied().count_ones());
        let stones = |side: Side| s.stones[side.index()].into();
        PieceBitboards { men: [stones(turn), stones(turn.other())], ..PieceBitboards::default() }
    }
}

/// Returns the registry entry of tic-tac-toe.
#[must_use]
pub fn entry() -> GameBuilder<TicTacToe> {
    GameBuilder::duel().grid()
}

impl NamedGame for TicTacToe {
    const NAME: &'static str = "tictactoe";
    const TITLE: &'static str = "Tic-tac-toe";
    const RULES: &'static str = "In turn, each player marks an empty cell. Three of your marks in a row, column or diagonal \
        win. If the board is full without such a line, the game is drawn.";
    const LEVELS: &'static [StrengthLevel] = &[StrengthLevel::perfect("deepening(secs=0)")];
    const HELP: &'static str = "three in a row on a board of nine cells";
    const PARAMS: &'static [Param] = &[];
    const EXAMPLES: &'static [&'static str] = &["tictactoe"];

    fn build(_args: &Args) -> Result<Self, ParamError> {
        Ok(TicTacToe)
    }
}
