//! Matrices of `f32` and their products, in an order of summation that is fixed for ever.
//!
//! Every entry of a product is one chain `s ← fma(a, b, s)` over the inner index in ascending
//! order. Vectors run across columns and never along a sum, so neither the width of the vectors
//! nor the tiling changes a bit: all kernels, a batch and a single row give the same numbers.
//! Rows are padded with zeros to whole [`FloatBlock`]s; padding stays zero through every product.

mod kernel;

#[cfg(test)]
pub(super) use kernel::VectorWidth;
pub(super) use kernel::{FloatVector, VectorKernel, with_vectors};
use kernel::{LeftFactor, MatrixProduct};

/// Columns that are worked on together.
pub const LANES: usize = 16;

/// Sixteen neighbouring entries of a row, in one line of the cache.
#[derive(Clone, Copy, Default, PartialEq, Debug)]
#[repr(C, align(64))]
pub struct FloatBlock(pub [f32; LANES]);

/// The entries of some blocks, one after the other.
#[must_use]
#[inline(always)]
pub fn entries(blocks: &[FloatBlock]) -> &[f32] {
    // SAFETY: a block is 16 floats without padding (64 bytes, `repr(C)`), so n of them are 16·n
    // floats; the lifetime is that of the blocks.
    unsafe { std::slice::from_raw_parts(blocks.as_ptr().cast(), blocks.len() * LANES) }
}

/// The entries of some blocks, one after the other, to be changed.
#[must_use]
#[inline(always)]
pub fn entries_mut(blocks: &mut [FloatBlock]) -> &mut [f32] {
    // SAFETY: as in `entries`; every bit pattern of a float is one of a block's.
    unsafe { std::slice::from_raw_parts_mut(blocks.as_mut_ptr().cast(), blocks.len() * LANES) }
}

/// A matrix, row by row, its rows padded with zeros to whole blocks.
#[derive(Clone, PartialEq, Debug)]
pub struct Matrix {
    rows: usize,
    columns: usize,
    blocks: usize,
    data: Vec<FloatBlock>,
}

impl Matrix {
    /// Zeros.
    #[must_use]
    pub fn zeros(rows: usize, columns: usize) -> Self {
        let blocks = columns.div_ceil(LANES);
        Matrix { rows, columns, blocks, data: vec![FloatBlock::default(); rows * blocks] }
    }

    /// Rows.
    #[must_use]
    #[inline(always)]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Columns without padding.
    #[must_use]
    #[inline(always)]
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Columns with padding.
    #[must_use]
    #[inline(always)]
    pub fn width(&self) -> usize {
        self.blocks * LANES
    }

    /// The blocks of a row.
    #[must_use]
    #[inline(always)]
    pub fn row_blocks(&self, row: usize) -> &[FloatBlock] {
        &self.data[row * self.blocks..][..self.blocks]
    }

    /// A row with its padding.
    #[must_use]
    pub fn row(&self, row: usize) -> &[f32] {
        entries(self.row_blocks(row))
    }

    /// A row with its padding, to be changed; the padding must stay zero.
    #[must_use]
    pub fn row_mut(&mut self, row: usize) -> &mut [f32] {
        entries_mut(&mut self.data[row * self.blocks..][..self.blocks])
    }

    /// All entries with the padding.
    #[must_use]
    pub fn entries(&self) -> &[f32] {
        entries(&self.data)
    }

    /// All entries with the padding, which must stay zero.
    #[must_use]
    pub fn entries_mut(&mut self) -> &mut [f32] {
        entries_mut(&mut self.data)
    }

    /// Keeps the memory and changes the number of rows; new ones are zero.
    pub fn set_rows(&mut self, rows: usize) {
        self.data.resize(rows * self.blocks, FloatBlock::default());
        self.rows = rows;
    }

    /// Writes the transpose of `self` over `out`, which has the turned shape.
    pub fn transpose_into(&self, out: &mut Matrix) {
        assert_eq!((self.rows, self.columns), (out.columns, out.rows), "the turned shape");
        let width = out.width();
        let turned = out.entries_mut();
        for i in 0..self.rows {
            for (j, &x) in self.row(i)[..self.columns].iter().enumerate() {
                turned[j * width + i] = x;
            }
        }
    }
}

/// `out = a·b`, with the row `start` added to every row first; `out` takes the rows of `a`.
pub fn multiply(a: &Matrix, b: &Matrix, start: Option<&[FloatBlock]>, out: &mut Matrix) {
    assert_eq!((a.columns, b.columns), (b.rows, out.columns), "the shapes of a product");
    out.set_rows(a.rows);
    let left = LeftFactor { entries: a.entries(), row_step: a.width(), step: 1 };
    with_vectors(product(left, a.rows, b, start, out));
}

/// `out = aᵀ·b`: the sum over rows of what each row of `a` gives with its row of `b`.
pub fn multiply_transposed(a: &Matrix, b: &Matrix, out: &mut Matrix) {
    assert_eq!((a.rows, b.columns), (b.rows, out.columns), "the shapes of a product");
    out.set_rows(a.columns);
    let left = LeftFactor { entries: a.entries(), row_step: 1, step: a.width() };
    with_vectors(product(left, a.columns, b, None, out));
}

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

    fn random(rows: usize, columns: usize, rng: &mut Rng) -> Matrix {
        let mut matrix = Matrix::zeros(rows, columns);
        for row in 0..rows {
            for x in &mut matrix.row_mut(row)[..columns] {
                *x = rng.unit() as f32 - 0.5;
            }
        }
        matrix
    }

    /// One entry after the other, by the law at the top of this file.
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
    fn every_kernel_gives_the_bits_of_the_naive_product() {
        let mut rng = Rng::new(1);
        for (m, k, n) in [(1, 1, 1), (8, 64, 64), (13, 7, 33), (21, 40, 16), (3, 5, 100)] {
            let (a, b) = (random(m, k, &mut rng), random(k, n, &mut rng));
            let start = random(1, n, &mut rng);
            let mut turned = Matrix::zeros(k, m);
            a.transpose_into(&mut turned);
            let expected = naive(&a, &b, start.row(0));
            let unstarted = naive(&a, &b, &vec![0.0; n]);
            for width in VectorWidth::ALL.into_iter().filter(|width| width.is_here()) {
                let mut out = Matrix::zeros(m, n);
                let left = LeftFactor { entries: a.entries(), row_step: a.width(), step: 1 };
                width.run(product(left, m, &b, Some(start.row_blocks(0)), &mut out));
                assert_eq!(out, expected, "{m}x{k}x{n} with {width:?}");
                let left =
                    LeftFactor { entries: turned.entries(), row_step: 1, step: turned.width() };
                width.run(product(left, m, &b, None, &mut out));
                assert_eq!(out, unstarted, "{m}x{k}x{n} turned, with {width:?}");
            }
            let mut out = Matrix::zeros(0, n);
            multiply_transposed(&turned, &b, &mut out);
            assert_eq!(out, unstarted);
        }
    }
}
