//! The class `Riddle`: a secret code that is found by guesses and feedback, such as Mastermind.

use std::sync::Arc;

use ludion::registry::AnyRiddle;
use pyo3::prelude::*;

use crate::errors::wrong;
use crate::numbers;
use crate::registry::registry;

/// A riddle: a secret code that is found by guesses and feedback. `ludion.riddle` makes one.
#[pyclass(frozen, module = "ludion", name = "Riddle", weakref)]
pub(crate) struct Riddle {
    spec: String,
    riddle: Arc<dyn AnyRiddle>,
}

/// Returns the riddle that a spec describes, such as "mastermind(5, 8)".
#[pyfunction]
#[pyo3(signature = (spec, /))]
pub(crate) fn open_riddle(spec: &str) -> PyResult<Riddle> {
    let riddle = registry().riddle(spec).map_err(wrong)?;
    Ok(Riddle { spec: spec.to_owned(), riddle })
}

#[pymethods]
impl Riddle {
    /// The spec of the riddle.
    #[getter]
    fn spec(&self) -> &str {
        &self.spec
    }

    /// Returns the secret that is drawn with a seed.
    #[pyo3(signature = (seed=1))]
    fn secret(&self, #[pyo3(from_py_with = numbers::seed)] seed: u64) -> String {
        self.riddle.secret(seed)
    }

    /// Returns the answer to a guess if `secret` is the secret.
    fn answer(&self, secret: &str, guess: &str) -> PyResult<String> {
        self.riddle.reply(secret, guess).map_err(wrong)
    }

    /// Returns a picture of guesses with their answers as SVG.
    fn svg(&self, asked: Vec<(String, String)>) -> PyResult<String> {
        Ok(self.riddle.picture(&asked).map_err(wrong)?.svg(&[]))
    }

    fn __repr__(&self) -> String {
        format!("<ludion.Riddle {}>", self.spec)
    }

    fn __reduce__(&self, py: Python<'_>) -> PyResult<(Py<PyAny>, (String,))> {
        let open = py.import("ludion._ludion")?.getattr("open_riddle")?.unbind();
        Ok((open, (self.spec.clone(),)))
    }
}
