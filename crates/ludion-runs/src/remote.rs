//! Runs jobs on threads or on a cluster, with the same results. A run calls [`execute`], which
//! sends its jobs as a [`JobSpec`]; a worker opens the spec with a [`JobHandler`] and runs the
//! jobs. Results are encoded with `postcard`.

use std::collections::{HashMap, VecDeque};
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ludion_players::arena::executor::{Executor, JobSet, ResultSink, ThreadExecutor};
use ludion_players::assets::Assets;
use ludion_players::memory;
use ludion_players::plain_words::plain_message;
use ludion_players::registry::Registry;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::cluster::{JobSpec, ResultReceiver};
use crate::residuals::ResultClass;
use crate::{GatedJobs, RunContext, RunError};

/// Job set that can also be run by workers.
pub trait RemoteJobSet: JobSet<Output: Serialize + DeserializeOwned> {
    /// Serialises the jobs for workers.
    ///
    /// # Errors
    /// When the jobs cannot be serialised or an attachment cannot be read.
    fn job_spec(&self) -> Result<JobSpec, RunError>;

    /// Returns whether `output` can be the output of this job; a faulty worker may send anything.
    fn accepts(&self, number: u64, output: &Self::Output) -> bool;

    /// Returns the class of an output, by which the workers of a run are compared; `None` if outputs
    /// have no classes.
    fn classify(&self, _number: u64, _output: &Self::Output) -> Option<ResultClass> {
        None
    }
}

/// Runs jobs on the cluster, or on threads if there is no cluster, and passes the results to
/// `sink`. `done` is the number of jobs done in earlier sessions, which count in the reported
/// progress.
///
/// # Errors
/// When the cluster cannot run the jobs.
pub fn execute<W: RemoteJobSet>(
    run_context: &RunContext<'_>,
    work: &W,
    done: u64,
    jobs: &mut (dyn Iterator<Item = u64> + Send),
    sink: &mut dyn ResultSink<W::Output>,
) -> Result<(), RunError> {
    let Some(cluster) = run_context.cluster else {
        return ThreadExecutor(run_context.threads)
            .execute(&GatedJobs { work, run_context }, jobs, run_context.stop, sink)
            .map_err(|error| RunError::Failed(error.to_string()));
    };
    let mut jobs = jobs.peekable();
    if jobs.peek().is_none() {
        return Ok(());
    }
    let outstanding = Mutex::new(OutstandingJobs::default());
    // Hand out no further job while too many bytes of results wait for a slow job; that job still
    // runs.
    let mut handed_out = std::iter::from_fn(|| {
        let mut outstanding = lock(&outstanding);
        let has_room = outstanding.waiting_bytes < MAX_WAITING_BYTES;
        let number = if has_room { jobs.next()? } else { return None };
        outstanding.numbers.push_back(number);
        Some(number)
    });
    let mut results = OrderedResults {
        work,
        outstanding: &outstanding,
        waiting: HashMap::new(),
        classes: Vec::new(),
        sink,
    };
    let spec = JobSpec { done, ..work.job_spec()? };
    cluster.execute(&spec, &mut handed_out, run_context.stop, &mut results)
}

/// Limit on the bytes of results that wait because a job handed out before theirs is not done.
const MAX_WAITING_BYTES: usize = 64 << 20;

/// Jobs that were handed out and whose results were not yet passed to the sink, in the order of
/// handing out.
#[derive(Default)]
struct OutstandingJobs {
    numbers: VecDeque<u64>,
    /// Bytes of results that wait for the result of the first job in `numbers`.
    waiting_bytes: usize,
}

fn lock(outstanding: &Mutex<OutstandingJobs>) -> MutexGuard<'_, OutstandingJobs> {
    outstanding.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Decodes results of workers and passes them to the sink in the order in which the jobs were
/// handed out.
struct OrderedResults<'a, W: RemoteJobSet> {
    work: &'a W,
    outstanding: &'a Mutex<OutstandingJobs>,
    /// Results that wait for those of jobs handed out earlier, by job number, with their encoded
    /// size in bytes.
    waiting: HashMap<u64, (W::Output, usize)>,
    /// Classes of the results that were accepted last.
    classes: Vec<ResultClass>,
    sink: &'a mut dyn ResultSink<W::Output>,
}

