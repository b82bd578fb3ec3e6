//! Self-play: a random opening of random length, so that games differ and include unbalanced
//! positions, then a search of fixed depth for both sides. An untrained model plays random moves to
//! the end.

use super::{PatternEvaluator, SelfPlayGame};
use crate::evaluator::WIN;
use crate::game::{Side, Status};
use crate::grid::GridGame;
use crate::outcome::Duel;
use crate::player::{Budget, MoveRequest};
use crate::random::{Rng, derive_seed};
use crate::search::iterative_deepening::{DeepeningLimits, deepen};
use crate::search::transposition_table::TranspositionTable;

/// The settings of self-play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SelfPlayOptions {
    /// The search depth, in plies.
    pub depth: u32,
    /// The most random plies at the beginning of a game.
    pub opening: u32,
    /// The number of plies after which a game is drawn.
    pub longest: usize,
    /// The random seed of all games.
    pub seed: u64,
}

/// Plays game `number` of self-play; random moves if there is no evaluator. The table is cleared
/// first.
pub fn play<G: GridGame<Outcome = Duel>>(
    g: &G,
    evaluator: Option<&PatternEvaluator>,
    options: &SelfPlayOptions,
    table: &TranspositionTable,
    number: u64,
) -> SelfPlayGame {
    let mut rng = Rng::new(derive_seed(options.seed, &[number]));
    table.forget();
    let opening = match evaluator {
        Some(_) => rng.below(options.opening as usize + 1),
        None => options.longest,
    };
    let (mut s, mut moves) = (g.start(), Vec::new());
    let mut record =
        SelfPlayGame { opening: 0, moves: Vec::new(), values: Vec::new(), end: Duel::Drawn };
    while record.moves.len() < options.longest {
        let side = match g.status(&s) {
            Status::Turn(side) => side,
            Status::Over(end) => {
                record.end = end;
                break;
            }
        };
        moves.clear();
        g.moves(&s, &mut moves);
        let m = match evaluator.filter(|_| record.moves.len() >= opening) {
            None => {
                record.opening += 1;
                moves[rng.below(moves.len())]
            }
            Some(evaluator) => {
                let (m, value) = search(g, (&s, side), evaluator, options.depth, table);
                record.values.push(value);
                m
            }
        };
        let index = moves.iter().position(|listed| *listed == m);
        record.moves.push(index.expect("a search chooses a legal move") as u16);
        g.play(&mut s, m);
    }
    record
}

/// Searches a state at a fixed depth; returns the best move and its value.
fn search<G: GridGame<Outcome = Duel>>(
    g: &G,
    (s, side): (&G::State, Side),
    evaluator: &PatternEvaluator,
    depth: u32,
    table: &TranspositionTable,
) -> (G::Move, i32) {
    let turn = MoveRequest::new(g, s, Budget::UNLIMITED);
    let limits =
        DeepeningLimits { depth, time: None, nodes: None, threads: 1, advanced: false, all: false };
    table.next_search();
    let (choice, _) = deepen(&turn, side, table, evaluator, limits);
    let value = choice.best_line().and_then(|line| line.value).unwrap_or(0.0);
    (choice.best, (value * f64::from(WIN)) as i32)
}
