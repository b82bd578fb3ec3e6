//! Helper threads of leaf parallelism: each runs one playout from every leaf of a wave, a set of
//! simulations that descend together. If an evaluator values the leaves, a second valuation of a
//! leaf says nothing new, so the leaves of the wave are divided between the threads instead.
//!
//! A wave takes less time than waking a sleeping thread, so helpers poll for the next one. The main
//! thread depends on no helper: a helper that the system does not run in time loses its part of the
//! wave, and the main thread runs these playouts itself. So leaf parallelism is never slower than
//! one thread, also when other programs use the processors. The random numbers of a part depend on
//! the wave and the part alone, so the result is the same whichever thread runs it.

use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use super::simulation::{SearchThread, SharedSearch};
use crate::game::Game;
use crate::random::{Rng, derive_seed};
use crate::search::rewards::{RewardSum, SearchReward};

/// The wave number that tells the helper threads to exit.
const SHUT_DOWN: u64 = u64::MAX;
/// Number of polls of a counter before a waiting helper yields to other threads.
const SPINS_BEFORE_YIELD: u32 = 200;
/// The time that the main thread waits for a helper, beyond the time of its own playouts.
const GRACE: Duration = Duration::from_micros(20);

/// The data that the helper threads of one search share with the main thread.
pub(super) struct LeafWorkers<'a, G: Game<Outcome: SearchReward>> {
    search: &'a SharedSearch<'a, G>,
    /// Seed of the random numbers of all parts.
    seed: u64,
    wave_number: AtomicU64,
    wave: Mutex<Arc<LeafWave<G>>>,
    /// The part of each helper in the current wave.
    parts: Vec<WavePart>,
}

/// The leaves of a wave, from which playouts are run.
struct LeafWave<G: Game> {
    number: u64,
    /// The states to run playouts from; `None` for a leaf whose result is proven.
    leaves: Vec<Option<G::State>>,
}

/// The part of one helper in a wave: one playout from every leaf.
struct WavePart {
    /// The number of the wave and the [`PartStatus`]; see [`PartStatus::of_wave`].
    status: AtomicU64,
    /// The rewards of the helper's playouts, one for each leaf.
    rewards: Vec<AtomicI64>,
}

/// The progress of a [`WavePart`].
#[derive(Clone, Copy)]
enum PartStatus {
    /// The helper may begin.
    Open,
    /// The helper has begun.
    Taken,
    /// The rewards are complete.
    Done,
    /// The main thread runs the playouts; the helper's rewards are discarded.
    Closed,
}

impl PartStatus {
    /// Returns the status together with the number of its wave, as one atomic value.
    fn of_wave(self, number: u64) -> u64 {
        number << 2 | self as u64
    }
}

impl WavePart {
    /// Changes the status if it is `from`. Returns whether it was.
    fn change(&self, number: u64, from: PartStatus, to: PartStatus) -> bool {
        let (from, to) = (from.of_wave(number), to.of_wave(number));
        self.status.compare_exchange(from, to, Ordering::AcqRel, Ordering::Acquire).is_ok()
    }

    /// Waits until the helper is done, or until `deadline`. Returns whether its rewards are
    /// complete; otherwise the part is closed.
    fn finish(&self, number: u64, deadline: Instant) -> bool {
        if self.change(number, PartStatus::Open, PartStatus::Closed) {
            return false;
        }
        while self.status.load(Ordering::Acquire) != PartStatus::Done.of_wave(number) {
            if Instant::now() >= deadline {
                return !self.change(number, PartStatus::Taken, PartStatus::Closed);
            }
            std::hint::spin_loop();
        }
        true
    }
}

impl<'a, G: Game<Outcome: SearchReward>> LeafWorkers<'a, G> {
    /// Creates the shared data of `helpers` helper threads, for waves of at most `max_wave` leaves.
    pub(super) fn new(
        search: &'a SharedSearch<'a, G>,
        helpers: usize,
        max_wave: usize,
        seed: u64,
    ) -> Self {
        let part = || WavePart {
            status: AtomicU64::new(PartStatus::Closed.of_wave(0)),
            rewards: (0..max_wave).map(|_| AtomicI64::new(0)).collect(),
        };
        LeafWorkers {
            search,
            seed,
            wave_number: AtomicU64::new(0),
            wave: Mutex::new(Arc::new(LeafWave { number: 0, leaves: Vec::new() })),
            parts: (0..helpers).map(|_| part()).collect(),
        }
    }

    /// Returns the number of playouts per leaf when all threads run one; 1 with an evaluator.
    pub(super) fn max_games(&self) -> u64 {
        if self.search.leaf.is_random() { 1 + self.parts.len() as u64 } else { 1 }
    }

    /// Returns whether part `i` of a wave includes leaf number `j`.
    fn includes(&self, i: usize, j: usize) -> bool {
        self.search.leaf.is_random() || j % (1 + self.parts.len()) == 1 + i
    }

