//! Records and cached values of a study while it runs.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use ludion_store::{JobOutput, RunId, RunLock, RunState, Store};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{OutputKey, StoredJobOutput, Study, StudyRecords};
use crate::RunError;

/// Version of this program, part of the names of cached values.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Records of a running study, and access to its run in the store.
pub struct StudySession<R> {
    records: BTreeMap<u64, JobOutput<R>>,
    stored: Option<StoredStudy>,
    /// Kind of cached values in the store, as in [`Study::CACHE`].
    cache: &'static str,
    /// Whether `write_file` writes files; false for a repetition.
    writes_files: bool,
}

/// Run of a study in the store, locked against other programs.
struct StoredStudy {
    store: Store,
    run: RunId,
    /// Version of the program that began the run; cached values of that version are used as well.
    version: String,
    _lock: Option<RunLock>,
}

impl StoredStudy {
    /// Returns the program versions whose cached values are used.
    fn versions(&self) -> Vec<&str> {
        if self.version == VERSION { vec![VERSION] } else { vec![VERSION, &self.version] }
    }
}

impl<R: Clone + Serialize + DeserializeOwned> StudySession<R> {
    /// Locks the run, marks it as running and reads its records. Without a store there are no
    /// records at first.
    pub(super) fn open<S: Study<Record = R>>(
        storage: Option<(Store, RunId)>,
    ) -> Result<Self, RunError> {
        let nothing = Self::for_repetition::<S>();
        let Some((mut store, run)) = storage else {
            return Ok(StudySession { writes_files: true, ..nothing });
        };
        let lock = store.lock(run)?;
        store.set_state(run, RunState::Running)?;
        store.note_resumption(run)?;
        let records = store.outputs::<R>(run)?;
        let version = store.study(run)?.version;
        Ok(StudySession {
            records: records.into_iter().map(|record| (record.number, record)).collect(),
            stored: Some(StoredStudy { store, run, version, _lock: lock }),
            writes_files: true,
            ..nothing
        })
    }

    /// Returns a session for a repetition: without records, it stores nothing and writes no files.
    pub(super) fn for_repetition<S: Study<Record = R>>() -> Self {
        let records = BTreeMap::new();
        StudySession { records, stored: None, cache: S::CACHE, writes_files: false }
    }

    /// Returns the number of records.
    pub(super) fn len(&self) -> u64 {
        self.records.len() as u64
    }

    /// Returns the record with this number, or `None` if it is not known yet.
    #[must_use]
    pub fn record(&self, number: u64) -> Option<&R> {
        self.records.get(&number).map(|record| &record.value)
    }

    /// Returns a cached value. `name` returns its name for a given version of the program; values
    /// of this version and of the version that began the run are found.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn cached(&self, name: impl Fn(&str) -> String) -> Result<Option<Vec<u8>>, RunError> {
        let Some(stored) = &self.stored else { return Ok(None) };
        for version in stored.versions() {
            let value = stored.store.cache_get(self.cache, &name(version))?;
            if let Some(value) = value.filter(|value| !value.is_empty()) {
                return Ok(Some(value));
            }
        }
        Ok(None)
    }

    /// Stores a cached value under the name that `name` returns for this version of the program.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub fn cache(&mut self, name: impl Fn(&str) -> String, value: &[u8]) -> Result<(), RunError> {
        if let Some(StoredStudy { store, .. }) = &mut self.stored {
            store.cache_put(self.cache, &name(VERSION), value)?;
        }
        Ok(())
    }

    /// Replaces a cached value that is no longer needed by an empty one.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub fn drop_cached(&mut self, name: impl Fn(&str) -> String) -> Result<(), RunError> {
        let Some(stored) = &mut self.stored else { return Ok(()) };
        for name in stored.versions().into_iter().map(name).collect::<Vec<_>>() {
            let value = stored.store.cache_get(self.cache, &name)?;
            if value.is_some_and(|value| !value.is_empty()) {
                stored.store.cache_put(self.cache, &name, &[])?;
            }
        }
        Ok(())
    }

    /// Returns the output of a job of the current stage, or `None` if it is not stored. Its
    /// computing time is zero if that is not stored.
    pub(super) fn known<S: Study<Record = R>>(
        &self,
        study: &S,
        job: u64,
    ) -> Result<Option<JobOutput<super::Output<S>>>, RunError> {
        let (took, stored) = match study.output_key(job, VERSION) {
            OutputKey::Record(number) => match self.records.get(&number) {
                Some(record) => (record.took, StoredJobOutput::Record(record.value.clone())),
                None => return Ok(None),
            },
            OutputKey::Cached(_) => {
                let name = |version: &str| match study.output_key(job, version) {
                    OutputKey::Cached(name) => name,
                    OutputKey::Record(_) => String::new(),
                };
                match self.cached(name)? {
                    Some(value) => (Duration::ZERO, StoredJobOutput::Cached(value)),
                    None => return Ok(None),
                }
            }
        };
        Ok(S::load_output(stored).map(|value| JobOutput { number: job, took, value }))
    }

    /// Stores outputs of the current stage as records or as cached values.
    pub(super) fn keep<S: Study<Record = R>>(
        &mut self,
        study: &S,
        outputs: &[&JobOutput<super::Output<S>>],
    ) -> Result<(), RunError> {
        let mut records = Vec::new();
        for output in outputs {
            match (study.output_key(output.number, VERSION), S::store_output(&output.value)) {
                (OutputKey::Record(number), StoredJobOutput::Record(value)) => {
                    records.push(JobOutput { number, took: output.took, value });
                }
                (OutputKey::Cached(name), StoredJobOutput::Cached(value)) => {
                    self.cache(|_| name.clone(), &value)?;
                }
                _ => return Err(RunError::Failed("an output does not fit its key".to_owned())),
            }
        }
        self.keep_records(records)
    }

    /// Adds records and stores them.
    pub(super) fn keep_records(&mut self, records: Vec<JobOutput<R>>) -> Result<(), RunError> {
        if let Some(StoredStudy { store, run, .. }) = &mut self.stored
            && !records.is_empty()
        {
            store.keep_outputs(*run, &records)?;
        }
        self.records.extend(records.into_iter().map(|record| (record.number, record)));
        Ok(())
    }

    /// Writes a file that the settings ask for; a repetition writes none.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn write_file(&self, path: &Path, bytes: &[u8]) -> Result<(), RunError> {
        if !self.writes_files {
            return Ok(());
        }
        ludion_store::replace_file(path, bytes).map_err(|error| {
            RunError::Failed(format!("{} cannot be written: {error}", path.display()))
        })
    }

    /// Marks the run as finished or stopped, and returns its records.
    pub(super) fn close(mut self, complete: bool) -> Result<StudyRecords<R>, RunError> {
        if let Some(StoredStudy { store, run, .. }) = &mut self.stored {
            let state = if complete { RunState::Finished } else { RunState::Stopped };
            store.set_state(*run, state)?;
        }
        let run = self.stored.as_ref().map(|stored| stored.run);
        let records = self.records.into_values().collect();
        Ok(StudyRecords { run, records, complete, effort: None })
    }
}
