//! The data folder: archives and models, recognised by their extensions. The summary of a file is
//! cached until the file changes, because large archives take a while to read.
//!
//! Players named by a request find their files here and nowhere else. Paths out of the folder,
//! pipes and devices are refused. The store may be in the folder, but its file is never opened
//! here: closing any descriptor of it would release SQLite's locks.

use std::collections::HashMap;
use std::fs::{self, Metadata};
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use ludion_players::assets::Assets;
use ludion_players::registry::Registry;
use ludion_store::open_regular_file;
use serde::Serialize;
use serde_json::Value;

use super::{archive, model};
use crate::lab::error::LabError;

/// The data folder, if the laboratory has one, with the summaries of its files.
pub(crate) struct DataFolder {
    path: Option<PathBuf>,
    /// Files that are never opened, even under another name: those of the store.
    closed: Vec<PathBuf>,
    /// Cached summaries by file name.
    known: Mutex<HashMap<String, (FileStamp, DataFile)>>,
}

/// Length in bytes and modification time of a file, by which a change is detected.
type FileStamp = (u64, Option<SystemTime>);

/// A file of the data folder with its summary.
#[derive(Clone, Serialize)]
pub(super) struct DataFile {
    /// Name of the file in the folder.
    file: String,
    bytes: u64,
    #[serde(flatten)]
    what: DataFileKind,
}

/// The kind of a data file, with the summary of its content.
#[derive(Clone, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub(super) enum DataFileKind {
    /// An archive of games.
    Archive(archive::ArchiveSummary),
    /// A trained network.
    Network(ModelSummary),
    /// A model of learned patterns.
    Patterns(ModelSummary),
    /// A network with policy and value, learned from games against itself.
    Policy(ModelSummary),
    /// An archive or model that cannot be read.
    Broken {
        /// Why the file cannot be read.
        error: String,
    },
}

/// Summary of a model file: game, player and training.
#[derive(Clone, Serialize)]
pub(super) struct ModelSummary {
    /// The spec of the game that the model was trained for.
    pub(super) game: String,
    /// The spec of a player that uses the model with a search of one ply.
    pub(super) player: String,
    /// The spec of a stronger player, which searches with the model.
    pub(super) searching: String,
    /// Number of weights of the model.
    pub(super) weights: u64,
    /// Settings and results of the training, as the file describes them.
    pub(super) training: Value,
}

/// Extensions of the files that may be opened: archives, networks, patterns and endgame tables.
const EXTENSIONS: [&str; 4] = ["games", "safetensors", "lpat", "endgames"];
/// Extension of archives of games.
pub(super) const ARCHIVE_EXTENSION: &str = "games";
/// Extension of networks.
pub(crate) const NETWORK_EXTENSION: &str = "safetensors";
/// Extension of models of learned patterns.
pub(crate) const PATTERNS_EXTENSION: &str = "lpat";
/// Size of the largest model that is summarised, in bytes.
const MAX_MODEL_BYTES: u64 = 256 << 20;
/// Size of the largest file that players may read, in bytes: twice that of the largest endgame
/// table.
const MAX_ASSET_BYTES: u64 = 1 << 30;
/// Maximum number of files that a listing contains.
const MAX_FILES: usize = 1000;

impl DataFolder {
    /// Wraps the folder at `path`, in which the files `closed` are never opened.
    pub(crate) fn new(path: Option<PathBuf>, closed: Vec<PathBuf>) -> Self {
        DataFolder { path, closed, known: Mutex::default() }
    }

    /// Returns the folder's path as text, or `None` if the laboratory has no data folder.
    pub(super) fn name(&self) -> Option<String> {
        self.path.as_ref().map(|path| path.display().to_string())
    }

    /// Returns a source of assets that finds only files of this folder, and reads them through the
    /// source `files`.
    pub(crate) fn assets(self: &Arc<Self>, files: Assets) -> Assets {
        let (folder, stamped) = (Arc::clone(self), Arc::clone(self));
        Assets::new(move |name| {
            let (path, about) = folder.locate(name).ok_or_else(|| no_such_file(name))?;
            if about.len() > MAX_ASSET_BYTES {
                let length = about.len();
                return Err(format!(
                    "{name} has {length} bytes; at most {MAX_ASSET_BYTES} are read here"
                ));
            }
            files.fetch(path.to_str().ok_or_else(|| no_such_file(name))?)
        })
        .stamped(move |name| {
            stamped
                .locate(name)
                .map_or_else(String::new, |(_, about)| format!("{:?}", stamp(&about)))
        })
    }

    /// Returns the path of a file in the folder.
    pub(super) fn find(&self, file: &str) -> Result<PathBuf, LabError> {
        let found = self.locate(file).map(|(path, _)| path);
        found.ok_or_else(|| LabError::Unknown(no_such_file(file)))
    }

