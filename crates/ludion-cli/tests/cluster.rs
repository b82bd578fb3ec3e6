//! Runs on several worker processes give the same games as on threads, even when workers, the
//! server or the coordinator are killed.

#![cfg(unix)]

mod kept;
#[path = "../../ludion-cluster/tests/cluster/support/mod.rs"]
mod support;

use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use ludion_cluster::{Credentials, JobSetOpener, ReceivedJobSpec, Worker};
use ludion_runs::plan_jobs::GAMES;
use ludion_runs::remote::{JobFn, OpenedJobSet};
use ludion_store::Store;
use serde_json::Value;
use support::Server;
use support::forger::Forger;

/// A folder with a NATS server, a store for threads, a store for the cluster, and workers.
struct TestCluster {
    folder: tempfile::TempDir,
    server: Server,
    workers: Vec<Child>,
}

impl TestCluster {
    fn new(workers: usize) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let server = Server::start(&folder.path().join("streams"));
        let mut test = TestCluster { folder, server, workers: Vec::new() };
        for number in 0..workers {
            let worker = test.worker(number);
            test.workers.push(worker);
        }
        test
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn ludion(&self, store: &str, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ludion"));
        command.args(args).env("LUDION_STORE", self.path(store)).stdin(Stdio::null());
        command.current_dir(&self.folder);
        command
    }

    /// Starts a worker in its own folder, which has no file of the run.
    fn worker(&self, number: usize) -> Child {
        let (name, home) = (format!("w{number}"), self.path("elsewhere"));
        std::fs::create_dir_all(&home).expect("a folder");
        let args = ["worker", "--nats", &self.server.url(), "--name", &name, "--threads", "1"];
        let mut command = self.ludion("none", &args);
        command.arg("--folder").arg(self.path(&format!("things-{name}"))).current_dir(home);
        command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("a worker")
    }

    /// Creates a worker of this version whose jobs `opener` opens.
    fn rogue(&self, opener: JobSetOpener) -> Worker {
        let version = self.ludion("none", &["--version"]).output().expect("the program starts");
        let version = String::from_utf8(version.stdout).expect("text");
        let version = version.trim().trim_start_matches("ludion ").to_owned();
        let (name, folder) = ("rogue".to_owned(), self.path("rogue"));
        Worker { name, version, threads: 1, folder, opener }
    }

    /// Kills a worker with SIGKILL and starts another in its place.
    fn replace(&mut self, number: usize) {
        kill(&mut self.workers[number]);
        self.workers[number] = self.worker(number);
    }

    fn json(&self, store: &str, args: &[&str]) -> Value {
        let out = self.ludion(store, args).arg("--json").output().expect("the program starts");
        assert!(out.status.success(), "{args:?}: {}", String::from_utf8_lossy(&out.stderr));
        serde_json::from_slice(&out.stdout).expect("JSON")
    }

    /// Runs a command on threads and on the workers.
    fn both(&self, args: &[&str]) -> [Value; 2] {
        let url = self.server.url();
        let elsewhere: Vec<&str> = args.iter().copied().chain(["--cluster", &url]).collect();
        [self.json("threads", args), self.json("cluster", &elsewhere)]
    }
}

impl Drop for TestCluster {
    fn drop(&mut self) {
        self.workers.iter_mut().for_each(kill);
    }
}

fn kill(child: &mut Child) {
    child.kill().expect("a child");
    child.wait().expect("a child");
}

/// Returns a report without the fields that depend on the clock or the file.
fn timeless(mut answer: Value) -> Value {
    match &mut answer {
        Value::Object(fields) => {
            let clock = ["time", "seconds", "mean_seconds", "games_per_second", "file", "effort"];
            fields.retain(|name, _| !clock.contains(&&name[..]));
            fields.values_mut().for_each(|value| *value = timeless(value.take()));
        }
        Value::Array(items) => items.iter_mut().for_each(|item| *item = timeless(item.take())),
        _ => {}
    }
    answer
}

#[test]
fn ten_thousand_games_on_three_workers_are_those_on_threads() {
    let test = TestCluster::new(3);
    let url = test.server.url();
    let status = || test.json("none", &["cluster", "status", "--nats", &url]);
    while status()["workers"].as_array().is_none_or(|workers| workers.len() < 3) {}
    let args = ["match", "tictactoe", "montecarlo(sims=2)", "random", "-n", "5000"];
    let [threads, cluster] = test.both(&args).map(timeless);
    assert_eq!(threads, cluster);
    let [threads, cluster] = ["threads", "cluster"].map(|store| kept::games(&test.path(store)));
    assert_eq!(threads.len(), 10_000);
    assert!(threads == cluster, "the games differ");
    let status = status();
    let workers = status["workers"].as_array().expect("workers");
    let names: Vec<&str> = workers.iter().filter_map(|worker| worker["name"].as_str()).collect();
    assert_eq!(names, ["w0", "w1", "w2"]);
    let jobs: Vec<u64> = workers.iter().filter_map(|worker| worker["jobs"].as_u64()).collect();
    assert!(jobs.iter().sum::<u64>() >= 5000, "{jobs:?}");
    assert!(jobs.iter().filter(|&&jobs| jobs > 0).count() >= 2, "{jobs:?}");
    assert_eq!(status["runs"], Value::Array(Vec::new()), "no run is left");
}

