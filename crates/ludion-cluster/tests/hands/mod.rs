//! Jobs for tests, squares, with those who do them, conduct them and keep them.

#![allow(dead_code, reason = "every test file uses some of it")]

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{Scope, sleep};
use std::time::Duration;

use ludion_cluster::{
    Coordinator, CoordinatorOptions, Credentials, OpenReceivedJob, ReceivedJob, ServerAddress,
    Worker,
};
use ludion_runs::cluster::{Cluster, JobSpec, ResultReceiver};
use ludion_runs::remote::{JobFn, OpenedJobSet};

pub(crate) const VERSION: &str = "1.2.3";

/// What a worker makes of a job.
pub(crate) type Answer = fn(u64) -> Result<Vec<u8>, String>;

pub(crate) struct Squares(pub(crate) Answer);

impl OpenedJobSet for Squares {
    fn job_fn(self: Arc<Self>) -> JobFn {
        Box::new(move |job| (self.0)(job))
    }
}

pub(crate) fn square(job: u64) -> Result<Vec<u8>, String> {
    Ok((job * job).to_le_bytes().to_vec())
}

/// A square that takes its time.
pub(crate) fn some_work(job: u64) -> Result<Vec<u8>, String> {
    sleep(Duration::from_millis(2));
    square(job)
}

pub(crate) fn opener(answer: Answer) -> OpenReceivedJob {
    Box::new(move |handed: ReceivedJob<'_>| match handed.kind {
        "squares" => Ok(Arc::new(Squares(answer))),
        kind => Err(format!("nobody here knows {kind}")),
    })
}

/// Stops the workers of a test, however it ends.
pub(crate) struct Shift<'a>(pub(crate) &'a AtomicBool);

impl Drop for Shift<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

pub(crate) fn hire<'s>(
    scope: &'s Scope<'s, '_>,
    (name, version): (&str, &str),
    url: &str,
    folder: &Path,
    opener: OpenReceivedJob,
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

/// Keeps results, of which no job may have two.
#[derive(Default)]
pub(crate) struct Kept {
    pub(crate) results: BTreeMap<u64, u64>,
    pub(crate) enough: Option<usize>,
}

impl ResultReceiver for Kept {
    fn receive(&mut self, results: &[(u64, &[u8])]) -> Result<ControlFlow<()>, String> {
        let read = |bytes: &[u8]| bytes.try_into().map(u64::from_le_bytes);
        let good = results.iter().all(|(job, bytes)| read(bytes).is_ok_and(|n| n == job * job));
        if !good {
            return Err("a square is wrong".to_owned());
        }
        for (job, bytes) in results {
            let twice = self.results.insert(*job, read(bytes).expect("a number"));
            assert_eq!(twice, None, "job {job} was taken twice");
        }
        let enough = self.enough.is_some_and(|enough| self.results.len() >= enough);
        Ok(if enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    }
}

impl Kept {
    pub(crate) fn check(&self, jobs: u64) {
        assert_eq!(self.results, (0..jobs).map(|job| (job, job * job)).collect());
    }
}

pub(crate) fn order(jobs: u64) -> JobSpec {
    let (kind, about) = ("squares".to_owned(), "a test".to_owned());
    JobSpec { kind, about, jobs, done: 0, spec: vec![1, 2, 3], attachments: Vec::new() }
}

pub(crate) type Remarks = Arc<Mutex<Vec<String>>>;

pub(crate) fn coordinator(url: &str, options: CoordinatorOptions) -> (Coordinator, Remarks) {
    let remarks = Remarks::default();
    let heard = Arc::clone(&remarks);
    let remark = Box::new(move |said: &str| heard.lock().expect("a list").push(said.to_owned()));
    let address = url.parse().expect("an address");
    let made = Coordinator::connect(&address, &Credentials::default(), options, remark);
    (made.expect("a server"), remarks)
}

pub(crate) fn run(cluster: &Coordinator, jobs: u64) -> Kept {
    let mut kept = Kept::default();
    cluster
        .execute(&order(jobs), &mut (0..jobs), &AtomicBool::new(false), &mut kept)
        .expect("a run");
    kept
}
