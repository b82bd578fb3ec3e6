//! The program as a process: its outputs, errors and exit codes. Expected outputs are in
//! `tests/cmd`; here are the tests that need a keyboard, a pipe, an environment, or a comparison of
//! two outputs.

#[path = "cli/error_texts.rs"]
mod error_texts;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

fn ludion(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ludion"));
    command.args(args).env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE");
    command.env("LUDION_STORE", ":memory:").env("LUDION_QUIET", "1");
    command.env("PATH", path_with_ludion());
    command
}

/// Returns a search path that begins with the folder of the program.
fn path_with_ludion() -> std::ffi::OsString {
    let own = Path::new(env!("CARGO_BIN_EXE_ludion")).parent().expect("a file in a folder");
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::iter::once(own.to_owned()).chain(std::env::split_paths(&path));
    std::env::join_paths(folders).expect("folders without a separator in their names")
}

/// Returns the JSON output, which must be one object on one line, without errors.
fn json(args: &[&str]) -> Value {
    let Output { status, stdout, stderr } =
        ludion(args).arg("--json").output().expect("the program starts");
    assert!(status.success() && stderr.is_empty(), "{args:?}: {stderr:?}");
    let text = String::from_utf8(stdout).expect("text");
    assert_eq!(text.lines().count(), 1, "{text}");
    let object: Value = serde_json::from_str(&text).expect("JSON");
    assert!(object.is_object(), "{text}");
    object
}

/// Runs the program with this input; it must succeed and print no error.
fn typed(args: &[&str], lines: &[u8]) -> String {
    let piped = Stdio::piped;
    let mut child = ludion(args)
        .stdin(piped())
        .stdout(piped())
        .stderr(piped())
        .spawn()
        .expect("the program starts");
    child.stdin.take().expect("a pipe").write_all(lines).expect("the program reads");
    let Output { status, stdout, stderr } = child.wait_with_output().expect("the program ends");
    assert_eq!((status.code(), &stderr[..]), (Some(0), &b""[..]), "{args:?}");
    String::from_utf8(stdout).expect("text")
}

#[test]
fn outputs_are_those_of_tests_cmd_the_readme_and_the_guide() {
    let cases = trycmd::TestCases::new();
    cases.env("LUDION_STORE", ":memory:").env("LUDION_QUIET", "1").case("tests/cmd/*.trycmd");
    cases.case("../../README.md").case("../../docs/guide/*.md");
}

/// Returns the program as a user starts it, who sees how far it is.
fn ludion_with_progress(args: &[&str]) -> Command {
    let mut command = ludion(args);
    command.env_remove("LUDION_QUIET").env("LUDION_STORE", "none").stdin(Stdio::null());
    command
}

/// Whether a line on standard error says whether a run can be repeated, which every run says at once.
fn is_about_repetition(line: &str) -> bool {
    line.starts_with("repeatable: ") || line.starts_with("not repeatable: ")
}

/// Runs a command of many seconds up to its first line of progress on standard error; returns the
/// line and the time it took. What the command writes to standard output is ignored.
fn first_line_of_progress(args: &[&str]) -> (String, Duration) {
    let began = Instant::now();
    let mut command = ludion_with_progress(args);
    let child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn();
    let mut child = child.expect("the program starts");
    let mut lines = BufReader::new(child.stderr.take().expect("a pipe"));
    let mut line = String::new();
    lines.read_line(&mut line).expect("text");
    if is_about_repetition(&line) {
        line.clear();
        lines.read_line(&mut line).expect("text");
    }
    let took = began.elapsed();
    child.kill().expect("a child that runs");
    child.wait().expect("a child");
    (line, took)
}