const LONG: &[&str] =
    &["match", "tictactoe", "montecarlo(sims=400)", "ucb(sims=400)", "-n", "3000"];

#[test]
fn no_game_is_lost_or_counted_twice_when_processes_are_killed() {
    let mut test = TestCluster::new(3);
    test.json("threads", LONG);
    let url = test.server.url();
    let coordinate = |test: &TestCluster, args: &[&str]| {
        let mut command = test.ludion("cluster", args);
        command.args(["--cluster", &url]).stdout(Stdio::null()).stderr(Stdio::null());
        command.spawn().expect("the program starts")
    };
    let stored = |test: &TestCluster| {
        let store = Store::open(&test.path("cluster"));
        store.and_then(|store| store.run(1)).map_or(0, |run| run.games)
    };
    let mut coordinator = coordinate(&test, LONG);
    let (mut noise, began) = (12_345_u64, Instant::now());
    for round in 0..20_u64 {
        noise =
            noise.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        std::thread::sleep(Duration::from_millis(30 + (noise >> 33) % 150));
        assert_eq!(
            coordinator.try_wait().expect("a child"),
            None,
            "the run ended before kill {round}"
        );
        test.replace((noise >> 40) as usize % 3);
        if round == 6 {
            test.server.kill();
            test.server.begin();
        }
        if round == 12 {
            while stored(&test) == 0 {
                assert!(began.elapsed() < Duration::from_secs(60), "no game is stored");
                std::thread::sleep(Duration::from_millis(10));
            }
            kill(&mut coordinator);
            assert!(stored(&test) < 6000, "the run ended before it was killed");
            coordinator = coordinate(&test, &["run", "resume", "1"]);
        }
    }
    assert!(coordinator.wait().expect("it ends").success());
    let [threads, cluster] = ["threads", "cluster"].map(|store| kept::games(&test.path(store)));
    assert_eq!(cluster.len(), 6000);
    assert!(threads == cluster, "the games differ");
    let shown =
        ["threads", "cluster"].map(|store| timeless(test.json(store, &["run", "show", "1"])));
    assert_eq!(shown[0], shown[1]);
}

#[test]
fn random_and_forged_messages_leave_a_match_as_it_is_on_threads() {
    const MESSAGES: u64 = 10_000;
    let test = TestCluster::new(2);
    let args = ["match", "tictactoe", "montecarlo(sims=300)", "ucb(sims=300)", "-n", "600"];
    test.json("threads", &args);
    let (threads, url) = (kept::games(&test.path("threads")), test.server.url());
    let mut forger = Forger::connect(test.server.port, 19);
    // A match may end before all messages are sent; then the next one takes the rest.
    for round in 0.. {
        let store = format!("cluster{round}");
        let mut command = test.ludion(&store, &args);
        command.args(["--cluster", &url]).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut running = command.spawn().expect("the program starts");
        forger.wait_for_results();
        while running.try_wait().expect("a child").is_none() {
            if forger.sent < MESSAGES {
                forger.forge();
            } else {
                forger.listen();
            }
        }
        let out = running.wait_with_output().expect("a child");
        let said = String::from_utf8_lossy(&out.stderr);
        assert!(out.status.success(), "{said}");
        assert!(!said.contains("excluded"), "{said}");
        assert!(kept::games(&test.path(&store)) == threads, "the games differ");
        if forger.sent >= MESSAGES {
            println!("{} messages in {} matches", forger.sent, round + 1);
            break;
        }
    }
    // The workers still answer and end when they are asked to.
    for worker in &test.workers {
        let ended = Command::new("kill").arg(worker.id().to_string()).status();
        assert!(ended.expect("kill").success());
    }
    let mut test = test;
    for worker in std::mem::take(&mut test.workers).iter_mut() {
        let began = Instant::now();
        while worker.try_wait().expect("a child").is_none() {
            assert!(began.elapsed() < Duration::from_secs(10), "a worker ignores SIGTERM");
            std::thread::sleep(Duration::from_millis(10));
        }
        assert_eq!(worker.wait().expect("a child").code(), Some(143));
    }
}

