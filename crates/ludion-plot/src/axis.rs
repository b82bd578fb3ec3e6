//! Axes: what they are called, how values are spaced on them, where their ticks stand.

use serde::{Deserialize, Serialize};

use crate::number::{self, NumberUnit};

/// How values are spaced.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AxisScale {
    /// Equal differences are equal lengths.
    #[default]
    Linear,
    /// Equal ratios are equal lengths. Values that are not above 0 are left out.
    Log,
    /// Words at the places 1, 2, 3, ….
    Names(Vec<String>),
}

/// An axis.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct PlotAxis {
    /// What it shows.
    pub label: String,
    /// How values are spaced.
    pub scale: AxisScale,
    /// How values are written.
    pub unit: NumberUnit,
}

impl PlotAxis {
    /// A linear axis of numbers.
    #[must_use]
    pub fn linear(label: impl Into<String>) -> Self {
        PlotAxis { label: label.into(), ..PlotAxis::default() }
    }

    /// A logarithmic axis of numbers.
    #[must_use]
    pub fn log(label: impl Into<String>) -> Self {
        PlotAxis { scale: AxisScale::Log, ..PlotAxis::linear(label) }
    }

    /// An axis of words.
    #[must_use]
    pub fn names(label: impl Into<String>, names: Vec<String>) -> Self {
        PlotAxis { scale: AxisScale::Names(names), ..PlotAxis::linear(label) }
    }

    /// The same axis with values written in this unit.
    #[must_use]
    pub fn unit(self, unit: NumberUnit) -> Self {
        PlotAxis { unit, ..self }
    }

    /// A value of the axis, written for reading.
    pub(crate) fn shown(&self, value: f64) -> String {
        match &self.scale {
            AxisScale::Names(names) => name_at(names, value).unwrap_or_default().to_owned(),
            _ => number::brief(value, self.unit),
        }
    }
}

fn name_at(names: &[String], value: f64) -> Option<&str> {
    let place = value.round();
    if place < 1.0 { None } else { names.get(place as usize - 1).map(String::as_str) }
}

/// Values beyond are not shown: the arithmetic of axes would leave the numbers there are.
const MOST: f64 = 1e100;

/// A tick: a value and what is written at it.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct AxisTick {
    pub(crate) value: f64,
    pub(crate) label: String,
}

/// The part of an axis that is seen.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct AxisSpan {
    pub(crate) low: f64,
    pub(crate) high: f64,
    log: bool,
}

