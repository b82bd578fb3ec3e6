//! Starts a server of the program and sends it the requests of a list.

use std::io::{BufRead, BufReader, Read};
use std::process::Stdio;
use std::time::Duration;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::Value;

use crate::compare::differences;
use crate::program::{BackgroundProcess, TestFolder, golden, lines};

/// A server on a free port and its working folder.
pub(crate) struct Server {
    folder: TestFolder,
    _process: BackgroundProcess,
    url: String,
    agent: ureq::Agent,
    /// The token of the team in the store.
    token: String,
}

impl Server {
    /// Starts the program and reads the address from its output.
    pub(crate) fn start(words: &[&str]) -> Self {
        let folder = TestFolder::new();
        let mut command = folder.ludion(words.iter().copied());
        let mut process = BackgroundProcess::start(command.arg("--json").stdout(Stdio::piped()));
        let mut lines = BufReader::new(process.0.stdout.take().expect("its output"));
        let mut text = String::new();
        while !text.trim_end().ends_with('}')
            && lines.read_line(&mut text).expect("its address") > 0
        {}
        let open: Value = serde_json::from_str(&text).expect("JSON");
        let team = std::fs::read_to_string(folder.path().join("team.json")).expect("a team");
        let team: Value = serde_json::from_str(&team).expect("JSON");
        let config = ureq::Agent::config_builder().http_status_as_error(false);
        Server {
            _process: process,
            url: open["address"].as_str().expect("an address").to_owned(),
            agent: config.timeout_global(Some(Duration::from_secs(60))).build().into(),
            token: team["token"].as_str().expect("a token").to_owned(),
            folder,
        }
    }

    /// Sends a request and returns the status and the body of the response.
    fn send(&self, method: &str, path: &str, body: &str) -> (u16, String) {
        let url = format!("{}{path}", self.url);
        let password = format!("Basic {}", BASE64_STANDARD.encode(format!(":{}", self.token)));
        let request = ureq::http::Request::builder()
            .method(method)
            .uri(&url)
            .header("accept", "application/json")
            .header("content-type", "application/json")
            .header("authorization", password)
            .body(body.to_owned())
            .expect("a request");
        let mut response = self.agent.run(request).unwrap_or_else(|error| panic!("{url}: {error}"));
        let mut text = String::new();
        response.body_mut().as_reader().read_to_string(&mut text).expect("text");
        (response.status().as_u16(), text)
    }

    /// Sends the requests of a list in their order. Panics with all differences from the golden
    /// files. A line has the golden file, the status, the method, the path and an optional body.
    /// NEW in a path is the number of the run that was started last.
    pub(crate) fn send_list(&self, list: &str) {
        let (mut found, mut new) = (Vec::new(), String::new());
        let folder = self.folder.path().display().to_string();
        for (name, line) in lines(list) {
            let mut parts = line.splitn(4, ' ').map(str::trim);
            let mut part = || parts.next().unwrap_or_default();
            let (status, method, path, body) = (part(), part(), part(), part());
            let (now, text) = self.send(method, &path.replace("NEW", &new), body);
            if now.to_string() != status {
                found.push(format!("{name}: {now} was {status}: {text}"));
                continue;
            }
            if now == 201 {
                new = text.chars().filter(char::is_ascii_digit).collect();
            }
            let text = text.replace(&folder, "FOLDER");
            found.extend(differences(&name, &golden(&name), &text));
        }
        assert!(found.is_empty(), "\n{}\n", found.join("\n"));
    }
}
