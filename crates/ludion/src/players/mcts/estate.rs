//! One tree for several threads, of which each works alone in one part at a time.
//!
//! A thread that counts where another one reads makes it wait for memory, and counting
//! together costs locked instructions all the way down. So a thread *leases* a small part of
//! the tree: it goes down from the root through open nodes to the first that is small enough,
//! has that node and all below it to itself for some simulations, and then counts them all at
//! once on the way back up. Visits are counted there beforehand and look like losses until
//! then (*virtual loss*), which sends the others elsewhere. A part that has grown is opened:
//! from then on its parts are leased.

use super::meter::{Meter, Pace};
use super::parallel::wave;
use super::walk::{News, Search, Top, Worker};
use crate::game::Game;
use crate::search::score::{Gain, Score, Stats};
use crate::search::tree::{NodeOf, ROOT, Tenure};

/// Parts for each thread, or more: so a part that is wanted is seldom taken.
const PARTS_EACH: u32 = 32;
/// Visits of a part, at least, before it is opened.
const SMALLEST: u32 = 8;
/// Visits of a part for each simulation of a lease: these are done before anyone looks
/// whether the part is still the one to search.
const VISITS_EACH: u32 = 16;
/// Simulations of a lease, at most.
const LONGEST: u32 = 256;
/// Visits of a part for each simulation that is under way together with others.
const VISITS_UNDER_WAY: u32 = 64;
/// Refusals before the processor is offered to others.
const PATIENCE: u32 = 64;

/// A tree that threads share.
pub(super) struct Estate<'a, G: Game<Outcome: Score>> {
    search: &'a Search<'a, G>,
    meter: &'a Meter,
    /// Simulations of one thread under way together, at most.
    flight: usize,
    /// Parts, about, or more.
    parts: u32,
}

/// The right of one thread to a part of the tree.
struct Lease<G: Game> {
    top: Top<G>,
    /// The nodes from below the root to the top.
    path: Vec<u32>,
}

impl<'a, G: Game<Outcome: Score>> Estate<'a, G> {
    pub(super) fn new(
        search: &'a Search<'a, G>,
        meter: &'a Meter,
        flight: usize,
        threads: usize,
    ) -> Self {
        search.tree.root().release(true);
        Estate { search, meter, flight, parts: PARTS_EACH.saturating_mul(threads as u32) }
    }

    /// Adds simulations on one of the threads until nothing may be spent any more. `look` is
    /// called now and then with the depth reached, and says whether to stop.
    pub(super) fn grow(&self, worker: &mut Worker<G>, mut look: impl FnMut(usize) -> bool) {
        let mut lease = Lease { top: self.search.top(), path: Vec::new() };
        let mut pace = Pace::new();
        let mut refusals = 0;
        while self.search.unfinished() {
            if self.settle_in(&mut lease) {
                refusals = 0;
                let claimed = self.meter.claim(self.length(&lease));
                if claimed == 0 {
                    self.move_out(&lease);
                    break;
                }
                self.work(worker, &lease, claimed, &mut pace, &mut look);
            } else if self.meter.halted() {
                break;
            } else {
                refusals += 1;
                if refusals < PATIENCE { std::hint::spin_loop() } else { std::thread::yield_now() }
            }
        }
    }

    fn top(&self, lease: &Lease<G>) -> &NodeOf<G> {
        self.search.tree.node(lease.top.node)
    }

    /// Leases the part that the formula of descents leads to; false when it is taken.
    fn settle_in(&self, lease: &mut Lease<G>) -> bool {
        let tree = self.search.tree;
        let large = SMALLEST.max(tree.root().stats.visits() / self.parts);
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
                Tenure::Open => {}
                Tenure::Taken => return false,
                Tenure::Ours => {
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

    fn move_out(&self, lease: &Lease<G>) {
        self.top(lease).release(false);
    }

    /// Simulations of a lease.
    fn length(&self, lease: &Lease<G>) -> u64 {
        u64::from((1 + self.top(lease).stats.visits() / VISITS_EACH).min(LONGEST))
    }

    /// Adds up to `claimed` simulations to a part and gives it back.
    fn work(
        &self,
        worker: &mut Worker<G>,
        lease: &Lease<G>,
        claimed: u64,
        pace: &mut Pace,
        look: &mut impl FnMut(usize) -> bool,
    ) {
        let (search, tree) = (self.search, self.search.tree);
        let (top, root) = (self.top(lease), tree.root());
        let nodes = worker.nodes;
        let flight = self.flight.min(1 + (top.stats.visits() / VISITS_UNDER_WAY) as usize);
        for &i in [ROOT].iter().chain(&lease.path) {
            tree.node(i).stats.enter::<true>(claimed as i64);
        }
        worker.nodes += lease.path.len() as u64;
        let (mut left, mut sum) = (claimed, Gain::default());
        if let Some(verdict) = top.stats.proof() {
            let games = left as u32;
            let points = G::Outcome::points_of(verdict, top.stats.side());
            (left, sum) = (0, Gain { first: points * i64::from(games), games });
        }
        while left > 0 && !top.stats.proven() && !self.meter.halted() {
            let wave = wave(root.stats.visits(), flight).min(left);
            left -= wave;
            search.descend(worker, &lease.top, wave as usize, 1);
            worker.play_out(search, wave as usize);
            sum += search.settle(worker, &lease.top, wave as usize);
            if pace.due(wave) && look(worker.depth) {
                self.meter.halt();
            }
        }
        let mut news = News { gain: sum, proven: top.stats.proven() };
        self.move_out(lease);
        for (j, &i) in lease.path.iter().enumerate().rev() {
            let stats = &tree.node(i).stats;
            self.count(stats, left, news.gain);
            let parent = if j == 0 { ROOT } else { lease.path[j - 1] };
            search.rise(stats.side(), tree.node(parent), &mut news);
        }
        self.count(&root.stats, left, news.gain);
        self.meter.unclaim(left);
        self.meter.spend(worker.nodes - nodes);
    }

    /// Counts in a node how simulations ended and takes back the ones `left` undone.
    fn count(&self, stats: &impl Stats, left: u64, gain: Gain) {
        if left > 0 {
            stats.enter::<true>(-(left as i64));
        }
        stats.leave::<true>(gain);
    }
}
