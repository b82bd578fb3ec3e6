//! Studies on the command line: starts, shows, resumes and repeats them, and reports their
//! progress. The work itself is done by `ludion_runs::studies`.

use clap::Args;
use ludion_runs::RunError;
use ludion_runs::studies::experiment::CheckersExperimentReport;
use ludion_runs::studies::hextris_tuning::HextrisTuningReport;
use ludion_runs::studies::ladder::LadderReport;
use ludion_runs::studies::learning::LearningReport;
use ludion_runs::studies::mastermind::{MastermindExperimentReport, MastermindTableReport};
use ludion_runs::studies::network_learning::NetworkLearningReport;
use ludion_runs::studies::played_game::PlayedGameReport;
use ludion_runs::studies::reproduction::ReproductionReport;
use ludion_runs::studies::{
    self, AnyStudyReport, Study, StudyKind, StudyOutcome, StudyProgress, StudyRecords,
    StudyRepeatReport,
};
use ludion_store::{RunState, Store, StoredRun, StudyPlan};

use crate::cluster::ClusterArgs;
use crate::commands::other_sources;
use crate::csv_args::CsvArgs;
use crate::failure::CommandFailure;
use crate::output::{CommandReport, plural};
use crate::plots::PlotArgs;
use crate::progress::Progress;
use crate::runs::StoreArgs;
use crate::{CommandContext, VERSION};

/// Says that a study can be repeated, because its jobs are functions of the settings and the seed.
const REPEATABLE: &str =
    "repeatable: the same seed gives the same results on any number of threads";

/// Files that a command writes in addition to its report.
#[derive(Args, Clone, Default)]
pub(crate) struct OutputFiles {
    #[command(flatten)]
    pub(crate) csv: CsvArgs,
    #[command(flatten)]
    pub(crate) pictures: PlotArgs,
}

impl OutputFiles {
    /// Returns the output files of a command that writes pictures but no table.
    pub(crate) fn pictures(pictures: &PlotArgs) -> Self {
        OutputFiles { csv: CsvArgs::default(), pictures: pictures.clone() }
    }
}

/// Reports the progress of a study, stage by stage.
struct StudyProgressReporter {
    progress: Progress,
    /// Number of the current stage; `None` before the first one.
    stage: Option<u64>,
}

impl StudyProgressReporter {
    fn new(context: &CommandContext) -> Self {
        StudyProgressReporter { progress: context.progress("jobs"), stage: None }
    }

    fn show(&mut self, standing: &StudyProgress<'_>) {
        let StudyProgress { stage, done, total, rounds, status } = *standing;
        if let Some((finished, all)) = rounds {
            self.progress.set_rounds(finished, all);
        }
        if self.stage != Some(stage) {
            self.stage = Some(stage);
            self.progress.begin_stage(done, total);
        }
        self.progress.update(done, Some(total), status);
    }
}

/// Runs a new study on threads or on the cluster. Invalid settings are an error before anything is
/// stored.
pub(crate) fn start<S: Study>(
    context: &CommandContext,
    store: &StoreArgs,
    cluster: &ClusterArgs,
    request: S::Request,
) -> Result<(StudyPlan, StudyRecords<S::Record>), CommandFailure> {
    let settings = S::settings(&context.registry, request, context.seed)?;
    let plan = S::plan(&settings)?;
    let hindrances = S::hindrances(&settings);
    S::new(&context.registry, settings)?;
    context.join(cluster)?;
    let storage = store.begin(&plan)?;
    store.announce(storage.as_ref().map(|(_, run)| *run), "jobs");
    let mut reporter = StudyProgressReporter::new(context);
    match hindrances.is_empty() {
        true => reporter.progress.say(REPEATABLE),
        false => reporter.progress.say(&format!("not repeatable: {}", hindrances.join("; "))),
    }
    let run = studies::run::<S>(&context.run_context(), &plan, storage, &mut |progress| {
        reporter.show(progress);
    });
    reporter.progress.finish();
    Ok((plan, run?))
}

/// Runs a new study and writes its report.
pub(crate) fn start_and_report<S: Study>(
    context: &CommandContext,
    store: &StoreArgs,
    cluster: &ClusterArgs,
    files: &OutputFiles,
    request: S::Request,
) -> Result<(), CommandFailure> {
    let (plan, run) = start::<S>(context, store, cluster, request)?;
    report(context, store, files, &StudyOutcome::new::<S>(&plan, &run)?)
}

/// Runs the missing jobs of a stored study and writes its report.
pub(crate) fn resume(
    context: &CommandContext,
    option: &StoreArgs,
    files: &OutputFiles,
    kind: &StudyKind,
    store: Store,
    run: &StoredRun<StudyPlan>,
) -> Result<(), CommandFailure> {
    refuse_table(kind, files)?;
    option.announce(Some(run.id), "jobs");
    let mut reporter = StudyProgressReporter::new(context);
    let storage = Some((store, run.id));
    let outcome = kind.run(&context.run_context(), &run.plan, storage, &mut |progress| {
        reporter.show(progress);
    });
    reporter.progress.finish();
    report(context, option, files, &outcome?)
}

