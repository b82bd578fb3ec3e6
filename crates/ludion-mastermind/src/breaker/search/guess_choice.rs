//! Choice of the guess with the largest expected information.
//!
//! The value of a guess is the entropy of its feedback over a sample of the consistent codes (or
//! all of them) in bits, plus a bonus if it may be the secret. The consistent codes are tried
//! first; from the best of them, hill climbing by small changes also reaches inconsistent codes. If
//! all remaining codes are known and few, the total number of further guesses decides at the end.
//!
//! The first guess is chosen by the entropy of its feedback over random codes. By symmetry only the
//! multiplicities of its colours matter. With one colour, white pegs carry no information; with all
//! colours different, they count the colours of the secret, which hardly varies. The best guess
//! lies between, with two or three pegs per colour.

use super::super::super::{Code, Mastermind, PegFeedback};
use super::lanes::{CodeChange, CodeLanes, CodePegCounts};
use super::look_ahead;
use ludion_core::random::Rng;
use ludion_core::riddle::Riddle;

/// Limits of the computation that chooses one guess.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct SearchEffort {
    /// Maximum number of consistent codes against which guesses are scored.
    pub(super) sample: usize,
    /// Maximum number of feedbacks computed to compare consistent codes as guesses.
    pub(super) compared: usize,
    /// Maximum number of feedbacks computed in hill climbing from the best consistent code.
    pub(super) climbed: usize,
}

/// Bonus in bits for a guess that is the secret: about the information of the further guess that it
/// saves.
const HIT_BONUS: f64 = 2.0;

/// Pegs and colours together up to which the feedback of a code takes one unit of work.
const LARGE_SIZE: usize = 80;
/// Number of different feedbacks up to which the sum over them is not counted as work.
const LARGE_CLASSES: usize = 1000;

/// Share of the consistent codes that a sample contains.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum SampleCoverage {
    /// The sample contains all consistent codes.
    Complete,
    /// Codes may be missing: more are known to exist, or the search ended with fewer than it
    /// wanted.
    Incomplete,
    /// Many codes are probably missing: the search stopped because it had as many as it wanted.
    Partial,
}

/// Computes the values of guesses: the entropy of their feedback over a sample of consistent codes,
/// plus a bonus for guesses that may be the secret.
pub(super) struct SampleScorer<'a> {
    rules: Mastermind,
    lanes: &'a CodeLanes,
    /// `c·log₂ c` at index c, for the entropy.
    terms: Vec<f64>,
    /// Number of codes of the sample with each feedback index; all zero between two evaluations.
    parts: Vec<u32>,
    /// Bonus in bits for each code of the sample that equals the guess.
    hit: f64,
}

impl<'a> SampleScorer<'a> {
    /// Creates a scorer over the codes of the lanes; guesses that may be the secret get no bonus if
    /// the coverage is partial.
    pub(super) fn new(rules: Mastermind, lanes: &'a CodeLanes, coverage: SampleCoverage) -> Self {
        let term = |c: usize| c as f64 * (c.max(1) as f64).log2();
        let terms = (0..=lanes.count()).map(term).collect();
        let hit = if coverage == SampleCoverage::Partial { 0.0 } else { HIT_BONUS };
        SampleScorer {
            rules,
            lanes,
            terms,
            parts: vec![0; PegFeedback::index_count(rules.pegs)],
            hit,
        }
    }

    fn tally(&self, code: Code) -> CodePegCounts<'a> {
        CodePegCounts::new(&self.rules, self.lanes, code, std::iter::empty())
    }

    /// Adds 1 to the count of the feedback with these numbers of black pegs, and of black and white
    /// pegs together.
    fn count(parts: &mut [u32], pegs: usize, black: i16, common: i16) {
        let feedback = PegFeedback { black: black as u16, white: (common - black) as u16 };
        parts[feedback.index(pegs)] += 1;
    }

    /// Returns the value of a guess: the entropy of its feedback plus its bonus, in bits, up to a
    /// constant.
    pub(super) fn value_of(&mut self, code: &Code) -> f64 {
        let tally = self.tally(code.clone());
        self.value(&tally)
    }

    /// Returns the value of a guess whose pegs are already counted against the sample.
    pub(super) fn value(&mut self, tally: &CodePegCounts<'_>) -> f64 {
        let (parts, pegs) = (&mut self.parts, self.rules.pegs);
        tally.each(|black, common| SampleScorer::count(parts, pegs, black, common));
        self.take_entropy()
    }

    /// Returns the value that a guess would have after a change.
    pub(super) fn value_after(&mut self, tally: &CodePegCounts<'_>, change: CodeChange) -> f64 {
        let (parts, pegs, mut left) = (&mut self.parts, self.rules.pegs, self.lanes.count());
        tally.each_after(change, |black, common| {
            if left > 0 {
                SampleScorer::count(parts, pegs, black, common);
                left -= 1;
            }
        });
        self.take_entropy()
    }

    /// Returns the work of valuing a new guess, in units of the feedback of one code of up to 40 pegs
    /// and 40 colours.
    fn compared_work(&self) -> usize {
        let size = self.rules.pegs + self.rules.colours;
        self.climbed_work() * size.max(LARGE_SIZE) / LARGE_SIZE
    }

    /// Returns the work of valuing a changed guess, in units of the feedback of one code.
    fn climbed_work(&self) -> usize {
        let classes = self.parts.len();
        self.lanes.count() + if classes > LARGE_CLASSES { classes / 4 } else { 0 }
    }

    /// Returns the largest possible value, that of a guess which may be the secret and gives each
    /// code a different feedback.
    fn max_value(&self) -> f64 {
        self.hit / self.lanes.count() as f64
    }

    /// Returns the value of the counted feedbacks (the entropy plus the bonus, up to a constant
    /// that is equal for all guesses), and clears the counts.
    fn take_entropy(&mut self) -> f64 {
        let solved = self.parts.last().copied().unwrap_or(0);
        let mut sum = -self.hit * f64::from(solved);
        for part in &mut self.parts {
            sum += self.terms[*part as usize];
            *part = 0;
        }
        -sum / self.lanes.count() as f64
    }
}

