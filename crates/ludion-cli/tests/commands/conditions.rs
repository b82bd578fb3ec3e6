//! Openings, clocks, adjudication and records on the command line.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::{Value, json};

fn ludion(folder: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ludion"));
    command.args(args).current_dir(folder).env("LUDION_STORE", folder.join("store"));
    command.env("LUDION_QUIET", "1").output().expect("the program starts")
}

fn answer(folder: &Path, args: &[&str]) -> Value {
    let out = ludion(folder, &[args, &["--json"]].concat());
    assert!(out.status.success(), "{args:?}: {}", String::from_utf8_lossy(&out.stderr));
    serde_json::from_slice(&out.stdout).expect("JSON")
}

fn refused(folder: &Path, args: &[&str]) -> String {
    let out = ludion(folder, args);
    assert!(!out.status.success(), "{args:?}");
    String::from_utf8(out.stderr).expect("text")
}

const MATCH: [&str; 4] = ["match", "connect4", "mcts(sims=20)", "montecarlo(sims=5)"];

#[test]
fn a_run_with_openings_is_repeated_exported_and_imported_with_the_same_games() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let made = answer(
        folder,
        &["openings", "make", "connect4", "-n", "5", "--budget", "200sims", "-o", "lines"],
    );
    assert_eq!(made["openings"].as_array().map(Vec::len), Some(5));
    let checked = answer(folder, &["openings", "check", "connect4", "lines"]);
    assert_eq!((&checked["openings"], &checked["repeated"]), (&json!(5), &json!(0)));
    let played =
        [&MATCH[..], &["-n", "7", "--openings", "lines", "--openings-order", "random"]].concat();
    let played = answer(folder, &[&played[..], &["--resign", "moves=2,value=0.8"]].concat());
    assert_eq!(
        played["conditions"]["openings"],
        json!({"source": "lines", "order": "random", "count": 5})
    );
    std::fs::remove_file(folder.join("lines")).expect("a file that is no longer needed");
    assert_eq!(answer(folder, &["run", "repeat", "1"])["identical"], json!(true));
    assert_eq!(answer(folder, &["store", "check"])["sound"], json!(true));

    let record = ludion(folder, &["export", "1", "--format", "record", "-o", "games"]);
    assert!(record.status.success());
    let imported = answer(folder, &["import", "games"]);
    assert_eq!(
        (&imported["run"], &imported["games"], &imported["left_out"]),
        (&json!(2), &json!(14), &json!(0))
    );
    let text = std::fs::read_to_string(folder.join("games")).expect("a file");
    let damaged = |what: &str, by: &str| {
        std::fs::write(folder.join("damaged"), text.replacen(what, by, 1)).expect("a file");
        refused(folder, &["import", "damaged"])
    };
    let other = damaged("[First \"mcts(sims=20)\"]", "[First \"ucb\"]");
    assert!(other.contains("its players are not those of its round"), "{other}");
    let started = std::time::Instant::now();
    let huge = text.replacen("\\\"pairs\\\":7", "\\\"pairs\\\":1000000000000", 1);
    assert_ne!(huge, text);
    std::fs::write(folder.join("huge"), huge).expect("a file");
    let _ = ludion(folder, &["import", "huge", "--store", "other.sqlite"]);
    assert!(started.elapsed() < std::time::Duration::from_secs(20), "a plan of any size is read");

    let games = |run: &str| answer(folder, &["export", run, "--format", "json"])["games"].clone();
    let without_run = |mut games: Value| {
        for game in games.as_array_mut().expect("games") {
            game["run"].take();
        }
        games
    };
    assert_eq!(without_run(games("1")), without_run(games("2")));
    assert_eq!(answer(folder, &["run", "repeat", "2"])["identical"], json!(true));
    assert_eq!(answer(folder, &["store", "check"])["sound"], json!(true));
}

#[test]
fn games_survive_export_and_import_as_sgf() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    for (i, game) in
        ["go(5, komi=0.5)", "gomoku(9, 7)", "hex(5, swap)", "othello(4)"].iter().enumerate()
    {
        let run = (2 * i + 1).to_string();
        answer(folder, &["match", game, "random", "mcts(sims=10)", "-n", "6"]);
        let written = ludion(folder, &["export", &run, "--format", "sgf", "-o", "games.sgf"]);
        assert!(written.status.success(), "{}", String::from_utf8_lossy(&written.stderr));
        let imported = answer(folder, &["import", "games.sgf"]);
        assert_eq!(imported["games"], json!(12), "{game}");
        let moves = |run: u64| -> Vec<Vec<String>> {
            let run = answer(folder, &["export", &run.to_string(), "--format", "json"]);
            let games = run["games"].as_array().expect("games").iter().map(|game| {
                let record = &game["record"];
                let opening = record["opening"].as_array().into_iter().flatten();
                let plies = record["plies"].as_array().into_iter().flatten();
                let all = opening.chain(plies.map(|ply| &ply["play"]));
                all.map(|m| m.as_str().expect("a move").to_owned()).collect()
            });
            games.collect()
        };
        assert_eq!(moves(2 * i as u64 + 1), moves(2 * i as u64 + 2), "{game}");
    }
    answer(folder, &["match", "tictactoe", "random", "mcts(sims=1)", "-n", "1"]);
    let refused = refused(folder, &["export", "9", "--format", "sgf"]);
    assert!(refused.contains("there is no SGF of tictactoe"), "{refused}");
}

