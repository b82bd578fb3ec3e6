//! The scan kernels: they find the rows within a Hamming distance of a query, one for rows of 128 bits
//! and one for wider rows. Each is compiled for portable instructions, for AVX2 (population count by nibble lookup, Muła) and for AVX-512 with
//! VPOPCNTDQ; the version is chosen at run time. All versions find the same rows in the same order.

use std::ops::Range;

/// The Hamming distance of a row from the query, and the index of the row among the scanned rows.
pub(super) type Hit = (u32, u32);

/// The maximum number of rows of one scan.
pub(super) const CHUNK: usize = 512;

/// The rows that scans found, at most [`CHUNK`]. The capacity is fixed, so that a kernel needs no
/// allocation or call and keeps its values in registers.
pub(super) struct Hits {
    found: [Hit; CHUNK],
    count: usize,
}

impl Hits {
    pub(super) fn new() -> Self {
        Hits { found: [(0, 0); CHUNK], count: 0 }
    }

    #[inline(always)]
    fn push(&mut self, hit: Hit) {
        self.found[self.count] = hit;
        self.count += 1;
    }

    /// Returns the rows found so far and clears the list.
    #[inline]
    pub(super) fn take(&mut self) -> &[Hit] {
        &self.found[..std::mem::take(&mut self.count)]
    }
}

/// Numbers of set bits in the eight groups of a row, at most 255 each. Each quarter has two groups:
/// the pairs of bits (0, 1), (4, 5), … and the pairs (2, 3), (6, 7), ….
pub(super) type BitCounts = [u8; 8];

/// Returns a lower bound of the Hamming distance of two rows with bit counts `a` and `b`: Σ |aᵢ −
/// bᵢ|.
#[inline(always)]
pub(super) fn min_distance(a: BitCounts, b: BitCounts) -> u32 {
    // x86-64 has an instruction for a sum of absolute differences, which the compiler does not use.
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_mm_cvtsi64_si128, _mm_cvtsi128_si32, _mm_sad_epu8};
        let (a, b) = (i64::from_le_bytes(a), i64::from_le_bytes(b));
        // SAFETY: SSE2 is part of x86-64.
        unsafe {
            let sums = _mm_sad_epu8(_mm_cvtsi64_si128(a), _mm_cvtsi64_si128(b));
            _mm_cvtsi128_si32(sums) as u32
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    min_distance_portable(a, b)
}

#[cfg(any(test, not(target_arch = "x86_64")))]
fn min_distance_portable(a: BitCounts, b: BitCounts) -> u32 {
    a.iter().zip(b).map(|(a, b)| u32::from(a.abs_diff(b))).sum()
}

/// Adds the rows that differ from the query in at most `max_distance` bits to `hits`, in their
/// order. `rows` has the first and the second words of at most [`CHUNK`] rows of 128 bits.
pub(super) fn scan(rows: [&[u64]; 2], query: [u64; 2], max_distance: u32, hits: &mut Hits) {
    assert_eq!(rows[0].len(), rows[1].len(), "two halves of every row");
    assert!(rows[0].len() + hits.count <= CHUNK, "at most a chunk of rows");
    #[cfg(target_arch = "x86_64")]
    {
        if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512vpopcntdq") {
            // SAFETY: the processor has the features, and both halves have the same length.
            return unsafe { scan_avx512(rows, query, max_distance, hits) };
        }
        if is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has the feature, and both halves have the same length.
            return unsafe { scan_avx2(rows, query, max_distance, hits) };
        }
    }
    scan_portable(rows, query, max_distance, 0, hits);
}

/// Number of rows whose distances [`scan_wide`] computes together.
const WIDE_BLOCK: usize = 64;

/// Adds the rows with the indices `range` that differ from the query in at most `max_distance` bits
/// to `hits`, in their order, for rows of any number of words; `columns` has the first word of every
/// row, the second of every row, and so on.
pub(super) fn scan_wide(
    columns: &[Vec<u64>],
    range: Range<usize>,
    query: &[u64],
    max_distance: u32,
    hits: &mut Hits,
) {
    assert_eq!(columns.len(), query.len(), "a query of as many words as a row");
    assert!(range.len() + hits.count <= CHUNK, "at most a chunk of rows");
    #[cfg(target_arch = "x86_64")]
    {
        if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512vpopcntdq") {
            // SAFETY: the processor has the features.
            return unsafe { scan_wide_avx512(columns, range, query, max_distance, hits) };
        }
        if is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has the feature.
            return unsafe { scan_wide_avx2(columns, range, query, max_distance, hits) };
        }
    }
    scan_wide_portable(columns, range, query, max_distance, hits);
}

