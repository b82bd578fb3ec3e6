//! Advice to a player whose feedback comes from outside and may contain errors: the next
//! guess, or which feedback is contradictory.

use serde::Serialize;

use super::super::{Code, Mastermind};
use super::codes::CodeTable;
use super::conflict::{ConsistencyResult, check_consistency, check_listed, repeated_guess};
use super::{CodeBreaker, GuessAndFeedback};
use ludion_core::riddle::Riddle;

/// The recommended next step of a player of Mastermind.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Advice {
    /// The secret was found by the guess with this index, from 0.
    Found(usize),
    /// Guess this code.
    Guess(Code),
    /// Guess this code, which contradicts the feedback least of the codes found; it is unknown
    /// whether any code is consistent with all feedback.
    UncertainGuess(Code),
    /// Correct the feedback, because no code is consistent with it.
    Conflict(FeedbackConflict),
}

/// Guesses whose feedback is contradictory: no code is consistent with all of it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct FeedbackConflict {
    /// Numbers, from 1, of the guesses with contradictory feedback.
    pub questions: Vec<usize>,
    /// Whether it is proven that the contradiction needs all these guesses: the feedback of any
    /// fewer of them is consistent with some code.
    pub smallest: bool,
}

impl std::fmt::Display for FeedbackConflict {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let indices: Vec<String> = self.questions.iter().map(ToString::to_string).collect();
        match &indices[..] {
            [] => write!(f, "no code fits"),
            [one] => write!(f, "no code fits answer {one}"),
            [rest @ .., last] => {
                let sure = if self.smallest {
                    "without any one of them the others can be right"
                } else {
                    "perhaps fewer are enough"
                };
                write!(f, "no code fits answers {} and {last} together; {sure}", rest.join(", "))
            }
        }
    }
}

/// Returns the advice after a history: that the secret is found, the next guess of `breaker`, or
/// which feedback is contradictory. `codes` lists all codes; it is `None` if there are too many.
pub fn advise(
    rules: &Mastermind,
    codes: Option<&CodeTable>,
    breaker: &mut dyn CodeBreaker,
    history: &[GuessAndFeedback],
) -> Advice {
    if let Some(index) = history.iter().position(|(_, feedback)| rules.solved(*feedback)) {
        let code = &history[index].0;
        if history.iter().all(|(guess, feedback)| rules.answer(code, guess) == *feedback) {
            return Advice::Found(index);
        }
    }
    // A guess repeated with different feedback is found without a search.
    if repeated_guess(history).is_some() {
        return advise_without_consistent_code(rules, codes, None, history);
    }
    let guess = breaker.guess(history);
    match guess {
        Ok(guess) if !breaker.no_consistent_code() => Advice::Guess(guess),
        guess => advise_without_consistent_code(rules, codes, guess.ok(), history),
    }
}

/// Returns the advice after a history for which a breaker found no consistent code. `nearest` is
/// the nearly consistent code that the breaker guessed instead, or `None` if it made no guess.
pub fn advise_without_consistent_code(
    rules: &Mastermind,
    codes: Option<&CodeTable>,
    nearest: Option<Code>,
    history: &[GuessAndFeedback],
) -> Advice {
    let verdict = match codes.filter(|_| history.len() <= u128::BITS as usize) {
        Some(codes) => check_listed(codes, history),
        None => check_consistency(rules, history),
    };
    let conflict = |questions: Vec<usize>, smallest| {
        let questions = questions.iter().map(|question| question + 1).collect();
        Advice::Conflict(FeedbackConflict { questions, smallest })
    };
    match (verdict, nearest) {
        (ConsistencyResult::Conflict { questions, smallest }, _) => conflict(questions, smallest),
        (ConsistencyResult::Fits(code), _) => Advice::Guess(code),
        (ConsistencyResult::Undecided, Some(nearest)) => Advice::UncertainGuess(nearest),
        // Without a guess, the breaker has examined all codes and found none consistent.
        (ConsistencyResult::Undecided, None) => conflict((0..history.len()).collect(), false),
    }
}

#[cfg(test)]
mod tests {
    use super::super::strategy::strategy;
    use super::*;

    #[test]
    fn advice_leads_to_the_secret_and_names_the_wrong_feedback() {
        let rules = Mastermind::new(4, 6, true).unwrap();
        let codes = CodeTable::new(&rules).unwrap();
        let mut breaker = (strategy("entropy", &rules).unwrap().build)(&rules).unwrap();
        let secret = rules.read_code("3662").unwrap();
        let mut history: Vec<GuessAndFeedback> = Vec::new();
        let question = loop {
            match advise(&rules, Some(&codes), &mut *breaker, &history) {
                Advice::Guess(guess) => {
                    history.push((guess.clone(), rules.answer(&secret, &guess)));
                }
                Advice::Found(question) => break question,
                other => panic!("{other:?}"),
            }
        };
        assert_eq!(history[question].0, secret);
        // The same feedback with the first one wrong excludes the secret.
        history[0].1 = rules.read_answer("4w").unwrap();
        let Advice::Conflict(conflict) = advise(&rules, Some(&codes), &mut *breaker, &history)
        else {
            panic!("1234 with four whites is not 3662")
        };
        assert!(conflict.smallest && conflict.questions.contains(&1), "{conflict}");
        let alone = FeedbackConflict { questions: vec![2], smallest: true };
        assert_eq!(alone.to_string(), "no code fits answer 2");
        let both = FeedbackConflict { questions: vec![1, 3], smallest: false };
        let words = "no code fits answers 1 and 3 together; perhaps fewer are enough";
        assert_eq!(both.to_string(), words);
    }
}
