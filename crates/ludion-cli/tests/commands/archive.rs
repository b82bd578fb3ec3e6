//! Archives of games from the command line: generated, continued, described, exported.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

fn ludion(folder: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ludion"));
    command.env("LUDION_QUIET", "1");
    command.current_dir(folder).args(args).stdin(Stdio::null()).output().expect("it starts")
}

fn text(folder: &Path, args: &[&str]) -> String {
    let out = ludion(folder, args);
    assert!(out.status.success(), "{args:?}: {}", String::from_utf8_lossy(&out.stderr));
    String::from_utf8(out.stdout).expect("text")
}

fn json(folder: &Path, args: &[&str]) -> Value {
    serde_json::from_str(&text(folder, &[args, &["--json"]].concat())).expect("JSON")
}

#[test]
fn the_same_seed_gives_the_same_games_on_any_number_of_threads_and_in_two_commands() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    let export = |file| text(at, &["data", "export", file, "--format", "csv"]);
    for threads in ["1", "2", "8"] {
        let args = ["generate", "tictactoe", "-n", "9000", "--threads", threads, "-o", threads];
        text(at, &args);
    }
    let bytes = |file: &str| fs::read(at.join(file)).expect("a file");
    assert_eq!(bytes("1"), bytes("2"));
    assert_eq!(bytes("1"), bytes("8"));
    for games in ["3500", "5500"] {
        text(at, &["generate", "tictactoe", "-n", games, "-o", "goes"]);
    }
    assert_eq!(export("1"), export("goes"));
}

#[test]
fn an_archive_of_random_games_has_the_known_share_of_wins_and_little_overhead() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    text(at, &["generate", "tictactoe", "-n", "20000", "-o", "games"]);
    let info = json(at, &["data", "info", "games"]);
    assert_eq!(info["games"], 20_000);
    // Random tic-tac-toe: the first side wins 58.5 %; a share of 20,000 errs by 0.35 points.
    let first =
        info["ends"].as_array().expect("ends").iter().find(|end| {
            end["outcome"].as_str().is_some_and(|outcome| outcome.starts_with("first"))
        });
    let share = first.expect("the first side wins some")["share"].as_f64().expect("a share");
    assert!((share - 0.585).abs() < 0.014, "{share}");
    let (bytes, bits) = (&info["bytes_per_game"], &info["bits_per_game"]);
    let floor = bits.as_f64().expect("bits") / 8.0;
    let ratio = bytes.as_f64().expect("bytes") / floor;
    assert!((1.0..1.06).contains(&ratio), "{ratio} of the information");
    let games = json(at, &["data", "show", "games", "--from", "19999"]);
    assert_eq!(games["games"].as_array().expect("games").len(), 1);
}

#[test]
fn games_of_named_players_are_exported_with_one_row_per_game_or_state() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    let args = ["generate", "tictactoe", "-n", "30", "--player", "minimax(depth=9)"];
    text(at, &[&args[..], &["--opening", "1", "-o", "perfect"]].concat());
    let info = json(at, &["data", "info", "perfect"]);
    assert_eq!(info["ends"][0]["share"], 1.0, "perfect play draws: {info}");
    let rows = |table| {
        let args = ["data", "export", "perfect", "--format", "csv", "--table", table];
        text(at, &args).lines().count()
    };
    assert_eq!((rows("games"), rows("states")), (31, 30 * 9 + 1));
    text(at, &["data", "export", "perfect", "--format", "parquet", "-o", "table.parquet"]);
    assert!(fs::read(at.join("table.parquet")).expect("a file").starts_with(b"PAR1"));
}

#[test]
fn a_truncated_archive_is_continued_and_invalid_requests_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    text(at, &["generate", "tictactoe", "-n", "6000", "-o", "games"]);
    let whole = fs::read(at.join("games")).expect("a file");
    fs::write(at.join("games"), &whole[..whole.len() - 100]).expect("written");
    let info = json(at, &["data", "info", "games"]);
    assert_eq!(info["games"], 4000);
    assert!(info["torn"].as_u64().expect("bytes") > 0);
    text(at, &["generate", "tictactoe", "-n", "2000", "-o", "games"]);
    assert_eq!(fs::read(at.join("games")).expect("a file"), whole);
    let refused = |args: &[&str], sentence: &str| {
        let out = ludion(at, args);
        let error = String::from_utf8_lossy(&out.stderr).into_owned();
        assert!(!out.status.success() && error.contains(sentence), "{args:?}: {error}");
    };
    refused(&["generate", "connect4", "-n", "1", "-o", "games"], "holds games of tictactoe");
    refused(&["data", "show", "games", "--from", "6000"], "has no game 6000");
    refused(&["data", "export", "games", "--format", "csv", "--from", "6000"], "has no game 6000");
    refused(&["data", "show", "games", "-n", "-5"], "a whole number from 0 on is allowed");
    refused(&["data", "export", "games", "--format", "words"], "32 dark squares");
    fs::write(at.join("note"), "not an archive").expect("written");
    refused(&["data", "info", "note"], "is not an archive of games");
    refused(&["data", "info", "nothing"], "nothing cannot be used");
}

