//! The class `State`: a position of a game. States do not change; playing a move returns a new one.

use ludion::game::{Side, Status};
use ludion::outcome::{AnyOutcome, Duel};
use ludion::registry::AnyPosition;
use numpy::{PyArray1, PyArray3, PyArrayMethods};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyString, PyTuple};

use crate::errors::{need_numpy, wrong};
use crate::game::Game;
use crate::numbers;

/// A position of a game. It does not change: `play` returns a new state.
#[pyclass(frozen, module = "ludion", name = "State", weakref)]
pub(crate) struct State {
    pub(crate) game: Py<Game>,
    /// `None` only while the state is dropped.
    position: Option<Box<dyn AnyPosition>>,
}

impl Drop for State {
    fn drop(&mut self) {
        let position = self.position.take().expect("a state has a position");
        self.game.get().keep_spare(position);
    }
}

impl State {
    pub(crate) fn new(game: Py<Game>, position: Box<dyn AnyPosition>) -> PyResult<Self> {
        game.get().raise_failure()?;
        Ok(State { game, position: Some(position) })
    }

    /// Returns the position of the state.
    pub(crate) fn position(&self) -> &dyn AnyPosition {
        &**self.position.as_ref().expect("a state has a position")
    }

    fn with(&self, py: Python<'_>, position: Box<dyn AnyPosition>) -> PyResult<Self> {
        State::new(self.game.clone_ref(py), position)
    }

    /// Returns the state after a move; `fast_methods.rs` makes it a method.
    pub(crate) fn play(&self, py: Python<'_>, r#move: &Bound<'_, PyAny>) -> PyResult<State> {
        let game = self.game.get();
        let mut next = game.copy_of(py, self.position());
        play_on(game, &mut *next, r#move)?;
        self.with(py, next)
    }

    /// Returns the legal actions; `fast_methods.rs` makes it an attribute.
    pub(crate) fn actions(&self, py: Python<'_>) -> PyResult<Py<PyTuple>> {
        self.game.get().legal_actions(py, self.position())
    }

    fn status(&self) -> PyResult<Status<AnyOutcome>> {
        let status = self.position().status();
        self.game.get().raise_failure()?;
        Ok(status)
    }
}

/// A function with its arguments, by which `pickle` makes a state again.
type CallToRestore = (Py<PyAny>, (Py<Game>, String));

/// Returns the side as Python sees it: 0 or 1.
pub(crate) fn side_number(side: Side) -> u8 {
    side.index() as u8
}

#[pymethods]
impl State {
    /// The game of the state.
    #[getter]
    fn game(&self, py: Python<'_>) -> Py<Game> {
        self.game.clone_ref(py)
    }

    /// The state in the notation of the game; `Game.read` reads it.
    #[getter]
    fn text(&self) -> PyResult<String> {
        let text = self.position().show();
        self.game.get().raise_failure()?;
        Ok(text)
    }

    /// The legal moves in the notation of the game, always in the same order; empty if the game is
    /// over.
    #[getter]
    fn moves(&self) -> PyResult<Vec<String>> {
        let moves = self.position().moves();
        self.game.get().raise_failure()?;
        Ok(moves)
    }

    /// The side to move: 0, 1, or None if the game is over.
    #[getter]
    fn to_play(&self) -> PyResult<Option<u8>> {
        Ok(self.status()?.turn().map(side_number))
    }

    /// Whether the game is over.
    #[getter]
    fn is_over(&self) -> PyResult<bool> {
        Ok(matches!(self.status()?, Status::Over(_)))
    }

    /// How the game ended: "first", "second" or "draw", the points of a puzzle, or None if it goes on.
    #[getter]
    fn outcome(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        outcome_of(py, self.status()?)
    }

    /// The result for each side: (1, -1), (-1, 1) or (0, 0), and (points,) for a puzzle; zeros while
    /// the game goes on.
    #[getter]
    fn returns<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let is_puzzle = self.game.get().is_puzzle;
        match self.status()? {
            Status::Over(AnyOutcome::Points(points)) => PyTuple::new(py, [points as f64]),
            Status::Over(AnyOutcome::Duel(Duel::Won(Side::First))) => PyTuple::new(py, [1.0, -1.0]),
            Status::Over(AnyOutcome::Duel(Duel::Won(Side::Second))) => {
                PyTuple::new(py, [-1.0, 1.0])
            }
            _ if is_puzzle => PyTuple::new(py, [0.0]),
            _ => PyTuple::new(py, [0.0, 0.0]),
        }
    }

    /// The points that a puzzle has given so far; None in a duel, and in a puzzle that counts them at
    /// the end.
    #[getter]
    fn points(&self) -> Option<i64> {
        self.position().points_so_far()
    }

    /// A hash key of the state: equal states have equal keys.
    #[getter]
    fn key(&self) -> u64 {
        self.position().key()
    }

    /// Returns the state after several moves, separated by spaces or commas. A word that is no move is
    /// read character by character: "4453" is four moves of Connect Four.
    #[pyo3(signature = (moves, /))]
    fn play_line(&self, py: Python<'_>, moves: &str) -> PyResult<State> {
        let mut next = self.position().copy();
        next.play_line(moves).map_err(wrong)?;
        self.with(py, next)
    }

    /// Returns the action number of a move.
    #[pyo3(signature = (r#move, /))]
    fn action(&self, r#move: &str) -> PyResult<u32> {
        self.position().action_of(r#move).map_err(wrong)
    }

    /// Returns the move with an action number, in the notation of the game.
    #[pyo3(signature = (action, /))]
    fn r#move(&self, #[pyo3(from_py_with = numbers::action)] action: u32) -> PyResult<String> {
        let found = self.position().move_of_action(action);
        self.game.get().raise_failure()?;
        found.ok_or_else(|| wrong(format!("action {action} is not legal in this state")))
    }

