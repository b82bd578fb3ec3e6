//! Sowing and capturing with the pits of a side as bytes of one number: the seeds of a move are two
//! additions, one for each side.

use super::{CaptureRule, Kalah};

/// The largest number of houses of a side.
pub(super) const MAX_HOUSES: usize = 7;
/// The largest number of pits that a side sows into: all houses and its own store.
const MAX_PITS: usize = 2 * MAX_HOUSES + 1;

/// A byte of value 1 in each of the eight bytes.
pub(super) const ONES: u64 = u64::MAX / 0xff;
const LOW_SEVEN_BITS: u64 = 0x7f * ONES;

/// The seeds that fall into the pits of the side that moves and of its opponent.
type SownSeeds = [u64; 2];

/// The seeds sown by number of houses less 1, pit, and number of seeds less than a lap. The pits are
/// the houses of the side that moves, its store and the houses of its opponent, in this order.
static SOWN: [[[SownSeeds; MAX_PITS]; MAX_PITS]; MAX_HOUSES] = sown_table();

const fn sown_table() -> [[[SownSeeds; MAX_PITS]; MAX_PITS]; MAX_HOUSES] {
    let mut table = [[[[0; 2]; MAX_PITS]; MAX_PITS]; MAX_HOUSES];
    let mut houses = 1;
    while houses <= MAX_HOUSES {
        let pits = 2 * houses + 1;
        let mut from = 0;
        while from < pits {
            let mut seeds = 1;
            while seeds < pits {
                let mut sown = table[houses - 1][from][seeds - 1];
                let pit = (from + seeds) % pits;
                if pit <= houses {
                    sown[0] += 1 << (8 * pit);
                } else {
                    sown[1] += 1 << (8 * (pit - houses - 1));
                }
                table[houses - 1][from][seeds] = sown;
                seeds += 1;
            }
            from += 1;
        }
        houses += 1;
    }
    table
}

/// Returns the top bit of each byte of `bytes` that is not 0.
#[inline]
pub(super) fn nonzero_bytes(bytes: u64) -> u64 {
    (((bytes & LOW_SEVEN_BITS) + LOW_SEVEN_BITS) | bytes) & !LOW_SEVEN_BITS
}

/// Returns the sum of the bytes of `bytes`, which must be below 256.
#[inline]
pub(super) fn byte_sum(bytes: u64) -> u32 {
    (bytes.wrapping_mul(ONES) >> 56) as u32
}

/// Returns the number of top bits of bytes in `bits`, which has no others.
#[inline]
pub(super) fn count_top_bits(bits: u64) -> usize {
    byte_sum(bits >> 7) as usize
}

/// The pits of the side that moves and those of its opponent.
pub(super) struct Pits {
    pub(super) own: u64,
    pub(super) other: u64,
}

impl Kalah {
    /// Returns the number of bits of the houses of a side.
    #[inline]
    fn house_bits(&self) -> u32 {
        8 * self.houses
    }

    /// Sows the seeds of pit `from`, numbered as in [`SOWN`]. Returns the pit of the last seed.
    #[inline(always)]
    pub(super) fn sow(&self, p: &mut Pits, from: u32) -> u32 {
        let lap = 2 * self.houses + 1;
        let (pits, at) = match from.checked_sub(self.houses + 1) {
            None => (&mut p.own, 8 * from),
            Some(house) => (&mut p.other, 8 * house),
        };
        let mut seeds = (*pits >> at) as u32 & 0xff;
        *pits ^= u64::from(seeds) << at;
        while seeds >= lap {
            p.own += ONES >> (56 - self.house_bits());
            p.other += ONES >> (64 - self.house_bits());
            seeds -= lap;
        }
        let [own, other] = SOWN[self.houses as usize - 1][from as usize][seeds as usize];
        p.own += own;
        p.other += other;
        let last = from + seeds;
        if last >= lap { last - lap } else { last }
    }

    /// Sows as [`sow`](Kalah::sow) does, and on with the seeds of the last house as long as it had
    /// some. Returns the pit of the last seed.
    #[inline(never)]
    pub(super) fn sow_in_relay(&self, p: &mut Pits, from: u32) -> u32 {
        let mut last = self.sow(p, from);
        loop {
            let seeds = match last.checked_sub(self.houses + 1) {
                None => p.own >> (8 * last),
                Some(house) => p.other >> (8 * house),
            };
            if last == self.houses || seeds & 0xff == 1 {
                return last;
            }
            last = self.sow(p, last);
        }
    }

    /// Captures at the end of a move whose last seed fell into the pit `last`. It has no branches,
    /// because the processor could not predict them.
    #[inline(always)]
    pub(super) fn capture(&self, p: &mut Pits, last: u32) {
        // The opposite house is `houses - 1 - last`. If the last pit is no own house, the shifts mean
        // nothing and have no effect.
        let (own, at) = ((8 * last) & 63, (8 * (self.houses + 15 - last)) & 63);
        let opposite = (p.other >> at) & 0xff;
        let captures = match self.capture {
            CaptureRule::Opposite => opposite > 0,
            CaptureRule::EmptyToo => true,
            CaptureRule::Never => false,
        };
        let captures = captures & (last < self.houses) & ((p.own >> own) & 0xff == 1);
        let all = u64::from(captures).wrapping_neg();
        p.other ^= (opposite << at) & all;
        p.own ^= (1 << own) & all;
        p.own += ((opposite + 1) << self.house_bits()) & all;
    }
}
