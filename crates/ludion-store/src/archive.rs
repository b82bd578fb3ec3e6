//! Archive files, which hold large numbers of games in the library's archive format. They are
//! appended to and read record by record.
//!
//! A program that is killed while it writes leaves a truncated record at the end of the file.
//! Readers skip it and the next writer removes it; the records before it are valid.

use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, BufWriter, ErrorKind, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use ludion_players::archive::GameBlock;
use ludion_players::archive::file_format::{ArchiveFormatError, ArchiveReader, file_header};
pub use ludion_players::archive::file_format::{ArchiveRecord, BlockSource};

use crate::files::open_regular_file;

/// Error of an archive file.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveFileError {
    /// The file cannot be read or written.
    #[error("{} cannot be used: {source}", path.display())]
    Io {
        /// Path of the file.
        path: PathBuf,
        /// Error of the operating system.
        source: io::Error,
    },
    /// The file is not an archive.
    #[error(
        "{} is not an archive of games, which begins with the line: Ludion games, format 1",
        path.display()
    )]
    Foreign {
        /// Path of the file.
        path: PathBuf,
    },
    /// A record in the middle of the file is damaged.
    #[error(
        "{} is damaged at byte {at}: {what}; the games before it can be read",
        path.display()
    )]
    Damaged {
        /// Path of the file.
        path: PathBuf,
        /// Offset of the damaged record in bytes.
        at: u64,
        /// Description of the damage.
        what: &'static str,
    },
    /// The archive contains games of another game than expected.
    #[error("{} holds games of {holds}, not of {wanted}", path.display())]
    OtherGame {
        /// Path of the file.
        path: PathBuf,
        /// Spec of the game in the file.
        holds: String,
        /// Spec of the expected game.
        wanted: String,
    },
}

impl ArchiveFileError {
    fn from_format_error(path: &Path, error: ArchiveFormatError) -> Self {
        let path = path.to_owned();
        match error {
            ArchiveFormatError::Io(source) => ArchiveFileError::Io { path, source },
            ArchiveFormatError::Foreign => ArchiveFileError::Foreign { path },
            ArchiveFormatError::Damaged { at, what } => {
                ArchiveFileError::Damaged { path, at, what }
            }
        }
    }
}

/// Reader of an archive file, record by record from its start.
pub struct ArchiveFileReader {
    path: PathBuf,
    records: ArchiveReader<BufReader<File>>,
}

impl ArchiveFileReader {
    /// Opens an archive.
    ///
    /// # Errors
    /// When the file cannot be read or is not an archive.
    pub fn open(path: &Path) -> Result<Self, ArchiveFileError> {
        let io_error = |source| ArchiveFileError::Io { path: path.to_owned(), source };
        let file = open_regular_file(path).map_err(io_error)?;
        let length = file.metadata().map_err(io_error)?.len();
        let records = ArchiveReader::open(BufReader::with_capacity(1 << 18, file), length);
        let records = records.map_err(|error| ArchiveFileError::from_format_error(path, error))?;
        Ok(ArchiveFileReader { path: path.to_owned(), records })
    }

    /// Returns the spec of the game that the archive contains.
    #[must_use]
    pub fn game(&self) -> &str {
        self.records.game()
    }

    /// Returns the size of the file in bytes.
    #[must_use]
    pub fn length(&self) -> u64 {
        self.records.length()
    }

    /// Returns the offset in bytes of the end of the last complete record that was read.
    #[must_use]
    pub fn position(&self) -> u64 {
        self.records.position()
    }

    /// Returns the size of the truncated record at the end, in bytes. It is known once the records
    /// before it have been read.
    #[must_use]
    pub fn truncated_bytes(&self) -> u64 {
        self.records.torn()
    }

    /// Returns the next record, or `None` at the end or at a truncated record.
    ///
    /// # Errors
    /// When the file cannot be read or is damaged.
    pub fn next_item(&mut self) -> Result<Option<ArchiveRecord>, ArchiveFileError> {
        self.records
            .next_item()
            .map_err(|error| ArchiveFileError::from_format_error(&self.path, error))
    }
}

/// Writer that appends to an archive file.
pub struct ArchiveFileWriter {
    path: PathBuf,
    file: BufWriter<File>,
    /// Source (players and settings) of the last block in the file.
    source: Option<BlockSource>,
    next_game: u64,
    removed_bytes: u64,
}

