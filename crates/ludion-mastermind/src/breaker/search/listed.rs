//! Choice of a guess where all codes are listed, by the total number of guesses that the remaining
//! codes still need.
//!
//! There are three measures, each more exact and slower than the one before. The estimate of a guess
//! follows from the sizes of the classes into which its feedback splits the codes: n codes need about
//! `n·(1.5 + 0.405·ln(n / 2))` guesses in total, which fits optimal and nearly optimal strategies of
//! four to eight pegs. A playout makes the guess with the best estimate until every code is found, and
//! compares the best few where few codes are left. The look-ahead chooses every later guess by
//! playouts. The guesses with the best estimates are played out, and those with the best playouts are
//! looked ahead of.

use super::super::codes::{CodeIndex, CodeTable};
use super::super::score::canonical_guesses;
use super::super::symmetry::CodeSymmetry;

/// Maximum number of codes for which guesses are chosen this way.
pub(super) const MAX_CODES: usize = 40_000;
/// Maximum number of feedbacks computed to estimate the costs of guesses.
const MAX_ESTIMATED: usize = 60_000_000;
/// Number of feedbacks computed in playouts after which no further guess is played out.
const MAX_PLAYED: u64 = 8_000_000;
/// Maximum number of guesses that are played out.
const MAX_CANDIDATES: usize = 60;
/// Maximum number of guesses that are played out in a look-ahead.
const MAX_INNER_CANDIDATES: usize = 8;
/// Number of feedbacks computed in a look-ahead, in the mean of all sets; it determines how many
/// guesses are looked ahead of.
const LOOK_AHEAD: usize = 60_000_000;
/// Maximum number of guesses that are looked ahead of.
const MAX_LOOK_AHEADS: usize = 8;
/// Number of guesses that are compared in a look-ahead besides the remaining codes, evenly spread
/// over all codes.
const SPREAD: usize = 3000;
/// Number of guesses that are compared in a playout besides the remaining codes: those that split the
/// whole set best.
const HELPERS: usize = 60;
/// Maximum number of remaining codes that are compared as the next guess in a playout.
const MAX_MEMBERS: usize = 100;
/// Minimum number of pegs for which guesses are played out; with fewer, a guess has few different
/// answers, and games are too long.
const MIN_PLAYED_PEGS: usize = 3;
/// Number of guesses that a playout compares for a set of at most [`MAX_BRANCHED`] codes.
const BRANCHES: usize = 3;
const MAX_BRANCHED: usize = 40;
/// Maximum number of feedbacks computed for one guess; a look-ahead that exceeds it is ignored.
const MAX_FEEDBACKS: u64 = 100_000_000;
/// Unit of estimated costs: a guess counts this much.
const UNIT: u64 = 1 << 10;
/// Cost of a guess that distinguishes no codes.
const USELESS: u64 = u64::MAX >> 16;

/// Estimated total number of guesses of sets of codes by their sizes, in units of [`UNIT`].
pub(super) struct CostEstimates(Vec<u64>);

impl CostEstimates {
    /// Creates estimates for sets of up to `max` codes.
    pub(super) fn new(max: usize) -> Self {
        let estimate = |n: usize| match n {
            0 => 0,
            1 => UNIT,
            _ => {
                let n = n as f64;
                (UNIT as f64 * n * (1.5 + 0.405 * (n / 2.0).ln())) as u64
            }
        };
        CostEstimates((0..=max).map(estimate).collect())
    }

    /// Returns the estimated cost of `total` codes after a guess that splits them into classes of
    /// these sizes, the last of which is the guess itself.
    fn after_guess(&self, total: usize, sizes: &[u32]) -> u64 {
        let (_, classes) = sizes.split_last().expect("feedback of a guess that is the secret");
        let costs: u64 = classes.iter().map(|&size| self.0[size as usize]).sum();
        total as u64 * UNIT + costs
    }
}

/// A guess with its estimated cost. The smallest is the best; of guesses with equal costs, one that
/// can be the secret is smaller, then the smaller code.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct EstimatedGuess {
    cost: u64,
    /// Whether the guess cannot be the secret.
    is_outside: bool,
    guess: CodeIndex,
}

