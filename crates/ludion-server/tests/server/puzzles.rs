//! Mastermind and hexagonal Tetris in the laboratory: requests go to the router, without a socket;
//! they are valid, invalid, for unknown paths, and too large.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{Request, StatusCode};
use ludion::games::hextris::{Phrases, Problem, problems};
use ludion::registry;
use ludion_runs::kinds::WorkKinds;
use ludion_server::lab::LabLimits;
use ludion_server::{
    AccessToken, LabAccess, LabConfig, ServedProblem, laboratory, laboratory_with_admin,
};
use ludion_store::{NewSolution, SolutionScore, Store};
use serde_json::{Value, json};
use tower::ServiceExt;

fn lab(store: Store, limits: LabLimits) -> Router {
    laboratory(config(store, limits))
}

fn config(store: Store, limits: LabLimits) -> LabConfig {
    LabConfig {
        registry: Arc::new(registry::standard()),
        store,
        access: LabAccess::Loopback,
        limits,
        allow_bots: false,
        kinds: WorkKinds::standard(),
        data: None,
        cluster: None,
    }
}

fn open() -> Router {
    lab(Store::in_memory().expect("a store"), LabLimits::of_cores(2))
}

/// Sends a request; returns the status and the body of the response.
async fn ask(app: &Router, request: Request<Body>) -> (StatusCode, String) {
    let response = app.clone().oneshot(request).await.expect("an answer");
    let status = response.status();
    let body = to_bytes(response.into_body(), usize::MAX).await.expect("a body");
    (status, String::from_utf8(body.to_vec()).expect("text"))
}

fn request(path: &str, body: &Value) -> Request<Body> {
    let request = Request::post(path).header("host", "localhost");
    request.body(Body::from(body.to_string())).expect("a request")
}

async fn get(app: &Router, path: &str) -> (StatusCode, Value) {
    let request = Request::get(path).header("host", "localhost");
    let request = request.body(Body::empty()).expect("a request");
    let (status, text) = ask(app, request).await;
    (status, serde_json::from_str(&text).expect("JSON"))
}

async fn post(app: &Router, path: &str, body: Value) -> Value {
    let (status, text) = ask(app, request(path, &body)).await;
    assert_eq!(status, StatusCode::OK, "{text}");
    serde_json::from_str(&text).expect("JSON")
}

/// Returns the events of a stream, each with its name and data.
async fn listen(app: &Router, path: &str, body: Value) -> Vec<(String, Value)> {
    let (status, text) = ask(app, request(path, &body)).await;
    assert_eq!(status, StatusCode::OK, "{text}");
    let field = |block: &str, name: &str| {
        block.lines().find_map(|line| line.strip_prefix(name).map(str::to_owned))
    };
    let event = |block: &str| {
        let data = serde_json::from_str(&field(block, "data: ")?).expect("JSON");
        Some((field(block, "event: ")?, data))
    };
    text.split("\n\n").filter_map(event).collect()
}

/// Returns the data of the last event, which must have this name.
async fn last(app: &Router, path: &str, body: Value, name: &str) -> Value {
    let (last, data) = listen(app, path, body).await.pop().expect("an event");
    assert_eq!(last, name, "{data}");
    data
}

async fn refused(app: &Router, path: &str, cases: &[(u16, Value, &str)]) {
    for (status, body, sentence) in cases {
        let (got, text) = ask(app, request(path, body)).await;
        assert_eq!(got.as_u16(), *status, "{path} {body}: {text}");
        let error: Value = serde_json::from_str(&text).expect("JSON");
        assert!(
            error["error"].as_str().expect("a sentence").contains(sentence),
            "{path} {body}: {text}"
        );
    }
}

/// Returns the default settings of a distribution, with these sizes.
async fn settings(app: &Router, law: usize, pegs: u32, colours: u32) -> Value {
    let (_, about) = get(app, "/api/mastermind").await;
    let mut settings = about["laws"][law]["settings"].clone();
    (settings["pegs"], settings["colours"]) = (json!(pegs), json!(colours));
    settings
}

