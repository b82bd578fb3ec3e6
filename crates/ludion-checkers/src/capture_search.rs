//! A depth-first search for captures of any length. Every chain of jumps is followed to its end,
//! and only the captures that the rule set ranks highest are kept.
//!
//! The origin of the capturing piece counts as empty. Captured pieces stay on the board until
//! the end of the move: they may not be jumped twice, and they block (the Turkish stroke).

use super::board::{Direction, PaddedBoard, opposite};
use super::rules::{CapturePriority, CheckersRules, KingRange, PromotionRule};
use super::{CheckersMove, CheckersState};
use ludion_core::bits::bits;

/// The capture search of one state, on a board with `W` dark squares per row and captures in
/// `DIRECTIONS` directions, 4 or 8. With `SIMPLE`, the simple rules replace `rules` as constants.
pub(super) struct CaptureSearch<'a, const W: u32, const DIRECTIONS: usize, const SIMPLE: bool> {
    rules: &'a CheckersRules,
    /// The row on which men become kings.
    promotion_row: u64,
    /// The set of directions in which men capture, and that in which kings capture.
    directions: [u8; 2],
    /// The empty squares, including the one that the capturing piece left.
    empty: u64,
    /// The pieces that men may capture, and those that kings may capture.
    targets: [u64; 2],
    target_kings: u64,
    /// Whether captures that differ only by their path are listed separately.
    by_path: bool,
    /// The highest rank of a complete capture found so far; only captures of this rank are kept.
    best: u32,
    /// The index in `out` at which the captures of this search begin.
    base: usize,
    out: &'a mut Vec<CheckersMove>,
}

/// A capture in progress: the jumps that one piece has made so far.
#[derive(Clone, Copy)]
struct CaptureChain {
    from: u8,
    /// Whether the capturing piece was a king before the move.
    king: bool,
    crowned: bool,
    taken: u64,
    rank: u32,
}

