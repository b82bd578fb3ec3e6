//! Thousands of connections that send half a request, or nothing, to the servers of the program on
//! the loopback interface: the page of a user is still answered at once.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use serde_json::Value;

/// Number of pages that a user asks for.
const PAGES: usize = 41;
/// Time in which a page has to be answered.
const IN_TIME: Duration = Duration::from_millis(200);
const TOKEN: &str = "a-good-token";

/// A server of the program that may open as many files as a system usually allows, ended with the
/// test.
struct Server {
    child: Child,
    address: SocketAddr,
    /// Holds the store.
    _folder: tempfile::TempDir,
}

impl Server {
    fn start(args: &[&str]) -> Server {
        let folder = tempfile::tempdir().unwrap();
        let mut child = Command::new("sh")
            .args(["-c", "ulimit -n 1024 && exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_ludion")])
            .args(args)
            .arg("--json")
            .env("LUDION_STORE", folder.path().join("lab.sqlite"))
            .env("LUDION_TOKEN", TOKEN)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap());
        let mut text = String::new();
        while !text.trim_end().ends_with('}') && lines.read_line(&mut text).unwrap() > 0 {}
        let said: Value = serde_json::from_str(&text).unwrap();
        let address = said["address"].as_str().unwrap().strip_prefix("http://").unwrap();
        let address = address.split('/').next().unwrap().parse().unwrap();
        Server { child, address, _folder: folder }
    }

    /// Opens a connection and sends `text`; `None` if the server closed it at once.
    fn send(&self, text: &str) -> Option<TcpStream> {
        let mut stream =
            TcpStream::connect_timeout(&self.address, Duration::from_secs(20)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        stream.write_all(text.as_bytes()).ok().map(|()| stream)
    }

    /// Asks for a page and returns how long that took.
    fn time_page(&self, path: &str) -> Duration {
        let began = Instant::now();
        let request = format!(
            "GET {path} HTTP/1.1\r\nhost: localhost\r\ncookie: ludion={TOKEN}\r\n\
             connection: close\r\n\r\n"
        );
        let mut answer = String::new();
        self.send(&request).unwrap().read_to_string(&mut answer).unwrap();
        assert!(answer.starts_with("HTTP/1.1 200 "), "{answer:.200}");
        began.elapsed()
    }

    /// Asks for pages and checks that they came in time: all but a few, because other programs run
    /// on the machine.
    fn check_pages(&self, path: &str, when: &str) {
        let mut times: Vec<Duration> = (0..PAGES).map(|_| self.time_page(path)).collect();
        times.sort();
        let (median, most) = (times[PAGES / 2], times[PAGES - 1]);
        println!("{path} {when}: median {median:?}, longest {most:?} of {PAGES}");
        assert!(times[PAGES * 9 / 10] < IN_TIME, "{when}: {times:?}");
    }

    /// Asks for pages under `half_open` connections that are held, then while more are opened.
    fn check_flood(&self, path: &str, half_open: usize) {
        self.check_pages(path, "without a flood");
        let halves = ["", "GET / HTTP/1.1\r\nhost: loc", "POST /api/choose HTTP/1.1\r\ncont"];
        for half in halves {
            let held: Vec<_> = (0..half_open).map(|_| self.send(half)).collect();
            self.check_pages(path, &format!("under {half_open} connections that sent {half:?}"));
            drop(held);
        }
        let (over, opened) = (AtomicBool::new(false), std::sync::atomic::AtomicUsize::new(0));
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let mut held = std::collections::VecDeque::new();
                while !over.load(Ordering::Relaxed)
                    && opened.load(Ordering::Relaxed) < 4 * half_open
                {
                    held.push_back(self.send(halves[1]));
                    opened.fetch_add(1, Ordering::Relaxed);
                    if held.len() > half_open {
                        held.pop_front();
                    }
                }
            });
            self.check_pages(path, "while connections are opened");
            over.store(true, Ordering::Relaxed);
        });
        println!("{path}: {} connections were opened meanwhile", opened.into_inner());
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Lets this test open enough files for its side of the connections.
fn raise_file_limit(half_open: usize) {
    let needed = half_open as u64 + 500;
    let limit = getrlimit(Resource::Nofile);
    if limit.current.is_some_and(|current| current < needed) {
        let raised = Rlimit { current: Some(needed), maximum: limit.maximum };
        setrlimit(Resource::Nofile, raised).unwrap_or_else(|error| {
            panic!("this test needs {needed} open files, and the system refuses: {error}")
        });
    }
}

/// Floods both servers, one after the other: two floods at once would measure each other.
fn flood_servers(half_open: usize) {
    raise_file_limit(half_open);
    Server::start(&["lab", "--port", "0"]).check_flood("/", half_open);
    let serve = ["hextris", "serve", "--listen", "127.0.0.1:0", "dot"];
    Server::start(&serve).check_flood("/leaderboard", half_open);
}

/// More connections than the servers may open files.
#[test]
fn a_page_is_answered_in_time_under_half_open_connections() {
    flood_servers(1_100);
}

#[test]
#[ignore = "takes minutes; `./test --all` runs it"]
fn a_page_is_answered_in_time_under_thousands_of_half_open_connections() {
    flood_servers(5_000);
}
