//! Pausing, resuming, repeating and forgetting runs.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use ludion_runs::{present_plan, tuning};
use ludion_store::{RunAnnotation, RunId, RunPlan, RunState, Store, StoreError};
use serde::{Deserialize, Serialize};

use super::paths::RunPath;
use super::progress::RunPhase;
use super::request::RunStarted;
use super::{limits, manager, request};
use crate::lab::body::QueryParameters;
use crate::lab::error::LabError;
use crate::lab::{LabState, SharedLabState};

/// The run of the request, and its phase afterwards.
#[derive(Serialize)]
pub(crate) struct RunControlResponse {
    run: RunId,
    phase: RunPhase,
}

/// Serves `POST /api/runs/{run}/pause`: the run stops after the jobs that have begun.
pub(crate) async fn pause(
    State(lab): State<SharedLabState>,
    RunPath(id): RunPath,
) -> Result<Json<RunControlResponse>, LabError> {
    let paused = lab.blocking(move |lab| {
        let mut store = lab.open_store()?;
        let run = store.any_run(id)?;
        let Some(live) = lab.run_manager.find(id) else {
            let sentence = match lab.run_manager.phase(&store, &run) {
                RunPhase::Elsewhere => "another program executes it",
                RunPhase::Finished => "it is finished",
                _ => "it is not under way",
            };
            return Err(LabError::Conflict(format!("run {id} cannot be paused: {sentence}")));
        };
        lab.run_manager.stop(&live, false);
        let phase = live.progress().phase;
        if phase == RunPhase::Stopped {
            store.set_state(id, RunState::Stopped)?;
        }
        Ok(RunControlResponse { run: id, phase })
    });
    Ok(Json(paused.await?))
}

/// The query of a resumption: where the run continues.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ResumeQuery {
    /// Whether the workers of the cluster execute the jobs that are left.
    #[serde(default)]
    cluster: bool,
}

/// Serves `POST /api/runs/{run}/resume`: queues a stopped run.
pub(crate) async fn resume(
    State(lab): State<SharedLabState>,
    RunPath(id): RunPath,
    QueryParameters(ResumeQuery { cluster }): QueryParameters<ResumeQuery>,
) -> Result<Json<RunControlResponse>, LabError> {
    let shared = lab.clone();
    let resumed = lab.blocking(move |lab| {
        request::check_cluster(lab, cluster)?;
        let store = lab.open_store()?;
        let run = store.any_run(id)?;
        if run.state == RunState::Finished {
            return Err(LabError::Conflict(format!("run {id} is finished; repeat it instead")));
        }
        check(lab, &present(lab, run.plan)?)?;
        manager::begin(&shared, &store, id, lab.run_manager.reserve()?, cluster)?;
        Ok(RunControlResponse { run: id, phase: RunPhase::Queued })
    });
    Ok(Json(resumed.await?))
}

/// Serves `POST /api/runs/{run}/repeat`: starts a new run of the same plan.
pub(crate) async fn repeat(
    State(lab): State<SharedLabState>,
    RunPath(id): RunPath,
) -> Result<(StatusCode, Json<RunStarted>), LabError> {
    let shared = lab.clone();
    let repeated = lab.blocking(move |lab| {
        let plan = present(lab, lab.open_store()?.any_run(id)?.plan)?;
        check(lab, &plan)?;
        let slot = lab.run_manager.reserve()?;
        let run = manager::begin_new(&shared, slot, false, |store| {
            let run = match &plan {
                RunPlan::Games(plan) => store.begin(plan, None),
                RunPlan::Study(study) => store.begin_study(study),
            }?;
            let repeats = RunAnnotation { repeat_of: Some(id), ..RunAnnotation::default() };
            store.annotate(run, &repeats)?;
            Ok(run)
        })?;
        Ok(RunStarted { run })
    });
    Ok((StatusCode::CREATED, Json(repeated.await?)))
}

/// Serves `POST /api/runs/{run}/forget`: deletes a run with its results; a run in progress is
/// stopped first and deleted when it has stopped.
pub(crate) async fn forget(
    State(lab): State<SharedLabState>,
    RunPath(id): RunPath,
) -> Result<Json<RunControlResponse>, LabError> {
    let forgotten = lab.blocking(move |lab| {
        let mut store = lab.open_store()?;
        store.any_run(id)?;
        let live = lab.run_manager.find(id);
        if let Some(live) = &live {
            lab.run_manager.stop(live, true);
            let phase = live.progress().phase;
            if !phase.is_over() {
                return Ok(RunControlResponse { run: id, phase });
            }
        }
        match forget_stored(&mut store, id) {
            // The thread of the run has deleted it since.
            Err(StoreError::NoRun { .. }) if live.is_some() => {}
            forgotten => forgotten?,
        }
        Ok(RunControlResponse { run: id, phase: RunPhase::Stopped })
    });
    Ok(Json(forgotten.await?))
}

/// Deletes a run that is not in progress, unless another program executes it.
fn forget_stored(store: &mut Store, id: RunId) -> Result<(), StoreError> {
    let _lock = store.lock(id)?;
    store.forget(id)
}

/// Returns a stored plan as this program reads it.
///
/// # Errors
/// When a player has changed since the plan was stored.
fn present(lab: &LabState, plan: RunPlan) -> Result<RunPlan, LabError> {
    match plan {
        RunPlan::Games(plan) => Ok(RunPlan::Games(present_plan(&lab.full_registry, &plan)?)),
        study => Ok(study),
    }
}

/// Rejects a stored plan that exceeds the limits of this laboratory or needs players or files that
/// it does not have. The command line has no such limits, so it can store such plans.
fn check(lab: &LabState, plan: &RunPlan) -> Result<(), LabError> {
    match plan {
        RunPlan::Games(plan) => {
            limits::check_terms(&lab.limits, &plan.terms)?;
            lab.limits.runs.check_size(plan)?;
            limits::check_players(lab, plan)?;
            let game = lab.registry.game(&plan.game)?;
            for player in &plan.players {
                game.player(player)?;
            }
            if let Some(tuning) = &plan.tuning {
                let open = tuning::open_player(&lab.registry, &plan.game, &tuning.player)?;
                game.player(&open.at(&open.start))?;
            }
            Ok(())
        }
        RunPlan::Study(study) => {
            limits::check_study(lab, study)?;
            Ok(lab.run_manager.kinds.study(&study.kind)?.check(&lab.registry, study)?)
        }
    }
}
