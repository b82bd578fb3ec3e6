//! The file of a book: a header, then one byte for each position with the most stones, in the order
//! of `positions`. A file of a book that is being computed has positions without a score.

use super::MAX_BOOK_PLIES;

/// The first bytes of a file.
const MAGIC: [u8; 4] = *b"LC4B";
/// The version of the format.
const VERSION: u8 = 1;
/// The byte of a position whose score is not known.
const UNKNOWN: u8 = 0;
/// The byte of the score 0.
const ZERO: u8 = 64;

/// The numbers of positions with 0, 1, … stones in which the game goes on, mirror images counted once,
/// as `positions` lists them.
const COUNTS: [usize; MAX_BOOK_PLIES as usize + 1] =
    [1, 4, 25, 121, 568, 2144, 8231, 27_109, 91_295, 269_531, 809_464, 2_148_087, 5_832_236];

/// The scores of all positions with a given number of stones, as far as they are known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BookScores {
    plies: u32,
    scores: Vec<Option<i8>>,
}

/// Reasons why a file is not a book.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BookFileError {
    /// The file does not begin as a book does.
    #[error("it does not begin like a book of Connect Four")]
    OtherFormat,
    /// The number of stones is not possible.
    #[error("it is a book of {0} plies, and at most {MAX_BOOK_PLIES} are possible")]
    Plies(u8),
    /// The file is too short or too long.
    #[error("it has {found} scores, and {expected} positions have {plies} stones")]
    Length {
        /// The number of scores in the file.
        found: usize,
        /// The number of positions.
        expected: usize,
        /// The number of stones.
        plies: u32,
    },
    /// A byte is no score.
    #[error("its byte {0} is damaged: no score has this value")]
    Score(usize),
}

impl BookScores {
    /// Returns the positions with `plies` stones, at most [`MAX_BOOK_PLIES`], with unknown scores.
    #[must_use]
    pub fn unknown(plies: u32) -> Self {
        let plies = plies.min(MAX_BOOK_PLIES);
        BookScores { plies, scores: vec![None; COUNTS[plies as usize]] }
    }

    /// Returns the number of stones of the positions.
    #[must_use]
    pub fn plies(&self) -> u32 {
        self.plies
    }

    /// Returns the scores; `None` where a score is not known.
    #[must_use]
    pub fn scores(&self) -> &[Option<i8>] {
        &self.scores
    }

    /// Returns the number of scores that are known.
    #[must_use]
    pub fn known(&self) -> usize {
        self.scores.iter().flatten().count()
    }

    /// Sets the score of the position with this index in the order of the book.
    pub fn set(&mut self, index: usize, score: i8) {
        if let Some(known) = self.scores.get_mut(index) {
            *known = Some(score);
        }
    }

    /// Encodes the scores as the bytes of a file.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend([VERSION, self.plies as u8]);
        let byte = |score: i8| ZERO.wrapping_add_signed(score);
        bytes.extend(self.scores.iter().map(|score| score.map_or(UNKNOWN, byte)));
        bytes
    }

    /// Decodes the bytes of a file.
    ///
    /// # Errors
    /// When the bytes are not those of a book.
    pub fn read(bytes: &[u8]) -> Result<Self, BookFileError> {
        let Some((&[a, b, c, d, VERSION, plies], scores)) = bytes.split_first_chunk() else {
            return Err(BookFileError::OtherFormat);
        };
        if [a, b, c, d] != MAGIC {
            return Err(BookFileError::OtherFormat);
        }
        if u32::from(plies) > MAX_BOOK_PLIES {
            return Err(BookFileError::Plies(plies));
        }
        let (found, expected, plies) = (scores.len(), COUNTS[usize::from(plies)], plies.into());
        if found != expected {
            return Err(BookFileError::Length { found, expected, plies });
        }
        let decode = |(i, &byte): (usize, &u8)| match byte {
            UNKNOWN => Ok(None),
            43..=85 => Ok(Some(byte as i8 - ZERO as i8)),
            _ => Err(BookFileError::Score(i + MAGIC.len() + 2)),
        };
        let scores = scores.iter().enumerate().map(decode).collect::<Result<_, _>>()?;
        Ok(BookScores { plies, scores })
    }
}
