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
        .args(["match", "tictactoe", "random", "random", "-n", "100000", "--quiet", "--store"])
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

#[test]
fn what_a_test_prints_stores_exports_and_shows_is_the_same_set_of_games() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = folder.path().join("sprt.sqlite");
    for (run, seed) in [("1", "1"), ("2", "2"), ("3", "3")] {
        let printed = json(
            &store,
            &[
                "match",
                "tictactoe",
                "montecarlo(sims=4)",
                "random",
                "-n",
                "2000",
                "--sprt",
                "elo0=0,elo1=200",
                "--threads",
                "6",
                "--seed",
                seed,
            ],
        );
        let count = |report: &Value, key: &str| report[key].as_u64().expect("a number");
        let games = ["wins", "draws", "losses"].map(|key| count(&printed, key));
        let total: u64 = games.iter().sum();
        assert_eq!(printed["sprt"]["decision"], "upper");
        assert_eq!((count(&printed, "pairs") * 2, count(&printed, "games_now")), (total, total));
        let shown = json(&store, &["run", "show", run]);
        assert_eq!(["wins", "draws", "losses"].map(|key| count(&shown, key)), games);
        assert_eq!(shown["elo"], printed["elo"]);
        let (_, rows, _) = outcome(&store, &["export", run, "--format", "csv"]);
        assert_eq!(rows.lines().count() as u64, 1 + total, "a head and a row for each game");
        let exported = json(&store, &["export", run, "--format", "json"]);
        assert_eq!(exported["games"].as_array().map(|games| games.len() as u64), Some(total));
        let db = rusqlite::Connection::open(&store).expect("a store");
        let sql = "SELECT games, wins, draws, losses FROM standings
                   WHERE run = ?1 AND player = 'montecarlo(sims=4)'";
        let row = db
            .query_row(sql, [run], |row| {
                Ok([row.get::<_, u32>(0)?, row.get(1)?, row.get(2)?, row.get(3)?])
            })
            .expect("standings");
        assert_eq!(row.map(u64::from), [total, games[0], games[1], games[2]]);
    }
    let (code, said, _) = outcome(&store, &["store", "check"]);
    assert_eq!(code, Some(0), "{said}");
    let listed = json(&store, &["runs"]);
    assert!(listed["runs"][0]["version"].as_str().is_some_and(|v| v.contains('+')), "a stamp");
}

#[test]
fn a_repetition_has_an_exit_code_for_its_outcome_and_a_changed_player_is_not_resumed() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = folder.path().join("repeat.sqlite");
    json(&store, &["match", "tictactoe", "uct(sims=5)", "random", "-n", "4"]);
    let (code, said, _) = outcome(&store, &["run", "repeat", "1"]);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("repeatable: the same seed gives the same games"), "{said}");
    // A finished run keeps its end, and says that it is finished.
    tamper(&store, "UPDATE runs SET ended = '2020-01-01T00:00:00Z'");
    let mut resume = ludion(&store, &["run", "resume", "1"]);
    let resumed = resume.env_remove("LUDION_QUIET").output().expect("it starts");
    let said = String::from_utf8_lossy(&resumed.stderr).into_owned();
    assert!(resumed.status.success() && said.contains("run 1 is finished"), "{said}");
    assert_eq!(json(&store, &["runs"])["runs"][0]["ended"], "2020-01-01T00:00:00Z");
    // A game that was stored otherwise.
    tamper(
        &store,
        "UPDATE games SET result = CASE result WHEN 'first' THEN 'second' ELSE 'first' END
         WHERE number = 3",
    );
    let (code, said, _) = outcome(&store, &["run", "repeat", "1"]);
    assert_eq!(code, Some(3), "{said}");
    assert!(said.starts_with("different: game 1.3 ended as "), "{said}");
    let (code, said, _) = outcome(&store, &["store", "check"]);
    assert_eq!(code, Some(3), "{said}");
    assert!(said.contains("run 1, 3: the row does not have the values that were stored"), "{said}");
    // Other sources explain a difference.
    tamper(&store, "UPDATE runs SET version = '0.2.0+00000000', state = 'stopped', ended = NULL");
    let (code, said, _) = outcome(&store, &["run", "repeat", "1"]);
    assert_eq!(code, Some(4), "{said}");
    assert!(said.contains("it was first played by 0.2.0+00000000, this is "), "{said}");
    let mut resume = ludion(&store, &["run", "resume", "1"]);
    let resumed = resume.env_remove("LUDION_QUIET").output().expect("it starts");
    let said = String::from_utf8_lossy(&resumed.stderr).into_owned();
    assert!(said.contains("it was begun by 0.2.0+00000000, this is "), "{said}");
    let (_, said, _) = outcome(&store, &["run", "show", "1"]);
    assert!(said.contains("begun by 0.2.0+00000000, resumed by 0.2.0+"), "{said}");
    // A player that had a parameter which it no longer has.
    tamper(
        &store,
        "UPDATE runs SET state = 'stopped',
         plan = replace(plan, 'keep=no', 'keep=no, luck=3')",
    );
    let (code, _, said) = outcome(&store, &["run", "resume", "1"]);
    assert_eq!(code, Some(1), "{said}");
    let sentence = "a player has changed since the run was stored: uct has no parameter \"luck\"";
    assert!(said.contains(sentence), "{said}");
    let (code, _, said) = outcome(&store, &["run", "repeat", "1"]);
    assert_eq!(code, Some(4), "{said}");
    assert!(said.contains("run 1 cannot be compared: ") && said.contains(sentence), "{said}");
    json(&store, &["run", "show", "1"]);
}

