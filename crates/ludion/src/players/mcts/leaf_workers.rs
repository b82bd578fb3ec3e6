//! Threads that wait at the leaves: for every wave of leaves each plays one random game
//! from each of them. They are called by counting up a number and answer by counting down
//! another, since a wave is shorter than it takes to wake a sleeping thread.

use std::sync::RwLock;
use std::sync::atomic::{AtomicI64, AtomicU64, AtomicUsize, Ordering};

use super::simulation::{SearchThread, SharedSearch};
use crate::game::Game;
use crate::search::rewards::{RewardSum, SearchReward};

/// The call after which the crew goes home.
const SHUT_DOWN: u64 = u64::MAX;
/// Looks at a number before the processor is offered to others.
const SPINS_BEFORE_YIELD: u32 = 200;

/// The helpers of one search, and the leaves they are to play from.
pub(super) struct LeafWorkers<'a, G: Game<Outcome: SearchReward>> {
    search: &'a SharedSearch<'a, G>,
    helpers: usize,
    call: AtomicU64,
    /// Helpers still at work on this call.
    busy: AtomicUsize,
    wave: RwLock<LeafBatch<G>>,
    /// Points of the helpers' games, by leaf.
    sums: Vec<AtomicI64>,
}

struct LeafBatch<G: Game> {
    /// Where to play from; `None` where the end is certain.
    leaves: Vec<Option<G::State>>,
    /// Random games from each leaf.
    games: u32,
}

impl<'a, G: Game<Outcome: SearchReward>> LeafWorkers<'a, G> {
    /// A crew of `helpers` for waves of at most `flight` leaves.
    pub(super) fn new(search: &'a SharedSearch<'a, G>, helpers: usize, flight: usize) -> Self {
        LeafWorkers {
            search,
            helpers,
            call: AtomicU64::new(0),
            busy: AtomicUsize::new(0),
            wave: RwLock::new(LeafBatch { leaves: Vec::with_capacity(flight), games: 0 }),
            sums: (0..flight).map(|_| AtomicI64::new(0)).collect(),
        }
    }

    /// Answers calls until the crew is dismissed; the helper number `me` plays when a leaf
    /// wants more than `me` games.
    pub(super) fn serve(&self, me: usize, worker: &mut SearchThread<G>) {
        let mut heard = 0;
        loop {
            heard = wait(|| Some(self.call.load(Ordering::Acquire)).filter(|&call| call != heard));
            if heard == SHUT_DOWN {
                return;
            }
            let _done = LeafDoneGuard(&self.busy);
            let wave = self.wave.read().expect("nobody panics while filling a wave");
            if me < wave.games as usize {
                for (leaf, sum) in wave.leaves.iter().zip(&self.sums) {
                    if let Some(state) = leaf {
                        let points = worker.play(self.search, state.clone());
                        sum.fetch_add(points, Ordering::Relaxed);
                    }
                }
            }
        }
    }

    /// Plays `games` random games from every leaf of the wave that wants some.
    pub(super) fn play_out(&self, worker: &mut SearchThread<G>, wave: usize, games: u32) {
        let mut plan = self.wave.write().expect("no helper panics");
        plan.games = games;
        plan.leaves.clear();
        plan.leaves.extend(
            worker.slots[..wave].iter().map(|slot| slot.gain.is_none().then(|| slot.state.clone())),
        );
        drop(plan);
        self.busy.store(self.helpers, Ordering::Relaxed);
        self.call.fetch_add(1, Ordering::Release);
        worker.play_out(self.search, wave);
        wait(|| (self.busy.load(Ordering::Acquire) == 0).then_some(()));
        for (slot, sum) in worker.slots[..wave].iter_mut().zip(&self.sums) {
            let first = sum.swap(0, Ordering::Relaxed);
            let own = slot.gain.get_or_insert_default();
            if own.games < games {
                *own = RewardSum { first: own.first + first, games };
            }
        }
    }

    /// Keeps the helpers on duty until what is returned is dropped, as it is in a panic too.
    pub(super) fn on_duty(&self) -> LeafWorkersGuard<'_> {
        LeafWorkersGuard(&self.call)
    }
}

/// Sends the helpers home in the end.
pub(super) struct LeafWorkersGuard<'a>(&'a AtomicU64);

impl Drop for LeafWorkersGuard<'_> {
    fn drop(&mut self) {
        self.0.store(SHUT_DOWN, Ordering::Release);
    }
}

/// Counts a helper as done, as it is in a panic too.
struct LeafDoneGuard<'a>(&'a AtomicUsize);

impl Drop for LeafDoneGuard<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Release);
    }
}

/// Looks until there is an answer.
fn wait<T>(mut answer: impl FnMut() -> Option<T>) -> T {
    let mut looks = 0;
    loop {
        if let Some(answer) = answer() {
            return answer;
        }
        looks += 1;
        if looks < SPINS_BEFORE_YIELD {
            std::hint::spin_loop();
        } else {
            std::thread::yield_now();
        }
    }
}
