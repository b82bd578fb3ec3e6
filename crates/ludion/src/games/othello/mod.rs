//! Othello (Reversi) on 4×4, 6×6 or 8×8 cells, by the rules of the World Othello Federation. The
//! first side (black) has discs on e4 and d5 of the 8×8 board, the second (white) on d4 and e5. A
//! side puts a disc on an empty cell so that it encloses a straight run of the opponent's discs
//! between the new disc and another of its own; all discs enclosed in the eight directions are
//! flipped. A side without such a move must pass, which is the move `pass`; if neither side can
//! move, the side with more discs wins. Cells are named as Othello players name them: `a1` is the top
//! left.
//!
//! [`endgame`] solves positions to the exact difference of discs.

#[cfg(target_arch = "x86_64")]
mod avx2;
pub mod endgame;
pub mod endgame_player;
pub mod evaluator;
mod kernel;
mod notation;
mod score_table;
mod small_endgames;

use crate::encoding::{EncodingShape, push_cells};
use crate::erased::GameBuilder;
use crate::game::{Game, Side, Status};
use crate::grid::{GridGame, GridLayout, PieceBitboards};
use crate::named::NamedGame;
use crate::notation::{NotationError, NotationReader, show_owners};
use crate::outcome::Duel;
use crate::param::{Args, Param, ParamError};
use crate::presentation::StrengthLevel;
use crate::random::{Rng, mix};
use crate::scene::{Coord, PieceShape, Scene, Symmetry, column_letter};

use super::bits::bits;
use kernel::{Discs, PortableTarget};

/// The rules of Othello: the size of the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Othello {
    size: u8,
    /// The set of all cells.
    board: u64,
}

/// The discs of the side to move and of its opponent, as bits `8·row + column` on every size of the
/// board, and the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct OthelloState {
    own: u64,
    other: u64,
    turn: Side,
}

/// The move of a side that cannot put a disc; other moves are the bit number of their cell.
const PASS: u8 = 64;

impl Othello {
    /// Returns the game on a board of `size` times `size` cells.
    ///
    /// # Panics
    /// When the size is not 4, 6 or 8.
    #[must_use]
    pub const fn new(size: u8) -> Self {
        assert!(size == 4 || size == 6 || size == 8, "the size is 4, 6 or 8");
        let row = (1u64 << size) - 1;
        let (mut board, mut y) = (0, 0);
        while y < size {
            board |= row << (8 * y);
            y += 1;
        }
        Othello { size, board }
    }

    #[inline]
    fn discs(&self, s: &OthelloState) -> Discs {
        Discs { own: s.own, other: s.other, board: self.board }
    }

    /// Returns the cells on which the side to move can put a disc.
    #[inline]
    fn placements(&self, s: &OthelloState) -> u64 {
        self.discs(s).moves::<PortableTarget>()
    }

    /// Returns whether the opponent of the side to move could put a disc.
    #[inline]
    fn opponent_can_move(&self, s: &OthelloState) -> bool {
        self.discs(s).swapped().moves::<PortableTarget>() != 0
    }

    /// Returns the number of empty cells.
    #[must_use]
    pub fn empties(&self, s: &OthelloState) -> u32 {
        self.discs(s).empty().count_ones()
    }

    /// Returns the difference of discs for the side to move: its own less the opponent's.
    #[must_use]
    pub fn disc_difference(&self, s: &OthelloState) -> i32 {
        s.own.count_ones() as i32 - s.other.count_ones() as i32
    }

    fn cells(&self) -> usize {
        usize::from(self.size) * usize::from(self.size)
    }

    /// Returns the number of the cell of a bit, row by row.
    #[inline]
    fn cell_number(&self, bit: u32) -> u32 {
        bit / 8 * u32::from(self.size) + bit % 8
    }

    fn owner(s: &OthelloState, x: usize, y: usize) -> Option<Side> {
        let has = |set: u64| set >> (8 * y + x) & 1 == 1;
        match (has(s.own), has(s.other)) {
            (true, _) => Some(s.turn),
            (_, true) => Some(s.turn.other()),
            _ => None,
        }
    }
}

impl Game for Othello {
    type State = OthelloState;
    /// The bit of the cell on which the move puts a disc, or 64 for a pass.
    type Move = u8;
    type Outcome = Duel;

