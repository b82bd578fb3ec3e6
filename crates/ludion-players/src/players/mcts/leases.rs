//! Tree parallelism by leases: each thread works in one subtree at a time.
//!
//! A descent from the root passes nodes that the previous descents passed as well. That costs time,
//! and much more if another thread updates the same nodes, because of locked instructions and cache
//! misses. So a thread *leases* a subtree: it descends from the root through shared nodes to the
//! first node with few enough visits, owns that node and its subtree for some simulations, and then
//! backs up all their results at once. The visits of a lease are counted at its start and look like
//! losses until its end (*virtual loss*), which sends other threads elsewhere. A subtree that has
//! grown large becomes shared, and its parts are leased instead. A single thread works in the same
//! way.
//!
//! Within a lease a thread runs its simulations in *waves*: the simulations of a wave descend
//! interleaved, so that one goes on while another waits for the memory of its node; then all their
//! playouts run, and then all their results are backed up.

use super::budget::{PollInterval, SearchBudget};
use super::leaf::LeafEvaluation;
use super::leaf_workers::LeafWorkers;
use super::select::growth_factor;
use super::simulation::{BackupValue, SearchThread, SharedSearch, SimulationRoot};
use crate::game::Game;
use crate::search::rewards::{NodeStats, RewardSum, SearchReward};
use crate::search::tree::{GameTreeNode, LeaseState, ROOT};

/// Minimum number of subtrees per thread into which the tree is divided, so that the subtree that a
/// thread selects is seldom leased to another thread.
const SUBTREES_PER_THREAD: u32 = 32;
/// Minimum number of visits of a node before it can become shared, so that its children are leased
/// instead.
const MIN_SHARED_VISITS: u32 = 32;
/// Number of visits of a subtree for each additional simulation of its lease. Leases are short, so
/// that the selection formula can soon choose another subtree.
const VISITS_PER_LEASED_SIMULATION: u32 = 8;
/// Maximum number of simulations of a lease.
const MAX_LEASE: u32 = 256;
/// Number of visits of the root for each additional simulation of a wave. A small tree is in the
/// caches, so interleaving gains nothing and each simulation should see the results of the previous
/// ones.
const TREE_VISITS_PER_WAVE_SLOT: u32 = 4096;
/// Number of visits of the leased subtree for each additional simulation of a wave. A wave is the
/// set of simulations that one thread descends, plays out and backs up together.
const SUBTREE_VISITS_PER_WAVE_SLOT: u32 = 64;
/// As [`TREE_VISITS_PER_WAVE_SLOT`] if a policy evaluates the leaves of a wave together, which is
/// faster than one by one.
const TREE_VISITS_PER_BATCH_SLOT: u32 = 32;
/// As [`SUBTREE_VISITS_PER_WAVE_SLOT`] if a policy evaluates the leaves of a wave together.
const SUBTREE_VISITS_PER_BATCH_SLOT: u32 = 8;
/// Largest `flight` with which the constants above hold. With more, the user wants large batches, as
/// for an evaluator in Python, where a call costs more than the evaluation of a state.
const LARGEST_SMALL_FLIGHT: usize = 64;
/// As [`TREE_VISITS_PER_BATCH_SLOT`] and [`SUBTREE_VISITS_PER_BATCH_SLOT`] for larger flights.
const VISITS_PER_LARGE_BATCH_SLOT: u32 = 4;
/// Number of failed attempts to acquire a lease before the thread yields to other threads.
const SPINS_BEFORE_YIELD: u32 = 64;

/// A tree whose subtrees are leased to threads, with the budget of its search.
pub(super) struct LeasedTree<'a, G: Game<Outcome: SearchReward>> {
    search: &'a SharedSearch<'a, G>,
    budget: &'a SearchBudget,
    /// Maximum number of simulations that a thread interleaves in a wave.
    max_wave: usize,
    /// Approximate minimum number of subtrees that can be leased.
    subtrees: u32,
    /// The helper threads of leaf parallelism; without them, every simulation has one playout.
    leaf_workers: Option<&'a LeafWorkers<'a, G>>,
}

