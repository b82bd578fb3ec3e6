//! Products with a sparse factor: rows of zeros and ones, rows with many zeros, and selected rows of
//! a matrix.
//!
//! The order of summation is that of the dense products, with one exception: [`row_products`] sums
//! along rows. There lane l of a vector sums the entries l, l + 16, l + 32 and so on, and the lanes
//! are added by halves (l and l + 8, then l and l + 4, …). A vector has 16 lanes on every
//! instruction set, so the bits are the same on all of them.

#![allow(
    clippy::needless_range_loop,
    reason = "adaptors of iterators are calls where a crate is compiled in several units"
)]

use super::kernel::{FloatVector, VectorKernel, run_widest};
use super::{FloatBlock, LANES, Matrix, entries};

/// A matrix of zeros and ones, given by the columns of the ones.
#[derive(Clone, Copy, Debug)]
pub struct SparseRows<'a> {
    columns: &'a [u32],
    ends: &'a [usize],
}

impl<'a> SparseRows<'a> {
    /// Creates a matrix from the columns of its ones, row after row, and the index in `columns` at
    /// which each row ends.
    ///
    /// # Panics
    /// If the ends are not ascending, or the last one is not the number of columns.
    #[must_use]
    pub fn new(columns: &'a [u32], ends: &'a [usize]) -> Self {
        assert!(ends.is_sorted(), "ascending ends");
        assert_eq!(ends.last().copied().unwrap_or(0), columns.len(), "all columns are in rows");
        SparseRows { columns, ends }
    }

    /// Returns the number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.ends.len()
    }

    /// Returns the columns of the ones in each row.
    pub fn iter(&self) -> impl Iterator<Item = &'a [u32]> {
        let (columns, mut start) = (self.columns, 0);
        self.ends.iter().map(move |&end| &columns[std::mem::replace(&mut start, end)..end])
    }
}

/// Computes `out = a·b` and adds the row `start` to every row. `out` gets as many rows as `a`.
///
/// # Panics
/// If a column of `a` is not a row of `b`, or the shapes do not match.
pub fn multiply_sparse(a: SparseRows<'_>, b: &Matrix, start: &[FloatBlock], out: &mut Matrix) {
    assert_eq!(b.columns, out.columns, "the shapes of a product");
    out.set_rows(a.rows());
    run_widest(SparseProduct { a, b, start, out });
}

/// Computes `out = aᵀ·b`, where `out` has a row for each column of `a`.
///
/// # Panics
/// If a column of `a` is not a row of `out`, or the shapes do not match.
pub fn multiply_sparse_transposed(a: SparseRows<'_>, b: &Matrix, out: &mut Matrix) {
    assert_eq!((a.rows(), b.columns), (b.rows, out.columns), "the shapes of a product");
    out.data.fill(FloatBlock::default());
    run_widest(SparseTransposedProduct { a, b, out });
}

/// Computes `out = x·b + start` for one row `x`. It skips the zeros of `x`, so a sum that is zero may
/// have the other sign than in [`multiply`](super::multiply).
///
/// # Panics
/// If the shapes do not match.
pub fn multiply_row(x: &[FloatBlock], b: &Matrix, start: &[FloatBlock], out: &mut [FloatBlock]) {
    assert!(x.len() * LANES >= b.rows, "an entry for each row of the factor");
    run_widest(RowProduct { x: &entries(x)[..b.rows], b, start, out });
}

/// Computes the products of `x` with the given rows of `b`: `out[j]` is the sum over k of
/// `x[k]·b[rows[j]][k]`.
///
/// # Panics
/// If a row does not exist, or the shapes do not match.
pub fn row_products(x: &[FloatBlock], b: &Matrix, rows: &[u32], out: &mut [f32]) {
    assert_eq!(rows.len(), out.len(), "a product for each row");
    run_widest(RowProducts { x, b, rows, out });
}

/// Adds the given rows of `b`, each multiplied by its factor, to `out`.
///
/// # Panics
/// If a row does not exist, or the shapes do not match.
pub fn add_row_combination(factors: &[f32], b: &Matrix, rows: &[u32], out: &mut [FloatBlock]) {
    assert_eq!((factors.len(), b.blocks), (rows.len(), out.len()), "the shapes of a combination");
    run_widest(RowCombination { factors, b, rows, out });
}

