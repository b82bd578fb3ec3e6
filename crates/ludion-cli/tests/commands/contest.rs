//! A contest run with the program: a team, a server, submissions by the
//! program and by the Python example.

#![cfg(unix)]

use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

use serde_json::Value;

fn ludion(store: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ludion"));
    command.env("LUDION_STORE", store).env("LUDION_QUIET", "1").args(["hextris", "--json"]);
    command
}

fn json(output: &Output) -> Value {
    let (text, said) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}{said}"))
}

/// A server that ends with the test.
struct Server {
    child: Child,
    url: String,
}

impl Server {
    fn start(store: &Path) -> Server {
        let mut command = ludion(store);
        let serve = ["serve", "--listen", "127.0.0.1:0", "dot", "well"];
        let mut child = command.args(serve).stdout(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap());
        let mut text = String::new();
        while !text.trim_end().ends_with('}') && lines.read_line(&mut text).unwrap() > 0 {}
        let serving: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(serving["problems"], 2);
        Server { child, url: serving["address"].as_str().unwrap().to_owned() }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn submit(store: &Path, url: &str, token: &str, file: &Path) -> Output {
    let mut command = ludion(store);
    command.args(["submit", "--url", url, "--team", "1"]).arg(file);
    command.env("LUDION_TOKEN", token).output().unwrap()
}

#[test]
fn a_team_submits_and_is_ranked() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("lab.sqlite");
    let team = json(&ludion(&store).args(["team", "add", "The Hexagons"]).output().unwrap());
    let token = team["token"].as_str().unwrap();
    let kept = std::fs::read(&store).unwrap();
    assert!(
        !kept.windows(token.len()).any(|bytes| bytes == token.as_bytes()),
        "only the hash is stored"
    );

    let server = Server::start(&store);
    let solutions = folder.path().join("solutions.json");
    let problems = json(&ludion(&store).arg("problems").output().unwrap());
    let dot = problems.to_string();
    assert!(dot.contains("dot"), "{dot}");
    let id = first_problem(&server.url);
    let list = format!(r#"[{{"problemId": {id}, "seed": 0, "tag": "a", "solution": "ei!"}}]"#);
    std::fs::write(&solutions, list).unwrap();

    let sent = json(&submit(&store, &server.url, token, &solutions));
    assert_eq!(sent["created"][0]["score"], 306, "{sent}");
    let refused = submit(&store, &server.url, "wrong", &solutions);
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(said.contains("(401): the token is not that of this team"), "{said}");
    std::fs::write(&solutions, "[]").unwrap();
    let refused = submit(&store, &server.url, token, &solutions);
    assert!(String::from_utf8_lossy(&refused.stderr).contains("(400): 0 solutions"));

    let board = get(&server.url, "/leaderboard");
    assert_eq!(board["overall"][0]["name"], "The Hexagons");
}

/// Returns the number of the first problem of a server.
fn first_problem(url: &str) -> u64 {
    get(url, "/problems")[0]["id"].as_u64().unwrap()
}

fn get(url: &str, path: &str) -> Value {
    let address = url.strip_prefix("http://").unwrap();
    let mut stream = std::net::TcpStream::connect(address).unwrap();
    let request = format!("GET {path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n");
    std::io::Write::write_all(&mut stream, request.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    assert!(head.starts_with("HTTP/1.1 200"), "{head}");
    serde_json::from_str(body).unwrap()
}

#[test]
fn the_python_example_submits_a_solution() {
    if Command::new("python3").arg("--version").output().is_err() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("lab.sqlite");
    let team = json(&ludion(&store).args(["team", "add", "Snakes"]).output().unwrap());
    let server = Server::start(&store);
    let id = first_problem(&server.url);
    let solutions = folder.path().join("solutions.json");
    let list = format!(r#"[{{"problemId": {id}, "seed": 0, "solution": "ei!"}}]"#);
    std::fs::write(&solutions, list).unwrap();
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/contest/submit.py");
    let output = Command::new("python3")
        .arg(example)
        .args(["1", solutions.to_str().unwrap(), &server.url])
        .env("LUDION_TOKEN", team["token"].as_str().unwrap())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert_eq!(said, format!("problem {id} seed 0: 306 (in progress)\n"), "{output:?}");
}
