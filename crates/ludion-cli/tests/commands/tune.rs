//! Tuning on the command line: every method, on any number of threads, stopped and resumed.

use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

const PLAYER: &str = "mcts(c=?0.05..20, sims=30)";

fn command(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ludion"));
    command.args(args).current_dir(folder).env("LUDION_STORE", folder.join("store"));
    command.env("LUDION_QUIET", "1").stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn run(folder: &Path, args: &[&str]) -> Output {
    command(folder, args).output().expect("the program starts")
}

fn answer(folder: &Path, args: &[&str]) -> Value {
    let out = run(folder, &[args, &["--json"]].concat());
    assert!(out.status.success(), "{args:?}: {}", String::from_utf8_lossy(&out.stderr));
    serde_json::from_slice(&out.stdout).expect("JSON")
}

/// Removes what differs between two runs of the same search.
fn without_runs(mut report: Value) -> Value {
    report["run"].take();
    report["confirmed"]["run"].take();
    for candidate in report["candidates"].as_array_mut().expect("candidates") {
        candidate["run"].take();
        candidate["known"].take();
    }
    report
}

#[test]
fn every_method_gives_the_same_search_on_any_number_of_threads_and_from_the_store() {
    for by in ["genetic", "cross-entropy", "cma-es", "spsa"] {
        let folders = [(); 2].map(|()| tempfile::tempdir().expect("a folder"));
        let tune = |folder: &Path, threads: &str| {
            let args = ["tune", "tictactoe", PLAYER, "--by", by, "--generations", "2", "-n", "3"];
            answer(folder, &[&args[..], &["--threads", threads]].concat())
        };
        let one = tune(folders[0].path(), "1");
        let three = without_runs(tune(folders[1].path(), "3"));
        assert_eq!(three, without_runs(one.clone()), "{by}");
        let shown = answer(folders[0].path(), &["run", "show", "1"]);
        assert_eq!(without_runs(shown), without_runs(one.clone()), "{by}");
        let moves_one_point = ["cma-es", "spsa"].contains(&by);
        let centres = one["centres"].as_array().map(Vec::len);
        assert_eq!(centres, moves_one_point.then_some(2), "{by}");
        let picture = ["run", "show", "1", "--plot", "tuning.svg"];
        assert!(run(folders[0].path(), &picture).status.success(), "{by}");
        let sound = answer(folders[0].path(), &["store", "check"]);
        assert_eq!(sound["sound"], json!(true), "{by}");
    }
}

#[test]
fn a_stopped_search_by_spsa_is_resumed_to_the_same_end() {
    let folders = [(); 2].map(|()| tempfile::tempdir().expect("a folder"));
    let args = ["tune", "connect4", "mcts(c=?0.05..20, sims=60)", "--by", "spsa", "-n", "4"];
    let args = [&args[..], &["--generations", "6", "--seed", "5"]].concat();
    let whole = answer(folders[0].path(), &args);
    let folder = folders[1].path();
    let mut stopped = 0;
    loop {
        let again = ["run", "resume", "1"];
        let next = if stopped == 0 { &args[..] } else { &again };
        let mut child = command(folder, next).spawn().expect("the program starts");
        let began = Instant::now();
        while began.elapsed() < Duration::from_millis(300) && stopped < 3 {
            std::thread::sleep(Duration::from_millis(10));
        }
        if stopped < 3 {
            child.kill().expect("the program is stopped");
        }
        if child.wait().expect("an end").success() {
            break;
        }
        stopped += 1;
    }
    assert_eq!(without_runs(answer(folder, &["run", "show", "1"])), without_runs(whole));
}

#[test]
fn what_a_method_cannot_tune_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let refused = |args: &[&str]| {
        let out = run(folder.path(), &[&["tune", "tictactoe"], args].concat());
        assert!(!out.status.success(), "{args:?}");
        String::from_utf8(out.stderr).expect("text")
    };
    for by in ["spsa", "cma-es"] {
        let said = refused(&["mcts(select=?, sims=9)", "--by", by]);
        assert!(said.contains("\"select\" has words"), "{said}");
    }
    let said = refused(&["mcts(c=?0.5..5, a=?1..20, sims=9)", "--by", "spsa"]);
    assert!(said.contains("has no effect unless"), "{said}");
    assert!(!folder.path().join("store").exists(), "nothing is stored");
    let said = refused(&["mcts(c=?1..2)", "--by", "spsa", "-n", "5000"]);
    assert!(said.contains("up to 1000 pairs"), "{said}");
}