/// Adds `x`, multiplied by the factor of each row, to the given rows of `out`.
///
/// # Panics
/// If a row does not exist, or the shapes do not match.
pub fn add_to_rows(factors: &[f32], x: &[FloatBlock], out: &mut Matrix, rows: &[u32]) {
    assert_eq!((factors.len(), x.len()), (rows.len(), out.blocks), "the shapes of a sum");
    run_widest(RowUpdates { factors, x, out, rows });
}

struct SparseProduct<'a> {
    a: SparseRows<'a>,
    b: &'a Matrix,
    start: &'a [FloatBlock],
    out: &'a mut Matrix,
}

impl VectorKernel for SparseProduct<'_> {
    type Result = ();

    #[inline(always)]
    unsafe fn run<V: FloatVector>(self) {
        for (row, columns) in self.a.iter().enumerate() {
            let out = self.out.row_blocks_mut(row);
            // SAFETY: the caller guarantees the features of `V`.
            unsafe { by_strips::<V>(Ones(columns), self.b, self.start, out) };
        }
    }
}

struct RowProduct<'a> {
    x: &'a [f32],
    b: &'a Matrix,
    start: &'a [FloatBlock],
    out: &'a mut [FloatBlock],
}

impl VectorKernel for RowProduct<'_> {
    type Result = ();

    #[inline(always)]
    unsafe fn run<V: FloatVector>(self) {
        // SAFETY: the caller guarantees the features of `V`.
        unsafe { by_strips::<V>(NonZero(self.x), self.b, self.start, self.out) };
    }
}

/// A sparse row, the left factor of a product.
trait SparseRow: Copy {
    /// Adds the product of this row with the columns of `b` to `sums`: `N` blocks of columns,
    /// beginning with block `column`.
    ///
    /// # Safety
    /// The processor must have the features of `V`.
    unsafe fn add_product<V: FloatVector, const N: usize>(
        self,
        b: &Matrix,
        column: usize,
        sums: &mut [V; N],
    );
}

/// A row that is 1 in these columns and 0 elsewhere.
#[derive(Clone, Copy)]
struct Ones<'a>(&'a [u32]);

/// A row of real numbers, many of which are 0.
#[derive(Clone, Copy)]
struct NonZero<'a>(&'a [f32]);

impl SparseRow for Ones<'_> {
    #[inline(always)]
    unsafe fn add_product<V: FloatVector, const N: usize>(
        self,
        b: &Matrix,
        column: usize,
        sums: &mut [V; N],
    ) {
        for &k in self.0 {
            let blocks = &b.row_blocks(k as usize)[column..][..N];
            for j in 0..N {
                // SAFETY: the caller guarantees the features of `V`.
                sums[j] = unsafe { sums[j].add(V::load(&blocks[j])) };
            }
        }
    }
}

impl SparseRow for NonZero<'_> {
    #[inline(always)]
    unsafe fn add_product<V: FloatVector, const N: usize>(
        self,
        b: &Matrix,
        column: usize,
        sums: &mut [V; N],
    ) {
        // A branch for each entry would be mispredicted, so the entries that count are listed first.
        let mut list = [0_u8; 64];
        let mut first = 0;
        for part in self.0.chunks(list.len()) {
            let mut count = 0;
            for i in 0..part.len() {
                list[count] = i as u8;
                count += usize::from(part[i] != 0.0);
            }
            for &i in &list[..count] {
                let i = usize::from(i);
                let blocks = &b.row_blocks(first + i)[column..][..N];
                for j in 0..N {
                    // SAFETY: the caller guarantees the features of `V`.
                    sums[j] = unsafe { sums[j].fma(part[i], V::load(&blocks[j])) };
                }
            }
            first += list.len();
        }
    }
}

/// Computes `out = x·b + start`, as many blocks at a time as the registers hold.
///
/// # Safety
/// The processor must have the features of `V`.
#[inline(always)]
unsafe fn by_strips<V: FloatVector>(
    x: impl SparseRow,
    b: &Matrix,
    start: &[FloatBlock],
    out: &mut [FloatBlock],
) {
    let mut column = 0;
    // SAFETY: the caller guarantees the features of `V`.
    unsafe {
        while column + 4 <= b.blocks {
            strip::<V, 4>(x, b, start, out, column);
            column += 4;
        }
        while column + 2 <= b.blocks {
            strip::<V, 2>(x, b, start, out, column);
            column += 2;
        }
        if column < b.blocks {
            strip::<V, 1>(x, b, start, out, column);
        }
    }
}

