//! Work of another kind than games, on the command line: conducted with a line of progress,
//! shown, resumed, repeated to see whether the same comes out.

use std::ops::ControlFlow;

use clap::Args;
use ludion::arena::executor::{Executor, Threads};
use ludion_runs::study::{self, Conducted, Inquiry};
use ludion_runs::{Error, Means};
use ludion_store::{Output, Run, RunId, State, Store, Study};
use serde::Serialize;

use crate::Context;
use crate::contest::{StoreOption, interrupt};
use crate::failure::Failure;
use crate::output::{Report, plural};
use crate::pictures::Pictures;
use crate::progress::Progress;
use crate::sheet::Sheet;

/// What is written beside the answer.
#[derive(Args, Clone, Default)]
pub(crate) struct Beside {
    #[command(flatten)]
    pub(crate) sheet: Sheet,
    #[command(flatten)]
    pub(crate) pictures: Pictures,
}

/// A kind of study that can be shown.
pub(crate) trait Shown: Inquiry {
    /// Shows what came of it.
    fn show(
        &self,
        context: &Context,
        beside: &Beside,
        conducted: &Conducted<Self::Output>,
    ) -> Result<(), Failure>;
}

/// A kind of study by its name, its type forgotten.
pub(crate) struct Kind {
    pub(crate) name: &'static str,
    pub(crate) show: fn(&Context, &Beside, &Store, Run<Study>) -> Result<(), Failure>,
    pub(crate) resume: Resume,
    pub(crate) repeat: fn(&Context, &Store, Run<Study>) -> Result<(), Failure>,
    /// The same for those who see it in a browser.
    pub(crate) lab: study::Kind,
}

/// How the laboratory looks at a kind that only the command line goes on with, for it reads and
/// writes files, in which a browser has no say.
pub(crate) const fn looked_at(
    name: &'static str,
    found: fn(&Store, &Run<Study>) -> Result<study::Found, Error>,
) -> study::Kind {
    study::Kind { name, resume: refer, found }
}

fn refer(
    _means: &Means<'_>,
    _store: Store,
    run: &Run<Study>,
    _told: study::Told<'_>,
) -> Result<State, Error> {
    let (kind, id) = (&run.plan.kind, run.id);
    Err(Error::Wrong(format!("{kind} goes on from the command line: ludion run resume {id}")))
}

/// Goes on with a run of a kind, and shows it.
type Resume = fn(&Context, &StoreOption, &Beside, Store, Run<Study>) -> Result<(), Failure>;

impl Kind {
    pub(crate) const fn of<I: Shown>() -> Self {
        Kind {
            name: I::KIND,
            show: show::<I>,
            resume: resume::<I>,
            repeat: repeat::<I>,
            lab: study::Kind::of::<I>(),
        }
    }
}

/// Does a new study and shows it, as its kind does or with more beside it.
pub(crate) fn conduct<I: Inquiry>(
    context: &Context,
    store: &StoreOption,
    study: &Study,
    show: impl FnOnce(&I, &Conducted<I::Output>) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let work = I::of(study)?;
    finish(context, store, study, &work, store.begin(study)?, show)
}

fn resume<I: Shown>(
    context: &Context,
    option: &StoreOption,
    beside: &Beside,
    store: Store,
    run: Run<Study>,
) -> Result<(), Failure> {
    let work = I::of(&run.plan)?;
    finish(context, option, &run.plan, &work, Some((store, run.id)), |work, conducted| {
        work.show(context, beside, conducted)
    })
}

/// Does what is missing, shows everything, and says how to go on if it was stopped.
fn finish<I: Inquiry>(
    context: &Context,
    option: &StoreOption,
    study: &Study,
    work: &I,
    keeping: Option<(Store, RunId)>,
    show: impl FnOnce(&I, &Conducted<I::Output>) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let mut progress = Progress::new(!context.output.json);
    let conducted =
        study::conduct(&context.means(), study, work, keeping, &mut |done, total, live| {
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

fn show<I: Shown>(
    context: &Context,
    beside: &Beside,
    store: &Store,
    run: Run<Study>,
) -> Result<(), Failure> {
    I::of(&run.plan)?.show(context, beside, &study::stored(store, &run)?)
}

fn repeat<I: Inquiry>(context: &Context, store: &Store, run: Run<Study>) -> Result<(), Failure> {
    let work = I::of(&run.plan)?;
    let kept: Vec<Output<I::Output>> = store.outputs(run.id)?;
    let numbers: Vec<u64> = kept.iter().map(|output| output.number).collect();
    let mut jobs = numbers.into_iter();
    let mut progress = Progress::new(!context.output.json);
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
    Threads(context.threads).execute(&work, &mut jobs, interrupt::flag(), &mut compare);
    progress.clear();
    let identical = different.is_none();
    context.output.report(&Repeated { run: run.id, identical, compared, different })
}

/// What a repetition showed.
#[derive(Serialize)]
pub(crate) struct Repeated {
    pub(crate) run: RunId,
    pub(crate) identical: bool,
    /// Jobs compared.
    pub(crate) compared: u64,
    /// The first job with another output.
    pub(crate) different: Option<u64>,
}

impl Report for Repeated {
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
