//! Random and forged messages on the subjects of a cluster change nothing: the run completes with
//! the results that its jobs have, no honest worker is excluded, and the workers end when they are
//! asked to.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

use ludion_cluster::{CoordinatorOptions, JobSetOpener, ReceivedJobSpec};
use ludion_runs::cluster::{Attachment, Cluster, JobSpec};

use crate::squares::{
    CheckedResults, SquareFn, Squares, StopOnDrop, VERSION, coordinator, job_spec, opener, run,
    slow_square, square, start_worker,
};
use crate::support::Server;
use crate::support::forger::{Forger, postcard_chunk};

#[test]
fn a_chunk_beyond_the_plan_stalls_neither_the_run_nor_its_workers() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(folder.path());
    let (url, stop) = (server.url(), AtomicBool::new(false));
    let stopped_at = std::thread::scope(|scope| {
        let _stop_on_drop = StopOnDrop(&stop);
        for name in ["anna", "bert"] {
            start_worker(scope, (name, VERSION), &url, folder.path(), opener(slow_square), &stop);
        }
        let (cluster, notices) = coordinator(&url, CoordinatorOptions::new(VERSION));
        let mut forger = Forger::connect(server.port, 1);
        let running = scope.spawn(move || run(&cluster, 4000));
        forger.wait_for_results();
        let work = format!("ludion.run.{}.work", forger.run());
        for chunk in [(0, u64::MAX), (u64::MAX, u64::MAX), (4000, 1), (0, 1 << 15)] {
            for _ in 0..4 {
                forger.publish(&work, b"", &postcard_chunk(0, &[chunk]), "");
            }
        }
        let began = Instant::now();
        while !running.is_finished() {
            assert!(began.elapsed() < Duration::from_secs(30), "the run is stalled");
            sleep(Duration::from_millis(20));
        }
        running.join().expect("a run").check(4000);
        assert!(!notices.lock().expect("a list").join("\n").contains("excluded"));
        stop.store(true, Ordering::Relaxed);
        Instant::now()
    });
    assert!(stopped_at.elapsed() < Duration::from_secs(5), "{:?}", stopped_at.elapsed());
}

/// Number of messages that the forger publishes during the run.
const MESSAGES: u64 = 20_000;
/// Number of messages that it has published so far.
static FORGED: AtomicU64 = AtomicU64::new(0);

/// Squares a number; the jobs from 5000 on wait until the forger has published all its messages.
fn square_after_all_messages(job: u64) -> Result<Vec<u8>, String> {
    sleep(Duration::from_millis(1));
    while job >= 5000 && FORGED.load(Ordering::Relaxed) < MESSAGES {
        sleep(Duration::from_millis(10));
    }
    square(job)
}

#[test]
fn twenty_thousand_random_and_forged_messages_leave_the_run_as_it_is() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(folder.path());
    let (url, stop) = (server.url(), AtomicBool::new(false));
    let patient: SquareFn = square_after_all_messages;
    let stopped_at = std::thread::scope(|scope| {
        let _stop_on_drop = StopOnDrop(&stop);
        for name in ["anna", "bert"] {
            start_worker(scope, (name, VERSION), &url, folder.path(), opener(patient), &stop);
        }
        let (cluster, notices) = coordinator(&url, CoordinatorOptions::new(VERSION));
        let seed = std::env::var("LUDION_FORGER_SEED").ok();
        let seed = seed.map_or(19, |seed| seed.parse().expect("a seed"));
        let mut forger = Forger::connect(server.port, seed);
        let running = scope.spawn(move || run(&cluster, 6000));
        forger.wait_for_results();
        while forger.sent < MESSAGES {
            assert!(!running.is_finished(), "the run ended after {} messages", forger.sent);
            forger.forge();
        }
        forger.flush();
        FORGED.store(forger.sent, Ordering::Relaxed);
        // One worker starts after the messages and must find the job specification as it was.
        start_worker(scope, ("carl", VERSION), &url, folder.path(), opener(square), &stop);
        let began = Instant::now();
        while !running.is_finished() {
            forger.listen();
            assert!(began.elapsed() < Duration::from_secs(60), "the run is stalled");
        }
        running.join().expect("a run").check(6000);
        let notices = notices.lock().expect("a list").join("\n");
        assert!(!notices.contains("excluded"), "{notices}");
        assert!(!notices.contains('\u{1b}'), "{notices:?}");
        stop.store(true, Ordering::Relaxed);
        Instant::now()
    });
    assert!(stopped_at.elapsed() < Duration::from_secs(5), "{:?}", stopped_at.elapsed());
}

#[test]
fn a_model_that_is_damaged_on_the_server_is_sent_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(folder.path());
    let (url, stop) = (server.url(), AtomicBool::new(false));
    let model: Vec<u8> = (0..300_000_u32).map(|i| (i % 251) as u8).collect();
    let spec = JobSpec {
        attachments: vec![Attachment { name: "model".to_owned(), bytes: Arc::new(model.clone()) }],
        ..job_spec(200)
    };
    let (cluster, notices) = coordinator(&url, CoordinatorOptions::new(VERSION));
    std::thread::scope(|scope| {
        let _stop_on_drop = StopOnDrop(&stop);
        let run = || {
            let mut received = CheckedResults::default();
            let never = AtomicBool::new(false);
            cluster.execute(&spec, &mut (0..200), &never, &mut received).expect("a run");
            received
        };
        let mut forger = Forger::connect(server.port, 1);
        forger.flush();
        let running = scope.spawn(run);
        // Before the first worker comes, another client adds bytes to the stored model.
        let chunks = forger.wait_for_subject("$O.ludion-things.C.");
        forger.publish(&chunks, b"", b"bytes that are not part of the model", "");
        forger.flush();
        let opener: JobSetOpener = Box::new(move |spec: ReceivedJobSpec<'_>| {
            let path = spec.attachments.get("model").ok_or("the model is missing")?;
            let bytes = std::fs::read(path).map_err(|error| error.to_string())?;
            assert!(bytes == model, "the model is not the one that was sent");
            Ok(Arc::new(Squares(square)))
        });
        start_worker(scope, ("anna", VERSION), &url, folder.path(), opener, &stop);
        running.join().expect("a run").check(200);
    });
    let notices = notices.lock().expect("a list").join("\n");
    assert!(notices.contains("worker anna found a model or data file damaged"), "{notices}");
}
