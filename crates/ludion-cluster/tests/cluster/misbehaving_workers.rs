//! A run completes in spite of misbehaving workers: slow ones, those of another version, those that
//! fail every job, send wrong results, or acknowledge chunks without results. The coordinator names
//! them.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

use async_nats::HeaderMap;
use async_nats::jetstream::consumer::PullConsumer;
use futures_util::StreamExt;
use ludion_cluster::{CoordinatorOptions, JobSetOpener};
use ludion_runs::cluster::Cluster;
use sha2::{Digest, Sha256};

use crate::squares::{
    CheckedResults, SquareFn, StopOnDrop, VERSION, coordinator, job_spec, opener, run, slow_square,
    square, start_worker,
};
use crate::support::Server;

#[test]
fn workers_with_wrong_results_or_another_version_are_named_and_the_run_completes() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(folder.path());
    let stop = AtomicBool::new(false);
    let wrong: SquareFn = |_| Ok(vec![42]);
    std::thread::scope(|scope| {
        let _stop_on_drop = StopOnDrop(&stop);
        let url = server.url();
        start_worker(scope, ("good", VERSION), &url, folder.path(), opener(slow_square), &stop);
        start_worker(scope, ("wrong", VERSION), &url, folder.path(), opener(wrong), &stop);
        start_worker(scope, ("old", "0.9"), &url, folder.path(), opener(square), &stop);
        let no_model: JobSetOpener = Box::new(|_| Err("model.safetensors is missing".to_owned()));
        start_worker(scope, ("no-model", VERSION), &url, folder.path(), no_model, &stop);
        sleep(Duration::from_millis(300));
        let (cluster, notices) = coordinator(&url, CoordinatorOptions::new(VERSION));
        run(&cluster, 3000).check(3000);
        let notices = notices.lock().expect("a list").join("\n");
        for notice in [
            "worker wrong is excluded: a square is wrong",
            "worker old does not take part: this worker has version 0.9, the run has version 1.2.3",
            "worker no-model does not take part: model.safetensors is missing",
        ] {
            assert!(notices.contains(notice), "{notice:?} is not in\n{notices}");
        }
        let wrong_refuses = notices.contains("wrong does not take part");
        assert!(!notices.contains("good") && !wrong_refuses, "{notices}");
    });
}

#[test]
fn a_slow_worker_is_named_and_does_not_delay_the_run() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(folder.path());
    let stop = AtomicBool::new(false);
    let slow: SquareFn = |job| {
        sleep(Duration::from_secs(9));
        square(job)
    };
    std::thread::scope(|scope| {
        let _stop_on_drop = StopOnDrop(&stop);
        let url = server.url();
        start_worker(scope, ("slow", VERSION), &url, folder.path(), opener(slow), &stop);
        start_worker(scope, ("good", VERSION), &url, folder.path(), opener(slow_square), &stop);
        sleep(Duration::from_millis(300));
        // Short chunks keep the turnaround short, by which a chunk is overdue.
        let options = CoordinatorOptions {
            chunk_time: Duration::from_millis(20),
            ..CoordinatorOptions::new(VERSION)
        };
        let (cluster, notices) = coordinator(&url, options);
        let began = Instant::now();
        run(&cluster, 3000).check(3000);
        // The slow worker alone would take hours. The limit is generous for busy machines.
        assert!(began.elapsed() < Duration::from_secs(30), "{:?}", began.elapsed());
        let notices = notices.lock().expect("a list").join("\n");
        let notice = "worker slow is slow; its chunk is handed out to others as well";
        assert!(notices.contains(notice), "{notices}");
    });
}

