//! Jobs done here or elsewhere, with the same results: [`execute`] has them done on threads, or
//! by a crew to whom the work is written down; [`JobHandler`] is the other side, which opens what was
//! written and does one job after the other. Results travel in the encoding of `postcard`.

use std::collections::{HashMap, VecDeque};
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ludion::arena::executor::{Executor, JobSet, ResultSink, ThreadExecutor};
use ludion::assets::Assets;
use ludion::registry::Registry;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::cluster::{JobSpec, ResultReceiver};
use crate::{GatedJobs, RunContext, RunError};

/// Work that can be asked of others.
pub trait RemoteJobSet: JobSet<Output: Serialize + DeserializeOwned> {
    /// The work written down.
    ///
    /// # Errors
    /// When it cannot be.
    fn order(&self) -> Result<JobSpec, RunError>;

    /// Whether this can be what the job gives: others may answer anything.
    fn fits(&self, number: u64, output: &Self::Output) -> bool;
}

/// Has jobs done by whoever the means name, and gives their results to `sink`; `done` of the work
/// were done before.
///
/// # Errors
/// When others are to do them and cannot.
pub fn execute<W: RemoteJobSet>(
    run_context: &RunContext<'_>,
    work: &W,
    done: u64,
    jobs: &mut (dyn Iterator<Item = u64> + Send),
    sink: &mut dyn ResultSink<W::Output>,
) -> Result<(), RunError> {
    let Some(cluster) = run_context.cluster else {
        ThreadExecutor(run_context.threads).execute(
            &GatedJobs { work, run_context },
            jobs,
            run_context.stop,
            sink,
        );
        return Ok(());
    };
    let mut jobs = jobs.peekable();
    if jobs.peek().is_none() {
        return Ok(());
    }
    let row = Mutex::new(OutstandingJobs::default());
    // No job is asked for while too much waits for a slow one: that one is still under way.
    let mut noted = std::iter::from_fn(|| {
        let mut row = lock(&row);
        let number = if row.bytes < MAX_WAITING { jobs.next()? } else { return None };
        row.asked.push_back(number);
        Some(number)
    });
    let mut counter = OrderedResults { work, row: &row, waiting: HashMap::new(), sink };
    let order = JobSpec { done, ..work.order()? };
    cluster.execute(&order, &mut noted, run_context.stop, &mut counter)
}

/// The most bytes of results that wait for those of jobs that were asked for before them.
const MAX_WAITING: usize = 64 << 20;

/// Jobs that were asked for and whose results were not handed over, in their order.
#[derive(Default)]
struct OutstandingJobs {
    asked: VecDeque<u64>,
    /// The bytes of results that wait.
    bytes: usize,
}

fn lock(row: &Mutex<OutstandingJobs>) -> MutexGuard<'_, OutstandingJobs> {
    row.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Reads results and hands them over in the order in which the jobs were asked for.
struct OrderedResults<'a, W: RemoteJobSet> {
    work: &'a W,
    row: &'a Mutex<OutstandingJobs>,
    /// Results that wait, with their bytes.
    waiting: HashMap<u64, (W::Output, usize)>,
    sink: &'a mut dyn ResultSink<W::Output>,
}

impl<W: RemoteJobSet> ResultReceiver for OrderedResults<'_, W> {
    fn take(&mut self, results: &[(u64, &[u8])]) -> Result<ControlFlow<()>, String> {
        let mut done = Vec::with_capacity(results.len());
        for &(number, bytes) in results {
            let output: W::Output = postcard::from_bytes(bytes)
                .map_err(|error| format!("the result of job {number} does not read: {error}"))?;
            if !self.work.fits(number, &output) {
                return Err(format!("the result of job {number} is none that this job can have"));
            }
            done.push((number, output));
        }
        self.sink.arrived(&done);
        for ((number, output), (_, bytes)) in done.into_iter().zip(results) {
            lock(self.row).bytes += bytes.len();
            self.waiting.insert(number, (output, bytes.len()));
        }
        loop {
            let next = lock(self.row).asked.front().copied();
            let next = next.and_then(|number| self.waiting.remove_entry(&number));
            let Some((number, (output, bytes))) = next else {
                return Ok(ControlFlow::Continue(()));
            };
            {
                let mut row = lock(self.row);
                row.asked.pop_front();
                row.bytes -= bytes;
            }
            if self.sink.next(number, output).is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
    }
}

/// How work of one kind is opened by those who do it.
#[derive(Clone, Copy)]
pub struct JobHandler {
    /// The kind, as orders name it.
    pub kind: &'static str,
    /// Opens what was written down; models and data are found on the shelf.
    pub open: OpenJobSet,
}

/// Opens work that was written down.
pub type OpenJobSet = fn(&Registry, &Assets, &[u8]) -> Result<Arc<dyn OpenedJobSet>, RunError>;

/// Work that was opened, its type forgotten.
pub trait OpenedJobSet: Send + Sync {
    /// A hand that does jobs; to be made on the thread that will use it.
    fn hand(self: Arc<Self>) -> JobFn;
}

/// Does the job with a number: its result in bytes, or a sentence why there is none.
pub type JobFn = Box<dyn FnMut(u64) -> Result<Vec<u8>, String>>;

