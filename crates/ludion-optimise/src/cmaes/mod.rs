//! Covariance matrix adaptation evolution strategy (CMA-ES; Hansen, "The CMA evolution strategy: a
//! tutorial", arXiv 1604.00772), with the parameters of that text.
//!
//! Candidates are drawn from a normal distribution in the unit cube. Its mean moves to the better half
//! of them, its covariance takes the directions in which it has moved, and its width follows from
//! whether successive moves agree. Only the order of scores counts, so noise that rarely changes it
//! does little harm.
//!
//! Draws outside the cube are repeated and at last cut off. The deviation on an axis of integers stays
//! above a quarter of the distance of two integers, so that a search never stops to try neighbours.

mod eigen;

use serde::{Deserialize, Serialize};

use super::history::GenerationScores;
use super::space::{AxisRange, SearchSpace, SpacePoint};
use super::{Maximiser, ScoresError, SetupError, StopReason, check_scores, check_setting, normal};
use eigen::{SymmetricMatrix, eigenvectors};
use ludion_core::random::{Rng, derive_seed};

/// Standard deviation of every coordinate at the start.
const INITIAL_DEVIATION: f64 = 0.3;
/// Number of draws after which a candidate outside the cube is cut off.
const ATTEMPTS: u32 = 20;
/// Largest deviation at which the search is finished.
const CONVERGED: f64 = 1e-3;
/// Smallest deviation on an axis of integers, in units of their distance.
const INTEGER_DEVIATION: f64 = 0.25;
/// Largest number of axes: the matrix has its square.
const MAX_AXES: usize = 200;

/// Settings of a CMA-ES search.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct CmaEsOptions {
    /// Number of candidates in a generation; `None` for 4 + 3·ln(number of axes).
    pub candidates: Option<usize>,
    /// Number of generations after which the search is finished.
    pub generations: u32,
}

/// Serialised state of a CMA-ES search.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct CmaEsState {
    space: SearchSpace,
    options: CmaEsOptions,
    seed: u64,
    /// Mean of the distribution in the unit cube.
    mean: Vec<f64>,
    /// Overall width of the distribution, σ.
    width: f64,
    covariance: SymmetricMatrix,
    /// Accumulated moves of the mean, for the covariance.
    path: Vec<f64>,
    /// Accumulated moves of the mean, made independent of the covariance, for the width.
    width_path: Vec<f64>,
    history: Vec<GenerationScores>,
    /// Mean score of the better half of the last generation.
    parents_score: Option<f64>,
}

/// State of a CMA-ES search between two generations.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "CmaEsState", into = "CmaEsState")]
pub struct CmaEs {
    state: CmaEsState,
    /// The axes of the distribution as columns, and its deviations along them, without the width.
    axes: (Vec<Vec<f64>>, Vec<f64>),
    /// The candidates of the current generation in the unit cube, and as points.
    drawn: Vec<Vec<f64>>,
    asked: Vec<SpacePoint>,
}

impl From<CmaEs> for CmaEsState {
    fn from(search: CmaEs) -> Self {
        search.state
    }
}

impl TryFrom<CmaEsState> for CmaEs {
    type Error = SetupError;

    fn try_from(state: CmaEsState) -> Result<Self, SetupError> {
        let axes = state.space.axes().len();
        check_setting("axes", axes, "1 to 200", axes <= MAX_AXES)?;
        let candidates = state.candidates();
        check_setting(
            "candidates",
            candidates,
            "2 to 100000",
            (2..=100_000).contains(&candidates),
        )?;
        let generations = state.options.generations;
        check_setting("generations", generations, "1 or more", generations >= 1)?;
        state.space.check_numbers()?;
        let sizes = [state.mean.len(), state.path.len(), state.width_path.len()];
        let is_whole = sizes == [axes; 3] && state.covariance.size() == axes;
        if !is_whole || !state.width.is_finite() || !state.covariance.is_finite() {
            return Err(SetupError::Inconsistent("the distribution does not fit the space"));
        }
        let (drawn, asked) = (Vec::new(), Vec::new());
        let mut search = CmaEs { axes: eigenvectors(&state.covariance), state, drawn, asked };
        search.next_generation();
        Ok(search)
    }
}

