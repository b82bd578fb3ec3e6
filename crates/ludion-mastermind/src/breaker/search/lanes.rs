//! Peg counts of one code against many others at once, updated when the code changes.
//!
//! The other codes are stored as a structure of arrays with one lane each: for every peg the
//! colours of all codes, for every colour its amounts in all codes. Recolouring a peg from a to b
//! then costs a few vector instructions for every eight lanes, without a loop over pegs: `black +=
//! [the lane has b at this peg] − [the lane has a at this peg]`, and `common`, the number of black
//! and white pegs together, is a sum of minima of amounts that changes by `[the lane has more b
//! than the code] − [the lane has at least as much a as the code]`.

use super::super::super::{Code, Mastermind};
use ludion_core::random::Rng;

/// Number of lanes in a vector; the lanes of [`CodeLanes`] are padded to a multiple of it.
const WIDTH: usize = 8;
/// Colour of all pegs of a padding lane, which holds no code; no code has this colour.
const NO_COLOUR: i16 = -1;

/// Many codes as a structure of arrays, one lane each.
pub(super) struct CodeLanes {
    /// Number of lanes that hold a code.
    count: usize,
    /// Number of all lanes, including padding lanes without a code.
    width: usize,
    /// Colour of a peg in the code of a lane, at `peg · width + lane`.
    places: Vec<i16>,
    /// Number of times a colour occurs in the code of a lane, at `colour · width + lane`.
    amounts: Vec<i16>,
}

impl CodeLanes {
    pub(super) fn new<'a>(rules: &Mastermind, codes: impl Iterator<Item = &'a Code>) -> Self {
        let codes: Vec<&Code> = codes.collect();
        let (count, width) = (codes.len(), codes.len().next_multiple_of(WIDTH));
        let mut places = vec![NO_COLOUR; rules.pegs * width];
        let mut amounts = vec![0; rules.colours * width];
        for (lane, code) in codes.into_iter().enumerate() {
            for (peg, &colour) in code.iter().enumerate() {
                places[peg * width + lane] = colour as i16;
                amounts[usize::from(colour) * width + lane] += 1;
            }
        }
        CodeLanes { count, width, places, amounts }
    }

    /// Returns the number of lanes that hold a code.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// Returns the number of all lanes, including padding lanes, whose counts are always 0.
    pub(super) fn width(&self) -> usize {
        self.width
    }

    /// Returns the colour of a peg in the code of each lane.
    #[inline]
    pub(super) fn places(&self, peg: usize) -> &[i16] {
        &self.places[peg * self.width..][..self.width]
    }

    /// Returns the number of times a colour occurs in the code of each lane.
    #[inline]
    pub(super) fn amounts(&self, colour: u16) -> &[i16] {
        &self.amounts[usize::from(colour) * self.width..][..self.width]
    }
}

/// A small change of a code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum CodeChange {
    /// The peg with this index gets this colour.
    Recolour(usize, u16),
    /// The pegs with these two indices are swapped.
    Swap(usize, usize),
}

/// A code with its peg counts against the code of each lane.
#[derive(Clone)]
pub(super) struct CodePegCounts<'a> {
    lanes: &'a CodeLanes,
    code: Code,
    /// Number of times each colour occurs in the code.
    amounts: Vec<i16>,
    /// Number of black pegs against the code of each lane, minus the number wanted for the lane
    /// (that of its feedback, or 0).
    black: Vec<i16>,
    /// Number of black and white pegs together against the code of each lane, minus the number
    /// wanted for the lane (that of its feedback, or 0).
    common: Vec<i16>,
    /// Buffers for the counts after a change.
    spare: (Vec<i16>, Vec<i16>),
}

impl<'a> CodePegCounts<'a> {
    /// Counts the pegs of a code against the code of each lane.
    ///
    /// `wanted` holds, for each lane, a number of black pegs and a number of black and white pegs
    /// together, which are subtracted from the counts.
    pub(super) fn new(
        rules: &Mastermind,
        lanes: &'a CodeLanes,
        code: Code,
        wanted: impl Iterator<Item = (i16, i16)>,
    ) -> Self {
        let mut amounts = vec![0_i16; rules.colours];
        for &colour in &code {
            amounts[usize::from(colour)] += 1;
        }
        let (mut black, mut common) = (vec![0_i16; lanes.width], vec![0_i16; lanes.width]);
        for (lane, wanted) in wanted.take(lanes.count).enumerate() {
            (black[lane], common[lane]) = (-wanted.0, -wanted.1);
        }
        for (peg, &colour) in code.iter().enumerate() {
            for (black, &there) in black.iter_mut().zip(lanes.places(peg)) {
                *black += i16::from(there == colour as i16);
            }
        }
        for (colour, &here) in amounts.iter().enumerate() {
            for (common, &there) in common.iter_mut().zip(lanes.amounts(colour as u16)) {
                *common += here.min(there);
            }
        }
        let spare = (black.clone(), common.clone());
        CodePegCounts { lanes, code, amounts, black, common, spare }
    }

