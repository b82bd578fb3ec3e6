//! A data base of games in one file: what the library's archive codes, in blocks that are
//! checksummed, appended and streamed.
//!
//! The file begins with a line of text that names its format; records follow, each its kind (one
//! byte), the length of what it holds (four bytes, least significant first), the CRC-32 of all
//! that (four bytes), and what it holds. The first record is the game as JSON; a *source* (JSON:
//! who played, the seed) stands before the blocks of games that came of it. A program that was
//! killed while it wrote leaves a torn record at the end: it is passed over by readers and cut off
//! by the next writer, and everything before it stands.

use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, BufWriter, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use ludion::archive::Block;
use ludion::registry::Cast;
use serde::{Deserialize, Serialize};

/// The first bytes of every archive.
const MAGIC: &[u8] = b"Ludion games, format 1\n";
/// Nothing longer is written; a longer length is damage.
const LONGEST_RECORD: usize = 1 << 26;
/// Kind, length and checksum.
const HEAD: usize = 9;

/// What can go wrong with an archive.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    /// The file cannot be read or written.
    #[error("{} cannot be used: {source}", path.display())]
    Io {
        /// Where.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The file is something else.
    #[error("{} is no archive of games", path.display())]
    Foreign {
        /// Where.
        path: PathBuf,
    },
    /// A record in the middle of the file is damaged.
    #[error(
        "{} is damaged at byte {at}: {what}; the games before it can be read",
        path.display()
    )]
    Damaged {
        /// Where.
        path: PathBuf,
        /// Which byte.
        at: u64,
        /// What was found.
        what: &'static str,
    },
    /// The archive is of another game.
    #[error("{} holds games of {holds}, not of {wanted}", path.display())]
    OtherGame {
        /// Where.
        path: PathBuf,
        /// The game of the file.
        holds: String,
        /// The game that was asked for.
        wanted: String,
    },
}

/// Who played the games of some blocks, and from what seed: enough to play them again.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Source {
    /// Who played.
    #[serde(flatten)]
    pub cast: Cast,
    /// What all randomness was drawn from.
    pub seed: u64,
    /// The version of the program.
    pub version: String,
}

impl Source {
    /// Whether a game of a number is the same game: the version is not asked.
    #[must_use]
    pub fn plays_like(&self, other: &Source) -> bool {
        (&self.cast, self.seed) == (&other.cast, other.seed)
    }
}

/// One record after the first.
#[derive(Clone, PartialEq, Debug)]
pub enum Item {
    /// The blocks that follow came of this.
    Source(Source),
    /// Games.
    Games(Block),
}

/// The first record.
#[derive(Serialize, Deserialize)]
struct Header {
    game: String,
}

/// The kinds of records.
const GAME: u8 = b'H';
const SOURCE: u8 = b'S';
const GAMES: u8 = b'G';

