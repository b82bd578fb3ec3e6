//! External bots: matches with bots that follow the protocol and with bots that break it, the end
//! of their processes, and `bot check`. The bots are the program itself and small shell scripts,
//! which every Unix can run.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

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

#[test]
fn a_bot_that_misbehaves_forfeits_every_game_with_the_reason() {
    let two_minutes = script("sleep 120 & echo thinking; wait");
    let cases = [
        ("no-such-program-anywhere", "while ugiok was expected; its last error output: "),
        (
            "echo cannot go on >&2; exit 3",
            "the bot ended with status 3 while ugiok was expected; its last error output: \"cannot go on\"",
        ),
        ("yes", "the bot flooded: more than 100000 lines without ugiok"),
        ("tr '\\0' x </dev/zero", "the bot flooded: a line of more than 65536 bytes"),
        (&script("exit 7"), "the bot ended with status 7 while bestmove was expected"),
        (&script("kill -SEGV $$"), "the bot was killed by signal 11 while bestmove was expected"),
        (&two_minutes, "the bot gave no bestmove within 0.25 s; it wrote \"thinking\" instead"),
        (&script("yes info depth 3"), "the bot flooded: more than 100000 lines without bestmove"),
        (
            &script("yes e3 >&2"),
            "the bot gave no bestmove within 0.25 s; its last error output: \"e",
        ),
        (&script("echo bestmove"), "the bot answered \"\": not a legal move; legal: "),
        (&script("printf 'bestmove \\377\\n'"), "not a legal move; legal: "),
        (&script("echo bestmove z9"), "the bot answered \"z9\": not a legal move; legal: "),
        (&script("kill -9 $PPID; sleep 120"), "the bot was killed by signal 9"),
        (&script("echo error no idea"), "the bot says: no idea"),
        (
            "echo feature game chess checkers; echo ugiok; cat",
            "the bot plays chess, checkers, not tictactoe",
        ),
    ];
    for (command, reason) in cases {
        // Reading a flood to its end takes a slow machine longer than the time of the silent bots.
        let margin = if reason.contains("flooded") { 20.0 } else { 0.2 };
        let bot = bot(command, &format!(", patience=20, margin={margin}"));
        let result =
            match_against("misbehaves", "tictactoe", &bot, &["-n", "1", "--budget", "50ms"]);
        assert_eq!(
            (&result["wins"], &result["forfeits"]),
            (&json!(2), &json!([0, 2])),
            "{command}"
        );
        for forfeit in result["forfeit_reasons"].as_array().unwrap() {
            let said = forfeit["reason"].as_str().unwrap();
            assert!(said.contains(reason) && forfeit["player"] == 1, "{command}: {said}");
        }
    }
}

#[test]
fn a_bot_that_never_answers_forfeits_after_its_patience() {
    for command in ["sleep 120", "cat >/dev/null", "exec <&-; sleep 120"] {
        let bot = bot(command, ", patience=0.3");
        let result = match_against("silent", "tictactoe", &bot, &["-n", "1"]);
        let reason = result["forfeit_reasons"][0]["reason"].as_str().unwrap();
        assert_eq!(reason, "the bot gave no ugiok within 0.3 s", "{command}");
        assert_eq!(result["forfeits"], json!([0, 2]));
    }
}

#[test]
fn a_bot_that_exits_once_is_restarted_and_the_match_continues() {
    let folder = std::env::temp_dir().join(mark("dies").replace('=', "-"));
    let _ = std::fs::remove_dir(&folder);
    let dies_once = format!("mkdir '{}' 2>/dev/null && exit 9; echo bestmove $m", folder.display());
    let result = match_against("dies", "connect4", &bot(&script(&dies_once), ""), &["-n", "5"]);
    std::fs::remove_dir(&folder).unwrap();
    assert_eq!(result["forfeits"], json!([0, 1]), "{result}");
    let games = ["wins", "draws", "losses"].map(|end| result[end].as_u64().unwrap());
    assert_eq!(games.iter().sum::<u64>(), 10);
    let reason = "the bot ended with status 9 while bestmove was expected";
    assert_eq!(result["forfeit_reasons"], json!([{"player": 1, "reason": reason, "games": 1}]));
}