#[test]
fn long_commands_say_in_a_log_within_a_second_and_a_half_how_far_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("random.games");
    let out = out.to_str().unwrap();
    let forever = ["-n", "100000000"];
    let cases: [(&[&str], &str); 9] = [
        (&["solve", "checkers"], "how long it takes depends on the number of positions"),
        (&["perft", "connect4", "16"], "times as long)"),
        (&["perft", "checkers", "14", "--divide"], "times as long)"),
        (
            &["count", "connect4", "--plies", "20", "--limit", "1000000000"],
            "depends on the number of positions",
        ),
        (&["match", "connect4", "random", "random", forever[0], forever[1]], "takes about "),
        (&["match", "connect4", "mcts", "uct", "--budget", "5s"], "if each move takes its 5.0 s"),
        (&["generate", "checkers", "--out", out, forever[0], forever[1]], "takes about "),
        (&["hextris", "solve", "-f", "tetrahexes", "-t", "60"], "takes 60 s (the time of -t"),
        (&["check", "checkers", "--games", "1000000"], "takes about "),
    ];
    for (args, said) in cases {
        // A machine that is busy with other tests may start the program late.
        let (mut line, mut took) = first_line_of_progress(args);
        for _ in 0..4 {
            if took < Duration::from_millis(1500) {
                break;
            }
            (line, took) = first_line_of_progress(args);
        }
        assert!(took < Duration::from_millis(1500), "{args:?}: {took:?}");
        assert!(line.contains(said) && line.ends_with('\n'), "{args:?}: {line:?}");
    }
}

#[test]
fn progress_is_on_standard_error_only_and_not_at_all_when_quiet() {
    let args = ["bench", "matches", "--seconds", "0.7", "--json"];
    let start = |quiet: &[&str]| {
        let mut command = ludion_with_progress(&[&args, quiet].concat());
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts")
    };
    let (loud, quiet) = (start(&[]), start(&["--quiet"]));
    for (child, is_loud) in [(loud, true), (quiet, false)] {
        let Output { status, stdout, stderr } = child.wait_with_output().expect("it ends");
        let text = String::from_utf8(stderr).expect("text");
        assert!(status.success(), "{text}");
        assert_eq!(text.starts_with("takes about 2.1 s (3 rates, 0.7 s each"), is_loud, "{text}");
        assert_eq!(text.is_empty(), !is_loud, "{text}");
        assert!(!text.contains('\x1b') && !text.contains('\r'), "a log has lines: {text:?}");
        assert!(serde_json::from_slice::<Value>(&stdout).is_ok_and(|report| report.is_object()));
    }
}

#[test]
fn short_commands_say_nothing_about_their_progress() {
    let cases: [&[&str]; 8] = [
        &["perft", "connect4", "5"],
        &["perft", "checkers", "4", "--divide"],
        &["count", "tictactoe"],
        &["solve", "hexapawn(3, 3)"],
        &["match", "tictactoe", "random", "random", "-n", "5"],
        &["check", "matches(5)", "--games", "2"],
        &["mastermind", "run"],
        &["analyse", "tictactoe", "--player", "mcts", "--budget", "100sims"],
    ];
    for args in cases {
        let out = ludion_with_progress(args).output().expect("the program starts");
        let said = String::from_utf8(out.stderr).expect("text");
        let progress: Vec<&str> = said.lines().filter(|line| !is_about_repetition(line)).collect();
        assert_eq!((out.status.code(), &progress[..]), (Some(0), &[][..]), "{args:?}");
    }
}

#[test]
fn play_handles_a_wrong_move_undo_hint_moves_and_quit() {
    let args = ["play", "tictactoe", "--second", "minimax(depth=9)"];
    let text = typed(&args, b"undo\nz9\nb2\nundo\nc1\nhint\nmoves\nquit\n");
    let said = [
        "first human, second minimax(depth=9)",
        "there is no move of yours to take back",
        "\"z9\": not a legal move; legal: a3 b3 c3 a2 b2 c2 a1 b1 c1",
        "2. second plays",
        "2. second plays b2",
        "hint: ",
        "a3 b3 c3 a2 c2 a1 b1\n",
        "good bye",
    ];
    let mut rest = &text[..];
    for line in said {
        let at =
            rest.find(line).unwrap_or_else(|| panic!("{line:?} is not in its place in {text}"));
        rest = &rest[at + line.len()..];
    }
    // The move taken back is gone from the last board.
    let last_board = text.rsplit('┌').next().unwrap();
    assert!(last_board.contains("1 │   │   │ ✕ │"), "{text}");
    assert_eq!(last_board.matches('✕').count(), 1, "{text}");
}