    /// Returns the path for a new file with this name and extension.
    ///
    /// # Errors
    /// When there is no folder, the name is no file name with this extension, or the file exists.
    pub(crate) fn new_file(&self, name: &str, extension: &str) -> Result<PathBuf, LabError> {
        let folder = self.path.as_ref().filter(|folder| folder.is_dir()).ok_or_else(|| {
            LabError::Bad("this laboratory has no data folder to write a file to".to_owned())
        })?;
        let mut parts = Path::new(name).components();
        let is_name = matches!((parts.next(), parts.next()), (Some(Component::Normal(_)), None));
        let path = folder.join(name);
        if !is_name || path.extension().is_none_or(|found| found != extension) {
            return Err(LabError::Bad(format!(
                "{name:?} is no name of a new file; it is a file name that ends in .{extension}"
            )));
        }
        match path.symlink_metadata() {
            Err(_) => Ok(path),
            Ok(_) => Err(LabError::Bad(format!("{name} exists already; choose another name"))),
        }
    }

    /// Returns whether a path is that of a model directly in the folder; the file need not exist.
    pub(crate) fn holds(&self, path: &Path) -> bool {
        let is_link = path.symlink_metadata().is_ok_and(|about| about.is_symlink());
        let parent = path.parent().and_then(|parent| parent.canonicalize().ok());
        let folder = self.path.as_ref().and_then(|folder| folder.canonicalize().ok());
        let is_model = path.extension().is_some_and(|extension| {
            extension == PATTERNS_EXTENSION || extension == NETWORK_EXTENSION
        });
        !is_link && folder.is_some() && parent == folder && is_model
    }

    /// Finds a file of the folder that may be opened, by its name or its full path.
    fn locate(&self, name: &str) -> Option<(PathBuf, Metadata)> {
        let folder = self.path.as_ref()?;
        let name = Path::new(name);
        let mut inside = name.strip_prefix(folder).unwrap_or(name).components();
        let (Some(Component::Normal(file)), None) = (inside.next(), inside.next()) else {
            return None;
        };
        let path = folder.join(file);
        if !EXTENSIONS.iter().any(|&extension| path.extension().is_some_and(|is| is == extension)) {
            return None;
        }
        let about = fs::metadata(&path).ok().filter(Metadata::is_file)?;
        let is_here = path.canonicalize().ok()?.parent() == folder.canonicalize().ok().as_deref();
        let is_closed = self.closed.iter().any(|closed| is_same_file(&about, &path, closed));
        (is_here && !is_closed).then_some((path, about))
    }

    /// Returns the summaries of the archives and models in the folder, sorted by name.
    pub(super) fn files(&self, registry: &Registry) -> Result<Vec<DataFile>, LabError> {
        let entries = self.entries().map_err(|error| {
            let folder = self.name().unwrap_or_default();
            LabError::Bad(format!("the folder {folder} cannot be read: {error}"))
        })?;
        let summaries = entries
            .iter()
            .filter_map(|(file, path, about)| self.summary(registry, file, path, about));
        let summaries = summaries.collect();
        self.known().retain(|file, _| entries.iter().any(|(there, ..)| there == file));
        Ok(summaries)
    }

    /// Returns name, path and metadata of the files that may be opened, sorted by name.
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

    /// Returns the summary of a file from the cache or by reading it; `None` if it is neither an
    /// archive nor a model.
    fn summary(
        &self,
        registry: &Registry,
        file: &str,
        path: &Path,
        about: &Metadata,
    ) -> Option<DataFile> {
        let stamp = stamp(about);
        if let Some((_, file_summary)) = self.known().get(file).filter(|(known, _)| *known == stamp)
        {
            return Some(file_summary.clone());
        }
        let what = read_summary(registry, path, about.len())?;
        let file_summary = DataFile { file: file.to_owned(), bytes: about.len(), what };
        self.known().insert(file.to_owned(), (stamp, file_summary.clone()));
        Some(file_summary)
    }
}

/// Returns the error of a name that is no file of the folder. It is the same whether the file
/// exists elsewhere or not, so that requests learn nothing about other folders.
fn no_such_file(name: &str) -> String {
    format!("{name:?} is no archive and no model of the folder of data")
}

/// Returns whether a file is the file `closed`, perhaps under another name.
#[cfg(unix)]
fn is_same_file(about: &Metadata, _path: &Path, closed: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    fs::metadata(closed).is_ok_and(|it| (it.dev(), it.ino()) == (about.dev(), about.ino()))
}

#[cfg(not(unix))]
fn is_same_file(_about: &Metadata, path: &Path, closed: &Path) -> bool {
    matches!((path.canonicalize(), closed.canonicalize()), (Ok(a), Ok(b)) if a == b)
}

fn stamp(about: &Metadata) -> FileStamp {
    (about.len(), about.modified().ok())
}

/// Recognises an archive or a model by its first bytes and summarises it; `None` for other files.
fn read_summary(registry: &Registry, path: &Path, length: u64) -> Option<DataFileKind> {
    let mut first = [0; 16];
    let count = open_regular_file(path).and_then(|mut file| file.read(&mut first)).ok()?;
    let first = &first[..count];
    let found = if first.starts_with(archive::MAGIC) {
        archive::summarise(registry, path).map(DataFileKind::Archive)
    } else if model::is_model(first) {
        match length {
            0..=MAX_MODEL_BYTES => model::read(path, MAX_MODEL_BYTES),
            _ => Err(format!("it has {length} bytes; at most {MAX_MODEL_BYTES} are read here")),
        }
    } else {
        return None;
    };
    Some(found.unwrap_or_else(|error| DataFileKind::Broken { error }))
}
