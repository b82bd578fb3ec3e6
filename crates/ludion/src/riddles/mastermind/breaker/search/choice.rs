//! Which code to guess: the one whose answer says most.
//!
//! Over a sample of the consistent codes (or all of them) a guess has an answer each; its worth
//! is the entropy of these answers in bits, and a little more when it may be the secret itself.
//! The consistent codes are tried first; from the best of them small changes lead uphill, also to
//! codes that are known not to be the secret.

use super::super::super::{Answer, Code, Mastermind};
use super::lanes::{Change, Lanes, Tally};
use crate::random::Rng;

/// What the search for a guess may cost.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Effort {
    /// Most consistent codes against which guesses are judged.
    pub(super) sample: usize,
    /// Answers counted to choose among consistent codes.
    pub(super) compared: usize,
    /// Answers counted on the way uphill.
    pub(super) climbed: usize,
}

/// How the guesses that a set of codes still needs grow with its bits: `(1 + log2 n)^GROWTH` is 1
/// for one code, 1.5 for two, and 5.3 for the 2¹⁵ codes of 5 pegs and 8 colours.
const GROWTH: f64 = 0.6;

/// Worths of guesses over a sample.
pub(super) struct Judge<'a> {
    rules: Mastermind,
    hit: f64,
    lanes: &'a Lanes,
    /// What a part of so many codes of the sample costs, times their number.
    costs: Vec<f64>,
    /// How often each answer comes.
    parts: Vec<u32>,
}

impl<'a> Judge<'a> {
    /// A judge by all codes of the lanes, which stand for `all` consistent ones, when they were
    /// counted.
    pub(super) fn new(rules: Mastermind, lanes: &'a Lanes, all: Option<u64>) -> Self {
        let env = |name: &str, d: f64| std::env::var(name).ok().and_then(|v| v.parse().ok()).unwrap_or(d);
        let (hit, growth) = (env("HIT", 3.0), env("GROWTH", 1.0));
        // Of how many codes one of the sample speaks; of very many when they were not counted.
        let each = all.map(|all| all as f64 / lanes.count() as f64);
        let cost = |c: usize| match each {
            None => c as f64 * (c.max(1) as f64).log2(),
            Some(each) => c as f64 * (hit + (c as f64 * each).max(1.0).log2().powf(growth)),
        };
        let costs = (0..=lanes.count()).map(cost).collect();
        Judge { rules, lanes, hit: if all.is_some() { hit } else { 0.0 }, costs, parts: vec![0; Answer::kinds(rules.pegs)] }
    }

    fn tally(&self, code: Code) -> Tally<'a> {
        Tally::new(&self.rules, self.lanes, code, std::iter::empty())
    }

    /// Counts an answer by its black pegs and those in common.
    fn count(parts: &mut [u32], pegs: usize, black: i16, common: i16) {
        let answer = Answer { black: black as u16, white: (common - black) as u16 };
        parts[answer.index(pegs)] += 1;
    }

    /// The worth of a guess.
    pub(super) fn worth_of(&mut self, code: &Code) -> f64 {
        let tally = self.tally(code.clone());
        self.worth(&tally)
    }

    fn worth(&mut self, tally: &Tally<'_>) -> f64 {
        let (parts, pegs) = (&mut self.parts, self.rules.pegs);
        tally.each(|black, common| Judge::count(parts, pegs, black, common));
        self.drain()
    }

    fn worth_after(&mut self, tally: &Tally<'_>, change: Change) -> f64 {
        let (parts, pegs, mut left) = (&mut self.parts, self.rules.pegs, self.lanes.count());
        tally.each_after(change, |black, common| {
            if left > 0 {
                Judge::count(parts, pegs, black, common);
                left -= 1;
            }
        });
        self.drain()
    }

    /// The mean cost of the parts, negated; they are empty afterwards.
    fn drain(&mut self) -> f64 {
        let count = self.lanes.count() as f64;
        // Codes that would be found by the guess itself cost nothing more.
        let mut sum = -self.hit * f64::from(self.parts.last().copied().unwrap_or(0));
        for part in &mut self.parts {
            sum += self.costs[*part as usize];
            *part = 0;
        }
        -sum / count
    }
}

/// The code to guess when these are consistent, of which there are `all` when that is known.
pub(super) fn choose(
    rules: Mastermind,
    codes: &[Code],
    all: Option<u64>,
    effort: Effort,
    rng: &mut Rng,
) -> Option<Code> {
    if codes.len() <= 2 {
        return codes.first().cloned();
    }
    let lanes = Lanes::new(&rules, codes.iter().take(effort.sample));
    let mut judge = Judge::new(rules, &lanes, all);
    let candidates = (effort.compared / lanes.count()).max(1);
    let mut best: Option<(Tally<'_>, f64)> = None;
    for code in codes.iter().take(candidates) {
        let tally = judge.tally(code.clone());
        let worth = judge.worth(&tally);
        if best.as_ref().is_none_or(|(_, most)| worth > *most) {
            best = Some((tally, worth));
        }
    }
    let (mut tally, mut worth) = best?;
    // A change that keeps the worth is taken too: plateaus are wide.
    for _ in 0..effort.climbed / lanes.count() {
        let Some(change) = tally.draw_change(&rules, rng) else { continue };
        let next = judge.worth_after(&tally, change);
        if next > worth {
            tally.make(change);
            worth = next;
        }
    }
    Some(tally.code().clone())
}
