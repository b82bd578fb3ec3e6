//! The ways of a capture: a move says what is taken, a way says on which squares the piece is
//! set down meanwhile. Only ways by the rules count: each jump goes where the piece may capture,
//! who can go on must land where he can, and by Italian rules kings are taken as early as can be.

use super::board::{DIAGONAL, Direction, EVERYWHERE, PaddedBoard};
use super::rules::{CapturePriority, KingRange, PromotionRule};
use super::{Checkers, CheckersMove, CheckersState};
use crate::games::bits::bits;

impl Checkers {
    /// Every way of making a legal move; no two moves have one in common.
    pub(super) fn ways(&self, s: &CheckersState, m: CheckersMove) -> Vec<Vec<u8>> {
        if m.taken == 0 {
            return vec![vec![m.from, m.to]];
        }
        let start = 1 << m.from;
        let mut tracker = CapturePathFinder {
            g: self,
            s,
            m,
            empty: self.all() & !s.occupied() | start,
            way: vec![m.from],
            found: Vec::new(),
        };
        tracker.follow(start, s.kings & start != 0, CapturedSoFar { set: 0, early_kings: 0 });
        let found = tracker.found;
        let best = found.iter().map(|(early_kings, _)| *early_kings).max();
        found.into_iter().filter(|(early, _)| Some(*early) == best).map(|(_, way)| way).collect()
    }

    /// All dark squares.
    fn all(&self) -> u64 {
        match self.width {
            3 => PaddedBoard::<3>::ALL,
            4 => PaddedBoard::<4>::ALL,
            _ => PaddedBoard::<5>::ALL,
        }
    }
}

/// What was taken so far.
#[derive(Clone, Copy)]
struct CapturedSoFar {
    set: u64,
    /// By Italian rules, the captured kings as bits, the first capture being the highest.
    early_kings: u64,
}

/// Finds the ways to take a known set of pieces.
struct CapturePathFinder<'a> {
    g: &'a Checkers,
    s: &'a CheckersState,
    m: CheckersMove,
    /// The free squares, the one that the piece has left among them.
    empty: u64,
    way: Vec<u8>,
    found: Vec<(u64, Vec<u8>)>,
}

impl CapturePathFinder<'_> {
    /// Goes on from `at` with a jump over one of the pieces that the move takes.
    fn follow(&mut self, at: u64, king: bool, before: CapturedSoFar) {
        for d in self.directions(king) {
            let (over, landings) = self.jump(at, king, d, before.set);
            if over & self.m.taken == 0 || landings == 0 {
                continue;
            }
            let taken = self.take(before, over);
            if taken.set == self.m.taken {
                self.end(landings, king, taken);
                continue;
            }
            for square in bits(landings) {
                let land = 1 << square;
                self.way.push(square);
                self.follow(land, self.becomes_king(land, king), taken);
                self.way.pop();
            }
        }
    }

    /// Ends the way after its last jump, if that may end where the move does.
    fn end(&mut self, landings: u64, king: bool, taken: CapturedSoFar) {
        let to = 1 << self.m.to;
        let crowned = self.becomes_king(to, king) && self.s.kings >> self.m.from & 1 == 0;
        let fits = self.g.rules.promotion != PromotionRule::InPassing || crowned == self.m.crowned;
        let goes_on = |square: u8| {
            let land = 1 << square;
            let king = self.becomes_king(land, king);
            self.directions(king).any(|d| self.jump(land, king, d, taken.set).1 != 0)
        };
        if landings & to != 0 && fits && !bits(landings).any(goes_on) {
            let way = self.way.iter().copied().chain([self.m.to]).collect();
            self.found.push((taken.early_kings, way));
        }
    }

    fn take(&self, before: CapturedSoFar, over: u64) -> CapturedSoFar {
        let counts = self.g.rules.priority == CapturePriority::Italian && self.s.kings & over != 0;
        let order = u64::from(counts) << (63 - before.set.count_ones());
        CapturedSoFar { set: before.set | over, early_kings: before.early_kings | order }
    }

    /// Whether the piece that lands here goes on as a king.
    fn becomes_king(&self, land: u64, king: bool) -> bool {
        let passing = self.g.rules.promotion == PromotionRule::InPassing;
        king || passing && land & self.g.crown(self.s.turn) != 0
    }

    /// Where a man may capture, or a king.
    fn directions(&self, king: bool) -> impl Iterator<Item = Direction> + use<> {
        let ways = match (king, self.g.rules.orthogonal) {
            (false, _) => self.g.rules.man_captures(self.s.turn),
            (true, false) => DIAGONAL,
            (true, true) => EVERYWHERE,
        };
        (0..8).filter(move |d| ways >> d & 1 == 1)
    }

    /// What a piece jumps over in a direction, and where it may land; no squares if it may not.
    fn jump(&self, at: u64, king: bool, d: Direction, taken: u64) -> (u64, u64) {
        let flying = king && self.g.rules.kings == KingRange::Flying;
        let spared = if king || self.g.rules.men_capture_kings { 0 } else { self.s.kings };
        let mut over = self.step(at, d);
        while flying && over & self.empty != 0 {
            over = self.step(over, d);
        }
        over &= self.s.theirs() & !spared & !taken;
        let mut land = self.step(over, d) & self.empty;
        let mut landings = land;
        while flying && land != 0 {
            land = self.step(land, d) & self.empty;
            landings |= land;
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
