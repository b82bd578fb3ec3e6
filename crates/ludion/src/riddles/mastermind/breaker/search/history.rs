//! What is known: the guesses so far with their answers, and how far a code is from fitting them.
//!
//! The energy of a code is the sum over all guesses of |Δblack| + |Δ(black + white)|, between the
//! answer given and the one that would have been given if the code were the secret. A code is
//! *consistent* when it is 0.

use super::super::super::{Code, MOST, Mastermind};
use super::super::GuessAndFeedback;
use super::lanes::{CodeChange, CodeCounts, CodeLanes};

/// The guesses so far and their answers.
pub(super) struct History {
    pub(super) rules: Mastermind,
    pub(super) lanes: CodeLanes,
    /// Black pegs, and black and white ones, of each answer.
    pub(super) wanted: Vec<(i16, i16)>,
    guesses: Vec<Code>,
}

impl History {
    pub(super) fn new(rules: Mastermind, asked: &[GuessAndFeedback]) -> Self {
        let lanes = CodeLanes::new(&rules, asked.iter().map(|(guess, _)| guess));
        let wanted = asked.iter().map(|(_, a)| (a.black as i16, (a.black + a.white) as i16));
        let guesses = asked.iter().map(|(guess, _)| guess.clone()).collect();
        History { rules, lanes, wanted: wanted.collect(), guesses }
    }

    /// The code with its counts above those that were answered.
    pub(super) fn tally(&self, code: Code) -> CodeCounts<'_> {
        CodeCounts::new(&self.rules, &self.lanes, code, self.wanted.iter().copied())
    }

    /// The energy of a code.
    pub(super) fn energy(&self, code: &Code) -> i32 {
        self.distances(code).sum()
    }

    /// Whether a code is consistent: for most codes one guess is enough to see that they are not.
    pub(super) fn fits(&self, code: &Code) -> bool {
        self.distances(code).all(|distance| distance == 0)
    }

    /// The parts of the energy, guess by guess.
    fn distances(&self, code: &Code) -> impl Iterator<Item = i32> {
        let mut amounts = [0_i16; MOST];
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

/// The energy of a code that was counted against the past.
pub(super) fn energy(tally: &CodeCounts<'_>) -> i32 {
    let mut sum = 0;
    tally.each(|black, common| sum += distance(black, common));
    sum
}

/// The energy after a change.
#[inline]
pub(super) fn energy_after(tally: &CodeCounts<'_>, change: CodeChange) -> i32 {
    let mut sum = 0_i32;
    tally.each_after(change, |black, common| sum = sum.wrapping_add(distance(black, common)));
    sum
}
