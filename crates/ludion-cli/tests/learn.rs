//! `learn` as a command: interrupted runs give the same model, players use it, and wrong arguments
//! are refused.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use serde_json::Value;

fn ludion(store: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ludion"));
    command.args(args).arg("--json").env("LUDION_STORE", store).stdin(Stdio::null());
    command.env("LUDION_QUIET", "1");
    command
}

fn json(store: &Path, args: &[&str]) -> Value {
    let Output { status, stdout, stderr } = ludion(store, args).output().unwrap();
    assert!(status.success(), "{args:?}: {}", String::from_utf8_lossy(&stderr));
    serde_json::from_slice(&stdout).unwrap()
}

fn refusal(store: &Path, args: &[&str]) -> String {
    let Output { status, stderr, .. } = ludion(store, args).output().unwrap();
    assert!(!status.success(), "{args:?}");
    String::from_utf8(stderr).unwrap()
}

const LEARN: &[&str] = &[
    "learn",
    "connect4(5, 4)",
    "--rounds",
    "3",
    "--games",
    "300",
    "--depth",
    "2",
    "--pairs",
    "20",
    "--window",
    "2",
    "--seed",
    "5",
];

/// Returns the number of stored outputs.
fn kept(store: &Path) -> u64 {
    if !store.exists() {
        return 0;
    }
    let sql = "SELECT count(*) FROM keepsakes WHERE kind = 'learn'";
    let opened = rusqlite::Connection::open(store);
    // Another program may not have created the tables yet.
    opened
        .and_then(|store| store.query_row(sql, [], |row| row.get::<_, u32>(0)))
        .map_or(0, u64::from)
}

#[test]
fn a_learning_killed_five_times_gives_the_same_model_and_can_be_repeated() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let (whole, cut) = (path("whole.sqlite"), path("cut.sqlite"));
    let (model, cut_model) = (path("whole.lpat"), path("cut.lpat"));
    let out = |model: &Path| model.to_str().unwrap().to_owned();
    let straight = json(&whole, &[LEARN, &["--threads", "1", "--out", &out(&model)]].concat());
    let all = kept(&whole);
    let cut_out = out(&cut_model);
    let learn = [LEARN, &["--threads", "2", "--out", &cut_out]].concat();
    let resume: &[&str] = &["run", "resume", "1"];
    let mut args = learn.as_slice();
    for part in 1..=5 {
        let mut child = ludion(&cut, args).stdout(Stdio::null()).spawn().unwrap();
        while kept(&cut) < all * part / 7 && child.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(2));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        args = resume;
    }
    let resumed = json(&cut, resume);
    assert_eq!(resumed["generations"], straight["generations"]);
    assert_eq!(std::fs::read(&cut_model).unwrap(), std::fs::read(&model).unwrap());
    assert_eq!(json(&cut, &["run", "show", "1"])["generations"], straight["generations"]);
    assert_eq!(json(&whole, &["run", "repeat", "1"])["identical"], true);
    let first = &straight["generations"][0];
    assert!(
        first["last"]["score"].as_f64().unwrap() > 0.5,
        "better than the model before: {first}"
    );
}

#[test]
fn a_model_is_used_by_its_file_name_and_refused_for_another_game() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("store.sqlite");
    let model = folder.path().join("model.lpat");
    let model = model.to_str().unwrap();
    let short: &[&str] = &["--rounds", "1", "--games", "60", "--depth", "1", "--pairs", "2"];
    json(&store, &[&["learn", "tictactoe", "--out", model], short].concat());
    let player = format!("alphabeta(3, eval=patterns({model}))");
    json(&store, &["match", "tictactoe", &player, "random", "-n", "2"]);
    let said = refusal(&store, &["match", "connect4", &player, "random", "-n", "2"]);
    assert!(said.contains("the model is for tictactoe, not for connect4"), "{said}");
    let missing = "alphabeta(eval=patterns(no/such.lpat))";
    let said = refusal(&store, &["match", "tictactoe", missing, "random", "-n", "2"]);
    assert!(said.contains("no/such.lpat cannot be read"), "{said}");
    let said = refusal(&store, &["learn", "matches"]);
    assert!(said.contains("only games of pieces on a board"), "{said}");
    let said = refusal(&store, &["learn", "tictactoe", "--trust", "2"]);
    assert!(said.contains("0 to 1 is allowed"), "{said}");
}
