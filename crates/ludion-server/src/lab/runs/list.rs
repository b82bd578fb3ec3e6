//! The runs of the store, the newest first, page by page.

use axum::Json;
use axum::extract::State;
use ludion_runs::describe_players;
use ludion_store::{RunId, RunPlan, Store, StoredRun};
use serde::{Deserialize, Serialize};

use super::limits::check_range;
use super::manager::RunManager;
use super::progress::RunPhase;
use crate::lab::SharedLabState;
use crate::lab::body::QueryParameters;
use crate::lab::error::LabError;

/// The page of runs that is asked for.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RunsQuery {
    /// Only runs older than this one.
    before: Option<RunId>,
    /// The number of runs, at most.
    #[serde(default = "max_count")]
    count: u64,
}

/// Runs of one page, at most.
const MAX_COUNT: u64 = 1000;

fn max_count() -> u64 {
    MAX_COUNT
}

/// A page of runs.
#[derive(Serialize)]
pub(crate) struct RunsPage {
    /// Runs of the whole store.
    total: u64,
    runs: Vec<RunSummary>,
}

/// A run without its plan and results.
#[derive(Serialize)]
pub(crate) struct RunSummary {
    id: RunId,
    /// The run for which it was played.
    parent: Option<RunId>,
    kind: String,
    phase: RunPhase,
    /// The game; `None` for a study.
    game: Option<String>,
    /// The players, or the description of the study.
    what: String,
    seed: u64,
    version: String,
    began: String,
    ended: Option<String>,
    /// Games or jobs done.
    done: u64,
    /// Games or jobs of the run, where the number is known.
    total: Option<u64>,
    /// What `done` and `total` count.
    unit: &'static str,
    /// Whether this laboratory can resume it.
    known: bool,
    /// Whether a repetition gives the same results.
    repeats: bool,
}

impl RunSummary {
    pub(super) fn new(manager: &RunManager, store: &Store, run: &StoredRun<RunPlan>) -> Self {
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
        RunSummary {
            id: run.id,
            parent: run.parent,
            kind: run.plan.kind().to_owned(),
            phase: manager.phase(store, run),
            game,
            what,
            seed,
            version: run.version.clone(),
            began: run.began.clone(),
            ended: run.ended.clone(),
            done,
            total: Some(total).filter(|&total| total > 0),
            unit,
            known,
            repeats,
        }
    }
}

pub(crate) async fn runs(
    State(lab): State<SharedLabState>,
    QueryParameters(page): QueryParameters<RunsQuery>,
) -> Result<Json<RunsPage>, LabError> {
    check_range("count", page.count, 1..=MAX_COUNT)?;
    let listed = lab.off(move |lab| {
        let store = lab.open_store()?;
        let runs = store.runs_before(page.before, page.count)?;
        let listed = runs.iter().map(|run| RunSummary::new(&lab.desk, &store, run));
        Ok(RunsPage { total: store.count_runs()?, runs: listed.collect() })
    });
    Ok(Json(listed.await?))
}
