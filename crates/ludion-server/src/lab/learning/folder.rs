//! The folder of data: archives and models, by the endings that this program gives them. What
//! was found of a file is kept until the file changes, for large archives take a while.
//!
//! Players whom a request names find their files here and nowhere else. Nothing leads out of the
//! folder, no pipe or device is opened, and the store, which may lie in it, is never touched:
//! closing any descriptor of its file would take SQLite's locks away from this program.

use std::collections::HashMap;
use std::fs::{self, File, Metadata};
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use ludion::assets::Assets;
use ludion::registry::Registry;
use serde::Serialize;
use serde_json::Value;

use super::{archive, model};
use crate::lab::error::LabError;

/// A folder, or none.
pub(crate) struct DataFolder {
    path: Option<PathBuf>,
    /// Files that are not opened, wherever they lie and whatever they are called.
    closed: Vec<PathBuf>,
    known: Mutex<HashMap<String, (FileStamp, DataFile)>>,
}

/// When a file is the same: its length and when it was written.
type FileStamp = (u64, Option<SystemTime>);

/// A file that something can be learned from, or that was learned.
#[derive(Clone, Serialize)]
pub(super) struct DataFile {
    /// Its name in the folder.
    file: String,
    bytes: u64,
    #[serde(flatten)]
    what: DataFileKind,
}

/// What a file turned out to be.
#[derive(Clone, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub(super) enum DataFileKind {
    /// Games to learn from.
    Archive(archive::ArchiveSummary),
    /// A trained network.
    Network(ModelSummary),
    /// Learned patterns.
    Patterns(ModelSummary),
    /// It is one of these, and does not read.
    Broken {
        /// Why.
        error: String,
    },
}

/// Something that judges positions.
#[derive(Clone, Serialize)]
pub(super) struct ModelSummary {
    /// The game it is of.
    pub(super) game: String,
    /// Who thinks by it, one ply ahead.
    pub(super) player: String,
    /// How it was trained, as its file says.
    pub(super) training: Value,
}

/// How archives, networks, patterns and tables of endgames are called.
const ENDINGS: [&str; 4] = ["games", "safetensors", "lpat", "endgames"];
/// A model that is larger is not described here.
const MAX_BYTES: u64 = 256 << 20;
/// A file that is larger is not given to players: the largest table of endgames has half as much.
const LARGEST: u64 = 1 << 30;
/// Files that are looked at.
const MAX_FILES: usize = 1000;

impl DataFolder {
    /// The folder at `path`, whatever lies in it but for `closed`.
    pub(crate) fn new(path: Option<PathBuf>, closed: Vec<PathBuf>) -> Self {
        DataFolder { path, closed, known: Mutex::default() }
    }

    /// Where it is.
    pub(super) fn name(&self) -> Option<String> {
        self.path.as_ref().map(|path| path.display().to_string())
    }

    /// A shelf with the files of the folder, read as `files` reads them.
    pub(crate) fn assets(self: &Arc<Self>, files: Assets) -> Assets {
        let (folder, stamped) = (Arc::clone(self), Arc::clone(self));
        Assets::new(move |name| {
            let (path, about) = folder.locate(name).ok_or_else(|| no_such(name))?;
            if about.len() > LARGEST {
                let length = about.len();
                return Err(format!("{name} has {length} bytes; at most {LARGEST} are read here"));
            }
            files.fetch(path.to_str().ok_or_else(|| no_such(name))?)
        })
        .stamped(move |name| {
            stamped
                .locate(name)
                .map_or_else(String::new, |(_, about)| format!("{:?}", stamp(&about)))
        })
    }

    /// The path of an archive in the folder.
    pub(super) fn find(&self, file: &str) -> Result<PathBuf, LabError> {
        let found = self.locate(file).map(|(path, _)| path);
        found.ok_or_else(|| LabError::Unknown(no_such(file)))
    }

