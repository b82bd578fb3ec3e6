//! Jobs on several workers come to the same whoever goes away, the server included. The jobs are
//! squares; real work is in the tests of the program.

mod hands;
mod support;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

use hands::{Kept, Shift, Squares, VERSION, coordinator, hire, opener, order, run, some_work};
use ludion_cluster::{CoordinatorOptions, OpenReceivedJob, ReceivedJob};
use ludion_runs::cluster::{Attachment, Cluster, JobSpec};
use ludion_runs::remote::OpenedJobSet;
use support::Server;

#[test]
fn every_job_is_done_and_counts_once_and_who_is_there_can_be_seen() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(folder.path());
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let _stop = Shift(&stop);
        for name in ["anna", "bert", "cleo"] {
            hire(scope, (name, VERSION), &server.url(), folder.path(), opener(some_work), &stop);
        }
        let (cluster, remarks) = coordinator(&server.url(), CoordinatorOptions::new(VERSION));
        let seen = scope.spawn(|| {
            let (watcher, _) = coordinator(&server.url(), CoordinatorOptions::new(VERSION));
            sleep(Duration::from_secs(1));
            watcher.status().expect("answers")
        });
        run(&cluster, 4000).check(4000);
        let seen = seen.join().expect("a status");
        let names: Vec<&str> = seen.workers.iter().map(|worker| &worker.name[..]).collect();
        assert_eq!(names, ["anna", "bert", "cleo"]);
        assert!(seen.workers.iter().all(|worker| worker.jobs > 0 && worker.jobs_per_second > 1.0));
        let [run] = &seen.runs[..] else { panic!("{seen:?}") };
        assert!(run.done > 0 && run.done < 4000 && run.jobs == 4000, "{run:?}");
        assert_eq!(remarks.lock().expect("a list").as_slice(), [""; 0]);
        // Nothing stays behind, and nothing is under way.
        assert_eq!(cluster.status().expect("answers").runs, []);
    });
}

/// Opens what came with a model.
fn reading() -> OpenReceivedJob {
    Box::new(|handed: ReceivedJob<'_>| {
        let path = handed.attachments.get("models/a.bin").ok_or("it has no model")?;
        let bytes = std::fs::read(path).map_err(|error| error.to_string())?;
        assert_eq!(bytes.len(), 700_000);
        Ok(Arc::new(Squares(some_work)) as Arc<dyn OpenedJobSet>)
    })
}

fn model() -> Attachment {
    let bytes: Vec<u8> = (0..700_000_u64).map(|i| ((i * i) >> 7) as u8).collect();
    Attachment { name: "models/a.bin".to_owned(), bytes: Arc::new(bytes) }
}

#[test]
fn a_server_killed_and_one_that_forgot_everything_lose_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let streams = folder.path().join("streams");
    let mut server = Server::start(&streams);
    let url = server.url();
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let _stop = Shift(&stop);
        for name in ["anna", "bert"] {
            hire(scope, (name, VERSION), &url, folder.path(), reading(), &stop);
        }
        let (cluster, remarks) = coordinator(&url, CoordinatorOptions::new(VERSION));
        let order = JobSpec { attachments: vec![model()], ..order(8000) };
        let running = scope.spawn(move || {
            let (mut kept, never) = (Kept::default(), AtomicBool::new(false));
            cluster.execute(&order, &mut (0..8000), &never, &mut kept).expect("a run");
            kept
        });
        for forgetful in [false, true] {
            sleep(Duration::from_millis(700));
            server.kill();
            if forgetful {
                std::fs::remove_dir_all(&streams).expect("a folder");
            }
            server.begin();
        }
        // Whoever comes now finds the order and the model there again.
        hire(scope, ("cleo", VERSION), &url, folder.path(), reading(), &stop);
        running.join().expect("a run").check(8000);
        assert!(folder.path().join("cleo").is_dir(), "cleo has not fetched the model");
        let said = remarks.lock().expect("a list").join("\n");
        assert!(!said.contains("does not help"), "{said}");
    });
}

