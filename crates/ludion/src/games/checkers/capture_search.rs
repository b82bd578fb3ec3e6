//! Captures of any length: every chain is followed to its end, and of the ends only those
//! stay that the rule set ranks highest.
//!
//! The capturing piece has left its square; captured pieces stay on the board to the end of
//! the move, may not be jumped twice and are in the way (the Turkish stroke).

use super::board::{Direction, PaddedBoard, opposite};
use super::rules::{CapturePriority, CheckersRules, KingRange, PromotionRule};
use super::{CheckersMove, CheckersState};
use crate::games::bits::bits;

/// What the chains of one state have in common, on a board with `W` squares a row, where
/// captures go 4 or 8 `WAYS`; the rules are the seed's if `SEED`.
pub(super) struct CaptureSearch<'a, const W: u32, const WAYS: usize, const SEED: bool> {
    rules: &'a CheckersRules,
    /// Where men become kings.
    crown: u64,
    /// Where men capture, and where kings do.
    directions: [u8; 2],
    /// The free squares, the one that the capturing piece has left among them.
    empty: u64,
    /// What men may capture, and what kings may.
    prey: [u64; 2],
    prey_kings: u64,
    /// Whether moves are told apart by the order of their captures too.
    by_path: bool,
    best: u32,
    base: usize,
    out: &'a mut Vec<CheckersMove>,
}

/// A chain so far.
#[derive(Clone, Copy)]
struct CaptureChain {
    from: u8,
    /// Whether it began as a king's.
    king: bool,
    crowned: bool,
    taken: u64,
    rank: u32,
}

impl<'a, const W: u32, const WAYS: usize, const SEED: bool> CaptureSearch<'a, W, WAYS, SEED> {
    /// The captures of the side to move, none looked at yet; they go to the end of `out`.
    pub(super) fn new(
        rules: &'a CheckersRules,
        s: &CheckersState,
        by_path: bool,
        out: &'a mut Vec<CheckersMove>,
    ) -> Self {
        let theirs = s.theirs();
        let spared = if rules.men_capture_kings { 0 } else { s.kings };
        CaptureSearch {
            rules,
            crown: PaddedBoard::<W>::crown(s.turn),
            directions: [rules.man_captures(s.turn), u8::MAX >> (8 - WAYS)],
            empty: PaddedBoard::<W>::ALL & !s.occupied(),
            prey: [theirs & !spared, theirs],
            prey_kings: theirs & s.kings,
            by_path,
            best: 0,
            base: out.len(),
            out,
        }
    }

    /// The rules, the seed's as constants.
    #[inline(always)]
    fn rules(&self) -> &'a CheckersRules {
        if SEED { &super::rules::SEED } else { self.rules }
    }

    /// Follows all captures by these men and kings.
    pub(super) fn run(mut self, men: u64, kings: u64) {
        let empty = self.empty;
        for from in bits(men | kings) {
            let at = 1 << from;
            let king = at & kings != 0;
            let rank = match self.rules().priority {
                CapturePriority::Italian if king => BY_KING,
                CapturePriority::Frisian if king => 1,
                _ => 0,
            };
            let chain = CaptureChain { from, king, crowned: false, taken: 0, rank };
            self.empty = empty | at;
            if king && self.rules().kings == KingRange::Flying {
                self.fly(at, chain, self.directions[1]);
            } else {
                self.hop(at, chain);
            }
        }
    }

    /// Jumps on from `at` over neighbours, and ends the chain where there are none.
    fn hop(&mut self, at: u64, chain: CaptureChain) {
        let kind = usize::from(chain.king);
        let ways = self.directions[kind];
        let mut end = true;
        for d in (0..WAYS).filter(|d| ways >> d & 1 == 1) {
            let over = PaddedBoard::<W>::step(at, d) & self.prey[kind] & !chain.taken;
            let land = PaddedBoard::<W>::step(over, d) & self.empty;
            if land == 0 {
                continue;
            }
            end = false;
            let chain = self.take(chain, over);
            if self.rules().promotion == PromotionRule::InPassing && land & self.crown != 0 {
                let crowned = CaptureChain { crowned: true, ..chain };
                if !self.fly(land, crowned, self.directions[1]) {
                    self.finish(land, crowned);
                }
            } else {
                self.hop(land, chain);
            }
        }
        if end && chain.taken != 0 {
            let crowned = !chain.king && self.rules().promotes(at & self.crown);
            self.finish(at, CaptureChain { crowned, ..chain });
        }
    }

    /// Flies on from `at` in these directions over pieces at any distance; says whether there
    /// was one.
    fn fly(&mut self, at: u64, chain: CaptureChain, ways: u8) -> bool {
        let mut any = false;
        for d in (0..WAYS).filter(|d| ways >> d & 1 == 1) {
            let (_, next) = PaddedBoard::<W>::slide(at, self.empty, d);
            let over = next & self.prey[1] & !chain.taken;
            let (landings, _) = PaddedBoard::<W>::slide(over, self.empty, d);
            if landings != 0 {
                any = true;
                self.land(landings, d, self.take(chain, over));
            }
        }
        any
    }

    /// Goes on from the squares behind a captured piece, or ends the chain on any of them.
    /// Straight on leads over the same piece from all of them, so it is tried once.
    fn land(&mut self, landings: u64, d: Direction, chain: CaptureChain) {
        let ahead = 1u8 << d;
        let aside = self.directions[1] & !(ahead | 1 << opposite(d));
        let mut on = self.fly(landings & landings.wrapping_neg(), chain, ahead);
        for at in bits(landings) {
            on |= self.fly(1 << at, chain, aside);
        }
        if !on {
            for at in bits(landings) {
                self.finish(1 << at, chain);
            }
        }
    }

    #[inline]
    fn take(&self, chain: CaptureChain, over: u64) -> CaptureChain {
        let king = self.prey_kings & over != 0;
        let rank = match self.rules().priority {
            CapturePriority::Any => 0,
            CapturePriority::Most => 1,
            CapturePriority::Frisian => {
                if king {
                    2 * 199
                } else {
                    2 * 100
                }
            }
            CapturePriority::Italian => {
                // Kings count by number, then the earlier ones more than all later ones.
                let order = 1 << (EARLIEST - chain.taken.count_ones());
                BY_PIECE + if king { BY_CAPTURED_KING + order } else { 0 }
            }
        };
        CaptureChain { taken: chain.taken | over, rank: chain.rank + rank, ..chain }
    }

    fn finish(&mut self, at: u64, chain: CaptureChain) {
        if chain.rank > self.best {
            self.best = chain.rank;
            self.out.truncate(self.base);
        }
        let CaptureChain { from, taken, crowned, .. } = chain;
        let m = CheckersMove { taken, from, to: at.trailing_zeros() as u8, crowned };
        // A single capture has one path only.
        let known = || taken.count_ones() > 1 && self.out[self.base..].contains(&m);
        if chain.rank == self.best && (self.by_path || !known()) {
            self.out.push(m);
        }
    }
}

/// Italian ranks: pieces, then by a king, then captured kings, then how early they come.
/// Short jumps stay on every second row and column and take what is between, 16 pieces at most
/// (4 by 4 on the board of 10 by 10), so each part has room.
const EARLIEST: u32 = 15;
const BY_CAPTURED_KING: u32 = 1 << 16;
const BY_KING: u32 = 1 << 21;
const BY_PIECE: u32 = 1 << 22;
