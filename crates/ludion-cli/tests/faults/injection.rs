//! Fault injection in the style of SQLite: the n-th write, sync, map of a file, large allocation or
//! start of a thread fails, for every n up to the end of a small run. Then the run is resumed and
//! compared with an undisturbed one. The calls fail in a library, `shim.c`, that is loaded into the
//! program, so that the program itself knows nothing of the tests.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use ludion_store::{RunState, Store};
use serde_json::Value;

use crate::kept;
use crate::program::{ended_well, json, ludion, said, timeless};

/// Compiles the library and returns its path.
fn shim() -> &'static Path {
    static SHIM: OnceLock<PathBuf> = OnceLock::new();
    SHIM.get_or_init(|| {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/faults/shim.c");
        let library = Path::new(env!("CARGO_TARGET_TMPDIR")).join("ludion-faults.so");
        let mut compiler = Command::new("cc");
        compiler.args(["-O1", "-shared", "-fPIC", "-o"]).arg(&library).arg(source).arg("-ldl");
        let out = compiler.output().expect("a C compiler");
        assert!(out.status.success(), "{}", said(&out));
        library
    })
}

/// Calls that fail: which, how many in a row, and with which error.
#[derive(Clone, Copy, Debug)]
struct Fault {
    call: &'static str,
    count: u64,
    error: i32,
}

const EIO: i32 = 5;
const ENOSPC: i32 = 28;
/// More calls than any run makes.
const ALL: u64 = 1 << 40;

const fn fault(call: &'static str, count: u64, error: i32) -> Fault {
    Fault { call, count, error }
}

/// One of each kind, for the tests of every day.
const FEW: [Fault; 5] = [
    fault("write", 1, EIO),
    fault("sync", ALL, EIO),
    fault("map", 1, EIO),
    fault("alloc", 1, 0),
    fault("thread", ALL, 0),
];
const MANY: [Fault; 11] = [
    fault("write", 1, EIO),
    fault("write", 1, ENOSPC),
    fault("write", ALL, ENOSPC),
    fault("sync", 1, EIO),
    fault("sync", ALL, EIO),
    fault("map", 1, EIO),
    fault("map", ALL, EIO),
    fault("alloc", 1, 0),
    fault("alloc", ALL, 0),
    fault("thread", 1, 0),
    fault("thread", ALL, 0),
];

/// A small run that is disturbed: its commands, and how it is finished and compared.
trait SmallRun {
    /// The arguments of the first command.
    fn args(&self) -> Vec<&str>;

    /// Makes what the first command needs, in an empty folder.
    fn prepare(&self, _folder: &Path) {}

    /// Finishes the run after a fault. Checks that what was finished before is still there.
    fn finish(&self, folder: &Path);

    /// Returns the results of the finished run, without times.
    fn results(&self, folder: &Path) -> Value;
}

/// Number of tries and of those in which the program failed with a sentence.
#[derive(Default)]
struct Tries {
    tries: u64,
    failures: u64,
}

/// Disturbs a run at every `step`-th call of each kind, until the program makes fewer calls. Prints
/// the numbers of tries.
fn disturb(name: &str, run: &dyn SmallRun, faults: &[Fault], step: u64) {
    let whole = tempfile::tempdir().expect("a folder");
    run.prepare(whole.path());
    json(whole.path(), &run.args());
    let expected = run.results(whole.path());
    for &fault in faults {
        let (mut tries, began) = (Tries::default(), Instant::now());
        // A sample begins with the first call.
        for at in (1..).step_by(step as usize) {
            let folder = tempfile::tempdir().expect("a folder");
            run.prepare(folder.path());
            let out = disturbed(folder.path(), &run.args(), fault, at);
            let what = format!("{name}, {fault:?} at call {at}");
            tries.tries += 1;
            tries.failures += u64::from(!ended_well(&out, &what));
            // A program that was aborted does not write its number of calls.
            let total = std::fs::read_to_string(folder.path().join("total"));
            let total = total.map_or(u64::MAX, |text| text.parse().expect("a number"));
            run.finish(folder.path());
            assert!(run.results(folder.path()) == expected, "{what}: the results differ");
            if total < at {
                break;
            }
        }
        let (Tries { tries, failures }, took) = (tries, began.elapsed());
        let Fault { call, count, error } = fault;
        let all = if count == ALL { "all from there" } else { "one" };
        println!(
            "{name}: {call}, {all}, error {error}: {tries} tries, {failures} failed, {took:.1?}"
        );
    }
}

/// Runs the program with a fault; it must end soon.
fn disturbed(folder: &Path, args: &[&str], fault: Fault, at: u64) -> Output {
    let mut command = ludion(folder, args);
    command
        .env("LD_PRELOAD", shim())
        .env("FAULT_CALL", fault.call)
        .env("FAULT_AT", at.to_string())
        .env("FAULT_COUNT", fault.count.to_string())
        .env("FAULT_ERROR", fault.error.to_string())
        .env("FAULT_TOTAL", folder.join("total"));
    let began = Instant::now();
    let out = command.output().expect("the program starts");
    assert!(began.elapsed() < Duration::from_secs(30), "{fault:?} at call {at}");
    out
}

/// Returns whether the store has a run; `None` also if there is no store yet.
fn stored_state(folder: &Path) -> Option<RunState> {
    let path = folder.join("store");
    let store = path.exists().then(|| Store::open(&path).expect("a store"))?;
    store.any_run(1).ok().map(|run| run.state)
}

/// Resumes run 1, or starts it again if it was not stored.
fn resume(folder: &Path, args: &[&str]) {
    match stored_state(folder) {
        None => drop(json(folder, args)),
        Some(_) => drop(json(folder, &["run", "resume", "1"])),
    }
}

