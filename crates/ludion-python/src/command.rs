//! The commands of the program, run in this process with their reports as JSON.

use std::ffi::OsString;

use ludion_cli::embedded::{self, CommandCall, CommandResult, TextSink};
use pyo3::prelude::*;

use crate::errors::wrong;
use crate::interrupt::{self, PythonCallKind};
use crate::registry::registry;

/// Runs a command of the program, such as ["match", "connect4", "mcts", "random"], and returns its
/// report as JSON, its exit code and its error. `on_progress` gets texts about its progress, and
/// `on_report` the report when it is written, which for the laboratory is long before it ends.
#[pyfunction]
#[pyo3(signature = (args, on_progress=None, on_report=None))]
pub(crate) fn call(
    py: Python<'_>,
    args: Vec<OsString>,
    on_progress: Option<Py<PyAny>>,
    on_report: Option<Py<PyAny>>,
) -> PyResult<(String, u8, Option<String>)> {
    if args.is_empty() {
        return Err(wrong("there is no command; give its name and its arguments"));
    }
    let registry = registry();
    let [on_progress, on_report] = [on_progress, on_report].map(|callback| callback.map(text_sink));
    let kind = if args[0] == "lab" { PythonCallKind::Laboratory } else { PythonCallKind::Command };
    // A stored run names its players and its game in its plan, a browser in its requests.
    let code_used = match args[0] == "run" || kind == PythonCallKind::Laboratory {
        true => interrupt::all_code(),
        false => interrupt::code_named_in(args.iter().filter_map(|arg| arg.to_str())),
    };
    let call = CommandCall { registry, args, on_progress, on_report };
    let CommandResult { report, code, error } =
        interrupt::run_command(py, code_used, kind, || embedded::call(call))?;
    Ok((report, code, error))
}

/// Returns a function that passes texts to a Python function.
fn text_sink(callback: Py<PyAny>) -> TextSink {
    Box::new(move |text| {
        Python::attach(|py| {
            callback.call1(py, (text,)).map(drop).unwrap_or_else(|error| error.print(py));
        });
    })
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
