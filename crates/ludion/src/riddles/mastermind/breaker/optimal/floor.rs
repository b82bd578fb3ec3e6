//! The least that so many codes can cost, whatever they are: one is found by the first guess,
//! and each guess that misses leaves no more sets than there are answers.

/// The cost of what cannot be done with the guesses left; sums of a few of them do not overflow.
pub(super) const IMPOSSIBLE: u32 = u32::MAX / 64;

/// Guesses left that are as good as any number.
pub(super) const ENDLESS: usize = 15;

/// The least cost of n codes with so many guesses left.
pub(super) struct CostLowerBound {
    /// `costs[guesses][n]`.
    costs: Vec<Vec<u32>>,
}

impl CostLowerBound {
    /// For up to `most` codes, when a guess that misses is answered in `width` ways.
    pub(super) fn new(most: usize, width: usize) -> Self {
        let costs = |guesses| {
            let mut costs = vec![0; most + 1];
            let (mut depth, mut room) = (1, 1_usize);
            for n in 1..=most {
                if room == 0 {
                    depth += 1;
                    room = width.max(1).saturating_pow(depth - 1);
                }
                room -= 1;
                let possible = depth as usize <= guesses && costs[n - 1] < IMPOSSIBLE;
                costs[n] = if possible { costs[n - 1] + depth } else { IMPOSSIBLE };
            }
            costs
        };
        // Without an end the depth is that of the codes alone.
        let mut all: Vec<Vec<u32>> = (0..ENDLESS).map(costs).collect();
        all.push(costs(usize::MAX));
        CostLowerBound { costs: all }
    }

    #[inline]
    pub(super) fn least(&self, n: usize, guesses: usize) -> u32 {
        self.costs[guesses][n]
    }
}

/// The guesses left after one.
#[inline]
pub(super) fn after_one(guesses: usize) -> usize {
    if guesses == ENDLESS { ENDLESS } else { guesses - 1 }
}