    fn start(&self) -> OthelloState {
        let middle = 9 * (u32::from(self.size) / 2);
        OthelloState {
            own: 1 << (middle - 8) | 1 << (middle - 1),
            other: 1 << (middle - 9) | 1 << middle,
            turn: Side::First,
        }
    }

    #[inline]
    fn status(&self, s: &OthelloState) -> Status<Duel> {
        if self.placements(s) != 0 || self.opponent_can_move(s) {
            return Status::Turn(s.turn);
        }
        Status::Over(match self.disc_difference(s) {
            0 => Duel::Drawn,
            1.. => Duel::Won(s.turn),
            _ => Duel::Won(s.turn.other()),
        })
    }

    #[inline]
    fn moves(&self, s: &OthelloState, out: &mut Vec<u8>) {
        match self.placements(s) {
            0 if !self.opponent_can_move(s) => {}
            0 => out.push(PASS),
            moves => {
                for cell in bits(moves) {
                    out.push(cell);
                }
            }
        }
    }

    #[inline]
    fn play(&self, s: &mut OthelloState, m: u8) {
        let discs = self.discs(s);
        let next = if m == PASS { discs.swapped() } else { discs.after::<PortableTarget>(1 << m) };
        *s = OthelloState { own: next.own, other: next.other, turn: s.turn.other() };
    }

    #[inline]
    fn key(&self, s: &OthelloState) -> u64 {
        if self.size == 4 {
            let row = |set: u64, y: u64| (set >> (8 * y) & 15) << (4 * y);
            let pack = |set: u64| row(set, 0) | row(set, 1) | row(set, 2) | row(set, 3);
            return (pack(s.own) << 16 | pack(s.other)) << 1 | s.turn as u64;
        }
        mix(mix(s.own) ^ s.other).wrapping_add(s.turn as u64)
    }

    #[inline]
    fn count_moves(&self, s: &OthelloState, _scratch: &mut Vec<u8>) -> usize {
        kernel::perft(self.discs(s), 1) as usize
    }

    #[inline]
    fn count_replies(&self, s: &OthelloState, _scratch: &mut Vec<u8>) -> u64 {
        kernel::perft(self.discs(s), 2)
    }

    fn perft(&self, s: &OthelloState, depth: u32, _scratch: &mut Vec<u8>) -> u64 {
        kernel::perft(self.discs(s), depth)
    }

    #[inline]
    fn slot(&self, m: u8) -> usize {
        m.into()
    }

    fn playout(&self, s: OthelloState, rng: &mut Rng, _scratch: &mut Vec<u8>) -> Duel {
        match kernel::playout(self.discs(&s), rng) {
            0 => Duel::Drawn,
            1.. => Duel::Won(s.turn),
            _ => Duel::Won(s.turn.other()),
        }
    }

    fn show_state(&self, s: &OthelloState) -> String {
        let size = self.size.into();
        format!("{} {}", show_owners(size, size, |x, y| Othello::owner(s, x, y)), s.turn)
    }

    /// Parses a board of `x` (first side), `o` and `.`, by rows with slashes between them, and the
    /// side to move; or a board of `X`, `O` and `-` without slashes and `X` or `O` to move, as in
    /// collections of endgames; or the moves of a game from the start, such as `f5d6c3`.
    fn read_state(&self, text: &str) -> Result<OthelloState, NotationError> {
        let mut reader = NotationReader::new(text);
        let is_column = |c: char| ('a'..='h').contains(&c.to_ascii_lowercase());
        match text.trim_start().chars().next() {
            Some(c) if is_column(c) => self.read_moves(&mut reader),
            _ => self.read_board(&mut reader),
        }
    }

    fn show_move(&self, _s: &OthelloState, m: u8) -> String {
        match m {
            PASS => "pass".to_owned(),
            _ => format!("{}{}", column_letter(usize::from(m % 8)), m / 8 + 1),
        }
    }

