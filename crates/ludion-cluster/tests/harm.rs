//! A run completes whoever is slow, of another version, refuses everything, talks nonsense or takes
//! jobs and never answers; and it is said who that was.

mod hands;
mod support;

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

use async_nats::HeaderMap;
use async_nats::jetstream::consumer::PullConsumer;
use futures_util::StreamExt;
use hands::{
    Answer, Kept, Shift, VERSION, coordinator, hire, opener, order, run, some_work, square,
};
use ludion_cluster::{CoordinatorOptions, OpenReceivedJob};
use ludion_runs::cluster::Cluster;
use support::Server;

#[test]
fn wrong_ones_and_those_who_talk_nonsense_are_named_and_the_run_completes() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(folder.path());
    let stop = AtomicBool::new(false);
    let nonsense: Answer = |_| Ok(vec![42]);
    std::thread::scope(|scope| {
        let _stop = Shift(&stop);
        let url = server.url();
        hire(scope, ("good", VERSION), &url, folder.path(), opener(some_work), &stop);
        hire(scope, ("silly", VERSION), &url, folder.path(), opener(nonsense), &stop);
        hire(scope, ("old", "0.9"), &url, folder.path(), opener(square), &stop);
        let blind: OpenReceivedJob = Box::new(|_| Err("model.safetensors is not here".to_owned()));
        hire(scope, ("blind", VERSION), &url, folder.path(), blind, &stop);
        sleep(Duration::from_millis(300));
        let (cluster, remarks) = coordinator(&url, CoordinatorOptions::new(VERSION));
        run(&cluster, 3000).check(3000);
        let said = remarks.lock().expect("a list").join("\n");
        for sentence in [
            "worker silly is sent away: a square is wrong",
            "worker old does not help: it is of version 0.9, and the run of version 1.2.3",
            "worker blind does not help: model.safetensors is not here",
        ] {
            assert!(said.contains(sentence), "{sentence:?} is not in\n{said}");
        }
        assert!(!said.contains("good") && !said.contains("silly does not help"), "{said}");
    });
}

#[test]
fn a_slow_one_is_named_and_holds_nothing_up() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(folder.path());
    let stop = AtomicBool::new(false);
    let slow: Answer = |job| {
        sleep(Duration::from_secs(9));
        square(job)
    };
    std::thread::scope(|scope| {
        let _stop = Shift(&stop);
        let url = server.url();
        hire(scope, ("slow", VERSION), &url, folder.path(), opener(slow), &stop);
        hire(scope, ("good", VERSION), &url, folder.path(), opener(some_work), &stop);
        sleep(Duration::from_millis(300));
        // What is late is so by the time that chunks take, their waiting included.
        let options = CoordinatorOptions {
            chunk: Duration::from_millis(20),
            ..CoordinatorOptions::new(VERSION)
        };
        let (cluster, remarks) = coordinator(&url, options);
        let began = Instant::now();
        run(&cluster, 3000).check(3000);
        // The slow one alone would take hours; a busy machine may make anybody slow.
        assert!(began.elapsed() < Duration::from_secs(30), "{:?}", began.elapsed());
        let said = remarks.lock().expect("a list").join("\n");
        assert!(said.contains("worker slow is slow; others do what it has as well"), "{said}");
    });
}

#[test]
fn a_job_that_nobody_can_do_ends_the_run_with_its_sentence() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(folder.path());
    let stop = AtomicBool::new(false);
    let picky: Answer = |job| if job == 77 { Err("77 is too odd".to_owned()) } else { square(job) };
    std::thread::scope(|scope| {
        let _stop = Shift(&stop);
        hire(scope, ("picky", VERSION), &server.url(), folder.path(), opener(picky), &stop);
        let (cluster, _) = coordinator(&server.url(), CoordinatorOptions::new(VERSION));
        let mut kept = Kept::default();
        let stopped = AtomicBool::new(false);
        let done = cluster.execute(&order(1000), &mut (0..1000), &stopped, &mut kept);
        let said = done.expect_err("a refusal").to_string();
        assert_eq!(said, "nobody can do job 77; worker picky said: 77 is too odd");
    });
}

