//! The file of a store: shared by programs, no store at all, on a full disk.

use std::path::Path;
use std::process::{Command, Stdio};

use ludion_store::Store;

use crate::{MATCH, games, json, ludion};

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
