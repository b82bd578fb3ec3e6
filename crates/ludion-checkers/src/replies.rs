//! Counts the move sequences of two plies with the simple rules, for the last two plies of perft.
//! The boards after steps and single captures are computed from sets of men, without a move list,
//! and the replies on each are counted with population counts. Longer captures use the move
//! generator.

use super::board::{DIAGONAL, PaddedBoard};
use super::generator::{
    ManMoveSets, double_jumps, forwards, jump_origins, list_captures, list_moves, steppers, union,
};
use super::{CheckersMove, CheckersState, rules};
use ludion_core::bits::map_sets;
use ludion_core::game::Side;

type Board8 = PaddedBoard<4>;

/// Counts the sequences of two plies from `s`.
#[inline]
pub(super) fn count(s: &CheckersState, scratch: &mut Vec<CheckersMove>) -> u64 {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("bmi1") && is_x86_feature_detected!("popcnt") {
        // SAFETY: the processor has the features the function was compiled for.
        return unsafe { count_with_popcnt(s, scratch) };
    }
    count_portable(s, scratch)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "bmi1,popcnt")]
fn count_with_popcnt(s: &CheckersState, scratch: &mut Vec<CheckersMove>) -> u64 {
    count_portable(s, scratch)
}

#[inline(always)]
fn count_portable(s: &CheckersState, scratch: &mut Vec<CheckersMove>) -> u64 {
    match s.turn {
        Side::First => count_two_plies::<true>(s, scratch),
        Side::Second => count_two_plies::<false>(s, scratch),
    }
}

#[inline(always)]
const fn side(up: bool) -> Side {
    if up { Side::First } else { Side::Second }
}

/// Implements [`count`] for a side to move that moves up if `UP` and down otherwise.
#[inline(always)]
fn count_two_plies<const UP: bool>(s: &CheckersState, scratch: &mut Vec<CheckersMove>) -> u64 {
    let (own, other) = (s.mine(), s.theirs());
    let empty = Board8::ALL & !(own | other);
    let jump_origins = jump_origins::<4>(other, empty, DIAGONAL);
    let captures = map_sets(jump_origins, |origins| own & origins);
    let mut sequences = 0;
    if union(&captures) == 0 {
        for (d, movers) in forwards(side(UP)).into_iter().zip(steppers::<4>(own, empty, side(UP))) {
            for from in single_bits(movers) {
                sequences +=
                    count_replies_of::<UP>(own ^ from ^ Board8::step(from, d), other, scratch);
            }
        }
    } else if ManMoveSets::from_captures::<4>(captures, jump_origins).chain == 0 {
        for (d, &jumpers) in captures.iter().enumerate() {
            for from in single_bits(jumpers) {
                let over = Board8::step(from, d);
                let own = own ^ from ^ Board8::step(over, d);
                sequences += count_replies_of::<UP>(own, other ^ over, scratch);
            }
        }
    } else {
        let base = scratch.len();
        list_moves::<4>(&rules::SIMPLE, s, false, scratch);
        for i in base..scratch.len() {
            let m = scratch[i];
            let own = own & !(1 << m.from) | 1 << m.to;
            sequences += count_replies_of::<UP>(own, other & !m.taken, scratch);
        }
        scratch.truncate(base);
    }
    sequences
}

/// Counts the legal replies of the men `own`. `moved` are the men of the opponent, which has just
/// moved and moves up if `UP`.
#[inline(always)]
fn count_replies_of<const UP: bool>(moved: u64, own: u64, scratch: &mut Vec<CheckersMove>) -> u64 {
    let empty = Board8::ALL & !(own | moved);
    let jump_origins = jump_origins::<4>(moved, empty, DIAGONAL);
    let captures = map_sets(jump_origins, |origins| own & origins);
    if union(&captures) == 0 {
        return total(&steppers::<4>(own, empty, side(!UP)));
    }
    let moves = ManMoveSets::from_captures::<4>(captures, jump_origins);
    if moves.chain == 0 {
        return total(&captures);
    }
    match double_jumps::<4>(&moves) {
        Ok(double_jumps) => double_jumps.counts[15].into(),
        Err(men) => {
            let pieces = if UP { [moved, own] } else { [own, moved] };
            let s = CheckersState { pieces, kings: 0, turn: side(!UP), quiet: 0 };
            let base = scratch.len();
            list_captures::<4>(&rules::SIMPLE, &s, (men, 0), false, scratch);
            let count = scratch.len() - base;
            scratch.truncate(base);
            count as u64
        }
    }
}

/// Returns the sum of the numbers of squares in `sets`.
#[inline(always)]
fn total(sets: &[u64]) -> u64 {
    sets.iter().map(|set| u64::from(set.count_ones())).sum()
}

/// Iterates over the squares of a set, each as a set of one bit.
#[inline(always)]
fn single_bits(mut set: u64) -> impl Iterator<Item = u64> {
    std::iter::from_fn(move || {
        let bit = set & set.wrapping_neg();
        set ^= bit;
        (bit != 0).then_some(bit)
    })
}
