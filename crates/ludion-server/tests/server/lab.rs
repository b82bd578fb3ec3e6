//! The laboratory as a browser uses it: requests go to the router, without a socket. The requests
//! are valid, invalid, for unknown paths, and too large.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{HeaderMap, Request, StatusCode};
use ludion::player::BudgetUnit;
use ludion::players::text_player::{TextMoveReply, TextMoveRequest, TextPlayer};
use ludion::registry::{self, NamedTextPlayer, PlayerInfo};
use ludion_runs::kinds::WorkKinds;
use ludion_server::lab::LabLimits;
use ludion_server::{AccessToken, LabAccess, LabConfig, laboratory};
use ludion_store::Store;
use serde_json::{Value, json};
use tower::ServiceExt;

/// An external program that plays the first legal move.
struct FirstMovePlayer;

impl TextPlayer for FirstMovePlayer {
    fn begin(&mut self, _game: &str, _seed: u64) {}

    fn ask(&mut self, question: &TextMoveRequest<'_>) -> Result<TextMoveReply, String> {
        Ok(TextMoveReply { play: question.legal[0].clone(), ..TextMoveReply::default() })
    }

    fn dismiss(&mut self) {}
}

fn lab(access: LabAccess, limits: LabLimits, allow_bots: bool) -> Router {
    const SPENDS: &[BudgetUnit] = &[];
    let info = PlayerInfo {
        name: "stranger".into(),
        help: "a program".into(),
        spends: SPENDS.into(),
        ..PlayerInfo::default()
    };
    let text_player = NamedTextPlayer { info, make: Arc::new(|_| Ok(Box::new(FirstMovePlayer))) };
    let registry = Arc::new(registry::standard().with_text_player(text_player));
    let store = Store::in_memory().expect("a store");
    laboratory(LabConfig {
        registry,
        store,
        access,
        limits,
        allow_bots,
        kinds: WorkKinds::standard(),
        data: None,
        cluster: None,
    })
}

fn open() -> Router {
    lab(LabAccess::Loopback, LabLimits::of_cores(2), false)
}

/// A response with its whole body.
struct Got {
    status: StatusCode,
    headers: HeaderMap,
    text: String,
}

impl Got {
    fn json(&self) -> Value {
        serde_json::from_str(&self.text).expect("JSON")
    }

    /// Returns the message of an error.
    fn sentence(&self) -> String {
        self.json()["error"].as_str().expect("a sentence").to_owned()
    }

    /// Returns the events of a stream, each with its name and data.
    fn events(&self) -> Vec<(String, Value)> {
        let field = |block: &str, name: &str| {
            block.lines().find_map(|line| line.strip_prefix(name).map(str::to_owned))
        };
        let event = |block: &str| {
            let data = serde_json::from_str(&field(block, "data: ")?).expect("JSON");
            Some((field(block, "event: ")?, data))
        };
        self.text.split("\n\n").filter_map(event).collect()
    }
}

async fn ask(app: &Router, request: Request<Body>) -> Got {
    let response = app.clone().oneshot(request).await.expect("an answer");
    let (status, headers) = (response.status(), response.headers().clone());
    let body = to_bytes(response.into_body(), usize::MAX).await.expect("a body");
    Got { status, headers, text: String::from_utf8(body.to_vec()).expect("text") }
}

async fn get(app: &Router, path: &str) -> Got {
    let request = Request::get(path).header("host", "127.0.0.1:4747");
    ask(app, request.body(Body::empty()).expect("a request")).await
}

async fn post(app: &Router, path: &str, body: impl ToString) -> Got {
    let request = Request::post(path).header("host", "localhost:4747");
    ask(app, request.body(Body::from(body.to_string())).expect("a request")).await
}

