//! The word that takes most from a table: one cell a row, at most one a column.
//!
//! The algorithm of Kuhn and Munkres comes from `pathfinding`, which is kept up, takes tables
//! with more columns than rows as they are, and asks for whole numbers, so that the result is the
//! same on every machine. (`lapjv` wants a square table of reals.)

use pathfinding::kuhn_munkres::kuhn_munkres;
use pathfinding::matrix::Matrix;

/// Steps to a unit of the table: shares are told apart to twelve digits, and the sums of a
/// million of them fit a machine word.
const STEPS: f64 = (1_u64 << 40) as f64;

/// Greatest size of a number in the table.
pub(super) const LARGEST: f64 = 2.0;

/// The best assignment in a table of numbers up to [`LARGEST`] in size, with at least as many columns as rows.
pub(super) fn best(table: &[Vec<f64>]) -> Vec<u16> {
    let whole = table.iter().map(|row| row.iter().map(|x| (x * STEPS).round() as i64));
    let weights = Matrix::from_rows(whole).expect("all rows have as many columns");
    kuhn_munkres(&weights).1.into_iter().map(|column| column as u16).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_assignment_takes_less_in_one_row_to_take_more_in_all() {
        let table = [vec![0.9, 0.8, 0.0], vec![0.9, 0.1, 0.2]];
        assert_eq!(best(&table), [1, 0]);
    }

    #[test]
    fn negative_numbers_are_avoided() {
        let table = [vec![-0.5, -0.1, -0.2], vec![-0.5, -0.1, -0.9]];
        assert_eq!(best(&table), [2, 1]);
    }
}