#[test]
fn checkers_games_survive_export_and_import_as_pdn() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    text(at, &["generate", "checkers(english)", "-n", "50", "-o", "ours"]);
    text(at, &["data", "export", "ours", "--format", "pdn", "-o", "ours.pdn"]);
    let found = json(at, &["data", "import", "ours.pdn", "--out", "back", "--positions", "table"]);
    let english = "checkers(rules=english)";
    assert_eq!((&found["game"], &found["finished"]), (&english.into(), &50.into()));
    let export =
        |table, file| text(at, &["data", "export", file, "--format", "csv", "--table", table]);
    assert_eq!(export("games", "ours"), export("games", "back"));
    assert_eq!(export("states", "ours"), fs::read_to_string(at.join("table")).expect("a table"));
}

#[test]
fn pdn_contains_its_rules_and_words_have_the_published_format() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    for game in ["checkers(english, 6)", "checkers(international, 8)", "checkers"] {
        let back = format!("{game}, back");
        text(at, &["generate", game, "-n", "5", "-o", game]);
        text(at, &["data", "export", game, "--format", "pdn", "-o", "pdn"]);
        text(at, &["data", "import", "pdn", "--out", &back]);
        let games = |file| text(at, &["data", "export", file, "--format", "csv"]);
        assert_eq!(games(game), games(&back));
    }
    let words = text(at, &["data", "export", "checkers", "--format", "words", "-n", "1"]);
    assert!(words.starts_with("fff00000 fff "), "{words}");
}

#[test]
fn unfinished_and_set_up_games_are_imported_as_positions_and_invalid_pdn_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    let given_up = "[GameType \"21\"]\n[White \"Zoë\"]\n\n1. 11-15 22-17 {a pause} 0-1\n";
    let set_up = "[FEN \"B:W32:BK1\"]\n\n1. 1-6 32-27 *\n";
    fs::write(at.join("some.pdn"), format!("{given_up}\n{set_up}")).expect("written");
    let found = json(at, &["data", "import", "some.pdn", "-o", "kept", "--positions", "table"]);
    let counts = ["games", "finished", "broken_off", "set_up", "positions"].map(|key| &found[key]);
    assert_eq!(counts, [2, 0, 1, 1, 4]);
    let table = fs::read_to_string(at.join("table")).expect("a table");
    assert_eq!(table.lines().filter(|row| row.contains("first")).count(), 2, "{table}");
    let refused = |args: &[&str], sentence: &str| {
        let out = ludion(at, args);
        let error = String::from_utf8_lossy(&out.stderr).into_owned();
        assert!(!out.status.success() && error.contains(sentence), "{args:?}: {error}");
    };
    fs::write(at.join("bare.pdn"), set_up).expect("written");
    refused(&["data", "import", "bare.pdn"], "no tag GameType says by which rules");
    refused(
        &["data", "import", "bare.pdn", "--game", "connect4"],
        "only games of checkers have PDN",
    );
    fs::write(at.join("wrong.pdn"), given_up.replace("22-17", "22-13")).expect("written");
    refused(&["data", "import", "wrong.pdn"], "1 of 1 game could not be read");
    let two = format!("{}\n{given_up}", given_up.replace("22-17", "22-13"));
    fs::write(at.join("two.pdn"), two).expect("written");
    let out = ludion(at, &["data", "import", "two.pdn", "--positions", "right", "--json"]);
    let found: Value = serde_json::from_slice(&out.stdout).expect("JSON");
    assert_eq!((out.status.code(), &found["games"]), (Some(1), &1.into()));
    assert_eq!((&found["wrong"][0]["number"], &found["wrong"][0]["line"]), (&1.into(), &4.into()));
    text(at, &["generate", "tictactoe", "-n", "5", "-o", "others"]);
    refused(&["data", "export", "others", "--format", "pdn"], "only games of checkers have PDN");
}
