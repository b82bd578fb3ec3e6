//! Look-ahead to the end of the game: if all remaining codes are listed, the total number of
//! guesses that they need can be counted, provided that later guesses are chosen simply, by entropy
//! among the codes that remain then.
//!
//! Entropy does not reflect the end of a game, in which three codes need 5 guesses in total and two
//! need 3.

use super::super::super::{Code, Mastermind, PegFeedback};
use super::guess_choice::SampleScorer;
use super::lanes::{CodeChange, CodeLanes, CodePegCounts};
use ludion_core::random::Rng;

/// Maximum number of stored feedbacks looked up to improve one guess.
const MAX_LOOKUPS: u64 = 2_000_000;
/// Maximum number of consistent codes for which the look-ahead is used.
pub(super) const MAX_CODES: usize = 1000;
/// Maximum number of remaining codes that are compared as the next guess.
const MAX_CANDIDATES: usize = 48;
/// Maximum loss of entropy, in bits, for which a change of the guess is evaluated by look-ahead.
const MAX_ENTROPY_LOSS: f64 = 0.1;

/// Tries small random changes of a guess, keeps those that reduce the total number of guesses still
/// needed, and returns the improved guess. The lanes hold all consistent codes.
pub(super) fn improve(
    rules: &Mastermind,
    lanes: &CodeLanes,
    codes: &[Code],
    mut tally: CodePegCounts<'_>,
    scorer: &mut SampleScorer<'_>,
    rng: &mut Rng,
) -> Code {
    let mut ahead = LookAhead::new(rules, lanes, codes);
    let (mut least, mut value) = (ahead.cost(&tally, None), scorer.value(&tally));
    // A guess that may be the secret and distinguishes all other codes is optimal.
    let perfect = 2 * codes.len() as u64 - 1;
    while ahead.spent < MAX_LOOKUPS && least > perfect {
        ahead.spent += codes.len() as u64 / 4;
        let Some(change) = tally.draw_change(rules, rng) else { continue };
        let next = scorer.value_after(&tally, change);
        if next < value - MAX_ENTROPY_LOSS {
            continue;
        }
        let cost = ahead.cost(&tally, Some(change));
        if cost < least || (cost == least && next >= value) {
            tally.apply(change);
            (least, value) = (cost, next);
        }
    }
    tally.code().clone()
}

/// Computes the total number of guesses after a guess, from the feedback of all remaining codes to
/// each other.
struct LookAhead {
    pegs: usize,
    count: usize,
    /// Feedback index of each code to each other one, at `guess · count + secret`.
    feedback: Vec<u16>,
    /// `c·log₂ c` at index c, for the entropy.
    terms: Vec<f32>,
    /// Number of codes with each feedback index; all zero between two evaluations.
    counts: Vec<u16>,
    /// Number of feedbacks looked up so far, at most about [`MAX_LOOKUPS`].
    spent: u64,
}

impl LookAhead {
    fn new(rules: &Mastermind, lanes: &CodeLanes, codes: &[Code]) -> Self {
        let (pegs, count) = (rules.pegs, codes.len());
        let mut feedback = Vec::with_capacity(count * count);
        for code in codes {
            let tally = CodePegCounts::new(rules, lanes, code.clone(), std::iter::empty());
            tally.each(|black, common| feedback.push(feedback_index(pegs, black, common)));
        }
        let terms = (0..=count).map(|c| c as f32 * (c.max(1) as f32).log2()).collect();
        LookAhead {
            pegs,
            count,
            feedback,
            terms,
            counts: vec![0; PegFeedback::index_count(pegs)],
            spent: 0,
        }
    }

    /// Returns the total number of guesses, this one included, that are needed to find each of the
    /// codes; `change`, if given, is assumed to be made to the guess.
    fn cost(&mut self, guess: &CodePegCounts<'_>, change: Option<CodeChange>) -> u64 {
        let (pegs, mut keyed) = (self.pegs, Vec::with_capacity(self.count + 8));
        let key = |black, common| {
            let code = keyed.len() as u32;
            keyed.push(u32::from(feedback_index(pegs, black, common)) << 16 | code);
        };
        match change {
            None => guess.each(key),
            Some(change) => guess.each_after(change, key),
        }
        self.spent += self.count as u64;
        self.split(&mut keyed[..self.count])
    }

