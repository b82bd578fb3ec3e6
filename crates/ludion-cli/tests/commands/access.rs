//! What other users and files can do to the program: tokens, files without end, files that change
//! while they are used.

#![cfg(unix)]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

fn ludion(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ludion"));
    command.args(args).current_dir(folder).env_remove("LUDION_TOKEN");
    command.env("LUDION_STORE", folder.join("lab.sqlite")).stdin(Stdio::null());
    command
}

/// Runs a command that must end within half a minute.
fn run(mut command: Command) -> Output {
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let began = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if began.elapsed() > Duration::from_secs(30) {
            child.kill().unwrap();
            panic!("it does not end: {command:?}");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    child.wait_with_output().unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A laboratory that ends with the test.
struct Laboratory {
    program: Child,
    host: String,
    token: Option<String>,
}

impl Laboratory {
    fn open(mut command: Command) -> Laboratory {
        let mut program = command.arg("--json").stdout(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(program.stdout.take().unwrap());
        let mut text = String::new();
        while !text.trim_end().ends_with('}') && lines.read_line(&mut text).unwrap() > 0 {}
        let open: Value = serde_json::from_str(&text).unwrap();
        let address = open["address"].as_str().unwrap().strip_prefix("http://").unwrap();
        let (host, token) = match address.split_once("/?token=") {
            Some((host, token)) => (host, Some(token.to_owned())),
            None => (address, None),
        };
        Laboratory { program, host: host.to_owned(), token }
    }

    fn ask(&self, request: &str, body: &str) -> String {
        let mut stream = TcpStream::connect(&self.host).unwrap();
        let (host, length) = (&self.host, body.len());
        let head = format!("{request}\r\nhost: {host}\r\nconnection: close\r\n");
        write!(stream, "{head}content-length: {length}\r\n\r\n{body}").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }
}

impl Drop for Laboratory {
    fn drop(&mut self) {
        let _ = self.program.kill();
        let _ = self.program.wait();
    }
}

#[test]
fn a_laboratory_that_starts_programs_asks_for_a_token_on_this_machine_too() {
    let folder = tempfile::tempdir().unwrap();
    let plain = Laboratory::open(ludion(folder.path(), &["lab", "--port", "0"]));
    assert_eq!(plain.token, None);
    assert!(plain.ask("GET /api/about HTTP/1.1", "").starts_with("HTTP/1.1 200 "));
    let bots = Laboratory::open(ludion(folder.path(), &["lab", "--port", "0", "--allow-bots"]));
    let token = bots.token.clone().unwrap();
    assert!(token.len() >= 40, "drawn: {token}");
    let choose = r#"{"game": "tictactoe", "player": "bot(touch started)"}"#;
    for guess in ["", "\r\nauthorization: Bearer guessed-it"] {
        for (request, body) in
            [("GET /api/about HTTP/1.1", ""), ("POST /api/choose HTTP/1.1", choose)]
        {
            let answer = bots.ask(&format!("{request}{guess}"), body);
            assert!(answer.starts_with("HTTP/1.1 401 "), "{answer}");
        }
    }
    assert!(!folder.path().join("started").exists(), "no program was started");
    let with_token = format!("GET /api/about HTTP/1.1\r\nauthorization: Bearer {token}");
    let about = bots.ask(&with_token, "");
    assert!(about.starts_with("HTTP/1.1 200 ") && about.contains("\"bots\":true"), "{about}");
}

#[test]
fn a_token_comes_from_a_file_or_the_environment_and_on_the_command_line_with_a_warning() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("token"), "from-the-file\n").unwrap();
    let with = |args: &[&str]| ludion(folder.path(), &[&["lab", "--port", "0"], args].concat());
    let lab = Laboratory::open(with(&["--token-file", "token"]));
    assert_eq!(lab.token.as_deref(), Some("from-the-file"));
    let mut command = with(&[]);
    command.env("LUDION_TOKEN", "from-the-environment");
    assert_eq!(Laboratory::open(command).token.as_deref(), Some("from-the-environment"));

    let mut command = with(&["--token", "from-the-arguments"]);
    command.stderr(Stdio::piped());
    let mut lab = Laboratory::open(command);
    assert_eq!(lab.token.as_deref(), Some("from-the-arguments"));
    let mut warning = String::new();
    BufReader::new(lab.program.stderr.take().unwrap()).read_line(&mut warning).unwrap();
    assert!(
        warning.starts_with("warning: other users of this machine can read --token"),
        "{warning}"
    );

    let wrong: [(&[&str], &str); 4] = [
        (&["--token", "short"], "the token is not valid; it has 8 or more of the characters"),
        (&["--token-file", "none"], "--token-file none: No such file"),
        (&["--token-file", "/dev/zero"], "--token-file /dev/zero: it is a device"),
        (&["--token-file", "token", "--token", "long-enough"], "cannot be used with"),
    ];
    for (args, sentence) in wrong {
        let out = run(with(args));
        assert!(out.status.code() == Some(2) && said(&out).contains(sentence), "{}", said(&out));
        assert!(!said(&out).contains("short") || args[1] != "short", "an error shows the token");
    }
    std::fs::write(folder.path().join("solutions.json"), "[]").unwrap();
    let out = run(ludion(folder.path(), &["hextris", "submit", "--team", "1", "solutions.json"]));
    assert!(
        said(&out).contains("no token is given; set the variable LUDION_TOKEN"),
        "{}",
        said(&out)
    );
}

#[test]
fn a_file_without_end_is_refused_wherever_a_file_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let zero = "/dev/zero";
    let commands: &[&[&str]] = &[
        &["match", "checkers", "mlp(model=/dev/zero)", "random", "-n", "1"],
        &["match", "checkers", "knn(data=/dev/zero)", "random", "-n", "1"],
        &["analyse", "checkers", "--player", "deepening(eval=patterns(/dev/zero))"],
        &["analyse", "checkers", "--player", "deepening(eval=endgames(/dev/zero))"],
        &["checkers", "keeps-the-win", "--table", zero, "--player", "random"],
        &["tournament", "connect4", "--players", zero],
        &["solve", "connect4", "--lines", zero],
        &["train", "checkers", "--data", zero, "--out", "model"],
        &["data", "info", zero],
        &["data", "show", zero],
        &["data", "import", zero],
        &["hextris", "solve", "-f", zero],
        &["hextris", "score", "--problem", "dot", zero],
        &["hextris", "score", "--problem", zero, "solutions.json"],
        &["hextris", "serve", "--listen", "127.0.0.1:0", zero],
    ];
    for args in commands {
        let out = run(ludion(folder.path(), args));
        assert!(!out.status.success(), "{args:?}");
        let sentence = said(&out);
        assert!(sentence.contains("it is a device, not a regular file"), "{args:?}: {sentence}");
        assert_eq!(sentence.lines().count(), 1, "{args:?}: {sentence}");
    }
    // Standard input has a limit where it has no end.
    let mut command = ludion(folder.path(), &["solve", "connect4", "--lines", "-"]);
    command.stdin(std::fs::File::open(zero).unwrap());
    let out = run(command);
    assert!(said(&out).contains("it has a line of more than 4096 bytes"), "{}", said(&out));
    let mut command = ludion(folder.path(), &["bot", "serve", "tictactoe", "random"]);
    command.stdin(std::fs::File::open(zero).unwrap());
    assert!(run(command).status.success());
}

