//! The bytes of an archive of games: blocks that are checksummed, appended and streamed.
//!
//! They begin with a line of text that names the format; records follow, each its kind (one
//! byte), the length of what it holds (four bytes, least significant first), the CRC-32 of all
//! that (four bytes), and what it holds. The first record is the game as JSON; a *source* (JSON:
//! who played, the seed) stands before the blocks of games that came of it. A program that was
//! killed while it wrote leaves a torn record at the end: readers pass over it, and everything
//! before it stands.

use std::io::{self, ErrorKind, Read};

use serde::{Deserialize, Serialize};

use super::{GameBlock, SimulationSettings};

/// The first bytes of every archive.
const MAGIC: &[u8] = b"Ludion games, format 1\n";
/// Nothing longer is written; a longer length is damage.
const MAX_RECORD: usize = 1 << 26;
/// Kind, length and checksum.
const HEAD_BYTES: usize = 9;

/// Why bytes are no archive, or not all of one.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveFormatError {
    /// They cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// They are something else.
    #[error("no archive of games")]
    Foreign,
    /// A record in the middle is damaged.
    #[error("damaged at byte {at}: {what}; the games before it can be read")]
    Damaged {
        /// Which byte.
        at: u64,
        /// What was found.
        what: &'static str,
    },
}

/// Who played the games of some blocks, and from what seed: enough to play them again.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct BlockSource {
    /// Who played.
    #[serde(flatten)]
    pub cast: SimulationSettings,
    /// What all randomness was drawn from.
    pub seed: u64,
    /// The version of the program.
    pub version: String,
}

impl BlockSource {
    /// Whether a game of a number is the same game: the version is not asked.
    #[must_use]
    pub fn plays_like(&self, other: &BlockSource) -> bool {
        (&self.cast, self.seed) == (&other.cast, other.seed)
    }
}

/// One record after the first.
#[derive(Clone, PartialEq, Debug)]
pub enum ArchiveRecord {
    /// The blocks that follow came of this.
    Source(BlockSource),
    /// Games.
    Games(GameBlock),
}

/// The first record.
#[derive(Serialize, Deserialize)]
struct ArchiveHeader {
    game: String,
}

/// The kinds of records.
const HEADER_KIND: u8 = b'H';
const SOURCE_KIND: u8 = b'S';
const GAMES_KIND: u8 = b'G';

/// A record as bytes.
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

/// The bytes before the first source: the format and the game.
#[must_use]
pub fn file_header(game: &str) -> Vec<u8> {
    [MAGIC, &encode_record(HEADER_KIND, &json(&ArchiveHeader { game: game.to_owned() }))].concat()
}

fn json(value: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(value).expect("plain structs are JSON")
}

impl ArchiveRecord {
    /// The bytes of the record.
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

    /// `None` for a content that is not of its kind.
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

/// Reads an archive from its beginning, record by record.
pub struct ArchiveReader<R> {
    input: R,
    length: u64,
    /// Everything before this byte has been read and holds.
    at: u64,
    game: String,
    torn: u64,
}

impl<R: Read> ArchiveReader<R> {
    /// Opens an archive of so many bytes.
    ///
    /// # Errors
    /// When it cannot be read or is none.
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

    /// The game whose games these are.
    #[must_use]
    pub fn game(&self) -> &str {
        &self.game
    }

    /// Bytes in all.
    #[must_use]
    pub fn length(&self) -> u64 {
        self.length
    }

    /// Everything before this byte has been read and holds.
    #[must_use]
    pub fn position(&self) -> u64 {
        self.at
    }

    /// Bytes of a torn record at the end, known once everything before it has been read.
    #[must_use]
    pub fn torn(&self) -> u64 {
        self.torn
    }

    /// The next record; `None` at the end, or where a torn record begins.
    ///
    /// # Errors
    /// When it cannot be read or is damaged.
    pub fn next_item(&mut self) -> Result<Option<ArchiveRecord>, ArchiveFormatError> {
        let at = self.at;
        let Some((kind, content)) = self.next_record()? else { return Ok(None) };
        let what = "a record of no known kind";
        ArchiveRecord::read(kind, &content)
            .map(Some)
            .ok_or(ArchiveFormatError::Damaged { at, what })
    }

    /// The next record whose checksum holds. What is wrong and reaches the end, or beyond it, is
    /// torn; what is wrong before is damage.
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
        if whole > left {
            // The length of a record that was begun is written whole, so a nonsensical one is damage.
            if length > MAX_RECORD {
                let what = "a record of an impossible length";
                return Err(ArchiveFormatError::Damaged { at: self.at, what });
            }
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
            return Err(ArchiveFormatError::Damaged {
                at: self.at,
                what: "a checksum that does not hold",
            });
        }
        self.at += whole;
        Ok(Some((kind, content)))
    }
}
