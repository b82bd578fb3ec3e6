//! A single cross-entropy experiment with a trace of every iteration, as a study of one job.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

use ludion_mastermind::experiment::{
    CrossEntropyRun, ExperimentSettings, ExperimentSettingsError, ExperimentTrace, TraceStep,
};
use ludion_mastermind::{Code, Mastermind};
use ludion_players::assets::Assets;
use ludion_players::registry::Registry;
use ludion_players::riddle::Riddle;
use ludion_store::{JobOutput, StudyPlan};
use serde::{Deserialize, Serialize};

use super::trace_report::MastermindExperimentReport;
use crate::RunError;
use crate::studies::{
    JobFailure, Stage, StageRequest, StoredJobOutput, Study, StudyRecords, StudySession,
};

/// A study of a single cross-entropy experiment, while it runs.
pub struct MastermindExperiment {
    settings: MastermindExperimentSettings,
    is_requested: bool,
}

/// Request for a single cross-entropy experiment.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MastermindExperimentRequest {
    /// Numbers of pegs and colours, and the options of the search.
    pub settings: ExperimentSettings,
    /// Secret code, such as `1123` or `3-1-12`; by default drawn from the seed.
    #[serde(default)]
    pub secret: Option<String>,
    /// Whether the trace keeps the distribution of every iteration instead of only the last.
    #[serde(default)]
    pub tables: bool,
}

/// Settings of a Mastermind experiment, stored with the run. They determine its record, the
/// [`ExperimentTrace`], completely.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct MastermindExperimentSettings {
    settings: ExperimentSettings,
    secret: Option<Code>,
    tables: bool,
    seed: u64,
}

/// A trace as the output of a job. It is serialised as a JSON text, because `postcard` cannot
/// encode its flattened fields.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct TraceOutput(ExperimentTrace);

impl From<TraceOutput> for String {
    fn from(TraceOutput(trace): TraceOutput) -> Self {
        serde_json::to_string(&trace).expect("plain data is JSON")
    }
}

impl TryFrom<String> for TraceOutput {
    type Error = serde_json::Error;

    fn try_from(text: String) -> Result<Self, serde_json::Error> {
        serde_json::from_str(&text).map(TraceOutput)
    }
}

/// Converts an error in the settings of an experiment to a [`RunError`].
pub(super) fn refusal(error: impl Into<ExperimentSettingsError>) -> RunError {
    RunError::Wrong(error.into().to_string())
}

impl MastermindExperimentSettings {
    /// Returns the numbers of pegs and colours and the options of the search.
    #[must_use]
    pub fn experiment_settings(&self) -> &ExperimentSettings {
        &self.settings
    }

    /// Returns the rules of Mastermind by which the secret is guessed.
    ///
    /// # Errors
    /// When the settings are not allowed.
    pub fn rules(&self) -> Result<Mastermind, RunError> {
        self.settings.rules().map_err(refusal)
    }

    fn experiment(&self) -> Result<CrossEntropyRun, RunError> {
        let experiment =
            CrossEntropyRun::new(self.settings.clone(), self.secret.clone(), self.seed);
        experiment.map_err(refusal)
    }

    /// Runs the experiment and calls `on_step` after every iteration.
    ///
    /// # Errors
    /// When the settings are not allowed.
    pub fn trace(&self, mut on_step: impl FnMut(&TraceStep)) -> Result<ExperimentTrace, RunError> {
        self.trace_until(|step| {
            on_step(step);
            ControlFlow::Continue(())
        })
    }

    /// Runs the experiment until it ends or `on_step` returns `Break`.
    fn trace_until(
        &self,
        on_step: impl FnMut(&TraceStep) -> ControlFlow<()>,
    ) -> Result<ExperimentTrace, RunError> {
        let mut trace = self.experiment()?.run_until(true, on_step);
        let last = trace.steps.len().saturating_sub(1);
        for step in trace.steps.iter_mut().take(if self.tables { 0 } else { last }) {
            step.table = None;
        }
        Ok(trace)
    }
}

