//! The exact solver of Othello endgames: principal variation search on the difference of discs, in
//! which the empty cells at the end count for the winner, as in the published results.
//!
//! Moves are tried in the order of the replies that they leave to the opponent (*fastest first*); a
//! table keeps bounds of the scores of positions, compared by all their discs, so that no two are
//! confused; discs that cannot be flipped any more bound the score. The last cells are in
//! `small_endgames.rs`.

use std::time::Instant;

use super::kernel::{CpuTarget, Discs, lowest, on_best_target};
use super::score_table::{EndgameEntry, EndgameHashTable};
use super::small_endgames::{final_score, potential_moves, search_few, stable_discs};
use super::{Othello, OthelloState};
use crate::game::Game;

/// Largest number of empty cells that is searched without table and move order.
const FEW: u32 = 6;
/// Least number of empty cells at which the positions after all moves are looked up in the table
/// before any is searched.
const LOOK_UP_CHILDREN: u32 = 10;
/// Number of nodes between two checks of the limits.
const POLL_INTERVAL: u64 = 1 << 14;
/// A score beyond that of every position.
const INFINITY: i32 = 100;

/// Limits of one search of the endgame solver.
#[derive(Clone, Copy, Default)]
pub struct EndgameLimits<'a> {
    /// Maximum number of positions visited; `None` for no limit.
    pub nodes: Option<u64>,
    /// The time at which the search stops; `None` for no limit.
    pub deadline: Option<Instant>,
    /// Returns whether the search should stop.
    pub stop: Option<&'a dyn Fn() -> bool>,
}

/// Solves positions of one size of the board, with a table that it keeps from search to search.
pub struct EndgameSolver {
    game: Othello,
    table: EndgameHashTable,
    nodes: u64,
}

impl EndgameSolver {
    /// Creates a solver with a table of at most `megabytes`.
    #[must_use]
    pub fn new(game: Othello, megabytes: usize) -> Self {
        EndgameSolver { game, table: EndgameHashTable::new(megabytes), nodes: 0 }
    }

    /// Returns the game that the solver was made for.
    #[must_use]
    pub fn game(&self) -> &Othello {
        &self.game
    }

    /// Returns the number of positions visited so far, in all searches.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Forgets all scores.
    pub fn clear(&mut self) {
        self.table.clear();
    }

    /// Returns the difference of discs at the end of the game under perfect play, for the side to
    /// move; `None` if a limit stops the search.
    pub fn solve(&mut self, s: &OthelloState, limits: &EndgameLimits<'_>) -> Option<i32> {
        self.bound(s, -INFINITY, INFINITY, limits)
    }

    /// Returns the score of `s` for the side to move if it is between `alpha` and `beta`; otherwise
    /// an upper bound that is at most `alpha`, or a lower bound that is at least `beta`. Returns
    /// `None` if a limit stops the search.
    pub fn bound(
        &mut self,
        s: &OthelloState,
        alpha: i32,
        beta: i32,
        limits: &EndgameLimits<'_>,
    ) -> Option<i32> {
        let discs = self.game.discs(s);
        let mut search = EndgameSearch::new(self, limits);
        let score = search.root(discs, alpha, beta);
        let (nodes, is_stopped) = (search.nodes, search.is_stopped);
        self.nodes += nodes;
        (!is_stopped).then_some(score)
    }

    /// Returns a best continuation from `s`, as far as the table has exact scores.
    #[must_use]
    pub fn variation(&self, s: &OthelloState) -> Vec<u8> {
        let (mut s, mut line, mut moves) = (*s, Vec::new(), Vec::new());
        loop {
            moves.clear();
            self.game.moves(&s, &mut moves);
            let m = match (&moves[..], self.table.get(self.game.discs(&s))) {
                (&[only], _) => only,
                (legal, Some(known))
                    if known.lower == known.upper && legal.contains(&known.best) =>
                {
                    known.best
                }
                _ => return line,
            };
            self.game.play(&mut s, m);
            line.push(m);
        }
    }
}

/// A move with the position after it and its place in the order: lower ones are tried first.
#[derive(Clone, Copy)]
struct OrderedMove {
    cell: u8,
    child: Discs,
    order: i32,
}

/// One search: the table, the limits and what was visited.
pub(super) struct EndgameSearch<'a> {
    table: &'a mut EndgameHashTable,
    limits: &'a EndgameLimits<'a>,
    pub(super) nodes: u64,
    next_poll: u64,
    is_stopped: bool,
    pub(super) cells: i32,
    /// The quarters of the board, for parity.
    pub(super) quadrants: [u64; 4],
    corners: u64,
    /// The cells diagonally beside the corners.
    beside_corners: u64,
}

impl<'a> EndgameSearch<'a> {
    fn new(solver: &'a mut EndgameSolver, limits: &'a EndgameLimits<'a>) -> Self {
        let size = u32::from(solver.game.size);
        let half = size / 2;
        let row = (1u64 << half) - 1;
        let quadrant = (0..half).fold(0, |set, y| set | row << (8 * y));
        let last = size - 1;
        let corners_of = |inset: u32| {
            let (low, high) = (inset, last - inset);
            [(low, low), (high, low), (low, high), (high, high)]
                .iter()
                .fold(0, |set, (x, y)| set | 1 << (8 * y + x))
        };
        EndgameSearch {
            table: &mut solver.table,
            limits,
            nodes: 0,
            next_poll: POLL_INTERVAL,
            is_stopped: false,
            cells: (size * size) as i32,
            quadrants: [0, half, 8 * half, 9 * half].map(|shift| quadrant << shift),
            corners: corners_of(0),
            beside_corners: corners_of(1),
        }
    }