    fn scene(&self, s: &OthelloState) -> Scene {
        let size = self.size.into();
        let discs = [PieceShape::Disc, PieceShape::Disc];
        let mut scene = Scene::owners(size, size, discs, |x, y| Othello::owner(s, x, y));
        scene.columns = (0..size).map(column_letter).collect();
        scene.rows = (1..=size).map(|y| y.to_string()).collect();
        let mut count = [s.own.count_ones(), s.other.count_ones()];
        if s.turn == Side::Second {
            count.swap(0, 1);
        }
        scene.caption = format!("first {}, second {}", count[0], count[1]);
        if self.placements(s) == 0 && self.opponent_can_move(s) {
            scene.buttons.push((Coord::new(0, size), "pass".to_owned()));
            scene.caption += &format!("; {} must pass", s.turn);
        }
        scene
    }

    fn side_names(&self) -> [&'static str; 2] {
        ["Black", "White"]
    }

    fn touches(&self, _s: &OthelloState, m: u8) -> Vec<Coord> {
        match m {
            PASS => vec![Coord::new(0, self.size.into())],
            _ => vec![Coord::new(usize::from(m % 8), usize::from(m / 8))],
        }
    }

    fn symmetries(&self) -> Vec<Symmetry> {
        Symmetry::SQUARE.to_vec()
    }

    fn transform(&self, s: &OthelloState, symmetry: Symmetry) -> OthelloState {
        let size = usize::from(self.size);
        let image = |set: u64| {
            bits(set).fold(0, |image, bit| {
                let bit = usize::from(bit);
                let (x, y) = symmetry.point((bit % 8, bit / 8), size, size);
                image | 1 << (8 * y + x)
            })
        };
        OthelloState { own: image(s.own), other: image(s.other), turn: s.turn }
    }

    /// The actions are the cells, row by row, and the pass.
    fn encoding(&self) -> EncodingShape {
        let size = usize::from(self.size);
        EncodingShape { planes: 2, rows: size, cols: size, extras: 0, actions: size * size + 1 }
    }

    #[inline]
    fn features(&self, s: &OthelloState, seen_by: Side, out: &mut Vec<u32>) {
        let mut discs = [s.own, s.other];
        if seen_by != s.turn {
            discs.swap(0, 1);
        }
        for (plane, set) in discs.into_iter().enumerate() {
            push_cells(set, plane * self.cells(), |bit| self.cell_number(bit), out);
        }
    }

    #[inline]
    fn actions(&self, _s: &OthelloState, moves: &[u8], out: &mut Vec<u32>) {
        out.extend(moves.iter().map(|&m| match m {
            PASS => self.cells() as u32,
            _ => self.cell_number(m.into()),
        }));
    }
}

impl GridGame for Othello {
    fn board(&self) -> GridLayout {
        let size = self.size.into();
        GridLayout::full(size, size, |x, y| 8 * y + x)
    }

    #[inline]
    fn pieces(&self, s: &OthelloState) -> PieceBitboards {
        PieceBitboards { men: [s.own, s.other], ..PieceBitboards::default() }
    }
}

/// Returns the registry entry of Othello, with the evaluator `mobility`, the player `endgame` and the
/// solver.
#[must_use]
pub fn entry() -> GameBuilder<Othello> {
    GameBuilder::duel()
        .grid()
        .evaluator("mobility", "moves, corners, frontier and parity", evaluator::MobilityEvaluator)
        .player::<endgame_player::EndgamePlayer>()
        .solver(endgame_player::solve)
}

impl NamedGame for Othello {
    const NAME: &'static str = "othello";
    const TITLE: &'static str = "Othello";
    const RULES: &'static str = "Put a disc so that it encloses a straight run of your opponent's discs between the new disc \
        and another one of yours; the enclosed discs become yours. You must pass if you cannot \
        enclose any. When neither player can move, the one with more discs wins.";
    const HELP: &'static str = "enclose the other's discs to flip them; most discs win";
    const PARAMS: &'static [Param] = &[Param::int("size", 8, 4, 8, "cells a side: 4, 6 or 8")];
    const LEVELS: &'static [StrengthLevel] =
        &[StrengthLevel::perfect_in("deepening(secs=0)", &["othello(4)"])];
    const EXAMPLES: &'static [&'static str] = &["othello", "othello(4)", "othello(6)"];

    fn build(args: &Args) -> Result<Self, ParamError> {
        match args.size("size") {
            size @ (4 | 6 | 8) => Ok(Othello::new(size as u8)),
            size => Err(args.together(format!("the size is {size}; it must be 4, 6 or 8"))),
        }
    }
}
