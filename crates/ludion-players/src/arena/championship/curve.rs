//! The scores of one numeric parameter as a smooth curve with a confidence band, and its optimum.
//!
//! The curve is a penalised spline (cubic B-splines with a penalty on third differences: Eilers and
//! Marx 1996). Several models are fitted, which differ in their smoothness and in whether the
//! parameter enters by its value or its logarithm, and each is weighted by its evidence. Curves
//! drawn from this mixture, with a fixed seed, give the band, the interval of the optimum, and the
//! values that are worse than the optimum. So the interval includes the uncertainty about the
//! smoothness, which a single chosen model would hide.

use std::rc::Rc;

use serde::{Deserialize, Serialize};

use super::score::{HomogeneityTest, MeanScore, variance_in_round_robin};
use super::spline::{self, SplineFit};
use crate::arena::elo::GameCounts;
use crate::random::Rng;

/// Number of curves drawn from the posterior to compute intervals.
const DRAWS: usize = 2000;
/// Number of parameter values at which each curve is evaluated.
const GRID_POINTS: usize = 401;
/// Prior standard deviations τ of the third differences of spline coefficients, one model for each:
/// the smallest allow almost only parabolas, the largest almost any curve.
const SMOOTHNESS_PRIORS: [f64; 10] = [1e-4, 2e-4, 5e-4, 1e-3, 2e-3, 5e-3, 1e-2, 2e-2, 5e-2, 1e-1];

/// A point of the smoothed score curve of a championship.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct ScoreCurvePoint {
    /// The value of the parameter at this point.
    pub x: f64,
    /// The smoothed score at this value, with its 95 % band.
    pub score: MeanScore,
}

/// The best parameter value according to the smoothed curve, with its uncertainty.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct CurveOptimum {
    /// The value of the parameter at the maximum of the curve.
    pub x: f64,
    /// The low end of the 95 % interval of the best parameter value.
    pub low: f64,
    /// The high end of the 95 % interval of the best parameter value.
    pub high: f64,
    /// The smoothed score at the optimum, from 0 to 1.
    pub score: f64,
    /// The largest parameter value such that it and all lower values score worse than the optimum
    /// in 97.5 % of the drawn curves; `None` if there is none.
    pub worse_below: Option<f64>,
    /// The smallest parameter value such that it and all higher values score worse than the optimum
    /// in 97.5 % of the drawn curves; `None` if there is none.
    pub worse_beyond: Option<f64>,
}

/// The scores of the values of one parameter in a championship, with a smoothed curve.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ScoreCurve {
    /// The values of the parameter that were played, in ascending order.
    pub values: Vec<f64>,
    /// The score of each value with its 95 % interval, in the order of `values`.
    pub scores: Vec<MeanScore>,
    /// Number of games of the championship.
    pub games: u64,
    /// Whether the values are spaced more evenly on a logarithmic than on a linear scale.
    pub logarithmic: bool,
    /// The test whether all values of the parameter score the same.
    pub homogeneity: HomogeneityTest,
    /// The points of the smoothed curve in ascending order of the parameter; empty without games.
    pub smooth: Vec<ScoreCurvePoint>,
    /// The optimum of the smoothed curve; `None` without games.
    pub optimum: Option<CurveOptimum>,
}

impl ScoreCurve {
    /// Fits the curve of a round-robin championship. `values` are the parameter values in ascending
    /// order; `games[i]` counts the results of the player with `values[i]`, so every game is
    /// counted for both of its players. `seed` determines the curves drawn for the intervals.
    ///
    /// # Panics
    /// When the numbers of values and results differ, or a value is not finite.
    #[must_use]
    pub fn fit(values: &[f64], games: &[GameCounts], seed: u64) -> Self {
        assert_eq!(values.len(), games.len(), "every value has its games");
        assert!(values.iter().all(|value| value.is_finite()), "values are numbers");
        let mut curve = ScoreCurve {
            values: values.to_vec(),
            scores: games.iter().map(MeanScore::from_counts).collect(),
            games: games.iter().map(GameCounts::total).sum::<u64>() / 2,
            logarithmic: is_geometric(values),
            homogeneity: HomogeneityTest::from_counts(games),
            smooth: Vec::new(),
            optimum: None,
        };
        if let [low, .., high] = values
            && low < high
        {
            curve.fit_smooth_curve([*low, *high], games, seed);
        }
        curve
    }

    fn fit_smooth_curve(&mut self, ends: [f64; 2], games: &[GameCounts], seed: u64) {
        let shown = AxisSpacing { ends, logarithmic: self.logarithmic };
        let places: Vec<f64> =
            (0..GRID_POINTS).map(|i| shown.value(i as f64 / (GRID_POINTS - 1) as f64)).collect();
        let data: Vec<(f64, f64, f64)> = (0..games.len())
            .filter(|&i| games[i].total() > 0)
            .map(|i| {
                let variance = variance_in_round_robin(&games[i], games.len());
                (self.values[i], self.scores[i].value, variance)
            })
            .collect();
        let models = SmoothingModels::weigh(&data, ends, &places);
        if models.0.is_empty() {
            return;
        }
        let mean = models.mean();
        let best = highest(&mean);
        let mut rng = Rng::new(seed);
        let draws: Vec<Vec<f64>> = (0..DRAWS).map(|_| models.draw(&mut rng)).collect();
        self.optimum = Some(optimum(&places, &mean, best, &draws));
        self.smooth = (0..GRID_POINTS)
            .map(|i| {
                let [low, high] = interval(draws.iter().map(|draw| draw[i]).collect());
                let [value, low, high] = [mean[i], low, high].map(|score| score.clamp(0.0, 1.0));
                ScoreCurvePoint { x: places[i], score: MeanScore { value, low, high } }
            })
            .collect();
    }
}