    fn root(&mut self, discs: Discs, alpha: i32, beta: i32) -> i32 {
        on_best_target!(search(self, discs, alpha, beta))
    }

    fn poll(&mut self) {
        self.next_poll = self.nodes + POLL_INTERVAL;
        let EndgameLimits { nodes, deadline, stop } = self.limits;
        self.is_stopped = nodes.is_some_and(|most| self.nodes >= most)
            || deadline.is_some_and(|deadline| Instant::now() >= deadline)
            || stop.is_some_and(|stop| stop());
    }

    /// Lists the moves of `cells` in the order in which they are searched: first `hinted`, then those
    /// that leave the opponent few replies, and the more so if these include no corner.
    #[inline(always)]
    fn ordered_moves<T: CpuTarget>(
        &self,
        discs: Discs,
        mut cells: u64,
        hinted: u8,
        out: &mut [OrderedMove; 64],
    ) -> usize {
        let empty = discs.empty();
        let odd = self
            .quadrants
            .iter()
            .fold(0, |odd, &q| if (empty & q).count_ones() & 1 == 1 { odd | q } else { odd });
        let mut count = 0;
        while cells != 0 {
            let bit = lowest(cells);
            cells ^= bit;
            let cell = bit.trailing_zeros() as u8;
            let child = discs.after::<T>(bit);
            let replies = child.moves::<T>();
            let mut order = 24
                * (replies.count_ones() + (replies & self.corners).count_ones()) as i32
                + 6 * potential_moves(child);
            order -= if bit & odd == 0 { 0 } else { 12 };
            order -= if bit & self.corners == 0 { 0 } else { 48 };
            order += if bit & self.beside_corners == 0 { 0 } else { 16 };
            if cell == hinted {
                order = i32::MIN;
            }
            out[count] = OrderedMove { cell, child, order };
            count += 1;
        }
        count
    }
}

/// Returns the score of a position: exact if it is between `alpha` and `beta`, otherwise a bound
/// (fail-soft). The result means nothing if the search was stopped.
fn search<T: CpuTarget>(
    search_of: &mut EndgameSearch<'_>,
    discs: Discs,
    alpha: i32,
    beta: i32,
) -> i32 {
    if discs.empty().count_ones() <= FEW {
        return search_few::<T>(search_of, discs, alpha, beta, false);
    }
    T::run(move || search_body::<T>(search_of, discs, alpha, beta))
}

#[inline(always)]
fn search_body<T: CpuTarget>(
    state: &mut EndgameSearch<'_>,
    discs: Discs,
    mut alpha: i32,
    mut beta: i32,
) -> i32 {
    state.nodes += 1;
    if state.nodes >= state.next_poll {
        state.poll();
    }
    if state.is_stopped {
        return 0;
    }
    let empties = discs.empty().count_ones();
    let moves = discs.moves::<T>();
    if moves == 0 {
        let passed = discs.swapped();
        if passed.moves::<T>() == 0 {
            return final_score(discs);
        }
        return -search::<T>(state, passed, -beta, -alpha);
    }
    // Near the limit of what the opponent's stable discs allow, their number may decide.
    if alpha >= 2 * empties as i32 - 2 {
        let most = state.cells - 2 * stable_discs(discs.swapped());
        if most <= alpha {
            return most;
        }
        beta = beta.min(most);
    }
    let (mut lower, mut upper, mut hinted) = (-INFINITY, INFINITY, u8::MAX);
    if let Some(entry) = state.table.get(discs) {
        (lower, upper, hinted) = (entry.lower.into(), entry.upper.into(), entry.best);
        if lower >= beta {
            return lower;
        }
        if upper <= alpha || lower == upper {
            return upper;
        }
        (alpha, beta) = (alpha.max(lower), beta.min(upper));
    }
    let nothing = OrderedMove { cell: 0, child: discs, order: 0 };
    let mut list = [nothing; 64];
    let count = state.ordered_moves::<T>(discs, moves, hinted, &mut list);
    let list = &mut list[..count];
    if empties >= LOOK_UP_CHILDREN {
        for entry in list.iter() {
            let known = state.table.get(entry.child).map(|known| -i32::from(known.upper));
            if let Some(score) = known.filter(|&score| score >= beta) {
                return score;
            }
        }
    }
    let (mut best, mut best_move, mut floor) = (-INFINITY, u8::MAX, alpha);
    for i in 0..list.len() {
        // Few moves are searched in most nodes, so the next one is selected, not all sorted.
        let next = (i..list.len()).min_by_key(|&j| list[j].order).unwrap_or(i);
        list.swap(i, next);
        let child = list[i].child;
        let mut score;
        if i == 0 {
            score = -search::<T>(state, child, -beta, -floor);
        } else {
            score = -search::<T>(state, child, -floor - 1, -floor);
            if score > floor && score < beta {
                score = -search::<T>(state, child, -beta, -score);
            }
        }
        if state.is_stopped {
            return 0;
        }
        if score > best {
            (best, best_move) = (score, list[i].cell);
            floor = floor.max(best);
            if best >= beta {
                break;
            }
        }
    }
    if best < beta {
        upper = upper.min(best);
    }
    if best > alpha {
        lower = lower.max(best);
    }
    state.table.put(EndgameEntry {
        own: discs.own,
        other: discs.other,
        lower: lower as i8,
        upper: upper as i8,
        best: best_move,
        empties: empties as u8,
    });
    best
}
