//! Studies that version 0.1.0 stored, finished and killed: this version shows them as 0.1.0 did,
//! resumes them to the same end, and repeats them.

use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

/// Runs 1 to 5 are finished: learn, experiment, hextris tune, mastermind table and run. Runs 6 to
/// 9 were killed: learn, experiment, mastermind table, hextris tune.
const STORE: &[u8] = include_bytes!("../stores/studies-0.1.0.sqlite");
/// What `ludion run show N --json` of version 0.1.0 wrote for every run.
const SHOWN: &str = include_str!("../stores/studies-0.1.0-shown.jsonl");
/// What `ludion run resume N --json` of version 0.1.0 wrote for the runs that were killed.
const RESUMED: &str = include_str!("../stores/studies-0.1.0-resumed.jsonl");

fn text(store: &Path, args: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ludion"));
    command.args(args).arg("--json").env("LUDION_STORE", store).stdin(Stdio::null());
    let out = command.output().expect("the program starts");
    assert!(out.status.success(), "{args:?}: {}", String::from_utf8_lossy(&out.stderr));
    String::from_utf8(out.stdout).expect("text")
}

/// Returns a report without the times.
fn timeless(text: &str) -> Value {
    fn strip(value: &mut Value) {
        match value {
            Value::Object(fields) => {
                // The interval of a sample without variance is true since 0.2.0, and has ends; it also
                // says whether the likelihood of superiority is defined.
                let times = ["seconds", "mean_seconds"];
                let new = [&times[..], &["error", "low", "high", "argmin", "superiority_defined"]];
                let new = new.concat();
                fields.retain(|name, _| !new.contains(&&name[..]));
                fields.values_mut().for_each(strip);
            }
            Value::Array(items) => items.iter_mut().for_each(strip),
            _ => {}
        }
    }
    let mut report = serde_json::from_str(text).expect("JSON");
    strip(&mut report);
    report
}

/// Resumes the runs that were killed, and compares them with what 0.1.0 found.
fn resume_all(store: &Path) {
    for (run, resumed) in (6..).zip(RESUMED.lines()) {
        let run = i32::to_string(&run);
        let report = text(store, &["run", "resume", &run]);
        assert_eq!(timeless(&report), timeless(resumed), "run {run}");
    }
}

#[test]
fn studies_of_0_1_0_are_shown_resumed_and_repeated() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = folder.path().join("old.sqlite");
    std::fs::write(&store, STORE).expect("a store");
    for (run, shown) in (1..).zip(SHOWN.lines()) {
        let run = i32::to_string(&run);
        let report = text(&store, &["run", "show", &run]);
        assert_eq!(timeless(&report), timeless(shown), "run {run}");
    }
    resume_all(&store);
    for run in 1..=9 {
        let repeated = timeless(&text(&store, &["run", "repeat", &i32::to_string(&run)]));
        assert_eq!(repeated["identical"], true, "run {run}: {repeated}");
        assert!(repeated["compared"].as_u64() > Some(0), "run {run}: {repeated}");
    }
}

#[test]
fn cached_values_of_the_version_that_began_a_run_are_used() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = folder.path().join("old.sqlite");
    std::fs::write(&store, STORE).expect("a store");
    let older = rusqlite::Connection::open(&store).expect("a store");
    let rename = "UPDATE keepsakes SET name = replace(name, 'version 0.1.0', 'version 0.0.9')";
    older.execute(rename, []).expect("a change");
    older.execute("UPDATE runs SET version = '0.0.9'", []).expect("a change");
    drop(older);
    // The numbers of scores that were computed and that were known are those of 0.1.0.
    resume_all(&store);
}
