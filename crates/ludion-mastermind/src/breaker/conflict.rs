//! Consistency of feedback: whether some code is consistent with all of it, and if not, which of it
//! is contradictory.
//!
//! If all codes can be listed, the set of feedback that each code contradicts is known; a conflict
//! is a set of feedback that intersects all these sets, and a smallest conflict is a smallest
//! hitting set. Otherwise codes are searched peg by peg up to a limit: first for each single
//! feedback and each pair, then for all, from which feedback is removed as long as the rest is
//! still proven to conflict.

use super::super::{Code, Mastermind};
use super::GuessAndFeedback;
use super::codes::CodeTable;

/// Result of checking whether some code is consistent with a history.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ConsistencyResult {
    /// This code, possibly among others, is consistent with all feedback.
    Fits(Code),
    /// No code is consistent with the feedback to these guesses.
    Conflict {
        /// Indices in the history, from 0, of the guesses with contradictory feedback.
        questions: Vec<usize>,
        /// Whether it is proven that the contradiction needs all these guesses: the feedback of any
        /// fewer of them is consistent with some code.
        smallest: bool,
    },
    /// The search reached its limit without finding a consistent code or a conflict.
    Undecided,
}

/// Checks whether some code is consistent with the history, and finds a conflict if not.
#[must_use]
pub fn check_consistency(rules: &Mastermind, history: &[GuessAndFeedback]) -> ConsistencyResult {
    match CodeTable::new(rules) {
        Ok(codes) if history.len() <= u128::BITS as usize => check_listed(&codes, history),
        _ => check_unlisted(rules, history),
    }
}

/// Returns the indices, from 0, of two equal guesses with different feedback, if there are any.
#[must_use]
pub fn repeated_guess(history: &[GuessAndFeedback]) -> Option<[usize; 2]> {
    let mut pairs = (0..history.len()).flat_map(|j| (0..j).map(move |i| [i, j]));
    pairs.find(|&[i, j]| history[i].0 == history[j].0 && history[i].1 != history[j].1)
}

/// Checks whether some code is consistent with the history by examining every code of the list, for
/// at most 128 guesses.
///
/// # Panics
/// Panics if the history has more than 128 guesses.
#[must_use]
pub fn check_listed(codes: &CodeTable, history: &[GuessAndFeedback]) -> ConsistencyResult {
    assert!(history.len() <= u128::BITS as usize, "at most 128 questions");
    let all = codes.indices();
    let mut contradicted = vec![0_u128; all.len()];
    for (i, (guess, feedback)) in history.iter().enumerate() {
        let guess = codes.index_of(guess).expect("a guess is a code of the riddle");
        let wanted = codes.feedback_index(*feedback);
        codes.for_each_feedback(guess, &all, |code, given| {
            let contradicts = Some(given) != wanted;
            contradicted[code as usize] |= u128::from(contradicts) << i;
        });
    }
    if let Some(code) = contradicted.iter().position(|&set| set == 0) {
        return ConsistencyResult::Fits(codes.code(code as u32).clone());
    }
    contradicted.sort_unstable_by_key(|set| (set.count_ones(), *set));
    contradicted.dedup();
    // A superset of another set is hit whenever that set is.
    let mut sets: Vec<u128> = Vec::new();
    for set in contradicted {
        if sets.iter().all(|&smaller| smaller & !set != 0) {
            sets.push(set);
        }
    }
    let hitting = (1..=history.len() as u32).find_map(|max| hitting_set(&sets, 0, max));
    let hitting = hitting.expect("all questions together hit every set");
    let questions = (0..history.len()).filter(|i| hitting >> i & 1 == 1).collect();
    ConsistencyResult::Conflict { questions, smallest: true }
}

/// Returns a superset of `chosen` with at most `max` more elements that intersects each of `sets`,
/// if there is one. Sets are bit masks with one bit for each guess.
fn hitting_set(sets: &[u128], chosen: u128, max: u32) -> Option<u128> {
    let Some(&missed) = sets.iter().find(|&&set| set & chosen == 0) else { return Some(chosen) };
    if max == 0 {
        return None;
    }
    let questions = (0..u128::BITS).filter(|i| missed >> i & 1 == 1);
    questions.map(|i| chosen | 1 << i).find_map(|chosen| hitting_set(sets, chosen, max - 1))
}

/// Maximum number of pegs placed in the search for one consistent code.
const MAX_PLACEMENTS: u64 = 1_000_000;
/// Maximum number of pegs placed in a search for a code that is consistent with one or two
/// feedbacks; there are many such searches.
const MAX_PLACEMENTS_FOR_TWO: u64 = 20_000;

