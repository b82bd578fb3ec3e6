//! The inner loop of parallel tempering: a code that changes step by step, with its peg counts
//! against the past guesses in bytes. The search for one guess takes millions of steps.
//!
//! As in [`lanes`](super::lanes) every past guess has a lane. A byte holds a colour or a count, so
//! that 32 guesses fit into a vector. Swaps do not change the pegs in common, so the two parts of
//! the energy are kept apart and a swap updates only the black pegs.

use super::super::super::{Code, Mastermind};
use super::consistency::History;
use ludion_core::random::Rng;

/// Number of lanes in a block; a lane holds the data of one past guess.
pub(super) const WIDTH: usize = 32;
/// One byte for each lane of a block.
pub(super) type ByteBlock = [i8; WIDTH];

/// Colour of all pegs of a padding lane, which belongs to no guess; no code has this colour.
const NO_COLOUR: u8 = u8::MAX;
/// Number of tabulated increases of energy, from 0; larger increases are always rejected.
const MAX_INCREASE: usize = 64;
/// Number of bits of an acceptance threshold and of the random number compared with it.
const THRESHOLD_BITS: u32 = 24;

/// The past guesses and their feedback in bytes, one lane for each guess.
pub(super) struct GuessBytes {
    rules: Mastermind,
    /// Number of blocks that hold the lanes of all guesses.
    blocks: usize,
    /// Colour of each peg in each guess: all blocks of the first peg, then those of the second, and
    /// so on.
    places: Vec<[u8; WIDTH]>,
    /// Number of times each colour occurs in each guess: all blocks of the first colour, then those
    /// of the second, and so on.
    amounts: Vec<ByteBlock>,
    /// Number of black pegs, and of black and white pegs together, in the feedback to each guess.
    wanted: (Vec<ByteBlock>, Vec<ByteBlock>),
}

impl GuessBytes {
    /// Returns whether the colours and counts of these rules fit into a byte.
    pub(super) fn fit(rules: &Mastermind) -> bool {
        rules.pegs <= i8::MAX as usize && rules.colours <= usize::from(NO_COLOUR)
    }

    /// Converts a history to bytes; its rules must [fit](GuessBytes::fit).
    pub(super) fn new(past: &History) -> Self {
        let (rules, count) = (past.rules, past.lanes.count());
        let blocks = count.div_ceil(WIDTH);
        let mut bytes = GuessBytes {
            rules,
            blocks,
            places: vec![[NO_COLOUR; WIDTH]; rules.pegs * blocks],
            amounts: vec![[0; WIDTH]; rules.colours * blocks],
            wanted: (vec![[0; WIDTH]; blocks], vec![[0; WIDTH]; blocks]),
        };
        for guess in 0..count {
            let (block, lane) = (guess / WIDTH, guess % WIDTH);
            for peg in 0..rules.pegs {
                bytes.places[peg * blocks + block][lane] = past.lanes.places(peg)[guess] as u8;
            }
            for colour in 0..rules.colours {
                let amount = past.lanes.amounts(colour as u16)[guess];
                bytes.amounts[colour * blocks + block][lane] = amount as i8;
            }
            let (black, common) = past.wanted[guess];
            bytes.wanted.0[block][lane] = black as i8;
            bytes.wanted.1[block][lane] = common as i8;
        }
        bytes
    }

    /// Returns the number of blocks that hold the lanes of all guesses.
    pub(super) fn blocks(&self) -> usize {
        self.blocks
    }

    /// Returns the colour of a peg in each guess, lane by lane.
    #[inline(always)]
    fn places(&self, peg: usize) -> &[[u8; WIDTH]] {
        &self.places[peg * self.blocks..][..self.blocks]
    }

    /// Returns the number of times a colour occurs in each guess, lane by lane.
    #[inline(always)]
    fn amounts(&self, colour: u8) -> &[ByteBlock] {
        &self.amounts[usize::from(colour) * self.blocks..][..self.blocks]
    }
}

/// Sum of absolute values, kept separately for each lane until the total is needed.
struct LaneSum([u16; WIDTH]);

impl LaneSum {
    #[inline(always)]
    fn add(&mut self, counts: &ByteBlock) {
        for (sum, count) in self.0.iter_mut().zip(counts) {
            *sum += u16::from(count.unsigned_abs());
        }
    }

    #[inline(always)]
    fn total(&self) -> i32 {
        self.0.iter().map(|&sum| i32::from(sum)).sum()
    }
}

