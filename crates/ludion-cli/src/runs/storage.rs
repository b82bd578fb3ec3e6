//! Where runs are kept: `--store PATH`, the variable LUDION_STORE, or a file in the platform's
//! folder for data.

use std::path::PathBuf;

use clap::Args;
use directories::ProjectDirs;
use ludion_store::{RunId, Store, StudyPlan};

use crate::failure::CommandFailure;

/// The option of every command that keeps or reads runs.
#[derive(Args, Clone)]
pub(crate) struct StoreArgs {
    /// The file that keeps runs and games; ":memory:" keeps them while the program runs,
    /// "none" not at all [default: a file in your data folder]
    #[arg(long, value_name = "PATH", env = "LUDION_STORE", hide_env_values = true)]
    store: Option<String>,
}

/// Where runs go.
pub(crate) enum OpenedStore {
    /// Nowhere.
    None,
    /// Into a store.
    Store(Store),
}

impl From<OpenedStore> for Option<Store> {
    fn from(storage: OpenedStore) -> Self {
        match storage {
            OpenedStore::None => None,
            OpenedStore::Store(store) => Some(store),
        }
    }
}

impl StoreArgs {
    /// Where new runs go; a file that does not exist is made.
    pub(crate) fn open(&self) -> Result<OpenedStore, CommandFailure> {
        Ok(match self.store.as_deref() {
            Some("none") => OpenedStore::None,
            Some(":memory:") => OpenedStore::Store(Store::in_memory()?),
            Some("") => {
                return Err(CommandFailure::Usage("--store needs the name of a file".to_owned()));
            }
            Some(path) => OpenedStore::Store(Store::open(&PathBuf::from(path))?),
            None => OpenedStore::Store(Store::open(&default_path()?)?),
        })
    }

    /// The folder of the file, where there is one.
    pub(crate) fn folder(&self) -> Result<Option<PathBuf>, CommandFailure> {
        let path = match self.store.as_deref() {
            Some("none" | ":memory:") => return Ok(None),
            Some(path) => std::path::absolute(path)?,
            None => default_path()?,
        };
        Ok(path.parent().map(PathBuf::from))
    }

    /// The store that runs are read from. A file that somebody names must be there.
    pub(crate) fn existing(&self) -> Result<Store, CommandFailure> {
        if let Some(path) = self.store.as_deref()
            && !["none", ":memory:", ""].contains(&path)
            && !PathBuf::from(path).exists()
        {
            return Err(CommandFailure::Usage(format!("there is no store {path}")));
        }
        match self.open()? {
            OpenedStore::Store(store) => Ok(store),
            OpenedStore::None => {
                Err(CommandFailure::Usage("--store none keeps nothing to read".to_owned()))
            }
        }
    }

    /// Begins a run of a study, where runs are kept.
    pub(crate) fn begin(
        &self,
        study: &StudyPlan,
    ) -> Result<Option<(Store, RunId)>, CommandFailure> {
        let OpenedStore::Store(mut store) = self.open()? else { return Ok(None) };
        let run = store.begin_study(study)?;
        Ok(Some((store, run)))
    }

    /// Says after how much a run was stopped and how to go on with it.
    pub(crate) fn stopped(&self, run: Option<RunId>, done: &str) -> CommandFailure {
        let option =
            self.store.as_ref().map_or_else(String::new, |path| format!(" --store {path}"));
        CommandFailure::Stopped(match run {
            Some(run) => {
                format!("stopped after {done}; go on with: ludion run resume {run}{option}")
            }
            None => format!("stopped after {done}; nothing was kept"),
        })
    }
}

fn default_path() -> Result<PathBuf, CommandFailure> {
    let folders = ProjectDirs::from("", "", "ludion").ok_or_else(|| {
        CommandFailure::Failed(
            "this system names no folder for data; name a file with --store".to_owned(),
        )
    })?;
    Ok(folders.data_dir().join("ludion.sqlite"))
}
