//! The list of all codes with their feedback to each other. Codes are identified by their index in
//! ascending order, feedback by [`PegFeedback::index`], which fits into a byte.
//!
//! For few codes, feedback is precomputed for all pairs; otherwise it is counted from packed codes,
//! or from the bytes of the colours where few pegs have too many colours to pack.

use super::super::{BytePerPegCode, Code, Mastermind, PackedCode, PegFeedback, SecretPegCounter};
use super::super::{MAX_BYTE_PEGS, WhitePegCounting};
use super::GuessAndFeedback;

/// Index of a code in the ascending list of all codes.
pub type CodeIndex = u32;

/// Maximum number of codes of a [`CodeTable`].
pub const MAX_CODES: usize = 1 << 20;
/// Maximum number of codes for which the feedback of all pairs is precomputed, in 32 megabytes.
const MAX_TABLE_CODES: usize = 5793;
/// Maximum number of pegs for which a feedback index fits into a byte. Codes of more pegs are too
/// many to list, unless there is only one colour.
const MAX_PEGS: usize = 21;

/// Error returned when the rules have too many codes to list.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{} pegs of {} colours make {}, too many codes to look at each; at most {max} are listed",
        rules.pegs, rules.colours, code_count(rules))]
pub struct TooManyCodesError {
    /// The rules that have too many codes.
    pub rules: Mastermind,
    /// Maximum number of codes that can be listed.
    pub max: usize,
}

/// Describes the number of codes of the rules.
fn code_count(rules: &Mastermind) -> String {
    rules.size().map_or_else(|| "more than 2^128".to_owned(), |size| size.to_string())
}

/// All codes of Mastermind rules, with their feedback to each other.
pub struct CodeTable {
    rules: Mastermind,
    codes: Vec<Code>,
    feedback: FeedbackTable,
}

/// Feedback of all pairs of codes: precomputed, or counted on demand from packed codes.
enum FeedbackTable {
    /// Index of the feedback of `secret` to `guess`, at `guess · codes + secret`.
    Table(Vec<u8>),
    Small(Vec<PackedCode<u32>>),
    Medium(Vec<PackedCode<u64>>),
    Large(Vec<PackedCode<u128>>),
    /// Few pegs of many colours.
    Bytes(Vec<BytePerPegCode>),
}

impl CodeTable {
    /// Lists all codes of the rules.
    ///
    /// # Errors
    /// Returns an error if there are more than [`MAX_CODES`].
    pub fn new(rules: &Mastermind) -> Result<Self, TooManyCodesError> {
        CodeTable::with_limit(rules, MAX_CODES)
    }

    /// Lists all codes of the rules if there are at most `max`.
    ///
    /// # Errors
    /// Returns an error if there are more.
    pub fn with_limit(rules: &Mastermind, max: usize) -> Result<Self, TooManyCodesError> {
        if rules.size().is_none_or(|size| size > max as u128) {
            return Err(TooManyCodesError { rules: *rules, max });
        }
        let codes: Vec<Code> = rules.codes().collect();
        let feedback = FeedbackTable::new(rules, &codes);
        Ok(CodeTable { rules: *rules, codes, feedback })
    }

    /// Returns the rules that the codes obey.
    #[must_use]
    pub fn rules(&self) -> &Mastermind {
        &self.rules
    }

    /// Returns the number of codes in the table.
    #[must_use]
    pub fn len(&self) -> usize {
        self.codes.len()
    }

