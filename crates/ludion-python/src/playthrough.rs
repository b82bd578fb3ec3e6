//! The class `Playthrough`: a game under way, whose position changes with every move.

use ludion::registry::AnyPosition;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::errors::wrong;
use crate::game::{ActionTupleCache, Game};
use crate::state::{State, outcome_of, play_on, side_number};

/// A game under way, which changes with every move: the fastest way to drive a single game from
/// Python. `Game.playthrough` makes one.
#[pyclass(module = "ludion", name = "Playthrough", weakref)]
pub(crate) struct Playthrough {
    game: Py<Game>,
    position: Box<dyn AnyPosition>,
    actions: ActionTupleCache,
}

impl Playthrough {
    pub(crate) fn new(game: Py<Game>, position: Box<dyn AnyPosition>) -> PyResult<Self> {
        game.get().raise_failure()?;
        Ok(Playthrough { game, position, actions: ActionTupleCache::default() })
    }

    /// Plays a move and returns the legal actions after it; `fast_methods.rs` makes it a method.
    pub(crate) fn play(
        &mut self,
        py: Python<'_>,
        r#move: &Bound<'_, PyAny>,
    ) -> PyResult<Py<PyTuple>> {
        play_on(self.game.get(), &mut *self.position, r#move)?;
        self.actions.actions_of(py, self.game.get(), &*self.position)
    }
}

#[pymethods]
impl Playthrough {
    /// The game that is played.
    #[getter]
    fn game(&self, py: Python<'_>) -> Py<Game> {
        self.game.clone_ref(py)
    }

    /// The numbers of the legal moves; empty if the game is over.
    #[getter]
    fn actions(&mut self, py: Python<'_>) -> PyResult<Py<PyTuple>> {
        self.actions.actions_of(py, self.game.get(), &*self.position)
    }

    /// The present state.
    #[getter]
    fn state(&self, py: Python<'_>) -> PyResult<State> {
        State::new(self.game.clone_ref(py), self.position.copy())
    }

    /// The side to move: 0, 1, or None if the game is over.
    #[getter]
    fn to_play(&self) -> PyResult<Option<u8>> {
        let status = self.position.status();
        self.game.get().raise_failure()?;
        Ok(status.turn().map(side_number))
    }

    /// How the game ended: "first", "second" or "draw", the points of a puzzle, or None if it goes on.
    #[getter]
    fn outcome(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let status = self.position.status();
        self.game.get().raise_failure()?;
        outcome_of(py, status)
    }

    /// Begins again, from the start or from a state, and returns the legal actions.
    #[pyo3(signature = (state=None))]
    fn restart(
        &mut self,
        py: Python<'_>,
        state: Option<&Bound<'_, State>>,
    ) -> PyResult<Py<PyTuple>> {
        let game = self.game.get();
        self.position = match state {
            None => game.game.start(),
            Some(state) if state.get().game.get().game.full_spec() == game.game.full_spec() => {
                state.get().position().copy()
            }
            Some(state) => {
                let (own, other) = (game.game.spec(), state.get().game.get().game.spec());
                return Err(wrong(format!("the state is of {other}, and the game is {own}")));
            }
        };
        self.actions.actions_of(py, self.game.get(), &*self.position)
    }

    fn __reduce__(&self, py: Python<'_>) -> PyResult<(Py<PyAny>, (State,))> {
        let restore = py.import("ludion._games")?.getattr("restore_playthrough")?.unbind();
        Ok((restore, (self.state(py)?,)))
    }

    fn __repr__(&self) -> String {
        format!("<ludion.Playthrough of {}: {}>", self.game.get().game.spec(), self.position.show())
    }
}
