//! A model as bytes, and back:
//!
//! ```text
//! "LPAT"  version (2 bytes)  length of the header (4 bytes)  header  weights  checksum (8 bytes)
//! ```
//!
//! Numbers are little-endian. The header is JSON: the game, the phases, the patterns as cells
//! and how the model was trained. A weight is a signed number of seven bits a byte; a weight of
//! 0 is followed by how many more zeros there are. The checksum covers all that stands before.

use serde::{Deserialize, Serialize};

use super::PatternModel;
use super::codes::{put, put_signed, take, take_signed};
use super::shape::{LONGEST, MOST, PHASES, PatternShape};
use crate::grid::GridGame;
use crate::random::mix;

const MAGIC: &[u8; 4] = b"LPAT";
const VERSION: u16 = 1;
/// Bytes before the header.
const FRONT: usize = 10;

/// Why bytes are no model.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PatternFileError {
    /// Something else altogether.
    #[error("this is no model of patterns: it does not begin with LPAT")]
    Foreign,
    /// Of another time.
    #[error("the model has format {found}, and this version reads format {VERSION}")]
    Version {
        /// Its version.
        found: u16,
    },
    /// Not whole.
    #[error("the model is damaged: {0}")]
    Damaged(String),
    /// For another game.
    #[error("the model is for {found}, and the game is {wanted}")]
    OtherGame {
        /// Its game.
        found: String,
        /// The game at hand.
        wanted: String,
    },
}

fn damaged(problem: impl Into<String>) -> PatternFileError {
    PatternFileError::Damaged(problem.into())
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PatternFileHeader {
    game: String,
    phases: u32,
    patterns: Vec<Vec<u8>>,
    training: serde_json::Value,
}

/// Eight bytes that change with every bit of `bytes`.
pub(super) fn checksum(bytes: &[u8]) -> u64 {
    let word = |chunk: &[u8]| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        u64::from_le_bytes(word)
    };
    bytes.chunks(8).fold(bytes.len() as u64, |sum, chunk| mix(sum ^ word(chunk)).wrapping_add(sum))
}

impl PatternModel {
    /// The model as bytes.
    #[must_use]
    pub fn write(&self) -> Vec<u8> {
        let header = PatternFileHeader {
            game: self.game.clone(),
            phases: self.shape.phases,
            patterns: self.shape.tuples.clone(),
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

    /// Reads a model for the game `g`, which `spec` names.
    ///
    /// # Errors
    /// When the bytes are no whole model of this version, or of another game.
    pub fn read<G: GridGame>(bytes: &[u8], g: &G, spec: &str) -> Result<Self, PatternFileError> {
        let (header, weights) = open(bytes)?;
        if header.game != spec {
            return Err(PatternFileError::OtherGame {
                found: header.game,
                wanted: spec.to_owned(),
            });
        }
        let cells = g.board().cells.len();
        check(&header, cells)?;
        let shape = PatternShape::new(g, header.patterns, header.phases);
        let weights = read_weights(weights, shape.weights())?;
        Ok(PatternModel { game: header.game, shape, weights, training: header.training })
    }

    /// The game that a model is for, and how it was trained.
    ///
    /// # Errors
    /// When the bytes are no whole model of this version.
    pub fn look(bytes: &[u8]) -> Result<(String, serde_json::Value), PatternFileError> {
        open(bytes).map(|(header, _)| (header.game, header.training))
    }
}

/// The header, and the bytes of the weights.
fn open(bytes: &[u8]) -> Result<(PatternFileHeader, &[u8]), PatternFileError> {
    if !bytes.starts_with(MAGIC) {
        return Err(PatternFileError::Foreign);
    }
    if bytes.len() < FRONT + 8 {
        return Err(damaged(format!("{} bytes are too few", bytes.len())));
    }
    let found = u16::from_le_bytes([bytes[4], bytes[5]]);
    if found != VERSION {
        return Err(PatternFileError::Version { found });
    }
    let (body, sum) = bytes.split_at(bytes.len() - 8);
    if checksum(body).to_le_bytes() != sum {
        return Err(damaged("its checksum is wrong, so it was cut or changed"));
    }
    let length = u32::from_le_bytes([body[6], body[7], body[8], body[9]]) as usize;
    let header = body[FRONT..].get(..length).ok_or_else(|| damaged("its header is cut off"))?;
    let weights = &body[FRONT + length..];
    let header = serde_json::from_slice(header)
        .map_err(|error| damaged(format!("its header does not read: {error}")))?;
    Ok((header, weights))
}

fn check(header: &PatternFileHeader, cells: usize) -> Result<(), PatternFileError> {
    if !(1..=PHASES).contains(&header.phases) {
        return Err(damaged(format!("{} phases; 1 to {PHASES} are allowed", header.phases)));
    }
    if header.patterns.len() > MOST {
        return Err(damaged(format!("{} patterns; {MOST} at most", header.patterns.len())));
    }
    for tuple in &header.patterns {
        let known = |cell: &u8| usize::from(*cell) < cells;
        let twice = |i: usize| tuple[..i].contains(&tuple[i]);
        if !(1..=LONGEST).contains(&tuple.len())
            || !tuple.iter().all(known)
            || (0..tuple.len()).any(twice)
        {
            let allowed = format!("1 to {LONGEST} different cells below {cells} are allowed");
            return Err(damaged(format!("a pattern of {tuple:?}; {allowed}")));
        }
    }
    Ok(())
}

fn read_weights(mut bytes: &[u8], count: usize) -> Result<Vec<i16>, PatternFileError> {
    let mut weights = Vec::with_capacity(count);
    let wrong = || damaged(format!("it has not the {count} weights of its patterns"));
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
