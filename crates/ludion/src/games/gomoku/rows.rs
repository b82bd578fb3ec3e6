//! Rows of stones that win, and the cells on which a stone completes one.

use super::cells::CellSet;
use super::{Gomoku, MAX_SIZE};

impl Gomoku {
    /// Returns the distances of neighbouring bits in the four directions of a row.
    #[inline]
    pub(super) fn steps(&self) -> [usize; 4] {
        [1, self.cols + 1, self.cols + 2, self.cols]
    }

    /// Returns whether a stone on `bit` is in a row of `stones` that wins.
    #[inline]
    pub(super) fn wins_with(&self, stones: &CellSet, bit: usize) -> bool {
        let at = bit as isize;
        let run = |step: isize| {
            let mut length = 0;
            let mut next = at + step;
            // The column beside the board has no stones, nor have bits beyond the last row.
            while (0..384).contains(&next) && stones.contains(next as usize) {
                length += 1;
                next += step;
            }
            length
        };
        self.steps().into_iter().any(|step| {
            let length = 1 + run(step as isize) + run(-(step as isize));
            if self.exact { length == self.length } else { length >= self.length }
        })
    }

    /// Returns the cells on which a stone of the side with `stones` wins.
    #[inline]
    pub(super) fn winning_cells(&self, stones: CellSet, empty: CellSet) -> CellSet {
        let mut cells = CellSet::EMPTY;
        for step in self.steps() {
            // For each length, the cells that follow at least so many stones.
            let mut after = [CellSet::EMPTY; MAX_SIZE + 1];
            after[0] = !CellSet::EMPTY;
            for length in 1..self.length + usize::from(self.exact) {
                after[length] = (stones & after[length - 1]).up(step);
            }
            let mut before = !CellSet::EMPTY;
            for length in 0..self.length {
                let behind = self.length - 1 - length;
                let longer = (stones & before).down(step);
                cells = cells
                    | match self.exact {
                        false => before & after[behind],
                        true => before & !longer & after[behind] & !after[behind + 1],
                    };
                before = longer;
            }
        }
        cells & empty
    }
}