    /// Returns the total number of guesses needed to find each of the codes after one guess: one
    /// for each code, plus the cost of each class of codes with equal feedback, except that of the
    /// guess itself. Each entry of `keyed` holds the index of a code's feedback in its upper 16
    /// bits and the code in its lower 16 bits.
    fn split(&mut self, keyed: &mut [u32]) -> u64 {
        keyed.sort_unstable();
        let solved = self.counts.len() as u32 - 1;
        let mut cost = keyed.len() as u64;
        for class in keyed.chunk_by(|one, other| one >> 16 == other >> 16) {
            if class[0] >> 16 != solved {
                let codes: Vec<u16> = class.iter().map(|&key| key as u16).collect();
                cost += self.class_cost(&codes);
            }
        }
        cost
    }

    /// Returns the sum, over all codes of `set`, of the number of guesses that find the code if every
    /// guess is the one chosen by [`Self::best`].
    fn class_cost(&mut self, set: &[u16]) -> u64 {
        if set.len() <= 2 {
            return [0, 1, 3][set.len()];
        }
        let guess = self.best(set);
        let from = usize::from(guess) * self.count;
        let mut keyed: Vec<u32> = set
            .iter()
            .map(|&code| u32::from(self.feedback[from + usize::from(code)]) << 16 | u32::from(code))
            .collect();
        self.split(&mut keyed)
    }

    /// Returns the code of a set, among its first [`MAX_CANDIDATES`], whose feedback has the
    /// largest entropy over the set.
    fn best(&mut self, set: &[u16]) -> u16 {
        let (mut best, mut min) = (set[0], f32::INFINITY);
        for &guess in set.iter().take(MAX_CANDIDATES) {
            let row = &self.feedback[usize::from(guess) * self.count..][..self.count];
            for &code in set {
                self.counts[usize::from(row[usize::from(code)])] += 1;
            }
            let mut sum = 0.0;
            for &code in set {
                let count = &mut self.counts[usize::from(row[usize::from(code)])];
                sum += self.terms[usize::from(*count)];
                *count = 0;
            }
            self.spent += set.len() as u64;
            if sum < min {
                (best, min) = (guess, sum);
            }
            if sum == 0.0 {
                break;
            }
        }
        best
    }
}

/// Returns the index of the feedback with these numbers of black pegs, and of black and white pegs
/// together.
pub(super) fn feedback_index(pegs: usize, black: i16, common: i16) -> u16 {
    PegFeedback { black: black as u16, white: (common - black) as u16 }.index(pegs) as u16
}

#[cfg(test)]
mod tests {
    use super::super::guess_choice::SampleCoverage;
    use super::*;
    use ludion_core::riddle::Riddle;

    fn cost_of(rules: &Mastermind, codes: &[Code], guess: &Code) -> u64 {
        let lanes = CodeLanes::new(rules, codes.iter());
        let tally = CodePegCounts::new(rules, &lanes, guess.clone(), std::iter::empty());
        LookAhead::new(rules, &lanes, codes).cost(&tally, None)
    }

    #[test]
    fn the_cost_is_close_to_that_of_the_optimal_strategy() {
        // The optimal strategy for 4 pegs and 6 colours needs 5625 guesses, and 5626 after 1122.
        let rules = Mastermind::new(4, 6, true).unwrap();
        let codes: Vec<Code> = rules.codes().collect();
        let cost = cost_of(&rules, &codes, &vec![0, 0, 1, 1]);
        assert!((5626..5850).contains(&cost), "{cost}");
    }

    #[test]
    fn codes_that_a_guess_distinguishes_need_one_more_guess_each() {
        let rules = Mastermind::new(3, 4, true).unwrap();
        let codes = vec![vec![0, 0, 0], vec![0, 1, 1], vec![2, 2, 2]];
        assert_eq!(cost_of(&rules, &codes, &codes[1]), 1 + 2 + 2);
        assert_eq!(cost_of(&rules, &codes, &vec![1, 0, 0]), 2 + 2 + 2);
        assert_eq!(cost_of(&rules, &codes, &vec![3, 3, 3]), 3 + (1 + 2 + 2));
    }

    #[test]
    fn an_improved_guess_never_costs_more() {
        let rules = Mastermind::new(5, 6, true).unwrap();
        let mut rng = Rng::new(4);
        for _ in 0..10 {
            let codes: Vec<Code> = (0..60).map(|_| rules.draw_secret(&mut rng)).collect();
            let lanes = CodeLanes::new(&rules, codes.iter());
            let start = rules.draw_secret(&mut rng);
            let tally = CodePegCounts::new(&rules, &lanes, start.clone(), std::iter::empty());
            let mut scorer = SampleScorer::new(rules, &lanes, SampleCoverage::Complete);
            let better = improve(&rules, &lanes, &codes, tally, &mut scorer, &mut rng);
            let (before, after) =
                (cost_of(&rules, &codes, &start), cost_of(&rules, &codes, &better));
            assert!(after < before, "{after} {before}");
        }
    }
}
