//! Playouts of Connect Four: one at a time, or many at once in the lanes of vector registers.
//!
//! A uniformly random legal column is drawn by rejection sampling: a full column is drawn again.
//! [`LANES`] games advance together with the same operations on each, which compiles to vector
//! instructions. Every lane has a fixed share of the games, and starts the next when one ends: if
//! lanes took games from a common pool, the results would be biased towards short games. The code
//! is compiled for portable instructions, AVX2 and AVX-512 and chosen at run time; all versions
//! draw the same random numbers and give the same results.

use super::{Connect4, Connect4State};
use ludion_core::game::{Game, Side, Status};
use ludion_core::outcome::{Duel, DuelTally, Outcome};
use ludion_core::random::Rng;

/// The number of games that are played at once: two vectors of eight lanes, so that one vector is
/// computed while the other waits.
const LANES: usize = 16;

/// The fewest games for which playing in lanes is faster than one game at a time.
const MIN_LANE_GAMES: u64 = 4;

/// Plays one random game from `s`.
#[inline]
pub(super) fn play_one(g: &Connect4, s: Connect4State, rng: &mut Rng) -> Duel {
    // With the standard board as a constant, all shifts are known to the compiler.
    if *g == Connect4::STANDARD {
        play_one_on(&Connect4::STANDARD, s, rng)
    } else {
        play_one_on(g, s, rng)
    }
}

#[inline(always)]
fn play_one_on(g: &Connect4, s: Connect4State, rng: &mut Rng) -> Duel {
    if let Status::Over(end) = g.status(&s) {
        return end;
    }
    let mut turn = Side::after(s.plies());
    let Connect4State { mut mover, mut all } = s;
    // Columns are drawn from the high bits of Knuth's linear congruential generator, seeded for
    // each game: it takes two operations per ply where `Rng` takes ten.
    let mut stream = rng.bits();
    loop {
        stream =
            stream.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let x = (((stream >> 32) * u64::from(g.cols)) >> 32) as u8;
        let stone = (all + g.bottom) & g.column(x);
        if stone == 0 {
            continue;
        }
        let mine = mover | stone;
        if g.has_four(mine) {
            return Duel::Won(turn);
        }
        mover ^= all;
        all |= stone;
        if all == g.board() {
            return Duel::Drawn;
        }
        turn = turn.other();
    }
}

/// Plays `count` random games from `s` and adds their outcomes to `tally`.
pub(super) fn play_many(
    g: &Connect4,
    s: &Connect4State,
    count: u64,
    rng: &mut Rng,
    tally: &mut DuelTally,
) {
    if count < MIN_LANE_GAMES || g.status(s).turn().is_none() {
        for _ in 0..count {
            play_one(g, *s, rng).count(tally);
        }
        return;
    }
    let mut lanes = PlayoutLanes::new(s, count, rng);
    run_widest(g, s, &mut lanes);
    lanes.add_to(tally);
}

/// Calls [`run`] compiled for the widest vectors of this processor.
fn run_widest(g: &Connect4, s: &Connect4State, lanes: &mut PlayoutLanes) {
    #[cfg(target_arch = "x86_64")]
    {
        if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512dq") {
            // SAFETY: the processor has the features the function was compiled for.
            return unsafe { run_avx512(g, s, lanes) };
        }
        if is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has the feature the function was compiled for.
            return unsafe { run_avx2(g, s, lanes) };
        }
    }
    run(g, s, lanes);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512dq")]
fn run_avx512(g: &Connect4, s: &Connect4State, lanes: &mut PlayoutLanes) {
    run(g, s, lanes);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn run_avx2(g: &Connect4, s: &Connect4State, lanes: &mut PlayoutLanes) {
    run(g, s, lanes);
}

/// Plays the games of all lanes to their end.
#[inline(always)]
fn run(g: &Connect4, s: &Connect4State, lanes: &mut PlayoutLanes) {
    if *g == Connect4::STANDARD {
        run_on(&Connect4::STANDARD, s, lanes);
    } else {
        run_on(g, s, lanes);
    }
}

#[inline(always)]
fn run_on(g: &Connect4, s: &Connect4State, lanes: &mut PlayoutLanes) {
    let mut local = *lanes;
    while local.left != [0; LANES] {
        for _ in 0..8 {
            local.step(g, s);
        }
    }
    *lanes = local;
}

/// The games of all lanes, as one array for each quantity with one number per lane.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct PlayoutLanes {
    mover: [u64; LANES],
    all: [u64; LANES],
    /// The side to move: 0 for the side that moved first in the playout, 1 for its opponent.
    turn: [u64; LANES],
    /// The number of games of the lane's share that are not over.
    left: [u64; LANES],
    /// The state of the random generator xorshift128+ (Vigna).
    random: [[u64; LANES]; 2],
    /// The number of games won by the side to move in the first state of the playout; `lost` and
    /// `drawn` count its other results.
    won: [u64; LANES],
    lost: [u64; LANES],
    drawn: [u64; LANES],
    first_moves: bool,
}

