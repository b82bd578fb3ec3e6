//! Epochs: shuffled batches, validation after each, the best weights kept, and an end when there
//! has been no better for a while.

use std::ops::ControlFlow;

use ludion::learn::dataset::{Dataset, shuffle};
use ludion::learn::model::{LossFunction, ModelError, NetworkModel, TrainingOutcome, TrainingSpec};
use ludion::learn::network::{Layer, MAX_LAYERS, MAX_WIDTH, Network, NetworkError};
use ludion::random::{Rng, derive_seed};
use serde::{Deserialize, Serialize};

use crate::backprop::TrainablePerceptron;
use crate::objective::{first_output, loss, prediction, slope};

/// What a seed is derived for.
const WEIGHTS: u64 = 0;
const SPLIT: u64 = 1;
const ORDER: u64 = 2;

/// Why nothing was trained.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum TrainError {
    /// A setting outside its range.
    #[error("{name} is {value}; allowed is {allowed}")]
    Setting {
        /// Which setting.
        name: &'static str,
        /// What it was set to.
        value: String,
        /// What it can be set to.
        allowed: String,
    },
    /// Nothing to train on.
    #[error("{0} rows leave none to train on; at least one must not be held back")]
    Empty(usize),
    /// A target that is no probability.
    #[error("the target of row {} is {value}; the logistic loss allows 0 to 1", row + 1)]
    Probability {
        /// Which row, from 0.
        row: usize,
        /// Its target.
        value: f32,
    },
    /// Weights that grew beyond all numbers.
    #[error("the loss is no number in epoch {epoch} at rate {rate}; a smaller rate may help")]
    Diverged {
        /// In which epoch.
        epoch: u32,
        /// At which rate.
        rate: f64,
    },
    /// Layers that make no network.
    #[error(transparent)]
    Network(#[from] NetworkError),
    /// A network that is not what was asked for.
    #[error(transparent)]
    Model(#[from] ModelError),
}

/// One pass over the data, as a point of the learning curve.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct EpochReport {
    /// From 1.
    pub number: u32,
    /// The mean loss while it ran.
    pub training_loss: f64,
    /// The loss on the rows held back, after it.
    pub validation_loss: Option<f64>,
    /// The share of variance explained on them.
    pub r2: Option<f64>,
}

impl EpochReport {
    /// What is compared: the loss on rows held back where there are any.
    fn judged(&self) -> f64 {
        self.validation_loss.unwrap_or(self.training_loss)
    }
}

/// Why training ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TrainingEnd {
    /// As many epochs as allowed are over.
    Epochs,
    /// The loss has not become better for as long as was asked for.
    Patience,
    /// Whoever looked on wanted no more.
    Stopped,
}

/// What came of a training.
#[derive(Clone, PartialEq, Debug)]
pub struct TrainedModel {
    /// The best weights with their figures.
    pub model: NetworkModel,
    /// All epochs.
    pub curve: Vec<EpochReport>,
    /// Why it ended.
    pub finish: TrainingEnd,
}

/// A training that makes sense.
#[derive(Clone, PartialEq, Debug)]
pub struct Trainer {
    spec: TrainingSpec,
}

impl Trainer {
    /// A training by `spec`.
    pub fn new(spec: TrainingSpec) -> Result<Self, TrainError> {
        let check = |name, value: String, allowed: String, fits: bool| {
            if fits { Ok(()) } else { Err(TrainError::Setting { name, value, allowed }) }
        };
        let widths = spec.hidden.iter().all(|width| (1..=MAX_WIDTH).contains(width));
        let allowed = format!("up to {} widths from 1 to {MAX_WIDTH}", MAX_LAYERS - 1);
        let fits = widths && spec.hidden.len() < MAX_LAYERS;
        check("hidden", format!("{:?}", spec.hidden), allowed, fits)?;
        let least = "1 or more".to_owned();
        check("epochs", spec.epochs.to_string(), least.clone(), spec.epochs >= 1)?;
        check("batch", spec.batch.to_string(), least, spec.batch >= 1)?;
        let fits = spec.rate > 0.0 && spec.rate <= 1.0;
        check("rate", spec.rate.to_string(), "more than 0, up to 1".to_owned(), fits)?;
        let fits = (0.0..1.0).contains(&spec.held_back);
        check("held_back", spec.held_back.to_string(), "from 0 to less than 1".to_owned(), fits)?;
        Ok(Trainer { spec })
    }

