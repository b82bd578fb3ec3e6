//! One dimension of a search space: its values, and the mapping between values and the unit
//! interval.
//!
//! Each integer owns an equal part of the unit interval (equal on the axis's scale), so that a
//! uniform draw from the interval is uniform over the integers, and the mean of two coordinates is
//! the rounded mean of the integers.

use std::fmt;
use std::hash::{Hash, Hasher};

use serde::{Deserialize, Serialize};

use super::SpaceError;
use ludion_core::random::Rng;

/// Number of significant decimal digits to which real values are rounded: digits of the width of a
/// linear axis, or of the value on a logarithmic one.
pub const SIGNIFICANT_DIGITS: i32 = 4;
/// Largest absolute value of a number on an integer axis: up to here integers are exact as `f64`.
const MAX_INTEGER: i64 = 1 << 53;

/// A named dimension of a search space.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SpaceAxis {
    /// Name of the axis, unique in its space.
    pub name: String,
    /// The values allowed on the axis.
    pub range: AxisRange,
    /// The values that random draws give, where they are fewer than the allowed ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drawn: Option<AxisRange>,
}

/// The set of values allowed on an axis.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AxisRange {
    /// Integers from `min` to `max`, inclusive.
    Integer {
        /// Smallest value.
        min: i64,
        /// Largest value.
        max: i64,
        /// Spacing of the values.
        scale: AxisScale,
    },
    /// Real numbers from `min` to `max`, inclusive.
    Real {
        /// Smallest value.
        min: f64,
        /// Largest value.
        max: f64,
        /// Spacing of the values.
        scale: AxisScale,
    },
    /// One of these words, which have no order.
    Choice(Vec<String>),
}

/// Spacing of the numbers on an axis.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AxisScale {
    /// Equal differences have equal distance.
    Linear,
    /// Equal ratios have equal distance; positive numbers only.
    Logarithmic,
}

/// The coordinate of a point on one axis.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AxisValue {
    /// A value on an integer axis.
    Integer(i64),
    /// A value on a real axis.
    Real(f64),
    /// A value on an axis of words.
    Choice(String),
}

impl PartialEq for AxisValue {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (AxisValue::Integer(a), AxisValue::Integer(b)) => a == b,
            (AxisValue::Real(a), AxisValue::Real(b)) => a.to_bits() == b.to_bits(),
            (AxisValue::Choice(a), AxisValue::Choice(b)) => a == b,
            _ => false,
        }
    }
}

impl Eq for AxisValue {}

impl Hash for AxisValue {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self {
            AxisValue::Integer(v) => v.hash(state),
            AxisValue::Real(v) => v.to_bits().hash(state),
            AxisValue::Choice(v) => v.hash(state),
        }
    }
}

impl fmt::Display for AxisValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AxisValue::Integer(v) => write!(f, "{v}"),
            AxisValue::Real(v) => write!(f, "{v}"),
            AxisValue::Choice(v) => f.write_str(v),
        }
    }
}

impl SpaceAxis {
    fn of(name: impl Into<String>, range: AxisRange) -> Self {
        SpaceAxis { name: name.into(), range, drawn: None }
    }

    /// Creates an axis of the integers from `min` to `max`.
    #[must_use]
    pub fn integer(name: impl Into<String>, min: i64, max: i64, scale: AxisScale) -> Self {
        SpaceAxis::of(name, AxisRange::Integer { min, max, scale })
    }

    /// Creates an axis of the integers from 0 to `max`, of which random draws give those up to
    /// `drawn`. Points given by the caller, and mixtures of points, may have larger values.
    #[must_use]
    pub fn integer_drawn_up_to(name: impl Into<String>, drawn: i64, max: i64) -> Self {
        let up_to = |max| AxisRange::Integer { min: 0, max, scale: AxisScale::Linear };
        SpaceAxis { drawn: Some(up_to(drawn)), ..SpaceAxis::of(name, up_to(max)) }
    }

    /// Creates an axis of the real numbers from `min` to `max`.
    #[must_use]
    pub fn real(name: impl Into<String>, min: f64, max: f64, scale: AxisScale) -> Self {
        SpaceAxis::of(name, AxisRange::Real { min, max, scale })
    }

