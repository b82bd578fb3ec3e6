//! A cache of code breakers between requests: for each size the table of all codes, where it fits
//! into memory, and the breakers, which remember their first guesses. While a request uses the
//! breakers of a size, they are not in the cache, and another request creates its own.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Mutex;

use ludion_mastermind::Mastermind;
use ludion_mastermind::breaker::CodeBreaker;
use ludion_mastermind::breaker::codes::CodeTable;
use ludion_mastermind::breaker::strategy::{NamedStrategy, StrategyError};

/// Maximum number of sizes (numbers of pegs and colours) in the cache.
const MAX_CACHED: usize = 4;
/// Largest number of codes of a size that is cached, to bound the memory.
const MAX_CODES: u128 = 10_000;

/// The breakers for one size of Mastermind, by strategy.
pub(super) struct BreakerCache {
    pub(super) rules: Mastermind,
    /// Table of all codes; `None` where there are too many to list.
    pub(super) codes: Option<CodeTable>,
    breakers: HashMap<&'static str, Box<dyn CodeBreaker>>,
}

impl BreakerCache {
    /// Returns the breaker of a strategy, created if needed, and the table of codes.
    pub(super) fn breaker(
        &mut self,
        strategy: &NamedStrategy,
    ) -> Result<(&mut dyn CodeBreaker, Option<&CodeTable>), StrategyError> {
        let breaker = match self.breakers.entry(strategy.name) {
            Entry::Occupied(made) => made.into_mut(),
            Entry::Vacant(place) => place.insert((strategy.build)(&self.rules)?),
        };
        Ok((&mut **breaker, self.codes.as_ref()))
    }
}

/// The cached breakers of several sizes, most recently used last.
#[derive(Default)]
pub(in crate::lab) struct BreakerCaches(Mutex<Vec<BreakerCache>>);

impl BreakerCaches {
    /// Runs a closure with the breakers of a size, from the cache or new.
    pub(super) fn with_breakers<T>(
        &self,
        rules: Mastermind,
        work: impl FnOnce(&mut BreakerCache) -> T,
    ) -> T {
        let cached = self.0.lock().ok().and_then(|mut cached| {
            let place = cached.iter().position(|cache| cache.rules == rules)?;
            Some(cached.remove(place))
        });
        let mut cache = cached.unwrap_or_else(|| BreakerCache {
            rules,
            codes: CodeTable::new(&rules).ok(),
            breakers: HashMap::new(),
        });
        let done = work(&mut cache);
        if rules.size().is_some_and(|size| size <= MAX_CODES)
            && let Ok(mut cached) = self.0.lock()
        {
            cached.push(cache);
            let surplus = cached.len().saturating_sub(MAX_CACHED);
            cached.drain(..surplus);
        }
        done
    }
}
