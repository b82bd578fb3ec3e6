//! Vector kernels, compiled for portable instructions, for AVX2 with FMA, and for AVX-512; the best
//! version is chosen at run time. The main kernel is a matrix product with tiles in registers. A
//! vector has sixteen floats in all versions, and `fma` always rounds once (in software if the
//! processor has no FMA), so all versions give identical bits.

#![allow(
    clippy::needless_range_loop,
    reason = "adaptors of iterators are calls where a crate is compiled in several units"
)]

use super::{FloatBlock, LANES};

/// A vector of sixteen floats in the registers of one instruction set.
///
/// # Safety
/// The methods may only be called if the processor has the features of the implementation.
pub(in crate::learn) trait FloatVector: Copy {
    /// Number of rows in a tile, the part of a matrix product whose sums are computed together. The
    /// sums, a row of the right factor and one entry of the left factor fit in the registers.
    const TILE_ROWS: usize;
    /// Loads a block from memory.
    unsafe fn load(block: &FloatBlock) -> Self;
    /// Stores the vector to a block in memory.
    unsafe fn store(self, block: &mut FloatBlock);
    /// Returns `x·w + self` for every entry of `w`, rounded once.
    unsafe fn fma(self, x: f32, w: Self) -> Self;
    /// Returns `a·b + self` for every entry, rounded once.
    unsafe fn fma_entries(self, a: Self, b: Self) -> Self;
    /// Returns the entrywise sum of two vectors.
    unsafe fn add(self, other: Self) -> Self;
    /// Replaces negative entries by 0.
    unsafe fn relu(self) -> Self;
}

impl FloatVector for [f32; LANES] {
    const TILE_ROWS: usize = 1;

    #[inline(always)]
    unsafe fn load(block: &FloatBlock) -> Self {
        block.0
    }

    #[inline(always)]
    unsafe fn store(self, block: &mut FloatBlock) {
        block.0 = self;
    }

    #[inline(always)]
    unsafe fn fma(self, x: f32, w: Self) -> Self {
        std::array::from_fn(|i| x.mul_add(w[i], self[i]))
    }

    #[inline(always)]
    unsafe fn fma_entries(self, a: Self, b: Self) -> Self {
        std::array::from_fn(|i| a[i].mul_add(b[i], self[i]))
    }

    #[inline(always)]
    unsafe fn add(self, other: Self) -> Self {
        std::array::from_fn(|i| self[i] + other[i])
    }

    #[inline(always)]
    unsafe fn relu(self) -> Self {
        self.map(|x| if x > 0.0 { x } else { 0.0 })
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::*;

    use super::{FloatBlock, FloatVector};

    // SAFETY (of all calls): the caller of a method of `FloatVector` guarantees the CPU features,
    // and the pointers are those of whole blocks, which are aligned to 64 bytes.
    impl FloatVector for __m512 {
        const TILE_ROWS: usize = 8;

        #[inline(always)]
        unsafe fn load(block: &FloatBlock) -> Self {
            // SAFETY: see above.
            unsafe { _mm512_load_ps(block.0.as_ptr()) }
        }

        #[inline(always)]
        unsafe fn store(self, block: &mut FloatBlock) {
            // SAFETY: see above.
            unsafe { _mm512_store_ps(block.0.as_mut_ptr(), self) }
        }

        #[inline(always)]
        unsafe fn fma(self, x: f32, w: Self) -> Self {
            // SAFETY: see above.
            unsafe { _mm512_fmadd_ps(_mm512_set1_ps(x), w, self) }
        }

        #[inline(always)]
        unsafe fn fma_entries(self, a: Self, b: Self) -> Self {
            // SAFETY: see above.
            unsafe { _mm512_fmadd_ps(a, b, self) }
        }

        #[inline(always)]
        unsafe fn add(self, other: Self) -> Self {
            // SAFETY: see above.
            unsafe { _mm512_add_ps(self, other) }
        }

        #[inline(always)]
        unsafe fn relu(self) -> Self {
            // A NaN in the first operand gives the second operand, 0.
            // SAFETY: see above.
            unsafe { _mm512_max_ps(self, _mm512_setzero_ps()) }
        }
    }

    impl FloatVector for [__m256; 2] {
        const TILE_ROWS: usize = 6;

        #[inline(always)]
        unsafe fn load(block: &FloatBlock) -> Self {
            // SAFETY: see above; the second half begins after 32 bytes.
            unsafe { [_mm256_load_ps(block.0.as_ptr()), _mm256_load_ps(block.0[8..].as_ptr())] }
        }

        #[inline(always)]
        unsafe fn store(self, block: &mut FloatBlock) {
            // SAFETY: see above; the second half begins after 32 bytes.
            unsafe {
                _mm256_store_ps(block.0.as_mut_ptr(), self[0]);
                _mm256_store_ps(block.0[8..].as_mut_ptr(), self[1]);
            }
        }

        #[inline(always)]
        unsafe fn fma(self, x: f32, w: Self) -> Self {
            // SAFETY: see above.
            unsafe {
                let x = _mm256_set1_ps(x);
                [_mm256_fmadd_ps(x, w[0], self[0]), _mm256_fmadd_ps(x, w[1], self[1])]
            }
        }

        #[inline(always)]
        unsafe fn fma_entries(self, a: Self, b: Self) -> Self {
            // SAFETY: see above.
            unsafe { [_mm256_fmadd_ps(a[0], b[0], self[0]), _mm256_fmadd_ps(a[1], b[1], self[1])] }
        }

        #[inline(always)]
        unsafe fn add(self, other: Self) -> Self {
            // SAFETY: see above.
            unsafe { [_mm256_add_ps(self[0], other[0]), _mm256_add_ps(self[1], other[1])] }
        }

        #[inline(always)]
        unsafe fn relu(self) -> Self {
            // SAFETY: see above.
            unsafe {
                let zero = _mm256_setzero_ps();
                [_mm256_max_ps(self[0], zero), _mm256_max_ps(self[1], zero)]
            }
        }
    }
}

/// A computation that can run with the vectors of any supported instruction set.
pub(in crate::learn) trait VectorKernel {
    /// The type of the computation's result.
    type Result;

