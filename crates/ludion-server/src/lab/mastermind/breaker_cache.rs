//! Code breakers kept between requests: the table of all codes where it fits, and breakers that
//! remember their first guesses. A request has exclusive use of the breakers it takes.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Mutex;

use ludion::riddles::mastermind::Mastermind;
use ludion::riddles::mastermind::breaker::CodeBreaker;
use ludion::riddles::mastermind::breaker::codes::CodeTable;
use ludion::riddles::mastermind::breaker::strategy::{BreakerStrategy, StrategyError};

/// Most sizes whose breakers are kept.
const READY: usize = 4;
/// Most codes of a size whose breakers are kept, to bound the memory.
const KEPT_CODES: u128 = 10_000;

/// The breakers for one size of Mastermind.
pub(super) struct BreakerCache {
    pub(super) rules: Mastermind,
    /// All codes, where they can be listed.
    pub(super) codes: Option<CodeTable>,
    breakers: HashMap<&'static str, Box<dyn CodeBreaker>>,
}

impl BreakerCache {
    /// Returns the breaker of a strategy, created if needed, and the table of codes.
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

/// The kept breakers of all sizes, most recently used last.
#[derive(Default)]
pub(in crate::lab) struct BreakerCaches(Mutex<Vec<BreakerCache>>);

impl BreakerCaches {
    /// Runs a closure with the breakers of a size.
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
