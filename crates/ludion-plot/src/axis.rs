//! Axes of plots: labels, scales, visible ranges and ticks.

use serde::{Deserialize, Serialize};

use crate::number::{self, NumberUnit};

/// The scale of an axis: how values correspond to positions.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AxisScale {
    /// A linear scale: equal distances stand for equal differences.
    #[default]
    Linear,
    /// A logarithmic scale. Values that are not positive are not drawn.
    Log,
    /// Categories with these names; the first is at the value 1, the second at 2, and so on.
    Names(Vec<String>),
}

/// An axis of a chart.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct PlotAxis {
    /// The text beside the axis.
    pub label: String,
    /// Whether the axis is linear, logarithmic or categorical.
    pub scale: AxisScale,
    /// The unit in which the tick labels and tooltips write values.
    pub unit: NumberUnit,
}

impl PlotAxis {
    /// Creates a linear axis with this label, for plain numbers.
    #[must_use]
    pub fn linear(label: impl Into<String>) -> Self {
        PlotAxis { label: label.into(), ..PlotAxis::default() }
    }

    /// Creates a logarithmic axis with this label, for plain numbers.
    #[must_use]
    pub fn log(label: impl Into<String>) -> Self {
        PlotAxis { scale: AxisScale::Log, ..PlotAxis::linear(label) }
    }

    /// Creates an axis of categories with these names.
    #[must_use]
    pub fn names(label: impl Into<String>, names: Vec<String>) -> Self {
        PlotAxis { scale: AxisScale::Names(names), ..PlotAxis::linear(label) }
    }

    /// Returns the axis with `unit` as the unit of its numbers.
    #[must_use]
    pub fn unit(self, unit: NumberUnit) -> Self {
        PlotAxis { unit, ..self }
    }

    /// Formats a value of the axis for a tooltip: as a number, or as the name of its category.
    pub(crate) fn format(&self, value: f64) -> String {
        match &self.scale {
            AxisScale::Names(names) => name_at(names, value).unwrap_or_default().to_owned(),
            _ => number::format_short(value, self.unit),
        }
    }
}

fn name_at(names: &[String], value: f64) -> Option<&str> {
    let position = value.round();
    if position < 1.0 { None } else { names.get(position as usize - 1).map(String::as_str) }
}

/// Values of at least this magnitude are ignored, because the arithmetic of axes would overflow.
const MAX_VALUE: f64 = 1e100;

/// A tick of an axis: a value and its label.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct AxisTick {
    pub(crate) value: f64,
    pub(crate) label: String,
}

/// The visible range of an axis.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct AxisSpan {
    pub(crate) low: f64,
    pub(crate) high: f64,
    log: bool,
}

impl AxisSpan {
    /// Returns the range of all visible `values`, extended at both ends by the fraction `margin` of
    /// its length. On an axis of categories it is the range of all categories.
    pub(crate) fn from_values(
        axis: &PlotAxis,
        values: impl Iterator<Item = f64>,
        margin: f64,
    ) -> AxisSpan {
        let log = axis.scale == AxisScale::Log;
        let visible = values
            .filter(|v| v.is_finite() && v.abs() < MAX_VALUE && (!log || *v > 1.0 / MAX_VALUE));
        let (mut low, mut high) =
            visible.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)));
        if let AxisScale::Names(names) = &axis.scale {
            return AxisSpan { low: 0.5, high: names.len().max(1) as f64 + 0.5, log };
        }
        if low > high {
            (low, high) = if log { (1.0, 10.0) } else { (0.0, 1.0) };
        }
        if log {
            if high <= low * (1.0 + 1e-9) {
                (low, high) = (low / 2.0, high * 2.0);
            }
            let extra = (high / low).powf(margin);
            return AxisSpan { low: low / extra, high: high * extra, log };
        }
        if high - low <= 1e-9 * low.abs().max(high.abs()) {
            let half = if low == 0.0 { 0.5 } else { 0.1 * low.abs() };
            (low, high) = (low - half, high + half);
        }
        let extra = (high - low) * margin;
        AxisSpan { low: low - extra, high: high + extra, log }
    }

    /// Returns the position of a value on the axis, 0 at the low end and 1 at the high end; `None`
    /// if it has no finite position, such as 0 on a logarithmic axis.
    pub(crate) fn fraction(&self, value: f64) -> Option<f64> {
        let fraction = if self.log {
            (value / self.low).ln() / (self.high / self.low).ln()
        } else {
            (value - self.low) / (self.high - self.low)
        };
        fraction.is_finite().then_some(fraction)
    }

    /// Returns the value at a position of the axis, from 0 at the low end to 1 at the high end.
    pub(crate) fn value(&self, fraction: f64) -> f64 {
        if self.log {
            self.low * (self.high / self.low).powf(fraction)
        } else {
            self.low + fraction * (self.high - self.low)
        }
    }

    /// Returns the ticks of the axis: about `max` at most, at round values; on an axis of
    /// categories, at every category or every n-th.
    pub(crate) fn ticks(&self, axis: &PlotAxis, max: usize) -> Vec<AxisTick> {
        match &axis.scale {
            AxisScale::Names(names) => {
                let every = names.len().div_ceil(max.max(1)).max(1);
                let named = names.iter().enumerate().step_by(every);
                named
                    .map(|(i, name)| AxisTick { value: i as f64 + 1.0, label: name.clone() })
                    .collect()
            }
            AxisScale::Linear => self.even_ticks(axis.unit, max),
            AxisScale::Log => self.log_ticks(axis.unit, max),
        }
    }

    /// Returns evenly spaced ticks; two if possible, even if that is more than `max`, because one says
    /// nothing about the scale.
    fn even_ticks(&self, unit: NumberUnit, max: usize) -> Vec<AxisTick> {
        let attempt = |more: usize| self.ticks_at_most(unit, max + more);
        (0..3).map(attempt).find(|ticks| ticks.len() >= 2).unwrap_or_else(|| attempt(0))
    }

    fn ticks_at_most(&self, unit: NumberUnit, max: usize) -> Vec<AxisTick> {
        let step = nice_step((self.high - self.low) / max.max(1) as f64, unit);
        let first = (self.low / step - 1e-9).ceil();
        let last = (self.high / step + 1e-9).floor();
        let count = (last - first).clamp(-1.0, max as f64 + 1.0) as i64;
        (0..=count)
            .map(|i| (first + i as f64) * step)
            .map(|value| AxisTick { value, label: number::format_for_step(value, step, unit) })
            .collect()
    }

    /// Returns ticks at powers of ten, and at 2 and 5 times these if there are no more than `max`
    /// in all. If fewer than three such values lie in the range, returns evenly spaced ticks
    /// instead.
    fn log_ticks(&self, unit: NumberUnit, max: usize) -> Vec<AxisTick> {
        let (from, to) = (self.low.log10().floor() as i32, self.high.log10().ceil() as i32);
        let within =
            |value: f64| value >= self.low * (1.0 - 1e-9) && value <= self.high * (1.0 + 1e-9);
        let ticks = |every: i32, factors: &[f64]| -> Vec<AxisTick> {
            (from..=to)
                .filter(|power| power % every == 0)
                .flat_map(|power| factors.iter().map(move |factor| (power, *factor)))
                .map(|(power, factor)| (10f64.powi(power), factor * 10f64.powi(power)))
                .filter(|(_, value)| within(*value))
                .map(|(step, value)| AxisTick {
                    value,
                    label: number::format_for_step(value, step, unit),
                })
                .collect()
        };
        let dense = ticks(1, &[1.0, 2.0, 5.0]);
        if dense.len() < 3 {
            return self.even_ticks(unit, max);
        }
        if dense.len() <= max {
            return dense;
        }
        let every = (1..).find(|&every| ticks(every, &[1.0]).len() <= max.max(1));
        ticks(every.unwrap_or(1), &[1.0])
    }
}

