//! Bots are shown under the names they give.

use std::process::Output;

use serde_json::Value;

use crate::{bot, left, ludion, script, wait_until};

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
