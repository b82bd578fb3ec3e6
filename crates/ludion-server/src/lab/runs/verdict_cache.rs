//! The results of runs in a sentence, cached until a run has more results.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use ludion_runs::run_verdict;
use ludion_store::{RunId, RunPlan, RunState, Store, StoredRun};

use super::details::findings;
use crate::lab::LabState;

/// How far a run was when its result was computed: whether it was finished, its games and outputs.
type Extent = (bool, u64, u64);

/// The results that were computed, by run.
#[derive(Default)]
pub(super) struct VerdictCache(Mutex<HashMap<RunId, (Extent, Option<String>)>>);

impl VerdictCache {
    fn lock(&self) -> MutexGuard<'_, HashMap<RunId, (Extent, Option<String>)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the result of a run if it was computed since the run last changed.
    pub(super) fn known(&self, run: &StoredRun<RunPlan>) -> Option<Option<String>> {
        let all = self.lock();
        let (extent, verdict) = all.get(&run.id)?;
        (*extent == extent_of(run)).then(|| verdict.clone())
    }

    /// Computes the result of a run; `None` if it has none yet.
    pub(super) fn compute(
        &self,
        lab: &LabState,
        store: &Store,
        run: &StoredRun<RunPlan>,
    ) -> Option<String> {
        let report = findings(lab, store, run).ok();
        let verdict = report.and_then(|report| run_verdict(run.plan.kind(), &report.figures));
        self.lock().insert(run.id, (extent_of(run), verdict.clone()));
        verdict
    }
}

fn extent_of(run: &StoredRun<RunPlan>) -> Extent {
    (run.state == RunState::Finished, run.games, run.outputs)
}