impl<W: RemoteJobSet> ResultReceiver for OrderedResults<'_, W> {
    fn receive(&mut self, results: &[(u64, &[u8])]) -> Result<ControlFlow<()>, String> {
        self.classes.clear();
        let mut done = Vec::with_capacity(results.len());
        for &(number, bytes) in results {
            let output: W::Output = postcard::from_bytes(bytes)
                .map_err(|error| format!("the result of job {number} does not read: {error}"))?;
            if !self.work.accepts(number, &output) {
                return Err(format!(
                    "the result of job {number} is not one that this job can have"
                ));
            }
            done.push((number, output));
        }
        let classify = |(number, output): &(u64, W::Output)| self.work.classify(*number, output);
        self.classes.extend(done.iter().filter_map(classify));
        self.sink.arrived(&done);
        for ((number, output), (_, bytes)) in done.into_iter().zip(results) {
            lock(self.outstanding).waiting_bytes += bytes.len();
            self.waiting.insert(number, (output, bytes.len()));
        }
        loop {
            let next = lock(self.outstanding).numbers.front().copied();
            let next = next.and_then(|number| self.waiting.remove_entry(&number));
            let Some((number, (output, bytes))) = next else {
                return Ok(ControlFlow::Continue(()));
            };
            {
                let mut outstanding = lock(self.outstanding);
                outstanding.numbers.pop_front();
                outstanding.waiting_bytes -= bytes;
            }
            if self.sink.next(number, output).is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
    }

    fn classes(&self) -> &[ResultClass] {
        &self.classes
    }
}

/// A kind of work with the function that opens job specs of this kind on a worker.
#[derive(Clone, Copy)]
pub struct JobHandler {
    /// Kind of work, as in [`JobSpec::kind`].
    pub kind: &'static str,
    /// Function that decodes [`JobSpec::spec`] and opens the job set.
    pub open: OpenJobSet,
}

/// Function that opens the job set of an encoded spec. The assets hold the attached models and data
/// files.
pub type OpenJobSet = fn(&Registry, &Assets, &[u8]) -> Result<Arc<dyn OpenedJobSet>, RunError>;

/// Job set that was opened from a spec, type-erased.
pub trait OpenedJobSet: Send + Sync {
    /// Returns a function that runs jobs of the set; must be called on the thread that will run
    /// them.
    fn job_fn(self: Arc<Self>) -> JobFn;
}

/// Function that runs the job with the given number; returns the encoded result, or a message that
/// says why the job failed. It may return `None` once the flag is set: then the job is dropped.
pub type JobFn = Box<dyn FnMut(u64, &AtomicBool) -> Option<Result<Vec<u8>, String>>>;

/// Implementation of [`OpenedJobSet`] that serialises the outputs of a job set.
struct SerialisedJobSet<W: JobSet> {
    work: W,
    refusal: fn(&W::Output) -> Option<String>,
}

/// Type-erases a job set, so that a worker can run it.
pub fn opened_job_set<W>(work: W) -> Arc<dyn OpenedJobSet>
where
    W: JobSet<Output: Serialize> + Send + 'static,
{
    opened_fallible_job_set(work, |_| None)
}

/// Type-erases a job set of which some outputs stand for errors: `refusal` returns the error
/// message of such an output, and `None` for a real result.
pub fn opened_fallible_job_set<W>(
    work: W,
    refusal: fn(&W::Output) -> Option<String>,
) -> Arc<dyn OpenedJobSet>
where
    W: JobSet<Output: Serialize> + Send + 'static,
{
    Arc::new(SerialisedJobSet { work, refusal })
}

impl<W: JobSet<Output: Serialize> + Send + 'static> OpenedJobSet for SerialisedJobSet<W> {
    fn job_fn(self: Arc<Self>) -> JobFn {
        let mut idle = None;
        Box::new(move |number, stop| {
            // If the job panics, or its tables do not fit in memory, the worker is dropped and the
            // next job makes a new one.
            memory::forget_shortage();
            let mut worker = idle.take().unwrap_or_else(|| self.work.worker());
            let job = || self.work.job(&mut worker, number, stop);
            let Ok(output) = catch_unwind(AssertUnwindSafe(job)) else {
                return Some(Err(format!("job {number} panicked")));
            };
            if memory::is_short() {
                return Some(Err(memory::SHORTAGE.to_owned()));
            }
            idle = Some(worker);
            let output = output?;
            Some((self.refusal)(&output).map_or_else(|| encode_output(number, &output), Err))
        })
    }
}

