//! Eigenvectors of small symmetric matrices by the method of Jacobi: rotations that make one pair of
//! entries after the other 0. It is exact enough and fast for the tens of axes of a search.

use serde::{Deserialize, Serialize};

/// A symmetric matrix; only one of two equal entries is stored.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct SymmetricMatrix {
    /// Row i has the entries of columns 0 to i.
    rows: Vec<Vec<f64>>,
}

impl SymmetricMatrix {
    pub(super) fn identity(size: usize) -> Self {
        let row = |i: usize| (0..=i).map(|j| f64::from(u8::from(i == j))).collect();
        SymmetricMatrix { rows: (0..size).map(row).collect() }
    }

    /// Returns the number of rows; 0 if the rows do not have the lengths of a triangle.
    pub(super) fn size(&self) -> usize {
        let is_triangle = self.rows.iter().enumerate().all(|(i, row)| row.len() == i + 1);
        if is_triangle { self.rows.len() } else { 0 }
    }

    pub(super) fn is_finite(&self) -> bool {
        self.rows.iter().flatten().all(|value| value.is_finite())
    }

    pub(super) fn get(&self, i: usize, j: usize) -> f64 {
        self.rows[i.max(j)][i.min(j)]
    }

    pub(super) fn set(&mut self, i: usize, j: usize, value: f64) {
        self.rows[i.max(j)][i.min(j)] = value;
    }
}

/// Largest number of rounds over all pairs; five to ten suffice.
const MAX_ROUNDS: u32 = 60;
/// Smallest deviation, which keeps the matrix invertible.
const LEAST_DEVIATION: f64 = 1e-9;

/// Returns the eigenvectors as the columns of a matrix, and the square roots of the eigenvalues.
pub(super) fn eigenvectors(matrix: &SymmetricMatrix) -> (Vec<Vec<f64>>, Vec<f64>) {
    let n = matrix.size();
    let mut a: Vec<Vec<f64>> = (0..n).map(|i| (0..n).map(|j| matrix.get(i, j)).collect()).collect();
    let mut vectors: Vec<Vec<f64>> =
        (0..n).map(|i| (0..n).map(|j| f64::from(u8::from(i == j))).collect()).collect();
    let size: f64 = a.iter().flatten().map(|value| value * value).sum();
    for _ in 0..MAX_ROUNDS {
        let off: f64 =
            (0..n).flat_map(|i| (0..i).map(move |j| (i, j))).map(|(i, j)| a[i][j] * a[i][j]).sum();
        if off <= 1e-30 * size {
            break;
        }
        for p in 0..n {
            for q in p + 1..n {
                rotate(&mut a, &mut vectors, p, q);
            }
        }
    }
    let deviation = |i: usize| a[i][i].max(0.0).sqrt().max(LEAST_DEVIATION);
    let deviations = (0..n).map(deviation).collect();
    (vectors, deviations)
}

/// Rotates in the plane of the axes p and q, so that the entry (p, q) becomes 0.
fn rotate(a: &mut [Vec<f64>], vectors: &mut [Vec<f64>], p: usize, q: usize) {
    if a[p][q] == 0.0 {
        return;
    }
    let theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
    let t = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
    let c = 1.0 / (t * t + 1.0).sqrt();
    let s = t * c;
    let turn = |x: &mut f64, y: &mut f64| (*x, *y) = (c * *x - s * *y, s * *x + c * *y);
    for row in a.iter_mut().chain(vectors) {
        let (left, right) = row.split_at_mut(q);
        turn(&mut left[p], &mut right[0]);
    }
    let (above, below) = a.split_at_mut(q);
    for (x, y) in above[p].iter_mut().zip(&mut below[0]) {
        turn(x, y);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludion_core::random::Rng;

    #[test]
    fn eigenvectors_and_deviations_give_the_matrix_back() {
        let mut rng = Rng::new(4);
        for n in [1, 2, 3, 7, 20] {
            let root: Vec<Vec<f64>> =
                (0..n).map(|_| (0..n).map(|_| rng.unit() - 0.5).collect()).collect();
            let mut matrix = SymmetricMatrix::identity(n);
            for i in 0..n {
                for j in 0..=i {
                    matrix.set(i, j, (0..n).map(|k| root[i][k] * root[j][k]).sum());
                }
            }
            let (vectors, deviations) = eigenvectors(&matrix);
            for i in 0..n {
                for j in 0..n {
                    let term = |k: usize| vectors[i][k] * vectors[j][k] * deviations[k].powi(2);
                    let value: f64 = (0..n).map(term).sum();
                    assert!((value - matrix.get(i, j)).abs() < 1e-9, "{n}: ({i}, {j})");
                    let dot: f64 = (0..n).map(|k| vectors[k][i] * vectors[k][j]).sum();
                    assert!((dot - f64::from(u8::from(i == j))).abs() < 1e-9);
                }
            }
        }
    }
}