/// Checks whether some code is consistent with the history by a limited search peg by peg, for
/// rules with too many codes to list.
fn check_unlisted(rules: &Mastermind, history: &[GuessAndFeedback]) -> ConsistencyResult {
    if let Some(two) = repeated_guess(history) {
        return conflict_within_pair(rules, history, &two);
    }
    let all: Vec<usize> = (0..history.len()).collect();
    match PartialCode::search(rules, history, &all, MAX_PLACEMENTS) {
        SearchOutcome::Found(code) => return ConsistencyResult::Fits(code),
        SearchOutcome::None => {}
        SearchOutcome::LimitReached => {
            return find_small_conflict(rules, history).unwrap_or(ConsistencyResult::Undecided);
        }
    }
    if let Some(verdict) = find_small_conflict(rules, history) {
        return verdict;
    }
    // Feedback whose removal makes the rest consistent stays necessary when more of the rest is
    // removed.
    let (mut questions, mut smallest) = (all.clone(), true);
    for question in all.into_iter().rev() {
        let fewer: Vec<usize> = questions.iter().copied().filter(|&q| q != question).collect();
        match PartialCode::search(rules, history, &fewer, MAX_PLACEMENTS) {
            SearchOutcome::None => questions = fewer,
            SearchOutcome::Found(_) => {}
            SearchOutcome::LimitReached => smallest = false,
        }
    }
    ConsistencyResult::Conflict { questions, smallest }
}

/// Returns the conflict of two guesses whose feedback is contradictory: both, or the one whose
/// feedback alone no code is consistent with.
fn conflict_within_pair(
    rules: &Mastermind,
    history: &[GuessAndFeedback],
    two: &[usize; 2],
) -> ConsistencyResult {
    let alone = two
        .map(|question| PartialCode::search(rules, history, &[question], MAX_PLACEMENTS_FOR_TWO));
    if let Some(one) = alone.iter().position(|found| matches!(found, SearchOutcome::None)) {
        return ConsistencyResult::Conflict { questions: vec![two[one]], smallest: true };
    }
    let smallest = alone.iter().all(|found| matches!(found, SearchOutcome::Found(_)));
    ConsistencyResult::Conflict { questions: two.to_vec(), smallest }
}

/// Returns the first guess whose feedback alone no code is consistent with, or else the first
/// contradictory pair, if either is found within the limit.
fn find_small_conflict(
    rules: &Mastermind,
    history: &[GuessAndFeedback],
) -> Option<ConsistencyResult> {
    let alone: Vec<SearchOutcome> = (0..history.len())
        .map(|i| PartialCode::search(rules, history, &[i], MAX_PLACEMENTS_FOR_TWO))
        .collect();
    if let Some(one) = alone.iter().position(|found| matches!(found, SearchOutcome::None)) {
        return Some(ConsistencyResult::Conflict { questions: vec![one], smallest: true });
    }
    let contradict = |i: usize, j: usize| {
        matches!(
            PartialCode::search(rules, history, &[i, j], MAX_PLACEMENTS_FOR_TWO),
            SearchOutcome::None
        )
    };
    let mut pairs = (0..history.len()).flat_map(|j| (0..j).map(move |i| (i, j)));
    let (i, j) = pairs.find(|&(i, j)| contradict(i, j))?;
    let smallest = [i, j].iter().all(|&q| matches!(alone[q], SearchOutcome::Found(_)));
    Some(ConsistencyResult::Conflict { questions: vec![i, j], smallest })
}

/// Result of a limited search for a consistent code.
enum SearchOutcome {
    Found(Code),
    None,
    LimitReached,
}

/// A code that is extended peg by peg, with the numbers of black and white pegs that each guess
/// would get if this code were the secret.
struct PartialCode<'a> {
    rules: &'a Mastermind,
    history: Vec<&'a GuessAndFeedback>,
    code: Code,
    /// Number of times each colour occurs in the code so far.
    amounts: Vec<u16>,
    /// Number of times each colour occurs in each guess.
    guessed: Vec<Vec<u16>>,
    /// Number of black pegs, and of black and white pegs together, of the code so far against each
    /// guess.
    counts: Vec<(u16, u16)>,
    /// Number of pegs that may still be placed before the search gives up.
    placements_left: u64,
}

