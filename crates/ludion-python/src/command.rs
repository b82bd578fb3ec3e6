//! The commands of the program, run in this process with their reports as JSON.

use std::ffi::OsString;

use ludion_cli::embedded::{self, CommandCall, CommandResult};
use pyo3::prelude::*;

use crate::errors::wrong;
use crate::interrupt;
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
    if args.is_empty() {
        return Err(wrong("there is no command; give its name and its arguments"));
    }
    let registry = registry();
    let on_progress = on_progress.map(|callback| {
        let send = move |text: &str| {
            Python::attach(|py| {
                callback.call1(py, (text,)).map(drop).unwrap_or_else(|error| error.print(py));
            });
        };
        Box::new(send) as Box<dyn Fn(&str) + Send + Sync>
    });
    let texts = args.iter().filter_map(|arg| arg.to_str());
    let (code_used, is_laboratory) = (interrupt::code_named_in(texts), args[0] == "lab");
    let call = CommandCall { registry, args, on_progress };
    let CommandResult { report, code, error } =
        interrupt::run_command(py, code_used, is_laboratory, || embedded::call(call))?;
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
