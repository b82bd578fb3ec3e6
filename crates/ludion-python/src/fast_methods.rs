//! `State.actions`, `State.play` and `Playthrough.play`, which drive games move by move.
//!
//! With the stable ABI of Python 3.9 PyO3 passes the arguments of every method in a new tuple, which
//! takes about as long as the move. A method of exactly one argument gets it directly.

use std::ffi::{CStr, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::pyclass::PyClass;

use crate::errors::failed;
use crate::playthrough::Playthrough;
use crate::state::State;

/// Adds the methods to their classes.
pub(crate) fn add(py: Python<'_>) -> PyResult<()> {
    let of_state = c"play($self, move, /)\n--\n\n\
        Returns the state after a move, given in the notation of the game, or by its action number.";
    let of_playthrough = c"play($self, move, /)\n--\n\n\
        Plays a move, given as text or by its action number, and returns the legal actions after it,\n\
        which are empty if the game is over.";
    add_play::<State>(py, state_play, of_state)?;
    add_play::<Playthrough>(py, playthrough_play, of_playthrough)?;
    add_actions(py)
}

fn add_actions(py: Python<'_>) -> PyResult<()> {
    // It lives as long as the class, that is, as the process.
    let definition = Box::leak(Box::new(ffi::PyGetSetDef {
        name: c"actions".as_ptr(),
        get: Some(state_actions),
        set: None,
        doc: c"The numbers of the legal moves, in the order of `moves`.".as_ptr(),
        closure: std::ptr::null_mut(),
    }));
    let class = py.get_type::<State>();
    // SAFETY: the class is a type object, and the definition lives for ever.
    let attribute = unsafe {
        let attribute = ffi::PyDescr_NewGetSet(class.as_type_ptr(), definition);
        Bound::from_owned_ptr_or_err(py, attribute)?
    };
    class.setattr("actions", attribute)
}

fn add_play<T: PyClass>(
    py: Python<'_>,
    function: ffi::PyCFunction,
    doc: &'static CStr,
) -> PyResult<()> {
    // It lives as long as the class, that is, as the process.
    let definition = Box::leak(Box::new(ffi::PyMethodDef {
        ml_name: c"play".as_ptr(),
        ml_meth: ffi::PyMethodDefPointer { PyCFunction: function },
        ml_flags: ffi::METH_O,
        ml_doc: doc.as_ptr(),
    }));
    let class = py.get_type::<T>();
    // SAFETY: the class is a type object, and the definition lives for ever.
    let method = unsafe {
        let method = ffi::PyDescr_NewMethod(class.as_type_ptr(), definition);
        Bound::from_owned_ptr_or_err(py, method)?
    };
    class.setattr("play", method)
}

/// # Safety
/// Python calls it with the interpreter lock; `slf` is a `State`, which the descriptor checks.
unsafe extern "C" fn state_actions(
    slf: *mut ffi::PyObject,
    _closure: *mut c_void,
) -> *mut ffi::PyObject {
    // SAFETY: as above.
    unsafe {
        call(slf, |slf: &Bound<'_, State>| {
            Ok(slf.get().actions(slf.py())?.into_bound(slf.py()).into_any())
        })
    }
}

/// # Safety
/// Python calls it with the interpreter lock; `slf` is a `State`, which the descriptor checks.
unsafe extern "C" fn state_play(
    slf: *mut ffi::PyObject,
    r#move: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    // SAFETY: as above, and the caller keeps the argument alive.
    unsafe {
        call(slf, |slf: &Bound<'_, State>| {
            let next = slf.get().play(slf.py(), Bound::ref_from_ptr(slf.py(), &r#move))?;
            Ok(Bound::new(slf.py(), next)?.into_any())
        })
    }
}

/// # Safety
/// Python calls it with the interpreter lock; `slf` is a `Playthrough`, which the descriptor checks.
unsafe extern "C" fn playthrough_play(
    slf: *mut ffi::PyObject,
    r#move: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    // SAFETY: as above, and the caller keeps the argument alive.
    unsafe {
        call(slf, |slf: &Bound<'_, Playthrough>| {
            let r#move = Bound::ref_from_ptr(slf.py(), &r#move);
            let actions = slf.try_borrow_mut()?.play(slf.py(), r#move)?;
            Ok(actions.into_bound(slf.py()).into_any())
        })
    }
}

/// Calls `method` and returns a new reference to its result, or null after an exception.
///
/// # Safety
/// This thread has the interpreter lock, and `slf` is a valid pointer to an object of the class `T`.
#[inline]
unsafe fn call<T: PyClass>(
    slf: *mut ffi::PyObject,
    method: impl for<'py> FnOnce(&Bound<'py, T>) -> PyResult<Bound<'py, PyAny>>,
) -> *mut ffi::PyObject {
    // SAFETY: this thread has the interpreter lock.
    let py = unsafe { Python::assume_attached() };
    // SAFETY: the caller keeps the object alive, and it is of the class `T`.
    let slf = unsafe { Bound::ref_from_ptr(py, &slf).cast_unchecked::<T>() };
    // A panic must not reach the interpreter.
    let result = catch_unwind(AssertUnwindSafe(|| method(slf)))
        .unwrap_or_else(|_| Err(failed("the move ended with an internal error, a bug in Ludion")));
    match result {
        Ok(result) => result.into_ptr(),
        Err(error) => {
            error.restore(py);
            std::ptr::null_mut()
        }
    }
}
