//! Mastermind: the crate [`ludion_mastermind`], with the entry of the riddle.

pub use ludion_mastermind::*;

use crate::erased::RiddleEntry;

/// Returns the entry of Mastermind in the registry.
#[must_use]
pub fn entry() -> RiddleEntry {
    RiddleEntry::of::<Mastermind>()
}
