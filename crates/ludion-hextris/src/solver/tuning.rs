//! Tuning of the weights of both solvers: which weights may change, within which ranges, and how
//! weights are scored. Those of beam search are scored by the points of locks plus a fixed estimate
//! for each row that a unit descends, with a fixed number of states; those of the baseline by the
//! referee's score of whole games, phrases included.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::super::phrases::Phrases;
use super::super::problem::Problem;
use super::super::referee::HextrisReferee;
use super::baseline::{self, BaselineWeights};
use super::beam::BeamLimits;
use super::clock::Deadline;
use super::evaluation::BoardWeights;
use super::prepared::AnyPreparedProblem;

/// Range of values of a weight that tuning may change.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct WeightRange {
    /// Name of the field in [`BoardWeights`].
    pub name: &'static str,
    /// Smallest value that tuning tries.
    pub min: f32,
    /// Largest value that tuning tries.
    pub max: f32,
}

/// Number of fields of [`BoardWeights`] that tuning may change: all but `descent`.
pub const TUNABLE_WEIGHTS: usize = 13;

/// The ranges of the tunable weights, in the order of [`BoardWeights::values`].
pub const WEIGHT_RANGES: [WeightRange; TUNABLE_WEIGHTS] = [
    WeightRange { name: "height", min: 0.0, max: 100.0 },
    WeightRange { name: "steepness", min: 0.0, max: 6.0 },
    WeightRange { name: "room", min: 0.0, max: 2.0 },
    WeightRange { name: "buried", min: 0.0, max: 20.0 },
    WeightRange { name: "sealed", min: 0.0, max: 20.0 },
    WeightRange { name: "covered", min: 0.0, max: 20.0 },
    WeightRange { name: "leaning", min: 0.0, max: 5.0 },
    WeightRange { name: "lone", min: 0.0, max: 20.0 },
    WeightRange { name: "change", min: 0.0, max: 20.0 },
    WeightRange { name: "fullness", min: 0.0, max: 50.0 },
    WeightRange { name: "eagerness", min: 0.0, max: 12.0 },
    WeightRange { name: "clear", min: -200.0, max: 100.0 },
    WeightRange { name: "horizon", min: 1.0, max: 30.0 },
];

impl BoardWeights {
    /// Returns the values of the tunable weights, in the order of [`WEIGHT_RANGES`].
    #[must_use]
    pub fn values(mut self) -> [f32; TUNABLE_WEIGHTS] {
        self.tunable_mut().map(|value| *value)
    }

    /// Returns the default weights with the tunable ones replaced by `values`, in the order of
    /// [`WEIGHT_RANGES`].
    #[must_use]
    pub fn from_values(values: [f32; TUNABLE_WEIGHTS]) -> Self {
        let mut weights = BoardWeights::default();
        for (weight, value) in weights.tunable_mut().into_iter().zip(values) {
            *weight = value;
        }
        weights
    }
}

/// Names of the fields of [`BaselineWeights`], in their order.
pub const BASELINE_WEIGHTS: [&str; 6] =
    ["rise", "depth", "enclosed", "lines", "power", "components"];

/// Largest value of a weight of the baseline that tuning draws at random.
pub const MAX_DRAWN_BASELINE_WEIGHT: i64 = 10;
/// Largest value of a weight of the baseline; mixtures of the default weights and others are
/// between it and [`MAX_DRAWN_BASELINE_WEIGHT`].
pub const MAX_BASELINE_WEIGHT: i64 = 1_000;

impl BaselineWeights {
    /// Returns the weights in the order of [`BASELINE_WEIGHTS`].
    #[must_use]
    pub fn values(self) -> [f64; 6] {
        let BaselineWeights { rise, depth, enclosed, lines, power, components } = self;
        [rise, depth, enclosed, lines, power, components]
    }

    /// Returns the weights with these values, in the order of [`BASELINE_WEIGHTS`].
    #[must_use]
    pub fn from_values([rise, depth, enclosed, lines, power, components]: [f64; 6]) -> Self {
        BaselineWeights { rise, depth, enclosed, lines, power, components }
    }
}

