//! What runs are conducted with: names, threads or others elsewhere, a flag to stop by, and a gate
//! for machines that do other things besides.

use std::sync::atomic::AtomicBool;

use ludion::arena::executor::JobSet;
use ludion::registry::Registry;

use crate::cluster::Cluster;

/// What a run is conducted with.
#[derive(Clone, Copy)]
pub struct RunContext<'a> {
    /// Games and players by name.
    pub registry: &'a Registry,
    /// How many threads work at it.
    pub threads: usize,
    /// Set by whoever wants it to stop after what is under way, and when the store fails.
    pub stop: &'a AtomicBool,
    /// Who says when a job may begin; nobody where the machine does nothing else.
    pub gate: Option<&'a dyn JobGate>,
    /// Who does the jobs in the place of those threads; nobody where one machine is enough.
    pub cluster: Option<&'a dyn Cluster>,
}

/// Lets the jobs of a run begin.
pub trait JobGate: Sync {
    /// Waits until one more job may begin, or until `stop` is set.
    fn enter(&self, stop: &AtomicBool);

    /// A job that was let in is over.
    fn leave(&self);
}

/// Work whose jobs wait at the gate.
pub struct GatedJobs<'a, W> {
    /// The work itself.
    pub work: &'a W,
    /// With what it is done.
    pub run_context: &'a RunContext<'a>,
}

impl<W: JobSet> JobSet for GatedJobs<'_, W> {
    type Worker = W::Worker;
    type Output = W::Output;

    fn worker(&self) -> W::Worker {
        self.work.worker()
    }

    fn job(&self, worker: &mut W::Worker, number: u64) -> W::Output {
        let _inside = self.run_context.gate.map(|gate| GateGuard::new(gate, self.run_context.stop));
        self.work.job(worker, number)
    }
}

/// A job that was let in; it leaves however it ends.
struct GateGuard<'a>(&'a dyn JobGate);

impl<'a> GateGuard<'a> {
    fn new(gate: &'a dyn JobGate, stop: &AtomicBool) -> Self {
        gate.enter(stop);
        GateGuard(gate)
    }
}

impl Drop for GateGuard<'_> {
    fn drop(&mut self) {
        self.0.leave();
    }
}
