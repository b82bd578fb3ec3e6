//! What weights score on a problem, computed once: on all threads or by others elsewhere, each
//! score in the store as soon as it is there, under a name that says all it depends on.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use ludion::arena::executor::{Sink, Work};
use ludion::games::hextris::solver::evaluation::Weights;
use ludion::games::hextris::solver::tuning::{Tally, Trial};
use ludion::games::hextris::{Draft, Problem};
use ludion::random::derive_seed;
use ludion::registry::Registry;
use ludion::shelf::Shelf;
use ludion_runs::away::{self, Errand, Labour, Trade};
use ludion_runs::crew::Order;
use ludion_runs::{Error, Means};
use ludion_store::Store;
use serde::{Deserialize, Serialize};

use super::course::Told;

/// What scores are kept as.
const KIND: &str = "hextris weights";

/// A problem to be played by beams of so many states.
pub(super) struct Task {
    trial: Trial,
    written: WrittenTask,
    /// All that a score depends on but the weights.
    key: String,
    /// How long it takes, roughly.
    cost: u64,
    most: Most,
}

/// More than this no weights score, with the number of games they must have played.
struct Most(Tally);

impl Most {
    /// No unit comes down further than the board is high, nor clears more rows at once, and the
    /// bonus for rows cleared before is a tenth of the points for each of them.
    fn of(problem: &Problem, games: usize) -> Self {
        let (width, height) = (problem.width() as u64, problem.height() as u64);
        let units = (games * problem.source_length()) as u64;
        let clearing = width * height + 50 * height * (height + 1);
        Most(Tally {
            games: games as u64,
            points: units.saturating_mul(clearing * (1 + height.div_ceil(10))),
            descents: units.saturating_mul(height),
        })
    }

    fn holds(&self, tally: &Tally) -> bool {
        let Most(most) = self;
        tally.games == most.games && tally.points <= most.points && tally.descents <= most.descents
    }
}

impl Task {
    pub(super) fn new(problem: &Problem, seeds: usize, states: usize) -> Result<Self, Error> {
        // Problems are told apart by what they are: files of one number may differ.
        let text = to_json(problem.draft())?;
        let print = derive_seed(0, &text.bytes().map(u64::from).collect::<Vec<_>>());
        let (id, version) = (problem.id(), env!("CARGO_PKG_VERSION"));
        let games = seeds.min(problem.seeds().len());
        let size = problem.source_length() * problem.width() * problem.height();
        Ok(Task {
            trial: Trial::new(problem, seeds),
            written: WrittenTask { problem: problem.draft().clone(), seeds, states },
            key: format!(
                "problem {id} {print:016x}, seeds {games}, states {states}, version {version}"
            ),
            cost: (games * size) as u64,
            most: Most::of(problem, games),
        })
    }

    /// How many states fit into so many bytes.
    pub(super) fn states_within(&self, bytes: usize) -> usize {
        self.trial.states_within(bytes)
    }
}

pub(super) fn to_json(value: &impl serde::Serialize) -> Result<String, Error> {
    serde_json::to_string(value)
        .map_err(|error| Error::Failed(format!("what is kept is no JSON: {error}")))
}

/// The scores known: to this program, and to the store if there is one.
#[derive(Default)]
pub(super) struct Memory {
    pub(super) store: Option<Store>,
    known: HashMap<String, Tally>,
    /// Scores that were computed by this program.
    pub(super) computed: u64,
    /// Scores that the store knew.
    pub(super) recalled: u64,
}

impl Memory {
    pub(super) fn new(store: Option<Store>) -> Self {
        Memory { store, ..Memory::default() }
    }

    /// What every candidate scores on every task, a row a candidate; what is not known is
    /// computed. `None` when somebody stopped it.
    pub(super) fn tallies(
        &mut self,
        means: &Means<'_>,
        tasks: &[Task],
        candidates: &[Weights],
        what: &str,
        told: Told<'_>,
    ) -> Result<Option<Vec<Vec<Tally>>>, Error> {
        let (mut names, mut missing) = (Vec::new(), Vec::new());
        for weights in candidates {
            let json = to_json(weights)?;
            for task in tasks {
                let name = format!("{}, weights {json}", task.key);
                if !self.recall(&name)? {
                    missing.push(Job { name: name.clone(), task, weights: *weights });
                }
                names.push(name);
            }
        }
        // The dearest first, so that no thread is left alone with one in the end.
        missing.sort_by(|a, b| (b.task.cost, &a.name).cmp(&(a.task.cost, &b.name)));
        missing.dedup_by(|a, b| a.name == b.name);
        if !self.compute(means, &missing, what, told)? {
            return Ok(None);
        }
        let tallies: Vec<Tally> = names.iter().map(|name| self.known[name]).collect();
        Ok(Some(tallies.chunks(tasks.len().max(1)).map(<[Tally]>::to_vec).collect()))
    }

