//! Games of a judgement against itself: a random opening of random length, so that games
//! differ and lopsided states are seen too, then a search of fixed depth for both sides. A
//! judgement that knows nothing plays at random to the end.

use super::{PatternEvaluator, SelfPlayGame};
use crate::evaluator::WIN;
use crate::game::{Side, Status};
use crate::grid::GridGame;
use crate::outcome::Duel;
use crate::player::{Budget, MoveRequest};
use crate::random::{Rng, derive_seed};
use crate::search::iterative_deepening::{DeepeningLimits, deepen};
use crate::search::transposition_table::TranspositionTable;

/// How games against oneself are played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SelfPlayOptions {
    /// Plies looked ahead.
    pub depth: u32,
    /// Random plies at the beginning, at most.
    pub opening: u32,
    /// Plies after which a game is drawn.
    pub longest: usize,
    /// What the games are drawn from.
    pub seed: u64,
}

/// Plays game `number`; without a judge at random. The table is forgotten before.
pub fn play<G: GridGame<Outcome = Duel>>(
    g: &G,
    judge: Option<&PatternEvaluator>,
    playing: &SelfPlayOptions,
    table: &TranspositionTable,
    number: u64,
) -> SelfPlayGame {
    let mut rng = Rng::new(derive_seed(playing.seed, &[number]));
    table.forget();
    let opening = match judge {
        Some(_) => rng.below(playing.opening as usize + 1),
        None => playing.longest,
    };
    let (mut s, mut moves) = (g.start(), Vec::new());
    let mut record =
        SelfPlayGame { opening: 0, moves: Vec::new(), worths: Vec::new(), end: Duel::Drawn };
    while record.moves.len() < playing.longest {
        let side = match g.status(&s) {
            Status::Turn(side) => side,
            Status::Over(end) => {
                record.end = end;
                break;
            }
        };
        moves.clear();
        g.moves(&s, &mut moves);
        let m = match judge.filter(|_| record.moves.len() >= opening) {
            None => {
                record.opening += 1;
                moves[rng.below(moves.len())]
            }
            Some(judge) => {
                let (m, worth) = search(g, (&s, side), judge, playing.depth, table);
                record.worths.push(worth);
                m
            }
        };
        let place = moves.iter().position(|listed| *listed == m);
        record.moves.push(place.expect("a search chooses a legal move") as u16);
        g.play(&mut s, m);
    }
    record
}

/// The best move of a fixed depth, and its worth.
fn search<G: GridGame<Outcome = Duel>>(
    g: &G,
    (s, side): (&G::State, Side),
    judge: &PatternEvaluator,
    depth: u32,
    table: &TranspositionTable,
) -> (G::Move, i32) {
    let turn = MoveRequest::new(g, s, Budget::UNLIMITED);
    let plan =
        DeepeningLimits { depth, time: None, nodes: None, threads: 1, advanced: false, all: false };
    table.next_search();
    let (choice, _) = deepen(&turn, side, table, judge, plan);
    let value = choice.best_line().and_then(|line| line.value).unwrap_or(0.0);
    (choice.best, (value * f64::from(WIN)) as i32)
}
