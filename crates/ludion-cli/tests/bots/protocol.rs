//! The protocol from both ends: players served as bots, and bots without extensions.

use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

use serde_json::json;

use crate::{LUDION, bot, ludion, mark, match_against};

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