#[test]
fn with_two_humans_undo_takes_back_one_move() {
    let args = ["play", "tictactoe", "--second", "human", "--moves", "A3 b2"];
    let text = typed(&args, b"c1\nundo\nb3\nA1\n\nc3\n");
    assert!(text.ends_with("first wins after 5 moves\n"), "{text}");
}

#[test]
fn invalid_keyboard_input_is_refused_and_the_game_continues() {
    let noise = [&b"\xff\xfe\x00\n"[..], &vec![b'x'; 1 << 20], b"\n(((\n\r\n4\n"].concat();
    let text = typed(&["play", "connect4", "--second", "random"], &noise);
    assert_eq!(text.matches("not a legal move; legal: 1 2 3 4 5 6 7").count(), 3, "{text}");
    assert!(text.contains("2. second plays") && text.ends_with("> \ngood bye\n"), "{text}");
}

#[test]
fn connect_four_lines_are_scored_and_invalid_lines_get_their_own_error() {
    // Six stones in the first column leave it full; after 11223344 the first side has won.
    let lines = b"2252576253462244111563365343671351441\n1111111\n12x\n1122334455\n7422341735647741166133573473242566 1\n";
    let text = typed(&["solve", "connect4", "--lines", "-"], lines);
    let answers: Vec<&str> = text.lines().collect();
    assert_eq!(answers.len(), 5, "{text}");
    assert_eq!(answers[0], "2252576253462244111563365343671351441 -1");
    assert!(
        answers[1].starts_with("1111111 error: ") && answers[2].starts_with("12x error: "),
        "{text}"
    );
    assert!(answers[3].starts_with("1122334455 error: "), "{text}");
    assert_eq!(answers[4], "7422341735647741166133573473242566 1");
}

#[test]
fn json_has_the_figures() {
    assert_eq!(json(&["perft", "connect4", "7"])["nodes"], 823_536);
    let part = &json(&["perft", "tictactoe", "4", "--divide"])["divide"];
    assert_eq!(part[4], serde_json::json!({"move": "b2", "nodes": 8 * 7 * 6}));
    let show = json(&["show", "connect4", "--moves", "4453"]);
    assert_eq!((&show["turn"], &show["moves"][2]), (&"first".into(), &"5".into()));
    assert_eq!(show["scene"]["layout"], serde_json::json!({"kind":"grid","cols":7,"rows":6}));
    assert_eq!(show["scene"]["marked"], serde_json::json!([{"x": 2, "y": 5}]));
    let matches = &json(&["games", "matches"])["games"][0];
    assert_eq!((&matches["params"][0]["max"], &matches["puzzle"]), (&1000.into(), &false.into()));
    assert_eq!(json(&["players"])["players"][0]["name"], "human");
    let bench = json(&["bench", "matches", "dice", "--seconds", "0.005"]);
    for figure in ["playouts", "playouts_one_by_one", "perft"] {
        let spread = ["lowest", "median", "highest"].map(|k| bench["games"][1][figure][k].as_f64());
        assert!(spread.is_sorted() && spread[0] > Some(0.0), "{bench}");
    }
    assert!(json(&["check", "matches(5)"])["checked"][0]["states"].as_u64() > Some(5));
    let script = json(&["completions", "bash"])["script"].to_string();
    assert!(script.contains("perft") && script.contains("--seed"), "{script}");
}

#[test]
fn numbers_beyond_128_bits_keep_all_their_digits() {
    let out = ludion(&["count", "matches(200)", "--json"]).output().unwrap().stdout;
    // Tribonacci numbers: a game ends by taking 1, 2 or 3.
    let mut games = [1u128, 1, 2];
    for _ in 3..=140 {
        games = [games[1], games[2], games.iter().sum()];
    }
    let at_140 = ludion(&["count", "matches(140)", "--json"]).output().unwrap().stdout;
    let field = format!("\"games\":{},", games[2]);
    assert!(String::from_utf8(at_140).unwrap().contains(&field), "{field}");
    assert!(serde_json::from_slice::<Value>(&out).unwrap()["games"].is_number());
}

