//! The history of guesses and feedback, and the codes that are consistent with it.
//!
//! The energy of a code is the sum over all guesses of |Δblack| + |Δ(black + white)|, the
//! differences between the feedback received and the feedback if the code were the secret. A code
//! is *consistent* if its energy is 0.

use std::collections::HashSet;

use super::super::super::{Code, MAX_SIZE, Mastermind};
use super::super::GuessAndFeedback;
use super::lanes::{CodeChange, CodeLanes, CodePegCounts};

/// The guesses so far and their feedback, prepared for fast counting.
pub(super) struct History {
    pub(super) rules: Mastermind,
    pub(super) lanes: CodeLanes,
    /// Number of black pegs, and of black and white pegs together, in the feedback to each guess.
    pub(super) wanted: Vec<(i16, i16)>,
    guesses: Vec<Code>,
}

impl History {
    pub(super) fn new(rules: Mastermind, history: &[GuessAndFeedback]) -> Self {
        let lanes = CodeLanes::new(&rules, history.iter().map(|(guess, _)| guess));
        let wanted = history.iter().map(|(_, a)| (a.black as i16, (a.black + a.white) as i16));
        let guesses = history.iter().map(|(guess, _)| guess.clone()).collect();
        History { rules, lanes, wanted: wanted.collect(), guesses }
    }

    /// Counts the black pegs, and the black and white pegs together, of a code against each guess,
    /// minus those of the feedback.
    pub(super) fn peg_counts(&self, code: Code) -> CodePegCounts<'_> {
        CodePegCounts::new(&self.rules, &self.lanes, code, self.wanted.iter().copied())
    }

    /// Returns the energy of a code, which is 0 if the code is consistent with the history.
    pub(super) fn energy(&self, code: &Code) -> i32 {
        self.distances(code).sum()
    }

    /// Returns whether a code is consistent with the history; most codes are rejected by the first
    /// guess.
    pub(super) fn is_consistent(&self, code: &Code) -> bool {
        self.distances(code).all(|distance| distance == 0)
    }

    /// Iterates over the contribution of each past guess to the energy of a code.
    fn distances(&self, code: &Code) -> impl Iterator<Item = i32> {
        let mut amounts = [0_i16; MAX_SIZE];
        for &colour in code {
            amounts[usize::from(colour)] += 1;
        }
        self.guesses.iter().zip(&self.wanted).map(move |(guess, &(black, common))| {
            let (mut black, mut common) = (-black, -common);
            let mut left = amounts;
            for (&guessed, &here) in guess.iter().zip(code) {
                black += i16::from(guessed == here);
                let left = &mut left[usize::from(guessed)];
                common += i16::from(*left > 0);
                *left -= 1;
            }
            distance(black, common)
        })
    }
}

fn distance(black: i16, common: i16) -> i32 {
    i32::from(black.wrapping_abs()) + i32::from(common.wrapping_abs())
}

/// Returns the energy of a code whose peg counts are known.
pub(super) fn energy(tally: &CodePegCounts<'_>) -> i32 {
    let mut sum = 0;
    tally.each(|black, common| sum += distance(black, common));
    sum
}

/// Returns the energy that a code would have after a change.
#[inline]
pub(super) fn energy_after(tally: &CodePegCounts<'_>, change: CodeChange) -> i32 {
    let mut sum = 0_i32;
    tally.each_after(change, |black, common| sum = sum.wrapping_add(distance(black, common)));
    sum
}

/// Result of a search for consistent codes: distinct consistent codes, and the nearest inconsistent
/// one.
pub(super) struct ConsistentCodes {
    /// Consistent codes in the order in which they were found.
    pub(super) codes: Vec<Code>,
    /// Number of all consistent codes, if an exhaustive search has proven it.
    pub(super) total: Option<u64>,
    /// The inconsistent code with the smallest energy, and its energy.
    pub(super) nearest: Option<(Code, i32)>,
    seen: HashSet<Code>,
}

impl ConsistentCodes {
    pub(super) fn new() -> Self {
        ConsistentCodes { codes: Vec::new(), total: None, nearest: None, seen: HashSet::new() }
    }

    /// Adds a consistent code unless it was added before.
    pub(super) fn keep(&mut self, code: Code) {
        if self.seen.insert(code.clone()) {
            self.codes.push(code);
        }
    }

    /// Records an inconsistent code if its energy is the smallest so far.
    pub(super) fn note_inconsistent(&mut self, code: &Code, energy: i32) {
        if self.nearest.as_ref().is_none_or(|(_, min)| energy < *min) {
            self.nearest = Some((code.clone(), energy));
        }
    }

    /// Records a code, consistent or not, and returns its energy.
    pub(super) fn record(&mut self, past: &History, code: &Code) -> i32 {
        let energy = past.energy(code);
        if energy > 0 {
            self.note_inconsistent(code, energy);
        } else if !self.seen.contains(code) {
            self.keep(code.clone());
        }
        energy
    }
}
