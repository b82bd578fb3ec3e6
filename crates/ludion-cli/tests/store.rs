//! Runs that are killed, interrupted, resumed and repeated lose no finished game.

#![cfg(unix)]

mod kept;

use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

use ludion_store::{Store, StoredGame};
use serde_json::Value;

fn ludion(store: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ludion"));
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

#[test]
fn two_programs_use_one_store_at_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = folder.path().join("lab.sqlite");
    let start = |game: &str| {
        ludion(&store, &["match", game, "random", "random", "-n", "3000"])
            .stdout(Stdio::null())
            .spawn()
            .expect("the program starts")
    };
    let children = [start("tictactoe"), start("matches"), start("dice")];
    for mut child in children {
        assert!(child.wait().expect("a child").success());
    }
    let runs = json(&store, &["runs"]);
    for run in runs["runs"].as_array().expect("runs") {
        assert_eq!((&run["state"], &run["games"]), (&"finished".into(), &6000.into()));
    }
    assert_eq!(runs["runs"].as_array().map(Vec::len), Some(3));
}

#[test]
fn a_file_that_is_no_store_is_refused_and_not_changed() {
    let folder = tempfile::tempdir().expect("a folder");
    let refused = |name: &str, content: &[u8], says: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, content).expect("a file");
        let out = ludion(&path, MATCH).output().expect("the program starts");
        let said = String::from_utf8_lossy(&out.stderr).into_owned();
        assert_eq!(out.status.code(), Some(1), "{said}");
        assert!(said.contains(says), "{said}");
        assert_eq!(std::fs::read(&path).expect("the file"), content, "{name} was changed");
    };
    refused(
        "notes.txt",
        b"these are my notes, and they are no database at all",
        "it is not a database;",
    );
    let other = folder.path().join("other.sqlite");
    rusqlite::Connection::open(&other)
        .and_then(|db| db.execute_batch("CREATE TABLE mine (a); INSERT INTO mine VALUES (1);"))
        .expect("a database");
    let content = std::fs::read(&other).expect("the file");
    refused("copy.sqlite", &content, "a database of another program");
    let newer = folder.path().join("newer.sqlite");
    Store::open(&newer).expect("a store");
    rusqlite::Connection::open(&newer)
        .and_then(|db| db.execute_batch("PRAGMA journal_mode = DELETE; PRAGMA user_version = 99;"))
        .expect("a database");
    let content = std::fs::read(&newer).expect("the file");
    refused("newer2.sqlite", &content, "was written by a newer Ludion");
    let nowhere = ludion(Path::new("/dev/null/lab.sqlite"), MATCH).output().expect("it starts");
    assert!(String::from_utf8_lossy(&nowhere.stderr).contains("cannot be opened"));
}

#[test]
fn a_full_disk_is_reported_and_stored_games_stay_intact() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("lab.sqlite");
    // A limit on the file size replaces a full disk: SQLite reports both in the same way.
    let script = "ulimit -f 400; exec \"$@\"";
    let out = Command::new("sh")
        .args(["-c", script, "sh", env!("CARGO_BIN_EXE_ludion")])
        .args(["match", "tictactoe", "random", "random", "-n", "100000", "--store"])
        .arg(&path)
        .output()
        .expect("a shell");
    let said = String::from_utf8_lossy(&out.stderr).into_owned();
    assert!(!out.status.success(), "{said}");
    // On systems that kill a program at the limit there is no message.
    assert!(said.is_empty() || said.contains("disk") || said.contains("store"), "{said}");
    let kept = games(&path);
    let store = Store::open(&path).expect("the store is intact");
    assert_eq!(store.pairs(1).expect("pairs").len() as u64 * 2, kept);
}

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
