//! A data base of games in one file: the bytes of the library's archives, appended to and
//! streamed.
//!
//! A program that was killed while it wrote leaves a torn record at the end: it is passed over by
//! readers and cut off by the next writer, and everything before it stands.

use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, BufWriter, ErrorKind, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use ludion::archive::GameBlock;
use ludion::archive::file_format::{ArchiveFormatError, ArchiveReader, file_header};
pub use ludion::archive::file_format::{ArchiveRecord, BlockSource};

/// What can go wrong with an archive.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveFileError {
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

impl ArchiveFileError {
    fn of(path: &Path, fault: ArchiveFormatError) -> Self {
        let path = path.to_owned();
        match fault {
            ArchiveFormatError::Io(source) => ArchiveFileError::Io { path, source },
            ArchiveFormatError::Foreign => ArchiveFileError::Foreign { path },
            ArchiveFormatError::Damaged { at, what } => {
                ArchiveFileError::Damaged { path, at, what }
            }
        }
    }
}

/// Reads an archive from its beginning, record by record.
pub struct ArchiveFileReader {
    path: PathBuf,
    records: ArchiveReader<BufReader<File>>,
}

impl ArchiveFileReader {
    /// Opens an archive.
    ///
    /// # Errors
    /// When the file cannot be read or is no archive.
    pub fn open(path: &Path) -> Result<Self, ArchiveFileError> {
        let at = |source| ArchiveFileError::Io { path: path.to_owned(), source };
        let file = File::open(path).map_err(at)?;
        let length = file.metadata().map_err(at)?.len();
        let records = ArchiveReader::open(BufReader::with_capacity(1 << 18, file), length);
        let records = records.map_err(|fault| ArchiveFileError::of(path, fault))?;
        Ok(ArchiveFileReader { path: path.to_owned(), records })
    }

    /// The game whose games these are.
    #[must_use]
    pub fn game(&self) -> &str {
        self.records.game()
    }

    /// Bytes of the file.
    #[must_use]
    pub fn length(&self) -> u64 {
        self.records.length()
    }

    /// Everything before this byte has been read and holds.
    #[must_use]
    pub fn position(&self) -> u64 {
        self.records.position()
    }

    /// Bytes of a torn record at the end, known once everything before it has been read.
    #[must_use]
    pub fn torn(&self) -> u64 {
        self.records.torn()
    }

    /// The next record; `None` at the end, or where a torn record begins.
    ///
    /// # Errors
    /// When the file cannot be read or is damaged.
    pub fn next_item(&mut self) -> Result<Option<ArchiveRecord>, ArchiveFileError> {
        self.records.next_item().map_err(|fault| ArchiveFileError::of(&self.path, fault))
    }
}

/// Appends to an archive.
pub struct ArchiveFileWriter {
    path: PathBuf,
    file: BufWriter<File>,
    source: Option<BlockSource>,
    next: u64,
    cut: u64,
}

impl ArchiveFileWriter {
    /// Opens the archive of a game to append to it, or makes it. What is torn at its end is cut
    /// off; the numbers of games go on after those the file has from the same source.
    ///
    /// # Errors
    /// When the file cannot be written, is no archive, is damaged, or is of another game.
    pub fn append(path: &Path, game: &str, source: &BlockSource) -> Result<Self, ArchiveFileError> {
        let at = |source| ArchiveFileError::Io { path: path.to_owned(), source };
        let exists = match std::fs::metadata(path) {
            Ok(known) => known.len() > 0,
            Err(error) if error.kind() == ErrorKind::NotFound => false,
            Err(error) => return Err(at(error)),
        };
        let tail = if exists { Some(ArchiveTail::find(path, game, source)?) } else { None };
        let mut options = OpenOptions::new();
        let file = options.create(true).write(true).truncate(false).open(path).map_err(at)?;
        let mut writer = ArchiveFileWriter {
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
                writer.write(&file_header(game))?;
            }
        }
        if !writer.source.as_ref().is_some_and(|last| last == source) {
            writer.write(&ArchiveRecord::Source(source.clone()).to_bytes())?;
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
    pub fn push(&mut self, block: GameBlock) -> Result<(), ArchiveFileError> {
        self.next = block.first + u64::from(block.count);
        self.write(&ArchiveRecord::Games(block).to_bytes())?;
        self.file.flush().map_err(|source| ArchiveFileError::Io { path: self.path.clone(), source })
    }

    /// Waits until everything is on the disk.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn close(mut self) -> Result<(), ArchiveFileError> {
        let synced = self.file.flush().and_then(|()| self.file.get_ref().sync_all());
        synced.map_err(|source| ArchiveFileError::Io { path: self.path, source })
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), ArchiveFileError> {
        let written = self.file.write_all(bytes);
        written.map_err(|source| ArchiveFileError::Io { path: self.path.clone(), source })
    }
}

/// Where an archive ends, and how far a source has come in it.
struct ArchiveTail {
    end: u64,
    torn: u64,
    last: Option<BlockSource>,
    next: u64,
}

impl ArchiveTail {
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
        let (mut last, mut next) = (None::<BlockSource>, 0);
        while let Some(item) = reader.next_item()? {
            match item {
                ArchiveRecord::Source(found) => last = Some(found),
                ArchiveRecord::Games(block) => {
                    if last.as_ref().is_some_and(|last| last.plays_like(source)) {
                        next = next.max(block.first + u64::from(block.count));
                    }
                }
            }
        }
        Ok(ArchiveTail { end: reader.position(), torn: reader.torn(), last, next })
    }
}
