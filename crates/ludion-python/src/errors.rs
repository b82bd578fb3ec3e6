//! Exceptions: the sentences of the library as Python exceptions.

use std::fmt::Display;
use std::sync::atomic::{AtomicBool, Ordering};

use pyo3::create_exception;
use pyo3::exceptions::{PyException, PyModuleNotFoundError, PyValueError};
use pyo3::prelude::*;

create_exception!(
    ludion,
    LudionError,
    PyException,
    "Something could not be done; the text says why."
);
create_exception!(
    ludion,
    InputError,
    PyValueError,
    "A name, move, text or number is not allowed; the text says what is."
);

/// Adds the exceptions to the module.
pub(crate) fn add(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add("LudionError", m.py().get_type::<LudionError>())?;
    m.add("InputError", m.py().get_type::<InputError>())
}

/// Returns the exception for wrong input.
pub(crate) fn wrong(error: impl Display) -> PyErr {
    InputError::new_err(error.to_string())
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