    /// Runs helper thread number `i`, from 0, until shutdown.
    pub(super) fn run_helper(&self, i: usize, thread: &mut SearchThread<G>) {
        let part = &self.parts[i];
        let mut number = 0;
        loop {
            number = self.wait_for_wave(number);
            if number == SHUT_DOWN {
                return;
            }
            if !part.change(number, PartStatus::Open, PartStatus::Taken) {
                continue;
            }
            let wave = Arc::clone(&self.wave.lock().expect("no thread panics with the lock"));
            if wave.number != number {
                continue;
            }
            thread.rng = self.part_rng(number, i);
            for (j, (leaf, reward)) in wave.leaves.iter().zip(&part.rewards).enumerate() {
                if let Some(state) = leaf.as_ref().filter(|_| self.includes(i, j)) {
                    let points = thread.leaf_reward(self.search, state.clone());
                    reward.store(points, Ordering::Relaxed);
                }
            }
            drop(wave);
            part.change(number, PartStatus::Taken, PartStatus::Done);
        }
    }

    /// Waits for a wave with another number than `last` and returns its number.
    fn wait_for_wave(&self, last: u64) -> u64 {
        let mut polls = 0;
        loop {
            let number = self.wave_number.load(Ordering::Acquire);
            if number != last {
                return number;
            }
            polls += 1;
            if polls < SPINS_BEFORE_YIELD {
                std::hint::spin_loop();
            } else {
                std::thread::yield_now();
            }
        }
    }

    /// Values the leaves of `wave` simulations that are not proven: by `games` playouts each, of
    /// which each helper runs at most one, or by one evaluation each.
    pub(super) fn value_leaves(&self, thread: &mut SearchThread<G>, wave: usize, games: u32) {
        let began = Instant::now();
        let is_random = self.search.leaf.is_random();
        let helpers = if is_random { games as usize - 1 } else { self.parts.len().min(wave - 1) };
        let parts = &self.parts[..helpers];
        let number = self.wave_number.load(Ordering::Relaxed) + 1;
        let leaves = self.publish(thread, wave, number);
        for part in parts {
            part.status.store(PartStatus::Open.of_wave(number), Ordering::Release);
        }
        self.wave_number.store(number, Ordering::Release);
        if is_random {
            thread.value_leaves(self.search, wave);
        } else {
            self.value_own_leaves(thread, wave);
        }
        let now = Instant::now();
        let deadline = now + (now - began) + GRACE;
        for (i, part) in parts.iter().enumerate() {
            let done = part.finish(number, deadline);
            let mut rng = self.part_rng(number, i);
            std::mem::swap(&mut thread.rng, &mut rng);
            for (j, leaf) in leaves.leaves.iter().enumerate() {
                let Some(state) = leaf.as_ref().filter(|_| self.includes(i, j)) else { continue };
                let first = if done {
                    part.rewards[j].load(Ordering::Relaxed)
                } else {
                    thread.leaf_reward(self.search, state.clone())
                };
                let games = self.search.leaf.visits_per_simulation();
                *thread.simulations[j].rewards.get_or_insert_default() +=
                    RewardSum { first, games };
            }
            thread.rng = rng;
        }
    }

    /// Evaluates the leaves that are in the part of no helper.
    fn value_own_leaves(&self, thread: &mut SearchThread<G>, wave: usize) {
        let games = self.search.leaf.visits_per_simulation();
        for j in (0..wave).step_by(1 + self.parts.len()) {
            if thread.simulations[j].rewards.is_none() {
                let state = thread.simulations[j].state.clone();
                let first = thread.leaf_reward(self.search, state);
                thread.simulations[j].rewards = Some(RewardSum { first, games });
            }
        }
    }

    /// Returns the random numbers of part `i` of wave `number`.
    fn part_rng(&self, number: u64, i: usize) -> Rng {
        Rng::new(derive_seed(self.seed, &[number, i as u64]))
    }

    /// Makes the leaves of the thread's simulations the current wave. The memory of the last wave
    /// is used again if no helper still reads it.
    fn publish(&self, thread: &SearchThread<G>, wave: usize, number: u64) -> Arc<LeafWave<G>> {
        let leaves = thread.simulations[..wave]
            .iter()
            .map(|simulation| simulation.rewards.is_none().then(|| simulation.state.clone()));
        let mut current = self.wave.lock().expect("no thread panics with the lock");
        match Arc::get_mut(&mut current) {
            Some(current) => {
                current.number = number;
                current.leaves.clear();
                current.leaves.extend(leaves);
            }
            None => *current = Arc::new(LeafWave { number, leaves: leaves.collect() }),
        }
        Arc::clone(&current)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_helper_that_the_system_does_not_run_is_not_waited_for() {
        let part =
            |status: PartStatus| WavePart { status: status.of_wave(7).into(), rewards: Vec::new() };
        let (now, later) = (Instant::now(), Instant::now() + Duration::from_secs(3600));
        // A helper that has not begun loses its part at once, and one that has begun in time.
        let (open, taken) = (part(PartStatus::Open), part(PartStatus::Taken));
        assert!(!open.finish(7, later) && !taken.finish(7, now));
        assert!(now.elapsed() < Duration::from_secs(60));
        assert!(!open.change(7, PartStatus::Open, PartStatus::Taken));
        assert!(!taken.change(7, PartStatus::Taken, PartStatus::Done));
        assert!(part(PartStatus::Done).finish(7, now));
    }
}
