//! The class `Game`: the rules of a game with their parameters, and what can be computed of it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use ludion::encoding::EncodingShape;
use ludion::player::StopOnFlag;
use ludion::random::Rng;
use ludion::registry::{AnyGame, AnyPosition};
use ludion::solution::SolveLimits;
use ludion::spec::Spec;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::batch::StateBatch;
use crate::choice;
use crate::errors::{failed, wrong};
use crate::gil_cell::GilCell;
use crate::interrupt::{self, PythonCode};
use crate::numbers;
use crate::player::Player;
use crate::playthrough::Playthrough;
use crate::python_game;
use crate::registry::registry;
use crate::state::State;

/// Number of random games between two looks at the signals.
const PLAYOUT_CHUNK: u64 = 1 << 16;
/// Number of random games of rules in Python between two looks at the signals.
const PYTHON_PLAYOUT_CHUNK: u64 = 16;
/// Depth of a perft that is not interrupted.
const PERFT_DEPTH: u32 = 8;

/// A game: its rules with their parameters. `ludion.game` makes one.
#[pyclass(frozen, module = "ludion", name = "Game", weakref)]
pub(crate) struct Game {
    pub(crate) game: Arc<dyn AnyGame>,
    pub(crate) is_puzzle: bool,
    shape: OnceLock<EncodingShape>,
    /// The rules, if they are written in Python.
    code: Option<Arc<PythonCode>>,
    actions: GilCell<Box<ActionTupleCache>>,
    /// The memory of a state that was dropped, for the next one.
    spare: GilCell<Box<dyn AnyPosition>>,
}

/// Tuples of legal actions that were made. States often have the same actions, and a tuple that
/// exists costs nothing.
#[derive(Default)]
pub(crate) struct ActionTupleCache {
    /// The list and the tuple of the last state, for games without a key of actions.
    last: (Vec<u32>, Option<Py<PyTuple>>),
    listed: Vec<u32>,
    /// Tuples with their keys, each at the place that its key gives it.
    by_key: Vec<Option<(u64, Py<PyTuple>)>>,
}

/// Number of tuples that an [`ActionTupleCache`] keeps, a power of two.
const TUPLES: usize = 256;

impl ActionTupleCache {
    /// Returns the legal actions of a position.
    pub(crate) fn actions_of(
        &mut self,
        py: Python<'_>,
        game: &Game,
        position: &dyn AnyPosition,
    ) -> PyResult<Py<PyTuple>> {
        let Some(key) = position.actions_key() else { return self.listed_of(py, game, position) };
        let place = key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (u64::BITS - TUPLES.ilog2());
        match self.by_key.get(place as usize) {
            Some(Some((known, tuple))) if *known == key => Ok(tuple.clone_ref(py)),
            _ => {
                let tuple = self.listed_of(py, game, position)?;
                self.by_key.resize_with(TUPLES, || None);
                let earlier = self.by_key[place as usize].replace((key, tuple.clone_ref(py)));
                drop_attached(py, earlier.map(|(_, tuple)| tuple));
                Ok(tuple)
            }
        }
    }

    fn listed_of(
        &mut self,
        py: Python<'_>,
        game: &Game,
        position: &dyn AnyPosition,
    ) -> PyResult<Py<PyTuple>> {
        self.listed.clear();
        position.actions(&mut self.listed);
        game.raise_failure()?;
        match &self.last {
            (last, Some(tuple)) if self.listed == *last => Ok(tuple.clone_ref(py)),
            _ => {
                let tuple = PyTuple::new(py, &self.listed)?.unbind();
                std::mem::swap(&mut self.listed, &mut self.last.0);
                drop_attached(py, self.last.1.replace(tuple.clone_ref(py)));
                Ok(tuple)
            }
        }
    }
}

/// Drops a reference at once. PyO3 would keep it for later, because `fast_methods.rs` does not tell it
/// that this thread is attached.
fn drop_attached(py: Python<'_>, tuple: Option<Py<PyTuple>>) {
    drop(tuple.map(|tuple| tuple.into_bound(py)));
}

