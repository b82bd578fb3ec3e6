//! A set of codes with the guesses that differ on it. Two guesses that split the set alike split
//! every part of it alike, so one of them will do: the one that can be the code itself, which
//! every code of the set stays for its own sake; else the smaller.
//!
//! Answers are single bits of a row a code, so that all the answers that a guess can get from
//! some codes are their rows or-ed together, a vector of guesses at a time.

use std::collections::HashSet;

use super::super::codes::{CodeIndex, CodeTable};

/// The bits of the answers; codes of up to four pegs have 15 of them.
pub(super) type FeedbackBits = u16;

pub(super) struct CodeSetView {
    /// The set, ascending.
    pub(super) codes: Vec<CodeIndex>,
    /// The guesses that differ, ascending.
    pub(super) guesses: Vec<CodeIndex>,
    /// The bit of the answer of each code to each guess, a row a code.
    bits: Vec<FeedbackBits>,
}

impl CodeSetView {
    /// A view of the set with the guesses that differ, of those given.
    pub(super) fn new(
        codes: &CodeTable,
        set: &[CodeIndex],
        guesses: &[CodeIndex],
        keys: &[u128],
    ) -> Self {
        let mut met: HashSet<u128> = HashSet::with_capacity(guesses.len());
        let (mut own, others): (Vec<CodeIndex>, Vec<CodeIndex>) =
            guesses.iter().partition(|&guess| set.binary_search(guess).is_ok());
        met.extend(own.iter().map(|&guess| signature(codes, guess, set, keys)));
        own.extend(others.into_iter().filter(|&g| met.insert(signature(codes, g, set, keys))));
        own.sort_unstable();
        let guesses = own;
        let mut bits = Vec::with_capacity(set.len() * guesses.len());
        for &code in set {
            codes.each_answer(code, &guesses, |_, answer| bits.push(1 << answer));
        }
        CodeSetView { codes: set.to_vec(), guesses, bits }
    }

    /// The answers of one code to all guesses.
    #[inline]
    pub(super) fn row(&self, code: u16) -> &[FeedbackBits] {
        &self.bits[usize::from(code) * self.guesses.len()..][..self.guesses.len()]
    }

    /// All answers that each guess can get from the codes of these rows.
    pub(super) fn answers(&self, set: &[u16], out: &mut Vec<FeedbackBits>) {
        out.clear();
        out.resize(self.guesses.len(), 0);
        for &code in set {
            for (all, bit) in out.iter_mut().zip(self.row(code)) {
                *all |= bit;
            }
        }
    }
}

/// A number of the way that a guess splits a set, whatever the answers are called.
fn signature(codes: &CodeTable, guess: CodeIndex, set: &[CodeIndex], keys: &[u128]) -> u128 {
    let mut classes = [0_u128; FeedbackBits::BITS as usize];
    codes.each_answer(guess, set, |code, answer| {
        let class = &mut classes[usize::from(answer)];
        *class = class.wrapping_add(keys[code as usize]);
    });
    // Each class is spread by an odd constant and a fold before they are added up.
    let spread = |class: &u128| {
        let product = class.wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835);
        (product ^ product >> 61).wrapping_mul(0xbf58_476d_1ce4_e5b9_94d0_49bb_1331_11eb)
    };
    classes.iter().map(spread).fold(0, u128::wrapping_add)
}
