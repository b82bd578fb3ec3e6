//! The class `Player`: chooses moves in the states of one game.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use ludion::player::{Budget, Choice, Observer, PlayerError};
use ludion::registry::AnyPlayer;
use pyo3::prelude::*;

use crate::choice;
use crate::errors::{failed, wrong};
use crate::game::Game;
use crate::interrupt;
use crate::state::State;

/// A player of one game. `Game.player` makes one.
#[pyclass(frozen, module = "ludion", name = "Player", weakref)]
pub(crate) struct Player {
    game: Py<Game>,
    spec: String,
    player: Mutex<Box<dyn AnyPlayer>>,
}

/// Passes progress reports to a Python function, and stops the search on request.
struct ReportingObserver<'a> {
    callback: Option<(&'a Py<PyAny>, Duration)>,
    text: &'a str,
    stop: &'a AtomicBool,
    /// Set if the callback wants no more.
    is_ended: AtomicBool,
    /// The exception of the callback.
    error: &'a Mutex<Option<PyErr>>,
}

impl Observer<String> for ReportingObserver<'_> {
    fn interval(&self) -> Option<Duration> {
        self.callback.map(|(_, interval)| interval)
    }

    fn report(&self, so_far: &Choice<String>) {
        let Some((callback, _)) = self.callback else { return };
        Python::attach(|py| {
            let answer = choice::choice(py, so_far, self.text)
                .and_then(|choice| callback.call1(py, (choice,)));
            match answer {
                Ok(answer) => {
                    // A callback that returns False ends the search with the choice so far.
                    if answer.bind(py).is(pyo3::types::PyBool::new(py, false)) {
                        self.is_ended.store(true, Ordering::Relaxed);
                    }
                }
                Err(error) => {
                    self.is_ended.store(true, Ordering::Relaxed);
                    *self.error.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                }
            }
        });
    }

    fn wants_all_values(&self) -> bool {
        true
    }

    fn should_stop(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.is_ended.load(Ordering::Relaxed)
    }
}

impl Player {
    pub(crate) fn new(game: Py<Game>, player: Box<dyn AnyPlayer>) -> Self {
        Player { game, spec: player.spec().to_owned(), player: Mutex::new(player) }
    }
}

/// Reads a budget such as "100ms" or "5000sims"; none is no limit.
pub(crate) fn read_budget(text: Option<&str>) -> PyResult<Budget> {
    text.map_or(Ok(Budget::UNLIMITED), |text| text.parse().map_err(wrong))
}

#[pymethods]
impl Player {
    /// The shortest spec of the player: only parameters that differ from their defaults.
    #[getter]
    fn spec(&self) -> &str {
        &self.spec
    }

    /// The game that the player plays.
    #[getter]
    fn game(&self, py: Python<'_>) -> Py<Game> {
        self.game.clone_ref(py)
    }

    /// Begins a new game: forgets the previous one and sets the seed of the random numbers.
    #[pyo3(signature = (seed=1))]
    fn begin(&self, py: Python<'_>, seed: u64) {
        py.detach(|| self.player.lock().unwrap_or_else(PoisonError::into_inner).begin(seed));
    }

    /// Chooses a move in a state within a budget such as "100ms", "5000sims" or "8plies"; without one
    /// the parameters of the player decide. `on_report` gets the choice so far every `interval`
    /// seconds, and ends the search by returning False.
    #[pyo3(signature = (state, budget=None, *, on_report=None, interval=0.1))]
    fn choose<'py>(
        &self,
        py: Python<'py>,
        state: &Bound<'py, State>,
        budget: Option<&str>,
        on_report: Option<Py<PyAny>>,
        interval: f64,
    ) -> PyResult<Bound<'py, PyAny>> {
        let budget = read_budget(budget)?;
        let interval = Duration::try_from_secs_f64(interval)
            .ok()
            .filter(|interval| !interval.is_zero())
            .ok_or_else(|| wrong(format!("{interval} s is no interval; it must be above 0")))?;
        let (own, other) = (self.game.get(), state.get().game.get());
        if own.game.full_spec() != other.game.full_spec() {
            let (own, other) = (own.game.spec(), other.game.spec());
            return Err(wrong(format!("the state is of {other}, and the player plays {own}")));
        }
        let (position, text) = (&*state.get().position, state.get().position.show());
        let mut code = interrupt::code_named_in([&self.spec[..]]);
        code.extend(own.code());
        let error = Mutex::new(None);
        let chosen = interrupt::run(py, code, |stop| {
            let callback = on_report.as_ref().map(|callback| (callback, interval));
            let (is_ended, error) = (AtomicBool::new(false), &error);
            let observer = ReportingObserver { callback, text: &text, stop, is_ended, error };
            // A callback that asks the same player again would wait for ever.
            let Ok(mut player) = self.player.try_lock() else {
                return Err(PlayerError::Failed(
                    "the player is choosing a move already".to_owned(),
                ));
            };
            player.choose(position, budget, &observer)
        })?;
        if let Some(error) = error.into_inner().unwrap_or_else(PoisonError::into_inner) {
            return Err(error);
        }
        choice::choice(py, &chosen.map_err(failed)?, &text)
    }

    fn __repr__(&self) -> String {
        format!("<ludion.Player {} of {}>", self.spec, self.game.get().game.spec())
    }
}
