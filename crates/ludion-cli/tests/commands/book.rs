//! Opening books from the command line: completed, used by a player, and refused if damaged.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use ludion::game::Game;
use ludion::games::connect4::Connect4;
use ludion::games::connect4::book::{BookEntries, BookEntry, BookSolver};

fn ludion(folder: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ludion"));
    command.env("LUDION_QUIET", "1");
    command.current_dir(folder).args(args).stdin(Stdio::null()).output().expect("it starts")
}

#[test]
fn a_book_that_lacks_scores_is_completed_and_then_played() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    // All scores but one are made up: the first of a position that is won at once.
    let (g, keys) = (Connect4::STANDARD, BookSolver::keys(7));
    let won = keys.iter().position(|&key| BookSolver::new(1).solve_at_once(key).is_some()).unwrap();
    let (mut part, made_up) = (BookEntries::unknown(7), BookEntry { score: 3, best: 3 });
    (0..keys.len()).filter(|&index| index != won).for_each(|index| part.set(index, made_up));
    fs::write(at.join("part.book"), part.to_bytes()).unwrap();
    let player = "expert(book=part.book)";
    let analyse = ["analyse", "connect4", "--player", player, "--json"];
    let out = ludion(at, &analyse);
    let said = String::from_utf8(out.stderr).unwrap();
    assert!(said.contains(&format!("{} of {} scores", keys.len() - 1, keys.len())), "{said}");
    let make = ["book", "connect4", "--plies", "7", "--out", "part.book", "--memory", "1"];
    let out = ludion(at, &[&make[..], &["--json"]].concat());
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    let report: serde_json::Value = serde_json::from_slice(&out.stdout).unwrap();
    assert_eq!((&report["solved"], &report["positions"]), (&1.into(), &keys.len().into()));
    let whole = BookEntries::read(&fs::read(at.join("part.book")).unwrap()).unwrap();
    let entry = whole.entries()[won].unwrap();
    assert_eq!(entry.score, 18, "the fourth stone of the second side wins");
    // By the made-up scores the first side loses.
    let report: serde_json::Value = serde_json::from_slice(&ludion(at, &analyse).stdout).unwrap();
    assert_eq!(report["lines"][3]["proven"]["verdict"], "loss", "{report}");
    assert_eq!(report["nodes"], 0, "{report}");
    assert_eq!(g.start().plies(), 0);
}

#[test]
fn a_file_that_is_no_book_of_these_plies_is_not_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::write(at.join("note"), "hello").unwrap();
    fs::write(at.join("four"), BookEntries::unknown(4).to_bytes()).unwrap();
    for (file, reason) in [("note", "does not begin like a book"), ("four", "a book of 4 plies")] {
        let before = fs::read(at.join(file)).unwrap();
        let out = ludion(at, &["book", "connect4", "--plies", "5", "--out", file]);
        let said = String::from_utf8(out.stderr).unwrap();
        assert!(!out.status.success() && said.contains(reason), "{said}");
        assert_eq!(fs::read(at.join(file)).unwrap(), before);
    }
}
