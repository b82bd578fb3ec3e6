//! External bots: matches with bots that follow the protocol and with bots that break it, the end
//! of their processes, and `bot check`. The bots are the program itself and small shell scripts,
//! which every Unix can run.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod check;
mod forfeits;
mod hub;
mod names;
mod processes;
mod protocol;

use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

const LUDION: &str = env!("CARGO_BIN_EXE_ludion");

/// Returns the environment variable of every process that a test starts, descendants included.
fn mark(test: &str) -> String {
    format!("LUDION_TEST_MARK={test}-{}", std::process::id())
}

fn ludion(test: &str, args: &[&str]) -> Command {
    let mut command = Command::new(LUDION);
    let (name, value) =
        mark(test).split_once('=').map(|(n, v)| (n.to_owned(), v.to_owned())).unwrap();
    command.args(args).env(name, value).env("LUDION_STORE", ":memory:").stdin(Stdio::null());
    command.env("LUDION_QUIET", "1");
    command
}

/// Returns the processes of a test that still run; none on systems without `/proc`.
fn left(test: &str) -> Vec<String> {
    let mark = mark(test);
    let has_mark = |folder: &PathBuf| {
        let environment = std::fs::read(folder.join("environ")).unwrap_or_default();
        environment.split(|&byte| byte == 0).any(|variable| variable == mark.as_bytes())
    };
    let folders = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let marked = folders.map(|entry| entry.path()).filter(has_mark);
    marked.filter_map(|folder| std::fs::read_to_string(folder.join("cmdline")).ok()).collect()
}

fn wait_until(what: &str, done: impl Fn() -> bool) {
    let began = Instant::now();
    while !done() {
        assert!(began.elapsed() < Duration::from_secs(20), "timed out waiting until {what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Returns a bot as a shell script: it runs `on_go` at `go`; `$m` is the first legal move.
fn script(on_go: &str) -> String {
    format!(
        "while read -r word rest; do case $word in \
         ugi) echo id name Script; echo feature game; echo feature legal; echo ugiok;; \
         isready) echo readyok;; legal) m=${{rest%% *}};; go) {on_go};; quit) exit 0;; esac; done"
    )
}

fn bot(command: &str, more: &str) -> String {
    let quoted = command.replace('\\', "\\\\").replace('"', "\\\"");
    format!("bot(cmd=\"{quoted}\"{more})")
}

/// Plays a match of `random` against a bot, and checks that no process is left.
fn match_against(test: &str, game: &str, bot: &str, more: &[&str]) -> Value {
    let args = [&["match", game, "random", bot, "--json"], more].concat();
    let Output { status, stdout, stderr } = ludion(test, &args).output().unwrap();
    assert!(status.success() && stderr.is_empty(), "{}", String::from_utf8_lossy(&stderr));
    // A killed process whose parent has ended may take a moment to disappear.
    wait_until(&format!("no process of {bot} is left"), || left(test).is_empty());
    serde_json::from_slice(&stdout).unwrap()
}
