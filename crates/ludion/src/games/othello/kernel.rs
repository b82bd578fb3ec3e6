//! Moves, flips, perft and random games of Othello on bitboards.
//!
//! Every board is the top left part of 8×8 cells: the cell in column `x` and row `y` is the bit
//! `8·y + x`, on smaller boards too. The four lines through a cell (row, column, two diagonals) are
//! computed together, in arrays of four words, by parallel-prefix fills. With AVX2 an array is one
//! register.

use crate::random::Rng;

/// Distances in bits between neighbours on a row, a rising diagonal, a column, a falling diagonal.
const STEPS: [u64; 4] = [1, 7, 8, 9];
/// The cells that are not in the first or last column.
pub(super) const INNER: u64 = 0x7e7e_7e7e_7e7e_7e7e;
/// The cells in which a disc can be flipped along each line: without them, a line would continue on
/// the opposite edge.
const FLIPPABLE: [u64; 4] = [INNER, INNER, u64::MAX, INNER];

/// A set of cells for each of the four lines.
type Lines = [u64; 4];

/// Computes a set for each line.
#[inline(always)]
fn lines(f: impl Fn(usize) -> u64) -> Lines {
    let mut sets = [0; 4];
    let mut i = 0;
    while i < 4 {
        sets[i] = f(i);
        i += 1;
    }
    sets
}

#[inline(always)]
fn union(sets: Lines) -> u64 {
    sets[0] | sets[1] | sets[2] | sets[3]
}

/// Returns the discs of `other` that adjoin `from` in unbroken runs, towards higher bits and towards
/// lower bits, along each line.
#[inline(always)]
fn runs(from: u64, other: u64) -> [Lines; 2] {
    let discs = lines(|i| other & FLIPPABLE[i]);
    let up = lines(|i| discs[i] & from << STEPS[i]);
    let down = lines(|i| discs[i] & from >> STEPS[i]);
    let up = lines(|i| up[i] | discs[i] & up[i] << STEPS[i]);
    let down = lines(|i| down[i] | discs[i] & down[i] >> STEPS[i]);
    let pairs_up = lines(|i| discs[i] & discs[i] << STEPS[i]);
    let pairs_down = lines(|i| pairs_up[i] >> STEPS[i]);
    let up = lines(|i| up[i] | pairs_up[i] & up[i] << (2 * STEPS[i]));
    let down = lines(|i| down[i] | pairs_down[i] & down[i] >> (2 * STEPS[i]));
    let up = lines(|i| up[i] | pairs_up[i] & up[i] << (2 * STEPS[i]));
    let down = lines(|i| down[i] | pairs_down[i] & down[i] >> (2 * STEPS[i]));
    [up, down]
}

/// Returns the cells at the end of a run of discs of `other` that begins at a disc of `own`; the
/// empty ones among them are the legal moves of `own`.
#[inline(always)]
fn reach(own: u64, other: u64) -> u64 {
    let [up, down] = runs(own, other);
    union(lines(|i| up[i] << STEPS[i] | down[i] >> STEPS[i]))
}

/// Returns the discs of `other` that a disc of `own` on `cell`, a set of one cell, flips.
#[inline(always)]
pub(super) fn flips(own: u64, other: u64, cell: u64) -> u64 {
    let [up, down] = runs(cell, other);
    // A run counts if an own disc is at its end.
    let up = lines(|i| if own & up[i] << STEPS[i] == 0 { 0 } else { up[i] });
    let down = lines(|i| if own & down[i] >> STEPS[i] == 0 { 0 } else { down[i] });
    union(lines(|i| up[i] | down[i]))
}

/// Returns the cells beside a cell of `set`, in all eight directions.
#[inline(always)]
pub(super) fn neighbours(set: u64) -> u64 {
    const NOT_FIRST: u64 = 0xfefe_fefe_fefe_fefe;
    const NOT_LAST: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    let row = set | (set << 1) & NOT_FIRST | (set >> 1) & NOT_LAST;
    (row | row << 8 | row >> 8) & !set
}