/// Scans rows as [`scan_wide`] does; the compiler makes vectors of the sums.
#[inline(always)]
fn scan_wide_portable(
    columns: &[Vec<u64>],
    range: Range<usize>,
    query: &[u64],
    max_distance: u32,
    hits: &mut Hits,
) {
    for first in range.clone().step_by(WIDE_BLOCK) {
        let count = WIDE_BLOCK.min(range.end - first);
        let mut distances = [0_u64; WIDE_BLOCK];
        for (column, &word) in columns.iter().zip(query) {
            for (distance, row) in distances.iter_mut().zip(&column[first..][..count]) {
                *distance += u64::from((row ^ word).count_ones());
            }
        }
        for (at, &distance) in distances[..count].iter().enumerate() {
            if distance <= u64::from(max_distance) {
                hits.push((distance as u32, (first - range.start + at) as u32));
            }
        }
    }
}

/// Scans rows as [`scan_wide`] does, compiled for AVX-512.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512vpopcntdq,popcnt")]
fn scan_wide_avx512(
    columns: &[Vec<u64>],
    range: Range<usize>,
    query: &[u64],
    max_distance: u32,
    hits: &mut Hits,
) {
    scan_wide_portable(columns, range, query, max_distance, hits);
}

/// Scans rows as [`scan_wide`] does, compiled for AVX2.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,popcnt")]
fn scan_wide_avx2(
    columns: &[Vec<u64>],
    range: Range<usize>,
    query: &[u64],
    max_distance: u32,
    hits: &mut Hits,
) {
    scan_wide_portable(columns, range, query, max_distance, hits);
}

/// Scans the rows from index `from` on, one by one.
#[inline(always)]
fn scan_portable(
    rows: [&[u64]; 2],
    query: [u64; 2],
    max_distance: u32,
    from: usize,
    hits: &mut Hits,
) {
    for (at, (low, high)) in rows[0].iter().zip(rows[1]).enumerate().skip(from) {
        let distance = (low ^ query[0]).count_ones() + (high ^ query[1]).count_ones();
        if distance <= max_distance {
            hits.push((distance, at as u32));
        }
    }
}

/// Scans rows as [`scan`] does, with AVX-512 instructions.
///
/// # Safety
/// Both halves of `rows` must have the same length, and the processor must have the features.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512vpopcntdq,popcnt")]
unsafe fn scan_avx512(rows: [&[u64]; 2], query: [u64; 2], max_distance: u32, hits: &mut Hits) {
    use std::arch::x86_64::*;
    let [low, high] = query.map(|half| _mm512_set1_epi64(half as i64));
    let limit = _mm512_set1_epi64(i64::from(max_distance));
    let distances = |a: __m512i, b: __m512i| {
        let (a, b) = (_mm512_xor_si512(a, low), _mm512_xor_si512(b, high));
        _mm512_add_epi64(_mm512_popcnt_epi64(a), _mm512_popcnt_epi64(b))
    };
    let count = rows[0].len();
    let [first, second] = rows.map(<[u64]>::as_ptr);
    let mut at = 0;
    while at + 16 <= count {
        // SAFETY: at least sixteen rows are left.
        let d = unsafe {
            [0, 8].map(|more| {
                let (a, b) = (first.add(at + more).cast(), second.add(at + more).cast());
                distances(_mm512_loadu_si512(a), _mm512_loadu_si512(b))
            })
        };
        let near = [_mm512_cmple_epu64_mask(d[0], limit), _mm512_cmple_epu64_mask(d[1], limit)];
        if near[0] | near[1] != 0 {
            push_lanes(d[0], near[0], at, hits);
            push_lanes(d[1], near[1], at + 8, hits);
        }
        at += 16;
    }
    while at < count {
        let lanes = if count - at < 8 { (1 << (count - at)) - 1 } else { u8::MAX };
        // SAFETY: the mask excludes lanes beyond the last row.
        let d = unsafe {
            distances(
                _mm512_maskz_loadu_epi64(lanes, first.add(at).cast()),
                _mm512_maskz_loadu_epi64(lanes, second.add(at).cast()),
            )
        };
        let near = _mm512_mask_cmple_epu64_mask(lanes, d, limit);
        push_lanes(d, near, at, hits);
        at += 8;
    }
}

/// Adds to `hits` the rows whose lanes are set in the mask `near`; the first lane belongs to row
/// `at`.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
#[inline]
fn push_lanes(distances: std::arch::x86_64::__m512i, mut near: u8, at: usize, hits: &mut Hits) {
    let mut lanes = [0_u64; 8];
    // SAFETY: the array has room for eight lanes of 64 bits.
    unsafe { std::arch::x86_64::_mm512_storeu_si512(lanes.as_mut_ptr().cast(), distances) };
    while near != 0 {
        let lane = near.trailing_zeros() as usize;
        hits.push((lanes[lane] as u32, (at + lane) as u32));
        near &= near - 1;
    }
}