    /// Creates an axis of words.
    #[must_use]
    pub fn choice(name: impl Into<String>, words: &[&str]) -> Self {
        let words = words.iter().map(|&word| word.to_owned()).collect();
        SpaceAxis::of(name, AxisRange::Choice(words))
    }

    /// Describes the allowed values in words, for error messages.
    #[must_use]
    pub fn allowed(&self) -> String {
        match &self.range {
            AxisRange::Integer { min, max, .. } => format!("a whole number from {min} to {max}"),
            AxisRange::Real { min, max, .. } => format!("a number from {min} to {max}"),
            AxisRange::Choice(words) => words.join(", "),
        }
    }

    pub(super) fn check(&self) -> Result<(), SpaceError> {
        if let Some(drawn) = &self.drawn {
            SpaceAxis::of(&self.name, drawn.clone()).check()?;
            let ends = [drawn.value_at(0.0), drawn.value_at(1.0)];
            if let Some(end) = ends.iter().find(|&end| !self.contains(end)) {
                return Err(SpaceError::Outside {
                    axis: self.name.clone(),
                    value: end.to_string(),
                    allowed: self.allowed(),
                });
            }
        }
        let axis = self.name.clone();
        let (min, max, scale) = match &self.range {
            AxisRange::Integer { min, max, scale } => {
                if *min < -MAX_INTEGER || *max > MAX_INTEGER {
                    return Err(SpaceError::TooWide(axis));
                }
                (*min as f64, *max as f64, *scale)
            }
            AxisRange::Real { min, max, scale } => (*min, *max, *scale),
            AxisRange::Choice(words) => {
                let twice = (1..words.len()).any(|i| words[..i].contains(&words[i]));
                let fits = !words.is_empty() && !twice;
                return if fits { Ok(()) } else { Err(SpaceError::Words(axis)) };
            }
        };
        if min > max || !(max - min).is_finite() {
            return Err(SpaceError::Empty { axis, min: min.to_string(), max: max.to_string() });
        }
        if scale == AxisScale::Logarithmic && min <= 0.0 {
            return Err(SpaceError::NotPositive { axis, min: min.to_string() });
        }
        Ok(())
    }

    /// Clamps a number to the range and rounds it; `None` if the value has the wrong type, is not a
    /// number or is an unknown word.
    pub(super) fn clamp(&self, value: &AxisValue) -> Option<AxisValue> {
        match (&self.range, value) {
            (AxisRange::Integer { min, max, .. }, AxisValue::Integer(v)) => {
                Some(AxisValue::Integer(*v.clamp(min, max)))
            }
            (AxisRange::Real { min, max, scale }, AxisValue::Real(v)) if !v.is_nan() => {
                Some(AxisValue::Real(round(v.clamp(*min, *max), *min, *max, *scale)))
            }
            (AxisRange::Choice(words), AxisValue::Choice(v)) if words.contains(v) => {
                Some(value.clone())
            }
            _ => None,
        }
    }

    /// Returns whether the value, before it is rounded, has the type of the axis and lies in its
    /// range.
    pub(super) fn contains(&self, value: &AxisValue) -> bool {
        match (&self.range, value) {
            (AxisRange::Integer { min, max, .. }, AxisValue::Integer(v)) => {
                (min..=max).contains(&v)
            }
            (AxisRange::Real { min, max, .. }, AxisValue::Real(v)) => (min..=max).contains(&v),
            (AxisRange::Choice(words), AxisValue::Choice(v)) => words.contains(v),
            _ => false,
        }
    }

    /// Returns the value at a coordinate of the unit interval; a coordinate outside it is clamped.
    #[must_use]
    pub(super) fn value_at(&self, unit: f64) -> AxisValue {
        self.range.value_at(unit)
    }

    /// Returns the value at a coordinate of the unit interval; an integer is rounded up or down at
    /// random, to the nearer one more often.
    pub(super) fn value_near(&self, unit: f64, rng: &mut Rng) -> AxisValue {
        match self.range {
            AxisRange::Integer { min, max, .. } => {
                let number = (self.range.number_at(unit) + rng.unit()).floor() as i64;
                AxisValue::Integer(number.clamp(min, max))
            }
            AxisRange::Real { .. } | AxisRange::Choice(_) => self.value_at(unit),
        }
    }

