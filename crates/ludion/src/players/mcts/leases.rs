//! A tree in which each thread works in one part at a time.
//!
//! A descent from the root goes through nodes that the last ones went through, only to come
//! to a small part of the tree: it costs time, and where another thread counts in the same
//! nodes it costs far more, in locked instructions and in waiting for memory. So a thread
//! *leases* a part: it goes down from the root through open nodes to the first that is small
//! enough, has that node and all below it to itself for some simulations, and then counts
//! them all at once on the way back up. Their visits are counted there beforehand and look
//! like losses until then (*virtual loss*), which sends the other threads elsewhere. A part
//! that has grown is opened: from then on its parts are leased. One thread works the same way.

use super::budget::{PollInterval, SearchBudget};
use super::simulation::{BackupValue, SearchThread, SharedSearch, SimulationRoot};
use crate::game::Game;
use crate::search::rewards::{NodeStats, RewardSum, SearchReward};
use crate::search::tree::{GameTreeNode, LeaseState, ROOT};

/// Parts for each thread, or more: so a part that is wanted is seldom taken.
const SUBTREES_PER_THREAD: u32 = 32;
/// Visits of a part, at least, before it is opened.
const MIN_SHARED_VISITS: u32 = 32;
/// Visits of a part for each simulation of a lease: these are done before anyone looks
/// whether the part is still the one to search.
const VISITS_PER_LEASED_SIMULATION: u32 = 8;
/// Simulations of a lease, at most.
const MAX_LEASE: u32 = 256;
/// Visits of the tree for each simulation of a wave: while it is small it is in the caches,
/// nothing is waited for, and simulations had better know how the ones before ended.
const TREE_VISITS_PER_WAVE_SLOT: u32 = 4096;
/// Visits of the part for each simulation of a wave.
const SUBTREE_VISITS_PER_WAVE_SLOT: u32 = 64;
/// Refusals before the processor is offered to others.
const SPINS_BEFORE_YIELD: u32 = 64;

/// A tree, its threads and what they may spend.
pub(super) struct LeasedTree<'a, G: Game<Outcome: SearchReward>> {
    search: &'a SharedSearch<'a, G>,
    meter: &'a SearchBudget,
    /// Simulations of one thread under way together, at most.
    flight: usize,
    /// Parts, about, or more.
    parts: u32,
    /// Random games of one simulation.
    games: u32,
}

/// The right of one thread to a part of the tree.
struct SubtreeLease<G: Game> {
    top: SimulationRoot<G>,
    /// The nodes from below the root to the top.
    path: Vec<u32>,
}

impl<'a, G: Game<Outcome: SearchReward>> LeasedTree<'a, G> {
    /// A tree for `threads` with simulations of `games` random games each.
    pub(super) fn new(
        search: &'a SharedSearch<'a, G>,
        meter: &'a SearchBudget,
        flight: usize,
        threads: usize,
        games: u32,
    ) -> Self {
        search.tree.root().release(true);
        let parts = SUBTREES_PER_THREAD.saturating_mul(threads as u32);
        LeasedTree { search, meter, flight, parts, games }
    }

    /// Adds simulations on one of the threads until nothing may be spent any more. `play`
    /// plays the random games of a wave; `look` is called now and then with the depth reached,
    /// and says whether to stop.
    pub(super) fn grow(
        &self,
        worker: &mut SearchThread<G>,
        mut play: impl FnMut(&Self, &mut SearchThread<G>, usize, u32),
        mut look: impl FnMut(usize) -> bool,
    ) {
        let mut lease = SubtreeLease { top: self.search.top(), path: Vec::new() };
        let (mut pace, mut refusals) = (PollInterval::new(), 0);
        while self.search.unfinished() && !self.meter.halted() {
            if !self.settle_in(&mut lease) {
                refusals += 1;
                if refusals < SPINS_BEFORE_YIELD {
                    std::hint::spin_loop();
                } else {
                    std::thread::yield_now();
                }
                continue;
            }
            refusals = 0;
            let claimed = self.meter.claim(self.length(&lease) * u64::from(self.games));
            if claimed == 0 {
                self.move_out(&lease);
                break;
            }
            self.work(worker, &lease, claimed, &mut play, |sims, depth| {
                if pace.due(sims) && look(depth) {
                    self.meter.halt();
                }
            });
        }
    }

