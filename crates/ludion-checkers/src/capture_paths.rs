//! The paths of a capture. A move only says which pieces are captured; a path lists the squares
//! on which the piece lands. Only legal paths count: each jump is a legal capture, the path ends
//! only where no further jump is possible, and by Italian rules kings are captured as early as
//! possible.

use super::board::{ALL_DIRECTIONS, DIAGONAL, Direction, PaddedBoard};
use super::rules::{CapturePriority, KingRange, PromotionRule};
use super::{Checkers, CheckersMove, CheckersState};
use ludion_core::bits::bits;

impl Checkers {
    /// Returns all paths of a legal move, each with its first and last square. No two legal moves
    /// share a path.
    pub(super) fn capture_paths(&self, s: &CheckersState, m: CheckersMove) -> Vec<Vec<u8>> {
        if m.taken == 0 {
            return vec![vec![m.from, m.to]];
        }
        let start = 1 << m.from;
        let mut finder = CapturePathFinder {
            g: self,
            s,
            m,
            empty: self.all() & !s.occupied() | start,
            path: vec![m.from],
            found: Vec::new(),
        };
        finder.extend(start, s.kings & start != 0, CapturedSoFar { set: 0, early_kings: 0 });
        let found = finder.found;
        let best = found.iter().map(|(early_kings, _)| *early_kings).max();
        found.into_iter().filter(|(early, _)| Some(*early) == best).map(|(_, path)| path).collect()
    }

    /// Returns all dark squares.
    fn all(&self) -> u64 {
        match self.width {
            3 => PaddedBoard::<3>::ALL,
            4 => PaddedBoard::<4>::ALL,
            _ => PaddedBoard::<5>::ALL,
        }
    }
}

/// The pieces that a path has captured so far.
#[derive(Clone, Copy)]
struct CapturedSoFar {
    set: u64,
    /// With Italian rules, one bit per captured piece, the first in the highest bit: 1 for a king,
    /// 0 for a man. A path that captures kings earlier has a greater value.
    early_kings: u64,
}

/// A search for all paths that capture exactly the pieces of a move.
struct CapturePathFinder<'a> {
    g: &'a Checkers,
    s: &'a CheckersState,
    m: CheckersMove,
    /// The empty squares, including the one that the piece left.
    empty: u64,
    path: Vec<u8>,
    /// The complete paths found, each with its value of [`CapturedSoFar::early_kings`].
    found: Vec<(u64, Vec<u8>)>,
}

impl CapturePathFinder<'_> {
    /// Extends the path from the square `at` with all possible jumps over pieces that the move
    /// captures.
    fn extend(&mut self, at: u64, king: bool, before: CapturedSoFar) {
        for d in self.directions(king) {
            let (over, landings) = self.jump(at, king, d, before.set);
            if over & self.m.taken == 0 || landings == 0 {
                continue;
            }
            let taken = self.capture(before, over);
            if taken.set == self.m.taken {
                self.end(landings, king, taken);
                continue;
            }
            for square in bits(landings) {
                let landing = 1 << square;
                self.path.push(square);
                self.extend(landing, self.becomes_king(landing, king), taken);
                self.path.pop();
            }
        }
    }

    /// Ends the path after its last jump if it may end on the target square of the move.
    fn end(&mut self, landings: u64, king: bool, taken: CapturedSoFar) {
        let to = 1 << self.m.to;
        let crowned = self.becomes_king(to, king) && self.s.kings >> self.m.from & 1 == 0;
        let fits = self.g.rules.promotion != PromotionRule::InPassing || crowned == self.m.crowned;
        let can_continue = |square: u8| {
            let landing = 1 << square;
            let king = self.becomes_king(landing, king);
            self.directions(king).any(|d| self.jump(landing, king, d, taken.set).1 != 0)
        };
        if landings & to != 0 && fits && !bits(landings).any(can_continue) {
            let path = self.path.iter().copied().chain([self.m.to]).collect();
            self.found.push((taken.early_kings, path));
        }
    }

    fn capture(&self, before: CapturedSoFar, over: u64) -> CapturedSoFar {
        let counts = self.g.rules.priority == CapturePriority::Italian && self.s.kings & over != 0;
        let order = u64::from(counts) << (63 - before.set.count_ones());
        CapturedSoFar { set: before.set | over, early_kings: before.early_kings | order }
    }

    /// Returns whether the piece that lands on `landing` continues as a king.
    fn becomes_king(&self, landing: u64, king: bool) -> bool {
        let passing = self.g.rules.promotion == PromotionRule::InPassing;
        king || passing && landing & self.g.promotion_row(self.s.turn) != 0
    }

    /// Iterates over the directions in which a man or a king may capture.
    fn directions(&self, king: bool) -> impl Iterator<Item = Direction> + use<> {
        let directions = match (king, self.g.rules.orthogonal) {
            (false, _) => self.g.rules.man_capture_directions(self.s.turn),
            (true, false) => DIAGONAL,
            (true, true) => ALL_DIRECTIONS,
        };
        (0..8).filter(move |d| directions >> d & 1 == 1)
    }

    /// Returns the piece that a jump in a direction captures and the squares on which it may
    /// land; both are empty if there is no such jump.
    fn jump(&self, at: u64, king: bool, d: Direction, taken: u64) -> (u64, u64) {
        let flying = king && self.g.rules.kings == KingRange::Flying;
        let immune = if king || self.g.rules.men_capture_kings { 0 } else { self.s.kings };
        let mut over = self.step(at, d);
        while flying && over & self.empty != 0 {
            over = self.step(over, d);
        }
        over &= self.s.theirs() & !immune & !taken;
        let mut landing = self.step(over, d) & self.empty;
        let mut landings = landing;
        while flying && landing != 0 {
            landing = self.step(landing, d) & self.empty;
            landings |= landing;
        }
        (over, landings)
    }

    fn step(&self, set: u64, d: Direction) -> u64 {
        match self.g.width {
            3 => PaddedBoard::<3>::step(set, d) & PaddedBoard::<3>::ALL,
            4 => PaddedBoard::<4>::step(set, d) & PaddedBoard::<4>::ALL,
            _ => PaddedBoard::<5>::step(set, d) & PaddedBoard::<5>::ALL,
        }
    }
}
