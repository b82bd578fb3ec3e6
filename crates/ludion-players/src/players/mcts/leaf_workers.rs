//! Helper threads of leaf parallelism: each runs one playout from every leaf of a wave, a set of
//! simulations that descend together. If an evaluator values the leaves, a second valuation of a
//! leaf says nothing new, so the leaves of the wave are divided between the threads instead; of an
//! evaluator with a policy each thread evaluates a part of the batch.
//!
//! A wave takes less time than waking a sleeping thread, so helpers poll for the next one. The main
//! thread depends on no helper: a helper that the system does not run in time loses its part of the
//! wave, and the main thread values these leaves itself. So leaf parallelism is never slower than
//! one thread, also when other programs use the processors. The random numbers of a part depend on
//! the wave and the part alone, so the result is the same whichever thread runs it.

use std::ops::Range;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::leaf::{LeafEvaluation, PolicyBuffers};
use super::simulation::{SearchThread, SharedSearch};
use crate::game::Game;
use crate::policy::{EncodedBatch, PolicyEvaluator, PolicyOutputs};
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
    /// Buffers of the main thread for evaluations with a policy.
    buffers: Mutex<PolicyBuffers>,
}

/// The leaves of a wave.
struct LeafWave<G: Game> {
    number: u64,
    /// The states to run playouts from, or to evaluate one by one; `None` for a leaf whose result is
    /// proven. Empty if a policy evaluates the leaves.
    leaves: Vec<Option<G::State>>,
    /// The leaves that a policy evaluates; empty without one.
    batch: EncodedBatch,
}

/// The part of one helper in a wave: one playout from every leaf, or the evaluation of some leaves.
struct WavePart {
    /// The number of the wave and the [`PartStatus`]; see [`PartStatus::of_wave`].
    status: AtomicU64,
    /// The rewards of the helper's playouts and evaluations, one for each leaf.
    rewards: Vec<AtomicI64>,
    /// The helper's evaluations with a policy.
    outputs: Mutex<PolicyOutputs>,
}

/// The progress of a [`WavePart`].
#[derive(Clone, Copy)]
enum PartStatus {
    /// The helper may begin.
    Open,
    /// The helper has begun.
    Taken,
    /// The results are complete.
    Done,
    /// The main thread values the leaves; the helper's results are discarded.
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

    /// Waits until the helper is done, or until `deadline`. Returns whether its results are
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
            outputs: Mutex::default(),
        };
        let wave = LeafWave { number: 0, leaves: Vec::new(), batch: EncodedBatch::default() };
        LeafWorkers {
            search,
            seed,
            wave_number: AtomicU64::new(0),
            wave: Mutex::new(Arc::new(wave)),
            parts: (0..helpers).map(|_| part()).collect(),
            buffers: Mutex::default(),
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
            let wave = Arc::clone(&lock(&self.wave));
            if wave.number != number {
                continue;
            }
            match self.search.leaf {
                LeafEvaluation::Policy(evaluator) => {
                    let rows = self.rows(wave.batch.len(), 1 + i);
                    let outputs = &mut lock(&part.outputs);
                    outputs.clear();
                    thread.policy.evaluate_rows(evaluator, &wave.batch, rows, outputs);
                }
                _ => self.value_part(thread, &wave, i),
            }
            drop(wave);
            part.change(number, PartStatus::Taken, PartStatus::Done);
        }
    }

    /// Runs the playouts, or the evaluations one by one, of part `i` of a wave.
    fn value_part(&self, thread: &mut SearchThread<G>, wave: &LeafWave<G>, i: usize) {
        thread.rng = self.part_rng(wave.number, i);
        for (j, (leaf, reward)) in wave.leaves.iter().zip(&self.parts[i].rewards).enumerate() {
            if let Some(state) = leaf.as_ref().filter(|_| self.includes(i, j)) {
                let points = thread.leaf_reward(self.search, state.clone());
                reward.store(points, Ordering::Relaxed);
            }
        }
    }

    /// Returns the rows of a batch that a thread evaluates: the main thread has number 0.
    fn rows(&self, len: usize, thread: usize) -> Range<usize> {
        let threads = 1 + self.parts.len();
        len * thread / threads..len * (thread + 1) / threads
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
        if matches!(self.search.leaf, LeafEvaluation::Policy(_)) {
            return thread.evaluate_leaves(self.search, self, wave);
        }
        let began = Instant::now();
        let is_random = self.search.leaf.is_random();
        let helpers = if is_random { games as usize - 1 } else { self.parts.len().min(wave - 1) };
        let parts = &self.parts[..helpers];
        let leaves =
            self.publish(parts, |next| {
                next.leaves.extend(thread.simulations[..wave].iter().map(|simulation| {
                    simulation.rewards.is_none().then(|| simulation.state.clone())
                }));
            });
        let number = leaves.number;
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

    /// Publishes the next wave, whose leaves `fill` adds, and opens the parts of the helpers. The
    /// memory of the last wave is used again if no helper still reads it.
    fn publish(&self, parts: &[WavePart], fill: impl FnOnce(&mut LeafWave<G>)) -> Arc<LeafWave<G>> {
        let number = self.wave_number.load(Ordering::Relaxed) + 1;
        let wave = {
            let mut current = lock(&self.wave);
            if Arc::get_mut(&mut current).is_none() {
                let batch = EncodedBatch::default();
                *current = Arc::new(LeafWave { number, leaves: Vec::new(), batch });
            }
            let next = Arc::get_mut(&mut current).expect("no helper reads a new wave");
            next.number = number;
            next.leaves.clear();
            next.batch.clear();
            fill(next);
            Arc::clone(&current)
        };
        for part in parts {
            part.status.store(PartStatus::Open.of_wave(number), Ordering::Release);
        }
        self.wave_number.store(number, Ordering::Release);
        wave
    }

    /// Returns a guard that shuts the helper threads down when it is dropped, also during a panic.
    pub(super) fn shut_down_guard(&self) -> LeafWorkersGuard<'_> {
        LeafWorkersGuard(&self.wave_number)
    }
}

impl<G: Game<Outcome: SearchReward>> PolicyEvaluator for LeafWorkers<'_, G> {
    /// Evaluates a batch on all threads. The evaluation of a state does not depend on the others, so
    /// it does not matter which thread evaluates it.
    fn evaluate(&self, batch: &EncodedBatch, out: &mut PolicyOutputs) {
        let LeafEvaluation::Policy(evaluator) = self.search.leaf else {
            unreachable!("only leaves with a policy are evaluated in batches")
        };
        if batch.len() <= self.parts.len() {
            return evaluator.evaluate(batch, out);
        }
        let began = Instant::now();
        let wave = self.publish(&self.parts, |next| next.batch.clone_from(batch));
        let buffers = &mut lock(&self.buffers);
        buffers.evaluate_rows(evaluator, batch, self.rows(batch.len(), 0), out);
        let now = Instant::now();
        let deadline = now + (now - began) + GRACE;
        for (i, part) in self.parts.iter().enumerate() {
            if part.finish(wave.number, deadline) {
                let outputs = lock(&part.outputs);
                out.values.extend_from_slice(&outputs.values);
                out.priors.extend_from_slice(&outputs.priors);
            } else {
                buffers.evaluate_rows(evaluator, batch, self.rows(batch.len(), 1 + i), out);
            }
        }
    }
}

/// Locks a mutex whose value is valid after every step, also if a thread has panicked.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
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
        let part = |status: PartStatus| WavePart {
            status: status.of_wave(7).into(),
            rewards: Vec::new(),
            outputs: Mutex::default(),
        };
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
