//! The folder of data: its files are told apart by their first bytes, whatever they are called.
//! What was found of a file is kept until the file changes, for large archives take a while.

use std::collections::HashMap;
use std::fs::{self, File, Metadata};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

use ludion::registry::Registry;
use serde::Serialize;
use serde_json::Value;

use super::{archive, model};
use crate::lab::reply::Refusal;

/// A folder, or none.
pub(crate) struct Folder {
    path: Option<PathBuf>,
    known: Mutex<HashMap<String, (Stamp, Thing)>>,
}

/// When a file is the same: its length and when it was written.
type Stamp = (u64, Option<SystemTime>);

/// A file that something can be learned from, or that was learned.
#[derive(Clone, Serialize)]
pub(super) struct Thing {
    /// Its name in the folder.
    file: String,
    bytes: u64,
    #[serde(flatten)]
    what: What,
}

/// What a file turned out to be.
#[derive(Clone, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub(super) enum What {
    /// Games to learn from.
    Archive(archive::About),
    /// A trained network.
    Network(Model),
    /// Learned patterns.
    Patterns(Model),
    /// It is one of these, and does not read.
    Broken {
        /// Why.
        error: String,
    },
}

/// Something that judges positions.
#[derive(Clone, Serialize)]
pub(super) struct Model {
    /// The game it is of.
    pub(super) game: String,
    /// Who thinks by it, one ply ahead.
    pub(super) player: String,
    /// How it was trained, as its file says.
    pub(super) training: Value,
}

/// A model that is larger is not read here.
const MOST_BYTES: u64 = 256 << 20;
/// Files that are looked at.
const MOST_FILES: usize = 1000;

impl Folder {
    pub(crate) fn new(path: Option<PathBuf>) -> Self {
        Folder { path, known: Mutex::default() }
    }

    /// Where it is.
    pub(super) fn name(&self) -> Option<String> {
        self.path.as_ref().map(|path| path.display().to_string())
    }

    /// The path of a file in the folder: nothing leads out of it.
    pub(super) fn find(&self, file: &str) -> Result<PathBuf, Refusal> {
        let unknown =
            || Refusal::Unknown(format!("there is no file {file:?} in the folder of data"));
        let entries = self.entries().map_err(|_| unknown())?;
        entries.into_iter().find(|(name, _)| name == file).map(|(_, path)| path).ok_or_else(unknown)
    }

    /// Everything in the folder that something can be learned from, or that was learned, by name.
    pub(super) fn things(&self, registry: &Registry) -> Result<Vec<Thing>, Refusal> {
        let entries = self.entries().map_err(|error| {
            let folder = self.name().unwrap_or_default();
            Refusal::Bad(format!("the folder {folder} cannot be read: {error}"))
        })?;
        Ok(entries.iter().filter_map(|(file, path)| self.look(registry, file, path)).collect())
    }

    fn entries(&self) -> io::Result<Vec<(String, PathBuf)>> {
        let Some(path) = &self.path else { return Ok(Vec::new()) };
        if !path.exists() {
            return Ok(Vec::new());
        }
        let mut found = Vec::new();
        for entry in fs::read_dir(path)?.take(MOST_FILES) {
            let path = entry?.path();
            if let (true, Some(name)) = (path.is_file(), path.file_name().and_then(|n| n.to_str()))
            {
                found.push((name.to_owned(), path));
            }
        }
        found.sort();
        Ok(found)
    }

    /// What a file is; nothing for one that has nothing to do with learning.
    fn look(&self, registry: &Registry, file: &str, path: &Path) -> Option<Thing> {
        let about = fs::metadata(path).ok()?;
        let stamp = stamp(&about);
        let known = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, thing)) = known().get(file).filter(|(known, _)| *known == stamp) {
            return Some(thing.clone());
        }
        let what = what(registry, path, about.len())?;
        let thing = Thing { file: file.to_owned(), bytes: about.len(), what };
        known().insert(file.to_owned(), (stamp, thing.clone()));
        Some(thing)
    }
}

fn stamp(about: &Metadata) -> Stamp {
    (about.len(), about.modified().ok())
}

fn what(registry: &Registry, path: &Path, length: u64) -> Option<What> {
    let mut first = [0; 16];
    let count = File::open(path).and_then(|mut file| file.read(&mut first)).ok()?;
    let first = &first[..count];
    let found = if first.starts_with(archive::MAGIC) {
        archive::about(registry, path).map(What::Archive)
    } else if model::is_one(first) {
        match length {
            0..=MOST_BYTES => model::read(path),
            _ => Err(format!("it has {length} bytes; at most {MOST_BYTES} are read here")),
        }
    } else {
        return None;
    };
    Some(found.unwrap_or_else(|error| What::Broken { error }))
}
