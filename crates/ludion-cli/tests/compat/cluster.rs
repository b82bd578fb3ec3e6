//! The messages between machines that every version must understand, which are JSON: status
//! requests, announcements and notes. Messages between programs of the same version only are not
//! compared.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::compare::{Mode, compare};
use crate::program::{BackgroundProcess, TestFolder, golden};

/// The golden files of the messages, in the order in which the test receives them.
pub(crate) const GOLDEN: [&str; 4] = [
    "cluster-worker.shape.json",
    "cluster-note.shape.json",
    "cluster-announcement.shape.json",
    "cluster-status.shape.json",
];

/// How long the test waits for a message.
const TIMEOUT: Duration = Duration::from_secs(20);

/// Starts a NATS server on a free port.
fn start_nats(folder: &TestFolder) -> (BackgroundProcess, u16) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = listener.local_addr().expect("an address").port();
    drop(listener);
    let mut command = Command::new("nats-server");
    command.args(["-a", "127.0.0.1", "-p", &port.to_string(), "-js", "-sd", "streams"]);
    command.current_dir(folder.path()).stdout(Stdio::null()).stderr(Stdio::null());
    let child = command.spawn();
    let server = child.expect("nats-server is installed: apt-get install nats-server");
    let end = Instant::now() + TIMEOUT;
    while TcpStream::connect(("127.0.0.1", port)).is_err() {
        assert!(Instant::now() < end, "the server does not listen");
        std::thread::sleep(Duration::from_millis(10));
    }
    (BackgroundProcess(server), port)
}

/// A minimal NATS client.
struct Client {
    read: BufReader<TcpStream>,
    write: TcpStream,
}

impl Client {
    fn connect(port: u16) -> Self {
        let write = TcpStream::connect(("127.0.0.1", port)).expect("a connection");
        write.set_read_timeout(Some(Duration::from_millis(300))).expect("a socket");
        let read = BufReader::new(write.try_clone().expect("a socket"));
        let mut client = Client { read, write };
        client.send("CONNECT {\"verbose\":false}");
        client.send("SUB compat.> 1");
        client.send("SUB ludion.run.*.notes 2");
        client
    }

    fn send(&mut self, line: &str) {
        write!(self.write, "{line}\r\n").expect("the server listens");
    }

    fn publish(&mut self, subject: &str, text: &str) {
        self.send(&format!("PUB {subject} compat.reply {}\r\n{text}", text.len()));
    }

    /// The subject and the JSON of the next message; none after a short silence.
    fn next_message(&mut self) -> Option<(String, Value)> {
        let mut line = String::new();
        while self.read.read_line(&mut line).is_ok_and(|length| length > 0) {
            let words: Vec<&str> = line.split_whitespace().collect();
            if let ["MSG", subject, .., length] = words[..] {
                let mut text = vec![0; length.parse::<usize>().expect("a length") + 2];
                self.read.read_exact(&mut text).expect("a message");
                let value = serde_json::from_slice(&text).unwrap_or_default();
                return Some((subject.to_owned(), value));
            }
            if words == ["PING"] {
                self.send("PONG");
            }
            line.clear();
        }
        None
    }

    /// Publishes a message repeatedly until a message with `key` arrives at a subject.
    fn publish_until(&mut self, message: (&str, &str), subject: &str, key: &str) -> Value {
        let end = Instant::now() + TIMEOUT;
        while Instant::now() < end {
            self.publish(message.0, message.1);
            while let Some((from, value)) = self.next_message() {
                if from.starts_with(subject) && value.get(key).is_some() {
                    return value;
                }
            }
        }
        panic!("no {key} at {subject}")
    }
}

#[test]
fn machines_exchange_the_messages_of_0_1_0() {
    let folder = TestFolder::new();
    let (_nats, port) = start_nats(&folder);
    let url = format!("nats://127.0.0.1:{port}");
    let start = |words: &[&str]| {
        let mut command = folder.ludion(words.iter().copied());
        BackgroundProcess::start(command.stdout(Stdio::null()).stderr(Stdio::null()))
    };
    let mut client = Client::connect(port);
    let _worker = start(&["worker", "--nats", &url, "--name", "anna", "--folder", "things"]);
    let worker = client.publish_until(("ludion.call.workers", ""), "compat.reply", "threads");
    // The worker reads an announcement in the format of 0.1.0 and refuses its other version.
    let mut other: Value = golden_json(GOLDEN[2]);
    other["status"]["id"] = json!("00ff");
    other["status"]["version"] = json!("0.0.1");
    let other = other.to_string();
    let note = client.publish_until(("ludion.runs", &other), "ludion.run.00ff.notes", "says");
    let uct = "uct(sims=20000)";
    let _run = start(&["match", "connect4", uct, "random", "-n", "200", "--cluster", &url]);
    let announcement = client.publish_until(("ludion.call.runs", ""), "compat.reply", "status");
    let words = ["cluster", "status", "--json", "--nats", &url].map(str::to_owned);
    let status = folder.output(&words, "none").expect("a status");
    let status = serde_json::from_str(&status).expect("JSON");
    let mut found = Vec::new();
    for (name, now) in GOLDEN.into_iter().zip([worker, note, announcement, status]) {
        compare(name, "", &golden_json(name), &now, Mode::Shape, &mut found);
    }
    assert!(found.is_empty(), "\n{}\n", found.join("\n"));
}

fn golden_json(name: &str) -> Value {
    serde_json::from_str(&golden(name)).expect("JSON")
}
