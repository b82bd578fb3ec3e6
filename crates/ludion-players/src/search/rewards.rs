//! Statistics of the nodes of a Monte-Carlo search tree: one 64-bit word per node for duels, a sum
//! of points for puzzles.
//!
//! In a duel a visit earns 0, 1 or 2 points for a loss, draw or win of the side that moved into the
//! node. The visit is counted on the way down and its points on the way up. In between, the visit
//! looks like a loss, which spreads threads over the tree (*virtual loss*) and never has to be
//! taken back. Proven results are stored beside the counts and do not mix with them.

use std::sync::atomic::{AtomicI64, AtomicU32, AtomicU64, Ordering::Relaxed};

use crate::game::Side;
use crate::outcome::{Duel, Outcome, Points, Wdl};

/// An outcome of a game that Monte-Carlo tree search can use as a reward.
pub trait SearchReward: Outcome {
    /// The type of the statistics of a tree node.
    type Stats: NodeStats;
    /// Whether the outcome is that of a duel, so that results can be proven.
    const IS_DUEL: bool;

    /// Returns the reward of the first side: 0, 1 or 2 for a loss, draw or win in a duel, the
    /// points of a puzzle.
    fn points(self) -> i64;

    /// Returns the result for `side` in a duel; `None` in a puzzle.
    fn verdict(self, side: Side) -> Option<Wdl>;

    /// Returns the reward of the first side ([`SearchReward::points`]) in a duel whose result is
    /// `verdict` for `side`.
    fn points_of(verdict: Wdl, side: Side) -> i64;
}

/// The total reward of a number of playouts.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct RewardSum {
    /// The total reward of the first side: 0 to 2 per playout in a duel, points in a puzzle.
    pub first: i64,
    /// The number of playouts in the sum.
    pub games: u32,
}

impl RewardSum {
    /// Returns this sum, or the sum of as many drawn playouts if that is better for `side`. Used
    /// for a node at which `side` has a move that is a proven draw, so `side` need not accept less.
    #[inline]
    #[must_use]
    pub fn at_least_drawn(self, side: Side) -> Self {
        let draws = i64::from(self.games);
        let first = match side {
            Side::First => self.first.max(draws),
            Side::Second => self.first.min(draws),
        };
        RewardSum { first, ..self }
    }
}

impl std::ops::AddAssign for RewardSum {
    #[inline]
    fn add_assign(&mut self, other: RewardSum) {
        self.first += other.first;
        self.games += other.games;
    }
}

/// The lowest and the highest points that playouts reached so far, used to normalise the rewards of
/// puzzles.
#[derive(Debug)]
pub struct ObservedPointsRange {
    lowest: AtomicI64,
    highest: AtomicI64,
}

impl Default for ObservedPointsRange {
    fn default() -> Self {
        ObservedPointsRange { lowest: AtomicI64::new(i64::MAX), highest: AtomicI64::new(i64::MIN) }
    }
}

impl ObservedPointsRange {
    /// Extends the range to include the points of one playout.
    pub fn widen(&self, points: i64) {
        self.lowest.fetch_min(points, Relaxed);
        self.highest.fetch_max(points, Relaxed);
    }

    /// Returns the lowest points seen, and the factor by which points above them are scaled to a
    /// reward from 0 to 2. The highest points seen give 1.6, not 2: better results may still be
    /// found, and a move that always gives the best so far must not look optimal.
    #[inline]
    fn normalisation(&self) -> (f64, f32) {
        let (lowest, highest) = (self.lowest.load(Relaxed), self.highest.load(Relaxed));
        if lowest < highest {
            (lowest as f64, (1.6 / (highest as f64 - lowest as f64)) as f32)
        } else {
            (lowest as f64, 1.0)
        }
    }
}

