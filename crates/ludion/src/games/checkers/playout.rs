//! Random games by the seed's rules: one at a time, or many at once in lanes.
//!
//! A uniformly random move is drawn without listing any: the sets of men that can go each way
//! are counted, a number below the sum is drawn, and its man is found by counting bits. Only
//! captures of three and more are listed. A lane plays its share of games one after the other
//! from a generator of its own, so it makes no difference whether lanes are stepped together
//! with vector instructions (AVX-512) or one after the other (everywhere else).

use super::board::{Board, DIAGONAL};
use super::generator::{Look, chase, double, doubles, forwards, mask, springs, steppers, union};
use super::{Move, State, rules};
use crate::game::Side;
use crate::outcome::{Duel, DuelTally, Outcome};
use crate::random::Rng;

type Board8 = Board<4>;

/// Games stepped together: two vectors of eight, so that one works while the other waits.
const LANES: usize = 16;

/// A side has at most so many men in games from the start.
const MEN: u32 = 12;

/// Below this many games the lanes do not pay.
const FEW: u64 = 4;

/// One random game from `s`.
#[inline]
pub(super) fn one(s: &State, rng: &mut Rng, scratch: &mut Vec<Move>) -> Duel {
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
    s: &State,
    count: u64,
    rng: &mut Rng,
    scratch: &mut Vec<Move>,
    tally: &mut DuelTally,
) {
    if count < FEW {
        (0..count).for_each(|_| one(s, rng, scratch).count(tally));
        return;
    }
    let mut lanes = Lanes::new(count, rng);
    let few_men = s.pieces.iter().all(|set| set.count_ones() <= MEN);
    #[cfg(target_arch = "x86_64")]
    if has_bmi2() {
        if few_men && has_avx512() {
            // SAFETY: the processor has the features the function was compiled for.
            unsafe { run_avx512(s, &mut lanes, scratch) };
        } else {
            // SAFETY: the processor has the features the function was compiled for.
            unsafe { run_bmi2(s, &mut lanes, scratch) };
        }
        return lanes.add_to(tally);
    }
    run::<false>(s, &mut lanes, scratch);
    lanes.add_to(tally);
}

#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn has_bmi2() -> bool {
    is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("popcnt")
}

#[cfg(target_arch = "x86_64")]
fn has_avx512() -> bool {
    is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("avx512vpopcntdq")
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "bmi1,bmi2,popcnt")]
fn game_bmi2(s: &State, stream: &mut u64, scratch: &mut Vec<Move>) -> Side {
    game::<true>(s, stream, scratch)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "bmi1,bmi2,popcnt")]
fn run_bmi2(s: &State, lanes: &mut Lanes, scratch: &mut Vec<Move>) {
    run::<true>(s, lanes, scratch);
}

/// The next 32 random bits: the high half of Knuth's linear congruential generator.
#[inline(always)]
const fn next(stream: u64) -> u64 {
    stream.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407)
}

