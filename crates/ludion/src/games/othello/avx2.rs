//! The functions `reach` and `flips` of `kernel.rs` with one register of AVX2 for the four lines, step
//! by step as in the portable ones.

use super::kernel::INNER;
use std::arch::x86_64::{
    __m256i, _mm_cvtsi128_si64, _mm_or_si128, _mm_unpackhi_epi64, _mm256_and_si256,
    _mm256_andnot_si256, _mm256_castsi256_si128, _mm256_cmpeq_epi64, _mm256_extracti128_si256,
    _mm256_or_si256, _mm256_set_epi64x, _mm256_set1_epi64x, _mm256_setzero_si256,
    _mm256_sllv_epi64, _mm256_srlv_epi64,
};

#[inline]
#[target_feature(enable = "avx2")]
fn steps() -> __m256i {
    _mm256_set_epi64x(9, 8, 7, 1)
}

#[inline]
#[target_feature(enable = "avx2")]
fn union(sets: __m256i) -> u64 {
    let half = _mm_or_si128(_mm256_castsi256_si128(sets), _mm256_extracti128_si256::<1>(sets));
    _mm_cvtsi128_si64(_mm_or_si128(half, _mm_unpackhi_epi64(half, half))) as u64
}

#[inline]
#[target_feature(enable = "avx2")]
fn runs(from: u64, other: u64) -> [__m256i; 2] {
    let inner = INNER as i64;
    let (step, twice) = (steps(), _mm256_set_epi64x(18, 16, 14, 2));
    let flippable = _mm256_set_epi64x(inner, -1, inner, inner);
    let discs = _mm256_and_si256(_mm256_set1_epi64x(other as i64), flippable);
    let from = _mm256_set1_epi64x(from as i64);
    let mut up = _mm256_and_si256(discs, _mm256_sllv_epi64(from, step));
    let mut down = _mm256_and_si256(discs, _mm256_srlv_epi64(from, step));
    up = _mm256_or_si256(up, _mm256_and_si256(discs, _mm256_sllv_epi64(up, step)));
    down = _mm256_or_si256(down, _mm256_and_si256(discs, _mm256_srlv_epi64(down, step)));
    let pairs_up = _mm256_and_si256(discs, _mm256_sllv_epi64(discs, step));
    let pairs_down = _mm256_srlv_epi64(pairs_up, step);
    for _ in 0..2 {
        up = _mm256_or_si256(up, _mm256_and_si256(pairs_up, _mm256_sllv_epi64(up, twice)));
        let further = _mm256_and_si256(pairs_down, _mm256_srlv_epi64(down, twice));
        down = _mm256_or_si256(down, further);
    }
    [up, down]
}

#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn reach(own: u64, other: u64) -> u64 {
    let [up, down] = runs(own, other);
    let step = steps();
    union(_mm256_or_si256(_mm256_sllv_epi64(up, step), _mm256_srlv_epi64(down, step)))
}

#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn flips(own: u64, other: u64, cell: u64) -> u64 {
    let [up, down] = runs(cell, other);
    let (step, own) = (steps(), _mm256_set1_epi64x(own as i64));
    let is_open =
        |end: __m256i| _mm256_cmpeq_epi64(_mm256_and_si256(own, end), _mm256_setzero_si256());
    let up = _mm256_andnot_si256(is_open(_mm256_sllv_epi64(up, step)), up);
    let down = _mm256_andnot_si256(is_open(_mm256_srlv_epi64(down, step)), down);
    union(_mm256_or_si256(up, down))
}