impl<'a, const W: u32, const DIRECTIONS: usize, const SIMPLE: bool>
    CaptureSearch<'a, W, DIRECTIONS, SIMPLE>
{
    /// Prepares the search for the side to move of `s`, which will append its moves to `out`.
    pub(super) fn new(
        rules: &'a CheckersRules,
        s: &CheckersState,
        by_path: bool,
        out: &'a mut Vec<CheckersMove>,
    ) -> Self {
        let theirs = s.theirs();
        let immune = if rules.men_capture_kings { 0 } else { s.kings };
        CaptureSearch {
            rules,
            promotion_row: PaddedBoard::<W>::promotion_row(s.turn),
            directions: [rules.man_capture_directions(s.turn), u8::MAX >> (8 - DIRECTIONS)],
            empty: PaddedBoard::<W>::ALL & !s.occupied(),
            targets: [theirs & !immune, theirs],
            target_kings: theirs & s.kings,
            by_path,
            best: 0,
            base: out.len(),
            out,
        }
    }

    /// Returns the rules, as constants if they are the simple rules.
    #[inline(always)]
    fn rules(&self) -> &'a CheckersRules {
        if SIMPLE { &super::rules::SIMPLE } else { self.rules }
    }

    /// Searches for all captures by `men` and `kings`, and appends those of the highest rank.
    pub(super) fn run(mut self, men: u64, kings: u64) {
        let empty = self.empty;
        for from in bits(men | kings) {
            let at = 1 << from;
            let king = at & kings != 0;
            let rank = match self.rules().priority {
                CapturePriority::Italian if king => KING_CAPTURES_RANK,
                CapturePriority::Frisian if king => 1,
                _ => 0,
            };
            let chain = CaptureChain { from, king, crowned: false, taken: 0, rank };
            self.empty = empty | at;
            if king && self.rules().kings == KingRange::Flying {
                self.extend_flying(at, chain, self.directions[1]);
            } else {
                self.extend_short(at, chain);
            }
        }
    }

    /// Extends the chain from the square `at` by jumps over neighbouring pieces, or ends it if
    /// there are no such jumps.
    fn extend_short(&mut self, at: u64, chain: CaptureChain) {
        let kind = usize::from(chain.king);
        let directions = self.directions[kind];
        let mut end = true;
        for d in (0..DIRECTIONS).filter(|d| directions >> d & 1 == 1) {
            let over = PaddedBoard::<W>::step(at, d) & self.targets[kind] & !chain.taken;
            let land = PaddedBoard::<W>::step(over, d) & self.empty;
            if land == 0 {
                continue;
            }
            end = false;
            let chain = self.capture(chain, over);
            if self.rules().promotion == PromotionRule::InPassing && land & self.promotion_row != 0
            {
                let crowned = CaptureChain { crowned: true, ..chain };
                if !self.extend_flying(land, crowned, self.directions[1]) {
                    self.finish(land, crowned);
                }
            } else {
                self.extend_short(land, chain);
            }
        }
        if end && chain.taken != 0 {
            let crowned = !chain.king && self.rules().promotes(at & self.promotion_row);
            self.finish(at, CaptureChain { crowned, ..chain });
        }
    }

    /// Extends the chain of a flying king from `at` by jumps in `directions` over pieces at any
    /// distance; returns whether there was such a jump.
    fn extend_flying(&mut self, at: u64, chain: CaptureChain, directions: u8) -> bool {
        let mut any = false;
        for d in (0..DIRECTIONS).filter(|d| directions >> d & 1 == 1) {
            let (_, next) = PaddedBoard::<W>::slide(at, self.empty, d);
            let over = next & self.targets[1] & !chain.taken;
            let (landings, _) = PaddedBoard::<W>::slide(over, self.empty, d);
            if landings != 0 {
                any = true;
                self.extend_from_landings(landings, d, self.capture(chain, over));
            }
        }
        any
    }

    /// Extends the chain from each square on which a flying king can land, or ends it on all of
    /// them. A further jump straight ahead is the same from all of them, so it is tried once.
    fn extend_from_landings(&mut self, landings: u64, d: Direction, chain: CaptureChain) {
        let ahead = 1u8 << d;
        let aside = self.directions[1] & !(ahead | 1 << opposite(d));
        let mut continues = self.extend_flying(landings & landings.wrapping_neg(), chain, ahead);
        for at in bits(landings) {
            continues |= self.extend_flying(1 << at, chain, aside);
        }
        if !continues {
            for at in bits(landings) {
                self.finish(1 << at, chain);
            }
        }
    }

    /// Returns the chain with one more captured piece and its new rank.
    #[inline]
    fn capture(&self, chain: CaptureChain, over: u64) -> CaptureChain {
        let king = self.target_kings & over != 0;
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
                // Captured kings rank by number; among equals, an earlier king outranks all
                // later ones together.
                let order = 1 << (FIRST_KING_BIT - chain.taken.count_ones());
                CAPTURED_PIECE_RANK + if king { CAPTURED_KING_RANK + order } else { 0 }
            }
        };
        CaptureChain { taken: chain.taken | over, rank: chain.rank + rank, ..chain }
    }

    /// Ends the chain on `at` and keeps its move if no capture found so far ranks higher.
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

// The rank of a capture by Italian rules, from the lowest bits: how early kings are captured, the
// number of captured kings, whether a king captures, the number of captured pieces. Short jumps
// stay on every second row and column and capture the pieces between, at most 16 (4×4 on the
// 10×10 board), so no part overflows.

/// The bit of the rank of a capture, by Italian rules, that is set if the first captured piece is a
/// king; later captures have lower bits.
const FIRST_KING_BIT: u32 = 15;
/// The amount that each captured king adds to the rank of a capture, by Italian rules.
const CAPTURED_KING_RANK: u32 = 1 << 16;
/// The amount that a king as the capturing piece adds to the rank of a capture, by Italian rules.
const KING_CAPTURES_RANK: u32 = 1 << 21;
/// The amount that each captured piece adds to the rank of a capture, by Italian rules.
const CAPTURED_PIECE_RANK: u32 = 1 << 22;
