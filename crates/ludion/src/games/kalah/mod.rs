//! Kalah(m, n): two rows of m houses with n seeds each, and a store for each side. A move takes all
//! seeds of an own house and sows them one by one counter-clockwise, into the own store but not into
//! the opponent's. If the last seed falls into the own store, the same side moves again. If it falls
//! into an own empty house and the opposite house has seeds, both are captured. The game ends when
//! the houses of one side are empty; the seeds that are left go to the side on whose houses they
//! are, and the side with more seeds wins. Source: the rules of W. J. Champion's game, as in Irving,
//! Donkers and Uiterwijk, *Solving Kalah*, ICGA Journal 23 (2000), whose results are those of the
//! variant `capture=empty`.
//!
//! Variants: what is captured (`capture`), when the game ends (`end`), which side gets the seeds
//! that are left (`rest`), an end as soon as one side has most seeds (`majority`), and sowing in
//! several laps (`relay`).

mod evaluator;
mod sowing;
mod variants;

use crate::encoding::{EncodingShape, push_bits};
use crate::erased::GameBuilder;
use crate::game::{Game, Side, Status};
use crate::notation::{NotationError, NotationReader};
use crate::outcome::Duel;
use crate::random::{Rng, mix};
use crate::scene::{Coord, Piece, PieceShape, Scene};

pub use evaluator::KalahEvaluator;
use sowing::{ONES, Pits, byte_sum, count_top_bits, nonzero_bytes};
pub use variants::{CaptureRule, EndRule, RemainingSeedsRule};

/// The rules of Kalah.
#[derive(Clone, Copy, Debug)]
pub struct Kalah {
    houses: u32,
    seeds: u32,
    capture: CaptureRule,
    end: EndRule,
    rest: RemainingSeedsRule,
    majority: bool,
    relay: bool,
}

/// The seeds of each side and the side to move. Byte i of a side is its house i, counted from 0 in
/// the direction of sowing; the byte after its houses is its store.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct KalahState {
    pits: [u64; 2],
    turn: Side,
}

impl KalahState {
    #[inline]
    fn seeds(&self, side: Side, pit: u32) -> u32 {
        (self.pits[side.index()] >> (8 * pit)) as u32 & 0xff
    }
}

impl Kalah {
    /// Returns the total number of seeds.
    #[inline]
    fn total(&self) -> u32 {
        2 * self.houses * self.seeds
    }

    /// Returns the houses of a side without its store.
    #[inline]
    fn houses(&self, s: &KalahState, side: Side) -> u64 {
        s.pits[side.index()] & ((1 << (8 * self.houses)) - 1)
    }

    #[inline]
    fn store(&self, s: &KalahState, side: Side) -> u32 {
        s.seeds(side, self.houses)
    }

    /// Returns the seeds of both sides if the game ends in this state.
    fn final_scores(&self, s: &KalahState) -> [u32; 2] {
        Side::BOTH.map(|side| {
            let rest = match self.rest {
                RemainingSeedsRule::Owner => byte_sum(self.houses(s, side)),
                RemainingSeedsRule::Opponent => byte_sum(self.houses(s, side.other())),
                RemainingSeedsRule::Neither => 0,
            };
            self.store(s, side) + rest
        })
    }

    #[inline]
    fn is_over(&self, s: &KalahState) -> bool {
        let is_empty = |side| self.houses(s, side) == 0;
        let ended = match self.end {
            EndRule::Either => is_empty(Side::First) || is_empty(Side::Second),
            EndRule::Mover => is_empty(s.turn),
        };
        ended || self.majority && Side::BOTH.iter().any(|&side| self.has_majority(s, side))
    }

    #[inline]
    fn has_majority(&self, s: &KalahState, side: Side) -> bool {
        2 * self.store(s, side) > self.total()
    }

    fn outcome(&self, s: &KalahState) -> Duel {
        let decided =
            Side::BOTH.into_iter().find(|&side| self.majority && self.has_majority(s, side));
        if let Some(winner) = decided {
            return Duel::Won(winner);
        }
        let [first, second] = self.final_scores(s);
        match first.cmp(&second) {
            std::cmp::Ordering::Greater => Duel::Won(Side::First),
            std::cmp::Ordering::Less => Duel::Won(Side::Second),
            std::cmp::Ordering::Equal => Duel::Drawn,
        }
    }

    /// Returns the moves of the side to move as top bits of the bytes of its houses.
    #[inline]
    fn choices(&self, s: &KalahState) -> u64 {
        if self.is_over(s) { 0 } else { nonzero_bytes(self.houses(s, s.turn)) }
    }

