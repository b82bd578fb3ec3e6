//! A worker whose results are valid but differ from those of the others is named, in one run and in a
//! series of short runs.

use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;
use std::thread::sleep;
use std::time::{Duration, Instant};

use ludion_cluster::{Coordinator, CoordinatorOptions};
use ludion_core::random::derive_seed;
use ludion_runs::cluster::{Cluster, JobSpec, ResultReceiver, RunStatus};
use ludion_runs::residuals::{ResultClass, WorkerResidual};

use crate::squares::{
    Notices, SquareFn, StopOnDrop, VERSION, coordinator, job_spec, opener, start_worker,
};
use crate::support::Server;

/// Number of groups of the jobs.
const GROUPS: u64 = 3;

/// Draws the half points of a pair of games from the number of the job, in four milliseconds.
fn play(job: u64, share_of_wins: u64) -> Result<Vec<u8>, String> {
    sleep(Duration::from_millis(4));
    let bits = derive_seed(1, &[job]);
    let is_win = |bits: u64| u8::from(bits % 100 < share_of_wins);
    Ok(vec![2 * (is_win(bits >> 33) + is_win(bits >> 45))])
}

/// Receiver of half points of pairs.
#[derive(Default)]
struct PairScores {
    results: u64,
    classes: Vec<ResultClass>,
}

impl ResultReceiver for PairScores {
    fn receive(&mut self, results: &[(u64, &[u8])]) -> Result<ControlFlow<()>, String> {
        let class = |&(job, bytes): &(u64, &[u8])| match bytes {
            &[class] => Ok(ResultClass { group: (job % GROUPS) as u32, class }),
            _ => Err("a result has one byte".to_owned()),
        };
        self.classes = results.iter().map(class).collect::<Result<_, _>>()?;
        self.results += results.len() as u64;
        Ok(ControlFlow::Continue(()))
    }

    fn classes(&self) -> &[ResultClass] {
        &self.classes
    }
}

/// Runs a test with the sound workers anna and bert, and cleo, who wins too often.
fn with_biased_worker(test: impl FnOnce(&Coordinator, &Notices, &str)) {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(folder.path());
    let (url, stop) = (server.url(), AtomicBool::new(false));
    let (sound, biased): (SquareFn, SquareFn) = (|job| play(job, 50), |job| play(job, 75));
    std::thread::scope(|scope| {
        let _stop_on_drop = StopOnDrop(&stop);
        for (name, play) in [("anna", sound), ("bert", sound), ("cleo", biased)] {
            start_worker(scope, (name, VERSION), &url, folder.path(), opener(play), &stop);
        }
        let (cluster, notices) = coordinator(&url, CoordinatorOptions::new(VERSION));
        let end = Instant::now() + Duration::from_secs(20);
        while cluster.status().expect("a status").workers.len() < 3 {
            assert!(Instant::now() < end, "the workers do not answer");
        }
        test(&cluster, &notices, &url);
    });
}

fn run(cluster: &Coordinator, spec: &JobSpec) {
    let mut received = PairScores::default();
    let never = AtomicBool::new(false);
    cluster.execute(spec, &mut (0..spec.jobs), &never, &mut received).expect("a run");
    assert_eq!(received.results, spec.jobs);
}

/// Waits for the status of a run in which a worker is named.
fn status_with_named_worker(url: &str) -> RunStatus {
    let (observer, _) = coordinator(url, CoordinatorOptions::new(VERSION));
    let end = Instant::now() + Duration::from_secs(30);
    while Instant::now() < end {
        let runs = observer.status().expect("a status").runs;
        let is_named = |run: &RunStatus| run.residuals.iter().any(WorkerResidual::is_named);
        if let Some(run) = runs.into_iter().find(is_named) {
            return run;
        }
    }
    panic!("no worker is named")
}

/// Returns the notices without those about slow workers, which busy machines have.
fn notices_about_scores(notices: &Notices) -> Vec<String> {
    let notices = notices.lock().expect("a list");
    notices.iter().filter(|notice| notice.contains("mean ")).cloned().collect()
}

#[test]
fn a_worker_whose_results_differ_from_the_others_is_named_once_and_not_excluded() {
    with_biased_worker(|cluster, notices, url| {
        let status = std::thread::scope(|scope| {
            let status = scope.spawn(|| status_with_named_worker(url));
            run(cluster, &job_spec(6000));
            status.join().expect("a status")
        });
        let names: Vec<&str> = status.residuals.iter().map(|worker| &worker.worker[..]).collect();
        assert_eq!(names, ["anna", "bert", "cleo"]);
        let cleo = &status.residuals[2];
        assert!(cleo.is_named() && cleo.residual.is_some_and(|z| z > 3.0), "{status:?}");
        assert!(!status.residuals[..2].iter().any(WorkerResidual::is_named), "{status:?}");
        let notices = notices_about_scores(notices);
        let [named, end] = &notices[..] else { panic!("{notices:?}") };
        let begins = "worker cleo: its results differ from the others' (mean 0.7";
        assert!(named.starts_with(begins), "{named}");
        assert!(end.starts_with("mean scores by worker at the end: cleo 0.7"), "{end}");
    });
}

#[test]
fn the_runs_of_a_series_are_compared_together() {
    with_biased_worker(|cluster, notices, _| {
        let series = Some("rounds".to_owned());
        let short = JobSpec { series, ..job_spec(300) };
        (0..2).for_each(|_| run(cluster, &short));
        assert_eq!(notices_about_scores(notices), [""; 0], "too few results");
        (0..4).for_each(|_| run(cluster, &short));
        // Workers are compared every two seconds.
        sleep(Duration::from_secs(2));
        run(cluster, &short);
        let notices = notices_about_scores(notices);
        let [named] = &notices[..] else { panic!("{notices:?}") };
        assert!(named.starts_with("worker cleo: its results differ"), "{named}");
    });
}
