//! The linear assignment problem: choose one entry in each row of a table, at most one in each
//! column, with the largest sum.
//!
//! The algorithm of Kuhn and Munkres comes from the crate `pathfinding`, which is maintained,
//! accepts tables with more columns than rows, and works on integers, so that results are the same
//! on every machine. (`lapjv` needs a square table of floats.)

use pathfinding::kuhn_munkres::kuhn_munkres;
use pathfinding::matrix::Matrix;

/// Factor by which entries are multiplied before they are rounded to integers: twelve decimal
/// digits are kept, and sums of a million entries fit into `i64`.
const FIXED_POINT_UNIT: f64 = (1_u64 << 40) as f64;

/// Largest absolute value that an entry of the table given to [`best_assignment`] may have.
pub(super) const MAX_ENTRY: f64 = 2.0;

/// Returns the column chosen in each row by the assignment with the largest sum.
///
/// Entries are at most [`MAX_ENTRY`] in absolute value, and there are at least as many columns as
/// rows.
pub(super) fn best_assignment(table: &[Vec<f64>]) -> Vec<u16> {
    let integers =
        table.iter().map(|row| row.iter().map(|x| (x * FIXED_POINT_UNIT).round() as i64));
    let weights = Matrix::from_rows(integers).expect("rows of equal length");
    kuhn_munkres(&weights).1.into_iter().map(|column| column as u16).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_assignment_is_not_greedy() {
        let table = [vec![0.9, 0.8, 0.0], vec![0.9, 0.1, 0.2]];
        assert_eq!(best_assignment(&table), [1, 0]);
    }

    #[test]
    fn negative_numbers_are_avoided() {
        let table = [vec![-0.5, -0.1, -0.2], vec![-0.5, -0.1, -0.9]];
        assert_eq!(best_assignment(&table), [2, 1]);
    }
}
