//! The class `StateBatch`: many states of one game that are stepped by one call.

use std::sync::{Mutex, PoisonError};

use ludion::registry::{AnyBatch, BatchOutputs};
use numpy::{
    PyArray1, PyArray2, PyArray4, PyArrayMethods, PyReadonlyArray1, PyUntypedArrayMethods,
};
use pyo3::exceptions::{PyIndexError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::PyInt;

use crate::errors::{need_numpy, wrong};
use crate::game::Game;
use crate::state::State;

/// Largest number of entries of the mask of legal actions.
const MAX_ENTRIES: usize = 1 << 32;

/// Many states of one game that are stepped together. The arrays `legal`, `to_play`, `outcome` and
/// `done` always describe the present states: a step writes into them.
#[pyclass(frozen, module = "ludion", name = "StateBatch", weakref)]
pub(crate) struct StateBatch {
    game: Py<Game>,
    count: usize,
    states: Mutex<Box<dyn AnyBatch>>,
    legal: Py<PyArray2<bool>>,
    to_play: Py<PyArray1<i8>>,
    outcome: Py<PyArray1<f32>>,
    done: Py<PyArray1<bool>>,
}

impl StateBatch {
    pub(crate) fn new(game: Bound<'_, Game>, n: usize) -> PyResult<Self> {
        let py = game.py();
        need_numpy(py)?;
        let actions = game.get().shape().actions;
        if n.saturating_mul(actions) > MAX_ENTRIES {
            let most = MAX_ENTRIES / actions;
            return Err(wrong(format!(
                "n {n} is not allowed; it is a whole number from 1 to {most} for {actions} actions"
            )));
        }
        let batch = StateBatch {
            count: n,
            states: Mutex::new(game.get().game.batch(n)),
            game: game.unbind(),
            legal: PyArray2::zeros(py, [n, actions], false).unbind(),
            to_play: PyArray1::zeros(py, n, false).unbind(),
            outcome: PyArray1::zeros(py, n, false).unbind(),
            done: PyArray1::zeros(py, n, false).unbind(),
        };
        batch.update(py, |states, out| states.write(out))?;
        Ok(batch)
    }

    /// Calls `work` with the states, without the interpreter lock: rules in Python take it themselves.
    fn with_states<R: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut dyn AnyBatch) -> R + Send,
    ) -> R {
        py.detach(|| work(&mut **self.states.lock().unwrap_or_else(PoisonError::into_inner)))
    }

    /// Calls `work` with the states and the arrays, without the interpreter lock.
    fn update<R: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut dyn AnyBatch, BatchOutputs<'_>) -> R + Send,
    ) -> PyResult<R> {
        let (mut legal, mut done) =
            (self.legal.bind(py).try_readwrite()?, self.done.bind(py).try_readwrite()?);
        let (mut to_play, mut outcome) =
            (self.to_play.bind(py).try_readwrite()?, self.outcome.bind(py).try_readwrite()?);
        let out = BatchOutputs {
            legal: as_bytes(legal.as_slice_mut()?),
            to_play: to_play.as_slice_mut()?,
            outcome: outcome.as_slice_mut()?,
            done: as_bytes(done.as_slice_mut()?),
        };
        let result = self.with_states(py, |states| work(states, out));
        self.game.get().raise_failure()?;
        Ok(result)
    }

    fn checked_index(&self, index: &Bound<'_, PyAny>) -> PyResult<usize> {
        let count = self.count;
        let found = match index.extract::<isize>() {
            Ok(index) => {
                usize::try_from(if index < 0 { index + count as isize } else { index }).ok()
            }
            Err(_) if index.is_instance_of::<PyInt>() => None,
            Err(error) => return Err(error),
        };
        found.filter(|&index| index < count).ok_or_else(|| {
            PyIndexError::new_err(format!(
                "there is no state {index}; the batch has {count} states"
            ))
        })
    }
}

/// Returns an array of whole numbers, or an error if an array or list has others.
fn integers<'py>(actions: &Bound<'py, PyAny>) -> PyResult<PyReadonlyArray1<'py, i64>> {
    if let Ok(actions) = actions.extract::<PyReadonlyArray1<'py, i64>>() {
        return Ok(actions);
    }
    let array = actions.py().import("numpy")?.call_method1("asarray", (actions,))?;
    let kind: String = array.getattr("dtype")?.getattr("kind")?.extract()?;
    if !["i", "u"].contains(&&kind[..]) {
        return Err(PyTypeError::new_err("actions are whole numbers"));
    }
    array.call_method1("astype", ("int64",))?.extract()
}

/// Returns the entries of a mask as bytes, into which only 0 and 1 may be written.
fn as_bytes(mask: &mut [bool]) -> &mut [u8] {
    // SAFETY: `bool` has the size and alignment of `u8`, and a batch writes only 0 and 1, which are
    // valid values of `bool`.
    unsafe { std::slice::from_raw_parts_mut(mask.as_mut_ptr().cast(), mask.len()) }
}

