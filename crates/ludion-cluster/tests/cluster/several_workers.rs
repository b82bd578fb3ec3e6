//! Every job on several workers has exactly one result, even when a server fails or loses its data.
//! The jobs are squares; the tests of the command line run games on a cluster.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

use ludion_cluster::{CoordinatorOptions, JobSetOpener, ReceivedJobSpec};
use ludion_runs::cluster::{Attachment, Cluster, JobSpec};
use ludion_runs::remote::OpenedJobSet;

use crate::squares::{
    CheckedResults, Squares, StopOnDrop, VERSION, coordinator, job_spec, opener, run, slow_square,
    start_worker,
};
use crate::support::Server;

#[test]
fn every_job_counts_once_and_the_status_lists_the_workers() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(folder.path());
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let _stop_on_drop = StopOnDrop(&stop);
        for name in ["anna", "bert", "cleo"] {
            start_worker(
                scope,
                (name, VERSION),
                &server.url(),
                folder.path(),
                opener(slow_square),
                &stop,
            );
        }
        let (cluster, notices) = coordinator(&server.url(), CoordinatorOptions::new(VERSION));
        let status = scope.spawn(|| {
            let (observer, _) = coordinator(&server.url(), CoordinatorOptions::new(VERSION));
            sleep(Duration::from_secs(1));
            observer.status().expect("a status")
        });
        run(&cluster, 4000).check(4000);
        let status = status.join().expect("a status");
        let names: Vec<&str> = status.workers.iter().map(|worker| &worker.name[..]).collect();
        assert_eq!(names, ["anna", "bert", "cleo"]);
        assert!(
            status.workers.iter().all(|worker| worker.jobs > 0 && worker.jobs_per_second > 1.0)
        );
        let [run] = &status.runs[..] else { panic!("{status:?}") };
        assert!(run.done > 0 && run.done < 4000 && run.jobs == 4000, "{run:?}");
        assert_eq!(notices.lock().expect("a list").as_slice(), [""; 0]);
        assert_eq!(cluster.status().expect("a status").runs, [], "the run is over");
    });
}

/// Opens jobs that need the model of [`model`].
fn opener_with_model() -> JobSetOpener {
    Box::new(|spec: ReceivedJobSpec<'_>| {
        let path = spec.attachments.get("models/a.bin").ok_or("the model is missing")?;
        let bytes = std::fs::read(path).map_err(|error| error.to_string())?;
        assert_eq!(bytes.len(), 700_000);
        Ok(Arc::new(Squares(slow_square)) as Arc<dyn OpenedJobSet>)
    })
}

/// Returns an attachment of 700,000 bytes.
fn model() -> Attachment {
    let bytes: Vec<u8> = (0..700_000_u64).map(|i| ((i * i) >> 7) as u8).collect();
    Attachment { name: "models/a.bin".to_owned(), bytes: Arc::new(bytes) }
}

#[test]
fn no_job_is_lost_when_the_server_is_killed_or_loses_its_data() {
    let folder = tempfile::tempdir().expect("a folder");
    let streams = folder.path().join("streams");
    let mut server = Server::start(&streams);
    let url = server.url();
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let _stop_on_drop = StopOnDrop(&stop);
        for name in ["anna", "bert"] {
            start_worker(scope, (name, VERSION), &url, folder.path(), opener_with_model(), &stop);
        }
        let (cluster, notices) = coordinator(&url, CoordinatorOptions::new(VERSION));
        let spec = JobSpec { attachments: vec![model()], ..job_spec(8000) };
        let running = scope.spawn(move || {
            let (mut received, never) = (CheckedResults::default(), AtomicBool::new(false));
            cluster.execute(&spec, &mut (0..8000), &never, &mut received).expect("a run");
            received
        });
        for data_lost in [false, true] {
            sleep(Duration::from_millis(700));
            server.kill();
            if data_lost {
                std::fs::remove_dir_all(&streams).expect("a folder");
            }
            server.begin();
        }
        // A worker that starts now finds the job specification and the model on the server again.
        start_worker(scope, ("cleo", VERSION), &url, folder.path(), opener_with_model(), &stop);
        running.join().expect("a run").check(8000);
        assert!(folder.path().join("cleo").is_dir(), "cleo has not fetched the model");
        let notices = notices.lock().expect("a list").join("\n");
        assert!(!notices.contains("does not take part"), "{notices}");
    });
}

