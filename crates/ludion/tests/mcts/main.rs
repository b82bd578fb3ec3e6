//! Monte-Carlo tree search from outside: what it proves is true, what it counts adds up,
//! alone and on many threads, with much memory and with hardly any.

mod conduct;
mod proofs;
mod puzzle;
mod threads;
mod tree;

use std::num::NonZero;
use std::time::Duration;

use ludion::game::{Game, Side};
use ludion::outcome::{Duel, Verdict};
use ludion::player::{Budget, Choice, Player, Turn};
use ludion::players::mcts::{Final, Options, Parallel, Select};
use ludion::search::census::census;

const PLAIN: Options = Options {
    sims: 1000,
    select: Select::Phi { a: 5.0, b: 5.0 },
    last: Final::Proof,
    fresh: false,
    memory: 4_000_000,
    threads: NonZero::new(1).unwrap(),
    parallel: Parallel::Tree,
    flight: 8,
};

const WAYS: [Parallel; 3] = [Parallel::Tree, Parallel::Root, Parallel::Leaf];

fn sims(n: u64) -> Budget {
    Budget { simulations: Some(n), ..Budget::UNLIMITED }
}

fn on_threads(threads: usize, parallel: Parallel) -> Options {
    let threads = NonZero::new(threads).expect("at least one thread");
    Options { threads, parallel, ..PLAIN }
}

fn choose<G: Game>(player: &mut impl Player<G>, g: &G, s: &G::State, n: u64) -> Choice<G::Move> {
    player.choose(&Turn::new(g, s, sims(n))).expect("the game goes on")
}

/// What perfect play from `s` comes to for `side`.
fn exact<G: Game<Outcome = Duel>>(g: &G, s: &G::State, side: Side) -> Verdict {
    census(g, s, 1_000_000).expect("a small game").perfect.seen_by(side)
}

fn after<G: Game>(g: &G, s: &G::State, m: G::Move) -> G::State {
    let mut child = s.clone();
    g.play(&mut child, m);
    child
}

/// A choice without the time it took.
fn timeless<M: Copy>(choice: Choice<M>) -> Choice<M> {
    Choice { time: Duration::ZERO, ..choice }
}
