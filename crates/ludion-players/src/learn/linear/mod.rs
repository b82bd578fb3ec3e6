//! Matrices of `f32` and their products, with a fixed order of summation.
//!
//! Every entry of a product is computed as `s ← fma(a, b, s)` over the inner index in ascending
//! order. A vector holds entries of different columns, never parts of one sum, so neither the
//! vector width nor the tiling changes the result: all kernels, batches and single rows give
//! identical bits. Rows are padded with zeros to whole [`FloatBlock`]s; the padding stays zero in
//! every product.

mod kernel;
mod sparse;

#[cfg(test)]
pub(super) use kernel::SimdLevel;
pub(super) use kernel::{FloatVector, VectorKernel, run_widest};
use kernel::{LeftFactor, MatrixProduct};
pub use sparse::{
    SparseRows, add_row_combination, add_to_rows, multiply_row, multiply_sparse,
    multiply_sparse_transposed, row_products,
};

/// Number of matrix entries in a [`FloatBlock`].
pub const LANES: usize = 16;

/// Sixteen adjacent entries of a matrix row, which fill one cache line.
#[derive(Clone, Copy, Default, PartialEq, Debug)]
#[repr(C, align(64))]
pub struct FloatBlock(pub [f32; LANES]);

/// Returns the entries of consecutive blocks as one slice.
#[must_use]
#[inline(always)]
pub fn entries(blocks: &[FloatBlock]) -> &[f32] {
    // SAFETY: a block is 16 floats without padding (64 bytes, `repr(C)`), so n of them are 16·n
    // floats; the lifetime is that of the blocks.
    unsafe { std::slice::from_raw_parts(blocks.as_ptr().cast(), blocks.len() * LANES) }
}

/// Returns the entries of consecutive blocks as one mutable slice.
#[must_use]
#[inline(always)]
pub fn entries_mut(blocks: &mut [FloatBlock]) -> &mut [f32] {
    // SAFETY: as in `entries`; every bit pattern is a valid float.
    unsafe { std::slice::from_raw_parts_mut(blocks.as_mut_ptr().cast(), blocks.len() * LANES) }
}

/// A row-major matrix whose rows are padded with zeros to whole blocks.
#[derive(Clone, PartialEq, Debug)]
pub struct Matrix {
    rows: usize,
    columns: usize,
    blocks: usize,
    data: Vec<FloatBlock>,
}

impl Matrix {
    /// Returns a matrix of zeros.
    #[must_use]
    pub fn zeros(rows: usize, columns: usize) -> Self {
        let blocks = columns.div_ceil(LANES);
        Matrix { rows, columns, blocks, data: vec![FloatBlock::default(); rows * blocks] }
    }

    /// Returns the number of rows of the matrix.
    #[must_use]
    #[inline(always)]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Returns the number of columns without padding.
    #[must_use]
    #[inline(always)]
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Returns the number of columns including the padding.
    #[must_use]
    #[inline(always)]
    pub fn width(&self) -> usize {
        self.blocks * LANES
    }

    /// Returns the blocks of one row.
    #[must_use]
    #[inline(always)]
    pub fn row_blocks(&self, row: usize) -> &[FloatBlock] {
        &self.data[row * self.blocks..][..self.blocks]
    }

    /// Returns the entries of one row, including the padding.
    #[must_use]
    pub fn row(&self, row: usize) -> &[f32] {
        entries(self.row_blocks(row))
    }

    /// Returns the blocks of one row for writing; the padding must stay zero.
    #[must_use]
    #[inline(always)]
    pub fn row_blocks_mut(&mut self, row: usize) -> &mut [FloatBlock] {
        &mut self.data[row * self.blocks..][..self.blocks]
    }

    /// Returns the entries of one row for writing, including the padding, which must stay zero.
    #[must_use]
    pub fn row_mut(&mut self, row: usize) -> &mut [f32] {
        entries_mut(self.row_blocks_mut(row))
    }

    /// Returns the entries of all rows, including the padding.
    #[must_use]
    pub fn entries(&self) -> &[f32] {
        entries(&self.data)
    }

    /// Returns the entries of all rows for writing, including the padding, which must stay zero.
    #[must_use]
    pub fn entries_mut(&mut self) -> &mut [f32] {
        entries_mut(&mut self.data)
    }

    /// Changes the number of rows without freeing memory; new rows are zero.
    pub fn set_rows(&mut self, rows: usize) {
        self.data.resize(rows * self.blocks, FloatBlock::default());
        self.rows = rows;
    }

