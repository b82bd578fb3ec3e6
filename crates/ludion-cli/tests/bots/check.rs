//! `bot check` passes bots that follow the protocol and names each violation.

use std::process::Command;

use serde_json::Value;

use crate::{LUDION, left, ludion, script};

/// Returns the report of `bot check`, and whether the command succeeded.
fn checked(test: &str, command: &str, more: &[&str]) -> (Value, bool) {
    let args = [&["bot", "check", command, "--json"], more].concat();
    let out = ludion(test, &args).output().unwrap();
    assert_eq!(left(test), Vec::<String>::new(), "{command}");
    (serde_json::from_slice(&out.stdout).unwrap(), out.status.success())
}

fn failed(report: &Value) -> Vec<String> {
    let checks = report["checks"].as_array().unwrap().iter();
    let wrong = checks.filter(|check| check["ok"] == false);
    wrong.map(|check| format!("{}: {}", check["name"], check["detail"])).collect()
}

#[test]
fn a_bot_that_follows_the_protocol_passes_every_check() {
    let serve = format!("'{LUDION}' bot serve dice 'deepening(secs=0.01)'");
    let (report, passed) =
        checked("passes", &serve, &["--game", "dice", "--game", "hexapawn(3, 4)"]);
    assert!(passed && report["passed"] == true, "{:?}", failed(&report));
    assert_eq!(report["identity"]["name"], "Ludion deepening(secs=0.01)");
    let names: Vec<&str> = report["checks"]
        .as_array()
        .unwrap()
        .iter()
        .map(|check| check["name"].as_str().unwrap())
        .collect();
    let of = |game: &str| {
        ["whole games", "time", "stop", "queries"].map(|check| format!("{game}: {check}"))
    };
    let expected = [
        &["handshake".into(), "ready".into(), "unknown lines".into()][..],
        &of("dice"),
        &of("hexapawn(cols=4)"),
        &["quit".into()],
    ]
    .concat();
    assert_eq!(names, expected);
    let (report, passed) = checked("passes", &script("echo bestmove $m"), &["--game", "tictactoe"]);
    assert!(passed, "{:?}", failed(&report));
}

#[test]
fn a_bot_gets_the_moves_in_games_with_a_rule_about_repeated_positions() {
    let games = ["go(2, komi=1)", "morris", "checkers(english, repetition)", "tictactoe"];
    let of_games = games.map(|game| ["--game", game]).concat();
    let serve = format!("'{LUDION}' bot serve dice random");
    // The responses to queries agree only if the bot knows which positions occurred.
    let (report, passed) = checked("moves", &serve, &of_games);
    assert!(passed, "{:?}", failed(&report));
    let file = tempfile::NamedTempFile::new().unwrap();
    let path = file.path().display();
    let command = script("echo bestmove $m").replace(
        "legal)",
        &format!("game|position) printf '%s %s\\n' $word \"$rest\" >> '{path}';; legal)"),
    );
    let (report, passed) = checked("moves", &command, &of_games);
    assert!(passed, "{:?}", failed(&report));
    let (mut game, mut with_moves) = (String::new(), 0);
    for line in std::fs::read_to_string(file.path()).unwrap().lines() {
        match line.split_once(' ').unwrap() {
            ("game", spec) => game = spec.to_owned(),
            (_, position) if game == "tictactoe" => assert!(!position.contains("moves"), "{line}"),
            (_, position) => {
                assert!(position.starts_with("startpos"), "{game}: {line}");
                with_moves += usize::from(position.starts_with("startpos moves "));
            }
        }
    }
    assert!(with_moves > 100, "{with_moves}");
}

#[test]
fn a_check_names_each_violation_and_continues() {
    let quick = ["--game", "tictactoe", "--patience", "0.5", "--margin", "0.2"];
    let wrong = |command: &str| {
        let (report, passed) = checked("broken", command, &quick);
        assert!(!passed && report["passed"] == false, "{report}");
        failed(&report)
    };
    let illegal = wrong(&script("echo bestmove z9"));
    assert_eq!(illegal.len(), 3, "{illegal:?}");
    assert!(illegal[0].contains("whole games") && illegal[0].contains("not a legal move"));
    let stays = wrong(&script("echo bestmove $m").replace("exit 0", "sleep 120"));
    assert!(
        matches!(&stays[..], [quit] if quit.contains("still runs 2000 ms after quit")),
        "{stays:?}"
    );
    let slow = wrong(&script("sleep 0.6; echo bestmove $m"));
    assert!(slow[0].contains("no bestmove within 0.25 s"), "{slow:?}");
    let silent = wrong("sleep 120");
    assert!(matches!(&silent[..], [one] if one.contains("no ugiok within 0.5 s")), "{silent:?}");
    let contradictory = script("echo bestmove $m")
        .replace("ugi)", "query) echo response true;; ugi) echo feature query;");
    let contradictions = wrong(&contradictory);
    assert!(
        matches!(&contradictions[..], [one] if one.contains("the response to query gameover is") && one.contains("not false")),
        "{contradictions:?}"
    );
}

#[test]
fn the_bot_in_python_passes_and_is_short() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/bots/random_bot.py");
    assert!(std::fs::read_to_string(file).unwrap().lines().count() < 60);
    let python = Command::new("python3").args(["-c", "''.removeprefix('')"]).output();
    if !python.is_ok_and(|out| out.status.success()) {
        return;
    }
    let (report, passed) = checked("python", &format!("python3 '{file}'"), &[]);
    assert!(passed, "{:?}", failed(&report));
    assert!(report["checks"].as_array().unwrap().len() > 20, "it plays every game: {report}");
}
