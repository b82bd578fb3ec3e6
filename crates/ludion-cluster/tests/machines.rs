//! Jobs on several workers come to the same whoever is slow, of another version, talks nonsense or
//! goes away, the server included. The jobs are squares; real work is in the tests of the program.

mod support;

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{Scope, sleep};
use std::time::{Duration, Instant};

use ludion_cluster::{Access, Address, Coordinator, Handed, Opener, Options, Worker};
use ludion_runs::away::{Hand, Labour};
use ludion_runs::crew::{Crew, Intake, Order, Thing};
use support::Server;

const VERSION: &str = "1.2.3";

/// What a worker makes of a job.
type Answer = fn(u64) -> Result<Vec<u8>, String>;

struct Squares(Answer);

impl Labour for Squares {
    fn hand(self: Arc<Self>) -> Hand {
        Box::new(move |job| (self.0)(job))
    }
}

fn square(job: u64) -> Result<Vec<u8>, String> {
    Ok((job * job).to_le_bytes().to_vec())
}

/// A square that takes its time.
fn some_work(job: u64) -> Result<Vec<u8>, String> {
    sleep(Duration::from_millis(2));
    square(job)
}

fn opener(answer: Answer) -> Opener {
    Box::new(move |handed: Handed<'_>| match handed.kind {
        "squares" => Ok(Arc::new(Squares(answer))),
        kind => Err(format!("nobody here knows {kind}")),
    })
}

/// Stops the workers of a test, however it ends.
struct Shift<'a>(&'a AtomicBool);

impl Drop for Shift<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

fn hire<'s>(
    scope: &'s Scope<'s, '_>,
    (name, version): (&str, &str),
    url: &str,
    folder: &Path,
    opener: Opener,
    stop: &'s AtomicBool,
) {
    let worker = Worker {
        name: name.to_owned(),
        version: version.to_owned(),
        threads: 2,
        folder: folder.join(name),
        opener,
    };
    let address: Address = url.parse().expect("an address");
    scope.spawn(move || worker.run(&address, &Access::default(), stop, &|_| ()));
}

/// Keeps results, of which no job may have two.
#[derive(Default)]
struct Kept {
    results: BTreeMap<u64, u64>,
    enough: Option<usize>,
}

impl Intake for Kept {
    fn take(&mut self, results: &[(u64, &[u8])]) -> Result<ControlFlow<()>, String> {
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
    fn check(&self, jobs: u64) {
        assert_eq!(self.results, (0..jobs).map(|job| (job, job * job)).collect());
    }
}

fn order(jobs: u64) -> Order {
    let (kind, about) = ("squares".to_owned(), "a test".to_owned());
    Order { kind, about, jobs, done: 0, spec: vec![1, 2, 3], things: Vec::new() }
}

type Remarks = Arc<Mutex<Vec<String>>>;

fn coordinator(url: &str, replicas: usize) -> (Coordinator, Remarks) {
    let remarks = Remarks::default();
    let heard = Arc::clone(&remarks);
    let options = Options { replicas, ..Options::new(VERSION) };
    let remark = Box::new(move |said: &str| heard.lock().expect("a list").push(said.to_owned()));
    let address = url.parse().expect("an address");
    let made = Coordinator::connect(&address, &Access::default(), options, remark);
    (made.expect("a server"), remarks)
}

fn run(crew: &Coordinator, jobs: u64) -> Kept {
    let mut kept = Kept::default();
    crew.execute(&order(jobs), &mut (0..jobs), &AtomicBool::new(false), &mut kept).expect("a run");
    kept
}

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
        let (crew, remarks) = coordinator(&server.url(), 1);
        let seen = scope.spawn(|| {
            let (watcher, _) = coordinator(&server.url(), 1);
            sleep(Duration::from_secs(1));
            watcher.status().expect("answers")
        });
        run(&crew, 4000).check(4000);
        let seen = seen.join().expect("a status");
        let names: Vec<&str> = seen.workers.iter().map(|worker| &worker.name[..]).collect();
        assert_eq!(names, ["anna", "bert", "cleo"]);
        assert!(seen.workers.iter().all(|worker| worker.jobs > 0 && worker.jobs_per_second > 1.0));
        let [run] = &seen.runs[..] else { panic!("{seen:?}") };
        assert!(run.done > 0 && run.done < 4000 && run.jobs == 4000, "{run:?}");
        assert_eq!(remarks.lock().expect("a list").as_slice(), [""; 0]);
        // Nothing stays behind, and nothing is under way.
        assert_eq!(crew.status().expect("answers").runs, []);
    });
}

