//! The file format of pattern models:
//!
//! ```text
//! "LPAT"  version (2 bytes)  length of the header (4 bytes)  header  weights  checksum (8 bytes)
//! ```
//!
//! Numbers are little-endian. The header is JSON: the game, the number of phases, the cells of
//! each pattern, whether the layout is balanced, and how the model was trained. Weights are signed variable-length integers; a
//! weight of 0 is followed by the number of further zeros. The checksum covers all bytes before
//! it.

use serde::{Deserialize, Serialize};

use super::PatternModel;
use super::layout::{MAX_PATTERN_CELLS, MAX_PATTERNS, MAX_PHASES, PatternLayout};
use crate::grid::GridGame;
use crate::learn::varint::{put, put_signed, take, take_signed};
use crate::plain_words::plain_message;
use crate::random::mix;

const MAGIC: &[u8; 4] = b"LPAT";
const VERSION: u16 = 1;
/// Number of bytes before the header: mark, version and length of the header.
const PREFIX_LEN: usize = 10;

/// Reasons why bytes are not a valid pattern model.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PatternFileError {
    /// The bytes are not a pattern model: they do not begin with `LPAT`.
    #[error("this is not a pattern model: it does not begin with LPAT")]
    Foreign,
    /// The file has a version of the format that is not supported.
    #[error("the model has format version {found}; this program reads version {VERSION}")]
    Version {
        /// The format version of the file.
        found: u16,
    },
    /// The bytes are truncated or inconsistent; the field describes the problem.
    #[error("the model is damaged: {0}")]
    Damaged(String),
    /// The model is for another game than requested.
    #[error("the model is for {found}, not for {wanted}")]
    OtherGame {
        /// The spec of the model's game.
        found: String,
        /// The spec of the game requested.
        wanted: String,
    },
}

/// Creates a [`PatternFileError::Damaged`] with a description of the problem.
fn damaged(problem: impl Into<String>) -> PatternFileError {
    PatternFileError::Damaged(problem.into())
}

/// The JSON header of a model file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PatternFileHeader {
    game: String,
    phases: u32,
    patterns: Vec<Vec<u8>>,
    /// Whether the layout is balanced; not written if it is not.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    balanced: bool,
    training: serde_json::Value,
}

/// Returns a 64-bit checksum of `bytes`.
pub(super) fn checksum(bytes: &[u8]) -> u64 {
    let word = |chunk: &[u8]| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        u64::from_le_bytes(word)
    };
    bytes.chunks(8).fold(bytes.len() as u64, |sum, chunk| mix(sum ^ word(chunk)).wrapping_add(sum))
}

impl PatternModel {
    /// Serialises the model to the bytes of a model file.
    #[must_use]
    pub fn write(&self) -> Vec<u8> {
        let header = PatternFileHeader {
            game: self.game.clone(),
            phases: self.layout.phases,
            patterns: self.layout.patterns.clone(),
            balanced: self.layout.balanced,
            training: self.training.clone(),
        };
        let header = serde_json::to_vec(&header).expect("names and numbers are JSON");
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend((header.len() as u32).to_le_bytes());
        bytes.extend(header);
        let mut weights = self.weights.as_slice();
        while let Some((&weight, rest)) = weights.split_first() {
            put_signed(&mut bytes, weight.into());
            weights = rest;
            if weight == 0 {
                let zeros = rest.iter().take_while(|&&weight| weight == 0).count();
                put(&mut bytes, zeros as u64);
                weights = &rest[zeros..];
            }
        }
        let sum = checksum(&bytes);
        bytes.extend(sum.to_le_bytes());
        bytes
    }

    /// Parses a model file for the game `g`, whose spec is `spec`.
    ///
    /// # Errors
    /// When the bytes are not a valid model of this version, or for another game.
    pub fn read<G: GridGame>(bytes: &[u8], g: &G, spec: &str) -> Result<Self, PatternFileError> {
        let (header, weights) = open(bytes)?;
        if header.game != spec {
            return Err(PatternFileError::OtherGame {
                found: header.game,
                wanted: spec.to_owned(),
            });
        }
        let board = g.board();
        check(&header, board.cells.len())?;
        if header.balanced && board.balance_features.is_none() {
            return Err(damaged(format!("it is balanced, which no model of {spec} is")));
        }
        let layout = PatternLayout::new(g, header.patterns, header.phases, header.balanced);
        let weights = read_weights(weights, layout.weights())?;
        Ok(PatternModel { game: header.game, layout, weights, training: header.training })
    }

