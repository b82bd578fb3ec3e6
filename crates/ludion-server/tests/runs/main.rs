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
