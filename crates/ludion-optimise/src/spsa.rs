//! Simultaneous perturbation stochastic approximation (SPSA; Spall 1992), with the gains of fishtest.
//!
//! All parameters are moved at once. Comparison k draws a sign for every axis and compares the points
//! θ + c·signs and θ − c·signs; θ then moves by (a/c)·(difference of their scores) along the signs,
//! with c = c₁/k^0.101 and a = a₁/(A + k)^0.602. So two evaluations give a noisy estimate of the whole
//! gradient, whatever the number of parameters, and no evaluation has to be exact.
//!
//! A generation has several comparisons from the same θ, which can be made in parallel. Coordinates
//! are those of the unit cube, so c is a share of the range of every axis. Integers are rounded up or
//! down at random, both points of a comparison alike, so that a step smaller than 1 has its effect in
//! the mean.

use serde::{Deserialize, Serialize};

use super::history::GenerationScores;
use super::space::{SearchSpace, SpacePoint};
use super::{Maximiser, ScoresError, SetupError, StopReason, check_scores, check_setting};
use ludion_core::random::{Rng, derive_seed};

/// Exponent of the decrease of the steps.
const STEP_DECAY: f64 = 0.602;
/// Exponent of the decrease of the perturbations.
const PERTURBATION_DECAY: f64 = 0.101;
/// Number of comparisons by which the decrease of the steps is delayed, as a share of all.
const DELAY: f64 = 0.1;

/// Settings of an SPSA search.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct SpsaOptions {
    /// Number of comparisons in a generation, all from the same point.
    pub comparisons: u32,
    /// Number of generations after which the search is finished.
    pub generations: u32,
    /// Perturbation at the end of the search, as a share of the range of each axis.
    pub perturbation: f64,
    /// Movement of a coordinate at the end of the search by a comparison whose scores differ by 1.
    pub step: f64,
}

impl SpsaOptions {
    /// Returns options for this number of comparisons. The steps at the end are the larger the fewer
    /// comparisons there are, so that a short search arrives and a long one averages over noise.
    #[must_use]
    pub fn new(comparisons: u32, generations: u32) -> Self {
        let total = f64::from(comparisons.max(1)) * f64::from(generations.max(1));
        SpsaOptions { comparisons, generations, perturbation: 0.1, step: 0.15 / total.sqrt() }
    }

    fn check(&self) -> Result<(), SetupError> {
        let SpsaOptions { comparisons, generations, perturbation, step } = *self;
        let fits = (1..=1_000_000).contains(&comparisons);
        check_setting("comparisons", comparisons, "1 to 1000000", fits)?;
        check_setting("generations", generations, "1 or more", generations >= 1)?;
        let fits = perturbation > 0.0 && perturbation <= 0.5;
        check_setting("perturbation", perturbation, "above 0 and at most 0.5", fits)?;
        check_setting("step", step, "above 0 and at most 1", step > 0.0 && step <= 1.0)
    }

    /// Returns the perturbation and the step of the comparison with this number, from 1.
    fn gains(&self, number: f64) -> (f64, f64) {
        let total = f64::from(self.comparisons) * f64::from(self.generations);
        let perturbation = self.perturbation * (total / number).powf(PERTURBATION_DECAY);
        let delay = DELAY * total;
        // The step is a/c, so it grows with a and shrinks with c.
        let a = ((delay + total) / (delay + number)).powf(STEP_DECAY);
        (perturbation.min(0.5), self.step * a * self.perturbation / perturbation)
    }
}

/// Serialised state of an SPSA search.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct SpsaState {
    space: SearchSpace,
    options: SpsaOptions,
    seed: u64,
    /// The current point θ in the unit cube.
    centre: Vec<f64>,
    history: Vec<GenerationScores>,
}

/// State of an SPSA search between two generations. The candidates are the points of the comparisons
/// in pairs, the one with added signs first.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "SpsaState", into = "SpsaState")]
pub struct Spsa {
    state: SpsaState,
    asked: Vec<SpacePoint>,
}

