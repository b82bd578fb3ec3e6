//! Endgame tables of checkers from the command line: built, used by players, and refused if damaged.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

fn ludion(folder: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ludion"));
    command.env("LUDION_QUIET", "1");
    command.current_dir(folder).args(args).stdin(Stdio::null()).output().expect("it starts")
}

fn json(folder: &Path, args: &[&str]) -> Value {
    let out = ludion(folder, &[args, &["--json"]].concat());
    assert!(out.status.success(), "{args:?}: {}", String::from_utf8_lossy(&out.stderr));
    serde_json::from_slice(&out.stdout).expect("JSON")
}

#[test]
fn a_player_with_the_table_keeps_every_win_and_a_damaged_table_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    let made = json(at, &["checkers", "endgames", "--pieces", "4", "--out", "four"]);
    assert_eq!(made["positions"], 496 * 2 + 4960 * 6 + 35960 * 14);
    let asked = |player: &str, more: &[&str]| {
        let args = ["checkers", "keeps-the-win", "--table", "four", "-n", "300", "--player"];
        json(at, &[&args[..], &[player], more].concat())
    };
    let best = asked("alphabeta(depth=1, eval=endgames(four, material))", &[]);
    assert_eq!(best["kept"], 300);
    let random = asked("random", &["--threads", "1"]);
    assert_eq!(random, asked("random", &["--threads", "3"]));
    let [low, high] = ["low", "high"].map(|end| random[end].as_f64().expect("a number"));
    let chance = random["by_chance"].as_f64().expect("a number");
    assert!(low < chance && chance < high, "{random}");

    let bytes = fs::read(at.join("four")).expect("a table");
    fs::write(at.join("cut"), &bytes[..70_000]).expect("a file");
    let sentence = format!("the table has 70000 bytes and should have {}\n", bytes.len());
    for args in [
        &["checkers", "keeps-the-win", "--table", "cut", "--player", "random"][..],
        &["analyse", "checkers", "--player", "deepening(eval=endgames(cut))"],
    ] {
        let out = ludion(at, args);
        let said = String::from_utf8(out.stderr).expect("text");
        assert!(
            !out.status.success() && said.contains("cut") && said.ends_with(&sentence),
            "{said}"
        );
    }
}