    fn house_cell(&self, side: Side, house: u32) -> Coord {
        match side {
            Side::First => Coord::new(house as usize + 1, 1),
            Side::Second => Coord::new((self.houses - house) as usize, 0),
        }
    }
}

impl Game for Kalah {
    type State = KalahState;
    /// The house whose seeds the move sows, counted from 0 in the direction of sowing.
    type Move = u8;
    type Outcome = Duel;

    fn start(&self) -> KalahState {
        let row = (ONES & ((1 << (8 * self.houses)) - 1)) * u64::from(self.seeds);
        KalahState { pits: [row, row], turn: Side::First }
    }

    #[inline]
    fn status(&self, s: &KalahState) -> Status<Duel> {
        if self.is_over(s) { Status::Over(self.outcome(s)) } else { Status::Turn(s.turn) }
    }

    #[inline]
    fn moves(&self, s: &KalahState, out: &mut Vec<u8>) {
        let mut choices = self.choices(s);
        while choices != 0 {
            out.push((choices.trailing_zeros() / 8) as u8);
            choices &= choices - 1;
        }
    }

    #[inline(always)]
    fn play(&self, s: &mut KalahState, m: u8) {
        // The pits are chosen and written without an index, so that they stay in registers.
        let [first, second] = s.pits;
        let mut pits = match s.turn {
            Side::First => Pits { own: first, other: second },
            Side::Second => Pits { own: second, other: first },
        };
        let last = match self.relay {
            false => self.sow(&mut pits, m.into()),
            true => self.sow_in_relay(&mut pits, m.into()),
        };
        self.capture(&mut pits, last);
        s.pits = match s.turn {
            Side::First => [pits.own, pits.other],
            Side::Second => [pits.other, pits.own],
        };
        if last != self.houses {
            s.turn = s.turn.other();
        }
    }

    /// The seeds of all pits but one in unary, separated by ones, are exact if they fit.
    #[inline]
    fn key(&self, s: &KalahState) -> u64 {
        if self.total() + 2 * self.houses + 2 > 64 {
            return mix(mix(s.pits[0]) ^ s.pits[1]) ^ s.turn as u64;
        }
        let pits = (0..=self.houses).map(|pit| s.seeds(Side::First, pit));
        let pits = pits.chain((0..self.houses).map(|pit| s.seeds(Side::Second, pit)));
        pits.fold(s.turn as u64, |key, seeds| (key << 1 | 1) << seeds)
    }

    #[inline]
    fn count_moves(&self, s: &KalahState, _scratch: &mut Vec<u8>) -> usize {
        count_top_bits(self.choices(s))
    }

    #[inline]
    fn count_replies(&self, s: &KalahState, _scratch: &mut Vec<u8>) -> u64 {
        let (mut choices, mut lines) = (self.choices(s), 0);
        while choices != 0 {
            let mut child = *s;
            self.play(&mut child, (choices.trailing_zeros() / 8) as u8);
            choices &= choices - 1;
            lines += count_top_bits(self.choices(&child)) as u64;
        }
        lines
    }

    #[inline]
    fn slot(&self, m: u8) -> usize {
        m.into()
    }

    fn playout(&self, mut s: KalahState, rng: &mut Rng, _scratch: &mut Vec<u8>) -> Duel {
        loop {
            let mut choices = self.choices(&s);
            if choices == 0 {
                return self.outcome(&s);
            }
            for _ in 0..rng.below(count_top_bits(choices)) {
                choices &= choices - 1;
            }
            self.play(&mut s, (choices.trailing_zeros() / 8) as u8);
        }
    }

    /// Writes the houses of the first side, its store, the houses of the second side, its store, and
    /// the side to move: `4,4,4,4,4,4+0/4,4,4,4,4,4+0 first`.
    fn show_state(&self, s: &KalahState) -> String {
        let row = |side| {
            let houses: Vec<String> =
                (0..self.houses).map(|house| s.seeds(side, house).to_string()).collect();
            format!("{}+{}", houses.join(","), self.store(s, side))
        };
        format!("{}/{} {}", row(Side::First), row(Side::Second), s.turn)
    }

    fn read_state(&self, text: &str) -> Result<KalahState, NotationError> {
        let mut reader = NotationReader::new(text);
        let (mut pits, mut sum) = ([0; 2], 0);
        for side in Side::BOTH {
            if side == Side::Second {
                reader.expect("/")?;
            }
            for pit in 0..=self.houses {
                if pit > 0 {
                    reader.expect(if pit == self.houses { "+" } else { "," })?;
                }
                let most = i64::from(self.total());
                let seeds = reader.number("the number of seeds", 0, most)? as u64;
                pits[side.index()] |= seeds << (8 * pit);
                sum += seeds;
            }
        }
        let turn = reader.side()?;
        reader.end()?;
        if sum != u64::from(self.total()) {
            return Err(reader.whole(format!("{sum} seeds; there must be {}", self.total())));
        }
        Ok(KalahState { pits, turn })
    }

