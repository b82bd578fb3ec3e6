//! Endgame tables as bytes, usually those of a file: a header of 32 bytes, then one bit for
//! each position in the order of `index`, the lowest bit of a byte first.
//!
//! The header is a line of text that names the format, the number of men (4 bytes,
//! little-endian) and the CRC-32 of all bits (4 bytes).

use super::super::CheckersState;
use super::super::grid::rotated;
use super::super::king_endgame::KingTable;
use super::index::{EndgameIndex, MAX_MEN, rank};
use ludion_core::assets::SharedBytes;
use ludion_core::game::Side;

/// The first bytes of every table.
const MAGIC: &[u8; 24] = b"Ludion endgames, form 1\n";
/// The length of the header, which precedes the bits, in bytes.
pub(super) const HEADER_LEN: usize = MAGIC.len() + 8;

/// Reasons why bytes are not a valid endgame table.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum EndgameTableError {
    /// The bytes do not start with the line that names the format and its version.
    #[error("this is not an endgame table, which begins with the line: Ludion endgames, form 1")]
    Foreign,
    /// The bytes are a table with kings.
    #[error("this is an endgame table with kings, and a table of the simple rules is needed")]
    HasKings,
    /// The header gives this number of men, for which there are no tables.
    #[error("the table is for {0} men; 2 to {MAX_MEN} are allowed")]
    Pieces(u32),
    /// The number of bytes does not fit the number of men in the header.
    #[error("the table has {found} bytes and should have {wanted}")]
    Length {
        /// The number of bytes that were read, header included.
        found: u64,
        /// The number of bytes of a table for this number of men, header included.
        wanted: u64,
    },
    /// The bits do not have the checksum that the header gives.
    #[error("the table is damaged: its checksum does not match")]
    Checksum,
}

/// Returns the header of a table for `pieces` men with the given bits.
pub(super) fn header(pieces: usize, bits: &[u8]) -> [u8; HEADER_LEN] {
    let mut header = [0; HEADER_LEN];
    header[..MAGIC.len()].copy_from_slice(MAGIC);
    header[MAGIC.len()..][..4].copy_from_slice(&(pieces as u32).to_le_bytes());
    header[MAGIC.len() + 4..].copy_from_slice(&crc32fast::hash(bits).to_le_bytes());
    header
}

/// A table that says for every position with few men whether the side to move wins.
#[derive(Clone)]
pub struct EndgameTable {
    bytes: SharedBytes,
    index: EndgameIndex,
    pieces: usize,
}

impl EndgameTable {
    /// Reads a table that [`build`](super::build) made.
    ///
    /// # Errors
    /// When the bytes are not a table, or truncated or changed.
    pub fn read(bytes: SharedBytes) -> Result<Self, EndgameTableError> {
        let all = (*bytes).as_ref();
        if KingTable::is_one(all) {
            return Err(EndgameTableError::HasKings);
        }
        let Some((header, bits)) = all.split_at_checked(HEADER_LEN) else {
            return Err(EndgameTableError::Foreign);
        };
        let number = |at: usize| {
            u32::from_le_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]])
        };
        if !header.starts_with(MAGIC) {
            return Err(EndgameTableError::Foreign);
        }
        let pieces = number(MAGIC.len());
        if !(2..=MAX_MEN as u32).contains(&pieces) {
            return Err(EndgameTableError::Pieces(pieces));
        }
        let index = EndgameIndex::new(pieces as usize);
        let wanted = index.bits / 8;
        if bits.len() as u64 != wanted {
            let header = HEADER_LEN as u64;
            let found = bits.len() as u64 + header;
            return Err(EndgameTableError::Length { found, wanted: wanted + header });
        }
        if crc32fast::hash(bits) != number(MAGIC.len() + 4) {
            return Err(EndgameTableError::Checksum);
        }
        Ok(EndgameTable { bytes, index, pieces: pieces as usize })
    }

    /// Returns the largest number of men, of both sides together, in positions that the table
    /// covers.
    #[must_use]
    pub fn pieces(&self) -> usize {
        self.pieces
    }

    /// Returns whether the side to move wins; `None` if the table does not cover the position,
    /// because it has too many men, a king, or a side without men.
    #[inline]
    #[must_use]
    pub fn wins(&self, s: &CheckersState) -> Option<bool> {
        let all = s.occupied().count_ones() as usize;
        if all > self.pieces || s.pieces.contains(&0) || s.kings != 0 {
            return None;
        }
        let (mine, theirs) = match s.turn {
            Side::First => (s.mine(), rotated::<4>(s.theirs())),
            Side::Second => (rotated::<4>(s.mine()), s.theirs()),
        };
        let bit = self.index.bit(rank(mine), rank(theirs));
        let byte = (*self.bytes).as_ref()[HEADER_LEN + (bit / 8) as usize];
        Some(byte >> (bit % 8) & 1 == 1)
    }
}
