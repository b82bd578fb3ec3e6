//! What learned patterns use of a position with kings besides the places of its pieces: how many
//! squares kings can reach, how the men are distributed, and which endings are mostly drawn.

use super::board::{DIAGONAL, Direction, PaddedBoard, UPWARDS, opposite};
use super::rules::{CheckersRules, KingRange};
use ludion_core::bits::bits;
use ludion_core::grid::{Balance, MAX_BALANCE_FEATURES, PieceBitboards};

/// Number of features: squares that kings reach safely, squares on which they would be captured, and
/// men on the heavier half of the board.
pub(super) const FEATURES: u8 = 3;

/// Returns the balance of a position with these pieces. The side to move moves up.
#[inline]
pub(super) fn of<const W: u32>(rules: &CheckersRules, pieces: &PieceBitboards) -> Balance {
    let PieceBitboards { men, kings } = pieces;
    let mut features = [0; MAX_BALANCE_FEATURES];
    features[2] = lean::<W>(men[0]) - lean::<W>(men[1]);
    if kings[0] | kings[1] == 0 {
        return Balance { features, draw_divisor: 1 };
    }
    let empty = PaddedBoard::<W>::ALL & !(men[0] | men[1] | kings[0] | kings[1]);
    for (side, sign) in [(0, 1), (1, -1)] {
        if kings[side] != 0 {
            let reached = reached::<W>(rules, kings[side], empty);
            let attacked = attacked::<W>(rules, pieces, 1 - side, empty);
            features[0] += sign * (reached & !attacked).count_ones() as i8;
            features[1] += sign * (reached & attacked).count_ones() as i8;
        }
    }
    Balance { features, draw_divisor: draw_divisor::<W>(rules, pieces) }
}

/// Returns the difference between the numbers of men on the left and on the right half.
#[inline]
fn lean<const W: u32>(men: u64) -> i8 {
    let left = (men & left_half::<W>()).count_ones() as i8;
    (2 * left - men.count_ones() as i8).abs()
}

/// Returns the squares of the left half of the board. On boards of 6 and 10 squares a side, the rows
/// alternate between one square more and one less than half.
#[inline]
const fn left_half<const W: u32>() -> u64 {
    let (mut half, mut row) = (0, 0);
    while row < 2 * W {
        // In even rows the dark squares are in odd columns.
        let count = if row % 2 == 0 { W / 2 } else { W.div_ceil(2) };
        let squares = PaddedBoard::<W>::row(row);
        let first = squares & squares.wrapping_neg();
        half |= first * ((1 << count) - 1);
        row += 1;
    }
    half
}

/// Returns the empty squares to which kings can move without a capture.
#[inline]
fn reached<const W: u32>(rules: &CheckersRules, kings: u64, empty: u64) -> u64 {
    (0..4).fold(0, |set, d| {
        set | match rules.kings {
            KingRange::Short => PaddedBoard::<W>::step(kings, d) & empty,
            KingRange::Flying => slides::<W>(kings, empty, d),
        }
    })
}

/// Returns the empty squares that pieces of `set` reach by sliding in direction `d`.
#[inline]
fn slides<const W: u32>(set: u64, empty: u64, d: Direction) -> u64 {
    bits(set).fold(0, |free, from| free | PaddedBoard::<W>::slide(1 << from, empty, d).0)
}

/// Returns the empty squares on which `side` could capture a piece: it has a piece before the square,
/// and the square behind is empty.
#[inline]
fn attacked<const W: u32>(
    rules: &CheckersRules,
    pieces: &PieceBitboards,
    side: usize,
    empty: u64,
) -> u64 {
    let forwards = if side == 0 { UPWARDS } else { DIAGONAL & !UPWARDS };
    let men_directions = match (rules.men_capture_kings, rules.men_capture_backwards) {
        (false, _) => 0,
        (true, true) => DIAGONAL,
        (true, false) => forwards,
    };
    (0..4).fold(0, |set, d| {
        let men = if men_directions >> d & 1 == 1 { pieces.men[side] } else { 0 };
        let kings = pieces.kings[side];
        let before = match rules.kings {
            KingRange::Short => men | kings,
            KingRange::Flying => men | kings | slides::<W>(kings, empty, d),
        };
        let behind = PaddedBoard::<W>::step(empty, opposite(d));
        set | PaddedBoard::<W>::step(before, d) & empty & behind
    })
}

/// Returns the divisor of the value. Where kings fly, a side with a king rarely loses against few
/// pieces, or against about as many.
#[inline]
fn draw_divisor<const W: u32>(rules: &CheckersRules, pieces: &PieceBitboards) -> u8 {
    if rules.kings == KingRange::Short {
        return 1;
    }
    let counts = [0, 1].map(|side| (pieces.men[side] | pieces.kings[side]).count_ones());
    let strong = counts[0].max(counts[1]);
    let weak = counts[0].min(counts[1]);
    let holds = |side: usize| pieces.kings[side] != 0 || counts[side] > weak;
    // On the large board a king holds against three.
    let harmless = if W == 5 { 3 } else { 2 };
    if !(holds(0) && holds(1)) {
        1
    } else if strong <= harmless {
        8
    } else if strong <= weak + 1 || strong == 3 {
        2
    } else {
        1
    }
}

#[cfg(test)]
mod tests {
    use crate::Checkers;
    use ludion_core::game::Game;
    use ludion_core::grid::{Balance, GridGame};

    fn balance(spec: &str, fen: &str) -> Balance {
        let g = Checkers::named(spec).unwrap();
        g.balance(&g.pieces(&g.read_state(fen).unwrap()))
    }

    #[test]
    fn kings_reach_safe_squares_and_squares_where_they_are_captured() {
        // From 46 the long diagonal is free to 5. The man on 24 captures on 19, because 13 is empty.
        let free = balance("checkers(international)", "W:WK46:B1");
        assert_eq!(free.features[..2], [9, 0]);
        let attacked = balance("checkers(international)", "W:WK46:B24");
        assert_eq!(attacked.features[..2], [8, 1]);
        // A king of English draughts in the middle has four steps.
        assert_eq!(balance("checkers(english)", "B:BK15:W32").features[..2], [4, 0]);
    }

    #[test]
    fn the_lean_counts_men_of_one_half_more_than_of_the_other() {
        assert_eq!(balance("checkers(international)", "W:W46,41,36:B1").features[2], 3 - 1);
        assert_eq!(balance("checkers(international)", "W:W46,50:B1,5").features[2], 0);
    }

    #[test]
    fn endings_of_flying_kings_with_few_pieces_are_drawish() {
        let divisor = |fen| balance("checkers(international)", fen).draw_divisor;
        assert_eq!(divisor("W:WK46,K47,K48:BK5"), 8);
        assert_eq!(divisor("W:WK46,K47,K48,K49:BK5,K10,K15"), 2);
        assert_eq!(divisor("W:WK46,K47,K48,K49:BK5"), 1);
        assert_eq!(divisor("W:WK46,K47:B1"), 1);
        assert_eq!(balance("checkers(english)", "B:BK1,K2:WK32").draw_divisor, 1);
    }
}
