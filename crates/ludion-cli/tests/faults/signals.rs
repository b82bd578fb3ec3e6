//! Ctrl-C and other signals: a search under way stops at once, standard error says so, finished work
//! is kept, and the resumed run equals the undisturbed one.

use std::io::{BufRead, BufReader, Read};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

use ludion_store::Store;

use crate::kept;
use crate::program::{LUDION, json, ludion, set_up, timeless};

const SIGHUP: i32 = 1;
/// Time within which a program says that it stops. It takes some milliseconds; the rest is for a
/// machine with other work.
const SOON: Duration = Duration::from_millis(100);
/// Time within which a program has stopped, with the same allowance.
const AT_ONCE: Duration = Duration::from_secs(2);

fn send(child: &Child, signal: &str) {
    let sent = Command::new("kill").args([signal, &child.id().to_string()]).status();
    assert!(sent.expect("kill").success());
}

fn start(folder: &Path, args: &[&str]) -> Child {
    let mut command = ludion(folder, args);
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts")
}

/// Returns whether the program has a handler for a signal, which the kernel tells in a file.
fn catches(child: &Child, signal: i32) -> bool {
    let path = format!("/proc/{}/status", child.id());
    let status = std::fs::read_to_string(path).unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    mask & 1 << (signal - 1) != 0
}