/// The statistics of one node in the form that the selection formulas use.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SelectionStats {
    /// Number of visits of the node.
    pub visits: f32,
    /// Sum of the normalised rewards, from 0 to 2 per visit.
    pub won: f32,
    /// Factor of the selection score for a proven result of the node: very large for a win, tiny
    /// for a draw, 0 for a loss, 1 if nothing is proven.
    pub factor: f32,
}

/// The statistics of a tree node, from the point of view of the side that moved into it. If
/// `SHARED` is true, several threads may update them at once; otherwise updates use no locked
/// instructions.
pub trait NodeStats: Send + Sync {
    /// The maximum number of visits that a node can count.
    const MAX_VISITS: u32;

    /// Creates empty statistics for a node into which `side` moved.
    fn new(side: Side) -> Self;

    /// Returns a copy of the statistics; atomics have no `Clone`.
    fn copy(&self) -> Self;

    /// Returns the side that moved into the node.
    fn side(&self) -> Side;

    /// Adds `games` visits, before their rewards are known; a negative number takes visits back.
    fn add_visits<const SHARED: bool>(&self, games: i64);

    /// Adds the rewards of playouts whose visits were added before.
    fn add_rewards<const SHARED: bool>(&self, rewards: RewardSum);

    /// Returns the number of visits, including those without rewards yet.
    fn visits(&self) -> u32;

    /// Returns the mean reward per visit: −1 to 1 in a duel, points in a puzzle; `None` without
    /// visits.
    fn mean(&self) -> Option<f64>;

    /// Returns the statistics in the form that the selection formulas use; `range` normalises the
    /// points of a puzzle.
    fn summary(&self, range: &ObservedPointsRange) -> SelectionStats;

    /// Returns whether the exact result of the node is proven.
    fn is_proven(&self) -> bool;

    /// Returns the exact result of the node, if it is proven.
    fn proof(&self) -> Option<Wdl>;

    /// Stores the proven exact result of the node.
    fn prove(&self, verdict: Wdl);
}

/// The statistics of a node of a duel in one 64-bit word. From the lowest bit up: 31 bits for the
/// sum of rewards, 30 for visits, one for the side, two for a proven result.
#[derive(Debug)]
pub struct DuelStats(AtomicU64);

const VISITS_SHIFT: u32 = 31;
const SIDE_SHIFT: u32 = 61;
const PROOF_SHIFT: u32 = 62;
/// The value of [`SelectionStats::factor`] for each value of the two proof bits: nothing proven,
/// loss, draw, win.
const PROOF_FACTORS: [f32; 4] = [1.0, 0.0, 1e-25, 1e25];

impl DuelStats {
    #[inline]
    fn add_to_word<const SHARED: bool>(&self, amount: u64) {
        if SHARED {
            self.0.fetch_add(amount, Relaxed);
        } else {
            self.0.store(self.0.load(Relaxed).wrapping_add(amount), Relaxed);
        }
    }
}

#[inline]
fn visits_of(word: u64) -> u32 {
    (word >> VISITS_SHIFT) as u32 & DuelStats::MAX_VISITS
}

#[inline]
fn won_of(word: u64) -> u32 {
    (word & ((1 << VISITS_SHIFT) - 1)) as u32
}

#[inline]
fn proof_of(word: u64) -> Option<Wdl> {
    match word >> PROOF_SHIFT {
        0 => None,
        1 => Some(Wdl::Loss),
        2 => Some(Wdl::Draw),
        _ => Some(Wdl::Win),
    }
}

impl NodeStats for DuelStats {
    const MAX_VISITS: u32 = (1 << 30) - 1;

    #[inline]
    fn new(side: Side) -> Self {
        DuelStats(AtomicU64::new((side as u64) << SIDE_SHIFT))
    }

    fn copy(&self) -> Self {
        DuelStats(AtomicU64::new(self.0.load(Relaxed)))
    }

    #[inline]
    fn side(&self) -> Side {
        if self.0.load(Relaxed) >> SIDE_SHIFT & 1 == 0 { Side::First } else { Side::Second }
    }

