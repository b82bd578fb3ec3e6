//! What a guess costs when the game is played to its end. Where all codes that are left are
//! listed, the questions that all of them need together can be counted, if later guesses are
//! chosen simply: by entropy, among the codes that are left then. Bits are blind to what the
//! last guesses are about: that three codes need 5 questions together and two need 3.

use super::super::super::{Code, Mastermind, PegFeedback};
use super::choice::SampleScorer;
use super::lanes::{CodeChange, CodeCounts, CodeLanes};
use crate::random::Rng;

/// Answers that may be looked up to think ahead.
const BUDGET: u64 = 2_000_000;
/// Most codes left that are compared with each other.
pub(super) const MOST: usize = 1000;
/// Of larger classes only so many codes are tried as the next guess.
const TRIED: usize = 48;
/// A change that costs more bits is not followed to the end.
const SLACK: f64 = 0.1;

/// Goes on from a guess by small changes, as long as they save questions. The lanes hold all
/// codes that are left.
pub(super) fn improve(
    rules: &Mastermind,
    lanes: &CodeLanes,
    codes: &[Code],
    mut tally: CodeCounts<'_>,
    judge: &mut SampleScorer<'_>,
    rng: &mut Rng,
) -> Code {
    let mut ahead = LookAhead::new(rules, lanes, codes);
    let (mut least, mut worth) = (ahead.cost(&tally, None), judge.worth(&tally));
    // Nothing is better than a guess that may be the code and tells all others apart.
    let perfect = 2 * codes.len() as u64 - 1;
    while ahead.spent < BUDGET && least > perfect {
        ahead.spent += codes.len() as u64 / 4;
        let Some(change) = tally.draw_change(rules, rng) else { continue };
        let next = judge.worth_after(&tally, change);
        if next < worth - SLACK {
            continue;
        }
        let cost = ahead.cost(&tally, Some(change));
        if cost < least || (cost == least && next >= worth) {
            tally.make(change);
            (least, worth) = (cost, next);
        }
    }
    tally.code().clone()
}

/// The answers of all codes that are left to each other.
struct LookAhead {
    pegs: usize,
    count: usize,
    /// By guess and secret, the number of the answer.
    answers: Vec<u16>,
    /// c·log2 c.
    terms: Vec<f32>,
    /// How often each answer comes; all zero between two counts.
    counts: Vec<u16>,
    /// Answers looked up so far.
    spent: u64,
}

impl LookAhead {
    fn new(rules: &Mastermind, lanes: &CodeLanes, codes: &[Code]) -> Self {
        let (pegs, count) = (rules.pegs, codes.len());
        let mut answers = Vec::with_capacity(count * count);
        for code in codes {
            let tally = CodeCounts::new(rules, lanes, code.clone(), std::iter::empty());
            tally.each(|black, common| answers.push(number(pegs, black, common)));
        }
        let terms = (0..=count).map(|c| c as f32 * (c.max(1) as f32).log2()).collect();
        LookAhead {
            pegs,
            count,
            answers,
            terms,
            counts: vec![0; PegFeedback::kinds(pegs)],
            spent: 0,
        }
    }

    /// The questions that all codes need together after this guess, perhaps changed.
    fn cost(&mut self, guess: &CodeCounts<'_>, change: Option<CodeChange>) -> u64 {
        let (pegs, mut keyed) = (self.pegs, Vec::with_capacity(self.count + 8));
        let key = |black, common| {
            let code = keyed.len() as u32;
            keyed.push(u32::from(number(pegs, black, common)) << 16 | code);
        };
        match change {
            None => guess.each(key),
            Some(change) => guess.each_after(change, key),
        }
        self.spent += self.count as u64;
        self.split(&mut keyed[..self.count])
    }

    /// One question for each code, and what those in each class need then; nothing more for the
    /// one that was guessed. Codes come with their answers above them.
    fn split(&mut self, keyed: &mut [u32]) -> u64 {
        keyed.sort_unstable();
        let solved = self.counts.len() as u32 - 1;
        let mut cost = keyed.len() as u64;
        for class in keyed.chunk_by(|one, other| one >> 16 == other >> 16) {
            if class[0] >> 16 != solved {
                let codes: Vec<u16> = class.iter().map(|&key| key as u16).collect();
                cost += self.finish(&codes);
            }
        }
        cost
    }

    /// The questions that the codes of a set need together.
    fn finish(&mut self, set: &[u16]) -> u64 {
        if set.len() <= 2 {
            return [0, 1, 3][set.len()];
        }
        let guess = self.best(set);
        let from = usize::from(guess) * self.count;
        let mut keyed: Vec<u32> = set
            .iter()
            .map(|&code| u32::from(self.answers[from + usize::from(code)]) << 16 | u32::from(code))
            .collect();
        self.split(&mut keyed)
    }

    /// The code of a set whose answer says most.
    fn best(&mut self, set: &[u16]) -> u16 {
        let (mut best, mut least) = (set[0], f32::INFINITY);
        for &guess in set.iter().take(TRIED) {
            let row = &self.answers[usize::from(guess) * self.count..][..self.count];
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
            if sum < least {
                (best, least) = (guess, sum);
            }
            if sum == 0.0 {
                break;
            }
        }
        best
    }
}

/// The number of an answer by its black pegs and those in common.
pub(super) fn number(pegs: usize, black: i16, common: i16) -> u16 {
    PegFeedback { black: black as u16, white: (common - black) as u16 }.index(pegs) as u16
}

#[cfg(test)]
mod tests {
    use super::super::choice::CodesLeft;
    use super::*;
    use crate::riddle::Riddle;

    fn cost_of(rules: &Mastermind, codes: &[Code], guess: &Code) -> u64 {
        let lanes = CodeLanes::new(rules, codes.iter());
        let tally = CodeCounts::new(rules, &lanes, guess.clone(), std::iter::empty());
        LookAhead::new(rules, &lanes, codes).cost(&tally, None)
    }

    #[test]
    fn a_game_played_to_its_end_costs_little_more_than_the_best_one() {
        // Of all ways to break 4 pegs of 6 colours the best needs 5625 questions in all, and
        // 5626 after 1122.
        let rules = Mastermind::new(4, 6, true).unwrap();
        let codes: Vec<Code> = rules.codes().collect();
        let cost = cost_of(&rules, &codes, &vec![0, 0, 1, 1]);
        assert!((5626..5850).contains(&cost), "{cost}");
    }

    #[test]
    fn codes_that_a_guess_tells_apart_need_one_question_more_each() {
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
            let tally = CodeCounts::new(&rules, &lanes, start.clone(), std::iter::empty());
            let mut judge = SampleScorer::new(rules, &lanes, CodesLeft::All);
            let better = improve(&rules, &lanes, &codes, tally, &mut judge, &mut rng);
            let (before, after) =
                (cost_of(&rules, &codes, &start), cost_of(&rules, &codes, &better));
            assert!(after < before, "{after} {before}");
        }
    }
}