    /// Runs the computation with vectors of type `V`.
    ///
    /// # Safety
    /// The processor must have the features of `V`.
    unsafe fn run<V: FloatVector>(self) -> Self::Result;
}

/// The instruction sets that kernels are compiled for, widest vectors first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::learn) enum SimdLevel {
    Avx512,
    Avx2,
    Portable,
}

impl SimdLevel {
    #[cfg(test)]
    pub(in crate::learn) const ALL: [SimdLevel; 3] =
        [SimdLevel::Avx512, SimdLevel::Avx2, SimdLevel::Portable];

    /// Returns whether this processor has the instruction set.
    #[inline]
    pub(in crate::learn) fn is_supported(self) -> bool {
        #[cfg(target_arch = "x86_64")]
        match self {
            SimdLevel::Avx512 => return is_x86_feature_detected!("avx512f"),
            SimdLevel::Avx2 => {
                return is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma");
            }
            SimdLevel::Portable => {}
        }
        self == SimdLevel::Portable
    }

    /// Runs a kernel compiled for this instruction set.
    ///
    /// # Panics
    /// If the processor does not support it.
    #[inline]
    pub(in crate::learn) fn run<W: VectorKernel>(self, kernel: W) -> W::Result {
        assert!(self.is_supported(), "the processor supports the instruction set");
        // SAFETY: the processor has the features.
        unsafe {
            match self {
                #[cfg(target_arch = "x86_64")]
                SimdLevel::Avx512 => run_avx512(kernel),
                #[cfg(target_arch = "x86_64")]
                SimdLevel::Avx2 => run_avx2(kernel),
                _ => kernel.run::<[f32; LANES]>(),
            }
        }
    }
}