#[tokio::test]
async fn every_distribution_runs_with_its_default_settings_and_has_a_table() {
    let app = open();
    for law in 0..4 {
        let settings = settings(&app, law, 4, 6).await;
        let request = json!({ "settings": settings, "secret": "1364", "seed": 5 });
        let done = last(&app, "/api/mastermind/run", request.clone(), "done").await;
        assert_eq!(done["secret"], json!([0, 2, 5, 3]));
        let steps = done["steps"].as_array().unwrap();
        assert_eq!(done["outcome"]["iterations"], steps.len());
        let table = steps[0]["table"].as_array().unwrap();
        assert_eq!((table.len(), table[0].as_array().unwrap().len()), (4, 6));
        let again = last(&app, "/api/mastermind/run", request, "done").await;
        assert_eq!(again["steps"], done["steps"], "a run depends only on its seed");
        if law < 3 {
            assert_eq!(done["outcome"]["found"], true, "law {law}");
        }
    }
    let drawn = settings(&app, 0, 40, 40).await;
    let drawn = json!({ "settings": drawn, "seed": 1 });
    let events = listen(&app, "/api/mastermind/run", drawn).await;
    assert_eq!(events.last().unwrap().1["secret"].as_array().unwrap().len(), 40);
    assert!(events.iter().any(|(name, _)| name == "step"), "iterations are streamed");
}

#[tokio::test]
async fn invalid_and_too_large_experiments_are_refused() {
    let app = open();
    let with = |settings: &Value, name: &str, value: Value| {
        let mut settings = settings.clone();
        settings[name] = value;
        json!({ "settings": settings })
    };
    let one = settings(&app, 0, 4, 6).await;
    let two = settings(&app, 1, 6, 4).await;
    let code = |secret: &str| json!({ "settings": one, "secret": secret });
    let cases = [
        (400, with(&one, "pegs", json!(41)), "pegs is at most 40"),
        (400, with(&one, "pegs", json!(0)), "0 pegs"),
        (400, with(&one, "rho", json!(0)), "rho"),
        (400, with(&one, "smoothing", json!(1.5)), "smoothing"),
        (400, with(&one, "d", json!(0)), "d is 0"),
        (400, with(&one, "iterations", json!(100_000)), "iterations is at most 1000"),
        (400, with(&one, "samples", json!({ "fixed": 2_000_000 })), "samples is at most 1000000"),
        (400, with(&one, "law", json!("normal")), "settings.law: unknown word"),
        (400, json!({ "settings": two }), "6 pegs of different colours need at least 6"),
        (400, code("1237"), "expected a colour, 1 to 6, at character 4"),
        (400, json!({}), "missing field `settings`"),
        (413, code(&"1".repeat(70_000)), "at most 65536 bytes"),
    ];
    refused(&app, "/api/mastermind/run", &cases).await;
}

#[tokio::test]
async fn the_chain_has_charts_and_the_exact_distribution() {
    let app = open();
    let (_, about) = get(&app, "/api/mastermind").await;
    let mut look = about["look"].clone();
    (look["pegs"], look["colours"], look["length"]) = (json!(5), json!(8), json!(20_000));
    let request = json!({ "look": look, "seed": 1 });
    let seen = last(&app, "/api/mastermind/chain", request, "seen").await;
    assert_eq!(seen["pegs"].as_array().unwrap().len(), 4);
    assert_eq!(seen["charts"].as_array().unwrap().len(), 3 * 4 + 1);
    assert!(seen["charts"][12].as_str().unwrap().contains("Distance to the centre"));
    for (exact, share) in
        seen["exact"].as_array().unwrap().iter().zip(seen["shares"].as_array().unwrap())
    {
        let gap = (exact.as_f64().unwrap() - share.as_f64().unwrap()).abs();
        assert!(gap < 0.12, "{exact} {share}");
    }
    let with = |name: &str, value: Value| {
        let mut look = look.clone();
        look[name] = value;
        json!({ "look": look })
    };
    let cases = [
        (400, with("length", json!(100_001)), "length is at most 100000"),
        (400, with("burn_in", json!(1_000_000)), "steps of the burn-in is at most"),
        (400, with("thinning", json!(0)), "thinning"),
        (400, with("lambda", json!(-1)), "lambda"),
        (400, with("colours", json!(4)), "5 pegs of different colours"),
    ];
    refused(&app, "/api/mastermind/chain", &cases).await;
}

