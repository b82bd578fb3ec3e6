//! Points of any space: a normal law for every axis of numbers, a row of probabilities for every
//! axis of words.

use serde::{Deserialize, Serialize};

use super::super::SetupError;
use super::super::space::{AxisRange, SearchSpace, SpacePoint};
use super::categorical::CategoricalDistribution;
use super::family::{DistributionFamily, EliteCandidate};
use super::gaussian::{GaussianDistribution, GaussianFigures};
use super::options::CrossEntropyOptions;
use crate::random::Rng;

/// A law of points of a space.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(try_from = "UncheckedPoints", into = "UncheckedPoints")]
pub struct PointDistribution {
    space: SearchSpace,
    numbers: GaussianDistribution,
    words: CategoricalDistribution,
}

#[derive(Serialize, Deserialize)]
struct UncheckedPoints {
    space: SearchSpace,
    numbers: GaussianDistribution,
    words: CategoricalDistribution,
}

/// What a law of points says of itself.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PointFigures {
    /// Of the axes of numbers in their order, on the unit interval.
    pub numbers: GaussianFigures,
    /// The probabilities of the words of the other axes in their order.
    pub words: Vec<Vec<f64>>,
}

impl TryFrom<UncheckedPoints> for PointDistribution {
    type Error = SetupError;

    fn try_from(law: UncheckedPoints) -> Result<Self, SetupError> {
        let UncheckedPoints { space, numbers, words } = law;
        let rows: Vec<usize> = words.rows().iter().map(Vec::len).collect();
        let coordinates = numbers.figures().mean.len();
        if rows != choices(&space) || coordinates + rows.len() != space.axes().len() {
            return Err(SetupError::Inconsistent("the laws are not those of the axes"));
        }
        Ok(PointDistribution { space, numbers, words })
    }
}

impl From<PointDistribution> for UncheckedPoints {
    fn from(law: PointDistribution) -> Self {
        UncheckedPoints { space: law.space, numbers: law.numbers, words: law.words }
    }
}

/// The numbers of words on the axes that have words.
fn choices(space: &SearchSpace) -> Vec<usize> {
    let words = |range: &AxisRange| {
        if let AxisRange::Choice(words) = range { Some(words.len()) } else { None }
    };
    space.axes().iter().filter_map(|axis| words(&axis.range)).collect()
}

impl PointDistribution {
    /// A wide law over the whole space.
    pub fn wide(space: SearchSpace) -> Result<Self, SetupError> {
        let choices = choices(&space);
        let numbers = GaussianDistribution::wide(space.axes().len() - choices.len());
        Ok(PointDistribution { numbers, words: CategoricalDistribution::uneven(choices)?, space })
    }

    /// A law whose numbers begin around those of `point`, with a deviation on the unit interval.
    pub fn around(
        space: SearchSpace,
        point: &SpacePoint,
        deviation: f64,
    ) -> Result<Self, SetupError> {
        let point = space.point(point.values())?;
        let mut law = PointDistribution::wide(space)?;
        let (mean, _) = law.split(&point);
        let deviations = vec![deviation; mean.len()];
        law.numbers = GaussianDistribution::new(mean, deviations)?;
        Ok(law)
    }

    /// What is searched.
    #[must_use]
    pub fn space(&self) -> &SearchSpace {
        &self.space
    }

    /// The unit coordinates of the numbers of a point, and the places of its words.
    fn split(&self, point: &SpacePoint) -> (Vec<f64>, Vec<u16>) {
        let (mut numbers, mut words) = (Vec::new(), Vec::new());
        for (axis, unit) in self.space.axes().iter().zip(self.space.cube(point)) {
            match &axis.range {
                AxisRange::Choice(of) => words.push((unit * of.len() as f64) as u16),
                AxisRange::Integer { .. } | AxisRange::Real { .. } => numbers.push(unit),
            }
        }
        (numbers, words)
    }

    /// The other way.
    fn join(&self, numbers: &[f64], words: &[u16]) -> SpacePoint {
        let (mut numbers, mut words) = (numbers.iter(), words.iter());
        let place = |range: &AxisRange| match range {
            AxisRange::Choice(of) => words.next().map(|&w| (f64::from(w) + 0.5) / of.len() as f64),
            AxisRange::Integer { .. } | AxisRange::Real { .. } => numbers.next().copied(),
        };
        let ranges = self.space.axes().iter().map(|axis| &axis.range);
        let cube: Option<Vec<f64>> = ranges.map(place).collect();
        self.space.at(&cube.expect("there is a law for every axis"))
    }
}

impl DistributionFamily for PointDistribution {
    type Sample = SpacePoint;
    type Figures = PointFigures;

    fn parameters(&self) -> usize {
        self.numbers.parameters() + self.words.parameters()
    }

    fn defaults(&self) -> CrossEntropyOptions {
        self.numbers.defaults()
    }

    fn redraw(&self, count: usize, rng: &mut Rng, samples: &mut Vec<SpacePoint>) {
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

    fn figures(&self) -> PointFigures {
        PointFigures { numbers: self.numbers.figures(), words: self.words.rows().to_vec() }
    }

    /// That of the axis that is furthest from it.
    fn concentration(&self) -> f64 {
        self.numbers.concentration().min(self.words.concentration())
    }
}