    /// Returns the numbers of the features that are set, as a side sees the state; by default the side
    /// to move.
    #[pyo3(signature = (side=None))]
    fn features(
        &self,
        #[pyo3(from_py_with = numbers::side)] side: Option<Side>,
    ) -> PyResult<Vec<u32>> {
        let side = match side {
            Some(side) => side,
            None => self.status()?.turn().unwrap_or(Side::First),
        };
        let mut features = Vec::new();
        self.position().features(side, &mut features);
        self.game.get().raise_failure()?;
        Ok(features)
    }

    /// Returns the planes of the state as an array of shape (planes, rows, columns) of 0 and 1, as a
    /// side sees it; by default the side to move.
    #[pyo3(signature = (side=None))]
    fn planes<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = numbers::side)] side: Option<Side>,
    ) -> PyResult<Bound<'py, PyArray3<f32>>> {
        need_numpy(py)?;
        let shape = self.game.get().shape();
        let features = self.features(side)?;
        let size = [shape.planes + shape.extras, shape.rows, shape.cols];
        let planes = PyArray3::<f32>::zeros(py, size, false);
        shape.write_planes(&features, planes.readwrite().as_slice_mut()?);
        Ok(planes)
    }

    /// Returns an array with True for every action that is legal.
    fn legal_mask<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<bool>>> {
        need_numpy(py)?;
        let mut actions = Vec::new();
        self.position().actions(&mut actions);
        self.game.get().raise_failure()?;
        let mask = PyArray1::<bool>::zeros(py, self.game.get().shape().actions, false);
        let mut entries = mask.readwrite();
        let entries = entries.as_slice_mut()?;
        actions.iter().for_each(|&action| entries[action as usize] = true);
        Ok(mask)
    }

    /// Returns the picture of the state as SVG; `arrow` is a move that is drawn on it.
    #[pyo3(signature = (arrow=None))]
    fn svg(&self, arrow: Option<&str>) -> PyResult<String> {
        let mut cells = Vec::new();
        if let Some(text) = arrow {
            let touched = self.position().touches(text).map_err(wrong)?;
            match touched[..] {
                [cell] => cells.push((cell, cell)),
                _ => cells.extend(touched.windows(2).map(|pair| (pair[0], pair[1]))),
            }
        }
        let svg = self.position().scene().svg(&cells);
        self.game.get().raise_failure()?;
        Ok(svg)
    }

    fn _repr_svg_(&self) -> PyResult<String> {
        self.svg(None)
    }

    /// Returns the picture of the state as data: a JSON object.
    fn scene_json(&self) -> PyResult<String> {
        let scene = self.position().scene();
        self.game.get().raise_failure()?;
        serde_json::to_string(&scene).map_err(wrong)
    }

    fn __str__(&self) -> PyResult<String> {
        self.text()
    }

    fn __repr__(&self) -> PyResult<String> {
        Ok(format!("<ludion.State of {}: {}>", self.game.get().game.spec(), self.text()?))
    }

    fn __eq__(&self, other: &State) -> bool {
        let is_same_game = self.game.is(&other.game)
            || self.game.get().game.full_spec() == other.game.get().game.full_spec();
        is_same_game && self.position().is_equal(other.position())
    }

    fn __hash__(&self) -> u64 {
        self.position().key()
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: Py<PyAny>) -> Py<Self> {
        slf
    }

    fn __reduce__(&self, py: Python<'_>) -> PyResult<CallToRestore> {
        let read = py.get_type::<Game>().getattr("read")?.unbind();
        Ok((read, (self.game.clone_ref(py), self.text()?)))
    }
}

/// Returns how a game ended as Python sees it.
pub(crate) fn outcome_of(py: Python<'_>, status: Status<AnyOutcome>) -> PyResult<Py<PyAny>> {
    Ok(match status {
        Status::Turn(_) => py.None(),
        Status::Over(AnyOutcome::Duel(Duel::Won(side))) => {
            PyString::intern(py, if side == Side::First { "first" } else { "second" }).into()
        }
        Status::Over(AnyOutcome::Duel(Duel::Drawn)) => PyString::intern(py, "draw").into(),
        Status::Over(AnyOutcome::Points(points)) => points.into_pyobject(py)?.into_any().unbind(),
    })
}

/// Plays a move, given in the notation of the game or by its action number.
pub(crate) fn play_on(
    game: &Game,
    position: &mut dyn AnyPosition,
    r#move: &Bound<'_, PyAny>,
) -> PyResult<()> {
    let is_int = r#move.is_exact_instance_of::<PyInt>();
    if let Some(text) = (!is_int).then(|| r#move.cast::<PyString>().ok()).flatten() {
        return position.play(text.to_cow()?.as_ref()).map_err(wrong);
    }
    match r#move.extract::<u32>() {
        Ok(action) if position.play_action(action) => return Ok(()),
        Err(error) if error.is_instance_of::<PyTypeError>(r#move.py()) => {
            return Err(PyTypeError::new_err("a move is a str, or an int for an action number"));
        }
        _ => game.raise_failure()?,
    }
    let mut legal = Vec::new();
    position.actions(&mut legal);
    let legal: Vec<String> = legal.iter().map(ToString::to_string).collect();
    Err(wrong(match legal.is_empty() {
        true => "the game is over, there is no action to play".to_owned(),
        false => format!("action {move} is not legal; legal are {}", legal.join(", ")),
    }))
}