    /// Parses only the header of a model file. Returns the spec of its game and the record of its
    /// training.
    ///
    /// # Errors
    /// When the bytes are not a valid model of this version.
    pub fn read_header(bytes: &[u8]) -> Result<(String, serde_json::Value), PatternFileError> {
        open(bytes).map(|(header, _)| (header.game, header.training))
    }
}

/// Checks the version and the checksum of a model file. Returns its header and the bytes of its
/// weights.
fn open(bytes: &[u8]) -> Result<(PatternFileHeader, &[u8]), PatternFileError> {
    if !bytes.starts_with(MAGIC) {
        return Err(PatternFileError::Foreign);
    }
    if bytes.len() < PREFIX_LEN + 8 {
        return Err(damaged(format!("it has only {} bytes", bytes.len())));
    }
    let found = u16::from_le_bytes([bytes[4], bytes[5]]);
    if found != VERSION {
        return Err(PatternFileError::Version { found });
    }
    let (body, sum) = bytes.split_at(bytes.len() - 8);
    if checksum(body).to_le_bytes() != sum {
        return Err(damaged("its checksum does not match"));
    }
    let length = u32::from_le_bytes([body[6], body[7], body[8], body[9]]) as usize;
    let header =
        body[PREFIX_LEN..].get(..length).ok_or_else(|| damaged("its header is truncated"))?;
    let weights = &body[PREFIX_LEN + length..];
    let header = serde_json::from_slice(header).map_err(|error| {
        damaged(format!("its header is invalid: {}", plain_message(&error.to_string())))
    })?;
    Ok((header, weights))
}

/// Checks that the phases and patterns of a header are valid on a board of `cells` cells.
fn check(header: &PatternFileHeader, cells: usize) -> Result<(), PatternFileError> {
    if !(1..=MAX_PHASES).contains(&header.phases) {
        return Err(damaged(format!("{} phases; 1 to {MAX_PHASES} are allowed", header.phases)));
    }
    if header.patterns.len() > MAX_PATTERNS {
        let count = header.patterns.len();
        return Err(damaged(format!("{count} patterns; at most {MAX_PATTERNS} are allowed")));
    }
    for tuple in &header.patterns {
        let known = |cell: &u8| usize::from(*cell) < cells;
        let twice = |i: usize| tuple[..i].contains(&tuple[i]);
        if !(1..=MAX_PATTERN_CELLS).contains(&tuple.len())
            || !tuple.iter().all(known)
            || (0..tuple.len()).any(twice)
        {
            let allowed =
                format!("1 to {MAX_PATTERN_CELLS} different cells below {cells} are allowed");
            return Err(damaged(format!("a pattern of {tuple:?}; {allowed}")));
        }
    }
    Ok(())
}

/// Decodes the weights of a model file, which must be exactly `count`.
fn read_weights(mut bytes: &[u8], count: usize) -> Result<Vec<i16>, PatternFileError> {
    let mut weights = Vec::with_capacity(count);
    let wrong = || damaged(format!("it does not have the {count} weights of its patterns"));
    while weights.len() < count {
        let weight = take_signed(&mut bytes).ok_or_else(wrong)?;
        weights.push(i16::try_from(weight).map_err(|_| wrong())?);
        if weight == 0 {
            let zeros = take(&mut bytes).ok_or_else(wrong)?;
            let zeros = usize::try_from(zeros).map_err(|_| wrong())?;
            if zeros > count - weights.len() {
                return Err(wrong());
            }
            weights.resize(weights.len() + zeros, 0);
        }
    }
    if bytes.is_empty() { Ok(weights) } else { Err(wrong()) }
}
