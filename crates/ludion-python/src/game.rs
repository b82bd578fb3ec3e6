//! The class `Game`: the rules of a game with their parameters, and what can be computed of it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

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
use crate::interrupt::{self, PythonCode};
use crate::player::Player;
use crate::playthrough::Playthrough;
use crate::python_game;
use crate::registry::registry;
use crate::state::State;

/// Number of random games between two looks at the signals.
const PLAYOUT_CHUNK: u64 = 1 << 16;
/// Largest depth of a perft, which is computed by recursion.
const MAX_DEPTH: u32 = 1000;
/// Largest table of a solver in megabytes, and largest number of threads.
const MAX_MEGABYTES: usize = 1 << 16;
const MAX_THREADS: usize = 1024;
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
    /// `None` while a thread uses it.
    actions: Mutex<Option<ActionCache>>,
}

/// The last tuple of legal actions that was made. Successive states often have the same actions, and
/// a tuple that exists costs nothing.
#[derive(Default)]
pub(crate) struct ActionCache {
    listed: Vec<u32>,
    last: Vec<u32>,
    tuple: Option<Py<PyTuple>>,
}

impl ActionCache {
    /// Returns the legal actions of a position.
    pub(crate) fn actions_of(
        &mut self,
        py: Python<'_>,
        game: &Game,
        position: &dyn AnyPosition,
    ) -> PyResult<Py<PyTuple>> {
        self.listed.clear();
        position.actions(&mut self.listed);
        game.raise_failure()?;
        match &self.tuple {
            Some(tuple) if self.listed == self.last => Ok(tuple.clone_ref(py)),
            _ => {
                std::mem::swap(&mut self.listed, &mut self.last);
                let tuple = PyTuple::new(py, &self.last)?.unbind();
                Ok(self.tuple.insert(tuple).clone_ref(py))
            }
        }
    }
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
        // Rules in Python may release the interpreter lock, so nothing else is locked while they run.
        let mut cache = self.lock_actions().take().unwrap_or_default();
        let actions = cache.actions_of(py, self, position);
        *self.lock_actions() = Some(cache);
        actions
    }

    fn lock_actions(&self) -> MutexGuard<'_, Option<ActionCache>> {
        self.actions.lock().unwrap_or_else(PoisonError::into_inner)
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
    let (shape, actions) = (OnceLock::new(), Mutex::default());
    let game = Game { game, is_puzzle, shape, code, actions };
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
    Ok(state.get().position.copy())
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
    fn player(slf: Bound<'_, Self>, spec: &str, seed: u64) -> PyResult<Player> {
        let player = slf.get().game.player(spec);
        slf.get().raise_failure()?;
        let mut player = player.map_err(wrong)?;
        player.begin(seed);
        Ok(Player::new(slf.unbind(), player))
    }

    /// Solves a state exactly, by default the start: its value under perfect play and that of every
    /// move.
    #[pyo3(signature = (state=None, *, nodes=None, threads=1, megabytes=256))]
    fn solve<'py>(
        slf: Bound<'py, Self>,
        state: Option<&Bound<'py, State>>,
        nodes: Option<u64>,
        threads: usize,
        megabytes: usize,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        if !(1..=MAX_MEGABYTES).contains(&megabytes) || !(1..=MAX_THREADS).contains(&threads) {
            return Err(wrong(format!(
                "{megabytes} MB on {threads} threads are not allowed; 1 to {MAX_MEGABYTES} MB and 1 to \
                 {MAX_THREADS} threads are"
            )));
        }
        let position = position_of(&slf, state)?;
        let standard = SolveLimits::default();
        let nodes = nodes.unwrap_or(standard.nodes);
        let limits = SolveLimits { nodes, threads, megabytes, ..standard };
        let solved =
            interrupt::run(py, slf.get().code(), |stop| position.solve(limits, &StopOnFlag(stop)))?;
        choice::solution(py, &solved.map_err(failed)?)
    }

    /// Counts the sequences of exactly `depth` moves from a state, by default the start.
    #[pyo3(signature = (depth, state=None, *, threads=1))]
    fn perft(
        slf: Bound<'_, Self>,
        depth: i64,
        state: Option<&Bound<'_, State>>,
        threads: usize,
    ) -> PyResult<u64> {
        let py = slf.py();
        let allowed = u32::try_from(depth).ok().filter(|&depth| depth <= MAX_DEPTH);
        let depth = allowed.ok_or_else(|| {
            wrong(format!("depth {depth} is not allowed; it is from 0 to {MAX_DEPTH}"))
        })?;
        let position = position_of(&slf, state)?;
        interrupt::run(py, slf.get().code(), |stop| {
            perft_until(stop, &*position, depth, threads.max(1))
        })
    }

    /// Plays `n` uniformly random games from a state, by default the start, and counts how they end:
    /// {"first", "second", "draw"} for a game for two sides, {"games"} for a puzzle.
    #[pyo3(signature = (state=None, n=10_000, seed=1))]
    fn playouts<'py>(
        slf: Bound<'py, Self>,
        state: Option<&Bound<'py, State>>,
        n: u64,
        seed: u64,
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
    fn batch(slf: Bound<'_, Self>, n: usize) -> PyResult<StateBatch> {
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
    fn check(slf: Bound<'_, Self>, games: usize, seed: u64) -> PyResult<usize> {
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