/// A problem with those of its games on which weights of the baseline are scored.
#[derive(Clone, Debug)]
pub struct BaselineTuningProblem {
    problem: Problem,
    phrases: Phrases,
    seeds: Vec<u32>,
}

impl BaselineTuningProblem {
    /// Prepares the games of the first `seeds` seeds of `problem`, with the phrases of the contest.
    #[must_use]
    pub fn new(problem: Problem, seeds: usize) -> Self {
        let seeds = problem.seeds().iter().copied().take(seeds).collect();
        BaselineTuningProblem { problem, phrases: Phrases::known(), seeds }
    }

    /// Plays the games with these weights and returns the sum of the referee's scores; returns `None`
    /// if `stop` is set before the end.
    #[must_use]
    pub fn play_or_stop(
        &self,
        weights: &BaselineWeights,
        stop: &AtomicBool,
    ) -> Option<TuningScore> {
        let mut score = TuningScore { games: self.seeds.len() as u64, ..TuningScore::default() };
        let referee = HextrisReferee::new(&self.problem, &self.phrases);
        for &seed in &self.seeds {
            let game = (&self.problem, &self.phrases, seed);
            let is_stopped = || stop.load(Ordering::Relaxed);
            let commands = baseline::continue_game(game, "", weights, &is_stopped);
            if is_stopped() {
                return None;
            }
            score.points += referee.score(seed, &commands).score;
        }
        Some(score)
    }
}

/// A problem with those of its games on which weights are scored.
#[derive(Clone, Debug)]
pub struct TuningProblem {
    prepared: AnyPreparedProblem,
    /// The sequence of units of each game, as indices into the problem's units.
    games: Vec<Vec<usize>>,
}

/// Results of one set of weights, summed over several games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct TuningScore {
    /// Number of games in the sums.
    pub games: u64,
    /// Total points: of locks alone where weights of beam search are scored, of locks and phrases
    /// where weights of the baseline are.
    pub points: u64,
    /// Total number of rows that units descended; not counted where weights of the baseline are
    /// scored.
    pub descents: u64,
}

impl TuningScore {
    /// Returns the estimated score per game: points of locks, plus the default
    /// [`BoardWeights::descent`] for each row descended.
    #[must_use]
    pub fn score(&self) -> f64 {
        let estimate =
            self.points as f64 + self.descents as f64 * f64::from(BoardWeights::default().descent);
        estimate / self.games.max(1) as f64
    }

    /// Returns the ratio of this score to `other`, the score of other weights on the same games; 1
    /// if `other` is 0, which happens only if no unit fits on the board.
    #[must_use]
    pub fn ratio(&self, other: &TuningScore) -> f64 {
        if other.score() == 0.0 { 1.0 } else { self.score() / other.score() }
    }
}

impl TuningProblem {
    /// Prepares the games of the first `seeds` seeds of `problem`.
    #[must_use]
    pub fn new(problem: &Problem, seeds: usize) -> Self {
        let first = problem.seeds().iter().take(seeds);
        TuningProblem {
            prepared: AnyPreparedProblem::new(problem),
            games: first.map(|&seed| problem.source(seed).collect()).collect(),
        }
    }

    /// Returns the number of states that a beam search can keep with this number of bytes.
    #[must_use]
    pub fn states_within(&self, bytes: usize) -> usize {
        let units = self.games.iter().map(Vec::len).max().unwrap_or(0);
        self.prepared.states_within(bytes, units)
    }

    /// Plays the games by beam search with these weights, keeping this number of states after each
    /// unit.
    #[must_use]
    pub fn play(&self, weights: &BoardWeights, states: usize) -> TuningScore {
        let never = AtomicBool::new(false);
        self.play_or_stop(weights, states, &never).expect("nothing stops the games")
    }

