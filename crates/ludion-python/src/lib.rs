//! The extension module `ludion._ludion` of the Python package `ludion`.
//!
//! Games, states, players and batches are classes over the type-erased games of the registry; the
//! commands of the program run in this process and return their reports as JSON. What is not
//! called in a loop is written in Python, in `python/ludion`.
//!
//! The interpreter lock is released while Rust works, and taken again for whatever is written in
//! Python: a player, an evaluator, a game, a callback.

mod batch;
mod choice;
mod command;
mod errors;
mod fast_methods;
mod game;
mod gil_cell;
mod interrupt;
mod numbers;
mod player;
mod playthrough;
mod python_evaluator;
mod python_game;
mod python_picture;
mod python_player;
mod registry;
mod riddle;
mod state;

use pyo3::prelude::*;

/// The compiled part of the package `ludion`.
#[pymodule]
fn _ludion(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add("__version__", env!("CARGO_PKG_VERSION"))?;
    m.add("BUILD", ludion_cli::VERSION)?;
    errors::add(m)?;
    m.add_class::<game::Game>()?;
    m.add_class::<state::State>()?;
    m.add_class::<player::Player>()?;
    m.add_class::<playthrough::Playthrough>()?;
    fast_methods::add(m.py())?;
    m.add_class::<batch::StateBatch>()?;
    m.add_class::<riddle::Riddle>()?;
    m.add_function(wrap_pyfunction!(registry::game_names, m)?)?;
    m.add_function(wrap_pyfunction!(registry::add_game, m)?)?;
    m.add_function(wrap_pyfunction!(registry::add_player, m)?)?;
    m.add_function(wrap_pyfunction!(registry::add_evaluator, m)?)?;
    m.add_function(wrap_pyfunction!(game::open_game, m)?)?;
    m.add_function(wrap_pyfunction!(riddle::open_riddle, m)?)?;
    m.add_function(wrap_pyfunction!(command::call, m)?)?;
    m.add_function(wrap_pyfunction!(command::main, m)?)?;
    let leave = wrap_pyfunction!(interrupt::leave_python, m)?;
    m.py().import("atexit")?.call_method1("register", (leave,))?;
    #[cfg(unix)]
    {
        m.add_function(wrap_pyfunction!(command::start_supervisors_with, m)?)?;
        m.add_function(wrap_pyfunction!(command::supervise, m)?)?;
    }
    Ok(())
}
