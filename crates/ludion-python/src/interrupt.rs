//! Ctrl-C and exceptions while Rust works without the interpreter lock.
//!
//! Signals reach Python only in its main thread while that thread runs Python code. So long work
//! runs in another thread, and the calling thread looks for signals. An exception in Python code
//! that Rust called (a game, an evaluator) cannot pass through a search: it is kept, the calls that use
//! this game or evaluator are stopped, and one of them raises it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use pyo3::prelude::*;

use crate::errors::failed;

/// Interval at which the calling thread looks for signals.
const POLL: Duration = Duration::from_millis(50);

/// All games, players and evaluators that are written in Python.
static CODE: Mutex<Vec<Arc<PythonCode>>> = Mutex::new(Vec::new());
/// Whether the laboratory runs, which goes on after an exception.
static LABORATORY: AtomicBool = AtomicBool::new(false);

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A game, player or evaluator that is written in Python, with its exception that was not raised yet.
pub(crate) struct PythonCode {
    name: String,
    error: Mutex<Option<PyErr>>,
    has_failed: AtomicBool,
    /// The calls under way that use it.
    calls: Mutex<Vec<Arc<Call>>>,
}

/// A player or an evaluator with its exceptions.
pub(crate) type NamedCode = (Py<PyAny>, Arc<PythonCode>);

/// A call from Python that works without the interpreter lock.
struct Call {
    stop: AtomicBool,
    /// Whether it is a command of the program, which has a flag of its own.
    is_command: bool,
}

impl PythonCode {
    /// Makes a game, player or evaluator of this name known, in place of an earlier one.
    pub(crate) fn new(name: &str) -> Arc<Self> {
        let code = Arc::new(PythonCode {
            name: name.to_owned(),
            error: Mutex::new(None),
            has_failed: AtomicBool::new(false),
            calls: Mutex::new(Vec::new()),
        });
        lock(&CODE).push(Arc::clone(&code));
        code
    }

    /// Keeps an exception and stops the calls that use this code. In the laboratory it is written to
    /// standard error, and the laboratory goes on.
    pub(crate) fn keep_failure(&self, error: PyErr) {
        if LABORATORY.load(Ordering::Relaxed) {
            return Python::attach(|py| error.print(py));
        }
        lock(&self.error).get_or_insert(error);
        self.has_failed.store(true, Ordering::SeqCst);
        for call in lock(&self.calls).iter() {
            call.stop.store(true, Ordering::SeqCst);
            if call.is_command {
                ludion_cli::embedded::stop();
            }
        }
    }

    /// Returns whether there is an exception that was not raised yet.
    pub(crate) fn has_failed(&self) -> bool {
        self.has_failed.load(Ordering::Relaxed)
    }

    /// Raises the exception that was kept, if there is one.
    pub(crate) fn raise_failure(&self) -> PyResult<()> {
        if !self.has_failed() {
            return Ok(());
        }
        self.has_failed.store(false, Ordering::SeqCst);
        lock(&self.error).take().map_or(Ok(()), Err)
    }
}

/// Returns the code in Python that these texts name.
pub(crate) fn code_named_in<'a>(texts: impl IntoIterator<Item = &'a str>) -> Vec<Arc<PythonCode>> {
    let texts: Vec<&str> = texts.into_iter().collect();
    let is_named = |code: &&Arc<PythonCode>| texts.iter().any(|text| text.contains(&code.name));
    lock(&CODE).iter().filter(is_named).cloned().collect()
}

/// Lists a call with the code that it uses, until it is dropped.
struct ListedCall {
    call: Arc<Call>,
    code: Vec<Arc<PythonCode>>,
}

impl ListedCall {
    fn new(code: Vec<Arc<PythonCode>>, is_command: bool) -> Self {
        let call = Arc::new(Call { stop: AtomicBool::new(false), is_command });
        code.iter().for_each(|code| lock(&code.calls).push(Arc::clone(&call)));
        ListedCall { call, code }
    }
}

impl Drop for ListedCall {
    fn drop(&mut self) {
        for code in &self.code {
            lock(&code.calls).retain(|call| !Arc::ptr_eq(call, &self.call));
        }
    }
}

/// Runs `work` without the interpreter lock in another thread, and returns its result. It may call the
/// `code` in Python. Ctrl-C sets the flag that `work` gets; the result is then dropped and
/// `KeyboardInterrupt` raised.
pub(crate) fn run<R: Send>(
    py: Python<'_>,
    code: Vec<Arc<PythonCode>>,
    work: impl FnOnce(&AtomicBool) -> R + Send,
) -> PyResult<R> {
    run_listed(py, &ListedCall::new(code, false), work)
}

/// Runs a command of the program as [`run`] does.
pub(crate) fn run_command<R: Send>(
    py: Python<'_>,
    code: Vec<Arc<PythonCode>>,
    is_laboratory: bool,
    work: impl FnOnce() -> R + Send,
) -> PyResult<R> {
    LABORATORY.fetch_or(is_laboratory, Ordering::SeqCst);
    let result = run_listed(py, &ListedCall::new(code, true), |_| work());
    LABORATORY.fetch_and(!is_laboratory, Ordering::SeqCst);
    result
}

fn run_listed<R: Send>(
    py: Python<'_>,
    listed: &ListedCall,
    work: impl FnOnce(&AtomicBool) -> R + Send,
) -> PyResult<R> {
    let call = &*listed.call;
    let (sender, receiver) = channel();
    let receiver = Mutex::new(receiver);
    let mut interrupted = None;
    let result: PyResult<Option<R>> = std::thread::scope(|scope| {
        let worker = move || {
            // A panic drops the sender, which tells the calling thread. Otherwise the receiver waits
            // until the work is over.
            // Attached once, so that every call of Python from this thread uses one thread state.
            let work = || Python::attach(|py| py.detach(|| work(&call.stop)));
            let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(work));
            let _ = result.map(|result| sender.send(result));
        };
        std::thread::Builder::new()
            .name("ludion".to_owned())
            .spawn_scoped(scope, worker)
            .map_err(|error| failed(format!("no thread could be started: {error}")))?;
        loop {
            match py.detach(|| lock(&receiver).recv_timeout(POLL)) {
                Ok(result) => return Ok(Some(result)),
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
                Err(RecvTimeoutError::Timeout) => {
                    if let Err(signal) = py.check_signals() {
                        call.stop.store(true, Ordering::SeqCst);
                        if call.is_command {
                            ludion_cli::embedded::stop();
                        }
                        interrupted.get_or_insert(signal);
                    }
                }
            }
        }
    });
    if let Some(signal) = interrupted {
        listed.code.iter().for_each(|code| drop(code.raise_failure()));
        return Err(signal);
    }
    listed.code.iter().try_for_each(|code| code.raise_failure())?;
    match result? {
        Some(_) if call.stop.load(Ordering::SeqCst) => {
            Err(failed("stopped by an exception of the same Python code in another thread"))
        }
        Some(result) => Ok(result),
        None => Err(failed("the work ended with an internal error, a bug in Ludion")),
    }
}