/// The lease of a subtree by one thread.
struct SubtreeLease<G: Game> {
    top: SimulationRoot<G>,
    /// The nodes from a child of the root down to the top of the subtree; empty for the whole tree.
    path: Vec<u32>,
}

impl<'a, G: Game<Outcome: SearchReward>> LeasedTree<'a, G> {
    /// Creates the leased tree for `threads` threads, with one playout per simulation.
    pub(super) fn new(
        search: &'a SharedSearch<'a, G>,
        budget: &'a SearchBudget,
        max_wave: usize,
        threads: usize,
    ) -> Self {
        search.tree.root().share();
        let subtrees = SUBTREES_PER_THREAD.saturating_mul(threads as u32);
        LeasedTree { search, budget, max_wave, subtrees, leaf_workers: None }
    }

    /// Adds the helper threads of leaf parallelism, which run further playouts per simulation.
    pub(super) fn with_leaf_workers(self, workers: &'a LeafWorkers<'a, G>) -> Self {
        LeasedTree { leaf_workers: Some(workers), ..self }
    }

    /// Runs simulations on the calling thread until the budget is spent. `poll` is
    /// called at intervals with the greatest depth reached; it returns whether to stop.
    pub(super) fn run(&self, thread: &mut SearchThread<G>, poll: &mut dyn FnMut(usize) -> bool) {
        let mut lease = SubtreeLease { top: self.search.root(), path: Vec::new() };
        let (mut poll_interval, mut failures) = (PollInterval::new(), 0);
        while self.search.can_continue() && !self.budget.is_stopped() {
            if !self.acquire(&mut lease) {
                failures += 1;
                if failures < SPINS_BEFORE_YIELD {
                    std::hint::spin_loop();
                } else {
                    std::thread::yield_now();
                }
                continue;
            }
            failures = 0;
            let reserved = self.budget.reserve(self.lease_size(&lease) * self.games());
            if reserved == 0 {
                self.release(&lease);
                break;
            }
            self.run_lease(thread, &lease, reserved, |sims, depth| {
                if poll_interval.due(sims) && poll(depth) {
                    self.budget.stop_all();
                }
            });
        }
    }

    /// Returns the number of playouts per simulation.
    fn games(&self) -> u64 {
        self.leaf_workers.map_or(1, LeafWorkers::max_games)
    }

    fn top(&self, lease: &SubtreeLease<G>) -> &GameTreeNode<G> {
        self.search.tree.node(lease.top.node)
    }

    /// Descends by the selection formula to a subtree and leases it to the calling thread. Returns
    /// `false` if another thread has the lease.
    fn acquire(&self, lease: &mut SubtreeLease<G>) -> bool {
        if self.leases_whole_tree() {
            lease.top = self.search.root();
            lease.top.growth = growth_factor(self.budget.sims(), self.search.growth);
            return true;
        }
        let tree = self.search.tree;
        let min_shared_visits =
            MIN_SHARED_VISITS.max(self.search.visits(tree.root()) / self.subtrees);
        lease.path.clear();
        lease.top.state.clone_from(&tree.state);
        lease.top.past.copy_from(&tree.past);
        lease.top.growth = growth_factor(self.budget.sims(), self.search.growth);
        let mut node = tree.root();
        loop {
            let children = node.children().expect("a shared node has children");
            let (i, child) = self.search.select_child(node, children, lease.top.growth);
            lease.path.push(i);
            lease.top.past.play(self.search.game, &mut lease.top.state, child.play);
            node = child;
            match node.try_lease() {
                LeaseState::Shared => {}
                LeaseState::Taken => return false,
                LeaseState::Acquired => {
                    if node.children().is_none() || self.search.visits(node) < min_shared_visits {
                        break;
                    }
                    node.share();
                }
            }
        }
        lease.top.node = *lease.path.last().expect("the root is not leased");
        lease.top.depth = lease.path.len();
        true
    }

    fn release(&self, lease: &SubtreeLease<G>) {
        if !lease.path.is_empty() {
            self.top(lease).release();
        }
    }

    /// Returns whether the only thread leases the whole tree, because the simulations of one subtree
    /// do not fill a large batch.
    fn leases_whole_tree(&self) -> bool {
        self.subtrees == SUBTREES_PER_THREAD
            && self.max_wave > LARGEST_SMALL_FLIGHT
            && matches!(self.search.leaf, LeafEvaluation::Policy(_))
    }

