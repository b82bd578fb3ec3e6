//! Where runs are kept: `--store PATH`, the variable LUDION_STORE, or a file in the platform's
//! folder for data.

use std::path::PathBuf;

use clap::Args;
use directories::ProjectDirs;
use ludion_store::{RunId, Store, Study};

use crate::failure::Failure;

/// The option of every command that keeps or reads runs.
#[derive(Args, Clone)]
pub(crate) struct StoreOption {
    /// The file that keeps runs and games; ":memory:" keeps them while the program runs,
    /// "none" not at all [default: a file in your data folder]
    #[arg(long, value_name = "PATH", env = "LUDION_STORE", hide_env_values = true)]
    store: Option<String>,
}

/// Where runs go.
pub(crate) enum Storage {
    /// Nowhere.
    None,
    /// Into a store.
    Store(Store),
}

impl From<Storage> for Option<Store> {
    fn from(storage: Storage) -> Self {
        match storage {
            Storage::None => None,
            Storage::Store(store) => Some(store),
        }
    }
}

impl StoreOption {
    /// Where new runs go; a file that does not exist is made.
    pub(crate) fn open(&self) -> Result<Storage, Failure> {
        Ok(match self.store.as_deref() {
            Some("none") => Storage::None,
            Some(":memory:") => Storage::Store(Store::in_memory()?),
            Some("") => {
                return Err(Failure::Usage("--store needs the name of a file".to_owned()));
            }
            Some(path) => Storage::Store(Store::open(&PathBuf::from(path))?),
            None => Storage::Store(Store::open(&default_path()?)?),
        })
    }

    /// The folder of the file, where there is one.
    pub(crate) fn folder(&self) -> Result<Option<PathBuf>, Failure> {
        let path = match self.store.as_deref() {
            Some("none" | ":memory:") => return Ok(None),
            Some(path) => std::path::absolute(path)?,
            None => default_path()?,
        };
        Ok(path.parent().map(PathBuf::from))
    }

    /// The store that runs are read from. A file that somebody names must be there.
    pub(crate) fn existing(&self) -> Result<Store, Failure> {
        if let Some(path) = self.store.as_deref()
            && !["none", ":memory:", ""].contains(&path)
            && !PathBuf::from(path).exists()
        {
            return Err(Failure::Usage(format!("there is no store {path}")));
        }
        match self.open()? {
            Storage::Store(store) => Ok(store),
            Storage::None => Err(Failure::Usage("--store none keeps nothing to read".to_owned())),
        }
    }

    /// Begins a run of a study, where runs are kept.
    pub(crate) fn begin(&self, study: &Study) -> Result<Option<(Store, RunId)>, Failure> {
        let Storage::Store(mut store) = self.open()? else { return Ok(None) };
        let run = store.begin_study(study)?;
        Ok(Some((store, run)))
    }

    /// Says after how much a run was stopped and how to go on with it.
    pub(crate) fn stopped(&self, run: Option<RunId>, done: &str) -> Failure {
        let option =
            self.store.as_ref().map_or_else(String::new, |path| format!(" --store {path}"));
        Failure::Stopped(match run {
            Some(run) => {
                format!("stopped after {done}; go on with: ludion run resume {run}{option}")
            }
            None => format!("stopped after {done}; nothing was kept"),
        })
    }
}

fn default_path() -> Result<PathBuf, Failure> {
    let folders = ProjectDirs::from("", "", "ludion").ok_or_else(|| {
        Failure::Failed("this system names no folder for data; name a file with --store".to_owned())
    })?;
    Ok(folders.data_dir().join("ludion.sqlite"))
}
