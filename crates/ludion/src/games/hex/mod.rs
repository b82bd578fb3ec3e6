//! Hex, by Piet Hein (1942) and John Nash (1948), on a rhombus of 2×2 to 13×13 hexagonal cells. A
//! side puts a stone on an empty cell. The first side wins with a chain of its stones from the top
//! edge to the bottom, the second with one from the left to the right; there is no draw. A cell
//! adjoins those left and right of it, above and above right, below and below left.
//!
//! With `swap`, the second side may answer the first move by `swap`: the stone becomes its own, on
//! the cell reflected about the long diagonal, so that it means the same to it (pie rule).

mod board;
mod evaluator;

use crate::encoding::{EncodingShape, push_bits};
use crate::erased::GameBuilder;
use crate::game::{Game, Side, Status};
use crate::named::NamedGame;
use crate::notation::{NotationError, NotationReader, show_owners};
use crate::outcome::Duel;
use crate::param::{Args, Param, ParamError};
use crate::presentation::StrengthLevel;
use crate::random::{Rng, mix};
use crate::scene::{Coord, PieceShape, Scene, Symmetry, column_letter};

use board::{MAX_SIZE, Rows, cells, count};
pub use evaluator::ShortestPathEvaluator;
/// The move of the second side that takes over the first stone; other moves are `16·row + column`.
const SWAP: u8 = u8::MAX;

/// The rules of Hex: the size of the board, and whether the second side may swap.
#[derive(Clone, Copy, Debug)]
pub struct Hex {
    size: usize,
    swap: bool,
}

/// The stones of each side and the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct HexState {
    stones: [Rows; 2],
    turn: Side,
}

impl Hex {
    /// Returns the game on `size` times `size` cells, from 2 to 13.
    #[must_use]
    pub fn new(size: usize, swap: bool) -> Self {
        assert!((2..=MAX_SIZE).contains(&size), "a size from 2 to 13");
        Hex { size, swap }
    }

    #[inline]
    fn empty(&self, s: &HexState) -> Rows {
        let mut rows = [0; MAX_SIZE];
        for (y, row) in rows[..self.size].iter_mut().enumerate() {
            *row = self.row() & !(s.stones[0][y] | s.stones[1][y]);
        }
        rows
    }

    /// Returns the empty cells on which a stone of `side` completes a chain.
    #[inline]
    fn winning_cells(&self, s: &HexState, side: Side) -> Rows {
        let stones = &s.stones[side.index()];
        let mut rows = self.empty(s);
        for is_end in [false, true] {
            let edge = self.edge(side, is_end);
            let joined = self.around(&self.flood(stones, &edge));
            for y in 0..self.size {
                rows[y] &= joined[y] | edge[y];
            }
        }
        rows
    }

    #[inline]
    fn can_swap(&self, s: &HexState) -> bool {
        self.swap
            && s.turn == Side::Second
            && s.stones[1] == [0; MAX_SIZE]
            && count(&s.stones[0]) == 1
    }

    #[inline]
    fn is_over(&self, s: &HexState) -> bool {
        let moved = s.turn.other();
        self.has_chain(&s.stones[moved.index()], moved)
    }

    fn owner(s: &HexState, x: usize, y: usize) -> Option<Side> {
        Side::BOTH.into_iter().find(|side| s.stones[side.index()][y] >> x & 1 == 1)
    }

    /// Returns a set as `side` sees it: reflected for the second side, so that both go from the top
    /// to the bottom.
    fn seen(&self, set: Rows, side: Side) -> Rows {
        match side {
            Side::First => set,
            Side::Second => self.image(set, Symmetry::Transpose),
        }
    }
}

impl Hex {
    /// Returns the stones of a chain that can spare none of them, if the game is over.
    fn winning_chain(&self, s: &HexState) -> Vec<Coord> {
        if !self.is_over(s) {
            return Vec::new();
        }
        let winner = s.turn.other();
        let mut chain = s.stones[winner.index()];
        for (y, x) in (0..self.size).flat_map(|y| (0..self.size).map(move |x| (y, x))) {
            let mut without = chain;
            without[y] &= !(1 << x);
            if self.has_chain(&without, winner) {
                chain = without;
            }
        }
        let all = (0..self.size).flat_map(|y| (0..self.size).map(move |x| (x, y)));
        all.filter(|&(x, y)| chain[y] >> x & 1 == 1).map(|(x, y)| Coord::new(x, y)).collect()
    }
}

impl Game for Hex {
    type State = HexState;
    /// The cell of the stone, `16·row + column`, or 255 to swap.
    type Move = u8;
    type Outcome = Duel;

    fn start(&self) -> HexState {
        HexState { stones: [[0; MAX_SIZE]; 2], turn: Side::First }
    }