#[test]
fn a_run_says_when_it_begins_whether_it_can_be_repeated() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = folder.path().join("says.sqlite");
    for (player, budget, sentence) in [
        ("mcts(sims=9)", "7sims", "repeatable: the same seed gives the same games"),
        (
            "mcts(sims=9, threads=2)",
            "7sims",
            "not repeatable: the threads of mcts(sims=7, threads=2) search one tree together",
        ),
        ("mcts(sims=9)", "1ms", "not repeatable: the clock limits each move of mcts"),
        (
            "deepening(secs=0.001)",
            "7sims",
            "not repeatable: the clock limits each move of deepening",
        ),
    ] {
        let args = ["match", "tictactoe", player, "ucb", "-n", "1", "--budget", budget];
        let mut command = ludion(&store, &args);
        let out = command.env_remove("LUDION_QUIET").output().expect("it starts");
        let (said, shown) = (
            String::from_utf8_lossy(&out.stderr).into_owned(),
            String::from_utf8_lossy(&out.stdout).into_owned(),
        );
        assert!(said.lines().next().is_some_and(|line| line.starts_with(sentence)), "{said}");
        assert!(shown.lines().last().is_some_and(|line| line.starts_with(sentence)), "{shown}");
        assert!(shown.contains("1 pair, 2 games in "), "{shown}");
    }
    for (run, hindrances) in [("1", 0), ("2", 1), ("3", 2), ("4", 1)] {
        let shown = json(&store, &["run", "show", run]);
        let found = shown["hindrances"].as_array().expect("a list").len();
        assert_eq!((found, &shown["repeatable"]), (hindrances, &(hindrances == 0).into()));
        assert_eq!(
            json(&store, &["export", run, "--format", "json"])["run"]["plan"]["hindrances"],
            shown["hindrances"]
        );
    }
}

/// Returns all runs and games that can be read from a store, or `None` if it cannot be read.
fn contents(path: &Path) -> Option<(String, Vec<StoredGame>)> {
    let store = Store::open(path).ok()?;
    let mut games = Vec::new();
    let runs = store.runs().ok()?;
    for run in &runs {
        store
            .each_game::<ludion_store::StoreError>(run.id, |game| {
                games.push(game);
                Ok(())
            })
            .ok()?;
    }
    Some((serde_json::to_string(&runs).ok()?, games))
}

/// Flips bits in the rows of games, one at a time; returns how many were reported and how many were
/// harmless. A flip is harmless if everything reads as before.
fn flip_bits(flips: u32) -> (u32, u32) {
    let folder = tempfile::tempdir().expect("a folder");
    let store = folder.path().join("sound.sqlite");
    json(&store, &["match", "tictactoe", "montecarlo(sims=4)", "random", "-n", "30"]);
    let before = contents(&store).expect("a store");
    let sound = std::fs::read(&store).expect("a file");
    // Where the rows of games are: around the texts of their moves. Earlier copies of a text may be
    // in pages that were split, so the last one counts.
    let mut places = Vec::new();
    for game in &before.1 {
        let plies = &game.result.record.as_ref().expect("moves").plies;
        let moves: Vec<&str> = plies.iter().map(|ply| &ply.play[..]).collect();
        let text = serde_json::to_string(&moves).expect("JSON");
        let found = sound.windows(text.len()).rposition(|window| window == text.as_bytes());
        let at = found.expect("the moves are in the file");
        places.extend(at.saturating_sub(60)..(at + text.len() + 120).min(sound.len()));
    }
    let registry = ludion::registry::Registry::standard();
    let mut rng = ludion::random::Rng::new(7);
    let (mut reported, mut harmless) = (0, 0);
    for flip in 0..flips {
        let (place, bit) = (places[rng.below(places.len())], rng.below(8));
        let mut damaged = sound.clone();
        damaged[place] ^= 1 << bit;
        let path = folder.path().join("damaged.sqlite");
        std::fs::write(&path, &damaged).expect("a file");
        let is_sound = Store::open(&path).is_ok_and(|store| {
            ludion_runs::store_check::check_store(&registry, &store, &mut |_| ()).sound
        });
        match is_sound {
            false => reported += 1,
            true => {
                let after = contents(&path);
                assert!(after.as_ref() == Some(&before), "flip {flip} of byte {place} is unseen");
                harmless += 1;
            }
        }
        for suffix in ["", "-wal", "-shm"] {
            let _ = std::fs::remove_file(folder.path().join(format!("damaged.sqlite{suffix}")));
        }
    }
    (reported, harmless)
}

#[test]
fn bit_flips_in_the_rows_of_games_are_reported_or_harmless() {
    let (reported, harmless) = flip_bits(300);
    println!("300 bit flips: {reported} reported, {harmless} harmless, 0 unseen");
    assert!(reported > 200, "{reported} reported, {harmless} harmless");
}

#[test]
#[ignore = "takes a minute; ./test --all runs it"]
fn thousands_of_bit_flips_are_reported_or_harmless() {
    let (reported, harmless) = flip_bits(5000);
    println!("5000 bit flips: {reported} reported, {harmless} harmless, 0 unseen");
}
