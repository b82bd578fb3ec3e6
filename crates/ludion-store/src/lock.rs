//! Locks that reserve a run for one program: a file beside the store, locked while the run is
//! running. The operating system releases the lock when the program ends, even by SIGKILL.

use std::fs::{File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::private::owner_only;
use crate::{RunId, StoreError};

/// How often a lock that is held is tried, and the pause between two tries.
const TRIES: u32 = 11;
const PAUSE: Duration = Duration::from_millis(10);

/// Exclusive right to run the jobs of a run, released when it is dropped.
pub struct RunLock {
    path: PathBuf,
    /// The open file, which holds the lock of the operating system.
    _file: File,
}

impl RunLock {
    /// Creates and locks the lock file of a run. Another program may hold the lock for an instant, only to
    /// see whether the run is running, so a lock that is held is tried again for a while.
    pub(crate) fn acquire(store: &Path, id: RunId) -> Result<RunLock, StoreError> {
        for _ in 1..TRIES {
            match RunLock::try_acquire(store, id) {
                Err(StoreError::Locked(_)) => std::thread::sleep(PAUSE),
                result => return result,
            }
        }
        RunLock::try_acquire(store, id)
    }

    /// Like [`RunLock::acquire`], but fails at once if the lock is held.
    pub(crate) fn try_acquire(store: &Path, id: RunId) -> Result<RunLock, StoreError> {
        let mut name = store.as_os_str().to_owned();
        name.push(format!("-run{id}.lock"));
        let path = PathBuf::from(name);
        let io_error = |source| StoreError::Io { path: path.clone(), source };
        loop {
            let mut options = OpenOptions::new();
            owner_only(options.create(true).append(true));
            let file = options.open(&path).map_err(io_error)?;
            match file.try_lock() {
                Ok(()) if is_same_file(&file, &path) => return Ok(RunLock { path, _file: file }),
                // The last holder removed the file after it was opened here, so try again.
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => return Err(StoreError::Locked(id)),
                Err(TryLockError::Error(source)) => return Err(io_error(source)),
            }
        }
    }
}

/// Returns whether `path` still names the open `file`.
#[cfg(unix)]
fn is_same_file(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let inode = |metadata: std::io::Result<std::fs::Metadata>| metadata.map(|m| (m.dev(), m.ino()));
    match (inode(file.metadata()), inode(path.metadata())) {
        (Ok(open), Ok(current)) => open == current,
        _ => false,
    }
}

#[cfg(not(unix))]
fn is_same_file(_file: &File, path: &Path) -> bool {
    // Open files cannot be removed on this system.
    path.exists()
}

impl Drop for RunLock {
    fn drop(&mut self) {
        // A file that remains after an error is used again when the run is resumed.
        let _ = std::fs::remove_file(&self.path);
    }
}
