//! The errors of every command: each names what was given and what is allowed, in the words of
//! users, as text and, with `--json`, as one JSON object on standard error.

use std::fs;
use std::path::Path;

use serde_json::Value;

use super::ludion;

/// A command line that is refused, what its error names, and what it says is allowed.
type Refusal = (&'static [&'static str], &'static str, &'static str);

/// Refusals of every command. Files are in the folder of the test.
const REFUSALS: &[Refusal] = &[
    (&["fly"], "fly", "--help"),
    (&["games", "chess"], "chess", "connect4"),
    (&["players", "chess"], "chess", "connect4"),
    (&["play", "chess"], "chess", "connect4"),
    (&["play", "tictactoe", "--first", "nobody"], "nobody", "human"),
    (&["play", "tictactoe", "--budget", "5x"], "5x", "100ms"),
    (&["play", "mastermind", "--first", "random"], "--first", "mastermind advise"),
    (&["play", "mastermind(pegs=0)"], "pegs = 0", "1 to 256"),
    (&["show", "mastermind"], "mastermind", "ludion play mastermind"),
    (&["analyse", "mastermind"], "mastermind", "ludion mastermind advise"),
    (&["solve", "mastermind"], "mastermind", "ludion mastermind break"),
    (&["match", "mastermind", "random", "random"], "mastermind", "ludion mastermind break"),
    (&["show", "connect4(99)"], "99", "1 to 32"),
    (&["show", "connect4(7"], "connect4(7", "the form is"),
    (&["show", "tictactoe", "--from", "xyz"], "xyz", "expected"),
    (&["show", "tictactoe", "--moves", "b2 b2"], "b2", "legal"),
    (&["perft", "tictactoe", "many"], "many", "whole number"),
    (&["perft", "tictactoe", "-1"], "-1", "allowed"),
    (&["count", "connect4", "--limit", "1000"], "1000", "--limit"),
    (&["count", "tictactoe", "--limit", "x"], "x", "whole number"),
    (&["solve", "hextris"], "hextris", "games for two"),
    (&["analyse", "tictactoe", "--player", "nobody"], "nobody", "random"),
    (&["match", "tictactoe", "random"], "PLAYER", "Usage"),
    (&["match", "tictactoe", "random", "nobody"], "nobody", "random"),
    (&["match", "tictactoe", "random", "random", "-n", "0"], "0", "1"),
    (&["match", "tictactoe", "random", "random", "--sprt", "elo9=3"], "elo9", "elo0, elo1"),
    (&["match", "tictactoe", "random", "random", "--budget", "5sims"], "simulations", "no budget"),
    (&["match", "hextris", "random", "random"], "hextris", "game for two"),
    (&["tournament", "tictactoe", "--players", "random"], "one", "at least two"),
    (&["tournament", "--players", "random", "uct"], "neither", "a game"),
    (&["tournament", "--players", "no.toml"], "no.toml", "cannot be read"),
    (&["tournament", "--players", "wrong.toml"], "pears", "`pairs`"),
    (&["tournament", "--players", "type.toml"], "line 2", "a whole number"),
    (&["tournament", "--players", "names.toml"], "1 name", "each player needs one"),
    (&["championship", "tictactoe", "mcts(c=3)"], "mcts(c=3)", "name=1..50"),
    (&["championship", "tictactoe", "mcts(c=1..x)"], "1..x", "a range is written"),
    (&["tune", "tictactoe", "mcts"], "mcts", "name=?"),
    (&["tune", "tictactoe", "mcts(zz=?)"], "zz", "it has"),
    (&["learn", "dice", "--method", "patterns"], "dice", "connect4"),
    (&["mastermind", "break", "--strategy", "luck"], "luck", "there are auto"),
    (&["mastermind", "play", "--secret", "11"], "11", "a code has 4"),
    (&["mastermind", "advise", "--asked", "1122=9b"], "9b", "pegs"),
    (&["mastermind", "run", "--rho", "1.5"], "1.5", "allowed"),
    (&["runs", "--store", "nowhere.sqlite"], "nowhere.sqlite", "there is no store"),
    (&["run", "show", "77"], "77", "run"),
    (&["run", "show", "x"], "x", "whole number"),
    (&["game", "show", "7"], "7", "."),
    (&["export", "77", "--format", "csv"], "77", "run"),
    (&["export", "1", "--format", "xls"], "xls", "csv"),
    (&["generate", "chess", "-n", "5", "--out", "g"], "chess", "connect4"),
    (&["data", "info", "note"], "note", "begins with the line"),
    (&["data", "info", "absent"], "absent", "cannot be"),
    (&["train", "checkers", "--data", "note", "--out", "m"], "note", "begins with the line"),
    (&["train", "checkers", "--data", "note", "--out", "m", "--label", "luck"], "luck", "distance"),
    (&["train", "checkers", "--data", "note", "--out", "m", "--rate", "7"], "7", "up to 1"),
    (&["hextris", "score", "note", "--problem", "dot"], "note", "solution"),
    (&["hextris", "show", "nowhere"], "nowhere", "dot"),
    (&["hextris", "make", "--density", "2"], "2", "0 to 0.9"),
    (&["checkers", "endgames", "--pieces", "99", "--out", "t"], "99", "allowed"),
    (&["new", "9lives"], "9lives", "letter"),
    (&["bench", "chess"], "chess", "connect4"),
    (&["check", "chess"], "chess", "connect4"),
    (&["completions", "dosh"], "dosh", "bash"),
    (&["games", "--seed", "x"], "x", "a whole number is allowed"),
    (&["games", "--seed", "99999999999999999999"], "99999999999999999999", "18 are allowed"),
    (
        &["match", "tictactoe", "random", "random", "-n", "4294967296"],
        "4294967296",
        "a whole number from 1 to ",
    ),
    (&["games", "--threads", "0"], "0", "from 1 to 1024"),
    (&["games", "--color", "red"], "red", "auto"),
    (&["games", "--frobnicate"], "--frobnicate", "--help"),
];