#[tokio::test]
async fn a_hidden_code_is_found_by_following_the_advice() {
    let app = open();
    for (pegs, colours, repeats, seed) in [(4, 6, true, 7), (3, 8, false, 2), (12, 12, true, 3)] {
        let riddle = json!({ "pegs": pegs, "colours": colours, "repeats": repeats, "seed": seed });
        let with = |name: &str, value: Value| {
            let mut body = riddle.clone();
            body[name] = value;
            body
        };
        let (mut guesses, mut asked) = (Vec::new(), Vec::new());
        loop {
            let body = with("asked", json!(asked));
            let advice = last(&app, "/api/mastermind/advise", body, "advice").await;
            if let Some(found) = advice["found"].as_u64() {
                assert_eq!(found as usize, asked.len());
                break;
            }
            assert!(asked.len() < 25, "{advice}");
            guesses.push(advice["guess"].as_str().unwrap().to_owned());
            let body = with("guesses", json!(guesses));
            let answers = post(&app, "/api/mastermind/answer", body).await;
            let answer = answers["asked"].as_array().unwrap().last().unwrap();
            let text = format!("{}b{}w", answer["black"], answer["white"]);
            asked.push(json!({ "guess": answer["guess"], "answer": text }));
        }
        let answers = post(&app, "/api/mastermind/answer", with("guesses", json!(guesses))).await;
        assert_eq!(
            (&answers["solved"], &answers["secret"]),
            (&json!(true), &json!(guesses.last()))
        );
    }
}

#[tokio::test]
async fn advice_counts_codes_gives_hints_and_names_contradictory_answers() {
    let app = open();
    let riddle = |asked: Value, strategy: &str, hints: u32| json!({ "pegs": 4, "colours": 6, "asked": asked, "strategy": strategy, "hints": hints });
    let path = "/api/mastermind/advise";
    // Knuth (1977): after 1122 answered by one black peg 256 codes are left.
    let one = json!([{ "guess": "1122", "answer": "1b" }]);
    let advice = last(&app, path, riddle(one.clone(), "minimax", 3), "advice").await;
    assert_eq!((&advice["left"], &advice["guess"]), (&json!(256), &json!("1344")));
    assert_eq!(advice["asked"][0]["left"], 256);
    assert!((advice["asked"][0]["bits"].as_f64().unwrap() - 2.885).abs() < 1e-3);
    assert_eq!(advice["candidates"].as_array().unwrap().len(), 200, "not all are listed");
    assert_eq!(advice["hints"].as_array().unwrap().len(), 3);
    let quiet = last(&app, path, riddle(one, "", 0), "advice").await;
    assert_eq!((&quiet["guess"], &quiet["hints"]), (&Value::Null, &Value::Null));
    let wrong = json!([
        { "guess": "1111", "answer": "2b" },
        { "guess": "2345", "answer": "1w" },
        { "guess": "1111", "answer": "1b" }
    ]);
    let advice = last(&app, path, riddle(wrong, "auto", 0), "advice").await;
    assert_eq!(advice["conflict"], json!({ "questions": [1, 3], "smallest": true }));
    assert!(advice["sentence"].as_str().unwrap().starts_with("no code fits answers 1 and 3"));
    let large = json!({ "pegs": 40, "colours": 40, "asked": [] });
    let advice = last(&app, path, large, "advice").await;
    assert_eq!((&advice["left"], &advice["strategy"]), (&Value::Null, &json!("mixed")));

    let said = |guess: &str, answer: &str| json!([{ "guess": guess, "answer": answer }]);
    let cases = [
        (400, riddle(said("112", "1b"), "auto", 0), "guess 1: \"112\": 3 colours"),
        (400, riddle(said("1122", "3b1w"), "auto", 0), "the last one cannot be white"),
        (404, riddle(json!([]), "entropie", 0), "did you mean entropy?"),
        (400, json!({ "pegs": 5, "colours": 8, "strategy": "optimal" }), "takes too long"),
        (400, json!({ "pegs": 4 }), "missing field `colours`"),
        (400, json!({ "pegs": 4, "colours": 2, "repeats": false }), "need at least 4 colours"),
        (413, riddle(said(&"1".repeat(70_000), "1b"), "auto", 0), "65536"),
    ];
    refused(&app, path, &cases).await;
    let many = json!({ "pegs": 4, "colours": 6, "guesses": vec!["1111"; 101] });
    let cases = [
        (400, many, "101 guesses are too many"),
        (400, json!({ "pegs": 4, "colours": 6, "guesses": ["11x1"] }), "expected a colour"),
        (413, json!({ "guesses": ["1".repeat(70_000)] }), "65536"),
    ];
    refused(&app, "/api/mastermind/answer", &cases).await;
    let kept = json!({ "pegs": 4, "colours": 6, "guesses": [], "give_up": true });
    assert!(post(&app, "/api/mastermind/answer", kept).await["secret"].is_string());
}

