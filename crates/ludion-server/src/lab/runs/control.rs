//! Pausing, resuming, repeating and forgetting runs.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use ludion_runs::tuning;
use ludion_store::{RunId, RunPlan, RunState as Kept, Store};
use serde::Serialize;

use super::paths::RunPath;
use super::progress::RunPhase;
use super::request::RunStarted;
use super::{limits, manager};
use crate::lab::error::LabError;
use crate::lab::{LabState, SharedLabState};

/// How far a run has come.
#[derive(Serialize)]
pub(crate) struct RunControlResponse {
    run: RunId,
    phase: RunPhase,
}

/// Has a run stop after what is under way.
pub(crate) async fn pause(
    State(running): State<SharedLabState>,
    RunPath(id): RunPath,
) -> Result<Json<RunControlResponse>, LabError> {
    let paused = running.off(move |running| {
        let mut store = running.open_store()?;
        let run = store.any_run(id)?;
        let Some(live) = running.desk.find(id) else {
            let sentence = match running.desk.phase(&store, &run) {
                RunPhase::Elsewhere => "another program is at it",
                RunPhase::Finished => "it is finished",
                _ => "it is not under way",
            };
            return Err(LabError::Conflict(format!("run {id} cannot be paused: {sentence}")));
        };
        running.desk.stop(&live, false);
        let phase = live.standing().phase;
        if phase == RunPhase::Stopped {
            store.set_state(id, Kept::Stopped)?;
        }
        Ok(RunControlResponse { run: id, phase })
    });
    Ok(Json(paused.await?))
}

/// Has a run gone on with.
pub(crate) async fn resume(
    State(running): State<SharedLabState>,
    RunPath(id): RunPath,
) -> Result<Json<RunControlResponse>, LabError> {
    let shared = running.clone();
    let resumed = running.off(move |running| {
        let store = running.open_store()?;
        let run = store.any_run(id)?;
        if run.state == Kept::Finished {
            return Err(LabError::Conflict(format!("run {id} is finished; repeat it instead")));
        }
        check(running, &run.plan)?;
        manager::begin(&shared, &store, id, running.desk.reserve()?)?;
        Ok(RunControlResponse { run: id, phase: RunPhase::Queued })
    });
    Ok(Json(resumed.await?))
}

/// Begins a run of the same plan.
pub(crate) async fn repeat(
    State(running): State<SharedLabState>,
    RunPath(id): RunPath,
) -> Result<(StatusCode, Json<RunStarted>), LabError> {
    let shared = running.clone();
    let repeated = running.off(move |running| {
        let plan = running.open_store()?.any_run(id)?.plan;
        check(running, &plan)?;
        let run = manager::begin_new(&shared, running.desk.reserve()?, |store| match &plan {
            RunPlan::Games(plan) => store.begin(plan, None),
            RunPlan::Study(study) => store.begin_study(study),
        })?;
        Ok(RunStarted { run })
    });
    Ok((StatusCode::CREATED, Json(repeated.await?)))
}

/// Deletes a run with all that came of it; one that is under way is stopped first.
pub(crate) async fn forget(
    State(running): State<SharedLabState>,
    RunPath(id): RunPath,
) -> Result<Json<RunControlResponse>, LabError> {
    let forgotten = running.off(move |running| {
        let mut store = running.open_store()?;
        store.any_run(id)?;
        if let Some(live) = running.desk.find(id) {
            running.desk.stop(&live, true);
            let phase = live.standing().phase;
            if !phase.is_over() {
                return Ok(RunControlResponse { run: id, phase });
            }
        }
        forget_kept(&mut store, id)?;
        Ok(RunControlResponse { run: id, phase: RunPhase::Stopped })
    });
    Ok(Json(forgotten.await?))
}

fn forget_kept(store: &mut Store, id: RunId) -> Result<(), LabError> {
    let _lock = store.lock(id)?;
    Ok(store.forget(id)?)
}

/// Whether this laboratory may conduct it, and can: the command line allows more, and knows
/// other files.
fn check(running: &LabState, plan: &RunPlan) -> Result<(), LabError> {
    match plan {
        RunPlan::Games(plan) => {
            limits::check_terms(&running.limits, &plan.terms)?;
            running.limits.runs.check_size(plan)?;
            limits::check_players(running, plan)?;
            let game = running.registry.game(&plan.game)?;
            for player in &plan.players {
                game.player(player)?;
            }
            if let Some(tuning) = &plan.tuning {
                let open = tuning::open_player(&running.registry, &plan.game, &tuning.player)?;
                game.player(&open.at(&open.start))?;
            }
            Ok(())
        }
        RunPlan::Study(study) => {
            limits::check_study(running, study)?;
            Ok(running.desk.kinds.study(&study.kind)?.check(&running.registry, study)?)
        }
    }
}