#[test]
fn the_same_seed_plays_the_same_game_whose_moves_can_be_shown_again() {
    let play = |seed| {
        json(&["play", "connect4", "--first", "random", "--second", "random", "--seed", seed])
    };
    let game = play("7");
    assert_eq!(game, play("7"));
    assert_ne!(game["moves"], play("8")["moves"]);
    let moves: Vec<&str> =
        game["moves"].as_array().unwrap().iter().map(|m| m.as_str().unwrap()).collect();
    let shown = json(&["show", "connect4", "--moves", &moves.join(" ")]);
    assert_eq!((&shown["outcome"], &shown["state"]), (&game["outcome"], &game["state"]));
}

#[test]
fn a_closed_pipe_is_no_error() {
    let commands: [&[&str]; 7] = [
        &["games"],
        &["--help"],
        &["perft", "connect4", "5", "--json"],
        &["show", "connect4"],
        &["play", "connect4"],
        &["play", "dice", "--first", "random", "--second", "random"],
        &["completions", "zsh"],
    ];
    for args in commands {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let child = ludion(args).stdin(Stdio::null()).stdout(writer).output().unwrap();
        assert_eq!((child.status.code(), &child.stderr[..]), (Some(0), &b""[..]), "{args:?}");
    }
}

#[test]
fn an_answer_that_cannot_be_written_is_a_failure() {
    let Ok(full) = std::fs::File::options().write(true).open("/dev/full") else { return };
    let child = ludion(&["games"]).stdout(full).output().unwrap();
    assert_eq!(child.status.code(), Some(1));
    assert!(child.stderr.starts_with(b"error: the answer could not be written: "));
}

#[test]
fn colour_is_printed_to_terminals_or_on_request_and_never_with_no_color() {
    let coloured = |args: &[&str], env: &[(&str, &str)]| {
        let mut command = ludion(&["show", "hexapawn"]);
        let out = command.args(args).envs(env.iter().copied()).output().unwrap();
        out.stdout.contains(&0x1b)
    };
    assert!(!coloured(&[], &[]), "a pipe is not a terminal");
    assert!(coloured(&["--color", "always"], &[]));
    assert!(coloured(&[], &[("CLICOLOR_FORCE", "1")]));
    assert!(!coloured(&[], &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]));
    assert!(!coloured(&["--color", "never"], &[("CLICOLOR_FORCE", "1")]));
}

#[test]
fn every_command_has_examples_that_work() {
    let text = String::from_utf8(ludion(&["--help"]).output().unwrap().stdout).unwrap();
    let names = subcommands(&text);
    for name in ["play", "show", "perft", "count", "analyse", "bench", "check"] {
        assert!(names.iter().any(|listed| listed == name), "{name} is not among {names:?}");
    }
    // Seven runs, for the commands that show one.
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("lab.sqlite");
    std::fs::write(folder.path().join("cup.toml"), CUP).unwrap();
    std::fs::write(folder.path().join("solutions.json"), SOLUTIONS).unwrap();
    for _ in 0..7 {
        let args = ["match", "matches", "random", "montecarlo", "-n", "10"];
        assert!(ludion(&args).env("LUDION_STORE", &store).output().unwrap().status.success());
    }
    for name in names.iter().map(String::as_str) {
        let help = ludion(&[name, "--help"]).output().unwrap();
        let text = String::from_utf8(help.stdout).unwrap();
        assert!(help.status.success() && text.contains("Examples:"), "{name}: {text}");
        // `bench` and `book` take long; `completions` writes to the folders of a shell; `lab` and `ladder` do not
        // end by themselves; the cluster has its own tests.
        let apart = [
            "bench",
            "book",
            "completions",
            "install-extras",
            "lab",
            "ladder",
            "worker",
            "cluster",
        ];
        for line in text.lines().filter(|_| !apart.contains(&name)) {
            let Some(example) = line.strip_prefix("  ludion ") else { continue };
            // The laws of every game are a test of the library.
            if example.starts_with("check   ") {
                continue;
            }
            let example = example.split(" | ").next().unwrap().split(" > ").next().unwrap();
            let mut command = ludion(&words(example));
            command.stdin(Stdio::null()).current_dir(&folder).env("LUDION_STORE", &store);
            let out = command.output().unwrap();
            assert_eq!((out.status.code(), &out.stderr[..]), (Some(0), &b""[..]), "{line}");
        }
    }
}