#[test]
fn sgf_of_other_programs_is_read_by_its_main_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let import = |text: &str| {
        std::fs::write(folder.join("games.sgf"), text).expect("a file");
        ludion(folder, &["import", "games.sgf"])
    };
    let game = |black: &str, white: &str| {
        format!(
            "(;FF[4]GM[1]SZ[5]KM[0.5]PB[{black}]PW[{white}]C[a \\] bracket]RE[B+R]\n;B[cc]C[centre]\n\
             (;W[bc];B[tt])(;W[dd]))\n"
        )
    };
    let read = import(&(game("Ada", "Blaise") + &game("Blaise", "Ada")));
    assert!(read.status.success(), "{}", String::from_utf8_lossy(&read.stderr));
    let shown = answer(folder, &["game", "show", "1.1"]);
    let plies = shown["record"]["plies"].as_array().expect("moves");
    let moves: Vec<&str> = plies.iter().filter_map(|ply| ply["play"].as_str()).collect();
    assert_eq!(moves, ["C3", "B3", "pass"]);
    for (text, reason) in [
        ("(;GM[1]SZ[5]AB[cc];W[dd])", "set up (AB)"),
        ("(;GM[1]SZ[5];B[cc];B[dd])", "not the turn of B"),
        ("(;GM[7];B[cc])", "GM[7]"),
        ("(;GM[1]SZ[5];B[cc", "a bracket is not closed"),
        ("(;GM[1]SZ[5];B[cc]", "a parenthesis is not closed"),
        ("(;GM[1]SZ[19]RE[B+];B[cc])", "size"),
    ] {
        let refused = import(text);
        let message = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert!(!refused.status.success() && message.contains(reason), "{text}: {message}");
    }
}

#[test]
fn games_of_other_programs_are_paired_by_their_seats() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let game = |first: &str, second: &str, result: &str, moves: &str| {
        format!(
            "[Game \"tictactoe\"]\n[First \"{first}\"]\n[Second \"{second}\"]\n[Result \"{result}\"]\n\n{moves} {result}\n\n"
        )
    };
    let won = "1. a1 2. b1 3. a2 4. b2 5. a3 {+1 0.5s 7n}";
    let file = game("Ada", "Blaise", "1-0", won)
        + &game("Blaise", "Ada", "1-0", won)
        + &game("Ada", "Blaise", "1/2-1/2", "1. a1 2. b1");
    std::fs::write(folder.join("games"), &file).expect("a file");
    let imported = answer(folder, &["import", "games"]);
    assert_eq!((&imported["games"], &imported["left_out"]), (&json!(2), &json!(1)));
    let shown = answer(folder, &["run", "show", "1"]);
    assert_eq!(
        (&shown["players"], &shown["wins"], &shown["losses"]),
        (&json!(["Ada", "Blaise"]), &json!(1), &json!(1))
    );
    assert_eq!(answer(folder, &["store", "check"])["sound"], json!(true));

    let wrong = file.replace("4. b2", "4. a1");
    std::fs::write(folder.join("wrong"), wrong).expect("a file");
    assert!(refused(folder, &["import", "wrong"]).contains("the game at line 1: move 4: "));
    std::fs::write(folder.join("wrong"), file.replace("1-0", "0-1")).expect("a file");
    assert!(
        refused(folder, &["import", "wrong"])
            .contains("its result is not that of its last position")
    );
    std::fs::write(folder.join("wrong"), "[Game \"tictactoe\"]\n\n1. a1 {open").expect("a file");
    assert!(refused(folder, &["import", "wrong"]).contains("line 3: the comment is not closed"));
}

#[test]
fn clocks_and_positions_are_told_and_wrong_ones_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let state = "......./......./......./......./...o.../...x...";
    let run = |extra: &[&str]| answer(folder, &[&MATCH[..], &["-n", "2"], extra].concat());
    let played = run(&["--tc", "2+0.01", "--from", state]);
    assert_eq!(played["conditions"]["clock"], json!("2+0.01"));
    assert_eq!(played["repeatable"], json!(false));
    let game = answer(folder, &["game", "show", "1.1"]);
    assert_eq!(game["record"]["start"], json!(state));
    let text = ludion(folder, &["game", "show", "1.1"]);
    assert!(text.status.success());

    let no = |extra: &[&str]| refused(folder, &[&MATCH[..], extra].concat());
    assert!(no(&["--tc", "never"]).contains("is not a time control"));
    assert!(no(&["--tc", "10", "--budget", "10ms"]).contains("cannot be used with"));
    assert!(no(&["--from", "nonsense"]).contains("nonsense"));
    assert!(no(&["--openings", "missing"]).contains("missing cannot be read"));
    assert!(no(&["--resign", "value=7"]).contains("a number from 0 to 1"));
}

