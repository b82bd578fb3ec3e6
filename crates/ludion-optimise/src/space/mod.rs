//! Search spaces: named axes, points on them, and the mapping between points and the unit cube.
//!
//! Real values are rounded to four digits (relative to the width of a linear axis, or to the value
//! on a logarithmic one). Points can therefore be compared and hashed by value, recognised when
//! they come up again, and used as keys in text form.

mod axis;

use serde::{Deserialize, Serialize};

pub use axis::{AxisRange, AxisScale, AxisValue, SIGNIFICANT_DIGITS, SpaceAxis};

use ludion_core::random::Rng;

/// A point of a [`SearchSpace`]: one rounded value for each axis, in the order of the axes.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct SpacePoint(Vec<AxisValue>);

impl SpacePoint {
    /// Returns the values in the order of the axes.
    #[must_use]
    pub fn values(&self) -> &[AxisValue] {
        &self.0
    }
}

/// Reasons why a search space or a point is invalid.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum SpaceError {
    /// The space has no axis.
    #[error("a space needs at least one axis")]
    NoAxis,
    /// Two axes have this name.
    #[error("two axes are called {0:?}; each needs a name of its own")]
    SameName(String),
    /// The range of an axis is empty or not finite.
    #[error(
        "the axis {axis:?} has no values from {min} to {max}; the smallest comes first, and both are finite"
    )]
    Empty {
        /// Name of the axis.
        axis: String,
        /// Lower end of the range, as text.
        min: String,
        /// Upper end of the range, as text.
        max: String,
    },
    /// The integer axis of this name extends beyond the integers that are exact as `f64`.
    #[error("the whole numbers of the axis {0:?} exceed 2^53; allowed is -2^53 to 2^53")]
    TooWide(String),
    /// A logarithmic axis begins at 0 or below.
    #[error("the axis {axis:?} is logarithmic and begins at {min}; it must begin above 0")]
    NotPositive {
        /// Name of the axis.
        axis: String,
        /// Lower end of the range, as text.
        min: String,
    },
    /// The axis of words with this name has no word, or the same word twice.
    #[error("the axis {0:?} needs at least one word, and each of them once")]
    Words(String),
    /// The axis of this name has words, for a search that moves along numbers.
    #[error("the axis {0:?} has words; this search takes numbers only")]
    NotNumbers(String),
    /// The number of values differs from the number of axes.
    #[error("{got} values for {axes} axes; one value is needed for each")]
    Count {
        /// Number of axes of the space.
        axes: usize,
        /// Number of values given.
        got: usize,
    },
    /// A value does not lie on its axis.
    #[error("{value} is not on the axis {axis:?}; allowed is {allowed}")]
    Outside {
        /// Name of the axis.
        axis: String,
        /// The value given, as text.
        value: String,
        /// The allowed values, in words.
        allowed: String,
    },
}

/// The domain of a search: at least one axis, with distinct names and non-empty ranges.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(try_from = "Vec<SpaceAxis>", into = "Vec<SpaceAxis>")]
pub struct SearchSpace {
    axes: Vec<SpaceAxis>,
}

impl TryFrom<Vec<SpaceAxis>> for SearchSpace {
    type Error = SpaceError;

    fn try_from(axes: Vec<SpaceAxis>) -> Result<Self, SpaceError> {
        SearchSpace::new(axes)
    }
}

impl From<SearchSpace> for Vec<SpaceAxis> {
    fn from(space: SearchSpace) -> Self {
        space.axes
    }
}

impl SearchSpace {
    /// Creates the space with these axes.
    pub fn new(axes: Vec<SpaceAxis>) -> Result<Self, SpaceError> {
        if axes.is_empty() {
            return Err(SpaceError::NoAxis);
        }
        for (i, axis) in axes.iter().enumerate() {
            axis.check()?;
            if axes[..i].iter().any(|other| other.name == axis.name) {
                return Err(SpaceError::SameName(axis.name.clone()));
            }
        }
        Ok(SearchSpace { axes })
    }

    /// Returns the axes.
    #[must_use]
    pub fn axes(&self) -> &[SpaceAxis] {
        &self.axes
    }

    /// Builds a point by applying `make` to each axis and its value; returns an error if `make`
    /// returns `None` for one of them.
    fn map_values(
        &self,
        values: &[AxisValue],
        make: impl Fn(&SpaceAxis, &AxisValue) -> Option<AxisValue>,
    ) -> Result<SpacePoint, SpaceError> {
        if values.len() != self.axes.len() {
            return Err(SpaceError::Count { axes: self.axes.len(), got: values.len() });
        }
        let outside = |axis: &SpaceAxis, value: &AxisValue| SpaceError::Outside {
            axis: axis.name.clone(),
            value: value.to_string(),
            allowed: axis.allowed(),
        };
        let pairs = self.axes.iter().zip(values);
        let values = pairs.map(|(axis, v)| make(axis, v).ok_or_else(|| outside(axis, v)));
        values.collect::<Result<_, _>>().map(SpacePoint)
    }