    #[inline]
    fn add_visits<const SHARED: bool>(&self, games: i64) {
        self.add_to_word::<SHARED>((games << VISITS_SHIFT) as u64);
    }

    #[inline]
    fn add_rewards<const SHARED: bool>(&self, rewards: RewardSum) {
        let first = rewards.first as u64;
        let won = match self.side() {
            Side::First => first,
            Side::Second => 2 * u64::from(rewards.games) - first,
        };
        if won > 0 {
            self.add_to_word::<SHARED>(won);
        }
    }

    #[inline]
    fn visits(&self) -> u32 {
        visits_of(self.0.load(Relaxed))
    }

    fn mean(&self) -> Option<f64> {
        let word = self.0.load(Relaxed);
        let visits = f64::from(visits_of(word));
        (visits > 0.0).then(|| f64::from(won_of(word)) / visits - 1.0)
    }

    #[inline]
    fn summary(&self, _scale: &ObservedPointsRange) -> SelectionStats {
        let word = self.0.load(Relaxed);
        // Visits and rewards fit in 31 bits, and converting a signed number to a float is one
        // instruction.
        let (visits, won) = (visits_of(word) as i32 as f32, won_of(word) as i32 as f32);
        SelectionStats { visits, won, factor: PROOF_FACTORS[(word >> PROOF_SHIFT) as usize] }
    }

    #[inline]
    fn is_proven(&self) -> bool {
        self.0.load(Relaxed) >> PROOF_SHIFT != 0
    }

    fn proof(&self) -> Option<Wdl> {
        proof_of(self.0.load(Relaxed))
    }

    fn prove(&self, verdict: Wdl) {
        self.0.fetch_or((verdict as u64 + 1) << PROOF_SHIFT, Relaxed);
    }
}

/// The statistics of a node of a puzzle: number of playouts begun, number of playouts finished, and
/// the sum of their points.
#[derive(Debug)]
pub struct PointsStats {
    sum: AtomicI64,
    visits: AtomicU32,
    finished: AtomicU32,
}

impl NodeStats for PointsStats {
    const MAX_VISITS: u32 = u32::MAX >> 1;

    fn new(_side: Side) -> Self {
        let (visits, finished) = (AtomicU32::new(0), AtomicU32::new(0));
        PointsStats { sum: AtomicI64::new(0), visits, finished }
    }

    fn copy(&self) -> Self {
        PointsStats {
            sum: AtomicI64::new(self.sum.load(Relaxed)),
            visits: AtomicU32::new(self.visits.load(Relaxed)),
            finished: AtomicU32::new(self.finished.load(Relaxed)),
        }
    }

    fn side(&self) -> Side {
        Side::First
    }

    #[inline]
    fn add_visits<const SHARED: bool>(&self, games: i64) {
        self.visits.fetch_add(games as u32, Relaxed);
    }

    #[inline]
    fn add_rewards<const SHARED: bool>(&self, rewards: RewardSum) {
        self.sum.fetch_add(rewards.first, Relaxed);
        self.finished.fetch_add(rewards.games, Relaxed);
    }

    #[inline]
    fn visits(&self) -> u32 {
        self.visits.load(Relaxed)
    }

    fn mean(&self) -> Option<f64> {
        let finished = f64::from(self.finished.load(Relaxed));
        (finished > 0.0).then(|| self.sum.load(Relaxed) as f64 / finished)
    }

    #[inline]
    fn summary(&self, range: &ObservedPointsRange) -> SelectionStats {
        let (lowest, normalisation) = range.normalisation();
        // A playout that is not finished counts as if it had the lowest points.
        let finished = f64::from(self.finished.load(Relaxed));
        let surplus = self.sum.load(Relaxed) as f64 - lowest * finished;
        let visits = self.visits() as f32;
        SelectionStats {
            visits,
            won: (surplus as f32 * normalisation).clamp(0.0, 2.0 * visits),
            factor: 1.0,
        }
    }

