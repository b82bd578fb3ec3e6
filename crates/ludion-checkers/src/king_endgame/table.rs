//! Endgame tables with kings as bytes, usually those of a file: a header, then a byte for each
//! position in the order of `index`: 0 for a draw or an impossible position, n from 1 to 127 for a win
//! of the side to move with n moves, 128 + n for a loss against n moves.
//!
//! The header is a line of text that names the format, a line with the rules and the size of the
//! board, filled with spaces, the number of pieces (4 bytes, little-endian) and the CRC-32 of all values
//! (4 bytes).

use super::super::{Checkers, CheckersState};
use super::index::{KingIndex, MAX_PIECES, sets_of};
use super::value::KingTableValue;
use ludion_core::assets::SharedBytes;

/// The first bytes of every table.
const MAGIC: &[u8; 29] = b"Ludion king endgames, form 2\n";
/// The length of the line with the rules and the size.
const RULES_LEN: usize = 27;
/// The length of the header in bytes.
const HEADER_LEN: usize = MAGIC.len() + RULES_LEN + 8;

/// Reasons why bytes are not a valid endgame table with kings.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum KingTableError {
    /// The bytes do not start with the line that names the format and its version.
    #[error("this is not a table, which begins with the line: Ludion king endgames, form 2")]
    Foreign,
    /// The table is for other rules.
    #[error("the table is for {found}, not for {wanted}")]
    OtherRules {
        /// The rules and size of the table.
        found: String,
        /// The rules and size of the game.
        wanted: String,
    },
    /// The header gives this number of pieces, for which there are no tables.
    #[error("the table is for {0} pieces; 2 to {MAX_PIECES} are allowed")]
    Pieces(u32),
    /// The number of bytes does not fit the number of pieces in the header.
    #[error("the table has {found} bytes and should have {wanted}")]
    Length {
        /// The number of bytes after the header.
        found: u64,
        /// The number of bytes for this number of pieces.
        wanted: u64,
    },
    /// The values do not have the checksum that the header gives.
    #[error("the table is damaged: its checksum does not match")]
    Checksum,
}

/// Returns the rules and the size of the board as the header names them.
fn rules_line(g: &Checkers) -> String {
    format!("{} {}x{}", g.rules().name, g.size(), g.size())
}

/// Encodes the values of all positions as the bytes of a table.
pub(super) fn pack(g: &Checkers, pieces: usize, values: &[u8]) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend(format!("{:<width$}\n", rules_line(g), width = RULES_LEN - 1).into_bytes());
    bytes.extend((pieces as u32).to_le_bytes());
    bytes.extend(crc32fast::hash(values).to_le_bytes());
    bytes.extend(values);
    bytes
}

/// A table of the results of all positions with few pieces.
#[derive(Clone)]
pub struct KingTable {
    bytes: SharedBytes,
    index: KingIndex,
    pieces: u32,
}

impl KingTable {
    /// Returns whether bytes begin like a table with kings.
    #[must_use]
    pub fn is_one(bytes: &[u8]) -> bool {
        bytes.starts_with(MAGIC)
    }

    /// Reads a table for `g` that [`build_king_table`](super::build_king_table) made.
    ///
    /// # Errors
    /// When the bytes are not a table of these rules, or truncated or changed.
    pub fn read(g: &Checkers, bytes: SharedBytes) -> Result<Self, KingTableError> {
        let all = (*bytes).as_ref();
        let Some((header, values)) = all.split_at_checked(HEADER_LEN) else {
            return Err(KingTableError::Foreign);
        };
        let Some(rest) = header.strip_prefix(MAGIC) else { return Err(KingTableError::Foreign) };
        let (rules, numbers) = rest.split_at(RULES_LEN);
        let (found, wanted) = (String::from_utf8_lossy(rules).trim().to_owned(), rules_line(g));
        if found != wanted {
            return Err(KingTableError::OtherRules { found, wanted });
        }
        let number = |at: usize| {
            u32::from_le_bytes([numbers[at], numbers[at + 1], numbers[at + 2], numbers[at + 3]])
        };
        let (pieces, checksum) = (number(0), number(4));
        if !(2..=MAX_PIECES as u32).contains(&pieces) {
            return Err(KingTableError::Pieces(pieces));
        }
        let index = KingIndex::new(g, pieces as usize);
        let (found, wanted) = (values.len() as u64, index.size);
        if found != wanted {
            return Err(KingTableError::Length { found, wanted });
        }
        if crc32fast::hash(values) != checksum {
            return Err(KingTableError::Checksum);
        }
        Ok(KingTable { bytes, index, pieces })
    }

    /// Returns the largest number of pieces, of both sides together, that the table covers.
    #[must_use]
    pub fn pieces(&self) -> u32 {
        self.pieces
    }

    /// Returns the value of `s` for the side to move, without regard to the rules that draw long games;
    /// `None` if the table does not cover `s`, because it has too many pieces or a side without pieces.
    #[inline]
    #[must_use]
    pub fn value(&self, g: &Checkers, s: &CheckersState) -> Option<KingTableValue> {
        if s.occupied().count_ones() > self.pieces {
            return None;
        }
        let number = self.index.number(sets_of(g, s))?;
        let byte = (*self.bytes).as_ref()[HEADER_LEN + number as usize];
        Some(KingTableValue::from_byte(byte))
    }
}
