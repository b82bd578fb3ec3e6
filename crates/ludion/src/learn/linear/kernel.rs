//! The product of matrices in tiles of registers, for the plain machine, AVX2 with FMA, and
//! AVX-512; chosen at run time. A vector is sixteen floats on all of them, and `fma` rounds
//! once on all of them (in software where the machine has none), so all give the same bits.

use super::{FloatBlock, LANES};

/// Sixteen floats in whatever registers there are.
///
/// # Safety
/// The methods may only be called where the features of the implementation are there.
pub(in crate::learn) trait FloatVector: Copy {
    /// Rows of a tile, so that a tile of [`TILE_BLOCKS`] vectors a row fits the registers.
    const TILE_ROWS: usize;
    unsafe fn load(block: &FloatBlock) -> Self;
    unsafe fn store(self, block: &mut FloatBlock);
    /// `x·w + self`, rounded once.
    unsafe fn fma(self, x: f32, w: Self) -> Self;
    unsafe fn add(self, other: Self) -> Self;
    /// What is negative becomes 0.
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

    // SAFETY (of all calls): whoever calls a method of `FloatVector` vouches for the features; the
    // pointers are those of whole blocks, which are aligned to 64 bytes.
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
        unsafe fn add(self, other: Self) -> Self {
            // SAFETY: see above.
            unsafe { _mm512_add_ps(self, other) }
        }