#[test]
fn every_kind_of_run_is_the_same_on_the_cluster() {
    let test = TestCluster::new(2);
    let runs: [&[&str]; 11] = [
        &[
            "learn",
            "connect4(5, 4)",
            "--rounds",
            "2",
            "--games",
            "120",
            "--depth",
            "2",
            "--pairs",
            "10",
            "--out",
            "connect4.lpat",
        ],
        &["experiment", "--games", "100", "--matches", "6", "--layers", "8", "--epochs", "2"],
        &["tournament", "tictactoe", "--players", "random", "montecarlo(sims=9)", "ucb(sims=9)"],
        &["championship", "tictactoe", "mcts(c=0.5|1|2, sims=20)", "-n", "5"],
        &["tune", "matches", "ucb(sims=?1..9)", "--generations", "2", "-n", "5"],
        &["tune", "matches", "ucb(sims=?1..30)", "--by", "spsa", "--generations", "2", "-n", "5"],
        &["ladder", "tictactoe", "--players", "random", "mcts", "--budget", "9sims", "--rounds=2"],
        &["mastermind", "table", "--pegs", "4,6", "--colours", "6,10", "--runs", "3"],
        &[
            "hextris",
            "tune",
            "--train",
            "dot",
            "--held-out",
            "pair",
            "--generations",
            "1",
            "--states",
            "1",
        ],
        &[
            "learn",
            "tictactoe",
            "--rounds",
            "2",
            "--games",
            "120",
            "--check",
            "1",
            "--pairs",
            "5",
            "--positions",
            "10",
            "--hidden",
            "8",
            "--match-sims",
            "10",
            "--out",
            "tictactoe.net",
        ],
        &["reproduce", "checkers", "--tiny", "--only", "knn,mlp"],
    ];
    for args in runs {
        let [threads, cluster] = test.both(args).map(timeless);
        assert_eq!(threads, cluster, "{args:?}");
    }
    let url = test.server.url();
    for (kind, run) in [("learn", "1"), ("experiment", "2")] {
        let resume = ["run", "resume", run, "--cluster", &url];
        assert_eq!(test.json("cluster", &resume)["complete"], true, "{kind}");
        assert_eq!(test.json("cluster", &["run", "repeat", run])["identical"], true, "{kind}");
    }
    let made = ["threads.games", "cluster.games"];
    for (file, option) in made.iter().zip([&[][..], &["--cluster", &url]]) {
        let args = ["generate", "connect4", "-n", "5000", "--out", file];
        test.json("none", &[&args, option].concat());
    }
    let [threads, cluster] = made.map(|file| std::fs::read(test.path(file)).expect("games"));
    assert!(threads == cluster, "the archives differ");
}

#[test]
fn a_model_is_sent_to_workers_that_do_not_have_it() {
    let test = TestCluster::new(2);
    test.json("none", &["generate", "checkers", "-n", "100", "--out", "some.games"]);
    let train = ["train", "checkers", "--data", "some.games", "--layers", "8", "--epochs", "1"];
    test.json("none", &[&train[..], &["--out", "model.safetensors"]].concat());
    let player = "mlp(model.safetensors)";
    let [threads, cluster] =
        test.both(&["match", "checkers", player, "random", "-n", "5"]).map(timeless);
    assert_eq!(threads, cluster);
    let fetched = (0..2).filter_map(|n| std::fs::read_dir(test.path(&format!("things-w{n}"))).ok());
    assert!(fetched.flatten().count() >= 1, "no worker fetched the model");
}

/// Jobs that all return the same bytes.
struct SameBytes;

impl OpenedJobSet for SameBytes {
    fn job_fn(self: Arc<Self>) -> JobFn {
        // The bytes decode as the moves of a block.
        Box::new(|_, _| Some(Ok([&[0, 5][..], b"abcde"].concat())))
    }
}

#[test]
fn a_block_with_the_wrong_number_of_games_is_played_by_another_worker() {
    let mut test = TestCluster::new(0);
    let url = test.server.url();
    let rogue = test.rogue(Box::new(|_| Ok(Arc::new(SameBytes))));
    let (address, stop) = (url.parse().expect("an address"), AtomicBool::new(false));
    std::thread::scope(|scope| {
        scope.spawn(|| rogue.run(&address, &Credentials::default(), &stop, &|_| ()));
        let args = ["generate", "connect4", "-n", "20000", "--out"];
        let away = [&args[..], &["cluster.games", "--cluster", &url]].concat();
        let mut command = test.ludion("none", &away);
        let running = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn();
        // The worker with the wrong results gets the first blocks.
        std::thread::sleep(Duration::from_secs(2));
        test.workers.push(test.worker(0));
        let out = running.and_then(Child::wait_with_output).expect("the program ends");
        stop.store(true, Ordering::Relaxed);
        let said = String::from_utf8_lossy(&out.stderr);
        assert!(out.status.success(), "{said}");
        assert!(said.contains("worker rogue is excluded: the result of job"), "{said}");
        test.json("none", &[&args[..], &["threads.games"]].concat());
    });
    let [threads, cluster] =
        ["threads.games", "cluster.games"].map(|file| std::fs::read(test.path(file)));
    assert!(threads.expect("games") == cluster.expect("games"), "the archives differ");
}

