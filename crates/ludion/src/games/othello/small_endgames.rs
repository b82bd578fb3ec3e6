//! The last few empty cells of an Othello endgame: plain alpha-beta without move lists or tables, in
//! which cells of regions with an odd number of empty cells come first.

use super::endgame::EndgameSearch;
use super::kernel::{CpuTarget, Discs, lowest, neighbours};

/// The number of discs that a disc on cell `i` of a line of eight flips if all cells of the line
/// that are not in the set of own discs are the opponent's.
static LINE_FLIPS: [[u8; 256]; 8] = line_flips();
/// The cells beside each cell.
static NEIGHBOURS: [u64; 64] = neighbour_table();
/// The cells of the rising and of the falling diagonal through each cell.
static DIAGONALS: [[u64; 2]; 64] = diagonals();

const fn line_flips() -> [[u8; 256]; 8] {
    let mut table = [[0; 256]; 8];
    let mut cell = 0;
    while cell < 8 {
        let mut own = 0;
        while own < 256usize {
            // The nearest own discs on both sides; without one, nothing flips.
            let above = own >> cell >> 1;
            if above != 0 {
                table[cell][own] += above.trailing_zeros() as u8;
            }
            let below = own & ((1 << cell) - 1);
            if below != 0 {
                let nearest = usize::BITS - 1 - below.leading_zeros();
                table[cell][own] += (cell as u32 - 1 - nearest) as u8;
            }
            own += 1;
        }
        cell += 1;
    }
    table
}

const fn neighbour_table() -> [u64; 64] {
    let mut table = [0; 64];
    let mut cell = 0;
    while cell < 64 {
        let (x, y) = (cell % 8, cell / 8);
        let mut other = 0;
        while other < 64 {
            let (dx, dy) = ((other % 8i32 - x).abs(), (other / 8 - y).abs());
            if other != cell && dx <= 1 && dy <= 1 {
                table[cell as usize] |= 1 << other;
            }
            other += 1;
        }
        cell += 1;
    }
    table
}

const fn diagonals() -> [[u64; 2]; 64] {
    let mut table = [[0; 2]; 64];
    let mut cell = 0;
    while cell < 64 {
        let (x, y) = (cell % 8, cell / 8);
        let mut other = 0;
        while other < 64 {
            let (ox, oy) = (other % 8, other / 8);
            if ox + oy == x + y {
                table[cell as usize][0] |= 1 << other;
            }
            if ox - oy == x - y {
                table[cell as usize][1] |= 1 << other;
            }
            other += 1i32;
        }
        cell += 1;
    }
    table
}

/// Returns the number of discs that a disc of `own` flips on `cell`, the last empty cell.
#[inline(always)]
fn last_flips(own: u64, cell: u32) -> i32 {
    const COLUMN: u64 = 0x0101_0101_0101_0101;
    let (x, y) = (cell & 7, cell >> 3);
    let row = own >> (8 * y) & 0xff;
    // The multiplication gathers the bits of a column, or of a diagonal, in the highest byte.
    let column = ((own >> x & COLUMN).wrapping_mul(0x0102_0408_1020_4080)) >> 56;
    let [rising, falling] =
        DIAGONALS[cell as usize & 63].map(|line| (own & line).wrapping_mul(COLUMN) >> 56);
    let flips =
        |place: u32, line: u64| i32::from(LINE_FLIPS[place as usize & 7][line as usize & 255]);
    flips(x, row) + flips(y, column) + flips(x, rising) + flips(x, falling)
}

/// Returns the score of a position with one empty cell.
#[inline(always)]
fn last_score(discs: Discs, cells: i32) -> i32 {
    let cell = discs.empty().trailing_zeros();
    let own = discs.own.count_ones() as i32;
    let flipped = last_flips(discs.own, cell);
    if flipped != 0 {
        return 2 * (own + flipped + 1) - cells;
    }
    match last_flips(discs.other, cell) {
        // The empty cell counts for the winner.
        0 => 2 * (own + i32::from(2 * own >= cells)) - cells,
        flipped => 2 * (own - flipped) - cells,
    }
}

/// Returns the score of a position in which neither side can move: the difference of discs for the
/// side to move, with the empty cells counted for the winner.
#[inline(always)]
pub(super) fn final_score(discs: Discs) -> i32 {
    let difference = discs.own.count_ones() as i32 - discs.other.count_ones() as i32;
    difference + difference.signum() * discs.empty().count_ones() as i32
}

