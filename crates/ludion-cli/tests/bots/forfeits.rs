//! Bots that break the protocol, crash or are silent forfeit with a reason.

use serde_json::{Value, json};

use crate::{bot, left, ludion, mark, match_against, script};

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
        // A busy machine takes longer than the time of the silent bots, above all to read a flood.
        let margin = if reason.contains("0.25 s") { 0.2 } else { 20.0 };
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
fn a_bot_without_a_command_is_refused_before_anything_starts() {
    let out = ludion("refused", &["match", "dice", "random", "bot"]).output().unwrap();
    let said = String::from_utf8(out.stderr).unwrap();
    assert_eq!(out.status.code(), Some(2));
    assert_eq!(said, "error: bot: cmd is missing; write bot(cmd=\"python3 my_bot.py\")\n");
    let out = ludion("refused", &["bot", "serve", "dice", "--json"]).output().unwrap();
    assert_eq!(out.status.code(), Some(2));
}
