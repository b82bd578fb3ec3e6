//! An evaluator that plays random games, as the alpha-beta players of Corsini's exercise sheet do
//! at their leaves (French: *NegAlphaBeta_MC*, *IterativeDeepening_MC*).

use std::sync::Arc;

use crate::evaluator::{Evaluator, WIN};
use crate::game::{Game, Status};
use crate::named::EvaluatorFactory;
use crate::outcome::{Duel, DuelTally, OutcomeTally};
use crate::param::Param;
use crate::random::{Rng, derive_seed};

/// Evaluates a state by the mean result of random games from it for the side to move (−1 to 1),
/// times [`WIN`].
///
/// The games depend only on the seed and the state's key, so the value is a function of the state:
/// the same on every thread, in every order and on every visit. Otherwise a search with a
/// transposition table would compare different samples of the same state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlayoutEvaluator {
    /// Number of random games per evaluation, at least one.
    pub sims: u64,
    /// The random seed of the games.
    pub seed: u64,
}

impl PlayoutEvaluator {
    /// Returns the factory for the evaluator spec `playouts(sims, seed)`.
    #[must_use]
    pub fn factory<G: Game<Outcome = Duel>>() -> EvaluatorFactory<G> {
        EvaluatorFactory::new("playouts", "the mean of random games", PARAMS, |args, _| {
            let (sims, seed) = (args.size("sims") as u64, args.int("seed") as u64);
            Ok(Arc::new(PlayoutEvaluator { sims, seed }))
        })
    }
}

const PARAMS: &[Param] = &[
    Param::int("sims", 10, 1, 1_000_000, "random games per evaluation"),
    Param::int("seed", 1, 0, i64::MAX, "random seed"),
];

/// Initial capacity of the move buffer, enough for most states.
const MOVE_CAPACITY: usize = 64;

impl<G: Game<Outcome = Duel>> Evaluator<G> for PlayoutEvaluator {
    /// Returns the mean result of random games times [`WIN`]; 0 for a finished game, for which
    /// searches do not call evaluators.
    fn value(&self, g: &G, s: &G::State) -> i32 {
        let Status::Turn(side) = g.status(s) else {
            return 0;
        };
        let mut rng = Rng::new(derive_seed(self.seed, &[g.key(s)]));
        let mut tally = DuelTally::default();
        g.playouts(
            s,
            self.sims.max(1),
            &mut rng,
            &mut Vec::with_capacity(MOVE_CAPACITY),
            &mut tally,
        );
        let value = (tally.utility(side) * f64::from(WIN)).round() as i32;
        value.clamp(1 - WIN, WIN - 1)
    }
}
