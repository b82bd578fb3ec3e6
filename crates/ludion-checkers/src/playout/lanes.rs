//! Playouts of many games at once, in lanes. Each lane plays its share of the games one after the
//! other with its own random generator, so the results are the same whether the lanes advance
//! together with vector instructions (AVX-512) or in turn (on other processors).

// The lanes advance together only on x86-64.
#![cfg_attr(not(target_arch = "x86_64"), allow(dead_code))]

#[cfg(target_arch = "x86_64")]
use super::has_bmi2;
use super::{Board8, next_state, ply, side};
use crate::board::DIAGONAL;
use crate::generator::{ManMoveSets, mask};
use crate::{CheckersMove, CheckersState};
use ludion_core::bits::map_sets;
use ludion_core::game::Side;
use ludion_core::outcome::DuelTally;
use ludion_core::random::Rng;

/// The number of games that are played at once: two vectors of eight lanes, so that one vector is
/// computed while the other waits.
const LANES: usize = 16;

/// The most men of a side in a game from the start position.
const MAX_MEN: u32 = 12;

#[cfg(target_arch = "x86_64")]
fn has_avx512() -> bool {
    is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("avx512vpopcntdq")
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "bmi1,bmi2,popcnt")]
fn run_bmi2(s: &CheckersState, lanes: &mut PlayoutLanes, scratch: &mut Vec<CheckersMove>) {
    run::<true>(s, lanes, scratch);
}

/// Plays all games without vector instructions. The lanes take turns to play one ply of each side,
/// so that the processor can start on the next lane while the previous one waits. `BMI2` may be
/// true only on a processor with BMI2.
#[inline(always)]
fn run<const BMI2: bool>(
    s: &CheckersState,
    lanes: &mut PlayoutLanes,
    scratch: &mut Vec<CheckersMove>,
) {
    let [first, second] = s.pieces;
    (lanes.first, lanes.second) = ([first; LANES], [second; LANES]);
    while lanes.left != [0; LANES] {
        for i in 0..LANES {
            if lanes.left[i] != 0
                && let Some(winner) = lanes.play_round::<BMI2>(i, s.turn, scratch)
            {
                lanes.wins[winner.index()][i] += 1;
                lanes.left[i] -= 1;
                (lanes.first[i], lanes.second[i]) = (first, second);
            }
        }
    }
}

/// Finds the moves of the men `own`, which move up if `UP`, against the men `other`.
#[inline(always)]
fn men_moves<const UP: bool>(own: u64, other: u64) -> ManMoveSets {
    ManMoveSets::new::<4>(own, other, Board8::ALL & !(own | other), side(UP), DIAGONAL)
}

/// Returns the cumulative numbers of moves up to each direction. Captures of several pieces are
/// counted by their first jump.
#[inline(always)]
fn cumulative_counts(moves: &ManMoveSets) -> [u64; 4] {
    let [a, b, c, d] = map_sets(moves.sets, |set| set.count_ones().into());
    [a, a + b, a + b + c, a + b + c + d]
}

/// Returns the origin, the captured piece and the target of the `k`-th move, as sets. `nth(set, n)`
/// returns the `n`-th lowest bit of a set.
#[inline(always)]
fn pick_move(
    moves: &ManMoveSets,
    counts: &[u64; 4],
    k: u64,
    nth: impl Fn(u64, u64) -> u64,
) -> [u64; 3] {
    // Masks, because selects are vectorised in some builds only.
    let [low, mid, high] = [mask(k < counts[0]), mask(k < counts[1]), mask(k < counts[2])];
    let of = |values: [u64; 4]| {
        let left = values[0] & low | values[1] & !low;
        let right = values[2] & high | values[3] & !high;
        left & mid | right & !mid
    };
    let from = nth(of(moves.sets), k - of([0, counts[0], counts[1], counts[2]]));
    let step = |at: u64| of(map_sets([0, 1, 2, 3], |d| Board8::step(at, d as usize)));
    let over = step(from);
    [from, over & moves.capture_mask, over & !moves.capture_mask | step(over) & moves.capture_mask]
}

