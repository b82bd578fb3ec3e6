//! The opening book of Connect Four on the standard board: the exact score and a best move of every
//! position up to a number of stones.
//!
//! Only the positions with the most stones have stored scores and moves, in the order of `positions`;
//! those with fewer stones follow by minimax when the book is read. Scores are those of
//! [`solver`](super::solver). This command makes the book of the library:
//!
//! ```text
//! ludion book connect4 --plies 9 --out opening.book --memory 4096
//! ```
//!
//! The scores of the 269,531 positions took 47 minutes on one thread of a busy machine, the moves 17 minutes on two.
//! Scores are exact, and of the best moves the book has the one nearest to the middle, so every way to
//! compute them gives the same file.

mod file;
mod positions;
mod solving;
#[cfg(test)]
mod tests;

use std::sync::OnceLock;

use crate::{Connect4, Connect4State};
use ludion_core::game::Game;

pub use file::{BookEntries, BookEntry, BookFileError};
pub use solving::BookSolver;

use positions::{canonical_key, children, levels, score_of_win, state_of};

/// The most stones that the positions of a book may have.
pub const MAX_BOOK_PLIES: u32 = 12;

/// The exact scores of all positions with few stones, and a best move of each.
pub struct OpeningBook {
    /// The keys and scores of the positions with 0, 1, … stones.
    levels: Vec<BookLevel>,
    /// Best moves of the positions of the last level.
    best: Vec<u8>,
}

/// The positions with one number of stones, sorted by key, and their scores.
struct BookLevel {
    keys: Vec<u64>,
    scores: Vec<i8>,
}

impl OpeningBook {
    /// Returns the book that is part of the library.
    #[must_use]
    pub fn bundled() -> &'static OpeningBook {
        static BOOK: OnceLock<OpeningBook> = OnceLock::new();
        BOOK.get_or_init(|| {
            let entries = BookEntries::read(include_bytes!("opening.book"));
            let book = entries.ok().and_then(|entries| OpeningBook::new(&entries));
            book.expect("the built-in book is complete, as a test checks")
        })
    }

    /// Computes the scores of all positions from those of the positions with the most stones; `None`
    /// if some of these are not known.
    #[must_use]
    pub fn new(entries: &BookEntries) -> Option<Self> {
        let mut positions = levels(entries.plies());
        let last = positions.pop()?;
        let known: Vec<BookEntry> = entries.entries().iter().copied().collect::<Option<_>>()?;
        let (scores, best) = known.iter().map(|entry| (entry.score, entry.best)).unzip();
        let mut links = last.links;
        let mut levels = vec![BookLevel { keys: last.keys, scores }];
        while let Some(level) = positions.pop() {
            let after = levels.last().expect("the level with one stone more");
            let mut scores: Vec<i8> = level.keys.iter().map(|&key| score_of_end(key)).collect();
            for (before, child) in links {
                let score = &mut scores[before as usize];
                *score = (*score).max(-after.scores[child as usize]);
            }
            links = level.links;
            levels.push(BookLevel { keys: level.keys, scores });
        }
        levels.reverse();
        Some(OpeningBook { levels, best })
    }

    /// Returns the largest number of stones of a position in the book.
    #[must_use]
    pub fn plies(&self) -> u32 {
        self.levels.len() as u32 - 1
    }

    /// Returns the exact score of `s`, a position of `g` in which the game goes on; `None` if it is
    /// not in the book.
    #[must_use]
    pub fn score(&self, g: &Connect4, s: &Connect4State) -> Option<i32> {
        if *g != Connect4::STANDARD {
            return None;
        }
        self.levels.get(s.plies() as usize)?.score(s)
    }

    /// Returns a move with the exact score of `s`, a position of `g` with the most stones of the book
    /// in which the game goes on; `None` for other positions, whose moves [`analyse`](Self::analyse)
    /// compares.
    #[must_use]
    pub fn stored_move(&self, g: &Connect4, s: &Connect4State) -> Option<u8> {
        if *g != Connect4::STANDARD || s.plies() != self.plies() {
            return None;
        }
        let best = *self.best.get(self.levels.last()?.index(s)?)?;
        let best = if g.key(s) == canonical_key(s) { best } else { g.cols() - 1 - best };
        g.move_of_action(s, best.into())
    }

    /// Returns the exact score of every column for the side to move in `s`, `None` for a full
    /// column. Returns `None` instead of the list if a position after a move is not in the book.
    #[must_use]
    pub fn analyse(&self, g: &Connect4, s: &Connect4State) -> Option<Vec<Option<i32>>> {
        let after = self.levels.get(s.plies() as usize + 1).filter(|_| *g == Connect4::STANDARD)?;
        let mut moves = Vec::new();
        g.moves(s, &mut moves);
        let mut scores = vec![None; usize::from(g.cols())];
        for (&m, child) in moves.iter().zip(children(s)) {
            scores[usize::from(m)] = Some(score_of_move(s, child.as_ref(), after)?);
        }
        Some(scores)
    }
}

impl BookLevel {
    /// Returns the index of `s` or its mirror image among the positions.
    fn index(&self, s: &Connect4State) -> Option<usize> {
        self.keys.binary_search(&canonical_key(s)).ok()
    }

    fn score(&self, s: &Connect4State) -> Option<i32> {
        Some(self.scores[self.index(s)?].into())
    }
}

/// Returns the score for the side to move in `s` of a move to `child`, which is `None` if the move
/// wins.
fn score_of_move(
    s: &Connect4State,
    child: Option<&Connect4State>,
    after: &BookLevel,
) -> Option<i32> {
    match child {
        Some(child) => after.score(child).map(|score| -score),
        None => Some(score_of_win(s).into()),
    }
}

/// Returns the score of the position with a key if its side to move can win at once, or a score below
/// all others.
fn score_of_end(key: u64) -> i8 {
    let s = state_of(key);
    match Connect4::STANDARD.wins_at_once(&s) {
        Some(true) => score_of_win(&s),
        _ => i8::MIN,
    }
}