/// Acceptance probability for each increase of energy, from 0, in units of 2⁻²⁴.
pub(super) struct AcceptanceThresholds([u32; MAX_INCREASE]);

impl AcceptanceThresholds {
    pub(super) fn new(temperature: f64) -> Self {
        let one = f64::from(1 << THRESHOLD_BITS);
        AcceptanceThresholds(std::array::from_fn(|up| {
            ((-(up as f64) / temperature).exp() * one) as u32
        }))
    }

    #[inline(always)]
    fn accept(&self, up: i32, draw: u32) -> bool {
        up <= 0 || self.0.get(up as usize).is_some_and(|&threshold| draw < threshold)
    }
}

/// A code with its energy and, for each past guess, its numbers of black pegs and of black and
/// white pegs together, minus those of the feedback.
#[derive(Clone)]
pub(super) struct AnnealingState {
    code: Vec<u8>,
    /// Number of times each colour occurs in the code.
    here: Vec<i8>,
    black: Vec<ByteBlock>,
    common: Vec<ByteBlock>,
    /// The two parts of the energy: the sums over all past guesses of the absolute differences in
    /// black pegs, and in black and white pegs together.
    energy: (i32, i32),
}

impl AnnealingState {
    pub(super) fn new(bytes: &GuessBytes, code: &Code) -> Self {
        let code: Vec<u8> = code.iter().map(|&colour| colour as u8).collect();
        let less = |wanted: &[ByteBlock]| wanted.iter().map(|block| block.map(|w| -w)).collect();
        let (mut black, mut common): (Vec<ByteBlock>, Vec<ByteBlock>) =
            (less(&bytes.wanted.0), less(&bytes.wanted.1));
        let mut here = vec![0; bytes.rules.colours];
        for (peg, &colour) in code.iter().enumerate() {
            here[usize::from(colour)] += 1;
            for (black, there) in black.iter_mut().zip(bytes.places(peg)) {
                *black = std::array::from_fn(|i| black[i] + i8::from(there[i] == colour));
            }
        }
        for (colour, &amount) in here.iter().enumerate() {
            for (common, there) in common.iter_mut().zip(bytes.amounts(colour as u8)) {
                *common = std::array::from_fn(|i| common[i] + amount.min(there[i]));
            }
        }
        let energy = (absolute_sum(&black), absolute_sum(&common));
        AnnealingState { code, here, black, common, energy }
    }

    pub(super) fn code(&self) -> Code {
        self.code.iter().map(|&colour| u16::from(colour)).collect()
    }

    pub(super) fn energy(&self) -> i32 {
        self.energy.0 + self.energy.1
    }

    /// Tries `steps` random changes at one temperature, and returns the last consistent code met on
    /// the way, if any.
    pub(super) fn walk(
        &mut self,
        bytes: &GuessBytes,
        acceptance: &AcceptanceThresholds,
        steps: usize,
        rng: &mut Rng,
    ) -> Option<Code> {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has the feature the function was compiled for.
            return unsafe { self.walk_avx2(bytes, acceptance, steps, rng) };
        }
        self.walk_with::<PortableSums>(bytes, acceptance, steps, rng)
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn walk_avx2(
        &mut self,
        bytes: &GuessBytes,
        acceptance: &AcceptanceThresholds,
        steps: usize,
        rng: &mut Rng,
    ) -> Option<Code> {
        self.walk_with::<super::annealing_avx2::Avx2Sums>(bytes, acceptance, steps, rng)
    }

    #[inline(always)]
    fn walk_with<S: LaneSums>(
        &mut self,
        bytes: &GuessBytes,
        acceptance: &AcceptanceThresholds,
        steps: usize,
        rng: &mut Rng,
    ) -> Option<Code> {
        let (pegs, colours) = (bytes.rules.pegs as u64, bytes.rules.colours as u64);
        let mut last = None;
        for _ in 0..steps {
            // One draw of 64 bits supplies everything: 16 bits for a peg, 16 for the other peg or a
            // colour, 24 for the acceptance and one for the kind of change.
            let bits = rng.bits();
            let peg = (((bits >> 48) * pegs) >> 16) as usize;
            let (second, draw) = (bits >> 32 & 0xffff, bits as u32 >> (32 - THRESHOLD_BITS));
            let changed = if bits & 1 == 0 {
                let other = ((second * pegs) >> 16) as usize;
                self.try_swap::<S>(bytes, peg, other, acceptance, draw)
            } else {
                let colour = ((second * colours) >> 16) as u8;
                self.try_colour::<S>(bytes, peg, colour, acceptance, draw)
            };
            if changed && self.energy == (0, 0) {
                last = Some(self.code());
            }
        }
        last
    }