    fn is_proven(&self) -> bool {
        false
    }

    fn proof(&self) -> Option<Wdl> {
        None
    }

    fn prove(&self, _verdict: Wdl) {
        unreachable!("only duels are proven");
    }
}

impl SearchReward for Duel {
    type Stats = DuelStats;
    const IS_DUEL: bool = true;

    #[inline]
    fn points(self) -> i64 {
        match self {
            Duel::Won(Side::First) => 2,
            Duel::Won(Side::Second) => 0,
            Duel::Drawn => 1,
        }
    }

    #[inline]
    fn verdict(self, side: Side) -> Option<Wdl> {
        Some(self.seen_by(side))
    }

    #[inline]
    fn points_of(verdict: Wdl, side: Side) -> i64 {
        verdict.to_duel(side).points()
    }
}

impl SearchReward for Points {
    type Stats = PointsStats;
    const IS_DUEL: bool = false;

    fn points(self) -> i64 {
        self.0
    }

    fn verdict(self, _side: Side) -> Option<Wdl> {
        None
    }

    fn points_of(_verdict: Wdl, _side: Side) -> i64 {
        unreachable!("only duels are proven");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Updates the statistics on eight threads at once; with `prove`, one of them also stores a
    /// proof.
    fn update_on_eight_threads<S: NodeStats>(stats: &S, prove: bool) {
        std::thread::scope(|scope| {
            for thread in 0..8 {
                scope.spawn(move || {
                    for i in 0..20_000 {
                        stats.add_visits::<true>(1);
                        stats.add_rewards::<true>(RewardSum { first: i % 3, games: 1 });
                        if prove && thread == 0 && i == 10_000 {
                            stats.prove(Wdl::Draw);
                        }
                    }
                });
            }
        });
    }

    #[test]
    fn concurrent_updates_lose_no_visit_and_no_reward() {
        let sum = (0..20_000).map(|i| i % 3).sum::<i64>() * 8;
        for side in Side::BOTH {
            let stats = DuelStats::new(side);
            update_on_eight_threads(&stats, true);
            let won = if side == Side::First { sum } else { 2 * 160_000 - sum };
            assert_eq!((stats.visits(), stats.side()), (160_000, side));
            assert_eq!(stats.mean(), Some(won as f64 / 160_000.0 - 1.0));
            assert_eq!(stats.proof(), Some(Wdl::Draw));
        }
        let stats = PointsStats::new(Side::First);
        update_on_eight_threads(&stats, false);
        assert_eq!((stats.visits(), stats.mean()), (160_000, Some(sum as f64 / 160_000.0)));
    }

    #[test]
    fn the_packed_fields_do_not_overflow_into_each_other() {
        let stats = DuelStats::new(Side::Second);
        stats.prove(Wdl::Win);
        stats.add_visits::<false>(DuelStats::MAX_VISITS.into());
        stats.add_rewards::<false>(RewardSum { first: 0, games: DuelStats::MAX_VISITS });
        assert_eq!((stats.visits(), stats.mean()), (DuelStats::MAX_VISITS, Some(1.0)));
        assert_eq!((stats.side(), stats.proof()), (Side::Second, Some(Wdl::Win)));
    }

    #[test]
    fn points_are_normalised_to_the_range_seen() {
        let range = ObservedPointsRange::default();
        let stats: Vec<PointsStats> = [-300, -200, -100]
            .map(|points| {
                range.widen(points);
                let stats = PointsStats::new(Side::First);
                stats.add_visits::<false>(1);
                stats.add_rewards::<false>(RewardSum { first: points, games: 1 });
                stats
            })
            .into();
        let won: Vec<f32> = stats.iter().map(|stats| stats.summary(&range).won).collect();
        assert_eq!(won, [0.0, 0.8, 1.6]);
    }
}
