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

#[test]
fn tables_with_kings_are_built_for_their_rules_and_used_by_players() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    let make = ["checkers", "endgames", "--rules", "english", "--pieces", "3", "--out", "three"];
    let made = json(at, &make);
    assert_eq!((&made["rules"], &made["pieces"]), (&"english".into(), &3.into()));
    let player = "deepening(depth=1, eval=endgames(three, material))";
    let analyse = |game: &str, from: &str| {
        ["analyse", game, "--from", from, "--player", player].map(str::to_owned)
    };
    let values = |from: &str| {
        let args = analyse("checkers(english)", from);
        let report = json(at, &args.each_ref().map(String::as_str));
        report["lines"]
            .as_array()
            .expect("lines")
            .iter()
            .map(|line| line["value"].as_f64())
            .fold(-1.0, |best: f64, value| best.max(value.unwrap_or(-1.0)))
    };
    assert!(values("W:WK14,K15:BK4") > 0.8, "two kings win against one");
    assert!(values("W:WK14:BK23").abs() < 0.01, "one king does not");
    let args = analyse("checkers(russian)", "W:WK14:BK23");
    let out = ludion(at, &args.each_ref().map(String::as_str));
    let said = String::from_utf8(out.stderr).expect("text");
    assert!(said.contains("the table is for english 8x8, not for russian 8x8"), "{said}");
    let out =
        ludion(at, &["checkers", "endgames", "--rules", "english", "--pieces", "6", "--out", "x"]);
    let said = String::from_utf8(out.stderr).expect("text");
    assert!(said.contains("--pieces may be 2 to 5 with kings, not 6"), "{said}");
}