    /// A file that may be opened, by its name or by its whole path.
    fn locate(&self, name: &str) -> Option<(PathBuf, Metadata)> {
        let folder = self.path.as_ref()?;
        let name = Path::new(name);
        let mut inside = name.strip_prefix(folder).unwrap_or(name).components();
        let (Some(Component::Normal(file)), None) = (inside.next(), inside.next()) else {
            return None;
        };
        let path = folder.join(file);
        if !ENDINGS.iter().any(|&ending| path.extension().is_some_and(|is| is == ending)) {
            return None;
        }
        let about = fs::metadata(&path).ok().filter(Metadata::is_file)?;
        let is_here = path.canonicalize().ok()?.parent() == folder.canonicalize().ok().as_deref();
        let is_closed = self.closed.iter().any(|closed| is_same(&about, &path, closed));
        (is_here && !is_closed).then_some((path, about))
    }

    /// Everything in the folder that something can be learned from, or that was learned, by name.
    pub(super) fn things(&self, registry: &Registry) -> Result<Vec<DataFile>, LabError> {
        let entries = self.entries().map_err(|error| {
            let folder = self.name().unwrap_or_default();
            LabError::Bad(format!("the folder {folder} cannot be read: {error}"))
        })?;
        let things =
            entries.iter().filter_map(|(file, path, about)| self.look(registry, file, path, about));
        let things = things.collect();
        self.known().retain(|file, _| entries.iter().any(|(there, ..)| there == file));
        Ok(things)
    }

    fn entries(&self) -> io::Result<Vec<(String, PathBuf, Metadata)>> {
        let Some(path) = self.path.as_ref().filter(|path| path.exists()) else {
            return Ok(Vec::new());
        };
        let mut found = Vec::new();
        for entry in fs::read_dir(path)? {
            if let Ok(name) = entry?.file_name().into_string()
                && let Some((path, about)) = self.locate(&name)
            {
                found.push((name, path, about));
            }
        }
        found.sort_by(|(a, ..), (b, ..)| a.cmp(b));
        found.truncate(MAX_FILES);
        Ok(found)
    }

    fn known(&self) -> MutexGuard<'_, HashMap<String, (FileStamp, DataFile)>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What a file is; nothing for one that has nothing to do with learning.
    fn look(
        &self,
        registry: &Registry,
        file: &str,
        path: &Path,
        about: &Metadata,
    ) -> Option<DataFile> {
        let stamp = stamp(about);
        if let Some((_, thing)) = self.known().get(file).filter(|(known, _)| *known == stamp) {
            return Some(thing.clone());
        }
        let what = what(registry, path, about.len())?;
        let thing = DataFile { file: file.to_owned(), bytes: about.len(), what };
        self.known().insert(file.to_owned(), (stamp, thing.clone()));
        Some(thing)
    }
}

/// What is said of every file that is not here, whether it is somewhere else or not.
fn no_such(name: &str) -> String {
    format!("{name:?} is no archive and no model of the folder of data")
}

/// Whether a file is `closed`, perhaps by another name.
#[cfg(unix)]
fn is_same(about: &Metadata, _path: &Path, closed: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    fs::metadata(closed).is_ok_and(|it| (it.dev(), it.ino()) == (about.dev(), about.ino()))
}

#[cfg(not(unix))]
fn is_same(_about: &Metadata, path: &Path, closed: &Path) -> bool {
    matches!((path.canonicalize(), closed.canonicalize()), (Ok(a), Ok(b)) if a == b)
}

fn stamp(about: &Metadata) -> FileStamp {
    (about.len(), about.modified().ok())
}

fn what(registry: &Registry, path: &Path, length: u64) -> Option<DataFileKind> {
    let mut first = [0; 16];
    let count = File::open(path).and_then(|mut file| file.read(&mut first)).ok()?;
    let first = &first[..count];
    let found = if first.starts_with(archive::MAGIC) {
        archive::about(registry, path).map(DataFileKind::Archive)
    } else if model::is_one(first) {
        match length {
            0..=MAX_BYTES => model::read(path),
            _ => Err(format!("it has {length} bytes; at most {MAX_BYTES} are read here")),
        }
    } else {
        return None;
    };
    Some(found.unwrap_or_else(|error| DataFileKind::Broken { error }))
}
