//! A problem: the contest's JSON, read into a [`JsonProblem`] and held against limits, so that a
//! [`Problem`] always makes sense and always fits in memory. What is refused is named by its
//! field. Pivots may be anywhere within the limits, on the board or not.

use std::collections::HashSet;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::board::HexBoard;
use super::unit::Unit;
use super::unit_source::UnitSource;

/// The widest board: a row is one word of 128 bits.
pub const MAX_COLUMNS: i64 = 128;
/// The highest board.
pub const MAX_ROWS: i64 = 256;
/// No coordinate of a unit is farther than this from 0.
pub const FARTHEST: i64 = 1_000;
/// The most kinds of units.
pub const MAX_UNITS: usize = 1_000;
/// The most cells of a unit.
pub const MAX_MEMBERS: usize = 1_000;
/// The most units that come in a game.
pub const MAX_SOURCE: i64 = 1_000_000;
/// The most seeds.
pub const MAX_SEEDS: usize = 10_000;

/// A cell as it is written in JSON.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct JsonCell {
    /// Column.
    pub x: i64,
    /// Row.
    pub y: i64,
}

/// A unit as it is written in JSON.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct JsonUnit {
    /// Its cells.
    pub members: Vec<JsonCell>,
    /// What it turns about.
    pub pivot: JsonCell,
}

/// A problem as it is written in JSON, not yet held against any limit.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object with id, units, width and so on")]
pub struct JsonProblem {
    /// Its number.
    pub id: i64,
    /// The kinds of units.
    pub units: Vec<JsonUnit>,
    /// Columns of the board.
    pub width: i64,
    /// Rows of the board.
    pub height: i64,
    /// Cells that are full from the start.
    pub filled: Vec<JsonCell>,
    /// How many units come.
    pub source_length: i64,
    /// A game for each of these.
    pub source_seeds: Vec<i64>,
}

/// Why a text is no problem.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ProblemError {
    /// It is not the JSON that was expected.
    #[error("{field}: {reason}")]
    Json {
        /// Where, such as `units[2].pivot.x`.
        field: String,
        /// What was wrong.
        reason: String,
    },
    /// A number outside its range.
    #[error("{field}: {value} is not from {min} to {max}")]
    Range {
        /// Which field.
        field: String,
        /// What it says.
        value: i64,
        /// Least value allowed.
        min: i64,
        /// Greatest value allowed.
        max: i64,
    },
    /// A list with too few or too many entries.
    #[error("{field}: {count} entries, from {min} to {max} are allowed")]
    Length {
        /// Which field.
        field: String,
        /// How many there are.
        count: usize,
        /// Fewest allowed.
        min: usize,
        /// Most allowed.
        max: usize,
    },
    /// A cell that was there before.
    #[error("{field}: the cell ({}, {}) for the second time", cell.x, cell.y)]
    Twice {
        /// Which field.
        field: String,
        /// The cell.
        cell: JsonCell,
    },
}

/// A problem that makes sense.
#[derive(Clone, Debug)]
pub struct Problem {
    draft: JsonProblem,
    board: HexBoard,
    units: Vec<Unit>,
    seeds: Vec<u32>,
}

impl Problem {
    /// Reads a problem from JSON.
    ///
    /// # Errors
    /// Names the field that is missing, of the wrong type or against the limits.
    pub fn from_json(text: &str) -> Result<Self, ProblemError> {
        let draft = read_json(text, "problem")
            .map_err(|(field, reason)| ProblemError::Json { field, reason })?;
        Problem::new(draft)
    }

    /// The problem of `draft`.
    ///
    /// # Errors
    /// Names the first field that is against the limits.
    pub fn new(draft: JsonProblem) -> Result<Self, ProblemError> {
        range("id", draft.id, 0, u32::MAX.into())?;
        let width = range("width", draft.width, 1, MAX_COLUMNS)? as usize;
        let height = range("height", draft.height, 1, MAX_ROWS)? as usize;
        range("sourceLength", draft.source_length, 1, MAX_SOURCE)?;
        length("units", draft.units.len(), MAX_UNITS)?;
        let units = draft.units.iter().enumerate();
        let units =
            units.map(|(i, unit)| read_unit(i, unit, width, height)).collect::<Result<_, _>>()?;
        let board = read_board(&draft.filled, width, height)?;
        let seeds = read_seeds(&draft.source_seeds)?;
        Ok(Problem { draft, board, units, seeds })
    }