/// The games of all lanes, as one array for each quantity with one number per lane.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(super) struct PlayoutLanes {
    first: [u64; LANES],
    second: [u64; LANES],
    /// A mask with all bits set while the lane plays a game, and none otherwise; used only with
    /// AVX-512.
    busy: [u64; LANES],
    /// The number of games of the lane's share that have not started, or, without AVX-512, that are
    /// not over.
    left: [u64; LANES],
    /// The state of the lane's random generator.
    stream: [u64; LANES],
    /// The number of games won by each side.
    wins: [[u64; LANES]; 2],
}

impl PlayoutLanes {
    pub(super) fn new(count: u64, rng: &mut Rng) -> Self {
        let share = |lane| count / LANES as u64 + u64::from((lane as u64) < count % LANES as u64);
        PlayoutLanes {
            first: [0; LANES],
            second: [0; LANES],
            busy: [0; LANES],
            left: std::array::from_fn(share),
            stream: [0; LANES].map(|_: u64| rng.bits()),
            wins: [[0; LANES]; 2],
        }
    }

    /// Plays all games with the fastest instructions of this processor.
    pub(super) fn play(mut self, s: &CheckersState, scratch: &mut Vec<CheckersMove>) -> Self {
        #[cfg(target_arch = "x86_64")]
        if has_bmi2() {
            if has_avx512() && s.pieces.iter().all(|set| set.count_ones() <= MAX_MEN) {
                // SAFETY: the processor has the features the function was compiled for.
                unsafe { run_avx512(s, &mut self, scratch) };
            } else {
                // SAFETY: the processor has the features the function was compiled for.
                unsafe { run_bmi2(s, &mut self, scratch) };
            }
            return self;
        }
        run::<false>(s, &mut self, scratch);
        self
    }

    /// Plays a move of each side in lane `i`, `turn` first; returns the winner if the game is over.
    #[inline(always)]
    fn play_round<const BMI2: bool>(
        &mut self,
        i: usize,
        turn: Side,
        scratch: &mut Vec<CheckersMove>,
    ) -> Option<Side> {
        let (first, second) = (&mut self.first[i], &mut self.second[i]);
        let stream = &mut self.stream[i];
        if turn == Side::First && !ply::<true, BMI2>(first, second, stream, scratch) {
            return Some(Side::Second);
        }
        if !ply::<false, BMI2>(second, first, stream, scratch) {
            return Some(Side::First);
        }
        if turn == Side::Second && !ply::<true, BMI2>(first, second, stream, scratch) {
            return Some(Side::Second);
        }
        None
    }

    pub(super) fn add_to(&self, tally: &mut DuelTally) {
        for side in Side::BOTH {
            tally.wins[side.index()] += self.wins[side.index()].iter().sum::<u64>();
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "bmi1,bmi2,popcnt,avx512f,avx512dq,avx512vpopcntdq")]
fn run_avx512(s: &CheckersState, lanes: &mut PlayoutLanes, scratch: &mut Vec<CheckersMove>) {
    let mut local = *lanes;
    loop {
        // All lanes have the same side to move, so new games start only when it is the side to move
        // in `s`.
        if s.turn == Side::First {
            local.start_games(s);
            local.step::<true>(scratch);
            local.step::<false>(scratch);
        } else {
            local.start_games(s);
            local.step::<false>(scratch);
            local.step::<true>(scratch);
        }
        if local.left == [0; LANES] && local.busy == [0; LANES] {
            break;
        }
    }
    *lanes = local;
}

impl PlayoutLanes {
    /// Starts the next game in every lane whose game is over.
    #[inline(always)]
    fn start_games(&mut self, s: &CheckersState) {
        for i in 0..LANES {
            let starts = mask(self.busy[i] == 0) & mask(self.left[i] != 0);
            self.left[i] -= starts & 1;
            self.first[i] = self.first[i] & !starts | s.pieces[0] & starts;
            self.second[i] = self.second[i] & !starts | s.pieces[1] & starts;
            self.busy[i] |= starts;
        }
    }

