//! Flat Monte-Carlo sampling: counts playouts for each move of one state, and selects the move for
//! the next playout by UCB1. Of equal moves the first is selected.
//!
//! The formula is UCB1 (Auer, Cesa-Bianchi and Fischer, 2002) with an exploration factor `c`:
//! `utility + c·√(ln n / n_i)`, where the utility is the mean result, n the number of all playouts
//! and n_i that of the move. Tree search is in [`crate::players::mcts`].

use std::time::Duration;

use crate::game::{Game, Side, Status, TallyOf};
use crate::outcome::{Outcome, OutcomeTally};
use crate::player::{Choice, MoveRequest, PlayerError, RootLine};
use crate::random::Rng;

/// The default exploration factor, which Corsini's exercise sheet recommends for utilities from −1
/// to 1.
pub const EXPLORATION: f64 = 0.3;

/// Returns the index of the greatest value, the first of equal ones; `None` without values.
#[inline]
pub fn first_best(values: impl IntoIterator<Item = f64>) -> Option<usize> {
    let mut best: Option<(usize, f64)> = None;
    for (i, value) in values.into_iter().enumerate() {
        if best.is_none_or(|(_, most)| value > most) {
            best = Some((i, value));
        }
    }
    best.map(|(i, _)| i)
}

/// Returns the index of the move with the greatest `utility + c·√(ln n / n_i)` for `side`, the
/// first of equal ones; `None` without moves. Every move must have a playout.
#[inline]
pub fn best_by_ucb<T: OutcomeTally>(tallies: &[T], side: Side, c: f64) -> Option<usize> {
    let n: u64 = tallies.iter().map(OutcomeTally::games).sum();
    let log = (n as f64).ln();
    first_best(tallies.iter().map(|t| t.utility(side) + c * (log / t.games() as f64).sqrt()))
}

/// Returns the index of the move with the greatest utility (mean result) for `side`, the first of
/// equal ones; `None` without moves. Moves without playouts come last.
pub fn best_by_utility<T: OutcomeTally>(tallies: &[T], side: Side) -> Option<usize> {
    first_best(tallies.iter().map(|t| match t.games() {
        0 => f64::NEG_INFINITY,
        _ => t.utility(side),
    }))
}

/// Returns a line for each move, with its utility (mean result) and its number of playouts.
pub fn root_lines<M: Copy, T: OutcomeTally>(
    moves: &[M],
    tallies: &[T],
    side: Side,
) -> Vec<RootLine<M>> {
    moves
        .iter()
        .zip(tallies)
        .map(|(&m, tally)| RootLine {
            value: (tally.games() > 0).then(|| tally.utility(side)),
            visits: tally.games(),
            ..RootLine::new(m)
        })
        .collect()
}

/// The moves of a state as the arms of a multi-armed bandit, each with the outcomes of its
/// playouts.
pub struct BanditArms<G: Game> {
    side: Side,
    moves: Vec<G::Move>,
    after: Vec<G::State>,
    tallies: Vec<TallyOf<G>>,
    scratch: Vec<G::Move>,
}

impl<G: Game> BanditArms<G> {
    /// Creates an arm for each legal move of the request, without playouts yet.
    ///
    /// # Errors
    /// When the game is over.
    pub fn new(request: &MoveRequest<'_, G>) -> Result<Self, PlayerError> {
        let Status::Turn(side) = request.status() else {
            return Err(PlayerError::Over);
        };
        let (g, s, moves) = (request.game, request.state, request.moves());
        let after: Vec<G::State> = moves.iter().map(|&m| g.after(s, m)).collect();
        let tallies = vec![TallyOf::<G>::default(); moves.len()];
        Ok(BanditArms { side, moves, after, tallies, scratch: Vec::new() })
    }

    /// Returns the number of legal moves, at least one.
    #[must_use]
    pub fn count(&self) -> usize {
        self.moves.len()
    }

    /// Returns the outcomes of the playouts after each move, in the order of the moves.
    #[must_use]
    pub fn tallies(&self) -> &[TallyOf<G>] {
        &self.tallies
    }

    /// Returns the side to move in the state.
    #[must_use]
    pub fn side(&self) -> Side {
        self.side
    }

    /// Runs `games` playouts after the move at index `i`.
    pub fn play(&mut self, g: &G, i: usize, games: u64, rng: &mut Rng) {
        g.playouts(&self.after[i], games, rng, &mut self.scratch, &mut self.tallies[i]);
    }

    /// Runs one playout after the move at index `i` and returns its outcome.
    pub fn play_one(&mut self, g: &G, i: usize, rng: &mut Rng) -> G::Outcome {
        let outcome = g.playout(self.after[i].clone(), rng, &mut self.scratch);
        outcome.count(&mut self.tallies[i]);
        outcome
    }

    /// Returns the choice of the first move with the greatest utility, with a line for every move.
    /// `time` is the time spent so far.
    #[must_use]
    pub fn choice(&self, time: Duration) -> Choice<G::Move> {
        let best = best_by_utility(&self.tallies, self.side);
        Choice {
            lines: root_lines(&self.moves, &self.tallies, self.side),
            nodes: self.after.len() as u64,
            simulations: self.tallies.iter().map(OutcomeTally::games).sum(),
            depth: 1,
            time,
            ..Choice::bare(self.moves[best.expect("an unfinished game has a move")])
        }
    }
}