    /// Returns the coordinate of a value of this axis in the unit interval.
    pub(super) fn to_unit(&self, value: &AxisValue) -> f64 {
        let number = match (&self.range, value) {
            (_, AxisValue::Integer(v)) => *v as f64,
            (_, AxisValue::Real(v)) => *v,
            (AxisRange::Choice(words), AxisValue::Choice(v)) => {
                words.iter().position(|word| word == v).unwrap_or(0) as f64
            }
            (_, AxisValue::Choice(_)) => return 0.5,
        };
        let (low, high, scale) = self.range.scaled_range();
        let scaled = if scale == AxisScale::Linear { number } else { number.ln() };
        if high > low { (scaled - low) / (high - low) } else { 0.5 }
    }

    /// Draws a random value, uniform on the scale of the axis, from the whole range or from the part
    /// that draws give.
    pub(super) fn random(&self, rng: &mut Rng) -> AxisValue {
        self.drawn.as_ref().unwrap_or(&self.range).value_at(rng.unit())
    }
}

impl AxisRange {
    /// Returns the ends of the range on its scale (logarithms on a logarithmic axis), and the scale;
    /// integers extend by 0.5 to each side.
    fn scaled_range(&self) -> (f64, f64, AxisScale) {
        let (low, high, scale) = match self {
            AxisRange::Integer { min, max, scale } => {
                (*min as f64 - 0.5, *max as f64 + 0.5, *scale)
            }
            AxisRange::Real { min, max, scale } => (*min, *max, *scale),
            AxisRange::Choice(words) => (-0.5, words.len() as f64 - 0.5, AxisScale::Linear),
        };
        match scale {
            AxisScale::Linear => (low, high, scale),
            AxisScale::Logarithmic => (low.ln(), high.ln(), scale),
        }
    }

    /// Returns the number at a coordinate of the unit interval before it is rounded.
    fn number_at(&self, unit: f64) -> f64 {
        let (low, high, scale) = self.scaled_range();
        let scaled = low + unit.clamp(0.0, 1.0) * (high - low);
        if scale == AxisScale::Linear { scaled } else { scaled.exp() }
    }

    /// Returns the value at a coordinate of the unit interval; a coordinate outside it is clamped.
    fn value_at(&self, unit: f64) -> AxisValue {
        let number = self.number_at(unit);
        match self {
            AxisRange::Integer { min, max, .. } => {
                AxisValue::Integer((number.round() as i64).clamp(*min, *max))
            }
            AxisRange::Real { min, max, scale } => {
                AxisValue::Real(round(number.clamp(*min, *max), *min, *max, *scale))
            }
            AxisRange::Choice(words) => AxisValue::Choice(
                words[(number.round().max(0.0) as usize).min(words.len() - 1)].clone(),
            ),
        }
    }
}

/// Rounds a real value to [`SIGNIFICANT_DIGITS`] significant decimal digits, so that its text is
/// short, without leaving the range.
fn round(value: f64, min: f64, max: f64, scale: AxisScale) -> f64 {
    let size = if scale == AxisScale::Linear { max - min } else { value };
    if size <= 0.0 {
        return value;
    }
    let digits_before_the_point = match scale {
        AxisScale::Linear => size.log10().ceil() as i32,
        AxisScale::Logarithmic => size.log10().floor() as i32 + 1,
    };
    let decimals = SIGNIFICANT_DIGITS - digits_before_the_point;
    let rounded = if decimals >= 0 {
        format!("{value:.*}", decimals.unsigned_abs() as usize).parse().unwrap_or(value)
    } else {
        let step = 10_f64.powi(-decimals);
        (value / step).round() * step
    };
    // Adding 0 turns -0 into 0.
    rounded.clamp(min, max) + 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_logarithmic_axis_gives_equal_length_to_every_factor_of_ten() {
        let axis = SpaceAxis::real("c", 0.01, 100.0, AxisScale::Logarithmic);
        let values: Vec<AxisValue> = [0.0, 0.25, 0.5, 0.75, 1.0].map(|u| axis.value_at(u)).to_vec();
        assert_eq!(values, [0.01, 0.1, 1.0, 10.0, 100.0].map(AxisValue::Real));
    }
}