    /// Whether a score is known. What is kept under its name and is no score is computed anew.
    fn recall(&mut self, name: &str) -> Result<bool, Error> {
        if self.known.contains_key(name) {
            return Ok(true);
        }
        let Some(store) = &self.store else { return Ok(false) };
        let kept = store.keepsake(KIND, name)?;
        let Some(tally) = kept.and_then(|kept| serde_json::from_slice(&kept).ok()) else {
            return Ok(false);
        };
        self.known.insert(name.to_owned(), tally);
        self.recalled += 1;
        Ok(true)
    }

    /// Computes what is missing, and says whether it came to the end of it.
    fn compute(
        &mut self,
        means: &Means<'_>,
        missing: &[Job<'_>],
        what: &str,
        told: Told<'_>,
    ) -> Result<bool, Error> {
        let stop = means.stop;
        let mut keeper = Keeper { memory: self, missing, what, told, failure: None };
        let mut numbers = 0..missing.len() as u64;
        let work = Jobs { missing, what };
        let done = away::execute(means, &work, 0, &mut numbers, &mut keeper);
        if let Some(failure) = keeper.failure {
            return Err(failure);
        }
        done?;
        let all = missing.iter().all(|job| self.known.contains_key(&job.name));
        Ok(all && !stop.load(Ordering::Relaxed))
    }

    fn keep(&mut self, name: &str, tally: Tally) -> Result<(), Error> {
        self.known.insert(name.to_owned(), tally);
        self.computed += 1;
        if let Some(store) = &mut self.store {
            store.keep_keepsake(KIND, name, to_json(&tally)?.as_bytes())?;
        }
        Ok(())
    }
}

/// Weights to be tried on a problem.
struct Job<'a> {
    name: String,
    task: &'a Task,
    weights: Weights,
}

struct Jobs<'a> {
    missing: &'a [Job<'a>],
    what: &'a str,
}

impl Work for Jobs<'_> {
    type Worker = ();
    type Output = Tally;

    fn worker(&self) {}

    fn job(&self, (): &mut (), number: u64) -> Tally {
        let Job { task, weights, .. } = &self.missing[number as usize];
        task.trial.play(weights, task.written.states)
    }
}

/// A problem as others read it.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
struct WrittenTask {
    problem: Draft,
    seeds: usize,
    states: usize,
}

/// The jobs of a generation as others read them: each is a task and weights.
#[derive(Serialize, Deserialize)]
struct Written {
    tasks: Vec<WrittenTask>,
    jobs: Vec<(usize, Weights)>,
}

/// How others try weights.
pub(crate) const TRIALS: Trade = Trade { kind: super::NAME, open };

fn open(_registry: &Registry, _shelf: &Shelf, spec: &[u8]) -> Result<Arc<dyn Labour>, Error> {
    let Written { tasks, jobs } = away::read(spec)?;
    let trials = tasks.into_iter().map(|WrittenTask { problem, seeds, states }| {
        let problem = Problem::new(problem).map_err(|error| Error::Wrong(error.to_string()))?;
        Ok((Trial::new(&problem, seeds), states))
    });
    let trials = trials.collect::<Result<Vec<_>, Error>>()?;
    if jobs.iter().any(|&(task, _)| task >= trials.len()) {
        return Err(Error::Failed("the order names a problem that is not in it".to_owned()));
    }
    Ok(away::labour(Trials { trials, jobs }))
}

/// Trials that were opened.
struct Trials {
    trials: Vec<(Trial, usize)>,
    jobs: Vec<(usize, Weights)>,
}

impl Work for Trials {
    type Worker = ();
    type Output = Tally;

    fn worker(&self) {}

    fn job(&self, (): &mut (), number: u64) -> Tally {
        let (task, weights) = &self.jobs[number as usize];
        let (trial, states) = &self.trials[*task];
        trial.play(weights, *states)
    }
}

impl Errand for Jobs<'_> {
    fn order(&self) -> Result<Order, Error> {
        let (mut tasks, mut jobs) = (Vec::new(), Vec::new());
        for Job { task, weights, .. } in self.missing {
            let known = tasks.iter().position(|known| *known == task.written);
            let place = known.unwrap_or_else(|| {
                tasks.push(task.written.clone());
                tasks.len() - 1
            });
            jobs.push((place, *weights));
        }
        Ok(Order {
            kind: super::NAME.to_owned(),
            about: self.what.to_owned(),
            jobs: jobs.len() as u64,
            done: 0,
            spec: away::write(&Written { tasks, jobs })?,
            things: Vec::new(),
        })
    }

    fn fits(&self, number: u64, tally: &Tally) -> bool {
        self.missing[number as usize].task.most.holds(tally)
    }
}

/// Keeps scores as they arrive.
struct Keeper<'a> {
    memory: &'a mut Memory,
    missing: &'a [Job<'a>],
    what: &'a str,
    told: Told<'a>,
    failure: Option<Error>,
}

impl Sink<Tally> for Keeper<'_> {
    fn arrived(&mut self, done: &[(u64, Tally)]) {
        for (number, tally) in done {
            if self.failure.is_none() {
                let name = &self.missing[*number as usize].name;
                self.failure = self.memory.keep(name, *tally).err();
            }
        }
    }

    fn next(&mut self, number: u64, _: Tally) -> ControlFlow<()> {
        (self.told)(number + 1, self.missing.len() as u64, self.what);
        if self.failure.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}
