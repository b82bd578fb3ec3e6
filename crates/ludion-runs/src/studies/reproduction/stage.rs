//! The jobs of a reproduction, as threads and workers run them.

use std::sync::atomic::AtomicBool;

use ludion_players::assets::Assets;
use ludion_players::random::derive_seed;
use ludion_players::registry::Registry;
use serde::{Deserialize, Serialize};

use super::work::{JobContext, WorkItem};
use super::{ReproductionJob, ReproductionRecord, ReproductionSettings, find_work};
use crate::RunError;
use crate::studies::{JobFailure, Stage};

/// Spec of a stage, as sent to workers.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ReproductionStageSpec {
    /// Settings of the reproduction, as JSON, because `postcard` cannot leave out fields.
    #[serde(with = "json_text")]
    pub settings: ReproductionSettings,
    /// The jobs of the stage, by number.
    pub jobs: Vec<ReproductionJob>,
}

/// Serialises a value as a JSON text.
mod json_text {
    use serde::de::{DeserializeOwned, Error as _};
    use serde::ser::Error as _;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<T: Serialize, S: Serializer>(
        value: &T,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&serde_json::to_string(value).map_err(S::Error::custom)?)
    }

    pub(super) fn deserialize<'de, T: DeserializeOwned, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<T, D::Error> {
        serde_json::from_str(&String::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

/// An opened stage of a reproduction.
pub struct ReproductionStage {
    spec: ReproductionStageSpec,
    items: Vec<WorkItem>,
    /// The games, whose players find the attached files.
    registry: Registry,
}

impl ReproductionStage {
    /// Returns the seed of an item, which does not depend on the other items of the run.
    fn item_seed(&self, item: &WorkItem) -> u64 {
        let ReproductionSettings { work, seed, .. } = &self.spec.settings;
        let names = [work.as_str(), item.head.id].map(|name| crc32fast::hash(name.as_bytes()));
        derive_seed(*seed, &names.map(u64::from))
    }
}

impl Stage for ReproductionStage {
    type Spec = ReproductionStageSpec;
    type Worker = ();
    type Output = ReproductionRecord;

    fn open(
        registry: &Registry,
        assets: &Assets,
        spec: ReproductionStageSpec,
    ) -> Result<Self, RunError> {
        let items = (find_work(&spec.settings.work)?.items)();
        let exists = |job: &ReproductionJob| {
            items.get(job.item).is_some_and(|item| job.number < item.jobs(spec.settings.size))
        };
        if !spec.jobs.iter().all(exists) {
            return Err(RunError::Failed("a job names an item that is not there".to_owned()));
        }
        let registry = registry.clone().with_assets(assets.clone());
        Ok(ReproductionStage { spec, items, registry })
    }

    fn worker(&self) {}

    fn job(
        &self,
        (): &mut (),
        number: u64,
        stop: &AtomicBool,
    ) -> Result<ReproductionRecord, JobFailure> {
        let ReproductionJob { item, number } = self.spec.jobs[number as usize];
        let item = &self.items[item];
        let measurement = item.measure(&JobContext {
            registry: &self.registry,
            size: self.spec.settings.size,
            number,
            item_seed: self.item_seed(item),
            problems: &self.spec.settings.problems,
            stop,
        })?;
        Ok(ReproductionRecord { item: item.head.id.to_owned(), clock: item.has_clock, measurement })
    }

    fn accepts(&self, number: u64, record: &ReproductionRecord) -> bool {
        let item = &self.items[self.spec.jobs[number as usize].item];
        record.item == item.head.id && record.clock == item.has_clock
    }
}
