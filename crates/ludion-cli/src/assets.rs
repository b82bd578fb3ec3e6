//! The shelf of this program: a name is the path of a file. Large files are mapped into memory
//! and not read: tables of endgames are looked into here and there, and several programs share
//! one.

use std::fs::File;
use std::io::Read;
use std::sync::Arc;

use ludion::assets::SharedBytes;

/// Files from this size on are mapped.
const LARGE: u64 = 1 << 16;

/// The bytes of a file, or a sentence why there are none.
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
    // SAFETY: nothing writes through the map. What a map asks beyond that is that nobody changes
    // the file in place while we run: this program puts new tables in the place of old ones by
    // renaming, which leaves the mapped file as it was.
    let map = unsafe { memmap2::Mmap::map(&file)? };
    Ok(Arc::new(map))
}
