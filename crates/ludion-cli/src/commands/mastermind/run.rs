//! `ludion mastermind run`: one experiment, iteration by iteration, with what it cost.

use std::io::IsTerminal;
use std::time::Instant;

use clap::Args;
use ludion::arena::executor::JobSet;
use ludion::riddle::Riddle;
use ludion::riddles::mastermind::experiment::{
    CrossEntropyExperiment, ExperimentSettings, ExperimentSettingsError, ExperimentTrace, TraceStep,
};
use ludion::riddles::mastermind::{Code, Mastermind};
use ludion_runs::RunError;
use ludion_runs::study::{Findings, StudyKind, StudyProgress};
use ludion_store::{JobOutput, RunId, RunState, StudyPlan};
use serde::{Deserialize, Serialize};

use super::options::CrossEntropyArgs;
use super::trace::{ExperimentTraceReport, head, line, rows};
use crate::CommandContext;
use crate::failure::CommandFailure;
use crate::runs::StoreArgs;
use crate::study::{OutputFiles, PrintStudy};

/// Find one hidden code by cross-entropy, every iteration as it goes
#[derive(Args)]
pub(super) struct MastermindRunArgs {
    /// Pegs of a code (n)
    #[arg(long, value_name = "N", default_value_t = 4)]
    pegs: usize,
    /// Colours of a peg (m)
    #[arg(long, value_name = "M", default_value_t = 6)]
    colours: usize,
    #[command(flatten)]
    setup: CrossEntropyArgs,
    /// The hidden code, such as 1123 or 3-1-12 [default: drawn from the seed]
    #[arg(long, value_name = "CODE")]
    secret: Option<String>,
    /// Keep the law of every iteration, not of the last one alone
    #[arg(long)]
    tables: bool,
    #[command(flatten)]
    beside: OutputFiles,
    #[command(flatten)]
    store: StoreArgs,
}

impl MastermindRunArgs {
    pub(super) fn run(&self, context: &CommandContext) -> Result<(), CommandFailure> {
        let settings = self.setup.settings(self.pegs, self.colours)?;
        let rules = settings.rules().map_err(ExperimentSettingsError::from)?;
        let secret = self.secret.as_deref().map(|text| rules.read_code(text)).transpose()?;
        let single = SingleExperiment { settings, secret, tables: self.tables, seed: context.seed };
        single.experiment()?;
        let asked_otherwise = context.output.json || self.beside.sheet.is_answer();
        let live = !asked_otherwise && std::io::stdout().is_terminal();
        let began = Instant::now();
        let mut written = if live { context.output.write(&head(&single.settings)) } else { Ok(()) };
        let trace = single.trace(|step| {
            if live && written.is_ok() {
                written = context.output.write(&line(&rules, step));
            }
        });
        written?;
        let output = JobOutput { number: 0, took: began.elapsed(), value: trace };
        let run = self.keep(&single, &output)?;
        let seconds = Some(output.took.as_secs_f64());
        let answer = ExperimentTraceReport::new(run, &rules, &output.value, seconds, live);
        report(context, &self.beside, &rules, &output.value, &answer)
    }

    /// Keeps the whole trace, and gives the number of its run.
    fn keep(
        &self,
        single: &SingleExperiment,
        output: &JobOutput<ExperimentTrace>,
    ) -> Result<Option<RunId>, CommandFailure> {
        let Some(mut store) = self.store.open()? else { return Ok(None) };
        let run = store.begin_study(&single.study()?)?;
        store.keep_outputs(run, [output])?;
        store.set_state(run, RunState::Finished)?;
        Ok(Some(run))
    }
}

/// Writes what was asked for beside the answer, and the answer.
fn report(
    context: &CommandContext,
    beside: &OutputFiles,
    rules: &Mastermind,
    trace: &ExperimentTrace,
    answer: &ExperimentTraceReport<'_>,
) -> Result<(), CommandFailure> {
    beside.pictures.write(&answer.picture())?;
    let (names, steps) = rows(rules, trace);
    beside.sheet.write(&context.output, &names, steps)?;
    if beside.sheet.is_answer() { Ok(()) } else { context.output.report(answer) }
}

/// One experiment as a study with one job.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct SingleExperiment {
    settings: ExperimentSettings,
    secret: Option<Code>,
    tables: bool,
    seed: u64,
}

impl SingleExperiment {
    fn experiment(&self) -> Result<CrossEntropyExperiment, ExperimentSettingsError> {
        CrossEntropyExperiment::new(self.settings.clone(), self.secret.clone(), self.seed)
    }

    /// The trace, with the law of the last iteration or of all.
    fn trace(&self, observer: impl FnMut(&TraceStep)) -> ExperimentTrace {
        let experiment = self.experiment().expect("settings that were checked before");
        let mut trace = experiment.run(true, observer);
        let last = trace.steps.len().saturating_sub(1);
        for step in trace.steps.iter_mut().take(if self.tables { 0 } else { last }) {
            step.table = None;
        }
        trace
    }

    fn study(&self) -> Result<StudyPlan, CommandFailure> {
        let ExperimentSettings { pegs, colours, distribution: law, .. } = &self.settings;
        let about = format!("{pegs} pegs, {colours} colours by {}", law.name());
        Ok(StudyPlan::new(Self::KIND, about, 1, self.seed, self)?)
    }
}

impl JobSet for SingleExperiment {
    type Worker = ();
    type Output = ExperimentTrace;

    fn worker(&self) {}

    fn job(&self, (): &mut (), _number: u64) -> ExperimentTrace {
        self.trace(|_| ())
    }
}

impl StudyKind for SingleExperiment {
    const KIND: &'static str = "mastermind run";

    fn of(study: &StudyPlan) -> Result<Self, RunError> {
        let single: SingleExperiment = study.settings()?;
        single.experiment().map_err(|error| RunError::Wrong(error.to_string()))?;
        Ok(single)
    }

    fn live(&self, _outputs: &[JobOutput<ExperimentTrace>]) -> String {
        String::new()
    }

    fn found(&self, conducted: &StudyProgress<ExperimentTrace>) -> Result<Findings, RunError> {
        self.answered(conducted, |_, _, answer| Findings::new(answer, answer.picture()))
    }
}

impl SingleExperiment {
    /// Gives the answer to `tell`, for it borrows what it says.
    fn answered<T, E: From<RunError>>(
        &self,
        conducted: &StudyProgress<ExperimentTrace>,
        tell: impl FnOnce(&Mastermind, &ExperimentTrace, &ExperimentTraceReport<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        let Some(output) = conducted.outputs.first() else {
            return Err(RunError::Failed("nothing of this run was kept".to_owned()).into());
        };
        let rules = self.settings.rules().map_err(|error| RunError::Wrong(error.to_string()))?;
        let seconds = Some(output.took.as_secs_f64());
        let answer =
            ExperimentTraceReport::new(conducted.run, &rules, &output.value, seconds, false);
        tell(&rules, &output.value, &answer)
    }
}

impl PrintStudy for SingleExperiment {
    fn show(
        &self,
        context: &CommandContext,
        beside: &OutputFiles,
        conducted: &StudyProgress<ExperimentTrace>,
    ) -> Result<(), CommandFailure> {
        self.answered(conducted, |rules, trace, answer| {
            report(context, beside, rules, trace, answer)
        })
    }
}
