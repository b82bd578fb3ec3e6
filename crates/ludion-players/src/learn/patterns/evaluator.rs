//! The pattern evaluator: weights are stored so that the index of a pattern's content leads
//! directly to its weight, sums are integers, and a quiescence search plays out forced captures.
//!
//! A sum of weights is the log-odds v of winning; its value for a search is `v/√(v² + 4)` times
//! that of a win. Near v = 0 the factor is about 2·P − 1 for a winning probability P; farther out
//! it approaches ±1 more slowly, so that a search can still distinguish won states.

use std::sync::Arc;

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
    /// The index of each pattern's first weight among the pattern weights of a phase.
    offsets: Vec<u32>,
    /// The weight of each content of each pattern, pattern after pattern and phase after phase.
    entries: Vec<i16>,
    /// Number of pattern weights per phase in `entries`.
    stride: usize,
    phases: Vec<PhaseWeights>,
    /// The phase of a state by its number of pieces, from 0 to 64; each phase has its own weights.
    phase_of: [u8; 65],
}

/// The weights of one phase that belong to kings and piece counts, not to patterns.
#[derive(Clone, Debug)]
struct PhaseWeights {
    /// The weights of own kings and of the opponent's kings by the bit of their cell.
    kings: [Vec<i32>; 2],
    /// The weights of each own man, opponent's man, own king and opponent's king, and the weight of
    /// being the side to move.
    counts: [i32; 5],
}

impl PatternEvaluator {
    /// Creates the evaluator of `model`, with a fast layout of its weights.
    #[must_use]
    pub fn new(model: &PatternModel) -> Self {
        let layout = &model.layout;
        let stride = *layout.offsets().last().expect("offsets begin with 0") as usize;
        let mut entries = Vec::with_capacity(stride * layout.phases as usize);
        let per_phase = layout.weights_per_phase() as usize;
        let mut phases = Vec::new();
        for weights in model.weights.chunks_exact(per_phase) {
            let weight = |entry| weights[layout.weight_index(entry) as usize];
            entries.extend((0..stride as u32).map(weight));
            phases.push(phase_weights(model, weights));
        }
        let mut phase_of = [0; 65];
        for (pieces, phase) in phase_of.iter_mut().enumerate() {
            *phase = layout.phase(pieces as u32) as u8;
        }
        PatternEvaluator {
            indexer: PatternIndexer::new(layout),
            count: layout.patterns.len(),
            offsets: layout.offsets().to_vec(),
            entries,
            stride,
            phases,
            phase_of,
        }
    }

    /// Returns the log-odds that the side to move wins, in multiples of [`UNIT`].
    #[inline]
    #[must_use]
    pub fn log_odds(&self, pieces: &PieceBitboards) -> i32 {
        let number = usize::from(self.phase_of[pieces.count() as usize]);
        let phase = &self.phases[number];
        let entries = &self.entries[number * self.stride..][..self.stride];
        let PieceBitboards { men, kings } = pieces;
        let [mine, theirs, my_kings, their_kings, having_the_move] = phase.counts;
        let mut sum = having_the_move
            + mine * men[0].count_ones() as i32
            + theirs * men[1].count_ones() as i32;
        self.indexer.indices(*men, |first, indices| {
            let offsets = &self.offsets[first..self.count.min(first + indices.len())];
            for (&offset, &index) in offsets.iter().zip(indices) {
                sum += i32::from(entries[offset as usize + usize::from(index)]);
            }
        });
        if kings[0] | kings[1] != 0 {
            for (side, each) in [(0, my_kings), (1, their_kings)] {
                sum += each * kings[side].count_ones() as i32;
                sum += set_bits(kings[side]).map(|bit| phase.kings[side][bit]).sum::<i32>();
            }
        }
        sum
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
            return value_from_log_odds(self.log_odds(&g.pieces(s)));
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
                let model = PatternModel::read((*bytes).as_ref(), &*game.game, &game.spec)
                    .map_err(|error| refuse(args, error.to_string()))?;
                Ok(Arc::new(PatternEvaluator::new(&model)))
            },
        )
    }
}

/// The initial capacity of the move list of a quiescence search.
const MOVES_CAPACITY: usize = 32;

const PARAMS: &[Param] = &[Param::text(
    "model",
    "",
    "the file that `ludion learn` wrote; the built-in model of the game if empty",
)];

/// Returns the weights of one phase that belong to kings and piece counts. `weights` are all
/// weights of the phase.
fn phase_weights(model: &PatternModel, weights: &[i16]) -> PhaseWeights {
    let layout = &model.layout;
    let kings = [0, 1].map(|side| {
        let mut by_bit = vec![0; 64];
        let cells = &layout.board.cells;
        for (i, place) in cells.iter().enumerate().filter(|_| layout.board.kings) {
            let weight = layout.first_king_weight() as usize + side * cells.len() + i;
            by_bit[usize::from(place.bit)] = weights[weight].into();
        }
        by_bit
    });
    let mut counts = [0; 5];
    for (count, &weight) in counts.iter_mut().zip(&weights[layout.first_count_weight() as usize..])
    {
        *count = weight.into();
    }
    PhaseWeights { kings, counts }
}

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
        if !g.is_noisy(s) {
            return value_from_log_odds(self.log_odds(&g.pieces(s)));
        }
        let turn = g.status(s).turn().unwrap_or(Side::First);
        self.quiescence(g, (s, turn), (1 - WIN, WIN - 1), &mut Vec::with_capacity(MOVES_CAPACITY))
    }

    /// Returns the value of even odds of three to one, about what a man is worth.
    fn unit(&self) -> i32 {
        value_from_log_odds((1.0986 / UNIT) as i32)
    }
}
