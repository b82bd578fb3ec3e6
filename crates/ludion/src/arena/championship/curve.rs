//! Scores against the values of one parameter: a smooth curve, its optimum, and whether anything
//! is resolved.
//!
//! The curve is a penalised spline (cubic B-splines whose third differences are kept small: Eilers
//! and Marx 1996). How smooth it is, and whether the parameter counts by its value or by its
//! logarithm, is not chosen but weighed: every choice counts as much as it makes the scores likely.
//! Curves drawn from all that, the same for the same seed, give the band, the interval of the
//! optimum and the values that are worse than it. The interval includes what is not known of the
//! smoothness, which a curve chosen first would hide.

use std::rc::Rc;

use serde::{Deserialize, Serialize};

use super::score::{HomogeneityTest, MeanScore, variance_in_field};
use super::spline::{self, SplineFit};
use crate::arena::elo::GameCounts;
use crate::random::Rng;

/// Curves drawn.
const DRAWS: usize = 2000;
/// Places at which curves are looked at.
const GRID_POINTS: usize = 401;
/// Deviations of third differences that are weighed, from nearly a parabola to any curve.
const SMOOTHNESS_PRIORS: [f64; 10] = [1e-4, 2e-4, 5e-4, 1e-3, 2e-3, 5e-3, 1e-2, 2e-2, 5e-2, 1e-1];

/// A place of the curve.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct ScoreCurvePoint {
    /// The value of the parameter.
    pub x: f64,
    /// The smoothed score.
    pub score: MeanScore,
}

/// The best value of the parameter.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct CurveOptimum {
    /// Where the smoothed curve is highest.
    pub x: f64,
    /// The low end of its 95 % interval.
    pub low: f64,
    /// The high end of its 95 % interval.
    pub high: f64,
    /// The smoothed score there.
    pub score: f64,
    /// Below this value the score is lower than at the optimum, in 97.5 % of the curves.
    pub worse_below: Option<f64>,
    /// Beyond this value it is lower.
    pub worse_beyond: Option<f64>,
}

/// Scores against the values of one parameter.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ScoreCurve {
    /// The values of the parameter, ascending.
    pub values: Vec<f64>,
    /// The score of each, with its interval.
    pub scores: Vec<MeanScore>,
    /// Games played, each counted once.
    pub games: u64,
    /// Whether the values are spaced by ratios rather than by differences.
    pub logarithmic: bool,
    /// Whether all scores could be the same.
    pub homogeneity: HomogeneityTest,
    /// The smoothed curve with its band; empty without games.
    pub smooth: Vec<ScoreCurvePoint>,
    /// Its optimum; `None` without games.
    pub optimum: Option<CurveOptimum>,
}

impl ScoreCurve {
    /// The curve of a championship of which everybody met everybody: the values of the parameter,
    /// ascending, and the games of each, in which every game counts for both who played it.
    ///
    /// # Panics
    /// When there are not as many values as results, or a value is no finite number.
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
            curve.smoothen([*low, *high], games, seed);
        }
        curve
    }

    fn smoothen(&mut self, ends: [f64; 2], games: &[GameCounts], seed: u64) {
        let shown = AxisSpacing { ends, logarithmic: self.logarithmic };
        let places: Vec<f64> =
            (0..GRID_POINTS).map(|i| shown.value(i as f64 / (GRID_POINTS - 1) as f64)).collect();
        let data: Vec<(f64, f64, f64)> = (0..games.len())
            .filter(|&i| games[i].total() > 0)
            .map(|i| {
                let variance = variance_in_field(&games[i], games.len());
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

/// Whether the ratios of neighbours are more even than their differences.
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

/// How values are spread over [0, 1].
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

/// One way to smooth: a spacing with a smoothness, the curve it gives, and its weight.
struct SmoothingModel {
    weight: f64,
    fit: SplineFit,
    bases: Rc<Vec<(usize, [f64; 4])>>,
}

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

/// The middle 95 % of some numbers.
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
