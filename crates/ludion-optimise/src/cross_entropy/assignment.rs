//! The linear assignment problem: choose one entry in each row of a table, at most one in each
//! column, with the largest sum.
//!
//! The algorithm of Kuhn (1955) and Munkres (1957) with slacks, in time O(rows² · columns), on
//! integers, so that results are the same on every machine. Labels of rows and columns sum up to at
//! least the weight where they meet; a row is matched with a column only where they are equal.

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
        |row: &Vec<f64>| row.iter().map(|x| (x * FIXED_POINT_UNIT).round() as i64).collect();
    let weights: Vec<Vec<i64>> = table.iter().map(integers).collect();
    let mut matching = Matching::new(&weights);
    for row in 0..weights.len() {
        matching.add_row(row);
    }
    let columns = matching.column_of.into_iter();
    columns.map(|column| column.expect("every row was added") as u16).collect()
}

/// An assignment of some rows with the largest sum, and the labels that prove it.
struct Matching<'a> {
    weights: &'a [Vec<i64>],
    row_labels: Vec<i64>,
    column_labels: Vec<i64>,
    /// The column of each row that was added.
    column_of: Vec<Option<usize>>,
    /// The row of each column that is taken.
    row_of: Vec<Option<usize>>,
}

/// The columns that alternating paths from one row reach.
struct AlternatingTree {
    root: usize,
    reached: Vec<bool>,
    /// The smallest difference of labels and weight between each column and a row of the tree.
    slack: Vec<i64>,
    /// The row of the tree with that difference.
    parent: Vec<usize>,
}

impl<'a> Matching<'a> {
    fn new(weights: &'a [Vec<i64>]) -> Self {
        let columns = weights.first().map_or(0, Vec::len);
        let largest = |row: &Vec<i64>| row.iter().copied().max().unwrap_or(0);
        Matching {
            weights,
            row_labels: weights.iter().map(largest).collect(),
            column_labels: vec![0; columns],
            column_of: vec![None; weights.len()],
            row_of: vec![None; columns],
        }
    }

    /// Adds a row: grows an alternating tree from it until a free column is reached.
    fn add_row(&mut self, root: usize) {
        let columns = self.column_labels.len();
        let (reached, slack) = (vec![false; columns], vec![i64::MAX; columns]);
        let mut tree = AlternatingTree { root, reached, slack, parent: vec![root; columns] };
        let mut row = root;
        let free = loop {
            self.lower_slacks(&mut tree, row);
            let nearest = tree.nearest_column();
            self.shift_labels(&mut tree, nearest);
            tree.reached[nearest] = true;
            match self.row_of[nearest] {
                Some(taken_by) => row = taken_by,
                None => break nearest,
            }
        };
        self.augment(&tree, free);
    }

    /// Takes the row into account that has joined the tree.
    fn lower_slacks(&self, tree: &mut AlternatingTree, row: usize) {
        for (column, &weight) in self.weights[row].iter().enumerate() {
            let slack = self.row_labels[row] + self.column_labels[column] - weight;
            if !tree.reached[column] && slack < tree.slack[column] {
                (tree.slack[column], tree.parent[column]) = (slack, row);
            }
        }
    }

    /// Moves the labels of the tree so that the slack of the column `nearest` becomes 0.
    fn shift_labels(&mut self, tree: &mut AlternatingTree, nearest: usize) {
        let shift = tree.slack[nearest];
        self.row_labels[tree.root] -= shift;
        for column in 0..tree.reached.len() {
            if !tree.reached[column] {
                tree.slack[column] -= shift;
            } else if let Some(row) = self.row_of[column] {
                self.column_labels[column] += shift;
                self.row_labels[row] -= shift;
            }
        }
    }

    /// Exchanges taken and free columns on the path from the root to a free column.
    fn augment(&mut self, tree: &AlternatingTree, free: usize) {
        let mut next = Some(free);
        while let Some(column) = next {
            let row = tree.parent[column];
            self.row_of[column] = Some(row);
            next = self.column_of[row].replace(column);
        }
    }
}

impl AlternatingTree {
    /// Returns the first column with the smallest slack outside the tree.
    fn nearest_column(&self) -> usize {
        let outside = (0..self.reached.len()).filter(|&column| !self.reached[column]);
        outside.min_by_key(|&column| self.slack[column]).expect("at least as many columns as rows")
    }
}

#[cfg(test)]
mod tests {
    use pathfinding::kuhn_munkres::kuhn_munkres;
    use pathfinding::matrix::Matrix;
    use proptest::prelude::*;

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

    /// A table with many equal entries.
    fn table() -> impl Strategy<Value = Vec<Vec<f64>>> {
        (1_usize..9, 0_usize..4).prop_flat_map(|(rows, more)| {
            let entry = (-8_i32..9).prop_map(|quarter| f64::from(quarter) / 4.0);
            prop::collection::vec(prop::collection::vec(entry, rows + more), rows)
        })
    }

    proptest! {
        #[test]
        fn it_is_the_assignment_of_another_implementation_also_among_equal_sums(table in table()) {
            let integers = table.iter().map(|row| row.iter().map(|x| (x * 4.0) as i64));
            let other = kuhn_munkres(&Matrix::from_rows(integers).unwrap()).1;
            let own: Vec<_> = best_assignment(&table).into_iter().map(usize::from).collect();
            prop_assert_eq!(own, other);
        }
    }
}
