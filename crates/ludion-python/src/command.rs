//! The commands of the program, run in this process with their reports as JSON.

use std::ffi::OsString;

use ludion_cli::embedded::{self, CommandCall, CommandResult};
use pyo3::prelude::*;

use crate::interrupt::{self, keep_failure};
use crate::registry::registry;

/// Runs a command of the program, such as ["match", "connect4", "mcts", "random"], and returns its
/// report as JSON, its exit code and its error. `on_progress` gets texts about its progress.
#[pyfunction]
#[pyo3(signature = (args, on_progress=None))]
pub(crate) fn call(
    py: Python<'_>,
    args: Vec<OsString>,
    on_progress: Option<Py<PyAny>>,
) -> PyResult<(String, u8, Option<String>)> {
    let registry = registry();
    let on_progress = on_progress.map(|callback| {
        let send = move |text: &str| {
            Python::attach(|py| callback.call1(py, (text,)).map(drop)).unwrap_or_else(keep_failure);
        };
        Box::new(send) as Box<dyn Fn(&str) + Send + Sync>
    });
    let CommandResult { report, code, error } =
        interrupt::run(py, |_| embedded::call(CommandCall { registry, args, on_progress }))?;
    Ok((report, code, error))
}

/// Runs the command line with these arguments, the first of which is the name of the program, and
/// returns the exit code. Ctrl-C is handled as by the program, no longer by Python.
#[pyfunction]
pub(crate) fn main(py: Python<'_>, args: Vec<OsString>) -> u8 {
    let registry = registry();
    py.detach(|| ludion_cli::run_with_args(registry, args))
}

/// Lets the supervisors of bots be started as `program`, because this process is an interpreter.
#[cfg(unix)]
#[pyfunction]
pub(crate) fn start_supervisors_with(program: Vec<OsString>) {
    ludion_bot::start_supervisors_with(program);
}

/// Supervises a bot, if this process was started for that.
#[cfg(unix)]
#[pyfunction]
pub(crate) fn supervise(py: Python<'_>, args: Vec<OsString>) {
    py.detach(|| ludion_bot::supervise_with_args(args));
}
