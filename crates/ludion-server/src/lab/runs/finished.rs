//! A cache of the reports of finished runs. A report of many games takes long to compute, and that
//! of a finished run does not change. The id of a deleted run is not used again, so an entry never
//! becomes stale.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use ludion_runs::RunError;
use ludion_runs::studies::RunReport;
use ludion_store::RunId;

/// Maximum number of reports in the cache; beyond it the oldest is dropped.
const MAX_CACHED: usize = 32;

/// The reports that were computed last, the newest at the end.
#[derive(Default)]
pub(super) struct FinishedRunCache(Mutex<VecDeque<(RunId, Arc<RunReport>)>>);

impl FinishedRunCache {
    /// Returns the report of a finished run from the cache, or computes it with `make`.
    pub(super) fn get_or_make(
        &self,
        run: RunId,
        make: impl FnOnce() -> Result<RunReport, RunError>,
    ) -> Result<Arc<RunReport>, RunError> {
        let lock = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, findings)) = lock().iter().find(|(known, _)| *known == run) {
            return Ok(Arc::clone(findings));
        }
        let findings = Arc::new(make()?);
        let mut cached = lock();
        if cached.len() == MAX_CACHED {
            cached.pop_front();
        }
        cached.push_back((run, Arc::clone(&findings)));
        Ok(findings)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_report_is_made_once_while_it_is_cached_and_an_error_is_not_cached() {
        let (cache, mut made) = (FinishedRunCache::default(), 0);
        let mut ask = |run: RunId| {
            let findings = cache.get_or_make(run, || {
                made += 1;
                Ok(RunReport { figures: json!(run), picture: None, table: None })
            });
            (findings.expect("figures").figures.clone(), made)
        };
        assert_eq!(ask(7), (json!(7), 1));
        assert_eq!(ask(7), (json!(7), 1));
        (100..100 + MAX_CACHED as RunId).for_each(|run| drop(ask(run)));
        assert_eq!(ask(7), (json!(7), 2 + MAX_CACHED));
        let wrong = || cache.get_or_make(8, || Err(RunError::Failed("no".to_owned()))).is_err();
        assert!(wrong() && wrong());
    }
}
