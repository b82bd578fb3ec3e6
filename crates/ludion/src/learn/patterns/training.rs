//! Logistic regression on what stands on the board, by stochastic gradient descent with a
//! rate of its own for every weight (Adagrad: Duchi, Hazan & Singer, 2011). For a lesson with
//! features x and target y, of the loss −y·ln p − (1 − y)·ln(1 − p) with p = 1/(1 + e^−w·x):
//!
//! ```text
//! gradient  g_i = (p − y)·x_i        h_i += g_i²        w_i −= rate·g_i / √(h_i + ε)
//! ```
//!
//! A target is how the game ended, mixed with what the search thought. Lessons are shuffled
//! from the seed and taken one after the other, so training repeats exactly.

use serde::{Deserialize, Serialize};

use super::evaluator::{log_odds_of, set_bits};
use super::{PatternIndexer, PatternModel, PatternShape, SelfPlayGame, SelfPlayGameError, UNIT};
use crate::evaluator::WIN;
use crate::grid::{GridGame, GridPieces};
use crate::outcome::{Duel, Wdl};
use crate::random::{Rng, derive_seed};

/// A state and how likely its side to move wins.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TrainingExample {
    /// What stands on the board.
    pub pieces: GridPieces,
    /// The chance of a win, from 0 to 1.
    pub target: f32,
}

/// How weights are trained.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct PatternTraining {
    /// The step of every weight at first.
    pub rate: f32,
    /// How often every lesson is taken.
    pub epochs: u32,
    /// The share of the search's opinion in a target; the rest is how the game ended.
    pub trust: f32,
}

impl PatternTraining {
    /// What was found to work for checkers and Connect Four.
    pub const DEFAULT: PatternTraining = PatternTraining { rate: 0.05, epochs: 4, trust: 0.5 };
}

impl Default for PatternTraining {
    fn default() -> Self {
        PatternTraining::DEFAULT
    }
}

/// What training came to.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct TrainedPatterns {
    /// Lessons taken.
    pub lessons: usize,
    /// The mean loss of the lessons held out, before.
    pub before: f32,
    /// And after.
    pub after: f32,
}

/// What keeps the first steps finite.
const EPSILON: f32 = 1e-3;
/// One game in so many is held out.
const HELD_OUT: usize = 20;

/// The lessons of a game: its quiet states after the opening. Of a game that was random to the
/// end all states are lessons, and its end is all that is known.
///
/// # Errors
/// When a move of it is not legal.
pub fn lessons<G: GridGame<Outcome = Duel>>(
    g: &G,
    record: &SelfPlayGame,
    trust: f32,
    out: &mut Vec<TrainingExample>,
) -> Result<(), SelfPlayGameError> {
    let random = record.worths.is_empty();
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
            let worth = record.worths[ply - record.opening] as f32 / WIN as f32;
            end + trust * (sigmoid(log_odds_of(worth)) - end)
        };
        out.push(TrainingExample { pieces: g.pieces(s), target });
    })
}

#[inline]
fn sigmoid(v: f32) -> f32 {
    1.0 / (1.0 + (-v).exp())
}

/// The features of states: which weights count, and how often.
struct PatternFeatures<'a> {
    shape: &'a PatternShape,
    kernel: PatternIndexer,
    cell_of_bit: [u8; 64],
    found: Vec<(u32, f32)>,
}

impl<'a> PatternFeatures<'a> {
    fn new(shape: &'a PatternShape) -> Self {
        let mut cell_of_bit = [0; 64];
        for (cell, place) in shape.board.cells.iter().enumerate() {
            cell_of_bit[usize::from(place.bit)] = cell as u8;
        }
        PatternFeatures {
            shape,
            kernel: PatternIndexer::new(shape),
            cell_of_bit,
            found: Vec::new(),
        }
    }

    /// The weights of a state.
    #[inline]
    fn of(&mut self, pieces: &GridPieces) -> &[(u32, f32)] {
        let PatternFeatures { shape, kernel, cell_of_bit, found } = self;
        let first = shape.phase(pieces.count()) * shape.weights_a_phase();
        found.clear();
        let offsets = &shape.offsets()[..shape.tuples.len()];
        kernel.indices(pieces.men, |from, indices| {
            for (&offset, &index) in offsets[from..].iter().zip(indices) {
                found.push((first + shape.tie(offset + u32::from(index)), 1.0));
            }
        });
        let counts = first + shape.counts_at();
        for side in [0, 1] {
            found.push((counts + side, pieces.men[side as usize].count_ones() as f32));
            let kings = pieces.kings[side as usize];
            if kings != 0 {
                found.push((counts + 2 + side, kings.count_ones() as f32));
                let at = first + shape.kings_at() + side * shape.board.cells.len() as u32;
                let cells = set_bits(kings).map(|bit| u32::from(cell_of_bit[bit]));
                found.extend(cells.map(|cell| (at + cell, 1.0)));
            }
        }
        found.push((counts + 4, 1.0));
        found
    }
}

