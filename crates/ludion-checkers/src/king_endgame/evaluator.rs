//! An evaluator that looks positions up in an endgame table with kings, and uses another evaluator
//! for positions with more pieces.
//!
//! The table knows no distances. A won position therefore has a high value plus a part of the other
//! evaluator's, so that a search makes progress: it prefers wins with more material.

use std::sync::Arc;

use super::super::{Checkers, CheckersState};
use super::KingTable;
use ludion_core::evaluator::{Evaluator, WIN};
use ludion_core::outcome::Wdl;

/// The least absolute value of a position that is won or lost according to the table.
const KNOWN: i32 = WIN - 1000;
/// The largest part of the other evaluator's value that is added to it.
const PROGRESS: i32 = 900;

/// Evaluates positions by an endgame table with kings, and those that it does not cover by another
/// evaluator.
pub struct KingTableEvaluator {
    /// The endgame table.
    pub table: KingTable,
    /// The evaluator of positions that the table does not cover.
    pub other: Arc<dyn Evaluator<Checkers>>,
}

impl Evaluator<Checkers> for KingTableEvaluator {
    #[inline]
    fn value(&self, g: &Checkers, s: &CheckersState) -> i32 {
        let other = self.other.value(g, s);
        match self.table.result(g, s) {
            Some(Wdl::Win) => KNOWN + other.clamp(-PROGRESS, PROGRESS),
            Some(Wdl::Loss) => -KNOWN + other.clamp(-PROGRESS, PROGRESS),
            Some(Wdl::Draw) => 0,
            None => other.clamp(PROGRESS - KNOWN, KNOWN - PROGRESS),
        }
    }

    fn known_result(&self, g: &Checkers, s: &CheckersState) -> Option<Wdl> {
        self.table.result(g, s)
    }

    fn is_noisy(&self, g: &Checkers, s: &CheckersState) -> bool {
        self.other.is_noisy(g, s)
    }

    fn is_threatened(&self, g: &Checkers, s: &CheckersState) -> bool {
        self.other.is_threatened(g, s)
    }

    fn unit(&self) -> i32 {
        self.other.unit()
    }

    fn expected_result(&self, g: &Checkers, s: &CheckersState) -> f64 {
        match self.table.result(g, s) {
            Some(result) => f64::from(result.sign()),
            None => self.other.expected_result(g, s),
        }
    }
}
