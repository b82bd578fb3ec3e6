//! What a learning has done by now, under names that say all it depends on: done on all
//! threads, in the store as soon as it is there, and never done twice.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::atomic::Ordering;

use ludion::arena::executor::{Executor, JobSet, ResultSink, ThreadExecutor};
use ludion_store::Store;

use crate::CommandContext;
use crate::failure::CommandFailure;
use crate::progress::ProgressLine;
use crate::runs::interrupt;

/// What it is kept as.
const KIND: &str = "learn";

/// What is known: to this program, and to the store if there is one.
#[derive(Default)]
pub(super) struct KnownOutputs {
    pub(super) store: Option<Store>,
}

/// Work whose outputs are bytes, and what to call it.
pub(super) struct ByteJobs<'a, W> {
    pub(super) work: &'a W,
    /// Begins the names of its outputs.
    pub(super) name: &'a str,
    pub(super) jobs: u64,
    /// In a few words, for whoever waits.
    pub(super) what: &'a str,
}

impl KnownOutputs {
    pub(super) fn new(store: Option<Store>) -> Self {
        KnownOutputs { store }
    }

    /// The bytes kept under this name; nothing where they were dropped.
    pub(super) fn recall(&self, name: &str) -> Result<Option<Vec<u8>>, CommandFailure> {
        let Some(store) = &self.store else { return Ok(None) };
        Ok(store.keepsake(KIND, name)?.filter(|bytes| !bytes.is_empty()))
    }

    pub(super) fn keep(&mut self, name: &str, bytes: &[u8]) -> Result<(), CommandFailure> {
        if let Some(store) = &mut self.store {
            store.keep_keepsake(KIND, name, bytes)?;
        }
        Ok(())
    }

    /// Lets go of the outputs of a task that nobody will ask for again.
    pub(super) fn drop_outputs(&mut self, name: &str, jobs: u64) -> Result<(), CommandFailure> {
        for job in 0..jobs {
            if self.recall(&of_job(name, job))?.is_some() {
                self.keep(&of_job(name, job), &[])?;
            }
        }
        Ok(())
    }

    /// The outputs of all jobs in their order; what is not known is done. `None` when somebody
    /// stopped it.
    pub(super) fn outputs<W: JobSet<Output = Vec<u8>>>(
        &mut self,
        context: &CommandContext,
        task: &ByteJobs<'_, W>,
    ) -> Result<Option<Vec<Vec<u8>>>, CommandFailure> {
        let mut known = HashMap::new();
        for job in 0..task.jobs {
            if let Some(bytes) = self.recall(&of_job(task.name, job))? {
                known.insert(job, bytes);
            }
        }
        let missing: Vec<u64> = (0..task.jobs).filter(|job| !known.contains_key(job)).collect();
        let stop = interrupt::flag();
        let mut keeper = OutputKeeper {
            memory: self,
            known,
            task: (task.name, task.what, task.jobs),
            progress: ProgressLine::new(!context.output.json),
            failure: None,
        };
        ThreadExecutor(context.threads).execute(
            task.work,
            &mut missing.into_iter(),
            stop,
            &mut keeper,
        );
        keeper.progress.clear();
        let OutputKeeper { mut known, failure, .. } = keeper;
        if let Some(failure) = failure {
            return Err(failure);
        }
        if stop.load(Ordering::Relaxed) {
            return Ok(None);
        }
        Ok((0..task.jobs).map(|job| known.remove(&job)).collect())
    }
}

fn of_job(name: &str, job: u64) -> String {
    format!("{name}, part {job}")
}

/// Keeps outputs as they arrive.
struct OutputKeeper<'a> {
    memory: &'a mut KnownOutputs,
    known: HashMap<u64, Vec<u8>>,
    /// Name, words, number of jobs.
    task: (&'a str, &'a str, u64),
    progress: ProgressLine,
    failure: Option<CommandFailure>,
}

impl ResultSink<Vec<u8>> for OutputKeeper<'_> {
    fn arrived(&mut self, done: &[(u64, Vec<u8>)]) {
        for (job, bytes) in done {
            if self.failure.is_none() {
                self.failure = self.memory.keep(&of_job(self.task.0, *job), bytes).err();
            }
        }
    }

    fn next(&mut self, job: u64, bytes: Vec<u8>) -> ControlFlow<()> {
        self.known.insert(job, bytes);
        let (_, what, jobs) = self.task;
        self.progress.show(self.known.len() as u64, jobs, || what.to_owned());
        if self.failure.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}
