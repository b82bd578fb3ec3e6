//! Breaking of codes that are too large for a search: the pegs are divided into intervals, of which
//! the amounts of all colours are known, and the intervals into halves until the code is known.
//!
//! First the amounts in the whole code: a guess with colour i on the left half and colour i + 1 on the
//! right half tells, by its black and white pegs together, the amount of one from that of the other,
//! and by its black pegs how they are divided between the halves. Then every interval is halved in the
//! same way. A guess asks about several intervals, and about two colours of an interval, at once: it
//! gets the sum of their black pegs. If the sum is neither the least nor the greatest possible, half of
//! the questions are asked again. So a code of n pegs needs about three quarters of n guesses each
//! time that all intervals are halved, which is log₂ n times.
//!
//! The guesses follow from the answers, so no state is kept: all questions are repeated, and the first
//! one that has no answer yet is the next guess. Guesses of others are ignored until the code is known.

use std::collections::HashMap;

use super::super::super::{Code, Mastermind, PegFeedback};
use super::super::{GuessAndFeedback, NoCodeLeftError};
use ludion_core::riddle::Riddle;

/// Maximum number of questions of one guess.
const MAX_QUESTIONS: usize = 4;

/// Returns the next guess after this history, for rules that allow colours to repeat.
///
/// # Errors
/// Returns an error if no code is consistent with the history.
pub(super) fn next_guess(
    rules: &Mastermind,
    history: &[GuessAndFeedback],
) -> Result<Code, NoCodeLeftError> {
    let answers = history.iter().map(|(guess, feedback)| (guess.as_slice(), *feedback)).collect();
    let code = match (Interview { rules, answers }).find_code() {
        Err(Interruption::Question(guess)) => return Ok(guess),
        Err(Interruption::Contradiction) => return Err(NoCodeLeftError),
        Ok(code) => code,
    };
    let fits = history.iter().all(|(guess, feedback)| rules.answer(&code, guess) == *feedback);
    if fits { Ok(code) } else { Err(NoCodeLeftError) }
}

/// Reasons why the code is not known yet.
enum Interruption {
    /// This guess has no answer yet.
    Question(Code),
    /// The answers contradict each other.
    Contradiction,
}

/// Consecutive pegs, of which the amount of each colour is known.
#[derive(Clone)]
struct Interval {
    start: usize,
    length: usize,
    /// The colours that occur, with their amounts.
    amounts: Vec<(u16, i32)>,
}

impl Interval {
    fn left(&self) -> usize {
        self.length.div_ceil(2)
    }
}

/// A question about an interval: a sum of amounts of colours in its halves.
#[derive(Clone, Copy)]
enum HalfQuestion {
    /// Amount of the colour with this index in the left half.
    Left(usize),
    /// Amount of the colour with this index in the right half.
    Right(usize),
    /// Amount of the colour with this index in the left half plus that of the next colour in the right
    /// half, for an interval in which all colours occur.
    Both(usize),
}

/// A question about one of the intervals, with the least and the greatest possible answer.
#[derive(Clone, Copy)]
struct RangedQuestion {
    interval: usize,
    question: HalfQuestion,
    range: (i32, i32),
}

/// The questions asked so far and their answers.
struct Interview<'a> {
    rules: &'a Mastermind,
    answers: HashMap<&'a [u16], PegFeedback>,
}

