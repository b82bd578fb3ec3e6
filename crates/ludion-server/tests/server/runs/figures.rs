//! Results of runs and studies: streamed, stored, replayed and repeated.

use super::*;

#[tokio::test]
async fn a_match_is_streamed_stored_replayed_and_repeated() {
    let app = open();
    let begun = post(&app, "/api/runs", duel(20)).await;
    assert_eq!(begun.status, StatusCode::CREATED, "{}", begun.text);
    let run = begun.run();
    let end = ended(&app, run).await;
    assert_eq!((&end["phase"], &end["error"]), (&json!("finished"), &Value::Null));
    let details = get(&app, &format!("/api/runs/{run}")).await.json();
    let figures = &details["figures"];
    let number = |name: &str| figures[name].as_u64().unwrap();
    assert_eq!(number("wins") + number("draws") + number("losses"), 40);
    assert!(number("wins") > number("losses"), "minimax beats random: {figures}");
    assert_eq!((&details["kind"], &details["done"]), (&json!("match"), &json!(40)));
    assert_eq!((&details["seed"], &details["picture"]), (&json!(7), &json!("chart")));

    let page = get(&app, &format!("/api/runs/{run}/games?from=38&count=5")).await.json();
    assert_eq!((&page["total"], page["games"].as_array().unwrap().len()), (&json!(40), 2));
    let game = get(&app, &format!("/api/runs/{run}/games/39")).await.json();
    assert_eq!(game["players"], json!(["random", "minimax(depth=2)"]), "seats are swapped");
    let opening = game["opening"].as_array().unwrap().iter();
    let moves = game["moves"].as_array().unwrap().iter().map(|ply| &ply["play"]);
    let line: Vec<&str> = opening.chain(moves).map(|m| m.as_str().unwrap()).collect();
    let place = json!({ "game": game["game"], "moves": line.join(" ") });
    let last = post(&app, "/api/position", place).await.json();
    assert_eq!(last["result"], game["ended"], "the moves lead to the stored result");

    let again = post(&app, &format!("/api/runs/{run}/repeat"), "{}").await.run();
    ended(&app, again).await;
    let same = get(&app, &format!("/api/runs/{again}")).await.json();
    for name in ["wins", "draws", "losses", "pentanomial", "by_seat"] {
        assert_eq!(same["figures"][name], figures[name], "{name}");
    }
    let all = get(&app, "/api/runs").await.json();
    let numbers: Vec<i64> =
        all["runs"].as_array().unwrap().iter().map(|run| run["id"].as_i64().unwrap()).collect();
    assert_eq!(numbers, [again, run], "the newest first");
}

#[tokio::test]
async fn the_player_that_acts_is_shown_everywhere_and_equal_ones_are_refused() {
    let app = open();
    let order = json!({
        "kind": "match", "game": "tictactoe", "players": ["mcts(sims=200)", "montecarlo(sims=9)"],
        "pairs": 2, "budget": "15sims"
    });
    let run = post(&app, "/api/runs", order).await.run();
    ended(&app, run).await;
    let names = json!(["mcts(sims=15)", "montecarlo"]);
    let details = get(&app, &format!("/api/runs/{run}")).await.json();
    assert_eq!((&details["figures"]["players"], &details["plan"]["players"]), (&names, &names));
    assert_eq!(details["what"], "mcts(sims=15) vs montecarlo");
    assert_eq!((&details["repeats"], &details["hindrances"]), (&json!(true), &json!([])));
    assert_eq!(details["figures"]["pairs"], 2);
    let game = get(&app, &format!("/api/runs/{run}/games/0")).await.json();
    assert_eq!(game["players"], names);
    let rows = get(&app, &format!("/api/runs/{run}/export.csv")).await.text;
    assert!(rows.lines().nth(1).expect("a game").contains("mcts(sims=15),montecarlo,"), "{rows}");
    let cup = json!({
        "kind": "tournament", "game": "tictactoe", "players": ["mcts(sims=1)", "mcts(sims=2)"],
        "budget": "15sims"
    });
    post(&app, "/api/runs", cup).await.refused(400, "are the same player under the budget 15sims");
    let timed = json!({
        "kind": "match", "game": "tictactoe", "players": ["mcts(threads=2)", "random"], "pairs": 1,
        "budget": "1ms"
    });
    let run = post(&app, "/api/runs", timed).await.run();
    ended(&app, run).await;
    let details = get(&app, &format!("/api/runs/{run}")).await.json();
    assert_eq!(details["figures"]["players"], json!(["mcts(threads=2)", "random"]));
    assert_eq!(details["repeats"], false);
    assert_eq!(details["hindrances"].as_array().map(Vec::len), Some(2), "clock and threads");
}

