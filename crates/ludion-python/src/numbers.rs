//! Whole numbers from Python. A number that is not allowed raises `InputError` with a sentence that
//! names the parameter and its range.
//!
//! Each parameter has a function of its name, for `#[pyo3(from_py_with = …)]`.

use std::ops::RangeInclusive;

use ludion::game::Side;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyString};

use crate::errors::wrong;

/// Largest depth of a perft, which is computed by recursion.
const MAX_DEPTH: u64 = 1000;
/// Largest table of a solver in megabytes.
const MAX_MEGABYTES: u64 = 1 << 16;
const MAX_THREADS: u64 = 1024;
/// Largest number of random games of a check.
const MAX_GAMES: u64 = 1_000_000_000;
/// Largest number of states of a batch.
const MAX_STATES: u64 = 1 << 26;
/// Length in characters up to which a wrong value is repeated.
const MAX_SHOWN: usize = 40;

/// Returns the number that a value is, if it is in a range.
fn whole(value: &Bound<'_, PyAny>, name: &str, range: RangeInclusive<u64>) -> PyResult<u64> {
    let is_bool = value.is_instance_of::<PyBool>();
    let number = value.extract::<u64>().ok().filter(|number| !is_bool && range.contains(number));
    number.ok_or_else(|| {
        let (least, most) = (range.start(), range.end());
        let shown = shown(value);
        wrong(format!("{name} {shown} is not allowed; it is a whole number from {least} to {most}"))
    })
}

/// Returns a value as a sentence repeats it.
fn shown(value: &Bound<'_, PyAny>) -> String {
    let text = if value.is_instance_of::<PyString>() { value.repr() } else { value.str() };
    // Python refuses to write very long numbers.
    match text.map(|text| text.to_string()) {
        Ok(text) if text.chars().count() <= MAX_SHOWN => text,
        Ok(text) => text.chars().take(MAX_SHOWN).chain(['…']).collect(),
        Err(_) => "with so many digits".to_owned(),
    }
}

pub(crate) fn seed(value: &Bound<'_, PyAny>) -> PyResult<u64> {
    whole(value, "seed", 0..=u64::MAX)
}

pub(crate) fn threads(value: &Bound<'_, PyAny>) -> PyResult<usize> {
    Ok(whole(value, "threads", 1..=MAX_THREADS)? as usize)
}

pub(crate) fn megabytes(value: &Bound<'_, PyAny>) -> PyResult<usize> {
    Ok(whole(value, "megabytes", 1..=MAX_MEGABYTES)? as usize)
}

pub(crate) fn nodes(value: &Bound<'_, PyAny>) -> PyResult<Option<u64>> {
    optional(value, |value| whole(value, "nodes", 1..=u64::MAX))
}

pub(crate) fn depth(value: &Bound<'_, PyAny>) -> PyResult<u32> {
    Ok(whole(value, "depth", 0..=MAX_DEPTH)? as u32)
}

/// The number of random games of `Game.playouts`.
pub(crate) fn playouts(value: &Bound<'_, PyAny>) -> PyResult<u64> {
    whole(value, "n", 0..=u64::MAX)
}

/// The number of random games of `Game.check`.
pub(crate) fn games(value: &Bound<'_, PyAny>) -> PyResult<usize> {
    Ok(whole(value, "games", 1..=MAX_GAMES)? as usize)
}

/// The number of states of a batch.
pub(crate) fn states(value: &Bound<'_, PyAny>) -> PyResult<usize> {
    Ok(whole(value, "n", 1..=MAX_STATES)? as usize)
}

/// A side as Python sees it: 0 or 1; none is the side to move.
pub(crate) fn side(value: &Bound<'_, PyAny>) -> PyResult<Option<Side>> {
    optional(value, |value| match whole(value, "side", 0..=1)? {
        0 => Ok(Side::First),
        _ => Ok(Side::Second),
    })
}

/// An action number of a game with any number of actions.
pub(crate) fn action(value: &Bound<'_, PyAny>) -> PyResult<u32> {
    Ok(whole(value, "action", 0..=u64::from(u32::MAX))? as u32)
}

fn optional<'py, T>(
    value: &Bound<'py, PyAny>,
    read: impl FnOnce(&Bound<'py, PyAny>) -> PyResult<T>,
) -> PyResult<Option<T>> {
    if value.is_none() { Ok(None) } else { read(value).map(Some) }
}
