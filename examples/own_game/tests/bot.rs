//! External bots play a game of your own, without a line of code for it.

#![cfg(unix)]

use std::process::Command;

#[test]
fn a_bot_plays_the_game_and_the_program_serves_as_a_bot() {
    let own = env!("CARGO_BIN_EXE_own_game");
    let bot = format!("bot(cmd=\"'{own}' bot serve 'chomp(3, 2)' 'minimax(depth=10)'\")");
    let args = ["match", "chomp(3, 2)", &bot, "random", "-n", "3", "--opening", "0", "--json"];
    let mut command = Command::new(own);
    command.env("LUDION_STORE", ":memory:").env("LUDION_QUIET", "1");
    let out = command.args(args).output().unwrap();
    let text = String::from_utf8(out.stdout).unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    // The first side wins this bar, and a search of ten plies finds out how.
    assert!(text.contains("\"forfeits\":[0,0]"), "{text}");
    assert!(text.contains("\"by_seat\":[{\"wins\":3,\"losses\":0,\"draws\":0}"), "{text}");
}
