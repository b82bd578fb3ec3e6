//! Training of pattern weights: logistic regression by stochastic gradient descent with Adagrad
//! (Duchi, Hazan & Singer, 2011). For an example with features x and target y, the loss is −y·ln p
//! − (1 − y)·ln(1 − p) with p = 1/(1 + e^−w·x), and
//!
//! ```text
//! gradient  g_i = (p − y)·x_i        h_i += g_i²        w_i −= rate·g_i / √(h_i + ε)
//! ```
//!
//! A target is the result of the game, mixed with the value of the search. Examples are shuffled
//! with the random seed and used one after the other, so training is reproducible.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

use serde::{Deserialize, Serialize};

use super::blended::piece_differences;
use super::evaluator::{log_odds_from_value, set_bits};
use super::{PatternIndexer, PatternLayout, PatternModel, SelfPlayGame, SelfPlayGameError, UNIT};
use crate::evaluator::WIN;
use crate::grid::{Balance, GridGame, PieceBitboards};
use crate::outcome::{Duel, Wdl};
use crate::random::{Rng, derive_seed};

/// The pieces of a state, and the probability of a win that the model should predict for it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TrainingExample {
    /// The pieces on the board, as seen by the side to move.
    pub pieces: PieceBitboards,
    /// The balance of the sides, which balanced layouts weigh.
    pub balance: Balance,
    /// The probability from 0 to 1 that the side to move wins.
    pub target: f32,
}

/// The settings of pattern training.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct PatternTrainingOptions {
    /// The learning rate of the first epoch.
    pub rate: f32,
    /// The number of passes over the training examples.
    pub epochs: u32,
    /// The weight of the search value in a target, from 0 to 1; the result of the game has the
    /// rest.
    pub trust: f32,
}

impl PatternTrainingOptions {
    /// Default settings, which work for checkers and Connect Four.
    pub const DEFAULT: PatternTrainingOptions =
        PatternTrainingOptions { rate: 0.05, epochs: 4, trust: 0.5 };
}

impl Default for PatternTrainingOptions {
    fn default() -> Self {
        PatternTrainingOptions::DEFAULT
    }
}

/// The results of one pattern training.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct PatternTrainingReport {
    /// The number of training examples.
    #[serde(rename = "lessons")]
    pub examples: usize,
    /// The mean loss on the validation examples before training.
    pub before: f32,
    /// The mean loss on the validation examples after training.
    pub after: f32,
}

/// The initial sum of squared gradients of each weight, which keeps the first steps finite.
const EPSILON: f32 = 1e-3;
/// One game out of this number is used for validation only.
const VALIDATION_INTERVAL: usize = 20;
/// Number of examples after which the stop flag is read again.
const STOP_CHECK_INTERVAL: usize = 4096;

/// Appends the training examples of a self-play game to `out`: its states without pending captures,
/// after the random opening. Of an entirely random game all such states are examples, with the
/// result of the game as the target.
///
/// # Errors
/// When a move of the game is not legal.
pub fn training_examples<G: GridGame<Outcome = Duel>>(
    g: &G,
    record: &SelfPlayGame,
    trust: f32,
    out: &mut Vec<TrainingExample>,
) -> Result<(), SelfPlayGameError> {
    let random = record.values.is_empty();
    record.replay(g, |ply, s, side| {
        if (!random && ply < record.opening) || g.is_noisy(s) {
            return;
        }
        let end = match record.end.seen_by(side) {
            Wdl::Win => 1.0,
            Wdl::Draw => 0.5,
            Wdl::Loss => 0.0,
        };
        let target = if random {
            end
        } else {
            let value = record.values[ply - record.opening] as f32 / WIN as f32;
            end + trust * (sigmoid(log_odds_from_value(value)) - end)
        };
        let pieces = g.pieces(s);
        out.push(TrainingExample { pieces, balance: g.balance(&pieces), target });
    })
}

#[inline]
fn sigmoid(v: f32) -> f32 {
    1.0 / (1.0 + (-v).exp())
}

/// Computes the features of states. A feature is the index of a weight with the factor of this
/// weight in the sum.
struct FeatureExtractor<'a> {
    layout: &'a PatternLayout,
    indexer: PatternIndexer,
    /// The index of the board cell for each bit of a bitboard.
    cell_of_bit: [u8; 64],
    /// The features of the state extracted last; a buffer.
    features: Vec<(u32, f32)>,
}

