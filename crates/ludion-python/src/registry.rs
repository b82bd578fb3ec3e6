//! The games and players that specs can name: those of Ludion, and those that Python code adds.

use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

use ludion::registry::Registry;
use pyo3::prelude::*;

use crate::{python_evaluator, python_game, python_player};

/// The registry of this process.
static REGISTRY: LazyLock<Mutex<Registry>> = LazyLock::new(|| {
    let registry = ludion::registry::standard().with_assets(ludion_cli::file_assets());
    #[cfg(unix)]
    let registry = {
        let notation = std::sync::Arc::new(ludion_cli::CheckersHubNotation);
        registry.with_text_player(ludion_bot::bot_with_hub(notation))
    };
    let registry = python_player::register(python_evaluator::register(registry));
    Mutex::new(registry)
});

fn lock() -> MutexGuard<'static, Registry> {
    REGISTRY.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the registry; clones are cheap.
pub(crate) fn registry() -> Registry {
    lock().clone()
}

/// Adds a game that is written in Python under a name; it replaces a game of the same name.
#[pyfunction]
pub(crate) fn add_game(
    py: Python<'_>,
    name: String,
    help: String,
    rules: Py<PyAny>,
) -> PyResult<()> {
    let builder = python_game::builder(py, name, help, rules)?;
    let mut registry = lock();
    *registry = registry.clone().with(builder);
    Ok(())
}

/// Adds a player that is written in Python; the spec `python(NAME)` names it.
#[pyfunction]
pub(crate) fn add_player(name: String, make: Py<PyAny>) {
    python_player::add(name, make);
}

/// Adds an evaluator that is written in Python; the value `eval=python(NAME)` names it.
#[pyfunction]
pub(crate) fn add_evaluator(name: String, evaluate: Py<PyAny>) {
    python_evaluator::add(name, evaluate);
}

/// Returns the names of all games and riddles.
#[pyfunction]
pub(crate) fn game_names() -> Vec<String> {
    let registry = registry();
    let games = registry.games().iter().map(|game| game.name.to_string());
    games.chain(registry.riddles().iter().map(|riddle| riddle.name.to_string())).collect()
}
