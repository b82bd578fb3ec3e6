//! The pattern evaluator: weights are stored so that the index of a pattern's content leads
//! directly to its weight, sums are integers, and a quiescence search plays out forced captures.
//!
//! A sum of weights is the log-odds v of winning; its value for a search is `v/√(v² + 4)` times
//! that of a win. Near v = 0 the factor is about 2·P − 1 for a winning probability P; farther out
//! it approaches ±1 more slowly, so that a search can still distinguish won states.

use std::sync::Arc;

use super::blended::BlendedWeights;
use super::phased::PhasedWeights;
use super::value_cache::ValueCache;
use super::{PatternIndexer, PatternModel, UNIT};
use crate::assets::SharedBytes;
use crate::evaluator::{Evaluator, WIN};
use crate::game::{Side, Status};
use crate::grid::{GridGame, PieceBitboards};
use crate::named::EvaluatorFactory;
use crate::outcome::Duel;
use crate::param::{Args, Param, ParamError};

/// Evaluates states with a pattern model.
#[derive(Clone, Debug)]
pub struct PatternEvaluator {
    indexer: PatternIndexer,
    /// Number of patterns of the model.
    count: usize,
    /// The index of each pattern's first entry among the entries of a phase.
    offsets: Vec<u32>,
    weights: EvaluatorWeights,
    /// The values of quiet states; clones share it.
    values: Arc<ValueCache>,
}

/// The weights in the order in which an evaluation reads them.
#[derive(Clone, Debug)]
enum EvaluatorWeights {
    /// Each phase has weights of its own.
    Phased(PhasedWeights),
    /// The layout is balanced, and weights change from phase to phase without a step.
    Blended(BlendedWeights),
}

impl PatternEvaluator {
    /// Creates the evaluator of `model`, with a fast layout of its weights.
    #[must_use]
    pub fn new(model: &PatternModel) -> Self {
        let layout = &model.layout;
        PatternEvaluator {
            indexer: PatternIndexer::new(layout),
            count: layout.patterns.len(),
            offsets: layout.offsets().to_vec(),
            weights: match layout.balanced {
                false => EvaluatorWeights::Phased(PhasedWeights::new(model)),
                true => EvaluatorWeights::Blended(BlendedWeights::new(model)),
            },
            values: Arc::new(ValueCache::new()),
        }
    }

    /// Returns the log-odds that the side to move wins with these pieces, in multiples of [`UNIT`].
    #[inline]
    #[must_use]
    pub fn log_odds<G: GridGame>(&self, g: &G, pieces: &PieceBitboards) -> i32 {
        match &self.weights {
            EvaluatorWeights::Phased(weights) => {
                let mut sum = 0;
                let entries = weights.entries(pieces);
                self.each_entry(pieces, |entry| sum += i32::from(entries[entry]));
                sum + weights.piece_sum(pieces)
            }
            EvaluatorWeights::Blended(weights) => {
                let mut sums = [0; 2];
                let entries = weights.entries(pieces);
                self.each_entry(pieces, |entry| {
                    sums[0] += i32::from(entries[entry][0]);
                    sums[1] += i32::from(entries[entry][1]);
                });
                weights.log_odds(sums, pieces, &g.balance(pieces))
            }
        }
    }

    /// Calls `visit` with the entry of each pattern: the number of its content among all contents of
    /// all patterns.
    #[inline(always)]
    fn each_entry(&self, pieces: &PieceBitboards, mut visit: impl FnMut(usize)) {
        self.indexer.indices(pieces.men, |first, indices| {
            let offsets = &self.offsets[first..self.count.min(first + indices.len())];
            for (&offset, &index) in offsets.iter().zip(indices) {
                visit(offset as usize + usize::from(index));
            }
        });
    }

    /// Returns the value for the side to move of a state without forced captures.
    #[inline]
    fn quiet_value<G: GridGame>(&self, g: &G, s: &G::State) -> i32 {
        self.values
            .get_or_insert(g.pieces_key(s), || value_from_log_odds(self.log_odds(g, &g.pieces(s))))
    }

    /// Returns the alpha-beta value of an unfinished state for the side to move `turn`, after all
    /// forced captures are played.
    fn quiescence<G: GridGame<Outcome = Duel>>(
        &self,
        g: &G,
        (s, turn): (&G::State, Side),
        (mut alpha, beta): (i32, i32),
        moves: &mut Vec<G::Move>,
    ) -> i32 {
        if !g.is_noisy(s) {
            return self.quiet_value(g, s);
        }
        let base = moves.len();
        g.moves(s, moves);
        for i in base..moves.len() {
            let child = g.after(s, moves[i]);
            let value = match g.status(&child) {
                Status::Over(end) => end.seen_by(turn).sign() * (WIN - 1),
                Status::Turn(next) if next == turn => {
                    self.quiescence(g, (&child, next), (alpha, beta), moves)
                }
                Status::Turn(next) => -self.quiescence(g, (&child, next), (-beta, -alpha), moves),
            };
            alpha = alpha.max(value);
            if alpha >= beta {
                break;
            }
        }
        moves.truncate(base);
        alpha
    }

