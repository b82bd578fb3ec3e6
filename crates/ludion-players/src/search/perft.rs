//! Perft: the number of move sequences of a given length. It does not depend on strategy, so two
//! implementations of the same rules must agree exactly.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use crate::game::Game;
use crate::threads::with_helpers;

/// Counts the sequences of exactly `depth` moves from `s`; games that end earlier count 0.
///
/// ```
/// use ludion::{game::Game, games::tictactoe::TicTacToe, search::perft::perft};
/// let g = TicTacToe;
/// assert_eq!(perft(&g, &g.start(), 5), 9 * 8 * 7 * 6 * 5);
/// ```
pub fn perft<G: Game>(g: &G, s: &G::State, depth: u32) -> u64 {
    perft_with(g, s, depth, &mut Vec::new())
}

/// Computes [`perft`] with the buffer `moves`, which can be reused to save allocations.
pub fn perft_with<G: Game>(g: &G, s: &G::State, depth: u32, moves: &mut Vec<G::Move>) -> u64 {
    g.perft(s, depth, moves)
}

/// Computes [`perft`] on several threads, which take the states two plies below `s` from a queue.
pub fn perft_parallel<G: Game>(g: &G, s: &G::State, depth: u32, threads: usize) -> u64 {
    if threads <= 1 {
        return perft(g, s, depth);
    }
    perft_with_progress(g, s, depth, threads, &|_, _| ())
}

/// Computes [`perft`] on several threads. Calls `on_part` at the beginning and after each state two
/// plies below `s`, with the number of these states that are counted and the number of all; calls
/// come from all threads and may come out of order.
pub fn perft_with_progress<G: Game>(
    g: &G,
    s: &G::State,
    depth: u32,
    threads: usize,
    on_part: &(dyn Fn(u64, u64) + Sync),
) -> u64 {
    if depth <= 2 {
        return perft(g, s, depth);
    }
    let mut parts = Vec::new();
    children(g, s).iter().for_each(|child| parts.append(&mut children(g, child)));
    on_part(0, parts.len() as u64);
    let (next, done) = (AtomicUsize::new(0), AtomicU64::new(0));
    let lines = AtomicU64::new(0);
    let count = |_| {
        let mut moves = Vec::new();
        while let Some(part) = parts.get(next.fetch_add(1, Ordering::Relaxed)) {
            lines.fetch_add(perft_with(g, part, depth - 2, &mut moves), Ordering::Relaxed);
            on_part(done.fetch_add(1, Ordering::Relaxed) + 1, parts.len() as u64);
        }
    };
    with_helpers(threads.min(parts.len()).saturating_sub(1), &count, &mut |_| count(0));
    lines.into_inner()
}

/// Returns the states after each legal move in `s`.
fn children<G: Game>(g: &G, s: &G::State) -> Vec<G::State> {
    let mut moves = Vec::new();
    g.moves(s, &mut moves);
    moves.into_iter().map(|m| g.after(s, m)).collect()
}
