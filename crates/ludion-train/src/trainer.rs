//! The training loop: epochs of shuffled batches with validation after each. The best weights are
//! kept, and training stops early when the loss no longer improves.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

use ludion_players::learn::dataset::{Dataset, shuffle};
use ludion_players::learn::model::{
    LossFunction, ModelError, NetworkModel, TrainingFigures, TrainingSettings,
};
use ludion_players::learn::network::{Layer, MAX_LAYERS, MAX_WIDTH, Network, NetworkError};
use ludion_players::random::{Rng, derive_seed};
use serde::{Deserialize, Serialize};

use crate::backprop::TrainableNetwork;
use crate::loss::{derivative, first_output, loss, prediction};

/// The index from which the random seed of the initial weights is derived.
const WEIGHT_STREAM: u64 = 0;
/// The index from which the random seed of the validation split is derived.
const SPLIT_STREAM: u64 = 1;
/// The index from which the random seed of the order of rows is derived.
const ORDER_STREAM: u64 = 2;

/// Reasons why training fails.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum TrainError {
    /// A setting of the training is outside its range.
    #[error("{name} is {value}; allowed is {allowed}")]
    Setting {
        /// The name of the setting.
        name: &'static str,
        /// The value of the setting that is not allowed.
        value: String,
        /// The values that are allowed, in words, such as `1 or more`.
        allowed: String,
    },
    /// No row is left for training; the dataset has this number of rows, which are all held back.
    #[error("none of {0} rows is left for training; at least one must not be held back")]
    Empty(usize),
    /// A target of the logistic loss is not a probability.
    #[error("the target of row {} is {value}; the logistic loss allows 0 to 1", row + 1)]
    Probability {
        /// The index of the row in the dataset, from 0.
        row: usize,
        /// The target of the row.
        value: f32,
    },
    /// The training loss or the validation loss is no longer finite.
    #[error("training diverged in epoch {epoch} at rate {rate}; a smaller rate may help")]
    Diverged {
        /// The epoch in which training diverged, counted from 1.
        epoch: u32,
        /// The learning rate of the training.
        rate: f64,
    },
    /// The training was stopped before the end of its first epoch.
    #[error("the training was stopped before the end of its first epoch")]
    Stopped,
    /// The layers of the trained network do not make a valid network.
    #[error(transparent)]
    Network(#[from] NetworkError),
    /// The trained network does not fit the settings of its model.
    #[error(transparent)]
    Model(#[from] ModelError),
}

/// The results of one epoch: a point of the learning curve.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct EpochReport {
    /// The number of the epoch, counted from 1.
    pub number: u32,
    /// The mean loss of the training rows, each measured before the update with its batch.
    pub training_loss: f64,
    /// The mean loss of the validation rows after the epoch; `None` if there are no such rows.
    pub validation_loss: Option<f64>,
    /// The coefficient of determination R² on the validation rows; `None` if there are no such rows
    /// or all their targets are equal.
    pub r2: Option<f64>,
}

impl EpochReport {
    /// Returns the loss by which epochs are compared: the validation loss, or the training loss if
    /// there are no validation rows.
    fn selection_loss(&self) -> f64 {
        self.validation_loss.unwrap_or(self.training_loss)
    }
}

/// The reason why training ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TrainingEnd {
    /// The maximum number of epochs was reached.
    Epochs,
    /// The loss did not improve for as many epochs as the setting `patience` says.
    Patience,
    /// The callback `on_epoch` stopped the training.
    Stopped,
}

/// The result of a training.
#[derive(Clone, PartialEq, Debug)]
pub struct TrainedModel {
    /// The model with the weights and losses of the best epoch.
    pub model: NetworkModel,
    /// The learning curve: the reports of all epochs in order.
    pub curve: Vec<EpochReport>,
    /// The reason why training ended.
    pub finish: TrainingEnd,
}