    /// Returns the factory for the evaluator spec `patterns(model)`. Without a model it uses the
    /// one built into the library, if there is one for the game.
    #[must_use]
    pub fn factory<G: GridGame<Outcome = Duel>>() -> EvaluatorFactory<G> {
        EvaluatorFactory::<G>::new(
            "patterns",
            "patterns of cells with weights learned by self-play",
            PARAMS,
            |args, parts| {
                let game = parts.game.as_ref().ok_or_else(|| args.together("there is no game"))?;
                let bytes: SharedBytes = match (args.text("model"), game.game.bundled_model()) {
                    ("", Some(learned)) => Arc::new(learned),
                    ("", None) => {
                        let spec = &game.spec;
                        let problem =
                            format!("there is no built-in model for {spec}; use patterns(FILE)");
                        return Err(args.together(problem));
                    }
                    (name, _) => parts.assets.fetch(name).map_err(|error| refuse(args, error))?,
                };
                let bytes = (*bytes).as_ref();
                // A model also serves variants of its game, such as one with repetition.
                let model = PatternModel::read_header(bytes).and_then(|(spec, _)| {
                    let is_shared = game.game.shares_model_with(&spec);
                    let spec = if is_shared { &spec } else { &game.spec };
                    PatternModel::read(bytes, &*game.game, spec)
                });
                let model = model.map_err(|error| refuse(args, error.to_string()))?;
                Ok(Arc::new(PatternEvaluator::new(&model)))
            },
        )
    }
}

/// The log-odds of a clear advantage: odds of three to one, about what a man is worth.
pub(super) const CLEAR_ADVANTAGE: f32 = 1.0986;
/// The initial capacity of the move list of a quiescence search.
const MOVES_CAPACITY: usize = 32;

const PARAMS: &[Param] = &[Param::text(
    "model",
    "",
    "the file that `ludion learn` wrote; the built-in model of the game if empty",
)];

/// Returns the error for a model that cannot be read or does not fit.
fn refuse(args: &Args, error: String) -> ParamError {
    let allowed = format!("a file that `ludion learn` wrote: {error}");
    args.refuse("model", args.text("model"), allowed)
}

/// Converts log-odds, in multiples of [`UNIT`], to a value of the scale that searches use.
#[inline]
pub(super) fn value_from_log_odds(units: i32) -> i32 {
    let v = units as f32 * UNIT;
    (v / (v * v + 4.0).sqrt() * (WIN - 1) as f32) as i32
}

/// Converts a value, as a fraction of a win from −1 to 1, to log-odds: the inverse of
/// [`value_from_log_odds`].
#[inline]
pub(super) fn log_odds_from_value(value: f32) -> f32 {
    2.0 * value / (1.0 - value * value).max(1e-4).sqrt()
}

/// Iterates over the indices of the bits set in `set`, in ascending order.
pub(super) fn set_bits(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (set != 0).then(|| {
            let bit = set.trailing_zeros() as usize;
            set &= set - 1;
            bit
        })
    })
}

impl<G: GridGame<Outcome = Duel>> Evaluator<G> for PatternEvaluator {
    #[inline]
    fn value(&self, g: &G, s: &G::State) -> i32 {
        if g.is_noisy(s) {
            let moves = &mut Vec::with_capacity(MOVES_CAPACITY);
            return self.value_within(g, s, (1 - WIN, WIN - 1), moves);
        }
        self.quiet_value(g, s)
    }

    #[inline]
    fn value_within(
        &self,
        g: &G,
        s: &G::State,
        (alpha, beta): (i32, i32),
        moves: &mut Vec<G::Move>,
    ) -> i32 {
        let window = (alpha.clamp(1 - WIN, WIN - 1), beta.clamp(1 - WIN, WIN - 1));
        let turn = g.status(s).turn().unwrap_or(Side::First);
        self.quiescence(g, (s, turn), window, moves)
    }

    #[inline]
    fn is_noisy(&self, g: &G, s: &G::State) -> bool {
        g.is_noisy(s)
    }

    #[inline]
    fn is_threatened(&self, g: &G, s: &G::State) -> bool {
        g.is_threatened(s)
    }

    fn unit(&self) -> i32 {
        value_from_log_odds((CLEAR_ADVANTAGE / UNIT) as i32)
    }
}
