//! One dimension of a space: its values, and the way between a value and the unit interval.
//!
//! A whole number owns an interval of the unit of its axis, so that a uniform draw in the unit
//! is uniform over the numbers, and the mean of two units is the rounded mean of the numbers.

use std::fmt;
use std::hash::{Hash, Hasher};

use serde::{Deserialize, Serialize};

use super::SpaceError;
use crate::random::Rng;

/// Digits to which real values are rounded.
pub const DIGITS: i32 = 4;
/// Greatest size of a whole number: up to here they are exact as reals.
const LARGEST_INTEGER: i64 = 1 << 53;

/// One dimension of a space.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Axis {
    /// Its name.
    pub name: String,
    /// What values lie on it.
    pub range: Range,
}

/// The values of an axis.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Range {
    /// Whole numbers, ends included.
    Integer {
        /// Least value.
        min: i64,
        /// Greatest value.
        max: i64,
        /// How they are spread.
        scale: Scale,
    },
    /// Numbers, ends included.
    Real {
        /// Least value.
        min: f64,
        /// Greatest value.
        max: f64,
        /// How they are spread.
        scale: Scale,
    },
    /// Words without an order.
    Choice(Vec<String>),
}

/// How the numbers of an axis are spread.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scale {
    /// Equal differences count alike.
    Linear,
    /// Equal factors count alike; positive numbers only.
    Logarithmic,
}

/// The value of a point on one axis.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Value {
    /// On an axis of whole numbers.
    Integer(i64),
    /// On an axis of numbers.
    Real(f64),
    /// On an axis of words.
    Choice(String),
}

impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Value::Integer(a), Value::Integer(b)) => a == b,
            (Value::Real(a), Value::Real(b)) => a.to_bits() == b.to_bits(),
            (Value::Choice(a), Value::Choice(b)) => a == b,
            _ => false,
        }
    }
}

impl Eq for Value {}

impl Hash for Value {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self {
            Value::Integer(v) => v.hash(state),
            Value::Real(v) => v.to_bits().hash(state),
            Value::Choice(v) => v.hash(state),
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Integer(v) => write!(f, "{v}"),
            Value::Real(v) => write!(f, "{v}"),
            Value::Choice(v) => f.write_str(v),
        }
    }
}

impl Axis {
    /// An axis of whole numbers from `min` to `max`.
    #[must_use]
    pub fn integer(name: impl Into<String>, min: i64, max: i64, scale: Scale) -> Self {
        Axis { name: name.into(), range: Range::Integer { min, max, scale } }
    }

    /// An axis of numbers from `min` to `max`.
    #[must_use]
    pub fn real(name: impl Into<String>, min: f64, max: f64, scale: Scale) -> Self {
        Axis { name: name.into(), range: Range::Real { min, max, scale } }
    }

    /// An axis of words.
    #[must_use]
    pub fn choice(name: impl Into<String>, words: &[&str]) -> Self {
        let words = words.iter().map(|&word| word.to_owned()).collect();
        Axis { name: name.into(), range: Range::Choice(words) }
    }

    /// The allowed values in words.
    #[must_use]
    pub fn allowed(&self) -> String {
        match &self.range {
            Range::Integer { min, max, .. } => format!("a whole number from {min} to {max}"),
            Range::Real { min, max, .. } => format!("a number from {min} to {max}"),
            Range::Choice(words) => words.join(", "),
        }
    }

    pub(super) fn check(&self) -> Result<(), SpaceError> {
        let axis = self.name.clone();
        let (min, max, scale) = match &self.range {
            Range::Integer { min, max, scale } => {
                if *min < -LARGEST_INTEGER || *max > LARGEST_INTEGER {
                    return Err(SpaceError::TooWide(axis));
                }
                (*min as f64, *max as f64, *scale)
            }
            Range::Real { min, max, scale } => (*min, *max, *scale),
            Range::Choice(words) => {
                let twice = (1..words.len()).any(|i| words[..i].contains(&words[i]));
                let fits = !words.is_empty() && !twice;
                return if fits { Ok(()) } else { Err(SpaceError::Words(axis)) };
            }
        };
        if min > max || !(max - min).is_finite() {
            return Err(SpaceError::Empty { axis, min: min.to_string(), max: max.to_string() });
        }
        if scale == Scale::Logarithmic && min <= 0.0 {
            return Err(SpaceError::NotPositive { axis, min: min.to_string() });
        }
        Ok(())
    }