#[pymethods]
impl StateBatch {
    /// The game of the states.
    #[getter]
    fn game(&self, py: Python<'_>) -> Py<Game> {
        self.game.clone_ref(py)
    }

    /// True for every legal action of every state, of shape (states, actions).
    #[getter]
    fn legal(&self, py: Python<'_>) -> Py<PyArray2<bool>> {
        self.legal.clone_ref(py)
    }

    /// The side to move of every state, 0 or 1, and -1 if its game is over.
    #[getter]
    fn to_play(&self, py: Python<'_>) -> Py<PyArray1<i8>> {
        self.to_play.clone_ref(py)
    }

    /// The result of every state for the first side: 1, 0 or -1, or the points of a puzzle; 0 while
    /// its game goes on.
    #[getter]
    fn outcome(&self, py: Python<'_>) -> Py<PyArray1<f32>> {
        self.outcome.clone_ref(py)
    }

    /// Whether the game of every state is over.
    #[getter]
    fn done(&self, py: Python<'_>) -> Py<PyArray1<bool>> {
        self.done.clone_ref(py)
    }

    /// Plays one action in every state whose game is not over, and updates the arrays. The action of a
    /// finished game is ignored: the state stays, or begins again if `restart` is set. If an action is
    /// not legal, nothing is changed and `InputError` raised.
    #[pyo3(signature = (actions, *, restart=false))]
    fn step(&self, py: Python<'_>, actions: &Bound<'_, PyAny>, restart: bool) -> PyResult<()> {
        let actions = integers(actions)?;
        let count = self.count;
        if actions.len() != count {
            let given = actions.len();
            return Err(wrong(format!("there are {given} actions for {count} states")));
        }
        let owned;
        let actions = match actions.as_slice() {
            Ok(actions) => actions,
            Err(_) => {
                owned = actions.as_array().to_vec();
                &owned
            }
        };
        self.update(py, |states, out| states.step(actions, restart, out))?.map_err(wrong)
    }

    /// Sets all states to the start of the game.
    fn reset(&self, py: Python<'_>) -> PyResult<()> {
        self.update(py, |states, out| {
            (0..states.len()).for_each(|index| states.restart(index));
            states.write(out);
        })
    }

    /// Returns the planes of all states as the sides to move see them, of shape (states, planes, rows,
    /// columns). They are written into `out` if it is given.
    #[pyo3(signature = (out=None))]
    fn planes<'py>(
        &self,
        py: Python<'py>,
        out: Option<Bound<'py, PyArray4<f32>>>,
    ) -> PyResult<Bound<'py, PyArray4<f32>>> {
        let shape = self.game.get().shape();
        let size = [self.count, shape.planes + shape.extras, shape.rows, shape.cols];
        let planes = match out {
            None => PyArray4::<f32>::zeros(py, size, false),
            Some(out) if out.shape() == size && out.is_c_contiguous() => out,
            Some(out) => {
                let given = out.shape().to_vec();
                return Err(wrong(format!(
                    "out has the shape {given:?}, and {size:?} in C order is needed"
                )));
            }
        };
        let mut entries = planes.try_readwrite()?;
        let entries = entries.as_slice_mut()?;
        self.with_states(py, |states| states.write_planes(entries));
        self.game.get().raise_failure()?;
        Ok(planes)
    }

    fn __len__(&self) -> usize {
        self.count
    }

    fn __getitem__(&self, py: Python<'_>, index: &Bound<'_, PyAny>) -> PyResult<State> {
        let index = self.checked_index(index)?;
        let position = self.with_states(py, |states| states.position(index));
        State::new(self.game.clone_ref(py), position)
    }

    fn __setitem__(
        &self,
        py: Python<'_>,
        index: &Bound<'_, PyAny>,
        state: &Bound<'_, State>,
    ) -> PyResult<()> {
        let index = self.checked_index(index)?;
        let (own, other) = (self.game.get(), state.get().game.get());
        let is_same = own.game.full_spec() == other.game.full_spec();
        let position = state.get().position();
        if !is_same || !self.with_states(py, |states| states.set(index, position)) {
            let (own, other) = (own.game.spec(), other.game.spec());
            return Err(wrong(format!("the state is of {other}, and the batch is of {own}")));
        }
        self.update(py, |states, out| states.write(out))
    }

    fn __reduce__(&self) -> PyResult<()> {
        Err(PyTypeError::new_err("a batch cannot be pickled; its states can: list(batch)"))
    }

    fn __repr__(&self) -> String {
        format!("<ludion.StateBatch of {} states of {}>", self.count, self.game.get().game.spec())
    }
}
