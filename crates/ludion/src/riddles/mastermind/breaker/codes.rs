//! All codes of a riddle in a list, and what each answers to each: the ground of every breaker
//! that looks at all of them. Codes are named by their number in the order of size; answers by
//! [`PegFeedback::index`], which fits a byte.
//!
//! Small riddles have a table, a byte a pair; larger ones count pegs of packed codes.

use super::super::{Code, Mastermind, PackedCode, PegFeedback};
use super::GuessAndFeedback;

/// The number of a code in the list of all.
pub type CodeIndex = u32;

/// Most codes that are listed.
pub const MAX_CODES: usize = 1 << 20;
/// Most codes that have a table: 32 megabytes.
const MAX_IN_TABLE: usize = 5793;
/// Most pegs whose answers fit a byte.
const MAX_PEGS: usize = 21;

/// The codes of this riddle are too many to be listed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{} pegs of {} colours make too many codes to look at each; at most {most} are listed",
        rules.pegs, rules.colours)]
pub struct TooManyCodesError {
    /// The riddle.
    pub rules: Mastermind,
    /// How many would do.
    pub most: usize,
}

/// All codes of a riddle.
pub struct CodeTable {
    rules: Mastermind,
    codes: Vec<Code>,
    answers: FeedbackTable,
}

enum FeedbackTable {
    /// What code `secret` says to code `guess`, at `guess · codes + secret`.
    Table(Vec<u8>),
    Small(Vec<PackedCode<u32>>),
    Medium(Vec<PackedCode<u64>>),
    Large(Vec<PackedCode<u128>>),
}

impl CodeTable {
    /// Lists the codes.
    ///
    /// # Errors
    /// When they are too many.
    pub fn list(rules: &Mastermind) -> Result<Self, TooManyCodesError> {
        CodeTable::list_up_to(rules, MAX_CODES)
    }

    /// Lists the codes if there are no more than `most`.
    ///
    /// # Errors
    /// When there are more.
    pub fn list_up_to(rules: &Mastermind, most: usize) -> Result<Self, TooManyCodesError> {
        let fits = rules.pegs <= MAX_PEGS && PackedCode::<u128>::fits(rules.pegs, rules.colours);
        if !fits || rules.size().is_none_or(|size| size > most as u128) {
            return Err(TooManyCodesError { rules: *rules, most });
        }
        let codes: Vec<Code> = rules.codes().collect();
        let answers = FeedbackTable::of(rules, &codes);
        Ok(CodeTable { rules: *rules, codes, answers })
    }

    /// The riddle.
    #[must_use]
    pub fn rules(&self) -> &Mastermind {
        &self.rules
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.codes.len()
    }

    /// Whether there is none, which never is.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.codes.is_empty()
    }

    /// Their numbers, all of them.
    #[must_use]
    pub fn numbers(&self) -> Vec<CodeIndex> {
        (0..self.len() as CodeIndex).collect()
    }

    /// The code of a number.
    #[must_use]
    pub fn code(&self, number: CodeIndex) -> &Code {
        &self.codes[number as usize]
    }

    /// The number of a code, if it is one of this riddle.
    #[must_use]
    pub fn number(&self, code: &Code) -> Option<CodeIndex> {
        self.codes.binary_search(code).ok().map(|number| number as CodeIndex)
    }

    /// How many answers have a number.
    #[must_use]
    pub fn kinds(&self) -> usize {
        PegFeedback::kinds(self.rules.pegs)
    }

    /// The number of the answer that the code is found: the last.
    #[must_use]
    pub fn solved(&self) -> u8 {
        (self.kinds() - 1) as u8
    }

    /// The number of what the keeper of one code says to the other.
    #[inline]
    #[must_use]
    pub fn answer(&self, guess: CodeIndex, secret: CodeIndex) -> u8 {
        let (guess, secret) = (guess as usize, secret as usize);
        match &self.answers {
            FeedbackTable::Table(table) => table[guess * self.codes.len() + secret],
            FeedbackTable::Small(codes) => {
                index(codes[guess].answer(codes[secret]), self.rules.pegs)
            }
            FeedbackTable::Medium(codes) => {
                index(codes[guess].answer(codes[secret]), self.rules.pegs)
            }
            FeedbackTable::Large(codes) => {
                index(codes[guess].answer(codes[secret]), self.rules.pegs)
            }
        }
    }

    /// Gives `with` the number of every code's answer to the guess, in the order of `set`.
    #[inline]
    pub fn each_answer(
        &self,
        guess: CodeIndex,
        set: &[CodeIndex],
        mut with: impl FnMut(CodeIndex, u8),
    ) {
        let pegs = self.rules.pegs;
        let at = guess as usize;
        match &self.answers {
            FeedbackTable::Table(table) => {
                let row = &table[at * self.codes.len()..][..self.codes.len()];
                set.iter().for_each(|&code| with(code, row[code as usize]));
            }
            FeedbackTable::Small(codes) => {
                let guess = codes[at];
                set.iter().for_each(|&c| with(c, index(guess.answer(codes[c as usize]), pegs)));
            }
            FeedbackTable::Medium(codes) => {
                let guess = codes[at];
                set.iter().for_each(|&c| with(c, index(guess.answer(codes[c as usize]), pegs)));
            }
            FeedbackTable::Large(codes) => {
                let guess = codes[at];
                set.iter().for_each(|&c| with(c, index(guess.answer(codes[c as usize]), pegs)));
            }
        }
    }

    /// How many codes of the set give each answer to the guess.
    pub fn count(&self, guess: CodeIndex, set: &[CodeIndex], sizes: &mut [u32; 256]) {
        sizes[..self.kinds()].fill(0);
        self.each_answer(guess, set, |_, answer| sizes[usize::from(answer)] += 1);
    }

    /// The codes of the set by their answer to the guess, answers that nobody gives left out.
    #[must_use]
    pub fn split(&self, guess: CodeIndex, set: &[CodeIndex]) -> Vec<(u8, Vec<CodeIndex>)> {
        let mut classes = vec![Vec::new(); self.kinds()];
        self.each_answer(guess, set, |code, answer| classes[usize::from(answer)].push(code));
        let classes = classes.into_iter().enumerate().filter(|(_, class)| !class.is_empty());
        classes.map(|(answer, class)| (answer as u8, class)).collect()
    }

    /// The codes that fit all answers, the smallest first.
    #[must_use]
    pub fn fitting(&self, asked: &[GuessAndFeedback]) -> Vec<CodeIndex> {
        let mut set = self.numbers();
        for (guess, answer) in asked {
            let wanted = answer.index(self.rules.pegs);
            let guess = self.number(guess).expect("a guess is a code of the riddle");
            set.retain(|&code| usize::from(self.answer(guess, code)) == wanted);
        }
        set
    }
}

impl FeedbackTable {
    fn of(rules: &Mastermind, codes: &[Code]) -> Self {
        let (pegs, colours) = (rules.pegs, rules.colours);
        if codes.len() <= MAX_IN_TABLE {
            let packed: Vec<_> =
                codes.iter().map(|c| PackedCode::<u128>::new(c, colours)).collect();
            let row = |a: &PackedCode<u128>| {
                let a = *a;
                packed.iter().map(move |&b| index(a.answer(b), pegs)).collect::<Vec<u8>>()
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

/// The number of an answer, which fits a byte up to [`MAX_PEGS`].
#[inline]
fn index(answer: PegFeedback, pegs: usize) -> u8 {
    answer.index(pegs) as u8
}