/// Returns the guess after which the codes of `set` need the fewest guesses in total, as far as a
/// search of limited effort finds it; `symmetry` is that of the guesses so far.
pub(super) fn choose(
    codes: &CodeTable,
    estimates: &CostEstimates,
    set: &[CodeIndex],
    symmetry: &CodeSymmetry,
) -> CodeIndex {
    if set.len() <= 2 {
        return set[0];
    }
    let all = codes.len() as CodeIndex;
    let spread = (0..all).step_by(codes.len().div_ceil(SPREAD)).collect();
    let mut costs = CostComparison {
        codes,
        estimates,
        spread,
        helpers: vec![],
        sizes: [0; 256],
        played: 0,
        spent: 0,
    };
    let guesses = canonical_guesses(codes, set, symmetry);
    let stride = (guesses.len() * set.len()).div_ceil(MAX_ESTIMATED);
    let guesses = guesses.into_iter().step_by(stride);
    let ranked = costs.rank_by_playouts(set, guesses, MAX_CANDIDATES);
    let effort = set.len() * (SPREAD + set.len().min(MAX_MEMBERS));
    let look_aheads = (LOOK_AHEAD / (2 * effort)).min(MAX_LOOK_AHEADS);
    if ranked.len() == 1 || look_aheads < 2 || set.len() < 6 {
        return ranked[0].1.guess;
    }
    let mut best = (USELESS, ranked[0].1);
    for (_, candidate) in ranked.iter().take(look_aheads) {
        let cost = costs.after_guess(candidate.guess, set, CostComparison::look_ahead);
        if costs.spent > MAX_FEEDBACKS {
            break;
        }
        best = best.min((cost, *candidate));
    }
    best.1.guess
}

/// Compares guesses by the total number of guesses that find all codes of a set.
struct CostComparison<'a> {
    codes: &'a CodeTable,
    estimates: &'a CostEstimates,
    /// Guesses spread over all codes.
    spread: Vec<CodeIndex>,
    /// Guesses that split the whole set well.
    helpers: Vec<CodeIndex>,
    /// Reusable memory for the sizes of classes.
    sizes: [u32; 256],
    /// Number of feedbacks computed in the current playouts.
    played: u64,
    /// Number of all feedbacks computed so far.
    spent: u64,
}

