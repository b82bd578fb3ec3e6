//! What a run needs from its surroundings: the registry, threads or a cluster, a flag that stops it,
//! and a gate that delays its jobs on a machine with other work.

use std::sync::atomic::AtomicBool;

use ludion::arena::executor::JobSet;
use ludion::registry::Registry;

use crate::cluster::Cluster;

/// The resources of a run.
#[derive(Clone, Copy)]
pub struct RunContext<'a> {
    /// Games and players by name.
    pub registry: &'a Registry,
    /// Threads that run jobs.
    pub threads: usize,
    /// Stops the run after the jobs that have begun; also set when the store fails.
    pub stop: &'a AtomicBool,
    /// Delays jobs; `None` where the machine has no other work.
    pub gate: Option<&'a dyn JobGate>,
    /// Runs the jobs in place of this machine's threads.
    pub cluster: Option<&'a dyn Cluster>,
}

/// Decides when the jobs of a run may begin.
pub trait JobGate: Sync {
    /// Blocks until one more job may begin or `stop` is set.
    fn enter(&self, stop: &AtomicBool);

    /// Marks a job that entered as ended.
    fn leave(&self);
}

/// A set of jobs, each of which waits at the gate before it begins.
pub struct GatedJobs<'a, W> {
    /// The jobs themselves.
    pub work: &'a W,
    /// The resources of the run, with the gate.
    pub run_context: &'a RunContext<'a>,
}

impl<W: JobSet> JobSet for GatedJobs<'_, W> {
    type Worker = W::Worker;
    type Output = W::Output;

    fn worker(&self) -> W::Worker {
        self.work.worker()
    }

    fn job(&self, worker: &mut W::Worker, number: u64) -> W::Output {
        let _guard = self.run_context.gate.map(|gate| GateGuard::new(gate, self.run_context.stop));
        self.work.job(worker, number)
    }
}

/// A job that entered the gate; leaves it when dropped, even by a panic.
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