impl AxisSpan {
    /// What shows all `values`, and a share `margin` of its length more at both ends.
    pub(crate) fn of(axis: &PlotAxis, values: impl Iterator<Item = f64>, margin: f64) -> AxisSpan {
        let log = axis.scale == AxisScale::Log;
        let seen = values.filter(|v| v.is_finite() && v.abs() < MOST && (!log || *v > 1.0 / MOST));
        let (mut low, mut high) =
            seen.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)));
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
            let more = (high / low).powf(margin);
            return AxisSpan { low: low / more, high: high * more, log };
        }
        if high - low <= 1e-9 * low.abs().max(high.abs()) {
            let half = if low == 0.0 { 0.5 } else { 0.1 * low.abs() };
            (low, high) = (low - half, high + half);
        }
        let more = (high - low) * margin;
        AxisSpan { low: low - more, high: high + more, log }
    }

    /// Where a value stands, 0 at the low end and 1 at the high one; `None` if it stands nowhere.
    pub(crate) fn share(&self, value: f64) -> Option<f64> {
        let share = if self.log {
            (value / self.low).ln() / (self.high / self.low).ln()
        } else {
            (value - self.low) / (self.high - self.low)
        };
        share.is_finite().then_some(share)
    }

    /// The value at a share of the length.
    pub(crate) fn value(&self, share: f64) -> f64 {
        if self.log {
            self.low * (self.high / self.low).powf(share)
        } else {
            self.low + share * (self.high - self.low)
        }
    }

    /// At most `most` ticks, evenly spread.
    pub(crate) fn ticks(&self, axis: &PlotAxis, most: usize) -> Vec<AxisTick> {
        match &axis.scale {
            AxisScale::Names(names) => {
                let every = names.len().div_ceil(most.max(1)).max(1);
                let named = names.iter().enumerate().step_by(every);
                named
                    .map(|(i, name)| AxisTick { value: i as f64 + 1.0, label: name.clone() })
                    .collect()
            }
            AxisScale::Linear => self.even_ticks(axis.unit, most),
            AxisScale::Log => self.log_ticks(axis.unit, most),
        }
    }

    fn even_ticks(&self, unit: NumberUnit, most: usize) -> Vec<AxisTick> {
        let step = nice_step((self.high - self.low) / most.max(1) as f64, unit);
        let first = (self.low / step - 1e-9).ceil();
        let last = (self.high / step + 1e-9).floor();
        let count = (last - first).clamp(-1.0, most as f64 + 1.0) as i64;
        (0..=count)
            .map(|i| (first + i as f64) * step)
            .map(|value| AxisTick { value, label: number::by_step(value, step, unit) })
            .collect()
    }

    /// Powers of ten, with their double and fivefold where there is room; even ticks where the
    /// span is too short for that.
    fn log_ticks(&self, unit: NumberUnit, most: usize) -> Vec<AxisTick> {
        let (from, to) = (self.low.log10().floor() as i32, self.high.log10().ceil() as i32);
        let within =
            |value: f64| value >= self.low * (1.0 - 1e-9) && value <= self.high * (1.0 + 1e-9);
        let of = |every: i32, heads: &[f64]| -> Vec<AxisTick> {
            (from..=to)
                .filter(|power| power % every == 0)
                .flat_map(|power| heads.iter().map(move |head| (power, *head)))
                .map(|(power, head)| (10f64.powi(power), head * 10f64.powi(power)))
                .filter(|(_, value)| within(*value))
                .map(|(step, value)| AxisTick { value, label: number::by_step(value, step, unit) })
                .collect()
        };
        let dense = of(1, &[1.0, 2.0, 5.0]);
        if dense.len() < 3 {
            return self.even_ticks(unit, most);
        }
        if dense.len() <= most {
            return dense;
        }
        let every = (1..).find(|&every| of(every, &[1.0]).len() <= most.max(1));
        of(every.unwrap_or(1), &[1.0])
    }
}

/// The least of 1, 2, 5, 10, … (and tenths of them, but for counts) that is not below `least`.
fn nice_step(least: f64, unit: NumberUnit) -> f64 {
    let power = 10f64.powf(least.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|head| head * power);
    let step = step.into_iter().find(|step| *step >= least * (1.0 - 1e-9)).unwrap_or(10.0 * power);
    if unit == NumberUnit::Count { step.max(1.0) } else { step }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(axis: &PlotAxis, low: f64, high: f64, most: usize) -> Vec<String> {
        let span = AxisSpan::of(axis, [low, high].into_iter(), 0.0);
        span.ticks(axis, most).into_iter().map(|tick| tick.label).collect()
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
        assert_eq!(
            labels(&PlotAxis::linear("n"), -20_000.0, 20_000.0, 5),
            ["-20,000", "-10,000", "0", "10,000", "20,000"]
        );
    }

    #[test]
    fn logarithmic_ticks_are_powers_and_their_parts() {
        let axis = PlotAxis::log("sims");
        assert_eq!(labels(&axis, 1.0, 50.0, 10), ["1", "2", "5", "10", "20", "50"]);
        assert_eq!(labels(&axis, 0.01, 1000.0, 7), ["0.01", "0.1", "1", "10", "100", "1000"]);
        assert_eq!(labels(&axis, 7.0, 9.0, 5), ["7.0", "7.5", "8.0", "8.5", "9.0"]);
        assert!(labels(&axis, 1e-9, 1e9, 5).len() <= 5);
    }

    #[test]
    fn spans_hold_nothing_one_value_and_wild_values() {
        for axis in [PlotAxis::linear("x"), PlotAxis::log("x"), PlotAxis::names("x", Vec::new())] {
            for values in
                [vec![], vec![5.0], vec![0.0], vec![f64::NAN, f64::INFINITY, -1.0, f64::MAX]]
            {
                let span = AxisSpan::of(&axis, values.into_iter(), 0.05);
                assert!(span.low < span.high, "{axis:?} {span:?}");
                let value = span.value(0.25);
                assert!((span.share(value).unwrap() - 0.25).abs() < 1e-9);
                assert!(span.ticks(&axis, 6).len() <= 8);
            }
        }
    }
}
