//! The submission server: requests go to the router, without a socket.

use std::collections::BTreeMap;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{Request, StatusCode};
use ludion::games::hextris::{Phrases, Problem};
use ludion_server::{AccessToken, SubmissionConfig, SubmissionLimits, app};
use ludion_store::{NewSolution, SUBMISSION_BYTES, Store};
use serde_json::{Value, json};
use tower::ServiceExt;

const PROBLEM: &str = r#"{"id": 7, "width": 4, "height": 4, "filled": [], "sourceLength": 3,
    "sourceSeeds": [0, 5],
    "units": [{"members": [{"x": 0, "y": 0}], "pivot": {"x": 0, "y": 0}}]}"#;

/// The first unit goes straight down; `ei!` is in it.
const DOWN: &str = "ei!aa";

struct Server {
    app: Router,
    tokens: [String; 2],
}

fn server(limits: SubmissionLimits) -> Server {
    let mut store = Store::in_memory().expect("a store");
    let mut team = |name: &str| {
        let token = AccessToken::draw().expect("randomness");
        store.add_team(name, &token.hash()).expect("a team");
        token.text().to_owned()
    };
    let tokens = [team("one"), team("two")];
    let problem = Problem::from_json(PROBLEM).expect("a problem");
    let problems = BTreeMap::from([(problem.id(), problem)]);
    let phrases = Phrases::new(["ei!", "ia! ia!"]).expect("phrases");
    Server { app: app(SubmissionConfig { problems, phrases, store, limits }), tokens }
}

fn basic(password: &str) -> String {
    use base64::Engine;
    format!("Basic {}", base64::prelude::BASE64_STANDARD.encode(format!(":{password}")))
}

impl Server {
    async fn ask(&self, request: Request<Body>) -> (StatusCode, String) {
        let response = self.app.clone().oneshot(request).await.expect("an answer");
        let status = response.status();
        let body = to_bytes(response.into_body(), usize::MAX).await.expect("a body");
        (status, String::from_utf8(body.to_vec()).expect("text"))
    }

    async fn post(&self, team: usize, body: impl Into<Body>, accept: &str) -> (StatusCode, String) {
        let request = Request::post(format!("/teams/{team}/solutions"))
            .header("authorization", basic(&self.tokens[team - 1]))
            .header("accept", accept)
            .body(body.into())
            .expect("a request");
        self.ask(request).await
    }

    async fn get(&self, path: &str, password: Option<&str>) -> (StatusCode, String) {
        let mut request = Request::get(path);
        if let Some(password) = password {
            request = request.header("authorization", basic(password));
        }
        self.ask(request.body(Body::empty()).expect("a request")).await
    }
}

fn solution(seed: u64, commands: &str) -> String {
    json!([{ "problemId": 7, "seed": seed, "tag": "a try", "solution": commands }]).to_string()
}