impl Game {
    /// Raises the exception of rules in Python that was not raised yet, if there is one.
    pub(crate) fn raise_failure(&self) -> PyResult<()> {
        self.code.as_ref().map_or(Ok(()), |code| code.raise_failure())
    }

    /// Returns the rules, if they are written in Python.
    pub(crate) fn code(&self) -> Vec<Arc<PythonCode>> {
        self.code.iter().cloned().collect()
    }

    /// Returns the legal actions of a position of this game.
    pub(crate) fn legal_actions(
        &self,
        py: Python<'_>,
        position: &dyn AnyPosition,
    ) -> PyResult<Py<PyTuple>> {
        // Rules in Python may release the interpreter lock; another thread then has a cache of its own.
        let mut cache = self.actions.take(py).unwrap_or_default();
        let actions = cache.actions_of(py, self, position);
        self.actions.put(py, cache);
        actions
    }

    /// Returns a copy of a position of this game.
    pub(crate) fn copy_of(
        &self,
        py: Python<'_>,
        position: &dyn AnyPosition,
    ) -> Box<dyn AnyPosition> {
        let spare = self.spare.take(py);
        let copy = spare.and_then(|mut spare| spare.set(position).then_some(spare));
        copy.unwrap_or_else(|| position.copy())
    }

    /// Keeps a position that is not used any more for the next copy. Loops drop a state for every
    /// state that they make.
    pub(crate) fn keep_spare(&self, position: Box<dyn AnyPosition>) {
        // A state of rules in Python has an object of theirs.
        if self.code.is_none() {
            Python::attach(|py| self.spare.put(py, position));
        }
    }

    /// Returns the sizes of the encoding, which are computed once.
    pub(crate) fn shape(&self) -> &EncodingShape {
        // Rules in Python may release the interpreter lock, so nothing else is locked while they run.
        match self.shape.get() {
            Some(shape) => shape,
            None => {
                let shape = self.game.encoding();
                self.shape.get_or_init(|| shape)
            }
        }
    }
}

/// Returns the game that a spec describes, such as "connect4" or "matches(21, misere)".
#[pyfunction]
#[pyo3(signature = (spec, /))]
pub(crate) fn open_game(spec: &str) -> PyResult<Game> {
    let registry = registry();
    let game = registry.game(spec).map_err(wrong)?;
    let is_puzzle = registry.entry(spec).map_err(wrong)?.puzzle;
    let code = Spec::parse(spec).ok().and_then(|spec| python_game::code_of(&spec.name));
    let (shape, actions, spare) = (OnceLock::new(), GilCell::new(), GilCell::new());
    let game = Game { game, is_puzzle, shape, code, actions, spare };
    game.raise_failure()?;
    Ok(game)
}

/// Returns a copy of the position of a state, or the start of the game.
fn position_of(
    slf: &Bound<'_, Game>,
    state: Option<&Bound<'_, State>>,
) -> PyResult<Box<dyn AnyPosition>> {
    let Some(state) = state else { return Ok(slf.get().game.start()) };
    let (own, other) = (slf.get().game.full_spec(), state.get().game.get());
    if own != other.game.full_spec() {
        let (own, other) = (slf.get().game.spec(), other.game.spec());
        return Err(wrong(format!("the state is of {other}, and the game is {own}")));
    }
    Ok(state.get().position().copy())
}

#[pymethods]
impl Game {
    /// The shortest spec of the game: only parameters that differ from their defaults.
    #[getter]
    fn spec(&self) -> &str {
        self.game.spec()
    }

    /// The spec of the game with all its parameters.
    #[getter]
    fn full_spec(&self) -> &str {
        self.game.full_spec()
    }

    /// The name of the game.
    #[getter]
    fn name(&self) -> PyResult<String> {
        Ok(Spec::parse(self.game.spec()).map_err(failed)?.name)
    }

    /// Whether the game is a puzzle, played by one side for points.
    #[getter]
    fn is_puzzle(&self) -> bool {
        self.is_puzzle
    }