/// Writes the report of a stored study.
pub(crate) fn show(
    context: &CommandContext,
    files: &OutputFiles,
    kind: &StudyKind,
    store: &Store,
    run: &StoredRun<StudyPlan>,
) -> Result<(), CommandFailure> {
    refuse_table(kind, files)?;
    write(context, files, &*kind.stored(store, run)?.report)
}

fn refuse_table(kind: &StudyKind, files: &OutputFiles) -> Result<(), CommandFailure> {
    if kind.has_table {
        return Ok(());
    }
    let name = kind.name;
    files.csv.refuse(&format!("the figures of {name} are no table; leave out --csv, take --json"))
}

/// Runs a stored study again and reports whether the results are the same.
pub(crate) fn repeat(
    context: &CommandContext,
    kind: &StudyKind,
    store: &Store,
    run: &StoredRun<StudyPlan>,
) -> Result<(), CommandFailure> {
    let mut reporter = StudyProgressReporter::new(context);
    let repeated = kind.repeat(&context.run_context(), store, run, &mut |progress| {
        reporter.show(progress);
    });
    reporter.progress.finish();
    let repeated = match repeated {
        Err(error @ RunError::Changed(_)) => {
            let sentence = format!("run {} cannot be compared: {error}", run.id);
            return Err(CommandFailure::Incomparable(Some(sentence)));
        }
        repeated => repeated?,
    };
    let StudyRepeatReport { compared, stored, .. } = repeated;
    let unit = kind.unit;
    match repeated.different {
        None if stored == 0 => {
            Err(CommandFailure::Failed(format!("run {} has no {unit} to compare", run.id)))
        }
        None if compared < stored => Err(CommandFailure::Stopped(format!(
            "stopped after {compared} of {stored} {unit}, which are all identical"
        ))),
        different => {
            context.output.report(&repeated)?;
            let is_foreign = run.version != VERSION;
            if is_foreign {
                context.say(&other_sources(&run.version, "first run"));
            }
            match (different, is_foreign) {
                (None, _) => Ok(()),
                (Some(_), false) => Err(CommandFailure::Different),
                (Some(_), true) => Err(CommandFailure::Incomparable(None)),
            }
        }
    }
}

/// Writes the report; for a study that was stopped, returns an error that says how to resume it.
pub(crate) fn report(
    context: &CommandContext,
    store: &StoreArgs,
    files: &OutputFiles,
    outcome: &StudyOutcome,
) -> Result<(), CommandFailure> {
    write(context, files, &*outcome.report)?;
    match outcome.state {
        RunState::Finished => Ok(()),
        RunState::Running | RunState::Stopped => Err(store.stopped(outcome.run, &outcome.done)),
    }
}

/// Writes a report and the requested files.
fn write(
    context: &CommandContext,
    files: &OutputFiles,
    report: &dyn AnyStudyReport,
) -> Result<(), CommandFailure> {
    write_with(context, files, report, || text(report))
}

/// Writes a report with the given text, and the requested files.
pub(crate) fn write_with(
    context: &CommandContext,
    files: &OutputFiles,
    report: &dyn AnyStudyReport,
    text: impl FnOnce() -> String,
) -> Result<(), CommandFailure> {
    files.pictures.write(&report.picture())?;
    if let Some(table) = report.table() {
        files.csv.write(&context.output, &table.columns, table.rows)?;
    }
    match context.output.json {
        _ if files.csv.is_answer() => Ok(()),
        true => context.output.write(&(report.json()? + "\n")),
        false => context.output.write(&text()),
    }
}

/// Returns the text of a report, or its JSON if this program has no text for its type.
fn text(report: &dyn AnyStudyReport) -> String {
    fn words<T: CommandReport + 'static>(report: &dyn AnyStudyReport) -> Option<String> {
        report.as_any().downcast_ref::<T>().map(T::text)
    }
    words::<MastermindExperimentReport>(report)
        .or_else(|| words::<MastermindTableReport>(report))
        .or_else(|| words::<HextrisTuningReport>(report))
        .or_else(|| words::<LearningReport>(report))
        .or_else(|| words::<NetworkLearningReport>(report))
        .or_else(|| words::<CheckersExperimentReport>(report))
        .or_else(|| words::<LadderReport>(report))
        .or_else(|| words::<PlayedGameReport>(report))
        .or_else(|| words::<ReproductionReport>(report))
        .unwrap_or_else(|| report.json().unwrap_or_default() + "\n")
}

impl CommandReport for PlayedGameReport {
    fn text(&self) -> String {
        let [first, second] = &self.settings.players;
        let moves = self.settings.moves.iter().enumerate().map(|(i, m)| format!("{}. {m}", i + 1));
        let moves: Vec<String> = moves.collect();
        let (game, ended) = (&self.settings.game, &self.end.ended);
        format!("{game}: {first} and {second}\n{}\n{ended}\n", moves.join(" "))
    }
}

impl CommandReport for StudyRepeatReport {
    fn text(&self) -> String {
        match self.different {
            None => format!(
                "identical: {} of run {} compared, and no difference found\n{REPEATABLE}\n",
                plural(self.compared, "record"),
                self.run
            ),
            Some(job) => format!(
                "different: record {job} of run {} is not the same again\n{REPEATABLE}\n",
                self.run
            ),
        }
    }
}
