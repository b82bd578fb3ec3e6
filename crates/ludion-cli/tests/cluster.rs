//! Runs on several worker processes come to the same as on threads, game by game, whoever is
//! killed meanwhile: workers, the server, the program that conducts the run.

#![cfg(unix)]

mod kept;
#[path = "../../ludion-cluster/tests/support/mod.rs"]
mod support;

use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use ludion_cluster::{Credentials, Worker};
use ludion_runs::remote::{JobFn, OpenedJobSet};
use ludion_store::Store;
use serde_json::Value;
use support::Server;

/// A folder with a server, a store for each way of doing things, and workers.
struct Ground {
    folder: tempfile::TempDir,
    server: Server,
    workers: Vec<Child>,
}

impl Ground {
    fn new(workers: usize) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let server = Server::start(&folder.path().join("streams"));
        let mut ground = Ground { folder, server, workers: Vec::new() };
        for number in 0..workers {
            let worker = ground.worker(number);
            ground.workers.push(worker);
        }
        ground
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

    /// A worker in a folder of its own, so that no file of the run is there.
    fn worker(&self, number: usize) -> Child {
        let (name, home) = (format!("w{number}"), self.path("elsewhere"));
        std::fs::create_dir_all(&home).expect("a folder");
        let args = ["worker", "--nats", &self.server.url(), "--name", &name, "--threads", "1"];
        let mut command = self.ludion("none", &args);
        command.arg("--folder").arg(self.path(&format!("things-{name}"))).current_dir(home);
        command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("a worker")
    }

    /// Kills a worker as nobody likes to be killed, and sends another in its place.
    fn replace(&mut self, number: usize) {
        kill(&mut self.workers[number]);
        self.workers[number] = self.worker(number);
    }

    fn json(&self, store: &str, args: &[&str]) -> Value {
        let out = self.ludion(store, args).arg("--json").output().expect("the program starts");
        assert!(out.status.success(), "{args:?}: {}", String::from_utf8_lossy(&out.stderr));
        serde_json::from_slice(&out.stdout).expect("JSON")
    }

    /// The same on threads and on the workers.
    fn both(&self, args: &[&str]) -> [Value; 2] {
        let url = self.server.url();
        let elsewhere: Vec<&str> = args.iter().copied().chain(["--cluster", &url]).collect();
        [self.json("threads", args), self.json("cluster", &elsewhere)]
    }
}

impl Drop for Ground {
    fn drop(&mut self) {
        self.workers.iter_mut().for_each(kill);
    }
}

fn kill(child: &mut Child) {
    child.kill().expect("a child");
    child.wait().expect("a child");
}

/// An answer without what depends on the clock.
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
    let ground = Ground::new(3);
    let url = ground.server.url();
    let status = || ground.json("none", &["cluster", "status", "--nats", &url]);
    while status()["workers"].as_array().is_none_or(|workers| workers.len() < 3) {}
    let args = ["match", "tictactoe", "montecarlo(sims=2)", "random", "-n", "5000"];
    let [threads, cluster] = ground.both(&args).map(timeless);
    assert_eq!(threads, cluster);
    let [threads, cluster] = ["threads", "cluster"].map(|store| kept::games(&ground.path(store)));
    assert_eq!(threads.len(), 10_000);
    assert!(threads == cluster, "the games differ");
    let status = status();
    let workers = status["workers"].as_array().expect("workers");
    let names: Vec<&str> = workers.iter().filter_map(|worker| worker["name"].as_str()).collect();
    assert_eq!(names, ["w0", "w1", "w2"]);
    let jobs: Vec<u64> = workers.iter().filter_map(|worker| worker["jobs"].as_u64()).collect();
    assert!(jobs.iter().sum::<u64>() >= 5000, "{jobs:?}");
    assert!(jobs.iter().filter(|&&jobs| jobs > 0).count() >= 2, "{jobs:?}");
    assert_eq!(status["runs"], Value::Array(Vec::new()), "nothing is left under way");
}

const LONG: &[&str] =
    &["match", "tictactoe", "montecarlo(sims=400)", "ucb(sims=400)", "-n", "3000"];

#[test]
fn whoever_is_killed_no_game_is_lost_and_none_counts_twice() {
    let mut ground = Ground::new(3);
    ground.json("threads", LONG);
    let url = ground.server.url();
    let conduct = |ground: &Ground, args: &[&str]| {
        let mut command = ground.ludion("cluster", args);
        command.args(["--cluster", &url]).stdout(Stdio::null()).stderr(Stdio::null());
        command.spawn().expect("the program starts")
    };
    let stored = |ground: &Ground| {
        let store = Store::open(&ground.path("cluster"));
        store.and_then(|store| store.run(1)).map_or(0, |run| run.games)
    };
    let mut coordinator = conduct(&ground, LONG);
    let (mut noise, began) = (12_345_u64, Instant::now());
    for round in 0..20_u64 {
        noise =
            noise.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        std::thread::sleep(Duration::from_millis(30 + (noise >> 33) % 150));
        assert_eq!(coordinator.try_wait().expect("a child"), None, "over before kill {round}");
        ground.replace((noise >> 40) as usize % 3);
        if round == 6 {
            ground.server.kill();
            ground.server.begin();
        }
        if round == 12 {
            while stored(&ground) == 0 {
                assert!(began.elapsed() < Duration::from_secs(60), "no game is kept");
                std::thread::sleep(Duration::from_millis(10));
            }
            kill(&mut coordinator);
            assert!(stored(&ground) < 6000, "it was over before it was killed");
            coordinator = conduct(&ground, &["run", "resume", "1"]);
        }
    }
    assert!(coordinator.wait().expect("it ends").success());
    let [threads, cluster] = ["threads", "cluster"].map(|store| kept::games(&ground.path(store)));
    assert_eq!(cluster.len(), 6000);
    assert!(threads == cluster, "the games differ");
    let shown =
        ["threads", "cluster"].map(|store| timeless(ground.json(store, &["run", "show", "1"])));
    assert_eq!(shown[0], shown[1]);
}