impl<'a> FeatureExtractor<'a> {
    fn new(layout: &'a PatternLayout) -> Self {
        let mut cell_of_bit = [0; 64];
        for (cell, place) in layout.board.cells.iter().enumerate() {
            cell_of_bit[usize::from(place.bit)] = cell as u8;
        }
        FeatureExtractor {
            layout,
            indexer: PatternIndexer::new(layout),
            cell_of_bit,
            features: Vec::new(),
        }
    }

    /// Returns the features of an example: the indices of its weights with their factors.
    #[inline]
    fn extract(&mut self, example: &TrainingExample) -> &[(u32, f32)] {
        self.features.clear();
        if self.layout.balanced {
            self.push_balanced(example);
        } else {
            self.push_phased(&example.pieces);
        }
        &self.features
    }

    /// Adds the features of a layout whose phases have weights of their own.
    #[inline]
    fn push_phased(&mut self, pieces: &PieceBitboards) {
        let FeatureExtractor { layout, indexer, cell_of_bit, features } = self;
        let first = layout.phase(pieces.count()) * layout.weights_per_phase();
        let offsets = &layout.offsets()[..layout.patterns.len()];
        indexer.indices(pieces.men, |from, indices| {
            for (&offset, &index) in offsets[from..].iter().zip(indices) {
                let tied = layout.tied_weight(offset + u32::from(index));
                features.push((first + tied.index, 1.0));
            }
        });
        let counts = first + layout.first_count_weight();
        for side in [0, 1] {
            features.push((counts + side, pieces.men[side as usize].count_ones() as f32));
            let kings = pieces.kings[side as usize];
            if kings != 0 {
                features.push((counts + 2 + side, kings.count_ones() as f32));
                let at =
                    first + layout.first_king_weight() + side * layout.board.cells.len() as u32;
                let cells = set_bits(kings).map(|bit| u32::from(cell_of_bit[bit]));
                features.extend(cells.map(|cell| (at + cell, 1.0)));
            }
        }
        features.push((counts + 4, 1.0));
    }

    /// Adds the features of a balanced layout: each twice, for the phases on both sides of the number
    /// of pieces.
    #[inline]
    fn push_balanced(&mut self, example: &TrainingExample) {
        let FeatureExtractor { layout, indexer, cell_of_bit, features } = self;
        let TrainingExample { pieces, balance, .. } = example;
        let offsets = &layout.offsets()[..layout.patterns.len()];
        indexer.indices(pieces.men, |from, indices| {
            for (&offset, &index) in offsets[from..].iter().zip(indices) {
                let tied = layout.tied_weight(offset + u32::from(index));
                features.push((tied.index, tied.sign.into()));
            }
        });
        let (kings, last) = (layout.first_king_weight(), layout.board.cells.len() as u32 - 1);
        let cells = |side: usize| set_bits(pieces.kings[side]);
        features.extend(cells(0).map(|bit| (kings + u32::from(cell_of_bit[bit]), 1.0)));
        features.extend(cells(1).map(|bit| (kings + last - u32::from(cell_of_bit[bit]), -1.0)));
        let counts = piece_differences(pieces).into_iter().map(|count| count as f32);
        let used = layout.balance_features() as usize;
        let balanced = balance.features[..used].iter().map(|&feature| f32::from(feature));
        let rest = counts.chain(balanced).chain([1.0]);
        features.extend((layout.first_count_weight()..).zip(rest).filter(|(_, x)| *x != 0.0));
        let (phase, share) = layout.blend(pieces.count());
        let (first, stride) = (phase * layout.weights_per_phase(), layout.weights_per_phase());
        let scale = 1.0 / f32::from(balance.draw_divisor);
        for i in 0..features.len() {
            let (index, x) = features[i];
            features[i] = (first + index, x * scale * (1.0 - share));
            if share > 0.0 {
                features.push((first + stride + index, x * scale * share));
            }
        }
    }
}

/// Returns the log-odds of a state with these features: the weighted sum of its features.
#[inline]
fn dot(weights: &[f32], features: &[(u32, f32)]) -> f32 {
    features.iter().map(|&(i, x)| weights[i as usize] * x).sum()
}

/// Returns the mean logistic loss of the examples; `weights` are log-odds, not multiples of
/// [`UNIT`].
#[must_use]
pub fn loss(layout: &PatternLayout, weights: &[f32], examples: &[TrainingExample]) -> f32 {
    let mut extractor = FeatureExtractor::new(layout);
    let of = |example: &TrainingExample| {
        let v = f64::from(dot(weights, extractor.extract(example)));
        // The loss ln(1 + e^v) − y·v, computed without overflow.
        v.max(0.0) + (-v.abs()).exp().ln_1p() - f64::from(example.target) * v
    };
    (examples.iter().map(of).sum::<f64>() / examples.len().max(1) as f64) as f32
}