/// Returns the score of a position with few empty cells: exact if it is between `alpha` and `beta`,
/// otherwise a bound (fail-soft).
pub(super) fn search_few<T: CpuTarget>(
    search: &mut EndgameSearch<'_>,
    discs: Discs,
    mut alpha: i32,
    beta: i32,
    has_passed: bool,
) -> i32 {
    T::run(move || {
        let empty = discs.empty();
        search.nodes += 1;
        match empty.count_ones() {
            0 => return final_score(discs),
            1 => return last_score(discs, search.cells),
            _ => {}
        }
        let is_next_last = empty.count_ones() == 2;
        let mut odd = 0;
        for quadrant in search.quadrants {
            if (empty & quadrant).count_ones() & 1 == 1 {
                odd |= quadrant;
            }
        }
        let mut best = i32::MIN;
        for mut cells in [empty & odd, empty & !odd] {
            while cells != 0 {
                let cell = lowest(cells);
                cells ^= cell;
                if NEIGHBOURS[cell.trailing_zeros() as usize & 63] & discs.other == 0 {
                    continue;
                }
                let child = discs.after::<T>(cell);
                if child.own == discs.other {
                    continue;
                }
                let score = if is_next_last {
                    search.nodes += 1;
                    -last_score(child, search.cells)
                } else {
                    -search_few::<T>(search, child, -beta, -alpha, false)
                };
                best = best.max(score);
                if best >= beta {
                    return best;
                }
                alpha = alpha.max(best);
            }
        }
        match best {
            i32::MIN if has_passed => final_score(discs),
            i32::MIN => -search_few::<T>(search, discs.swapped(), -beta, -alpha, true),
            _ => best,
        }
    })
}

/// Distances and masks of [`full_lines`]: the cells that a step towards higher bits, and towards
/// lower bits, can reach without wrapping around an edge.
const STEPS: [u64; 4] = [1, 7, 8, 9];
const NOT_FIRST: u64 = 0xfefe_fefe_fefe_fefe;
const NOT_LAST: u64 = 0x7f7f_7f7f_7f7f_7f7f;
const UP: [u64; 4] = [NOT_FIRST, NOT_LAST, u64::MAX, NOT_FIRST];
const DOWN: [u64; 4] = [NOT_LAST, NOT_FIRST, u64::MAX, NOT_LAST];

/// Returns a lower bound of the number of discs of `own` that can never be flipped. A disc is stable
/// if each of the four lines through it is full, ends at it, or has a stable disc beside it.
#[inline(always)]
pub(super) fn stable_discs(discs: Discs) -> i32 {
    let (empty, board) = (discs.empty(), discs.board);
    let mut safe = [0; 4];
    for i in 0..4 {
        let (mut up, mut down) = (empty, empty);
        for _ in 0..7 {
            up |= up << STEPS[i] & UP[i];
            down |= down >> STEPS[i] & DOWN[i];
        }
        let ends = !(board << STEPS[i] & UP[i]) | !(board >> STEPS[i] & DOWN[i]);
        safe[i] = !(up | down) | ends;
    }
    let mut stable = 0;
    loop {
        let mut grown = discs.own;
        for i in 0..4 {
            let beside = stable << STEPS[i] & UP[i] | stable >> STEPS[i] & DOWN[i];
            grown &= safe[i] | beside;
        }
        if grown == stable {
            return stable.count_ones() as i32;
        }
        stable = grown;
    }
}

/// Returns the number of empty cells beside discs of the opponent, where the side to move may get
/// moves later.
#[inline(always)]
pub(super) fn potential_moves(discs: Discs) -> i32 {
    (neighbours(discs.other) & discs.empty()).count_ones() as i32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::othello::kernel::flips;
    use crate::random::Rng;

    #[test]
    fn the_last_disc_flips_what_the_rules_say() {
        let mut rng = Rng::new(1);
        for _ in 0..20_000 {
            let (own, cell) = (rng.bits() & rng.bits(), rng.below(64) as u32);
            let own = own & !(1 << cell);
            let expected = flips(own, !own & !(1 << cell), 1 << cell).count_ones();
            assert_eq!(last_flips(own, cell), expected as i32, "{own:x} {cell}");
        }
    }
}
