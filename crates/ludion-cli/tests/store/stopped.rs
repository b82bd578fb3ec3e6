//! Runs that are killed, interrupted, resumed and repeated lose no finished game.

use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

use ludion_store::StoredGame;
use serde_json::Value;

use crate::{MATCH, games, json, kept, ludion};

/// Waits until run 1 has that many games.
fn wait_for(child: &mut Child, store: &Path, count: u64) {
    while games(store) < count {
        assert_eq!(child.try_wait().expect("a child"), None, "the run ended before {count} games");
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Returns every game of run 1 without its times, and the report of the run.
fn all(store: &Path) -> (Vec<StoredGame>, Value) {
    let games = kept::games(store);
    let mut shown = json(store, &["run", "show", "1"]);
    for spent in shown["spent"].as_array_mut().expect("two players") {
        spent["time"] = Value::Null;
    }
    (games, shown)
}

#[test]
fn a_run_killed_twenty_times_has_the_same_games_and_report() {
    let folder = tempfile::tempdir().expect("a folder");
    let (whole, killed) = (folder.path().join("whole.sqlite"), folder.path().join("killed.sqlite"));
    json(&whole, MATCH);
    let mut noise = 12345_u64;
    for kill in 0..20 {
        let args: &[&str] = if kill == 0 { MATCH } else { &["run", "resume", "1"] };
        let mut child = ludion(&killed, args)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        noise =
            noise.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        wait_for(&mut child, &killed, 90 * kill + (noise >> 33) % 90);
        std::thread::sleep(Duration::from_micros((noise >> 40) % 3000));
        child.kill().expect("a child");
        child.wait().expect("a child");
    }
    let before = games(&killed);
    assert!(before > 0 && before < 2000, "{before} games after the last kill");
    json(&killed, &["run", "resume", "1"]);
    assert_eq!(all(&killed), all(&whole));
    assert_eq!(games(&killed), 2000);
    // Resuming a finished run plays nothing and gives the same report.
    json(&killed, &["run", "resume", "1"]);
    assert_eq!(all(&killed), all(&whole));
    let again = json(&killed, &["run", "repeat", "1"]);
    assert_eq!((&again["identical"], &again["compared"]), (&true.into(), &2000.into()));
}

#[test]
fn an_interrupt_keeps_the_finished_games_and_says_how_to_resume() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = folder.path().join("lab.sqlite");
    let args = ["match", "tictactoe", "montecarlo(sims=60)", "random", "-n", "100000"];
    let mut child = ludion(&store, &args)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    wait_for(&mut child, &store, 100);
    // One program plays a run at a time.
    let taken = ludion(&store, &["run", "resume", "1"]).output().expect("the program starts");
    let said = String::from_utf8_lossy(&taken.stderr).into_owned();
    assert_eq!(taken.status.code(), Some(1));
    assert!(said.contains("run 1 is being played by another program"), "{said}");
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().expect("kill").success());
    let Output { status, stdout, stderr } = child.wait_with_output().expect("it ends");
    let (out, err) = (String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr));
    assert_eq!(status.code(), Some(130), "{err}");
    assert!(out.contains("Score of montecarlo(sims=60) vs random: "), "{out}");
    assert!(err.contains("of 100000 pairs; resume with: ludion run resume 1 --store "), "{err}");
    let runs = json(&store, &["runs"]);
    assert_eq!(runs["runs"][0]["state"], "stopped");
    assert_eq!(runs["runs"][0]["games"].as_u64(), Some(games(&store)));
}

/// Waits until a program handles Ctrl-C, or a second where there is no `/proc`.
fn wait_for_handler(id: &str) {
    let status = || std::fs::read_to_string(format!("/proc/{id}/status")).unwrap_or_default();
    let handles_sigint = |line: &str| {
        let mask = line.strip_prefix("SigCgt:").map(|mask| u64::from_str_radix(mask.trim(), 16));
        matches!(mask, Some(Ok(mask)) if mask & 2 != 0)
    };
    for _ in 0..1000 {
        if status().lines().any(handles_sigint) {
            return;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn an_interrupted_repetition_is_not_reported_as_identical() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = folder.path().join("lab.sqlite");
    let args = ["match", "tictactoe", "montecarlo(sims=200)", "random", "-n", "2000"];
    json(&store, &args);
    let child = ludion(&store, &["run", "repeat", "1", "--threads", "1"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let id = child.id().to_string();
    wait_for_handler(&id);
    std::thread::sleep(Duration::from_millis(100));
    assert!(Command::new("kill").args(["-INT", &id]).status().expect("kill").success());
    let Output { status, stdout, stderr } = child.wait_with_output().expect("it ends");
    let (out, err) = (String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr));
    assert_eq!((status.code(), &out[..]), (Some(130), ""), "{err}");
    assert!(err.contains(" of 4000 games, which are all identical"), "{err}");
    // Nor is the repetition of a run without games.
    rusqlite::Connection::open(&store).unwrap().execute("DELETE FROM games", []).unwrap();
    let empty = ludion(&store, &["run", "repeat", "1"]).output().expect("the program starts");
    let said = String::from_utf8_lossy(&empty.stderr).into_owned();
    assert_eq!(empty.status.code(), Some(1));
    assert!(said.contains("run 1 has no games to compare"), "{said}");
}