/// Returns the gradient of the loss for one example, as pairs of a weight's index and the partial
/// derivative. A weight that several patterns share may occur several times.
#[must_use]
pub fn gradient(
    layout: &PatternLayout,
    weights: &[f32],
    example: &TrainingExample,
) -> Vec<(u32, f32)> {
    let mut extractor = FeatureExtractor::new(layout);
    let features = extractor.extract(example);
    let error = sigmoid(dot(weights, features)) - example.target;
    features.iter().map(|&(i, x)| (i, error * x)).collect()
}

impl PatternModel {
    /// Trains the weights on self-play games; one game in twenty is used for validation only.
    ///
    /// # Errors
    /// When a move of a game is not legal.
    pub fn train<'a, G: GridGame<Outcome = Duel>>(
        &mut self,
        g: &G,
        games: impl Iterator<Item = &'a SelfPlayGame>,
        training: &PatternTrainingOptions,
        seed: u64,
    ) -> Result<PatternTrainingReport, SelfPlayGameError> {
        let never = AtomicBool::new(false);
        let report = self.train_or_stop(g, games, training, seed, &never)?;
        Ok(report.expect("nothing stops the training"))
    }

    /// Trains the weights like [`PatternModel::train`]. Returns `None` if `stop` is set before the
    /// end; the weights are then those before the training.
    ///
    /// # Errors
    /// When a move of a game is not legal.
    pub fn train_or_stop<'a, G: GridGame<Outcome = Duel>>(
        &mut self,
        g: &G,
        games: impl Iterator<Item = &'a SelfPlayGame>,
        training: &PatternTrainingOptions,
        seed: u64,
        stop: &AtomicBool,
    ) -> Result<Option<PatternTrainingReport>, SelfPlayGameError> {
        let (mut examples, mut validation) = (Vec::new(), Vec::new());
        for (i, game) in games.enumerate() {
            if stop.load(Ordering::Relaxed) {
                return Ok(None);
            }
            let validates = i % VALIDATION_INTERVAL == VALIDATION_INTERVAL - 1;
            let out = if validates { &mut validation } else { &mut examples };
            training_examples(g, game, training.trust, out)?;
        }
        let mut weights: Vec<f32> = self.weights.iter().map(|&w| f32::from(w) * UNIT).collect();
        let before = loss(&self.layout, &weights, &validation);
        if descend(&self.layout, &mut weights, &mut examples, training, seed, stop).is_break() {
            return Ok(None);
        }
        for (kept, weight) in self.weights.iter_mut().zip(&weights) {
            *kept = (weight / UNIT).round().clamp(-32767.0, 32767.0) as i16;
        }
        let after = loss(&self.layout, &weights, &validation);
        Ok(Some(PatternTrainingReport { examples: examples.len(), before, after }))
    }
}

/// Runs stochastic gradient descent over all examples for the given number of epochs; the examples
/// are shuffled for each epoch. Returns `Break` if `stop` is set before the end.
fn descend(
    layout: &PatternLayout,
    weights: &mut [f32],
    examples: &mut [TrainingExample],
    training: &PatternTrainingOptions,
    seed: u64,
    stop: &AtomicBool,
) -> ControlFlow<()> {
    let mut extractor = FeatureExtractor::new(layout);
    let mut squared_gradients = vec![EPSILON; weights.len()];
    for epoch in 0..training.epochs {
        shuffle(examples, &mut Rng::new(derive_seed(seed, &[epoch.into()])));
        // The rate decays linearly from epoch to epoch and would be 0 after the last.
        let rate = training.rate * (1.0 - epoch as f32 / training.epochs as f32);
        for (number, example) in examples.iter().enumerate() {
            if number.is_multiple_of(STOP_CHECK_INTERVAL) && stop.load(Ordering::Relaxed) {
                return ControlFlow::Break(());
            }
            let features = extractor.extract(example);
            let error = sigmoid(dot(weights, features)) - example.target;
            for &(i, x) in features {
                let (i, derivative) = (i as usize, error * x);
                squared_gradients[i] += derivative * derivative;
                let step = rate / squared_gradients[i].sqrt();
                weights[i] -= step * derivative;
            }
        }
    }
    ControlFlow::Continue(())
}

/// Shuffles examples with the Fisher–Yates algorithm.
fn shuffle(examples: &mut [TrainingExample], rng: &mut Rng) {
    for i in (1..examples.len()).rev() {
        examples.swap(i, rng.below(i + 1));
    }
}