    /// Writes the number of the house, counted from 1 at the left of the side that moves.
    fn show_move(&self, _s: &KalahState, m: u8) -> String {
        (m + 1).to_string()
    }

    /// The houses of the first side are the lower row, those of the second side the upper row. The
    /// stores are at the ends of the rows to which the sides sow.
    fn scene(&self, s: &KalahState) -> Scene {
        let mut scene = Scene::grid(self.houses as usize + 2, 2);
        for side in Side::BOTH {
            for pit in 0..=self.houses {
                let cell = self.house_cell(side, pit);
                scene.put(cell, Some(side), PieceShape::Seeds(s.seeds(side, pit)));
                if pit < self.houses {
                    scene.names.push((cell, (pit + 1).to_string()));
                }
            }
        }
        let [first, second] = Side::BOTH.map(|side| self.store(s, side));
        scene.caption = match self.is_over(s) {
            false => format!("stores: first {first}, second {second}; {} moves", s.turn),
            true => {
                let [first, second] = self.final_scores(s);
                format!("seeds: first {first}, second {second}")
            }
        };
        scene
    }

    fn side_names(&self) -> [&'static str; 2] {
        ["South", "North"]
    }

    fn touches(&self, s: &KalahState, m: u8) -> Vec<Coord> {
        vec![self.house_cell(s.turn, m.into())]
    }

    fn state_of_pieces(&self, pieces: &[Piece], turn: Side) -> Result<KalahState, NotationError> {
        let seeds = |side, pit| {
            let at = self.house_cell(side, pit);
            match pieces.iter().find(|piece| piece.at == at).map(|piece| &piece.shape) {
                Some(PieceShape::Seeds(seeds)) => *seeds,
                _ => 0,
            }
        };
        let rows = Side::BOTH.map(|side| {
            let houses: Vec<_> = (0..self.houses).map(|pit| seeds(side, pit).to_string()).collect();
            format!("{}+{}", houses.join(","), seeds(side, self.houses))
        });
        self.read_state(&format!("{} {turn}", rows.join("/")))
    }

    /// One plane for each number of seeds from 1 to the length of a lap, then the binary digits of
    /// the numbers; the row of the opponent is above the own one. The extras are the binary digits of
    /// both stores, and their difference from −12 to 12 as a one-hot vector.
    fn encoding(&self) -> EncodingShape {
        let (cols, planes) = (self.houses as usize, 2 * self.houses as usize + 1 + 8);
        EncodingShape { planes, rows: 2, cols, extras: 16 + 25, actions: cols }
    }

    fn features(&self, s: &KalahState, seen_by: Side, out: &mut Vec<u32>) {
        let (houses, lap) = (self.houses, 2 * self.houses + 1);
        let seeds = |cell: u32| match cell < houses {
            true => s.seeds(seen_by.other(), houses - 1 - cell),
            false => s.seeds(seen_by, cell - houses),
        };
        for plane in 0..lap + 8 {
            let is_set = |count: u32| match plane.checked_sub(lap) {
                None => count == plane + 1,
                Some(digit) => count >> digit & 1 == 1,
            };
            out.extend(
                (0..2 * houses)
                    .filter(|&cell| is_set(seeds(cell)))
                    .map(|cell| plane * 2 * houses + cell),
            );
        }
        let extras = ((lap + 8) * 2 * houses) as usize;
        let [mine, theirs] = [seen_by, seen_by.other()].map(|side| self.store(s, side));
        push_bits((mine | theirs << 8).into(), extras, out);
        let lead = (mine as i32 - theirs as i32).clamp(-12, 12);
        out.push((extras as i32 + 16 + 12 + lead) as u32);
    }

    #[inline]
    fn actions(&self, _s: &KalahState, moves: &[u8], out: &mut Vec<u32>) {
        out.extend(moves.iter().map(|&house| u32::from(house)));
    }

    fn move_of_action(&self, s: &KalahState, action: u32) -> Option<u8> {
        let is_legal = action < self.houses && self.choices(s) >> (8 * action) & 0x80 != 0;
        is_legal.then_some(action as u8)
    }
}

/// Returns the registry entry of Kalah, with the evaluator `seeds`.
#[must_use]
pub fn entry() -> GameBuilder<Kalah> {
    GameBuilder::duel().evaluator(
        "seeds",
        "seeds in the stores and houses, and moves that end in the store",
        KalahEvaluator,
    )
}
