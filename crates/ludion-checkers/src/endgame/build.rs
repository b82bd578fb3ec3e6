//! Solves all positions with few men by retrograde analysis.
//!
//! A capture reduces the number of men, and a step reduces the number of rows that the men have
//! before them by one. Positions are therefore solved by number of men, then by level, the sum of
//! the rows that all men have before them, so every successor is solved first. Positions of one
//! level are independent, and threads fill different rows of the table.

use std::collections::TryReserveError;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};

use super::super::board::PaddedBoard;
use super::super::generator::{GenerationMethod, forwards, generation_method, list_moves_by};
use super::super::grid::rotated;
use super::super::{CheckersMove, CheckersState, rules};
use super::index::{EndgameIndex, MAX_MEN, rank, rows_to_go, set_count, unrank};
use super::table::{HEADER_LEN, header};
use ludion_core::bits::bits;
use ludion_core::game::Side;
use ludion_core::threads::with_helpers;

type Board8 = PaddedBoard<4>;

/// The number of positions of a level from which on several threads solve it; smaller levels are
/// solved faster by one thread.
const MIN_THREADED_POSITIONS: usize = 50_000;

/// The squares of all men of one side, seen from that side, so that its men move up.
#[derive(Clone, Copy)]
struct MenPlacement {
    set: u64,
    /// The set rotated by 180°, as seen from the other side.
    rotated: u64,
    /// The number of men and the rank of the set.
    rank: (usize, u32),
}

impl MenPlacement {
    fn new(set: u64) -> Self {
        MenPlacement { set, rotated: rotated::<4>(set), rank: rank(set) }
    }
}

/// A table that is being built: a bit is set if the side to move wins the position.
struct EndgameBuilder {
    index: EndgameIndex,
    words: Vec<AtomicU64>,
    /// All placements of one side, by the number of men, then by the sum of the rows that the men
    /// have before them.
    placements: Vec<Vec<Vec<MenPlacement>>>,
}

/// Returns the number of positions with at most `pieces` men and at least one of each side.
/// Positions that are equal when seen from the side to move count once.
#[must_use]
pub fn position_count(pieces: usize) -> u64 {
    let splits = |all: usize| (1u64 << all) - 2;
    (2..=pieces).map(|all| u64::from(set_count(all)) * splits(all)).sum()
}

/// Builds the table of all positions with at most `pieces` men, from 2 to
/// [`MAX_PIECES`](super::MAX_PIECES), as the bytes that
/// [`EndgameTable::read`](super::EndgameTable::read) reads. `progress` receives the number of
/// solved positions and the total.
///
/// # Errors
/// When there is not enough memory for the table.
pub fn build(
    pieces: usize,
    threads: usize,
    mut progress: impl FnMut(u64, u64),
) -> Result<Vec<u8>, TryReserveError> {
    assert!((2..=MAX_MEN).contains(&pieces), "a table is for 2 to {MAX_MEN} men");
    let builder = EndgameBuilder::new(pieces)?;
    let (mut solved, total) = (0, position_count(pieces));
    for all in 2..=pieces {
        for level in 0..=7 * all {
            solved += builder.solve_level(all, level, threads);
            progress(solved, total);
        }
    }
    let mut bytes = vec![0; HEADER_LEN];
    bytes.try_reserve_exact(8 * builder.words.len())?;
    bytes.extend(builder.words.iter().flat_map(|word| word.load(Relaxed).to_le_bytes()));
    let header = header(pieces, &bytes[HEADER_LEN..]);
    bytes[..HEADER_LEN].copy_from_slice(&header);
    Ok(bytes)
}

impl EndgameBuilder {
    fn new(pieces: usize) -> Result<Self, TryReserveError> {
        let index = EndgameIndex::new(pieces);
        let mut words = Vec::new();
        words.try_reserve_exact((index.bits / 64) as usize)?;
        words.resize_with((index.bits / 64) as usize, || AtomicU64::new(0));
        let by_level = |men: usize| {
            let mut levels = vec![Vec::new(); 7 * men + 1];
            for rank in (0..set_count(men)).filter(|_| men > 0) {
                let set = unrank(men, rank);
                levels[rows_to_go(set)].push(MenPlacement::new(set));
            }
            levels
        };
        Ok(EndgameBuilder { index, words, placements: (0..pieces).map(by_level).collect() })
    }