impl ArchiveFileWriter {
    /// Opens the archive of a game to append to it, or creates it. Removes a truncated record at
    /// its end. The numbers of new games continue after those of the same source in the file.
    ///
    /// # Errors
    /// When the file cannot be written, is not an archive, is damaged, or contains another game.
    pub fn append(path: &Path, game: &str, source: &BlockSource) -> Result<Self, ArchiveFileError> {
        let io_error = |source| ArchiveFileError::Io { path: path.to_owned(), source };
        let exists = match std::fs::metadata(path) {
            Ok(metadata) => metadata.len() > 0,
            Err(error) if error.kind() == ErrorKind::NotFound => false,
            Err(error) => return Err(io_error(error)),
        };
        let tail = if exists { Some(ArchiveTail::find(path, game, source)?) } else { None };
        let mut options = OpenOptions::new();
        let file = options.create(true).write(true).truncate(false).open(path).map_err(io_error)?;
        let mut writer = ArchiveFileWriter {
            path: path.to_owned(),
            file: BufWriter::with_capacity(1 << 18, file),
            source: None,
            next_game: 0,
            removed_bytes: 0,
        };
        match tail {
            Some(tail) => {
                let file = writer.file.get_mut();
                file.set_len(tail.end)
                    .and_then(|()| file.seek(SeekFrom::End(0)))
                    .map_err(io_error)?;
                writer.source = tail.last_source;
                writer.next_game = tail.next_game;
                writer.removed_bytes = tail.truncated_bytes;
            }
            None => {
                writer.write(&file_header(game))?;
            }
        }
        if !writer.source.as_ref().is_some_and(|last| last == source) {
            writer.write(&ArchiveRecord::Source(source.clone()).to_bytes())?;
            writer.source = Some(source.clone());
        }
        Ok(writer)
    }

    /// Returns the number of the next game of the writer's source (players, settings and seed).
    #[must_use]
    pub fn next_game(&self) -> u64 {
        self.next_game
    }

    /// Returns the size of the truncated record that was removed, in bytes.
    #[must_use]
    pub fn removed_bytes(&self) -> u64 {
        self.removed_bytes
    }

    /// Appends a block of games. When this returns, other readers can see it.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn push(&mut self, block: GameBlock) -> Result<(), ArchiveFileError> {
        self.next_game = block.first + u64::from(block.count);
        self.write(&ArchiveRecord::Games(block).to_bytes())?;
        self.file.flush().map_err(|source| ArchiveFileError::Io { path: self.path.clone(), source })
    }

    /// Closes the archive once everything is on the disk.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn close(mut self) -> Result<(), ArchiveFileError> {
        let synced = self.file.flush().and_then(|()| self.file.get_ref().sync_all());
        synced.map_err(|source| ArchiveFileError::Io { path: self.path, source })
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), ArchiveFileError> {
        let written = self.file.write_all(bytes);
        written.map_err(|source| ArchiveFileError::Io { path: self.path.clone(), source })
    }
}

/// End of an existing archive: where to append, and the number of the next game of a source.
struct ArchiveTail {
    /// Offset in bytes after the last complete record.
    end: u64,
    truncated_bytes: u64,
    last_source: Option<BlockSource>,
    next_game: u64,
}

impl ArchiveTail {
    /// Reads an archive to its end to find where to append games of `source`.
    fn find(
        path: &Path,
        game: &str,
        source: &BlockSource,
    ) -> Result<ArchiveTail, ArchiveFileError> {
        let mut reader = ArchiveFileReader::open(path)?;
        if reader.game() != game {
            let (holds, wanted) = (reader.game().to_owned(), game.to_owned());
            return Err(ArchiveFileError::OtherGame { path: path.to_owned(), holds, wanted });
        }
        let (mut last_source, mut next_game) = (None::<BlockSource>, 0);
        while let Some(item) = reader.next_item()? {
            match item {
                ArchiveRecord::Source(found) => last_source = Some(found),
                ArchiveRecord::Games(block) => {
                    if last_source.as_ref().is_some_and(|last| last.plays_like(source)) {
                        next_game = next_game.max(block.first + u64::from(block.count));
                    }
                }
            }
        }
        let (end, truncated_bytes) = (reader.position(), reader.truncated_bytes());
        Ok(ArchiveTail { end, truncated_bytes, last_source, next_game })
    }
}
