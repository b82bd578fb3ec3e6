//! The result of solving a state exactly, and what may be spent on it. A game can bring a solver
//! of its own as a [`SolveFn`]; [`search::solve`](crate::search::solve) is the general one.

use crate::game::Game;
use crate::player::{MoveRequest, Proof, RootLine};

/// Limits of solving one state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SolveLimits {
    /// Greatest number of states visited.
    pub nodes: u64,
    /// Greatest number of states for which all of them are enumerated; beyond it the search takes
    /// over.
    pub walk: usize,
    /// Threads of the search.
    pub threads: usize,
    /// Size of the transposition table in megabytes.
    pub megabytes: usize,
}

impl Default for SolveLimits {
    fn default() -> Self {
        SolveLimits { nodes: 10_000_000_000, walk: 1_000_000, threads: 1, megabytes: 256 }
    }
}

/// The exact value of a state, and every move that keeps it.
#[derive(Clone, PartialEq, Debug)]
pub struct Solution<M> {
    /// The result for the side to move, with the plies to a win or a loss.
    pub value: Proof,
    /// The moves that keep this result and win soonest or lose latest.
    pub best: Vec<M>,
    /// Every move with its exact result, in the order of the game.
    pub lines: Vec<RootLine<M>>,
    /// States visited.
    pub nodes: u64,
}

/// Reasons why a state was not solved.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SolveError {
    /// The game is over.
    #[error("the game is over, there is nothing to solve")]
    Over,
    /// A limit was reached, or the observer stopped the solver.
    #[error("not solved after {nodes} states, {depth} plies deep; allow more states to go on")]
    Spent {
        /// States visited.
        nodes: u64,
        /// Plies searched completely.
        depth: u32,
    },
    /// The game is a puzzle for one.
    #[error("only games for two can be solved, and this is a puzzle for one")]
    Puzzle,
}

/// Solves states of the game `G`.
pub type SolveFn<G> =
    fn(&MoveRequest<'_, G>, SolveLimits) -> Result<Solution<<G as Game>::Move>, SolveError>;
