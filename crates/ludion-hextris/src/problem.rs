//! Problems in the contest's JSON format. A [`JsonProblem`] is read from text and checked against
//! limits, so that a [`Problem`] is always valid and fits into memory. Errors name the invalid
//! field. Pivots may lie anywhere within the limits, on the board or not.

use std::collections::HashSet;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use ludion_core::plain_words::plain_message;

use super::board::HexBoard;
use super::unit::Unit;
use super::unit_source::UnitSource;

/// Maximum number of columns of a board: a row is stored in one word of 128 bits.
pub const MAX_COLUMNS: i64 = 128;
/// Maximum number of rows of a board.
pub const MAX_ROWS: i64 = 256;
/// Largest absolute value of a coordinate of a unit's cell or pivot.
pub const MAX_COORDINATE: i64 = 1_000;
/// Maximum number of different units of a problem.
pub const MAX_UNITS: usize = 1_000;
/// Maximum number of cells of a unit.
pub const MAX_MEMBERS: usize = 1_000;
/// Maximum number of units that appear in one game, one after the other.
pub const MAX_SOURCE_LENGTH: i64 = 1_000_000;
/// Maximum number of seeds of a problem, each of which is one game.
pub const MAX_SEEDS: usize = 10_000;

/// A cell in the contest's JSON format.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct JsonCell {
    /// Column of the cell, 0 at the left of the board.
    pub x: i64,
    /// Row of the cell, 0 at the top of the board.
    pub y: i64,
}

/// A unit in the contest's JSON format.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct JsonUnit {
    /// Cells of the unit, anywhere in the plane; every unit is moved to the top centre when it
    /// appears.
    pub members: Vec<JsonCell>,
    /// Cell about which the unit rotates; it need not be one of the unit's cells.
    pub pivot: JsonCell,
}

/// A problem in the contest's JSON format, not yet checked.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object with id, units, width and so on")]
pub struct JsonProblem {
    /// Number that identifies the problem in solutions.
    pub id: i64,
    /// The different units; each game is a random sequence of them.
    pub units: Vec<JsonUnit>,
    /// Number of columns of the board.
    pub width: i64,
    /// Number of rows of the board.
    pub height: i64,
    /// Cells of the board that are full at the start of every game.
    pub filled: Vec<JsonCell>,
    /// Number of units that appear in one game, one after the other.
    pub source_length: i64,
    /// Seeds of the generator that chooses the units; each seed is one game.
    pub source_seeds: Vec<i64>,
}

/// Reasons why a problem is invalid.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ProblemError {
    /// The text is not JSON of the expected structure.
    #[error("{field}: {reason}")]
    Json {
        /// Path of the field, such as `units[2].pivot.x`.
        field: String,
        /// Error message of the JSON parser.
        reason: String,
    },
    /// A number is out of range.
    #[error("{field}: {value} is not from {min} to {max}")]
    Range {
        /// Path of the field in the JSON text, such as `units[2].pivot.x`.
        field: String,
        /// The value of the field.
        value: i64,
        /// Smallest value allowed.
        min: i64,
        /// Largest value allowed.
        max: i64,
    },
    /// A list has too few or too many entries.
    #[error("{field}: {count} entries, from {min} to {max} are allowed")]
    Length {
        /// Path of the list in the JSON text, such as `units`.
        field: String,
        /// Number of entries of the list.
        count: usize,
        /// Smallest number of entries allowed.
        min: usize,
        /// Largest number of entries allowed.
        max: usize,
    },
    /// A cell is listed twice, in a unit or among the full cells of the board.
    #[error("{field}: the cell ({}, {}) is listed twice", cell.x, cell.y)]
    Twice {
        /// Path of the second mention of the cell, such as `filled[7]`.
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

/// Number, size and seeds of a problem, without its board and units.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ProblemSummary {
    /// Number that identifies the problem in solutions.
    pub id: u32,
    /// Number of columns of the board.
    pub width: usize,
    /// Number of rows of the board.
    pub height: usize,
    /// Number of different units of the problem.
    pub units: usize,
    /// Number of units that appear in one game.
    pub source_length: usize,
    /// Seeds of the games, each of which gives the units in another order.
    pub seeds: Vec<u32>,
}

impl Problem {
    /// Reads a problem from text in the contest's JSON format.
    ///
    /// # Errors
    /// Returns an error that names the field that is missing, has the wrong type or exceeds a
    /// limit.
    pub fn from_json(text: &str) -> Result<Self, ProblemError> {
        let json = read_json(text, "problem")
            .map_err(|(field, reason)| ProblemError::Json { field, reason })?;
        Problem::new(json)
    }

    /// Checks a problem against the limits and prepares its units for its board.
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

    /// Returns a copy of the problem with another board of the same size and another number of
    /// units per game. [`Problem::json`] of the copy keeps the old board.
    pub(super) fn with_board(&self, board: &HexBoard, source_length: usize) -> Self {
        let mut other = self.clone();
        other.json.source_length = source_length as i64;
        other.board = board.clone();
        other
    }

    /// Returns the number that identifies the problem in solutions.
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

    /// Returns the different units, prepared for the size of the board.
    #[must_use]
    pub fn units(&self) -> &[Unit] {
        &self.units
    }

    /// Returns the number of units that appear in one game.
    #[must_use]
    pub fn source_length(&self) -> usize {
        self.json.source_length as usize
    }

    /// Returns the seeds, one for each game; a seed may be listed twice, as in one problem of the
    /// contest.
    #[must_use]
    pub fn seeds(&self) -> &[u32] {
        &self.seeds
    }

    /// Returns the number, size and seeds of the problem.
    #[must_use]
    pub fn summary(&self) -> ProblemSummary {
        ProblemSummary {
            id: self.id(),
            width: self.width(),
            height: self.height(),
            units: self.units.len(),
            source_length: self.source_length(),
            seeds: self.seeds.clone(),
        }
    }

    /// Returns the problem in the contest's JSON format, as it was given.
    #[must_use]
    pub fn json(&self) -> &JsonProblem {
        &self.json
    }

    /// Iterates over the sequence of units of the game with this seed, as indices into
    /// [`Problem::units`].
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

/// Reads a value from JSON text. An error is the path of the invalid field and the reason; for an
/// error that concerns the whole text, the path is `whole`.
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
        (field, plain_message(&error.into_inner().to_string()))
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
