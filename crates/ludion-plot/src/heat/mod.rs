//! Heat maps: a matrix whose cells are coloured by their values and show them.

mod draw;
mod text;

use serde::{Deserialize, Serialize};

use crate::number::{self, Unit};

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
    pub unit: Unit,
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

    /// A value as its cell shows it: the unit stands at the scale.
    fn shown(&self, value: f64) -> String {
        let text = number::with_decimals(value, self.decimals, self.unit);
        text.trim_end_matches(" %").to_owned()
    }

    /// What the values are, with their unit.
    fn legend(&self) -> String {
        match self.unit {
            Unit::Percent => format!("{} in %", self.value_label),
            Unit::Plain | Unit::Count => self.value_label.clone(),
        }
    }
}