impl PartialCode<'_> {
    /// Searches for a code that is consistent with the feedback to the guesses of these indices.
    fn search(
        rules: &Mastermind,
        history: &[GuessAndFeedback],
        questions: &[usize],
        placements_left: u64,
    ) -> SearchOutcome {
        let history: Vec<&GuessAndFeedback> =
            questions.iter().map(|&question| &history[question]).collect();
        let amounts = |guess: &Code| {
            let mut amounts = vec![0; rules.colours];
            guess.iter().for_each(|&colour| amounts[usize::from(colour)] += 1);
            amounts
        };
        let mut partial = PartialCode {
            rules,
            code: Code::new(),
            amounts: vec![0; rules.colours],
            guessed: history.iter().map(|(guess, _)| amounts(guess)).collect(),
            counts: vec![(0, 0); history.len()],
            history,
            placements_left,
        };
        match partial.fill() {
            Some(true) => SearchOutcome::Found(partial.code),
            Some(false) => SearchOutcome::None,
            None => SearchOutcome::LimitReached,
        }
    }

    /// Fills the remaining pegs so that the code is consistent with all feedback. Returns whether
    /// that is possible, or `None` if the limit on placed pegs is reached first.
    fn fill(&mut self) -> Option<bool> {
        if self.code.len() == self.rules.pegs {
            return Some(true);
        }
        for colour in 0..self.rules.colours as u16 {
            if !self.rules.repeats && self.amounts[usize::from(colour)] > 0 {
                continue;
            }
            self.placements_left = self.placements_left.checked_sub(1)?;
            let before = self.counts.clone();
            self.push(colour);
            if self.is_feasible() && self.fill()? {
                return Some(true);
            }
            self.code.pop();
            self.amounts[usize::from(colour)] -= 1;
            self.counts = before;
        }
        Some(false)
    }

    fn push(&mut self, colour: u16) {
        let place = self.code.len();
        let amount = &mut self.amounts[usize::from(colour)];
        for (i, (guess, _)) in self.history.iter().enumerate() {
            self.counts[i].0 += u16::from(guess[place] == colour);
            self.counts[i].1 += u16::from(*amount < self.guessed[i][usize::from(colour)]);
        }
        *amount += 1;
        self.code.push(colour);
    }

    /// Returns whether, for every guess, the remaining pegs can still bring the black and white
    /// counts to those of the feedback.
    fn is_feasible(&self) -> bool {
        let left = (self.rules.pegs - self.code.len()) as u16;
        let can = |count: u16, wanted: u16| count <= wanted && wanted <= count + left;
        self.history.iter().zip(&self.counts).all(|((_, feedback), &(black, common))| {
            can(black, feedback.black) && can(common, feedback.black + feedback.white)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::{PegFeedback, SecretPegCounter, WhitePegCounting};
    use super::*;
    use ludion_core::random::Rng;
    use ludion_core::riddle::Riddle;

    fn history(rules: &Mastermind, texts: &[(&str, &str)]) -> Vec<GuessAndFeedback> {
        let read = |(guess, feedback): &(&str, &str)| {
            (rules.read_code(guess).unwrap(), rules.read_answer(feedback).unwrap())
        };
        texts.iter().map(read).collect()
    }

    #[test]
    fn a_smallest_conflict_is_as_small_as_brute_force_finds() {
        let rules = Mastermind::new(3, 4, true).unwrap();
        let codes = CodeTable::new(&rules).unwrap();
        let mut rng = Rng::new(5);
        let mut conflicts = 0;
        for _ in 0..60 {
            // Feedback of two secrets mostly contradicts each other.
            let secrets = [rules.draw_secret(&mut rng), rules.draw_secret(&mut rng)];
            let history: Vec<GuessAndFeedback> = (0..7)
                .map(|_| {
                    let guess = rules.draw_secret(&mut rng);
                    let feedback = rules.answer(&secrets[rng.below(2)], &guess);
                    (guess, feedback)
                })
                .collect();
            let fits = |set: u32| {
                let chosen = (0..7).filter(|i| set >> i & 1 == 1);
                let chosen: Vec<GuessAndFeedback> = chosen.map(|i| history[i].clone()).collect();
                !codes.consistent(&chosen).is_empty()
            };
            let least = (0..1_u32 << 7).filter(|&set| !fits(set)).map(u32::count_ones).min();
            let unlisted = check_unlisted(&rules, &history);
            match check_consistency(&rules, &history) {
                ConsistencyResult::Conflict { questions, smallest } => {
                    conflicts += 1;
                    assert!(smallest && !fits(questions.iter().map(|i| 1 << i).sum()));
                    assert_eq!(Some(questions.len() as u32), least);
                    let ConsistencyResult::Conflict { questions, smallest } = unlisted else {
                        panic!("{unlisted:?}")
                    };
                    let set: u32 = questions.iter().map(|i| 1 << i).sum();
                    assert!(smallest && !fits(set));
                    assert!(questions.iter().all(|i| fits(set & !(1 << i))), "{questions:?}");
                }
                ConsistencyResult::Fits(code) => {
                    assert!(
                        least.is_none()
                            && codes.consistent(&history).contains(&codes.index_of(&code).unwrap())
                    );
                    assert!(matches!(unlisted, ConsistencyResult::Fits(_)));
                }
                ConsistencyResult::Undecided => panic!("the codes can be listed"),
            }
        }
        assert!(conflicts > 20, "{conflicts}");
    }

    #[test]
    fn contradictions_among_codes_that_cannot_be_listed_are_found_too() {
        let rules = Mastermind::new(12, 10, true).unwrap();
        let texts = [("111122223333", "3b0w"), ("444455556666", "2b2w"), ("111111111111", "13b")];
        let read = |(guess, feedback): &(&str, &str)| {
            (rules.read_code(guess).unwrap(), PegFeedback::read(feedback, 20).unwrap())
        };
        let history: Vec<GuessAndFeedback> = texts.iter().map(read).collect();
        let verdict = check_consistency(&rules, &history);
        assert_eq!(verdict, ConsistencyResult::Conflict { questions: vec![2], smallest: true });
        let ConsistencyResult::Fits(code) = check_consistency(&rules, &history[..2]) else {
            panic!("two of them fit")
        };
        let counter = SecretPegCounter::new(&code, 10, WhitePegCounting::Right);
        assert!(history[..2].iter().all(|(guess, feedback)| counter.feedback(guess) == *feedback));
    }

    #[test]
    fn contradictory_pairs_are_found_where_a_full_search_takes_too_long() {
        let rules = Mastermind::new(10, 10, true).unwrap();
        let both = ConsistencyResult::Conflict { questions: vec![0, 1], smallest: true };
        let twice = history(&rules, &[("1112223344", "2b3w"), ("1112223344", "3b2w")]);
        assert_eq!(check_consistency(&rules, &twice), both);
        let apart = history(&rules, &[("1234567890", "9b0w"), ("1111111111", "5b0w")]);
        assert_eq!(check_consistency(&rules, &apart), both);
        let third = ("1231231234", "3b2w");
        let among = history(&rules, &[third, ("1112223344", "2b3w"), ("1112223344", "3b2w")]);
        let last_two = ConsistencyResult::Conflict { questions: vec![1, 2], smallest: true };
        assert_eq!(check_consistency(&rules, &among), last_two);
    }

    #[test]
    fn a_repeated_guess_with_different_feedback_is_found_at_any_size() {
        let rules = Mastermind::new(100, 100, true).unwrap();
        let feedback = |black, white| PegFeedback { black, white };
        let guess: Code = (0..100).collect();
        let history = [(guess.clone(), feedback(2, 60)), (guess, feedback(3, 60))];
        assert_eq!((repeated_guess(&history), repeated_guess(&history[..1])), (Some([0, 1]), None));
        let verdict = check_consistency(&rules, &history);
        assert!(
            matches!(&verdict, ConsistencyResult::Conflict { questions, .. } if *questions == [0, 1]),
            "{verdict:?}"
        );
        // A guess of one colour has no white pegs.
        let single = [(vec![0; 3], feedback(1, 0)), (vec![0; 3], feedback(1, 1))];
        let second = ConsistencyResult::Conflict { questions: vec![1], smallest: true };
        assert_eq!(check_unlisted(&Mastermind::new(3, 4, true).unwrap(), &single), second);
    }

    #[test]
    fn consistent_feedback_is_recognised() {
        let rules = Mastermind::new(4, 6, true).unwrap();
        let agreed = history(&rules, &[("1122", "1b1w"), ("1344", "0b2w")]);
        assert!(matches!(check_consistency(&rules, &agreed), ConsistencyResult::Fits(_)));
        let contrary = history(&rules, &[("1122", "0b0w"), ("3456", "1b1w"), ("1112", "1b0w")]);
        let expected = ConsistencyResult::Conflict { questions: vec![0, 2], smallest: true };
        assert_eq!(check_consistency(&rules, &contrary), expected);
    }
}
