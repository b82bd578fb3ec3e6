//! Self-play for training. A game begins with a random number of random moves, so that games differ
//! and include unbalanced positions; then both sides search to a fixed depth, or selectively with a
//! fixed number of nodes. With an untrained
//! model all moves are random, or the game's own evaluator plays where the game names one as its
//! teacher.

use std::sync::atomic::{AtomicBool, Ordering};

use super::SelfPlayGame;
use crate::evaluator::{Evaluator, WIN};
use crate::game::{Side, Status};
use crate::grid::GridGame;
use crate::outcome::Duel;
use crate::player::{Budget, MoveRequest, StopOnFlag};
use crate::random::{Rng, derive_seed};
use crate::repetition::GamePath;
use crate::search::iterative_deepening::{DeepeningLimits, deepen};
use crate::search::pvs::MAX_DEPTH;
use crate::search::transposition_table::TranspositionTable;

/// The settings of self-play games.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SelfPlayOptions {
    /// The depth of exact searches, in plies.
    pub depth: u32,
    /// The number of nodes of selective searches; `None` for exact searches to `depth`.
    pub nodes: Option<u64>,
    /// The maximum number of random plies at the beginning of a game.
    pub opening: u32,
    /// The number of plies after which an unfinished game is drawn.
    pub longest: usize,
    /// The random seed from which the seeds of all games are derived.
    pub seed: u64,
}

/// Plays the self-play game with this number; without an evaluator, all moves are random. Clears
/// the transposition table first, so that the game does not depend on earlier ones.
pub fn play<G: GridGame<Outcome = Duel>>(
    g: &G,
    evaluator: Option<&dyn Evaluator<G>>,
    options: &SelfPlayOptions,
    table: &TranspositionTable,
    number: u64,
) -> SelfPlayGame {
    let never = AtomicBool::new(false);
    play_or_stop(g, evaluator, options, table, number, &never).expect("nothing stops the game")
}

/// Plays a self-play game like [`play`]. Returns `None` if `stop` is set before its end.
pub fn play_or_stop<G: GridGame<Outcome = Duel>>(
    g: &G,
    evaluator: Option<&dyn Evaluator<G>>,
    options: &SelfPlayOptions,
    table: &TranspositionTable,
    number: u64,
    stop: &AtomicBool,
) -> Option<SelfPlayGame> {
    let mut rng = Rng::new(derive_seed(options.seed, &[number]));
    table.forget();
    let opening = match evaluator {
        Some(_) => rng.below(options.opening as usize + 1),
        None => options.longest,
    };
    let (mut s, mut path, mut moves) = (g.start(), GamePath::new(), Vec::new());
    let mut record =
        SelfPlayGame { opening: 0, moves: Vec::new(), values: Vec::new(), end: Duel::Drawn };
    let quiet_limit = g.quiet_limit().unwrap_or(usize::MAX);
    while record.moves.len() < options.longest {
        if quiet_limit < usize::MAX && g.reversible_plies(&s) >= quiet_limit {
            break;
        }
        let side = match path.status(g, &s) {
            Status::Turn(side) => side,
            Status::Over(end) => {
                record.end = end;
                break;
            }
        };
        moves.clear();
        path.moves(g, &s, &mut moves);
        let m = match evaluator.filter(|_| record.moves.len() >= opening) {
            None => {
                record.opening += 1;
                moves[rng.below(moves.len())]
            }
            Some(evaluator) => {
                let (observer, budget) = (&StopOnFlag(stop), Budget::UNLIMITED);
                let request =
                    MoveRequest { path: &path, observer, ..MoveRequest::new(g, &s, budget) };
                let (m, value) = search(&request, side, evaluator, options, table);
                record.values.push(value);
                m
            }
        };
        let index = moves.iter().position(|listed| *listed == m);
        record.moves.push(index.expect("a search chooses a legal move") as u16);
        path.play(g, &mut s, m);
        if stop.load(Ordering::Relaxed) {
            return None;
        }
    }
    Some(record)
}

/// Searches a state as the options say. Returns the best move and its value for `side`.
fn search<G: GridGame<Outcome = Duel>>(
    request: &MoveRequest<'_, G>,
    side: Side,
    evaluator: &dyn Evaluator<G>,
    options: &SelfPlayOptions,
    table: &TranspositionTable,
) -> (G::Move, i32) {
    let limits = DeepeningLimits {
        depth: options.nodes.map_or(options.depth, |_| MAX_DEPTH),
        time: None,
        nodes: options.nodes,
        threads: 1,
        advanced: false,
        all: false,
        selective: options.nodes.is_some(),
    };
    table.next_search();
    let (choice, _) = deepen(request, side, table, Some(evaluator), limits);
    let value = choice.best_line().and_then(|line| line.value).unwrap_or(0.0);
    (choice.best, (value * f64::from(WIN)) as i32)
}