impl PlayoutLanes {
    fn new(s: &Connect4State, count: u64, rng: &mut Rng) -> Self {
        let share = |lane| count / LANES as u64 + u64::from((lane as u64) < count % LANES as u64);
        let mut seed = || [0; LANES].map(|_: u64| rng.bits() | 1);
        PlayoutLanes {
            mover: [s.mover; LANES],
            all: [s.all; LANES],
            turn: [0; LANES],
            left: std::array::from_fn(share),
            random: [seed(), seed()],
            won: [0; LANES],
            lost: [0; LANES],
            drawn: [0; LANES],
            first_moves: Side::after(s.plies()) == Side::First,
        }
    }

    /// Draws a column in every lane and plays it, except if the column is full or the lane has no
    /// games left.
    #[inline(always)]
    fn step(&mut self, g: &Connect4, start: &Connect4State) {
        for i in 0..LANES {
            let [mut a, b] = [self.random[0][i], self.random[1][i]];
            a ^= a << 23;
            a ^= b ^ a >> 17 ^ b >> 26;
            self.random[0][i] = b;
            self.random[1][i] = a;
            let x = ((a.wrapping_add(b) >> 32) * u64::from(g.cols)) >> 32;

            let (mover, all) = (self.mover[i], self.all[i]);
            let shift = (x & 0xff) * u64::from(g.height());
            let busy = (self.left[i] != 0) as u64;
            let stone = all.wrapping_add(busy << shift) & g.column(0) << shift & !all;
            let mine = mover | stone;
            let played = (stone != 0) as u64;
            let four = g.has_four(mine) as u64;
            let over = played & (four | (all | stone == g.board()) as u64);

            self.won[i] += over & four & (self.turn[i] ^ 1);
            self.lost[i] += over & four & self.turn[i];
            self.drawn[i] += over & (four ^ 1);
            self.left[i] -= over;
            let (again, flip) = (over.wrapping_neg(), played.wrapping_neg());
            self.mover[i] = start.mover & again | (mover ^ all & flip) & !again;
            self.all[i] = start.all & again | (all | stone) & !again;
            self.turn[i] = (self.turn[i] ^ played) & !again;
        }
    }

    fn add_to(&self, tally: &mut DuelTally) {
        let sums = [self.won, self.lost].map(|lanes| lanes.iter().sum::<u64>());
        let (first, second) = if self.first_moves { (0, 1) } else { (1, 0) };
        tally.wins[0] += sums[first];
        tally.wins[1] += sums[second];
        tally.draws += self.drawn.iter().sum::<u64>();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_give_the_same_results_on_every_processor_and_play_exactly_the_given_games() {
        for g in [Connect4::STANDARD, Connect4::new(4, 5), Connect4::new(9, 6)] {
            let mut s = g.start();
            for (plies, count) in [(0, 4), (1, 15), (4, 16), (7, 1000)] {
                while s.plies() < plies {
                    let m = (s.plies() % 4) as u8;
                    g.play(&mut s, m);
                }
                let mut plain = PlayoutLanes::new(&s, count, &mut Rng::new(3));
                run(&g, &s, &mut plain);
                let mut expected = DuelTally::default();
                plain.add_to(&mut expected);
                assert_eq!(expected.games(), count);

                let mut best = DuelTally::default();
                play_many(&g, &s, count, &mut Rng::new(3), &mut best);
                assert_eq!(best, expected, "with the widest vectors, after {plies} plies");
                #[cfg(target_arch = "x86_64")]
                if is_x86_feature_detected!("avx2") {
                    let (mut lanes, mut tally) =
                        (PlayoutLanes::new(&s, count, &mut Rng::new(3)), DuelTally::default());
                    // SAFETY: the processor has the feature the function was compiled for.
                    unsafe { run_avx2(&g, &s, &mut lanes) };
                    lanes.add_to(&mut tally);
                    assert_eq!(tally, expected, "with AVX2, after {plies} plies");
                }
            }
        }
    }
}