    #[inline]
    fn status(&self, s: &HexState) -> Status<Duel> {
        if self.is_over(s) { Status::Over(Duel::Won(s.turn.other())) } else { Status::Turn(s.turn) }
    }

    /// Lists the empty cells row by row, then the swap.
    #[inline]
    fn moves(&self, s: &HexState, out: &mut Vec<u8>) {
        if !self.is_over(s) {
            out.extend(cells(self.empty(s)));
            if self.can_swap(s) {
                out.push(SWAP);
            }
        }
    }

    #[inline]
    fn play(&self, s: &mut HexState, m: u8) {
        if m == SWAP {
            s.stones = [[0; MAX_SIZE], self.image(s.stones[0], Symmetry::Transpose)];
        } else {
            s.stones[s.turn.index()][usize::from(m / 16)] |= 1 << (m % 16);
        }
        s.turn = s.turn.other();
    }

    #[inline]
    fn key(&self, s: &HexState) -> u64 {
        let pack = |set: &Rows| {
            set[..self.size].iter().fold(0, |key, &row| key << self.size | u64::from(row))
        };
        if self.size <= 5 {
            let [first, second] = [pack(&s.stones[0]), pack(&s.stones[1])];
            return (first << (self.size * self.size) | second) << 1 | s.turn as u64;
        }
        let word = |key: u64, rows: &[u16]| {
            mix(key ^ rows.iter().fold(0, |word, &row| word << 16 | u64::from(row)))
        };
        let key = s.stones.iter().flat_map(|set| set[..self.size].chunks(4)).fold(1, word);
        key.wrapping_add(s.turn as u64)
    }

    #[inline]
    fn count_moves(&self, s: &HexState, _scratch: &mut Vec<u8>) -> usize {
        let empty = || count(&self.empty(s)) as usize + usize::from(self.can_swap(s));
        if self.is_over(s) { 0 } else { empty() }
    }

    #[inline]
    fn count_replies(&self, s: &HexState, scratch: &mut Vec<u8>) -> u64 {
        if self.swap && count(&s.stones[0]) < 2 {
            return crate::game::count_replies(self, s, scratch);
        }
        if self.is_over(s) {
            return 0;
        }
        let empty = count(&self.empty(s));
        let wins = count(&self.winning_cells(s, s.turn));
        u64::from(empty - wins) * u64::from(empty - 1)
    }

    #[inline]
    fn wins_at_once(&self, s: &HexState) -> Option<bool> {
        Some(self.winning_cells(s, s.turn) != [0; MAX_SIZE])
    }

