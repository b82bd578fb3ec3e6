//! How thoroughly the commands of a placement plan are searched, from most points to least time.

use super::super::spell::SpellOptions;
use super::GameSearch;

/// One of the [`SPELLING_EFFORTS`].
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct SpellingEffort {
    /// Number of paths kept for each placement.
    width: usize,
    /// Number of columns on either side of the straight line to the lock that paths may use.
    corridor: usize,
    /// Running time per column, relative to that of [`CHEAP`].
    column_cost: f64,
}

/// All efforts, from the most thorough to the fastest. On a board of 100 columns the second finds 99.8 %
/// of the points of the first in a third of the time, [`CHEAP`] 99.6 % in a tenth, the last but one 96 % in
/// a twenty-fifth, and [`FASTEST`] nearly as many in a ninetieth.
pub(super) const SPELLING_EFFORTS: [SpellingEffort; 6] = [
    THOROUGH,
    SpellingEffort { width: 24, corridor: 20, column_cost: 2.0 },
    CHEAP,
    SpellingEffort { width: 4, corridor: 8, column_cost: 0.7 },
    SpellingEffort { width: 2, corridor: 6, column_cost: 0.5 },
    FASTEST,
];
/// The first entry of [`SPELLING_EFFORTS`].
pub(super) const THOROUGH: SpellingEffort =
    SpellingEffort { width: 80, corridor: usize::MAX, column_cost: 2.5 };
/// The usual entry of [`SPELLING_EFFORTS`], which finds nearly all points.
pub(super) const CHEAP: SpellingEffort =
    SpellingEffort { width: 8, corridor: 12, column_cost: 1.0 };
/// The last entry of [`SPELLING_EFFORTS`]. With one column less it finds half of the points.
pub(super) const FASTEST: SpellingEffort =
    SpellingEffort { width: 2, corridor: 2, column_cost: 0.32 };
/// Number of the first entries of [`SPELLING_EFFORTS`], which find the last points of a good plan.
pub(super) const THOROUGH_EFFORTS: usize = 2;

/// Running time that does not depend on the number of columns, in columns.
const FIXED_COLUMNS: f64 = 6.0;

impl GameSearch<'_> {
    /// Returns the running time of an effort in this game, relative to that of [`CHEAP`].
    pub(super) fn spelling_cost(&self, effort: SpellingEffort) -> f64 {
        let time = |effort: SpellingEffort| {
            let columns = self.corridor(effort).saturating_mul(2).saturating_add(1);
            effort.column_cost * (columns.min(self.problem.width()) as f64 + FIXED_COLUMNS)
        };
        time(effort) / time(CHEAP)
    }

    /// Returns the options of a search with this effort.
    pub(super) fn spell_options(&self, effort: SpellingEffort) -> SpellOptions {
        SpellOptions {
            width: effort.width,
            corridor: self.corridor(effort),
            memory: self.bytes,
            ..SpellOptions::default()
        }
    }

    /// Returns the corridor of an effort, or none if units earn points all along a row.
    fn corridor(&self, effort: SpellingEffort) -> usize {
        if self.speller.has_level_phrases() { usize::MAX } else { effort.corridor }
    }
}