struct Match;

impl SmallRun for Match {
    fn args(&self) -> Vec<&str> {
        // The first player has a pool of nodes, the second a transposition table.
        let players = ["mcts(sims=20, memory=1)", "deepening(depth=2, secs=0)"];
        [&["match", "tictactoe"][..], &players, &["-n", "4", "--threads", "2"]].concat()
    }

    fn finish(&self, folder: &Path) {
        let before =
            stored_state(folder).map_or(Vec::new(), |_| kept::games(&folder.join("store")));
        resume(folder, &self.args());
        let after = kept::games(&folder.join("store"));
        assert!(before.iter().all(|game| after.contains(game)), "a finished game is lost");
    }

    fn results(&self, folder: &Path) -> Value {
        let games = kept::games(&folder.join("store"));
        assert_eq!(games.len(), 8);
        let shown = timeless(json(folder, &["run", "show", "1"]));
        serde_json::json!([shown, format!("{games:?}")])
    }
}

/// A study of a table of Mastermind, or of learning, which also writes a model.
struct SmallStudy {
    args: &'static [&'static str],
    file: Option<&'static str>,
}

const TABLE: SmallStudy = SmallStudy {
    args: &[
        "mastermind",
        "table",
        "--pegs",
        "3,4",
        "--colours",
        "4",
        "--runs",
        "3",
        "--threads",
        "2",
    ],
    file: None,
};
const LEARNING: SmallStudy = SmallStudy {
    args: &[
        "learn",
        "connect4(4, 4)",
        "--rounds",
        "2",
        "--games",
        "20",
        "--depth",
        "1",
        "--pairs",
        "2",
        "--threads",
        "2",
        "--out",
        "model",
    ],
    file: Some("model"),
};

impl SmallRun for SmallStudy {
    fn args(&self) -> Vec<&str> {
        self.args.to_vec()
    }

    fn finish(&self, folder: &Path) {
        let outputs = || {
            let store = Store::open(&folder.join("store")).expect("a store");
            store.any_run(1).map_or(0, |run| run.outputs)
        };
        let before = stored_state(folder).map_or(0, |_| outputs());
        resume(folder, self.args);
        assert!(outputs() >= before, "a finished job is lost");
    }

    fn results(&self, folder: &Path) -> Value {
        let file = self.file.map(|name| std::fs::read(folder.join(name)).expect("a model"));
        let shown = timeless(json(folder, &["run", "show", "1"]));
        assert_eq!(shown["complete"], true);
        serde_json::json!([shown, file])
    }
}

/// An archive of games, which has no store: what is missing is generated again.
struct Archive;

const ARCHIVE: [&str; 8] =
    ["generate", "tictactoe", "--player", "mcts(sims=5)", "--threads", "2", "-o", "games"];

impl SmallRun for Archive {
    fn args(&self) -> Vec<&str> {
        [&ARCHIVE[..], &["-n", "35"]].concat()
    }

    fn finish(&self, folder: &Path) {
        let is_empty =
            std::fs::metadata(folder.join("games")).map_or(true, |about| about.len() == 0);
        let games = match is_empty {
            true => 0,
            false => json(folder, &["data", "info", "games"])["games"].as_u64().expect("a number"),
        };
        if games < 35 {
            json(folder, &[&ARCHIVE[..], &["-n", &(35 - games).to_string()]].concat());
        }
    }

    fn results(&self, folder: &Path) -> Value {
        json(folder, &["data", "show", "games", "-n", "1000"])
    }
}

/// The training of a network, which replaces a model.
struct Training;

impl SmallRun for Training {
    fn args(&self) -> Vec<&str> {
        let data = ["--data", "games", "--layers", "8", "--epochs", "2", "-o", "model"];
        [&["train", "checkers"][..], &data].concat()
    }

    fn prepare(&self, folder: &Path) {
        json(folder, &["generate", "checkers", "-n", "60", "-o", "games"]);
        std::fs::write(folder.join("model"), "the model before").expect("a file");
    }

    fn finish(&self, folder: &Path) {
        let model = std::fs::read(folder.join("model")).expect("a model");
        let is_whole = model == b"the model before" || model.len() > 1000;
        assert!(is_whole, "the model before is lost: {} bytes", model.len());
        json(folder, &self.args());
    }

    fn results(&self, folder: &Path) -> Value {
        serde_json::json!(std::fs::read(folder.join("model")).expect("a model"))
    }
}

#[test]
fn a_match_survives_a_failure_of_some_calls() {
    disturb("match", &Match, &FEW, 13);
}

#[test]
fn a_study_survives_a_failure_of_some_calls() {
    disturb("mastermind table", &TABLE, &FEW, 29);
}

#[test]
fn files_survive_a_failure_of_some_calls() {
    disturb("generate", &Archive, &FEW, 5);
    disturb("train", &Training, &FEW, 9);
}

#[test]
#[ignore = "takes minutes; ./test --all runs it"]
fn every_call_of_a_match_may_fail() {
    disturb("match", &Match, &MANY, 1);
}

#[test]
#[ignore = "takes minutes; ./test --all runs it"]
fn every_call_of_a_study_may_fail() {
    disturb("mastermind table", &TABLE, &MANY, 1);
    disturb("learn", &LEARNING, &MANY, 1);
}

#[test]
#[ignore = "takes minutes; ./test --all runs it"]
fn every_call_of_a_command_that_writes_files_may_fail() {
    disturb("generate", &Archive, &MANY, 1);
    disturb("train", &Training, &MANY, 1);
}
