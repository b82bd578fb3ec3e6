//! `GET /api/runs`: the runs of the store, the newest first, page by page.

use std::time::{Duration, Instant};

use axum::Json;
use axum::extract::State;
use ludion_runs::{Repeatability, describe_players, present_any_run};
use ludion_store::{RunAnnotation, RunId, RunPlan, Store, StoredRun};
use serde::{Deserialize, Serialize};

use super::limits::check_range;
use super::progress::RunPhase;
use crate::lab::body::QueryParameters;
use crate::lab::error::LabError;
use crate::lab::{LabState, SharedLabState};

/// The query of a list of runs: which part of all runs.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RunsQuery {
    /// Only runs older than this one.
    before: Option<RunId>,
    /// Maximum number of runs in the answer.
    #[serde(default = "max_count")]
    count: u64,
}

/// Largest `count` of a query.
const MAX_COUNT: u64 = 1000;

fn max_count() -> u64 {
    MAX_COUNT
}

/// Time after which no further result is computed for a list; results take long for many games, and the
/// next request continues.
const RESULTS_TIME: Duration = Duration::from_millis(400);

/// A part of the runs of the store.
#[derive(Serialize)]
pub(crate) struct RunsPage {
    /// Number of runs in the whole store.
    total: u64,
    /// Whether the results of all listed runs are there; if not, a later request returns more of them.
    complete: bool,
    runs: Vec<RunSummary>,
}

/// A run without its plan and results.
#[derive(Serialize)]
pub(crate) struct RunSummary {
    id: RunId,
    /// The tuning of which this run is one match; `None` for other runs.
    parent: Option<RunId>,
    kind: String,
    phase: RunPhase,
    /// The spec of the game; `None` for a study.
    game: Option<String>,
    /// The spec of the game that the run is about, also if it is a study; `None` if it has none.
    subject: Option<String>,
    /// The name that people use for `subject`.
    subject_title: Option<String>,
    /// The players, or the description of the study.
    what: String,
    /// Names of the players without their parameters, each once; empty for a study other than a kept
    /// game.
    players: Vec<String>,
    seed: u64,
    version: String,
    /// When the run was first started, as a UTC timestamp.
    began: String,
    /// When the run was finished, as a UTC timestamp; `None` until then.
    ended: Option<String>,
    /// Number of games or jobs done.
    done: u64,
    /// Number of games or jobs of the whole run, where it is known.
    total: Option<u64>,
    /// What `done` and `total` count: `games` or `jobs`.
    unit: &'static str,
    /// Whether this laboratory knows the kind of the run, so that it can resume and repeat it.
    known: bool,
    /// Whether a repetition gives the same results.
    repeats: bool,
    /// Sentences that say what keeps a repetition from that; empty if nothing does.
    hindrances: Vec<String>,
    /// Other versions that have resumed the run.
    resumed_by: Vec<String>,
    /// What follows from the results so far, in a sentence; `None` if nothing does or it is not computed.
    pub(super) result: Option<String>,
    /// Tags, a note, and the run that this one repeats.
    #[serde(flatten)]
    pub(super) annotation: RunAnnotation,
}

impl RunSummary {
    pub(super) fn new(lab: &LabState, store: &Store, run: &StoredRun<RunPlan>) -> Self {
        let manager = &lab.run_manager;
        let (game, what, seed) = match &run.plan {
            RunPlan::Games(plan) => {
                (Some(plan.game.clone()), describe_players(plan), plan.terms.seed)
            }
            RunPlan::Study(study) => (None, study.about.clone(), study.seed),
        };
        let (done, total, unit, known, repeats) = match &run.plan {
            RunPlan::Games(plan) => {
                (run.games, 2 * plan.schedule.total(), "games", true, plan.repeats())
            }
            RunPlan::Study(study) => {
                (run.outputs, study.jobs, "jobs", manager.kinds.study(&study.kind).is_ok(), true)
            }
        };
        let hindrances = match &run.plan {
            RunPlan::Games(plan) => Repeatability::of(plan).hindrances,
            RunPlan::Study(_) => Vec::new(),
        };
        let subject = game.clone().or_else(|| text_setting(&run.plan, "game"));
        let title = |spec: &String| Some(lab.registry.entry(spec).ok()?.title_of(spec).to_owned());
        RunSummary {
            id: run.id,
            parent: run.parent,
            kind: run.plan.kind().to_owned(),
            phase: manager.phase(store, run),
            game,
            subject_title: subject.as_ref().and_then(title),
            subject,
            what,
            players: player_names(&run.plan),
            seed,
            version: run.version.clone(),
            began: run.began.clone(),
            ended: run.ended.clone(),
            done,
            total: Some(total).filter(|&total| total > 0),
            unit,
            known,
            repeats,
            hindrances,
            resumed_by: run.resumed_by.clone(),
            result: None,
            annotation: RunAnnotation::default(),
        }
    }
}

/// Returns a setting of a study that is text.
fn text_setting(plan: &RunPlan, name: &str) -> Option<String> {
    let RunPlan::Study(study) = plan else { return None };
    study.settings[name].as_str().map(ToOwned::to_owned)
}

/// Returns the names of the players of a plan without their parameters, each once.
fn player_names(plan: &RunPlan) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for spec in player_specs(plan) {
        let name = spec.split('(').next().unwrap_or_default().trim();
        if !name.is_empty() && !names.iter().any(|known| known == name) {
            names.push(name.to_owned());
        }
    }
    names
}

/// Returns the specs of the players of a plan, or of the game that it keeps.
fn player_specs(plan: &RunPlan) -> Vec<&str> {
    match plan {
        RunPlan::Games(plan) => {
            let tuned = plan.tuning.as_ref().map(|tuning| &tuning.player);
            plan.players.iter().chain(tuned).map(String::as_str).collect()
        }
        RunPlan::Study(study) if study.kind == "game" => {
            let players = study.settings["players"].as_array().into_iter().flatten();
            players.filter_map(serde_json::Value::as_str).collect()
        }
        RunPlan::Study(_) => Vec::new(),
    }
}

pub(crate) async fn runs(
    State(lab): State<SharedLabState>,
    QueryParameters(page): QueryParameters<RunsQuery>,
) -> Result<Json<RunsPage>, LabError> {
    check_range("count", page.count, 1..=MAX_COUNT)?;
    let listed = lab.blocking(move |lab| {
        let store = lab.open_store()?;
        let mut annotations = store.annotations()?;
        let (began, mut complete, mut listed) = (Instant::now(), true, Vec::new());
        for run in store.runs_before(page.before, page.count)? {
            let run = present_any_run(&lab.full_registry, run);
            let mut summary = RunSummary::new(lab, &store, &run);
            summary.annotation = annotations.remove(&run.id).unwrap_or_default();
            let verdicts = &lab.run_manager.verdicts;
            match verdicts.known(&run) {
                Some(known) => summary.result = known,
                None if began.elapsed() < RESULTS_TIME => {
                    summary.result = verdicts.compute(lab, &store, &run);
                }
                None => complete = false,
            }
            listed.push(summary);
        }
        Ok(RunsPage { total: store.count_runs()?, complete, runs: listed })
    });
    Ok(Json(listed.await?))
}
