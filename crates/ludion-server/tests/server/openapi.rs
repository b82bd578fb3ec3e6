//! `openapi.json` compared with real responses: every route is requested once, and its response
//! must match the schema of the file; responses that the file does not list fail.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{Method, Request};
use ludion::player::Budget;
use ludion::registry::{self, GeneratorSettings};
use ludion_runs::kinds::WorkKinds;
use ludion_server::lab::{LabLimits, ROUTES};
use ludion_server::{AccessToken, LabAccess, LabConfig, laboratory_with_admin};
use ludion_store::{ArchiveFileWriter, BlockSource, NewSolution, Store};
use serde_json::{Value, json};
use tower::ServiceExt;

fn lab(access: LabAccess, data: &Path) -> Router {
    let config = LabConfig {
        registry: Arc::new(registry::standard()),
        store: store_with_a_submission(),
        access,
        limits: LabLimits::of_cores(2),
        allow_bots: false,
        kinds: WorkKinds::standard(),
        data: Some(data.to_owned()),
        cluster: None,
    };
    laboratory_with_admin(config, AccessToken::from_text(ADMIN))
}

/// The admin token of the laboratory.
const ADMIN: &str = "admin-token-1";

/// Returns a store with team 1 and its submission 1.
fn store_with_a_submission() -> Store {
    let mut store = Store::in_memory().expect("a store");
    let team = store.add_team("Hexagons", &[0; 32]).expect("a team").id;
    let solution = "alala".to_owned();
    let new = NewSolution { problem: 1001, seed: 0, tag: None, solution };
    store.submit(team, &[new]).expect("a submission");
    store
}

/// Sends a request; returns the status, the content type and the body of the response.
async fn ask(app: &Router, method: &str, path: &str, body: &Value) -> (String, String, String) {
    let method: Method = method.to_uppercase().parse().expect("a method");
    let request = Request::builder().method(method).uri(path).header("host", "localhost");
    let request = request.header("x-ludion-admin", ADMIN);
    let request = request.body(Body::from(body.to_string())).expect("a request");
    let response = app.clone().oneshot(request).await.expect("an answer");
    let (status, headers) = (response.status().as_str().to_owned(), response.headers().clone());
    let kind = headers["content-type"].to_str().expect("text").split(';').next().unwrap_or("");
    let bytes = to_bytes(response.into_body(), usize::MAX).await.expect("a body");
    (status, kind.to_owned(), String::from_utf8(bytes.to_vec()).expect("text"))
}

/// Returns the part of the file that a schema or a response refers to.
fn followed<'a>(file: &'a Value, part: &'a Value) -> &'a Value {
    match part["$ref"].as_str() {
        Some(place) => file.pointer(place.trim_start_matches('#')).expect("a valid reference"),
        None => part,
    }
}

/// Checks a value against a schema with the keywords that the file uses: `$ref`, `type`, `enum`,
/// `required`, `properties`, `additionalProperties`, `items`.
fn check(file: &Value, schema: &Value, value: &Value, at: &str) {
    let schema = followed(file, schema);
    if let Some(allowed) = schema["enum"].as_array() {
        assert!(allowed.contains(value), "{at}: {value} is none of {allowed:?}");
    }
    let types: Vec<&str> = match &schema["type"] {
        Value::String(name) => vec![name],
        Value::Array(names) => names.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    let is = |name: &&str| match *name {
        "string" => value.is_string(),
        "integer" => value.is_u64() || value.is_i64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        _ => value.is_null(),
    };
    assert!(types.is_empty() || types.iter().any(is), "{at}: {value} is no {types:?}");
    for (i, item) in value.as_array().into_iter().flatten().enumerate() {
        check(file, &schema["items"], item, &format!("{at}[{i}]"));
    }
    let Some(fields) = value.as_object() else { return };
    for name in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        assert!(fields.contains_key(name), "{at} has no {name}");
    }
    for (name, field) in fields {
        let known = schema["properties"].get(name);
        assert!(
            known.is_some() || schema["additionalProperties"] != false,
            "{at} has an unknown field {name}"
        );
        check(file, known.unwrap_or(&Value::Null), field, &format!("{at}.{name}"));
    }
}

/// Checks a response against the file.
fn check_answer(
    file: &Value,
    route: (&str, &str),
    (status, kind, text): &(String, String, String),
) {
    let (method, path) = route;
    let at = format!("{method} {path} {status}");
    let answer = followed(file, &file["paths"][path][method]["responses"][status]);
    assert!(!answer.is_null(), "{at} is not in the file: {text}");
    let schema = &answer["content"][kind]["schema"];
    assert!(schema.is_object(), "{at} has no schema of {kind}: {text}");
    if kind == "application/json" {
        check(file, schema, &serde_json::from_str(text).expect("JSON"), &at);
    }
}