#[test]
fn a_pipe_is_read_where_a_file_is_read_once() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("games.pdn"), "[GameType \"25\"]\n1. c3-d4 *\n").unwrap();
    std::fs::write(folder.path().join("lines"), "4444437322\n").unwrap();
    let piped = |line: &str| {
        let mut bash = Command::new("bash");
        bash.args(["-c", line]).env("ludion", env!("CARGO_BIN_EXE_ludion"));
        bash.current_dir(folder.path());
        run(bash)
    };
    let out = piped("\"$ludion\" data import <(cat games.pdn) --json");
    assert!(String::from_utf8_lossy(&out.stdout).contains("\"games\":1"), "{out:?}");
    let out = piped("\"$ludion\" solve connect4 --lines <(cat lines)");
    assert!(out.status.success() && !out.stdout.is_empty(), "{out:?}");
    let out = piped("mkfifo pipe; \"$ludion\" analyse checkers --player 'mlp(./pipe)'");
    assert!(said(&out).contains("it is a pipe, not a regular file"), "{}", said(&out));
}

#[test]
fn a_table_truncated_under_a_search_does_not_end_the_laboratory() {
    let folder = tempfile::tempdir().unwrap();
    let table = folder.path().join("five.endgames");
    let name = table.to_str().unwrap();
    let build = ["checkers", "endgames", "--pieces", "5", "--out", name];
    assert!(run(ludion(folder.path(), &build)).status.success());
    let data = folder.path().to_str().unwrap();
    let mut lab = Laboratory::open(ludion(folder.path(), &["lab", "--port", "0", "--data", data]));
    let choose = r#"{"game": "checkers", "state": "W:W21,25,29,30:B1,2,3,4", "budget": "3s",
        "player": "deepening(eval=endgames(five.endgames))"}"#;
    let answer = std::thread::scope(|scope| {
        let search = scope.spawn(|| lab.ask("POST /api/choose HTTP/1.1", choose));
        std::thread::sleep(Duration::from_secs(1));
        let file = std::fs::OpenOptions::new().write(true).open(&table).unwrap();
        file.set_len(0).unwrap();
        let truncated = Instant::now();
        let answer = search.join().unwrap();
        assert!(truncated.elapsed() > Duration::from_secs(1), "the search was over before");
        answer
    });
    assert!(answer.contains("event: choice"), "{answer}");
    assert!(lab.program.try_wait().unwrap().is_none(), "the laboratory goes on");
    let again = lab.ask("POST /api/choose HTTP/1.1", choose);
    assert!(
        again.contains("table = five.endgames is not allowed"),
        "the file is damaged now: {again}"
    );
}
