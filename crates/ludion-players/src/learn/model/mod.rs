//! Network models: a trained network with the settings and results of its training, and the file
//! format for it.
//!
//! The format is safetensors: `layer.N.weight` (outputs × inputs) and `layer.N.bias` for every
//! layer from 0, as 32-bit floats. The entry `ludion` of the metadata is JSON with the version of
//! the format, the settings and the outcome of the training, and a checksum of the parameters.

use serde::{Deserialize, Serialize};

use super::network::{Layer, MAX_LAYERS, Network, NetworkError};
use super::tensor_file::{ENTRY, TensorFile, WeightFormat, checksum};

/// The version of the model file format that this program writes and reads.
pub const VERSION: u32 = 1;

/// The loss functions that training can minimise.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LossFunction {
    /// Mean squared error between output and target.
    #[default]
    Squares,
    /// Binary cross-entropy; the output is the log-odds of a probability, and targets are from 0
    /// to 1.
    Logistic,
}

/// The settings of a network training. The same settings and data give the same weights.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrainingSettings {
    /// The spec of the game that the positions are from.
    pub game: String,
    /// The labelling of the positions, in the text form of [`super::labelling::Labelling`].
    pub labels: String,
    /// The numbers of units of the hidden layers.
    pub hidden: Vec<usize>,
    /// The loss function that training minimises.
    pub loss: LossFunction,
    /// The maximum number of passes over the training rows.
    pub epochs: u32,
    /// The number of training rows per step of gradient descent.
    pub batch: usize,
    /// The learning rate of the optimiser Adam.
    pub rate: f64,
    /// The share of rows held back for validation, from 0 to 1.
    pub held_back: f64,
    /// The number of epochs without improvement after which training stops early; `None` to
    /// disable early stopping.
    pub patience: Option<u32>,
    /// The random seed for the initial weights, the validation split and the order of rows.
    pub seed: u64,
}

impl Default for TrainingSettings {
    fn default() -> Self {
        TrainingSettings {
            game: String::new(),
            labels: String::new(),
            hidden: vec![64, 64, 32, 16],
            loss: LossFunction::Squares,
            epochs: 500,
            batch: 200,
            rate: 1e-3,
            held_back: 0.1,
            patience: Some(20),
            seed: 1,
        }
    }
}

/// The results of a finished training. Losses are those of the epoch whose weights were kept.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrainingFigures {
    /// The number of training rows.
    pub rows: usize,
    /// The number of validation rows.
    pub held_back: usize,
    /// The number of epochs that training ran.
    pub epochs: u32,
    /// The epoch whose weights were kept, counted from 1.
    pub best: u32,
    /// The mean loss over the training rows during the epoch `best`.
    pub training_loss: f64,
    /// The mean loss over the validation rows after the epoch `best`; `None` without validation
    /// rows.
    pub validation_loss: Option<f64>,
    /// The coefficient of determination R² on the validation rows after the epoch `best`; `None` if
    /// it cannot be computed.
    pub r2: Option<f64>,
}

/// The contents of Ludion's metadata entry in a model file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ModelMetadata {
    version: u32,
    spec: TrainingSettings,
    outcome: TrainingFigures,
    /// The CRC-32 of all weights and biases, layer by layer, in hexadecimal; `None` in old files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    checksum: Option<String>,
}

/// The kinds of networks in files.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ModelKind {
    /// A network of one output, which players by labels use.
    #[default]
    Label,
    /// A network with policy and value.
    PolicyValue,
    /// A training of a network with policy and value, to be continued.
    PolicyValueTraining,
}

impl std::fmt::Display for ModelKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            ModelKind::Label => "a network of one output",
            ModelKind::PolicyValue => "a network with policy and value",
            ModelKind::PolicyValueTraining => "a training of a network with policy and value",
        })
    }
}

