//! What to do next when the secret is elsewhere and somebody reports its answers, right or wrong:
//! a guess, or which of the answers contradict each other.

use serde::Serialize;

use super::super::{Code, Mastermind};
use super::codes::CodeTable;
use super::conflict::{Consistency, judge, judge_listed, twice};
use super::{CodeBreaker, GuessAndFeedback};
use crate::riddle::Riddle;

/// What there is to do next.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Advice {
    /// The code was found by this question, from 0.
    Found(usize),
    /// Ask this.
    Guess(Code),
    /// Ask this, the nearest: no code was found that fits all answers, nor that there is none.
    Doubt(Code),
    /// Mend an answer.
    Conflict(Conflict),
}

/// Answers that no code fits together.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Conflict {
    /// Their numbers, from 1.
    pub questions: Vec<usize>,
    /// Whether it is proven that without any one of them the others can be right.
    pub smallest: bool,
}

impl std::fmt::Display for Conflict {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let numbers: Vec<String> = self.questions.iter().map(ToString::to_string).collect();
        match &numbers[..] {
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

/// What to do after these questions; `codes` are all codes, where they can be listed.
pub fn next(
    rules: &Mastermind,
    codes: Option<&CodeTable>,
    breaker: &mut dyn CodeBreaker,
    asked: &[GuessAndFeedback],
) -> Advice {
    if let Some(question) = asked.iter().position(|(_, answer)| rules.solved(*answer)) {
        let code = &asked[question].0;
        if asked.iter().all(|(guess, answer)| rules.answer(code, guess) == *answer) {
            return Advice::Found(question);
        }
    }
    // What is seen at once needs no search.
    if twice(asked).is_some() {
        return contradicted(rules, codes, None, asked);
    }
    let guess = breaker.guess(asked);
    match guess {
        Ok(guess) if !breaker.at_a_loss() => Advice::Guess(guess),
        guess => contradicted(rules, codes, guess.ok(), asked),
    }
}

/// What to do where the breaker knows of no code that fits, but perhaps of a guess.
pub fn contradicted(
    rules: &Mastermind,
    codes: Option<&CodeTable>,
    nearest: Option<Code>,
    asked: &[GuessAndFeedback],
) -> Advice {
    let verdict = match codes.filter(|_| asked.len() <= u128::BITS as usize) {
        Some(codes) => judge_listed(codes, asked),
        None => judge(rules, asked),
    };
    let conflict = |questions: Vec<usize>, smallest| {
        let questions = questions.iter().map(|question| question + 1).collect();
        Advice::Conflict(Conflict { questions, smallest })
    };
    match (verdict, nearest) {
        (Consistency::Conflict { questions, smallest }, _) => conflict(questions, smallest),
        (Consistency::Fits(code), _) => Advice::Guess(code),
        (Consistency::Undecided, Some(nearest)) => Advice::Doubt(nearest),
        // The breaker has looked at all codes.
        (Consistency::Undecided, None) => conflict((0..asked.len()).collect(), false),
    }
}

#[cfg(test)]
mod tests {
    use super::super::strategy::strategy;
    use super::*;

    #[test]
    fn advice_leads_to_the_code_and_names_the_answer_that_cannot_be() {
        let rules = Mastermind::new(4, 6, true).unwrap();
        let codes = CodeTable::list(&rules).unwrap();
        let mut breaker = (strategy("entropy", &rules).unwrap().build)(&rules).unwrap();
        let secret = rules.read_code("3662").unwrap();
        let mut asked: Vec<GuessAndFeedback> = Vec::new();
        let question = loop {
            match next(&rules, Some(&codes), &mut *breaker, &asked) {
                Advice::Guess(guess) => asked.push((guess.clone(), rules.answer(&secret, &guess))),
                Advice::Found(question) => break question,
                other => panic!("{other:?}"),
            }
        };
        assert_eq!(asked[question].0, secret);
        // The same answers with the first one wrong exclude the code that was found.
        asked[0].1 = rules.read_answer("4w").unwrap();
        let Advice::Conflict(conflict) = next(&rules, Some(&codes), &mut *breaker, &asked) else {
            panic!("1234 with four whites is not 3662")
        };
        assert!(conflict.smallest && conflict.questions.contains(&1), "{conflict}");
        let alone = Conflict { questions: vec![2], smallest: true };
        assert_eq!(alone.to_string(), "no code fits answer 2");
        let both = Conflict { questions: vec![1, 3], smallest: false };
        let words = "no code fits answers 1 and 3 together; perhaps fewer are enough";
        assert_eq!(both.to_string(), words);
    }
}
