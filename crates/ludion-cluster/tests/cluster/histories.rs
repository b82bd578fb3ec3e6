//! Histories of runs under faults: worker processes are killed and paused, connections stalled, cut
//! and damaged by a proxy. Every job that is handed out, finished and counted is recorded. Every job
//! is counted once, after it was handed out and finished.

#![cfg(unix)]

use std::collections::BTreeSet;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;
use std::thread::sleep;
use std::time::{Duration, Instant};

use ludion_cluster::{Coordinator, CoordinatorOptions, Credentials, Worker};
use ludion_runs::cluster::{Cluster, ResultReceiver};

use crate::squares::{CheckedResults, StopOnDrop, VERSION, coordinator, job_spec, opener, square};
use crate::support::Server;
use crate::support::proxy::Proxy;

/// Number of jobs of a run; the last ones wait until all faults have happened.
const JOBS: u64 = 6000;
const LAST_JOBS: u64 = 300;
/// Number of worker processes, with two threads each.
const WORKERS: usize = 3;

/// The variable with the folder of a test, which a worker process gets, and those with its name and
/// the address of its proxy.
const FOLDER: &str = "LUDION_HISTORY_FOLDER";
const NAME: &str = "LUDION_HISTORY_NAME";
const URL: &str = "LUDION_HISTORY_URL";

fn finished_path(folder: &Path) -> PathBuf {
    folder.join("finished")
}

/// The file that exists once all faults have happened.
fn released_path(folder: &Path) -> PathBuf {
    folder.join("released")
}

/// Squares a number and records that the job is finished.
fn recorded_square(job: u64) -> Result<Vec<u8>, String> {
    static FILE: OnceLock<(PathBuf, File)> = OnceLock::new();
    let (folder, file) = FILE.get_or_init(|| {
        let folder = PathBuf::from(std::env::var(FOLDER).expect("a worker process"));
        let file = OpenOptions::new().append(true).create(true).open(finished_path(&folder));
        (folder, file.expect("a file"))
    });
    sleep(Duration::from_millis(1));
    while job >= JOBS - LAST_JOBS && !released_path(folder).exists() {
        sleep(Duration::from_millis(20));
    }
    let mut file = file;
    // One call appends a whole line, also beside other processes.
    file.write_all(format!("{job}\n").as_bytes()).map_err(|error| error.to_string())?;
    square(job)
}

/// The main function of a worker process; nothing in the test process itself.
#[test]
fn a_worker_process_of_the_other_tests() {
    let Ok(folder) = std::env::var(FOLDER) else { return };
    let variable = |name: &str| std::env::var(name).expect("a variable");
    let worker = Worker {
        name: variable(NAME),
        version: VERSION.to_owned(),
        threads: 2,
        folder: PathBuf::from(folder).join(variable(NAME)),
        opener: opener(recorded_square),
    };
    let (address, never) = (variable(URL).parse().expect("an address"), AtomicBool::new(false));
    worker.run(&address, &Credentials::default(), &never, &|_| ()).expect("a worker");
}

/// A worker process behind a proxy of its own; killed when it is dropped.
struct WorkerProcess {
    name: String,
    folder: PathBuf,
    proxy: Proxy,
    child: Child,
}

impl WorkerProcess {
    fn start(number: usize, folder: &Path, server: &Server) -> Self {
        let (name, proxy) = (format!("w{number}"), Proxy::start(server.port));
        let child = WorkerProcess::spawn(&name, folder, &proxy);
        WorkerProcess { name, folder: folder.to_owned(), proxy, child }
    }

    fn spawn(name: &str, folder: &Path, proxy: &Proxy) -> Child {
        Command::new(std::env::current_exe().expect("this program"))
            .args(["--exact", "histories::a_worker_process_of_the_other_tests", "--nocapture"])
            .env(FOLDER, folder)
            .env(NAME, name)
            .env(URL, proxy.url())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("a worker process")
    }

    fn kill(&mut self) {
        self.child.kill().expect("a child");
        self.child.wait().expect("a child");
    }

    fn restart(&mut self) {
        self.kill();
        self.child = WorkerProcess::spawn(&self.name, &self.folder, &self.proxy);
    }

