//! Distributions of points of a search space: a Gaussian for every axis of numbers, a categorical
//! distribution for every axis of words.

use serde::{Deserialize, Serialize};

use super::super::SetupError;
use super::super::space::{AxisRange, SearchSpace, SpacePoint};
use super::categorical::CategoricalDistribution;
use super::family::{DistributionFamily, EliteCandidate};
use super::gaussian::{GaussianDistribution, GaussianSummary};
use super::options::CrossEntropyOptions;
use ludion_core::random::Rng;

/// A distribution of points of a search space: a Gaussian for the axes of numbers, and a
/// categorical distribution for each axis of words.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(try_from = "UncheckedPoints", into = "UncheckedPoints")]
pub struct PointDistribution {
    space: SearchSpace,
    numbers: GaussianDistribution,
    words: CategoricalDistribution,
}

/// Serialised form of a [`PointDistribution`], before its consistency is checked.
#[derive(Serialize, Deserialize)]
struct UncheckedPoints {
    space: SearchSpace,
    numbers: GaussianDistribution,
    words: CategoricalDistribution,
}

/// Parameters of a [`PointDistribution`].
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PointDistributionSummary {
    /// Means and standard deviations on the axes of numbers, in the order of the axes, with each
    /// range mapped to 0 to 1.
    pub numbers: GaussianSummary,
    /// Probabilities of the words on each axis of words, in the order of the axes.
    pub words: Vec<Vec<f64>>,
}

impl TryFrom<UncheckedPoints> for PointDistribution {
    type Error = SetupError;

    fn try_from(unchecked: UncheckedPoints) -> Result<Self, SetupError> {
        let UncheckedPoints { space, numbers, words } = unchecked;
        let rows: Vec<usize> = words.rows().iter().map(Vec::len).collect();
        let coordinates = numbers.summary().mean.len();
        if rows != word_counts(&space) || coordinates + rows.len() != space.axes().len() {
            return Err(SetupError::Inconsistent("the distributions do not match the axes"));
        }
        Ok(PointDistribution { space, numbers, words })
    }
}

impl From<PointDistribution> for UncheckedPoints {
    fn from(points: PointDistribution) -> Self {
        UncheckedPoints { space: points.space, numbers: points.numbers, words: points.words }
    }
}

/// Returns the number of words on each axis of words.
fn word_counts(space: &SearchSpace) -> Vec<usize> {
    let words = |range: &AxisRange| {
        if let AxisRange::Choice(words) = range { Some(words.len()) } else { None }
    };
    space.axes().iter().filter_map(|axis| words(&axis.range)).collect()
}

impl PointDistribution {
    /// Creates a wide distribution over the whole space: Gaussians around the middles of the axes
    /// of numbers, equal probabilities for all words.
    pub fn wide(space: SearchSpace) -> Result<Self, SetupError> {
        let word_counts = word_counts(&space);
        let numbers = GaussianDistribution::wide(space.axes().len() - word_counts.len());
        Ok(PointDistribution {
            numbers,
            words: CategoricalDistribution::with_symbol_counts(word_counts)?,
            space,
        })
    }

    /// Creates a distribution around `point`. On numeric axes, each scaled to the range 0 to 1, it is a
    /// Gaussian with the value of `point` as mean and `deviation` as standard deviation; on axes of
    /// words all words are equally likely.
    pub fn around(
        space: SearchSpace,
        point: &SpacePoint,
        deviation: f64,
    ) -> Result<Self, SetupError> {
        let point = space.point(point.values())?;
        let mut distribution = PointDistribution::wide(space)?;
        let (mean, _) = distribution.split(&point);
        let deviations = vec![deviation; mean.len()];
        distribution.numbers = GaussianDistribution::new(mean, deviations)?;
        Ok(distribution)
    }

    /// Returns the search space.
    #[must_use]
    pub fn space(&self) -> &SearchSpace {
        &self.space
    }

    /// Splits a point into the unit coordinates of its numbers and the indices of its words.
    fn split(&self, point: &SpacePoint) -> (Vec<f64>, Vec<u16>) {
        let (mut numbers, mut words) = (Vec::new(), Vec::new());
        for (axis, unit) in self.space.axes().iter().zip(self.space.to_unit_cube(point)) {
            match &axis.range {
                AxisRange::Choice(of) => words.push((unit * of.len() as f64) as u16),
                AxisRange::Integer { .. } | AxisRange::Real { .. } => numbers.push(unit),
            }
        }
        (numbers, words)
    }

    /// Builds a point from unit coordinates and word indices; the inverse of `split`.
    fn join(&self, numbers: &[f64], words: &[u16]) -> SpacePoint {
        let (mut numbers, mut words) = (numbers.iter(), words.iter());
        let coordinate = |range: &AxisRange| match range {
            AxisRange::Choice(of) => words.next().map(|&w| (f64::from(w) + 0.5) / of.len() as f64),
            AxisRange::Integer { .. } | AxisRange::Real { .. } => numbers.next().copied(),
        };
        let ranges = self.space.axes().iter().map(|axis| &axis.range);
        let coordinates: Option<Vec<f64>> = ranges.map(coordinate).collect();
        self.space.point_at(&coordinates.expect("a distribution for every axis"))
    }
}

impl DistributionFamily for PointDistribution {
    type Sample = SpacePoint;
    type Summary = PointDistributionSummary;

    fn parameters(&self) -> usize {
        self.numbers.parameters() + self.words.parameters()
    }

    fn defaults(&self) -> CrossEntropyOptions {
        self.numbers.defaults()
    }

    fn draw_into(&self, count: usize, rng: &mut Rng, samples: &mut Vec<SpacePoint>) {
        let numbers = self.numbers.draw(count, rng);
        let words = self.words.draw(count, rng);
        samples.clear();
        samples.extend(numbers.iter().zip(&words).map(|(n, w)| self.join(n, w)));
    }

    fn fit(&mut self, elite: &[EliteCandidate<'_, SpacePoint>], smoothing: f64) {
        let split: Vec<(Vec<f64>, Vec<u16>)> =
            elite.iter().map(|one| self.split(one.sample)).collect();
        let weighted = || split.iter().zip(elite.iter().map(|one| one.weight));
        let numbers: Vec<_> =
            weighted().map(|((sample, _), weight)| EliteCandidate { sample, weight }).collect();
        let words: Vec<_> =
            weighted().map(|((_, sample), weight)| EliteCandidate { sample, weight }).collect();
        self.numbers.fit(&numbers, smoothing);
        self.words.fit(&words, smoothing);
    }

    fn summary(&self) -> PointDistributionSummary {
        PointDistributionSummary {
            numbers: self.numbers.summary(),
            words: self.words.rows().to_vec(),
        }
    }

    /// Returns the concentration of the least concentrated axis.
    fn concentration(&self) -> f64 {
        self.numbers.concentration().min(self.words.concentration())
    }
}