    /// Returns the point with these values; real values are rounded to the precision of their axis.
    ///
    /// # Errors
    /// When the number of values is not that of the axes, or a value has the wrong type or lies
    /// outside the range of its axis.
    pub fn point(&self, values: &[AxisValue]) -> Result<SpacePoint, SpaceError> {
        self.map_values(values, |axis, v| axis.contains(v).then(|| axis.clamp(v)).flatten())
    }

    /// Returns the point nearest to these values; an error if a value has the wrong type, is not a
    /// number or is an unknown word.
    pub fn clamp(&self, values: &[AxisValue]) -> Result<SpacePoint, SpaceError> {
        self.map_values(values, SpaceAxis::clamp)
    }

    /// Returns the point at these coordinates of the unit cube. Missing coordinates count as 0.5;
    /// others are clamped to the cube.
    #[must_use]
    pub fn point_at(&self, coordinates: &[f64]) -> SpacePoint {
        let unit = |i: usize| coordinates.get(i).copied().filter(|u| !u.is_nan()).unwrap_or(0.5);
        SpacePoint(self.axes.iter().enumerate().map(|(i, axis)| axis.value_at(unit(i))).collect())
    }

    /// Returns a point at these coordinates of the unit cube, as [`SearchSpace::point_at`] does, but
    /// rounds integers up or down at random, so that the mean of many points is at the coordinates.
    pub fn point_near(&self, coordinates: &[f64], rng: &mut Rng) -> SpacePoint {
        let pairs = self.axes.iter().zip(coordinates);
        SpacePoint(pairs.map(|(axis, &unit)| axis.value_near(unit, rng)).collect())
    }

    /// Returns an error if an axis has words.
    pub fn check_numbers(&self) -> Result<(), SpaceError> {
        let has_words = |axis: &&SpaceAxis| matches!(axis.range, AxisRange::Choice(_));
        match self.axes.iter().find(has_words) {
            Some(axis) => Err(SpaceError::NotNumbers(axis.name.clone())),
            None => Ok(()),
        }
    }

    /// Returns the coordinates of a point in the unit cube; the inverse of
    /// [`SearchSpace::point_at`].
    #[must_use]
    pub fn to_unit_cube(&self, point: &SpacePoint) -> Vec<f64> {
        self.axes.iter().zip(&point.0).map(|(axis, value)| axis.to_unit(value)).collect()
    }

    /// Draws a random point, uniform on the scale of each axis.
    pub fn random(&self, rng: &mut Rng) -> SpacePoint {
        SpacePoint(self.axes.iter().map(|axis| axis.random(rng)).collect())
    }

    /// Returns a copy of the point in which each value is replaced, with probability `rate`, by a
    /// random one.
    pub fn mutate(&self, point: &SpacePoint, rate: f64, rng: &mut Rng) -> SpacePoint {
        let pairs = self.axes.iter().zip(&point.0);
        SpacePoint(
            pairs
                .map(|(axis, v)| if rng.unit() < rate { axis.random(rng) } else { v.clone() })
                .collect(),
        )
    }

