//! Formatting of the numbers in plots.

use serde::{Deserialize, Serialize};

/// The way in which the numbers of an axis or a heat map are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum NumberUnit {
    /// Numbers of any kind, written without a unit.
    #[default]
    Plain,
    /// Fractions of 1, written in per cent.
    Percent,
    /// Whole numbers, written without decimals.
    Count,
}

/// Formats a number with as many decimals as are needed to distinguish multiples of `step`.
pub(crate) fn format_for_step(value: f64, step: f64, unit: NumberUnit) -> String {
    let factor = if unit == NumberUnit::Percent { 100.0 } else { 1.0 };
    let decimals = (-(step * factor).log10() - 1e-9).ceil().clamp(0.0, 12.0) as usize;
    let value = if value.abs() < 1e-6 * step { 0.0 } else { value };
    format_decimals(value, decimals, unit)
}

/// Formats a number: whole numbers with all their digits, other plain numbers with three
/// significant digits, percentages with one decimal.
pub(crate) fn format_short(value: f64, unit: NumberUnit) -> String {
    match unit {
        NumberUnit::Percent => format_decimals(value, 1, unit),
        NumberUnit::Count => format_decimals(value, 0, unit),
        NumberUnit::Plain if value == value.round() => format_decimals(value, 0, unit),
        NumberUnit::Plain => {
            let decimals = (2.0 - value.abs().log10().floor()).clamp(0.0, 12.0) as usize;
            let text = format_decimals(value, decimals, unit);
            if decimals == 0 {
                text
            } else {
                text.trim_end_matches('0').trim_end_matches('.').to_owned()
            }
        }
    }
}

/// Formats a number with this number of decimals. Numbers from 10,000 have thousands separators;
/// very large and very small ones have an exponent.
pub(crate) fn format_decimals(value: f64, decimals: usize, unit: NumberUnit) -> String {
    let value = if unit == NumberUnit::Percent { 100.0 * value } else { value };
    let magnitude = value.abs();
    let text = if !value.is_finite() {
        "–".to_owned()
    } else if magnitude >= 1e9 || (decimals > 6 && magnitude > 0.0 && magnitude < 1e-6) {
        format!("{value:.2e}")
    } else if magnitude >= 10_000.0 {
        format_grouped(value, decimals)
    } else {
        format!("{value:.decimals$}")
    };
    let is_negative_zero =
        text.starts_with('-') && text.chars().all(|c| matches!(c, '-' | '0' | '.'));
    let text = if is_negative_zero { text.trim_start_matches('-').to_owned() } else { text };
    if unit == NumberUnit::Percent { format!("{text} %") } else { text }
}

fn format_grouped(value: f64, decimals: usize) -> String {
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
    fn numbers_are_formatted_for_their_step_and_unit() {
        assert_eq!(format_for_step(0.3, 0.1, NumberUnit::Plain), "0.3");
        assert_eq!(format_for_step(0.5, 0.05, NumberUnit::Percent), "50 %");
        assert_eq!(format_for_step(-1e-17, 0.1, NumberUnit::Plain), "0.0");
        assert_eq!(format_for_step(1_234_567.0, 1.0, NumberUnit::Count), "1,234,567");
        assert_eq!(format_short(9.3333, NumberUnit::Plain), "9.33");
        assert_eq!(format_short(0.5, NumberUnit::Plain), "0.5");
        assert_eq!(format_short(120.0, NumberUnit::Plain), "120");
        assert_eq!(format_short(0.6123, NumberUnit::Percent), "61.2 %");
        assert_eq!(format_short(f64::NAN, NumberUnit::Percent), "– %");
        assert_eq!(format_short(-12_345.6, NumberUnit::Plain), "-12,346");
    }
}
