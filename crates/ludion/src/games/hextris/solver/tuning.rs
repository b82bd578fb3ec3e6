//! What tuning needs to know of the weights: which of them may be changed and how far, and how
//! good they are, told by beams of a fixed width: move score and what the rows come down promise.
//! What a row come down counts is a part of the question and stays as it is.

use serde::{Deserialize, Serialize};

use super::super::problem::Problem;
use super::beam::BeamWidth;
use super::evaluation::BoardWeights;
use super::prepared::AnyPreparedProblem;

/// A weight that may be changed.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct WeightRange {
    /// Its name in [`BoardWeights`].
    pub name: &'static str,
    /// The least that makes sense.
    pub min: f32,
    /// The most that makes sense.
    pub max: f32,
}

/// How many weights may be changed.
pub const OPEN: usize = 13;

/// The weights that may be changed, in the order of [`BoardWeights::values`].
pub const RANGES: [WeightRange; OPEN] = [
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
    /// The weights that may be changed.
    #[must_use]
    pub fn values(mut self) -> [f32; OPEN] {
        self.open().map(|value| *value)
    }

    /// The default weights with these in the place of those that may be changed.
    #[must_use]
    pub fn of_values(values: [f32; OPEN]) -> Self {
        let mut weights = BoardWeights::default();
        for (weight, value) in weights.open().into_iter().zip(values) {
            *weight = value;
        }
        weights
    }
}

/// A problem on which weights are tried.
#[derive(Clone, Debug)]
pub struct TuningProblem {
    ground: AnyPreparedProblem,
    /// The units of every game.
    games: Vec<Vec<usize>>,
}

/// What some games came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct TuningScore {
    /// How many games.
    pub games: u64,
    /// Their move scores.
    pub points: u64,
    /// How many rows their units came down.
    pub descents: u64,
}

impl TuningScore {
    /// What a game of them promises.
    #[must_use]
    pub fn score(&self) -> f64 {
        let promise =
            self.points as f64 + self.descents as f64 * f64::from(BoardWeights::default().descent);
        promise / self.games.max(1) as f64
    }

    /// What it is of another one's score on the same games. Where no unit can come no weights
    /// score anything: they are all alike.
    #[must_use]
    pub fn ratio(&self, other: &TuningScore) -> f64 {
        if other.score() == 0.0 { 1.0 } else { self.score() / other.score() }
    }
}

impl TuningProblem {
    /// The games of the first `seeds` seeds of `problem`.
    #[must_use]
    pub fn new(problem: &Problem, seeds: usize) -> Self {
        let first = problem.seeds().iter().take(seeds);
        TuningProblem {
            ground: AnyPreparedProblem::new(problem),
            games: first.map(|&seed| problem.source(seed).collect()).collect(),
        }
    }

    /// How many states a beam may go on from with so many bytes of memory.
    #[must_use]
    pub fn states_within(&self, bytes: usize) -> usize {
        let units = self.games.iter().map(Vec::len).max().unwrap_or(0);
        self.ground.states_within(bytes, units)
    }

    /// What beams of so many states make of the games.
    #[must_use]
    pub fn play(&self, weights: &BoardWeights, states: usize) -> TuningScore {
        let mut tally = TuningScore { games: self.games.len() as u64, ..TuningScore::default() };
        for units in &self.games {
            let plan = self.ground.search(weights, units, BeamWidth::of(states));
            tally.points += plan.points;
            tally.descents += plan.descents;
        }
        tally
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::problems;
    use super::super::styles::STYLES;
    use super::*;

    #[test]
    fn the_ranges_name_the_weights_in_their_order_and_hold_all_that_were_found_good() {
        for (i, range) in RANGES.iter().enumerate() {
            let mut values = [0.0; OPEN];
            values[i] = 3.0;
            let written = serde_json::to_value(BoardWeights::of_values(values)).unwrap();
            assert_eq!(written[range.name], 3.0, "{}", range.name);
            let holds = |style: &BoardWeights| (range.min..=range.max).contains(&style.values()[i]);
            assert!(STYLES.iter().all(holds), "{}", range.name);
        }
        assert_eq!(
            BoardWeights::of_values(BoardWeights::default().values()),
            BoardWeights::default()
        );
    }

    #[test]
    fn a_tally_is_what_the_beams_of_its_games_promise() {
        let problem = problems::find("well").unwrap().problem();
        let (ground, weights) = (AnyPreparedProblem::new(&problem), STYLES[1]);
        let promise = |&seed: &u32| {
            let units: Vec<usize> = problem.source(seed).collect();
            let plan = ground.search(&weights, &units, BeamWidth::of(4));
            plan.promise(BoardWeights::default().descent)
        };
        let mean = problem.seeds()[..2].iter().map(promise).sum::<f64>() / 2.0;
        let tally = TuningProblem::new(&problem, 2).play(&weights, 4);
        assert!((tally.score() - mean).abs() < 1e-9, "{tally:?}, {mean}");
        assert_eq!((tally.games, tally.ratio(&tally)), (2, 1.0));
        assert_eq!(
            TuningProblem::new(&problem, 9).play(&weights, 1).games,
            problem.seeds().len() as u64
        );
    }
}
