//! How a tree of random games counts their ends: a duel in one 64-bit word a node, a
//! puzzle in a sum of points.
//!
//! A visit of a duel counts 2 and its end 0, 1 or 2 for loss, draw or win, seen from the
//! side that moved into the node. A visit is counted on the way down and its end on the
//! way up: in between it looks like a loss, which keeps threads apart (*virtual loss*) and
//! needs no taking back. Proven results stand beside the counts and never mix with them.

use std::sync::atomic::{AtomicI64, AtomicU32, AtomicU64, Ordering::Relaxed};

use crate::game::Side;
use crate::outcome::{Duel, Outcome, Points, Wdl};

/// An end that a tree of random games can count.
pub trait SearchReward: Outcome {
    /// What a node counts.
    type Stats: NodeStats;
    /// Whether two sides play against each other, so that results can be proven.
    const DUEL: bool;

    /// The end on the scale of the counts, for the first side.
    fn points(self) -> i64;

    /// The end as `side` sees it, of a duel.
    fn verdict(self, side: Side) -> Option<Wdl>;

    /// [`SearchReward::points`] of the end that `side` sees as `verdict`, in a duel.
    fn points_of(verdict: Wdl, side: Side) -> i64;
}

/// The ends of some random games, summed.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct RewardSum {
    /// Points of the first side.
    pub first: i64,
    /// How many games.
    pub games: u32,
}

impl RewardSum {
    /// The same, where `side` could have had a draw of a duel instead.
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

/// Least and greatest points seen, to compare puzzles whose points have any range.
#[derive(Debug)]
pub struct RewardRange {
    least: AtomicI64,
    most: AtomicI64,
}

impl Default for RewardRange {
    fn default() -> Self {
        RewardRange { least: AtomicI64::new(i64::MAX), most: AtomicI64::new(i64::MIN) }
    }
}

impl RewardRange {
    /// Takes the points of one end into account.
    pub fn widen(&self, points: i64) {
        self.least.fetch_min(points, Relaxed);
        self.most.fetch_max(points, Relaxed);
    }

    /// The least points seen, and what to multiply a surplus with to get 0 to 2. The most
    /// points seen come to 1.6: better ones may be found, and a move that always gives the
    /// best so far must not look like the best there is.
    #[inline]
    fn unit(&self) -> (f64, f32) {
        let (least, most) = (self.least.load(Relaxed), self.most.load(Relaxed));
        if least < most {
            (least as f64, (1.6 / (most as f64 - least as f64)) as f32)
        } else {
            (least as f64, 1.0)
        }
    }
}

/// What the statistics of one node say to a descent.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct NodeSummary {
    /// Random games through the node.
    pub visits: f32,
    /// 0 to 2 a visit.
    pub won: f32,
    /// What a proven result makes of a score: a win more than any other, a draw less than
    /// any that is open, a loss nothing.
    pub factor: f32,
}

/// The statistics of a node, from the view of the side that moved into it. With `SHARED`
/// several threads may count at once; without, counting costs no locked instruction.
pub trait NodeStats: Send + Sync {
    /// Random games a node can count.
    const MOST: u32;

    /// Nothing counted yet, after a move of `side`.
    fn new(side: Side) -> Self;

    /// The same counts.
    fn copy(&self) -> Self;

    /// The side that moved into the node.
    fn side(&self) -> Side;

    /// Counts `games` that go through here; fewer than none takes some back.
    fn enter<const SHARED: bool>(&self, games: i64);

    /// Counts how they ended.
    fn leave<const SHARED: bool>(&self, gain: RewardSum);

    /// Games counted.
    fn visits(&self) -> u32;

    /// The mean end: −1 to +1 in a duel, points in a puzzle.
    fn mean(&self) -> Option<f64>;

    /// What the counts say to a descent.
    fn look(&self, scale: &RewardRange) -> NodeSummary;

    /// Whether the exact result is proven.
    fn proven(&self) -> bool;

    /// The exact result, where it is proven.
    fn proof(&self) -> Option<Wdl>;

    /// Keeps an exact result.
    fn prove(&self, verdict: Wdl);
}

/// The counts of a duel in one word: from the lowest bit up 31 bits of points, 30 of
/// visits, one for the side, two for a proven result.
#[derive(Debug)]
pub struct DuelStats(AtomicU64);

const VISITS_SHIFT: u32 = 31;
const SIDE_SHIFT: u32 = 61;
const PROOF_SHIFT: u32 = 62;
/// By the two bits of a proof: nothing, loss, draw, win.
const PROOF_FACTORS: [f32; 4] = [1.0, 0.0, 1e-25, 1e25];

impl DuelStats {
    #[inline]
    fn raise<const SHARED: bool>(&self, amount: u64) {
        if SHARED {
            self.0.fetch_add(amount, Relaxed);
        } else {
            self.0.store(self.0.load(Relaxed).wrapping_add(amount), Relaxed);
        }
    }
}