        #[inline(always)]
        unsafe fn relu(self) -> Self {
            // The second operand is what comes out when the first is no number.
            // SAFETY: see above.
            unsafe { _mm512_max_ps(self, _mm512_setzero_ps()) }
        }
    }

    impl FloatVector for [__m256; 2] {
        const TILE_ROWS: usize = 4;

        #[inline(always)]
        unsafe fn load(block: &FloatBlock) -> Self {
            // SAFETY: see above; the second half begins 32 bytes on.
            unsafe { [_mm256_load_ps(block.0.as_ptr()), _mm256_load_ps(block.0[8..].as_ptr())] }
        }

        #[inline(always)]
        unsafe fn store(self, block: &mut FloatBlock) {
            // SAFETY: see above; the second half begins 32 bytes on.
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

/// Work that is written once for all kinds of vectors.
pub(in crate::learn) trait VectorKernel {
    type Result;

    /// # Safety
    /// The features of `V` must be there.
    unsafe fn run<V: FloatVector>(self) -> Self::Result;
}

/// The kinds of vectors, widest first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::learn) enum VectorWidth {
    Avx512,
    Avx2,
    Plain,
}

impl VectorWidth {
    #[cfg(test)]
    pub(in crate::learn) const ALL: [VectorWidth; 3] =
        [VectorWidth::Avx512, VectorWidth::Avx2, VectorWidth::Plain];

    /// Whether this machine has it.
    #[inline]
    pub(in crate::learn) fn is_here(self) -> bool {
        #[cfg(target_arch = "x86_64")]
        match self {
            VectorWidth::Avx512 => return is_x86_feature_detected!("avx512f"),
            VectorWidth::Avx2 => {
                return is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma");
            }
            VectorWidth::Plain => {}
        }
        self == VectorWidth::Plain
    }

    /// Does the work with these vectors, which must be here.
    #[inline]
    pub(in crate::learn) fn run<W: VectorKernel>(self, work: W) -> W::Result {
        assert!(self.is_here(), "vectors that this machine has");
        // SAFETY: the features are here.
        unsafe {
            match self {
                #[cfg(target_arch = "x86_64")]
                VectorWidth::Avx512 => run_avx512(work),
                #[cfg(target_arch = "x86_64")]
                VectorWidth::Avx2 => run_avx2(work),
                _ => work.run::<[f32; LANES]>(),
            }
        }
    }
}

/// Does the work with the widest vectors of this machine.
#[inline]
pub(in crate::learn) fn with_vectors<W: VectorKernel>(work: W) -> W::Result {
    if VectorWidth::Avx512.is_here() {
        VectorWidth::Avx512.run(work)
    } else if VectorWidth::Avx2.is_here() {
        VectorWidth::Avx2.run(work)
    } else {
        VectorWidth::Plain.run(work)
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn run_avx512<W: VectorKernel>(work: W) -> W::Result {
    // SAFETY: this function is compiled for the features.
    unsafe { work.run::<std::arch::x86_64::__m512>() }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn run_avx2<W: VectorKernel>(work: W) -> W::Result {
    // SAFETY: this function is compiled for the features.
    unsafe { work.run::<[std::arch::x86_64::__m256; 2]>() }
}

/// The left factor: entry (i, k) is at `i·row_step + k·step`.
#[derive(Clone, Copy)]
pub(super) struct LeftFactor<'a> {
    pub(super) entries: &'a [f32],
    pub(super) row_step: usize,
    pub(super) step: usize,
}

/// A product: `rows` rows of `out`, each the sum over `depth` rows of `right`.
pub(super) struct MatrixProduct<'a> {
    pub(super) left: LeftFactor<'a>,
    pub(super) rows: usize,
    pub(super) depth: usize,
    pub(super) right: &'a [FloatBlock],
    /// Blocks in a row of `right` and of `out`.
    pub(super) blocks: usize,
    /// What is in every row of `out` before the sum; zeros if nothing is said.
    pub(super) start: Option<&'a [FloatBlock]>,
    pub(super) out: &'a mut [FloatBlock],
}

impl VectorKernel for MatrixProduct<'_> {
    type Result = ();

    #[inline(always)]
    unsafe fn run<V: FloatVector>(mut self) {
        // SAFETY: the features of `V` are there.
        unsafe {
            let mut row = 0;
            while row + V::TILE_ROWS <= self.rows {
                match V::TILE_ROWS {
                    8 => self.strip::<V, 8>(row),
                    4 => self.strip::<V, 4>(row),
                    _ => self.strip::<V, 1>(row),
                }
                row += V::TILE_ROWS;
            }
            for row in row..self.rows {
                self.strip::<V, 1>(row);
            }
        }
    }
}

impl MatrixProduct<'_> {
    /// `M` rows from `row`.
    ///
    /// # Safety
    /// The features of `V` must be there.
    #[inline(always)]
    unsafe fn strip<V: FloatVector, const M: usize>(&mut self, row: usize) {
        // SAFETY: the features of `V` are there.
        unsafe {
            let mut column = 0;
            while column + 2 <= self.blocks {
                self.tile::<V, M, 2>(row, column);
                column += 2;
            }
            if column < self.blocks {
                self.tile::<V, M, 1>(row, column);
            }
        }
    }

    /// `M` rows and `N` blocks from (`row`, `column`), all sums in registers.
    ///
    /// # Safety
    /// The features of `V` must be there.
    #[inline(always)]
    unsafe fn tile<V: FloatVector, const M: usize, const N: usize>(
        &mut self,
        row: usize,
        column: usize,
    ) {
        const ZEROS: FloatBlock = FloatBlock([0.0; LANES]);
        let LeftFactor { entries, row_step, step } = self.left;
        // SAFETY: the features of `V` are there.
        unsafe {
            let mut start = [V::load(&ZEROS); N];
            if let Some(row) = self.start {
                for (sum, block) in start.iter_mut().zip(&row[column..][..N]) {
                    *sum = V::load(block);
                }
            }
            let mut sums = [start; M];
            for k in 0..self.depth {
                let blocks = &self.right[k * self.blocks + column..][..N];
                let mut right = [V::load(&blocks[0]); N];
                for (w, block) in right.iter_mut().zip(blocks) {
                    *w = V::load(block);
                }
                for (i, sums) in sums.iter_mut().enumerate() {
                    let x = entries[(row + i) * row_step + k * step];
                    for (sum, &w) in sums.iter_mut().zip(&right) {
                        *sum = sum.fma(x, w);
                    }
                }
            }
            for (i, sums) in sums.iter().enumerate() {
                let out = &mut self.out[(row + i) * self.blocks + column..][..N];
                for (out, &sum) in out.iter_mut().zip(sums) {
                    sum.store(out);
                }
            }
        }
    }
}