#[tokio::test]
async fn a_replay_has_the_placement_and_the_points_after_every_character() {
    let app = open();
    let (_, all) = get(&app, "/api/hextris").await;
    assert_eq!(all["problems"][0]["name"], "dot");
    assert_eq!(all["phrases"].as_array().unwrap().len(), 18);
    let dot = post(&app, "/api/hextris/problem", json!({ "problem": "dot" })).await;
    assert_eq!(dot["rows"], json!(["....", "....", "....", "....", "...."]));
    assert_eq!(dot["shapes"][0]["turns"], json!([[[0, 0]]]));
    // The example of the tests of the command line: four dots fill the last row.
    let solution = json!({
        "problem": "dot", "seed": 0, "solution": "alala", "phrases": ["ala"]
    });
    let told = post(&app, "/api/hextris/replay", solution.clone()).await;
    assert_eq!(told["frames"]["what"], "mmmml");
    assert_eq!(told["frames"]["y"], json!([1, 2, 3, 4, 0]), "the next unit appears at the top");
    assert_eq!(told["spelled"], json!([{ "at": 2, "phrase": 0 }, { "at": 4, "phrase": 0 }]));
    assert_eq!(told["locks"], json!([{ "at": 4, "lines": 0, "points": 1 }]));
    assert_eq!(told["verdict"]["score"], 1 + 300 + 2 * 2 * 3);
    // Only the new frames, as the page requests them during play.
    let mut rest = solution;
    rest["from"] = json!(4);
    let rest = post(&app, "/api/hextris/replay", rest).await;
    assert_eq!((&rest["frames"]["what"], &rest["verdict"]), (&json!("l"), &told["verdict"]));
    let west = json!({ "problem": "dot", "seed": 0, "solution": "p" });
    let west = post(&app, "/api/hextris/replay", west).await;
    assert_eq!(west["legal"], json!([true, false, true, true, false, false]), "no move back");
}

#[tokio::test]
async fn solutions_are_scored_with_the_exact_place_of_an_error() {
    let app = open();
    let score =
        |problem: Value, solutions: &str| json!({ "problem": problem, "solutions": solutions });
    let path = "/api/hextris/score";
    let back = post(&app, path, score(json!("dot"), "pb")).await;
    assert_eq!(back[0]["verdict"]["score"], 0);
    let complaint = "character 2 ('b') brings the unit back to where it was when it came: pivot \
                     (1, 0), turn 0";
    assert_eq!(back[0]["complaint"], complaint);
    let list = json!([
        { "problemId": 1001, "seed": 0, "solution": "alala" },
        { "problemId": 1003, "seed": 99, "tag": "x", "solution": "a" },
        { "problemId": 1001, "seed": 0, "solution": "a6" }
    ]);
    let scored = post(&app, path, score(json!("dot"), &list.to_string())).await;
    assert_eq!(scored[0]["complaint"], Value::Null);
    assert_eq!((&scored[1]["problem"], &scored[1]["tag"]), (&json!("corner"), &json!("x")));
    assert_eq!(scored[1]["complaint"], "the problem has no such seed");
    assert_eq!(scored[2]["complaint"], "character 2 ('6') is no command");
    // A problem of the user, as text and as JSON.
    let own = json!({
        "id": 7, "width": 2, "height": 2, "sourceLength": 1, "sourceSeeds": [3], "filled": [],
        "units": [{ "members": [{ "x": 0, "y": 0 }], "pivot": { "x": 0, "y": 0 } }]
    });
    for problem in [own.clone(), json!(own.to_string())] {
        let scored = post(&app, path, score(problem, "a")).await;
        assert_eq!(
            (&scored[0]["seed"], &scored[0]["verdict"]["status"]),
            (&json!(3), &json!("ended"))
        );
    }
    let mut wide = own.clone();
    wide["width"] = json!(1000);
    let unknown = json!([{ "problemId": 5, "seed": 0, "solution": "a" }]).to_string();
    let cases = [
        (400, score(wide, "a"), "the problem: width: 1000 is not from 1 to 128"),
        (400, score(json!("dot"), "[{}]"), "the solutions: [0]: missing field `problemId`"),
        (400, score(json!("dot"), &unknown), "[0].problemId: 5 is neither 1001"),
        (404, score(json!("dott"), "a"), "did you mean dot?"),
        (413, score(json!("dot"), &"a".repeat(5 << 20)), "at most 4194304 bytes"),
    ];
    refused(&app, path, &cases).await;
    let seed = json!({ "problem": "dot", "seed": 4, "solution": "" });
    let empty = json!({ "problem": "dot", "seed": 0, "solution": "", "phrases": [""] });
    let cases = [
        (400, seed, "the problem has no seed 4; it has 0"),
        (400, empty, "phrase 1 is empty"),
        (404, json!({ "problem": "x", "seed": 0, "solution": "" }), "no problem is called \"x\""),
        (413, json!({ "problem": "a".repeat(5 << 20) }), "at most 4194304 bytes"),
    ];
    refused(&app, "/api/hextris/replay", &cases).await;
    let cases = [
        (404, json!({ "problem": "x" }), "there are dot, pair"),
        (400, json!({ "problem": {} }), "the problem: problem: missing field `id`"),
        (413, json!({ "problem": "a".repeat(5 << 20) }), "at most 4194304 bytes"),
    ];
    refused(&app, "/api/hextris/problem", &cases).await;
}

