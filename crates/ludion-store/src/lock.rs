//! Who plays a run: a file beside the store that is locked while it is played. The system gives
//! the lock back when the program ends, even by kill -9.

use std::fs::{File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};

use crate::{RunId, StoreError};

/// The right to play a run.
pub struct RunLock {
    path: PathBuf,
    /// Held open, for the lock goes with it.
    _file: File,
}

impl RunLock {
    pub(crate) fn take(store: &Path, id: RunId) -> Result<RunLock, StoreError> {
        let mut name = store.as_os_str().to_owned();
        name.push(format!("-run{id}.lock"));
        let path = PathBuf::from(name);
        let at = |source| StoreError::Unreachable { path: path.clone(), source };
        loop {
            let file = OpenOptions::new().create(true).append(true).open(&path).map_err(at)?;
            match file.try_lock() {
                Ok(()) if is_at(&file, &path) => return Ok(RunLock { path, _file: file }),
                // Its last holder removed the file after it was opened here.
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => return Err(StoreError::Taken(id)),
                Err(TryLockError::Error(source)) => return Err(at(source)),
            }
        }
    }
}

/// Whether `file` is still the one that others would open.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let number =
        |metadata: std::io::Result<std::fs::Metadata>| metadata.map(|m| (m.dev(), m.ino()));
    match (number(file.metadata()), number(path.metadata())) {
        (Ok(ours), Ok(theirs)) => ours == theirs,
        _ => false,
    }
}

#[cfg(not(unix))]
fn is_at(_file: &File, path: &Path) -> bool {
    // A file that is open cannot be removed here.
    path.exists()
}

impl Drop for RunLock {
    fn drop(&mut self) {
        // A file that stays is taken again when the run is resumed.
        let _ = std::fs::remove_file(&self.path);
    }
}