#[test]
fn a_job_that_every_worker_fails_ends_the_run_with_its_message() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(folder.path());
    let stop = AtomicBool::new(false);
    let failing: SquareFn =
        |job| if job == 77 { Err("77 is too odd".to_owned()) } else { square(job) };
    std::thread::scope(|scope| {
        let _stop_on_drop = StopOnDrop(&stop);
        start_worker(
            scope,
            ("anna", VERSION),
            &server.url(),
            folder.path(),
            opener(failing),
            &stop,
        );
        let (cluster, _) = coordinator(&server.url(), CoordinatorOptions::new(VERSION));
        let mut received = CheckedResults::default();
        let stopped = AtomicBool::new(false);
        let result = cluster.execute(&job_spec(1000), &mut (0..1000), &stopped, &mut received);
        let message = result.expect_err("a failed job").to_string();
        assert_eq!(message, "no worker can run job 77; worker anna failed: 77 is too odd");
    });
}

#[test]
fn a_worker_that_fails_jobs_which_others_complete_is_excluded() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(folder.path());
    let stop = AtomicBool::new(false);
    let failing: SquareFn = |_| Err("out of memory".to_owned());
    std::thread::scope(|scope| {
        let _stop_on_drop = StopOnDrop(&stop);
        let url = server.url();
        start_worker(scope, ("broken", VERSION), &url, folder.path(), opener(failing), &stop);
        sleep(Duration::from_millis(300));
        let (cluster, notices) = coordinator(&url, CoordinatorOptions::new(VERSION));
        for name in ["anna", "bert"] {
            start_worker(scope, (name, VERSION), &url, folder.path(), opener(slow_square), &stop);
        }
        run(&cluster, 2000).check(2000);
        let notices = notices.lock().expect("a list").join("\n");
        let notice = "worker broken is excluded: it fails jobs that others complete: out of memory";
        assert!(notices.contains(notice), "{notices}");
    });
}

/// Acknowledges the first 40 chunks or more, and sends the same bytes, if any, for every batch. Tells each batch
/// to `batches`.
async fn acknowledge_without_results(
    url: &str,
    response: Option<&'static [u8]>,
    stop: &AtomicBool,
    batches: std::sync::mpsc::Sender<()>,
) {
    let client = async_nats::connect(url).await.expect("a server");
    let context = async_nats::jetstream::new(client);
    let mut acknowledged = 0;
    while acknowledged < 40 && !stop.load(Ordering::Relaxed) {
        let names: Vec<_> = context.stream_names().collect().await;
        let work = names.into_iter().flatten().find(|name| name.ends_with("-work"));
        let Some(work) = work else { continue };
        let results = work.replace("ludion-", "ludion.run.").replace("-work", ".results");
        let consumer: Result<PullConsumer, _> =
            context.get_consumer_from_stream("workers", &work).await;
        let Ok(consumer) = consumer else { continue };
        let batch = consumer.batch().max_messages(100).expires(Duration::from_millis(100));
        let (mut batch, before) = (batch.messages().await.expect("chunks"), acknowledged);
        while let Some(Ok(chunk)) = batch.next().await {
            chunk.ack().await.expect("a server");
            acknowledged += 1;
        }
        let mut headers = HeaderMap::new();
        headers.insert("Ludion-Worker", "garbage");
        // Without a chunk, the queue of results may not exist yet.
        if let Some(response) = response.filter(|_| acknowledged > before) {
            let sent = context.publish_with_headers(results, headers, response.into()).await;
            sent.expect("a server").await.expect("it is stored");
        }
        if acknowledged > before {
            // Only the first batch is waited for.
            let _ = batches.send(());
        }
    }
}

