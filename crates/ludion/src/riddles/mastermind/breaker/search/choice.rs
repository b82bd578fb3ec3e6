//! Which code to guess: the one whose answer says most.
//!
//! Over a sample of the consistent codes (or all of them) a guess has an answer each; its worth
//! is the entropy of these answers in bits, and a little more when it may be the secret itself.
//! The consistent codes are tried first; from the best of them small changes lead uphill, also to
//! codes that are known not to be the secret. Where all codes that are left are at hand and not
//! many, what counts at the end are the questions they need together.

use super::super::super::{Code, Mastermind, PegFeedback};
use super::lanes::{CodeChange, CodeCounts, CodeLanes};
use super::look_ahead;
use crate::random::Rng;

/// What the search for a guess may cost.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct SearchEffort {
    /// Most consistent codes against which guesses are judged.
    pub(super) sample: usize,
    /// Answers counted to choose among consistent codes.
    pub(super) compared: usize,
    /// Answers counted on the way uphill.
    pub(super) climbed: usize,
}

/// What it is worth to be the secret, in bits: nearly the bits of the guess that is saved.
const HIT: f64 = 2.0;

/// Of how many codes the consistent ones at hand are a part.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum CodesLeft {
    /// They are all.
    All,
    /// There are not many others.
    Few,
    /// There are many others, or nobody knows.
    Many,
}

/// Worths of guesses over a sample.
pub(super) struct SampleScorer<'a> {
    rules: Mastermind,
    lanes: &'a CodeLanes,
    /// c·log2 c.
    terms: Vec<f64>,
    /// How often each answer comes.
    parts: Vec<u32>,
    /// What a code of the sample that the guess itself would find counts more.
    hit: f64,
}

impl<'a> SampleScorer<'a> {
    /// A judge by the codes of the lanes. Only where few are left it is worth something that a
    /// guess may be the secret.
    pub(super) fn new(rules: Mastermind, lanes: &'a CodeLanes, left: CodesLeft) -> Self {
        let term = |c: usize| c as f64 * (c.max(1) as f64).log2();
        let terms = (0..=lanes.count()).map(term).collect();
        let hit = if left == CodesLeft::Many { 0.0 } else { HIT };
        SampleScorer { rules, lanes, terms, parts: vec![0; PegFeedback::kinds(rules.pegs)], hit }
    }

    fn tally(&self, code: Code) -> CodeCounts<'a> {
        CodeCounts::new(&self.rules, self.lanes, code, std::iter::empty())
    }

    /// Counts an answer by its black pegs and those in common.
    fn count(parts: &mut [u32], pegs: usize, black: i16, common: i16) {
        let answer = PegFeedback { black: black as u16, white: (common - black) as u16 };
        parts[answer.index(pegs)] += 1;
    }

    /// The worth of a guess.
    pub(super) fn worth_of(&mut self, code: &Code) -> f64 {
        let tally = self.tally(code.clone());
        self.worth(&tally)
    }

    pub(super) fn worth(&mut self, tally: &CodeCounts<'_>) -> f64 {
        let (parts, pegs) = (&mut self.parts, self.rules.pegs);
        tally.each(|black, common| SampleScorer::count(parts, pegs, black, common));
        self.drain()
    }

    pub(super) fn worth_after(&mut self, tally: &CodeCounts<'_>, change: CodeChange) -> f64 {
        let (parts, pegs, mut left) = (&mut self.parts, self.rules.pegs, self.lanes.count());
        tally.each_after(change, |black, common| {
            if left > 0 {
                SampleScorer::count(parts, pegs, black, common);
                left -= 1;
            }
        });
        self.drain()
    }

    /// The worth of a guess that may be the secret and tells all codes apart.
    fn most(&self) -> f64 {
        self.hit / self.lanes.count() as f64
    }

    /// The entropy of the parts, less that of the whole, which is the same for all guesses; the
    /// parts are empty afterwards.
    fn drain(&mut self) -> f64 {
        let solved = self.parts.last().copied().unwrap_or(0);
        let mut sum = -self.hit * f64::from(solved);
        for part in &mut self.parts {
            sum += self.terms[*part as usize];
            *part = 0;
        }
        -sum / self.lanes.count() as f64
    }
}

/// The code to guess when these are consistent.
pub(super) fn choose(
    rules: Mastermind,
    codes: &[Code],
    left: CodesLeft,
    effort: SearchEffort,
    rng: &mut Rng,
) -> Option<Code> {
    if codes.len() <= 2 {
        return codes.first().cloned();
    }
    let lanes = CodeLanes::new(&rules, codes.iter().take(effort.sample));
    let mut judge = SampleScorer::new(rules, &lanes, left);
    let candidates = (effort.compared / lanes.count()).max(1);
    let mut best: Option<(CodeCounts<'_>, f64)> = None;
    for code in codes.iter().take(candidates) {
        let tally = judge.tally(code.clone());
        let worth = judge.worth(&tally);
        if best.as_ref().is_none_or(|(_, most)| worth > *most) {
            best = Some((tally, worth));
        }
    }
    let (mut tally, mut worth) = best?;
    for _ in 0..effort.climbed / lanes.count() {
        if worth >= judge.most() {
            break;
        }
        let Some(change) = tally.draw_change(&rules, rng) else { continue };
        let next = judge.worth_after(&tally, change);
        if next > worth {
            tally.make(change);
            worth = next;
        }
    }
    if left == CodesLeft::All && codes.len() <= look_ahead::MOST {
        return Some(look_ahead::improve(&rules, &lanes, codes, tally, &mut judge, rng));
    }
    Some(tally.code().clone())
}
