//! Lines of two moves by the seed's rules: what perft comes down to. The boards after every step
//! and every single capture are made from sets of men, without listing a move, and the moves on
//! each are counted by population counts. Chains of captures go through the generator's list.

use super::board::{DIAGONAL, PaddedBoard};
use super::generator::{ManMoves, chase, doubles, forwards, list, springs, steppers, union};
use super::{CheckersMove, CheckersState, rules};
use crate::game::Side;

type Board8 = PaddedBoard<4>;

/// How many lines of two moves start in `s`.
#[inline]
pub(super) fn count(s: &CheckersState, scratch: &mut Vec<CheckersMove>) -> u64 {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("bmi1") && is_x86_feature_detected!("popcnt") {
        // SAFETY: the processor has the features the function was compiled for.
        return unsafe { count_with_popcnt(s, scratch) };
    }
    count_plainly(s, scratch)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "bmi1,popcnt")]
fn count_with_popcnt(s: &CheckersState, scratch: &mut Vec<CheckersMove>) -> u64 {
    count_plainly(s, scratch)
}

#[inline(always)]
fn count_plainly(s: &CheckersState, scratch: &mut Vec<CheckersMove>) -> u64 {
    match s.turn {
        Side::First => replies::<true>(s, scratch),
        Side::Second => replies::<false>(s, scratch),
    }
}

#[inline(always)]
const fn side(up: bool) -> Side {
    if up { Side::First } else { Side::Second }
}

/// [`count`] where the side that moves up, or down, is to move.
#[inline(always)]
fn replies<const UP: bool>(s: &CheckersState, scratch: &mut Vec<CheckersMove>) -> u64 {
    let (own, other) = (s.mine(), s.theirs());
    let empty = Board8::ALL & !(own | other);
    let springs = springs::<4>(other, empty, DIAGONAL);
    let captures = springs.map(|springs| own & springs);
    let mut lines = 0;
    if union(&captures) == 0 {
        for (d, movers) in forwards(side(UP)).into_iter().zip(steppers::<4>(own, empty, side(UP))) {
            for from in each(movers) {
                lines += answers::<UP>(own ^ from ^ Board8::step(from, d), other, scratch);
            }
        }
    } else if ManMoves::at_captures::<4>(captures, springs).chain == 0 {
        for (d, &jumpers) in captures.iter().enumerate() {
            for from in each(jumpers) {
                let over = Board8::step(from, d);
                let own = own ^ from ^ Board8::step(over, d);
                lines += answers::<UP>(own, other ^ over, scratch);
            }
        }
    } else {
        let base = scratch.len();
        list::<4>(&rules::SEED, s, false, scratch);
        for i in base..scratch.len() {
            let m = scratch[i];
            let own = own & !(1 << m.from) | 1 << m.to;
            lines += answers::<UP>(own, other & !m.taken, scratch);
        }
        scratch.truncate(base);
    }
    lines
}

/// The moves of `own` after the side that goes up, or down, has `moved`.
#[inline(always)]
fn answers<const UP: bool>(moved: u64, own: u64, scratch: &mut Vec<CheckersMove>) -> u64 {
    let empty = Board8::ALL & !(own | moved);
    let springs = springs::<4>(moved, empty, DIAGONAL);
    let captures = springs.map(|springs| own & springs);
    if union(&captures) == 0 {
        return all(&steppers::<4>(own, empty, side(!UP)));
    }
    let look = ManMoves::at_captures::<4>(captures, springs);
    if look.chain == 0 {
        return all(&captures);
    }
    match doubles::<4>(&look) {
        Ok(doubles) => doubles.counts[15].into(),
        Err(men) => {
            let pieces = if UP { [moved, own] } else { [own, moved] };
            let s = CheckersState { pieces, kings: 0, turn: side(!UP), quiet: 0 };
            let base = scratch.len();
            chase::<4>(&rules::SEED, &s, (men, 0), false, scratch);
            let count = scratch.len() - base;
            scratch.truncate(base);
            count as u64
        }
    }
}

#[inline(always)]
fn all(sets: &[u64]) -> u64 {
    sets.iter().map(|set| u64::from(set.count_ones())).sum()
}

/// The bits of a set, each as a set of its own.
#[inline(always)]
fn each(mut set: u64) -> impl Iterator<Item = u64> {
    std::iter::from_fn(move || {
        let bit = set & set.wrapping_neg();
        set ^= bit;
        (bit != 0).then_some(bit)
    })
}