    /// Returns the number of simulations of a lease, which grows with the visits of its subtree.
    fn lease_size(&self, lease: &SubtreeLease<G>) -> u64 {
        let top = self.top(lease);
        if lease.path.is_empty() {
            return self.max_wave as u64;
        }
        match top.children() {
            Some(_) => {
                let visits = self.search.visits(top);
                u64::from((1 + visits / VISITS_PER_LEASED_SIMULATION).min(MAX_LEASE))
            }
            None => 1,
        }
    }

    /// Runs simulations with up to `reserved` playouts in a leased subtree, ends the lease and
    /// backs up the results to the root. `after` is called after every wave with its number of
    /// playouts and the greatest depth reached.
    fn run_lease(
        &self,
        thread: &mut SearchThread<G>,
        lease: &SubtreeLease<G>,
        reserved: u64,
        mut after: impl FnMut(u64, usize),
    ) {
        let (search, tree) = (self.search, self.search.tree);
        let (top, root) = (self.top(lease), tree.root());
        let (before, visits) = (thread.nodes, search.visits(top));
        let unit = u64::from(search.leaf.visits_per_simulation());
        let (tree_slot, subtree_slot) = match search.leaf {
            LeafEvaluation::Policy(_) if self.max_wave > LARGEST_SMALL_FLIGHT => {
                (VISITS_PER_LARGE_BATCH_SLOT, VISITS_PER_LARGE_BATCH_SLOT)
            }
            LeafEvaluation::Policy(_) => {
                (TREE_VISITS_PER_BATCH_SLOT, SUBTREE_VISITS_PER_BATCH_SLOT)
            }
            _ => (TREE_VISITS_PER_WAVE_SLOT, SUBTREE_VISITS_PER_WAVE_SLOT),
        };
        let max_wave = self.max_wave.min(1 + (visits / subtree_slot) as usize);
        // The last simulation that the budget allows may have fewer playouts.
        let games = self.games().min(reserved);
        let wanted = reserved - reserved % games;
        for &i in [ROOT].iter().chain(&lease.path) {
            tree.node(i).stats.add_visits::<true>((wanted * unit) as i64);
        }
        thread.nodes += lease.path.len() as u64;
        let (mut left, mut sum) = (wanted, RewardSum::default());
        if let Some(verdict) = top.stats.proof() {
            let points = G::Outcome::points_of(verdict, top.stats.side());
            let games = wanted * unit;
            (left, sum) = (0, RewardSum { first: points * games as i64, games: games as u32 });
        }
        while left > 0 && !top.stats.is_proven() && !self.budget.is_stopped() {
            let wave = (1 + (search.visits(root) / tree_slot) as usize)
                .min(max_wave)
                .min((left / games) as usize);
            search.descend(thread, &lease.top, wave, (games * unit) as u32);
            match self.leaf_workers {
                Some(workers) => workers.value_leaves(thread, wave, games as u32),
                None => thread.value_leaves(search, wave),
            }
            sum += search.back_up(thread, &lease.top, wave);
            left -= wave as u64 * games;
            after(wave as u64 * games, thread.depth);
        }
        let mut backup = BackupValue { rewards: sum, proven: top.stats.is_proven() };
        self.release(lease);
        for (j, &i) in lease.path.iter().enumerate().rev() {
            let stats = &tree.node(i).stats;
            update(stats, left * unit, backup.rewards);
            let parent = if j == 0 { ROOT } else { lease.path[j - 1] };
            search.back_up_one(stats.side(), tree.node(parent), &mut backup);
        }
        update(&root.stats, left * unit, backup.rewards);
        self.budget.finish(wanted - left, left + reserved % games);
        self.budget.add_nodes(thread.nodes - before);
    }
}

/// Adds the rewards of playouts to a node, and takes back the `left` visits that were counted in
/// advance for playouts that were not run.
fn update(stats: &impl NodeStats, left: u64, rewards: RewardSum) {
    if left > 0 {
        stats.add_visits::<true>(-(left as i64));
    }
    stats.add_rewards::<true>(rewards);
}
