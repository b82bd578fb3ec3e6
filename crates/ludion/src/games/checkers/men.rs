//! The 32 dark squares as words: the padding of the board taken out, and for the second side the
//! board turned by half, which reverses the order of the squares.

use super::rules::PromotionRule;
use super::{Checkers, CheckersState};
use crate::game::Side;
use crate::men::MenOnlyGame;

/// Bits from a pair of rows to the next: eight squares, and on the padded board one bit more.
const PAIR: u32 = 8;
const PADDED_PAIR: u32 = 9;

impl MenOnlyGame for Checkers {
    fn has_men_alone(&self) -> bool {
        self.size() == 8 && self.rules().promotion == PromotionRule::Never
    }

    #[inline]
    fn words(&self, s: &CheckersState, side: Side) -> [u32; 2] {
        let [first, second] = s.pieces.map(packed);
        match side {
            Side::First => [first, second],
            Side::Second => [second.reverse_bits(), first.reverse_bits()],
        }
    }
}

#[inline]
fn packed(set: u64) -> u32 {
    (0..4).fold(0, |word, pair| {
        word | (((set >> (pair * PADDED_PAIR)) & 0xff) as u32) << (pair * PAIR)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::games::checkers::rules::CheckersRules;
    use crate::random::Rng;

    #[test]
    fn words_are_the_squares_in_their_order_and_turn_with_the_side() {
        let g = Checkers::new(CheckersRules::named("simple").unwrap(), 8);
        // The words of the original program for the start.
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
            let turned = [second, first].map(u32::reverse_bits);
            assert_eq!(g.words(&s, Side::Second), turned);
            moves.clear();
            g.moves(&s, &mut moves);
            if moves.is_empty() {
                break;
            }
            g.play(&mut s, moves[rng.below(moves.len())]);
        }
    }

    #[test]
    fn kings_and_other_boards_are_no_men_alone() {
        let fits =
            |rules, size| Checkers::new(CheckersRules::named(rules).unwrap(), size).has_men_alone();
        assert!(fits("simple", 8));
        assert!(!fits("simple", 6) && !fits("english", 8) && !fits("international", 10));
    }
}