#[test]
fn every_kind_of_run_is_the_same_elsewhere() {
    let ground = Ground::new(2);
    let runs: [&[&str]; 7] = [
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
        ],
        &["experiment", "--games", "100", "--matches", "6", "--layers", "8", "--epochs", "2"],
        &["tournament", "tictactoe", "--players", "random", "montecarlo(sims=9)", "ucb(sims=9)"],
        &["championship", "tictactoe", "mcts(c=0.5|1|2, sims=20)", "-n", "5"],
        &["tune", "matches", "ucb(sims=?1..9)", "--generations", "2", "-n", "5"],
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
    ];
    for args in runs {
        let [threads, cluster] = ground.both(args).map(timeless);
        assert_eq!(threads, cluster, "{args:?}");
    }
    let url = ground.server.url();
    for (kind, run) in [("learn", "1"), ("experiment", "2")] {
        let resume = ["run", "resume", run, "--cluster", &url];
        assert_eq!(ground.json("cluster", &resume)["complete"], true, "{kind}");
        assert_eq!(ground.json("cluster", &["run", "repeat", run])["identical"], true, "{kind}");
    }
    let made = ["threads.games", "cluster.games"];
    for (file, option) in made.iter().zip([&[][..], &["--cluster", &url]]) {
        let args = ["generate", "connect4", "-n", "5000", "--out", file];
        ground.json("none", &[&args, option].concat());
    }
    let [threads, cluster] = made.map(|file| std::fs::read(ground.path(file)).expect("games"));
    assert!(threads == cluster, "the archives differ");
}

#[test]
fn a_model_travels_to_workers_that_do_not_have_it() {
    let ground = Ground::new(2);
    ground.json("none", &["generate", "checkers", "-n", "100", "--out", "some.games"]);
    let train = ["train", "checkers", "--data", "some.games", "--layers", "8", "--epochs", "1"];
    ground.json("none", &[&train[..], &["--out", "model.safetensors"]].concat());
    let player = "mlp(model.safetensors)";
    let [threads, cluster] =
        ground.both(&["match", "checkers", player, "random", "-n", "5"]).map(timeless);
    assert_eq!(threads, cluster);
    let fetched =
        (0..2).filter_map(|n| std::fs::read_dir(ground.path(&format!("things-w{n}"))).ok());
    assert!(fetched.flatten().count() >= 1, "nobody fetched the model");
}

/// Answers every job with the same few bytes.
struct Rogue;

impl OpenedJobSet for Rogue {
    fn job_fn(self: Arc<Self>) -> JobFn {
        // They read as the moves of a block.
        Box::new(|_| Ok([&[0, 5][..], b"abcde"].concat()))
    }
}

#[test]
fn a_block_that_is_not_as_many_games_is_played_by_somebody_else() {
    let mut ground = Ground::new(0);
    let url = ground.server.url();
    let version = ground.ludion("none", &["--version"]).output().expect("the program starts");
    let version = String::from_utf8(version.stdout).expect("text");
    let rogue = Worker {
        name: "rogue".to_owned(),
        version: version.trim().trim_start_matches("ludion ").to_owned(),
        threads: 1,
        folder: ground.path("rogue"),
        opener: Box::new(|_| Ok(Arc::new(Rogue))),
    };
    let (address, stop) = (url.parse().expect("an address"), AtomicBool::new(false));
    std::thread::scope(|scope| {
        scope.spawn(|| rogue.run(&address, &Credentials::default(), &stop, &|_| ()));
        let args = ["generate", "connect4", "-n", "20000", "--out"];
        let away = [&args[..], &["cluster.games", "--cluster", &url]].concat();
        let mut command = ground.ludion("none", &away);
        let running = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn();
        // The rogue has the first blocks for itself.
        std::thread::sleep(Duration::from_secs(2));
        ground.workers.push(ground.worker(0));
        let out = running.and_then(Child::wait_with_output).expect("the program ends");
        stop.store(true, Ordering::Relaxed);
        let said = String::from_utf8_lossy(&out.stderr);
        assert!(out.status.success(), "{said}");
        assert!(said.contains("worker rogue is excluded: the result of job"), "{said}");
        ground.json("none", &[&args[..], &["threads.games"]].concat());
    });
    let [threads, cluster] =
        ["threads.games", "cluster.games"].map(|file| std::fs::read(ground.path(file)));
    assert!(threads.expect("games") == cluster.expect("games"), "the archives differ");
}

const RANDOM: [&str; 5] = ["match", "tictactoe", "random", "random", "--cluster"];

#[test]
fn what_is_wrong_is_said_in_a_sentence_without_passwords() {
    let ground = Ground::new(0);
    let said = |args: &[&str]| {
        let out = ground.ludion("none", args).output().expect("the program starts");
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
    let out =
        ground.ludion("none", &["cluster", "status", "--nats", &ground.server.url()]).output();
    let text = String::from_utf8(out.expect("the program starts").stdout).expect("text");
    assert!(text.starts_with("no worker at 127.0.0.1:"), "{text}");
    assert!(text.ends_with("no run is under way\n"), "{text}");
}
