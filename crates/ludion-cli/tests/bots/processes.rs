//! Processes of bots: one plays many games, and none outlives the program.

use std::path::PathBuf;
use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::{bot, left, ludion, mark, match_against, script, wait_until};

#[test]
fn one_process_plays_many_games() {
    let log = std::env::temp_dir().join(mark("many").replace('=', "-"));
    let _ = std::fs::remove_file(&log);
    let command = format!("echo started >>'{}'; {}", log.display(), script("echo bestmove $m"));
    let result =
        match_against("many", "tictactoe", &bot(&command, ""), &["-n", "20", "--threads", "1"]);
    let starts = std::fs::read_to_string(&log).unwrap();
    std::fs::remove_file(&log).unwrap();
    // One process says its name before the run, and one plays all games.
    assert_eq!((starts.lines().count(), &result["forfeits"]), (2, &json!([0, 0])));
}

/// Three ways to leave child processes: in the process group, orphaned, and in a session of their
/// own where the system has `setsid`.
const SPAWN_CHILDREN: &str = "sleep 1000 & (sleep 1000 &); \
                              if command -v setsid >/dev/null; then setsid sleep 1000 & fi;";

#[test]
fn children_of_a_bot_end_with_it() {
    let command = format!("{SPAWN_CHILDREN} {}", script("echo bestmove $m"));
    let result = match_against("children", "tictactoe", &bot(&command, ""), &["-n", "2"]);
    assert_eq!(result["forfeits"], json!([0, 0]));
}

#[test]
fn no_descendant_of_a_bot_outlives_a_killed_program() {
    if !cfg!(target_os = "linux") {
        return;
    }
    let command = format!("{SPAWN_CHILDREN} {}", script("sleep 1000"));
    let bot = bot(&command, ", patience=1000, margin=1000");
    let mut child =
        ludion("killed", &["match", "tictactoe", "random", &bot, "-n", "1"]).spawn().unwrap();
    let sleepers = || left("killed").iter().filter(|command| command.starts_with("sleep")).count();
    wait_until("the bot thinks and its children sleep", || sleepers() >= 3);
    child.kill().unwrap();
    child.wait().unwrap();
    wait_until("no process is left", || left("killed").is_empty());
}

/// Returns shell commands that set `$found` to those ancestors of the bot whose first argument is one
/// of `roles`, a pattern of the shell, and `$program` to the program.
fn find_ancestors(roles: &str) -> String {
    format!(
        "p=$$; found=; for i in 1 2 3 4; do p=$(cut -d' ' -f4 /proc/$p/stat); \
         case $(tr '\\0' '\\n' </proc/$p/cmdline | sed -n 2p) in {roles}) found=\"$found $p\";; esac; \
         done; program=$p;"
    )
}

/// Returns the processes with this argument, in any environment.
fn with_argument(argument: &str) -> usize {
    let has_argument = |folder: &PathBuf| {
        let line = std::fs::read(folder.join("cmdline")).unwrap_or_default();
        line.split(|&byte| byte == 0).any(|word| word == argument.as_bytes())
    };
    let folders = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    folders.map(|entry| entry.path()).filter(has_argument).count()
}

/// Returns shell commands that leave sleeping processes in all ways, also without the environment,
/// and the argument by which they are found.
fn leave_children(test: &str) -> (String, String) {
    let name = test.bytes().map(u64::from).fold(0, |hash, byte| (31 * hash + byte) % 10_007);
    let time = format!("1000.{:05}{:08}", name, std::process::id());
    let commands = format!(
        "sleep {time} & (sleep {time} &); setsid sleep {time} & (env -i setsid sleep {time} &); \
         setsid sh -c 'sleep {time} & (setsid sleep {time} &) ; sleep {time}' &"
    );
    (commands, time)
}

#[test]
fn a_bot_that_kills_its_supervisors_leaves_no_process() {
    if !cfg!(target_os = "linux") {
        return;
    }
    let find = find_ancestors("supervise-a-bot|guard-a-bot");
    for (i, victims) in ["$PPID", "0", "$found"].into_iter().enumerate() {
        let attack = format!("{find} kill -9 {victims};");
        let test = format!("attack-{i}");
        let (children, time) = leave_children(&test);
        let command = format!("{children} {}", script(&format!("{attack} sleep {time}")));
        let bot = bot(&command, ", patience=20, margin=0.2");
        for _ in 0..5 {
            let more = ["-n", "1", "--budget", "50ms"];
            let result = match_against(&test, "tictactoe", &bot, &more);
            assert_eq!(result["forfeits"], json!([0, 2]), "{attack}: {result}");
            wait_until(&format!("no process is left after {attack}"), || with_argument(&time) == 0);
        }
    }
}

#[test]
fn no_process_survives_when_supervisor_and_program_are_killed() {
    if !cfg!(target_os = "linux") {
        return;
    }
    for (i, (role, attack)) in [
        ("supervise-a-bot", "kill -9 $PPID $program"),
        ("supervise-a-bot", "kill -9 $program 0"),
        ("supervise-a-bot", "kill -9 $found $program"),
        ("supervise-a-bot", "kill -9 $program $found"),
        ("supervise-a-bot", "kill -STOP $found; kill -9 $program"),
        ("guard-a-bot", "kill -9 $found $program"),
        ("guard-a-bot", "kill -9 $program $found"),
        // The guard has begun to kill when it is killed.
        ("guard-a-bot", "kill -9 $program; sleep 0.002; kill -9 $found"),
    ]
    .into_iter()
    .enumerate()
    {
        let test = format!("both-{i}");
        let (children, time) = leave_children(&test);
        let attack = format!("{} {attack};", find_ancestors(role));
        let command = format!("{children} {}", script(&format!("{attack} sleep {time}")));
        let bot = bot(&command, ", patience=1000, margin=1000");
        let args = ["match", "tictactoe", "random", &bot, "-n", "1"];
        let mut child = ludion(&test, &args).stdout(Stdio::null()).spawn().unwrap();
        let status = child.wait().unwrap();
        assert_eq!(status.code(), None, "the program was not killed: {attack}");
        wait_until(&format!("no process is left after {attack}"), || {
            with_argument(&time) == 0 && left(&test).is_empty()
        });
    }
}

#[test]
fn two_thousand_processes_of_a_bot_end_within_seconds_of_the_program() {
    if !cfg!(target_os = "linux") {
        return;
    }
    let (_, time) = leave_children("many-children");
    let start = format!("i=0; while [ $i -lt 2000 ]; do sleep {time} & i=$((i+1)); done;");
    let bot = bot(&format!("{start} {}", script("sleep 1000")), ", patience=1000, margin=1000");
    let args = ["match", "tictactoe", "random", &bot, "-n", "1", "--threads", "1"];
    let mut child = ludion("many-children", &args).spawn().unwrap();
    let began = Instant::now();
    while with_argument(&time) < 2000 {
        assert!(began.elapsed() < Duration::from_secs(120), "the children do not start");
        std::thread::sleep(Duration::from_millis(100));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let killed = Instant::now();
    wait_until("no process is left", || {
        with_argument(&time) == 0 && left("many-children").is_empty()
    });
    assert!(killed.elapsed() < Duration::from_secs(5), "{:?}", killed.elapsed());
}
