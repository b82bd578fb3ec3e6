//! The inputs in the folder `corpus`, from which the driver makes others.

use std::path::PathBuf;
use std::{fs, io};

use crate::FuzzTarget;

/// An input of the corpus with the name of its file.
pub struct CorpusInput {
    /// Name of the file, which says what the input is or which bug it revealed.
    pub name: String,
    /// The bytes that the target gets.
    pub bytes: Vec<u8>,
}

/// Returns the folder of the inputs of a target.
#[must_use]
pub fn folder(target: &FuzzTarget) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("corpus").join(target.name)
}

/// Reads all inputs of a target, in the order of their names.
///
/// # Errors
/// When the folder or a file of it cannot be read.
pub fn read(target: &FuzzTarget) -> io::Result<Vec<CorpusInput>> {
    let mut inputs = Vec::new();
    for entry in fs::read_dir(folder(target))? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        inputs.push(CorpusInput { name, bytes: fs::read(&path)? });
    }
    inputs.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(inputs)
}