impl From<Spsa> for SpsaState {
    fn from(spsa: Spsa) -> Self {
        spsa.state
    }
}

impl TryFrom<SpsaState> for Spsa {
    type Error = SetupError;

    fn try_from(state: SpsaState) -> Result<Self, SetupError> {
        state.options.check()?;
        state.space.check_numbers()?;
        let is_in_cube = |x: &f64| (0.0..=1.0).contains(x);
        if state.centre.len() != state.space.axes().len() || !state.centre.iter().all(is_in_cube) {
            return Err(SetupError::Inconsistent("the centre is not in the space"));
        }
        let mut spsa = Spsa { state, asked: Vec::new() };
        spsa.next_generation();
        Ok(spsa)
    }
}

impl Spsa {
    /// Starts a search from a point.
    ///
    /// # Errors
    /// When an axis has words, an option is out of range, or the point is not in the space.
    pub fn new(
        space: SearchSpace,
        options: SpsaOptions,
        start: &SpacePoint,
        seed: u64,
    ) -> Result<Self, SetupError> {
        let centre = space.to_unit_cube(&space.point(start.values())?);
        Spsa::try_from(SpsaState { space, options, seed, centre, history: Vec::new() })
    }

    /// Returns the current point.
    #[must_use]
    pub fn centre(&self) -> SpacePoint {
        self.state.space.point_at(&self.state.centre)
    }

    /// Returns the number of the first comparison of the current generation, from 0.
    fn first_comparison(&self) -> u64 {
        self.state.history.len() as u64 * u64::from(self.state.options.comparisons)
    }

    /// Lists the points of all comparisons of the current generation.
    fn next_generation(&mut self) {
        let first = self.first_comparison();
        let numbers = first..first + u64::from(self.state.options.comparisons);
        self.asked = numbers.flat_map(|number| self.state.points(number)).collect();
    }
}

impl SpsaState {
    /// Draws the signs of a comparison, with the random numbers that round its points.
    fn signs(&self, number: u64) -> (Vec<f64>, Rng) {
        let mut rng = Rng::new(derive_seed(self.seed, &[number]));
        let signs = self.centre.iter().map(|_| if rng.below(2) == 0 { 1.0 } else { -1.0 });
        (signs.collect(), rng)
    }

    /// Returns the two points of a comparison.
    fn points(&self, number: u64) -> [SpacePoint; 2] {
        let (perturbation, _) = self.options.gains(number as f64 + 1.0);
        let (signs, rng) = self.signs(number);
        [perturbation, -perturbation].map(|c| {
            let moved: Vec<f64> =
                self.centre.iter().zip(&signs).map(|(x, sign)| x + c * sign).collect();
            self.space.point_near(&moved, &mut rng.clone())
        })
    }
}

impl Maximiser for Spsa {
    type Candidate = SpacePoint;

    fn ask(&mut self) -> &[SpacePoint] {
        if self.finished().is_some() { &[] } else { &self.asked }
    }

    fn tell(&mut self, scores: &[f64]) -> Result<(), ScoresError> {
        check_scores(self.ask().len(), scores)?;
        if self.finished().is_some() {
            return Ok(());
        }
        let first = self.first_comparison();
        let mut centre = self.state.centre.clone();
        for (number, pair) in (first..).zip(scores.chunks_exact(2)) {
            let (_, step) = self.state.options.gains(number as f64 + 1.0);
            let (signs, _) = self.state.signs(number);
            for (x, sign) in centre.iter_mut().zip(signs) {
                *x += step * (pair[0] - pair[1]) * sign;
            }
        }
        self.state.centre = centre.into_iter().map(|x| x.clamp(0.0, 1.0)).collect();
        let number = self.state.history.len() as u32 + 1;
        let mean = scores.iter().sum::<f64>() / scores.len() as f64;
        self.state.history.push(GenerationScores::new(number, scores.len(), scores, mean));
        self.next_generation();
        Ok(())
    }