    /// Returns whether there are no codes, which is never the case.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.codes.is_empty()
    }

    /// Returns the indices of all codes.
    #[must_use]
    pub fn indices(&self) -> Vec<CodeIndex> {
        (0..self.len() as CodeIndex).collect()
    }

    /// Returns the code with this index.
    #[must_use]
    pub fn code(&self, index: CodeIndex) -> &Code {
        &self.codes[index as usize]
    }

    /// Returns the index of a code, or `None` if the rules do not allow the code.
    #[must_use]
    pub fn index_of(&self, code: &Code) -> Option<CodeIndex> {
        self.codes.binary_search(code).ok().map(|index| index as CodeIndex)
    }

    /// Returns the number of feedback indices. One of them belongs to a feedback that cannot occur:
    /// all pegs but one black, the last one white. With one colour, only one feedback can occur.
    #[must_use]
    pub fn feedback_count(&self) -> usize {
        feedback_count(&self.rules)
    }

    /// Returns the index of a feedback, or `None` if no code gives this feedback.
    #[must_use]
    pub fn feedback_index(&self, feedback: PegFeedback) -> Option<u8> {
        if self.rules.colours == 1 {
            return (usize::from(feedback.black) == self.rules.pegs).then_some(0);
        }
        Some(feedback_index(feedback, self.rules.pegs))
    }

    /// Returns the index of the feedback with only black pegs, which a guess gets if it is the
    /// secret; it is the largest index.
    #[must_use]
    pub fn solved(&self) -> u8 {
        (self.feedback_count() - 1) as u8
    }

    /// Returns the index of the feedback to `guess` if `secret` is the secret.
    #[inline]
    #[must_use]
    pub fn feedback(&self, guess: CodeIndex, secret: CodeIndex) -> u8 {
        let (guess, secret) = (guess as usize, secret as usize);
        match &self.feedback {
            FeedbackTable::Table(table) => table[guess * self.codes.len() + secret],
            FeedbackTable::Small(codes) => {
                feedback_index(codes[guess].feedback(codes[secret]), self.rules.pegs)
            }
            FeedbackTable::Medium(codes) => {
                feedback_index(codes[guess].feedback(codes[secret]), self.rules.pegs)
            }
            FeedbackTable::Large(codes) => {
                feedback_index(codes[guess].feedback(codes[secret]), self.rules.pegs)
            }
            FeedbackTable::Bytes(codes) => feedback_index(
                codes[guess].feedback(codes[secret], self.rules.pegs),
                self.rules.pegs,
            ),
        }
    }

    /// Calls `with` for every code of `set`, in order, with the code and the index of the feedback
    /// to `guess` if this code is the secret.
    #[inline(always)]
    pub fn for_each_feedback(
        &self,
        guess: CodeIndex,
        set: &[CodeIndex],
        mut with: impl FnMut(CodeIndex, u8),
    ) {
        let pegs = self.rules.pegs;
        let at = guess as usize;
        match &self.feedback {
            FeedbackTable::Table(table) => {
                let row = &table[at * self.codes.len()..][..self.codes.len()];
                set.iter().for_each(|&code| with(code, row[code as usize]));
            }
            FeedbackTable::Small(codes) => {
                let guess = codes[at];
                set.iter().for_each(|&c| {
                    with(c, feedback_index(guess.feedback(codes[c as usize]), pegs));
                });
            }
            FeedbackTable::Medium(codes) => {
                let guess = codes[at];
                set.iter().for_each(|&c| {
                    with(c, feedback_index(guess.feedback(codes[c as usize]), pegs));
                });
            }
            FeedbackTable::Large(codes) => {
                let guess = codes[at];
                set.iter().for_each(|&c| {
                    with(c, feedback_index(guess.feedback(codes[c as usize]), pegs));
                });
            }
            FeedbackTable::Bytes(codes) => {
                let guess = codes[at];
                set.iter().for_each(|&c| {
                    with(c, feedback_index(guess.feedback(codes[c as usize], pegs), pegs));
                });
            }
        }
    }

    /// Sets `sizes[i]` to the number of codes of `set` that give feedback of index i to `guess`.
    pub fn count(&self, guess: CodeIndex, set: &[CodeIndex], sizes: &mut [u32; 256]) {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("popcnt") {
            // SAFETY: the processor has the feature the function was compiled for.
            return unsafe { self.count_popcnt(guess, set, sizes) };
        }
        self.count_portable(guess, set, sizes);
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "popcnt")]
    fn count_popcnt(&self, guess: CodeIndex, set: &[CodeIndex], sizes: &mut [u32; 256]) {
        self.count_portable(guess, set, sizes);
    }

    #[inline(always)]
    fn count_portable(&self, guess: CodeIndex, set: &[CodeIndex], sizes: &mut [u32; 256]) {
        sizes[..self.feedback_count()].fill(0);
        self.for_each_feedback(guess, set, |_, feedback| sizes[usize::from(feedback)] += 1);
    }

    /// Splits the codes of `set` into classes by the index of their feedback to `guess`; empty
    /// classes are omitted.
    #[must_use]
    pub fn split(&self, guess: CodeIndex, set: &[CodeIndex]) -> Vec<(u8, Vec<CodeIndex>)> {
        let mut classes = vec![Vec::new(); self.feedback_count()];
        self.for_each_feedback(guess, set, |code, feedback| {
            classes[usize::from(feedback)].push(code);
        });
        let classes = classes.into_iter().enumerate().filter(|(_, class)| !class.is_empty());
        classes.map(|(feedback, class)| (feedback as u8, class)).collect()
    }

    /// Returns the codes that are consistent with the history, in ascending order.
    #[must_use]
    pub fn consistent(&self, history: &[GuessAndFeedback]) -> Vec<CodeIndex> {
        let mut set = self.indices();
        for (guess, feedback) in history {
            let wanted = self.feedback_index(*feedback);
            let guess = self.index_of(guess).expect("a guess is a code of the riddle");
            set.retain(|&code| Some(self.feedback(guess, code)) == wanted);
        }
        set
    }
}