#[test]
fn slow_wrong_and_talking_nonsense_are_named_and_the_run_completes() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(folder.path());
    let stop = AtomicBool::new(false);
    let nonsense: Answer = |_| Ok(vec![42]);
    let slow: Answer = |job| {
        sleep(Duration::from_secs(9));
        square(job)
    };
    std::thread::scope(|scope| {
        let _stop = Shift(&stop);
        let url = server.url();
        hire(scope, ("good", VERSION), &url, folder.path(), opener(some_work), &stop);
        hire(scope, ("slow", VERSION), &url, folder.path(), opener(slow), &stop);
        hire(scope, ("silly", VERSION), &url, folder.path(), opener(nonsense), &stop);
        hire(scope, ("old", "0.9"), &url, folder.path(), opener(square), &stop);
        let blind: Opener = Box::new(|_| Err("model.safetensors is not here".to_owned()));
        hire(scope, ("blind", VERSION), &url, folder.path(), blind, &stop);
        sleep(Duration::from_millis(300));
        let (crew, remarks) = coordinator(&url, 1);
        let began = Instant::now();
        run(&crew, 3000).check(3000);
        // The slow one alone would take hours; a busy machine may make anybody slow.
        assert!(began.elapsed() < Duration::from_secs(30), "{:?}", began.elapsed());
        let said = remarks.lock().expect("a list").join("\n");
        for sentence in [
            "worker silly is sent away: a square is wrong",
            "worker old does not help: it is of version 0.9, and the run of version 1.2.3",
            "worker blind does not help: model.safetensors is not here",
            "worker slow is slow; others do what it has as well",
        ] {
            assert!(said.contains(sentence), "{sentence:?} is not in\n{said}");
        }
        assert!(!said.contains("good"), "{said}");
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
        let (crew, _) = coordinator(&server.url(), 1);
        let mut kept = Kept::default();
        let stopped = AtomicBool::new(false);
        let done = crew.execute(&order(1000), &mut (0..1000), &stopped, &mut kept);
        let said = done.expect_err("a refusal").to_string();
        assert_eq!(said, "nobody can do job 77; worker picky said: 77 is too odd");
    });
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
            hire(scope, (name, VERSION), &url, folder.path(), opener(some_work), &stop);
        }
        let (crew, _) = coordinator(&url, 1);
        let running = scope.spawn(move || run(&crew, 6000));
        for forgetful in [false, true] {
            sleep(Duration::from_millis(700));
            server.kill();
            if forgetful {
                std::fs::remove_dir_all(&streams).expect("a folder");
            }
            server.begin();
        }
        running.join().expect("a run").check(6000);
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
        let (crew, _) = coordinator(&url, 3);
        let running = scope.spawn(move || run(&crew, 6000));
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
        let (crew, _) = coordinator(&server.url(), 1);
        let mut kept = Kept { enough: Some(300), ..Kept::default() };
        let never = AtomicBool::new(false);
        crew.execute(&order(1 << 40), &mut (0..), &never, &mut kept).expect("a run");
        assert!(kept.results.len() >= 300);
        let stopped = AtomicBool::new(false);
        let mut kept = Kept::default();
        std::thread::scope(|inner| {
            inner.spawn(|| {
                sleep(Duration::from_secs(1));
                stopped.store(true, Ordering::Relaxed);
            });
            let began = Instant::now();
            crew.execute(&order(1 << 40), &mut (0..), &stopped, &mut kept).expect("a run");
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
    let model: Vec<u8> = (0..700_000_u64).map(|i| ((i * i) >> 7) as u8).collect();
    let reading: Opener = Box::new(|handed: Handed<'_>| {
        let path = handed.things.get("models/a.bin").ok_or("it has no model")?;
        let bytes = std::fs::read(path).map_err(|error| error.to_string())?;
        assert_eq!(bytes.len(), 700_000);
        Ok(Arc::new(Squares(square)) as Arc<dyn Labour>)
    });
    std::thread::scope(|scope| {
        let _stop = Shift(&stop);
        hire(scope, ("anna", VERSION), &server.url(), folder.path(), reading, &stop);
        let (crew, _) = coordinator(&server.url(), 1);
        for _ in 0..2 {
            let thing = Thing { name: "models/a.bin".to_owned(), bytes: Arc::new(model.clone()) };
            let order = Order { things: vec![thing], spec: vec![9; 3_000_000], ..order(50) };
            let mut kept = Kept::default();
            let never = AtomicBool::new(false);
            crew.execute(&order, &mut (0..50), &never, &mut kept).expect("a run");
            kept.check(50);
        }
        let files = std::fs::read_dir(folder.path().join("anna")).expect("a folder");
        assert_eq!(files.count(), 1);
    });
}

#[test]
fn a_password_opens_the_door_and_is_never_repeated() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::with(folder.path(), &["--user", "anna", "--pass", "s3cret"]);
    let options = || Options::new(VERSION);
    let at = |user: &str| {
        format!("nats://{user}@127.0.0.1:{}", server.port).parse::<Address>().expect("an address")
    };
    let bare: Address = server.url().parse().expect("an address");
    let connect = |address: &Address, access: &Access| {
        Coordinator::connect(address, access, options(), Box::new(|_| ()))
    };
    let opened = connect(&at("anna:s3cret"), &Access::default());
    assert!(opened.is_ok(), "{:?}", opened.err());
    let user = Some(("anna".to_owned(), "s3cret".to_owned()));
    assert!(connect(&bare, &Access { user, ..Access::default() }).is_ok());
    let wrong = connect(&at("anna:s4cret"), &Access::default()).err().expect("a closed door");
    let said = wrong.to_string();
    assert!(said.contains("127.0.0.1") && !said.contains("s4cret"), "{said}");
    assert!(connect(&bare, &Access::default()).is_err());
}