#[tokio::test]
async fn tournaments_championships_and_tunings_have_standings_and_pictures() {
    let app = open();
    let players = ["random", "minimax(depth=3)", "montecarlo(sims=20)"];
    let order =
        json!({ "kind": "tournament", "game": "tictactoe", "players": players, "pairs": 6 });
    let cup = post(&app, "/api/runs", order).await.run();
    let order = json!({
        "kind": "championship", "game": "tictactoe", "players": ["montecarlo(sims=1..9:4)"],
        "pairs": 8
    });
    let title = post(&app, "/api/runs", order).await.run();
    let order = json!({
        "kind": "tuning", "game": "tictactoe", "players": ["montecarlo(sims=?1..9)"], "pairs": 2,
        "generations": 2, "against": "random"
    });
    let tuning = post(&app, "/api/runs", order).await.run();
    for run in [cup, title, tuning] {
        assert_eq!(ended(&app, run).await["phase"], "finished");
    }
    let cup = get(&app, &format!("/api/runs/{cup}")).await.json();
    assert_eq!(cup["figures"]["standings"].as_array().unwrap().len(), 3);
    let (a, b) = (&cup["figures"]["cross"][0][1], &cup["figures"]["cross"][1][0]);
    assert!((a.as_f64().unwrap() + b.as_f64().unwrap() - 1.0).abs() < 1e-9, "both sides of a game");

    let shown = get(&app, &format!("/api/runs/{title}")).await.json();
    assert_eq!(
        (&shown["picture"], shown["figures"]["values"].as_array().unwrap().len()),
        (&json!("chart"), 3)
    );
    let plot = get(&app, &format!("/api/runs/{title}/plot.svg")).await;
    assert_eq!(plot.headers["content-type"], "image/svg+xml");
    assert!(plot.text.starts_with("<svg") && plot.text.contains("sims"), "{}", plot.text);

    let shown = get(&app, &format!("/api/runs/{tuning}")).await.json();
    let figures = &shown["figures"];
    assert_eq!(figures["generations"].as_array().unwrap().len(), 2, "{figures}");
    assert!(figures["confirmed"]["elo"].is_object(), "{figures}");
    let child = figures["candidates"][0]["run"].as_i64().unwrap();
    let child = get(&app, &format!("/api/runs/{child}")).await.json();
    assert_eq!((&child["parent"], &child["kind"]), (&json!(tuning), &json!("match")));
}

#[tokio::test]
async fn studies_are_shown_resumed_and_repeated_and_unknown_kinds_are_only_listed() {
    let mut store = Store::in_memory().expect("a store");
    let mut begin = |kind: &str, jobs: u64| {
        let (kind, about) = (kind.to_owned(), "numbers".to_owned());
        let plan = StudyPlan { kind, about, jobs, seed: 3, settings: json!({ "jobs": jobs }) };
        store.begin_study(&plan).expect("kept")
    };
    let squares = begin("squares", 50);
    let large = begin("squares", 1_000_000);
    let strange = begin("cubes", 50);
    let app = lab(store, LabLimits::of_cores(2), false);
    let before = get(&app, &format!("/api/runs/{squares}")).await.json();
    assert_eq!((&before["phase"], &before["done"]), (&json!("stopped"), &json!(0)));
    post(&app, &format!("/api/runs/{squares}/resume"), "{}").await;
    assert_eq!(ended(&app, squares).await["phase"], "finished");
    let sum: u64 = (0..50).map(|n| n * n).sum();
    let after = get(&app, &format!("/api/runs/{squares}")).await.json();
    assert_eq!((&after["figures"]["sum"], &after["picture"]), (&json!(sum), &json!("chart")));
    get(&app, &format!("/api/runs/{squares}/export.csv")).await.refused(400, "has no games");
    let all = get(&app, &format!("/api/runs/{squares}/export.json")).await.json();
    assert_eq!(all["outputs"].as_array().unwrap().len(), 50);
    let again = post(&app, &format!("/api/runs/{squares}/repeat"), "{}").await.run();
    assert_eq!(ended(&app, again).await["phase"], "finished");
    let listed = get(&app, &format!("/api/runs/{strange}")).await.json();
    assert_eq!((&listed["known"], &listed["figures"]), (&json!(false), &Value::Null));
    for verb in ["resume", "repeat"] {
        let got = post(&app, &format!("/api/runs/{large}/{verb}"), "{}").await;
        got.refused(400, "1000000 jobs are too many; a run has at most 200000 here");
    }
    post(&app, &format!("/api/runs/{strange}/resume"), "{}")
        .await
        .refused(400, "this program has no studies of kind \"cubes\"");
    let request = json!({ "kind": "squares", "jobs": 20 });
    let started = post(&app, "/api/runs", request).await.run();
    assert_eq!(ended(&app, started).await["phase"], "finished");
    let wrong = [
        (json!({ "kind": "squares", "jobs": 1_000_000 }), "1000000 jobs are too many"),
        (json!({ "kind": "squares", "jobs": 1, "speed": 2 }), "unknown field `speed`"),
        (json!({ "kind": "squares", "jobs": 1, "seed": -2 }), "invalid value"),
    ];
    for (request, sentence) in wrong {
        post(&app, "/api/runs", request).await.refused(400, sentence);
    }
}