    /// Formats a point as text such as `a=3, c=0.25`; equal points have equal text.
    #[must_use]
    pub fn show(&self, point: &SpacePoint) -> String {
        let pairs = self.axes.iter().zip(&point.0);
        pairs.map(|(axis, value)| format!("{}={value}", axis.name)).collect::<Vec<_>>().join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn space() -> SearchSpace {
        SearchSpace::new(vec![
            SpaceAxis::integer("depth", -2, 7, AxisScale::Linear),
            SpaceAxis::integer("sims", 1, 100_000, AxisScale::Logarithmic),
            SpaceAxis::real("a", -1.0, 1.0, AxisScale::Linear),
            SpaceAxis::real("c", 0.01, 100.0, AxisScale::Logarithmic),
            SpaceAxis::choice("order", &["plain", "sorted", "killers"]),
        ])
        .unwrap()
    }

    #[test]
    fn mapping_to_the_unit_cube_and_back_returns_the_same_point() {
        let (space, mut rng) = (space(), Rng::new(3));
        for _ in 0..5_000 {
            let point = space.random(&mut rng);
            assert_eq!(
                space.point_at(&space.to_unit_cube(&point)),
                point,
                "{}",
                space.show(&point)
            );
            assert_eq!(space.point(point.values()).unwrap(), point);
        }
    }

    #[test]
    fn random_integers_are_uniform_over_the_whole_range() {
        let space =
            SearchSpace::new(vec![SpaceAxis::integer("n", 0, 10, AxisScale::Linear)]).unwrap();
        let (mut counts, mut rng) = ([0_u32; 11], Rng::new(5));
        for _ in 0..110_000 {
            let AxisValue::Integer(n) = space.random(&mut rng).values()[0] else {
                panic!("a number")
            };
            counts[n as usize] += 1;
        }
        // Ten degrees of freedom: 29.6 is exceeded once in a thousand seeds.
        let chi2: f64 = counts.iter().map(|&c| (f64::from(c) - 1e4).powi(2) / 1e4).sum();
        assert!(chi2 < 29.6, "{counts:?}");
    }

    #[test]
    fn draws_may_give_fewer_values_than_the_axis_allows() {
        let axis = SpaceAxis::integer_drawn_up_to("n", 10, 1_000);
        let (space, mut rng) = (SearchSpace::new(vec![axis]).unwrap(), Rng::new(7));
        let far = space.point(&[AxisValue::Integer(100)]).unwrap();
        assert_eq!(space.point_at(&space.to_unit_cube(&far)), far);
        let mut drawn = std::collections::BTreeSet::new();
        for _ in 0..1_000 {
            drawn.insert(space.show(&space.mutate(&far, 1.0, &mut rng)));
            drawn.insert(space.show(&space.random(&mut rng)));
        }
        assert_eq!(drawn, (0..=10).map(|n| format!("n={n}")).collect());
        let wider = vec![SpaceAxis::integer_drawn_up_to("n", 10, 5)];
        let refused = SearchSpace::new(wider).unwrap_err().to_string();
        assert_eq!(refused, "10 is not on the axis \"n\"; allowed is a whole number from 0 to 5");
    }

    #[test]
    fn points_that_differ_beyond_the_fourth_digit_are_the_same_and_print_short() {
        let space = space();
        let at = |a: f64, c: f64| {
            let choice = AxisValue::Choice("sorted".to_owned());
            let (depth, sims) = (AxisValue::Integer(3), AxisValue::Integer(1000));
            space.point(&[depth, sims, AxisValue::Real(a), AxisValue::Real(c), choice]).unwrap()
        };
        assert_eq!(at(0.1 + 0.2, 1.5), at(0.3, 1.500_04));
        assert_eq!(at(-0.000_01, 1.5), at(0.0, 1.5));
        assert_ne!(at(0.301, 1.5), at(0.3, 1.5));
        assert_eq!(
            space.show(&at(0.1 + 0.2, 0.012_344)),
            "depth=3, sims=1000, a=0.3, c=0.01234, order=sorted"
        );
    }

    #[test]
    fn values_outside_the_range_are_clamped_or_refused() {
        let space =
            SearchSpace::new(vec![SpaceAxis::real("c", 0.0, 2.0, AxisScale::Linear)]).unwrap();
        let error = space.point(&[AxisValue::Real(2.5)]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "2.5 is not on the axis \"c\"; allowed is a number from 0 to 2"
        );
        assert_eq!(space.clamp(&[AxisValue::Real(2.5)]).unwrap().values(), [AxisValue::Real(2.0)]);
        assert!(space.clamp(&[AxisValue::Integer(1)]).is_err());
        assert!(space.clamp(&[AxisValue::Real(f64::NAN)]).is_err());
        assert!(space.point(&[]).is_err());
    }

    #[test]
    fn mutation_changes_the_share_of_values_asked_for() {
        let space = SearchSpace::new(
            (0..50)
                .map(|i| SpaceAxis::real(format!("x{i}"), 0.0, 1.0, AxisScale::Linear))
                .collect(),
        )
        .unwrap();
        let mut rng = Rng::new(11);
        let point = space.random(&mut rng);
        let changed: usize = (0..200)
            .map(|_| {
                let other = space.mutate(&point, 0.1, &mut rng);
                point.values().iter().zip(other.values()).filter(|(a, b)| a != b).count()
            })
            .sum();
        // 10,000 values: 1,000 are expected, with a deviation of 30.
        assert!((900..1100).contains(&changed), "{changed}");
    }

    #[test]
    fn invalid_spaces_are_refused() {
        let refused = |axes: Vec<SpaceAxis>| SearchSpace::new(axes).unwrap_err().to_string();
        assert_eq!(refused(Vec::new()), "a space needs at least one axis");
        let real = |min, max, scale| vec![SpaceAxis::real("c", min, max, scale)];
        assert!(refused(real(1.0, 0.0, AxisScale::Linear)).contains("no values"));
        assert!(refused(real(0.0, f64::NAN, AxisScale::Linear)).contains("no values"));
        assert!(refused(real(0.0, 1.0, AxisScale::Logarithmic)).contains("above 0"));
        assert!(
            refused(vec![SpaceAxis::integer("n", 0, i64::MAX, AxisScale::Linear)]).contains("2^53")
        );
        assert!(refused(vec![SpaceAxis::choice("w", &["a", "a"])]).contains("each of them once"));
        let twice = vec![SpaceAxis::choice("w", &["a"]), SpaceAxis::choice("w", &["b"])];
        assert!(refused(twice).contains("two axes"));
    }
}
