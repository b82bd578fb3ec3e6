//! Work of another kind than games: cut into jobs, done on all threads, each output kept as soon
//! as it is there, resumed where it was left, repeated to see whether the same comes out.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::sync::atomic::Ordering;
use std::time::Instant;

use clap::Args;
use ludion::arena::executor::{Executor, Sink, Threads, Work};
use ludion_store::{Output, Run, RunId, State, Store, Study};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::Context;
use crate::contest::{Storage, StoreOption, interrupt};
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

/// A kind of study: what its jobs do and how it is shown.
pub(crate) trait Inquiry:
    Work<Output: Serialize + DeserializeOwned + PartialEq> + Sized
{
    /// The name of the kind.
    const KIND: &'static str;

    /// The work of a study that was kept.
    fn of(study: &Study) -> Result<Self, Failure>;

    /// In a few words, how it stands after these outputs.
    fn live(&self, outputs: &[Output<Self::Output>]) -> String;

    /// Shows what came of it.
    fn show(
        &self,
        context: &Context,
        beside: &Beside,
        conducted: &Conducted<Self::Output>,
    ) -> Result<(), Failure>;
}

/// What has been done of a study by now.
pub(crate) struct Conducted<T> {
    pub(crate) run: Option<RunId>,
    /// The outputs in the order of their jobs.
    pub(crate) outputs: Vec<Output<T>>,
    /// Whether all jobs are done.
    pub(crate) complete: bool,
    /// How long this program worked at it; nothing when it was only looked up.
    pub(crate) seconds: Option<f64>,
}

/// A kind of study by its name, its type forgotten.
pub(crate) struct Kind {
    pub(crate) name: &'static str,
    pub(crate) show: fn(&Context, &Beside, &Store, Run<Study>) -> Result<(), Failure>,
    pub(crate) resume: Resume,
    pub(crate) repeat: fn(&Context, &Store, Run<Study>) -> Result<(), Failure>,
}

/// Goes on with a run of a kind, and shows it.
type Resume = fn(&Context, &StoreOption, &Beside, Store, Run<Study>) -> Result<(), Failure>;

impl Kind {
    pub(crate) const fn of<I: Inquiry>() -> Self {
        Kind { name: I::KIND, show: show::<I>, resume: resume::<I>, repeat: repeat::<I> }
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
    let keeping = match store.open()? {
        Storage::None => None,
        Storage::Store(mut kept) => {
            let run = kept.begin_study(study)?;
            Some((kept, run))
        }
    };
    finish(context, store, study, &work, keeping, show)
}

fn resume<I: Inquiry>(
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
    let conducted = work_at(context, study, work, keeping)?;
    show(work, &conducted)?;
    if conducted.complete {
        return Ok(());
    }
    let (done, total) = (conducted.outputs.len(), study.jobs);
    Err(Failure::Stopped(match conducted.run {
        Some(run) => format!(
            "stopped after {done} of {total} jobs; go on with: ludion run resume {run}{}",
            option.repeated()
        ),
        None => format!("stopped after {done} of {total} jobs; nothing was kept"),
    }))
}

fn show<I: Inquiry>(
    context: &Context,
    beside: &Beside,
    store: &Store,
    run: Run<Study>,
) -> Result<(), Failure> {
    let outputs = store.outputs(run.id)?;
    let complete = outputs.len() as u64 == run.plan.jobs;
    let conducted = Conducted { run: Some(run.id), outputs, complete, seconds: None };
    I::of(&run.plan)?.show(context, beside, &conducted)
}

/// Does the jobs whose outputs are not in the store.
fn work_at<I: Inquiry>(
    context: &Context,
    study: &Study,
    work: &I,
    mut keeping: Option<(Store, RunId)>,
) -> Result<Conducted<I::Output>, Failure> {
    let (mut known, mut lock) = (Vec::new(), None);
    if let Some((store, run)) = &mut keeping {
        lock = store.lock(*run)?;
        store.set_state(*run, State::Running)?;
        known = store.outputs(*run)?;
    }
    let numbers: HashSet<u64> = known.iter().map(|output| output.number).collect();
    let mut jobs = (0..study.jobs).filter(|number| !numbers.contains(number));
    let began = Instant::now();
    let mut collector = Collector {
        work,
        keeping: keeping.as_mut().map(|(store, run)| (store, *run)),
        outputs: known,
        total: study.jobs,
        progress: Progress::new(!context.output.json),
        failure: None,
    };
    Threads(context.threads).execute(&Timed(work), &mut jobs, interrupt::flag(), &mut collector);
    collector.progress.clear();
    let Collector { mut outputs, failure, .. } = collector;
    if let Some(error) = failure {
        return Err(error.into());
    }
    outputs.sort_by_key(|output| output.number);
    let complete = outputs.len() as u64 == study.jobs;
    let run = keeping.as_ref().map(|(_, run)| *run);
    if let Some((store, run)) = &mut keeping {
        store.set_state(*run, if complete { State::Finished } else { State::Stopped })?;
    }
    drop(lock);
    Ok(Conducted { run, outputs, complete, seconds: Some(began.elapsed().as_secs_f64()) })
}

/// Work whose jobs say how long they took.
struct Timed<'a, W>(&'a W);

impl<W: Work> Work for Timed<'_, W> {
    type Worker = W::Worker;
    type Output = Output<W::Output>;

    fn worker(&self) -> W::Worker {
        self.0.worker()
    }

    fn job(&self, worker: &mut W::Worker, number: u64) -> Self::Output {
        let began = Instant::now();
        let value = self.0.job(worker, number);
        Output { number, took: began.elapsed(), value }
    }
}

/// Keeps outputs as they arrive.
struct Collector<'a, I: Inquiry> {
    work: &'a I,
    keeping: Option<(&'a mut Store, RunId)>,
    outputs: Vec<Output<I::Output>>,
    total: u64,
    progress: Progress,
    failure: Option<ludion_store::Error>,
}

impl<I: Inquiry> Sink<Output<I::Output>> for Collector<'_, I> {
    fn arrived(&mut self, done: &[(u64, Output<I::Output>)]) {
        let Some((store, run)) = self.keeping.as_mut().filter(|_| self.failure.is_none()) else {
            return;
        };
        let outputs = done.iter().map(|(_, output)| output);
        if let Err(error) = store.keep_outputs(*run, outputs) {
            self.failure = Some(error);
            interrupt::flag().store(true, Ordering::Relaxed);
        }
    }

    fn next(&mut self, _number: u64, output: Output<I::Output>) -> ControlFlow<()> {
        self.outputs.push(output);
        let (work, outputs) = (self.work, &self.outputs);
        self.progress.show(outputs.len() as u64, self.total, || work.live(outputs));
        ControlFlow::Continue(())
    }
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
