//! How the threads of a search work together: each in all of one tree, each on a tree of
//! its own, or one in the tree and all at its leaves. One thread does the same whatever
//! the way.

use std::time::Duration;

use super::crew::Crew;
use super::estate::Estate;
use super::meter::{Meter, Pace};
use super::walk::{Search, Worker};
use super::{Final, Options, Parallel, report};
use crate::game::Game;
use crate::player::{Choice, Turn};
use crate::search::score::{Score, Stats};

/// Visits of the tree for each simulation of a wave: while it is small, it is in the caches
/// and nothing is waited for, and simulations had better know how the ones before ended.
const VISITS_EACH: u32 = 4096;

/// How many simulations of one thread, `most` in a large tree, to have under way together.
pub(super) fn wave(visits: u32, most: usize) -> u64 {
    u64::from(1 + visits / VISITS_EACH).min(most as u64)
}

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
    let (search, meter, flight) = (&searches[0], &meters[0], options.flight);
    let (first, others) = workers.split_first_mut().expect("there is a thread");
    let crew = Crew::new(search, others.len(), flight);
    let estate = Estate::new(search, meter, flight, others.len() + 1);
    std::thread::scope(|scope| match options.parallel {
        _ if others.is_empty() => {
            grow(search, first, meter, flight, |depth| desk.look(depth));
        }
        Parallel::Tree => {
            let estate = &estate;
            for worker in &mut *others {
                scope.spawn(move || estate.grow(worker, |_| meter.late()));
            }
            estate.grow(first, |depth| desk.look(depth));
        }
        Parallel::Root => {
            for ((worker, search), meter) in others.iter_mut().zip(&searches[1..]).zip(&meters[1..])
            {
                scope.spawn(move || {
                    grow(search, worker, meter, flight, |_| meter.late());
                });
            }
            grow(search, first, meter, flight, |depth| desk.look(depth));
        }
        Parallel::Leaf => {
            let (crew, games) = (&crew, others.len() as u32 + 1);
            for (i, worker) in others.iter_mut().enumerate() {
                scope.spawn(move || crew.serve(i + 1, worker));
            }
            let play = |worker: &mut Worker<G>, wave, games| crew.play_out(worker, wave, games);
            let look = |depth| desk.look(depth);
            grow_with(search, first, meter, flight, games, play, look);
            crew.dismiss();
        }
    });
    let depth = workers.iter().map(|worker| worker.depth).max().unwrap_or(0);
    desk.choice(depth)
}

/// Adds simulations of one random game each until nothing may be spent any more. `look` is
/// called now and then with the depth reached, and says whether to stop.
fn grow<G: Game<Outcome: Score>>(
    search: &Search<'_, G>,
    worker: &mut Worker<G>,
    meter: &Meter,
    flight: usize,
    look: impl FnMut(usize) -> bool,
) {
    let play = |worker: &mut Worker<G>, wave, _| worker.play_out(search, wave);
    grow_with(search, worker, meter, flight, 1, play, look);
}

/// Adds simulations of `games` random games each, which `play` plays for a wave of them.
fn grow_with<G: Game<Outcome: Score>>(
    search: &Search<'_, G>,
    worker: &mut Worker<G>,
    meter: &Meter,
    flight: usize,
    games: u32,
    mut play: impl FnMut(&mut Worker<G>, usize, u32),
    mut look: impl FnMut(usize) -> bool,
) {
    let (top, root) = (search.top(), &search.tree.root().stats);
    let mut pace = Pace::new();
    let mut counted = worker.nodes;
    while search.unfinished() {
        meter.spend(worker.nodes - counted);
        counted = worker.nodes;
        let wanted = wave(root.visits(), flight);
        let claimed = meter.claim(wanted * u64::from(games));
        if claimed == 0 {
            break;
        }
        // What the budget leaves of the last wave may not be enough for all its games.
        let games = u64::from(games).min(claimed);
        let wave = claimed / games;
        meter.unclaim(claimed - wave * games);
        root.enter::<false>((wave * games) as i64);
        search.descend(worker, &top, wave as usize, games as u32);
        play(worker, wave as usize, games as u32);
        root.leave::<false>(search.settle(worker, &top, wave as usize));
        if pace.due(wave * games) && look(worker.depth) {
            meter.halt();
        }
    }
    meter.spend(worker.nodes - counted);
}

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