fn encode_output(number: u64, output: &impl Serialize) -> Result<Vec<u8>, String> {
    postcard::to_stdvec(output)
        .map_err(|error| format!("the result of job {number} cannot be sent: {error}"))
}

/// Decodes the `spec` of a [`JobSpec`].
///
/// # Errors
/// When the bytes are not a spec of type `T`.
pub fn decode_spec<T: DeserializeOwned>(spec: &[u8]) -> Result<T, RunError> {
    serde_json::from_slice(spec).map_err(|error| {
        RunError::Failed(format!(
            "the job spec does not read: {}",
            plain_message(&error.to_string())
        ))
    })
}

/// Encodes the `spec` of a [`JobSpec`].
///
/// # Errors
/// When the spec cannot be written as JSON.
pub fn encode_spec(spec: &impl Serialize) -> Result<Vec<u8>, RunError> {
    serde_json::to_vec(spec).map_err(|error| {
        RunError::Failed(format!("the job spec cannot be written as JSON: {error}"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::{Cluster, ClusterStatus};

    /// Job set whose outputs are one megabyte each.
    struct LargeOutputs;

    impl JobSet for LargeOutputs {
        type Worker = ();
        /// Text, because a vector of bytes is encoded byte by byte.
        type Output = (u64, String);

        fn worker(&self) {}

        fn job(&self, (): &mut (), number: u64, _: &AtomicBool) -> Option<(u64, String)> {
            Some((number, "7".repeat(1 << 20)))
        }
    }

    impl RemoteJobSet for LargeOutputs {
        fn job_spec(&self) -> Result<JobSpec, RunError> {
            let (kind, about) = ("heavy".to_owned(), String::new());
            Ok(JobSpec {
                kind,
                about,
                jobs: 200,
                done: 0,
                series: None,
                spec: Vec::new(),
                attachments: Vec::new(),
            })
        }

        fn accepts(&self, number: u64, output: &(u64, String)) -> bool {
            output.0 == number
        }

        fn classify(&self, number: u64, _output: &(u64, String)) -> Option<ResultClass> {
            Some(ResultClass { group: number as u32, class: 2 })
        }
    }

    /// Cluster that runs the first job last, after all others that are handed out.
    struct SlowFirstJob;

    impl Cluster for SlowFirstJob {
        fn execute(
            &self,
            _spec: &JobSpec,
            jobs: &mut (dyn Iterator<Item = u64> + Send),
            _stop: &AtomicBool,
            receiver: &mut dyn ResultReceiver,
        ) -> Result<(), RunError> {
            let done = |job| {
                let output = LargeOutputs.job(&mut (), job, &AtomicBool::new(false));
                postcard::to_stdvec(&output.expect("an output")).expect("bytes")
            };
            let first = jobs.next().expect("jobs");
            let mut others = 0;
            for job in &mut *jobs {
                others += 1;
                assert!(receiver.receive(&[(job, &done(job))]).expect("a result").is_continue());
            }
            assert!((60..70).contains(&others), "{others} megabytes wait for the first");
            let wrong = receiver.receive(&[(first, &done(first + 1))]).expect_err("another job's");
            assert_eq!(wrong, "the result of job 0 is not one that this job can have");
            assert_eq!(receiver.classes(), [], "no result was accepted");
            assert!(receiver.receive(&[(first, &done(first))]).expect("a result").is_continue());
            assert_eq!(receiver.classes(), [ResultClass { group: 0, class: 2 }]);
            for job in jobs {
                assert!(receiver.receive(&[(job, &done(job))]).expect("a result").is_continue());
            }
            Ok(())
        }

        fn status(&self) -> Result<ClusterStatus, RunError> {
            Ok(ClusterStatus::default())
        }
    }

    #[test]
    fn no_job_is_handed_out_while_too_many_bytes_wait_for_a_slow_one() {
        let (registry, stop) = (ludion::registry::standard(), AtomicBool::new(false));
        let cluster: Option<&dyn Cluster> = Some(&SlowFirstJob);
        let run_context =
            RunContext { registry: &registry, threads: 1, stop: &stop, gate: None, cluster };
        let mut order = Vec::new();
        let mut sink = |number: u64, _: (u64, String)| {
            order.push(number);
            ControlFlow::Continue(())
        };
        execute(&run_context, &LargeOutputs, 0, &mut (0..200), &mut sink).expect("a run");
        assert_eq!(order, (0..200).collect::<Vec<_>>());
    }
}
