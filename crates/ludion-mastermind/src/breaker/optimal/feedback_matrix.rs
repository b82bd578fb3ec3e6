//! Matrix of the feedback of a set of codes to all guesses that split the set differently.
//!
//! Two guesses that split a set into the same classes also split each of its subsets alike, so only
//! one of them is kept: one that belongs to the set (all of those are kept), else the smallest.
//!
//! Feedback is a single bit in a row for each code, so that the feedback a guess can receive from
//! several codes is the bitwise OR of their rows, computed for a vector of guesses at a time.

use std::collections::HashSet;

use super::super::codes::{CodeIndex, CodeTable};

/// A set of feedbacks, one bit for each feedback index; codes of up to four pegs need 15 bits.
pub(super) type FeedbackBits = u16;

/// Matrix of the feedback that each guess (column) gets if each code of a set (row) is the secret.
pub(super) struct FeedbackMatrix {
    /// The codes of the rows, ascending.
    pub(super) codes: Vec<CodeIndex>,
    /// The guesses of the columns, ascending.
    pub(super) guesses: Vec<CodeIndex>,
    /// Feedback of each row and column, row by row, as a set of one feedback.
    bits: Vec<FeedbackBits>,
}

impl FeedbackMatrix {
    /// Computes the matrix of a set of codes; of guesses that split the set into the same classes,
    /// only one gets a column. `keys` holds a random number for each code, for hashing the classes.
    pub(super) fn new(
        codes: &CodeTable,
        set: &[CodeIndex],
        guesses: &[CodeIndex],
        keys: &[u128],
    ) -> Self {
        let mut seen: HashSet<u128> = HashSet::with_capacity(guesses.len());
        let (mut own, others): (Vec<CodeIndex>, Vec<CodeIndex>) =
            guesses.iter().partition(|&guess| set.binary_search(guess).is_ok());
        seen.extend(own.iter().map(|&guess| signature(codes, guess, set, keys)));
        own.extend(others.into_iter().filter(|&g| seen.insert(signature(codes, g, set, keys))));
        own.sort_unstable();
        let guesses = own;
        let mut bits = Vec::with_capacity(set.len() * guesses.len());
        for &code in set {
            codes.for_each_feedback(code, &guesses, |_, feedback| bits.push(1 << feedback));
        }
        FeedbackMatrix { codes: set.to_vec(), guesses, bits }
    }

    /// Returns the feedback to every guess, in the order of the columns, if the code of this row is
    /// the secret.
    #[inline]
    pub(super) fn row(&self, code: u16) -> &[FeedbackBits] {
        &self.bits[usize::from(code) * self.guesses.len()..][..self.guesses.len()]
    }

    /// Sets `out` to the feedbacks that each guess can get if the secret is a code of the rows
    /// `set`.
    pub(super) fn possible_feedback(&self, set: &[u16], out: &mut Vec<FeedbackBits>) {
        out.clear();
        out.resize(self.guesses.len(), 0);
        for &code in set {
            for (all, bit) in out.iter_mut().zip(self.row(code)) {
                *all |= bit;
            }
        }
    }
}

/// Returns a hash of the classes into which the feedback to `guess` splits `set`, independent of
/// which feedback belongs to which class.
fn signature(codes: &CodeTable, guess: CodeIndex, set: &[CodeIndex], keys: &[u128]) -> u128 {
    let mut classes = [0_u128; FeedbackBits::BITS as usize];
    codes.for_each_feedback(guess, set, |code, feedback| {
        let class = &mut classes[usize::from(feedback)];
        *class = class.wrapping_add(keys[code as usize]);
    });
    // Each class is mixed before the sum, so that sums of different classes differ.
    let spread = |class: &u128| {
        let product = class.wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835);
        (product ^ product >> 61).wrapping_mul(0xbf58_476d_1ce4_e5b9_94d0_49bb_1331_11eb)
    };
    classes.iter().map(spread).fold(0, u128::wrapping_add)
}
