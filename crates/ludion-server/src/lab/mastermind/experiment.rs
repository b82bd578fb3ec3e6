//! `POST /api/mastermind/run`: one cross-entropy experiment. It sends an event after each
//! iteration, of which a slow client may miss some, and at the end all iterations, each with the
//! distribution after it.

use std::ops::ControlFlow;

use axum::extract::State;
use axum::response::IntoResponse;
use ludion_mastermind::experiment::{
    CrossEntropyRun, DistributionKind, ExperimentOutcome, ExperimentSettings, TraceStep,
};
use ludion_optimise::cross_entropy::mallows::{MallowsOptions, MallowsSampling};
use ludion_players::riddle::Riddle;
use ludion_runs::studies::mastermind::{MastermindExperimentSettings, MastermindTableSettings};
use ludion_store::StudyPlan;
use serde::{Deserialize, Serialize};

use super::{LARGEST, within};
use crate::lab::SharedLabState;
use crate::lab::body::JsonBody;
use crate::lab::error::LabError;
use crate::lab::queued_task::{FinalEvent, QueuedTask, result_event, run_queued};

/// A request for an experiment.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::lab) struct ExperimentRequest {
    settings: ExperimentSettings,
    /// The secret code, such as `1123` or `3-1-12`; drawn from the seed by default.
    secret: Option<String>,
    #[serde(default)]
    seed: u64,
}

/// Maximum number of pegs drawn in one iteration: sample size times pegs of a code.
const MAX_DRAWN: usize = 4_000_000;
/// Maximum number of iterations of an experiment.
const MAX_ITERATIONS: usize = 1_000;
/// Maximum number of steps of the Markov chain in one iteration.
const MAX_STEPS: usize = 10_000_000;

/// Serves `POST /api/mastermind/run`. Events: `waiting` while too many searches run, `begun`,
/// `step` after each iteration, `done` with all iterations.
pub(in crate::lab) async fn run(
    State(lab): State<SharedLabState>,
    JsonBody(request): JsonBody<ExperimentRequest>,
) -> Result<impl IntoResponse, LabError> {
    let experiment = request.experiment()?;
    let ExperimentRequest { settings, seed, .. } = request;
    run_queued(lab, move |task| run_experiment(&experiment, &settings, seed, task))
}

/// Rejects an experiment that is too large.
fn check_size(settings: &ExperimentSettings) -> Result<(), LabError> {
    within("pegs", settings.pegs, LARGEST)?;
    within("colours", settings.colours, LARGEST)?;
    within("iterations", settings.iterations as usize, MAX_ITERATIONS)?;
    within("samples", settings.sample_size(), MAX_DRAWN / settings.pegs.max(1))?;
    within("steps of the chain", chain_steps(settings), MAX_STEPS)
}

/// Rejects a Mastermind study with an experiment that is too large; accepts all other studies.
pub(in crate::lab) fn check_study(plan: &StudyPlan) -> Result<(), LabError> {
    if let Ok(settings) = plan.settings::<MastermindTableSettings>() {
        settings.cells().iter().try_for_each(check_size)?;
    }
    if let Ok(settings) = plan.settings::<MastermindExperimentSettings>() {
        check_size(settings.experiment_settings())?;
    }
    Ok(())
}

impl ExperimentRequest {
    fn experiment(&self) -> Result<CrossEntropyRun, LabError> {
        let settings = &self.settings;
        check_size(settings)?;
        let rules = settings.rules().map_err(|error| LabError::Bad(error.to_string()))?;
        let secret = self.secret.as_deref().filter(|text| !text.trim().is_empty());
        let secret = secret.map(|text| rules.read_code(text)).transpose()?;
        Ok(CrossEntropyRun::new(settings.clone(), secret, self.seed)?)
    }
}

/// Returns the number of steps of the Markov chain in one iteration, or 0 if none is used.
fn chain_steps(settings: &ExperimentSettings) -> usize {
    match settings.distribution {
        DistributionKind::Mallows(MallowsOptions {
            sampler: MallowsSampling::Chain { burn_in, thinning },
            ..
        }) => {
            let between = thinning.saturating_mul(settings.sample_size());
            burn_in.saturating_mul(settings.colours).saturating_add(between)
        }
        _ => 0,
    }
}

/// The event `begun`, sent before the first iteration.
#[derive(Serialize)]
struct ExperimentStarted<'a> {
    settings: &'a ExperimentSettings,
    /// The secret code as colours from 0.
    secret: &'a [u16],
    seed: u64,
    /// The number of codes drawn in each iteration.
    samples: usize,
}

/// The event `done`.
#[derive(Serialize)]
struct ExperimentFinished<'a> {
    #[serde(flatten)]
    begun: ExperimentStarted<'a>,
    steps: &'a [TraceStep],
    outcome: &'a ExperimentOutcome,
    seconds: f64,
    /// Whether the time limit ended the experiment early.
    cut: bool,
}

/// Runs the experiment, sends its events, and returns the last one.
fn run_experiment(
    experiment: &CrossEntropyRun,
    settings: &ExperimentSettings,
    seed: u64,
    task: &QueuedTask<'_>,
) -> FinalEvent {
    let begun = || {
        let (secret, samples) = (experiment.secret(), settings.sample_size());
        ExperimentStarted { settings, secret, seed, samples }
    };
    task.events.try_send("begun", &begun());
    let mut cut = false;
    let mut trace = experiment.run_until(true, |step| {
        cut = task.is_over();
        let mut step = step.clone();
        round_probabilities(&mut step);
        task.events.try_send("step", &step);
        if cut { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    trace.steps.iter_mut().for_each(round_probabilities);
    let seconds = task.elapsed().as_secs_f64();
    let (steps, outcome) = (&trace.steps, &trace.outcome);
    result_event("done", &ExperimentFinished { begun: begun(), steps, outcome, seconds, cut })
}

/// Rounds the probabilities of an iteration to four decimals, which is finer than the colours of a
/// heat map can show.
fn round_probabilities(step: &mut TraceStep) {
    for cell in step.table.iter_mut().flatten().flatten() {
        *cell = (*cell * 1e4).round() / 1e4;
    }
}
