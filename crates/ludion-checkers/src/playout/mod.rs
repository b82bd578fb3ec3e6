//! Playouts with the simple rules: one at a time, or many at once in vector [`lanes`].
//!
//! A uniformly random move is drawn without a move list: the men that can move in each direction
//! are counted, a random number below the sum is drawn, and the man with this number is found by
//! selecting a bit. Only captures of three or more pieces need a move list.

mod lanes;

use super::board::{DIAGONAL, PaddedBoard};
use super::generator::{
    DoubleJumps, ManMoveSets, double_jump, double_jumps, forwards, jump_origins, list_captures,
    mask, steppers, union,
};
use super::{CheckersMove, CheckersState, rules};
use ludion_core::bits::map_sets;
use ludion_core::game::Side;
use ludion_core::outcome::{Duel, DuelTally, Outcome};
use ludion_core::random::Rng;

use lanes::PlayoutLanes;

type Board8 = PaddedBoard<4>;

/// The fewest games for which playing in lanes is faster than one game at a time.
const MIN_LANE_GAMES: u64 = 4;

/// Plays one random game from `s`.
#[inline]
pub(super) fn play_one(s: &CheckersState, rng: &mut Rng, scratch: &mut Vec<CheckersMove>) -> Duel {
    let mut stream = rng.bits();
    #[cfg(target_arch = "x86_64")]
    if has_bmi2() {
        // SAFETY: the processor has the features the function was compiled for.
        return Duel::Won(unsafe { play_game_bmi2(s, &mut stream, scratch) });
    }
    Duel::Won(play_game::<false>(s, &mut stream, scratch))
}