#[tokio::test]
async fn the_solver_streams_its_progress_and_the_referee_confirms_its_scores() {
    let app = open();
    let request = json!({ "problem": "corner", "seconds": 0.6, "phrases": ["ei!"] });
    let mut events = listen(&app, "/api/hextris/solve", request).await;
    let (name, done) = events.pop().unwrap();
    assert_eq!(name, "done");
    assert!(events.iter().any(|(name, _)| name == "progress"));
    assert!(events.iter().any(|(name, _)| name == "solved"), "games can be replayed at once");
    let better = events.iter().find(|(name, _)| name == "better").expect("the best so far");
    assert!(better.1["commands"].as_str().is_some_and(|commands| !commands.is_empty()));
    let solved = done["solved"].as_array().unwrap();
    assert!(!solved.is_empty() && done["mean"].as_u64().unwrap() > 0);
    for game in solved {
        let replay = json!({
            "problem": "corner", "seed": game["seed"], "solution": game["commands"],
            "phrases": ["ei!"]
        });
        let told = post(&app, "/api/hextris/replay", replay).await;
        assert_eq!(told["verdict"], game["verdict"]);
        assert_eq!(told["complaint"], Value::Null);
    }
    let solve = |problem: &str, seconds: f64| json!({ "problem": problem, "seconds": seconds });
    let mut other = solve("corner", 1.0);
    other["seeds"] = json!([4711]);
    let cases = [
        (400, solve("corner", 1e6), "1000000 seconds are not allowed; 0.1 to 120 are"),
        (400, solve("corner", 0.0), "0 seconds are not allowed"),
        (404, solve("cornre", 1.0), "did you mean corner?"),
        (400, other, "the problem has no seed 4711"),
        (413, json!({ "problem": "a".repeat(5 << 20) }), "at most 4194304 bytes"),
    ];
    refused(&app, "/api/hextris/solve", &cases).await;
}

