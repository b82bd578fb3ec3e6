//! What a search for consistent codes came back with.

use std::collections::HashSet;

use super::super::super::Code;
use super::history::History;

/// Consistent codes, each once; or the one that came nearest.
pub(super) struct ConsistentCodes {
    /// Consistent codes in the order in which they were met.
    pub(super) codes: Vec<Code>,
    /// How many there are in all, when that was proven.
    pub(super) all: Option<u64>,
    /// The code of the least energy above 0 that was seen.
    pub(super) nearest: Option<(Code, i32)>,
    met: HashSet<Code>,
}

impl ConsistentCodes {
    pub(super) fn new() -> Self {
        ConsistentCodes { codes: Vec::new(), all: None, nearest: None, met: HashSet::new() }
    }

    /// Keeps a consistent code, unless it is kept already.
    pub(super) fn keep(&mut self, code: Code) {
        if self.met.insert(code.clone()) {
            self.codes.push(code);
        }
    }

    /// Takes note of a code that is not consistent.
    pub(super) fn see(&mut self, code: &Code, energy: i32) {
        if self.nearest.as_ref().is_none_or(|(_, least)| energy < *least) {
            self.nearest = Some((code.clone(), energy));
        }
    }

    /// Takes note of any code, and says its energy.
    pub(super) fn judge(&mut self, past: &History, code: &Code) -> i32 {
        let energy = past.energy(code);
        if energy > 0 {
            self.see(code, energy);
        } else if !self.met.contains(code) {
            self.keep(code.clone());
        }
        energy
    }
}
