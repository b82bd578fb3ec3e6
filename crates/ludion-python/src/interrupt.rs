//! Ctrl-C and exceptions while Rust works without the interpreter lock.
//!
//! Signals reach Python only in its main thread while that thread runs Python code. So long work
//! runs in another thread, and the calling thread looks for signals. An exception in Python code
//! that Rust called (a game, an evaluator) cannot pass through a search: it is kept, the calls that use
//! this game or evaluator are stopped, and one of them raises it.
//!
//! Python code that does not return would keep the work from ending. So after Ctrl-C the threads that
//! are inside such code get a `KeyboardInterrupt`, which Python raises at the next instruction that it
//! interprets.

use std::cell::Cell;
use std::ffi::c_long;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::ffi;
use pyo3::prelude::*;

use crate::errors::failed;

/// Interval at which the calling thread looks for signals.
const POLL: Duration = Duration::from_millis(50);

/// Time after which Python code that goes on after a `KeyboardInterrupt` gets another one.
const SECOND_INTERRUPT: Duration = Duration::from_secs(1);

/// Time that threads have to leave Python code when the interpreter exits.
const EXIT_GRACE: Duration = Duration::from_secs(2);

static IS_EXITING: AtomicBool = AtomicBool::new(false);

/// All games, players and evaluators that are written in Python.
static CODE: Mutex<Vec<Arc<PythonCode>>> = Mutex::new(Vec::new());

