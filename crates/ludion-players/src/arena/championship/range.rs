//! Ranges of numbers as text: `1..50` (step 1), `1..50:7` (step 7), `1..1000*10` (factor 10).
//!
//! Values are decimal texts without binary rounding errors: `0.1..0.5:0.1` contains 0.3, not
//! 0.30000000000000004.

/// Reasons why the text of a range of parameter values is invalid.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum ParameterRangeError {
    /// The start, end, step or factor is not a number.
    #[error(
        "{part} in {range} is not a number; a range is written 1..50, 0.5..3:0.5 or 1..1000*10"
    )]
    NoNumber {
        /// The part of the range that is not a number.
        part: String,
        /// The whole range as it was written.
        range: String,
    },
    /// The start of the range is greater than its end.
    #[error("{range} is empty; the smaller end comes first")]
    Empty {
        /// The range as it was written.
        range: String,
    },
    /// The step after `:` is not positive.
    #[error("the step {step} of {range} must be above 0")]
    Step {
        /// The step as it was written.
        step: String,
        /// The whole range as it was written.
        range: String,
    },
    /// The factor after `*` is not greater than 1.
    #[error("the factor {factor} of {range} must be above 1")]
    Factor {
        /// The factor as it was written.
        factor: String,
        /// The whole range as it was written.
        range: String,
    },
    /// A range with a factor starts at 0 or below.
    #[error("{range} starts at {start}; a range with a factor starts above 0")]
    Start {
        /// The start of the range as it was written.
        start: String,
        /// The whole range as it was written.
        range: String,
    },
    /// The range has more values than there may be players.
    #[error("{count} values are too many")]
    TooMany {
        /// The number of values of the range.
        count: usize,
    },
}

/// Returns whether the text begins like a range: a number followed by two dots.
pub(super) fn is_range(text: &str) -> bool {
    text.split_once("..").is_some_and(|(start, _)| number(start).is_some())
}

/// Parses a finite number; `None` if the text is not one.
pub(super) fn number(text: &str) -> Option<f64> {
    text.trim().parse().ok().filter(|number: &f64| number.is_finite())
}

/// A parsed range. The texts of its parts are kept for error messages and to count decimals.
struct ParameterRange<'a> {
    text: &'a str,
    start: (&'a str, f64),
    end: f64,
    growth: Progression<'a>,
}

/// The step that is added or the factor that multiplies from value to value, as text and as number.
enum Progression<'a> {
    Step(&'a str, f64),
    Factor(&'a str, f64),
}

/// Returns the values of the range `text`; an error if there are more than `room`.
pub(super) fn values(text: &str, room: usize) -> Result<Vec<String>, ParameterRangeError> {
    let range = read(text)?;
    if range.end < range.start.1 {
        return Err(ParameterRangeError::Empty { range: text.to_owned() });
    }
    match range.growth {
        Progression::Step(step_text, step) => range.arithmetic(step_text, step, room),
        Progression::Factor(factor_text, factor) => range.geometric(factor_text, factor, room),
    }
}

fn read(text: &str) -> Result<ParameterRange<'_>, ParameterRangeError> {
    let read = |part: &str| {
        let error =
            || ParameterRangeError::NoNumber { part: part.to_owned(), range: text.to_owned() };
        number(part).ok_or_else(error)
    };
    let (start, rest) = text.split_once("..").unwrap_or((text, ""));
    let (end, growth) = match rest.split_once([':', '*']) {
        Some((end, growth)) => (end.trim(), growth.trim()),
        None => (rest.trim(), "1"),
    };
    Ok(ParameterRange {
        text,
        start: (start.trim(), read(start.trim())?),
        end: read(end)?,
        growth: match rest.find([':', '*']).map(|at| &rest[at..=at]) {
            Some("*") => Progression::Factor(growth, read(growth)?),
            _ => Progression::Step(growth, read(growth)?),
        },
    })
}

/// Tolerance for rounding errors when values are compared with the end of a range, in steps.
const ROUNDING_SLACK: f64 = 1e-9;

impl ParameterRange<'_> {
    fn arithmetic(
        &self,
        text: &str,
        step: f64,
        room: usize,
    ) -> Result<Vec<String>, ParameterRangeError> {
        let range = self.text.to_owned();
        if step <= 0.0 {
            return Err(ParameterRangeError::Step { step: text.to_owned(), range });
        }
        let start = self.start.1;
        let count = value_count((self.end - start) / step, room)?;
        let decimals = decimals(self.start.0).max(decimals(text));
        Ok((0..count).map(|i| shown(start + i as f64 * step, decimals)).collect())
    }

    fn geometric(
        &self,
        text: &str,
        factor: f64,
        room: usize,
    ) -> Result<Vec<String>, ParameterRangeError> {
        let range = self.text.to_owned();
        let (start_text, start) = self.start;
        if start <= 0.0 {
            return Err(ParameterRangeError::Start { start: start_text.to_owned(), range });
        }
        if factor <= 1.0 {
            return Err(ParameterRangeError::Factor { factor: text.to_owned(), range });
        }
        let count = value_count((self.end / start).ln() / factor.ln(), room)?;
        // Twelve significant digits are enough for any parameter and hide rounding errors.
        let digits = |value: f64| (11 - value.log10().floor() as i32).clamp(0, 17) as usize;
        let values = (0..count).map(|i| start * factor.powi(i as i32));
        Ok(values.map(|value| shown(value, digits(value))).collect())
    }
}

/// Returns the number of values of a range that is `steps` steps long; an error if there are more
/// than `room`.
fn value_count(steps: f64, room: usize) -> Result<usize, ParameterRangeError> {
    let count = ((steps + ROUNDING_SLACK).floor() as usize).saturating_add(1);
    if count > room { Err(ParameterRangeError::TooMany { count }) } else { Ok(count) }
}

/// Formats a number with at most `decimals` decimals, without trailing zeros.
fn shown(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    let text =
        if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// Returns the number of decimals of a number written as text: 2 for `0.25`, 3 for `1e-3`.
fn decimals(text: &str) -> usize {
    let text = text.trim();
    let (digits, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let fraction = digits.split_once('.').map_or(0, |(_, fraction)| fraction.len()) as i64;
    let exponent: i64 = exponent.parse().unwrap_or(0);
    fraction.saturating_sub(exponent).clamp(0, 17) as usize
}