/// Returns the guess with the largest expected information if `codes` are a sample of the
/// consistent codes; `None` if `codes` is empty.
pub(super) fn choose(
    rules: Mastermind,
    codes: &[Code],
    coverage: SampleCoverage,
    effort: SearchEffort,
    rng: &mut Rng,
) -> Option<Code> {
    if codes.len() <= 2 {
        return codes.first().cloned();
    }
    let lanes = CodeLanes::new(&rules, codes.iter().take(effort.sample));
    let mut scorer = SampleScorer::new(rules, &lanes, coverage);
    let candidates = (effort.compared / scorer.compared_work()).max(1);
    let mut best: Option<(CodePegCounts<'_>, f64)> = None;
    for code in codes.iter().take(candidates) {
        let tally = scorer.tally(code.clone());
        let value = scorer.value(&tally);
        if best.as_ref().is_none_or(|(_, max)| value > *max) {
            best = Some((tally, value));
        }
    }
    let (mut tally, mut value) = best?;
    for _ in 0..effort.climbed / scorer.climbed_work() {
        if value >= scorer.max_value() {
            break;
        }
        let Some(change) = tally.draw_change(&rules, rng) else { continue };
        let next = scorer.value_after(&tally, change);
        if next > value {
            tally.apply(change);
            value = next;
        }
    }
    if coverage == SampleCoverage::Complete && codes.len() <= look_ahead::MAX_CODES {
        return Some(look_ahead::improve(&rules, &lanes, codes, tally, &mut scorer, rng));
    }
    Some(tally.code().clone())
}

/// Number of random codes over which the entropy of first guesses is computed.
const OPENING_SAMPLE: usize = 8192;
/// Maximum number of pegs for which all multiplicities of colours are tried in the first guess.
const MAX_ALL_PARTITIONS: usize = 10;

/// Returns the first guess, which is the same in every game.
pub(super) fn first_guess(rules: Mastermind) -> Code {
    if !rules.repeats {
        return (0..rules.pegs as u16).collect();
    }
    let mut rng = Rng::new(0);
    let codes: Vec<Code> = (0..OPENING_SAMPLE).map(|_| rules.draw_secret(&mut rng)).collect();
    let lanes = CodeLanes::new(&rules, codes.iter());
    let mut scorer = SampleScorer::new(rules, &lanes, SampleCoverage::Partial);
    let mut best: Option<(Code, f64)> = None;
    for amounts in partitions(rules) {
        let spread = amounts.iter().enumerate();
        let code: Code = spread.flat_map(|(i, &c)| std::iter::repeat_n(i as u16, c)).collect();
        let value = scorer.value_of(&code);
        if best.as_ref().is_none_or(|(_, max)| value > *max) {
            best = Some((code, value));
        }
    }
    best.map_or_else(|| vec![0; rules.pegs], |(code, _)| code)
}

/// Returns partitions of the pegs into multiplicities of colours, each in descending order: all of
/// them for few pegs, only the most even ones for many.
fn partitions(rules: Mastermind) -> Vec<Vec<usize>> {
    let max = rules.colours.min(rules.pegs);
    if rules.pegs > MAX_ALL_PARTITIONS {
        let even = |k: usize| (0..k).map(|i| (rules.pegs + k - 1 - i) / k).collect();
        return (1..=max).map(even).collect();
    }
    let mut ways = vec![(Vec::new(), rules.pegs)];
    let mut complete = Vec::new();
    while let Some((way, left)) = ways.pop() {
        if left == 0 {
            complete.push(way);
        } else if way.len() < max {
            let largest = way.last().map_or(left, |&last: &usize| last.min(left));
            ways.extend((1..=largest).map(|next| ([&way[..], &[next]].concat(), left - next)));
        }
    }
    complete
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_partitions_are_listed_once() {
        // Partitions of n: 1, 2, 3, 5, 7, 11, 15, 22, 30, 42.
        let ways = |pegs, colours| partitions(Mastermind::new(pegs, colours, true).unwrap());
        assert_eq!(ways(10, 12).len(), 42);
        assert_eq!(ways(5, 2), [vec![5], vec![4, 1], vec![3, 2]].map(|w| w.to_vec()));
        assert!(ways(20, 12).iter().all(|way| way.iter().sum::<usize>() == 20));
    }

    #[test]
    fn the_first_guess_has_the_largest_known_entropy() {
        // Of the five kinds of first guesses at 4 pegs and 6 colours 1234 has the most entropy,
        // 3.057 bits, then 1123 with 3.044.
        assert_eq!(first_guess(Mastermind::new(4, 6, true).unwrap()), [0, 1, 2, 3]);
        let distinct = Mastermind::new(4, 10, false).unwrap();
        assert_eq!(first_guess(distinct), [0, 1, 2, 3]);
    }
}