/// Returns the distance between evenly spaced ticks: the smallest number of the form 1, 2 or 5
/// times a power of ten that is at least `min`. For counts it is at least 1.
fn nice_step(min: f64, unit: NumberUnit) -> f64 {
    let power = 10f64.powf(min.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * power);
    let step = step.into_iter().find(|step| *step >= min * (1.0 - 1e-9)).unwrap_or(10.0 * power);
    if unit == NumberUnit::Count { step.max(1.0) } else { step }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(axis: &PlotAxis, low: f64, high: f64, max: usize) -> Vec<String> {
        let span = AxisSpan::from_values(axis, [low, high].into_iter(), 0.0);
        span.ticks(axis, max).into_iter().map(|tick| tick.label).collect()
    }

    #[test]
    fn ticks_are_round_numbers() {
        assert_eq!(labels(&PlotAxis::linear("a"), 1.0, 50.0, 6), ["10", "20", "30", "40", "50"]);
        assert_eq!(
            labels(&PlotAxis::linear("a"), 0.0, 1.0, 5),
            ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]
        );
        let percent = PlotAxis::linear("score").unit(NumberUnit::Percent);
        assert_eq!(labels(&percent, 0.28, 0.71, 5), ["30 %", "40 %", "50 %", "60 %", "70 %"]);
        let count = PlotAxis::linear("generation").unit(NumberUnit::Count);
        assert_eq!(labels(&count, 1.0, 3.0, 9), ["1", "2", "3"]);
        assert_eq!(labels(&percent, 0.0, 0.93, 1), ["0 %", "50 %"], "one is too few");
        assert_eq!(
            labels(&PlotAxis::linear("n"), -20_000.0, 20_000.0, 5),
            ["-20,000", "-10,000", "0", "10,000", "20,000"]
        );
    }

    #[test]
    fn logarithmic_ticks_are_powers_of_ten_times_1_2_and_5() {
        let axis = PlotAxis::log("sims");
        assert_eq!(labels(&axis, 1.0, 50.0, 10), ["1", "2", "5", "10", "20", "50"]);
        assert_eq!(labels(&axis, 0.01, 1000.0, 7), ["0.01", "0.1", "1", "10", "100", "1000"]);
        assert_eq!(labels(&axis, 7.0, 9.0, 5), ["7.0", "7.5", "8.0", "8.5", "9.0"]);
        assert!(labels(&axis, 1e-9, 1e9, 5).len() <= 5);
    }

    #[test]
    fn ranges_of_no_value_one_value_and_extreme_values_are_valid() {
        for axis in [PlotAxis::linear("x"), PlotAxis::log("x"), PlotAxis::names("x", Vec::new())] {
            for values in
                [vec![], vec![5.0], vec![0.0], vec![f64::NAN, f64::INFINITY, -1.0, f64::MAX]]
            {
                let span = AxisSpan::from_values(&axis, values.into_iter(), 0.05);
                assert!(span.low < span.high, "{axis:?} {span:?}");
                let value = span.value(0.25);
                assert!((span.fraction(value).unwrap() - 0.25).abs() < 1e-9);
                assert!(span.ticks(&axis, 6).len() <= 8);
            }
        }
    }
}