/// Plays `count` random games from `s` and adds their outcomes to `tally`.
pub(super) fn play_many(
    s: &CheckersState,
    count: u64,
    rng: &mut Rng,
    scratch: &mut Vec<CheckersMove>,
    tally: &mut DuelTally,
) {
    if count < MIN_LANE_GAMES {
        (0..count).for_each(|_| play_one(s, rng, scratch).count(tally));
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
fn play_game_bmi2(s: &CheckersState, stream: &mut u64, scratch: &mut Vec<CheckersMove>) -> Side {
    play_game::<true>(s, stream, scratch)
}

/// Returns the next state of Knuth's linear congruential generator, of which the upper 32 bits are
/// used as a random number.
#[inline(always)]
const fn next_state(stream: u64) -> u64 {
    stream.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407)
}

/// Plays a random game to its end and returns the winner. `BMI2` may be true only on a processor
/// with BMI2.
#[inline(always)]
fn play_game<const BMI2: bool>(
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

/// Plays a random move of the men `own`, which move up if `UP`; returns whether there was a legal
/// move. Captures are rarer than steps, so a branch between the two is faster than computing both.
#[inline(always)]
fn ply<const UP: bool, const BMI2: bool>(
    own: &mut u64,
    other: &mut u64,
    stream: &mut u64,
    scratch: &mut Vec<CheckersMove>,
) -> bool {
    let empty = Board8::ALL & !(*own | *other);
    let jump_origins = jump_origins::<4>(*other, empty, DIAGONAL);
    let captures = map_sets(jump_origins, |origins| *own & origins);
    if union(&captures) != 0 {
        let moves = ManMoveSets::from_captures::<4>(captures, jump_origins);
        play_capture::<UP, BMI2>(own, other, &moves, stream, scratch);
        return true;
    }
    let skip = if UP { STEPS_UP } else { DOWN };
    let steppers = pair(skip, steppers::<4>(*own, empty, side(UP)));
    let count = u64::from(steppers.count_ones());
    if count == 0 {
        return false;
    }
    let man = unpair(skip, select::<BMI2>(steppers, below(stream, count)));
    *own ^= either(man) ^ either(step(man, forwards(side(UP))));
    true
}

/// The lowest bit number of a square from which a man can step up: the first of the second row.
const STEPS_UP: u32 = 4;
/// The lowest bit number of a square from which a man can jump up: the first of the third row.
const JUMPS_UP: u32 = 9;
/// The lowest bit number of a square from which a man can step or jump down: the first square.
const DOWN: u32 = 0;

/// Packs men that move left into the lower half of a word and men that move right into its upper
/// half, so that one bit selection serves both. From the bit `skip` on they fit into 32 bits,
/// because no man moves up from the first row or down from the last.
#[inline(always)]
const fn pair(skip: u32, [left, right]: [u64; 2]) -> u64 {
    left >> skip | right >> skip << 32
}

/// Returns the men that move left and the men that move right, which [`pair`] has packed into
/// `men`.
#[inline(always)]
const fn unpair(skip: u32, men: u64) -> [u64; 2] {
    [(men & 0xffff_ffff) << skip, men >> 32 << skip]
}

#[inline(always)]
const fn step([left, right]: [u64; 2], [l, r]: [usize; 2]) -> [u64; 2] {
    [Board8::step(left, l), Board8::step(right, r)]
}

#[inline(always)]
const fn either([left, right]: [u64; 2]) -> u64 {
    left | right
}

/// Returns the squares that change when the man `man`, packed by [`pair`], captures one piece: in
/// the set of the capturing side, and in the set of the other.
#[inline(always)]
const fn jump(skip: u32, man: u64, directions: [usize; 2]) -> [u64; 2] {
    let from = unpair(skip, man);
    let over = step(from, directions);
    [either(from) ^ either(step(over, directions)), either(over)]
}

/// Plays a random capture from `moves`, which contains at least one.
#[inline(always)]
fn play_capture<const UP: bool, const BMI2: bool>(
    own: &mut u64,
    other: &mut u64,
    moves: &ManMoveSets,
    stream: &mut u64,
    scratch: &mut Vec<CheckersMove>,
) {
    if moves.chain != 0 {
        return play_chain::<UP, BMI2>(own, other, moves, stream, scratch);
    }
    let [a, b, c, d] = moves.sets;
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

/// Plays a random capture of two or more pieces.
#[inline(always)]
fn play_chain<const UP: bool, const BMI2: bool>(
    own: &mut u64,
    other: &mut u64,
    moves: &ManMoveSets,
    stream: &mut u64,
    scratch: &mut Vec<CheckersMove>,
) {
    let (from, taken, to) = match double_jumps::<4>(moves) {
        Ok(double_jumps) => draw_double_jump::<BMI2>(&double_jumps, stream),
        Err(men) => {
            let pieces = if UP { [*own, *other] } else { [*other, *own] };
            let s = CheckersState { pieces, kings: 0, turn: side(UP), quiet: 0 };
            let base = scratch.len();
            list_captures::<4>(&rules::SIMPLE, &s, (men, 0), false, scratch);
            let m = scratch[base + below(stream, (scratch.len() - base) as u64) as usize];
            scratch.truncate(base);
            (1 << m.from, m.taken, 1 << m.to)
        }
    };
    *own = *own & !from | to;
    *other &= !taken;
}

/// Draws a random number from 0 to `n` − 1.
#[inline(always)]
fn below(stream: &mut u64, n: u64) -> u64 {
    *stream = next_state(*stream);
    ((*stream >> 32) * n) >> 32
}

/// Draws a random capture of two pieces and returns its origin, its captured pieces and its target,
/// as sets. It has no branches, because the processor could not predict them.
#[inline(always)]
fn draw_double_jump<const BMI2: bool>(
    double_jumps: &DoubleJumps,
    stream: &mut u64,
) -> (u64, u64, u64) {
    let DoubleJumps { middles, counts } = double_jumps;
    let k = below(stream, counts[15].into()) as u32;
    let pair = counts.iter().map(|&count| usize::from(count <= k)).sum::<usize>();
    let before = if pair == 0 { 0 } else { counts[pair - 1] };
    double_jump::<4>(select::<BMI2>(middles[pair], (k - before).into()), pair)
}

/// Returns the `k`-th lowest bit of `set`, counted from 0, as a set.
#[inline(always)]
fn select<const BMI2: bool>(mut set: u64, k: u64) -> u64 {
    #[cfg(target_arch = "x86_64")]
    if BMI2 {
        // SAFETY: the caller guarantees a processor with BMI2.
        return unsafe { std::arch::x86_64::_pdep_u64(1 << k, set) };
    }
    for _ in 0..k {
        set &= set - 1;
    }
    set & set.wrapping_neg()
}
