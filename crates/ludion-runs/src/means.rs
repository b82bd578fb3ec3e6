//! What runs are conducted with: names, threads or others elsewhere, a flag to stop by, and a gate
//! for machines that do other things besides.

use std::sync::atomic::AtomicBool;

use ludion::arena::executor::Work;
use ludion::registry::Registry;

use crate::crew::Crew;

/// What a run is conducted with.
#[derive(Clone, Copy)]
pub struct Means<'a> {
    /// Games and players by name.
    pub registry: &'a Registry,
    /// How many threads work at it.
    pub threads: usize,
    /// Set by whoever wants it to stop after what is under way, and when the store fails.
    pub stop: &'a AtomicBool,
    /// Who says when a job may begin; nobody where the machine does nothing else.
    pub gate: Option<&'a dyn Gate>,
    /// Who does the jobs in the place of those threads; nobody where one machine is enough.
    pub crew: Option<&'a dyn Crew>,
}

/// Lets the jobs of a run begin.
pub trait Gate: Sync {
    /// Waits until one more job may begin, or until `stop` is set.
    fn enter(&self, stop: &AtomicBool);

    /// A job that was let in is over.
    fn leave(&self);
}

/// Work whose jobs wait at the gate.
pub struct Gated<'a, W> {
    /// The work itself.
    pub work: &'a W,
    /// With what it is done.
    pub means: &'a Means<'a>,
}

impl<W: Work> Work for Gated<'_, W> {
    type Worker = W::Worker;
    type Output = W::Output;

    fn worker(&self) -> W::Worker {
        self.work.worker()
    }

    fn job(&self, worker: &mut W::Worker, number: u64) -> W::Output {
        let _inside = self.means.gate.map(|gate| Inside::new(gate, self.means.stop));
        self.work.job(worker, number)
    }
}

/// A job that was let in; it leaves however it ends.
struct Inside<'a>(&'a dyn Gate);

impl<'a> Inside<'a> {
    fn new(gate: &'a dyn Gate, stop: &AtomicBool) -> Self {
        gate.enter(stop);
        Inside(gate)
    }
}

impl Drop for Inside<'_> {
    fn drop(&mut self) {
        self.0.leave();
    }
}