/// Work whose results are written down.
struct SerialisedJobSet<W: JobSet> {
    work: W,
    refusal: fn(&W::Output) -> Option<String>,
}

/// Work that was opened, for any thread.
pub fn opened_job_set<W>(work: W) -> Arc<dyn OpenedJobSet>
where
    W: JobSet<Output: Serialize> + Send + 'static,
{
    opened_job_set_unless(work, |_| None)
}

/// The same, where some outputs are no results but say why there is none.
pub fn opened_job_set_unless<W>(
    work: W,
    refusal: fn(&W::Output) -> Option<String>,
) -> Arc<dyn OpenedJobSet>
where
    W: JobSet<Output: Serialize> + Send + 'static,
{
    Arc::new(SerialisedJobSet { work, refusal })
}

impl<W: JobSet<Output: Serialize> + Send + 'static> OpenedJobSet for SerialisedJobSet<W> {
    fn hand(self: Arc<Self>) -> JobFn {
        let mut worker = None;
        Box::new(move |number| {
            let mut hand = worker.take().unwrap_or_else(|| self.work.worker());
            // A hand that panicked is not used again.
            let output = catch_unwind(AssertUnwindSafe(|| self.work.job(&mut hand, number)))
                .map_err(|_| format!("job {number} panicked"))?;
            worker = Some(hand);
            (self.refusal)(&output).map_or(Ok(()), Err)?;
            postcard::to_stdvec(&output)
                .map_err(|error| format!("the result of job {number} cannot be sent: {error}"))
        })
    }
}

/// Reads what was written down.
///
/// # Errors
/// When it is something else.
pub fn read<T: DeserializeOwned>(spec: &[u8]) -> Result<T, RunError> {
    serde_json::from_slice(spec)
        .map_err(|error| RunError::Failed(format!("the order does not read: {error}")))
}

/// Writes down what work is.
///
/// # Errors
/// When it cannot be written.
pub fn write(spec: &impl Serialize) -> Result<Vec<u8>, RunError> {
    serde_json::to_vec(spec)
        .map_err(|error| RunError::Failed(format!("the order is no JSON: {error}")))
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::cluster::{Cluster, ClusterStatus};

    /// Jobs that give a megabyte each.
    struct LargeOutputs;

    impl JobSet for LargeOutputs {
        type Worker = ();
        type Output = (u64, Vec<u8>);

        fn worker(&self) {}

        fn job(&self, (): &mut (), number: u64) -> (u64, Vec<u8>) {
            (number, vec![7; 1 << 20])
        }
    }

    impl RemoteJobSet for LargeOutputs {
        fn order(&self) -> Result<JobSpec, RunError> {
            let (kind, about) = ("heavy".to_owned(), String::new());
            Ok(JobSpec {
                kind,
                about,
                jobs: 200,
                done: 0,
                spec: Vec::new(),
                attachments: Vec::new(),
            })
        }

        fn fits(&self, number: u64, output: &(u64, Vec<u8>)) -> bool {
            output.0 == number
        }
    }

    /// Does all jobs it is given but the first, and that one when it is given no more.
    struct SlowFirstJob;

    impl Cluster for SlowFirstJob {
        fn execute(
            &self,
            _order: &JobSpec,
            jobs: &mut (dyn Iterator<Item = u64> + Send),
            _stop: &AtomicBool,
            receiver: &mut dyn ResultReceiver,
        ) -> Result<(), RunError> {
            let done = |job| postcard::to_stdvec(&LargeOutputs.job(&mut (), job)).expect("bytes");
            let first = jobs.next().expect("jobs");
            let mut others = 0;
            for job in &mut *jobs {
                others += 1;
                assert!(receiver.take(&[(job, &done(job))]).expect("a result").is_continue());
            }
            assert!((60..70).contains(&others), "{others} megabytes wait for the first");
            let wrong = receiver.take(&[(first, &done(first + 1))]).expect_err("another job's");
            assert_eq!(wrong, "the result of job 0 is none that this job can have");
            assert!(receiver.take(&[(first, &done(first))]).expect("a result").is_continue());
            for job in jobs {
                assert!(receiver.take(&[(job, &done(job))]).expect("a result").is_continue());
            }
            Ok(())
        }

        fn status(&self) -> Result<ClusterStatus, RunError> {
            Ok(ClusterStatus::default())
        }
    }

    #[test]
    fn no_job_is_asked_for_while_too_much_waits_for_a_slow_one() {
        let (registry, stop) = (Registry::standard(), AtomicBool::new(false));
        let cluster: Option<&dyn Cluster> = Some(&SlowFirstJob);
        let run_context =
            RunContext { registry: &registry, threads: 1, stop: &stop, gate: None, cluster };
        let mut order = Vec::new();
        let mut sink = |number: u64, _: (u64, Vec<u8>)| {
            order.push(number);
            ControlFlow::Continue(())
        };
        execute(&run_context, &LargeOutputs, 0, &mut (0..200), &mut sink).expect("a run");
        assert_eq!(order, (0..200).collect::<Vec<_>>());
    }
}