/// Opens the jobs of a match with the second player in the place of the first.
fn open_with_other_player(received: ReceivedJobSpec<'_>) -> Result<Arc<dyn OpenedJobSet>, String> {
    let mut spec: Value = serde_json::from_slice(received.spec).map_err(|why| why.to_string())?;
    let players = &mut spec["plan"]["players"];
    players[0] = players[1].clone();
    let (registry, spec) = (ludion::registry::standard(), spec.to_string());
    let opened = (GAMES.open)(&registry, registry.assets(), spec.as_bytes());
    opened.map_err(|why| why.to_string())
}

#[test]
fn a_worker_whose_games_are_legal_but_of_another_player_is_named() {
    let test = TestCluster::new(2);
    let url = test.server.url();
    let rogue = test.rogue(Box::new(open_with_other_player));
    let (address, stop) = (url.parse().expect("an address"), AtomicBool::new(false));
    std::thread::scope(|scope| {
        scope.spawn(|| rogue.run(&address, &Credentials::default(), &stop, &|_| ()));
        let players = ["montecarlo(sims=60)", "montecarlo(sims=20)"];
        let args =
            ["match", "connect4", players[0], players[1], "-n", "2000000", "--cluster", &url];
        let mut command = test.ludion("none", &args);
        let running = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn();
        let running = running.expect("the program starts");
        let status_args = ["cluster", "status", "--nats", &url];
        let began = Instant::now();
        let is_named = |worker: &Value| worker["probability"].as_f64().is_some_and(|p| p <= 1e-4);
        let has_named = |status: &Value| {
            let residuals = status["runs"][0]["residuals"].as_array();
            residuals.is_some_and(|workers| workers.iter().any(is_named))
        };
        while began.elapsed() < Duration::from_secs(60)
            && !has_named(&test.json("none", &status_args))
        {}
        let text = test.ludion("none", &status_args).output().expect("the program starts");
        let ended = Command::new("kill").args(["-INT", &running.id().to_string()]).status();
        assert!(ended.expect("kill").success());
        let out = running.wait_with_output().expect("the program ends");
        stop.store(true, Ordering::Relaxed);
        let (text, said) =
            (String::from_utf8_lossy(&text.stdout), String::from_utf8_lossy(&out.stderr));
        let notice = "worker rogue: its results differ from the others' (mean 0.";
        assert!(text.contains("by worker\nworker ") && text.contains(notice), "{text}");
        assert!(said.contains(notice), "{said}");
        assert!(said.contains("mean scores by worker at the end: rogue 0."), "{said}");
        assert!(!said.contains("worker w0:") && !said.contains("worker w1:"), "{said}");
    });
}

const RANDOM: [&str; 5] = ["match", "tictactoe", "random", "random", "--cluster"];

#[test]
fn errors_contain_no_password() {
    let test = TestCluster::new(0);
    let said = |args: &[&str]| {
        let out = test.ludion("none", args).output().expect("the program starts");
        (out.status.code(), String::from_utf8_lossy(&out.stderr).into_owned())
    };
    let away = "nats://anna:s3cret@127.0.0.1:1";
    let (code, error) = said(&[&RANDOM[..], &[away]].concat());
    assert_eq!(code, Some(1), "{error}");
    assert!(
        error.contains("no NATS server answers at 127.0.0.1:1") && !error.contains("s3cret"),
        "{error}"
    );
    for wrong in ["ftp://anna:s3cret@host", "nats://anna:s3c/ret@1@127.0.0.1:5224"] {
        for command in [&["worker", "--nats"][..], &["lab", "--cluster"], &RANDOM[..]] {
            let (code, error) = said(&[command, &[wrong]].concat());
            assert_eq!(code, Some(2), "{error}");
            assert!(error.contains("not an address of a NATS server"), "{error}");
            assert!(!error.contains("s3c") && !error.contains("anna"), "{error}");
        }
    }
    let (code, error) = said(&["worker", "--nats", away, "--name", "a\nb"]);
    assert_eq!(code, Some(2), "{error}");
    assert!(error.contains("on one line"), "{error}");
    let out = test.ludion("none", &["cluster", "status", "--nats", &test.server.url()]).output();
    let text = String::from_utf8(out.expect("the program starts").stdout).expect("text");
    assert!(text.starts_with("no worker at 127.0.0.1:"), "{text}");
    assert!(text.ends_with("no run is under way\n"), "{text}");
}
