//! The list of all codes with their feedback to each other. Codes are identified by their index in
//! ascending order, feedback by [`PegFeedback::index`], which fits into a byte.
//!
//! For few codes, feedback is precomputed for all pairs; otherwise it is counted from packed codes.

use super::super::{Code, Mastermind, PackedCode, PegFeedback};
use super::GuessAndFeedback;

/// Index of a code in the ascending list of all codes.
pub type CodeIndex = u32;

/// Maximum number of codes of a [`CodeTable`].
pub const MAX_CODES: usize = 1 << 20;
/// Maximum number of codes for which the feedback of all pairs is precomputed, in 32 megabytes.
const MAX_TABLE_CODES: usize = 5793;
/// Maximum number of pegs for which a feedback index fits into a byte.
const MAX_PEGS: usize = 21;

/// Error returned when the rules have too many codes to list.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{} pegs of {} colours make too many codes to look at each; at most {max} are listed",
        rules.pegs, rules.colours)]
pub struct TooManyCodesError {
    /// The rules that have too many codes.
    pub rules: Mastermind,
    /// Maximum number of codes that can be listed.
    pub max: usize,
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
        let fits = rules.pegs <= MAX_PEGS && PackedCode::<u128>::fits(rules.pegs, rules.colours);
        if !fits || rules.size().is_none_or(|size| size > max as u128) {
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
    /// all pegs but one black, the last one white.
    #[must_use]
    pub fn feedback_count(&self) -> usize {
        PegFeedback::index_count(self.rules.pegs)
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
        }
    }

    /// Calls `with` for every code of `set`, in order, with the code and the index of the feedback
    /// to `guess` if this code is the secret.
    #[inline]
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
        }
    }

    /// Sets `sizes[i]` to the number of codes of `set` that give feedback of index i to `guess`.
    pub fn count(&self, guess: CodeIndex, set: &[CodeIndex], sizes: &mut [u32; 256]) {
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
            let wanted = feedback.index(self.rules.pegs);
            let guess = self.index_of(guess).expect("a guess is a code of the riddle");
            set.retain(|&code| usize::from(self.feedback(guess, code)) == wanted);
        }
        set
    }
}

impl FeedbackTable {
    fn new(rules: &Mastermind, codes: &[Code]) -> Self {
        let (pegs, colours) = (rules.pegs, rules.colours);
        if codes.len() <= MAX_TABLE_CODES {
            let packed: Vec<_> =
                codes.iter().map(|c| PackedCode::<u128>::new(c, colours)).collect();
            let row = |a: &PackedCode<u128>| {
                let a = *a;
                packed
                    .iter()
                    .map(move |&b| feedback_index(a.feedback(b), pegs))
                    .collect::<Vec<u8>>()
            };
            return FeedbackTable::Table(packed.iter().flat_map(row).collect());
        }
        if PackedCode::<u32>::fits(pegs, colours) {
            FeedbackTable::Small(codes.iter().map(|code| PackedCode::new(code, colours)).collect())
        } else if PackedCode::<u64>::fits(pegs, colours) {
            FeedbackTable::Medium(codes.iter().map(|code| PackedCode::new(code, colours)).collect())
        } else {
            FeedbackTable::Large(codes.iter().map(|code| PackedCode::new(code, colours)).collect())
        }
    }
}

/// Returns the index of a feedback as a byte, into which it fits for up to [`MAX_PEGS`] pegs.
#[inline]
fn feedback_index(feedback: PegFeedback, pegs: usize) -> u8 {
    feedback.index(pegs) as u8
}
