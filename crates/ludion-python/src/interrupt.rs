//! Ctrl-C and exceptions while Rust works without the interpreter lock.
//!
//! Signals reach Python only in its main thread while that thread runs Python code. So long work
//! runs in another thread, and the calling thread looks for signals. An exception in Python code
//! that Rust called (a game, an evaluator) cannot pass through a search: it is kept, everything under
//! way is stopped, and the call that began the work raises it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use pyo3::prelude::*;

use crate::errors::failed;

/// Interval at which the calling thread looks for signals.
const POLL: Duration = Duration::from_millis(50);

/// The first exception of Python code that Rust called, until it is raised.
static FAILURE: Mutex<Option<PyErr>> = Mutex::new(None);
/// Whether there is such an exception.
static HAS_FAILED: AtomicBool = AtomicBool::new(false);
/// The flags that stop the work under way.
static STOP_FLAGS: Mutex<Vec<Arc<AtomicBool>>> = Mutex::new(Vec::new());

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Keeps an exception of Python code and stops the work under way.
pub(crate) fn keep_failure(error: PyErr) {
    lock(&FAILURE).get_or_insert(error);
    HAS_FAILED.store(true, Ordering::SeqCst);
    lock(&STOP_FLAGS).iter().for_each(|stop| stop.store(true, Ordering::SeqCst));
    ludion_cli::embedded::stop();
}

/// Returns whether Python code has raised an exception that was not raised to the caller yet.
pub(crate) fn has_failed() -> bool {
    HAS_FAILED.load(Ordering::Relaxed)
}

/// Raises the exception that Python code raised while Rust worked, if there is one.
pub(crate) fn raise_failure() -> PyResult<()> {
    if !has_failed() {
        return Ok(());
    }
    HAS_FAILED.store(false, Ordering::SeqCst);
    lock(&FAILURE).take().map_or(Ok(()), Err)
}

/// A flag that stops work, listed while the work lasts.
struct ListedFlag(Arc<AtomicBool>);

impl ListedFlag {
    fn new() -> Self {
        let flag = Arc::new(AtomicBool::new(false));
        lock(&STOP_FLAGS).push(Arc::clone(&flag));
        ListedFlag(flag)
    }
}

impl Drop for ListedFlag {
    fn drop(&mut self) {
        lock(&STOP_FLAGS).retain(|flag| !Arc::ptr_eq(flag, &self.0));
    }
}

/// Runs `work` without the interpreter lock in another thread, and returns its result. Ctrl-C sets the
/// flag that `work` gets; the result is then dropped and `KeyboardInterrupt` raised.
pub(crate) fn run<R: Send>(
    py: Python<'_>,
    work: impl FnOnce(&AtomicBool) -> R + Send,
) -> PyResult<R> {
    let listed = ListedFlag::new();
    let stop = &*listed.0;
    let (sender, receiver) = channel();
    let receiver = Mutex::new(receiver);
    let result = std::thread::scope(|scope| {
        let worker = move || {
            // A panic drops the sender, which tells the calling thread. Otherwise the receiver waits
            // until the work is over.
            // Attached once, so that every call of Python from this thread uses one thread state.
            let work = || Python::attach(|py| py.detach(|| work(stop)));
            let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(work));
            let _ = result.map(|result| sender.send(result));
        };
        std::thread::Builder::new()
            .name("ludion".to_owned())
            .spawn_scoped(scope, worker)
            .map_err(|error| failed(format!("no thread could be started: {error}")))?;
        let mut interrupted = None;
        loop {
            match py.detach(|| lock(&receiver).recv_timeout(POLL)) {
                Ok(result) => return interrupted.map_or(Ok(result), Err),
                Err(RecvTimeoutError::Timeout) => {
                    if let Err(signal) = py.check_signals() {
                        stop.store(true, Ordering::SeqCst);
                        ludion_cli::embedded::stop();
                        interrupted.get_or_insert(signal);
                    }
                }
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(failed("the work ended with an internal error, a bug in Ludion"));
                }
            }
        }
    });
    raise_failure()?;
    result
}
