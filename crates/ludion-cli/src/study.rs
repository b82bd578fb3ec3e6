//! Work of another kind than games, on the command line: conducted with a line of progress,
//! shown, resumed, repeated to see whether the same comes out.

use std::ops::ControlFlow;

use clap::Args;
use ludion::arena::executor::{Executor, ThreadExecutor};
use ludion_runs::study::{self, StudyKind, StudyProgress};
use ludion_runs::{RunContext, RunError};
use ludion_store::{JobOutput, RunId, RunState, Store, StoredRun, StudyPlan};
use serde::Serialize;

use crate::CommandContext;
use crate::csv_args::CsvArgs;
use crate::failure::CommandFailure;
use crate::output::{CommandReport, plural};
use crate::plots::PlotArgs;
use crate::progress::ProgressLine;
use crate::runs::{StoreArgs, interrupt};

/// What is written beside the answer.
#[derive(Args, Clone, Default)]
pub(crate) struct OutputFiles {
    #[command(flatten)]
    pub(crate) sheet: CsvArgs,
    #[command(flatten)]
    pub(crate) pictures: PlotArgs,
}

/// A kind of study that can be shown.
pub(crate) trait PrintStudy: StudyKind {
    /// Shows what came of it.
    fn show(
        &self,
        context: &CommandContext,
        beside: &OutputFiles,
        conducted: &StudyProgress<Self::Output>,
    ) -> Result<(), CommandFailure>;
}

/// A kind of study by its name, its type forgotten.
pub(crate) struct StudyCommand {
    pub(crate) name: &'static str,
    pub(crate) show: fn(
        &CommandContext,
        &OutputFiles,
        &Store,
        StoredRun<StudyPlan>,
    ) -> Result<(), CommandFailure>,
    pub(crate) resume: ResumeFn,
    pub(crate) repeat:
        fn(&CommandContext, &Store, StoredRun<StudyPlan>) -> Result<(), CommandFailure>,
    /// The same for those who see it in a browser.
    pub(crate) lab: study::AnyStudyKind,
}

/// How the laboratory looks at a kind that only the command line goes on with, for it reads and
/// writes files, in which a browser has no say.
pub(crate) const fn looked_at(
    name: &'static str,
    found: fn(&Store, &StoredRun<StudyPlan>) -> Result<study::Findings, RunError>,
) -> study::AnyStudyKind {
    study::AnyStudyKind { name, resume: refer, found }
}

fn refer(
    _means: &RunContext<'_>,
    _store: Store,
    run: &StoredRun<StudyPlan>,
    _told: study::OnProgress<'_>,
) -> Result<RunState, RunError> {
    let (kind, id) = (&run.plan.kind, run.id);
    Err(RunError::Wrong(format!("{kind} goes on from the command line: ludion run resume {id}")))
}

/// Goes on with a run of a kind, and shows it.
type ResumeFn = fn(
    &CommandContext,
    &StoreArgs,
    &OutputFiles,
    Store,
    StoredRun<StudyPlan>,
) -> Result<(), CommandFailure>;

impl StudyCommand {
    pub(crate) const fn of<I: PrintStudy>() -> Self {
        StudyCommand {
            name: I::KIND,
            show: show::<I>,
            resume: resume::<I>,
            repeat: repeat::<I>,
            lab: study::AnyStudyKind::of::<I>(),
        }
    }
}

/// Does a new study and shows it, as its kind does or with more beside it.
pub(crate) fn conduct<I: StudyKind>(
    context: &CommandContext,
    store: &StoreArgs,
    study: &StudyPlan,
    show: impl FnOnce(&I, &StudyProgress<I::Output>) -> Result<(), CommandFailure>,
) -> Result<(), CommandFailure> {
    let work = I::of(study)?;
    finish(context, store, study, &work, store.begin(study)?, show)
}

fn resume<I: PrintStudy>(
    context: &CommandContext,
    option: &StoreArgs,
    beside: &OutputFiles,
    store: Store,
    run: StoredRun<StudyPlan>,
) -> Result<(), CommandFailure> {
    let work = I::of(&run.plan)?;
    finish(context, option, &run.plan, &work, Some((store, run.id)), |work, conducted| {
        work.show(context, beside, conducted)
    })
}

/// Does what is missing, shows everything, and says how to go on if it was stopped.
fn finish<I: StudyKind>(
    context: &CommandContext,
    option: &StoreArgs,
    study: &StudyPlan,
    work: &I,
    keeping: Option<(Store, RunId)>,
    show: impl FnOnce(&I, &StudyProgress<I::Output>) -> Result<(), CommandFailure>,
) -> Result<(), CommandFailure> {
    let mut progress = ProgressLine::new(!context.output.json);
    let conducted =
        study::conduct(&context.run_context(), study, work, keeping, &mut |done, total, live| {
            progress.show(done, total, live);
        });
    progress.clear();
    let conducted = conducted?;
    show(work, &conducted)?;
    if conducted.complete {
        return Ok(());
    }
    let (done, total) = (conducted.outputs.len(), study.jobs);
    Err(option.stopped(conducted.run, &format!("{done} of {total} jobs")))
}

fn show<I: PrintStudy>(
    context: &CommandContext,
    beside: &OutputFiles,
    store: &Store,
    run: StoredRun<StudyPlan>,
) -> Result<(), CommandFailure> {
    I::of(&run.plan)?.show(context, beside, &study::stored(store, &run)?)
}

fn repeat<I: StudyKind>(
    context: &CommandContext,
    store: &Store,
    run: StoredRun<StudyPlan>,
) -> Result<(), CommandFailure> {
    let work = I::of(&run.plan)?;
    let kept: Vec<JobOutput<I::Output>> = store.outputs(run.id)?;
    let numbers: Vec<u64> = kept.iter().map(|output| output.number).collect();
    let mut jobs = numbers.into_iter();
    let mut progress = ProgressLine::new(!context.output.json);
    let (mut compared, mut different) = (0, None);
    let mut compare = |number: u64, again: I::Output| {
        let same = kept[compared as usize].value == again;
        compared += 1;
        progress.show(compared, kept.len() as u64, String::new);
        if same {
            return ControlFlow::Continue(());
        }
        different = Some(number);
        ControlFlow::Break(())
    };
    ThreadExecutor(context.threads).execute(&work, &mut jobs, interrupt::flag(), &mut compare);
    progress.clear();
    let identical = different.is_none();
    context.output.report(&StudyRepeatReport { run: run.id, identical, compared, different })
}

/// What a repetition showed.
#[derive(Serialize)]
pub(crate) struct StudyRepeatReport {
    pub(crate) run: RunId,
    pub(crate) identical: bool,
    /// Jobs compared.
    pub(crate) compared: u64,
    /// The first job with another output.
    pub(crate) different: Option<u64>,
}

impl CommandReport for StudyRepeatReport {
    fn text(&self) -> String {
        match self.different {
            None => format!(
                "identical: all {} of run {} came out the same\n",
                plural(self.compared, "job"),
                self.run
            ),
            Some(job) => format!("different: job {job} of run {} came out otherwise\n", self.run),
        }
    }
}