    /// Solves the positions with `all` men in which the men have `level` rows before them in total;
    /// returns the number of these positions.
    fn solve_level(&self, all: usize, level: usize, threads: usize) -> u64 {
        let mut rows = Vec::new();
        for few in 1..=all / 2 {
            for (low, placements) in self.placements[few].iter().enumerate().take(level + 1) {
                if let Some(others) = self.placements[all - few].get(level - low) {
                    rows.extend(placements.iter().map(|men| (men, others)));
                }
            }
        }
        let (next, solved) = (AtomicUsize::new(0), AtomicU64::new(0));
        let work = |_| {
            let mut moves = Vec::new();
            while let Some((men, others)) = rows.get(next.fetch_add(1, Relaxed)) {
                solved.fetch_add(self.solve_row(men, others, &mut moves), Relaxed);
            }
        };
        let positions: usize = rows.iter().map(|(_, others)| others.len()).sum();
        let threads =
            if positions < MIN_THREADED_POSITIONS { 1 } else { threads.clamp(1, rows.len()) };
        with_helpers(threads - 1, &work, &mut |_| work(0));
        solved.into_inner()
    }

    /// Solves the positions of the men `men` against each of the sets `others`, which have at least
    /// as many men, with either side to move; returns the number of these positions.
    fn solve_row(
        &self,
        men: &MenPlacement,
        others: &[MenPlacement],
        moves: &mut Vec<CheckersMove>,
    ) -> u64 {
        let mut solved = 0;
        for other in others.iter().filter(|other| men.set & other.rotated == 0) {
            self.solve(men, other, moves);
            solved += 1;
            // With equal numbers of men, the position with the other side to move is in another
            // row.
            if men.rank.0 != other.rank.0 {
                self.solve(other, men, moves);
                solved += 1;
            }
        }
        solved
    }

    /// Solves the position of `mine`, the side to move, against `theirs`. No other thread writes to
    /// the same row, and no thread reads this bit before the level is finished.
    #[inline(always)]
    fn solve(&self, mine: &MenPlacement, theirs: &MenPlacement, moves: &mut Vec<CheckersMove>) {
        if self.has_winning_move(mine, theirs, moves) {
            let bit = self.index.bit(mine.rank, theirs.rank);
            let word = &self.words[(bit / 64) as usize];
            word.store(word.load(Relaxed) | 1 << (bit % 64), Relaxed);
        }
    }

    /// Returns whether `mine`, the side to move, has a move to a position that the opponent loses.
    #[inline(always)]
    fn has_winning_move(
        &self,
        mine: &MenPlacement,
        theirs: &MenPlacement,
        moves: &mut Vec<CheckersMove>,
    ) -> bool {
        let pieces = [mine.set, theirs.rotated];
        let s = CheckersState { pieces, kings: 0, turn: Side::First, quiet: 0 };
        match generation_method::<4>(&rules::SIMPLE, &s) {
            GenerationMethod::Steps(steppers) => {
                forwards(Side::First).into_iter().zip(steppers).any(|(d, steppers)| {
                    bits(steppers).any(|from| {
                        let after = mine.set ^ 1 << from ^ Board8::step(1 << from, d);
                        !self.wins(theirs.rank, rank(after))
                    })
                })
            }
            captures => {
                moves.clear();
                list_moves_by::<4>(captures, &rules::SIMPLE, &s, false, moves);
                moves.iter().any(|m| {
                    let after = mine.set & !(1 << m.from) | 1 << m.to;
                    let left = theirs.set & !rotated::<4>(m.taken);
                    left == 0 || !self.wins(rank(left), rank(after))
                })
            }
        }
    }

    /// Returns whether the side to move wins a position that is already solved. Each side is given
    /// by its number of men and the rank of its set.
    #[inline(always)]
    fn wins(&self, mine: (usize, u32), theirs: (usize, u32)) -> bool {
        let bit = self.index.bit(mine, theirs);
        self.words[(bit / 64) as usize].load(Relaxed) >> (bit % 64) & 1 == 1
    }
}
