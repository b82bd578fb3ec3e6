//! Exceptions: the sentences of the library as Python exceptions.

use std::fmt::Display;

use pyo3::create_exception;
use pyo3::exceptions::{PyException, PyValueError};
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
