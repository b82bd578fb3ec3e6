//! Files that users name, read or written whole. A name may be that of a device, which never ends, of a pipe,
//! which ends when its writer wants, or of a file larger than the memory: each is read up to a limit
//! or refused with a sentence.

use std::fs::{File, FileType, Metadata};
use std::io::{self, ErrorKind, Read, Write};
use std::path::Path;

/// Opens a regular file. Anything else is refused before it is opened: opening a pipe waits for its
/// writer, and opening a device may do anything.
///
/// # Errors
/// When the file cannot be opened or is not a regular file.
pub fn open_regular_file(path: &Path) -> io::Result<File> {
    check(&std::fs::metadata(path)?, Metadata::is_file)?;
    let file = File::open(path)?;
    // Another file may have taken the name meanwhile.
    check(&file.metadata()?, Metadata::is_file)?;
    Ok(file)
}

/// Opens a regular file or a pipe, such as `<(command)` in a shell. A pipe can be read once.
///
/// # Errors
/// When the file cannot be opened or is something else.
pub fn open_file_or_pipe(path: &Path) -> io::Result<File> {
    check(&std::fs::metadata(path)?, is_file_or_pipe)?;
    let file = File::open(path)?;
    check(&file.metadata()?, is_file_or_pipe)?;
    Ok(file)
}

/// Reads a regular file of at most `most` bytes.
///
/// # Errors
/// When the file cannot be read, is not a regular file, or is larger.
pub fn read_regular_file(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    read_bounded(open_regular_file(path)?, most)
}

/// Reads a regular file or a pipe of at most `most` bytes.
///
/// # Errors
/// When the file cannot be read, is something else, or is larger.
pub fn read_file_or_pipe(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    read_bounded(open_file_or_pipe(path)?, most)
}

/// Writes a file, or replaces it by a new one at once: after a failure the old file is as it was, and
/// no other program reads a part of the new one. Anything but a regular file is written to.
///
/// # Errors
/// When the file cannot be written.
pub fn replace_file(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let old = match std::fs::metadata(path) {
        Ok(old) if !old.is_file() => return std::fs::write(path, bytes),
        Ok(old) => Some(old),
        Err(_) => None,
    };
    // The target of a link is replaced, not the link.
    let path = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let mut part = path.as_os_str().to_owned();
    part.push(".part");
    let part = Path::new(&part);
    let written = write_and_sync(part, bytes, old.as_ref());
    let replaced = written.and_then(|()| std::fs::rename(part, &path));
    if replaced.is_err() {
        let _ = std::fs::remove_file(part);
    }
    replaced
}

/// Writes a new file with the permissions of an old one, and waits until it is on the disk.
fn write_and_sync(path: &Path, bytes: &[u8], old: Option<&Metadata>) -> io::Result<()> {
    let mut file = File::create(path)?;
    file.write_all(bytes)?;
    if let Some(old) = old {
        file.set_permissions(old.permissions())?;
    }
    file.sync_all()
}

/// Reads `file` to its end, but at most `most` bytes.
fn read_bounded(file: File, most: u64) -> io::Result<Vec<u8>> {
    let length = file.metadata()?.len();
    if length > most {
        let problem = format!("it has {length} bytes, at most {most} are read");
        return Err(io::Error::new(ErrorKind::FileTooLarge, problem));
    }
    let mut bytes = Vec::new();
    let room = usize::try_from(length).unwrap_or(usize::MAX);
    bytes.try_reserve_exact(room).map_err(|_| ErrorKind::OutOfMemory)?;
    // A pipe has no length, and a file may grow while it is read.
    file.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        let problem = format!("it has more than the {most} bytes that are read");
        return Err(io::Error::new(ErrorKind::FileTooLarge, problem));
    }
    Ok(bytes)
}

fn check(about: &Metadata, allowed: impl FnOnce(&Metadata) -> bool) -> io::Result<()> {
    if allowed(about) {
        return Ok(());
    }
    let kind = kind(about.file_type());
    Err(io::Error::new(ErrorKind::InvalidInput, format!("it is {kind}, not a regular file")))
}

#[cfg(unix)]
fn is_file_or_pipe(about: &Metadata) -> bool {
    use std::os::unix::fs::FileTypeExt;
    about.is_file() || about.file_type().is_fifo()
}

#[cfg(not(unix))]
fn is_file_or_pipe(about: &Metadata) -> bool {
    about.is_file()
}

/// Returns what a file is that is not a regular file.
fn kind(kind: FileType) -> &'static str {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        if kind.is_fifo() {
            return "a pipe";
        }
        if kind.is_socket() {
            return "a socket";
        }
        if kind.is_char_device() || kind.is_block_device() {
            return "a device";
        }
    }
    if kind.is_dir() { "a folder" } else { "something else" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_up_to_the_limit() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        std::fs::write(&path, [7; 100]).expect("a file");
        assert_eq!(read_regular_file(&path, 100).expect("bytes"), [7; 100]);
        assert_eq!(read_file_or_pipe(&path, u64::MAX).expect("bytes"), [7; 100]);
        let error = read_regular_file(&path, 99).expect_err("it is too large").to_string();
        assert_eq!(error, "it has 100 bytes, at most 99 are read");
        let error = read_regular_file(folder.path(), 99).expect_err("a folder").to_string();
        assert_eq!(error, "it is a folder, not a regular file");
        let none = read_regular_file(&folder.path().join("none"), 99).expect_err("no file");
        assert_eq!(none.kind(), ErrorKind::NotFound);
    }

    #[cfg(unix)]
    #[test]
    fn a_file_without_end_is_refused() {
        for read in [read_regular_file, read_file_or_pipe] {
            let error = read(Path::new("/dev/zero"), 1 << 40).expect_err("a device").to_string();
            assert_eq!(error, "it is a device, not a regular file");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_pipe_is_read_up_to_the_limit_and_never_waited_for_where_files_are_wanted() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&path).status().expect("mkfifo");
        assert!(made.success());
        let error = read_regular_file(&path, 99).expect_err("a pipe").to_string();
        assert_eq!(error, "it is a pipe, not a regular file");
        for (most, expected) in [(100, Ok(100)), (10, Err(ErrorKind::FileTooLarge))] {
            let writer = path.clone();
            // The writer gets an error when the reader has had enough.
            let writing = std::thread::spawn(move || drop(std::fs::write(writer, [7; 100])));
            let read = read_file_or_pipe(&path, most).map(|bytes| bytes.len());
            assert_eq!(read.map_err(|error| error.kind()), expected);
            writing.join().expect("no panic");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_file_is_replaced_at_once_and_stays_as_it_was_after_a_failure() {
        let folder = tempfile::tempdir().expect("a folder");
        let (path, link) = (folder.path().join("model"), folder.path().join("link"));
        replace_file(&path, b"old").expect("a file");
        std::os::unix::fs::symlink(&path, &link).expect("a link");
        replace_file(&link, b"new").expect("a file");
        assert_eq!(std::fs::read(&path).expect("a file"), b"new");
        assert!(link.is_symlink() && !folder.path().join("model.part").exists());
        // A folder in the way of the new file is a failure.
        std::fs::create_dir(folder.path().join("model.part")).expect("a folder");
        replace_file(&path, b"newer").expect_err("a folder is in the way");
        assert_eq!(std::fs::read(&path).expect("a file"), b"new");
    }
}
