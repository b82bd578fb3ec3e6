//! The positions of the opening book in a fixed order: those with a given number of stones in which
//! the game goes on, one of each pair of mirror images, sorted by key. A file of entries in
//! this order needs no keys.

use ludion_core::game::{Game, Status};
use ludion_core::scene::Symmetry;

use crate::{Connect4, Connect4State};

/// The game whose positions are in the book.
pub(super) const G: Connect4 = Connect4::STANDARD;

/// Returns the key that `s` and its mirror image share.
#[inline]
pub(super) fn canonical_key(s: &Connect4State) -> u64 {
    G.key(s).min(G.key(&G.transform(s, Symmetry::Mirror)))
}

/// Returns the position with a key: the inverse of [`Game::key`].
pub(super) fn state_of(key: u64) -> Connect4State {
    let height = u32::from(G.height());
    (0..u32::from(G.cols())).fold(Connect4State::default(), |s, x| {
        let column = key >> (x * height) & ((1 << height) - 1);
        let top = 1 << column.ilog2();
        Connect4State {
            mover: s.mover | (column ^ top) << (x * height),
            all: s.all | (top - 1) << (x * height),
        }
    })
}

/// Returns the score of the side to move in `s` if it wins with its next stone.
pub(super) fn score_of_win(s: &Connect4State) -> i8 {
    (42 - s.plies() as i8 + 1) / 2
}

/// Returns the positions after each move of `s`, `None` for a move that wins.
pub(super) fn children(s: &Connect4State) -> impl Iterator<Item = Option<Connect4State>> + use<> {
    let s = *s;
    let mut moves = Vec::with_capacity(usize::from(G.cols()));
    G.moves(&s, &mut moves);
    moves.into_iter().map(move |m| {
        let child = G.after(&s, m);
        matches!(G.status(&child), Status::Turn(_)).then_some(child)
    })
}

/// The positions with one number of stones in which the game goes on, one of each pair of mirror images.
pub(super) struct PositionLevel {
    /// The keys of the positions, sorted.
    pub(super) keys: Vec<u64>,
    /// The moves that lead here and do not end the game: the index of the position before it, in the
    /// level before this one, and the index of the position after it.
    pub(super) links: Vec<(u32, u32)>,
}

/// Returns the positions with 0, 1, … `plies` stones, one level for each number of stones.
pub(super) fn levels(plies: u32) -> Vec<PositionLevel> {
    let start = PositionLevel { keys: vec![canonical_key(&G.start())], links: Vec::new() };
    let mut levels = vec![start];
    for _ in 0..plies {
        let last = levels.last().expect("the level of the empty board");
        let mut reached = Vec::with_capacity(7 * last.keys.len());
        for (before, &key) in (0..).zip(&last.keys) {
            for child in children(&state_of(key)).flatten() {
                reached.push((canonical_key(&child), before));
            }
        }
        reached.sort_unstable();
        let mut next = PositionLevel { keys: Vec::new(), links: Vec::with_capacity(reached.len()) };
        for (key, before) in reached {
            if next.keys.last() != Some(&key) {
                next.keys.push(key);
            }
            next.links.push((before, next.keys.len() as u32 - 1));
        }
        levels.push(next);
    }
    levels
}
