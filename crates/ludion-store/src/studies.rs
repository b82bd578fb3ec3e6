//! Runs that play no games: a study is cut into jobs whose outputs are kept one by one. And
//! keepsakes: things that were expensive to find and are the same for everybody.

use std::time::Duration;

use ludion::arena::plan::MatchPlan;
use rusqlite::{OptionalExtension, params};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::{RunId, Store, StoreError, StoredRun, rows};

/// Work of another kind than games, with everything needed to do it again. The output of every
/// job is a function of the study and the job's number.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct StudyPlan {
    /// What kind of work it is, such as `mastermind table`.
    pub kind: String,
    /// What it is about, in a few words for a list of runs.
    pub about: String,
    /// How many jobs it has.
    pub jobs: u64,
    /// What its randomness is drawn from.
    pub seed: u64,
    /// All that its kind needs to know.
    pub settings: serde_json::Value,
}

impl StudyPlan {
    /// A study whose kind needs to know `settings`.
    ///
    /// # Errors
    /// When they cannot be written down.
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

    /// The settings as the type of their kind.
    ///
    /// # Errors
    /// When they are those of another kind or version.
    pub fn settings<T: DeserializeOwned>(&self) -> Result<T, StoreError> {
        T::deserialize(&self.settings).map_err(|error| StoreError::Invalid(error.to_string()))
    }
}

/// What a run was asked to do.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(untagged)]
pub enum RunPlan {
    /// Games between players.
    Games(MatchPlan),
    /// Something else.
    Study(StudyPlan),
}

impl RunPlan {
    /// What kind of run it is.
    #[must_use]
    pub fn kind(&self) -> &str {
        match self {
            RunPlan::Games(plan) => plan.kind.name(),
            RunPlan::Study(study) => &study.kind,
        }
    }
}

/// The output of one job.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct JobOutput<T> {
    /// Which job.
    pub number: u64,
    /// How long it took.
    pub took: Duration,
    /// What came of it.
    pub value: T,
}

impl Store {
    /// Keeps a new study and gives the number of its run.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub fn begin_study(&mut self, study: &StudyPlan) -> Result<RunId, StoreError> {
        self.connection.execute(
            "INSERT INTO runs (kind, game, plan, seed, version, state)
             VALUES (?1, ?2, ?3, ?4, ?5, 'running')",
            params![
                study.kind,
                study.about,
                rows::to_json(study)?,
                study.seed.to_string(),
                env!("CARGO_PKG_VERSION"),
            ],
        )?;
        Ok(self.connection.last_insert_rowid())
    }

    /// The study with this number.
    ///
    /// # Errors
    /// When there is none, or when the run is one of games.
    pub fn study(&self, id: RunId) -> Result<StoredRun<StudyPlan>, StoreError> {
        let run = self.any_run(id)?;
        match run.plan.clone() {
            RunPlan::Study(study) => Ok(run.with_plan(study)),
            RunPlan::Games(plan) => {
                Err(StoreError::OtherKind { id, kind: plan.kind.name().to_owned() })
            }
        }
    }

    /// The newest run of exactly this study by this version of Ludion.
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

    /// Keeps the outputs of finished jobs. All of them are in the file when it returns.
    ///
    /// # Errors
    /// When the store cannot be written: then none of them is.
    pub fn keep_outputs<'a, T: Serialize + 'a>(
        &mut self,
        run: RunId,
        outputs: impl IntoIterator<Item = &'a JobOutput<T>>,
    ) -> Result<(), StoreError> {
        let transaction = self.connection.transaction()?;
        {
            let mut insert = transaction.prepare_cached(
                "INSERT OR IGNORE INTO outputs (run, number, nanos, output) VALUES (?1, ?2, ?3, ?4)",
            )?;
            for output in outputs {
                let nanos = output.took.as_nanos() as i64;
                let value = rows::to_json(&output.value)?;
                insert.execute(params![run, output.number as i64, nanos, value])?;
            }
        }
        transaction.commit()?;
        Ok(())
    }

    /// The outputs of a run's jobs in their order.
    ///
    /// # Errors
    /// When they do not read as this type.
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

    /// Something found once: the keepsake of this kind and name.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn keepsake(&self, kind: &str, name: &str) -> Result<Option<Vec<u8>>, StoreError> {
        let sql = "SELECT value FROM keepsakes WHERE kind = ?1 AND name = ?2";
        Ok(self.connection.query_row(sql, params![kind, name], |row| row.get(0)).optional()?)
    }

    /// Keeps something that was found, in the place of what was kept under this name.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub fn keep_keepsake(
        &mut self,
        kind: &str,
        name: &str,
        value: &[u8],
    ) -> Result<(), StoreError> {
        let sql = "INSERT OR REPLACE INTO keepsakes (kind, name, value) VALUES (?1, ?2, ?3)";
        self.connection.execute(sql, params![kind, name, value])?;
        Ok(())
    }
}
