//! What breaking codes of a riddle needs: the list of its codes where there is one, and breakers,
//! which remember their first guesses. Benches that were of use lie ready for the next question;
//! whoever works at one has it to himself.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Mutex;

use ludion::riddles::mastermind::Mastermind;
use ludion::riddles::mastermind::breaker::CodeBreaker;
use ludion::riddles::mastermind::breaker::codes::CodeTable;
use ludion::riddles::mastermind::breaker::strategy::{BreakerStrategy, StrategyError};

/// Benches that lie ready, at most.
const READY: usize = 4;
/// Codes of a riddle whose bench is kept, at most; others would fill the memory.
const KEPT_CODES: u128 = 10_000;

/// Where codes of a riddle are broken.
pub(super) struct BreakerCache {
    pub(super) rules: Mastermind,
    /// All codes, where they can be listed.
    pub(super) codes: Option<CodeTable>,
    breakers: HashMap<&'static str, Box<dyn CodeBreaker>>,
}

impl BreakerCache {
    /// The breaker of a strategy, made if it is not there, and the list beside it.
    pub(super) fn breaker(
        &mut self,
        strategy: &BreakerStrategy,
    ) -> Result<(&mut dyn CodeBreaker, Option<&CodeTable>), StrategyError> {
        let breaker = match self.breakers.entry(strategy.name) {
            Entry::Occupied(made) => made.into_mut(),
            Entry::Vacant(place) => place.insert((strategy.build)(&self.rules)?),
        };
        Ok((&mut **breaker, self.codes.as_ref()))
    }
}

/// The benches that lie ready, the last used last.
#[derive(Default)]
pub(in crate::lab) struct BreakerCaches(Mutex<Vec<BreakerCache>>);

impl BreakerCaches {
    /// Works at the bench of a riddle.
    pub(super) fn work<T>(
        &self,
        rules: Mastermind,
        work: impl FnOnce(&mut BreakerCache) -> T,
    ) -> T {
        let ready = self.0.lock().ok().and_then(|mut ready| {
            let place = ready.iter().position(|bench| bench.rules == rules)?;
            Some(ready.remove(place))
        });
        let mut bench = ready.unwrap_or_else(|| BreakerCache {
            rules,
            codes: CodeTable::new(&rules).ok(),
            breakers: HashMap::new(),
        });
        let done = work(&mut bench);
        if rules.size().is_some_and(|size| size <= KEPT_CODES)
            && let Ok(mut ready) = self.0.lock()
        {
            ready.push(bench);
            let surplus = ready.len().saturating_sub(READY);
            ready.drain(..surplus);
        }
        done
    }
}
