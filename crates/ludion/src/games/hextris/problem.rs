//! Problems in the contest's JSON format. A [`JsonProblem`] is read from text and checked against
//! limits, so that a [`Problem`] is always valid and fits into memory. Errors name the field.
//! Pivots may lie anywhere within the limits, on the board or not.

use std::collections::HashSet;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::board::HexBoard;
use super::unit::Unit;
use super::unit_source::UnitSource;

/// Maximum number of columns: a row is one word of 128 bits.
pub const MAX_COLUMNS: i64 = 128;
/// Maximum number of rows.
pub const MAX_ROWS: i64 = 256;
/// Largest absolute value of a coordinate of a unit.
pub const MAX_COORDINATE: i64 = 1_000;
/// Maximum number of different units.
pub const MAX_UNITS: usize = 1_000;
/// Maximum number of cells of a unit.
pub const MAX_MEMBERS: usize = 1_000;
/// Maximum number of units that come in a game.
pub const MAX_SOURCE_LENGTH: i64 = 1_000_000;
/// Maximum number of seeds.
pub const MAX_SEEDS: usize = 10_000;

/// A cell in JSON.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct JsonCell {
    /// Column of the cell, from 0.
    pub x: i64,
    /// Row of the cell, from 0 at the top.
    pub y: i64,
}

/// A unit in JSON.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct JsonUnit {
    /// Cells of the unit.
    pub members: Vec<JsonCell>,
    /// Its centre of rotation.
    pub pivot: JsonCell,
}

/// A problem in the contest's JSON format, not yet checked.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object with id, units, width and so on")]
pub struct JsonProblem {
    /// Number of the problem.
    pub id: i64,
    /// The different units.
    pub units: Vec<JsonUnit>,
    /// Number of columns of the board.
    pub width: i64,
    /// Number of rows of the board.
    pub height: i64,
    /// Cells that are full at the start.
    pub filled: Vec<JsonCell>,
    /// Number of units that come in a game.
    pub source_length: i64,
    /// Seeds of the sequence of units, one game each.
    pub source_seeds: Vec<i64>,
}

/// Reasons why a problem is invalid.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ProblemError {
    /// The text is not the expected JSON.
    #[error("{field}: {reason}")]
    Json {
        /// Path of the field, such as `units[2].pivot.x`.
        field: String,
        /// Message of the parser.
        reason: String,
    },
    /// A number is out of range.
    #[error("{field}: {value} is not from {min} to {max}")]
    Range {
        /// Path of the field.
        field: String,
        /// The value given.
        value: i64,
        /// Smallest value allowed.
        min: i64,
        /// Largest value allowed.
        max: i64,
    },
    /// A list has too few or too many entries.
    #[error("{field}: {count} entries, from {min} to {max} are allowed")]
    Length {
        /// Path of the field.
        field: String,
        /// Number of entries.
        count: usize,
        /// Smallest number allowed.
        min: usize,
        /// Largest number allowed.
        max: usize,
    },
    /// A cell is listed twice.
    #[error("{field}: the cell ({}, {}) is listed twice", cell.x, cell.y)]
    Twice {
        /// Path of the field.
        field: String,
        /// The cell that is listed twice.
        cell: JsonCell,
    },
}

/// A valid problem: a board, units prepared for it, and seeds.
#[derive(Clone, Debug)]
pub struct Problem {
    json: JsonProblem,
    board: HexBoard,
    units: Vec<Unit>,
    seeds: Vec<u32>,
}

impl Problem {
    /// Reads a problem from JSON.
    ///
    /// # Errors
    /// Returns an error that names the field that is missing, has the wrong type or exceeds a
    /// limit.
    pub fn from_json(text: &str) -> Result<Self, ProblemError> {
        let json = read_json(text, "problem")
            .map_err(|(field, reason)| ProblemError::Json { field, reason })?;
        Problem::new(json)
    }

    /// Checks a problem and prepares its units.
    ///
    /// # Errors
    /// Returns an error that names the first field that exceeds a limit.
    pub fn new(json: JsonProblem) -> Result<Self, ProblemError> {
        range("id", json.id, 0, u32::MAX.into())?;
        let width = range("width", json.width, 1, MAX_COLUMNS)? as usize;
        let height = range("height", json.height, 1, MAX_ROWS)? as usize;
        range("sourceLength", json.source_length, 1, MAX_SOURCE_LENGTH)?;
        length("units", json.units.len(), MAX_UNITS)?;
        let units = json.units.iter().enumerate();
        let units =
            units.map(|(i, unit)| read_unit(i, unit, width, height)).collect::<Result<_, _>>()?;
        let board = read_board(&json.filled, width, height)?;
        let seeds = read_seeds(&json.source_seeds)?;
        Ok(Problem { json, board, units, seeds })
    }

    /// Returns the problem with another board of the same size and another number of units.
    /// [`Problem::json`] keeps the old board.
    pub(super) fn with_board(&self, board: &HexBoard, source_length: usize) -> Self {
        let mut other = self.clone();
        other.json.source_length = source_length as i64;
        other.board = board.clone();
        other
    }