/// Returns the data of the event with this name.
fn event(text: &str, name: &str) -> Value {
    let block = text.split("\n\n").find(|block| block.starts_with(&format!("event: {name}\n")));
    let block = block.unwrap_or_else(|| panic!("no {name}: {text}"));
    let data = block.lines().find_map(|line| line.strip_prefix("data: "));
    serde_json::from_str(data.expect("data")).expect("JSON")
}

fn write_games(path: &Path) {
    let players = ["random".to_owned(), "random".to_owned()];
    let cast = GeneratorSettings { players, budget: Budget::UNLIMITED, opening: 0 };
    let game = registry::standard().game("tictactoe").expect("a game");
    let block = game.simulator(&cast).expect("players").block(7, 0, 3).expect("games");
    let source = BlockSource { settings: cast, seed: 7, version: "test".to_owned() };
    let mut writer = ArchiveFileWriter::append(path, "tictactoe", &source).expect("a file");
    writer.push(block).expect("games");
}

/// Returns a request for every route, in an order in which all succeed; run 1 is started first.
fn questions(settings: &Value, look: &Value) -> Vec<(&'static str, &'static str, Value)> {
    let solution = json!({ "problem": "dot", "seed": 0, "solution": "alala" });
    let order = json!({
        "kind": "championship", "game": "tictactoe", "players": ["montecarlo(sims=1..3)"]
    });
    vec![
        ("get", "/api/about", json!({})),
        ("get", "/api/openapi.json", json!({})),
        ("get", "/api/games", json!({})),
        ("get", "/api/players", json!({})),
        ("post", "/api/position", json!({ "game": "tictactoe", "moves": "b2" })),
        ("post", "/api/choose", json!({ "game": "tictactoe", "player": "mcts(sims=50)" })),
        ("post", "/api/read", json!({ "game": "tictactoe", "text": "1. b2 a1 *" })),
        ("post", "/api/edit", json!({ "game": "tictactoe", "pieces": [], "turn": "first" })),
        ("post", "/api/solve", json!({ "game": "tictactoe", "moves": "b2" })),
        ("post", "/api/explorer", json!({ "game": "tictactoe" })),
        ("get", "/api/mastermind", json!({})),
        ("post", "/api/mastermind/run", json!({ "settings": settings })),
        ("post", "/api/mastermind/chain", json!({ "look": look })),
        ("post", "/api/mastermind/answer", json!({ "pegs": 2, "colours": 2, "guesses": ["12"] })),
        ("post", "/api/mastermind/advise", json!({ "pegs": 2, "colours": 2, "asked": [] })),
        ("get", "/api/hextris", json!({})),
        ("post", "/api/hextris/problem", json!({ "problem": "dot" })),
        ("post", "/api/hextris/replay", solution.clone()),
        ("post", "/api/hextris/placements", solution),
        ("get", "/api/hextris/submissions", json!({})),
        ("get", "/api/hextris/submissions/1001", json!({})),
        ("get", "/api/hextris/solutions/1", json!({})),
        ("get", "/api/hextris/teams", json!({})),
        ("post", "/api/hextris/teams", json!({ "name": "Honeycombs" })),
        ("post", "/api/hextris/teams/2/token", json!({})),
        ("post", "/api/hextris/teams/2/remove", json!({})),
        ("post", "/api/hextris/score", json!({ "problem": "dot", "solutions": "alala" })),
        ("post", "/api/hextris/solve", json!({ "problem": "dot", "seconds": 0.1 })),
        ("get", "/api/hextris/leaderboard", json!({})),
        ("get", "/api/learning", json!({})),
        ("get", "/api/reproductions", json!({})),
        ("get", "/api/learning/games?file=a.games", json!({})),
        (
            "post",
            "/api/learning/generate",
            json!({ "game": "hexapawn", "games": 30, "out": "b.games" }),
        ),
        (
            "post",
            "/api/learning/train",
            json!({ "data": "b.games", "epochs": 1, "layers": [4], "out": "b.safetensors" }),
        ),
        ("get", "/api/learning", json!({})),
        ("get", "/api/cluster", json!({})),
        ("post", "/api/runs", order),
        (
            "post",
            "/api/runs",
            json!({ "kind": "learn", "game": "tictactoe", "rounds": 1,
            "games": 20, "depth": 1, "pairs": 1 }),
        ),
        (
            "post",
            "/api/runs",
            json!({ "kind": "game", "game": "tictactoe", "moves": "b2 a1 c1",
            "players": ["human", "random"], "values": [0.5, null, -0.5] }),
        ),
        ("get", "/api/runs/1/live", json!({})),
        ("get", "/api/runs", json!({})),
        ("get", "/api/runs/1", json!({})),
        ("get", "/api/runs/1/games", json!({})),
        ("get", "/api/runs/1/games/0", json!({})),
        ("get", "/api/runs/1/charts", json!({})),
        ("get", "/api/runs/1/repetition", json!({})),
        ("post", "/api/runs/1/annotation", json!({ "tags": ["first"], "note": "a try" })),
        ("get", "/api/runs/1/plot.svg", json!({})),
        ("get", "/api/runs/1/export.csv", json!({})),
        ("get", "/api/runs/1/export.json", json!({})),
        ("post", "/api/runs/1/pause", json!({})),
        ("post", "/api/runs/1/resume", json!({})),
        ("post", "/api/runs/1/repeat", json!({})),
        ("post", "/api/runs/1/forget", json!({})),
    ]
}

