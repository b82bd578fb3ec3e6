//! Solves all positions with few men.
//!
//! A capture leaves fewer men, a step leaves them one row nearer to the far rows. So positions
//! are solved by number of men, and among those in the order of the rows that all men have
//! before them: whatever a move leads to has been solved. All positions of one step in this
//! order are independent, and each thread fills rows of the table of its own.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};

use super::super::board::PaddedBoard;
use super::super::generator::{MoveSearchPlan, forwards, list_of, plan};
use super::super::grid::turned;
use super::super::{CheckersMove, CheckersState, rules};
use super::index::{EndgameIndex, MOST, height, rank, sets, unrank};
use super::table::{HEAD, head};
use crate::game::Side;
use crate::games::bits::bits;

type Board8 = PaddedBoard<4>;

/// Fewer positions than this are solved sooner than threads have met.
const SHARED: usize = 50_000;

/// Men of one side, which moves up.
#[derive(Clone, Copy)]
struct MenOfSide {
    set: u64,
    /// As the other side sees them.
    turned: u64,
    /// How many, and the rank of the set.
    rank: (usize, u32),
}

impl MenOfSide {
    fn new(set: u64) -> Self {
        MenOfSide { set, turned: turned::<4>(set), rank: rank(set) }
    }
}

/// A table that is being filled: a bit is set where the side to move wins.
struct EndgameBuilder {
    layout: EndgameIndex,
    words: Vec<AtomicU64>,
    /// By number and by rows before them, all sets of men.
    sets: Vec<Vec<Vec<MenOfSide>>>,
}

/// How many positions have at most so many men.
#[must_use]
pub fn positions(pieces: usize) -> u64 {
    let splits = |all: usize| (1u64 << all) - 2;
    (2..=pieces).map(|all| u64::from(sets(all)) * splits(all)).sum()
}

/// All positions up to so many men, from 2 to [`MAX_PIECES`](super::MOST_PIECES), as the bytes
/// that [`Endgames::read`](super::EndgameTable::read) takes. `progress` is told how many positions
/// are solved, of how many.
#[must_use]
pub fn build(pieces: usize, threads: usize, mut progress: impl FnMut(u64, u64)) -> Vec<u8> {
    assert!((2..=MOST).contains(&pieces), "a table is for 2 to {MOST} men");
    let builder = EndgameBuilder::new(pieces);
    let (mut solved, total) = (0, positions(pieces));
    for all in 2..=pieces {
        for level in 0..=7 * all {
            solved += builder.solve_level(all, level, threads);
            progress(solved, total);
        }
    }
    let mut bytes = vec![0; HEAD];
    bytes.reserve(8 * builder.words.len());
    bytes.extend(builder.words.iter().flat_map(|word| word.load(Relaxed).to_le_bytes()));
    let head = head(pieces, &bytes[HEAD..]);
    bytes[..HEAD].copy_from_slice(&head);
    bytes
}

impl EndgameBuilder {
    fn new(pieces: usize) -> Self {
        let layout = EndgameIndex::new(pieces);
        let by_height = |men: usize| {
            let mut levels = vec![Vec::new(); 7 * men + 1];
            for rank in (0..sets(men)).filter(|_| men > 0) {
                let set = unrank(men, rank);
                levels[height(set)].push(MenOfSide::new(set));
            }
            levels
        };
        EndgameBuilder {
            layout,
            words: (0..layout.bits / 64).map(|_| AtomicU64::new(0)).collect(),
            sets: (0..pieces).map(by_height).collect(),
        }
    }

    /// Solves the positions with `all` men that have `level` rows before them together; how
    /// many they were.
    fn solve_level(&self, all: usize, level: usize, threads: usize) -> u64 {
        let mut rows = Vec::new();
        for few in 1..=all / 2 {
            for (low, sets) in self.sets[few].iter().enumerate().take(level + 1) {
                if let Some(others) = self.sets[all - few].get(level - low) {
                    rows.extend(sets.iter().map(|men| (men, others)));
                }
            }
        }
        let next = AtomicUsize::new(0);
        let work = || {
            let (mut solved, mut moves) = (0, Vec::new());
            while let Some((men, others)) = rows.get(next.fetch_add(1, Relaxed)) {
                solved += self.solve_row(men, others, &mut moves);
            }
            solved
        };
        std::thread::scope(|scope| {
            let positions: usize = rows.iter().map(|(_, others)| others.len()).sum();
            let threads = if positions < SHARED { 1 } else { threads.clamp(1, rows.len()) };
            let helpers: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
            let own = work();
            let join = |helper: std::thread::ScopedJoinHandle<'_, u64>| {
                helper.join().expect("a solving thread does not panic")
            };
            own + helpers.into_iter().map(join).sum::<u64>()
        })
    }

    /// Solves the positions of `men` against each of `others`, which are no fewer, whoever
    /// moves; how many they were.
    fn solve_row(
        &self,
        men: &MenOfSide,
        others: &[MenOfSide],
        moves: &mut Vec<CheckersMove>,
    ) -> u64 {
        let mut solved = 0;
        for other in others.iter().filter(|other| men.set & other.turned == 0) {
            self.solve(men, other, moves);
            solved += 1;
            // With as many men on both sides, the other is another row.
            if men.rank.0 != other.rank.0 {
                self.solve(other, men, moves);
                solved += 1;
            }
        }
        solved
    }

    /// Solves the position in which `mine` move. No other thread writes to the same row, and
    /// nobody reads this bit before all threads have met again.
    #[inline(always)]
    fn solve(&self, mine: &MenOfSide, theirs: &MenOfSide, moves: &mut Vec<CheckersMove>) {
        if self.finds_a_win(mine, theirs, moves) {
            let bit = self.layout.bit(mine.rank, theirs.rank);
            let word = &self.words[(bit / 64) as usize];
            word.store(word.load(Relaxed) | 1 << (bit % 64), Relaxed);
        }
    }

    /// Whether some move leads to a position that is lost for who moves then.
    #[inline(always)]
    fn finds_a_win(
        &self,
        mine: &MenOfSide,
        theirs: &MenOfSide,
        moves: &mut Vec<CheckersMove>,
    ) -> bool {
        let pieces = [mine.set, theirs.turned];
        let s = CheckersState { pieces, kings: 0, turn: Side::First, quiet: 0 };
        match plan::<4>(&rules::SEED, &s) {
            MoveSearchPlan::Steps(steppers) => {
                forwards(Side::First).into_iter().zip(steppers).any(|(d, steppers)| {
                    bits(steppers).any(|from| {
                        let after = mine.set ^ 1 << from ^ Board8::step(1 << from, d);
                        !self.wins(theirs.rank, rank(after))
                    })
                })
            }
            captures => {
                moves.clear();
                list_of::<4>(captures, &rules::SEED, &s, false, moves);
                moves.iter().any(|m| {
                    let after = mine.set & !(1 << m.from) | 1 << m.to;
                    let left = theirs.set & !turned::<4>(m.taken);
                    left == 0 || !self.wins(rank(left), rank(after))
                })
            }
        }
    }

    #[inline(always)]
    fn wins(&self, mine: (usize, u32), theirs: (usize, u32)) -> bool {
        let bit = self.layout.bit(mine, theirs);
        self.words[(bit / 64) as usize].load(Relaxed) >> (bit % 64) & 1 == 1
    }
}
