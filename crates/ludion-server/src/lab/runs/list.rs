//! Everything that was ever run, the newest first, page by page.

use axum::Json;
use axum::extract::State;
use ludion_runs::who;
use ludion_store::{RunId, RunPlan, Store, StoredRun};
use serde::{Deserialize, Serialize};

use super::limits::check_range;
use super::manager::RunManager;
use super::progress::RunPhase;
use crate::lab::SharedLabState;
use crate::lab::body::QueryParameters;
use crate::lab::error::LabError;

/// Which runs.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RunsQuery {
    /// Only runs that are older than this one.
    before: Option<RunId>,
    /// How many, at most.
    #[serde(default = "most")]
    count: u64,
}

/// Runs of one answer.
const MOST: u64 = 1000;

fn most() -> u64 {
    MOST
}

/// Some runs of the store.
#[derive(Serialize)]
pub(crate) struct RunsPage {
    /// How many there are, those of other pages too.
    total: u64,
    runs: Vec<RunSummary>,
}

/// A run in a few words.
#[derive(Serialize)]
pub(crate) struct RunSummary {
    id: RunId,
    /// The run it was played for.
    parent: Option<RunId>,
    kind: String,
    phase: RunPhase,
    /// The game; nothing for a study.
    game: Option<String>,
    /// Who plays, or what is studied.
    what: String,
    seed: u64,
    version: String,
    began: String,
    ended: Option<String>,
    /// Games or jobs that are done.
    done: u64,
    /// How many there are, where it is known.
    total: Option<u64>,
    /// What is counted.
    unit: &'static str,
    /// Whether this laboratory can conduct it.
    known: bool,
    /// Whether the same comes out when it is done again.
    repeats: bool,
}

impl RunSummary {
    pub(super) fn of(desk: &RunManager, store: &Store, run: &StoredRun<RunPlan>) -> Self {
        let (game, what, seed) = match &run.plan {
            RunPlan::Games(plan) => (Some(plan.game.clone()), who(plan), plan.terms.seed),
            RunPlan::Study(study) => (None, study.about.clone(), study.seed),
        };
        let (done, total, unit, known, repeats) = match &run.plan {
            RunPlan::Games(plan) => {
                (run.games, 2 * plan.schedule.total(), "games", true, plan.repeats())
            }
            RunPlan::Study(study) => {
                (run.outputs, study.jobs, "jobs", desk.kind_of(&study.kind).is_ok(), true)
            }
        };
        RunSummary {
            id: run.id,
            parent: run.parent,
            kind: run.plan.kind().to_owned(),
            phase: desk.phase(store, run),
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
    State(running): State<SharedLabState>,
    QueryParameters(page): QueryParameters<RunsQuery>,
) -> Result<Json<RunsPage>, LabError> {
    check_range("count", page.count, 1..=MOST)?;
    let listed = running.off(move |running| {
        let store = running.open_store()?;
        let runs = store.runs_before(page.before, page.count)?;
        let listed = runs.iter().map(|run| RunSummary::of(&running.desk, &store, run));
        Ok(RunsPage { total: store.count_runs()?, runs: listed.collect() })
    });
    Ok(Json(listed.await?))
}