    /// Plays one random game from every leaf of a wave.
    pub(super) fn play_out(&self, worker: &mut SearchThread<G>, wave: usize, _games: u32) {
        worker.play_out(self.search, wave);
    }

    fn top(&self, lease: &SubtreeLease<G>) -> &GameTreeNode<G> {
        self.search.tree.node(lease.top.node)
    }

    /// Leases the part that the formula of descents leads to; false when it is taken.
    fn settle_in(&self, lease: &mut SubtreeLease<G>) -> bool {
        let tree = self.search.tree;
        let large = MIN_SHARED_VISITS.max(tree.root().stats.visits() / self.parts);
        lease.path.clear();
        lease.top.state.clone_from(&tree.state);
        let mut node = tree.root();
        loop {
            let family = node.family().expect("an open node has children");
            let (i, child) = self.search.pick(node, family);
            lease.path.push(i);
            self.search.game.play(&mut lease.top.state, child.play);
            node = child;
            match node.lease() {
                LeaseState::Open => {}
                LeaseState::Taken => return false,
                LeaseState::Ours => {
                    if node.family().is_none() || node.stats.visits() < large {
                        break;
                    }
                    node.release(true);
                }
            }
        }
        lease.top.node = *lease.path.last().expect("the root is not leased");
        lease.top.depth = lease.path.len();
        true
    }

    fn move_out(&self, lease: &SubtreeLease<G>) {
        self.top(lease).release(false);
    }

    /// Simulations of a lease.
    fn length(&self, lease: &SubtreeLease<G>) -> u64 {
        let top = self.top(lease);
        match top.family() {
            Some(_) => {
                u64::from((1 + top.stats.visits() / VISITS_PER_LEASED_SIMULATION).min(MAX_LEASE))
            }
            None => 1,
        }
    }

    /// Adds simulations of up to `claimed` random games to a part and gives it back; `after`
    /// hears of every wave how many games it was and how deep the tree is.
    fn work(
        &self,
        worker: &mut SearchThread<G>,
        lease: &SubtreeLease<G>,
        claimed: u64,
        play: &mut impl FnMut(&Self, &mut SearchThread<G>, usize, u32),
        mut after: impl FnMut(u64, usize),
    ) {
        let (search, tree) = (self.search, self.search.tree);
        let (top, root) = (self.top(lease), tree.root());
        let (before, visits) = (worker.nodes, top.stats.visits());
        let flight = self.flight.min(1 + (visits / SUBTREE_VISITS_PER_WAVE_SLOT) as usize);
        // The last simulation that a budget allows may have fewer games.
        let games = u64::from(self.games).min(claimed);
        let wanted = claimed - claimed % games;
        for &i in [ROOT].iter().chain(&lease.path) {
            tree.node(i).stats.enter::<true>(wanted as i64);
        }
        worker.nodes += lease.path.len() as u64;
        let (mut left, mut sum) = (wanted, RewardSum::default());
        if let Some(verdict) = top.stats.proof() {
            let points = G::Outcome::points_of(verdict, top.stats.side());
            (left, sum) = (0, RewardSum { first: points * wanted as i64, games: wanted as u32 });
        }
        while left > 0 && !top.stats.proven() && !self.meter.halted() {
            let wave = (1 + (root.stats.visits() / TREE_VISITS_PER_WAVE_SLOT) as usize)
                .min(flight)
                .min((left / games) as usize);
            search.descend(worker, &lease.top, wave, games as u32);
            play(self, worker, wave, games as u32);
            sum += search.settle(worker, &lease.top, wave);
            left -= wave as u64 * games;
            after(wave as u64 * games, worker.depth);
        }
        let mut news = BackupValue { gain: sum, proven: top.stats.proven() };
        self.move_out(lease);
        for (j, &i) in lease.path.iter().enumerate().rev() {
            let stats = &tree.node(i).stats;
            count(stats, left, news.gain);
            let parent = if j == 0 { ROOT } else { lease.path[j - 1] };
            search.rise(stats.side(), tree.node(parent), &mut news);
        }
        count(&root.stats, left, news.gain);
        self.meter.settle(wanted - left, left + claimed % games);
        self.meter.spend(worker.nodes - before);
    }
}

/// Counts in a node how games ended and takes back the ones `left` unplayed.
fn count(stats: &impl NodeStats, left: u64, gain: RewardSum) {
    if left > 0 {
        stats.enter::<true>(-(left as i64));
    }
    stats.leave::<true>(gain);
}
