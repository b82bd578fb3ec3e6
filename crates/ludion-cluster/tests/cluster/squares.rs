//! Jobs for tests, which square their number: with a coordinator and workers that run them, and a
//! receiver that checks the results.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{Scope, sleep};
use std::time::Duration;

use ludion_cluster::{
    Coordinator, CoordinatorOptions, Credentials, JobSetOpener, ReceivedJobSpec, ServerAddress,
    Worker,
};
use ludion_runs::cluster::{Cluster, JobSpec, ResultReceiver};
use ludion_runs::remote::{JobFn, OpenedJobSet};

pub(crate) const VERSION: &str = "1.2.3";

/// Function that a worker runs for a job.
pub(crate) type SquareFn = fn(u64) -> Result<Vec<u8>, String>;

/// Jobs that call a function.
pub(crate) struct Squares(pub(crate) SquareFn);

impl OpenedJobSet for Squares {
    fn job_fn(self: Arc<Self>) -> JobFn {
        Box::new(move |job, _| Some((self.0)(job)))
    }
}

pub(crate) fn square(job: u64) -> Result<Vec<u8>, String> {
    Ok((job * job).to_le_bytes().to_vec())
}

/// Squares a number in two milliseconds.
pub(crate) fn slow_square(job: u64) -> Result<Vec<u8>, String> {
    sleep(Duration::from_millis(2));
    square(job)
}

/// Opens job specifications of the kind `squares`.
pub(crate) fn opener(square: SquareFn) -> JobSetOpener {
    Box::new(move |spec: ReceivedJobSpec<'_>| match spec.kind {
        "squares" => Ok(Arc::new(Squares(square))),
        kind => Err(format!("the kind {kind} is unknown")),
    })
}

/// Stops the workers of a test when it ends, even by a panic.
pub(crate) struct StopOnDrop<'a>(pub(crate) &'a AtomicBool);

impl Drop for StopOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Starts a worker with two threads.
pub(crate) fn start_worker<'s>(
    scope: &'s Scope<'s, '_>,
    (name, version): (&str, &str),
    url: &str,
    folder: &Path,
    opener: JobSetOpener,
    stop: &'s AtomicBool,
) {
    let worker = Worker {
        name: name.to_owned(),
        version: version.to_owned(),
        threads: 2,
        folder: folder.join(name),
        opener,
    };
    let address: ServerAddress = url.parse().expect("an address");
    scope.spawn(move || worker.run(&address, &Credentials::default(), stop, &|_| ()));
}

/// Receiver of results that checks them and panics if a job has two.
#[derive(Default)]
pub(crate) struct CheckedResults {
    pub(crate) results: BTreeMap<u64, u64>,
    /// Number of results after which it wants no more.
    pub(crate) limit: Option<usize>,
}

impl ResultReceiver for CheckedResults {
    fn receive(&mut self, results: &[(u64, &[u8])]) -> Result<ControlFlow<()>, String> {
        let read = |bytes: &[u8]| bytes.try_into().map(u64::from_le_bytes);
        let correct = results.iter().all(|(job, bytes)| read(bytes).is_ok_and(|n| n == job * job));
        if !correct {
            return Err("a square is wrong".to_owned());
        }
        for (job, bytes) in results {
            let previous = self.results.insert(*job, read(bytes).expect("a number"));
            assert_eq!(previous, None, "job {job} has two results");
        }
        let full = self.limit.is_some_and(|limit| self.results.len() >= limit);
        Ok(if full { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    }
}

impl CheckedResults {
    /// Checks that all jobs below `jobs` have results, and no others.
    pub(crate) fn check(&self, jobs: u64) {
        assert_eq!(self.results.len() as u64, jobs, "the number of results");
        assert!(self.results.iter().zip(0..jobs).all(|((&job, &n), i)| job == i && n == i * i));
    }
}

pub(crate) fn job_spec(jobs: u64) -> JobSpec {
    let (kind, about) = ("squares".to_owned(), "a test".to_owned());
    let (spec, attachments) = (vec![1, 2, 3], Vec::new());
    JobSpec { kind, about, jobs, done: 0, series: None, spec, attachments }
}

pub(crate) type Notices = Arc<Mutex<Vec<String>>>;

/// Connects a coordinator, and returns it with the list of its notices.
pub(crate) fn coordinator(url: &str, options: CoordinatorOptions) -> (Coordinator, Notices) {
    let notices = Notices::default();
    let list = Arc::clone(&notices);
    let on_notice = Box::new(move |text: &str| list.lock().expect("a list").push(text.to_owned()));
    let address = url.parse().expect("an address");
    let connected = Coordinator::connect(&address, &Credentials::default(), options, on_notice);
    (connected.expect("a server"), notices)
}

/// Runs the jobs below `jobs`.
pub(crate) fn run(cluster: &Coordinator, jobs: u64) -> CheckedResults {
    let mut received = CheckedResults::default();
    cluster
        .execute(&job_spec(jobs), &mut (0..jobs), &AtomicBool::new(false), &mut received)
        .expect("a run");
    received
}
