//! Solved endgames as bytes, which may be a file in memory: 32 bytes of head, then the bits of
//! `index`, the lowest first.
//!
//! The head is a line of text that names the format, the number of men (four bytes, least
//! significant first) and the CRC-32 of all bits (four bytes).

use super::super::CheckersState;
use super::super::grid::turned;
use super::index::{EndgameIndex, MOST, rank};
use crate::assets::SharedBytes;
use crate::game::Side;

/// The first bytes of every table.
const MAGIC: &[u8; 24] = b"Ludion endgames, form 1\n";
/// Bytes before the bits.
pub(super) const HEAD: usize = MAGIC.len() + 8;

/// Why bytes are no table of endgames.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum EndgameError {
    /// Something else.
    #[error("this is no table of endgames of this version")]
    Foreign,
    /// A number of men for which there are no tables.
    #[error("the table is for {0} men; 2 to {MOST} are allowed")]
    Pieces(u32),
    /// Cut off, or too long.
    #[error("the table has {found} bytes and should have {wanted}")]
    Length {
        /// Bytes there are.
        found: u64,
        /// Bytes there should be.
        wanted: u64,
    },
    /// Some bit is wrong.
    #[error("the table was changed: its checksum is wrong")]
    Checksum,
}

/// The first bytes of a table for so many men with these bits.
pub(super) fn head(pieces: usize, bits: &[u8]) -> [u8; HEAD] {
    let mut head = [0; HEAD];
    head[..MAGIC.len()].copy_from_slice(MAGIC);
    head[MAGIC.len()..][..4].copy_from_slice(&(pieces as u32).to_le_bytes());
    head[MAGIC.len() + 4..].copy_from_slice(&crc32fast::hash(bits).to_le_bytes());
    head
}

/// Who wins, for every position with few men.
#[derive(Clone)]
pub struct EndgameTable {
    bytes: SharedBytes,
    layout: EndgameIndex,
    pieces: usize,
}

impl EndgameTable {
    /// The table that [`build`](super::build) made.
    ///
    /// # Errors
    /// When the bytes are something else, cut or changed.
    pub fn read(bytes: SharedBytes) -> Result<Self, EndgameError> {
        let all = (*bytes).as_ref();
        let Some((head, bits)) = all.split_at_checked(HEAD) else {
            return Err(EndgameError::Foreign);
        };
        let number =
            |at: usize| u32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]);
        if !head.starts_with(MAGIC) {
            return Err(EndgameError::Foreign);
        }
        let pieces = number(MAGIC.len());
        if !(2..=MOST as u32).contains(&pieces) {
            return Err(EndgameError::Pieces(pieces));
        }
        let layout = EndgameIndex::new(pieces as usize);
        let wanted = layout.bits / 8;
        if bits.len() as u64 != wanted {
            let head = HEAD as u64;
            let found = bits.len() as u64 + head;
            return Err(EndgameError::Length { found, wanted: wanted + head });
        }
        if crc32fast::hash(bits) != number(MAGIC.len() + 4) {
            return Err(EndgameError::Checksum);
        }
        Ok(EndgameTable { bytes, layout, pieces: pieces as usize })
    }

    /// The most men of which it knows.
    #[must_use]
    pub fn pieces(&self) -> usize {
        self.pieces
    }

    /// Whether the side to move wins; nothing where there are too many men, or on one side
    /// none.
    #[inline]
    #[must_use]
    pub fn wins(&self, s: &CheckersState) -> Option<bool> {
        let all = s.occupied().count_ones() as usize;
        if all > self.pieces || s.pieces.contains(&0) || s.kings != 0 {
            return None;
        }
        let (mine, theirs) = match s.turn {
            Side::First => (s.mine(), turned::<4>(s.theirs())),
            Side::Second => (turned::<4>(s.mine()), s.theirs()),
        };
        let bit = self.layout.bit(rank(mine), rank(theirs));
        let byte = (*self.bytes).as_ref()[HEAD + (bit / 8) as usize];
        Some(byte >> (bit % 8) & 1 == 1)
    }
}
