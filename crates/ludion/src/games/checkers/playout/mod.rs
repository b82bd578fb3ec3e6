//! Random games by the seed's rules: one at a time, or many at once in [`lanes`].
//!
//! A uniformly random move is drawn without listing any: the sets of men that can go each way
//! are counted, a number below the sum is drawn, and its man is found by counting bits. Only
//! captures of three and more are listed.

mod lanes;

use super::board::{DIAGONAL, PaddedBoard};
use super::generator::{
    DoubleJumps, ManMoves, chase, double, doubles, forwards, mask, springs, steppers, union,
};
use super::{CheckersMove, CheckersState, rules};
use crate::game::Side;
use crate::outcome::{Duel, DuelTally, Outcome};
use crate::random::Rng;

use lanes::PlayoutLanes;

type Board8 = PaddedBoard<4>;

/// Below this many games the lanes do not pay.
const FEW: u64 = 4;

/// One random game from `s`.
#[inline]
pub(super) fn one(s: &CheckersState, rng: &mut Rng, scratch: &mut Vec<CheckersMove>) -> Duel {
    let mut stream = rng.bits();
    #[cfg(target_arch = "x86_64")]
    if has_bmi2() {
        // SAFETY: the processor has the features the function was compiled for.
        return Duel::Won(unsafe { game_bmi2(s, &mut stream, scratch) });
    }
    Duel::Won(game::<false>(s, &mut stream, scratch))
}

/// `count` random games from `s`.
pub(super) fn many(
    s: &CheckersState,
    count: u64,
    rng: &mut Rng,
    scratch: &mut Vec<CheckersMove>,
    tally: &mut DuelTally,
) {
    if count < FEW {
        (0..count).for_each(|_| one(s, rng, scratch).count(tally));
        return;
    }
    PlayoutLanes::new(count, rng).play(s, scratch).add_to(tally);
}

#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn has_bmi2() -> bool {
    is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("popcnt")
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "bmi1,bmi2,popcnt")]
fn game_bmi2(s: &CheckersState, stream: &mut u64, scratch: &mut Vec<CheckersMove>) -> Side {
    game::<true>(s, stream, scratch)
}

/// The next 32 random bits: the high half of Knuth's linear congruential generator.
#[inline(always)]
const fn next(stream: u64) -> u64 {
    stream.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407)
}

/// A random game to its end; who won. `BMI2` promises a processor that has it.
#[inline(always)]
fn game<const BMI2: bool>(
    s: &CheckersState,
    stream: &mut u64,
    scratch: &mut Vec<CheckersMove>,
) -> Side {
    let [mut first, mut second] = s.pieces;
    if s.turn == Side::Second && !ply::<false, BMI2>(&mut second, &mut first, stream, scratch) {
        return Side::First;
    }
    loop {
        if !ply::<true, BMI2>(&mut first, &mut second, stream, scratch) {
            return Side::Second;
        }
        if !ply::<false, BMI2>(&mut second, &mut first, stream, scratch) {
            return Side::First;
        }
    }
}

#[inline(always)]
const fn side(up: bool) -> Side {
    if up { Side::First } else { Side::Second }
}

/// A random move of the side that moves up or down; says whether there was one. Captures are
/// rarer than steps, so a branch here is faster than looking at both.
#[inline(always)]
fn ply<const UP: bool, const BMI2: bool>(
    own: &mut u64,
    other: &mut u64,
    stream: &mut u64,
    scratch: &mut Vec<CheckersMove>,
) -> bool {
    let empty = Board8::ALL & !(*own | *other);
    let springs = springs::<4>(*other, empty, DIAGONAL);
    let captures = springs.map(|springs| *own & springs);
    if union(&captures) != 0 {
        let look = ManMoves::at_captures::<4>(captures, springs);
        capture::<UP, BMI2>(own, other, &look, stream, scratch);
        return true;
    }
    let skip = if UP { STEPS_UP } else { DOWN };
    let steppers = pair(skip, steppers::<4>(*own, empty, side(UP)));
    let count = u64::from(steppers.count_ones());
    if count == 0 {
        return false;
    }
    let man = unpair(skip, select::<BMI2>(steppers, below(stream, count)));
    *own ^= both(man) ^ both(step(man, forwards(side(UP))));
    true
}

/// The first bit of a man that can step up, jump up, or go down.
const STEPS_UP: u32 = 4;
const JUMPS_UP: u32 = 9;
const DOWN: u32 = 0;

