//! The file format of archives: checksummed records that can be appended and streamed.
//!
//! A file begins with a line of text that names the format. Records follow, each with its kind (one
//! byte), the length of its content (four bytes, little-endian), the CRC-32 of kind, length and
//! content (four bytes), and its content. The first record is the game as JSON. A *source* record
//! (JSON: players, budget, opening, seed) precedes the blocks of its games. A program killed while
//! writing leaves an incomplete record at the end: readers skip it, and all records before it are
//! valid.

use std::io::{self, ErrorKind, Read};

use serde::{Deserialize, Serialize};

use super::{GameBlock, GeneratorSettings};

/// The first line of every archive.
const MAGIC: &[u8] = b"Ludion games, format 1\n";
/// The maximum length of the content of a record in bytes; a greater length means damage.
const MAX_RECORD: usize = 1 << 26;
/// Number of bytes before the content of a record: kind, length and checksum.
const HEAD_BYTES: usize = 9;

/// Reasons why bytes cannot be read as an archive.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveFormatError {
    /// Reading the bytes failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The bytes do not begin with the format line and the header record of an archive.
    #[error("not an archive of games, which begins with the line: Ludion games, format 1")]
    Foreign,
    /// A record is invalid, and not merely incomplete at the end of the file.
    #[error("damaged at byte {at}: {what}; the games before it can be read")]
    Damaged {
        /// Offset of the damaged record from the start of the file, in bytes.
        at: u64,
        /// What is wrong with the record, such as `a wrong checksum`.
        what: &'static str,
    },
}

/// The source of the games in the blocks that follow it: all that is needed to play them again.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct BlockSource {
    /// The players, the budget and the opening of the games.
    #[serde(flatten)]
    pub settings: GeneratorSettings,
    /// The random seed from which the seed of each game is derived.
    pub seed: u64,
    /// The version of the program that played the games.
    pub version: String,
}

impl BlockSource {
    /// Returns whether both sources have the same settings and seed; the versions may differ.
    #[must_use]
    pub fn plays_like(&self, other: &BlockSource) -> bool {
        (&self.settings, self.seed) == (&other.settings, other.seed)
    }
}

/// A record of an archive, other than the header with which the archive begins.
#[derive(Clone, PartialEq, Debug)]
pub enum ArchiveRecord {
    /// The source of the games in the blocks that follow it.
    Source(BlockSource),
    /// A block of encoded games.
    Games(GameBlock),
}

/// The content of the first record: the spec of the game.
#[derive(Serialize, Deserialize)]
struct ArchiveHeader {
    game: String,
}

/// The kind byte of the first record, the header.
const HEADER_KIND: u8 = b'H';
/// The kind byte of records with a [`BlockSource`].
const SOURCE_KIND: u8 = b'S';
/// The kind byte of records with a [`GameBlock`].
const GAMES_KIND: u8 = b'G';

/// Returns the bytes of a record of this kind and content.
fn encode_record(kind: u8, content: &[u8]) -> Vec<u8> {
    let length = u32::try_from(content.len()).expect("records are far below 4 GB");
    let mut bytes = Vec::with_capacity(HEAD_BYTES + content.len());
    bytes.push(kind);
    bytes.extend_from_slice(&length.to_le_bytes());
    bytes.extend_from_slice(&checksum(&bytes, content).to_le_bytes());
    bytes.extend_from_slice(content);
    bytes
}

fn checksum(head: &[u8], content: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(head);
    hasher.update(content);
    hasher.finalize()
}

/// Returns the first bytes of an archive: the line that names the format, and the header record
/// with `game`, the spec of the game.
#[must_use]
pub fn file_header(game: &str) -> Vec<u8> {
    [MAGIC, &encode_record(HEADER_KIND, &json(&ArchiveHeader { game: game.to_owned() }))].concat()
}

fn json(value: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(value).expect("plain structs are JSON")
}

impl ArchiveRecord {
    /// Returns the bytes of the record, as they are appended to an archive.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        match self {
            ArchiveRecord::Source(source) => encode_record(SOURCE_KIND, &json(source)),
            ArchiveRecord::Games(block) => {
                let mut content = block.first.to_le_bytes().to_vec();
                content.extend_from_slice(&block.count.to_le_bytes());
                content.extend_from_slice(&block.digits);
                encode_record(GAMES_KIND, &content)
            }
        }
    }

    /// Decodes the content of a record; `None` if it is not valid for the kind.
    fn read(kind: u8, content: &[u8]) -> Option<ArchiveRecord> {
        match kind {
            SOURCE_KIND => serde_json::from_slice(content).ok().map(ArchiveRecord::Source),
            GAMES_KIND => {
                let (first, rest) = content.split_first_chunk()?;
                let (count, digits) = rest.split_first_chunk()?;
                Some(ArchiveRecord::Games(GameBlock {
                    first: u64::from_le_bytes(*first),
                    count: u32::from_le_bytes(*count),
                    digits: digits.to_vec(),
                }))
            }
            _ => None,
        }
    }
}

