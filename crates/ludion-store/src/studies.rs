//! Storage of studies, which are runs other than plans of games; their outputs are stored one by
//! one. Also of cached values: results that are expensive to compute and that other runs can use,
//! stored under a name that states everything they depend on.

use std::time::Duration;

use ludion_players::arena::plan::GamesPlan;
use rusqlite::types::ValueRef;
use rusqlite::{OptionalExtension, params};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::checksums::{self, RowChecksum};
use crate::{RunId, Store, StoreError, StoredRun, rows};

/// Plan of a study, with everything needed to run it again.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct StudyPlan {
    /// Name of the kind of study, such as `mastermind table`.
    pub kind: String,
    /// Short description for lists of runs.
    pub about: String,
    /// Largest number of outputs that the finished run can have.
    pub jobs: u64,
    /// Seed of all random numbers of the study.
    pub seed: u64,
    /// Settings as JSON, in the form that the kind defines.
    pub settings: serde_json::Value,
}

impl StudyPlan {
    /// Makes a plan; `settings` are those of the kind.
    ///
    /// # Errors
    /// When the settings cannot be written as JSON.
    pub fn new(
        kind: &str,
        about: String,
        jobs: u64,
        seed: u64,
        settings: &impl Serialize,
    ) -> Result<Self, StoreError> {
        let settings = serde_json::to_value(settings)
            .map_err(|error| StoreError::Invalid(format!("the settings are no JSON: {error}")))?;
        Ok(StudyPlan { kind: kind.to_owned(), about, jobs, seed, settings })
    }

    /// Parses the settings as the settings type of the kind.
    ///
    /// # Errors
    /// When the settings belong to another kind or version.
    pub fn settings<T: DeserializeOwned>(&self) -> Result<T, StoreError> {
        T::deserialize(&self.settings).map_err(|error| StoreError::Invalid(error.to_string()))
    }
}

/// Plan of a run of either type.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(untagged)]
#[allow(clippy::large_enum_variant, reason = "a program has few plans at a time")]
pub enum RunPlan {
    /// Plan of games between players.
    Games(GamesPlan),
    /// Plan of a study.
    Study(StudyPlan),
}

impl RunPlan {
    /// Returns the name of the kind of run, such as `match` or `learn`.
    #[must_use]
    pub fn kind(&self) -> &str {
        match self {
            RunPlan::Games(plan) => plan.kind.name(),
            RunPlan::Study(study) => &study.kind,
        }
    }
}

/// Output of a job of a study, or record of a study, with its number and computing time.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct JobOutput<T> {
    /// Number of the job in its stage, or of the record in its run, from 0.
    pub number: u64,
    /// Time that it took to compute the value.
    pub took: Duration,
    /// The output or record itself.
    pub value: T,
}

impl Store {
    /// Stores the plan of a new study and returns the number of its run.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub fn begin_study(&mut self, study: &StudyPlan) -> Result<RunId, StoreError> {
        let transaction = self.connection.transaction()?;
        transaction.execute(
            "INSERT INTO runs (kind, game, plan, seed, version, state)
             VALUES (?1, ?2, ?3, ?4, ?5, 'running')",
            params![
                study.kind,
                study.about,
                rows::to_json(study)?,
                study.seed.to_string(),
                self.version,
            ],
        )?;
        let id = transaction.last_insert_rowid();
        checksums::RUN.seal(&transaction, id)?;
        checksums::RUN_STATE.seal(&transaction, id)?;
        transaction.commit()?;
        Ok(id)
    }

    /// Returns the study with this number.
    ///
    /// # Errors
    /// When there is no such run, or it is a plan of games.
    pub fn study(&self, id: RunId) -> Result<StoredRun<StudyPlan>, StoreError> {
        let run = self.any_run(id)?;
        match run.plan.clone() {
            RunPlan::Study(study) => Ok(run.with_plan(study)),
            RunPlan::Games(plan) => {
                Err(StoreError::OtherKind { id, kind: plan.kind.name().to_owned() })
            }
        }
    }

    /// Returns the newest run of exactly this plan that this version of Ludion started, or `None`
    /// if there is none.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn find_study(
        &self,
        study: &StudyPlan,
    ) -> Result<Option<StoredRun<StudyPlan>>, StoreError> {
        let found = self.newest(&rows::to_json(study)?)?;
        Ok(found.map(|run| run.with_plan(study.clone())))
    }

    /// Stores outputs of a study in one transaction. Outputs whose numbers are already stored are
    /// ignored.
    ///
    /// # Errors
    /// When the store cannot be written; then none of the outputs is stored.
    pub fn keep_outputs<'a, T: Serialize + 'a>(
        &mut self,
        run: RunId,
        outputs: impl IntoIterator<Item = &'a JobOutput<T>>,
    ) -> Result<(), StoreError> {
        let transaction = self.connection.transaction()?;
        {
            let mut insert = transaction.prepare_cached(
                "INSERT OR IGNORE INTO outputs (run, number, nanos, output, checksum)
                 VALUES (?1, ?2, ?3, ?4, ?5)",
            )?;
            for output in outputs {
                let nanos = output.took.as_nanos() as i64;
                let value = rows::to_json(&output.value)?;
                let number = output.number as i64;
                let sum = RowChecksum::new().int(run).int(number).int(nanos).text(&value).finish();
                insert.execute(params![run, number, nanos, value, sum])?;
            }
        }
        transaction.commit()?;
        Ok(())
    }

    /// Returns the outputs of a study, ordered by number.
    ///
    /// # Errors
    /// When an output cannot be parsed as this type, or the store cannot be read.
    pub fn outputs<T: DeserializeOwned>(
        &self,
        run: RunId,
    ) -> Result<Vec<JobOutput<T>>, StoreError> {
        let mut statement = self
            .connection
            .prepare("SELECT number, nanos, output FROM outputs WHERE run = ?1 ORDER BY number")?;
        let mut found = statement.query(params![run])?;
        let mut outputs = Vec::new();
        while let Some(row) = found.next()? {
            outputs.push(JobOutput {
                number: row.get::<_, i64>(0)?.unsigned_abs(),
                took: Duration::from_nanos(row.get::<_, i64>(1)?.unsigned_abs()),
                value: rows::from_json(&row.get::<_, String>(2)?)?,
            });
        }
        Ok(outputs)
    }

    /// Returns the cached value of this kind and name, if there is one.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn cache_get(&self, kind: &str, name: &str) -> Result<Option<Vec<u8>>, StoreError> {
        let sql = "SELECT value FROM keepsakes WHERE kind = ?1 AND name = ?2";
        Ok(self.connection.query_row(sql, params![kind, name], |row| row.get(0)).optional()?)
    }

    /// Stores a cached value; replaces the one that has the same kind and name.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub fn cache_put(&mut self, kind: &str, name: &str, value: &[u8]) -> Result<(), StoreError> {
        let sum = RowChecksum::new().text(kind).text(name).add(ValueRef::Blob(value)).finish();
        let sql = "INSERT OR REPLACE INTO keepsakes (kind, name, value, checksum)
                   VALUES (?1, ?2, ?3, ?4)";
        self.connection.execute(sql, params![kind, name, value, sum])?;
        Ok(())
    }
}