impl Stage for MastermindExperimentSettings {
    type Spec = Self;
    type Worker = ();
    type Output = TraceOutput;

    fn open(_registry: &Registry, _assets: &Assets, spec: Self) -> Result<Self, RunError> {
        spec.experiment()?;
        Ok(spec)
    }

    fn worker(&self) {}

    fn job(&self, (): &mut (), _number: u64, stop: &AtomicBool) -> Result<TraceOutput, JobFailure> {
        let trace = self.trace_until(|_| match stop.load(Ordering::Relaxed) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        });
        let trace = trace.expect("settings that were checked before");
        if stop.load(Ordering::Relaxed) { Err(JobFailure::Stopped) } else { Ok(TraceOutput(trace)) }
    }

    fn accepts(&self, _number: u64, TraceOutput(trace): &TraceOutput) -> bool {
        trace.settings == self.settings && trace.seed == self.seed
    }
}

impl Study for MastermindExperiment {
    const KIND: &'static str = "mastermind run";
    const UNIT: &'static str = "jobs";
    const HAS_TABLE: bool = true;

    type Request = MastermindExperimentRequest;
    type Settings = MastermindExperimentSettings;
    type Stage = MastermindExperimentSettings;
    type Record = ExperimentTrace;
    type Report = MastermindExperimentReport;

    fn settings(
        _registry: &Registry,
        request: MastermindExperimentRequest,
        seed: u64,
    ) -> Result<MastermindExperimentSettings, RunError> {
        let MastermindExperimentRequest { settings, secret, tables } = request;
        let rules = settings.rules().map_err(refusal)?;
        let secret = secret.as_deref().map(|text| rules.read_code(text)).transpose();
        let secret = secret.map_err(refusal)?;
        Ok(MastermindExperimentSettings { settings, secret, tables, seed })
    }

    fn plan(settings: &MastermindExperimentSettings) -> Result<StudyPlan, RunError> {
        let ExperimentSettings { pegs, colours, distribution: law, .. } = &settings.settings;
        let about = format!("{pegs} pegs, {colours} colours by {}", law.name());
        Ok(StudyPlan::new(Self::KIND, about, 1, settings.seed, settings)?)
    }

    fn total_jobs(_settings: &MastermindExperimentSettings) -> u64 {
        1
    }

    fn new(_registry: &Registry, settings: MastermindExperimentSettings) -> Result<Self, RunError> {
        settings.experiment()?;
        Ok(MastermindExperiment { settings, is_requested: false })
    }

    fn next_stage(
        &mut self,
        _registry: &Registry,
        _memory: &mut StudySession<ExperimentTrace>,
        _stop: &AtomicBool,
    ) -> Result<Option<StageRequest<MastermindExperimentSettings>>, RunError> {
        if std::mem::replace(&mut self.is_requested, true) {
            return Ok(None);
        }
        let spec = self.settings.clone();
        Ok(Some(StageRequest { spec, jobs: 1, attachments: Vec::new() }))
    }

    fn store_output(TraceOutput(trace): &TraceOutput) -> StoredJobOutput<ExperimentTrace> {
        StoredJobOutput::Record(trace.clone())
    }

    fn load_output(stored: StoredJobOutput<ExperimentTrace>) -> Option<TraceOutput> {
        match stored {
            StoredJobOutput::Record(trace) => Some(TraceOutput(trace)),
            StoredJobOutput::Cached(_) => None,
        }
    }

    fn status(&self, _outputs: &[JobOutput<TraceOutput>]) -> String {
        let ExperimentSettings { pegs, colours, .. } = &self.settings.settings;
        format!("{pegs} pegs, {colours} colours")
    }

    fn report(
        settings: &MastermindExperimentSettings,
        run: &StudyRecords<ExperimentTrace>,
    ) -> Result<MastermindExperimentReport, RunError> {
        let Some(record) = run.records.first() else {
            return Err(RunError::Failed("the run has no result yet".to_owned()));
        };
        let rules = settings.rules()?;
        Ok(MastermindExperimentReport::new(run.run, rules, record))
    }
}
