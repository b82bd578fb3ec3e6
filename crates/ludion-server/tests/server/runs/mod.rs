//! Runs in the laboratory, as a browser uses them: requests go to the router, without a socket.
//! Runs are started, watched, paused, resumed, repeated and forgotten; requests are valid, invalid,
//! for unknown runs, and too large.

mod dashboard;
mod figures;
mod refusals;
mod steering;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{HeaderMap, Request, StatusCode};
use ludion::assets::Assets;
use ludion::player::BudgetUnit;
use ludion::players::text_player::{TextMoveReply, TextMoveRequest, TextPlayer};
use ludion::registry::{NamedTextPlayer, PlayerInfo, Registry};
use ludion_plot::Chart;
use ludion_runs::kinds::WorkKinds;
use ludion_runs::studies::{
    JobFailure, Stage, StageRequest, StoredJobOutput, Study, StudyKind, StudyRecords, StudyReport,
    StudySession,
};
use ludion_runs::{RunError, RunPicture};
use ludion_server::lab::{LabLimits, RunLimits};
use ludion_server::{LabAccess, LabConfig, laboratory};
use ludion_store::{JobOutput, Store, StudyPlan};
use serde::{Deserialize, Serialize};
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

/// A study whose jobs slowly square their numbers.
struct Squares {
    settings: SquaresSettings,
    is_requested: bool,
}

/// The number of jobs.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SquaresSettings {
    jobs: u64,
}

#[derive(Serialize)]
struct SquaresReport {
    sum: u64,
}

impl StudyReport for SquaresReport {
    fn picture(&self) -> RunPicture {
        RunPicture::Chart(Chart::default())
    }
}

impl Stage for SquaresSettings {
    type Spec = Self;
    type Worker = ();
    type Output = u64;

    fn open(_registry: &Registry, _assets: &Assets, spec: Self) -> Result<Self, RunError> {
        Ok(spec)
    }

    fn worker(&self) {}

    fn job(&self, (): &mut (), number: u64, _stop: &AtomicBool) -> Result<u64, JobFailure> {
        std::thread::sleep(Duration::from_millis(2));
        Ok(number * number)
    }

    fn accepts(&self, number: u64, output: &u64) -> bool {
        *output == number * number
    }
}

impl Study for Squares {
    const KIND: &'static str = "squares";
    const UNIT: &'static str = "squares";

    type Request = SquaresSettings;
    type Settings = SquaresSettings;
    type Stage = SquaresSettings;
    type Record = u64;
    type Report = SquaresReport;

    fn settings(
        _registry: &Registry,
        request: SquaresSettings,
        _seed: u64,
    ) -> Result<SquaresSettings, RunError> {
        Ok(request)
    }

    fn plan(settings: &SquaresSettings) -> Result<StudyPlan, RunError> {
        Ok(StudyPlan::new(Self::KIND, "numbers".to_owned(), settings.jobs, 1, settings)?)
    }

    fn total_jobs(settings: &SquaresSettings) -> u64 {
        settings.jobs
    }

    fn new(_registry: &Registry, settings: SquaresSettings) -> Result<Self, RunError> {
        Ok(Squares { settings, is_requested: false })
    }

    fn next_stage(
        &mut self,
        _registry: &Registry,
        _memory: &mut StudySession<u64>,
        _stop: &AtomicBool,
    ) -> Result<Option<StageRequest<SquaresSettings>>, RunError> {
        if std::mem::replace(&mut self.is_requested, true) {
            return Ok(None);
        }
        let spec = self.settings.clone();
        Ok(Some(StageRequest { jobs: spec.jobs, spec, attachments: Vec::new() }))
    }

    fn store_output(output: &u64) -> StoredJobOutput<u64> {
        StoredJobOutput::Record(*output)
    }

    fn load_output(stored: StoredJobOutput<u64>) -> Option<u64> {
        match stored {
            StoredJobOutput::Record(square) => Some(square),
            StoredJobOutput::Cached(_) => None,
        }
    }

    fn status(&self, outputs: &[JobOutput<u64>]) -> String {
        format!("{} squares", outputs.len())
    }

    fn report(
        _settings: &SquaresSettings,
        run: &StudyRecords<u64>,
    ) -> Result<SquaresReport, RunError> {
        Ok(SquaresReport { sum: run.records.iter().map(|record| record.value).sum() })
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
    let text_player = NamedTextPlayer { info, make: Arc::new(|_| Ok(Box::new(FirstMovePlayer))) };
    let registry = Arc::new(ludion::registry::standard().with_text_player(text_player));
    let kinds = WorkKinds::standard().with_study(StudyKind::of::<Squares>());
    laboratory(LabConfig {
        registry,
        store,
        access: LabAccess::Loopback,
        limits,
        allow_bots,
        kinds,
        data: None,
        cluster: None,
    })
}

fn open() -> Router {
    lab(Store::in_memory().expect("a store"), LabLimits::of_cores(2), false)
}

/// A response with its whole body.
struct Got {
    status: StatusCode,
    headers: HeaderMap,
    text: String,
}

impl Got {
    fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|_| panic!("JSON: {}", self.text))
    }

    /// Returns the number of the run that was started.
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

/// Reads the events of a run until it ends, and returns the last one.
async fn ended(app: &Router, run: i64) -> Value {
    let told = get(app, &format!("/api/runs/{run}/live")).await.text;
    let last = told.split("\n\n").filter(|block| block.contains("data:")).last().expect("news");
    assert!(last.starts_with("event: end"), "{last}");
    let data = last.lines().find_map(|line| line.strip_prefix("data: ")).expect("data");
    serde_json::from_str(data).expect("JSON")
}

/// Requests a run until it is in this phase.
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

/// Returns a match that takes long.
fn long() -> Value {
    let players = ["montecarlo(sims=300)", "montecarlo(sims=200)"];
    json!({ "kind": "match", "game": "connect4", "players": players, "pairs": 2000 })
}