#[inline]
fn visits_of(word: u64) -> u32 {
    (word >> VISITS_SHIFT) as u32 & DuelStats::MOST
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
    const MOST: u32 = (1 << 30) - 1;

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
    fn enter<const SHARED: bool>(&self, games: i64) {
        self.raise::<SHARED>((games << VISITS_SHIFT) as u64);
    }

    #[inline]
    fn leave<const SHARED: bool>(&self, gain: RewardSum) {
        let first = gain.first as u64;
        let won = match self.side() {
            Side::First => first,
            Side::Second => 2 * u64::from(gain.games) - first,
        };
        if won > 0 {
            self.raise::<SHARED>(won);
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
    fn look(&self, _scale: &RewardRange) -> NodeSummary {
        let word = self.0.load(Relaxed);
        // Both fit 31 bits: conversions from signed numbers are one instruction.
        let (visits, won) = (visits_of(word) as i32 as f32, won_of(word) as i32 as f32);
        NodeSummary { visits, won, factor: PROOF_FACTORS[(word >> PROOF_SHIFT) as usize] }
    }

    #[inline]
    fn proven(&self) -> bool {
        self.0.load(Relaxed) >> PROOF_SHIFT != 0
    }

    fn proof(&self) -> Option<Wdl> {
        proof_of(self.0.load(Relaxed))
    }

    fn prove(&self, verdict: Wdl) {
        self.0.fetch_or((verdict as u64 + 1) << PROOF_SHIFT, Relaxed);
    }
}

/// The counts of a puzzle: games begun, games ended, and the points of these.
#[derive(Debug)]
pub struct PointsStats {
    sum: AtomicI64,
    visits: AtomicU32,
    ended: AtomicU32,
}

impl NodeStats for PointsStats {
    const MOST: u32 = u32::MAX >> 1;

    fn new(_side: Side) -> Self {
        let (visits, ended) = (AtomicU32::new(0), AtomicU32::new(0));
        PointsStats { sum: AtomicI64::new(0), visits, ended }
    }

    fn copy(&self) -> Self {
        PointsStats {
            sum: AtomicI64::new(self.sum.load(Relaxed)),
            visits: AtomicU32::new(self.visits.load(Relaxed)),
            ended: AtomicU32::new(self.ended.load(Relaxed)),
        }
    }

    fn side(&self) -> Side {
        Side::First
    }

    #[inline]
    fn enter<const SHARED: bool>(&self, games: i64) {
        self.visits.fetch_add(games as u32, Relaxed);
    }

    #[inline]
    fn leave<const SHARED: bool>(&self, gain: RewardSum) {
        self.sum.fetch_add(gain.first, Relaxed);
        self.ended.fetch_add(gain.games, Relaxed);
    }

    #[inline]
    fn visits(&self) -> u32 {
        self.visits.load(Relaxed)
    }

    fn mean(&self) -> Option<f64> {
        let ended = f64::from(self.ended.load(Relaxed));
        (ended > 0.0).then(|| self.sum.load(Relaxed) as f64 / ended)
    }

    #[inline]
    fn look(&self, scale: &RewardRange) -> NodeSummary {
        let (least, unit) = scale.unit();
        // A game still under way counts as a visit that came to the least points.
        let ended = f64::from(self.ended.load(Relaxed));
        let surplus = self.sum.load(Relaxed) as f64 - least * ended;
        let visits = self.visits() as f32;
        NodeSummary { visits, won: (surplus as f32 * unit).clamp(0.0, 2.0 * visits), factor: 1.0 }
    }

    fn proven(&self) -> bool {
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
    const DUEL: bool = true;

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
    const DUEL: bool = false;

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

    /// Eight threads count at once, and one of them proves meanwhile.
    fn hammer<S: NodeStats>(stats: &S, prove: bool) {
        std::thread::scope(|scope| {
            for thread in 0..8 {
                scope.spawn(move || {
                    for i in 0..20_000 {
                        stats.enter::<true>(1);
                        stats.leave::<true>(RewardSum { first: i % 3, games: 1 });
                        if prove && thread == 0 && i == 10_000 {
                            stats.prove(Wdl::Draw);
                        }
                    }
                });
            }
        });
    }

    #[test]
    fn no_count_is_lost_between_threads() {
        let sum = (0..20_000).map(|i| i % 3).sum::<i64>() * 8;
        for side in Side::BOTH {
            let stats = DuelStats::new(side);
            hammer(&stats, true);
            let won = if side == Side::First { sum } else { 2 * 160_000 - sum };
            assert_eq!((stats.visits(), stats.side()), (160_000, side));
            assert_eq!(stats.mean(), Some(won as f64 / 160_000.0 - 1.0));
            assert_eq!(stats.proof(), Some(Wdl::Draw));
        }
        let stats = PointsStats::new(Side::First);
        hammer(&stats, false);
        assert_eq!((stats.visits(), stats.mean()), (160_000, Some(sum as f64 / 160_000.0)));
    }

    #[test]
    fn the_fields_of_a_duel_keep_apart_up_to_the_last_visit() {
        let stats = DuelStats::new(Side::Second);
        stats.prove(Wdl::Win);
        stats.enter::<false>(DuelStats::MOST.into());
        stats.leave::<false>(RewardSum { first: 0, games: DuelStats::MOST });
        assert_eq!((stats.visits(), stats.mean()), (DuelStats::MOST, Some(1.0)));
        assert_eq!((stats.side(), stats.proof()), (Side::Second, Some(Wdl::Win)));
    }

    #[test]
    fn points_of_any_range_are_compared_between_none_and_all() {
        let scale = RewardRange::default();
        let stats: Vec<PointsStats> = [-300, -200, -100]
            .map(|points| {
                scale.widen(points);
                let stats = PointsStats::new(Side::First);
                stats.enter::<false>(1);
                stats.leave::<false>(RewardSum { first: points, games: 1 });
                stats
            })
            .into();
        let won: Vec<f32> = stats.iter().map(|stats| stats.look(&scale).won).collect();
        assert_eq!(won, [0.0, 0.8, 1.6]);
    }
}