    /// Returns the number of the problem.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.json.id as u32
    }

    /// Returns the number of columns of the board.
    #[must_use]
    pub fn width(&self) -> usize {
        self.json.width as usize
    }

    /// Returns the number of rows of the board.
    #[must_use]
    pub fn height(&self) -> usize {
        self.json.height as usize
    }

    /// Returns the board at the start.
    #[must_use]
    pub fn board(&self) -> &HexBoard {
        &self.board
    }

    /// Returns the different units, prepared for the board.
    #[must_use]
    pub fn units(&self) -> &[Unit] {
        &self.units
    }

    /// Returns the number of units that come in a game.
    #[must_use]
    pub fn source_length(&self) -> usize {
        self.json.source_length as usize
    }

    /// Returns the seeds, one for each game; one problem of the contest lists a seed twice.
    #[must_use]
    pub fn seeds(&self) -> &[u32] {
        &self.seeds
    }

    /// Returns the JSON form of the problem.
    #[must_use]
    pub fn json(&self) -> &JsonProblem {
        &self.json
    }

    /// Iterates over the units of the game with this seed, as indices into [`Problem::units`].
    pub fn source(&self, seed: u32) -> impl Iterator<Item = usize> + use<> {
        let (mut source, units) = (UnitSource::new(seed), self.units.len());
        std::iter::repeat_with(move || source.unit(units)).take(self.source_length())
    }

    /// Returns the score of the problem: the mean of `score` over its seeds, rounded down. A seed
    /// that is listed twice counts twice.
    #[must_use]
    pub fn mean(&self, score: impl FnMut(u32) -> u64) -> u64 {
        self.seeds.iter().copied().map(score).sum::<u64>() / self.seeds.len() as u64
    }
}

/// Reads JSON; an error is a pair of field and reason, where `whole` is the field if the whole text
/// is meant.
pub(super) fn read_json<T: DeserializeOwned>(
    text: &str,
    whole: &str,
) -> Result<T, (String, String)> {
    let mut json = serde_json::Deserializer::from_str(text);
    let value = serde_path_to_error::deserialize(&mut json).map_err(|error| {
        // Text that ends within a name has an incomplete path: report the enclosing field.
        let path = error.path().to_string();
        let path = path.trim_end_matches('?').trim_end_matches('.');
        let field = if path.is_empty() { whole } else { path }.to_owned();
        (field, error.into_inner().to_string())
    })?;
    json.end().map_err(|error| (whole.to_owned(), error.to_string()))?;
    Ok(value)
}

fn range(field: &str, value: i64, min: i64, max: i64) -> Result<i64, ProblemError> {
    if (min..=max).contains(&value) {
        return Ok(value);
    }
    Err(ProblemError::Range { field: field.to_owned(), value, min, max })
}

fn length(field: &str, count: usize, max: usize) -> Result<(), ProblemError> {
    if (1..=max).contains(&count) {
        return Ok(());
    }
    Err(ProblemError::Length { field: field.to_owned(), count, min: 1, max })
}

fn read_unit(
    number: usize,
    unit: &JsonUnit,
    width: usize,
    height: usize,
) -> Result<Unit, ProblemError> {
    let name = format!("units[{number}]");
    let cell = |field: String, JsonCell { x, y }: JsonCell| {
        let x = range(&format!("{field}.x"), x, -MAX_COORDINATE, MAX_COORDINATE)?;
        let y = range(&format!("{field}.y"), y, -MAX_COORDINATE, MAX_COORDINATE)?;
        Ok((x as i32, y as i32))
    };
    length(&format!("{name}.members"), unit.members.len(), MAX_MEMBERS)?;
    let (mut members, mut seen) = (Vec::new(), HashSet::new());
    for (i, &member) in unit.members.iter().enumerate() {
        let field = format!("{name}.members[{i}]");
        members.push(cell(field.clone(), member)?);
        if !seen.insert(member) {
            return Err(ProblemError::Twice { field, cell: member });
        }
    }
    let pivot = cell(format!("{name}.pivot"), unit.pivot)?;
    Ok(Unit::new(&members, pivot, width, height))
}

fn read_board(filled: &[JsonCell], width: usize, height: usize) -> Result<HexBoard, ProblemError> {
    let mut board = HexBoard::empty(height);
    for (i, &cell) in filled.iter().enumerate() {
        let field = format!("filled[{i}]");
        let x = range(&format!("{field}.x"), cell.x, 0, width as i64 - 1)? as usize;
        let y = range(&format!("{field}.y"), cell.y, 0, height as i64 - 1)? as usize;
        if board.is_full(x, y) {
            return Err(ProblemError::Twice { field, cell });
        }
        board.put(x, y);
    }
    Ok(board)
}

fn read_seeds(given: &[i64]) -> Result<Vec<u32>, ProblemError> {
    length("sourceSeeds", given.len(), MAX_SEEDS)?;
    let seed = |(i, &seed): (usize, &i64)| {
        range(&format!("sourceSeeds[{i}]"), seed, 0, u32::MAX.into()).map(|seed| seed as u32)
    };
    given.iter().enumerate().map(seed).collect()
}
