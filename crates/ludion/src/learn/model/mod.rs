//! Network models: a trained network with the settings and results of its training, and the file
//! format for it.
//!
//! The format is safetensors: `layer.N.weight` (outputs × inputs) and `layer.N.bias` for every
//! layer from 0, as 32-bit floats. The entry `ludion` of the metadata is JSON with the version of
//! the format, the settings and the outcome of the training, and a checksum of the parameters.

use safetensors::{Dtype, SafeTensors, tensor::TensorView};
use serde::{Deserialize, Serialize};

use crate::plain_words::plain_message;

use super::network::{Layer, MAX_LAYERS, Network, NetworkError};

/// The version of the model file format that this program writes and reads.
pub const VERSION: u32 = 1;

/// The key of Ludion's entry in the metadata of a safetensors file.
const ENTRY: &str = "ludion";

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

/// The version in the metadata entry, read first, because files of all versions have it.
#[derive(Deserialize)]
struct MetadataVersion {
    version: u32,
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
        let checksum = Some(checksum(&self.network));
        let metadata_entry =
            serde_json::to_string(&ModelMetadata { version: VERSION, spec, outcome, checksum })
                .expect("plain fields are JSON");
        let bytes = |values: &[f32]| values.iter().flat_map(|x| x.to_le_bytes()).collect();
        let mut tensors: Vec<(String, Vec<usize>, Vec<u8>)> = Vec::new();
        for (number, layer) in self.network.layers().iter().enumerate() {
            let shape = vec![layer.outputs, layer.inputs];
            tensors.push((format!("layer.{number}.weight"), shape, bytes(&layer.weights)));
            tensors.push((
                format!("layer.{number}.bias"),
                vec![layer.outputs],
                bytes(&layer.biases),
            ));
        }
        let views = tensors.iter().map(|(name, shape, data)| {
            let view = TensorView::new(Dtype::F32, shape.clone(), data);
            (name, view.expect("as many bytes as the shape needs"))
        });
        let metadata = [(ENTRY.to_owned(), metadata_entry)].into_iter().collect();
        safetensors::serialize(views, Some(metadata)).expect("tensors with different names")
    }

    /// Parses the bytes of a model file.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ModelError> {
        let container = |_: safetensors::SafeTensorError| ModelError::Container;
        let tensors = SafeTensors::deserialize(bytes).map_err(container)?;
        let (_, header) = SafeTensors::read_metadata(bytes).map_err(container)?;
        let entry = header.metadata().as_ref().and_then(|metadata| metadata.get(ENTRY));
        let entry = entry.ok_or(ModelError::Foreign)?;
        let unreadable =
            |error: serde_json::Error| ModelError::Metadata(plain_message(&error.to_string()));
        let MetadataVersion { version } = serde_json::from_str(entry).map_err(unreadable)?;
        if version != VERSION {
            return Err(ModelError::Version(version));
        }
        let metadata_entry: ModelMetadata = serde_json::from_str(entry).map_err(unreadable)?;
        let network = Network::new(&layers(&tensors)?)?;
        if metadata_entry.checksum.is_some_and(|written| written != checksum(&network)) {
            return Err(ModelError::Damaged);
        }
        NetworkModel::new(network, metadata_entry.spec, metadata_entry.outcome)
    }
}

/// Returns the CRC-32 of all weights and biases of a network, in hexadecimal.
fn checksum(network: &Network) -> String {
    let mut sum = crc32fast::Hasher::new();
    for layer in network.layers() {
        for number in layer.weights.iter().chain(&layer.biases) {
            sum.update(&number.to_le_bytes());
        }
    }
    format!("{:08x}", sum.finalize())
}

/// Converts the tensors of a file to layers; every tensor must belong to a layer.
fn layers(tensors: &SafeTensors<'_>) -> Result<Vec<Layer>, ModelError> {
    let count = tensors.len().div_ceil(2);
    if count > MAX_LAYERS {
        return Err(NetworkError::Count(count).into());
    }
    let layers = (0..count).map(|number| {
        let (shape, weights) = tensor(tensors, format!("layer.{number}.weight"), 2)?;
        let (_, biases) = tensor(tensors, format!("layer.{number}.bias"), 1)?;
        Ok(Layer { inputs: shape[1], outputs: shape[0], weights, biases })
    });
    layers.collect()
}

/// Returns the shape and the entries of the tensor `name`, which must have the given number of
/// dimensions.
fn tensor(
    tensors: &SafeTensors<'_>,
    name: String,
    dimensions: usize,
) -> Result<(Vec<usize>, Vec<f32>), ModelError> {
    let Ok(view) = tensors.tensor(&name) else {
        let reason = "missing".to_owned();
        return Err(ModelError::Tensor { name, reason });
    };
    if view.dtype() != Dtype::F32 {
        let reason = format!("entries of type {:?}; F32 is needed", view.dtype());
        return Err(ModelError::Tensor { name, reason });
    }
    if view.shape().len() != dimensions {
        let reason = format!("shape {:?}; {dimensions} dimensions are needed", view.shape());
        return Err(ModelError::Tensor { name, reason });
    }
    let (numbers, _) = view.data().as_chunks::<4>();
    Ok((view.shape().to_vec(), numbers.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect()))
}

#[cfg(test)]
mod tests;