#[tokio::test]
async fn the_gallery_has_every_game_with_a_picture_and_every_player_with_its_parameters() {
    let app = open();
    let all = get(&app, "/api/games").await.json();
    let names: Vec<&str> =
        all["games"].as_array().unwrap().iter().map(|g| g["name"].as_str().unwrap()).collect();
    assert_eq!(
        names[..3],
        ["connect4", "checkers", "othello"],
        "those that people know come first"
    );
    let registry = registry::standard();
    let sorted = |names: Vec<&str>| {
        std::collections::BTreeSet::from_iter(names.into_iter().map(str::to_owned))
    };
    let registered = registry.games().iter().map(|entry| &*entry.name).collect();
    assert_eq!(sorted(names), sorted(registered));
    for game in all["games"].as_array().unwrap() {
        assert!(!game["scene"]["pieces"].as_array().unwrap().is_empty(), "{}", game["name"]);
        let capable = game["capable"].as_str().unwrap().split('(').next().unwrap();
        assert!(game["players"].as_array().unwrap().contains(&capable.into()), "{game}");
    }
    assert_eq!(all["riddles"][0]["name"], "mastermind");
    assert!(!all["riddles"][0]["scene"]["pieces"].as_array().unwrap().is_empty());
    let players = get(&app, "/api/players").await.json();
    let mcts = players["players"].as_array().unwrap().iter().find(|p| p["name"] == "mcts").unwrap();
    assert_eq!(
        mcts["params"][0],
        json!({
            "name": "sims", "kind": "int", "default": 10_000, "min": 1, "max": 1_000_000_000,
            "help": "simulations a move, without a budget"
        })
    );
    let about = get(&app, "/api/about").await.json();
    assert_eq!((&about["bots"], &about["runs"]), (&json!(false), &json!(0)));
}

#[tokio::test]
async fn a_position_has_a_picture_moves_with_their_cells_and_the_side_to_move() {
    let app = open();
    let shown = post(&app, "/api/position", json!({ "game": "connect4( 7, 6 )", "moves": "44,5" }));
    let shown = shown.await.json();
    assert_eq!(shown["game"], "connect4");
    assert_eq!(shown["moves"], json!(["4", "4", "5"]));
    assert_eq!((&shown["turn"], &shown["outcome"]), (&json!("second"), &Value::Null));
    assert_eq!(shown["scene"]["marked"], json!([{ "x": 4, "y": 5 }]), "the last move");
    assert_eq!(shown["legal"][3], json!({ "move": "4", "touches": [{ "x": 3, "y": 3 }] }));
    // The state of the response gives the same position again.
    let again = json!({ "game": "connect4", "state": shown["state"] });
    let again = post(&app, "/api/position", again).await.json();
    assert_eq!((&again["state"], &again["legal"]), (&shown["state"], &shown["legal"]));
    assert_eq!(again["scene"]["pieces"], shown["scene"]["pieces"]);
    let won = json!({ "game": "connect4", "moves": "1 2 1 2 1 2 1" });
    let won = post(&app, "/api/position", won).await.json();
    assert_eq!((&won["turn"], &won["result"]), (&Value::Null, &json!("first wins")));
    assert_eq!(won["outcome"], json!({ "duel": { "won": "first" } }));
    assert_eq!(won["legal"], json!([]));
}

#[tokio::test]
async fn invalid_requests_are_refused_and_unknown_paths_are_not_found() {
    let app = open();
    let cases = [
        (400, json!({ "game": "connect4", "moves": "4 9" }), "move 2: \"9\": not a legal move"),
        (400, json!({ "game": "connect4(99)" }), "cols = 99 is not allowed; cols is 1 to 32"),
        (400, json!({ "game": "connect4", "state": "?" }), "?"),
        (400, json!({ "game": "connect4", "moves": 4 }), "moves: invalid type"),
        (400, json!({ "moves": "4" }), "missing field `game`"),
        (400, json!({ "game": "dice", "move": "4" }), "unknown field `move`"),
        (404, json!({ "game": "conect4" }), "did you mean connect4?"),
    ];
    for (status, body, sentence) in cases {
        let got = post(&app, "/api/position", &body).await;
        assert_eq!(got.status.as_u16(), status, "{body}: {}", got.text);
        assert!(got.sentence().contains(sentence), "{body}: {}", got.text);
    }
    let broken = post(&app, "/api/position", "{").await.sentence();
    assert!(broken.starts_with("the request is no JSON: EOF"), "{broken}");
    let got = post(&app, "/api/choose", json!({ "game": "connect4", "x": 1 })).await;
    assert_eq!(got.status, StatusCode::BAD_REQUEST);
    assert!(got.sentence().contains("unknown field `x`"), "{}", got.text);
    assert!(post(&app, "/api/position", "{\"game\":\"dice\"} x").await.status.is_client_error());
    let large = json!({ "game": "x".repeat(70_000) });
    for path in ["/api/position", "/api/choose"] {
        let got = post(&app, path, &large).await;
        assert_eq!(got.status, StatusCode::PAYLOAD_TOO_LARGE);
        assert_eq!(got.sentence(), "the request is too large; at most 65536 bytes are taken");
        assert_eq!(get(&app, path).await.status, StatusCode::METHOD_NOT_ALLOWED);
    }
    for path in ["/api/nothing", "/api", "/js/nothing.js", "/../Cargo.toml"] {
        let got = get(&app, path).await;
        assert_eq!(got.status, StatusCode::NOT_FOUND, "{path}");
        assert!(got.sentence().starts_with("there is no "), "{path}");
    }
}