/// A set of instructions for which the functions of this module are compiled.
pub(super) trait CpuTarget {
    /// Returns the result of `f`, compiled for these instructions.
    fn run<T>(f: impl FnOnce() -> T) -> T;

    /// The function [`reach`] for these instructions.
    fn reach(own: u64, other: u64) -> u64;

    /// The function [`flips`] for these instructions.
    fn flips(own: u64, other: u64, cell: u64) -> u64;
}

/// The instructions that every processor has.
pub(super) struct PortableTarget;

impl CpuTarget for PortableTarget {
    #[inline(never)]
    fn run<T>(f: impl FnOnce() -> T) -> T {
        f()
    }

    #[inline(always)]
    fn reach(own: u64, other: u64) -> u64 {
        reach(own, other)
    }

    #[inline(always)]
    fn flips(own: u64, other: u64, cell: u64) -> u64 {
        flips(own, other, cell)
    }
}

/// AVX2, bit manipulation and population count. It may only be used if [`has_avx2`] returns true.
#[cfg(target_arch = "x86_64")]
pub(super) struct Avx2Target;

#[cfg(target_arch = "x86_64")]
impl CpuTarget for Avx2Target {
    #[inline(always)]
    fn run<T>(f: impl FnOnce() -> T) -> T {
        // SAFETY: this target is chosen only if `has_avx2` found every feature.
        unsafe { run_avx2(f) }
    }

    #[inline(always)]
    fn reach(own: u64, other: u64) -> u64 {
        // SAFETY: this target is chosen only if `has_avx2` found every feature.
        unsafe { super::avx2::reach(own, other) }
    }