/// Reads an archive record by record.
pub struct ArchiveReader<R> {
    input: R,
    length: u64,
    /// Offset of the end of the last valid record read, in bytes.
    at: u64,
    game: String,
    torn: u64,
}

impl<R: Read> ArchiveReader<R> {
    /// Opens an archive of `length` bytes and reads its header.
    ///
    /// # Errors
    /// When the bytes cannot be read or are not an archive.
    pub fn open(input: R, length: u64) -> Result<Self, ArchiveFormatError> {
        let mut records = ArchiveReader { input, length, at: 0, game: String::new(), torn: 0 };
        let mut magic = [0; MAGIC.len()];
        match records.input.read_exact(&mut magic) {
            Ok(()) if magic == MAGIC => records.at = MAGIC.len() as u64,
            Err(error) if error.kind() != ErrorKind::UnexpectedEof => return Err(error.into()),
            _ => return Err(ArchiveFormatError::Foreign),
        }
        let header = match records.next_record()? {
            Some((HEADER_KIND, content)) => serde_json::from_slice::<ArchiveHeader>(&content).ok(),
            _ => None,
        };
        records.game = header.ok_or(ArchiveFormatError::Foreign)?.game;
        Ok(records)
    }

    /// Returns the spec of the game of the archive.
    #[must_use]
    pub fn game(&self) -> &str {
        &self.game
    }

    /// Returns the length of the archive in bytes.
    #[must_use]
    pub fn length(&self) -> u64 {
        self.length
    }

    /// Returns the offset of the end of the last valid record read, in bytes.
    #[must_use]
    pub fn position(&self) -> u64 {
        self.at
    }

    /// Returns the length in bytes of an incomplete record at the end of the archive, which an
    /// interrupted writer leaves. It is 0 if there is none, and before all other records have been
    /// read.
    #[must_use]
    pub fn torn(&self) -> u64 {
        self.torn
    }

    /// Reads and returns the next record; `None` at the end of the archive, or if only an
    /// incomplete record is left.
    ///
    /// # Errors
    /// When the record cannot be read or is damaged.
    pub fn next_item(&mut self) -> Result<Option<ArchiveRecord>, ArchiveFormatError> {
        let at = self.at;
        let Some((kind, content)) = self.next_record()? else { return Ok(None) };
        let what = "a record of an unknown kind";
        ArchiveRecord::read(kind, &content)
            .map(Some)
            .ok_or(ArchiveFormatError::Damaged { at, what })
    }

    /// Reads the next record, checks it, and returns its kind and content. An invalid record that
    /// reaches the end of the file is incomplete (`None`); an invalid record before the end is
    /// damaged (an error).
    fn next_record(&mut self) -> Result<Option<(u8, Vec<u8>)>, ArchiveFormatError> {
        let left = self.length - self.at;
        let mut head = [0; HEAD_BYTES];
        if left < HEAD_BYTES as u64 {
            self.torn = left;
            return Ok(None);
        }
        self.input.read_exact(&mut head)?;
        let [kind, l0, l1, l2, l3, c0, c1, c2, c3] = head;
        let length = u32::from_le_bytes([l0, l1, l2, l3]) as usize;
        let whole = HEAD_BYTES as u64 + length as u64;
        // An interrupted writer cannot leave a wrong length, because the length is written in one
        // piece: an impossible length means damage, and is never allocated.
        if length > MAX_RECORD {
            let what = "a record of an impossible length";
            return Err(ArchiveFormatError::Damaged { at: self.at, what });
        }
        if whole > left {
            self.torn = left;
            return Ok(None);
        }
        let mut content = vec![0; length];
        self.input.read_exact(&mut content)?;
        if checksum(&head[..5], &content) != u32::from_le_bytes([c0, c1, c2, c3]) {
            if whole == left {
                self.torn = left;
                return Ok(None);
            }
            return Err(ArchiveFormatError::Damaged { at: self.at, what: "a wrong checksum" });
        }
        self.at += whole;
        Ok(Some((kind, content)))
    }
}