impl Interview<'_> {
    /// Returns the answer to a guess, or the guess as an interruption if it has none.
    fn ask(&self, guess: Code) -> Result<PegFeedback, Interruption> {
        self.answers.get(guess.as_slice()).copied().ok_or(Interruption::Question(guess))
    }

    fn find_code(&self) -> Result<Code, Interruption> {
        let mut intervals = self.find_amounts()?;
        let mut code = vec![0; self.rules.pegs];
        while !intervals.is_empty() {
            intervals.retain(|interval| match interval.amounts[..] {
                [(colour, _)] => {
                    code[interval.start..][..interval.length].fill(colour);
                    false
                }
                _ => true,
            });
            intervals = self.halve(&intervals, &code)?;
        }
        Ok(code)
    }

    /// Returns the halves of the whole code with the amounts of their colours.
    fn find_amounts(&self) -> Result<Vec<Interval>, Interruption> {
        let (pegs, colours) = (self.rules.pegs, self.rules.colours as u16);
        let left = pegs.div_ceil(2);
        let right = (pegs - left) as i32;
        let mut amounts = vec![self.amount(0)?];
        // The amounts in the left half, minus that of the first colour.
        let mut lefts = vec![0];
        while amounts.iter().sum::<i32>() < pegs as i32 || lefts.len() == 1 && colours > 1 {
            let (colour, last) = (amounts.len() as u16 - 1, amounts[amounts.len() - 1]);
            if colour + 1 == colours {
                return Err(Interruption::Contradiction);
            }
            let mut guess = vec![colour + 1; pegs];
            guess[..left].fill(colour);
            let feedback = self.ask(guess)?;
            let (black, common) = (i32::from(feedback.black), i32::from(feedback.white));
            let mut next = black + common - last.min(left as i32);
            if next >= right {
                next = self.amount(colour + 1)?;
            }
            if next < 0 {
                return Err(Interruption::Contradiction);
            }
            lefts.push(lefts[lefts.len() - 1] + next - black);
            amounts.push(next);
        }
        let colours = amounts.iter().zip(0_u16..).map(|(&amount, colour)| (colour, amount));
        let whole = Interval { start: 0, length: pegs, amounts: colours.collect() };
        split(&whole, &shift_to_sum(lefts, left)?)
    }

    /// Returns the amount of a colour in the whole code.
    fn amount(&self, colour: u16) -> Result<i32, Interruption> {
        self.ask(vec![colour; self.rules.pegs]).map(|feedback| i32::from(feedback.black))
    }

    /// Returns the halves of all intervals; the pegs outside them are those of `code`.
    fn halve(&self, intervals: &[Interval], code: &Code) -> Result<Vec<Interval>, Interruption> {
        let mut lists: Vec<Vec<RangedQuestion>> =
            intervals.iter().enumerate().map(|(i, interval)| self.questions(i, interval)).collect();
        let mut answers: Vec<Vec<i32>> = vec![Vec::new(); intervals.len()];
        lists.iter_mut().for_each(|list| list.reverse());
        loop {
            let group = next_group(&mut lists);
            if group.is_empty() {
                break;
            }
            let mut found = Vec::new();
            self.resolve((intervals, code), &group, None, &mut found)?;
            for (question, answer) in group.iter().zip(found) {
                answers[question.interval].push(answer);
            }
        }
        let mut halves = Vec::new();
        for (i, interval) in intervals.iter().enumerate() {
            halves.extend(split(interval, &self.left_amounts(interval, &answers[i])?)?);
        }
        Ok(halves)
    }

    /// Returns the questions that determine the amounts in the halves of an interval.
    fn questions(&self, interval: usize, pegs: &Interval) -> Vec<RangedQuestion> {
        let (left, right) = (pegs.left() as i32, (pegs.length - pegs.left()) as i32);
        let in_left = |amount: i32| ((amount - right).max(0), amount.min(left));
        let in_right = |amount: i32| ((amount - left).max(0), amount.min(right));
        let known = pegs.amounts.len() - 1;
        let question = |at: usize| {
            let amount = pegs.amounts[at].1;
            let (question, range) = if self.absent_colour(pegs).is_none() {
                let (a, b) = (in_left(amount), in_right(pegs.amounts[at + 1].1));
                (HalfQuestion::Both(at), (a.0 + b.0, a.1 + b.1))
            } else if at.is_multiple_of(2) {
                (HalfQuestion::Left(at), in_left(amount))
            } else {
                (HalfQuestion::Right(at), in_right(amount))
            };
            RangedQuestion { interval, question, range }
        };
        (0..known).map(question).collect()
    }

    /// Returns the smallest colour that does not occur in an interval, if there is one.
    fn absent_colour(&self, pegs: &Interval) -> Option<u16> {
        let occurs = |colour: &u16| pegs.amounts.iter().any(|(other, _)| other == colour);
        (0..self.rules.colours as u16).find(|colour| !occurs(colour))
    }

    /// Appends the answers to the questions of a group, of which the sum may be known already.
    fn resolve(
        &self,
        known: (&[Interval], &Code),
        group: &[RangedQuestion],
        sum: Option<i32>,
        found: &mut Vec<i32>,
    ) -> Result<(), Interruption> {
        let least: i32 = group.iter().map(|question| question.range.0).sum();
        let greatest: i32 = group.iter().map(|question| question.range.1).sum();
        let sum = match sum {
            Some(sum) => sum,
            None if least == greatest => least,
            None => self.ask_sum(known, group)?,
        };
        if !(least..=greatest).contains(&sum) {
            return Err(Interruption::Contradiction);
        }
        match group {
            [_] => found.push(sum),
            _ if sum == least => found.extend(group.iter().map(|question| question.range.0)),
            _ if sum == greatest => found.extend(group.iter().map(|question| question.range.1)),
            _ => {
                let (first, second) = group.split_at(group.len() / 2);
                let before = found.len();
                self.resolve(known, first, None, found)?;
                let rest = sum - found[before..].iter().sum::<i32>();
                self.resolve(known, second, Some(rest), found)?;
            }
        }
        Ok(())
    }

    /// Asks the questions of a group by one guess, and returns the sum of their answers.
    fn ask_sum(
        &self,
        (intervals, code): (&[Interval], &Code),
        group: &[RangedQuestion],
    ) -> Result<i32, Interruption> {
        let mut guess = code.clone();
        let mut known = self.rules.pegs as i32;
        for (i, pegs) in intervals.iter().enumerate() {
            known -= pegs.length as i32;
            let absent = self.absent_colour(pegs);
            let filler = absent.unwrap_or(pegs.amounts[0].0);
            let (mut left, mut right) = (filler, filler);
            let mut is_asked = false;
            for question in group.iter().filter(|question| question.interval == i) {
                is_asked = true;
                match question.question {
                    HalfQuestion::Left(at) => left = pegs.amounts[at].0,
                    HalfQuestion::Right(at) => right = pegs.amounts[at].0,
                    HalfQuestion::Both(at) => {
                        (left, right) = (pegs.amounts[at].0, pegs.amounts[at + 1].0);
                    }
                }
            }
            if !is_asked && absent.is_none() {
                known += pegs.amounts[0].1;
            }
            let (left_pegs, right_pegs) =
                guess[pegs.start..][..pegs.length].split_at_mut(pegs.left());
            left_pegs.fill(left);
            right_pegs.fill(right);
        }
        self.ask(guess).map(|feedback| i32::from(feedback.black) - known)
    }

    /// Returns the amount of each colour in the left half of an interval from the answers to its
    /// questions.
    fn left_amounts(&self, pegs: &Interval, answers: &[i32]) -> Result<Vec<i32>, Interruption> {
        let mut lefts = Vec::with_capacity(pegs.amounts.len());
        if self.absent_colour(pegs).is_none() {
            lefts.push(0);
            for (at, answer) in answers.iter().enumerate() {
                lefts.push(lefts[at] + pegs.amounts[at + 1].1 - answer);
            }
            return shift_to_sum(lefts, pegs.left());
        }
        for (at, answer) in answers.iter().enumerate() {
            lefts.push(if at.is_multiple_of(2) { *answer } else { pegs.amounts[at].1 - answer });
        }
        lefts.push(pegs.left() as i32 - lefts.iter().sum::<i32>());
        Ok(lefts)
    }
}