/// A record as bytes.
fn record(kind: u8, content: &[u8]) -> Vec<u8> {
    let length = u32::try_from(content.len()).expect("records are far below 4 GB");
    let mut bytes = Vec::with_capacity(HEAD + content.len());
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

fn json(value: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(value).expect("plain structs are JSON")
}

impl Item {
    fn record(&self) -> Vec<u8> {
        match self {
            Item::Source(source) => record(SOURCE, &json(source)),
            Item::Games(block) => {
                let mut content = block.first.to_le_bytes().to_vec();
                content.extend_from_slice(&block.count.to_le_bytes());
                content.extend_from_slice(&block.digits);
                record(GAMES, &content)
            }
        }
    }

    /// `None` for a content that is not of its kind.
    fn read(kind: u8, content: &[u8]) -> Option<Item> {
        match kind {
            SOURCE => serde_json::from_slice(content).ok().map(Item::Source),
            GAMES => {
                let (first, rest) = content.split_first_chunk()?;
                let (count, digits) = rest.split_first_chunk()?;
                Some(Item::Games(Block {
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
pub struct ArchiveReader {
    path: PathBuf,
    file: BufReader<File>,
    length: u64,
    /// Everything before this byte has been read and holds.
    at: u64,
    game: String,
    torn: u64,
}

impl ArchiveReader {
    /// Opens an archive.
    ///
    /// # Errors
    /// When the file cannot be read or is no archive.
    pub fn open(path: &Path) -> Result<Self, ArchiveError> {
        let at = |source| ArchiveError::Io { path: path.to_owned(), source };
        let file = File::open(path).map_err(at)?;
        let length = file.metadata().map_err(at)?.len();
        let mut reader = ArchiveReader {
            path: path.to_owned(),
            file: BufReader::with_capacity(1 << 18, file),
            length,
            at: 0,
            game: String::new(),
            torn: 0,
        };
        reader.read_header()?;
        Ok(reader)
    }

    fn read_header(&mut self) -> Result<(), ArchiveError> {
        let foreign = || ArchiveError::Foreign { path: self.path.clone() };
        let mut magic = [0; MAGIC.len()];
        match self.file.read_exact(&mut magic) {
            Ok(()) if magic == MAGIC => self.at = MAGIC.len() as u64,
            Err(source) if source.kind() != ErrorKind::UnexpectedEof => {
                return Err(ArchiveError::Io { path: self.path.clone(), source });
            }
            _ => return Err(foreign()),
        }
        let header = match self.next_record()? {
            Some((GAME, content)) => serde_json::from_slice::<Header>(&content).ok(),
            _ => None,
        };
        self.game = header.ok_or_else(|| ArchiveError::Foreign { path: self.path.clone() })?.game;
        Ok(())
    }

    /// The game whose games these are.
    #[must_use]
    pub fn game(&self) -> &str {
        &self.game
    }

    /// Bytes of the file.
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
    /// When the file cannot be read or is damaged.
    pub fn next_item(&mut self) -> Result<Option<Item>, ArchiveError> {
        let at = self.at;
        let Some((kind, content)) = self.next_record()? else { return Ok(None) };
        let item = Item::read(kind, &content);
        item.map(Some).ok_or_else(|| self.damaged(at, "a record of no known kind"))
    }

    fn damaged(&self, at: u64, what: &'static str) -> ArchiveError {
        ArchiveError::Damaged { path: self.path.clone(), at, what }
    }

    /// The next record whose checksum holds. What is wrong and reaches the end of the file, or
    /// beyond it, is torn; what is wrong before is damage.
    fn next_record(&mut self) -> Result<Option<(u8, Vec<u8>)>, ArchiveError> {
        let left = self.length - self.at;
        let mut head = [0; HEAD];
        if left < HEAD as u64 {
            self.torn = left;
            return Ok(None);
        }
        let io = |source| ArchiveError::Io { path: self.path.clone(), source };
        self.file.read_exact(&mut head).map_err(io)?;
        let [kind, l0, l1, l2, l3, c0, c1, c2, c3] = head;
        let length = u32::from_le_bytes([l0, l1, l2, l3]) as usize;
        let whole = HEAD as u64 + length as u64;
        if whole > left {
            // The length of a record that was begun is written whole, so a nonsensical one is damage.
            if length > LONGEST_RECORD {
                return Err(self.damaged(self.at, "a record of an impossible length"));
            }
            self.torn = left;
            return Ok(None);
        }
        let mut content = vec![0; length];
        self.file.read_exact(&mut content).map_err(io)?;
        if checksum(&head[..5], &content) != u32::from_le_bytes([c0, c1, c2, c3]) {
            if whole == left {
                self.torn = left;
                return Ok(None);
            }
            return Err(self.damaged(self.at, "a checksum that does not hold"));
        }
        self.at += whole;
        Ok(Some((kind, content)))
    }
}

/// Appends to an archive.
pub struct ArchiveWriter {
    path: PathBuf,
    file: BufWriter<File>,
    source: Option<Source>,
    next: u64,
    cut: u64,
}

impl ArchiveWriter {
    /// Opens the archive of a game to append to it, or makes it. What is torn at its end is cut
    /// off; the numbers of games go on after those the file has from the same source.
    ///
    /// # Errors
    /// When the file cannot be written, is no archive, is damaged, or is of another game.
    pub fn append(path: &Path, game: &str, source: &Source) -> Result<Self, ArchiveError> {
        let at = |source| ArchiveError::Io { path: path.to_owned(), source };
        let exists = match std::fs::metadata(path) {
            Ok(known) => known.len() > 0,
            Err(error) if error.kind() == ErrorKind::NotFound => false,
            Err(error) => return Err(at(error)),
        };
        let tail = if exists { Some(Tail::find(path, game, source)?) } else { None };
        let mut options = OpenOptions::new();
        let file = options.create(true).write(true).truncate(false).open(path).map_err(at)?;
        let mut writer = ArchiveWriter {
            path: path.to_owned(),
            file: BufWriter::with_capacity(1 << 18, file),
            source: None,
            next: 0,
            cut: 0,
        };
        match tail {
            Some(tail) => {
                let file = writer.file.get_mut();
                file.set_len(tail.end).and_then(|()| file.seek(SeekFrom::End(0))).map_err(at)?;
                (writer.source, writer.next, writer.cut) = (tail.last, tail.next, tail.torn);
            }
            None => {
                writer.write(MAGIC)?;
                writer.write(&record(GAME, &json(&Header { game: game.to_owned() })))?;
            }
        }
        if !writer.source.as_ref().is_some_and(|last| last == source) {
            writer.write(&Item::Source(source.clone()).record())?;
            writer.source = Some(source.clone());
        }
        Ok(writer)
    }

    /// The number of the next game of the source.
    #[must_use]
    pub fn next_game(&self) -> u64 {
        self.next
    }

    /// Bytes of a torn record that were cut off.
    #[must_use]
    pub fn cut(&self) -> u64 {
        self.cut
    }

    /// Appends games, which are in the file for other readers when this returns.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn push(&mut self, block: Block) -> Result<(), ArchiveError> {
        self.next = block.first + u64::from(block.count);
        self.write(&Item::Games(block).record())?;
        self.file.flush().map_err(|source| ArchiveError::Io { path: self.path.clone(), source })
    }

    /// Waits until everything is on the disk.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn close(mut self) -> Result<(), ArchiveError> {
        let synced = self.file.flush().and_then(|()| self.file.get_ref().sync_all());
        synced.map_err(|source| ArchiveError::Io { path: self.path, source })
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), ArchiveError> {
        let written = self.file.write_all(bytes);
        written.map_err(|source| ArchiveError::Io { path: self.path.clone(), source })
    }
}

/// Where an archive ends, and how far a source has come in it.
struct Tail {
    end: u64,
    torn: u64,
    last: Option<Source>,
    next: u64,
}

impl Tail {
    fn find(path: &Path, game: &str, source: &Source) -> Result<Tail, ArchiveError> {
        let mut reader = ArchiveReader::open(path)?;
        if reader.game() != game {
            let (holds, wanted) = (reader.game().to_owned(), game.to_owned());
            return Err(ArchiveError::OtherGame { path: path.to_owned(), holds, wanted });
        }
        let (mut last, mut next) = (None::<Source>, 0);
        while let Some(item) = reader.next_item()? {
            match item {
                Item::Source(found) => last = Some(found),
                Item::Games(block) => {
                    if last.as_ref().is_some_and(|last| last.plays_like(source)) {
                        next = next.max(block.first + u64::from(block.count));
                    }
                }
            }
        }
        Ok(Tail { end: reader.position(), torn: reader.torn(), last, next })
    }
}
