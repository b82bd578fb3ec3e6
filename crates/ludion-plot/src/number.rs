//! Numbers as they are written on pictures.

use serde::{Deserialize, Serialize};

/// How the numbers of an axis are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum NumberUnit {
    /// As they are.
    #[default]
    Plain,
    /// Shares of 1 as per cent.
    Percent,
    /// Whole numbers.
    Count,
}

/// A number with the decimals that tell multiples of `step` apart.
pub(crate) fn by_step(value: f64, step: f64, unit: NumberUnit) -> String {
    let factor = if unit == NumberUnit::Percent { 100.0 } else { 1.0 };
    let decimals = (-(step * factor).log10() - 1e-9).ceil().clamp(0.0, 12.0) as usize;
    let value = if value.abs() < 1e-6 * step { 0.0 } else { value };
    with_decimals(value, decimals, unit)
}

/// A number with three digits that count, or all of a whole number.
pub(crate) fn brief(value: f64, unit: NumberUnit) -> String {
    match unit {
        NumberUnit::Percent => with_decimals(value, 1, unit),
        NumberUnit::Count => with_decimals(value, 0, unit),
        NumberUnit::Plain if value == value.round() => with_decimals(value, 0, unit),
        NumberUnit::Plain => {
            let decimals = (2.0 - value.abs().log10().floor()).clamp(0.0, 12.0) as usize;
            let text = with_decimals(value, decimals, unit);
            if decimals == 0 {
                text
            } else {
                text.trim_end_matches('0').trim_end_matches('.').to_owned()
            }
        }
    }
}

/// A number with so many decimals; groups of thousands from ten thousand up, powers of ten
/// where digits would be too many.
pub(crate) fn with_decimals(value: f64, decimals: usize, unit: NumberUnit) -> String {
    let value = if unit == NumberUnit::Percent { 100.0 * value } else { value };
    let size = value.abs();
    let text = if !value.is_finite() {
        "–".to_owned()
    } else if size >= 1e9 || (decimals > 6 && size > 0.0 && size < 1e-6) {
        format!("{value:.2e}")
    } else if size >= 10_000.0 {
        grouped(value, decimals)
    } else {
        format!("{value:.decimals$}")
    };
    let zero = text.starts_with('-') && text.chars().all(|c| matches!(c, '-' | '0' | '.'));
    let text = if zero { text.trim_start_matches('-').to_owned() } else { text };
    if unit == NumberUnit::Percent { format!("{text} %") } else { text }
}

fn grouped(value: f64, decimals: usize) -> String {
    let text = format!("{:.decimals$}", value.abs());
    let (whole, rest) = text.split_at(text.find('.').unwrap_or(text.len()));
    let mut out = if value < 0.0 { "-".to_owned() } else { String::new() };
    for (i, digit) in whole.chars().enumerate() {
        if i > 0 && (whole.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_short_and_exact() {
        assert_eq!(by_step(0.3, 0.1, NumberUnit::Plain), "0.3");
        assert_eq!(by_step(0.5, 0.05, NumberUnit::Percent), "50 %");
        assert_eq!(by_step(-1e-17, 0.1, NumberUnit::Plain), "0.0");
        assert_eq!(by_step(1_234_567.0, 1.0, NumberUnit::Count), "1,234,567");
        assert_eq!(brief(9.3333, NumberUnit::Plain), "9.33");
        assert_eq!(brief(0.5, NumberUnit::Plain), "0.5");
        assert_eq!(brief(120.0, NumberUnit::Plain), "120");
        assert_eq!(brief(0.6123, NumberUnit::Percent), "61.2 %");
        assert_eq!(brief(f64::NAN, NumberUnit::Percent), "– %");
        assert_eq!(brief(-12_345.6, NumberUnit::Plain), "-12,346");
    }
}
