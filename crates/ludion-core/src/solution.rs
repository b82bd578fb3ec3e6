//! The result of solving a state exactly, and the limits of solving. A game can have a solver of
//! its own as a [`SolveFn`]; `search::solve` is the general one.

use crate::game::Game;
use crate::player::{MoveRequest, Proof, RootLine};

/// Limits of the work to solve one state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SolveLimits {
    /// Maximum number of states visited.
    pub nodes: u64,
    /// Maximum number of states for complete enumeration. If more states can be reached, the solver
    /// uses a search with a transposition table instead.
    pub walk: usize,
    /// Number of threads of the search.
    pub threads: usize,
    /// Maximum size of the transposition table in megabytes.
    pub megabytes: usize,
    /// Whether only the result is asked for, and a move that keeps it. This is much less work in large
    /// games: proof-number search finds it, in games without a rule on repetitions.
    pub result_only: bool,
}

impl Default for SolveLimits {
    fn default() -> Self {
        SolveLimits {
            nodes: 10_000_000_000,
            walk: 1_000_000,
            threads: 1,
            megabytes: 256,
            result_only: false,
        }
    }
}

/// The exact result of a state under perfect play, and the moves that keep it.
#[derive(Clone, PartialEq, Debug)]
pub struct Solution<M> {
    /// The result for the side to move, with the number of plies to a win or a loss.
    pub value: Proof,
    /// The moves that keep this result and win as soon, or lose as late, as possible. If only the
    /// result was asked for, those that are known to keep it.
    pub best: Vec<M>,
    /// Every legal move with its exact result, in the order of [`Game::moves`]. If only the result was
    /// asked for, some have none.
    pub lines: Vec<RootLine<M>>,
    /// Number of states visited.
    pub nodes: u64,
}

/// Reasons why a state is not solved.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SolveError {
    /// The game is over.
    #[error("the game is over, there is nothing to solve")]
    Over,
    /// A limit was reached, or the observer stopped the solver.
    #[error("not solved after {nodes} states{}; allow more states to go on", depth_text(*depth))]
    Spent {
        /// Number of states visited before the solver stopped.
        nodes: u64,
        /// Depth in plies that was searched completely; 0 if the solver does not go by depth.
        depth: u32,
    },
    /// The game is a puzzle, for which there is no solver.
    #[error("only games for two can be solved, and this is a puzzle for one")]
    Puzzle,
}

/// Function that solves the state of a request of the game `G` within limits.
pub type SolveFn<G> =
    fn(&MoveRequest<'_, G>, SolveLimits) -> Result<Solution<<G as Game>::Move>, SolveError>;

fn depth_text(plies: u32) -> String {
    if plies == 0 { String::new() } else { format!(", {plies} plies deep") }
}