/// A random game to its end; who won. `BMI2` promises a processor that has it.
#[inline(always)]
fn game<const BMI2: bool>(s: &State, stream: &mut u64, scratch: &mut Vec<Move>) -> Side {
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

/// Every lane's games, one after the other.
#[inline(always)]
fn run<const BMI2: bool>(s: &State, lanes: &mut Lanes, scratch: &mut Vec<Move>) {
    for i in 0..LANES {
        for _ in 0..lanes.left[i] {
            let winner = game::<BMI2>(s, &mut lanes.stream[i], scratch);
            lanes.wins[winner.index()][i] += 1;
        }
        lanes.left[i] = 0;
    }
}

#[inline(always)]
const fn side(up: bool) -> Side {
    if up { Side::First } else { Side::Second }
}

/// What the men of a side can do.
#[inline(always)]
fn look<const UP: bool>(own: u64, other: u64) -> Look {
    Look::at::<4>(own, other, Board8::ALL & !(own | other), side(UP), DIAGONAL)
}

/// How many moves there are, chains apart: up to each of the sets.
#[inline(always)]
fn counts(look: &Look) -> [u64; 4] {
    let [a, b, c, d] = look.sets.map(|set| u64::from(set.count_ones()));
    [a, a + b, a + b + c, a + b + c + d]
}

/// The `k`-th move: where it starts, what it takes, and where it ends. `nth` finds a bit.
#[inline(always)]
fn pick(look: &Look, counts: &[u64; 4], k: u64, nth: impl Fn(u64, u64) -> u64) -> [u64; 3] {
    let [low, mid, high] = [k < counts[0], k < counts[1], k < counts[2]];
    let of = |values: [u64; 4]| {
        let left = if low { values[0] } else { values[1] };
        let right = if high { values[2] } else { values[3] };
        if mid { left } else { right }
    };
    let from = nth(of(look.sets), k - of([0, counts[0], counts[1], counts[2]]));
    let step = |at: u64| of([0, 1, 2, 3].map(|d| Board8::step(at, d)));
    let over = step(from);
    [from, over & look.jump, over & !look.jump | step(over) & look.jump]
}

/// A random move of the side that moves up or down; says whether there was one. Captures are
/// rarer than steps, so a branch here is faster than looking at both.
#[inline(always)]
fn ply<const UP: bool, const BMI2: bool>(
    own: &mut u64,
    other: &mut u64,
    stream: &mut u64,
    scratch: &mut Vec<Move>,
) -> bool {
    let empty = Board8::ALL & !(*own | *other);
    let springs = springs::<4>(*other, empty, DIAGONAL);
    let captures = springs.map(|springs| *own & springs);
    if union(&captures) != 0 {
        let look = Look::at_captures::<4>(captures, springs);
        capture::<UP, BMI2>(own, other, &look, stream, scratch);
        return true;
    }
    let [left, right] = steppers::<4>(*own, empty, side(UP));
    let (lefts, rights) = (u64::from(left.count_ones()), u64::from(right.count_ones()));
    if lefts + rights == 0 {
        return false;
    }
    let k = below(stream, lefts + rights);
    let goes_right = mask(k >= lefts);
    let from = select::<BMI2>(left & !goes_right | right & goes_right, k - (lefts & goes_right));
    let [to_left, to_right] = forwards(side(UP)).map(|d| Board8::step(from, d));
    *own ^= from ^ (to_left & !goes_right | to_right & goes_right);
    true
}

/// A random capture, of which there is one.
#[inline(always)]
fn capture<const UP: bool, const BMI2: bool>(
    own: &mut u64,
    other: &mut u64,
    look: &Look,
    stream: &mut u64,
    scratch: &mut Vec<Move>,
) {
    if look.chain != 0 {
        return chain::<UP, BMI2>(own, other, look, stream, scratch);
    }
    let counts = counts(look);
    let k = below(stream, counts[3]);
    let [from, taken, to] = pick(look, &counts, k, select::<BMI2>);
    *own ^= from ^ to;
    *other ^= taken;
}

/// A random one of the captures of two and more.
#[inline(always)]
fn chain<const UP: bool, const BMI2: bool>(
    own: &mut u64,
    other: &mut u64,
    look: &Look,
    stream: &mut u64,
    scratch: &mut Vec<Move>,
) {
    let (from, taken, to) = match doubles::<4>(look) {
        Ok(starts) => {
            let (ways, from) = draw::<BMI2>(&starts, stream);
            let (taken, to) = double::<4>(from, ways);
            (from, taken, to)
        }
        Err(men) => {
            let pieces = if UP { [*own, *other] } else { [*other, *own] };
            let s = State { pieces, kings: 0, turn: side(UP), quiet: 0 };
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

/// A random bit of all these sets, and the number of its set.
#[inline(always)]
fn draw<const BMI2: bool>(sets: &[u64; 16], stream: &mut u64) -> (usize, u64) {
    let mut k = below(stream, sets.iter().map(|set| u64::from(set.count_ones())).sum());
    for (i, &set) in sets.iter().enumerate() {
        let count = u64::from(set.count_ones());
        if k < count {
            return (i, select::<BMI2>(set, k));
        }
        k -= count;
    }
    unreachable!("the number drawn is below the sum of all counts")
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

/// Games side by side, each quantity as one number a lane.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Lanes {
    first: [u64; LANES],
    second: [u64; LANES],
    /// All bits set while a game goes on.
    busy: [u64; LANES],
    /// Games this lane has still to begin.
    left: [u64; LANES],
    /// The generator of each lane.
    stream: [u64; LANES],
    /// Games won by either side.
    wins: [[u64; LANES]; 2],
}

impl Lanes {
    fn new(count: u64, rng: &mut Rng) -> Self {
        let share = |lane| count / LANES as u64 + u64::from((lane as u64) < count % LANES as u64);
        Lanes {
            first: [0; LANES],
            second: [0; LANES],
            busy: [0; LANES],
            left: std::array::from_fn(share),
            stream: [0; LANES].map(|_: u64| rng.bits()),
            wins: [[0; LANES]; 2],
        }
    }

    fn add_to(&self, tally: &mut DuelTally) {
        for side in Side::BOTH {
            tally.wins[side.index()] += self.wins[side.index()].iter().sum::<u64>();
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "bmi1,bmi2,popcnt,avx512f,avx512dq,avx512vpopcntdq")]
fn run_avx512(s: &State, lanes: &mut Lanes, scratch: &mut Vec<Move>) {
    let mut local = *lanes;
    loop {
        // All lanes have the same side to move, so games begin when it is that of `s`.
        if s.turn == Side::First {
            local.begin(s);
            local.step::<true>(scratch);
            local.step::<false>(scratch);
        } else {
            local.begin(s);
            local.step::<false>(scratch);
            local.step::<true>(scratch);
        }
        if local.left == [0; LANES] && local.busy == [0; LANES] {
            break;
        }
    }
    *lanes = local;
}

impl Lanes {
    /// Begins the next game of every lane that has ended one.
    #[inline(always)]
    fn begin(&mut self, s: &State) {
        for i in 0..LANES {
            let begins = mask(self.busy[i] == 0) & mask(self.left[i] != 0);
            self.left[i] -= begins & 1;
            self.first[i] = self.first[i] & !begins | s.pieces[0] & begins;
            self.second[i] = self.second[i] & !begins | s.pieces[1] & begins;
            self.busy[i] |= begins;
        }
    }

    /// One ply in every lane that has a game: [`ply`] without a branch, but for the chains.
    #[inline(always)]
    fn step<const UP: bool>(&mut self, scratch: &mut Vec<Move>) {
        let mut chains = [0u64; LANES];
        let [owns, others] = if UP {
            [&mut self.first, &mut self.second]
        } else {
            [&mut self.second, &mut self.first]
        };
        for i in 0..LANES {
            let look = look::<UP>(owns[i], others[i]);
            let counts = counts(&look);
            chains[i] = look.chain & self.busy[i];
            let lost = mask(counts[3] == 0) & self.busy[i];
            self.wins[side(!UP).index()][i] += lost & 1;
            self.busy[i] &= !lost;

            let moves = self.busy[i] & mask(look.chain == 0);
            let stream = next(self.stream[i]);
            self.stream[i] = stream & moves | self.stream[i] & !moves;
            let k = ((stream >> 32) * counts[3]) >> 32;
            let [from, taken, to] = pick(&look, &counts, k, nth);
            owns[i] ^= (from ^ to) & moves;
            others[i] ^= taken & moves;
        }
        self.follow_chains::<UP>(&chains, scratch);
    }

    /// The plies that [`Lanes::step`] left out.
    #[inline(always)]
    fn follow_chains<const UP: bool>(&mut self, chains: &[u64; LANES], scratch: &mut Vec<Move>) {
        let mut waiting = 0u32;
        for (i, &chain) in chains.iter().enumerate() {
            waiting |= u32::from(chain != 0) << i;
        }
        while waiting != 0 {
            let i = waiting.trailing_zeros() as usize;
            waiting &= waiting - 1;
            let (first, second) = (&mut self.first[i], &mut self.second[i]);
            let (own, other) = if UP { (first, second) } else { (second, first) };
            ply::<UP, true>(own, other, &mut self.stream[i], scratch);
        }
    }
}

/// The bit of `set` that has `k` others below it, for `k` below [`MEN`] and without a branch.
#[inline(always)]
fn nth(mut set: u64, k: u64) -> u64 {
    for i in 0..u64::from(MEN) - 1 {
        set = if i < k { set & set.wrapping_sub(1) } else { set };
    }
    set & set.wrapping_neg()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::games::checkers::Checkers;

    #[test]
    fn lanes_give_the_same_counts_on_every_machine_and_end_exactly_their_games() {
        let g = Checkers::new(rules::SEED, 8);
        let (mut s, mut rng, mut moves) = (g.start(), Rng::new(9), Vec::new());
        for count in [4, 15, 16, 1000, 777, 31] {
            let fresh = || Lanes::new(count, &mut Rng::new(3));
            let tally = |lanes: &Lanes| {
                let mut tally = DuelTally::default();
                lanes.add_to(&mut tally);
                tally.wins
            };
            let mut plain = fresh();
            run::<false>(&s, &mut plain, &mut moves);
            assert_eq!(tally(&plain).iter().sum::<u64>(), count);
            #[cfg(target_arch = "x86_64")]
            if has_bmi2() {
                let mut fast = fresh();
                // SAFETY: the processor has the features the function was compiled for.
                unsafe { run_bmi2(&s, &mut fast, &mut moves) };
                assert_eq!(tally(&fast), tally(&plain), "with BMI2, {}", g.show_state(&s));
                if has_avx512() {
                    let mut wide = fresh();
                    // SAFETY: the processor has the features the function was compiled for.
                    unsafe { run_avx512(&s, &mut wide, &mut moves) };
                    assert_eq!(tally(&wide), tally(&plain), "AVX-512, {}", g.show_state(&s));
                }
            }
            for _ in 0..5 {
                g.moves(&s, &mut moves);
                g.play(&mut s, moves[rng.below(moves.len())]);
                moves.clear();
            }
        }
    }
}
