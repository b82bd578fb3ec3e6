//! Assets of this program: the name of an asset is the path of a regular file. A file is read into
//! memory and not mapped: when another program truncates a mapped file, the next access to it ends
//! this program. All players share one copy of a file for as long as one of them uses it.

use std::collections::HashMap;
use std::fs::Metadata;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::SystemTime;

use ludion::assets::SharedBytes;
use ludion_store::read_regular_file;

/// Size in bytes from which the copy of a file is shared.
const LARGE: u64 = 1 << 16;
/// Size of the largest file that is read, in bytes: eight times the largest endgame table.
const MAX_BYTES: u64 = 4 << 30;

/// The copies in use by the names of their files, with the stamp of the file when it was read.
static COPIES: Mutex<Option<FileCopies>> = Mutex::new(None);

/// A file in memory by its path, with its stamp when it was read.
type FileCopies = HashMap<String, (FileStamp, Weak<Vec<u8>>)>;

/// What changes when a file is changed or replaced.
type FileStamp = (u64, Option<SystemTime>, u64);

/// Reads a file, or returns the copy that is in use; the error is a message for users.
pub(crate) fn read(name: &str) -> Result<SharedBytes, String> {
    open(name).map_err(|error| format!("{name} cannot be read: {error}"))
}

fn open(name: &str) -> std::io::Result<SharedBytes> {
    let path = Path::new(name);
    let about = std::fs::metadata(path)?;
    if about.len() < LARGE {
        return Ok(Arc::new(read_regular_file(path, MAX_BYTES)?));
    }
    // Held while the file is read, so that threads that ask for the same file get one copy.
    let mut copies = COPIES.lock().unwrap_or_else(PoisonError::into_inner);
    let copies = copies.get_or_insert_default();
    let stamp = stamp(&about);
    let known = copies.get(name).filter(|(known, _)| *known == stamp);
    if let Some(copy) = known.and_then(|(_, copy)| copy.upgrade()) {
        return Ok(copy);
    }
    copies.retain(|_, (_, copy)| copy.strong_count() > 0);
    let copy = Arc::new(read_regular_file(path, MAX_BYTES)?);
    copies.insert(name.to_owned(), (stamp, Arc::downgrade(&copy)));
    Ok(copy)
}

#[cfg(unix)]
fn stamp(about: &Metadata) -> FileStamp {
    use std::os::unix::fs::MetadataExt;
    (about.len(), about.modified().ok(), about.ino())
}

#[cfg(not(unix))]
fn stamp(about: &Metadata) -> FileStamp {
    (about.len(), about.modified().ok(), 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_truncated_or_replaced_stays_as_it_was_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("table");
        let name = path.to_str().unwrap();
        std::fs::write(&path, vec![7; 1 << 20]).unwrap();
        let [first, second] = [read(name).unwrap(), read(name).unwrap()];
        assert!(std::ptr::eq((*first).as_ref(), (*second).as_ref()), "one copy for all");
        std::fs::OpenOptions::new().write(true).open(&path).unwrap().set_len(0).unwrap();
        let sum = |bytes: &SharedBytes| {
            (**bytes).as_ref().iter().map(|&byte| u64::from(byte)).sum::<u64>()
        };
        assert_eq!(sum(&first), 7 << 20);
        assert_eq!((*read(name).unwrap()).as_ref(), [0; 0], "a new reader gets the new file");
        std::fs::write(&path, vec![8; 1 << 20]).unwrap();
        assert_eq!((sum(&first), sum(&read(name).unwrap())), (7 << 20, 8 << 20));
    }

    #[cfg(unix)]
    #[test]
    fn only_regular_files_are_read() {
        let error = |name: &str| read(name).map(|_| ()).unwrap_err();
        let device = "/dev/zero cannot be read: it is a device, not a regular file";
        assert_eq!(error("/dev/zero"), device);
        assert_eq!(error("/tmp"), "/tmp cannot be read: it is a folder, not a regular file");
        assert!(error("/no/such/file").starts_with("/no/such/file cannot be read: No such file"));
    }
}