#[test]
fn manual_pages_and_completions_are_written_into_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().to_str().unwrap();
    let written = json(&["install-extras", "--folder", place]);
    assert!(written["pages"].as_u64() > Some(50), "{written}");
    let page = std::fs::read_to_string(folder.path().join("man/man1/ludion-hextris-solve.1"));
    assert!(page.unwrap().contains("hextris"), "a page about the command");
    for path in written["completions"].as_array().unwrap() {
        let script = std::fs::read_to_string(path.as_str().unwrap()).unwrap();
        assert!(script.contains("perft"), "{path}");
    }
    let page = json(&["man", "hextris", "solve"]);
    assert_eq!(page["name"], "ludion-hextris-solve");
    let wrong = ludion(&["man", "nothing"]).output().unwrap();
    let said = String::from_utf8_lossy(&wrong.stderr).into_owned();
    assert_eq!(wrong.status.code(), Some(2));
    assert!(said.contains("ludion has no command \"nothing\""), "{said}");
    let place = folder.path().join("man/man1/ludion.1/below");
    let wrong = ludion(&["install-extras", "--folder", place.to_str().unwrap()]).output().unwrap();
    assert_eq!(wrong.status.code(), Some(1), "a file in the way");
}

/// Names of the subcommands in a help text.
fn subcommands(help: &str) -> Vec<String> {
    let listed = help.split("Commands:\n").nth(1).and_then(|rest| rest.split("\n\n").next());
    let lines = listed.unwrap_or_default().lines();
    let names = lines.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let names = names.filter_map(|line| line.split_whitespace().next()).map(str::to_owned);
    names.filter(|name| name != "help").collect()
}

#[test]
fn every_subcommand_of_a_subcommand_has_examples() {
    fn check(path: &[String]) -> usize {
        let args: Vec<&str> = path.iter().map(String::as_str).chain(["--help"]).collect();
        let help = String::from_utf8(ludion(&args).output().unwrap().stdout).unwrap();
        assert!(help.contains("Examples:"), "{path:?}: {help}");
        let names = subcommands(&help);
        1 + names
            .iter()
            .map(|name| check(&[path, std::slice::from_ref(name)].concat()))
            .sum::<usize>()
    }
    assert!(check(&[]) > 50);
}

