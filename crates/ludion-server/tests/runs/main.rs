//! Runs in the laboratory, as a browser sees them: requests go to the router, without a socket.
//! They are begun, watched, paused, resumed, repeated and forgotten; every route is asked
//! rightly, wrongly, for what there is not, and for too much.

mod figures;
mod refusals;
mod steering;

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{HeaderMap, Request, StatusCode};
use ludion::arena::executor::JobSet;
use ludion::player::BudgetUnit;
use ludion::players::text_player::{TextMoveReply, TextMoveRequest, TextPlayer};
use ludion::registry::{NamedTextPlayer, PlayerInfo, Registry};
use ludion_plot::Chart;
use ludion_runs::study::{self, Findings, StudyKind, StudyProgress};
use ludion_runs::{RunError, RunPicture};
use ludion_server::lab::{LabLimits, RunLimits};
use ludion_server::{LabAccess, LabConfig, laboratory};
use ludion_store::{JobOutput, Store, StudyPlan};
use serde_json::{Value, json};
use tower::ServiceExt;

/// Plays the first legal move, as a program of somebody's own.
struct Stranger;

impl TextPlayer for Stranger {
    fn begin(&mut self, _game: &str, _seed: u64) {}

    fn ask(&mut self, question: &TextMoveRequest<'_>) -> Result<TextMoveReply, String> {
        Ok(TextMoveReply { play: question.legal[0].clone(), ..TextMoveReply::default() })
    }

    fn dismiss(&mut self) {}
}

/// A study whose jobs square their numbers, slowly.
struct Squares;

impl JobSet for Squares {
    type Worker = ();
    type Output = u64;

    fn worker(&self) {}

    fn job(&self, (): &mut (), number: u64) -> u64 {
        std::thread::sleep(Duration::from_millis(2));
        number * number
    }
}

impl StudyKind for Squares {
    const KIND: &'static str = "squares";

    fn of(_study: &StudyPlan) -> Result<Self, RunError> {
        Ok(Squares)
    }

    fn live(&self, outputs: &[JobOutput<u64>]) -> String {
        format!("{} squares", outputs.len())
    }

    fn found(&self, conducted: &StudyProgress<u64>) -> Result<Findings, RunError> {
        let sum: u64 = conducted.outputs.iter().map(|output| output.value).sum();
        Findings::new(&json!({ "sum": sum }), RunPicture::Chart(Chart::default()))
    }
}

fn lab(store: Store, limits: LabLimits, allow_bots: bool) -> Router {
    const SPENDS: &[BudgetUnit] = &[];
    let info = PlayerInfo {
        name: "stranger".into(),
        help: "a program".into(),
        spends: SPENDS.into(),
        ..PlayerInfo::default()
    };
    let text_player = NamedTextPlayer { info, make: Arc::new(|_| Ok(Box::new(Stranger))) };
    let registry = Arc::new(Registry::standard().with_text_player(text_player));
    let studies = vec![study::AnyStudyKind::of::<Squares>()];
    laboratory(LabConfig {
        registry,
        store,
        access: LabAccess::Loopback,
        limits,
        allow_bots,
        studies,
        data: None,
        cluster: None,
    })
}

fn open() -> Router {
    lab(Store::in_memory().expect("a store"), LabLimits::of_cores(2), false)
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