#[tokio::test]
async fn a_choice_is_streamed_with_its_tree_and_is_the_same_for_the_same_seed() {
    let app = open();
    let question = json!({
        "game": "connect4", "moves": "4 1 4 1 4", "player": "mcts(sims=3000)", "tree": true
    });
    let got = post(&app, "/api/choose", &question).await;
    assert_eq!(got.headers["content-type"], "text/event-stream");
    let events = got.events();
    assert_eq!(events[0], ("thinking".to_owned(), json!({ "player": "mcts(sims=3000)" })));
    let (last, choice) = events.last().unwrap();
    assert_eq!((&last[..], &choice["best"]), ("choice", &json!("4")), "three in a row are blocked");
    let lines = choice["lines"].as_array().unwrap();
    assert_eq!(lines.len(), 7);
    let (_, tree) = events.iter().rfind(|(name, _)| name == "tree").unwrap();
    // At the root the tree has the visits of the lines; children have no more than their parent.
    for branch in tree.as_array().unwrap() {
        let line = lines.iter().find(|line| line["move"] == branch["move"]).unwrap();
        assert_eq!(line["visits"], branch["visits"]);
        let below = branch["children"].as_array().unwrap().iter();
        let below: u64 = below.map(|child| child["visits"].as_u64().unwrap()).sum();
        assert!(below <= branch["visits"].as_u64().unwrap(), "{branch}");
    }
    let again = post(&app, "/api/choose", &question).await.events();
    assert_eq!(again.last().unwrap().1["lines"], choice["lines"]);
    let over = json!({ "game": "connect4", "moves": "1 2 1 2 1 2 1", "player": "random" });
    let over = post(&app, "/api/choose", over).await.events();
    let sentence = json!({ "error": "the game is over, there is no move to choose" });
    assert_eq!(over.last(), Some(&("error".to_owned(), sentence)));
}

#[tokio::test]
async fn players_beyond_the_limits_and_external_programs_are_refused() {
    let app = open();
    let cases = [
        (400, "mcts(memory=5000)", "memory = 5000 is not allowed here; memory is at most 256"),
        (400, "deepening(mb=300)", "mb is at most 256"),
        (400, "mcts(threads=3)", "threads is at most 2"),
        (400, "mcts(sims=0)", "sims is 1 to 1000000000"),
        (400, "stranger", "start it with --allow-bots"),
        (404, "mtcs", "did you mean mcts?"),
    ];
    for (status, player, sentence) in cases {
        let body = json!({ "game": "connect4", "player": player });
        let got = post(&app, "/api/choose", body).await;
        assert_eq!(got.status.as_u16(), status, "{player}: {}", got.text);
        assert!(got.sentence().contains(sentence), "{player}: {}", got.text);
        let offered = got.sentence().contains("there are") && got.text.contains("stranger");
        assert!(!offered, "a refused player is not offered: {}", got.text);
    }
    let budget = json!({ "game": "connect4", "budget": "3 weeks" });
    assert!(post(&app, "/api/choose", budget).await.sentence().contains("is not a budget"));
    let players = get(&app, "/api/players").await.text;
    assert!(!players.contains("stranger"), "a refused player is not offered");
    let with_bots = lab(LabAccess::Loopback, LabLimits::of_cores(2), true);
    let body = json!({ "game": "connect4", "player": "stranger" });
    let events = post(&with_bots, "/api/choose", body).await.events();
    assert_eq!(events.last().unwrap().1["best"], "1");
}