/// Parts of messages that only the implementation uses.
const INTERNAL: [&str; 14] = [
    "::",
    "unwrap",
    "Some(",
    "None",
    "Err(",
    "Ok(",
    "panicked",
    "invalid digit",
    "target type",
    "..=",
    " u32",
    " u64",
    " i64",
    "variant",
];

fn make_files(folder: &Path) {
    for (name, text) in [
        ("note", "only a note\n"),
        ("wrong.toml", "game = \"tictactoe\"\npears = 3\n"),
        ("type.toml", "game = \"tictactoe\"\nopening = \"two\"\n"),
        ("names.toml", "game = \"tictactoe\"\nplayers = [\"random\", \"uct\"]\nnames = [\"A\"]\n"),
    ] {
        fs::write(folder.join(name), text).expect("a file");
    }
}

#[test]
fn every_error_names_what_was_given_and_what_is_allowed() {
    let folder = tempfile::tempdir().expect("a folder");
    make_files(folder.path());
    let mut wrong = Vec::new();
    for (args, given, allowed) in REFUSALS {
        let out = ludion(args).current_dir(folder.path()).output().expect("the program starts");
        let text = String::from_utf8(out.stderr).expect("text");
        let mut fault = |what: &str| wrong.push(format!("{args:?} {what}: {text}"));
        if !matches!(out.status.code(), Some(1 | 2)) || !out.stdout.is_empty() {
            fault("does not fail as it should");
        }
        let Some(sentence) = text.strip_prefix("error: ") else {
            fault("has no error");
            continue;
        };
        let first = sentence.lines().next().unwrap_or_default();
        if !text.contains(given) || !text.contains(allowed) {
            fault(&format!("does not say {given:?} and {allowed:?}"));
        }
        if first.starts_with(char::is_uppercase) || first.ends_with('.') {
            fault("is not a sentence in lower case without a full stop");
        }
        if let Some(word) = INTERNAL.iter().find(|word| text.contains(**word)) {
            fault(&format!("has the internal name {word:?}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), REFUSALS.len(), wrong.join("\n"));
}

#[test]
fn with_json_every_error_is_one_object_on_standard_error() {
    let folder = tempfile::tempdir().expect("a folder");
    make_files(folder.path());
    for (args, given, _) in REFUSALS.iter().step_by(3) {
        let mut command = ludion(args);
        let out = command.arg("--json").current_dir(folder.path()).output().expect("it starts");
        let text = String::from_utf8(out.stderr).expect("text");
        assert_eq!(text.lines().count(), 1, "{args:?}: {text}");
        let object: Value = serde_json::from_str(&text).expect("JSON");
        let error = &object["error"];
        assert_eq!(error["exit_code"].as_i64(), out.status.code().map(i64::from), "{args:?}");
        let message = error["message"].as_str().expect("a message");
        assert!(!message.starts_with("error") && !message.contains('\n'), "{message}");
        let whole = format!("{message} {}", error["hint"].as_str().unwrap_or_default());
        assert!(whole.contains(given), "{args:?}: {whole}");
        assert!(out.stdout.is_empty(), "{args:?}");
    }
}

#[test]
fn play_starts_mastermind_with_the_parameters_of_its_spec() {
    let rules = ["mastermind", "play", "--pegs", "3", "--colours", "5", "--no-repeats"];
    let typed = |args: &[&str]| super::typed(args, b"show\n123\ngive up\n");
    let usual = typed(&["mastermind", "play"]);
    assert_eq!(typed(&["play", "mastermind"]), usual);
    assert_eq!(typed(&["play", "mastermind(4, 6)"]), usual);
    assert_eq!(typed(&["play", "mastermind(3, 5, repeats=no)"]), typed(&rules));
    let seeded = [&["play", "mastermind"][..], &["--seed", "9"]].concat();
    assert_eq!(typed(&seeded), typed(&["mastermind", "play", "--seed", "9"]));
}
