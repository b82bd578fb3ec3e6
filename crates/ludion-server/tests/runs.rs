//! Runs in the laboratory, as a browser sees them: requests go to the router, without a socket.
//! They are begun, watched, paused, resumed, repeated and forgotten; every route is asked
//! rightly, wrongly, for what there is not, and for too much.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{HeaderMap, Request, StatusCode};
use ludion::arena::executor::Work;
use ludion::player::Unit;
use ludion::players::remote::{Answer, Question, Voice};
use ludion::registry::{NamedVoice, PlayerInfo, Registry};
use ludion_plot::Chart;
use ludion_runs::study::{self, Conducted, Found, Inquiry};
use ludion_runs::{Error, Picture};
use ludion_server::lab::{Limits, RunLimits};
use ludion_server::{Access, Lab, laboratory};
use ludion_store::{Output, Store, Study};
use serde_json::{Value, json};
use tower::ServiceExt;

/// Plays the first legal move, as a program of somebody's own.
struct Stranger;

impl Voice for Stranger {
    fn begin(&mut self, _game: &str, _seed: u64) {}

    fn ask(&mut self, question: &Question<'_>) -> Result<Answer, String> {
        Ok(Answer { play: question.legal[0].clone(), ..Answer::default() })
    }

    fn dismiss(&mut self) {}
}

/// A study whose jobs square their numbers, slowly.
struct Squares;

impl Work for Squares {
    type Worker = ();
    type Output = u64;

    fn worker(&self) {}

    fn job(&self, (): &mut (), number: u64) -> u64 {
        std::thread::sleep(Duration::from_millis(2));
        number * number
    }
}

impl Inquiry for Squares {
    const KIND: &'static str = "squares";

    fn of(_study: &Study) -> Result<Self, Error> {
        Ok(Squares)
    }

    fn live(&self, outputs: &[Output<u64>]) -> String {
        format!("{} squares", outputs.len())
    }

    fn found(&self, conducted: &Conducted<u64>) -> Result<Found, Error> {
        let sum: u64 = conducted.outputs.iter().map(|output| output.value).sum();
        Found::new(&json!({ "sum": sum }), Picture::Chart(Chart::default()))
    }
}

fn lab(store: Store, limits: Limits, allow_bots: bool) -> Router {
    const SPENDS: &[Unit] = &[];
    let info = PlayerInfo { name: "stranger", help: "a program", params: &[], spends: SPENDS };
    let voice = NamedVoice { info, make: Arc::new(|_| Ok(Box::new(Stranger))) };
    let registry = Arc::new(Registry::standard().with_voice(voice));
    let studies = vec![study::Kind::of::<Squares>()];
    laboratory(Lab {
        registry,
        store,
        access: Access::Loopback,
        limits,
        allow_bots,
        studies,
        data: None,
        cluster: None,
    })
}

fn open() -> Router {
    lab(Store::in_memory().expect("a store"), Limits::of_cores(2), false)
}

/// Everything of an answer.
struct Got {
    status: StatusCode,
    headers: HeaderMap,
    text: String,
}

