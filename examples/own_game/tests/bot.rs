//! A game of one's own can be played by the programs of others, without a line about them.

#![cfg(unix)]

use std::process::Command;

#[test]
fn a_program_of_somebody_else_plays_the_game_and_can_be_played_by() {
    let own = env!("CARGO_BIN_EXE_own_game");
    let bot = format!("bot(cmd=\"'{own}' bot serve 'chomp(3, 2)' 'minimax(depth=6)'\")");
    let args = ["match", "chomp(3, 2)", &bot, "random", "-n", "3", "--opening", "0", "--json"];
    let out = Command::new(own).args(args).env("LUDION_STORE", ":memory:").output().unwrap();
    let text = String::from_utf8(out.stdout).unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    // The first side wins this bar, and whoever looks six plies ahead knows how.
    assert!(text.contains("\"forfeits\":[0,0]"), "{text}");
    assert!(text.contains("\"by_seat\":[{\"wins\":3,\"losses\":0,\"draws\":0}"), "{text}");
}
