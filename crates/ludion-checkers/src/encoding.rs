//! The encoding of checkers for learning: planes of the dark squares alone, half as wide as the
//! board. For the second side the board is rotated by 180°, which reverses the squares.

use super::rules::PromotionRule;
use super::{Checkers, CheckersMove, CheckersState, board};
use ludion_core::encoding::{EncodingShape, push_bits};
use ludion_core::game::Side;

/// Number of captures with the same first and last square that have actions of their own; further
/// ones share the last.
const VARIANTS: usize = 4;

impl Checkers {
    /// Returns the sizes of the encoding: own men, the opponent's men, and, where men are promoted,
    /// the kings of both.
    pub(super) fn encoding_shape(&self) -> EncodingShape {
        let (rows, cols) = (self.size(), usize::from(self.width));
        let planes = if self.rules().promotion == PromotionRule::Never { 2 } else { 4 };
        let squares = rows * cols;
        EncodingShape { planes, rows, cols, extras: 0, actions: VARIANTS * squares * squares }
    }

    /// Appends the features of `s`, as `seen_by` sees it.
    #[inline]
    pub(super) fn push_features(&self, s: &CheckersState, seen_by: Side, out: &mut Vec<u32>) {
        let squares = usize::from(self.square_count());
        let sides = [seen_by, seen_by.other()].map(|side| s.pieces[side.index()]);
        let planes = [sides.map(|set| set & !s.kings), sides.map(|set| set & s.kings)];
        for (i, set) in planes.into_iter().flatten().enumerate() {
            push_bits(self.seen_squares(set, seen_by), i * squares, out);
        }
    }

    /// Returns a set of squares without the padding of the bitboard, as `seen_by` sees the board: bit
    /// i is the square with the number i, row by row from 0.
    #[inline]
    fn seen_squares(&self, set: u64, seen_by: Side) -> u64 {
        let pair = 2 * u32::from(self.width);
        let pairs = 0..u32::from(self.width);
        let squares = pairs.fold(0, |squares, at| {
            squares | (set >> (at * (pair + 1)) & ((1 << pair) - 1)) << (at * pair)
        });
        match seen_by {
            Side::First => squares,
            Side::Second => squares.reverse_bits() >> (64 - u32::from(self.square_count())),
        }
    }

    /// Appends the actions of the legal moves of a state in which `turn` is to move.
    pub(super) fn push_actions(&self, turn: Side, moves: &[CheckersMove], out: &mut Vec<u32>) {
        let (first, squares) = (out.len(), u32::from(self.square_count()));
        for m in moves {
            let [from, to] = [m.from, m.to].map(|bit| self.seen_square(bit.into(), turn));
            let mut action = from * squares + to;
            for _ in 1..VARIANTS {
                if out[first..].contains(&action) {
                    action += squares * squares;
                }
            }
            out.push(action);
        }
    }

    /// Returns the number of a square, row by row from 0, as `seen_by` sees the board.
    #[inline]
    fn seen_square(&self, bit: u32, seen_by: Side) -> u32 {
        let width = u32::from(self.width);
        let (row, col) = board::row_and_column(width, bit as u8);
        let square = row * width + col;
        match seen_by {
            Side::First => square,
            Side::Second => u32::from(self.square_count()) - 1 - square,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules;
    use ludion_core::game::Game;
    use ludion_core::random::Rng;

    /// Returns the features of a state with men alone as two words, own men first.
    fn words(g: &Checkers, s: &CheckersState, side: Side) -> [u32; 2] {
        let mut features = Vec::new();
        g.features(s, side, &mut features);
        features.iter().fold([0, 0], |mut words, &f| {
            words[(f / 32) as usize] |= 1 << (f % 32);
            words
        })
    }

    #[test]
    fn men_are_listed_by_square_and_rotated_for_the_second_side() {
        let g = Checkers::new(rules::SIMPLE, 8);
        // The start position as *Deep Checker* (Correnson, Martayan and Sourisseau, 2021)
        // encodes it.
        assert_eq!(words(&g, &g.start(), Side::First), [0xfff0_0000, 0x0000_0fff]);
        assert_eq!(words(&g, &g.start(), Side::Second), words(&g, &g.start(), Side::First));
        let (mut s, mut rng, mut moves) = (g.start(), Rng::new(3), Vec::new());
        loop {
            let [first, second] = words(&g, &s, Side::First);
            assert_eq!(words(&g, &s, Side::Second), [second, first].map(u32::reverse_bits));
            moves.clear();
            g.moves(&s, &mut moves);
            if moves.is_empty() {
                break;
            }
            g.play(&mut s, moves[rng.below(moves.len())]);
        }
    }

    #[test]
    fn sets_of_squares_are_seen_as_their_squares_are() {
        for size in [6, 8, 10] {
            let g = Checkers::new(rules::SIMPLE, size);
            for (side, bit) in Side::BOTH.into_iter().flat_map(|s| g.squares().map(move |b| (s, b)))
            {
                let seen = g.seen_squares(1 << bit, side);
                assert_eq!(seen, 1 << g.seen_square(bit.into(), side), "{bit} seen by {side}");
            }
        }
    }
}
