//! The men of each side as 32-bit words, for learning. The padding bits of the bitboard are
//! removed, and for the second side the board is rotated by 180°, which reverses the squares.

use super::rules::PromotionRule;
use super::{Checkers, CheckersState};
use ludion_core::game::Side;
use ludion_core::men::MenOnlyGame;

/// The number of dark squares in two rows.
const PAIR: u32 = 8;
/// The number of bits that two rows take in the padded bitboard.
const PADDED_PAIR: u32 = 9;

impl MenOnlyGame for Checkers {
    fn is_men_only(&self) -> bool {
        self.size() == 8 && self.rules().promotion == PromotionRule::Never
    }

    #[inline]
    fn words(&self, s: &CheckersState, side: Side) -> [u32; 2] {
        let [first, second] = s.pieces.map(without_padding);
        match side {
            Side::First => [first, second],
            Side::Second => [second.reverse_bits(), first.reverse_bits()],
        }
    }
}

/// Removes the padding bits of a set of squares, so that the 32 squares fill a word.
#[inline]
fn without_padding(set: u64) -> u32 {
    (0..4).fold(0, |word, pair| {
        word | (((set >> (pair * PADDED_PAIR)) & 0xff) as u32) << (pair * PAIR)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{self, CheckersRules};
    use ludion_core::game::Game;
    use ludion_core::random::Rng;

    #[test]
    fn words_list_the_squares_in_order_and_are_rotated_for_the_second_side() {
        let g = Checkers::new(rules::SIMPLE, 8);
        // The start position as *Deep Checker* (Correnson, Martayan and Sourisseau, 2021)
        // encodes it.
        assert_eq!(g.words(&g.start(), Side::First), [0xfff0_0000, 0x0000_0fff]);
        assert_eq!(g.words(&g.start(), Side::Second), g.words(&g.start(), Side::First));
        let (mut s, mut rng, mut moves) = (g.start(), Rng::new(3), Vec::new());
        loop {
            let squares = |side: Side| {
                let bits = g.squares().enumerate();
                bits.fold(0, |w, (i, b)| w | ((s.pieces[side.index()] >> b & 1) as u32) << i)
            };
            let [first, second] = Side::BOTH.map(squares);
            assert_eq!(g.words(&s, Side::First), [first, second]);
            let rotated = [second, first].map(u32::reverse_bits);
            assert_eq!(g.words(&s, Side::Second), rotated);
            moves.clear();
            g.moves(&s, &mut moves);
            if moves.is_empty() {
                break;
            }
            g.play(&mut s, moves[rng.below(moves.len())]);
        }
    }

    #[test]
    fn only_the_simple_rules_on_eight_by_eight_have_men_alone() {
        let fits = |rules, size| Checkers::new(rules, size).is_men_only();
        let named = |name| CheckersRules::named(name).unwrap();
        assert!(fits(rules::SIMPLE, 8) && !fits(rules::SIMPLE, 6));
        assert!(!fits(named("english"), 8) && !fits(named("international"), 10));
    }
}
