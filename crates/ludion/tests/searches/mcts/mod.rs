//! Monte-Carlo tree search: proofs are correct and counts add up, on one and on many threads, with
//! much and with little memory, and with leaves valued by evaluators.

mod conduct;
mod leaves;
mod proofs;
mod puzzle;
mod threads;
mod tree;

use std::num::NonZero;
use std::time::Duration;

use ludion::game::{Game, Side};
use ludion::outcome::{Duel, Wdl};
use ludion::player::{Budget, Choice, MoveRequest, Player};
use ludion::players::mcts::{FinalMoveRule, MctsOptions, ParallelMode, SelectionFormula};
use ludion::search::census::census;

const PLAIN: MctsOptions = MctsOptions {
    sims: 1000,
    select: SelectionFormula::Phi { a: 5.0, b: 5.0 },
    growth: 0.0,
    final_move: FinalMoveRule::Proof,
    fresh: false,
    memory: 4_000_000,
    threads: NonZero::new(1).unwrap(),
    parallel: ParallelMode::Tree,
    max_wave: 8,
};

const MODES: [ParallelMode; 3] = [ParallelMode::Tree, ParallelMode::Root, ParallelMode::Leaf];

fn sims(n: u64) -> Budget {
    Budget { simulations: Some(n), ..Budget::UNLIMITED }
}

fn on_threads(threads: usize, parallel: ParallelMode) -> MctsOptions {
    let threads = NonZero::new(threads).expect("at least one thread");
    MctsOptions { threads, parallel, ..PLAIN }
}

fn choose<G: Game>(player: &mut impl Player<G>, g: &G, s: &G::State, n: u64) -> Choice<G::Move> {
    player.choose(&MoveRequest::new(g, s, sims(n))).expect("the game is not over")
}

/// Returns the value of `s` for `side` under perfect play.
fn exact<G: Game<Outcome = Duel>>(g: &G, s: &G::State, side: Side) -> Wdl {
    census(g, s, 1_000_000).expect("a small game").perfect.seen_by(side)
}

fn after<G: Game>(g: &G, s: &G::State, m: G::Move) -> G::State {
    let mut child = s.clone();
    g.play(&mut child, m);
    child
}

/// Returns the choice with its time set to zero, for comparisons.
fn without_time<M: Copy>(choice: Choice<M>) -> Choice<M> {
    Choice { time: Duration::ZERO, ..choice }
}
