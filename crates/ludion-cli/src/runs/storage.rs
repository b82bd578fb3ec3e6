//! The store of runs: the file of `--store PATH` or of the variable LUDION_STORE, otherwise a
//! default file in the data folder of the user.

use std::env::{self, VarError};
use std::path::PathBuf;

use clap::Args;
use directories::ProjectDirs;
use ludion_store::{RunId, Store, StoreError, StudyPlan};

use super::interrupt;
use crate::failure::CommandFailure;

/// Option of every command that writes or reads runs.
#[derive(Args, Clone)]
pub(crate) struct StoreArgs {
    /// The file that keeps runs and games; ":memory:" keeps them while the program runs,
    /// "none" not at all [default: ludion.sqlite in your data folder, which is
    /// ~/.local/share/ludion on Linux]
    #[arg(long, value_name = "PATH", env = STORE_VARIABLE, hide_env_values = true)]
    store: Option<String>,
}

const STORE_VARIABLE: &str = "LUDION_STORE";

/// Returns the value of an environment variable, or `None` if it is not set.
pub(crate) fn read_env(name: &str) -> Result<Option<String>, CommandFailure> {
    match env::var(name) {
        Ok(text) => Ok(Some(text)),
        Err(VarError::NotPresent) => Ok(None),
        Err(VarError::NotUnicode(_)) => {
            Err(CommandFailure::Usage(format!("the variable {name} is not valid UTF-8")))
        }
    }
}

impl StoreArgs {
    /// Returns the option of a command line without `--store`: the value of the environment
    /// variable.
    pub(crate) fn from_env() -> Result<Self, CommandFailure> {
        Ok(StoreArgs { store: read_env(STORE_VARIABLE)? })
    }

    /// Opens the store for new runs and creates the file if there is none; returns `None` for
    /// `--store none`.
    pub(crate) fn open(&self) -> Result<Option<Store>, CommandFailure> {
        Ok(self.try_open()??)
    }

    fn try_open(&self) -> Result<Result<Option<Store>, StoreError>, CommandFailure> {
        let store = match self.store.as_deref() {
            Some("none") => return Ok(Ok(None)),
            Some(":memory:") => Store::in_memory(),
            Some("") => {
                return Err(CommandFailure::Usage("--store needs the name of a file".to_owned()));
            }
            Some(path) => Store::open(&PathBuf::from(path)),
            None => Store::open(&default_path()?),
        };
        Ok(store.map(|store| Some(store.by_version(crate::VERSION))))
    }

    /// Returns the folder of the store's file, or `None` if the store is not a file.
    pub(crate) fn folder(&self) -> Result<Option<PathBuf>, CommandFailure> {
        let path = match self.store.as_deref() {
            Some("none" | ":memory:") => return Ok(None),
            Some(path) => std::path::absolute(path)?,
            None => default_path()?,
        };
        Ok(path.parent().map(PathBuf::from))
    }

    /// Opens the store to read runs; a file given by the user must exist.
    pub(crate) fn existing(&self) -> Result<Store, CommandFailure> {
        Ok(self.existing_or_error()??)
    }

    /// Opens the store to read runs, and returns the error of the store itself if it is damaged.
    pub(crate) fn existing_or_error(&self) -> Result<Result<Store, StoreError>, CommandFailure> {
        if let Some(path) = self.store.as_deref()
            && !["none", ":memory:", ""].contains(&path)
            && !PathBuf::from(path).exists()
        {
            return Err(CommandFailure::Usage(format!("there is no store {path}")));
        }
        let nothing = || CommandFailure::Usage("--store none keeps nothing to read".to_owned());
        self.try_open()?.transpose().ok_or_else(nothing)
    }

    /// Begins a run of a study; returns the store and the run, or `None` for `--store none`.
    pub(crate) fn begin(
        &self,
        study: &StudyPlan,
    ) -> Result<Option<(Store, RunId)>, CommandFailure> {
        let Some(mut store) = self.open()? else { return Ok(None) };
        let run = store.begin_study(study)?;
        Ok(Some((store, run)))
    }

    /// Returns the command that resumes a run; `None` if nothing of it is kept.
    fn resume_command(&self, run: Option<RunId>) -> Option<String> {
        if self.store.as_deref() == Some(":memory:") {
            return None;
        }
        let option =
            self.store.as_ref().map_or_else(String::new, |path| format!(" --store {path}"));
        run.map(|run| format!("ludion run resume {run}{option}"))
    }

    /// Sets what Ctrl-C makes standard error say at once: that `work` under way, a plural noun, is
    /// dropped, and how to resume the run.
    pub(crate) fn announce(&self, run: Option<RunId>, work: &str) {
        interrupt::announce(match self.resume_command(run) {
            Some(command) => {
                format!(
                    "{work} under way are dropped, and done again when you resume with: {command}"
                )
            }
            None => format!("{work} under way are dropped, and nothing is kept"),
        });
    }

    /// Returns the failure of a run that was stopped; its message says how to resume the run.
    pub(crate) fn stopped(&self, run: Option<RunId>, done: &str) -> CommandFailure {
        CommandFailure::Stopped(match self.resume_command(run) {
            Some(command) => format!("stopped after {done}; resume with: {command}"),
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