    #[inline]
    fn safe_moves(&self, s: &HexState, out: &mut Vec<u8>) -> bool {
        if self.can_swap(s) {
            return false;
        }
        // A stone on the only cell where the opponent wins stops it; two cells cannot be stopped.
        let threats = self.winning_cells(s, s.turn.other());
        match count(&threats) {
            0 => out.extend(cells(self.empty(s))),
            1 => out.extend(cells(threats)),
            _ => {}
        }
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

    /// Fills the board with stones of both sides in random order. Stones after the end change
    /// nothing: exactly one side has a chain on a full board, and it had it first.
    fn playout(&self, mut s: HexState, rng: &mut Rng, _scratch: &mut Vec<u8>) -> Duel {
        if self.is_over(&s) {
            return Duel::Won(s.turn.other());
        }
        if self.can_swap(&s) && rng.below(self.size * self.size) == 0 {
            self.play(&mut s, SWAP);
        }
        let mut empty = [0u8; MAX_SIZE * MAX_SIZE];
        let mut left = 0;
        for cell in cells(self.empty(&s)) {
            empty[left] = cell;
            left += 1;
        }
        // The stones of the side to move are a random half of the empty cells; the rest need not be
        // drawn, because the opponent has a chain exactly if this side has none.
        let mut stones = s.stones[s.turn.index()];
        for _ in 0..left.div_ceil(2) {
            let drawn = rng.below(left);
            left -= 1;
            let cell = empty[drawn];
            empty[drawn] = empty[left];
            stones[usize::from(cell / 16)] |= 1 << (cell % 16);
        }
        let has_won = self.has_chain(&stones, s.turn);
        Duel::Won(if has_won { s.turn } else { s.turn.other() })
    }

    fn show_state(&self, s: &HexState) -> String {
        format!("{} {}", show_owners(self.size, self.size, |x, y| Hex::owner(s, x, y)), s.turn)
    }

    fn read_state(&self, text: &str) -> Result<HexState, NotationError> {
        let mut reader = NotationReader::new(text);
        let owners = reader.grid(self.size, self.size, ".xo")?;
        let turn = reader.side()?;
        reader.end()?;
        let mut s = HexState { stones: [[0; MAX_SIZE]; 2], turn };
        for (i, owner) in owners.into_iter().enumerate().filter(|(_, owner)| *owner > 0) {
            s.stones[owner - 1][i / self.size] |= 1 << (i % self.size);
        }
        let [first, second] = [count(&s.stones[0]), count(&s.stones[1])];
        let plies = match turn {
            Side::First => first == second || self.swap && second == first + 1,
            Side::Second => first == second + 1 || self.swap && first == second && first > 0,
        };
        if !plies {
            return Err(reader
                .whole(format!("{first} x and {second} o are impossible with {turn} to move")));
        }
        if self.has_chain(&s.stones[turn.index()], turn) {
            return Err(reader.whole(format!("{turn} had already won before the last move")));
        }
        Ok(s)
    }

    fn show_move(&self, _s: &HexState, m: u8) -> String {
        match m {
            SWAP => "swap".to_owned(),
            _ => format!("{}{}", column_letter(usize::from(m % 16)), m / 16 + 1),
        }
    }

    fn scene(&self, s: &HexState) -> Scene {
        let discs = [PieceShape::Disc, PieceShape::Disc];
        let owner = |x, y| Hex::owner(s, x, y);
        let mut scene = Scene::rhombus(self.size, self.size, discs, owner);
        scene.columns = (0..self.size).map(column_letter).collect();
        scene.rows = (1..=self.size).map(|y| y.to_string()).collect();
        scene.caption = "first joins top and bottom, second left and right".to_owned();
        if self.can_swap(s) {
            scene.buttons.push((Coord::new(0, self.size), "swap".to_owned()));
            scene.caption += "; second may swap";
        }
        scene.winning = self.winning_chain(s);
        scene
    }

    fn side_names(&self) -> [&'static str; 2] {
        ["Red", "Blue"]
    }

    fn touches(&self, _s: &HexState, m: u8) -> Vec<Coord> {
        match m {
            SWAP => vec![Coord::new(0, self.size)],
            _ => vec![Coord::new(usize::from(m % 16), usize::from(m / 16))],
        }
    }

    fn symmetries(&self) -> Vec<Symmetry> {
        vec![Symmetry::HalfTurn]
    }

    fn transform(&self, s: &HexState, symmetry: Symmetry) -> HexState {
        HexState { stones: s.stones.map(|set| self.image(set, symmetry)), turn: s.turn }
    }

    /// The board is reflected for the second side. The actions are the cells, row by row, and the
    /// swap.
    fn encoding(&self) -> EncodingShape {
        let size = self.size;
        EncodingShape { planes: 2, rows: size, cols: size, extras: 0, actions: size * size + 1 }
    }

    fn features(&self, s: &HexState, seen_by: Side, out: &mut Vec<u32>) {
        for (plane, side) in [seen_by, seen_by.other()].into_iter().enumerate() {
            let set = self.seen(s.stones[side.index()], seen_by);
            for (y, row) in set[..self.size].iter().enumerate() {
                push_bits((*row).into(), (plane * self.size + y) * self.size, out);
            }
        }
    }

    fn actions(&self, s: &HexState, moves: &[u8], out: &mut Vec<u32>) {
        let size = self.size as u32;
        out.extend(moves.iter().map(|&m| match (m, u32::from(m / 16), u32::from(m % 16)) {
            (SWAP, ..) => size * size,
            (_, y, x) if s.turn == Side::First => y * size + x,
            (_, y, x) => x * size + y,
        }));
    }
}

/// Returns the registry entry of Hex, with the evaluator `paths`.
#[must_use]
pub fn entry() -> GameBuilder<Hex> {
    GameBuilder::duel().evaluator(
        "paths",
        "stones that each side needs for a chain, and its shortest paths",
        ShortestPathEvaluator,
    )
}

impl NamedGame for Hex {
    const NAME: &'static str = "hex";
    const TITLE: &'static str = "Hex";
    const RULES: &'static str = "In turn, each player puts a stone on an empty cell. Red joins the top edge to the bottom \
        edge, Blue the left edge to the right edge; the first unbroken chain wins. There is no draw. \
        With the swap rule the second player may take over the first stone.";
    const HELP: &'static str = "join two opposite edges of a rhombus by a chain of stones";
    const PARAMS: &'static [Param] = &[
        Param::int("size", 11, 2, MAX_SIZE as i64, "cells a side"),
        Param::flag("swap", "the second side may take over the first stone"),
    ];
    const LEVELS: &'static [StrengthLevel] =
        &[StrengthLevel::perfect_in("deepening(secs=0)", &["hex(3)", "hex(4)"])];
    const EXAMPLES: &'static [&'static str] = &["hex", "hex(3)", "hex(4, swap)", "hex(7, swap)"];

    fn build(args: &Args) -> Result<Self, ParamError> {
        Ok(Hex::new(args.size("size"), args.flag("swap")))
    }
}