/// Weights and learning rates, which follow from the numbers of axes and candidates.
struct Rates {
    /// Weights of the better half of the candidates, the best first; their sum is 1.
    weights: Vec<f64>,
    /// Number of candidates that count, by their weights: 1/Σ weight².
    effective: f64,
    path: f64,
    width_path: f64,
    width_damping: f64,
    rank_one: f64,
    rank_many: f64,
    /// Expected length of a vector of standard normal numbers.
    expected_length: f64,
}

impl Rates {
    fn new(axes: usize, candidates: usize) -> Self {
        let n = axes as f64;
        let parents = candidates / 2;
        let raw = |i: usize| ((candidates as f64 + 1.0) / 2.0).ln() - (i as f64 + 1.0).ln();
        let sum: f64 = (0..parents).map(raw).sum();
        let weights: Vec<f64> = (0..parents).map(|i| raw(i) / sum).collect();
        let effective = 1.0 / weights.iter().map(|w| w * w).sum::<f64>();
        let width_path = (effective + 2.0) / (n + effective + 5.0);
        let over = ((effective - 1.0) / (n + 1.0)).sqrt() - 1.0;
        let rank_one = 2.0 / ((n + 1.3).powi(2) + effective);
        let many = 2.0 * (effective - 2.0 + 1.0 / effective) / ((n + 2.0).powi(2) + effective);
        Rates {
            path: (4.0 + effective / n) / (n + 4.0 + 2.0 * effective / n),
            width_path,
            width_damping: 1.0 + 2.0 * over.max(0.0) + width_path,
            rank_one,
            rank_many: many.min(1.0 - rank_one).max(0.0),
            expected_length: n.sqrt() * (1.0 - 1.0 / (4.0 * n) + 1.0 / (21.0 * n * n)),
            weights,
            effective,
        }
    }
}

impl CmaEsState {
    fn candidates(&self) -> usize {
        let axes = self.space.axes().len() as f64;
        self.options.candidates.unwrap_or(4 + (3.0 * axes.ln()) as usize)
    }

    /// Raises deviations on axes of integers that have become too small to reach a neighbour.
    fn keep_integers_moving(&mut self) {
        for (i, axis) in self.space.axes().iter().enumerate() {
            if let AxisRange::Integer { min, max, .. } = axis.range {
                let least = INTEGER_DEVIATION / ((max - min) as f64 + 1.0) / self.width;
                let variance = self.covariance.get(i, i).max(least * least);
                self.covariance.set(i, i, variance);
            }
        }
    }
}

impl CmaEs {
    /// Starts a search around a point.
    ///
    /// # Errors
    /// When an axis has words, an option is out of range, or the point is not in the space.
    pub fn new(
        space: SearchSpace,
        options: CmaEsOptions,
        start: &SpacePoint,
        seed: u64,
    ) -> Result<Self, SetupError> {
        let mean = space.to_unit_cube(&space.point(start.values())?);
        let zeros = vec![0.0; mean.len()];
        CmaEs::try_from(CmaEsState {
            covariance: SymmetricMatrix::identity(mean.len()),
            width: INITIAL_DEVIATION,
            path: zeros.clone(),
            width_path: zeros,
            history: Vec::new(),
            parents_score: None,
            space,
            options,
            seed,
            mean,
        })
    }

    /// Draws the candidates of the next generation.
    fn next_generation(&mut self) {
        let generation = self.state.history.len() as u64;
        let count = self.state.candidates() as u64;
        self.drawn = (0..count).map(|i| self.draw(generation, i)).collect();
        self.asked = self.drawn.iter().map(|x| self.state.space.point_at(x)).collect();
    }

    fn draw(&self, generation: u64, number: u64) -> Vec<f64> {
        let mut rng = Rng::new(derive_seed(self.state.seed, &[generation, number]));
        let mut x = Vec::new();
        for _ in 0..ATTEMPTS {
            x = self.draw_once(&mut rng);
            if x.iter().all(|x| (0.0..=1.0).contains(x)) {
                return x;
            }
        }
        x.into_iter().map(|x| x.clamp(0.0, 1.0)).collect()
    }

    fn draw_once(&self, rng: &mut Rng) -> Vec<f64> {
        let (vectors, deviations) = &self.axes;
        let z: Vec<f64> = deviations.iter().map(|deviation| deviation * normal(rng)).collect();
        let along = |row: &Vec<f64>| row.iter().zip(&z).map(|(v, z)| v * z).sum::<f64>();
        let moved = self.state.mean.iter().zip(vectors);
        moved.map(|(mean, row)| mean + self.state.width * along(row)).collect()
    }

