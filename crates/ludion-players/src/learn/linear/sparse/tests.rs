//! Tests of sparse products: they agree with dense ones, on every instruction set.

use super::super::kernel::SimdLevel;
use super::super::tests::random;
use super::super::{multiply, multiply_transposed};
use super::*;
use crate::random::Rng;

/// Returns the instruction sets of this processor.
fn levels() -> impl Iterator<Item = SimdLevel> {
    SimdLevel::ALL.into_iter().filter(|level| level.is_supported())
}

/// Returns random sparse rows as lists of columns with their ends, and as a matrix.
fn random_rows(rows: usize, columns: usize, rng: &mut Rng) -> (Vec<u32>, Vec<usize>, Matrix) {
    let (mut list, mut ends, mut dense) = (vec![], vec![], Matrix::zeros(rows, columns));
    for row in 0..rows {
        for column in (0..columns).filter(|_| rng.below(4) == 0) {
            list.push(column as u32);
            dense.row_mut(row)[column] = 1.0;
        }
        ends.push(list.len());
    }
    (list, ends, dense)
}

#[test]
fn sparse_products_are_the_dense_ones_on_every_instruction_set() {
    let mut rng = Rng::new(7);
    for (m, k, n) in [(1, 1, 1), (9, 84, 128), (5, 30, 40), (3, 130, 17), (4, 10, 100)] {
        let (list, ends, dense) = random_rows(m, k, &mut rng);
        let a = SparseRows::new(&list, &ends);
        assert_eq!(a.rows(), m);
        let (b, start, c) =
            (random(k, n, &mut rng), random(1, n, &mut rng), random(m, n, &mut rng));
        let start = start.row_blocks(0);
        let [mut expected, mut transposed] = [Matrix::zeros(0, n), Matrix::zeros(0, n)];
        multiply(&dense, &b, Some(start), &mut expected);
        multiply_transposed(&dense, &c, &mut transposed);
        for level in levels() {
            let mut out = Matrix::zeros(m, n);
            level.run(SparseProduct { a, b: &b, start, out: &mut out });
            assert_eq!(out, expected, "{m}x{k}x{n} with {level:?}");
            let mut out = Matrix::zeros(k, n);
            level.run(SparseTransposedProduct { a, b: &c, out: &mut out });
            assert_eq!(out, transposed, "{m}x{k}x{n} transposed with {level:?}");
            for row in 0..m {
                let (x, mut out) = (dense.row(row), Matrix::zeros(1, n));
                level.run(RowProduct { x: &x[..k], b: &b, start, out: out.row_blocks_mut(0) });
                assert_eq!(out.row(0), expected.row(row), "row {row} with {level:?}");
            }
        }
    }
}

#[test]
fn products_of_selected_rows_agree_with_the_definition_on_every_instruction_set() {
    let mut rng = Rng::new(8);
    for width in [1, 16, 33, 64, 100] {
        let (x, b) = (random(1, width, &mut rng), random(9, width, &mut rng));
        let rows = [8, 0, 3, 3];
        let mut expected = [0.0; 4];
        row_products(x.row_blocks(0), &b, &rows, &mut expected);
        for (&row, &found) in rows.iter().zip(&expected) {
            let pairs = x.row(0).iter().zip(b.row(row as usize));
            let exact: f64 = pairs.map(|(&x, &b)| f64::from(x) * f64::from(b)).sum();
            assert!((f64::from(found) - exact).abs() < 1e-5, "{found} instead of {exact}");
        }
        let (mut sum, mut updated) = (x.clone(), b.clone());
        add_row_combination(&expected, &b, &rows, sum.row_blocks_mut(0));
        add_to_rows(&expected, x.row_blocks(0), &mut updated, &rows);
        let combined = rows
            .iter()
            .zip(&expected)
            .fold(x.row(0)[0], |sum, (&row, factor)| factor.mul_add(b.row(row as usize)[0], sum));
        assert_eq!(sum.row(0)[0], combined);
        let twice = expected[3].mul_add(x.row(0)[0], expected[2].mul_add(x.row(0)[0], b.row(3)[0]));
        assert_eq!((updated.row(3)[0], updated.row(1)), (twice, b.row(1)));
        for level in levels() {
            let mut out = [0.0; 4];
            level.run(RowProducts { x: x.row_blocks(0), b: &b, rows: &rows, out: &mut out });
            assert_eq!(out, expected, "{level:?}");
            let (mut again, factors) = (x.clone(), &expected[..]);
            let out = again.row_blocks_mut(0);
            level.run(RowCombination { factors, b: &b, rows: &rows, out });
            assert_eq!(again, sum, "{level:?}");
            let (mut again, x) = (b.clone(), x.row_blocks(0));
            level.run(RowUpdates { factors, x, out: &mut again, rows: &rows });
            assert_eq!(again, updated, "{level:?}");
        }
    }
}

#[test]
#[should_panic(expected = "all columns are in rows")]
fn columns_outside_rows_are_refused() {
    let _ = SparseRows::new(&[1, 2, 3], &[2]);
}
