//! How the threads of a search work together: each in all of one tree, each on a tree of
//! its own, or one in the tree and all at its leaves. One thread does the same whatever
//! the way.

use std::time::Duration;

use super::crew::Crew;
use super::meter::{Meter, Pace};
use super::walk::{Search, Worker};
use super::{Final, Options, Parallel, report};
use crate::game::Game;
use crate::player::{Choice, Turn};
use crate::search::score::{Score, Stats};

/// How many simulations of one thread are under way together, and who hears of them.
#[derive(Clone, Copy)]
struct Flight {
    most: u64,
    /// Visits of the tree for each of them: simulations had better know how the ones before
    /// them ended, while the tree is small.
    visits_each: u32,
    /// Nodes hear of simulations on their way down if they have fewer visits than this many
    /// for each of the wave.
    tell: u32,
}

impl Flight {
    /// On a tree of one thread, where a small tree is in the caches and nothing is waited
    /// for. All nodes are told.
    fn alone(most: usize) -> Self {
        Flight { most: most as u64, visits_each: 4096, tell: u32::MAX }
    }

    /// On a tree of several threads. The counters at its top wander between processors; a
    /// wave that counts there once, on its way up, pays once. To a node of many visits some
    /// more mean little.
    fn shared(most: usize) -> Self {
        Flight { most: 4 * most as u64, visits_each: 2048, tell: 8 }
    }

    fn at(self, visits: u32) -> u64 {
        u64::from(1 + visits / self.visits_each).min(self.most)
    }

    fn light(self, wave: u64) -> u32 {
        self.tell.saturating_mul(wave as u32)
    }
}

/// Simulations that a thread of several claims at a time.
const LOT: u64 = 128;
/// Visits that threads may add after the last look at a counter.
const MARGIN: u32 = 1 << 20;

/// Searches until the budget is spent or the root is proven. There is a meter for every
/// search, and one search unless threads share nothing.
pub(super) fn run<G: Game<Outcome: Score>>(
    options: &Options,
    turn: &Turn<'_, G>,
    searches: &[Search<'_, G>],
    meters: &[Meter],
    workers: &mut [Worker<G>],
) -> Choice<G::Move> {
    let mut desk = Desk { turn, searches, meters, last: options.last, reported: Duration::ZERO };
    let (search, meter, flight) = (&searches[0], &meters[0], Flight::alone(options.flight));
    let (first, others) = workers.split_first_mut().expect("there is a thread");
    let crew = Crew::new(search, others.len(), options.flight);
    std::thread::scope(|scope| match options.parallel {
        _ if others.is_empty() => {
            grow::<G, false>(search, first, meter, flight, |depth| desk.look(depth));
        }
        Parallel::Tree => {
            let flight = Flight::shared(options.flight);
            for worker in &mut *others {
                scope.spawn(move || {
                    grow::<G, true>(search, worker, meter, flight, |_| meter.late());
                });
            }
            grow::<G, true>(search, first, meter, flight, |depth| desk.look(depth));
        }
        Parallel::Root => {
            for ((worker, search), meter) in others.iter_mut().zip(&searches[1..]).zip(&meters[1..])
            {
                scope.spawn(move || {
                    grow::<G, false>(search, worker, meter, flight, |_| meter.late());
                });
            }
            grow::<G, false>(search, first, meter, flight, |depth| desk.look(depth));
        }
        Parallel::Leaf => {
            let (crew, games) = (&crew, others.len() as u32 + 1);
            for (i, worker) in others.iter_mut().enumerate() {
                scope.spawn(move || crew.serve(i + 1, worker));
            }
            let play = |worker: &mut Worker<G>, wave, games| crew.play_out(worker, wave, games);
            let look = |depth| desk.look(depth);
            grow_with::<G, false>(search, first, meter, flight, games, play, look);
            crew.dismiss();
        }
    });
    let depth = workers.iter().map(|worker| worker.depth).max().unwrap_or(0);
    desk.choice(depth)
}

/// Adds simulations of one random game each until nothing may be spent any more. `look` is
/// called now and then with the depth reached, and says whether to stop.
fn grow<G: Game<Outcome: Score>, const SHARED: bool>(
    search: &Search<'_, G>,
    worker: &mut Worker<G>,
    meter: &Meter,
    flight: Flight,
    look: impl FnMut(usize) -> bool,
) {
    let play = |worker: &mut Worker<G>, wave, _| worker.play_out(search, wave);
    grow_with::<G, SHARED>(search, worker, meter, flight, 1, play, look);
}

/// Adds simulations of `games` random games each, which `play` plays for a wave of them.
fn grow_with<G: Game<Outcome: Score>, const SHARED: bool>(
    search: &Search<'_, G>,
    worker: &mut Worker<G>,
    meter: &Meter,
    flight: Flight,
    games: u32,
    mut play: impl FnMut(&mut Worker<G>, usize, u32),
    mut look: impl FnMut(usize) -> bool,
) {
    let root = &search.tree.root().stats;
    let mut pace = Pace::new();
    let (mut left, mut counted) = (0, worker.nodes);
    while !root.proven() && root.visits() < StatsOf::<G>::MOST - MARGIN {
        let wanted = flight.at(root.visits());
        let needed = wanted * u64::from(games);
        if left < needed {
            meter.spend(worker.nodes - counted);
            counted = worker.nodes;
            let lot = if SHARED { needed.max(LOT) } else { needed };
            left += meter.claim(lot - left);
        }
        if left == 0 {
            break;
        }
        let games = u64::from(games).min(left);
        let wave = wanted.min(left / games);
        left -= wave * games;
        let light = flight.light(wave);
        search.descend::<SHARED>(worker, wave as usize, games as u32, light);
        play(worker, wave as usize, games as u32);
        search.settle::<SHARED>(worker, wave as usize);
        if pace.due(wave * games) && look(worker.depth) {
            meter.halt();
        }
    }
    meter.spend(worker.nodes - counted);
    meter.unclaim(left);
}

type StatsOf<G> = <<G as Game>::Outcome as Score>::Stats;

/// Where the first thread looks at the clock, reports, and hears whether to stop.
struct Desk<'a, G: Game<Outcome: Score>> {
    turn: &'a Turn<'a, G>,
    searches: &'a [Search<'a, G>],
    meters: &'a [Meter],
    last: Final,
    /// When the last report was given.
    reported: Duration,
}

