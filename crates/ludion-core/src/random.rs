//! Random numbers, always generated from an explicit seed.
//!
//! The generator is xoshiro256++ (Blackman & Vigna), whose stream is the same in all versions.
//! [`derive_seed`] derives the seeds of the parts of a run from the run's seed and the part's
//! indices, so that results do not depend on the timing of threads.

/// The increment of `SplitMix64`: 2⁶⁴ divided by the golden ratio.
const GOLDEN_GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;

/// A seeded random number generator. It is written here and not taken from a crate because every
/// random game makes three of them: calls into another crate took a sixth of the time of such a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rng([u64; 4]);

impl Rng {
    /// Creates a generator from `seed`; its state is the first four outputs of `SplitMix64`.
    #[must_use]
    #[inline]
    pub fn new(seed: u64) -> Self {
        let output = |n: u64| mix(seed.wrapping_add(GOLDEN_GAMMA.wrapping_mul(n)));
        Rng([output(1), output(2), output(3), output(4)])
    }

    /// Returns 64 random bits.
    #[inline]
    pub fn bits(&mut self) -> u64 {
        let [a, b, c, d] = self.0;
        let bits = a.wrapping_add(d).rotate_left(23).wrapping_add(a);
        let (c, d) = (c ^ a, d ^ b);
        self.0 = [a ^ d, b ^ c, c ^ (b << 17), d.rotate_left(45)];
        bits
    }

    /// Returns a uniform number in `0..n`, for `n` from 1 to 2³², by Lemire's multiply-and-shift
    /// without its rejection step: the bias is below n/2³², which is negligible here.
    #[inline]
    pub fn below(&mut self, n: usize) -> usize {
        debug_assert!(n >= 1 && n as u64 <= 1 << 32, "a range of 1 to 2^32 values");
        (((self.bits() >> 32) * n as u64) >> 32) as usize
    }

    /// Returns a uniform number in `[0, 1)` with 53 random bits.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }
}

/// Derives the seed of one part of a run from the run's `seed` and the indices of the part, such as
/// the numbers of a game and of a player.
///
/// Each index is mixed in by the finaliser of `SplitMix64`, so that neighbouring indices give
/// unrelated seeds.
#[must_use]
#[inline]
pub fn derive_seed(seed: u64, indices: &[u64]) -> u64 {
    indices.iter().fold(mix(seed), |acc, &c| mix(acc ^ mix(c.wrapping_add(GOLDEN_GAMMA))))
}

/// Mixes 64 bits with the finaliser of `SplitMix64`, a bijection in which every output bit depends
/// on every input bit.
#[inline]
#[must_use]
pub const fn mix(mut x: u64) -> u64 {
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stream_is_that_of_another_implementation() {
        use rand_core::SeedableRng;
        for seed in [0, 1, 7, GOLDEN_GAMMA, 0_u64.wrapping_sub(GOLDEN_GAMMA), u64::MAX] {
            let mut peer = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(seed);
            let mut rng = Rng::new(seed);
            for _ in 0..1000 {
                assert_eq!(Ok(rng.bits()), rand_core::TryRng::try_next_u64(&mut peer), "{seed}");
            }
        }
    }

    #[test]
    fn the_stream_is_the_published_one() {
        // First outputs of xoshiro256++ from the state that SplitMix64 derives from the seed 0.
        let mut rng = Rng::new(0);
        let first: Vec<u64> = (0..2).map(|_| rng.bits()).collect();
        assert_eq!(first, [0x53175d61490b23df, 0x61da6f3dc380d507]);
    }

    #[test]
    fn draws_below_n_are_uniform() {
        let mut rng = Rng::new(7);
        let mut counts = [0u32; 7];
        for _ in 0..70_000 {
            counts[rng.below(7)] += 1;
        }
        // The statistic has six degrees of freedom: it exceeds 22.5 for one seed in a thousand.
        let chi2: f64 = counts.iter().map(|&c| (f64::from(c) - 1e4).powi(2) / 1e4).sum();
        assert!(chi2 < 22.5, "{counts:?}");
    }

    #[test]
    fn derived_seeds_depend_on_every_index_and_on_their_order() {
        let seeds: std::collections::HashSet<u64> =
            (0..100).flat_map(|a| (0..100).map(move |b| derive_seed(1, &[a, b]))).collect();
        assert_eq!(seeds.len(), 10_000);
        assert_ne!(derive_seed(1, &[2, 3]), derive_seed(1, &[3, 2]));
    }
}