impl CostComparison<'_> {
    /// Returns the estimate of a guess.
    fn estimate(&mut self, guess: CodeIndex, set: &[CodeIndex]) -> EstimatedGuess {
        self.codes.count(guess, set, &mut self.sizes);
        let sizes = &self.sizes[..self.codes.feedback_count()];
        // Adding up the classes takes about as long as counting a quarter as many codes.
        self.spent += set.len() as u64 + sizes.len() as u64 / 4;
        let is_outside = sizes[sizes.len() - 1] == 0;
        EstimatedGuess { cost: self.estimates.after_guess(set.len(), sizes), is_outside, guess }
    }

    /// Returns the cost of a guess, in guesses, where `cost` returns that of a class.
    fn after_guess(
        &mut self,
        guess: CodeIndex,
        set: &[CodeIndex],
        mut cost: impl FnMut(&mut Self, &[CodeIndex]) -> u64,
    ) -> u64 {
        self.played += set.len() as u64;
        let mut total = set.len() as u64;
        for (feedback, class) in self.codes.split(guess, set) {
            if feedback != self.codes.solved() {
                total += if class.len() < set.len() { cost(self, &class) } else { USELESS };
            }
        }
        total
    }

    /// Ranks the guesses with the best estimates, at most `max`, by their costs in playouts, the best
    /// first. Returns a single one if it is optimal or if playouts are too long.
    fn rank_by_playouts(
        &mut self,
        set: &[CodeIndex],
        guesses: impl Iterator<Item = CodeIndex>,
        max: usize,
    ) -> Vec<(u64, EstimatedGuess)> {
        let mut estimated: Vec<EstimatedGuess> =
            guesses.map(|guess| self.estimate(guess, set)).collect();
        let kept = estimated.len().min(HELPERS.max(max));
        estimated.select_nth_unstable(kept - 1);
        estimated.truncate(kept);
        estimated.sort_unstable();
        // A guess that can be the secret and distinguishes all other codes is optimal.
        let least = 2 * set.len() as u64 - 1;
        if estimated[0].cost == least * UNIT {
            return vec![(least, estimated[0])];
        }
        self.helpers = estimated.iter().take(HELPERS).map(|estimated| estimated.guess).collect();
        self.played = 0;
        if self.codes.rules().pegs < MIN_PLAYED_PEGS {
            return vec![(estimated[0].cost / UNIT, estimated[0])];
        }
        let mut ranked = Vec::new();
        for &candidate in estimated.iter().take(max) {
            ranked
                .push((self.after_guess(candidate.guess, set, Self::branched_playout), candidate));
            if self.played > MAX_PLAYED || self.spent > MAX_FEEDBACKS {
                break;
            }
        }
        ranked.sort_unstable();
        ranked
    }

    /// Returns the total number of guesses that find each code of a set if they are chosen by
    /// playouts.
    fn look_ahead(&mut self, set: &[CodeIndex]) -> u64 {
        if set.len() <= 2 {
            return [0, 1, 3][set.len()];
        }
        if self.spent > MAX_FEEDBACKS {
            return USELESS;
        }
        let guesses = [&every_few(set).collect::<Vec<_>>()[..], &self.spread[..]].concat();
        let ranked = self.rank_by_playouts(set, guesses.into_iter(), MAX_INNER_CANDIDATES);
        let (cost, best) = ranked[0];
        if ranked.len() == 1 || cost <= 2 * set.len() as u64 {
            return cost;
        }
        self.after_guess(best.guess, set, Self::look_ahead)
    }

    /// Returns the total number of guesses that find each code of a set, the smallest of the playouts
    /// of a few guesses if the set is small.
    fn branched_playout(&mut self, set: &[CodeIndex]) -> u64 {
        let branches = if set.len() <= MAX_BRANCHED { BRANCHES } else { 1 };
        self.play_out(set, &mut [None; BRANCHES][..branches])
    }

    /// Returns the total number of guesses that find each code of a set if they are chosen by their
    /// estimates.
    fn playout(&mut self, set: &[CodeIndex]) -> u64 {
        self.play_out(set, &mut [None])
    }

    /// Fills `best` with the guesses that have the best estimates, and returns the smallest total
    /// number of guesses that find each code of the set after one of them.
    fn play_out(&mut self, set: &[CodeIndex], best: &mut [Option<EstimatedGuess>]) -> u64 {
        if set.len() <= 2 {
            return [0, 1, 3][set.len()];
        }
        let n = set.len() as u64;
        for guess in every_few(set) {
            let estimated = self.estimate(guess, set);
            self.played += n;
            if estimated.cost < 2 * n * UNIT {
                return 2 * n - 1;
            }
            insert(best, estimated);
        }
        for at in 0..self.helpers.len() {
            if best[0].is_some_and(|best| best.cost <= 2 * n * UNIT) {
                return 2 * n;
            }
            let estimated = self.estimate(self.helpers[at], set);
            self.played += n;
            insert(best, estimated);
        }
        let costs = best.iter().flatten();
        costs.map(|best| self.after_guess(best.guess, set, Self::playout)).min().unwrap_or(USELESS)
    }
}

/// Returns the codes of a set, or [`MAX_MEMBERS`] of them if there are more.
fn every_few(set: &[CodeIndex]) -> impl Iterator<Item = CodeIndex> {
    set.iter().step_by(set.len().div_ceil(MAX_MEMBERS)).copied()
}

/// Inserts a guess into an ascending list of fixed length, if it is small enough.
fn insert(best: &mut [Option<EstimatedGuess>], mut guess: EstimatedGuess) {
    for place in best {
        if place.is_none_or(|old| guess < old) {
            match place.replace(guess) {
                Some(old) => guess = old,
                None => return,
            }
        }
    }
}
