//! Ranges of numbers as text: `1..50`, with a step `1..50:7`, with a factor `1..1000*10`.
//!
//! Values come as decimal text without the dust of binary fractions: `0.1..0.5:0.1` has 0.3, not
//! 0.30000000000000004.

/// Why a range gives no values.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum ParameterRangeError {
    /// A part that is no number.
    #[error("{part} in {range} is no number")]
    NoNumber {
        /// The part.
        part: String,
        /// The range.
        range: String,
    },
    /// The greater end first.
    #[error("{range} is empty; the lesser end comes first")]
    Empty {
        /// The range.
        range: String,
    },
    /// A step of nothing or backwards.
    #[error("the step {step} of {range} is not above 0")]
    Step {
        /// The step.
        step: String,
        /// The range.
        range: String,
    },
    /// A factor that leads nowhere.
    #[error("the factor {factor} of {range} is not above 1")]
    Factor {
        /// The factor.
        factor: String,
        /// The range.
        range: String,
    },
    /// A geometric range that would never leave its beginning.
    #[error("{range} cannot begin at {start}; with a factor it begins above 0")]
    Start {
        /// The beginning.
        start: String,
        /// The range.
        range: String,
    },
    /// More values than there is room for.
    #[error("{count} values are too many")]
    TooMany {
        /// How many there would be.
        count: usize,
    },
}

/// Whether the text begins like a range: a number and two dots.
pub(super) fn is_range(text: &str) -> bool {
    text.split_once("..").is_some_and(|(start, _)| number(start).is_some())
}

/// A finite number.
pub(super) fn number(text: &str) -> Option<f64> {
    text.trim().parse().ok().filter(|number: &f64| number.is_finite())
}

/// A range as it was read, with the text of what errors and decimals need.
struct ParameterRange<'a> {
    text: &'a str,
    start: (&'a str, f64),
    end: f64,
    growth: Progression<'a>,
}

enum Progression<'a> {
    Step(&'a str, f64),
    Factor(&'a str, f64),
}

/// The values of a range, at most `room` of them.
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

/// How far beyond its end a range may reach, in steps, to make up for binary fractions.
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
        let count = checked((self.end - start) / step, room)?;
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
        let count = checked((self.end / start).ln() / factor.ln(), room)?;
        // Twelve significant digits: enough for any parameter, and free of dust.
        let digits = |value: f64| (11 - value.log10().floor() as i32).clamp(0, 17) as usize;
        let values = (0..count).map(|i| start * factor.powi(i as i32));
        Ok(values.map(|value| shown(value, digits(value))).collect())
    }
}

/// How many values a range of so many steps has, if there is room for them.
fn checked(steps: f64, room: usize) -> Result<usize, ParameterRangeError> {
    let count = ((steps + ROUNDING_SLACK).floor() as usize).saturating_add(1);
    if count > room { Err(ParameterRangeError::TooMany { count }) } else { Ok(count) }
}

/// The number with at most so many decimals, none of them superfluous.
fn shown(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    let text =
        if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// How many decimals a number is written with: 2 for `0.25`, 3 for `1e-3`.
fn decimals(text: &str) -> usize {
    let text = text.trim();
    let (digits, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let fraction = digits.split_once('.').map_or(0, |(_, fraction)| fraction.len()) as i64;
    let exponent: i64 = exponent.parse().unwrap_or(0);
    fraction.saturating_sub(exponent).clamp(0, 17) as usize
}