    /// Multiplies a vector by the inverse square root of the covariance.
    fn whiten(&self, vector: &[f64]) -> Vec<f64> {
        let (vectors, deviations) = &self.axes;
        let count = vector.len();
        let project = |axis: usize| {
            let dot: f64 = (0..count).map(|i| vectors[i][axis] * vector[i]).sum();
            dot / deviations[axis]
        };
        let projected: Vec<f64> = (0..count).map(project).collect();
        let back = |row: &Vec<f64>| row.iter().zip(&projected).map(|(v, p)| v * p).sum();
        vectors.iter().map(back).collect()
    }

    /// Moves and reshapes the distribution by the candidates in the order of `ranked`, the best first.
    fn adapt(&mut self, ranked: &[usize]) {
        let n = self.state.mean.len();
        let rates = Rates::new(n, ranked.len());
        let steps: Vec<Vec<f64>> = ranked[..rates.weights.len()]
            .iter()
            .map(|&i| {
                let moved = self.drawn[i].iter().zip(&self.state.mean);
                moved.map(|(x, mean)| (x - mean) / self.state.width).collect()
            })
            .collect();
        let mean_step: Vec<f64> = (0..n)
            .map(|k| steps.iter().zip(&rates.weights).map(|(step, w)| w * step[k]).sum())
            .collect();
        let whitened = self.whiten(&mean_step);
        let state = &mut self.state;
        for (mean, step) in state.mean.iter_mut().zip(&mean_step) {
            *mean = (*mean + state.width * step).clamp(0.0, 1.0);
        }
        let accumulate = |path: &mut Vec<f64>, rate: f64, step: &[f64], scale: f64| {
            let gain = scale * (rate * (2.0 - rate) * rates.effective).sqrt();
            path.iter_mut().zip(step).for_each(|(p, s)| *p = (1.0 - rate) * *p + gain * s);
        };
        accumulate(&mut state.width_path, rates.width_path, &whitened, 1.0);
        let length = state.width_path.iter().map(|p| p * p).sum::<f64>().sqrt();
        let generations = state.history.len() as i32 + 1;
        let settled = 1.0 - (1.0 - rates.width_path).powi(2 * generations);
        let limit = (1.4 + 2.0 / (n as f64 + 1.0)) * rates.expected_length;
        // While the width grows fast, moves of the mean are not taken into the covariance.
        let is_steady = length / settled.sqrt() < limit;
        let scale = f64::from(u8::from(is_steady));
        accumulate(&mut state.path, rates.path, &mean_step, scale);
        let lost = if is_steady { 0.0 } else { rates.rank_one * rates.path * (2.0 - rates.path) };
        let kept = 1.0 - rates.rank_one - rates.rank_many + lost;
        for i in 0..n {
            for j in 0..=i {
                let many = steps.iter().zip(&rates.weights).map(|(s, w)| w * s[i] * s[j]);
                let value = kept * state.covariance.get(i, j)
                    + rates.rank_one * state.path[i] * state.path[j]
                    + rates.rank_many * many.sum::<f64>();
                state.covariance.set(i, j, value);
            }
        }
        let growth =
            rates.width_path / rates.width_damping * (length / rates.expected_length - 1.0);
        state.width = (state.width * growth.min(1.0).exp()).clamp(1e-12, 1.0);
        state.keep_integers_moving();
        self.axes = eigenvectors(&state.covariance);
    }
}

impl Maximiser for CmaEs {
    type Candidate = SpacePoint;

    fn ask(&mut self) -> &[SpacePoint] {
        if self.finished().is_some() { &[] } else { &self.asked }
    }

