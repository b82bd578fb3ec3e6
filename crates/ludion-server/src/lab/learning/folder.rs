//! The data folder: archives and models, recognised by their extensions. Summaries are cached until
//! the file changes, because large archives take a while to read.
//!
//! Players named by a request find their files here and nowhere else. No path leads out of the
//! folder, no pipe or device is opened, and the store, which may be in the folder, is never opened:
//! closing any descriptor of its file would release SQLite's locks.

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

/// The data folder, or none.
pub(crate) struct DataFolder {
    path: Option<PathBuf>,
    /// Files that are never opened, under any name.
    closed: Vec<PathBuf>,
    known: Mutex<HashMap<String, (FileStamp, DataFile)>>,
}

/// Length and modification time, by which a changed file is detected.
type FileStamp = (u64, Option<SystemTime>);

/// An archive or a model.
#[derive(Clone, Serialize)]
pub(super) struct DataFile {
    /// The file's name in the folder.
    file: String,
    bytes: u64,
    #[serde(flatten)]
    what: DataFileKind,
}

/// The content of a data file.
#[derive(Clone, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub(super) enum DataFileKind {
    /// An archive of games.
    Archive(archive::ArchiveSummary),
    /// A trained network.
    Network(ModelSummary),
    /// Learned patterns.
    Patterns(ModelSummary),
    /// A file that cannot be read.
    Broken {
        /// The reason.
        error: String,
    },
}

/// Summary of a model.
#[derive(Clone, Serialize)]
pub(super) struct ModelSummary {
    /// The game that it was trained for.
    pub(super) game: String,
    /// A player that uses the model with a search of one ply.
    pub(super) player: String,
    /// The training, as the file describes it.
    pub(super) training: Value,
}

/// Extensions of archives, networks, patterns and endgame tables.
const ENDINGS: [&str; 4] = ["games", "safetensors", "lpat", "endgames"];
/// The ending of learned patterns.
const MODEL_ENDING: &str = "lpat";
/// Largest model that is summarised, in bytes.
const MAX_BYTES: u64 = 256 << 20;
/// Largest file that players may read, in bytes; the largest endgame table has half of it.
const LARGEST: u64 = 1 << 30;
/// Most files that are listed.
const MAX_FILES: usize = 1000;

impl DataFolder {
    /// Creates the folder at `path`; files in `closed` are never opened.
    pub(crate) fn new(path: Option<PathBuf>, closed: Vec<PathBuf>) -> Self {
        DataFolder { path, closed, known: Mutex::default() }
    }

    /// Returns the folder's path as text.
    pub(super) fn name(&self) -> Option<String> {
        self.path.as_ref().map(|path| path.display().to_string())
    }

    /// Returns assets that are files of this folder, read by `files`.
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

    /// Returns the path of an archive in the folder.
    pub(super) fn find(&self, file: &str) -> Result<PathBuf, LabError> {
        let found = self.locate(file).map(|(path, _)| path);
        found.ok_or_else(|| LabError::Unknown(no_such(file)))
    }

    /// Returns the path of a model that does not exist yet, by its name in the folder.
    pub(crate) fn new_model(&self, name: &str) -> Result<PathBuf, LabError> {
        let folder = self.path.as_ref().filter(|folder| folder.is_dir()).ok_or_else(|| {
            LabError::Bad("this laboratory has no data folder to write a model to".to_owned())
        })?;
        let mut parts = Path::new(name).components();
        let is_name = matches!((parts.next(), parts.next()), (Some(Component::Normal(_)), None));
        let path = folder.join(name);
        if !is_name || path.extension().is_none_or(|ending| ending != MODEL_ENDING) {
            return Err(LabError::Bad(format!(
                "{name:?} is no name of a new model; it is a file name that ends in .{MODEL_ENDING}"
            )));
        }
        match path.symlink_metadata() {
            Err(_) => Ok(path),
            Ok(_) => Err(LabError::Bad(format!("{name} exists already; choose another name"))),
        }
    }

    /// Whether a path is that of a model in the folder.
    pub(crate) fn holds(&self, path: &Path) -> bool {
        let is_link = path.symlink_metadata().is_ok_and(|about| about.is_symlink());
        let parent = path.parent().and_then(|parent| parent.canonicalize().ok());
        let folder = self.path.as_ref().and_then(|folder| folder.canonicalize().ok());
        !is_link
            && folder.is_some()
            && parent == folder
            && path.extension().is_some_and(|ending| ending == MODEL_ENDING)
    }

    /// Finds a file that may be opened, by its name or its full path.
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

    /// Lists the archives and models in the folder by name.
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

    /// Returns the summary of a file, or `None` for other kinds of files.
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

/// The message for every file that is not in the folder, whether it exists elsewhere or not.
fn no_such(name: &str) -> String {
    format!("{name:?} is no archive and no model of the folder of data")
}

/// Whether a path is the file `closed`, perhaps under another name.
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