    fn signal(&self, signal: &str) {
        let sent = Command::new("kill").args([signal, &self.child.id().to_string()]).status();
        assert!(sent.expect("kill").success());
    }
}

impl Drop for WorkerProcess {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Numbers of the faults that happened, by kind.
#[derive(Default, Debug)]
struct FaultCounts {
    kills: u32,
    pauses: u32,
    stalls: u32,
    cuts: u32,
    damages: u32,
    broken_headers: u32,
    swallowed: u32,
    damaged_bits: u64,
}

/// Lets faults happen to the workers and to the connection of the coordinator.
struct FaultDriver<'a> {
    workers: &'a mut [WorkerProcess],
    coordinator: &'a Proxy,
    random: u64,
    counts: FaultCounts,
    /// Longest fault in milliseconds.
    longest: u64,
}

impl FaultDriver<'_> {
    fn below(&mut self, limit: u64) -> u64 {
        self.random = self
            .random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.random >> 33) % limit
    }

    /// Lets one fault happen and end; the kinds take turns.
    fn fault(&mut self, kind: u32) {
        let number = self.below(WORKERS as u64 + 1) as usize;
        let time = Duration::from_millis(100 + self.below(self.longest));
        let worker = number % WORKERS;
        // One number in four is the connection of the coordinator.
        let proxy = match number {
            WORKERS => self.coordinator,
            _ => &self.workers[worker].proxy,
        };
        match kind % 7 {
            0 => {
                self.workers[worker].restart();
                self.counts.kills += 1;
                sleep(Duration::from_millis(100));
            }
            1 => {
                self.workers[worker].signal("-STOP");
                sleep(time);
                self.workers[worker].signal("-CONT");
                self.counts.pauses += 1;
            }
            2 => {
                proxy.stall(true);
                sleep(time);
                proxy.stall(false);
                self.counts.stalls += 1;
            }
            3 => {
                proxy.cut(true);
                sleep(time);
                proxy.cut(false);
                self.counts.cuts += 1;
            }
            4 => {
                proxy.damage(500);
                sleep(time);
                proxy.damage(0);
                self.counts.damages += 1;
            }
            5 => {
                proxy.break_header();
                sleep(time);
                self.counts.broken_headers += 1;
            }
            _ => {
                proxy.swallow();
                sleep(time);
                self.counts.swallowed += 1;
            }
        }
    }
}

/// A receiver that records which jobs are counted, in the order in which they are.
#[derive(Default)]
struct RecordedResults {
    checked: CheckedResults,
    counted: Vec<u64>,
}

impl ResultReceiver for RecordedResults {
    fn receive(&mut self, results: &[(u64, &[u8])]) -> Result<ControlFlow<()>, String> {
        let flow = self.checked.receive(results)?;
        self.counted.extend(results.iter().map(|(job, _)| job));
        Ok(flow)
    }
}

/// The record of a run: jobs handed out and counted by the coordinator.
struct History {
    handed_out: Vec<u64>,
    counted: Vec<u64>,
}

fn execute(cluster: &Coordinator, stop: &AtomicBool) -> History {
    let (mut handed_out, mut received) = (Vec::new(), RecordedResults::default());
    let mut jobs = (0..JOBS).inspect(|job| handed_out.push(*job));
    cluster.execute(&job_spec(JOBS), &mut jobs, stop, &mut received).expect("a run");
    received.checked.check(JOBS);
    History { handed_out, counted: received.counted }
}

impl History {
    /// Checks that every job was handed out once, finished at least once and counted once.
    fn check(&self, folder: &Path) {
        let all: BTreeSet<u64> = (0..JOBS).collect();
        let finished = std::fs::read_to_string(finished_path(folder)).expect("a file");
        let finished: Vec<u64> =
            finished.lines().map(|line| line.parse().expect("a number")).collect();
        assert_eq!(self.handed_out, (0..JOBS).collect::<Vec<_>>());
        assert_eq!(self.counted.len() as u64, JOBS, "a job is counted twice or not at all");
        assert_eq!(self.counted.iter().copied().collect::<BTreeSet<_>>(), all);
        assert_eq!(finished.iter().copied().collect::<BTreeSet<_>>(), all);
        println!("{} jobs finished, {JOBS} counted", finished.len());
    }
}