fn parse(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

#[tokio::test]
async fn a_solution_is_created_scored_and_read_back() {
    let server = server(SubmissionLimits::default());
    let (status, body) = server.post(1, solution(0, DOWN), "*/*").await;
    assert_eq!((status, body.as_str()), (StatusCode::CREATED, "created"));
    let (status, body) = server.post(1, solution(5, DOWN), "application/json").await;
    assert_eq!(status, StatusCode::CREATED);
    let created = parse(&body);
    // One cell, and 2·3 + 300 for the phrase.
    assert_eq!(created[0]["score"], 1 + 306);
    assert_eq!(
        (&created[0]["powerScore"], &created[0]["status"]),
        (&json!(1), &json!("in progress"))
    );
    let (status, body) = server.get("/teams/1/solutions", Some(&server.tokens[0])).await;
    assert_eq!(status, StatusCode::OK);
    let all = parse(&body);
    assert_eq!(all.as_array().map(Vec::len), Some(2), "both are stored and scored");
    assert_eq!(
        (&all[0]["score"], &all[0]["teamId"], &all[0]["tag"]),
        (&json!(307), &json!(1), &json!("a try"))
    );
}

#[tokio::test]
async fn a_wrong_or_missing_token_is_refused() {
    let server = server(SubmissionLimits::default());
    let other = server.tokens[1].clone();
    for password in [None, Some(""), Some("wrong"), Some(other.as_str())] {
        let (status, _) = server.get("/teams/1/solutions", password).await;
        assert_eq!(status, StatusCode::UNAUTHORIZED);
    }
    let (status, _) = server.get("/teams/99/solutions", Some(&server.tokens[0])).await;
    assert_eq!(
        status,
        StatusCode::UNAUTHORIZED,
        "an unknown team gets the same answer as a wrong token"
    );
}

#[tokio::test]
async fn invalid_submissions_are_refused_with_the_reason() {
    let server = server(SubmissionLimits {
        characters: 100,
        tag: 5,
        solutions: 2,
        ..SubmissionLimits::default()
    });
    let entry = |problem: u64, seed: u64, tag: &str, commands: &str| json!({ "problemId": problem, "seed": seed, "tag": tag, "solution": commands });
    let refused = [
        ("{".to_owned(), "no list of solutions"),
        ("[]".to_owned(), "0 solutions; a request has 1 to 2"),
        (json!([{ "problemId": 7, "seed": 0 }]).to_string(), "missing field `solution`"),
        (json!([entry(8, 0, "", "l")]).to_string(), "solution 1: there is no problem 8 here"),
        (json!([entry(7, 1, "", "l")]).to_string(), "solution 1: problem 7 has no seed 1"),
        (
            json!([entry(7, 0, "", "l"), entry(7, 0, "", "a")]).to_string(),
            "solution 2: problem 7, seed 0 is in this request twice",
        ),
        (json!([entry(7, 0, "", &"l".repeat(101))]).to_string(), "101 characters; at most 100"),
        (json!([entry(7, 0, "longer", "l")]).to_string(), "a tag of 6 characters; at most 5"),
        ("[1, 2, 3]".to_owned(), "no list of solutions"),
    ];
    for (body, reason) in refused {
        let (status, said) = server.post(1, body.clone(), "*/*").await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{body}");
        assert!(said.contains(reason), "{body}: {said}");
    }
    let (_, body) = server.get("/teams/1/solutions", Some(&server.tokens[0])).await;
    assert_eq!(body, "[]", "nothing of a bad request is stored");
}

#[tokio::test]
async fn requests_beyond_the_limits_are_refused_for_one_team_only() {
    let limits =
        SubmissionLimits { body_bytes: 1_000, posts_per_minute: 2, ..SubmissionLimits::default() };
    let server = server(limits);
    let (status, said) = server.post(1, solution(0, &"l".repeat(2_000)), "*/*").await;
    assert_eq!(status, StatusCode::PAYLOAD_TOO_LARGE, "{said}");
    assert_eq!(server.post(1, solution(0, DOWN), "*/*").await.0, StatusCode::CREATED);
    let (status, said) = server.post(1, solution(0, DOWN), "*/*").await;
    assert_eq!(status, StatusCode::TOO_MANY_REQUESTS);
    assert!(said.contains("try again in"), "{said}");
    assert_eq!(server.post(2, solution(0, DOWN), "*/*").await.0, StatusCode::CREATED);
}

#[tokio::test]
async fn a_team_stores_no_more_than_its_quota() {
    // A solution takes its characters, those of its tag ("a try"), and 200 bytes.
    let one = SUBMISSION_BYTES + 1_000 + 5;
    let limits = SubmissionLimits { team_bytes: 2 * one, ..SubmissionLimits::default() };
    let server = server(limits);
    let body = || solution(0, &"l".repeat(1_000));
    for _ in 0..2 {
        assert_eq!(server.post(1, body(), "*/*").await.0, StatusCode::CREATED);
    }
    for accept in ["*/*", "application/json"] {
        let (status, said) = server.post(1, body(), accept).await;
        assert_eq!(status, StatusCode::INSUFFICIENT_STORAGE, "{said}");
        let expected = "the solutions take 1205 bytes, and the team has stored 2410 of its 2410 \
                        bytes; the organisers give more room with --quota\n";
        assert_eq!(said, expected);
    }
    let (_, stored) = server.get("/teams/1/solutions", Some(&server.tokens[0])).await;
    assert_eq!(parse(&stored).as_array().map(Vec::len), Some(2));
    let (status, _) = server.post(2, body(), "*/*").await;
    assert_eq!(status, StatusCode::CREATED, "each team has its own");
}

#[tokio::test]
async fn no_byte_of_a_body_is_read_before_the_token() {
    let server = server(SubmissionLimits::default());
    let unread = Body::new(UnreadBody);
    let request = Request::post("/teams/1/solutions")
        .header("authorization", basic("wrong"))
        .body(unread)
        .expect("a request");
    assert_eq!(server.ask(request).await.0, StatusCode::UNAUTHORIZED);
}

/// A body that must not be read.
struct UnreadBody;

impl axum::body::HttpBody for UnreadBody {
    type Data = axum::body::Bytes;
    type Error = std::convert::Infallible;

    fn poll_frame(
        self: std::pin::Pin<&mut Self>,
        _cx: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Option<Result<hyper::body::Frame<Self::Data>, Self::Error>>> {
        panic!("the body of a request without a token was read");
    }
}

#[tokio::test]
async fn the_leaderboard_counts_the_newest_or_the_best() {
    let server = server(SubmissionLimits::default());
    let json = "application/json";
    server.post(1, solution(0, DOWN), json).await;
    server.post(1, solution(5, DOWN), json).await;
    server.post(2, solution(0, DOWN), json).await;
    server.post(2, solution(0, "q"), json).await;
    let (_, body) = server.get("/leaderboard", None).await;
    let board = parse(&body);
    let entries = &board["problems"][0]["entries"];
    assert_eq!((&entries[0]["name"], &entries[0]["score"]), (&json!("one"), &json!(307)));
    assert_eq!((&entries[1]["name"], &entries[1]["score"]), (&json!("two"), &json!(0)));
    let (_, body) = server.get("/leaderboard?counts=best", None).await;
    let board = parse(&body);
    // One of two seeds: half of the sum, rounded down.
    assert_eq!(board["problems"][0]["entries"][1]["score"], 307 / 2);
    assert_eq!(board["overall"][0]["points"], 100.0);
    let (status, said) = server.get("/leaderboard?counts=worst", None).await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
    assert!(said.contains("newest and best"), "{said}");
    let (_, body) = server.get("/problems", None).await;
    assert_eq!(parse(&body)[0]["sourceSeeds"], json!([0, 5]));
}

#[tokio::test]
async fn solutions_left_unscored_are_scored_by_the_next_server() {
    let mut store = Store::in_memory().expect("a store");
    let token = AccessToken::draw().expect("randomness");
    let team = store.add_team("one", &token.hash()).expect("a team").id;
    let new = NewSolution { problem: 7, seed: 0, tag: None, solution: DOWN.to_owned() };
    store.submit(team, &[new]).expect("kept");
    let problem = Problem::from_json(PROBLEM).expect("a problem");
    let problems = BTreeMap::from([(problem.id(), problem)]);
    let limits = SubmissionLimits::default();
    let app = app(SubmissionConfig { problems, phrases: Phrases::known(), store, limits });
    let server = Server { app, tokens: [token.text().to_owned(), String::new()] };
    for _ in 0..500 {
        let (_, body) = server.get("/teams/1/solutions", Some(&server.tokens[0])).await;
        if parse(&body)[0]["score"] == 307 {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    panic!("the solution was not scored");
}