/// Reasons why bytes are not a valid network model.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum ModelError {
    /// The bytes are not a complete safetensors file.
    #[error("this is not a model: not a complete safetensors file")]
    Container,
    /// The checksum of the weights and biases does not match.
    #[error("the model is damaged: the checksum of its weights does not match")]
    Damaged,
    /// The file has no metadata entry of Ludion.
    #[error("the file has no entry {ENTRY:?} in its metadata; it was not written by ludion")]
    Foreign,
    /// The file has this version of the format, which is not supported.
    #[error("the model has format version {0}; this program reads version {VERSION}")]
    Version(u32),
    /// The file has a network of another kind.
    #[error("the file is {found}; {wanted} is needed")]
    Kind {
        /// The kind of the network in the file.
        found: ModelKind,
        /// The kind that is needed.
        wanted: ModelKind,
    },
    /// The model is for another game.
    #[error("the model is for the game {found}, not for {wanted}")]
    Game {
        /// The spec of the game of the model.
        found: String,
        /// The spec of the game that is played.
        wanted: String,
    },
    /// The model reads states in another encoding.
    #[error("the model has the encoding {found:?}; the game needs {wanted:?}")]
    Encoding {
        /// The encoding of the model.
        found: String,
        /// The encoding of the game.
        wanted: String,
    },
    /// The model has another number of features or actions.
    #[error("the model has {found} {what}; the game needs {wanted}")]
    Size {
        /// The numbers that differ: features or actions.
        what: &'static str,
        /// The number of the model.
        found: usize,
        /// The number of the game.
        wanted: usize,
    },
    /// The metadata entry cannot be parsed; the field is the parser's message.
    #[error("the metadata of the model are invalid: {0}")]
    Metadata(String),
    /// A tensor is missing, superfluous or of the wrong shape or type.
    #[error("tensor {name}: {reason}")]
    Tensor {
        /// The name of the tensor.
        name: String,
        /// The problem with the tensor, in words.
        reason: String,
    },
    /// The layers do not make a valid network.
    #[error(transparent)]
    Network(#[from] NetworkError),
    /// The hidden layers of the file differ from those in its training settings.
    #[error("the hidden layers are {found:?}, but the training settings say {said:?}")]
    Hidden {
        /// The widths of the hidden layers in the file.
        found: Vec<usize>,
        /// The widths of the hidden layers in the training settings.
        said: Vec<usize>,
    },
}

/// A trained network with the settings and results of its training.
#[derive(Clone, PartialEq, Debug)]
pub struct NetworkModel {
    network: Network,
    spec: TrainingSettings,
    outcome: TrainingFigures,
}

impl NetworkModel {
    /// Combines a network with the settings and results of its training.
    ///
    /// # Errors
    /// When the hidden layers are not those of `spec`.
    pub fn new(
        network: Network,
        spec: TrainingSettings,
        outcome: TrainingFigures,
    ) -> Result<Self, ModelError> {
        let widths = network.widths();
        let found = &widths[1..widths.len() - 1];
        if found != spec.hidden {
            return Err(ModelError::Hidden { found: found.to_vec(), said: spec.hidden });
        }
        Ok(NetworkModel { network, spec, outcome })
    }

    /// Returns the trained network.
    #[must_use]
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// Returns the settings of the training.
    #[must_use]
    pub fn spec(&self) -> &TrainingSettings {
        &self.spec
    }

    /// Returns the results of the training.
    #[must_use]
    pub fn outcome(&self) -> &TrainingFigures {
        &self.outcome
    }

    /// Serialises the model to the bytes of a file; equal models give equal bytes.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let (spec, outcome) = (self.spec.clone(), self.outcome.clone());
        let layers = self.network.layers();
        let checksum = Some(checksum(&layers));
        let entry = ModelMetadata { version: VERSION, spec, outcome, checksum };
        let names = (0..layers.len()).map(|number| format!("layer.{number}"));
        let named: Vec<(String, &Layer)> = names.zip(&layers).collect();
        TensorFile::write(&entry, &named, WeightFormat::F32)
    }

    /// Parses the bytes of a model file.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ModelError> {
        let file = TensorFile::parse(bytes)?;
        let metadata_entry: ModelMetadata = file.entry(ModelKind::Label)?;
        let layers = layers(&file)?;
        let network = Network::new(&layers)?;
        if metadata_entry.checksum.is_some_and(|written| written != checksum(&layers)) {
            return Err(ModelError::Damaged);
        }
        NetworkModel::new(network, metadata_entry.spec, metadata_entry.outcome)
    }
}

/// Converts the tensors of a file to layers; every tensor must belong to a layer.
fn layers(file: &TensorFile<'_>) -> Result<Vec<Layer>, ModelError> {
    let count = file.len().div_ceil(2);
    if count > MAX_LAYERS {
        return Err(NetworkError::Count(count).into());
    }
    (0..count).map(|number| file.layer(&format!("layer.{number}"))).collect()
}

#[cfg(test)]
mod tests;
