//! Hub, the protocol of draughts engines, from both ends: a scripted engine as a player, and a player
//! as an engine for a scripted client.

use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;
use std::time::Duration;

use serde_json::json;

use crate::{LUDION, bot, ludion, mark, match_against};

/// Starts a player as an engine, and returns what it answers to `input`, line by line.
fn answers(test: &str, args: &[&str], input: &str) -> Vec<String> {
    let mut child = ludion(test, &[&["bot", "serve"], args, &["--protocol", "hub"]].concat())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap).collect();
    assert!(child.wait().unwrap().success());
    lines
}

#[test]
fn a_scripted_engine_gets_positions_limits_and_parameters_and_plays_captures() {
    let log = std::env::temp_dir().join(mark("hub").replace('=', "-"));
    // Black has one man, which white captures with its first move.
    let command = format!(
        "while read -r line; do echo \"$line\" >>'{}'; case $line in \
         hub) echo 'id name=\"Old Engine\" version=1'; echo 'param name=book value=true type=bool'; \
         echo wait;; init) echo loading; echo ready;; ping) echo pong;; \
         go*) echo 'info depth=3 score=1.50 nodes=77 pv=\"28x19x23\"'; echo done move=28x19x23;; \
         quit) exit;; esac; done",
        log.display()
    );
    let engine = bot(&command, ", protocol=hub, set=\"book=false threads=1\"");
    let state = "W:W28:B23";
    let more = ["--from", state, "-n", "1", "--threads", "1", "--budget", "200ms"];
    let result = match_against("hub", "checkers(international)", &engine, &more);
    assert_eq!((&result["forfeits"], &result["wins"]), (&json!([0, 0]), &json!(1)), "{result}");
    assert_eq!(result["losses"], json!(1), "{result}");
    assert_eq!(result["spent"][1]["nodes"], json!(77), "{result}");
    let heard = std::fs::read_to_string(&log).unwrap();
    std::fs::remove_file(&log).unwrap();
    let mut position = format!("pos pos=W{}", "e".repeat(50));
    position.replace_range("pos pos=W".len() + 22..="pos pos=W".len() + 22, "b");
    position.replace_range("pos pos=W".len() + 27..="pos pos=W".len() + 27, "w");
    let expected = [
        "hub",
        "set-param name=book value=false",
        "set-param name=threads value=1",
        "init",
        "new-game",
        &position,
        "level move-time=0.2",
        "go think",
        "quit",
    ];
    for line in expected {
        assert!(heard.lines().any(|heard| heard == line), "{line}: {heard}");
    }
}

#[test]
fn an_engine_that_breaks_the_protocol_forfeits_with_a_reason() {
    let script = |go: &str| {
        format!(
            "while read -r line; do case $line in hub) echo wait;; init) echo ready;; \
             ping) echo pong;; go*) {go};; quit) exit;; esac; done"
        )
    };
    let reason = |test: &str, game: &str, go: &str| {
        let engine = bot(&script(go), ", protocol=hub, margin=0.2");
        let more = ["-n", "1", "--opening", "0", "--budget", "20ms", "--threads", "1"];
        let result = match_against(test, game, &engine, &more);
        assert_eq!(result["forfeits"], json!([0, 2]), "{result}");
        result["forfeit_reasons"].to_string()
    };
    let game = "checkers(english)";
    assert!(reason("hub-wrong", game, "echo done move=9-99").contains("9-99"));
    assert!(
        reason("hub-says", game, "echo 'error message=\"out of order\"'").contains("out of order")
    );
    assert!(reason("hub-mute", game, ":").contains("no done within"));
    assert!(reason("hub-other", "tictactoe", ":").contains("Hub engines play checkers"));
}

#[test]
fn a_served_engine_plays_as_the_player_does_in_the_program() {
    for rules in ["international", "english", "russian", "brazilian"] {
        let game = format!("checkers({rules})");
        let command = format!("'{LUDION}' bot serve '{game}' 'deepening(depth=3)' --protocol hub");
        let more = ["-n", "2", "--seed", "5", "--budget", "3plies"];
        let away = match_against("hub-serve", &game, &bot(&command, ", protocol=hub"), &more);
        let home = match_against("hub-serve", &game, "deepening(depth=3)", &more);
        assert_eq!(away["forfeits"], json!([0, 0]), "{away}");
        for figure in ["wins", "draws", "losses", "plies_per_game", "by_seat"] {
            assert_eq!(away[figure], home[figure], "{rules}: {away} {home}");
        }
    }
}

