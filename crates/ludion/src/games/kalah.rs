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

use crate::encoding::{EncodingShape, push_bits};
use crate::erased::GameBuilder;
use crate::evaluator::{Evaluator, WIN, expected_result};
use crate::game::{Game, Side, Status};
use crate::named::NamedGame;
use crate::notation::{NotationError, NotationReader};
use crate::outcome::Duel;
use crate::param::{Args, Param, ParamError};
use crate::random::{Rng, mix};
use crate::scene::{Coord, PieceShape, Scene};

/// When the last seed of a move captures. It must have fallen into an own house that was empty.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CaptureRule {
    /// If the opposite house has seeds, these and the last seed are captured.
    Opposite,
    /// The last seed is captured even if the opposite house is empty.
    EmptyToo,
    /// Nothing is captured.
    Never,
}

/// When a game ends for lack of seeds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EndRule {
    /// As soon as all houses of either side are empty.
    Either,
    /// When all houses of the side to move are empty.
    Mover,
}

/// Which side gets the seeds that are left in the houses at the end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RestRule {
    /// The side on whose houses they are.
    Owner,
    /// The other side, whose houses are empty.
    Opponent,
    /// Neither side.
    Neither,
}

/// The rules of Kalah.
#[derive(Clone, Copy, Debug)]
pub struct Kalah {
    houses: u32,
    seeds: u32,
    capture: CaptureRule,
    end: EndRule,
    rest: RestRule,
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

/// A byte of value 1 in each of the 16 bytes.
const ONES: u128 = u128::MAX / 0xff;
const LOW_SEVEN_BITS: u64 = u64::MAX / 0xff * 0x7f;

/// Returns the top bit of each byte of `bytes` that is not 0.
#[inline]
fn nonzero_bytes(bytes: u64) -> u64 {
    (((bytes & LOW_SEVEN_BITS) + LOW_SEVEN_BITS) | bytes) & !LOW_SEVEN_BITS
}

/// Returns the sum of the bytes of `bytes`, which must be below 256.
#[inline]
fn byte_sum(bytes: u64) -> u32 {
    (bytes.wrapping_mul(u64::MAX / 0xff) >> 56) as u32
}

impl KalahState {
    #[inline]
    fn seeds(&self, side: Side, pit: u32) -> u32 {
        (self.pits[side.index()] >> (8 * pit)) as u32 & 0xff
    }
}

impl Kalah {
    /// The game with 6 houses on each side, 4 seeds in each, and the usual rules.
    pub const STANDARD: Kalah = Kalah {
        houses: 6,
        seeds: 4,
        capture: CaptureRule::Opposite,
        end: EndRule::Either,
        rest: RestRule::Owner,
        majority: false,
        relay: false,
    };

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
                RestRule::Owner => byte_sum(self.houses(s, side)),
                RestRule::Opponent => byte_sum(self.houses(s, side.other())),
                RestRule::Neither => 0,
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

    /// Sows the seeds of pit `from` of `ring`: the houses of the side to move, its store, and the
    /// houses of its opponent, in this order. Returns the pit of the last seed.
    #[inline]
    fn sow(&self, ring: &mut u128, from: u32) -> u32 {
        let pits = 2 * self.houses + 1;
        let seeds = (*ring >> (8 * from)) as u32 & 0xff;
        *ring ^= u128::from(seeds) << (8 * from);
        let mut left = seeds;
        while left >= pits {
            *ring += ONES >> (128 - 8 * pits);
            left -= pits;
        }
        if left > 0 {
            // The pits up to the end of the ring, then those at its beginning.
            let ahead = left.min(pits - 1 - from);
            if ahead > 0 {
                *ring += (ONES >> (128 - 8 * ahead)) << (8 * (from + 1));
            }
            if left > ahead {
                *ring += ONES >> (128 - 8 * (left - ahead));
            }
        }
        let last = from + left;
        if last >= pits { last - pits } else { last }
    }