/// Adds the same number to all amounts, so that their sum is `sum`.
fn shift_to_sum(mut amounts: Vec<i32>, sum: usize) -> Result<Vec<i32>, Interruption> {
    let (missing, all) = (sum as i32 - amounts.iter().sum::<i32>(), amounts.len() as i32);
    if missing % all != 0 {
        return Err(Interruption::Contradiction);
    }
    amounts.iter_mut().for_each(|amount| *amount += missing / all);
    Ok(amounts)
}

/// Returns both halves of an interval, given the amount of each colour in the left one.
fn split(pegs: &Interval, lefts: &[i32]) -> Result<Vec<Interval>, Interruption> {
    let half = |start, length: usize, amount: &dyn Fn(usize) -> i32| {
        let amounts: Vec<(u16, i32)> = pegs
            .amounts
            .iter()
            .enumerate()
            .map(|(at, (colour, _))| (*colour, amount(at)))
            .collect();
        let sum: i32 = amounts.iter().map(|(_, amount)| amount).sum();
        if sum != length as i32 || amounts.iter().any(|(_, amount)| *amount < 0) {
            return Err(Interruption::Contradiction);
        }
        let amounts = amounts.into_iter().filter(|(_, amount)| *amount > 0).collect();
        Ok(Interval { start, length, amounts })
    };
    let left = pegs.left();
    let mut halves = vec![half(pegs.start, left, &|at| lefts[at])?];
    if pegs.length > left {
        let right = |at: usize| pegs.amounts[at].1 - lefts[at];
        halves.push(half(pegs.start + left, pegs.length - left, &right)?);
    }
    Ok(halves)
}

