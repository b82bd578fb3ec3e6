//! Assets of this program: the name of an asset is the path of a file. Large files are
//! memory-mapped instead of read, because endgame tables are accessed at few, random places and
//! several programs can share one mapping.

use std::fs::File;
use std::io::Read;
use std::sync::Arc;

use ludion::assets::SharedBytes;

/// Size in bytes from which files are memory-mapped.
const LARGE: u64 = 1 << 16;

/// Reads or maps a file; the error is a message for users.
pub(crate) fn read(name: &str) -> Result<SharedBytes, String> {
    open(name).map_err(|error| format!("{name} cannot be read: {error}"))
}

fn open(name: &str) -> std::io::Result<SharedBytes> {
    let mut file = File::open(name)?;
    if file.metadata()?.len() < LARGE {
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        return Ok(Arc::new(bytes));
    }
    // SAFETY: nothing writes through the mapping. A mapping also requires that the file does not
    // change in place while it is mapped: this program replaces tables by renaming a new file,
    // which leaves the mapped file as it was.
    let map = unsafe { memmap2::Mmap::map(&file)? };
    Ok(Arc::new(map))
}