    /// Swaps two pegs if the change is accepted; returns whether it was.
    #[inline(always)]
    fn try_swap<S: LaneSums>(
        &mut self,
        bytes: &GuessBytes,
        one: usize,
        other: usize,
        acceptance: &AcceptanceThresholds,
        draw: u32,
    ) -> bool {
        let (a, b) = (self.code[one], self.code[other]);
        if a == b {
            return false;
        }
        let swap = LaneSwap { first: bytes.places(one), second: bytes.places(other), a, b };
        let energy = S::after_swap(&self.black, &swap);
        if !acceptance.accept(energy - self.energy.0, draw) {
            return false;
        }
        self.black.iter_mut().enumerate().for_each(|(k, black)| *black = swap.apply(black, k));
        self.energy.0 = energy;
        self.code.swap(one, other);
        true
    }

    /// Recolours a peg if the rules allow it and the change is accepted; returns whether it was.
    #[inline(always)]
    fn try_colour<S: LaneSums>(
        &mut self,
        bytes: &GuessBytes,
        peg: usize,
        new: u8,
        acceptance: &AcceptanceThresholds,
        draw: u32,
    ) -> bool {
        let old = self.code[peg];
        let (old_here, new_here) = (self.here[usize::from(old)], self.here[usize::from(new)]);
        if old == new || !bytes.rules.repeats && new_here > 0 {
            return false;
        }
        let place = LaneRecolour { place: bytes.places(peg), old, new };
        let amounts =
            LaneAmounts { olds: bytes.amounts(old), news: bytes.amounts(new), old_here, new_here };
        let black = S::after_recolour(&self.black, &place);
        let common = S::after_amounts(&self.common, &amounts);
        if !acceptance.accept(black + common - self.energy(), draw) {
            return false;
        }
        self.black.iter_mut().enumerate().for_each(|(k, b)| *b = place.apply(b, k));
        self.common.iter_mut().enumerate().for_each(|(k, c)| *c = amounts.apply(c, k));
        self.energy = (black, common);
        self.here[usize::from(old)] -= 1;
        self.here[usize::from(new)] += 1;
        self.code[peg] = new;
        true
    }
}

/// A swap of two pegs with the colours a and b: the colours of both pegs in each guess.
pub(super) struct LaneSwap<'a> {
    pub(super) first: &'a [[u8; WIDTH]],
    pub(super) second: &'a [[u8; WIDTH]],
    pub(super) a: u8,
    pub(super) b: u8,
}

impl LaneSwap<'_> {
    /// Returns the black pegs of block k after the swap.
    #[inline(always)]
    fn apply(&self, black: &ByteBlock, k: usize) -> ByteBlock {
        let (first, second, a, b) = (&self.first[k], &self.second[k], self.a, self.b);
        std::array::from_fn(|i| {
            let here = i8::from(first[i] == b) - i8::from(first[i] == a);
            let there = i8::from(second[i] == a) - i8::from(second[i] == b);
            black[i].wrapping_add(here).wrapping_add(there)
        })
    }
}

/// A change of the colour of one peg: the colours of the peg in each guess.
pub(super) struct LaneRecolour<'a> {
    pub(super) place: &'a [[u8; WIDTH]],
    pub(super) old: u8,
    pub(super) new: u8,
}

impl LaneRecolour<'_> {
    /// Returns the black pegs of block k after the change.
    #[inline(always)]
    fn apply(&self, black: &ByteBlock, k: usize) -> ByteBlock {
        let (place, old, new) = (&self.place[k], self.old, self.new);
        std::array::from_fn(|i| {
            black[i].wrapping_add(i8::from(place[i] == new) - i8::from(place[i] == old))
        })
    }
}

/// One peg less of an old colour and one more of a new one: the amounts of both colours in each
/// guess, and in the code before the change.
pub(super) struct LaneAmounts<'a> {
    pub(super) olds: &'a [ByteBlock],
    pub(super) news: &'a [ByteBlock],
    pub(super) old_here: i8,
    pub(super) new_here: i8,
}

impl LaneAmounts<'_> {
    /// Returns the black and white pegs together of block k after the change.
    #[inline(always)]
    fn apply(&self, common: &ByteBlock, k: usize) -> ByteBlock {
        let (olds, news) = (&self.olds[k], &self.news[k]);
        std::array::from_fn(|i| {
            let shared = i8::from(self.new_here < news[i]) - i8::from(self.old_here <= olds[i]);
            common[i].wrapping_add(shared)
        })
    }
}