/// Returns whether the values are spaced more evenly by ratio than by difference.
fn is_geometric(values: &[f64]) -> bool {
    if values.len() < 3 || values.iter().any(|value| *value <= 0.0) {
        return false;
    }
    let unevenness = |place: &dyn Fn(f64) -> f64| {
        let gaps: Vec<f64> = values.windows(2).map(|w| place(w[1]) - place(w[0])).collect();
        let mean = gaps.iter().sum::<f64>() / gaps.len() as f64;
        gaps.iter().map(|gap| (gap / mean - 1.0).powi(2)).sum::<f64>()
    };
    unevenness(&f64::ln) < unevenness(&|value| value)
}

/// A linear or logarithmic mapping of a parameter's range to [0, 1].
#[derive(Clone, Copy)]
struct AxisSpacing {
    ends: [f64; 2],
    logarithmic: bool,
}

impl AxisSpacing {
    fn place(&self, value: f64) -> f64 {
        let [low, high] = self.ends;
        if self.logarithmic {
            (value / low).ln() / (high / low).ln()
        } else {
            (value - low) / (high - low)
        }
    }

    fn value(&self, place: f64) -> f64 {
        let [low, high] = self.ends;
        if place >= 1.0 {
            high
        } else if self.logarithmic {
            low * (high / low).powf(place)
        } else {
            low + place * (high - low)
        }
    }
}

/// One smoothing model: a fitted spline with its posterior weight.
struct SmoothingModel {
    weight: f64,
    fit: SplineFit,
    bases: Rc<Vec<(usize, [f64; 4])>>,
}

/// All smoothing models; their posterior weights add up to 1.
struct SmoothingModels(Vec<SmoothingModel>);

impl SmoothingModels {
    fn weigh(data: &[(f64, f64, f64)], ends: [f64; 2], places: &[f64]) -> SmoothingModels {
        let mut models = Vec::new();
        for logarithmic in [false, true] {
            if logarithmic && ends[0] <= 0.0 {
                continue;
            }
            let spacing = AxisSpacing { ends, logarithmic };
            let bases: Vec<_> = places.iter().map(|x| spline::basis(spacing.place(*x))).collect();
            let bases = Rc::new(bases);
            let data: Vec<(f64, f64, f64)> = data
                .iter()
                .map(|&(x, score, variance)| (spacing.place(x), score, variance))
                .collect();
            let fits = SMOOTHNESS_PRIORS.iter().filter_map(|tau| SplineFit::new(&data, *tau));
            models.extend(fits.map(|fit| SmoothingModel {
                weight: 0.0,
                fit,
                bases: bases.clone(),
            }));
        }
        let most = models.iter().map(|m| m.fit.evidence).fold(f64::NEG_INFINITY, f64::max);
        for model in &mut models {
            model.weight = (model.fit.evidence - most).exp();
        }
        let sum: f64 = models.iter().map(|model| model.weight).sum();
        for model in &mut models {
            model.weight /= sum;
        }
        SmoothingModels(models)
    }

    fn mean(&self) -> Vec<f64> {
        let mut mean = vec![0.0; GRID_POINTS];
        for SmoothingModel { weight, fit, bases } in &self.0 {
            for (sum, basis) in mean.iter_mut().zip(bases.iter()) {
                *sum += weight * spline::value(fit.mean(), basis);
            }
        }
        mean
    }

    fn draw(&self, rng: &mut Rng) -> Vec<f64> {
        let mut left = rng.unit();
        let chosen = self.0.iter().find(|model| {
            left -= model.weight;
            left < 0.0
        });
        let model = chosen.unwrap_or(&self.0[self.0.len() - 1]);
        let coefficients = model.fit.draw(rng);
        model.bases.iter().map(|basis| spline::value(&coefficients, basis)).collect()
    }
}

fn highest(curve: &[f64]) -> usize {
    (0..curve.len()).max_by(|&i, &j| curve[i].total_cmp(&curve[j])).unwrap_or(0)
}

/// Returns the 2.5 % and 97.5 % quantiles of `numbers`.
fn interval(mut numbers: Vec<f64>) -> [f64; 2] {
    numbers.sort_by(f64::total_cmp);
    let last = numbers.len() - 1;
    [0.025, 0.975].map(|share| numbers[(share * last as f64).round() as usize])
}

fn optimum(places: &[f64], mean: &[f64], best: usize, draws: &[Vec<f64>]) -> CurveOptimum {
    let [low, high] = interval(draws.iter().map(|draw| places[highest(draw)]).collect());
    let worse = |i: usize| {
        let count = draws.iter().filter(|draw| draw[i] < draw[best]).count();
        count as f64 >= 0.975 * draws.len() as f64
    };
    let below = (0..best).take_while(|&i| worse(i)).last();
    let beyond = (best + 1..places.len()).rev().take_while(|&i| worse(i)).last();
    CurveOptimum {
        x: places[best],
        low: low.min(places[best]),
        high: high.max(places[best]),
        score: mean[best].clamp(0.0, 1.0),
        worse_below: below.map(|i| places[i]),
        worse_beyond: beyond.map(|i| places[i]),
    }
}