    /// The value in the allowed form: numbers moved into the range and rounded; `None` when it
    /// is of another kind, no number, or an unknown word.
    pub(super) fn clamp(&self, value: &Value) -> Option<Value> {
        match (&self.range, value) {
            (Range::Integer { min, max, .. }, Value::Integer(v)) => {
                Some(Value::Integer(*v.clamp(min, max)))
            }
            (Range::Real { min, max, scale }, Value::Real(v)) if !v.is_nan() => {
                Some(Value::Real(round(v.clamp(*min, *max), *min, *max, *scale)))
            }
            (Range::Choice(words), Value::Choice(v)) if words.contains(v) => Some(value.clone()),
            _ => None,
        }
    }

    /// Whether the value is on the axis, before rounding.
    pub(super) fn contains(&self, value: &Value) -> bool {
        match (&self.range, value) {
            (Range::Integer { min, max, .. }, Value::Integer(v)) => (min..=max).contains(&v),
            (Range::Real { min, max, .. }, Value::Real(v)) => (min..=max).contains(&v),
            (Range::Choice(words), Value::Choice(v)) => words.contains(v),
            _ => false,
        }
    }

    /// The ends of the axis where its scale is even: whole numbers own half a unit to each side.
    fn even_ends(&self) -> (f64, f64, Scale) {
        let (low, high, scale) = match &self.range {
            Range::Integer { min, max, scale } => (*min as f64 - 0.5, *max as f64 + 0.5, *scale),
            Range::Real { min, max, scale } => (*min, *max, *scale),
            Range::Choice(words) => (-0.5, words.len() as f64 - 0.5, Scale::Linear),
        };
        match scale {
            Scale::Linear => (low, high, scale),
            Scale::Logarithmic => (low.ln(), high.ln(), scale),
        }
    }

    /// The value at a place of the unit interval, to which other places are moved.
    #[must_use]
    pub(super) fn at(&self, unit: f64) -> Value {
        let (low, high, scale) = self.even_ends();
        let even = low + unit.clamp(0.0, 1.0) * (high - low);
        let number = if scale == Scale::Linear { even } else { even.exp() };
        match &self.range {
            Range::Integer { min, max, .. } => {
                Value::Integer((number.round() as i64).clamp(*min, *max))
            }
            Range::Real { min, max, scale } => {
                Value::Real(round(number.clamp(*min, *max), *min, *max, *scale))
            }
            Range::Choice(words) => Value::Choice(
                words[(number.round().max(0.0) as usize).min(words.len() - 1)].clone(),
            ),
        }
    }

    /// The place of a value of this axis in the unit interval.
    pub(super) fn unit(&self, value: &Value) -> f64 {
        let number = match (&self.range, value) {
            (_, Value::Integer(v)) => *v as f64,
            (_, Value::Real(v)) => *v,
            (Range::Choice(words), Value::Choice(v)) => {
                words.iter().position(|word| word == v).unwrap_or(0) as f64
            }
            (_, Value::Choice(_)) => return 0.5,
        };
        let (low, high, scale) = self.even_ends();
        let even = if scale == Scale::Linear { number } else { number.ln() };
        if high > low { (even - low) / (high - low) } else { 0.5 }
    }

    /// A random value of the axis.
    pub(super) fn random(&self, rng: &mut Rng) -> Value {
        self.at(rng.unit())
    }
}

/// Rounds to [`DIGITS`] digits in decimal, which prints short, without leaving the range.
fn round(value: f64, min: f64, max: f64, scale: Scale) -> f64 {
    let size = if scale == Scale::Linear { max - min } else { value };
    if size <= 0.0 {
        return value;
    }
    let digits_before_the_point = match scale {
        Scale::Linear => size.log10().ceil() as i32,
        Scale::Logarithmic => size.log10().floor() as i32 + 1,
    };
    let decimals = DIGITS - digits_before_the_point;
    let rounded = if decimals >= 0 {
        format!("{value:.*}", decimals.unsigned_abs() as usize).parse().unwrap_or(value)
    } else {
        let step = 10_f64.powi(-decimals);
        (value / step).round() * step
    };
    // Adding 0 makes the negative zero the usual one.
    rounded.clamp(min, max) + 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_logarithmic_axis_spends_as_much_on_every_factor_of_ten() {
        let axis = Axis::real("c", 0.01, 100.0, Scale::Logarithmic);
        let values: Vec<Value> = [0.0, 0.25, 0.5, 0.75, 1.0].map(|u| axis.at(u)).to_vec();
        assert_eq!(values, [0.01, 0.1, 1.0, 10.0, 100.0].map(Value::Real));
    }
}