/// Sums, over all lanes, of the absolute values of counts after a change.
pub(super) trait LaneSums {
    /// Returns the sum for the black pegs after a swap.
    fn after_swap(black: &[ByteBlock], swap: &LaneSwap<'_>) -> i32;
    /// Returns the sum for the black pegs after a peg got another colour.
    fn after_recolour(black: &[ByteBlock], place: &LaneRecolour<'_>) -> i32;
    /// Returns the sum for the black and white pegs together after a peg got another colour.
    fn after_amounts(common: &[ByteBlock], amounts: &LaneAmounts<'_>) -> i32;
}

/// [`LaneSums`] on any processor.
pub(super) struct PortableSums;

impl LaneSums for PortableSums {
    #[inline(always)]
    fn after_swap(black: &[ByteBlock], swap: &LaneSwap<'_>) -> i32 {
        portable_sum(black, |block, k| swap.apply(block, k))
    }

    #[inline(always)]
    fn after_recolour(black: &[ByteBlock], place: &LaneRecolour<'_>) -> i32 {
        portable_sum(black, |block, k| place.apply(block, k))
    }

    #[inline(always)]
    fn after_amounts(common: &[ByteBlock], amounts: &LaneAmounts<'_>) -> i32 {
        portable_sum(common, |block, k| amounts.apply(block, k))
    }
}

#[inline(always)]
fn portable_sum(blocks: &[ByteBlock], apply: impl Fn(&ByteBlock, usize) -> ByteBlock) -> i32 {
    let mut sum = LaneSum([0; WIDTH]);
    blocks.iter().enumerate().for_each(|(k, block)| sum.add(&apply(block, k)));
    sum.total()
}

/// Returns the sum of the absolute values of all lanes.
fn absolute_sum(blocks: &[ByteBlock]) -> i32 {
    let mut sum = LaneSum([0; WIDTH]);
    blocks.iter().for_each(|block| sum.add(block));
    sum.total()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludion_core::riddle::Riddle;

    /// Returns a history with more guesses than a block holds.
    fn past(rules: Mastermind, rng: &mut Rng) -> History {
        let secret = rules.draw_secret(rng);
        let guesses: Vec<Code> = (0..WIDTH + 5).map(|_| rules.draw_secret(rng)).collect();
        let history = guesses.into_iter().map(|guess| {
            let feedback = rules.answer(&secret, &guess);
            (guess, feedback)
        });
        History::new(rules, &history.collect::<Vec<_>>())
    }

    #[test]
    fn walks_have_the_energy_of_a_fresh_count_and_obey_the_rules() {
        let mut rng = Rng::new(7);
        for (pegs, colours, repeats) in
            [(1, 2, true), (5, 3, true), (9, 12, true), (6, 6, false), (127, 255, true)]
        {
            let rules = Mastermind::new(pegs, colours, repeats).unwrap();
            assert!(GuessBytes::fit(&rules));
            let past = past(rules, &mut rng);
            let bytes = GuessBytes::new(&past);
            let mut state = AnnealingState::new(&bytes, &rules.draw_secret(&mut rng));
            for steps in [0, 1, 1, 10, 100, 1000] {
                state.walk(&bytes, &AcceptanceThresholds::new(2.0), steps, &mut rng);
                assert_eq!(state.energy(), past.energy(&state.code()), "{rules:?}");
                assert!(rules.read_code(&rules.show_code(&state.code())).is_ok());
            }
        }
    }

    #[test]
    fn avx2_and_portable_walks_agree() {
        let rules = Mastermind::new(20, 20, true).unwrap();
        let past = past(rules, &mut Rng::new(1));
        let (bytes, acceptance) = (GuessBytes::new(&past), AcceptanceThresholds::new(0.8));
        let start = AnnealingState::new(&bytes, &rules.draw_secret(&mut Rng::new(2)));
        let (mut wide, mut narrow) = (start.clone(), start);
        wide.walk(&bytes, &acceptance, 5000, &mut Rng::new(3));
        narrow.walk_with::<PortableSums>(&bytes, &acceptance, 5000, &mut Rng::new(3));
        assert_eq!((wide.code(), wide.energy()), (narrow.code(), narrow.energy()));
    }

    #[test]
    fn rules_that_need_more_than_a_byte_do_not_fit() {
        for (pegs, colours) in [(128, 10), (10, 256)] {
            assert!(!GuessBytes::fit(&Mastermind::new(pegs, colours, true).unwrap()));
        }
    }
}