    /// The same problem with another board of the same size and so many units to come; what it
    /// was made of is not told of the board.
    pub(super) fn with_board(&self, board: &HexBoard, source_length: usize) -> Self {
        let mut other = self.clone();
        other.draft.source_length = source_length as i64;
        other.board = board.clone();
        other
    }

    /// Its number.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.draft.id as u32
    }

    /// Columns of the board.
    #[must_use]
    pub fn width(&self) -> usize {
        self.draft.width as usize
    }

    /// Rows of the board.
    #[must_use]
    pub fn height(&self) -> usize {
        self.draft.height as usize
    }

    /// The board at the start.
    #[must_use]
    pub fn board(&self) -> &HexBoard {
        &self.board
    }

    /// The kinds of units, prepared for the board.
    #[must_use]
    pub fn units(&self) -> &[Unit] {
        &self.units
    }

    /// How many units come in a game.
    #[must_use]
    pub fn source_length(&self) -> usize {
        self.draft.source_length as usize
    }

    /// Its seeds, one a game; one of the contest's problems lists a seed twice.
    #[must_use]
    pub fn seeds(&self) -> &[u32] {
        &self.seeds
    }

    /// What it was made of, to be written as JSON.
    #[must_use]
    pub fn draft(&self) -> &JsonProblem {
        &self.draft
    }

    /// The units that come with `seed`, as places in [`Problem::units`], in their order.
    pub fn source(&self, seed: u32) -> impl Iterator<Item = usize> + use<> {
        let (mut source, units) = (UnitSource::new(seed), self.units.len());
        std::iter::repeat_with(move || source.unit(units)).take(self.source_length())
    }

    /// The score of the problem: the mean over its seeds, rounded down, of what `score` says of
    /// each. A seed that is listed twice counts twice.
    #[must_use]
    pub fn mean(&self, score: impl FnMut(u32) -> u64) -> u64 {
        self.seeds.iter().copied().map(score).sum::<u64>() / self.seeds.len() as u64
    }
}

/// Reads JSON; an error has its field, or `whole` where the whole text is meant, and its reason.
pub(super) fn read_json<T: DeserializeOwned>(
    text: &str,
    whole: &str,
) -> Result<T, (String, String)> {
    let mut json = serde_json::Deserializer::from_str(text);
    let value = serde_path_to_error::deserialize(&mut json).map_err(|error| {
        // What breaks off within a name has no name yet: it is a part of what is around it.
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
    let spot = |field: String, JsonCell { x, y }: JsonCell| {
        let x = range(&format!("{field}.x"), x, -FARTHEST, FARTHEST)?;
        let y = range(&format!("{field}.y"), y, -FARTHEST, FARTHEST)?;
        Ok((x as i32, y as i32))
    };
    length(&format!("{name}.members"), unit.members.len(), MAX_MEMBERS)?;
    let (mut members, mut seen) = (Vec::new(), HashSet::new());
    for (i, &member) in unit.members.iter().enumerate() {
        let field = format!("{name}.members[{i}]");
        members.push(spot(field.clone(), member)?);
        if !seen.insert(member) {
            return Err(ProblemError::Twice { field, cell: member });
        }
    }
    let pivot = spot(format!("{name}.pivot"), unit.pivot)?;
    Ok(Unit::new(&members, pivot, width, height))
}

fn read_board(filled: &[JsonCell], width: usize, height: usize) -> Result<HexBoard, ProblemError> {
    let mut board = HexBoard::empty(height);
    for (i, &spot) in filled.iter().enumerate() {
        let field = format!("filled[{i}]");
        let x = range(&format!("{field}.x"), spot.x, 0, width as i64 - 1)? as usize;
        let y = range(&format!("{field}.y"), spot.y, 0, height as i64 - 1)? as usize;
        if board.is_full(x, y) {
            return Err(ProblemError::Twice { field, cell: spot });
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