/// Waits until the program has a handler for this signal.
fn wait_for_handler(child: &mut Child, signal: i32) {
    let began = Instant::now();
    while !catches(child, signal) {
        assert_eq!(child.try_wait().expect("a child"), None, "it ended before the signal");
        assert!(began.elapsed() < Duration::from_secs(30), "no handler is installed");
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Waits until the program handles signals, and for a moment more, so that a search is under way.
fn wait_for_work(child: &mut Child) {
    wait_for_handler(child, SIGHUP);
    std::thread::sleep(Duration::from_millis(150));
}

/// How a program ended after a signal.
struct Stopped {
    /// The exit code as a shell reports it.
    code: i32,
    said: String,
    /// Times from the signal to the first line on standard error and to the end.
    first_word: Duration,
    end: Duration,
}

fn stop(mut child: Child, signal: &str) -> Stopped {
    let mut stderr = BufReader::new(child.stderr.take().expect("a pipe"));
    let mut stdout = child.stdout.take().expect("a pipe");
    let (sender, lines) = channel();
    let sent = Instant::now();
    send(&child, signal);
    let reader = std::thread::spawn(move || {
        let mut line = String::new();
        while stderr.read_line(&mut line).is_ok_and(|count| count > 0) {
            let _ = sender.send((Instant::now(), std::mem::take(&mut line)));
        }
    });
    std::thread::spawn(move || drop(stdout.read_to_end(&mut Vec::new())));
    let status = child.wait().expect("it ends");
    let end = sent.elapsed();
    reader.join().unwrap();
    let lines: Vec<(Instant, String)> = lines.into_iter().collect();
    let first_word = lines.first().map_or(end, |(at, _)| at.duration_since(sent));
    let said = lines.into_iter().map(|(_, line)| line).collect();
    let code = status.code().unwrap_or_else(|| 128 + status.signal().expect("a signal"));
    Stopped { code, said, first_word, end }
}

/// Repeats a measurement that other work on the machine can delay, up to five times.
fn is_soon(what: &str, mut measure: impl FnMut() -> Duration) {
    let times: Vec<Duration> = (0..5).map(|_| measure()).take_while(|time| *time > SOON).collect();
    assert!(times.len() < 5, "{what} takes {times:?}");
}

#[test]
fn a_long_search_stops_at_the_first_ctrl_c_and_says_how_to_resume() {
    for player in ["mcts(sims=1000000000)", "deepening(secs=1000)", "montecarlo(sims=1000000000)"] {
        is_soon(player, || {
            let folder = tempfile::tempdir().expect("a folder");
            let mut child = start(folder.path(), &["match", "connect4", player, "random"]);
            wait_for_work(&mut child);
            let stopped = stop(child, "-INT");
            assert_eq!(stopped.code, 130, "{}", stopped.said);
            let resume =
                format!("ludion run resume 1 --store {}", folder.path().join("store").display());
            assert!(stopped.said.contains(&resume), "{}", stopped.said);
            assert!(stopped.end < AT_ONCE, "{player} stops after {:?}", stopped.end);
            stopped.first_word
        });
    }
}

#[test]
fn the_exit_code_names_the_signal() {
    let folder = tempfile::tempdir().expect("a folder");
    for (signal, code) in [("-INT", 130), ("-TERM", 143), ("-HUP", 129)] {
        let player = "mcts(sims=1000000000)";
        let mut child = start(folder.path(), &["match", "connect4", player, "random"]);
        wait_for_work(&mut child);
        assert_eq!(stop(child, signal).code, code, "{signal}");
        // Commands without results to keep end by the signal itself.
        let child = start(folder.path(), &["solve", "connect4(8, 7)", "--moves", "1 2"]);
        std::thread::sleep(Duration::from_millis(300));
        assert_eq!(stop(child, signal).code, code, "{signal}");
    }
    // Ctrl-C is the way to close a server.
    for (signal, code) in [("-INT", 0), ("-TERM", 143), ("-HUP", 129)] {
        let mut child = start(folder.path(), &["lab", "--port", "0"]);
        wait_for_work(&mut child);
        assert_eq!(stop(child, signal).code, code, "{signal}");
    }
}

#[test]
fn every_command_that_takes_long_stops_at_the_first_ctrl_c() {
    let folder = tempfile::tempdir().expect("a folder");
    json(folder.path(), &["generate", "checkers", "-n", "3000", "-o", "some.games"]);
    let mcts = "mcts(sims=1000000000)";
    let commands: &[&[&str]] = &[
        &["tournament", "connect4", "--players", mcts, "random", "uct(sims=1000000000)"],
        &["championship", "connect4", "mcts(c=0.5|1|2, sims=1000000000)"],
        &["tune", "connect4", "mcts(sims=?100000000..1000000000)"],
        &["generate", "connect4", "-n", "100", "--player", mcts, "-o", "played.games"],
        &["learn", "checkers", "--rounds", "2", "--games", "1000000"],
        &["experiment", "--games", "100000"],
        &["mastermind", "table", "--pegs", "30", "--colours", "30", "--runs", "1000"],
        &["hextris", "tune", "--generations", "100"],
        &["reproduce", "tree-search", "--full"],
        &["train", "checkers", "--data", "some.games", "--patience", "500", "-o", "model"],
        &["match", "connect4", "alphabeta(depth=40)", "minimax(depth=40)"],
        &["match", "connect4", "memory(depth=40)", "ultimate(depth=40)"],
        &["match", "connect4", "expert(ms=1000000)", "ucb(sims=1000000000)"],
        &["match", "checkers", "random", "random", "--opening", "1000", "-n", "1000000"],
    ];
    for args in commands {
        let mut child = start(folder.path(), args);
        wait_for_work(&mut child);
        let stopped = stop(child, "-INT");
        assert_eq!(stopped.code, 130, "{args:?}: {}", stopped.said);
        assert!(stopped.end < AT_ONCE, "{args:?} stops after {:?}", stopped.end);
    }
}

#[test]
fn a_run_stopped_again_and_again_equals_the_undisturbed_one() {
    let args =
        ["match", "connect4(5, 4)", "mcts(sims=3000)", "deepening(depth=5, secs=0)", "-n", "6"];
    let (whole, often) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    json(whole.path(), &args);
    let mut stops = 0;
    for round in 0..200_u64 {
        let args: &[&str] = if round == 0 { &args } else { &["run", "resume", "1"] };
        let mut child = start(often.path(), args);
        let is_over = |child: &mut Child| child.try_wait().expect("a child").is_some();
        while !catches(&child, SIGHUP) && !is_over(&mut child) {
            std::thread::sleep(Duration::from_millis(1));
        }
        std::thread::sleep(Duration::from_millis(20 + round * 37 % 150));
        if is_over(&mut child) {
            break;
        }
        let stopped = stop(child, ["-INT", "-TERM", "-HUP"][round as usize % 3]);
        stops += u32::from(stopped.code != 0);
    }
    assert!(stops > 0, "nothing was stopped");
    json(often.path(), &["run", "resume", "1"]);
    let store = |folder: &Path| folder.join("store");
    assert_eq!(kept::games(&store(often.path())), kept::games(&store(whole.path())));
    let shown = |folder: &Path| timeless(json(folder, &["run", "show", "1"]));
    assert_eq!(shown(often.path()), shown(whole.path()));
}

#[test]
fn a_second_ctrl_c_ends_the_program_at_once() {
    let folder = tempfile::tempdir().expect("a folder");
    // Nothing reads this pipe, so that the program waits when it writes the picture.
    let made = Command::new("mkfifo").arg(folder.path().join("pipe.svg")).status();
    assert!(made.expect("mkfifo").success());
    let players = "mcts(c=0.5|1|2, sims=2)";
    let args = ["championship", "tictactoe", players, "-n", "1000000", "--plot", "pipe.svg"];
    let mut child = start(folder.path(), &args);
    wait_for_work(&mut child);
    std::thread::sleep(Duration::from_millis(500));
    send(&child, "-INT");
    std::thread::sleep(Duration::from_millis(800));
    assert_eq!(child.try_wait().expect("a child"), None, "it does not wait for the pipe");
    let stopped = stop(child, "-INT");
    assert_eq!(stopped.code, 130, "{}", stopped.said);
    assert!(stopped.said.contains("Ctrl-C again ends at once"), "{}", stopped.said);
    assert!(stopped.end < Duration::from_millis(500), "{:?}", stopped.end);
}

#[test]
fn a_signal_that_arrives_twice_counts_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let player = "mcts(sims=1000000000)";
    let mut child = start(folder.path(), &["match", "connect4", player, "random"]);
    wait_for_work(&mut child);
    // `timeout` sends its signal to the program and to its process group.
    send(&child, "-TERM");
    let stopped = stop(child, "-TERM");
    assert_eq!(stopped.code, 143);
    assert!(stopped.said.contains("stopped after 0 of"), "{}", stopped.said);
}

#[test]
fn a_signal_that_was_ignored_at_the_start_stays_ignored() {
    let folder = tempfile::tempdir().expect("a folder");
    let players = ["montecarlo(sims=60)", "random", "-n", "100000"];
    for (signal, number) in [("HUP", 1), ("INT", 2), ("TERM", 15)] {
        let mut command = Command::new("env");
        // A shell starts a program in the background with SIGINT ignored, this test too.
        command.arg("--default-signal=HUP,INT,TERM");
        command.arg(format!("--ignore-signal={signal}")).arg(LUDION);
        command.args(["match", "tictactoe"]).args(players);
        set_up(&mut command, folder.path());
        command.stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn().expect("the program starts");
        let other = if signal == "INT" { 15 } else { 2 };
        wait_for_handler(&mut child, other);
        for _ in 0..3 {
            send(&child, &format!("-{number}"));
            std::thread::sleep(Duration::from_millis(60));
        }
        assert_eq!(child.try_wait().expect("a child"), None, "SIG{signal} ended the program");
        send(&child, &format!("-{other}"));
        assert_eq!(child.wait().expect("it ends").code(), Some(128 + other));
    }
    // As a user does it.
    let mut command = Command::new("nohup");
    command.arg(LUDION).args(["match", "tictactoe"]).args(players);
    set_up(&mut command, folder.path());
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("nohup");
    wait_for_handler(&mut child, 15);
    let kept =
        || Store::open(&folder.path().join("store")).and_then(|s| s.run(4)).map_or(0, |r| r.games);
    send(&child, "-HUP");
    let before = kept();
    let began = Instant::now();
    while kept() <= before {
        assert_eq!(child.try_wait().expect("a child"), None, "nohup is defeated");
        assert!(began.elapsed() < Duration::from_secs(20), "the run does not continue");
        std::thread::sleep(Duration::from_millis(10));
    }
    send(&child, "-TERM");
    assert_eq!(child.wait().expect("it ends").code(), Some(143));
}

#[test]
fn an_opening_that_no_game_has_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let refused = |args: &[&str], sentence: &str| {
        let out = ludion(folder.path(), args).output().expect("the program starts");
        let said = crate::program::said(&out);
        assert!(out.status.code() == Some(2) && said.contains(sentence), "{args:?}: {said}");
    };
    let opening = ["--opening", "4294967295"];
    let players = ["match", "connect4", "random", "random"];
    refused(
        &[&players[..], &opening].concat(),
        "4294967295 is not allowed; a whole number from 0 to 1000 is",
    );
    let generate = ["generate", "connect4", "-n", "5", "-o", "games"];
    refused(
        &[&generate[..], &opening].concat(),
        "4294967295 is not allowed; a whole number from 0 to 1000 is",
    );
    let file = "game = \"connect4\"\nplayers = [\"random\", \"uct\"]\nopening = 4294967295\n";
    std::fs::write(folder.path().join("t.toml"), file).expect("a file");
    let sentence = "an opening of 4294967295 plies is too long; it may have up to 1000";
    refused(&["tournament", "--players", "t.toml"], sentence);
}
