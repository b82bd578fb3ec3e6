//! Little memory and few threads: the program uses fewer threads or says one sentence. It never
//! hangs and never panics.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::program::{LUDION, ended_well, set_up};

/// Returns a command that runs the program after the limits in `script` are set.
fn limited(folder: &Path, script: &str, args: &[&str]) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", &format!("{script}; exec \"$@\""), "sh", LUDION]).args(args);
    set_up(&mut command, folder);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Waits for the end of a program, which must come soon.
fn end(mut child: Child, what: &str) -> Output {
    let began = Instant::now();
    while child.try_wait().expect("a child").is_none() {
        if began.elapsed() > Duration::from_secs(60) {
            child.kill().expect("a child");
            panic!("{what} hangs");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    child.wait_with_output().expect("a child")
}

/// Returns the least address space in kilobytes with which the program starts at all; it depends on
/// how the program was built.
fn least_address_space(folder: &Path) -> u64 {
    let starts = |kilobytes: &u64| {
        let limit = format!("ulimit -v {kilobytes}");
        let out = limited(folder, &limit, &["games"]).output().expect("a shell");
        out.status.success()
    };
    (1..).map(|step| 8192 * step).find(starts).expect("a limit")
}

const MATCH: [&str; 2] = ["match", "connect4"];

/// Commands with more threads than fit into a small address space.
fn commands() -> Vec<Vec<&'static str>> {
    let threads = ["--threads", "16"];
    let match_of =
        |player: &'static str| [&MATCH[..], &[player, "random", "-n", "2"], &threads].concat();
    let with_threads = |args: &[&'static str]| [args, &threads].concat();
    vec![
        match_of("random"),
        match_of("mcts(sims=200)"),
        match_of("deepening(depth=3, secs=0)"),
        match_of("mcts(sims=500, threads=8, parallel=leaf)"),
        match_of("mcts(sims=500, threads=8, parallel=root)"),
        match_of("mcts(sims=500, threads=8, parallel=tree)"),
        with_threads(&["solve", "hexapawn(4, 4)"]),
        with_threads(&["solve", "connect4", "--moves", "4444437322"]),
        with_threads(&["perft", "connect4", "6"]),
        with_threads(&["generate", "connect4", "-n", "5000", "-o", "games"]),
        with_threads(&["mastermind", "table", "--pegs", "4", "--colours", "4", "--runs", "5"]),
        with_threads(&["checkers", "endgames", "--pieces", "3", "-o", "table"]),
    ]
}

/// Runs all commands with each limit; returns the numbers of tries and of failures with a sentence.
fn try_all(limits: &[String]) -> (u64, u64) {
    let (mut tries, mut failures) = (0, 0);
    for limit in limits {
        for args in commands() {
            let folder = tempfile::tempdir().expect("a folder");
            let what = format!("{limit}: {args:?}");
            let child = limited(folder.path(), limit, &args).spawn().expect("a shell");
            tries += 1;
            failures += u64::from(!ended_well(&end(child, &what), &what));
        }
    }
    println!("{tries} tries, {failures} failed with a sentence");
    (tries, failures)
}

fn address_spaces(more_megabytes: &[u64]) -> Vec<String> {
    let folder = tempfile::tempdir().expect("a folder");
    let least = least_address_space(folder.path());
    let limit = |megabytes: &u64| format!("ulimit -v {}", least + 1024 * megabytes);
    more_megabytes.iter().map(limit).collect()
}

#[test]
fn a_small_address_space_leads_to_fewer_threads_or_one_sentence() {
    let (tries, failures) = try_all(&address_spaces(&[16, 64]));
    assert!(failures < tries, "nothing works with little memory");
}

#[test]
#[ignore = "takes a minute; ./test --all runs it"]
fn no_size_of_the_address_space_makes_the_program_hang_or_panic() {
    let sizes: Vec<u64> = (2..20).map(|step| 4 * step).chain([100, 150, 300, 600]).collect();
    try_all(&address_spaces(&sizes));
}

/// The positions that a walk has seen are no table of a fixed size.
#[test]
fn a_walk_that_does_not_fit_in_memory_ends_with_a_sentence() {
    let folder = tempfile::tempdir().expect("a folder");
    let limits = address_spaces(&[90]);
    let no_memory = "there is not enough memory for more than ";
    for (args, sentence) in [
        (["count", "hexapawn(6, 6)", "--limit", "1000000000"].as_slice(), no_memory),
        (&["count", "connect4", "--plies", "20", "--limit", "1000000000"], no_memory),
        // Instead of walking, the solver searches with a table that fits.
        (&["solve", "hexapawn(6, 6)", "--limit", "1500000"], "not solved after "),
    ] {
        let child = limited(folder.path(), &limits[0], args).spawn().expect("a shell");
        let out = end(child, sentence);
        let said = String::from_utf8_lossy(&out.stderr).into_owned();
        assert_eq!(out.status.code(), Some(1), "{args:?}: {said}");
        assert!(said.contains(sentence) && !said.contains("allocation"), "{args:?}: {said}");
    }
}

#[test]
fn a_server_with_little_memory_serves_or_says_why_not() {
    let folder = tempfile::tempdir().expect("a folder");
    for limit in address_spaces(&[8, 24, 48, 200]) {
        for _ in 0..3 {
            let args = ["lab", "--port", "0"];
            let mut child = limited(folder.path(), &limit, &args).spawn().expect("a shell");
            let mut line = String::new();
            let mut stdout = BufReader::new(child.stdout.take().expect("a pipe"));
            stdout.read_line(&mut line).expect("text");
            let Some(address) = line.trim().rsplit_once("http://").map(|(_, address)| address)
            else {
                ended_well(&end(child, &limit), &limit);
                continue;
            };
            // With little memory requests may be dropped, or the server end with its sentence.
            let is_ok = |answer: String| answer.starts_with("HTTP/1.1 200");
            let is_served = (0..5).any(|_| page(address).is_ok_and(is_ok));
            let ended = Command::new("kill").arg(child.id().to_string()).status();
            assert!(ended.expect("kill").success());
            let out = end(child, &limit);
            if is_served || out.status.code() == Some(143) {
                assert_eq!(out.status.code(), Some(143), "{limit}");
            } else {
                ended_well(&out, &limit);
            }
        }
    }
}

/// Asks a server for the list of games, which it must send soon.
fn page(address: &str) -> io::Result<String> {
    let mut stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(Duration::from_secs(20)))?;
    let request =
        format!("GET /api/games HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes())?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    Ok(answer)
}
