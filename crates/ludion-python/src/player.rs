//! The class `Player`: chooses moves in the states of one game.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use ludion::player::{Budget, Choice, Observer, PlayerError};
use ludion::registry::AnyPlayer;
use pyo3::prelude::*;

use crate::choice;
use crate::errors::{failed, wrong};
use crate::game::Game;
use crate::interrupt::{self, PythonCode};
use crate::numbers;
use crate::state::State;

/// A player of one game. `Game.player` makes one.
#[pyclass(frozen, module = "ludion", name = "Player", weakref)]
pub(crate) struct Player {
    game: Py<Game>,
    spec: String,
    player: Mutex<Box<dyn AnyPlayer>>,
    /// The seed of the game under way.
    seed: AtomicU64,
}

/// A function with its arguments, by which `pickle` makes a player again.
type CallToRestore = (Py<PyAny>, (Py<Game>, String, u64));

/// Passes progress reports to a Python function, and stops the search on request.
struct ReportingObserver<'a> {
    callback: Option<(&'a Py<PyAny>, Duration)>,
    code: &'a PythonCode,
    text: &'a str,
    stop: &'a AtomicBool,
    /// Set if the callback wants no more.
    is_ended: AtomicBool,
}

impl Observer<String> for ReportingObserver<'_> {
    fn interval(&self) -> Option<Duration> {
        self.callback.map(|(_, interval)| interval)
    }

    fn report(&self, so_far: &Choice<String>) {
        let Some((callback, _)) = self.callback else { return };
        if self.code.has_failed() {
            return;
        }
        self.code.call(|py| {
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
                    self.code.keep_failure(error);
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
    /// Lets a player begin a game.
    pub(crate) fn new(game: Py<Game>, mut player: Box<dyn AnyPlayer>, seed: u64) -> Self {
        player.begin(seed);
        let (spec, seed) = (player.spec().to_owned(), AtomicU64::new(seed));
        Player { game, spec, player: Mutex::new(player), seed }
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
    fn begin(&self, py: Python<'_>, #[pyo3(from_py_with = numbers::seed)] seed: u64) {
        self.seed.store(seed, Ordering::Relaxed);
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
        let position = state.get().position();
        let text = position.show();
        let mut code = interrupt::code_named_in([&self.spec[..]]);
        code.extend(own.code());
        let reports = PythonCode::callback();
        code.push(Arc::clone(&reports));
        let chosen = interrupt::run(py, code, |stop| {
            let callback = on_report.as_ref().map(|callback| (callback, interval));
            let (code, is_ended) = (&*reports, AtomicBool::new(false));
            let observer = ReportingObserver { callback, code, text: &text, stop, is_ended };
            // A callback that asks the same player again would wait for ever.
            let Ok(mut player) = self.player.try_lock() else {
                return Err(PlayerError::Failed(
                    "the player is choosing a move already".to_owned(),
                ));
            };
            player.choose(position, budget, &observer)
        })?;
        choice::choice(py, &chosen.map_err(failed)?, &text)
    }

    /// A player is pickled as its spec and its seed: its copy begins a new game.
    fn __reduce__(&self, py: Python<'_>) -> PyResult<CallToRestore> {
        let restore = py.import("ludion._seats")?.getattr("restore_player")?.unbind();
        let seed = self.seed.load(Ordering::Relaxed);
        Ok((restore, (self.game.clone_ref(py), self.spec.clone(), seed)))
    }

    fn __repr__(&self) -> String {
        format!("<ludion.Player {} of {}>", self.spec, self.game.get().game.spec())
    }
}
