//! Stores: runs that are stopped and resumed, the files of stores, studies, results and damage.

#![cfg(unix)]

mod damage;
#[path = "../default_signals/mod.rs"]
mod default_signals;
mod files;
#[path = "../kept/mod.rs"]
mod kept;
mod player_files;
mod results;
mod stopped;
mod studies;

use std::path::Path;
use std::process::{Command, Output, Stdio};

use ludion_store::Store;
use serde_json::Value;

fn ludion(store: &Path, args: &[&str]) -> Command {
    let mut command = default_signals::ludion();
    command.args(args).arg("--store").arg(store).stdin(Stdio::null());
    command.env("LUDION_QUIET", "1");
    command
}

fn json(store: &Path, args: &[&str]) -> Value {
    let out = ludion(store, args).arg("--json").output().expect("the program starts");
    assert!(out.status.success(), "{args:?}: {}", String::from_utf8_lossy(&out.stderr));
    serde_json::from_slice(&out.stdout).expect("JSON")
}

const MATCH: &[&str] = &["match", "tictactoe", "montecarlo(sims=60)", "ucb(sims=60)", "-n", "1000"];

/// Returns the number of games of run 1 so far.
fn games(store: &Path) -> u64 {
    Store::open(store).and_then(|store| store.run(1)).map_or(0, |run| run.games)
}

/// Runs a command and returns its exit code, standard output and standard error.
fn outcome(store: &Path, args: &[&str]) -> (Option<i32>, String, String) {
    let Output { status, stdout, stderr } = ludion(store, args).output().expect("it starts");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    (status.code(), text(stdout), text(stderr))
}

/// Runs SQL on a store behind the back of the program.
fn tamper(store: &Path, sql: &str) {
    rusqlite::Connection::open(store).and_then(|db| db.execute_batch(sql)).expect("a change");
}