impl FeedbackTable {
    fn new(rules: &Mastermind, codes: &[Code]) -> Self {
        let (pegs, colours) = (rules.pegs, rules.colours);
        if codes.len() <= MAX_TABLE_CODES {
            return FeedbackTable::Table(all_feedback(rules, codes));
        }
        if PackedCode::<u32>::fits(pegs, colours) {
            FeedbackTable::Small(codes.iter().map(|code| PackedCode::new(code, colours)).collect())
        } else if PackedCode::<u64>::fits(pegs, colours) {
            FeedbackTable::Medium(codes.iter().map(|code| PackedCode::new(code, colours)).collect())
        } else if PackedCode::<u128>::fits(pegs, colours) {
            FeedbackTable::Large(codes.iter().map(|code| PackedCode::new(code, colours)).collect())
        } else {
            debug_assert!(
                pegs <= MAX_BYTE_PEGS,
                "more pegs of so many colours make too many codes"
            );
            FeedbackTable::Bytes(codes.iter().map(|code| BytePerPegCode::new(code)).collect())
        }
    }
}

/// Returns the feedback index of every code (secret) to every code (guess), guess by guess.
fn all_feedback(rules: &Mastermind, codes: &[Code]) -> Vec<u8> {
    if rules.colours == 1 {
        return vec![0];
    }
    let mut table = Vec::with_capacity(codes.len() * codes.len());
    if PackedCode::<u128>::fits(rules.pegs, rules.colours) {
        let packed: Vec<_> =
            codes.iter().map(|code| PackedCode::<u128>::new(code, rules.colours)).collect();
        for &a in &packed {
            table.extend(packed.iter().map(|&b| feedback_index(a.feedback(b), rules.pegs)));
        }
        return table;
    }
    for a in codes {
        let counter = SecretPegCounter::new(a, rules.colours, WhitePegCounting::Right);
        table.extend(codes.iter().map(|b| feedback_index(counter.feedback(b), rules.pegs)));
    }
    table
}

/// Returns the number of feedback indices; with one colour, only one feedback can occur.
fn feedback_count(rules: &Mastermind) -> usize {
    if rules.colours == 1 { 1 } else { PegFeedback::index_count(rules.pegs) }
}

/// Returns the index of a feedback as a byte, into which it fits for up to [`MAX_PEGS`] pegs.
#[inline]
fn feedback_index(feedback: PegFeedback, pegs: usize) -> u8 {
    debug_assert!(pegs <= MAX_PEGS, "an index that fits into a byte");
    feedback.index(pegs) as u8
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludion_core::riddle::Riddle;

    #[test]
    fn few_pegs_of_many_colours_have_the_feedback_of_the_rules() {
        for (pegs, colours, repeats) in
            [(1, 256, true), (2, 256, true), (3, 50, true), (4, 33, false), (256, 1, true)]
        {
            let rules = Mastermind::new(pegs, colours, repeats).unwrap();
            let codes = CodeTable::new(&rules).unwrap();
            let step = codes.len() / 60 + 1;
            for guess in (0..codes.len()).step_by(step) {
                for secret in (0..codes.len()).step_by(step) {
                    let (guess, secret) = (guess as CodeIndex, secret as CodeIndex);
                    let feedback = rules.answer(codes.code(secret), codes.code(guess));
                    assert_eq!(codes.feedback_index(feedback), Some(codes.feedback(guess, secret)));
                }
            }
        }
    }

    #[test]
    fn only_rules_with_too_many_codes_are_refused_and_the_reason_is_true() {
        let refused = |pegs, colours| {
            let rules = Mastermind::new(pegs, colours, true).unwrap();
            CodeTable::new(&rules).map(|codes| codes.len()).map_err(|error| error.to_string())
        };
        assert_eq!(refused(1, 256), Ok(256));
        assert_eq!(refused(256, 1), Ok(1));
        let reason = "4 pegs of 33 colours make 1185921, too many codes to look at each; at most \
                      1048576 are listed";
        assert_eq!(refused(4, 33), Err(reason.to_owned()));
        assert!(refused(256, 256).unwrap_err().contains("make more than 2^128, too many"));
    }
}