impl Got {
    fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|_| panic!("JSON: {}", self.text))
    }

    /// The number of the run that was begun.
    fn run(&self) -> i64 {
        self.json()["run"].as_i64().unwrap_or_else(|| panic!("a run: {}", self.text))
    }

    fn refused(&self, status: u16, sentence: &str) {
        assert_eq!(self.status.as_u16(), status, "{}", self.text);
        let said = self.json()["error"].as_str().expect("a sentence").to_owned();
        assert!(said.contains(sentence), "{said:?} has no {sentence:?}");
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

/// Listens to a run until it ends, and gives its last standing.
async fn ended(app: &Router, run: i64) -> Value {
    let told = get(app, &format!("/api/runs/{run}/live")).await.text;
    let last = told.split("\n\n").filter(|block| block.contains("data:")).last().expect("news");
    assert!(last.starts_with("event: end"), "{last}");
    let data = last.lines().find_map(|line| line.strip_prefix("data: ")).expect("data");
    serde_json::from_str(data).expect("JSON")
}

/// Asks for a run until it is in this phase.
async fn until(app: &Router, run: i64, phase: &str) -> Value {
    let since = Instant::now();
    loop {
        let details = get(app, &format!("/api/runs/{run}")).await.json();
        if details["phase"] == phase {
            return details;
        }
        assert!(since.elapsed() < Duration::from_secs(60), "never {phase}: {details}");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

fn duel(pairs: u64) -> Value {
    let players = ["minimax(depth=2)", "random"];
    json!({ "kind": "match", "game": "tictactoe", "players": players, "pairs": pairs, "seed": 7 })
}

/// A match that takes its time.
fn long() -> Value {
    let players = ["montecarlo(sims=300)", "montecarlo(sims=200)"];
    json!({ "kind": "match", "game": "connect4", "players": players, "pairs": 2000 })
}

#[tokio::test]
async fn a_match_is_played_told_kept_and_replayable_and_repeats_itself() {
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
    assert!(number("wins") > number("losses"), "looking ahead helps: {figures}");
    assert_eq!((&details["kind"], &details["done"]), (&json!("match"), &json!(40)));
    assert_eq!((&details["seed"], &details["picture"]), (&json!(7), &Value::Null));

    let page = get(&app, &format!("/api/runs/{run}/games?from=38&count=5")).await.json();
    assert_eq!((&page["total"], page["games"].as_array().unwrap().len()), (&json!(40), 2));
    let game = get(&app, &format!("/api/runs/{run}/games/39")).await.json();
    assert_eq!(game["players"], json!(["random", "minimax(depth=2)"]), "seats are swapped");
    let opening = game["opening"].as_array().unwrap().iter();
    let moves = game["moves"].as_array().unwrap().iter().map(|ply| &ply["play"]);
    let line: Vec<&str> = opening.chain(moves).map(|m| m.as_str().unwrap()).collect();
    let place = json!({ "game": game["game"], "moves": line.join(" ") });
    let last = post(&app, "/api/position", place).await.json();
    assert_eq!(last["result"], game["ended"], "the moves lead to the end that is told");

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
async fn tournaments_championships_and_tunings_come_with_their_standings_and_pictures() {
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
async fn a_run_is_paused_resumed_and_cancelled_and_the_next_waits_for_its_turn() {
    let runs = RunLimits { at_once: 1, queue: 1, ..RunLimits::default() };
    let limits = Limits { runs, ..Limits::of_cores(2) };
    let app = lab(Store::in_memory().expect("a store"), limits, false);
    let first = post(&app, "/api/runs", long()).await.run();
    until(&app, first, "running").await;
    let second = post(&app, "/api/runs", duel(3)).await.run();
    assert_eq!(get(&app, &format!("/api/runs/{second}")).await.json()["phase"], "queued");
    post(&app, "/api/runs", duel(3)).await.refused(429, "too many runs wait");
    let paused = post(&app, &format!("/api/runs/{first}/pause"), "{}").await;
    assert_eq!(paused.json()["phase"], "stopping");
    assert_eq!(ended(&app, second).await["phase"], "finished", "it was its turn");
    let kept = until(&app, first, "stopped").await["done"].as_u64().unwrap();
    assert!(kept < 4000, "it was stopped on its way");
    post(&app, &format!("/api/runs/{first}/pause"), "{}").await.refused(409, "not under way");
    post(&app, &format!("/api/runs/{second}/resume"), "{}").await.refused(409, "is finished");

    assert_eq!(post(&app, &format!("/api/runs/{first}/resume"), "{}").await.status, StatusCode::OK);
    until(&app, first, "running").await;
    post(&app, &format!("/api/runs/{first}/resume"), "{}").await.refused(409, "under way already");
    let more = until(&app, first, "running").await["done"].as_u64().unwrap();
    assert!(more >= kept, "what was kept is not played again");
    assert_eq!(post(&app, &format!("/api/runs/{first}/forget"), "{}").await.status, StatusCode::OK);
    ended(&app, first).await;
    get(&app, &format!("/api/runs/{first}")).await.refused(404, "there is no run");
    assert_eq!(
        post(&app, &format!("/api/runs/{second}/forget"), "{}").await.status,
        StatusCode::OK
    );
    get(&app, &format!("/api/runs/{second}")).await.refused(404, "there is no run");
}

#[tokio::test]
async fn runs_that_are_refused_are_not_kept_and_those_that_leave_the_line_leave_nothing() {
    let runs = RunLimits { at_once: 1, queue: 3, ..RunLimits::default() };
    let app =
        lab(Store::in_memory().expect("a store"), Limits { runs, ..Limits::of_cores(2) }, false);
    let first = post(&app, "/api/runs", long()).await.run();
    until(&app, first, "running").await;
    let requests: Vec<_> = (0..40)
        .map(|i| {
            let app = app.clone();
            let path = if i % 2 == 0 {
                "/api/runs".to_owned()
            } else {
                format!("/api/runs/{first}/repeat")
            };
            tokio::spawn(async move { post(&app, &path, duel(3)).await })
        })
        .collect();
    let mut begun = vec![first];
    for request in requests {
        let got = request.await.expect("an answer");
        match got.status {
            StatusCode::CREATED => begun.push(got.run()),
            _ => got.refused(429, "too many runs wait"),
        }
    }
    assert_eq!(begun.len(), 4, "one plays, three wait");
    let kept = get(&app, "/api/runs").await.json();
    assert_eq!(kept["total"], 4, "{kept}");
    // Pausing and resuming one that waits piles nothing up.
    let tasks = || tokio::runtime::Handle::current().metrics().num_alive_tasks();
    let (before, waits) = (tasks(), begun[3]);
    for _ in 0..20 {
        let paused = post(&app, &format!("/api/runs/{waits}/pause"), "{}").await.json();
        assert_eq!(paused["phase"], "stopped");
        let resumed = post(&app, &format!("/api/runs/{waits}/resume"), "{}").await;
        assert_eq!(resumed.status, StatusCode::OK, "{}", resumed.text);
    }
    tokio::time::sleep(Duration::from_millis(50)).await;
    assert!(tasks() <= before + 2, "{} tasks were {before}", tasks());
    for run in begun {
        post(&app, &format!("/api/runs/{run}/forget"), "{}").await;
        ended_or_gone(&app, run).await;
    }
}

/// Waits until a run that was cancelled is forgotten.
async fn ended_or_gone(app: &Router, run: i64) {
    let since = Instant::now();
    while get(app, &format!("/api/runs/{run}")).await.status != StatusCode::NOT_FOUND {
        assert!(since.elapsed() < Duration::from_secs(60), "run {run} stays");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

#[tokio::test]
async fn figures_are_told_to_a_watcher_when_they_change() {
    let app = open();
    let order = json!({
        "kind": "tuning", "game": "tictactoe", "players": ["montecarlo(sims=?1..60)"], "pairs": 40,
        "generations": 3, "against": "montecarlo(sims=30)"
    });
    let run = post(&app, "/api/runs", order).await.run();
    let told = get(&app, &format!("/api/runs/{run}/live")).await.text;
    let news: Vec<Value> = told
        .lines()
        .filter_map(|line| line.strip_prefix("data: "))
        .map(|data| serde_json::from_str(data).expect("JSON"))
        .collect();
    let (_, before) = news.split_last().expect("news");
    let figures: Vec<&Value> = before.iter().filter_map(|one| one.get("figures")).collect();
    assert!(figures.windows(2).all(|two| two[0] != two[1]), "nothing is told twice");
    assert!(
        !figures.is_empty() && figures.len() < before.len(),
        "{} of {}",
        figures.len(),
        before.len()
    );
    let places = before.iter().filter(|one| one["generation"].is_u64());
    assert!(places.clone().count() > 0);
    assert!(
        places.clone().all(|one| one["generations"] == 3 && one["generation"].as_u64() <= Some(3))
    );
}

#[tokio::test]
async fn a_run_of_a_server_that_is_gone_is_resumed_by_the_next_and_held_by_one_at_a_time() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("lab.sqlite");
    let limits = Limits::of_cores(2);
    let at = |path: &Path| lab(Store::open(path).expect("a store"), limits, false);
    let app = at(&path);
    let run = post(&app, "/api/runs", long()).await.run();
    until(&app, run, "running").await;
    // Another program sees it, and leaves it alone.
    let other = at(&path);
    until(&other, run, "elsewhere").await;
    for verb in ["resume", "forget"] {
        let got = post(&other, &format!("/api/runs/{run}/{verb}"), "{}").await;
        got.refused(409, "being played by another program");
    }
    post(&other, &format!("/api/runs/{run}/pause"), "{}").await.refused(409, "another program");
    // As if the first had been killed: its run is not finished, and nobody holds it.
    post(&app, &format!("/api/runs/{run}/pause"), "{}").await;
    let kept = until(&other, run, "stopped").await["done"].as_u64().unwrap();
    let mut store = Store::open(&path).expect("a store");
    store.set_state(run, ludion_store::State::Running).expect("written");
    let details = get(&other, &format!("/api/runs/{run}")).await.json();
    assert_eq!((&details["phase"], details["done"].as_u64()), (&json!("stopped"), Some(kept)));
    assert_eq!(post(&other, &format!("/api/runs/{run}/resume"), "{}").await.status, StatusCode::OK);
    until(&app, run, "elsewhere").await;
    post(&other, &format!("/api/runs/{run}/forget"), "{}").await;
    ended(&other, run).await;
    get(&app, &format!("/api/runs/{run}")).await.refused(404, "there is no run");
}

#[tokio::test]
async fn orders_that_are_wrong_or_too_large_get_a_sentence_and_nothing_is_begun() {
    let app = open();
    let cases = [
        (400, json!({ "players": ["random"] }), "a match needs two players, and there are 1"),
        (400, json!({ "kind": "tournament", "players": ["random"] }), "at least two players"),
        (400, json!({ "kind": "championship", "players": ["mcts"] }), "1..50"),
        (400, json!({ "kind": "tuning", "players": ["mcts"] }), "leaves no parameter open"),
        (400, json!({ "kind": "league" }), "kind: unknown variant `league`"),
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
        (400, json!({ "budget": "3 weeks" }), "is no budget"),
        (
            400,
            json!({ "budget": "600s", "players": ["mcts", "random"] }),
            "600 s a move are too many",
        ),
        (400, json!({ "budget": "10nodes" }), "nobody here understands a budget"),
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
    let friendly = lab(Store::in_memory().expect("a store"), Limits::of_cores(1), true);
    let order = json!({ "kind": "match", "game": "tictactoe", "players": ["stranger", "random"], "pairs": 1 });
    let run = post(&friendly, "/api/runs", order).await.run();
    assert_eq!(ended(&friendly, run).await["phase"], "finished");
}

#[tokio::test]
async fn what_there_is_not_is_not_found_and_pages_have_ends() {
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
    get(&app, &format!("/api/runs/{run}/plot.svg")).await.refused(404, "without a picture");
    get(&app, &format!("/api/runs/{run}/export.csv?table=x")).await.refused(400, "table");
    let csv = get(&app, &format!("/api/runs/{run}/export.csv")).await;
    assert_eq!(
        csv.headers["content-disposition"],
        format!("attachment; filename=\"ludion-run{run}-games.csv\"")
    );
    assert_eq!(csv.text.lines().count(), 5, "names, and a line a game");
    let moves = get(&app, &format!("/api/runs/{run}/export.csv?table=moves")).await;
    assert!(moves.text.starts_with("run,game,ply,player"), "{}", moves.text);
    let all = get(&app, &format!("/api/runs/{run}/export.json")).await.json();
    assert_eq!(all["games"].as_array().unwrap().len(), 4);
}

#[tokio::test]
async fn studies_are_looked_at_resumed_and_repeated_and_unknown_kinds_are_only_listed() {
    let mut store = Store::in_memory().expect("a store");
    let study = |kind: &str| {
        let (kind, about) = (kind.to_owned(), "numbers".to_owned());
        Study { kind, about, jobs: 50, seed: 3, settings: json!({}) }
    };
    let squares = store.begin_study(&study("squares")).expect("kept");
    let large = Study { jobs: 1_000_000, ..study("squares") };
    let large = store.begin_study(&large).expect("kept");
    let strange = store.begin_study(&study("cubes")).expect("kept");
    let app = lab(store, Limits::of_cores(2), false);
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
        .refused(400, "does not know a cubes");
}