#[test]
fn a_served_engine_answers_every_command_of_a_client() {
    let start = format!("{}{}{}", "b".repeat(20), "e".repeat(10), "w".repeat(20));
    let input = format!(
        "hub\nset-param name=book value=1\ninit\nnew-game\nunknown x=1\n\
         pos pos=W{start} moves=\"32-28 19-23\"\nlevel depth=4\ngo think\n\
         pos pos=Wxx\nlevel nodes=1000\npos pos=W{start}\ngo ponder\nponder-hit\ngo analyze\nquit\n"
    );
    let lines = answers("hub-client", &["checkers(international)", "deepening"], &input);
    assert!(lines[0].starts_with("id name=\"Ludion deepening\" version="), "{lines:?}");
    assert_eq!(&lines[1..3], ["wait", "ready"]);
    let done: Vec<&String> = lines.iter().filter(|line| line.starts_with("done ")).collect();
    assert_eq!(done.len(), 3, "{lines:?}");
    assert!(done[0].starts_with("done move=28x19x23"), "the only capture is compulsory: {done:?}");
    let refused = lines.iter().find(|line| line.starts_with("error ")).unwrap();
    assert!(refused.contains("50 squares"), "{refused}");
    assert!(
        lines.iter().any(|line| line.contains(" score=") && line.contains(" pv=")),
        "{lines:?}"
    );
}

#[test]
fn an_analysis_goes_on_until_it_is_stopped() {
    assert_analysis_goes_on("deepening", 2);
    // It has finished at once, and has no variation.
    assert_analysis_goes_on("alphabeta(depth=2)", 0);
}

fn assert_analysis_goes_on(player: &str, replies: usize) {
    let args = ["bot", "serve", "checkers(english)", player, "--protocol", "hub"];
    let mut child =
        ludion("hub-analyze", &args).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let (mut input, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    for command in ["go analyze", "level infinite\ngo think"] {
        writeln!(input, "{command}").unwrap();
        // The first player would search for one second by itself.
        std::thread::sleep(Duration::from_millis(1300));
        writeln!(input, "ping\nstop").unwrap();
    }
    drop(input);
    let lines: Vec<String> = BufReader::new(output).lines().map(Result::unwrap).collect();
    assert!(child.wait().unwrap().success());
    let said: Vec<&str> = lines
        .iter()
        .filter_map(|line| line.split(' ').next())
        .filter(|word| *word != "info")
        .collect();
    assert_eq!(said, ["pong", "done", "pong", "done"], "{lines:?}");
    let expects_a_reply = |line: &&String| line.starts_with("done ") && line.contains(" ponder=");
    assert_eq!(lines.iter().filter(expects_a_reply).count(), replies, "{lines:?}");
}

#[test]
fn a_search_can_be_stopped_behind_any_number_of_commands() {
    let flood = "new-game\n".repeat(5000);
    let lines = answers(
        "hub-flood",
        &["checkers(english)", "deepening"],
        &format!("level infinite\ngo think\n{flood}stop\nquit\n"),
    );
    assert_eq!(lines.iter().filter(|line| line.starts_with("done ")).count(), 1, "{lines:?}");
}

#[test]
fn commands_in_a_flood_do_not_shorten_a_search_with_a_limit() {
    let flood = "new-game\n".repeat(5000);
    let input = format!("level nodes=200000\ngo think\n{flood}quit\n");
    let lines = answers("hub-limited-flood", &["checkers(english)", "deepening"], &input);
    let nodes = lines.iter().filter_map(|line| line.split(" nodes=").nth(1));
    let most = nodes.filter_map(|rest| rest.split(' ').next()?.parse::<u64>().ok()).max();
    assert!(most.is_some_and(|nodes| nodes > 150_000), "{lines:?}");
}

#[test]
fn a_level_that_is_wrong_is_an_error() {
    let wrong = [
        ("move-time=abc", "move-time='abc' is not seconds"),
        ("move-time=-1", "seconds"),
        ("depth=1.5", "depth='1.5' is not a whole number"),
        ("depth=-3", "a whole number"),
        ("nodes=99999999999999999999", "a whole number"),
        ("", "the form is: level depth=N"),
    ];
    for (level, reason) in wrong {
        let input = format!("level depth=2\nlevel {level}\ngo think\nquit\n");
        let lines = answers("hub-level", &["checkers(english)", "deepening"], &input);
        assert!(lines[0].starts_with("error "), "{level}: {lines:?}");
        assert!(lines[0].contains(reason), "{level}: {lines:?}");
        assert!(lines.iter().any(|line| line.starts_with("done ")), "{level}: {lines:?}");
    }
}
