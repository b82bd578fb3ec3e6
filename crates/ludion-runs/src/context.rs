//! Resources that a run gets from its caller: the registry, threads or a cluster, a flag that stops
//! it, and a gate that delays its jobs on a machine with other work.

use std::sync::atomic::AtomicBool;

use ludion_players::arena::executor::JobSet;
use ludion_players::registry::Registry;

use crate::cluster::Cluster;

/// Registry, threads or cluster, stop flag and gate that a run uses.
#[derive(Clone, Copy)]
pub struct RunContext<'a> {
    /// The games and players that specs can name.
    pub registry: &'a Registry,
    /// Number of threads that run jobs if there is no cluster.
    pub threads: usize,
    /// Flag that stops the run: jobs that have begun are interrupted and have no result. The run
    /// sets it itself if the store fails.
    pub stop: &'a AtomicBool,
    /// Limits how many jobs run at a time on a machine with other work, or on which cores; `None` for
    /// no limit.
    pub gate: Option<&'a dyn JobGate>,
    /// Cluster that runs the jobs; `None` to run them on threads of this machine.
    pub cluster: Option<&'a dyn Cluster>,
}

/// Decides when the jobs of a run may begin, and on which cores.
pub trait JobGate: Sync {
    /// Called once on every thread before it runs its first job.
    fn thread_started(&self) {}

    /// Blocks until one more job may begin or `stop` is set.
    fn enter(&self, stop: &AtomicBool);

    /// Tells the gate that a job that it let begin is over.
    fn leave(&self);
}

/// Job set whose jobs wait at the gate of the run before they begin.
pub struct GatedJobs<'a, W> {
    /// The jobs to run.
    pub work: &'a W,
    /// The context of the run, with its gate and stop flag.
    pub run_context: &'a RunContext<'a>,
}

impl<W: JobSet> JobSet for GatedJobs<'_, W> {
    type Worker = W::Worker;
    type Output = W::Output;

    fn worker(&self) -> W::Worker {
        if let Some(gate) = self.run_context.gate {
            gate.thread_started();
        }
        self.work.worker()
    }

    fn job(&self, worker: &mut W::Worker, number: u64, stop: &AtomicBool) -> Option<W::Output> {
        let _guard = self.run_context.gate.map(|gate| GateGuard::new(gate, stop));
        self.work.job(worker, number, stop)
    }
}

/// Guard of a job that has passed the gate; calls [`JobGate::leave`] when dropped, even by a panic.
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