#[test]
fn one_that_refuses_what_others_do_is_sent_away() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(folder.path());
    let stop = AtomicBool::new(false);
    let lazy: Answer = |_| Err("I cannot".to_owned());
    std::thread::scope(|scope| {
        let _stop = Shift(&stop);
        let url = server.url();
        hire(scope, ("lazy", VERSION), &url, folder.path(), opener(lazy), &stop);
        sleep(Duration::from_millis(300));
        let (cluster, remarks) = coordinator(&url, CoordinatorOptions::new(VERSION));
        for name in ["anna", "bert"] {
            hire(scope, (name, VERSION), &url, folder.path(), opener(some_work), &stop);
        }
        run(&cluster, 2000).check(2000);
        let said = remarks.lock().expect("a list").join("\n");
        let sentence =
            "worker lazy is sent away: it refuses jobs that others do; it said: I cannot";
        assert!(said.contains(sentence), "{said}");
    });
}

/// Takes and acknowledges all chunks it can get, answers each time with these bytes, and goes away
/// after some.
async fn wreck(url: &str, answer: Option<&'static [u8]>, stop: &AtomicBool) {
    let client = async_nats::connect(url).await.expect("a server");
    let context = async_nats::jetstream::new(client);
    let mut eaten = 0;
    while eaten < 40 && !stop.load(Ordering::Relaxed) {
        let names: Vec<_> = context.stream_names().collect().await;
        let work = names.into_iter().flatten().find(|name| name.ends_with("-work"));
        let Some(work) = work else { continue };
        let results = work.replace("ludion-", "ludion.run.").replace("-work", ".results");
        let consumer: Result<PullConsumer, _> =
            context.get_consumer_from_stream("workers", &work).await;
        let Ok(consumer) = consumer else { continue };
        let batch = consumer.batch().max_messages(100).expires(Duration::from_millis(100));
        let mut batch = batch.messages().await.expect("chunks");
        while let Some(Ok(chunk)) = batch.next().await {
            chunk.ack().await.expect("a server");
            eaten += 1;
        }
        let mut headers = HeaderMap::new();
        headers.insert("Ludion-Worker", "wrecker");
        if let Some(answer) = answer {
            let sent = context.publish_with_headers(results, headers, answer.into()).await;
            sent.expect("a server").await.expect("it is stored");
        }
    }
}

#[test]
fn what_somebody_took_and_did_not_answer_for_is_handed_out_again_within_seconds() {
    let sent_away = "worker wrecker is sent away: it sent something that is no report";
    let answers: [(Option<&'static [u8]>, &str); 2] =
        [(Some(&[200, 7, 7]), sent_away), (None, "somebody took and did not answer for")];
    for (answer, sentence) in answers {
        let folder = tempfile::tempdir().expect("a folder");
        let server = Server::start(folder.path());
        let (url, stop) = (server.url(), AtomicBool::new(false));
        let (cluster, remarks) = coordinator(&url, CoordinatorOptions::new(VERSION));
        std::thread::scope(|scope| {
            let _stop = Shift(&stop);
            scope.spawn(|| {
                let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
                runtime.expect("a runtime").block_on(wreck(&url, answer, &stop));
            });
            let running = scope.spawn(|| run(&cluster, 500));
            sleep(Duration::from_secs(1));
            let began = Instant::now();
            hire(scope, ("good", VERSION), &url, folder.path(), opener(some_work), &stop);
            running.join().expect("a run").check(500);
            assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
        });
        let said = remarks.lock().expect("a list").join("\n");
        assert!(said.contains(sentence), "{sentence:?} is not in\n{said}");
    }
}

/// Says in the name of its coordinator that the run under way is over.
async fn call_it_over(url: &str) {
    let client = async_nats::connect(url).await.expect("a server");
    let mut runs = client.subscribe("ludion.runs").await.expect("a server");
    let said = runs.next().await.expect("an announcement").payload;
    let mut said: serde_json::Value = serde_json::from_slice(&said).expect("JSON");
    said["phase"] = "over".into();
    client.publish("ludion.runs", said.to_string().into()).await.expect("a server");
    client.flush().await.expect("a server");
}

#[test]
fn a_worker_that_begins_anew_with_a_run_is_heard() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(folder.path());
    let (url, stop) = (server.url(), AtomicBool::new(false));
    std::thread::scope(|scope| {
        let _stop = Shift(&stop);
        hire(scope, ("anna", VERSION), &url, folder.path(), opener(some_work), &stop);
        let (cluster, remarks) = coordinator(&url, CoordinatorOptions::new(VERSION));
        scope.spawn(|| {
            sleep(Duration::from_millis(500));
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            runtime.expect("a runtime").block_on(call_it_over(&url));
        });
        let began = Instant::now();
        run(&cluster, 4000).check(4000);
        assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
        // The server keeps what it has as if it were new.
        let said = remarks.lock().expect("a list").join("\n");
        assert!(!said.contains("did not answer"), "{said}");
    });
}
