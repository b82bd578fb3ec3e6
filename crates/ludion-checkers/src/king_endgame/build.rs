//! Solves all positions with few pieces by retrograde iteration.
//!
//! A capture reduces the number of pieces and a promotion the number of men, so classes are solved in
//! the order of the index. Kings can move back, so within a class and its swapped twin the positions
//! are visited again and again: a position with a move to a lost one is won, and one whose moves all
//! lead to won ones is lost. What is left when a pass finds nothing new is drawn.
//!
//! The first passes find a number of moves for every win and loss, which may be too large. Further
//! passes lower it until it follows from the successors of every position:
//!
//! ```text
//! win   1 + the least number of moves of a lost successor
//! loss  the greatest number of moves of a successor, or 0 without a move
//! ```

use ludion_core::game::{Game, Side};

use super::super::{Checkers, CheckersMove};
use super::index::{KingIndex, PieceSets, PositionClass, sets_of, state_of};
use super::table::{KingTable, pack};
use super::value::KingTableValue;

/// Returns the number of positions of a table for `g` with at most `pieces` pieces, impossible ones
/// included.
#[must_use]
pub fn king_position_count(g: &Checkers, pieces: usize) -> u64 {
    KingIndex::new(g, pieces).size
}

/// Builds the table of all positions of `g` with at most `pieces` pieces, from 2 to
/// [`MAX_KING_PIECES`](super::MAX_KING_PIECES), as the bytes that [`KingTable::read`] reads.
/// `progress` receives the number of positions whose class is solved, and the total, and returns
/// whether to go on. Returns `None` if it was stopped.
#[must_use]
pub fn build_king_table(
    g: &Checkers,
    pieces: usize,
    mut progress: impl FnMut(u64, u64) -> bool,
) -> Option<Vec<u8>> {
    let index = KingIndex::new(g, pieces);
    let values = vec![KingTableValue::Draw.to_byte(); usize::try_from(index.size).ok()?];
    let mut builder = KingTableBuilder { g, index, values, moves: Vec::new() };
    let classes = builder.index.classes.clone();
    let mut first = 0;
    while let Some(class) = classes.get(first) {
        // A class and its twin have successors in each other.
        let [a, b, c, d] = class.counts;
        let group = if [a, b] == [c, d] { 1 } else { 2 };
        builder.solve_group(&classes[first..first + group]);
        first += group;
        let solved = classes.get(first).map_or(builder.index.size, |class| class.start);
        if !progress(solved, builder.index.size) {
            return None;
        }
    }
    Some(pack(g, pieces, &builder.values))
}

/// A table that is being built.
struct KingTableBuilder<'a> {
    g: &'a Checkers,
    index: KingIndex,
    values: Vec<u8>,
    moves: Vec<CheckersMove>,
}

impl KingTableBuilder<'_> {
    /// Solves the positions of classes whose other successors are solved.
    fn solve_group(&mut self, classes: &[PositionClass]) {
        let mut open: Vec<(u8, u32)> = Vec::new();
        for (i, class) in (0..).zip(classes) {
            for within in 0..class.size {
                if self.index.sets(class, within).is_some_and(|s| self.g.is_possible_ending(&s)) {
                    open.push((i, within as u32));
                }
            }
        }
        let mut decided = Vec::new();
        loop {
            let before = open.len();
            open.retain(|&place| {
                self.solve_again(classes, place);
                let is_open = self.value(classes, place) == KingTableValue::Draw;
                if !is_open {
                    decided.push(place);
                }
                is_open
            });
            if open.len() == before {
                break;
            }
        }
        drop(open);
        let mut changed = true;
        while changed {
            changed = false;
            for &place in &decided {
                changed |= self.solve_again(classes, place);
            }
        }
    }

    /// Returns the value of the position at a place: the index of its class and its number there.
    fn value(&self, classes: &[PositionClass], (class, within): (u8, u32)) -> KingTableValue {
        let start = classes[usize::from(class)].start;
        KingTableValue::from_byte(self.values[(start + u64::from(within)) as usize])
    }

    /// Computes the value of the position at a place from its successors. Returns whether it changed.
    fn solve_again(&mut self, classes: &[PositionClass], (class, within): (u8, u32)) -> bool {
        let class = &classes[usize::from(class)];
        let value = self.solve(class, within.into()).to_byte();
        let stored = &mut self.values[(class.start + u64::from(within)) as usize];
        std::mem::replace(stored, value) != value
    }

    /// Returns the value of a position as far as the values of its successors tell.
    fn solve(&mut self, class: &PositionClass, within: u64) -> KingTableValue {
        let Some(sets) = self.index.sets(class, within) else { return KingTableValue::Draw };
        let s = state_of(sets);
        self.moves.clear();
        self.g.moves(&s, &mut self.moves);
        let mut best = KingTableValue::Loss { moves: 0 };
        for &m in &self.moves {
            let after = self.g.after(&s, m);
            let after = match self.index.number(sets_of(self.g, &after)) {
                Some(number) => KingTableValue::from_byte(self.values[number as usize]),
                // The opponent has no pieces left.
                None => KingTableValue::Loss { moves: 0 },
            };
            best = best.better(after.before_move());
        }
        best
    }
}

impl Checkers {
    /// Returns whether a position can occur: no man stands where it would have been promoted.
    pub(super) fn is_possible_ending(&self, &[men, _, their_men, _]: &PieceSets) -> bool {
        men & self.promotion_row(Side::First) == 0
            && their_men & self.promotion_row(Side::Second) == 0
    }
}

impl KingTable {
    /// Builds a table without a file.
    #[must_use]
    pub fn build(g: &Checkers, pieces: usize) -> Option<Self> {
        let bytes = build_king_table(g, pieces, |_, _| true)?;
        KingTable::read(g, std::sync::Arc::new(bytes)).ok()
    }
}