#[test]
fn a_tournament_with_a_bot_that_crashes_continues_and_reports_the_reason() {
    let bots = [bot(&script("exit 7"), ""), bot(&script("echo bestmove $m"), "")];
    let args =
        ["tournament", "tictactoe", "--players", "random", &bots[0], &bots[1], "-n", "2", "--json"];
    let out = ludion("tournament", &args).output().unwrap();
    assert_eq!(left("tournament"), Vec::<String>::new());
    let result: Value = serde_json::from_slice(&out.stdout).unwrap();
    assert!(out.status.success() && result["games"] == 12, "{result}");
    let row = |player: &str| {
        let mut rows = result["standings"].as_array().unwrap().iter();
        rows.find(|row| row["player"] == player).unwrap().clone()
    };
    let reason = "the bot ended with status 7 while bestmove was expected";
    assert_eq!(row(&bots[0])["forfeit_reasons"], json!([{"reason": reason, "games": 8}]));
    assert_eq!((&row(&bots[0])["losses"], &row(&bots[1])["forfeits"]), (&json!(8), &json!(0)));
}

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
    let bot = bot(&command, ", patience=1000");
    let mut child =
        ludion("killed", &["match", "tictactoe", "random", &bot, "-n", "1"]).spawn().unwrap();
    let sleepers = || left("killed").iter().filter(|command| command.starts_with("sleep")).count();
    wait_until("the bot thinks and its children sleep", || sleepers() >= 3);
    child.kill().unwrap();
    child.wait().unwrap();
    wait_until("no process is left", || left("killed").is_empty());
}

