//! All positions that can follow one, for retrograde analysis, with the moves between them.
//!
//! A position remembers the last earlier board that may be made again within [`MEMORY`] plies, and no
//! move leads back to it. So it forbids less than superko, but needs no path; what it forbids breaks
//! all cycles that keep 3×3 and 4×4 from being decided: a ko taken back at once, and two stones given
//! for one. Positions that are symmetric to each other are one.

use std::collections::HashMap;

use super::stones::{SmallBoard, Stones};
use crate::memory::TryGrow;

/// Number of plies within which an earlier board must be reachable to be remembered.
const MEMORY: u32 = 2;

/// Stones, and an earlier board to which no move may lead, both seen by the side to move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Position {
    pub(super) stones: Stones,
    earlier: Stones,
}

/// Stands for no earlier board: no move makes the empty board.
const NONE: Stones = Stones { mine: 0, theirs: 0 };

impl Position {
    /// Returns a position in which no move may lead to `earlier`, which is seen by the opponent.
    pub(super) fn new(stones: Stones, earlier: Option<Stones>) -> Self {
        Position { stones, earlier: earlier.map_or(NONE, Stones::seen_by_other) }
    }

    /// Returns the position after a move to `next`, seen by the opponent.
    fn follow(self, board: &SmallBoard, next: Stones) -> Position {
        let is_near = |earlier: &Stones| {
            *earlier != NONE && *earlier != next && board.can_become(next, *earlier, MEMORY)
        };
        let earlier = [self.stones, self.earlier].map(Stones::seen_by_other);
        let earlier = earlier.into_iter().find(is_near).unwrap_or(NONE);
        Position { stones: next, earlier }
    }

    /// Returns the position after a pass.
    pub(super) fn passed(self, board: &SmallBoard) -> Position {
        self.follow(board, self.stones.seen_by_other())
    }

    /// Returns the position after a stone on `at`; `None` if the move is illegal.
    pub(super) fn after(self, board: &SmallBoard, at: u16) -> Option<Position> {
        let next = board.after(self.stones, at)?;
        (next.seen_by_other() != self.earlier).then(|| self.follow(board, next))
    }

    /// Returns the positions after each stone that may be put.
    pub(super) fn successors(self, board: &SmallBoard) -> impl Iterator<Item = Position> {
        board.empty_points(self.stones).filter_map(move |at| self.after(board, at))
    }

    /// Returns the image that stands for all symmetric positions.
    fn canonical(self, board: &SmallBoard) -> Position {
        let images = board.images([self.stones, self.earlier]);
        let least = images.min().expect("a square has symmetries");
        Position { stones: least[0], earlier: least[1] }
    }
}

/// The number of a position in a [`PositionGraph`].
pub(super) type PositionId = u32;

/// Positions, each with those that follow by a stone, by a pass, and its score.
pub(super) struct PositionGraph {
    pub(super) board: SmallBoard,
    ids: HashMap<Position, PositionId>,
    positions: Vec<Position>,
    /// The successors of all positions one after the other, and where those of each begin.
    successors: Vec<PositionId>,
    begins: Vec<u32>,
    after_pass: Vec<PositionId>,
    leads: Vec<i8>,
}

impl PositionGraph {
    /// Returns the graph of all positions that can follow `root`; `None` if there are more than `most`,
    /// if memory is short, or if `stop`, which gets the number of positions so far, says so.
    pub(super) fn new(
        board: SmallBoard,
        root: Position,
        most: usize,
        stop: impl Fn(usize) -> bool,
    ) -> Option<Self> {
        let mut graph = PositionGraph {
            board,
            ids: HashMap::new(),
            positions: Vec::new(),
            successors: Vec::new(),
            begins: vec![0],
            after_pass: Vec::new(),
            leads: Vec::new(),
        };
        graph.add(root)?;
        let mut expanded = 0;
        while let Some(&position) = graph.positions.get(expanded) {
            if graph.positions.len() > most || expanded % 4096 == 0 && stop(expanded) {
                return None;
            }
            graph.expand(position)?;
            expanded += 1;
        }
        Some(graph)
    }

    /// Adds the successors of a position.
    fn expand(&mut self, position: Position) -> Option<()> {
        let after_pass = self.add(position.passed(&self.board))?;
        self.after_pass.push(after_pass);
        self.leads.push(self.board.lead(position.stones) as i8);
        let begin = self.successors.len();
        for at in self.board.empty_points(position.stones) {
            if let Some(next) = position.after(&self.board, at) {
                let id = self.add(next)?;
                if !self.successors[begin..].contains(&id) {
                    self.successors.push(id);
                }
            }
        }
        self.begins.push(self.successors.len() as u32);
        self.successors.try_grow(16).then_some(())
    }

    fn add(&mut self, position: Position) -> Option<PositionId> {
        let position = position.canonical(&self.board);
        if let Some(&id) = self.ids.get(&position) {
            return Some(id);
        }
        if !(self.ids.try_grow(1) && self.positions.try_grow(1)) {
            return None;
        }
        let id = self.positions.len() as PositionId;
        self.ids.insert(position, id);
        self.positions.push(position);
        Some(id)
    }

    pub(super) fn len(&self) -> usize {
        self.positions.len()
    }

    /// Returns the number of a position of the graph.
    pub(super) fn id(&self, position: Position) -> PositionId {
        self.ids[&position.canonical(&self.board)]
    }

    pub(super) fn position(&self, id: PositionId) -> Position {
        self.positions[id as usize]
    }

    /// Returns the positions that follow by a stone.
    #[inline]
    pub(super) fn successors(&self, id: PositionId) -> &[PositionId] {
        let [begin, end] = [id, id + 1].map(|id| self.begins[id as usize] as usize);
        &self.successors[begin..end]
    }

    #[inline]
    pub(super) fn after_pass(&self, id: PositionId) -> PositionId {
        self.after_pass[id as usize]
    }

    /// Returns by how many points the side to move leads.
    #[inline]
    pub(super) fn lead(&self, id: PositionId) -> i32 {
        i32::from(self.leads[id as usize])
    }
}