thread_local! {
    /// Whether this thread was started by [`run`] or [`run_command`].
    static IS_WORKER: Cell<bool> = const { Cell::new(false) };
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A game, player, evaluator or callback that is written in Python, with its exception that was not
/// raised yet.
pub(crate) struct PythonCode {
    name: String,
    error: Mutex<Option<PyErr>>,
    has_failed: AtomicBool,
    /// The calls under way that use it.
    calls: Mutex<Vec<Arc<Call>>>,
    /// The threads of Rust that are inside it.
    threads: Mutex<Vec<CallingThread>>,
}

/// A player or an evaluator with its exceptions.
pub(crate) type NamedCode = (Py<PyAny>, Arc<PythonCode>);

/// A thread of Rust that is inside Python code, or waits for the interpreter lock to enter it.
struct CallingThread {
    ident: c_long,
    /// When it got a `KeyboardInterrupt`.
    interrupted: Option<Instant>,
    /// Whether it has left the code.
    has_left: bool,
}

/// A call from Python that works without the interpreter lock.
struct Call {
    stop: AtomicBool,
    kind: PythonCallKind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum PythonCallKind {
    /// A search, a solution, a check.
    Work,
    /// A command of the program, which has a flag of its own.
    Command,
    /// The command `lab`, which goes on after an exception.
    Laboratory,
}

impl Call {
    fn stop(&self) {
        self.stop.store(true, Ordering::SeqCst);
        if self.kind != PythonCallKind::Work {
            ludion_cli::embedded::stop();
        }
    }
}

impl PythonCode {
    /// Makes a game, player or evaluator of this name known, in place of an earlier one.
    pub(crate) fn new(name: &str) -> Arc<Self> {
        let code = Arc::new(Self::unlisted(name));
        lock(&CODE).push(Arc::clone(&code));
        code
    }

    /// Returns a callback of one call, which no spec names.
    pub(crate) fn callback() -> Arc<Self> {
        Arc::new(Self::unlisted(""))
    }

    fn unlisted(name: &str) -> Self {
        PythonCode {
            name: name.to_owned(),
            error: Mutex::new(None),
            has_failed: AtomicBool::new(false),
            calls: Mutex::new(Vec::new()),
            threads: Mutex::new(Vec::new()),
        }
    }

    /// Calls the Python code with the interpreter lock. After Ctrl-C it can be interrupted there.
    pub(crate) fn call<R>(&self, work: impl FnOnce(Python<'_>) -> R) -> R {
        // Other threads belong to Python, which interrupts its main thread itself.
        let is_worker = IS_WORKER.get() || !has_thread_state();
        let inside = is_worker.then(|| InsideCode::new(self));
        Python::attach(|py| {
            let result = work(py);
            inside.iter().for_each(|inside| inside.leave(py));
            result
        })
    }

    /// Raises `KeyboardInterrupt` in the threads of Rust that are inside this code.
    fn interrupt(&self, _py: Python<'_>) {
        for thread in lock(&self.threads).iter_mut().filter(|thread| !thread.has_left) {
            if thread.interrupted.is_none_or(|time| time.elapsed() > SECOND_INTERRUPT) {
                // SAFETY: this thread has the interpreter lock; the exception is a class, of which
                // the interpreter takes a reference of its own.
                let found = unsafe {
                    ffi::PyThreadState_SetAsyncExc(thread.ident, ffi::PyExc_KeyboardInterrupt)
                };
                thread.interrupted = (found > 0).then(Instant::now);
            }
        }
    }

    /// Keeps an exception and stops the calls that use this code. In the laboratory it is written to
    /// standard error, and the laboratory goes on. Returns whether a call will raise the exception.
    pub(crate) fn keep_failure(&self, error: PyErr) -> bool {
        let calls = lock(&self.calls).clone();
        let (laboratories, others): (Vec<_>, Vec<_>) =
            calls.iter().partition(|call| call.kind == PythonCallKind::Laboratory);
        if let Some(laboratory) = laboratories.first() {
            let is_closing = laboratory.stop.load(Ordering::SeqCst);
            Python::attach(|py| {
                if !(is_closing && error.is_instance_of::<PyKeyboardInterrupt>(py)) {
                    error.print(py);
                }
            });
            if others.is_empty() {
                return false;
            }
        }
        lock(&self.error).get_or_insert(error);
        self.has_failed.store(true, Ordering::SeqCst);
        others.into_iter().for_each(|call| call.stop());
        true
    }

    /// Returns whether the code must not be called: there is an exception that was not raised yet, or
    /// the interpreter exits.
    pub(crate) fn has_failed(&self) -> bool {
        self.has_failed.load(Ordering::Relaxed) || is_exiting()
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

/// Returns whether the interpreter knows this thread.
fn has_thread_state() -> bool {
    // SAFETY: this may be called from any thread, with or without the interpreter lock.
    !unsafe { ffi::PyGILState_GetThisThreadState() }.is_null()
}

/// Lists this thread as one that is inside Python code, until it is dropped.
struct InsideCode<'a> {
    code: &'a PythonCode,
    ident: c_long,
}

impl<'a> InsideCode<'a> {
    fn new(code: &'a PythonCode) -> Self {
        // SAFETY: this may be called from any thread.
        let ident = unsafe { ffi::PyThread_get_thread_ident() } as c_long;
        lock(&code.threads).push(CallingThread { ident, interrupted: None, has_left: false });
        InsideCode { code, ident }
    }

    /// Takes an interrupt back that came too late, before it reaches what this thread does next.
    fn leave(&self, _py: Python<'_>) {
        let mut threads = lock(&self.code.threads);
        let Some(thread) = threads.iter_mut().rfind(|thread| thread.ident == self.ident) else {
            return;
        };
        thread.has_left = true;
        if thread.interrupted.is_some() {
            // SAFETY: this thread has the interpreter lock.
            unsafe { ffi::PyThreadState_SetAsyncExc(self.ident, std::ptr::null_mut()) };
        }
    }
}

impl Drop for InsideCode<'_> {
    fn drop(&mut self) {
        let mut threads = lock(&self.code.threads);
        if let Some(last) = threads.iter().rposition(|thread| thread.ident == self.ident) {
            threads.remove(last);
        }
    }
}

/// Returns whether the interpreter exits. No thread may enter Python code any more.
pub(crate) fn is_exiting() -> bool {
    IS_EXITING.load(Ordering::Relaxed)
}

/// Lets the threads of Rust leave Python code before the interpreter exits, which would abort the
/// process; a search of the laboratory may still run then. `atexit` calls it.
#[pyfunction]
pub(crate) fn leave_python(py: Python<'_>) {
    IS_EXITING.store(true, Ordering::SeqCst);
    let (code, began) = (all_code(), Instant::now());
    while began.elapsed() < EXIT_GRACE && code.iter().any(|code| !lock(&code.threads).is_empty()) {
        code.iter().for_each(|code| code.interrupt(py));
        py.detach(|| std::thread::sleep(Duration::from_millis(10)));
    }
}

/// Returns all code in Python.
pub(crate) fn all_code() -> Vec<Arc<PythonCode>> {
    lock(&CODE).clone()
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
    fn new(code: Vec<Arc<PythonCode>>, kind: PythonCallKind) -> Self {
        let call = Arc::new(Call { stop: AtomicBool::new(false), kind });
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
    run_listed(py, &ListedCall::new(code, PythonCallKind::Work), work)
}

/// Runs a command of the program as [`run`] does.
pub(crate) fn run_command<R: Send>(
    py: Python<'_>,
    code: Vec<Arc<PythonCode>>,
    kind: PythonCallKind,
    work: impl FnOnce() -> R + Send,
) -> PyResult<R> {
    run_listed(py, &ListedCall::new(code, kind), |_| work())
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
            IS_WORKER.set(true);
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
                        call.stop();
                        interrupted.get_or_insert(signal);
                    }
                    if interrupted.is_some() {
                        listed.code.iter().for_each(|code| code.interrupt(py));
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