#[test]
fn a_worker_that_starts_after_the_maximum_age_of_chunks_finds_the_job_spec() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(folder.path());
    let options =
        CoordinatorOptions { max_age: Duration::from_secs(2), ..CoordinatorOptions::new(VERSION) };
    let (cluster, _) = coordinator(&server.url(), options);
    let (url, stop, stop_run) = (server.url(), AtomicBool::new(false), AtomicBool::new(false));
    std::thread::scope(|scope| {
        let _stop_on_drop = StopOnDrop(&stop);
        let start = |name| {
            start_worker(scope, (name, VERSION), &url, folder.path(), opener(slow_square), &stop);
        };
        start("anna");
        let mut received = CheckedResults::default();
        std::thread::scope(|inner| {
            inner.spawn(|| {
                cluster.execute(&job_spec(1 << 40), &mut (0..), &stop_run, &mut received)
            });
            sleep(Duration::from_secs(3));
            start("bert");
            let has_run_jobs = |name: &str| {
                let status = cluster.status().expect("a status");
                status.workers.iter().any(|worker| worker.name == name && worker.jobs > 0)
            };
            let end = Instant::now() + Duration::from_secs(20);
            while !has_run_jobs("bert") && Instant::now() < end {}
            assert!(has_run_jobs("bert"), "{:?}", cluster.status());
            stop_run.store(true, Ordering::Relaxed);
        });
        assert!(!received.results.is_empty());
    });
}

#[test]
fn a_run_with_three_replicas_continues_when_any_of_three_servers_is_killed() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut servers = Server::three(folder.path());
    let url = servers.each_ref().map(Server::url).join(",");
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let _stop_on_drop = StopOnDrop(&stop);
        for name in ["anna", "bert"] {
            start_worker(scope, (name, VERSION), &url, folder.path(), opener(slow_square), &stop);
        }
        let (cluster, _) = coordinator(
            &url,
            CoordinatorOptions { replicas: 3, ..CoordinatorOptions::new(VERSION) },
        );
        let running = scope.spawn(move || run(&cluster, 6000));
        // One of the three leads the streams and their consumers: each is killed in turn and
        // restarted.
        for server in &mut servers {
            sleep(Duration::from_millis(2500));
            server.kill();
            sleep(Duration::from_millis(500));
            server.begin();
        }
        running.join().expect("a run").check(6000);
    });
}

#[test]
fn a_stopped_run_receives_the_results_under_way_and_a_break_ends_it_at_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(folder.path());
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let _stop_on_drop = StopOnDrop(&stop);
        start_worker(
            scope,
            ("anna", VERSION),
            &server.url(),
            folder.path(),
            opener(slow_square),
            &stop,
        );
        let (cluster, _) = coordinator(&server.url(), CoordinatorOptions::new(VERSION));
        let mut received = CheckedResults { limit: Some(300), ..CheckedResults::default() };
        let never = AtomicBool::new(false);
        cluster.execute(&job_spec(1 << 40), &mut (0..), &never, &mut received).expect("a run");
        assert!(received.results.len() >= 300);
        let stopped = AtomicBool::new(false);
        let mut received = CheckedResults::default();
        std::thread::scope(|inner| {
            inner.spawn(|| {
                sleep(Duration::from_secs(1));
                stopped.store(true, Ordering::Relaxed);
            });
            let began = Instant::now();
            cluster
                .execute(&job_spec(1 << 40), &mut (0..), &stopped, &mut received)
                .expect("a run");
            assert!(began.elapsed() < Duration::from_secs(8), "{:?}", began.elapsed());
        });
        assert!(received.results.len() > 100, "{}", received.results.len());
    });
}

#[test]
fn an_attachment_is_downloaded_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(folder.path());
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let _stop_on_drop = StopOnDrop(&stop);
        start_worker(
            scope,
            ("anna", VERSION),
            &server.url(),
            folder.path(),
            opener_with_model(),
            &stop,
        );
        let (cluster, _) = coordinator(&server.url(), CoordinatorOptions::new(VERSION));
        for _ in 0..2 {
            let spec =
                JobSpec { attachments: vec![model()], spec: vec![9; 3_000_000], ..job_spec(50) };
            let mut received = CheckedResults::default();
            let never = AtomicBool::new(false);
            cluster.execute(&spec, &mut (0..50), &never, &mut received).expect("a run");
            received.check(50);
        }
        let files = std::fs::read_dir(folder.path().join("anna")).expect("a folder");
        assert_eq!(files.count(), 1);
    });
}
