//! Invalid and too large requests, and unknown runs and games.

use super::*;

#[tokio::test]
async fn invalid_and_too_large_orders_are_refused_and_no_run_is_stored() {
    let app = open();
    let cases = [
        (400, json!({ "players": ["random"] }), "a match needs two players, and there are 1"),
        (400, json!({ "kind": "tournament", "players": ["random"] }), "at least two players"),
        (400, json!({ "kind": "championship", "players": ["mcts"] }), "1..50"),
        (400, json!({ "kind": "tuning", "players": ["mcts"] }), "leaves no parameter open"),
        (
            400,
            json!({ "kind": "league" }),
            "kind \"league\" is unknown; allowed are match, tournament",
        ),
        (400, json!({ "game": "connect4(99)" }), "cols = 99 is not allowed"),
        (400, json!({ "game": "hextris" }), "puzzle for one"),
        (404, json!({ "game": "conect4" }), "did you mean connect4?"),
        (404, json!({ "players": ["mtcs", "random"] }), "did you mean mcts?"),
        (400, json!({ "players": ["stranger", "random"] }), "start it with --allow-bots"),
        (400, json!({ "players": ["mcts(memory=5000)", "random"] }), "memory is at most 256"),
        (
            400,
            json!({ "kind": "tuning", "players": ["mcts(memory=?)"] }),
            "memory is not tuned here",
        ),
        (
            400,
            json!({ "kind": "tuning", "players": ["mcts(?1..9, memory=5000)"] }),
            "memory is at most 256",
        ),
        (400, json!({ "pairs": 0 }), "pairs = 0 is not allowed; pairs is 1 to 200000"),
        (400, json!({ "pairs": 200_001 }), "pairs is 1 to 200000"),
        (400, json!({ "opening": 500 }), "opening is 0 to 100"),
        (
            400,
            json!({ "kind": "championship", "players": ["mcts(sims=1..500)"] }),
            "500 players are too many",
        ),
        (
            400,
            json!({ "kind": "tournament", "players": vec!["random"; 100], "pairs": 1000 }),
            "pairs of games are too many",
        ),
        (
            400,
            json!({ "kind": "tuning", "players": ["mcts(c=?)"], "generations": 9999 }),
            "pairs of games are too many",
        ),
        (400, json!({ "budget": "3 weeks" }), "is not a budget"),
        (
            400,
            json!({ "budget": "600s", "players": ["mcts", "random"] }),
            "600 s a move are too many",
        ),
        (400, json!({ "budget": "10nodes" }), "none of the players uses a budget"),
        (400, json!({ "sprt": "elo0=5,elo1=0" }), "elo0 the smaller"),
        (400, json!({ "by": "genetic" }), "a match has no by"),
        (400, json!({ "speed": 1 }), "unknown field `speed`"),
    ];
    for (status, change, sentence) in cases {
        let mut order =
            json!({ "kind": "match", "game": "tictactoe", "players": ["random", "random"] });
        for (name, value) in change.as_object().unwrap() {
            order[name] = value.clone();
        }
        post(&app, "/api/runs", order).await.refused(status, sentence);
    }
    let large = json!({ "kind": "match", "game": "x".repeat(70_000), "players": [] });
    post(&app, "/api/runs", large).await.refused(413, "too large");
    assert_eq!(get(&app, "/api/runs").await.json()["runs"], json!([]));
    let with_bots = lab(Store::in_memory().expect("a store"), LabLimits::of_cores(1), true);
    let order = json!({ "kind": "match", "game": "tictactoe", "players": ["stranger", "random"], "pairs": 1 });
    let run = post(&with_bots, "/api/runs", order).await.run();
    assert_eq!(ended(&with_bots, run).await["phase"], "finished");
}

#[tokio::test]
async fn unknown_runs_and_games_are_not_found_and_pages_are_limited() {
    let app = open();
    for path in ["", "/live", "/games", "/games/0", "/plot.svg", "/export.csv", "/export.json"] {
        get(&app, &format!("/api/runs/9{path}")).await.refused(404, "there is no run 9");
        get(&app, &format!("/api/runs/x{path}")).await.refused(404, "there is no run \"x\"");
    }
    for verb in ["pause", "resume", "repeat", "forget"] {
        post(&app, &format!("/api/runs/9/{verb}"), "{}").await.refused(404, "there is no run 9");
        let wrong = get(&app, &format!("/api/runs/9/{verb}")).await;
        assert_eq!(wrong.status, StatusCode::METHOD_NOT_ALLOWED);
    }
    let run = post(&app, "/api/runs", duel(2)).await.run();
    ended(&app, run).await;
    let got = get(&app, &format!("/api/runs/{run}/games/4")).await;
    got.refused(404, "has no game 4");
    assert!(!got.text.contains("yet"), "the run is finished: {}", got.text);
    get(&app, &format!("/api/runs/{run}/games/x")).await.refused(404, "there is no game \"x\"");
    get(&app, &format!("/api/runs/{run}/games?count=501")).await.refused(400, "count is 1 to 500");
    let sentence = "the address does not read: from: invalid digit";
    get(&app, &format!("/api/runs/{run}/games?from=x")).await.refused(400, sentence);
    get(&app, "/api/runs?count=0").await.refused(400, "count is 1 to 1000");
    let second = post(&app, "/api/runs", duel(2)).await.run();
    ended(&app, second).await;
    for (query, newest) in [("count=1", second), (&format!("before={second}"), run)] {
        let page = get(&app, &format!("/api/runs?{query}")).await.json();
        let numbers: Vec<&Value> =
            page["runs"].as_array().unwrap().iter().map(|run| &run["id"]).collect();
        assert_eq!((numbers, &page["total"]), (vec![&json!(newest)], &json!(2)));
    }
    assert!(get(&app, &format!("/api/runs/{run}/plot.svg")).await.text.starts_with("<svg"));
    get(&app, &format!("/api/runs/{run}/export.csv?table=x")).await.refused(400, "table");
    let csv = get(&app, &format!("/api/runs/{run}/export.csv")).await;
    assert_eq!(
        csv.headers["content-disposition"],
        format!("attachment; filename=\"ludion-run{run}-games.csv\"")
    );
    assert_eq!(csv.text.lines().count(), 5, "a header, and one line a game");
    let moves = get(&app, &format!("/api/runs/{run}/export.csv?table=moves")).await;
    assert!(moves.text.starts_with("run,game,ply,player"), "{}", moves.text);
    let all = get(&app, &format!("/api/runs/{run}/export.json")).await.json();
    assert_eq!(all["games"].as_array().unwrap().len(), 4);
}
