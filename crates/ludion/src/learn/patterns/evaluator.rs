//! Patterns at play: weights laid out so that an index leads straight to its weight, sums in
//! whole numbers, and a look beyond forced captures.
//!
//! The worth of log-odds v is `v/√(v² + 4)` of a win. Around 0 that is 2·P − 1; farther out it
//! goes to ±1 more slowly, so that a search can still tell a won state from a better won one.

use std::sync::Arc;

use super::{PatternIndexer, PatternModel, UNIT};
use crate::assets::SharedBytes;
use crate::evaluator::{Evaluator, WIN};
use crate::game::{Side, Status};
use crate::grid::{GridGame, GridPieces};
use crate::named::EvaluatorFactory;
use crate::outcome::Duel;
use crate::param::Param;

/// A model ready to judge.
#[derive(Clone, Debug)]
pub struct PatternEvaluator {
    kernel: PatternIndexer,
    /// Patterns.
    count: usize,
    /// Where the entries of each pattern begin, in one phase.
    offsets: Vec<u32>,
    /// The weights of all entries, phase after phase.
    entries: Vec<i16>,
    /// Entries of a phase.
    stride: usize,
    phases: Vec<PhaseWeights>,
    /// The phase of each number of pieces.
    phase_of: [u8; 65],
}

/// The weights of a phase that no pattern has.
#[derive(Clone, Debug)]
struct PhaseWeights {
    /// Of a king of mine, of theirs, by bit.
    kings: [Vec<i32>; 2],
    /// Of each of my men, theirs, my kings, theirs; and of having the move.
    counts: [i32; 5],
}

impl PatternEvaluator {
    /// Lays the weights of `model` out.
    #[must_use]
    pub fn new(model: &PatternModel) -> Self {
        let shape = &model.shape;
        let stride = *shape.offsets().last().expect("offsets begin with 0") as usize;
        let mut entries = Vec::with_capacity(stride * shape.phases as usize);
        let per_phase = shape.weights_a_phase() as usize;
        let mut phases = Vec::new();
        for weights in model.weights.chunks_exact(per_phase) {
            entries.extend((0..stride as u32).map(|entry| weights[shape.tie(entry) as usize]));
            phases.push(phase(model, weights));
        }
        let mut phase_of = [0; 65];
        for (pieces, phase) in phase_of.iter_mut().enumerate() {
            *phase = shape.phase(pieces as u32) as u8;
        }
        PatternEvaluator {
            kernel: PatternIndexer::new(shape),
            count: shape.tuples.len(),
            offsets: shape.offsets().to_vec(),
            entries,
            stride,
            phases,
            phase_of,
        }
    }

    /// The log-odds of winning for the side to move, in units of [`UNIT`].
    #[inline]
    #[must_use]
    pub fn log_odds(&self, pieces: &GridPieces) -> i32 {
        let number = usize::from(self.phase_of[pieces.count() as usize]);
        let phase = &self.phases[number];
        let entries = &self.entries[number * self.stride..][..self.stride];
        let GridPieces { men, kings } = pieces;
        let [mine, theirs, my_kings, their_kings, having_the_move] = phase.counts;
        let mut sum = having_the_move
            + mine * men[0].count_ones() as i32
            + theirs * men[1].count_ones() as i32;
        self.kernel.indices(*men, |first, indices| {
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

    /// The worth of a state in which the game goes on, after the forced captures, between
    /// `alpha` and `beta`.
    fn settled<G: GridGame<Outcome = Duel>>(
        &self,
        g: &G,
        (s, turn): (&G::State, Side),
        (mut alpha, beta): (i32, i32),
        moves: &mut Vec<G::Move>,
    ) -> i32 {
        if !g.is_noisy(s) {
            return worth(self.log_odds(&g.pieces(s)));
        }
        let base = moves.len();
        g.moves(s, moves);
        for i in base..moves.len() {
            let child = g.after(s, moves[i]);
            let value = match g.status(&child) {
                Status::Over(end) => end.seen_by(turn).sign() * (WIN - 1),
                Status::Turn(next) if next == turn => {
                    self.settled(g, (&child, next), (alpha, beta), moves)
                }
                Status::Turn(next) => -self.settled(g, (&child, next), (-beta, -alpha), moves),
            };
            alpha = alpha.max(value);
            if alpha >= beta {
                break;
            }
        }
        moves.truncate(base);
        alpha
    }

    /// Returns the factory that builds it by name: `patterns(model)`, or `patterns` where a model
    /// comes with the game.
    #[must_use]
    pub fn factory<G: GridGame<Outcome = Duel>>() -> EvaluatorFactory<G> {
        EvaluatorFactory::<G>::new(
            "patterns",
            "patterns learned from games against itself",
            PARAMS,
            |args, parts| {
                let game = parts.game.as_ref().ok_or_else(|| args.together("there is no game"))?;
                let bytes: SharedBytes = match (args.text("model"), game.game.bundled_model()) {
                    ("", Some(learned)) => Arc::new(learned),
                    ("", None) => {
                        let spec = &game.spec;
                        let problem = format!("{spec} comes without a model: write patterns(FILE)");
                        return Err(args.together(problem));
                    }
                    (name, _) => parts.assets.fetch(name).map_err(|error| args.together(error))?,
                };
                let model = PatternModel::read((*bytes).as_ref(), &*game.game, &game.spec)
                    .map_err(|error| args.together(format!("{}: {error}", args.text("model"))))?;
                Ok(Arc::new(PatternEvaluator::new(&model)))
            },
        )
    }
}

/// Room for the moves of most lines of captures.
const ROOM: usize = 32;

const PARAMS: &[Param] = &[Param::text(
    "model",
    "",
    "the file that `ludion learn` wrote; if none is named, the model that comes with the game",
)];

/// The weights of a phase that no pattern has.
fn phase(model: &PatternModel, weights: &[i16]) -> PhaseWeights {
    let shape = &model.shape;
    let kings = [0, 1].map(|side| {
        let mut by_bit = vec![0; 64];
        let cells = &shape.board.cells;
        for (i, place) in cells.iter().enumerate().filter(|_| shape.board.kings) {
            let weight = shape.kings_at() as usize + side * cells.len() + i;
            by_bit[usize::from(place.bit)] = weights[weight].into();
        }
        by_bit
    });
    let mut counts = [0; 5];
    for (count, &weight) in counts.iter_mut().zip(&weights[shape.counts_at() as usize..]) {
        *count = weight.into();
    }
    PhaseWeights { kings, counts }
}

/// What log-odds in units are worth.
#[inline]
pub(super) fn worth(units: i32) -> i32 {
    let v = units as f32 * UNIT;
    (v / (v * v + 4.0).sqrt() * (WIN - 1) as f32) as i32
}

/// The log-odds of a worth from −1 to 1: the inverse.
#[inline]
pub(super) fn log_odds_of(worth: f32) -> f32 {
    2.0 * worth / (1.0 - worth * worth).max(1e-4).sqrt()
}

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
            return worth(self.log_odds(&g.pieces(s)));
        }
        let turn = g.status(s).turn().unwrap_or(Side::First);
        self.settled(g, (s, turn), (1 - WIN, WIN - 1), &mut Vec::with_capacity(ROOM))
    }
}
