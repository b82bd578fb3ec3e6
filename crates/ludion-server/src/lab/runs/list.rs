//! Everything that was ever run, the newest first, page by page.

use axum::Json;
use axum::extract::State;
use ludion_runs::who;
use ludion_store::{Planned, Run, RunId, Store};
use serde::{Deserialize, Serialize};

use super::desk::Desk;
use super::limits::check_range;
use super::standing::Phase;
use crate::lab::Shared;
use crate::lab::body::Asked;
use crate::lab::reply::Refusal;

/// Which runs.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Page {
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
pub(crate) struct Runs {
    /// How many there are, those of other pages too.
    total: u64,
    runs: Vec<Listed>,
}

/// A run in a few words.
#[derive(Serialize)]
pub(crate) struct Listed {
    id: RunId,
    /// The run it was played for.
    parent: Option<RunId>,
    kind: String,
    phase: Phase,
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

impl Listed {
    pub(super) fn of(desk: &Desk, store: &Store, run: &Run<Planned>) -> Self {
        let (game, what, seed) = match &run.plan {
            Planned::Games(plan) => (Some(plan.game.clone()), who(plan), plan.terms.seed),
            Planned::Study(study) => (None, study.about.clone(), study.seed),
        };
        let (done, total, unit, known, repeats) = match &run.plan {
            Planned::Games(plan) => {
                (run.games, 2 * plan.schedule.total(), "games", true, plan.repeats())
            }
            Planned::Study(study) => {
                (run.outputs, study.jobs, "jobs", desk.kind_of(&study.kind).is_ok(), true)
            }
        };
        Listed {
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
    State(running): State<Shared>,
    Asked(page): Asked<Page>,
) -> Result<Json<Runs>, Refusal> {
    check_range("count", page.count, 1..=MOST)?;
    let listed = running.off(move |running| {
        let store = running.beside()?;
        let runs = store.runs_before(page.before, page.count)?;
        let listed = runs.iter().map(|run| Listed::of(&running.desk, &store, run));
        Ok(Runs { total: store.count_runs()?, runs: listed.collect() })
    });
    Ok(Json(listed.await?))
}