    /// Trains on a data set, of which rows are held back at random; `see` is shown every epoch
    /// and may end it.
    pub fn train(
        &self,
        data: &Dataset,
        see: impl FnMut(&EpochReport) -> ControlFlow<()>,
    ) -> Result<TrainedModel, TrainError> {
        let split = data.split(self.spec.held_back, derive_seed(self.spec.seed, &[SPLIT]));
        self.train_on(data, split, see)
    }

    /// Trains on some rows of a data set and validates on others, such as those of other games:
    /// rows of one game are no strangers to each other.
    pub fn train_on(
        &self,
        data: &Dataset,
        split: (Vec<u32>, Vec<u32>),
        mut see: impl FnMut(&EpochReport) -> ControlFlow<()>,
    ) -> Result<TrainedModel, TrainError> {
        let mut course = TrainingState::new(&self.spec, data, split)?;
        let (mut curve, mut best): (Vec<EpochReport>, Option<(EpochReport, Vec<Layer>)>) =
            (Vec::new(), None);
        let finish = loop {
            let epoch = course.epoch(curve.len() as u32 + 1)?;
            curve.push(epoch);
            if best.as_ref().is_none_or(|(best, _)| epoch.judged() < best.judged()) {
                best = Some((epoch, course.net.layers()));
            }
            let since = epoch.number - best.as_ref().map_or(0, |(best, _)| best.number);
            if see(&epoch).is_break() {
                break TrainingEnd::Stopped;
            } else if self.spec.patience.is_some_and(|patience| since >= patience.max(1)) {
                break TrainingEnd::Patience;
            } else if epoch.number >= self.spec.epochs {
                break TrainingEnd::Epochs;
            }
        };
        let (best, layers) = best.expect("at least one epoch");
        let outcome = TrainingOutcome {
            rows: course.rows.len(),
            held_back: course.held.len(),
            epochs: curve.len() as u32,
            best: best.number,
            training_loss: best.training_loss,
            validation_loss: best.validation_loss,
            r2: best.r2,
        };
        let model = NetworkModel::new(Network::new(&layers)?, self.spec.clone(), outcome)?;
        Ok(TrainedModel { model, curve, finish })
    }
}

/// A training under way.
struct TrainingState<'a> {
    spec: &'a TrainingSpec,
    data: &'a Dataset,
    net: TrainablePerceptron,
    /// Rows to train on, in the order of the last epoch.
    rows: Vec<u32>,
    held: Vec<u32>,
    /// The mean weight of the rows to train on, which counts as 1.
    unit: f64,
    order: Rng,
}

impl<'a> TrainingState<'a> {
    fn new(
        spec: &'a TrainingSpec,
        data: &'a Dataset,
        (rows, held): (Vec<u32>, Vec<u32>),
    ) -> Result<Self, TrainError> {
        let targets = (0..data.len()).map(|row| data.target(row));
        let odd = |t: &f32| spec.loss == LossFunction::Logistic && !(0.0..=1.0).contains(t);
        if let Some((row, value)) = targets.enumerate().find(|(_, t)| odd(t)) {
            return Err(TrainError::Probability { row, value });
        }
        let seed = |part| derive_seed(spec.seed, &[part]);
        if rows.is_empty() {
            return Err(TrainError::Empty(data.len()));
        }
        let (weight, mean) = weighted_mean(data, &rows);
        let widths: Vec<usize> =
            [data.width()].into_iter().chain(spec.hidden.iter().copied()).chain([1]).collect();
        let start = first_output(spec.loss, mean) as f32;
        let net = TrainablePerceptron::new(&widths, start, spec.rate, seed(WEIGHTS));
        let (unit, order) = (weight / rows.len() as f64, Rng::new(seed(ORDER)));
        Ok(TrainingState { spec, data, net, rows, held, unit, order })
    }