    /// Plays one ply in every busy lane, like [`ply`] but without branches, except for captures of
    /// several pieces.
    #[inline(always)]
    fn step<const UP: bool>(&mut self, scratch: &mut Vec<CheckersMove>) {
        let mut chains = [0u64; LANES];
        let [owns, others] = if UP {
            [&mut self.first, &mut self.second]
        } else {
            [&mut self.second, &mut self.first]
        };
        for i in 0..LANES {
            let moves = men_moves::<UP>(owns[i], others[i]);
            let counts = cumulative_counts(&moves);
            chains[i] = moves.chain & self.busy[i];
            let lost = mask(counts[3] == 0) & self.busy[i];
            self.wins[side(!UP).index()][i] += lost & 1;
            self.busy[i] &= !lost;

            let plays = self.busy[i] & mask(moves.chain == 0);
            let stream = next_state(self.stream[i]);
            self.stream[i] = stream & plays | self.stream[i] & !plays;
            let k = ((stream >> 32) * counts[3]) >> 32;
            let [from, taken, to] = pick_move(&moves, &counts, k, nth);
            owns[i] ^= (from ^ to) & plays;
            others[i] ^= taken & plays;
        }
        self.follow_chains::<UP>(&chains, scratch);
    }

    /// Plays the captures of two and more pieces that [`PlayoutLanes::step`] left out.
    #[inline(always)]
    fn follow_chains<const UP: bool>(
        &mut self,
        chains: &[u64; LANES],
        scratch: &mut Vec<CheckersMove>,
    ) {
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

/// Returns the `k`-th lowest bit of `set`, counted from 0, without a branch; `k` is below
/// [`MAX_MEN`].
#[inline(always)]
fn nth(mut set: u64, k: u64) -> u64 {
    for i in 0..u64::from(MAX_MEN) - 1 {
        set = if i < k { set & set.wrapping_sub(1) } else { set };
    }
    set & set.wrapping_neg()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Checkers, rules};
    use ludion_core::game::Game;

    #[test]
    fn lanes_give_the_same_results_on_every_processor_and_play_exactly_the_given_games() {
        let g = Checkers::new(rules::SIMPLE, 8);
        let (mut s, mut rng, mut moves) = (g.start(), Rng::new(9), Vec::new());
        for count in [4, 15, 16, 1000, 777, 31] {
            let fresh = || PlayoutLanes::new(count, &mut Rng::new(3));
            let tally = |lanes: &PlayoutLanes| {
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

    #[test]
    #[cfg(target_arch = "x86_64")]
    #[ignore = "measures speed: cargo test --release -p ludion --lib lanes_in_turn -- --ignored"]
    fn lanes_in_turn_are_faster_than_single_games() {
        if !has_bmi2() {
            return;
        }
        let (s, mut moves) = (Checkers::new(rules::SIMPLE, 8).start(), Vec::new());
        let count = 1_000_000;
        let mut rate = |play: &mut dyn FnMut(&mut Vec<CheckersMove>)| {
            let mut best = f64::INFINITY;
            for _ in 0..5 {
                let began = std::time::Instant::now();
                play(&mut moves);
                best = best.min(began.elapsed().as_secs_f64());
            }
            count as f64 / best / 1e6
        };
        let mut rng = Rng::new(1);
        let single = rate(&mut |moves| {
            (0..count).for_each(|_| {
                super::super::play_one(&s, &mut rng, moves);
            });
        });
        // SAFETY: the processor has the features the function was compiled for.
        let lanes = rate(&mut |moves| unsafe {
            run_bmi2(&s, &mut PlayoutLanes::new(count, &mut Rng::new(1)), moves);
        });
        assert!(lanes > single, "{lanes:.2} M/s in lanes, {single:.2} M/s one by one");
    }
}
