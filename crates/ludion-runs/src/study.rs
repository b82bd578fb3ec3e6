//! Work of another kind than games: cut into jobs, done by whoever the means name, each output
//! kept as soon as it is there, resumed where it was left.

use std::collections::HashSet;
use std::ops::{ControlFlow, Deref};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use ludion::arena::executor::{Sink, Work};
use ludion::registry::Registry;
use ludion::shelf::Shelf;
use ludion_store::{Output, Run, RunId, State, Store, Study};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::away::{self, Errand, Labour, Trade};
use crate::crew::Order;
use crate::{Error, Means, Picture};

/// Told how far a study has come: jobs done, jobs in all, and in a few words what came of them.
pub type Told<'a> = &'a mut dyn FnMut(u64, u64, &dyn Fn() -> String);

/// A kind of study: what its jobs do and what comes of them.
pub trait Inquiry: Work<Output: Serialize + DeserializeOwned + PartialEq> + Sized {
    /// The name of the kind.
    const KIND: &'static str;

    /// The work of a study that was kept.
    ///
    /// # Errors
    /// When its settings are none of this kind.
    fn of(study: &Study) -> Result<Self, Error>;

    /// In a few words, how it stands after these outputs.
    fn live(&self, outputs: &[Output<Self::Output>]) -> String;

    /// What came of it.
    ///
    /// # Errors
    /// When there is nothing to say yet.
    fn found(&self, conducted: &Conducted<Self::Output>) -> Result<Found, Error>;
}

/// What has been done of a study by now.
pub struct Conducted<T> {
    /// The run, if it is kept.
    pub run: Option<RunId>,
    /// The outputs in the order of their jobs.
    pub outputs: Vec<Output<T>>,
    /// Whether all jobs are done.
    pub complete: bool,
    /// How long this program worked at it; nothing when it was only looked up.
    pub seconds: Option<f64>,
}

/// What came of a study, for whoever does not know its kind.
pub struct Found {
    /// Its figures, as the command line writes them for machines.
    pub figures: Value,
    /// What is drawn of it.
    pub picture: Option<Picture>,
}

impl Found {
    /// Figures with their picture.
    ///
    /// # Errors
    /// When the figures are no JSON.
    pub fn new(figures: &impl Serialize, picture: Picture) -> Result<Self, Error> {
        let figures = serde_json::to_value(figures)
            .map_err(|error| Error::Failed(format!("the answer is no JSON: {error}")))?;
        Ok(Found { figures, picture: Some(picture) })
    }
}

/// A kind of study by its name, its type forgotten.
#[derive(Clone, Copy)]
pub struct Kind {
    /// Its name.
    pub name: &'static str,
    /// Does what is missing of a run.
    pub resume: Resume,
    /// What the store knows of a run.
    pub found: fn(&Store, &Run<Study>) -> Result<Found, Error>,
}

/// Does what is missing of a run, and says how far it has come.
pub type Resume = fn(&Means<'_>, Store, &Run<Study>, Told<'_>) -> Result<State, Error>;

impl Kind {
    /// The kind of an inquiry.
    #[must_use]
    pub const fn of<I: Inquiry>() -> Self {
        Kind { name: I::KIND, resume: resume::<I>, found: found::<I> }
    }
}

fn resume<I: Inquiry>(
    means: &Means<'_>,
    store: Store,
    run: &Run<Study>,
    told: Told<'_>,
) -> Result<State, Error> {
    let work = I::of(&run.plan)?;
    let done = conduct(means, &run.plan, &work, Some((store, run.id)), told)?;
    Ok(if done.complete { State::Finished } else { State::Stopped })
}

fn found<I: Inquiry>(store: &Store, run: &Run<Study>) -> Result<Found, Error> {
    I::of(&run.plan)?.found(&stored(store, run)?)
}

/// What the store knows of a study.
///
/// # Errors
/// When the outputs do not read as this type.
pub fn stored<T: DeserializeOwned>(store: &Store, run: &Run<Study>) -> Result<Conducted<T>, Error> {
    let outputs = store.outputs(run.id)?;
    let complete = outputs.len() as u64 == run.plan.jobs;
    Ok(Conducted { run: Some(run.id), outputs, complete, seconds: None })
}