/// Men that go left in the lower half of a word and men that go right in its upper half, so that
/// one of all is found by counting bits once. They fit from the bit `skip` on: nobody goes up
/// from the first row, or down from the last.
#[inline(always)]
const fn pair(skip: u32, [left, right]: [u64; 2]) -> u64 {
    left >> skip | right >> skip << 32
}

#[inline(always)]
const fn unpair(skip: u32, men: u64) -> [u64; 2] {
    [(men & 0xffff_ffff) << skip, men >> 32 << skip]
}

#[inline(always)]
const fn step([left, right]: [u64; 2], [l, r]: [usize; 2]) -> [u64; 2] {
    [Board8::step(left, l), Board8::step(right, r)]
}

#[inline(always)]
const fn both([left, right]: [u64; 2]) -> u64 {
    left | right
}

/// What a capture by a man of a pair changes on either side.
#[inline(always)]
const fn jump(skip: u32, man: u64, ways: [usize; 2]) -> [u64; 2] {
    let from = unpair(skip, man);
    let over = step(from, ways);
    [both(from) ^ both(step(over, ways)), both(over)]
}

/// A random capture, of which there is one.
#[inline(always)]
fn capture<const UP: bool, const BMI2: bool>(
    own: &mut u64,
    other: &mut u64,
    look: &ManMoves,
    stream: &mut u64,
    scratch: &mut Vec<CheckersMove>,
) {
    if look.chain != 0 {
        return chain::<UP, BMI2>(own, other, look, stream, scratch);
    }
    let [a, b, c, d] = look.sets;
    let (up, down) = (pair(JUMPS_UP, [a, b]), pair(DOWN, [c, d]));
    let ups = u64::from(up.count_ones());
    let k = below(stream, ups + u64::from(down.count_ones()));
    let goes_down = mask(k >= ups);
    let man = select::<BMI2>(up & !goes_down | down & goes_down, k - (ups & goes_down));
    let [moved, taken] =
        if goes_down != 0 { jump(DOWN, man, [2, 3]) } else { jump(JUMPS_UP, man, [0, 1]) };
    *own ^= moved;
    *other ^= taken;
}

/// A random one of the captures of two and more.
#[inline(always)]
fn chain<const UP: bool, const BMI2: bool>(
    own: &mut u64,
    other: &mut u64,
    look: &ManMoves,
    stream: &mut u64,
    scratch: &mut Vec<CheckersMove>,
) {
    let (from, taken, to) = match doubles::<4>(look) {
        Ok(doubles) => draw::<BMI2>(&doubles, stream),
        Err(men) => {
            let pieces = if UP { [*own, *other] } else { [*other, *own] };
            let s = CheckersState { pieces, kings: 0, turn: side(UP), quiet: 0 };
            let base = scratch.len();
            chase::<4>(&rules::SEED, &s, (men, 0), false, scratch);
            let m = scratch[base + below(stream, (scratch.len() - base) as u64) as usize];
            scratch.truncate(base);
            (1 << m.from, m.taken, 1 << m.to)
        }
    };
    *own = *own & !from | to;
    *other &= !taken;
}

/// A random number below `n`.
#[inline(always)]
fn below(stream: &mut u64, n: u64) -> u64 {
    *stream = next(*stream);
    ((*stream >> 32) * n) >> 32
}

/// A random one of captures of two: without a branch, for nobody could guess its ways.
#[inline(always)]
fn draw<const BMI2: bool>(doubles: &DoubleJumps, stream: &mut u64) -> (u64, u64, u64) {
    let DoubleJumps { middles, counts } = doubles;
    let k = below(stream, counts[15].into()) as u32;
    let ways = counts.iter().map(|&count| usize::from(count <= k)).sum::<usize>();
    let before = if ways == 0 { 0 } else { counts[ways - 1] };
    double::<4>(select::<BMI2>(middles[ways], (k - before).into()), ways)
}

/// The bit of `set` that has `k` others below it.
#[inline(always)]
fn select<const BMI2: bool>(mut set: u64, k: u64) -> u64 {
    #[cfg(target_arch = "x86_64")]
    if BMI2 {
        // SAFETY: the caller promises a processor with BMI2.
        return unsafe { std::arch::x86_64::_pdep_u64(1 << k, set) };
    }
    for _ in 0..k {
        set &= set - 1;
    }
    set & set.wrapping_neg()
}
