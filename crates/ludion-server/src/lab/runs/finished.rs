//! Figures of finished runs. They do not change, and those of many games take a while: what was
//! looked at lately is kept. The number of a run that was forgotten is not given again.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use ludion_runs::RunError;
use ludion_runs::study::Findings;
use ludion_store::RunId;

/// Runs whose figures are kept.
const KEPT: usize = 32;

/// What was looked at lately, the newest last.
#[derive(Default)]
pub(super) struct FinishedRunCache(Mutex<VecDeque<(RunId, Arc<Findings>)>>);

impl FinishedRunCache {
    /// The figures of a finished run, made if they are not kept.
    pub(super) fn of(
        &self,
        run: RunId,
        make: impl FnOnce() -> Result<Findings, RunError>,
    ) -> Result<Arc<Findings>, RunError> {
        let kept = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, found)) = kept().iter().find(|(known, _)| *known == run) {
            return Ok(Arc::clone(found));
        }
        let found = Arc::new(make()?);
        let mut kept = kept();
        if kept.len() == KEPT {
            kept.pop_front();
        }
        kept.push_back((run, Arc::clone(&found)));
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn figures_are_made_once_while_they_are_kept_and_an_error_is_not_kept() {
        let (finished, mut made) = (FinishedRunCache::default(), 0);
        let mut ask = |run: RunId| {
            let found = finished.of(run, || {
                made += 1;
                Ok(Findings { figures: json!(run), picture: None })
            });
            (found.expect("figures").figures.clone(), made)
        };
        assert_eq!(ask(7), (json!(7), 1));
        assert_eq!(ask(7), (json!(7), 1));
        (100..100 + KEPT as RunId).for_each(|run| drop(ask(run)));
        assert_eq!(ask(7), (json!(7), 2 + KEPT));
        let wrong = || finished.of(8, || Err(RunError::Failed("no".to_owned()))).is_err();
        assert!(wrong() && wrong());
    }
}
