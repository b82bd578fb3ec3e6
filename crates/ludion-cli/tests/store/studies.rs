//! Studies in a store: killed, resumed, repeated and exported.

use std::process::Stdio;
use std::time::Duration;

use ludion_store::Store;
use serde_json::Value;

use crate::{json, ludion};

const TABLE: &[&str] =
    &["mastermind", "table", "--pegs", "10,15", "--colours", "10,15", "--runs", "60"];

/// Returns the cells of a table without their times.
fn cells(mut table: Value) -> Value {
    for cell in table["cells"].as_array_mut().expect("cells") {
        let figures = cell.as_object_mut().expect("figures");
        figures.retain(|name, _| !name.ends_with("seconds"));
    }
    table["cells"].take()
}

#[test]
fn a_killed_table_is_resumed_and_runs_are_repeated_identically() {
    let folder = tempfile::tempdir().expect("a folder");
    let (killed, whole) = (folder.path().join("killed.sqlite"), folder.path().join("whole.sqlite"));
    let mut child = ludion(&killed, TABLE).stdout(Stdio::null()).spawn().expect("a program");
    let outputs = || {
        let run = Store::open(&killed).and_then(|store| store.any_run(1));
        run.map_or(0, |run| run.outputs)
    };
    while outputs() < 20 {
        assert_eq!(child.try_wait().expect("a child"), None, "the run ended too soon");
        std::thread::sleep(Duration::from_millis(1));
    }
    child.kill().and_then(|()| child.wait()).expect("a child");
    let kept = outputs();
    assert!((20..240).contains(&kept), "{kept} jobs");
    let resumed = json(&killed, &["run", "resume", "1"]);
    assert_eq!(resumed["complete"], true);
    assert_eq!(cells(resumed), cells(json(&whole, TABLE)));
    let trace = json(&whole, &["mastermind", "run", "--law", "mallows", "--pegs", "5", "--tables"]);
    assert_eq!(json(&whole, &["run", "show", "2"])["trace"], trace["trace"]);
    for run in ["1", "2"] {
        assert_eq!(json(&whole, &["run", "repeat", run])["identical"], true, "run {run}");
    }
}

#[test]
fn a_stored_study_is_written_as_the_same_csv() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = folder.path().join("s.sqlite");
    let rows = |args: &[&str]| {
        let out = ludion(&store, args).args(["--csv", "-"]).output().expect("the program starts");
        assert!(out.status.success(), "{args:?}: {}", String::from_utf8_lossy(&out.stderr));
        String::from_utf8(out.stdout).expect("text")
    };
    let table = rows(&["mastermind", "table", "--pegs", "4", "--colours", "4,6", "--runs", "3"]);
    assert!(table.starts_with("pegs,colours,runs,median,") && table.lines().count() == 3);
    assert_eq!(rows(&["run", "show", "1"]), table);
    let trace = rows(&["mastermind", "run", "--law", "mallows", "--pegs", "5"]);
    assert_eq!(rows(&["run", "show", "2"]), trace);
    json(&store, &["match", "tictactoe", "random", "random", "-n", "1"]);
    let out = ludion(&store, &["run", "show", "3", "--csv", "-"]).output().expect("a program");
    let sentence = "run 3 played games; their rows are written by: ludion export 3 --format csv";
    assert!(String::from_utf8_lossy(&out.stderr).contains(sentence), "{out:?}");
}