#[tokio::test]
async fn every_response_matches_the_schema_of_its_route() {
    let folder = tempfile::tempdir().expect("a folder");
    write_games(&folder.path().join("a.games"));
    let app = lab(LabAccess::Loopback, folder.path());
    let (_, _, text) = ask(&app, "get", "/api/openapi.json", &json!({})).await;
    let file: Value = serde_json::from_str(&text).expect("JSON");
    let (_, _, about) = ask(&app, "get", "/api/mastermind", &json!({})).await;
    let about: Value = serde_json::from_str(&about).expect("JSON");
    let (mut settings, mut look) = (about["laws"][0]["settings"].clone(), about["look"].clone());
    (settings["pegs"], settings["colours"]) = (json!(3), json!(4));
    look["length"] = json!(1000);
    let mut asked = BTreeSet::new();
    for (method, path, body) in &questions(&settings, &look) {
        let bare = path.split('?').next().expect("a path");
        let named = bare.replace("/runs/1", "/runs/{run}").replace("/games/0", "/games/{game}");
        let named = named.replace("/submissions/1001", "/submissions/{problem}");
        let named = named.replace("/solutions/1", "/solutions/{id}");
        let named = named.replace("/teams/2", "/teams/{team}");
        asked.insert((*method, named.clone()));
        let answer = ask(&app, method, path, body).await;
        check_answer(&file, (method, &named), &answer);
        let refuses = bare.ends_with("pause") || bare.ends_with("resume");
        assert!(answer.0.starts_with('2') != refuses, "{method} {path}: {answer:?}");
        let schemas = &file["components"]["schemas"];
        match bare {
            "/api/learning/generate" => {
                check(&file, &schemas["Generated"], &event(&answer.2, "done"), path);
            }
            "/api/learning/train" => {
                check(&file, &schemas["Trained"], &event(&answer.2, "done"), path);
            }
            "/api/choose" => check(&file, &schemas["Choice"], &event(&answer.2, "choice"), path),
            "/api/solve" => check(&file, &schemas["Solution"], &event(&answer.2, "solution"), path),
            "/api/runs/1/live" => {
                check(&file, &schemas["Standing"], &event(&answer.2, "end"), path);
            }
            _ => {}
        }
    }
    let routes = ROUTES.iter().map(|route| (route.method, route.path.to_owned()));
    assert_eq!(asked, routes.collect(), "every route is requested");
}

#[tokio::test]
async fn requests_without_token_and_from_other_origins_get_listed_responses() {
    let folder = tempfile::tempdir().expect("a folder");
    let closed = lab(LabAccess::Token(AccessToken::from_text("secret-1")), folder.path());
    let open = lab(LabAccess::Loopback, folder.path());
    let (_, _, text) = ask(&open, "get", "/api/openapi.json", &json!({})).await;
    let file: Value = serde_json::from_str(&text).expect("JSON");
    for route in ROUTES {
        let path = route.path.replace("{run}", "1").replace("{game}", "0");
        let path = path.replace("{problem}", "1001").replace("{id}", "1");
        let path = path.replace("{team}", "1");
        let without_token = ask(&closed, route.method, &path, &json!({})).await;
        assert_eq!(without_token.0, "401");
        check_answer(&file, (route.method, route.path), &without_token);
        let elsewhere = format!("http://evil.example{path}");
        let foreign = ask(&open, route.method, &elsewhere, &json!({})).await;
        assert_eq!(foreign.0, "403");
        check_answer(&file, (route.method, route.path), &foreign);
    }
}
