//! The last resort of a unit whose ways all got stuck in their own trails: one shortest way.

use std::collections::VecDeque;

use super::super::super::commands::Command;
use super::field::{CommandTarget, PlacementField, is_descent};

impl PlacementField<'_> {
    /// Leaves nothing live but one shortest way to the lock: there a unit never gets stuck,
    /// whichever way it went before.
    pub(super) fn narrow(&mut self) {
        let mut way = vec![0; self.live.len()];
        for (row, cell) in self.shortest_way() {
            way[row * self.turns + self.turn(cell) as usize] |=
                1 << (usize::from(cell) % self.width);
        }
        self.live = way;
    }

    /// Breadth first, the row and cell of each placement; the spawn is its own predecessor.
    fn shortest_way(&self) -> Vec<(usize, u16)> {
        let index = |(row, cell): (usize, u16)| row * self.cells() + usize::from(cell);
        let Some(spawn) = self.spawn() else { return Vec::new() };
        let mut from = vec![None; self.rows() * self.cells()];
        let mut queue = VecDeque::from([(0, spawn)]);
        from[index((0, spawn))] = Some((0, spawn));
        while let Some(at) = queue.pop_front() {
            if self.is_target(at.0, at.1) {
                let before = |&at: &(usize, u16)| from[index(at)].filter(|&before| before != at);
                return std::iter::successors(Some(at), before).collect();
            }
            for command in Command::ALL {
                let row = at.0 + usize::from(is_descent(command));
                let CommandTarget::Cell(cell) = self.ahead(at.0, at.1, command) else { continue };
                if from[index((row, cell))].is_none() {
                    from[index((row, cell))] = Some(at);
                    queue.push_back((row, cell));
                }
            }
        }
        Vec::new()
    }
}