impl<G: Game<Outcome: Score>> Desk<'_, G> {
    fn look(&mut self, depth: usize) -> bool {
        let elapsed = self.meters[0].elapsed();
        if self.turn.watch.interval().is_some_and(|gap| elapsed - self.reported >= gap) {
            self.reported = elapsed;
            self.turn.watch.report(&self.choice(depth));
        }
        let stop = self.turn.watch.stop();
        if stop {
            self.meters.iter().for_each(Meter::halt);
        }
        stop || self.meters[0].late()
    }

    fn choice(&self, depth: usize) -> Choice<G::Move> {
        let trees: Vec<_> = self.searches.iter().map(|search| search.tree).collect();
        let (lines, best) = report::lines(&trees, self.last);
        Choice {
            best,
            lines,
            nodes: self.meters.iter().map(Meter::nodes).sum(),
            simulations: self.meters.iter().map(Meter::sims).sum(),
            depth: depth as u32,
            time: self.meters[0].elapsed(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;
    use std::time::Instant;

    use super::*;
    use crate::games::connect4::Connect4;
    use crate::player::{Budget, Line};
    use crate::players::mcts::Select;
    use crate::random::Rng;
    use crate::search::tree::Tree;

    /// The lines of the root after 30,000 simulations on one thread.
    fn lines<const SHARED: bool>(select: Select) -> Vec<Line<u8>> {
        let g = Connect4::STANDARD;
        let tree = Tree::new(&g, &g.start(), 1 << 24, 7);
        let full = AtomicBool::new(false);
        let (game, judge, depth) = (&g, None, usize::MAX);
        let search = Search { game, tree: &tree, select, judge, depth, full };
        let mut worker = Worker::new(Rng::new(9));
        search.open_root(&mut worker);
        let meter = Meter::new(Instant::now(), &Budget::UNLIMITED, 30_000);
        grow::<Connect4, SHARED>(&search, &mut worker, &meter, Flight::alone(8), |_| false);
        assert_eq!(tree.root().stats.visits(), 30_000);
        report::lines(&[&tree], Final::Proof).0
    }

    #[test]
    fn shared_counting_on_one_thread_grows_the_same_tree() {
        for select in
            [Select::Phi { a: 5.0, b: 5.0 }, Select::Ucb1 { c: 0.7 }, Select::Puct { c: 2.0 }]
        {
            assert_eq!(lines::<false>(select), lines::<true>(select), "{select:?}");
        }
    }
}