/// Shell commands that kill every ancestor of the bot that supervises it. The brackets keep the pattern
/// from matching the arguments of the program, which have this text in the spec of the bot.
const KILL_SUPERVISORS: &str = "p=$$; for i in 1 2 3 4; do \
     p=$(cut -d' ' -f4 /proc/$p/stat); \
     if [ x$(tr '\\0' '\\n' </proc/$p/cmdline | sed -n 2p) = xsupervise-a-bot ]; then kill -9 $p; fi; \
     done;";

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
    for (i, attack) in ["kill -9 $PPID;", "kill -9 0;", KILL_SUPERVISORS].into_iter().enumerate() {
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
    for (i, attack) in ["kill -9 $PPID;", "kill -9 0;", KILL_SUPERVISORS].into_iter().enumerate() {
        let test = format!("both-{i}");
        let (children, time) = leave_children(&test);
        let command = format!("{children} {}", script(&format!("{attack} sleep {time}")));
        let bot = bot(&command, ", patience=1000");
        let args = ["match", "tictactoe", "random", &bot, "-n", "1"];
        let mut child = ludion(&test, &args).stdout(Stdio::null()).spawn().unwrap();
        // The program is killed while the bot has killed its supervisor, or is about to.
        std::thread::sleep(Duration::from_millis(300));
        child.kill().unwrap();
        child.wait().unwrap();
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
    let bot = bot(&format!("{start} {}", script("sleep 1000")), ", patience=1000");
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

#[test]
fn a_served_player_plays_as_it_does_in_the_program() {
    let serve = |player: &str| bot(&format!("'{LUDION}' bot serve connect4 '{player}'"), "");
    let more = ["-n", "4", "--seed", "5"];
    let result = match_against("serve", "connect4", &serve("mcts(sims=200)"), &more);
    assert_eq!(result["forfeits"], json!([0, 0]), "{result}");
    assert!(result["losses"].as_u64() >= Some(7), "200 random games beat chance: {result}");
    assert!(result["spent"][1]["nodes"].as_u64() > Some(1000), "{result}");
    let figures = ["wins", "draws", "losses", "plies_per_game", "pentanomial", "by_seat"];
    let again = match_against("serve", "connect4", &serve("mcts(sims=200)"), &more);
    assert!(figures.iter().all(|figure| result[figure] == again[figure]), "{result} {again}");
    let away = match_against("serve", "connect4", &serve("minimax(depth=3)"), &more);
    let home = match_against("serve", "connect4", "minimax(depth=3)", &more);
    assert!(figures.iter().all(|figure| away[figure] == home[figure]), "{away} {home}");
}

#[test]
fn a_bot_without_extensions_gets_only_plain_commands_and_a_time() {
    let log = std::env::temp_dir().join(mark("plain").replace('=', "-"));
    let command = format!(
        "while read -r line; do echo \"$line\" >>'{}'; case $line in ugi) echo ugiok;; \
         isready) echo readyok;; go*) echo bestmove 1;; quit) exit;; esac; done",
        log.display()
    );
    let more = ["-n", "1", "--opening", "0", "--threads", "1"];
    match_against("plain", "matches(5)", &bot(&command, ""), &more);
    match_against(
        "plain",
        "matches(5)",
        &bot(&command, ""),
        &[&more[..], &["--budget", "30sims"]].concat(),
    );
    let heard = std::fs::read_to_string(&log).unwrap();
    std::fs::remove_file(&log).unwrap();
    let words = ["ugi", "isready", "uginewgame", "position", "go", "quit"];
    let plain = |line: &str| words.contains(&line.split(' ').next().unwrap());
    assert!(heard.lines().all(plain), "{heard}");
    for line in ["position startpos", "go movetime 1000", "go nodes 30", "quit"] {
        assert!(heard.lines().any(|heard| heard == line), "{line}: {heard}");
    }
    assert!(heard.contains("position fen ") && heard.contains(" second\n"), "{heard}");
}

/// Returns the report of `bot check`, and whether the command succeeded.
fn checked(test: &str, command: &str, more: &[&str]) -> (Value, bool) {
    let args = [&["bot", "check", command, "--json"], more].concat();
    let out = ludion(test, &args).output().unwrap();
    assert_eq!(left(test), Vec::<String>::new(), "{command}");
    (serde_json::from_slice(&out.stdout).unwrap(), out.status.success())
}

fn failed(report: &Value) -> Vec<String> {
    let checks = report["checks"].as_array().unwrap().iter();
    let wrong = checks.filter(|check| check["ok"] == false);
    wrong.map(|check| format!("{}: {}", check["name"], check["detail"])).collect()
}

#[test]
fn a_bot_that_follows_the_protocol_passes_every_check() {
    let serve = format!("'{LUDION}' bot serve dice 'deepening(secs=0.01)'");
    let (report, passed) =
        checked("passes", &serve, &["--game", "dice", "--game", "hexapawn(3, 4)"]);
    assert!(passed && report["passed"] == true, "{:?}", failed(&report));
    assert_eq!(report["identity"]["name"], "Ludion deepening(secs=0.01)");
    let names: Vec<&str> = report["checks"]
        .as_array()
        .unwrap()
        .iter()
        .map(|check| check["name"].as_str().unwrap())
        .collect();
    let of = |game: &str| {
        ["whole games", "time", "stop", "queries"].map(|check| format!("{game}: {check}"))
    };
    let expected = [
        &["handshake".into(), "ready".into(), "unknown lines".into()][..],
        &of("dice"),
        &of("hexapawn(cols=4)"),
        &["quit".into()],
    ]
    .concat();
    assert_eq!(names, expected);
    let (report, passed) = checked("passes", &script("echo bestmove $m"), &["--game", "tictactoe"]);
    assert!(passed, "{:?}", failed(&report));
}

#[test]
fn a_check_names_each_violation_and_continues() {
    let quick = ["--game", "tictactoe", "--patience", "0.5", "--margin", "0.2"];
    let wrong = |command: &str| {
        let (report, passed) = checked("broken", command, &quick);
        assert!(!passed && report["passed"] == false, "{report}");
        failed(&report)
    };
    let illegal = wrong(&script("echo bestmove z9"));
    assert_eq!(illegal.len(), 3, "{illegal:?}");
    assert!(illegal[0].contains("whole games") && illegal[0].contains("not a legal move"));
    let stays = wrong(&script("echo bestmove $m").replace("exit 0", "sleep 120"));
    assert!(
        matches!(&stays[..], [quit] if quit.contains("still runs 2000 ms after quit")),
        "{stays:?}"
    );
    let slow = wrong(&script("sleep 0.6; echo bestmove $m"));
    assert!(slow[0].contains("no bestmove within 0.25 s"), "{slow:?}");
    let silent = wrong("sleep 120");
    assert!(matches!(&silent[..], [one] if one.contains("no ugiok within 0.5 s")), "{silent:?}");
    let contradictory = script("echo bestmove $m")
        .replace("ugi)", "query) echo response true;; ugi) echo feature query;");
    let contradictions = wrong(&contradictory);
    assert!(
        matches!(&contradictions[..], [one] if one.contains("the response to query gameover is") && one.contains("not false")),
        "{contradictions:?}"
    );
}

#[test]
fn the_bot_in_python_passes_and_is_short() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/bots/random_bot.py");
    assert!(std::fs::read_to_string(file).unwrap().lines().count() < 60);
    let python = Command::new("python3").args(["-c", "''.removeprefix('')"]).output();
    if !python.is_ok_and(|out| out.status.success()) {
        return;
    }
    let (report, passed) = checked("python", &format!("python3 '{file}'"), &[]);
    assert!(passed, "{:?}", failed(&report));
    assert!(report["checks"].as_array().unwrap().len() > 20, "it plays every game: {report}");
}

#[test]
fn a_served_player_reads_commands_while_it_searches() {
    let mut child = ludion("hears", &["bot", "serve", "connect4", "mcts"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    let mut ask = |text: &str, answer: &str| {
        input.write_all(text.as_bytes()).unwrap();
        lines.find(|line| line.starts_with(answer) || line.starts_with("error")).unwrap()
    };
    assert_eq!(ask("ugi\n", "ugiok"), "ugiok");
    assert_eq!(ask("position startpos moves 4 4\ngo infinite\nisready\n", "readyok"), "readyok");
    let best = ask("stop\n", "bestmove");
    assert!(matches!(best.trim_start_matches("bestmove ").parse(), Ok(1..=7)), "{best}");
    assert_eq!(ask("query legal\n", "response"), "response 1 2 3 4 5 6 7");
    assert!(ask("go movetime 20\n", "info").contains(" pv "));
    assert!(ask("go p1time 600 p2time 600\n", "bestmove").starts_with("bestmove "));
    assert!(ask("go fast\n", "error").starts_with("error the form is: go "));
    // The search ends when the input is closed.
    input.write_all(b"go infinite\n").unwrap();
    drop(input);
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_bot_without_a_command_is_refused_before_anything_starts() {
    let out = ludion("refused", &["match", "dice", "random", "bot"]).output().unwrap();
    let said = String::from_utf8(out.stderr).unwrap();
    assert_eq!(out.status.code(), Some(2));
    assert_eq!(said, "error: bot: cmd is missing; write bot(cmd=\"python3 my_bot.py\")\n");
    let out = ludion("refused", &["bot", "serve", "dice", "--json"]).output().unwrap();
    assert_eq!(out.status.code(), Some(2));
}

#[test]
fn bots_are_shown_under_the_names_they_give() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("store.sqlite").to_str().unwrap().to_owned();
    let named = |name: &str, more: &str| {
        let script =
            script("echo bestmove $m").replace("id name Script", &format!("id name {name}"));
        bot(&script, more)
    };
    let (one, two) = (named("Alpha", ""), named("Alpha", ", margin=2"));
    let run = |args: &[&str]| {
        let Output { status, stdout, stderr } =
            ludion("names", args).args(["--store", &store]).output().unwrap();
        assert!(status.success(), "{args:?}: {}", String::from_utf8_lossy(&stderr));
        String::from_utf8(stdout).unwrap()
    };
    let players = ["--players", &one, &two, "random", "-n", "1"];
    let text = run(&[&["tournament", "tictactoe"], &players[..]].concat());
    for name in ["Alpha (1)", "Alpha (2)", "random"] {
        assert!(text.contains(name), "{text}");
    }
    assert!(!text.contains("bot("), "{text}");
    let shown: Value = serde_json::from_str(&run(&["run", "show", "1", "--json"])).unwrap();
    let rows = shown["standings"].as_array().unwrap();
    let row = rows.iter().find(|row| row["name"] == "Alpha (2)").unwrap();
    assert_eq!(row["player"].as_str().unwrap(), two, "the spec stays");
    assert!(run(&["game", "show", "1.0"]).contains("first Alpha (1), second Alpha (2)"));
    assert!(run(&["export", "1", "--format", "csv"]).contains("Alpha (1),Alpha (2),"));
    assert!(run(&["runs"]).contains("Alpha (1) and"));
    let text = run(&["match", "tictactoe", &one, "random", "-n", "1"]);
    assert!(text.contains("Score of Alpha vs random"), "{text}");
    let database = rusqlite::Connection::open(&store).unwrap();
    let names: String = database
        .query_row("SELECT group_concat(player) FROM standings WHERE run = 2", [], |row| row.get(0))
        .unwrap();
    assert!(names.contains("Alpha") && !names.contains("bot("), "{names}");
    let play = ["play", "tictactoe", "--first", &one, "--second", "random"];
    let text = String::from_utf8(ludion("names", &play).output().unwrap().stdout).unwrap();
    assert!(text.contains("first Alpha, second random"), "{text}");
    let file = folder.path().join("cup.toml");
    let cup = "game = \"tictactoe\"\nplayers = [\"random\", \"uct\"]\nnames = [\"Dice\", \"Tree\"]\npairs = 1\n";
    std::fs::write(&file, cup).unwrap();
    let text = run(&["tournament", "--players", file.to_str().unwrap()]);
    assert!(text.contains("Dice") && text.contains("Tree") && !text.contains("uct"), "{text}");
    wait_until("no process is left", || left("names").is_empty());
}