/// Computes `N` blocks of `out = x·b + start`, beginning with block `column`.
///
/// # Safety
/// The processor must have the features of `V`.
#[inline(always)]
unsafe fn strip<V: FloatVector, const N: usize>(
    x: impl SparseRow,
    b: &Matrix,
    start: &[FloatBlock],
    out: &mut [FloatBlock],
    column: usize,
) {
    let start = &start[column..][..N];
    // SAFETY: the caller guarantees the features of `V`.
    unsafe {
        let mut sums = [V::load(&start[0]); N];
        for j in 1..N {
            sums[j] = V::load(&start[j]);
        }
        x.add_product(b, column, &mut sums);
        let out = &mut out[column..][..N];
        for j in 0..N {
            sums[j].store(&mut out[j]);
        }
    }
}

struct SparseTransposedProduct<'a> {
    a: SparseRows<'a>,
    b: &'a Matrix,
    out: &'a mut Matrix,
}

impl VectorKernel for SparseTransposedProduct<'_> {
    type Result = ();

    #[inline(always)]
    unsafe fn run<V: FloatVector>(self) {
        for (row, columns) in self.a.iter().enumerate() {
            for &k in columns {
                let blocks = self.b.row_blocks(row);
                let sums = &mut self.out.row_blocks_mut(k as usize)[..blocks.len()];
                for j in 0..blocks.len() {
                    // SAFETY: the caller guarantees the features of `V`.
                    unsafe { V::load(&sums[j]).add(V::load(&blocks[j])).store(&mut sums[j]) };
                }
            }
        }
    }
}

struct RowProducts<'a> {
    x: &'a [FloatBlock],
    b: &'a Matrix,
    rows: &'a [u32],
    out: &'a mut [f32],
}

impl VectorKernel for RowProducts<'_> {
    type Result = ();

    #[inline(always)]
    unsafe fn run<V: FloatVector>(self) {
        for at in 0..self.rows.len() {
            let b = self.b.row_blocks(self.rows[at] as usize);
            let x = &self.x[..b.len()];
            let mut lanes = FloatBlock([0.0; LANES]);
            // SAFETY: the caller guarantees the features of `V`.
            unsafe {
                let mut sums = V::load(&lanes);
                for j in 0..b.len() {
                    sums = sums.fma_entries(V::load(&x[j]), V::load(&b[j]));
                }
                sums.store(&mut lanes);
            }
            self.out[at] = sum_lanes(lanes);
        }
    }
}

/// Adds sixteen numbers by halves.
#[inline(always)]
fn sum_lanes(FloatBlock(mut x): FloatBlock) -> f32 {
    for half in [8, 4, 2, 1] {
        for i in 0..half {
            x[i] += x[i + half];
        }
    }
    x[0]
}

struct RowCombination<'a> {
    factors: &'a [f32],
    b: &'a Matrix,
    rows: &'a [u32],
    out: &'a mut [FloatBlock],
}

impl VectorKernel for RowCombination<'_> {
    type Result = ();

    #[inline(always)]
    unsafe fn run<V: FloatVector>(self) {
        for at in 0..self.rows.len() {
            let b = self.b.row_blocks(self.rows[at] as usize);
            let (factor, sums) = (self.factors[at], &mut self.out[..b.len()]);
            for j in 0..b.len() {
                // SAFETY: the caller guarantees the features of `V`.
                unsafe { V::load(&sums[j]).fma(factor, V::load(&b[j])).store(&mut sums[j]) };
            }
        }
    }
}

struct RowUpdates<'a> {
    factors: &'a [f32],
    x: &'a [FloatBlock],
    out: &'a mut Matrix,
    rows: &'a [u32],
}

impl VectorKernel for RowUpdates<'_> {
    type Result = ();

    #[inline(always)]
    unsafe fn run<V: FloatVector>(self) {
        for at in 0..self.rows.len() {
            let sums = self.out.row_blocks_mut(self.rows[at] as usize);
            let (factor, x) = (self.factors[at], &self.x[..sums.len()]);
            for j in 0..x.len() {
                // SAFETY: the caller guarantees the features of `V`.
                unsafe { V::load(&sums[j]).fma(factor, V::load(&x[j])).store(&mut sums[j]) };
            }
        }
    }
}

#[cfg(test)]
mod tests;
