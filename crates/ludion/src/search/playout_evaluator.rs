//! Judging a state by random games: what the course puts at the leaves of its alpha-beta
//! (French: *NegAlphaBeta_MC*, *IterativeDeepening_MC*).

use std::sync::Arc;

use crate::evaluator::{Evaluator, WIN};
use crate::game::{Game, Status};
use crate::named::EvaluatorFactory;
use crate::outcome::{Duel, DuelTally, OutcomeTally};
use crate::param::Param;
use crate::random::{Rng, derive_seed};

/// The utility of some random games, times [`WIN`].
///
/// The games are drawn from the seed and the state's key, so that the value is a function
/// of the state: the same on every thread, in every order, on every visit. Without that a
/// search with a memory would compare different draws of one state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlayoutEvaluator {
    /// Random games from each state judged; at least one.
    pub sims: u64,
    /// What they are drawn from.
    pub seed: u64,
}

impl PlayoutEvaluator {
    /// Returns the factory that builds it by name: `playouts(sims, seed)`.
    #[must_use]
    pub fn factory<G: Game<Outcome = Duel>>() -> EvaluatorFactory<G> {
        EvaluatorFactory::new("playouts", "the mean of random games", PARAMS, |args, _| {
            let (sims, seed) = (args.size("sims") as u64, args.int("seed") as u64);
            Ok(Arc::new(PlayoutEvaluator { sims, seed }))
        })
    }
}

const PARAMS: &[Param] = &[
    Param::int("sims", 10, 1, 1_000_000, "random games from each state judged"),
    Param::int("seed", 1, 0, i64::MAX, "what they are drawn from"),
];

/// Room for the moves of most states, so that the buffer of one judgement grows never.
const ROOM: usize = 64;

impl<G: Game<Outcome = Duel>> Evaluator<G> for PlayoutEvaluator {
    /// 0 for a finished game, which is not an evaluator's to judge.
    fn value(&self, g: &G, s: &G::State) -> i32 {
        let Status::Turn(side) = g.status(s) else {
            return 0;
        };
        let mut rng = Rng::new(derive_seed(self.seed, &[g.key(s)]));
        let mut tally = DuelTally::default();
        g.playouts(s, self.sims.max(1), &mut rng, &mut Vec::with_capacity(ROOM), &mut tally);
        let value = (tally.utility(side) * f64::from(WIN)).round() as i32;
        value.clamp(1 - WIN, WIN - 1)
    }
}