    /// Writes the transpose to `out`, which must have the transposed shape.
    pub fn transpose_into(&self, out: &mut Matrix) {
        assert_eq!((self.rows, self.columns), (out.columns, out.rows), "the transposed shape");
        let width = out.width();
        let transposed = out.entries_mut();
        for i in 0..self.rows {
            for (j, &x) in self.row(i)[..self.columns].iter().enumerate() {
                transposed[j * width + i] = x;
            }
        }
    }
}

/// Computes `out = a·b` and adds the row `start`, if given, to every row. `out` gets as many rows
/// as `a`.
pub fn multiply(a: &Matrix, b: &Matrix, start: Option<&[FloatBlock]>, out: &mut Matrix) {
    assert_eq!((a.columns, b.columns), (b.rows, out.columns), "the shapes of a product");
    out.set_rows(a.rows);
    let left = LeftFactor { entries: a.entries(), row_step: a.width(), step: 1 };
    run_widest(product(left, a.rows, b, start, out));
}

/// Computes `out = aᵀ·b`. `out` gets as many rows as `a` has columns.
pub fn multiply_transposed(a: &Matrix, b: &Matrix, out: &mut Matrix) {
    assert_eq!((a.rows, b.columns), (b.rows, out.columns), "the shapes of a product");
    out.set_rows(a.columns);
    let left = LeftFactor { entries: a.entries(), row_step: 1, step: a.width() };
    run_widest(product(left, a.columns, b, None, out));
}

/// Computes the sum of the rows of `a`, first row first; `out` is a matrix of one row.
pub fn sum_rows(a: &Matrix, out: &mut Matrix) {
    assert_eq!((1, a.columns), (out.rows, out.columns), "the shape of a sum of rows");
    let sums = entries_mut(&mut out.data);
    sums.fill(0.0);
    for row in 0..a.rows {
        let row = &a.row(row)[..sums.len()];
        for (i, sum) in sums.iter_mut().enumerate() {
            *sum += row[i];
        }
    }
}

/// Creates the kernel of a matrix product with the right factor `b`.
fn product<'a>(
    left: LeftFactor<'a>,
    rows: usize,
    b: &'a Matrix,
    start: Option<&'a [FloatBlock]>,
    out: &'a mut Matrix,
) -> MatrixProduct<'a> {
    let (depth, right, blocks) = (b.rows, &b.data, b.blocks);
    MatrixProduct { left, rows, depth, right, blocks, start, out: &mut out.data }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Rng;

    pub(super) fn random(rows: usize, columns: usize, rng: &mut Rng) -> Matrix {
        let mut matrix = Matrix::zeros(rows, columns);
        for row in 0..rows {
            for x in &mut matrix.row_mut(row)[..columns] {
                *x = rng.unit() as f32 - 0.5;
            }
        }
        matrix
    }

    /// Computes a product entry by entry, in the order of summation that the module defines.
    fn naive(a: &Matrix, b: &Matrix, start: &[f32]) -> Matrix {
        let mut out = Matrix::zeros(a.rows, b.columns);
        for i in 0..a.rows {
            for (j, &start) in start[..b.columns].iter().enumerate() {
                let chain = (0..b.rows).fold(start, |s, k| a.row(i)[k].mul_add(b.row(k)[j], s));
                out.row_mut(i)[j] = chain;
            }
        }
        out
    }

    #[test]
    fn every_kernel_agrees_bit_for_bit_with_the_naive_product() {
        let mut rng = Rng::new(1);
        for (m, k, n) in [(1, 1, 1), (8, 64, 64), (13, 7, 33), (21, 40, 16), (3, 5, 100)] {
            let (a, b) = (random(m, k, &mut rng), random(k, n, &mut rng));
            let start = random(1, n, &mut rng);
            let mut transposed = Matrix::zeros(k, m);
            a.transpose_into(&mut transposed);
            let expected = naive(&a, &b, start.row(0));
            let from_zero = naive(&a, &b, &vec![0.0; n]);
            for width in SimdLevel::ALL.into_iter().filter(|width| width.is_supported()) {
                let mut out = Matrix::zeros(m, n);
                let left = LeftFactor { entries: a.entries(), row_step: a.width(), step: 1 };
                width.run(product(left, m, &b, Some(start.row_blocks(0)), &mut out));
                assert_eq!(out, expected, "{m}x{k}x{n} with {width:?}");
                let left = LeftFactor {
                    entries: transposed.entries(),
                    row_step: 1,
                    step: transposed.width(),
                };
                width.run(product(left, m, &b, None, &mut out));
                assert_eq!(out, from_zero, "{m}x{k}x{n} transposed, with {width:?}");
            }
            let mut out = Matrix::zeros(0, n);
            multiply_transposed(&transposed, &b, &mut out);
            assert_eq!(out, from_zero);
        }
    }
}