/// Takes the next questions that one guess can ask from the ends of the lists, one list for each
/// interval; the longest lists come first.
fn next_group(lists: &mut [Vec<RangedQuestion>]) -> Vec<RangedQuestion> {
    let mut order: Vec<usize> = (0..lists.len()).filter(|&list| !lists[list].is_empty()).collect();
    order.sort_by_key(|&list| std::cmp::Reverse(lists[list].len()));
    let mut group: Vec<RangedQuestion> = Vec::new();
    for list in order {
        let list = &mut lists[list];
        while let Some(question) = list.last().copied() {
            let other_half = matches!(question.question, HalfQuestion::Right(_))
                && group.last().is_some_and(|last| last.interval == question.interval);
            let is_first = group.last().is_none_or(|last| last.interval != question.interval);
            if group.len() == MAX_QUESTIONS || !(is_first || other_half) {
                break;
            }
            group.push(question);
            list.pop();
        }
        if group.len() == MAX_QUESTIONS {
            break;
        }
    }
    group
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludion_core::random::Rng;

    /// Returns the number of guesses that find a secret.
    fn play(rules: &Mastermind, secret: &Code) -> usize {
        let mut history = Vec::new();
        loop {
            let guess = next_guess(rules, &history).unwrap();
            assert!(history.iter().all(|(other, _)| *other != guess), "a guess comes twice");
            let feedback = rules.answer(secret, &guess);
            history.push((guess, feedback));
            if rules.solved(feedback) {
                return history.len();
            }
        }
    }

    #[test]
    fn every_code_of_small_rules_is_found() {
        for (pegs, colours) in [(1, 1), (2, 3), (5, 3), (4, 4), (7, 2), (3, 6)] {
            let rules = Mastermind::new(pegs, colours, true).unwrap();
            rules.codes().for_each(|secret| assert!(play(&rules, &secret) <= pegs * colours + 2));
        }
    }

    #[test]
    fn large_codes_need_about_three_quarters_of_n_log_n_guesses() {
        let mut rng = Rng::new(1);
        for (pegs, colours, most) in [(256, 2, 250), (200, 3, 300), (100, 100, 600), (40, 256, 500)]
        {
            let rules = Mastermind::new(pegs, colours, true).unwrap();
            let guesses = play(&rules, &rules.draw_secret(&mut rng));
            assert!(guesses < most, "{pegs} {colours}: {guesses}");
        }
    }

    #[test]
    fn contradictory_answers_are_noticed() {
        let rules = Mastermind::new(60, 60, true).unwrap();
        let secret = rules.draw_secret(&mut Rng::new(2));
        let mut history: Vec<GuessAndFeedback> = Vec::new();
        let result = loop {
            match next_guess(&rules, &history) {
                Ok(guess) => {
                    let mut feedback = rules.answer(&secret, &guess);
                    if history.len() == 10 {
                        feedback.black += 1;
                    }
                    history.push((guess, feedback));
                }
                Err(error) => break error,
            }
            assert!(history.len() < 600);
        };
        assert_eq!(result, NoCodeLeftError);
    }
}