    /// The number of action numbers: that of every move is below it.
    #[getter]
    fn action_count(&self) -> PyResult<usize> {
        let actions = self.shape().actions;
        self.raise_failure()?;
        Ok(actions)
    }

    /// The shape of the planes of a state: planes, rows, columns.
    #[getter]
    fn plane_shape(&self) -> PyResult<(usize, usize, usize)> {
        let shape = self.shape();
        self.raise_failure()?;
        Ok((shape.planes + shape.extras, shape.rows, shape.cols))
    }

    /// The names of the symmetries of the board that the rules preserve, without the identity.
    #[getter]
    fn symmetries(&self) -> Vec<String> {
        self.game
            .symmetries()
            .iter()
            .map(|symmetry| format!("{symmetry:?}").to_lowercase())
            .collect()
    }

    /// Returns the state in which every game begins.
    fn start(slf: Bound<'_, Self>) -> PyResult<State> {
        let position = slf.get().game.start();
        State::new(slf.unbind(), position)
    }

    /// Reads a state from the notation of the game.
    #[pyo3(signature = (text, /))]
    fn read(slf: Bound<'_, Self>, text: &str) -> PyResult<State> {
        let position = slf.get().game.read(text);
        slf.get().raise_failure()?;
        State::new(slf.unbind(), position.map_err(wrong)?)
    }

    /// Makes the player that a spec describes, such as "mcts(sims=1000)".
    #[pyo3(signature = (spec, *, seed=1))]
    fn player(
        slf: Bound<'_, Self>,
        spec: &str,
        #[pyo3(from_py_with = numbers::seed)] seed: u64,
    ) -> PyResult<Player> {
        let player = slf.get().game.player(spec);
        slf.get().raise_failure()?;
        Ok(Player::new(slf.unbind(), player.map_err(wrong)?, seed))
    }