/// Runs the jobs while `disturb` lets faults happen, and checks the history. Returns the number of
/// bits that the proxies changed, and how long the run took after the faults.
fn disturbed_run(disturb: impl FnOnce(&mut [WorkerProcess], &Proxy)) -> (u64, Duration) {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(&folder.path().join("streams"));
    let start = |number| WorkerProcess::start(number, folder.path(), &server);
    let mut workers: Vec<WorkerProcess> = (0..WORKERS).map(start).collect();
    let proxy = Proxy::start(server.port);
    let (cluster, notices) = coordinator(&proxy.url(), CoordinatorOptions::new(VERSION));
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let _stop_on_drop = StopOnDrop(&stop);
        let running = scope.spawn(|| execute(&cluster, &stop));
        wait_for(&finished_path(folder.path()));
        disturb(&mut workers, &proxy);
        assert!(!running.is_finished(), "the run ended before the last jobs were released");
        File::create(released_path(folder.path())).expect("a file");
        let began = Instant::now();
        while !running.is_finished() {
            assert!(began.elapsed() < Duration::from_secs(90), "the run is stalled: {notices:?}");
            sleep(Duration::from_millis(20));
        }
        running.join().expect("a run").check(folder.path());
        let damaged: u64 = workers.iter().map(|worker| worker.proxy.damaged()).sum();
        (damaged + proxy.damaged(), began.elapsed())
    })
}

/// Runs the jobs while `faults` faults happen, and checks the history.
fn run_with_faults(seed: u64, faults: u32, longest: u64) {
    let mut counts = FaultCounts::default();
    let (damaged_bits, rest) = disturbed_run(|workers, coordinator| {
        let mut driver = FaultDriver {
            workers,
            coordinator,
            random: seed,
            counts: FaultCounts::default(),
            longest,
        };
        (0..faults).for_each(|fault| driver.fault(fault));
        counts = driver.counts;
    });
    counts.damaged_bits = damaged_bits;
    println!("seed {seed}: {counts:?}, then {rest:.1?}");
}

fn wait_for(path: &Path) {
    let began = Instant::now();
    while !path.exists() {
        assert!(began.elapsed() < Duration::from_secs(30), "no job is finished");
        sleep(Duration::from_millis(5));
    }
}

#[test]
fn every_job_is_counted_once_under_kills_pauses_partitions_and_damage() {
    run_with_faults(1, 10, 400);
}

/// Waits until every proxy has done what `disturb` ordered.
fn disturb_all(workers: &[WorkerProcess], coordinator: &Proxy, disturb: impl Fn(&Proxy)) {
    let proxies: Vec<&Proxy> =
        workers.iter().map(|worker| &worker.proxy).chain([coordinator]).collect();
    proxies.iter().for_each(|proxy| disturb(proxy));
    let began = Instant::now();
    while !proxies.iter().all(|proxy| proxy.has_broken()) {
        assert!(began.elapsed() < Duration::from_secs(30), "no message passes a proxy");
        sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_client_that_a_damaged_header_ends_is_replaced_everywhere() {
    disturbed_run(|workers, coordinator| {
        disturb_all(workers, coordinator, Proxy::break_header);
        // The clients that took their places end as well.
        sleep(Duration::from_secs(1));
        disturb_all(workers, coordinator, Proxy::break_header);
    });
}

#[test]
fn a_client_that_waits_for_bytes_that_do_not_come_connects_again() {
    let (_, rest) = disturbed_run(|workers, coordinator| {
        disturb_all(workers, coordinator, Proxy::swallow);
    });
    assert!(rest < Duration::from_secs(30), "the run went on after {rest:.1?}");
}

#[test]
#[ignore = "takes minutes; ./test --all runs it"]
fn every_job_is_counted_once_in_long_histories() {
    for seed in 2..8 {
        // Longer than the server waits for an acknowledgement of a chunk.
        run_with_faults(seed, 60, 4000);
    }
}