    /// Plays the games like [`TuningProblem::play`]; returns `None` if `stop` is set before the end.
    #[must_use]
    pub fn play_or_stop(
        &self,
        weights: &BoardWeights,
        states: usize,
        stop: &AtomicBool,
    ) -> Option<TuningScore> {
        // A clock on which no time passes until the flag is set.
        let clock = || Duration::from_secs(stop.load(Ordering::Relaxed).into());
        let deadline = Deadline::new(&clock, Duration::from_secs(1));
        let limits = BeamLimits { stop: Some(deadline), ..BeamLimits::states(states) };
        let mut score = TuningScore { games: self.games.len() as u64, ..TuningScore::default() };
        for units in &self.games {
            let plan = self.prepared.search(weights, units, limits);
            if stop.load(Ordering::Relaxed) {
                return None;
            }
            score.points += plan.points;
            score.descents += plan.rows_descended;
        }
        Some(score)
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::problems;
    use super::super::weight_presets::WEIGHT_PRESETS;
    use super::*;

    #[test]
    fn the_ranges_name_the_weights_in_order_and_contain_all_presets() {
        for (i, range) in WEIGHT_RANGES.iter().enumerate() {
            let mut values = [0.0; TUNABLE_WEIGHTS];
            values[i] = 3.0;
            let written = serde_json::to_value(BoardWeights::from_values(values)).unwrap();
            assert_eq!(written[range.name], 3.0, "{}", range.name);
            let holds = |style: &BoardWeights| (range.min..=range.max).contains(&style.values()[i]);
            assert!(WEIGHT_PRESETS.iter().all(holds), "{}", range.name);
        }
        assert_eq!(
            BoardWeights::from_values(BoardWeights::default().values()),
            BoardWeights::default()
        );
    }

    #[test]
    fn a_tuning_score_of_the_baseline_is_the_referees_score_of_its_games() {
        let problem = problems::find("rubble").unwrap().problem();
        let (phrases, weights) = (Phrases::known(), BaselineWeights::default());
        let referee = HextrisReferee::new(&problem, &phrases);
        let score = |&seed: &u32| {
            let game = (&problem, &phrases, seed);
            referee.score(seed, &baseline::continue_game(game, "", &weights, &|| false)).score
        };
        let total: u64 = problem.seeds()[..2].iter().map(score).sum();
        let tuned = BaselineTuningProblem::new(problem.clone(), 2);
        let played = tuned.play_or_stop(&weights, &AtomicBool::new(false)).unwrap();
        assert_eq!((played.games, played.points, played.descents), (2, total, 0));
        assert!(total > 0 && played.score() == total as f64 / 2.0);
        assert_eq!(tuned.play_or_stop(&weights, &AtomicBool::new(true)), None);
        for (i, name) in BASELINE_WEIGHTS.iter().enumerate() {
            let mut values = [0.0; 6];
            values[i] = 3.0;
            let weights = BaselineWeights::from_values(values);
            assert_eq!(serde_json::to_value(weights).unwrap()[name], 3.0, "{name}");
            assert_eq!(weights.values(), values);
        }
    }

    #[test]
    fn a_tuning_score_is_the_estimate_of_its_beams() {
        let problem = problems::find("well").unwrap().problem();
        let (prepared, weights) = (AnyPreparedProblem::new(&problem), WEIGHT_PRESETS[1]);
        let estimate = |&seed: &u32| {
            let units: Vec<usize> = problem.source(seed).collect();
            let plan = prepared.search(&weights, &units, BeamLimits::states(4));
            plan.estimated_score(BoardWeights::default().descent)
        };
        let mean = problem.seeds()[..2].iter().map(estimate).sum::<f64>() / 2.0;
        let score = TuningProblem::new(&problem, 2).play(&weights, 4);
        assert!((score.score() - mean).abs() < 1e-9, "{score:?}, {mean}");
        assert_eq!((score.games, score.ratio(&score)), (2, 1.0));
        assert_eq!(
            TuningProblem::new(&problem, 9).play(&weights, 1).games,
            problem.seeds().len() as u64
        );
    }
}