    pub(super) fn code(&self) -> &Code {
        &self.code
    }

    /// Calls `see` for each lane that holds a code, with its two counts: black pegs, and black and
    /// white pegs together.
    pub(super) fn each(&self, mut see: impl FnMut(i16, i16)) {
        for lane in 0..self.lanes.count {
            see(self.black[lane], self.common[lane]);
        }
    }

    /// Calls `see` for each lane, with its two counts as they would be after a change: black pegs,
    /// and black and white pegs together. This includes padding lanes, whose counts are 0.
    #[inline(always)]
    pub(super) fn each_after(&self, change: CodeChange, mut see: impl FnMut(i16, i16)) {
        let width = self.lanes.width;
        let (black, common) = (&self.black[..width], &self.common[..width]);
        match change {
            CodeChange::Recolour(peg, new) => {
                let old = self.code[peg];
                let place = self.lanes.places(peg);
                let (olds, news) = (self.lanes.amounts(old), self.lanes.amounts(new));
                let old_here = self.amounts[usize::from(old)];
                let new_here = self.amounts[usize::from(new)];
                let (old, new) = (old as i16, new as i16);
                for i in 0..width {
                    let more = i16::from(place[i] == new) - i16::from(place[i] == old);
                    let shared = i16::from(new_here < news[i]) - i16::from(old_here <= olds[i]);
                    see(black[i].wrapping_add(more), common[i].wrapping_add(shared));
                }
            }
            CodeChange::Swap(one, other) => {
                let (a, b) = (self.code[one] as i16, self.code[other] as i16);
                let (first, second) = (self.lanes.places(one), self.lanes.places(other));
                for i in 0..width {
                    let here = i16::from(first[i] == b) - i16::from(first[i] == a);
                    let there = i16::from(second[i] == a) - i16::from(second[i] == b);
                    see(black[i].wrapping_add(here).wrapping_add(there), common[i]);
                }
            }
        }
    }

    /// Applies a change to the code and updates its counts.
    pub(super) fn apply(&mut self, change: CodeChange) {
        let (mut black, mut common) = std::mem::take(&mut self.spare);
        let mut lane = 0;
        self.each_after(change, |b, c| {
            (black[lane], common[lane]) = (b, c);
            lane += 1;
        });
        self.spare = (
            std::mem::replace(&mut self.black, black),
            std::mem::replace(&mut self.common, common),
        );
        match change {
            CodeChange::Recolour(peg, colour) => {
                self.amounts[usize::from(self.code[peg])] -= 1;
                self.amounts[usize::from(colour)] += 1;
                self.code[peg] = colour;
            }
            CodeChange::Swap(one, other) => self.code.swap(one, other),
        }
    }

    /// Draws a random change that obeys the rules, a recolouring or a swap with equal probability;
    /// `None` if the draw would change nothing.
    pub(super) fn draw_change(&self, rules: &Mastermind, rng: &mut Rng) -> Option<CodeChange> {
        let peg = rng.below(rules.pegs);
        if rng.bits() & 1 << 40 == 0 {
            let colour = rng.below(rules.colours) as u16;
            let taken = if rules.repeats {
                colour == self.code[peg]
            } else {
                self.amounts[usize::from(colour)] > 0
            };
            (!taken).then_some(CodeChange::Recolour(peg, colour))
        } else {
            let other = rng.below(rules.pegs);
            (self.code[peg] != self.code[other]).then_some(CodeChange::Swap(peg, other))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::super::{SecretPegCounter, WhitePegCounting};
    use super::*;
    use ludion_core::riddle::Riddle;

    #[test]
    fn counts_after_changes_equal_a_fresh_count() {
        let mut rng = Rng::new(3);
        for (pegs, colours, repeats) in
            [(1, 2, true), (5, 3, true), (9, 12, true), (6, 6, false), (7, 11, false)]
        {
            let rules = Mastermind::new(pegs, colours, repeats).unwrap();
            let codes: Vec<Code> = (0..11).map(|_| rules.draw_secret(&mut rng)).collect();
            let lanes = CodeLanes::new(&rules, codes.iter());
            let start = rules.draw_secret(&mut rng);
            let mut tally = CodePegCounts::new(&rules, &lanes, start, std::iter::empty());
            for _ in 0..300 {
                let Some(change) = tally.draw_change(&rules, &mut rng) else { continue };
                tally.apply(change);
                let counter = SecretPegCounter::new(tally.code(), colours, WhitePegCounting::Right);
                let mut counts = Vec::new();
                tally.each(|black, common| counts.push((black as u16, (common - black) as u16)));
                for (code, count) in codes.iter().zip(counts) {
                    let feedback = counter.feedback(code);
                    assert_eq!(
                        count,
                        (feedback.black, feedback.white),
                        "{:?} {code:?}",
                        tally.code()
                    );
                    assert!(rules.read_code(&rules.show_code(tally.code())).is_ok());
                }
            }
        }
    }
}