/// Runs a kernel with the widest vectors that this processor supports.
#[inline]
pub(in crate::learn) fn run_widest<W: VectorKernel>(kernel: W) -> W::Result {
    if SimdLevel::Avx512.is_supported() {
        SimdLevel::Avx512.run(kernel)
    } else if SimdLevel::Avx2.is_supported() {
        SimdLevel::Avx2.run(kernel)
    } else {
        SimdLevel::Portable.run(kernel)
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn run_avx512<W: VectorKernel>(kernel: W) -> W::Result {
    // SAFETY: this function is compiled for the features.
    unsafe { kernel.run::<std::arch::x86_64::__m512>() }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn run_avx2<W: VectorKernel>(kernel: W) -> W::Result {
    // SAFETY: this function is compiled for the features.
    unsafe { kernel.run::<[std::arch::x86_64::__m256; 2]>() }
}

/// The left factor of a matrix product, possibly transposed: entry (i, k) is `entries[i·row_step +
/// k·step]`.
#[derive(Clone, Copy)]
pub(super) struct LeftFactor<'a> {
    pub(super) entries: &'a [f32],
    pub(super) row_step: usize,
    pub(super) step: usize,
}

/// The kernel of a matrix product: computes `rows` rows of `out`, each the sum of `depth` rows of
/// `right` weighted by entries of `left`.
pub(super) struct MatrixProduct<'a> {
    pub(super) left: LeftFactor<'a>,
    pub(super) rows: usize,
    pub(super) depth: usize,
    pub(super) right: &'a [FloatBlock],
    /// Number of [`FloatBlock`]s per row of `right` and of `out`.
    pub(super) blocks: usize,
    /// The row that is added to every row of the product; zeros if `None`.
    pub(super) start: Option<&'a [FloatBlock]>,
    pub(super) out: &'a mut [FloatBlock],
}

impl VectorKernel for MatrixProduct<'_> {
    type Result = ();

    #[inline(always)]
    unsafe fn run<V: FloatVector>(mut self) {
        self.check_sizes();
        // SAFETY: the caller guarantees the features of `V`; the rows exist, by the loops.
        unsafe {
            let mut row = 0;
            while row + V::TILE_ROWS <= self.rows {
                match V::TILE_ROWS {
                    8 => self.strip::<V, 8, 2>(row),
                    6 => self.strip::<V, 6, 1>(row),
                    _ => self.strip::<V, 1, 2>(row),
                }
                row += V::TILE_ROWS;
            }
            while V::TILE_ROWS > 2 && row + 2 <= self.rows {
                self.strip::<V, 2, 2>(row);
                row += 2;
            }
            for row in row..self.rows {
                self.strip::<V, 1, 4>(row);
            }
        }
    }
}

impl MatrixProduct<'_> {
    /// Panics unless all entries that the tiles use exist. The tiles do not check again.
    #[inline(always)]
    fn check_sizes(&self) {
        let LeftFactor { entries, row_step, step } = self.left;
        if self.rows > 0 && self.depth > 0 {
            let last = (self.rows - 1) * row_step + (self.depth - 1) * step;
            assert!(last < entries.len(), "the left factor has all entries");
        }
        assert!(self.right.len() >= self.depth * self.blocks, "the right factor has all blocks");
        assert!(self.out.len() >= self.rows * self.blocks, "the product has all blocks");
    }

    /// Computes the `M` rows of `out` that begin with row `row`, up to `N` blocks at a time.
    ///
    /// # Safety
    /// The processor must have the features of `V`, and `row + M` must be at most `rows`.
    #[inline(always)]
    unsafe fn strip<V: FloatVector, const M: usize, const N: usize>(&mut self, row: usize) {
        // SAFETY: the caller guarantees the features of `V` and the rows; the columns exist, by the
        // loops.
        unsafe {
            let mut column = 0;
            while column + N <= self.blocks {
                self.tile::<V, M, N>(row, column);
                column += N;
            }
            while column < self.blocks {
                self.tile::<V, M, 1>(row, column);
                column += 1;
            }
        }
    }

    /// Computes a tile of `out`: `M` rows and `N` blocks, beginning at row `row` and block
    /// `column`. All sums stay in registers.
    ///
    /// # Safety
    /// The processor must have the features of `V`, `row + M` must be at most `rows` and `column +
    /// N` at most `blocks`.
    #[inline(always)]
    unsafe fn tile<V: FloatVector, const M: usize, const N: usize>(
        &mut self,
        row: usize,
        column: usize,
    ) {
        const ZEROS: FloatBlock = FloatBlock([0.0; LANES]);
        let LeftFactor { entries, row_step, step } = self.left;
        // SAFETY: the caller guarantees the features of `V` and that the rows and columns exist, so
        // that by `check_sizes` all indices are within the slices.
        unsafe {
            let mut start = [V::load(&ZEROS); N];
            if let Some(row) = self.start {
                let row = &row[column..][..N];
                for j in 0..N {
                    start[j] = V::load(&row[j]);
                }
            }
            let mut sums = [start; M];
            for k in 0..self.depth {
                let first = k * self.blocks + column;
                let mut right = [start[0]; N];
                for j in 0..N {
                    right[j] = V::load(self.right.get_unchecked(first + j));
                }
                for i in 0..M {
                    let x = *entries.get_unchecked((row + i) * row_step + k * step);
                    for j in 0..N {
                        sums[i][j] = sums[i][j].fma(x, right[j]);
                    }
                }
            }
            for i in 0..M {
                let out = &mut self.out[(row + i) * self.blocks + column..][..N];
                for j in 0..N {
                    sums[i][j].store(&mut out[j]);
                }
            }
        }
    }
}