#[tokio::test]
async fn a_solver_stops_when_its_client_disconnects() {
    let limits = LabLimits { searches: 1, queue: 0, ..LabLimits::of_cores(1) };
    let app = lab(Store::in_memory().expect("a store"), limits);
    let solve = |seconds: f64| {
        let body = json!({ "problem": "dot", "seconds": seconds });
        request("/api/hextris/solve", &body)
    };
    let long = app.clone().oneshot(solve(100.0)).await.expect("an answer");
    assert_eq!(long.status(), StatusCode::OK);
    assert_eq!(ask(&app, solve(0.2)).await.0, StatusCode::TOO_MANY_REQUESTS);
    drop(long);
    let gone = Instant::now();
    while ask(&app, solve(0.2)).await.0 != StatusCode::OK {
        assert!(gone.elapsed() < Duration::from_secs(20), "the solver still runs");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

#[tokio::test]
async fn the_leaderboard_is_that_of_the_contest() {
    let mut store = Store::in_memory().expect("a store");
    let app = open();
    let (_, empty) = get(&app, "/api/hextris/leaderboard").await;
    assert_eq!((&empty["teams"], &empty["overall"]), (&json!(0), &json!([])));
    for (name, score) in [("ants", 10), ("bees", 20)] {
        let team = store.add_team(name, &AccessToken::from_text(name).hash()).unwrap().id;
        let solution = "a".to_owned();
        let new = NewSolution { problem: 1001, seed: 0, tag: None, solution };
        let id = store.submit(team, &[new]).unwrap()[0];
        let status = "in progress".to_owned();
        store.set_score(id, &SolutionScore { status, score, power: 0, phrases: 0 }).unwrap();
    }
    let app = lab(store, LabLimits::of_cores(1));
    let (_, board) = get(&app, "/api/hextris/leaderboard?counts=best").await;
    let names: Vec<&str> =
        board["overall"].as_array().unwrap().iter().map(|t| t["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["bees", "ants"]);
    assert_eq!(
        (&board["overall"][1]["points"], &board["names"]["1001"]),
        (&json!(25.0), &json!("dot"))
    );
    let (status, wrong) = get(&app, "/api/hextris/leaderboard?counts=oldest").await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
    assert!(wrong["error"].as_str().unwrap().contains("allowed are newest and best"));
}

/// Returns a store with the solutions of two teams for a problem with this number.
fn store_with_solutions(problem: u32) -> Store {
    let mut store = Store::in_memory().expect("a store");
    for (name, scores) in [("ants", vec![Some(10), None]), ("bees", vec![Some(20)])] {
        let team = store.add_team(name, &AccessToken::from_text(name).hash()).expect("a team").id;
        for score in scores {
            let new = NewSolution {
                problem: problem.into(),
                seed: 0,
                tag: Some("first".to_owned()),
                solution: "alala".to_owned(),
            };
            let id = store.submit(team, &[new]).expect("a submission")[0];
            if let Some(score) = score {
                let status = "in progress".to_owned();
                let scored = SolutionScore { status, score, power: 0, phrases: 0 };
                store.set_score(id, &scored).expect("a score");
            }
        }
    }
    store
}

#[tokio::test]
async fn submissions_to_a_served_problem_are_ranked_and_read_without_tokens() {
    let mut store = store_with_solutions(77);
    let mut json = problems::find("dot").unwrap().problem().json().clone();
    json.id = 77;
    let problem = Problem::new(json).unwrap();
    let phrases = Phrases::new(["ei!"]).unwrap();
    ServedProblem::new(&problem, &phrases).put(&mut store).unwrap();
    let app = lab(store, LabLimits::of_cores(1));
    let (_, all) = get(&app, "/api/hextris/submissions").await;
    let listed = json!([{ "problem": 77, "submissions": 3, "teams": 2, "best": 20,
        "name": null, "known": true }]);
    assert_eq!(all, listed);
    let (_, found) = get(&app, "/api/hextris/submissions/77").await;
    assert_eq!((&found["phrases"], &found["left_out"]), (&json!(["ei!"]), &json!(0)));
    assert_eq!((&found["problem"]["id"], &found["about"]["width"]), (&json!(77), &json!(4)));
    let rows = found["submissions"].as_array().unwrap().iter();
    let rows: Vec<Value> =
        rows.map(|one| json!([one["name"], one["score"], one["newest"]])).collect();
    assert_eq!(
        rows,
        [json!(["bees", 20, true]), json!(["ants", 10, false]), json!(["ants", null, true])]
    );
    let (_, one) = get(&app, "/api/hextris/solutions/1").await;
    assert_eq!((&one["solution"], &one["name"]), (&json!("alala"), &json!("ants")));
    let (_, board) = get(&app, "/api/hextris/leaderboard?counts=best").await;
    let first = &board["problems"][0];
    assert_eq!((&first["problem"], &first["entries"][0]["name"]), (&json!(77), &json!("bees")));
    for text in [found.to_string(), one.to_string(), all.to_string()] {
        assert!(!text.contains("token"), "{text}");
    }
}

#[tokio::test]
async fn unknown_problems_and_submissions_are_not_found() {
    let app = lab(store_with_solutions(78), LabLimits::of_cores(1));
    let (_, found) = get(&app, "/api/hextris/submissions/78").await;
    assert_eq!(
        (&found["problem"], found["submissions"].as_array().unwrap().len()),
        (&Value::Null, 3)
    );
    let (_, built_in) = get(&app, "/api/hextris/submissions/1001").await;
    assert_eq!((&built_in["name"], &built_in["submissions"]), (&json!("dot"), &json!([])));
    for (path, said) in [
        ("submissions/79", "there is no problem 79"),
        ("submissions/x", "there is no problem \"x\""),
        ("solutions/9", "there is no submission 9"),
        ("solutions/-", "there is no submission \"-\""),
    ] {
        let (status, wrong) = get(&app, &format!("/api/hextris/{path}")).await;
        assert_eq!((status, wrong["error"].as_str()), (StatusCode::NOT_FOUND, Some(said)));
    }
}

#[tokio::test]
async fn placements_are_drawn_for_any_unit_of_a_solution() {
    let app = open();
    let path = "/api/hextris/placements";
    let body = |locked: u32| json!({ "problem": "dot", "seed": 0, "solution": "alalaa", "locked": locked });
    for locked in [0, 1] {
        let (status, svg) = ask(&app, request(path, &body(locked))).await;
        assert_eq!(status, StatusCode::OK);
        assert!(svg.starts_with("<svg") && svg.contains("the path"), "{svg}");
    }
    let (status, wrong) = ask(&app, request(path, &body(2))).await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
    assert_eq!(wrong, r#"{"error":"no unit comes after 2 of this solution"}"#);
}

/// Sends a request with an admin token; returns the status and the JSON of the response.
async fn ask_as(app: &Router, admin: &str, method: &str, path: &str, body: Value) -> (u16, Value) {
    let request = Request::builder().method(method).uri(path).header("host", "localhost");
    let request = request.header("x-ludion-admin", admin).body(Body::from(body.to_string()));
    let (status, text) = ask(app, request.expect("a request")).await;
    (status.as_u16(), serde_json::from_str(&text).expect("JSON"))
}

#[tokio::test]
async fn teams_are_managed_with_the_admin_token_alone() {
    let store = Store::in_memory().expect("a store");
    let view = store.reopen().expect("the same store");
    let admin = AccessToken::from_text("the-admin");
    let app = laboratory_with_admin(config(store, LabLimits::of_cores(2)), admin);
    let teams = "/api/hextris/teams";
    let (status, added) =
        ask_as(&app, "the-admin", "POST", teams, json!({ "name": " Ants " })).await;
    assert_eq!((status, &added["name"]), (201, &json!("Ants")));
    let token = AccessToken::from_text(added["token"].as_str().expect("a token"));
    assert_eq!(view.token_hash(1).expect("a hash"), Some(token.hash()), "only the hash is stored");
    let (status, again) = ask_as(&app, "the-admin", "POST", teams, json!({ "name": "Ants" })).await;
    assert_eq!(status, 400, "{again}");
    let (status, renewed) =
        ask_as(&app, "the-admin", "POST", &format!("{teams}/1/token"), json!({})).await;
    assert!(status == 200 && renewed["token"] != added["token"], "{renewed}");
    let (_, listed) = ask_as(&app, "the-admin", "GET", teams, json!({})).await;
    assert_eq!(listed["teams"][0]["name"], "Ants");
    let unknown = ask_as(&app, "the-admin", "POST", &format!("{teams}/9/remove"), json!({})).await;
    assert_eq!(unknown.0, 404, "{}", unknown.1);
    for (method, path) in [("GET", teams), ("POST", teams), ("POST", "/api/hextris/teams/1/remove")]
    {
        let (status, refused) =
            ask_as(&app, "another", method, path, json!({ "name": "Bees" })).await;
        assert_eq!(status, 403, "{refused}");
        let (status, _) =
            ask_as(&open(), "the-admin", method, path, json!({ "name": "Bees" })).await;
        assert_eq!(status, 403, "a laboratory without an admin token has no admin");
    }
    assert_eq!(view.teams().expect("teams").len(), 1);
    let (status, _) =
        ask_as(&app, "the-admin", "POST", &format!("{teams}/1/remove"), json!({})).await;
    assert!(status == 200 && view.teams().expect("teams").is_empty());
}
