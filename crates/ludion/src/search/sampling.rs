//! What the Monte-Carlo players share: random games counted for each move, the formula
//! that says which move deserves the next one, and the rule that ties go to the first.
//!
//! The formula is UCB1 (Auer, Cesa-Bianchi and Fischer, 2002) with a factor of one's own:
//! `utility + c·√(ln n / n_i)`. Nothing here looks further than one move.

use std::time::Duration;

use crate::game::{Game, Side, Status, TallyOf};
use crate::outcome::{Outcome, OutcomeTally};
use crate::player::{Choice, PlayerError, RootLine};
use crate::random::Rng;

/// The factor of the exploring term that the course recommends for utilities from −1 to 1.
pub const EXPLORATION: f64 = 0.3;

/// The index of the first of the greatest values.
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

/// The first move of greatest `utility + c·√(ln n / n_i)`, where each has been tried.
#[inline]
pub fn best_by_ucb<T: OutcomeTally>(tallies: &[T], side: Side, c: f64) -> Option<usize> {
    let n: u64 = tallies.iter().map(OutcomeTally::games).sum();
    let log = (n as f64).ln();
    first_best(tallies.iter().map(|t| t.utility(side) + c * (log / t.games() as f64).sqrt()))
}

/// The first of the tried moves with the greatest utility.
pub fn best_by_utility<T: OutcomeTally>(tallies: &[T], side: Side) -> Option<usize> {
    first_best(tallies.iter().map(|t| match t.games() {
        0 => f64::NEG_INFINITY,
        _ => t.utility(side),
    }))
}

/// What is known of each move: its utility, and how often it was tried.
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

/// Every move of a state, with the random games played after it.
pub struct BanditArms<G: Game> {
    side: Side,
    moves: Vec<G::Move>,
    after: Vec<G::State>,
    tallies: Vec<TallyOf<G>>,
    scratch: Vec<G::Move>,
}

impl<G: Game> BanditArms<G> {
    /// The moves of `s`, none of them tried.
    ///
    /// # Errors
    /// When the game is over.
    pub fn new(g: &G, s: &G::State) -> Result<Self, PlayerError> {
        let Status::Turn(side) = g.status(s) else {
            return Err(PlayerError::Over);
        };
        let mut moves = Vec::new();
        g.moves(s, &mut moves);
        let after: Vec<G::State> = moves.iter().map(|&m| g.after(s, m)).collect();
        let tallies = vec![TallyOf::<G>::default(); moves.len()];
        Ok(BanditArms { side, moves, after, tallies, scratch: Vec::new() })
    }

    /// How many moves there are; at least one.
    #[must_use]
    pub fn count(&self) -> usize {
        self.moves.len()
    }

    /// The games played after each move.
    #[must_use]
    pub fn tallies(&self) -> &[TallyOf<G>] {
        &self.tallies
    }

    /// The side to move.
    #[must_use]
    pub fn side(&self) -> Side {
        self.side
    }

    /// Plays `games` random games after move number `i`.
    pub fn play(&mut self, g: &G, i: usize, games: u64, rng: &mut Rng) {
        g.playouts(&self.after[i], games, rng, &mut self.scratch, &mut self.tallies[i]);
    }

    /// Plays one random game after move number `i` and returns its end.
    pub fn play_one(&mut self, g: &G, i: usize, rng: &mut Rng) -> G::Outcome {
        let end = g.playout(self.after[i].clone(), rng, &mut self.scratch);
        end.count(&mut self.tallies[i]);
        end
    }

    /// The first of the tried moves with the greatest utility, and what is known of all.
    #[must_use]
    pub fn choice(&self, time: Duration) -> Choice<G::Move> {
        let best = best_by_utility(&self.tallies, self.side);
        Choice {
            lines: root_lines(&self.moves, &self.tallies, self.side),
            nodes: self.after.len() as u64,
            simulations: self.tallies.iter().map(OutcomeTally::games).sum(),
            depth: 1,
            time,
            ..Choice::bare(self.moves[best.expect("a game that goes on has a move")])
        }
    }
}