/// Does the jobs whose outputs are not in the store.
///
/// # Errors
/// When another program is at it, or the store fails.
pub fn conduct<I: Inquiry>(
    means: &Means<'_>,
    study: &Study,
    work: &I,
    mut keeping: Option<(Store, RunId)>,
    told: Told<'_>,
) -> Result<Conducted<I::Output>, Error> {
    let (mut known, mut lock) = (Vec::new(), None);
    if let Some((store, run)) = &mut keeping {
        lock = store.lock(*run)?;
        store.set_state(*run, State::Running)?;
        known = store.outputs(*run)?;
    }
    let numbers: HashSet<u64> = known.iter().map(|output| output.number).collect();
    let before = numbers.len() as u64;
    let mut jobs = (0..study.jobs).filter(|number| !numbers.contains(number));
    let began = Instant::now();
    let mut collector = Collector {
        work,
        keeping: keeping.as_mut().map(|(store, run)| (store, *run)),
        outputs: known,
        total: study.jobs,
        stop: means.stop,
        failure: None,
        told,
    };
    let timed = Timed { work, study: study.clone() };
    let done = away::execute(means, &timed, before, &mut jobs, &mut collector);
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
    done?;
    Ok(Conducted { run, outputs, complete, seconds: Some(began.elapsed().as_secs_f64()) })
}

/// The work of a study, whose jobs say how long they took.
struct Timed<P> {
    work: P,
    study: Study,
}

impl<P: Deref<Target: Work> + Sync> Work for Timed<P> {
    type Worker = <P::Target as Work>::Worker;
    type Output = Output<<P::Target as Work>::Output>;

    fn worker(&self) -> Self::Worker {
        self.work.worker()
    }

    fn job(&self, worker: &mut Self::Worker, number: u64) -> Self::Output {
        let began = Instant::now();
        let value = self.work.job(worker, number);
        Output { number, took: began.elapsed(), value }
    }
}

impl<I: Inquiry> Errand for Timed<&I> {
    fn order(&self) -> Result<Order, Error> {
        let Study { kind, about, jobs, .. } = &self.study;
        Ok(Order {
            kind: kind.clone(),
            about: about.clone(),
            jobs: *jobs,
            done: 0,
            spec: away::write(&self.study)?,
            things: Vec::new(),
        })
    }

    fn fits(&self, number: u64, output: &Self::Output) -> bool {
        output.number == number
    }
}

/// How others open the studies of a kind.
#[must_use]
pub const fn trade<I: Inquiry + Send + 'static>() -> Trade {
    Trade { kind: I::KIND, open: open::<I> }
}

fn open<I: Inquiry + Send + 'static>(
    _registry: &Registry,
    _shelf: &Shelf,
    spec: &[u8],
) -> Result<Arc<dyn Labour>, Error> {
    let study: Study = away::read(spec)?;
    let work = Box::new(I::of(&study)?);
    Ok(away::labour(Timed { work, study }))
}

/// Keeps outputs as they arrive.
struct Collector<'a, I: Inquiry> {
    work: &'a I,
    keeping: Option<(&'a mut Store, RunId)>,
    outputs: Vec<Output<I::Output>>,
    total: u64,
    stop: &'a AtomicBool,
    failure: Option<ludion_store::Error>,
    told: Told<'a>,
}

impl<I: Inquiry> Sink<Output<I::Output>> for Collector<'_, I> {
    fn arrived(&mut self, done: &[(u64, Output<I::Output>)]) {
        let Some((store, run)) = self.keeping.as_mut().filter(|_| self.failure.is_none()) else {
            return;
        };
        let outputs = done.iter().map(|(_, output)| output);
        if let Err(error) = store.keep_outputs(*run, outputs) {
            self.failure = Some(error);
            self.stop.store(true, Ordering::Relaxed);
        }
    }

    fn next(&mut self, _number: u64, output: Output<I::Output>) -> ControlFlow<()> {
        self.outputs.push(output);
        let (work, outputs) = (self.work, &self.outputs);
        (self.told)(outputs.len() as u64, self.total, &|| work.live(outputs));
        ControlFlow::Continue(())
    }
}