/// Trains networks; its settings have been checked.
#[derive(Clone, PartialEq, Debug)]
pub struct Trainer {
    spec: TrainingSettings,
}

impl Trainer {
    /// Creates a trainer with the given settings.
    ///
    /// # Errors
    /// When a setting is outside its range.
    pub fn new(spec: TrainingSettings) -> Result<Self, TrainError> {
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

    /// Trains a network on a dataset, with random rows held back for validation. `on_epoch` is
    /// called after every epoch and can stop the training.
    pub fn train(
        &self,
        data: &Dataset,
        on_epoch: impl FnMut(&EpochReport) -> ControlFlow<()>,
    ) -> Result<TrainedModel, TrainError> {
        let split = data.split(self.spec.held_back, derive_seed(self.spec.seed, &[SPLIT_STREAM]));
        self.train_on(data, split, on_epoch)
    }

    /// Trains a network on the rows of a dataset whose indices are in the first list of `split`,
    /// and validates on those in the second. A split by games keeps the similar rows of one game
    /// together.
    pub fn train_on(
        &self,
        data: &Dataset,
        split: (Vec<u32>, Vec<u32>),
        on_epoch: impl FnMut(&EpochReport) -> ControlFlow<()>,
    ) -> Result<TrainedModel, TrainError> {
        self.train_on_or_stop(data, split, &AtomicBool::new(false), on_epoch)
    }

    /// Trains a network like [`Trainer::train_on`], until `stop` is set, also within an epoch. The
    /// model is then that of the best epoch so far.
    pub fn train_on_or_stop(
        &self,
        data: &Dataset,
        split: (Vec<u32>, Vec<u32>),
        stop: &AtomicBool,
        mut on_epoch: impl FnMut(&EpochReport) -> ControlFlow<()>,
    ) -> Result<TrainedModel, TrainError> {
        let mut state = TrainingState::new(&self.spec, data, split)?;
        let (mut curve, mut best): (Vec<EpochReport>, Option<(EpochReport, Vec<Layer>)>) =
            (Vec::new(), None);
        let finish = loop {
            let Some(epoch) = state.epoch(curve.len() as u32 + 1, stop)? else {
                break TrainingEnd::Stopped;
            };
            curve.push(epoch);
            if best.as_ref().is_none_or(|(best, _)| epoch.selection_loss() < best.selection_loss())
            {
                best = Some((epoch, state.net.layers()));
            }
            let since = epoch.number - best.as_ref().map_or(0, |(best, _)| best.number);
            if on_epoch(&epoch).is_break() {
                break TrainingEnd::Stopped;
            } else if self.spec.patience.is_some_and(|patience| since >= patience.max(1)) {
                break TrainingEnd::Patience;
            } else if epoch.number >= self.spec.epochs {
                break TrainingEnd::Epochs;
            }
        };
        let (best, layers) = best.ok_or(TrainError::Stopped)?;
        let outcome = TrainingFigures {
            rows: state.rows.len(),
            held_back: state.validation_rows.len(),
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

/// The state of a training between epochs.
struct TrainingState<'a> {
    spec: &'a TrainingSettings,
    data: &'a Dataset,
    net: TrainableNetwork,
    /// The indices of the training rows in the dataset, in the order of the last epoch.
    rows: Vec<u32>,
    validation_rows: Vec<u32>,
    /// The mean weight of the training rows; the weight of a row in the loss is divided by it.
    mean_weight: f64,
    /// The random generator that shuffles the training rows.
    order: Rng,
}

impl<'a> TrainingState<'a> {
    fn new(
        spec: &'a TrainingSettings,
        data: &'a Dataset,
        (rows, validation_rows): (Vec<u32>, Vec<u32>),
    ) -> Result<Self, TrainError> {
        let targets = (0..data.len()).map(|row| data.target(row));
        let is_invalid = |t: &f32| spec.loss == LossFunction::Logistic && !(0.0..=1.0).contains(t);
        if let Some((row, value)) = targets.enumerate().find(|(_, t)| is_invalid(t)) {
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
        let net = TrainableNetwork::new(&widths, start, spec.rate, seed(WEIGHT_STREAM));
        let (mean_weight, order) = (weight / rows.len() as f64, Rng::new(seed(ORDER_STREAM)));
        Ok(TrainingState { spec, data, net, rows, validation_rows, mean_weight, order })
    }

    /// Runs one epoch: a pass over the training rows in a new order, then validation. Returns `None`
    /// if `stop` is set before its end.
    fn epoch(&mut self, number: u32, stop: &AtomicBool) -> Result<Option<EpochReport>, TrainError> {
        let mut rows = std::mem::take(&mut self.rows);
        shuffle(&mut rows, &mut self.order);
        let is_stopped = || stop.load(Ordering::Relaxed);
        let batches = rows.chunks(self.spec.batch).take_while(|_| !is_stopped());
        let losses: f64 = batches.map(|batch| self.train_batch(batch)).sum();
        let training_loss = losses / rows.len() as f64;
        self.rows = rows;
        if is_stopped() {
            return Ok(None);
        }
        let (validation_loss, r2) = self.validate().unzip();
        let epoch = EpochReport { number, training_loss, validation_loss, r2: r2.flatten() };
        if !(epoch.training_loss.is_finite() && epoch.selection_loss().is_finite()) {
            return Err(TrainError::Diverged { epoch: number, rate: self.spec.rate });
        }
        Ok(Some(epoch))
    }

    /// Writes the features of the rows with these indices to the inputs of the network.
    fn fill_inputs(&mut self, rows: &[u32]) {
        self.net.inputs.set_rows(rows.len());
        for (at, &row) in rows.iter().enumerate() {
            self.data.write_features(row as usize, self.net.inputs.row_mut(at));
        }
    }

    /// Updates the network by one step on a batch; returns the sum of the weighted losses before
    /// the update.
    fn train_batch(&mut self, rows: &[u32]) -> f64 {
        self.fill_inputs(rows);
        self.net.forward();
        let (data, kind, mean_weight, count) =
            (self.data, self.spec.loss, self.mean_weight, rows.len() as f64);
        let weight = |row: u32| f64::from(data.weight(row as usize)) / mean_weight;
        let target = |row: u32| f64::from(data.target(row as usize));
        let losses = rows.iter().enumerate().map(|(at, &row)| {
            weight(row) * loss(kind, f64::from(self.net.output(at)), target(row))
        });
        let losses = losses.sum();
        self.net.backward(|at, output| {
            let row = rows[at];
            (derivative(kind, f64::from(output), target(row)) * weight(row) / count) as f32
        });
        self.net.step();
        losses
    }

    /// Returns the validation loss and R² (`None` if all targets are equal); `None` if there are no
    /// validation rows.
    fn validate(&mut self) -> Option<(f64, Option<f64>)> {
        let (validation_rows, kind) = (std::mem::take(&mut self.validation_rows), self.spec.loss);
        let (weight, mean) = weighted_mean(self.data, &validation_rows);
        let [mut losses, mut residual, mut variance] = [0.0; 3];
        for batch in validation_rows.chunks(self.spec.batch.max(64)) {
            self.fill_inputs(batch);
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
        self.validation_rows = validation_rows;
        let r2 = (variance > 0.0).then(|| 1.0 - residual / variance);
        (weight > 0.0).then_some((losses / weight, r2))
    }
}

/// Returns the sum of the weights of the rows with these indices, and the weighted mean of their
/// targets.
fn weighted_mean(data: &Dataset, rows: &[u32]) -> (f64, f64) {
    let pairs = rows
        .iter()
        .map(|&row| (f64::from(data.weight(row as usize)), f64::from(data.target(row as usize))));
    let (weight, sum) = pairs.fold((0.0, 0.0), |(w, s), (weight, t)| (w + weight, s + weight * t));
    (weight, sum / weight)
}