    /// Captures at the end of a move whose last seed fell into the own house `last`.
    #[inline]
    fn capture(&self, ring: &mut u128, last: u32) {
        let at = 8 * (2 * self.houses - last);
        let opposite = (*ring >> at) & 0xff;
        let captures = match self.capture {
            CaptureRule::Opposite => opposite > 0,
            CaptureRule::EmptyToo => true,
            CaptureRule::Never => false,
        };
        if captures && (*ring >> (8 * last)) & 0xff == 1 {
            *ring ^= opposite << at | 1 << (8 * last);
            *ring += (opposite + 1) << (8 * self.houses);
        }
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
        let row = (ONES as u64 & ((1 << (8 * self.houses)) - 1)) * u64::from(self.seeds);
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

    #[inline]
    fn play(&self, s: &mut KalahState, m: u8) {
        let (me, other) = (s.turn.index(), s.turn.other().index());
        let own_pits = 8 * (self.houses + 1);
        let store = s.pits[other] >> (8 * self.houses) << (8 * self.houses);
        let mut ring = u128::from(s.pits[me]) | u128::from(s.pits[other] ^ store) << own_pits;
        let mut last = self.sow(&mut ring, m.into());
        if self.relay {
            while last != self.houses && (ring >> (8 * last)) & 0xff > 1 {
                last = self.sow(&mut ring, last);
            }
        }
        if last < self.houses {
            self.capture(&mut ring, last);
        }
        s.pits[me] = ring as u64 & (u64::MAX >> (64 - own_pits));
        s.pits[other] = (ring >> own_pits) as u64 | store;
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
        self.choices(s).count_ones() as usize
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
            for _ in 0..rng.below(choices.count_ones() as usize) {
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
                let (cell, text) = (self.house_cell(side, pit), s.seeds(side, pit).to_string());
                scene.put(cell, Some(side), PieceShape::Text(text));
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

    fn touches(&self, s: &KalahState, m: u8) -> Vec<Coord> {
        vec![self.house_cell(s.turn, m.into())]
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

/// Evaluates a position by the difference of the stores, the seeds in the houses, and the moves that
/// end in the store and so give another move.
#[derive(Clone, Copy, Debug)]
pub struct SeedEvaluator;

impl SeedEvaluator {
    fn side_value(g: &Kalah, s: &KalahState, side: Side) -> i32 {
        let store = g.store(s, side);
        let again = (0..g.houses).filter(|&house| s.seeds(side, house) == g.houses - house).count();
        let most = 2 * store > g.total();
        (100 * store + 30 * byte_sum(g.houses(s, side)) + 40 * again as u32) as i32
            + if most { WIN / 2 } else { 0 }
    }
}

impl Evaluator<Kalah> for SeedEvaluator {
    fn value(&self, g: &Kalah, s: &KalahState) -> i32 {
        let value = SeedEvaluator::side_value(g, s, s.turn)
            - SeedEvaluator::side_value(g, s, s.turn.other());
        value.clamp(1 - WIN, WIN - 1)
    }

    fn expected_result(&self, g: &Kalah, s: &KalahState) -> f64 {
        expected_result(self.value(g, s), 600.0)
    }
}

/// Returns the registry entry of Kalah, with the evaluator `seeds`.
#[must_use]
pub fn entry() -> GameBuilder<Kalah> {
    GameBuilder::duel().evaluator(
        "seeds",
        "seeds in the stores and houses, and moves that end in the store",
        SeedEvaluator,
    )
}

impl NamedGame for Kalah {
    const NAME: &'static str = "kalah";
    const HELP: &'static str = "sow seeds around the board; capture more than the other side";
    const PARAMS: &'static [Param] = &[
        Param::int("houses", 6, 1, 7, "houses on each side"),
        Param::int("seeds", 4, 1, 12, "seeds in each house at the start"),
        Param::choice(
            "capture",
            &["opposite", "empty", "none"],
            "a last seed in an own empty house captures: if there are seeds opposite; always; never",
        ),
        Param::choice(
            "end",
            &["either", "mover"],
            "the game ends when the houses of either side are empty, or those of the side to move",
        ),
        Param::choice(
            "rest",
            &["owner", "opponent", "neither"],
            "the side that gets the seeds left in the houses at the end",
        ),
        Param::flag("majority", "the game ends as soon as a side has more than half of the seeds"),
        Param::flag("relay", "a last seed in a house with seeds is sown on with them"),
    ];
    const EXAMPLES: &'static [&'static str] = &[
        "kalah",
        "kalah(4, 3, majority)",
        "kalah(3, 2, empty, mover)",
        "kalah(6, 6, none, rest=opponent)",
        "kalah(7, 12, relay, rest=neither)",
        "kalah(1, 3)",
    ];

    fn build(args: &Args) -> Result<Self, ParamError> {
        Ok(Kalah {
            houses: args.size("houses") as u32,
            seeds: args.size("seeds") as u32,
            capture: match args.text("capture") {
                "opposite" => CaptureRule::Opposite,
                "empty" => CaptureRule::EmptyToo,
                _ => CaptureRule::Never,
            },
            end: if args.text("end") == "either" { EndRule::Either } else { EndRule::Mover },
            rest: match args.text("rest") {
                "owner" => RestRule::Owner,
                "opponent" => RestRule::Opponent,
                _ => RestRule::Neither,
            },
            majority: args.flag("majority"),
            relay: args.flag("relay"),
        })
    }
}
