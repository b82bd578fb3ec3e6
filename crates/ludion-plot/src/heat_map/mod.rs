//! Heat maps: matrices whose cells show their values as numbers and colours.

mod draw;
mod text;

use serde::{Deserialize, Serialize};

use crate::number::{self, NumberUnit};

/// A heat map of a matrix, with named rows and columns.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct HeatMap {
    /// The title above the heat map.
    pub title: String,
    /// A note below the heat map, such as the run, the seed and the number of games.
    pub note: String,
    /// The text that says what the columns are, such as the name of a parameter.
    pub column_label: String,
    /// The names of the columns, from the left.
    pub columns: Vec<String>,
    /// The text that says what the rows are, such as the name of a parameter.
    pub row_label: String,
    /// The names of the rows, the first at the top.
    pub rows: Vec<String>,
    /// The values by row and column; `None` for an empty cell.
    pub values: Vec<Vec<Option<f64>>>,
    /// The text at the colour scale that says what the values are.
    pub value_label: String,
    /// The unit in which the values of the cells are written.
    pub unit: NumberUnit,
    /// Number of decimals of the values in the cells.
    pub decimals: usize,
    /// Cells to be marked by a border, as row and column, counted from 0 at the top left.
    pub marked: Vec<(usize, usize)>,
}

impl HeatMap {
    /// Returns the number of rows and of columns: enough for all names and all values.
    fn shape(&self) -> [usize; 2] {
        let columns = self.values.iter().map(Vec::len).max().unwrap_or(0);
        [self.rows.len().max(self.values.len()), self.columns.len().max(columns)]
    }

    /// Returns the value of a cell; `None` if the cell is empty or its value is not finite.
    fn value(&self, row: usize, column: usize) -> Option<f64> {
        self.values.get(row)?.get(column).copied()?.filter(|value| value.is_finite())
    }

    /// Returns the least and the greatest value of all cells; 0 and 1 if no cell has a value.
    fn range(&self) -> [f64; 2] {
        let values = self.values.iter().flatten().flatten().filter(|value| value.is_finite());
        let (low, high) =
            values.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(*v), h.max(*v)));
        if low <= high { [low, high] } else { [0.0, 1.0] }
    }

    /// Returns the position of a value on the colour scale, from 0 for the least value to 1 for the
    /// greatest; 0.5 if all values are equal.
    fn fraction(&self, value: f64) -> f64 {
        let [low, high] = self.range();
        if high > low { (value - low) / (high - low) } else { 0.5 }
    }

    /// Returns the values written at the colour scale: its two ends and three between them; whole
    /// numbers for counts.
    fn scale_values(&self) -> Vec<f64> {
        let [low, high] = self.range();
        if high <= low {
            return vec![low];
        }
        let value_at = |fraction: f64| low + fraction * (high - low);
        let mut values = [0.0, 0.25, 0.5, 0.75, 1.0].map(value_at).to_vec();
        if self.unit == NumberUnit::Count {
            values = values.into_iter().map(f64::round).collect();
            values.retain(|value| (low..=high).contains(value));
            values.dedup();
        }
        values
    }

    /// Formats a value for its cell: without the unit, which the colour scale shows, and without
    /// decimals for whole counts.
    fn format(&self, value: f64) -> String {
        if self.unit == NumberUnit::Count && value == value.round() {
            return number::format_decimals(value, 0, self.unit);
        }
        let text = number::format_decimals(value, self.decimals, self.unit);
        text.trim_end_matches(" %").to_owned()
    }

    /// Returns the label of the colour scale, followed by the unit if it is per cent.
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
    fn the_colour_scale_of_counts_has_distinct_whole_numbers() {
        assert_eq!(counts(&[0.0, 2.0]).scale_values(), [0.0, 1.0, 2.0]);
        assert_eq!(counts(&[8.0, 28.0]).scale_values(), [8.0, 13.0, 18.0, 23.0, 28.0]);
        assert_eq!(counts(&[8.5, 11.5]).scale_values(), [9.0, 10.0, 11.0]);
        assert_eq!(counts(&[3.0]).scale_values(), [3.0]);
        let shares = HeatMap { unit: NumberUnit::Plain, ..counts(&[0.0, 1.0]) };
        assert_eq!(shares.scale_values(), [0.0, 0.25, 0.5, 0.75, 1.0]);
    }

    #[test]
    fn whole_counts_have_no_decimals() {
        let map = counts(&[8.0, 9.5]);
        assert_eq!([8.0, 9.5].map(|value| map.format(value)), ["8", "9.5"]);
        let plain = HeatMap { unit: NumberUnit::Plain, ..map };
        assert_eq!(plain.format(8.0), "8.0");
    }
}
