//! Permissions of the files of a store: only their owner reads and writes them. SQLite gives its
//! auxiliary files the permissions of the database.

use std::fs::{DirBuilder, OpenOptions};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Permissions of a file that its owner alone reads and writes.
#[cfg(unix)]
const OWNER_ONLY: u32 = 0o600;
/// The bits of the permissions of users who are neither the owner nor in the group of the file.
#[cfg(unix)]
const OTHERS: u32 = 0o007;

/// Makes the options create files for their owner alone.
pub(crate) fn owner_only(options: &mut OpenOptions) -> &mut OpenOptions {
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(OWNER_ONLY);
    }
    options
}

/// Creates a folder with its parents, new ones for their owner alone.
pub(crate) fn create_folder(path: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::DirBuilderExt;
        builder.mode(0o700);
    }
    builder.create(path)
}

/// Held while a new file is created and closed. POSIX releases all locks of a process on a file when
/// any descriptor of the file is closed, so no other thread may have it open with SQLite then.
static CREATING: Mutex<()> = Mutex::new(());

/// Creates an empty file for its owner alone; an existing one is left as it is.
pub(crate) fn create_file(path: &Path) -> io::Result<()> {
    let _creating = CREATING.lock().unwrap_or_else(PoisonError::into_inner);
    match owner_only(OpenOptions::new().write(true).create_new(true)).open(path) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => Err(error),
        _ => Ok(()),
    }
}

/// Takes existing files from all users but their owner if any user may use them, as the files of
/// Ludion 0.1.0 with the usual `umask`. Files that are shared with a group alone are left as they
/// are. Files of another owner, which cannot be changed, too.
pub(crate) fn tighten(files: &[PathBuf]) {
    #[cfg(unix)]
    for file in files {
        use std::fs::Permissions;
        use std::os::unix::fs::PermissionsExt;
        let is_open = |mode: u32| mode & OTHERS != 0;
        if file
            .symlink_metadata()
            .is_ok_and(|about| about.is_file() && is_open(about.permissions().mode()))
        {
            let _ = std::fs::set_permissions(file, Permissions::from_mode(OWNER_ONLY));
        }
    }
    #[cfg(not(unix))]
    let _ = files;
}