#[test]
fn a_worker_that_comes_after_the_age_of_chunks_still_finds_the_order() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(folder.path());
    let options =
        CoordinatorOptions { age: Duration::from_secs(2), ..CoordinatorOptions::new(VERSION) };
    let (cluster, _) = coordinator(&server.url(), options);
    let (url, stop, late) = (server.url(), AtomicBool::new(false), AtomicBool::new(false));
    std::thread::scope(|scope| {
        let _stop = Shift(&stop);
        let come =
            |name| hire(scope, (name, VERSION), &url, folder.path(), opener(some_work), &stop);
        come("anna");
        let mut kept = Kept::default();
        std::thread::scope(|inner| {
            inner.spawn(|| cluster.execute(&order(1 << 40), &mut (0..), &late, &mut kept));
            sleep(Duration::from_secs(3));
            come("bert");
            let works = |name: &str| {
                let seen = cluster.status().expect("answers");
                seen.workers.iter().any(|worker| worker.name == name && worker.jobs > 0)
            };
            let end = Instant::now() + Duration::from_secs(20);
            while !works("bert") && Instant::now() < end {}
            assert!(works("bert"), "{:?}", cluster.status());
            late.store(true, Ordering::Relaxed);
        });
        assert!(!kept.results.is_empty());
    });
}

#[test]
fn three_servers_with_three_copies_lose_their_leader_and_the_run_goes_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut servers = Server::three(folder.path());
    let url = servers.each_ref().map(Server::url).join(",");
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let _stop = Shift(&stop);
        for name in ["anna", "bert"] {
            hire(scope, (name, VERSION), &url, folder.path(), opener(some_work), &stop);
        }
        let (cluster, _) = coordinator(
            &url,
            CoordinatorOptions { replicas: 3, ..CoordinatorOptions::new(VERSION) },
        );
        let running = scope.spawn(move || run(&cluster, 6000));
        // Whoever leads the streams and their consumers is one of the three: each is killed in
        // its turn, and comes back.
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
fn what_is_under_way_when_a_run_stops_is_taken_and_a_break_ends_it_at_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(folder.path());
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let _stop = Shift(&stop);
        hire(scope, ("anna", VERSION), &server.url(), folder.path(), opener(some_work), &stop);
        let (cluster, _) = coordinator(&server.url(), CoordinatorOptions::new(VERSION));
        let mut kept = Kept { enough: Some(300), ..Kept::default() };
        let never = AtomicBool::new(false);
        cluster.execute(&order(1 << 40), &mut (0..), &never, &mut kept).expect("a run");
        assert!(kept.results.len() >= 300);
        let stopped = AtomicBool::new(false);
        let mut kept = Kept::default();
        std::thread::scope(|inner| {
            inner.spawn(|| {
                sleep(Duration::from_secs(1));
                stopped.store(true, Ordering::Relaxed);
            });
            let began = Instant::now();
            cluster.execute(&order(1 << 40), &mut (0..), &stopped, &mut kept).expect("a run");
            assert!(began.elapsed() < Duration::from_secs(8), "{:?}", began.elapsed());
        });
        assert!(kept.results.len() > 100, "{}", kept.results.len());
    });
}

#[test]
fn models_travel_by_their_content_and_are_fetched_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(folder.path());
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let _stop = Shift(&stop);
        hire(scope, ("anna", VERSION), &server.url(), folder.path(), reading(), &stop);
        let (cluster, _) = coordinator(&server.url(), CoordinatorOptions::new(VERSION));
        for _ in 0..2 {
            let order =
                JobSpec { attachments: vec![model()], spec: vec![9; 3_000_000], ..order(50) };
            let mut kept = Kept::default();
            let never = AtomicBool::new(false);
            cluster.execute(&order, &mut (0..50), &never, &mut kept).expect("a run");
            kept.check(50);
        }
        let files = std::fs::read_dir(folder.path().join("anna")).expect("a folder");
        assert_eq!(files.count(), 1);
    });
}