/// Scans rows as [`scan`] does, with AVX2 instructions.
///
/// # Safety
/// Both halves of `rows` must have the same length, and the processor must have the features.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,popcnt")]
unsafe fn scan_avx2(rows: [&[u64]; 2], query: [u64; 2], max_distance: u32, hits: &mut Hits) {
    use std::arch::x86_64::*;
    let table = _mm256_setr_epi8(
        0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3,
        3, 4,
    );
    let nibble = _mm256_set1_epi8(15);
    let count = |bits: __m256i| {
        let upper = _mm256_and_si256(_mm256_srli_epi16(bits, 4), nibble);
        let lower = _mm256_shuffle_epi8(table, _mm256_and_si256(bits, nibble));
        _mm256_add_epi8(lower, _mm256_shuffle_epi8(table, upper))
    };
    let [low, high] = query.map(|half| _mm256_set1_epi64x(half as i64));
    let limit = _mm256_set1_epi64x(i64::from(max_distance) + 1);
    let whole = rows[0].len() / 4 * 4;
    for at in (0..whole).step_by(4) {
        // SAFETY: `at + 4` is at most the number of rows of both halves.
        let (a, b) = unsafe {
            (
                _mm256_loadu_si256(rows[0].as_ptr().add(at).cast()),
                _mm256_loadu_si256(rows[1].as_ptr().add(at).cast()),
            )
        };
        let bytes =
            _mm256_add_epi8(count(_mm256_xor_si256(a, low)), count(_mm256_xor_si256(b, high)));
        let distances = _mm256_sad_epu8(bytes, _mm256_setzero_si256());
        let near = _mm256_movemask_pd(_mm256_castsi256_pd(_mm256_cmpgt_epi64(limit, distances)));
        if near != 0 {
            let mut lanes = [0_u64; 4];
            // SAFETY: the array has room for four lanes of 64 bits.
            unsafe { _mm256_storeu_si256(lanes.as_mut_ptr().cast(), distances) };
            for lane in (0..4).filter(|lane| near >> lane & 1 != 0) {
                hits.push((lanes[lane] as u32, (at + lane) as u32));
            }
        }
    }
    scan_portable(rows, query, max_distance, whole, hits);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Rng;

    #[test]
    fn the_minimal_distance_is_the_sum_of_differences() {
        let mut rng = Rng::new(2);
        for _ in 0..1000 {
            let [a, b] = [rng.bits(), rng.bits()].map(u64::to_le_bytes);
            assert_eq!(min_distance(a, b), min_distance_portable(a, b));
        }
    }

    #[test]
    fn all_kernels_find_the_same_rows_in_the_same_order() {
        let mut rng = Rng::new(9);
        for count in [0, 1, 3, 4, 7, 8, 9, 31, 512] {
            let mut half = || (0..count).map(|_| rng.bits()).collect::<Vec<u64>>();
            let (mut low, mut high) = (half(), half());
            let query = [rng.bits(), rng.bits()];
            // Also tests the smallest and the largest possible distance.
            if count > 8 {
                (low[3], high[3]) = (query[0], query[1]);
                (low[5], high[5]) = (!query[0], !query[1]);
            }
            for max_distance in [0, 50, 64, 70, 127, 128] {
                let rows = [&low[..], &high[..]];
                let found = |kernel: &dyn Fn(&mut Hits)| {
                    let mut hits = Hits::new();
                    kernel(&mut hits);
                    hits.take().to_vec()
                };
                let expected = found(&|hits| scan_portable(rows, query, max_distance, 0, hits));
                let best = found(&|hits| scan(rows, query, max_distance, hits));
                assert_eq!(best, expected, "widest vectors, {count} rows within {max_distance}");
                let columns = [low.clone(), high.clone()];
                let wide = found(&|hits| scan_wide(&columns, 0..count, &query, max_distance, hits));
                assert_eq!(wide, expected, "as wide rows, {count} rows within {max_distance}");
                #[cfg(target_arch = "x86_64")]
                if is_x86_feature_detected!("avx2") {
                    // SAFETY: the processor has the feature, and both halves have the same length.
                    let avx2 = found(&|hits| unsafe { scan_avx2(rows, query, max_distance, hits) });
                    assert_eq!(avx2, expected, "with AVX2, {count} rows within {max_distance}");
                }
            }
        }
    }
}
