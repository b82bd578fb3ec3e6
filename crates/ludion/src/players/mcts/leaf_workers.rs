//! Helper threads of leaf parallelism: each runs one playout from every leaf of a wave, a set of
//! simulations that descend together. A wave takes less time than waking a sleeping thread, so
//! helpers poll: the main thread starts them by incrementing one atomic counter, and they report by
//! decrementing another.

use std::sync::RwLock;
use std::sync::atomic::{AtomicI64, AtomicU64, AtomicUsize, Ordering};

use super::simulation::{SearchThread, SharedSearch};
use crate::game::Game;
use crate::search::rewards::{RewardSum, SearchReward};

/// The wave number that tells the helper threads to exit.
const SHUT_DOWN: u64 = u64::MAX;
/// Number of polls of a counter before the waiting thread yields to other threads.
const SPINS_BEFORE_YIELD: u32 = 200;

/// The data that the helper threads of one search share with the main thread.
pub(super) struct LeafWorkers<'a, G: Game<Outcome: SearchReward>> {
    search: &'a SharedSearch<'a, G>,
    helpers: usize,
    wave_number: AtomicU64,
    /// Number of helpers still working on the current wave.
    busy: AtomicUsize,
    wave: RwLock<LeafBatch<G>>,
    /// The sum of the rewards of the helpers' playouts, for each leaf of the wave.
    sums: Vec<AtomicI64>,
}

/// The leaves of a wave, from which playouts are run.
struct LeafBatch<G: Game> {
    /// The states to run playouts from; `None` for a leaf whose result is proven.
    leaves: Vec<Option<G::State>>,
    /// Number of playouts per leaf, all threads together.
    games: u32,
}

impl<'a, G: Game<Outcome: SearchReward>> LeafWorkers<'a, G> {
    /// Creates the shared data of `helpers` helper threads, for waves of at most `max_wave` leaves.
    pub(super) fn new(search: &'a SharedSearch<'a, G>, helpers: usize, max_wave: usize) -> Self {
        LeafWorkers {
            search,
            helpers,
            wave_number: AtomicU64::new(0),
            busy: AtomicUsize::new(0),
            wave: RwLock::new(LeafBatch { leaves: Vec::with_capacity(max_wave), games: 0 }),
            sums: (0..max_wave).map(|_| AtomicI64::new(0)).collect(),
        }
    }

    /// Runs a helper thread until shutdown. Helper number `me`, from 1, runs one playout per leaf
    /// if each leaf gets more than `me` playouts.
    pub(super) fn run_helper(&self, me: usize, thread: &mut SearchThread<G>) {
        let mut last_wave = 0;
        loop {
            last_wave = wait(|| {
                Some(self.wave_number.load(Ordering::Acquire))
                    .filter(|&wave_number| wave_number != last_wave)
            });
            if last_wave == SHUT_DOWN {
                return;
            }
            let _done = LeafDoneGuard(&self.busy);
            let wave = self.wave.read().expect("no thread panics while filling a wave");
            if me < wave.games as usize {
                for (leaf, sum) in wave.leaves.iter().zip(&self.sums) {
                    if let Some(state) = leaf {
                        let points = thread.playout(self.search, state.clone());
                        sum.fetch_add(points, Ordering::Relaxed);
                    }
                }
            }
        }
    }

    /// Runs `games` playouts, at most one per thread, from each of the `wave` leaves that is not
    /// proven, and adds up their rewards.
    pub(super) fn play_out(&self, thread: &mut SearchThread<G>, wave: usize, games: u32) {
        let mut batch = self.wave.write().expect("no helper panics");
        batch.games = games;
        batch.leaves.clear();
        batch.leaves.extend(
            thread.simulations[..wave]
                .iter()
                .map(|simulation| simulation.rewards.is_none().then(|| simulation.state.clone())),
        );
        drop(batch);
        self.busy.store(self.helpers, Ordering::Relaxed);
        self.wave_number.fetch_add(1, Ordering::Release);
        thread.play_out(self.search, wave);
        wait(|| (self.busy.load(Ordering::Acquire) == 0).then_some(()));
        for (simulation, sum) in thread.simulations[..wave].iter_mut().zip(&self.sums) {
            let first = sum.swap(0, Ordering::Relaxed);
            let own = simulation.rewards.get_or_insert_default();
            if own.games < games {
                *own = RewardSum { first: own.first + first, games };
            }
        }
    }

    /// Returns a guard that shuts the helper threads down when it is dropped, also during a panic.
    pub(super) fn shut_down_guard(&self) -> LeafWorkersGuard<'_> {
        LeafWorkersGuard(&self.wave_number)
    }
}

/// Shuts the helper threads down when dropped.
pub(super) struct LeafWorkersGuard<'a>(&'a AtomicU64);

impl Drop for LeafWorkersGuard<'_> {
    fn drop(&mut self) {
        self.0.store(SHUT_DOWN, Ordering::Release);
    }
}

/// Counts a helper thread as done with the wave when dropped, also during a panic.
struct LeafDoneGuard<'a>(&'a AtomicUsize);

impl Drop for LeafDoneGuard<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Release);
    }
}

/// Calls `poll` repeatedly until it returns a value.
fn wait<T>(mut poll: impl FnMut() -> Option<T>) -> T {
    let mut polls = 0;
    loop {
        if let Some(value) = poll() {
            return value;
        }
        polls += 1;
        if polls < SPINS_BEFORE_YIELD {
            std::hint::spin_loop();
        } else {
            std::thread::yield_now();
        }
    }
}