#[test]
fn chunks_acknowledged_without_results_are_handed_out_again_within_seconds() {
    let dropped = "messages that no program of this run sent are dropped";
    let cases: [(Option<&'static [u8]>, &str); 2] =
        [(Some(&[200, 7, 7]), dropped), (None, "acknowledged without results")];
    for (response, notice) in cases {
        let folder = tempfile::tempdir().expect("a folder");
        let server = Server::start(folder.path());
        let (url, stop) = (server.url(), AtomicBool::new(false));
        let (cluster, notices) = coordinator(&url, CoordinatorOptions::new(VERSION));
        std::thread::scope(|scope| {
            let _stop_on_drop = StopOnDrop(&stop);
            let (batches, acknowledged) = std::sync::mpsc::channel();
            let (url, stop) = (&url, &stop);
            scope.spawn(move || {
                let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
                let worker = acknowledge_without_results(url, response, stop, batches);
                runtime.expect("a runtime").block_on(worker);
            });
            let running = scope.spawn(|| run(&cluster, 500));
            // A worker that starts earlier may take all chunks.
            acknowledged.recv_timeout(Duration::from_secs(60)).expect("acknowledged chunks");
            let began = Instant::now();
            start_worker(scope, ("good", VERSION), url, folder.path(), opener(slow_square), stop);
            running.join().expect("a run").check(500);
            assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
        });
        let notices = notices.lock().expect("a list").join("\n");
        assert!(notices.contains(notice), "{notice:?} is not in\n{notices}");
    }
}

/// Announces, in place of the coordinator, that the current run is over. For the tag it reads the key
/// of the run from the server, as a client with access to the streams can.
async fn announce_over(url: &str) {
    let client = async_nats::connect(url).await.expect("a server");
    let mut runs = client.subscribe("ludion.runs").await.expect("a server");
    let message = runs.next().await.expect("an announcement").payload;
    let mut announcement: serde_json::Value = serde_json::from_slice(&message).expect("JSON");
    announcement["phase"] = "over".into();
    let id = announcement["status"]["id"].as_str().expect("an id");
    let context = async_nats::jetstream::new(client.clone());
    let order = context.get_stream(format!("ludion-{id}-order")).await.expect("a stream");
    let order = order.get_raw_message(1).await.expect("an order");
    let text = announcement.to_string();
    let mut headers = HeaderMap::new();
    let parts = [&b"announcement 0 \n"[..], text.as_bytes()].concat();
    headers.insert("Ludion-Tag", hmac_sha256(&order.payload[..32], &parts)[..32].to_owned());
    let sent = client.publish_with_headers("ludion.runs", headers, text.into()).await;
    sent.expect("a server");
    client.flush().await.expect("a server");
}

/// Returns the HMAC-SHA256 in hexadecimal digits.
fn hmac_sha256(key: &[u8], message: &[u8]) -> String {
    let pad = |byte: u8| -> Vec<u8> {
        key.iter().copied().chain([0].into_iter().cycle()).take(64).map(|k| k ^ byte).collect()
    };
    let inner = Sha256::digest([pad(0x36), message.to_vec()].concat());
    let outer = Sha256::digest([pad(0x5c), inner.to_vec()].concat());
    outer.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// How often a worker has started the run of the test below.
static STARTS: AtomicU32 = AtomicU32::new(0);

#[test]
fn the_results_of_a_worker_that_restarts_a_run_are_accepted() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(folder.path());
    let (url, stop) = (server.url(), AtomicBool::new(false));
    std::thread::scope(|scope| {
        let _stop_on_drop = StopOnDrop(&stop);
        let opener: JobSetOpener = Box::new(|spec| {
            STARTS.fetch_add(1, Ordering::Relaxed);
            opener(slow_square)(spec)
        });
        start_worker(scope, ("anna", VERSION), &url, folder.path(), opener, &stop);
        let (cluster, notices) = coordinator(&url, CoordinatorOptions::new(VERSION));
        scope.spawn(|| {
            sleep(Duration::from_millis(500));
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            runtime.expect("a runtime").block_on(announce_over(&url));
        });
        let began = Instant::now();
        run(&cluster, 4000).check(4000);
        assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
        // The ids of its messages differ, so that the server does not drop them as duplicates.
        let notices = notices.lock().expect("a list").join("\n");
        assert_eq!(STARTS.load(Ordering::Relaxed), 2, "the worker did not restart the run");
        assert!(!notices.contains("without results"), "{notices}");
    });
}
