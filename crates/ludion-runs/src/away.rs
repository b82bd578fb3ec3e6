//! Jobs done here or elsewhere, with the same results: [`execute`] has them done on threads, or
//! by a crew to whom the work is written down; [`Trade`] is the other side, which opens what was
//! written and does one job after the other. Results travel in the encoding of `postcard`.

use std::collections::{HashMap, VecDeque};
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};

use ludion::arena::executor::{Executor, Sink, Threads, Work};
use ludion::registry::Registry;
use ludion::shelf::Shelf;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::crew::{Intake, Order};
use crate::{Error, Gated, Means};

/// Work that can be asked of others.
pub trait Errand: Work<Output: Serialize + DeserializeOwned> {
    /// The work written down.
    ///
    /// # Errors
    /// When it cannot be.
    fn order(&self) -> Result<Order, Error>;

    /// Whether this can be what the job gives: others may answer anything.
    fn fits(&self, number: u64, output: &Self::Output) -> bool {
        let _ = (number, output);
        true
    }
}

/// Has jobs done by whoever the means name, and gives their results to `sink`; `done` of the work
/// were done before.
///
/// # Errors
/// When others are to do them and cannot.
pub fn execute<W: Errand>(
    means: &Means<'_>,
    work: &W,
    done: u64,
    jobs: &mut (dyn Iterator<Item = u64> + Send),
    sink: &mut dyn Sink<W::Output>,
) -> Result<(), Error> {
    let Some(crew) = means.crew else {
        Threads(means.threads).execute(&Gated { work, means }, jobs, means.stop, sink);
        return Ok(());
    };
    let mut jobs = jobs.peekable();
    if jobs.peek().is_none() {
        return Ok(());
    }
    let asked = Mutex::new(VecDeque::new());
    let mut noted = jobs.inspect(|&number| lock(&asked).push_back(number));
    let mut counter = Counter { work, asked: &asked, waiting: HashMap::new(), sink };
    let order = Order { done, ..work.order()? };
    crew.execute(&order, &mut noted, means.stop, &mut counter)
}

fn lock<T>(asked: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    asked.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Reads results and hands them over in the order in which the jobs were asked for.
struct Counter<'a, W: Errand> {
    work: &'a W,
    asked: &'a Mutex<VecDeque<u64>>,
    waiting: HashMap<u64, W::Output>,
    sink: &'a mut dyn Sink<W::Output>,
}

impl<W: Errand> Intake for Counter<'_, W> {
    fn take(&mut self, results: &[(u64, &[u8])]) -> Result<ControlFlow<()>, String> {
        let mut done = Vec::with_capacity(results.len());
        for &(number, bytes) in results {
            let output: W::Output = postcard::from_bytes(bytes)
                .map_err(|error| format!("the result of job {number} does not read: {error}"))?;
            if !self.work.fits(number, &output) {
                return Err(format!("the result of job {number} is that of another job"));
            }
            done.push((number, output));
        }
        self.sink.arrived(&done);
        self.waiting.extend(done);
        loop {
            let next = lock(self.asked).front().copied();
            let Some((number, output)) = next.and_then(|number| self.waiting.remove_entry(&number))
            else {
                return Ok(ControlFlow::Continue(()));
            };
            lock(self.asked).pop_front();
            if self.sink.next(number, output).is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
    }
}

/// How work of one kind is opened by those who do it.
#[derive(Clone, Copy)]
pub struct Trade {
    /// The kind, as orders name it.
    pub kind: &'static str,
    /// Opens what was written down; models and data are found on the shelf.
    pub open: Open,
}

/// Opens work that was written down.
pub type Open = fn(&Registry, &Shelf, &[u8]) -> Result<Arc<dyn Labour>, Error>;

/// Work that was opened, its type forgotten.
pub trait Labour: Send + Sync {
    /// A hand that does jobs; to be made on the thread that will use it.
    fn hand(self: Arc<Self>) -> Hand;
}

/// Does the job with a number: its result in bytes, or a sentence why there is none.
pub type Hand = Box<dyn FnMut(u64) -> Result<Vec<u8>, String>>;

/// Work whose results are written down.
struct Written<W>(W);

/// Work that was opened, for any thread.
pub fn labour<W>(work: W) -> Arc<dyn Labour>
where
    W: Work<Output: Serialize> + Send + 'static,
{
    Arc::new(Written(work))
}

impl<W: Work<Output: Serialize> + Send + 'static> Labour for Written<W> {
    fn hand(self: Arc<Self>) -> Hand {
        let mut worker = None;
        Box::new(move |number| {
            let mut hand = worker.take().unwrap_or_else(|| self.0.worker());
            // A hand that panicked is not used again.
            let output = catch_unwind(AssertUnwindSafe(|| self.0.job(&mut hand, number)))
                .map_err(|_| format!("job {number} panicked"))?;
            worker = Some(hand);
            postcard::to_stdvec(&output)
                .map_err(|error| format!("the result of job {number} cannot be sent: {error}"))
        })
    }
}

/// Reads what was written down.
///
/// # Errors
/// When it is something else.
pub fn read<T: DeserializeOwned>(spec: &[u8]) -> Result<T, Error> {
    serde_json::from_slice(spec)
        .map_err(|error| Error::Failed(format!("the order does not read: {error}")))
}

/// Writes down what work is.
///
/// # Errors
/// When it cannot be written.
pub fn write(spec: &impl Serialize) -> Result<Vec<u8>, Error> {
    serde_json::to_vec(spec)
        .map_err(|error| Error::Failed(format!("the order is no JSON: {error}")))
}