#[inline]
fn dot(weights: &[f32], features: &[(u32, f32)]) -> f32 {
    features.iter().map(|&(i, x)| weights[i as usize] * x).sum()
}

/// The mean loss of lessons under these weights, in log-odds.
#[must_use]
pub fn loss(shape: &PatternShape, weights: &[f32], lessons: &[TrainingExample]) -> f32 {
    let mut features = PatternFeatures::new(shape);
    let of = |lesson: &TrainingExample| {
        let v = f64::from(dot(weights, features.of(&lesson.pieces)));
        // ln(1 + e^v) − y·v, without overflow.
        v.max(0.0) + (-v.abs()).exp().ln_1p() - f64::from(lesson.target) * v
    };
    (lessons.iter().map(of).sum::<f64>() / lessons.len().max(1) as f64) as f32
}

/// The gradient of the loss of one lesson, as weights with their slopes; a weight that
/// symmetry ties to itself may come twice.
#[must_use]
pub fn gradient(
    shape: &PatternShape,
    weights: &[f32],
    lesson: &TrainingExample,
) -> Vec<(u32, f32)> {
    let mut features = PatternFeatures::new(shape);
    let found = features.of(&lesson.pieces);
    let error = sigmoid(dot(weights, found)) - lesson.target;
    found.iter().map(|&(i, x)| (i, error * x)).collect()
}

impl PatternModel {
    /// Trains the weights on games; every twentieth is held out to be judged by.
    ///
    /// # Errors
    /// When a move of a game is not legal.
    pub fn train<'a, G: GridGame<Outcome = Duel>>(
        &mut self,
        g: &G,
        games: impl Iterator<Item = &'a SelfPlayGame>,
        training: &PatternTraining,
        seed: u64,
    ) -> Result<TrainedPatterns, SelfPlayGameError> {
        let (mut taught, mut held_out) = (Vec::new(), Vec::new());
        for (i, game) in games.enumerate() {
            let out = if i % HELD_OUT == HELD_OUT - 1 { &mut held_out } else { &mut taught };
            lessons(g, game, training.trust, out)?;
        }
        let mut weights: Vec<f32> = self.weights.iter().map(|&w| f32::from(w) * UNIT).collect();
        let before = loss(&self.shape, &weights, &held_out);
        descend(&self.shape, &mut weights, &mut taught, training, seed);
        for (kept, weight) in self.weights.iter_mut().zip(&weights) {
            *kept = (weight / UNIT).round().clamp(-32767.0, 32767.0) as i16;
        }
        let after = loss(&self.shape, &weights, &held_out);
        Ok(TrainedPatterns { lessons: taught.len(), before, after })
    }
}

/// Takes every lesson `epochs` times, in another order each time.
fn descend(
    shape: &PatternShape,
    weights: &mut [f32],
    lessons: &mut [TrainingExample],
    training: &PatternTraining,
    seed: u64,
) {
    let mut features = PatternFeatures::new(shape);
    let mut squares = vec![EPSILON; weights.len()];
    for epoch in 0..training.epochs {
        shuffle(lessons, &mut Rng::new(derive_seed(seed, &[epoch.into()])));
        // Smaller steps in later epochs, down to nothing beyond the last.
        let rate = training.rate * (1.0 - epoch as f32 / training.epochs as f32);
        for lesson in lessons.iter() {
            let found = features.of(&lesson.pieces);
            let error = sigmoid(dot(weights, found)) - lesson.target;
            for &(i, x) in found {
                let (i, slope) = (i as usize, error * x);
                squares[i] += slope * slope;
                let step = rate / squares[i].sqrt();
                weights[i] -= step * slope;
            }
        }
    }
}

/// Every order is equally likely (Fisher and Yates).
fn shuffle(lessons: &mut [TrainingExample], rng: &mut Rng) {
    for i in (1..lessons.len()).rev() {
        lessons.swap(i, rng.below(i + 1));
    }
}
