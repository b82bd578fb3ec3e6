//! Heat maps: a matrix whose cells are coloured by their values and show them.

mod draw;
mod text;

use serde::{Deserialize, Serialize};

use crate::number::{self, NumberUnit};

/// A heat map.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct HeatMap {
    /// What it shows, above it.
    pub title: String,
    /// Where it comes from, below it: run, seed, games.
    pub note: String,
    /// What the columns are.
    pub column_label: String,
    /// The names of the columns.
    pub columns: Vec<String>,
    /// What the rows are.
    pub row_label: String,
    /// The names of the rows, the first at the top.
    pub rows: Vec<String>,
    /// The values, row by row; `None` where there is none.
    pub values: Vec<Vec<Option<f64>>>,
    /// What the values are, at the scale of colours.
    pub value_label: String,
    /// How the values are written.
    pub unit: NumberUnit,
    /// Decimals of the values in the cells.
    pub decimals: usize,
    /// Cells to point out, by row and column.
    pub marked: Vec<(usize, usize)>,
}

impl HeatMap {
    /// How many rows and columns are drawn: whatever names or values ask for.
    fn shape(&self) -> [usize; 2] {
        let columns = self.values.iter().map(Vec::len).max().unwrap_or(0);
        [self.rows.len().max(self.values.len()), self.columns.len().max(columns)]
    }

    /// The value of a cell, if it has one that is a number.
    fn value(&self, row: usize, column: usize) -> Option<f64> {
        self.values.get(row)?.get(column).copied()?.filter(|value| value.is_finite())
    }

    /// The least and the greatest value; 0 and 1 where there is none.
    fn range(&self) -> [f64; 2] {
        let values = self.values.iter().flatten().flatten().filter(|value| value.is_finite());
        let (low, high) =
            values.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(*v), h.max(*v)));
        if low <= high { [low, high] } else { [0.0, 1.0] }
    }

    /// Where a value stands in the range, from 0 to 1; in the middle if all are equal.
    fn share(&self, value: f64) -> f64 {
        let [low, high] = self.range();
        if high > low { (value - low) / (high - low) } else { 0.5 }
    }

    /// The values that are written at the scale of colours: its ends and three between them, of
    /// counts none that is no whole number.
    fn marks(&self) -> Vec<f64> {
        let [low, high] = self.range();
        if high <= low {
            return vec![low];
        }
        let mark = |share: f64| low + share * (high - low);
        let mut marks = [0.0, 0.25, 0.5, 0.75, 1.0].map(mark).to_vec();
        if self.unit == NumberUnit::Count {
            marks = marks.into_iter().map(f64::round).collect();
            marks.retain(|mark| (low..=high).contains(mark));
            marks.dedup();
        }
        marks
    }

    /// A value as its cell shows it: the unit stands at the scale, and counts and halves between
    /// them have the decimals they need.
    fn shown(&self, value: f64) -> String {
        if self.unit == NumberUnit::Count && value == value.round() {
            return number::with_decimals(value, 0, self.unit);
        }
        let text = number::with_decimals(value, self.decimals, self.unit);
        text.trim_end_matches(" %").to_owned()
    }

    /// What the values are, with their unit.
    fn legend(&self) -> String {
        match self.unit {
            NumberUnit::Percent => format!("{} in %", self.value_label),
            NumberUnit::Plain | NumberUnit::Count => self.value_label.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(values: &[f64]) -> HeatMap {
        let values = vec![values.iter().copied().map(Some).collect()];
        HeatMap { values, unit: NumberUnit::Count, decimals: 1, ..HeatMap::default() }
    }

    #[test]
    fn the_scale_of_counts_has_whole_numbers_each_once() {
        assert_eq!(counts(&[0.0, 2.0]).marks(), [0.0, 1.0, 2.0]);
        assert_eq!(counts(&[8.0, 28.0]).marks(), [8.0, 13.0, 18.0, 23.0, 28.0]);
        assert_eq!(counts(&[8.5, 11.5]).marks(), [9.0, 10.0, 11.0]);
        assert_eq!(counts(&[3.0]).marks(), [3.0]);
        let shares = HeatMap { unit: NumberUnit::Plain, ..counts(&[0.0, 1.0]) };
        assert_eq!(shares.marks(), [0.0, 0.25, 0.5, 0.75, 1.0]);
    }

    #[test]
    fn counts_have_decimals_only_where_they_need_them() {
        let map = counts(&[8.0, 9.5]);
        assert_eq!([8.0, 9.5].map(|value| map.shown(value)), ["8", "9.5"]);
        let plain = HeatMap { unit: NumberUnit::Plain, ..map };
        assert_eq!(plain.shown(8.0), "8.0");
    }
}
