//! Choices and solutions as Python objects, of the classes in `ludion._choice`.

use ludion::outcome::Wdl;
use ludion::player::{Choice, Proof, RootLine};
use ludion::registry::AnySolution;
use pyo3::prelude::*;
use pyo3::types::PyList;

fn class<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import("ludion._choice")?.getattr(name)
}

/// Returns a proven result as Python sees it: "win", "draw" or "loss".
fn verdict(proof: &Proof) -> &'static str {
    match proof.verdict {
        Wdl::Win => "win",
        Wdl::Draw => "draw",
        Wdl::Loss => "loss",
    }
}

fn lines<'py>(py: Python<'py>, lines: &[RootLine<String>]) -> PyResult<Bound<'py, PyList>> {
    let line_class = class(py, "Line")?;
    let line = |line: &RootLine<String>| {
        line_class.call1((
            &line.play,
            line.value,
            line.visits,
            line.proven.as_ref().map(verdict),
            line.proven.as_ref().and_then(|proof| proof.plies),
            line.prior,
            &line.variation,
        ))
    };
    PyList::new(py, lines.iter().map(line).collect::<PyResult<Vec<_>>>()?)
}

/// Returns a player's choice as an object of the class `Choice`.
pub(crate) fn choice<'py>(
    py: Python<'py>,
    choice: &Choice<String>,
    text: &str,
) -> PyResult<Bound<'py, PyAny>> {
    class(py, "Choice")?.call1((
        &choice.best,
        lines(py, &choice.lines)?,
        choice.nodes,
        choice.simulations,
        choice.depth,
        choice.time.as_secs_f64(),
        text,
    ))
}

/// Returns the solution of a state as an object of the class `Solution`.
pub(crate) fn solution<'py>(
    py: Python<'py>,
    solution: &AnySolution,
) -> PyResult<Bound<'py, PyAny>> {
    class(py, "Solution")?.call1((
        verdict(&solution.value),
        solution.value.plies,
        &solution.best,
        lines(py, &solution.lines)?,
        solution.nodes,
    ))
}
