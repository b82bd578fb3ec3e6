//! Compatibility with 0.1.0 of everything that programs read: the JSON of commands, the HTTP
//! interface, stores, models, archives, the bot protocol and the messages between machines.
//!
//! The files in `fixtures` and `golden` were recorded with 0.1.0 by `record.sh`. Each test runs the
//! commands or sends the requests of a file in `lists`, on copies of the fixtures, and compares the
//! outputs with the golden files; `compare.rs` describes how.

#![cfg(unix)]

mod cluster;
mod compare;
mod files;
mod program;
mod server;

use std::collections::BTreeSet;

use program::{STORE, TestFolder, compat_path, lines};
use server::Server;

#[test]
fn commands_print_the_json_of_0_1_0() {
    TestFolder::new().run_list("answers.txt", "none");
}

#[test]
fn a_store_of_0_1_0_opens_and_shows_its_runs() {
    TestFolder::new().run_list("store.txt", STORE);
}

#[test]
fn runs_of_0_1_0_are_repeated_and_interrupted_ones_are_finished() {
    TestFolder::new().run_list("changes.txt", STORE);
}

#[test]
fn the_laboratory_answers_requests_as_0_1_0_did() {
    let lab = ["lab", "--port", "0", "--data", ".", "--store", STORE];
    Server::start(&lab).send_list("lab.txt");
}

#[test]
fn the_submission_server_answers_requests_as_0_1_0_did() {
    let serve = ["hextris", "serve", "dot", "pair", "--listen", "127.0.0.1:0", "--store", STORE];
    Server::start(&serve).send_list("contest.txt");
}

#[test]
fn every_golden_file_is_compared() {
    let lists = ["answers.txt", "store.txt", "changes.txt", "lab.txt", "contest.txt"];
    let listed = lists.into_iter().flat_map(lines).map(|(name, _)| name);
    let others = ["bot.txt"].into_iter().chain(cluster::GOLDEN).map(str::to_owned);
    let compared: BTreeSet<String> = listed.chain(others).collect();
    let golden = std::fs::read_dir(compat_path("golden")).expect("golden files").map(|entry| {
        entry.expect("a golden file").file_name().into_string().expect("a name in UTF-8")
    });
    assert_eq!(compared, golden.collect());
}