    fn tell(&mut self, scores: &[f64]) -> Result<(), ScoresError> {
        check_scores(self.ask().len(), scores)?;
        if self.finished().is_some() {
            return Ok(());
        }
        let mut ranked: Vec<usize> = (0..scores.len()).collect();
        // A stable sort keeps the order of equal candidates.
        ranked.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]));
        let parents = &ranked[..scores.len() / 2];
        let mean = parents.iter().map(|&i| scores[i]).sum::<f64>() / parents.len() as f64;
        self.adapt(&ranked);
        self.state.parents_score = Some(mean);
        let number = self.state.history.len() as u32 + 1;
        self.state.history.push(GenerationScores::new(number, scores.len(), scores, mean));
        self.next_generation();
        Ok(())
    }

    fn finished(&self) -> Option<StopReason> {
        let deviations = self.axes.1.iter().copied().fold(0.0, f64::max);
        if self.state.history.len() as u32 >= self.state.options.generations {
            Some(StopReason::Generations)
        } else if self.state.width * deviations < CONVERGED {
            Some(StopReason::Concentrated)
        } else {
            None
        }
    }

    /// Returns the mean of the distribution, which under noise is better than the candidate with the
    /// best score, and the mean score of the better half of the last generation.
    fn best(&self) -> Option<(SpacePoint, f64)> {
        let score = self.state.parents_score?;
        Some((self.state.space.point_at(&self.state.mean), score))
    }

    fn generations(&self) -> Vec<GenerationScores> {
        self.state.history.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::super::maximise;
    use super::super::space::{AxisScale, SpaceAxis};
    use super::*;

    fn cube(axes: usize) -> SearchSpace {
        let axis = |i| SpaceAxis::real(format!("x{i}"), 0.0, 1.0, AxisScale::Linear);
        SearchSpace::new((0..axes).map(axis).collect()).expect("a space")
    }

    /// A quadratic function with its maximum 0 at 0.3, whose axes are rotated and whose curvatures
    /// differ by a factor of 10,000.
    fn rotated_ellipsoid(x: &[f64]) -> f64 {
        let x: Vec<f64> = x.iter().map(|x| x - 0.3).collect();
        let (n, mean) = (x.len(), x.iter().sum::<f64>() / x.len() as f64);
        // The reflection x − 2·mean is orthogonal.
        let along = |i: usize| x[i] - 2.0 * mean;
        let curvature = |i: usize| 1e4_f64.powf(i as f64 / (n as f64 - 1.0));
        -(0..n).map(|i| curvature(i) * along(i).powi(2)).sum::<f64>()
    }

    #[test]
    fn the_maximum_of_a_badly_scaled_rotated_function_is_found() {
        let space = cube(6);
        let options = CmaEsOptions { candidates: None, generations: 400 };
        let start = space.point_at(&[0.8; 6]);
        let mut search = CmaEs::new(space.clone(), options, &start, 5).expect("a search");
        let mut evaluations = 0;
        let score = |point: &SpacePoint| {
            evaluations += 1;
            rotated_ellipsoid(&space.to_unit_cube(point))
        };
        maximise(&mut search, score).expect("scores");
        let (best, _) = search.best().expect("a point");
        let distance =
            space.to_unit_cube(&best).iter().map(|x| (x - 0.3).abs()).fold(0.0, f64::max);
        assert!(distance < 0.002, "{distance} after {evaluations} evaluations");
        assert_eq!(search.finished(), Some(StopReason::Concentrated));
        assert!(evaluations < 3000, "{evaluations}");
    }

    #[test]
    fn a_search_read_back_goes_on_as_the_original() {
        let space = SearchSpace::new(vec![
            SpaceAxis::integer("n", 0, 20, AxisScale::Linear),
            SpaceAxis::real("c", 0.1, 10.0, AxisScale::Logarithmic),
        ])
        .expect("a space");
        let score = |point: &SpacePoint| {
            let x = space.to_unit_cube(point);
            -(x[0] - 0.9).powi(2) - (x[1] - 0.2).powi(2)
        };
        let options = CmaEsOptions { candidates: Some(8), generations: 25 };
        let start = space.point_at(&[0.5, 0.5]);
        let mut whole = CmaEs::new(space.clone(), options, &start, 2).expect("a search");
        maximise(&mut whole, score).expect("scores");
        let mut part = CmaEs::new(space.clone(), options, &start, 2).expect("a search");
        while part.finished().is_none() {
            let json = serde_json::to_string(&part).expect("JSON");
            part = serde_json::from_str(&json).expect("a search");
            let scores: Vec<f64> = part.ask().iter().map(score).collect();
            part.tell(&scores).expect("scores");
        }
        assert_eq!(part.best(), whole.best());
        let (best, _) = whole.best().expect("a point");
        let x = space.to_unit_cube(&best);
        assert!((x[0] - 0.9).abs() < 0.06 && (x[1] - 0.2).abs() < 0.03, "{x:?}");
    }
}