#[test]
fn a_rating_list_is_resumed_repeated_and_begins_with_what_is_known() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let list = |players: &[&str], rounds: &str| {
        let args = ["ladder", "tictactoe", "--budget", "30sims,4plies", "--rounds", rounds];
        answer(folder, &[&args[..], &["--players"], players].concat())
    };
    let three = ["random", "mcts", "minimax"];
    let first = list(&three, "3");
    assert_eq!((&first["rounds"], &first["games"]), (&json!(3), &json!(36)));
    assert_eq!(first["players"][2]["player"], json!("random"));
    assert_eq!(answer(folder, &["run", "show", "1"])["players"], first["players"]);
    let repeated = ludion(folder, &["run", "repeat", "1"]);
    assert!(repeated.status.success(), "{}", String::from_utf8_lossy(&repeated.stderr));
    // One more round repeats the known ones without a game.
    let longer = list(&three, "4");
    assert_eq!(longer["games"], json!(48));
    let text = ludion(folder, &["run", "show", "2"]);
    assert!(String::from_utf8(text.stdout).expect("text").contains("48 games in 4 rounds"));
    assert!(
        refused(folder, &["ladder", "tictactoe", "--players", "random", "random"])
            .contains("listed twice")
    );
    assert!(
        refused(folder, &["ladder", "tictactoe", "--players", "random"])
            .contains("2 to 200 players")
    );
}

#[test]
fn a_tournament_file_has_openings_and_adjudication_and_options_override_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    std::fs::write(folder.join("lines"), "4 4\n3 4\n1 7\n").expect("a file");
    let file = |more: &str| {
        let text = format!(
            "game = \"connect4\"\nplayers = [\"random\", \"mcts(sims=20)\"]\npairs = 3\n{more}"
        );
        std::fs::write(folder.join("cup.toml"), text).expect("a file");
    };
    let tournament = ["tournament", "--players", "cup.toml"];
    file("openings = \"lines\"\nopenings-order = \"drawn\"\nadjudicate = 500\n");
    let conditions = &answer(folder, &tournament)["conditions"];
    assert_eq!(conditions["openings"]["order"], json!("drawn"));
    assert_eq!(conditions["adjudication"]["solver_nodes"], json!(500));
    let from = "......./......./......./......./...o.../...x...";
    let other = answer(folder, &[&tournament[..], &["--from", from]].concat());
    assert_eq!(other["conditions"]["openings"]["source"], json!(from));
    file("tc = \"1+0\"\nbudget = \"5ms\"\n");
    assert!(refused(folder, &tournament).contains("a budget is given as well"));
    let budget = answer(folder, &[&tournament[..], &["--budget", "10sims"]].concat());
    assert_eq!(budget["conditions"], Value::Null, "the budget replaces the clocks");
    for (wrong, problem) in [
        ("openings-order = \"sideways\"", "sequential, random or drawn"),
        ("resign = \"score=3\"", "in the file, resign:"),
        ("time-margin = 60001", "0 to 60000"),
        ("openings = \"lines\"\nfrom = \"x\"", "openings are given as well"),
    ] {
        file(wrong);
        let text = refused(folder, &tournament);
        assert!(text.contains(problem), "{wrong}: {text}");
    }
}

#[test]
fn a_match_warns_of_games_that_repeat_each_other() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let searches = ["match", "connect4", "minimax(depth=2)", "minimax(depth=3)", "-n", "30"];
    let repeated = answer(folder, &searches);
    let warning = repeated["repeated_pairs"].as_str().expect("a warning").to_owned();
    assert!(warning.contains("of 30 pairs repeat an earlier pair"), "{warning}");
    assert_eq!(answer(folder, &["run", "show", "1"])["repeated_pairs"], json!(warning));
    let random = answer(folder, &["match", "tictactoe", "random", "random", "-n", "300"]);
    assert_eq!(random["repeated_pairs"], Value::Null, "chance repeats games of tic-tac-toe");
}

#[test]
fn openings_that_cannot_be_made_are_refused_with_the_reason() {
    let folder = tempfile::tempdir().expect("a folder");
    let make = ["openings", "make", "tictactoe"];
    let long = refused(folder.path(), &[&make[..], &["--plies", "9"]].concat());
    assert!(long.contains("goes on after 9 plies"), "{long}");
    let silent = refused(folder.path(), &[&make[..], &["--player", "random"]].concat());
    assert!(silent.contains("random gives no values"), "{silent}");
    let all = ["-n", "50", "--plies", "1", "--balance", "1"];
    let few = answer(folder.path(), &[&make[..], &all].concat());
    assert_eq!((&few["positions"], &few["is_exhausted"]), (&json!(9), &json!(true)));
}