    /// Solves a state exactly, by default the start: its value under perfect play and that of every
    /// move; with `result_only` who wins, and a move that keeps it.
    #[pyo3(signature = (state=None, *, nodes=None, threads=1, megabytes=256, result_only=false))]
    fn solve<'py>(
        slf: Bound<'py, Self>,
        state: Option<&Bound<'py, State>>,
        #[pyo3(from_py_with = numbers::nodes)] nodes: Option<u64>,
        #[pyo3(from_py_with = numbers::threads)] threads: usize,
        #[pyo3(from_py_with = numbers::megabytes)] megabytes: usize,
        result_only: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        let position = position_of(&slf, state)?;
        let standard = SolveLimits::default();
        let nodes = nodes.unwrap_or(standard.nodes);
        let limits = SolveLimits { nodes, threads, megabytes, result_only, ..standard };
        let solved =
            interrupt::run(py, slf.get().code(), |stop| position.solve(limits, &StopOnFlag(stop)))?;
        choice::solution(py, &solved.map_err(failed)?)
    }

    /// Counts the sequences of exactly `depth` moves from a state, by default the start.
    #[pyo3(signature = (depth, state=None, *, threads=1))]
    fn perft(
        slf: Bound<'_, Self>,
        #[pyo3(from_py_with = numbers::depth)] depth: u32,
        state: Option<&Bound<'_, State>>,
        #[pyo3(from_py_with = numbers::threads)] threads: usize,
    ) -> PyResult<u64> {
        let py = slf.py();
        let position = position_of(&slf, state)?;
        interrupt::run(py, slf.get().code(), |stop| perft_until(stop, &*position, depth, threads))
    }

    /// Plays `n` uniformly random games from a state, by default the start, and counts how they end:
    /// {"first", "second", "draw"} for a game for two sides, {"games"} for a puzzle.
    #[pyo3(signature = (state=None, n=10_000, seed=1))]
    fn playouts<'py>(
        slf: Bound<'py, Self>,
        state: Option<&Bound<'py, State>>,
        #[pyo3(from_py_with = numbers::playouts)] n: u64,
        #[pyo3(from_py_with = numbers::seed)] seed: u64,
    ) -> PyResult<Bound<'py, PyDict>> {
        let py = slf.py();
        let position = position_of(&slf, state)?;
        let is_python = slf.get().code.is_some();
        let counts = interrupt::run(py, slf.get().code(), |stop| {
            let (mut rng, mut left) = (Rng::new(seed), n);
            let chunk = if is_python { PYTHON_PLAYOUT_CHUNK } else { PLAYOUT_CHUNK };
            let mut counts: Vec<u64> = Vec::new();
            while left > 0 && !stop.load(Ordering::Relaxed) {
                let games = left.min(chunk);
                let ends = position.playouts_with(games, &mut rng);
                counts.resize(ends.len(), 0);
                counts.iter_mut().zip(ends).for_each(|(count, end)| *count += end);
                left -= games;
            }
            counts
        })?;
        let kinds: &[&str] =
            if slf.get().is_puzzle { &["games"] } else { &["first", "second", "draw"] };
        let ends = PyDict::new(py);
        for (i, kind) in kinds.iter().enumerate() {
            ends.set_item(kind, counts.get(i).copied().unwrap_or_default())?;
        }
        Ok(ends)
    }

    /// Returns `n` states at the start of the game that are stepped together.
    #[pyo3(signature = (n, /))]
    fn batch(
        slf: Bound<'_, Self>,
        #[pyo3(from_py_with = numbers::states)] n: usize,
    ) -> PyResult<StateBatch> {
        StateBatch::new(slf, n)
    }

    /// Returns a game under way at the start, which changes with every move.
    fn playthrough(slf: Bound<'_, Self>) -> PyResult<Playthrough> {
        let position = slf.get().game.start();
        Playthrough::new(slf.unbind(), position)
    }

    /// Checks the laws of games on random games, and returns the number of states that were checked.
    /// Raises `LudionError` with the first law that is broken.
    #[pyo3(signature = (games=20, seed=1))]
    fn check(
        slf: Bound<'_, Self>,
        #[pyo3(from_py_with = numbers::games)] games: usize,
        #[pyo3(from_py_with = numbers::seed)] seed: u64,
    ) -> PyResult<usize> {
        let game = Arc::clone(&slf.get().game);
        let code = slf.get().code();
        let checked = interrupt::run(slf.py(), code, |stop| {
            game.check_laws_with_progress(games, seed, &mut |_| {
                if stop.load(Ordering::Relaxed) {
                    // Unwinds without a message; the call raises what stopped it.
                    std::panic::resume_unwind(Box::new(()));
                }
            })
        });
        checked?.map_err(failed)
    }

    fn __repr__(&self) -> String {
        format!("<ludion.Game {}>", self.game.spec())
    }

    fn __eq__(&self, other: &Game) -> bool {
        self.game.full_spec() == other.game.full_spec()
    }

    fn __hash__(&self) -> u64 {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hasher = DefaultHasher::new();
        self.game.full_spec().hash(&mut hasher);
        hasher.finish()
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: Py<PyAny>) -> Py<Self> {
        slf
    }

    fn __reduce__(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let reduce = py.import("ludion._games")?.getattr("reduce_game")?;
        Ok(reduce.call1((self.game.spec(),))?.unbind())
    }
}

/// Counts the sequences of exactly `depth` moves, or fewer of them if `stop` is set. The last plies are
/// counted in one call, which is much faster and cannot be stopped.
fn perft_until(stop: &AtomicBool, position: &dyn AnyPosition, depth: u32, threads: usize) -> u64 {
    if depth <= PERFT_DEPTH {
        return position.perft(depth, threads);
    }
    let parts = children(position);
    parts
        .iter()
        .take_while(|_| !stop.load(Ordering::Relaxed))
        .map(|part| perft_until(stop, &**part, depth - 1, threads))
        .sum()
}

/// Returns the positions after each legal move.
fn children(position: &dyn AnyPosition) -> Vec<Box<dyn AnyPosition>> {
    let mut actions = Vec::new();
    position.actions(&mut actions);
    let child = |action| {
        let mut next = position.copy();
        next.play_action(action);
        next
    };
    actions.into_iter().map(child).collect()
}