#[tokio::test]
async fn a_search_stops_when_its_client_disconnects_and_too_many_are_refused() {
    let limits = LabLimits { searches: 1, queue: 1, ..LabLimits::of_cores(1) };
    let app = lab(LabAccess::Loopback, limits, false);
    let endless = json!({ "game": "connect4", "player": "mcts(sims=1000000000, memory=1)" });
    let request = || {
        let request = Request::post("/api/choose").header("host", "localhost");
        request.body(Body::from(endless.to_string())).expect("a request")
    };
    let thinks = app.clone().oneshot(request()).await.expect("an answer");
    let waits = app.clone().oneshot(request()).await.expect("an answer");
    assert_eq!((thinks.status(), waits.status()), (StatusCode::OK, StatusCode::OK));
    let refused = ask(&app, request()).await;
    assert_eq!(refused.status, StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(refused.headers["retry-after"], "5");
    assert!(refused.sentence().starts_with("too many searches"));
    // Both clients disconnect; the next one gets a response.
    drop((thinks, waits));
    let short = json!({ "game": "connect4", "player": "mcts(sims=10)" });
    for _ in 0..100 {
        let got = post(&app, "/api/choose", &short).await;
        if got.status == StatusCode::OK {
            assert_eq!(got.events().last().unwrap().0, "choice");
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("the searches of disconnected clients still run");
}

#[tokio::test]
async fn every_player_stops_at_the_time_limit() {
    let limits = LabLimits { time: Duration::from_millis(50), ..LabLimits::of_cores(1) };
    let app = lab(LabAccess::Loopback, limits, false);
    for player in [
        "mcts(sims=1000000000, memory=1)",
        "deepening(secs=0)",
        "minimax(depth=42)",
        "montecarlo(sims=1000000000)",
        "ucb(sims=1000000000)",
        "uct(sims=1000000000)",
        "uct(depth=10000, sims=100000)",
        "alphabeta(depth=42, eval=playouts(1000))",
        "expert(ms=86400000, book=none)",
    ] {
        let events = post(&app, "/api/choose", json!({ "game": "connect4", "player": player }));
        let events = events.await.events();
        let (name, choice) = events.last().unwrap();
        assert_eq!((&name[..], &choice["cut_off"]), ("choice", &json!(true)), "{player}: {choice}");
        let looked = !choice["lines"].as_array().unwrap().is_empty();
        assert!(looked || choice["depth"] == 0, "a depth without lines: {choice}");
    }
    let open = open();
    let done = post(&open, "/api/choose", json!({ "game": "dice", "player": "minimax(depth=2)" }));
    assert_eq!(done.await.events().last().unwrap().1["cut_off"], false);
}

#[tokio::test]
async fn pages_have_a_strict_policy_and_are_cached_by_etag() {
    let app = open();
    let cases = [("/", 200), ("/play", 200), ("/runs/", 200), ("/some/page", 404)];
    for (path, status) in cases.into_iter().chain([("/../../etc/passwd", 404)]) {
        let got = get(&app, path).await;
        assert_eq!(
            (got.status.as_u16(), &got.headers["content-type"]),
            (status, &"text/html; charset=utf-8".parse().unwrap())
        );
        let policy = got.headers["content-security-policy"].to_str().unwrap();
        assert!(policy.contains("default-src 'none'") && !policy.contains("unsafe"), "{policy}");
        assert!(!got.text.contains("style=") && !got.text.contains("<style"), "nothing inline");
        assert!(got.text.split("<script").skip(1).all(|rest| rest.contains("src=")));
    }
    let script = get(&app, "/js/main.js").await;
    assert_eq!(script.headers["content-type"], "text/javascript; charset=utf-8");
    let request = Request::get("/js/main.js").header("host", "localhost");
    let request = request.header("if-none-match", &script.headers["etag"]);
    let again = ask(&app, request.body(Body::empty()).unwrap()).await;
    assert_eq!((again.status, &again.text[..]), (StatusCode::NOT_MODIFIED, ""));
}

#[tokio::test]
async fn other_origins_and_other_host_names_are_refused() {
    let app = open();
    let post_from = |name: &'static str, value: &'static str| {
        let request = Request::post("/api/position").header("host", "localhost:4747");
        request.header(name, value).body(Body::from("{\"game\":\"dice\"}")).unwrap()
    };
    let cases = [
        ("origin", "http://localhost:4747", 200),
        ("sec-fetch-site", "same-origin", 200),
        ("origin", "http://evil.example", 403),
        ("origin", "http://localhost:8080", 403),
        ("origin", "null", 403),
        ("sec-fetch-site", "cross-site", 403),
        ("sec-fetch-site", "same-site", 403),
    ];
    for (name, value, status) in cases {
        let got = ask(&app, post_from(name, value)).await;
        assert_eq!(got.status.as_u16(), status, "{name}: {value}");
    }
    for (host, status) in [("127.0.0.1", 200), ("[::1]:4747", 200), ("evil.example:4747", 403)] {
        let request = Request::get("/api/about").header("host", host).body(Body::empty()).unwrap();
        assert_eq!(ask(&app, request).await.status.as_u16(), status, "{host}");
    }
}

#[tokio::test]
async fn from_other_machines_a_token_is_given_once_and_stored_in_a_cookie() {
    let app =
        lab(LabAccess::Token(AccessToken::from_text("secret-1")), LabLimits::of_cores(1), false);
    let request = |path: &str, cookie: &str| {
        let request = Request::get(path).header("host", "far.example").header("cookie", cookie);
        request.body(Body::empty()).unwrap()
    };
    for (path, cookie) in [("/", ""), ("/api/games", "ludion=wrong"), ("/?token=wrong", "")] {
        let got = ask(&app, request(path, cookie)).await;
        assert_eq!(got.status, StatusCode::UNAUTHORIZED, "{path}");
        assert!(got.sentence().contains("wants its token"));
    }
    let given = ask(&app, request("/play?game=dice&token=secret-1&at=2", "")).await;
    assert_eq!(given.status, StatusCode::SEE_OTHER);
    assert_eq!(given.headers["location"], "/play?game=dice&at=2");
    let cookie = given.headers["set-cookie"].to_str().unwrap();
    assert_eq!(cookie, "ludion=secret-1; Path=/; HttpOnly; SameSite=Strict");
    let elsewhere = ask(&app, request("//evil.example/?token=secret-1", "")).await;
    assert_eq!(elsewhere.headers["location"], "/evil.example/");
    let kept = ask(&app, request("/api/about", "theme=dark; ludion=secret-1")).await;
    assert_eq!(kept.status, StatusCode::OK);
    for (token, status) in
        [("Bearer secret-1", 200), ("bearer wrong", 401), ("Basic secret-1", 401)]
    {
        let request = Request::get("/api/about").header("authorization", token);
        let got = ask(&app, request.body(Body::empty()).unwrap()).await;
        assert_eq!(got.status.as_u16(), status, "{token}");
    }
    // The error is a page for pages and JSON for the interface.
    for (path, kind) in [("/play", "text/html; charset=utf-8"), ("/api/about", "application/json")]
    {
        let request = Request::get(path).header("accept", "text/html,*/*;q=0.8");
        let got = ask(&app, request.body(Body::empty()).unwrap()).await;
        assert_eq!(got.status, StatusCode::UNAUTHORIZED);
        assert_eq!(got.headers["www-authenticate"], "Bearer");
        assert_eq!(got.headers["content-type"], kind);
        assert!(got.text.contains("this laboratory wants its token"), "{}", got.text);
    }
}

#[tokio::test]
async fn every_game_says_how_its_positions_are_put_up() {
    let app = open();
    for (game, mode, kinds, turn_follows) in [
        ("connect4", "pieces", 2, true),
        ("othello", "pieces", 2, false),
        ("go", "pieces", 2, false),
        ("breakthrough", "pieces", 2, false),
        ("tictactoe", "pieces", 2, true),
        ("ultimate-tictactoe", "pieces", 2, true),
        ("checkers", "pieces", 2, false),
        // Kings of both sides, also if random games have seen only one of them.
        ("checkers(international)", "pieces", 4, false),
        ("morris", "pieces", 2, false),
        // A cell is covered by a domino; whose it is follows.
        ("domineering", "pieces", 1, true),
        ("quarto", "pieces", 16, true),
        ("matches", "heaps", 1, false),
        ("marienbad", "heaps", 1, false),
        ("kalah", "seeds", 0, false),
        ("dice", "text", 0, false),
        ("dotsandboxes", "text", 0, false),
        ("hextris", "text", 0, false),
    ] {
        let told = post(&app, "/api/edit", json!({ "game": game })).await.json();
        let count = told["palette"].as_array().unwrap().len();
        assert_eq!(
            (&told["mode"], count, &told["turn_follows"]),
            (&json!(mode), kinds, &json!(turn_follows)),
            "{game}: {told}"
        );
    }
    let floating = json!([{ "at": { "x": 3, "y": 2 }, "owner": "first", "shape": "disc" }]);
    let refused = post(&app, "/api/edit", json!({ "game": "connect4", "pieces": floating })).await;
    assert_eq!(refused.status, StatusCode::BAD_REQUEST);
    assert!(!refused.sentence().contains("......"), "{}", refused.sentence());
}
