//! The file of a book: a header of ten bytes (a name, a version, the number of stones, the CRC-32 of the
//! entries), then an entry for each position with the most stones, in the order of `positions`. An entry combines a score and a move in one number, which takes one byte for books
//! of 7 plies or more, else two. A file of a book that is being computed has empty entries.

use super::MAX_BOOK_PLIES;

/// The first bytes of a file.
const MAGIC: [u8; 4] = *b"LC4B";
/// The version of the format.
const VERSION: u8 = 3;
/// The number of bytes before the entries.
const HEADER_LEN: usize = 10;
/// The number of an empty entry.
const EMPTY: u16 = 0;
/// The number of columns.
const COLS: u16 = 7;
/// The number of cells.
const CELLS: u32 = 42;

/// The numbers of positions with 0, 1, … stones in which the game goes on, mirror images counted once,
/// as `positions` lists them.
const COUNTS: [usize; MAX_BOOK_PLIES as usize + 1] =
    [1, 4, 25, 121, 568, 2144, 8231, 27_109, 91_295, 269_531, 809_464, 2_148_087, 5_832_236];

/// The exact score of a position and a move that keeps it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BookEntry {
    /// The score for the side to move.
    pub score: i8,
    /// The column of a best move, in the position that the book holds: it may be the mirror image of
    /// the position of a game.
    pub best: u8,
}

/// The entries of all positions with a given number of stones, as far as they are known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BookEntries {
    plies: u32,
    entries: Vec<Option<BookEntry>>,
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
    #[error("it has {found} bytes, and a book of {plies} plies has {expected}")]
    Length {
        /// The number of bytes in the file.
        found: usize,
        /// The number of bytes of a book.
        expected: usize,
        /// The number of stones.
        plies: u32,
    },
    /// The entries do not have the checksum of the header.
    #[error("it is damaged: its checksum does not match")]
    Checksum,
    /// A number is no entry.
    #[error("its byte {0} is damaged: no entry has this value")]
    Entry(usize),
}

impl BookEntries {
    /// Returns the positions with `plies` stones, at most [`MAX_BOOK_PLIES`], with empty entries.
    #[must_use]
    pub fn unknown(plies: u32) -> Self {
        let plies = plies.min(MAX_BOOK_PLIES);
        BookEntries { plies, entries: vec![None; COUNTS[plies as usize]] }
    }

    /// Returns the number of stones of the positions.
    #[must_use]
    pub fn plies(&self) -> u32 {
        self.plies
    }

    /// Returns the entries; `None` where a position is not solved.
    #[must_use]
    pub fn entries(&self) -> &[Option<BookEntry>] {
        &self.entries
    }

    /// Returns the number of entries that are known.
    #[must_use]
    pub fn known(&self) -> usize {
        self.entries.iter().flatten().count()
    }

    /// Sets the entry of the position with this index in the order of the book.
    ///
    /// # Panics
    /// When no position with this number of stones can have the score or the move.
    pub fn set(&mut self, index: usize, entry: BookEntry) {
        let code = EntryCode::new(self.plies);
        assert_eq!(code.decode(code.encode(entry)), Some(Some(entry)), "an entry of this book");
        if let Some(known) = self.entries.get_mut(index) {
            *known = Some(entry);
        }
    }

    /// Encodes the entries as the bytes of a file.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let code = EntryCode::new(self.plies);
        let mut bytes = MAGIC.to_vec();
        bytes.extend([VERSION, self.plies as u8]);
        bytes.resize(HEADER_LEN, 0);
        for entry in &self.entries {
            let number = entry.map_or(EMPTY, |entry| code.encode(entry));
            bytes.extend(&number.to_le_bytes()[..code.width()]);
        }
        let checksum = crc32fast::hash(&bytes[HEADER_LEN..]);
        bytes[HEADER_LEN - 4..HEADER_LEN].copy_from_slice(&checksum.to_le_bytes());
        bytes
    }

    /// Decodes the bytes of a file.
    ///
    /// # Errors
    /// When the bytes are not those of a book.
    pub fn read(bytes: &[u8]) -> Result<Self, BookFileError> {
        let Some((header, entries)) = bytes.split_first_chunk::<HEADER_LEN>() else {
            return Err(BookFileError::OtherFormat);
        };
        let &[a, b, c, d, version, plies, ref checksum @ ..] = header;
        if [a, b, c, d] != MAGIC || version != VERSION {
            return Err(BookFileError::OtherFormat);
        }
        if u32::from(plies) > MAX_BOOK_PLIES {
            return Err(BookFileError::Plies(plies));
        }
        let plies = u32::from(plies);
        let code = EntryCode::new(plies);
        let expected = HEADER_LEN + COUNTS[plies as usize] * code.width();
        if bytes.len() != expected {
            return Err(BookFileError::Length { found: bytes.len(), expected, plies });
        }
        if crc32fast::hash(entries).to_le_bytes() != *checksum {
            return Err(BookFileError::Checksum);
        }
        let decode = |(i, bytes): (usize, &[u8])| {
            let number = bytes.iter().rev().fold(0, |number, &byte| number << 8 | u16::from(byte));
            code.decode(number).ok_or(BookFileError::Entry(HEADER_LEN + i * code.width()))
        };
        let entries =
            entries.chunks(code.width()).enumerate().map(decode).collect::<Result<_, _>>()?;
        Ok(BookEntries { plies, entries })
    }
}

/// The numbers of the entries of positions with the same number of stones.
#[derive(Clone, Copy)]
struct EntryCode {
    lowest: i8,
    highest: i8,
}

impl EntryCode {
    fn new(plies: u32) -> Self {
        let left = (CELLS - plies) as i8;
        EntryCode { lowest: -(left / 2), highest: (left + 1) / 2 }
    }

    /// Returns the number of bytes of an entry.
    fn width(self) -> usize {
        let most = BookEntry { score: self.highest, best: COLS as u8 - 1 };
        if self.encode(most) < 256 { 1 } else { 2 }
    }

    fn encode(self, entry: BookEntry) -> u16 {
        EMPTY + 1 + COLS * u16::from(entry.score.abs_diff(self.lowest)) + u16::from(entry.best)
    }

    /// Returns the entry with a number, `Some(None)` for the empty one; `None` if no entry has it.
    fn decode(self, number: u16) -> Option<Option<BookEntry>> {
        let Some(number) = number.checked_sub(EMPTY + 1) else { return Some(None) };
        let score = self.lowest.checked_add_unsigned(u8::try_from(number / COLS).ok()?)?;
        let entry = BookEntry { score, best: (number % COLS) as u8 };
        (score <= self.highest).then_some(Some(entry))
    }
}