    /// One pass over the rows in a new order, then the figures of those held back.
    fn epoch(&mut self, number: u32) -> Result<EpochReport, TrainError> {
        let mut rows = std::mem::take(&mut self.rows);
        shuffle(&mut rows, &mut self.order);
        let losses: f64 = rows.chunks(self.spec.batch).map(|batch| self.learn(batch)).sum();
        let training_loss = losses / rows.len() as f64;
        self.rows = rows;
        let (validation_loss, r2) = self.validate().unzip();
        let epoch = EpochReport { number, training_loss, validation_loss, r2: r2.flatten() };
        if !(epoch.training_loss.is_finite() && epoch.judged().is_finite()) {
            return Err(TrainError::Diverged { epoch: number, rate: self.spec.rate });
        }
        Ok(epoch)
    }

    fn fill(&mut self, rows: &[u32]) {
        self.net.inputs.set_rows(rows.len());
        for (at, &row) in rows.iter().enumerate() {
            self.data.write_features(row as usize, self.net.inputs.row_mut(at));
        }
    }

    /// One step; gives the sum of the losses before it.
    fn learn(&mut self, rows: &[u32]) -> f64 {
        self.fill(rows);
        self.net.forward();
        let (data, kind, unit, count) = (self.data, self.spec.loss, self.unit, rows.len() as f64);
        let weight = |row: u32| f64::from(data.weight(row as usize)) / unit;
        let target = |row: u32| f64::from(data.target(row as usize));
        let losses = rows.iter().enumerate().map(|(at, &row)| {
            weight(row) * loss(kind, f64::from(self.net.output(at)), target(row))
        });
        let losses = losses.sum();
        self.net.backward(|at, output| {
            let row = rows[at];
            (slope(kind, f64::from(output), target(row)) * weight(row) / count) as f32
        });
        self.net.step();
        losses
    }

    /// The loss on the rows held back and the share of their variance that is explained, which
    /// there is only where targets differ; `None` if no rows are held back.
    fn validate(&mut self) -> Option<(f64, Option<f64>)> {
        let (held, kind) = (std::mem::take(&mut self.held), self.spec.loss);
        let (weight, mean) = weighted_mean(self.data, &held);
        let [mut losses, mut residual, mut variance] = [0.0; 3];
        for batch in held.chunks(self.spec.batch.max(64)) {
            self.fill(batch);
            self.net.forward();
            for (at, &row) in batch.iter().enumerate() {
                let (row, output) = (row as usize, f64::from(self.net.output(at)));
                let target = f64::from(self.data.target(row));
                let weight = f64::from(self.data.weight(row));
                losses += weight * loss(kind, output, target);
                residual += weight * (prediction(kind, output) - target).powi(2);
                variance += weight * (target - mean).powi(2);
            }
        }
        self.held = held;
        let r2 = (variance > 0.0).then(|| 1.0 - residual / variance);
        (weight > 0.0).then_some((losses / weight, r2))
    }
}

/// The weight of some rows together, and the mean of their targets.
fn weighted_mean(data: &Dataset, rows: &[u32]) -> (f64, f64) {
    let pairs = rows
        .iter()
        .map(|&row| (f64::from(data.weight(row as usize)), f64::from(data.target(row as usize))));
    let (weight, sum) = pairs.fold((0.0, 0.0), |(w, s), (weight, t)| (w + weight, s + weight * t));
    (weight, sum / weight)
}