#[test]
fn the_laboratory_prints_its_address_and_serves_its_pages() {
    let args = ["lab", "--port", "0", "--json"];
    let mut lab = ludion(&args);
    let mut lab = lab.env("LUDION_TOKEN", "a-good-token").stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(lab.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let said: Value = serde_json::from_str(&line).unwrap();
    let address = said["address"].as_str().unwrap().strip_prefix("http://").unwrap();
    let (host, path) = address.split_once('/').unwrap();
    assert_eq!(path, "?token=a-good-token");
    let ask = |request: &str| {
        let mut stream = TcpStream::connect(host).unwrap();
        write!(stream, "{request}\r\nhost: {host}\r\nconnection: close\r\n\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    };
    assert!(ask("GET / HTTP/1.1").starts_with("HTTP/1.1 401"), "no token");
    assert!(ask("GET /?token=a-good-token HTTP/1.1").starts_with("HTTP/1.1 303"));
    let page = ask("GET / HTTP/1.1\r\ncookie: ludion=a-good-token");
    assert!(page.contains("<title>Ludion</title>"), "{page}");
    lab.kill().unwrap();
    lab.wait().unwrap();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let refused = ludion(&["lab", "--port", &port]).output().unwrap();
    let sentence = String::from_utf8(refused.stderr).unwrap();
    assert!(refused.status.code() == Some(1) && sentence.contains("--port takes another"));
    let short = ludion(&["lab", "--token", "abc"]).output().unwrap();
    assert_eq!(short.status.code(), Some(2), "a token that is easily guessed");
}

const CUP: &str = "game = \"tictactoe\"\nplayers = [\"random\", \"montecarlo\"]\npairs = 3\n";

const SOLUTIONS: &str = r#"[{"problemId": 1004, "seed": 0, "solution": "ei!aaa"}]"#;

/// Splits an example into words. Quoted text is one word; the remark after the command is dropped.
fn words(example: &str) -> Vec<&str> {
    let example = example.split("   ").next().unwrap_or(example);
    let quoted = example.split('"').enumerate();
    quoted
        .flat_map(|(i, part)| if i % 2 == 1 { vec![part] } else { part.split(' ').collect() })
        .filter(|word| !word.is_empty())
        .collect()
}

#[test]
fn a_mastermind_table_is_the_same_on_any_number_of_threads_and_a_run_reports_its_cost() {
    let args = ["mastermind", "table", "--pegs", "4,6", "--colours", "4,6", "--runs", "4"];
    let cells = |threads: &str| {
        let mut table = json(&[&args[..], &["--law", "mallows", "--threads", threads]].concat());
        let cells = table["cells"].as_array_mut().unwrap();
        assert_eq!(cells.len(), 3, "six pegs need six colours");
        for cell in &mut *cells {
            assert_eq!((&cell["runs"], &cell["wrong"]), (&4.into(), &0.into()), "{cell}");
            // Times differ from run to run.
            cell.as_object_mut().unwrap().retain(|name, _| !name.ends_with("seconds"));
        }
        cells.clone()
    };
    assert_eq!(cells("1"), cells("3"));
    let run = json(&["mastermind", "run", "--secret", "1-1-2-3", "--colours", "12"]);
    let outcome = &run["trace"]["outcome"];
    assert_eq!((&run["secret"], &run["proposal"]), (&"1-1-2-3".into(), &"1-1-2-3".into()));
    let iterations = outcome["iterations"].as_u64().unwrap();
    assert_eq!(outcome["answers"], 5 * 4 * 12 * iterations);
    let seen = json(&["mastermind", "chain", "--pegs", "4", "--colours", "6"]);
    assert!(seen["fit"]["p"].as_f64().unwrap() > 1e-4, "{}", seen["fit"]);
    assert!(seen["coordinates"][0]["all"]["autocorrelation"][1].as_f64().unwrap() > 0.5);
}

#[test]
fn mastermind_figures_are_written_as_csv() {
    let rows = |args: &[&str]| {
        let out = ludion(args).args(["--csv", "-"]).output().unwrap();
        assert!(out.status.success() && out.stderr.is_empty());
        let text = String::from_utf8(out.stdout).unwrap();
        text.lines()
            .map(|line| line.split(',').map(str::to_owned).collect())
            .collect::<Vec<Vec<_>>>()
    };
    let trace = rows(&["mastermind", "run", "--law", "permutation"]);
    assert_eq!(trace[0][..3], ["iteration", "gamma", "best"]);
    assert!(trace.iter().skip(1).zip(1..).all(|(row, t): (_, usize)| row[0] == t.to_string()));
    assert_eq!(trace.last().unwrap()[1], "1", "the last gamma");
    let args = ["mastermind", "table", "--pegs", "4", "--colours", "4,6", "--runs", "3"];
    let table = rows(&args);
    assert_eq!((table.len(), &table[0][0], &table[2][1]), (3, &"pegs".to_owned(), &"6".to_owned()));
    assert!(table.iter().all(|row| row.len() == table[0].len()));
}
