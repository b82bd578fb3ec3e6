//! Exceptions: the sentences of the library as Python exceptions.

use std::fmt::Display;
use std::sync::atomic::{AtomicBool, Ordering};

use pyo3::create_exception;
use pyo3::exceptions::{PyException, PyModuleNotFoundError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyType};

create_exception!(
    ludion,
    LudionError,
    PyException,
    "Something could not be done; the text says why."
);

const INPUT_ERROR_DOC: &str = "A name, move, text or number is not allowed; the text says what is.";

/// The class `InputError`. It has two bases, `LudionError` and `ValueError`.
static INPUT_ERROR: PyOnceLock<Py<PyType>> = PyOnceLock::new();

fn input_error(py: Python<'_>) -> PyResult<&Bound<'_, PyType>> {
    let class = INPUT_ERROR.get_or_try_init(py, || {
        let bases = (py.get_type::<LudionError>(), py.get_type::<PyValueError>());
        let members = PyDict::new(py);
        members.set_item("__module__", "ludion")?;
        members.set_item("__doc__", INPUT_ERROR_DOC)?;
        let class = py.get_type::<PyType>().call1(("InputError", bases, members))?;
        PyResult::Ok(class.cast_into::<PyType>()?.unbind())
    });
    Ok(class?.bind(py))
}

/// Adds the exceptions to the module.
pub(crate) fn add(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add("LudionError", m.py().get_type::<LudionError>())?;
    m.add("InputError", input_error(m.py())?)
}

/// Returns the exception for wrong input.
pub(crate) fn wrong(error: impl Display) -> PyErr {
    Python::attach(|py| match input_error(py) {
        Ok(class) => PyErr::from_type(class.clone(), error.to_string()),
        Err(error) => error,
    })
}

/// Returns the exception for something that failed.
pub(crate) fn failed(error: impl Display) -> PyErr {
    LudionError::new_err(error.to_string())
}

/// Returns an error if NumPy cannot be imported; it must be called before arrays are made.
pub(crate) fn need_numpy(py: Python<'_>) -> PyResult<()> {
    static IS_THERE: AtomicBool = AtomicBool::new(false);
    if IS_THERE.load(Ordering::Relaxed) {
        return Ok(());
    }
    py.import("numpy").map_err(|error| {
        PyModuleNotFoundError::new_err(format!("arrays need NumPy (pip install numpy): {error}"))
    })?;
    IS_THERE.store(true, Ordering::Relaxed);
    Ok(())
}