    #[inline(always)]
    fn flips(own: u64, other: u64, cell: u64) -> u64 {
        // SAFETY: this target is chosen only if `has_avx2` found every feature.
        unsafe { super::avx2::flips(own, other, cell) }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn run_avx2<T>(f: impl FnOnce() -> T) -> T {
    f()
}

/// Returns whether this processor has all instructions of [`Avx2Target`].
#[cfg(target_arch = "x86_64")]
#[inline]
pub(super) fn has_avx2() -> bool {
    is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("popcnt")
}

/// Calls a function that is generic over a [`CpuTarget`] with the best one of this processor.
macro_rules! on_best_target {
    ($function:ident($($argument:expr),*)) => {{
        #[cfg(target_arch = "x86_64")]
        if $crate::games::othello::kernel::has_avx2() {
            return $function::<$crate::games::othello::kernel::Avx2Target>($($argument),*);
        }
        $function::<$crate::games::othello::kernel::PortableTarget>($($argument),*)
    }};
}
pub(super) use on_best_target;

/// The discs of the side to move, those of its opponent, and all cells of the board.
#[derive(Clone, Copy)]
pub(super) struct Discs {
    pub(super) own: u64,
    pub(super) other: u64,
    pub(super) board: u64,
}

impl Discs {
    #[inline(always)]
    pub(super) fn empty(self) -> u64 {
        self.board & !(self.own | self.other)
    }

    /// Returns the cells on which the side to move can put a disc.
    #[inline(always)]
    pub(super) fn moves<T: CpuTarget>(self) -> u64 {
        T::reach(self.own, self.other) & self.empty()
    }

    /// Returns the discs as the opponent sees them.
    #[inline(always)]
    pub(super) fn swapped(self) -> Discs {
        Discs { own: self.other, other: self.own, ..self }
    }

    /// Returns the discs after a move to `cell`, a set of one cell, as the opponent sees them.
    #[inline(always)]
    pub(super) fn after<T: CpuTarget>(self, cell: u64) -> Discs {
        let flipped = T::flips(self.own, self.other, cell);
        Discs { own: self.other ^ flipped, other: self.own ^ flipped ^ cell, board: self.board }
    }

    /// Counts the legal moves; a pass is one.
    #[inline(always)]
    fn count<T: CpuTarget>(self) -> u64 {
        match self.moves::<T>() {
            0 => u64::from(self.swapped().moves::<T>() != 0),
            moves => moves.count_ones().into(),
        }
    }
}

/// Returns the lowest cell of `set` as a set.
#[inline(always)]
pub(super) fn lowest(set: u64) -> u64 {
    set & set.wrapping_neg()
}

/// Counts the sequences of `depth` moves; a pass is a move.
pub(super) fn perft(discs: Discs, depth: u32) -> u64 {
    on_best_target!(perft_on(discs, depth))
}

fn perft_on<T: CpuTarget>(discs: Discs, depth: u32) -> u64 {
    T::run(move || {
        match depth {
            0 => return 1,
            1 => return discs.count::<T>(),
            _ => {}
        }
        let mut moves = discs.moves::<T>();
        if moves == 0 {
            let passed = discs.swapped();
            return if passed.moves::<T>() == 0 { 0 } else { perft_on::<T>(passed, depth - 1) };
        }
        let mut lines = 0;
        while moves != 0 {
            let child = discs.after::<T>(lowest(moves));
            moves &= moves - 1;
            // Most nodes are here, without a call.
            lines += if depth == 2 { child.count::<T>() } else { perft_on::<T>(child, depth - 1) };
        }
        lines
    })
}

/// Plays uniformly random moves to the end. Returns the difference of discs, seen by the side to move
/// in `discs`.
pub(super) fn playout(discs: Discs, rng: &mut Rng) -> i32 {
    on_best_target!(playout_on(discs, rng))
}

fn playout_on<T: CpuTarget>(mut discs: Discs, rng: &mut Rng) -> i32 {
    T::run(|| {
        let mut sign = 1;
        loop {
            let mut moves = discs.moves::<T>();
            if moves == 0 {
                discs = discs.swapped();
                sign = -sign;
                moves = discs.moves::<T>();
                if moves == 0 {
                    let count = |set: u64| set.count_ones() as i32;
                    return sign * (count(discs.own) - count(discs.other));
                }
            }
            for _ in 0..rng.below(moves.count_ones() as usize) {
                moves &= moves - 1;
            }
            discs = discs.after::<T>(lowest(moves));
            sign = -sign;
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the flips of a move, cell by cell.
    fn plain_flips(own: u64, other: u64, cell: u32) -> u64 {
        let at = |set: u64, x: i32, y: i32| {
            (0..8).contains(&x) && (0..8).contains(&y) && set >> (8 * y + x) & 1 == 1
        };
        let (x, y) = ((cell % 8) as i32, (cell / 8) as i32);
        let mut all = 0;
        for (dx, dy) in [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)] {
            let steps = (1..8).take_while(|i| at(other, x + i * dx, y + i * dy)).count() as i32;
            if at(own, x + (steps + 1) * dx, y + (steps + 1) * dy) {
                all |= (1..=steps).fold(0, |set, i| set | 1u64 << (8 * (y + i * dy) + x + i * dx));
            }
        }
        all
    }

    #[test]
    fn flips_and_moves_are_those_found_cell_by_cell_on_every_target() {
        let mut rng = Rng::new(3);
        for _ in 0..20_000 {
            let occupied = rng.bits() | rng.bits();
            let own = occupied & rng.bits();
            let discs = Discs { own, other: occupied ^ own, board: u64::MAX };
            let mut moves = 0;
            for cell in (0..64).filter(|cell| occupied >> cell & 1 == 0) {
                let expected = plain_flips(own, discs.other, cell);
                assert_eq!(flips(own, discs.other, 1 << cell), expected, "{discs:x?} {cell}");
                moves |= u64::from(expected != 0) << cell;
            }
            assert_eq!(discs.moves::<PortableTarget>(), moves);
            assert_eq!(perft_on::<PortableTarget>(discs, 2), perft(discs, 2));
        }
    }

    impl std::fmt::Debug for Discs {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            write!(f, "{:x} {:x}", self.own, self.other)
        }
    }
}