    fn finished(&self) -> Option<StopReason> {
        let is_over = self.state.history.len() as u32 >= self.state.options.generations;
        is_over.then_some(StopReason::Generations)
    }

    /// Returns the current point, and the mean score of the last comparisons around it.
    fn best(&self) -> Option<(SpacePoint, f64)> {
        let last = self.state.history.last()?;
        Some((self.centre(), last.mean))
    }

    fn generations(&self) -> Vec<GenerationScores> {
        self.state.history.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::super::maximise;
    use super::super::space::{AxisScale, AxisValue, SpaceAxis};
    use super::*;

    fn space() -> SearchSpace {
        SearchSpace::new(vec![
            SpaceAxis::integer("n", 0, 4, AxisScale::Linear),
            SpaceAxis::real("c", 0.1, 10.0, AxisScale::Logarithmic),
        ])
        .expect("a space")
    }

    fn start(n: i64, c: f64) -> SpacePoint {
        space().point(&[AxisValue::Integer(n), AxisValue::Real(c)]).expect("a point")
    }

    #[test]
    fn the_points_of_a_comparison_lie_on_opposite_sides_of_the_centre() {
        let mut spsa = Spsa::new(space(), SpsaOptions::new(20, 5), &start(2, 1.0), 3).expect("one");
        assert_eq!(spsa.ask().len(), 40);
        for pair in spsa.ask().to_vec().chunks(2) {
            let [a, b] = [&pair[0], &pair[1]].map(|point| space().to_unit_cube(point));
            assert!(((a[1] + b[1]) / 2.0 - 0.5).abs() < 1e-3, "{a:?} {b:?}");
            assert!((a[1] - b[1]).abs() > 0.2);
        }
    }

    #[test]
    fn integers_are_rounded_at_random_so_that_small_steps_count() {
        let mut rng = Rng::new(1);
        let at = |n: f64| vec![(n + 0.5) / 5.0, 0.5];
        let draw = |rng: &mut Rng| match space().point_near(&at(1.25), rng).values()[0] {
            AxisValue::Integer(n) => n,
            _ => unreachable!("an integer axis"),
        };
        let drawn: Vec<i64> = (0..4000).map(|_| draw(&mut rng)).collect();
        assert!(drawn.iter().all(|n| [1, 2].contains(n)));
        let mean = drawn.iter().sum::<i64>() as f64 / 4000.0;
        assert!((mean - 1.25).abs() < 0.03, "{mean}");
    }

    #[test]
    fn a_search_read_back_goes_on_as_the_original() {
        let score = |point: &SpacePoint| -space().to_unit_cube(point)[1];
        let options = SpsaOptions { step: 0.05, ..SpsaOptions::new(4, 30) };
        let mut whole = Spsa::new(space(), options, &start(4, 9.0), 8).expect("a search");
        maximise(&mut whole, score).expect("scores");
        let mut part = Spsa::new(space(), options, &start(4, 9.0), 8).expect("a search");
        while part.finished().is_none() {
            let json = serde_json::to_string(&part).expect("JSON");
            part = serde_json::from_str(&json).expect("a search");
            let scores: Vec<f64> = part.ask().iter().map(score).collect();
            part.tell(&scores).expect("scores");
        }
        assert_eq!(part.best(), whole.best());
        let (best, _) = whole.best().expect("a point");
        assert!(space().to_unit_cube(&best)[1] < 0.3, "it moves to better scores: {best:?}");
    }

    #[test]
    fn words_are_refused() {
        let words = SearchSpace::new(vec![SpaceAxis::choice("order", &["a", "b"])]).expect("one");
        let start = words.point_at(&[0.2]);
        let refused = Spsa::new(words, SpsaOptions::new(4, 3), &start, 1).unwrap_err();
        assert!(refused.to_string().contains("\"order\" has words"), "{refused}");
    }
}
