//! What is printed, stored, exported and shown of a run is the same, and a repetition says what differs.

use serde_json::Value;

use crate::{json, ludion, outcome, tamper};

#[test]
fn what_a_test_prints_stores_exports_and_shows_is_the_same_set_of_games() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = folder.path().join("sprt.sqlite");
    for (run, seed) in [("1", "1"), ("2", "2"), ("3", "3")] {
        let printed = json(
            &store,
            &[
                "match",
                "tictactoe",
                "montecarlo(sims=4)",
                "random",
                "-n",
                "2000",
                "--sprt",
                "elo0=0,elo1=200",
                "--threads",
                "6",
                "--seed",
                seed,
            ],
        );
        let count = |report: &Value, key: &str| report[key].as_u64().expect("a number");
        let games = ["wins", "draws", "losses"].map(|key| count(&printed, key));
        let total: u64 = games.iter().sum();
        assert_eq!(printed["sprt"]["decision"], "upper");
        assert_eq!((count(&printed, "pairs") * 2, count(&printed, "games_now")), (total, total));
        let shown = json(&store, &["run", "show", run]);
        assert_eq!(["wins", "draws", "losses"].map(|key| count(&shown, key)), games);
        assert_eq!(shown["elo"], printed["elo"]);
        let (_, rows, _) = outcome(&store, &["export", run, "--format", "csv"]);
        assert_eq!(rows.lines().count() as u64, 1 + total, "a head and a row for each game");
        let exported = json(&store, &["export", run, "--format", "json"]);
        assert_eq!(exported["games"].as_array().map(|games| games.len() as u64), Some(total));
        let db = rusqlite::Connection::open(&store).expect("a store");
        let sql = "SELECT games, wins, draws, losses FROM standings
                   WHERE run = ?1 AND player = 'montecarlo(sims=4)'";
        let row = db
            .query_row(sql, [run], |row| {
                Ok([row.get::<_, u32>(0)?, row.get(1)?, row.get(2)?, row.get(3)?])
            })
            .expect("standings");
        assert_eq!(row.map(u64::from), [total, games[0], games[1], games[2]]);
    }
    let (code, said, _) = outcome(&store, &["store", "check"]);
    assert_eq!(code, Some(0), "{said}");
    let listed = json(&store, &["runs"]);
    assert!(listed["runs"][0]["version"].as_str().is_some_and(|v| v.contains('+')), "a stamp");
}

#[test]
fn a_repetition_has_an_exit_code_for_its_outcome_and_a_changed_player_is_not_resumed() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = folder.path().join("repeat.sqlite");
    json(&store, &["match", "tictactoe", "uct(sims=5)", "random", "-n", "4"]);
    let (code, said, _) = outcome(&store, &["run", "repeat", "1"]);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("repeatable: the same seed gives the same games"), "{said}");
    // A finished run keeps its end, and says that it is finished.
    tamper(&store, "UPDATE runs SET ended = '2020-01-01T00:00:00Z'");
    let mut resume = ludion(&store, &["run", "resume", "1"]);
    let resumed = resume.env_remove("LUDION_QUIET").output().expect("it starts");
    let said = String::from_utf8_lossy(&resumed.stderr).into_owned();
    assert!(resumed.status.success() && said.contains("run 1 is finished"), "{said}");
    assert_eq!(json(&store, &["runs"])["runs"][0]["ended"], "2020-01-01T00:00:00Z");
    // A game that was stored otherwise.
    tamper(
        &store,
        "UPDATE games SET result = CASE result WHEN 'first' THEN 'second' ELSE 'first' END
         WHERE number = 3",
    );
    let (code, said, _) = outcome(&store, &["run", "repeat", "1"]);
    assert_eq!(code, Some(3), "{said}");
    assert!(said.starts_with("different: game 1.3 ended as "), "{said}");
    let (code, said, _) = outcome(&store, &["store", "check"]);
    assert_eq!(code, Some(3), "{said}");
    assert!(said.contains("run 1, 3: the row does not have the values that were stored"), "{said}");
    // Other sources explain a difference.
    tamper(&store, "UPDATE runs SET version = '0.2.0+00000000', state = 'stopped', ended = NULL");
    let (code, said, _) = outcome(&store, &["run", "repeat", "1"]);
    assert_eq!(code, Some(4), "{said}");
    assert!(said.contains("it was first played by 0.2.0+00000000, this is "), "{said}");
    let mut resume = ludion(&store, &["run", "resume", "1"]);
    let resumed = resume.env_remove("LUDION_QUIET").output().expect("it starts");
    let said = String::from_utf8_lossy(&resumed.stderr).into_owned();
    assert!(said.contains("it was begun by 0.2.0+00000000, this is "), "{said}");
    let (_, said, _) = outcome(&store, &["run", "show", "1"]);
    assert!(said.contains("begun by 0.2.0+00000000, resumed by 0.2.0+"), "{said}");
    // A player that had a parameter which it no longer has.
    tamper(
        &store,
        "UPDATE runs SET state = 'stopped',
         plan = replace(plan, 'keep=no', 'keep=no, luck=3')",
    );
    let (code, _, said) = outcome(&store, &["run", "resume", "1"]);
    assert_eq!(code, Some(1), "{said}");
    let sentence = "a player has changed since the run was stored: uct has no parameter \"luck\"";
    assert!(said.contains(sentence), "{said}");
    let (code, _, said) = outcome(&store, &["run", "repeat", "1"]);
    assert_eq!(code, Some(4), "{said}");
    assert!(said.contains("run 1 cannot be compared: ") && said.contains(sentence), "{said}");
    json(&store, &["run", "show", "1"]);
}

#[test]
fn a_run_says_when_it_begins_whether_it_can_be_repeated() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = folder.path().join("says.sqlite");
    for (player, budget, sentence) in [
        ("mcts(sims=9)", "7sims", "repeatable: the same seed gives the same games"),
        (
            "mcts(sims=9, threads=2)",
            "7sims",
            "not repeatable: the threads of mcts(sims=7, threads=2) search one tree together",
        ),
        ("mcts(sims=9)", "1ms", "not repeatable: the clock limits each move of mcts"),
        (
            "deepening(secs=0.001)",
            "7sims",
            "not repeatable: the clock limits each move of deepening",
        ),
    ] {
        let args = ["match", "tictactoe", player, "ucb", "-n", "1", "--budget", budget];
        let mut command = ludion(&store, &args);
        let out = command.env_remove("LUDION_QUIET").output().expect("it starts");
        let (said, shown) = (
            String::from_utf8_lossy(&out.stderr).into_owned(),
            String::from_utf8_lossy(&out.stdout).into_owned(),
        );
        assert!(said.lines().next().is_some_and(|line| line.starts_with(sentence)), "{said}");
        assert!(shown.lines().last().is_some_and(|line| line.starts_with(sentence)), "{shown}");
        assert!(shown.contains("1 pair, 2 games in "), "{shown}");
    }
    for (run, hindrances) in [("1", 0), ("2", 1), ("3", 2), ("4", 1)] {
        let shown = json(&store, &["run", "show", run]);
        let found = shown["hindrances"].as_array().expect("a list").len();
        assert_eq!((found, &shown["repeatable"]), (hindrances, &(hindrances == 0).into()));
        assert_eq!(
            json(&store, &["export", run, "--format", "json"])["run"]["plan"]["hindrances"],
            shown["hindrances"]
        );
    }
}
