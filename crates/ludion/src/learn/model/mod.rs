//! A trained network with everything needed to train it again, and its bytes.
//!
//! The format is safetensors: `layer.N.weight` (outputs × inputs) and `layer.N.bias` for every
//! layer from 0, as 32-bit floats, and in the metadata one entry `ludion` with the version of the
//! format, what was asked of the training, what came of it, and a checksum of the numbers, as
//! JSON.

use safetensors::{Dtype, SafeTensors, tensor::TensorView};
use serde::{Deserialize, Serialize};

use super::network::{Layer, MAX_LAYERS, Network, NetworkError};

/// The version of the format that is written and read.
pub const VERSION: u32 = 1;

/// The entry of the metadata that is ours.
const ENTRY: &str = "ludion";

/// What training makes small.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LossFunction {
    /// The mean squared error.
    #[default]
    Squares,
    /// The cross entropy of a probability, whose logarithm of odds is the output; targets are
    /// from 0 to 1.
    Logistic,
}

/// What was asked of a training: with the same data it gives the same weights.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrainingSpec {
    /// The game whose positions are judged, as the registry writes it.
    pub game: String,
    /// How positions were labelled.
    pub labels: String,
    /// Widths of the hidden layers.
    pub hidden: Vec<usize>,
    /// What is made small.
    pub loss: LossFunction,
    /// The most passes over the data.
    pub epochs: u32,
    /// Rows between two steps.
    pub batch: usize,
    /// The length of a step of Adam.
    pub rate: f64,
    /// The share of rows that is held back to validate.
    pub held_back: f64,
    /// Epochs without a better loss after which training ends; never if nothing is said.
    pub patience: Option<u32>,
    /// Of the first weights, of the split and of the order of rows.
    pub seed: u64,
}

impl Default for TrainingSpec {
    fn default() -> Self {
        TrainingSpec {
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

/// What came of a training: figures of the weights that were kept.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrainingOutcome {
    /// Rows that were trained on.
    pub rows: usize,
    /// Rows that were held back.
    pub held_back: usize,
    /// Epochs that were run.
    pub epochs: u32,
    /// The epoch whose weights these are, from 1.
    pub best: u32,
    /// The mean loss while that epoch ran.
    pub training_loss: f64,
    /// The loss on the rows held back.
    pub validation_loss: Option<f64>,
    /// The share of variance explained on the rows held back.
    pub r2: Option<f64>,
}

/// The metadata as they are written.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ModelMetadata {
    version: u32,
    spec: TrainingSpec,
    outcome: TrainingOutcome,
    /// CRC-32 of all weights and biases, layer by layer, in hexadecimal; models of old have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    checksum: Option<String>,
}

/// Of a record of any version, what all of them have.
#[derive(Deserialize)]
struct MetadataVersion {
    version: u32,
}

/// Why bytes are no model.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum ModelError {
    /// Not the container.
    #[error("this is no model: not a file in the format safetensors, or not all of one")]
    Container,
    /// Other numbers than those that were written.
    #[error("the weights do not have the checksum they were written with; the file is damaged")]
    Damaged,
    /// The container of something else.
    #[error("the file has no entry {ENTRY:?} in its metadata; it was not written by ludion")]
    Foreign,
    /// A later format.
    #[error("the model is of version {0}; this program reads version {VERSION}")]
    Version(u32),
    /// A record that cannot be read.
    #[error("the record of the training: {0}")]
    Record(String),
    /// A tensor that is missing, too many or of a wrong shape.
    #[error("tensor {name}: {reason}")]
    Tensor {
        /// Its name.
        name: String,
        /// What is wrong.
        reason: String,
    },
    /// Layers that make no network.
    #[error(transparent)]
    Network(#[from] NetworkError),
    /// Layers that are not those that were asked for.
    #[error("the hidden layers are {found:?}, but the record says {said:?}")]
    Hidden {
        /// Widths of the tensors.
        found: Vec<usize>,
        /// Widths in the record.
        said: Vec<usize>,
    },
}

/// A trained network.
#[derive(Clone, PartialEq, Debug)]
pub struct NetworkModel {
    network: Network,
    spec: TrainingSpec,
    outcome: TrainingOutcome,
}

impl NetworkModel {
    /// A network with its history; the hidden layers must be those of the spec.
    pub fn new(
        network: Network,
        spec: TrainingSpec,
        outcome: TrainingOutcome,
    ) -> Result<Self, ModelError> {
        let widths = network.widths();
        let found = &widths[1..widths.len() - 1];
        if found != spec.hidden {
            return Err(ModelError::Hidden { found: found.to_vec(), said: spec.hidden });
        }
        Ok(NetworkModel { network, spec, outcome })
    }

    /// The network.
    #[must_use]
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// What was asked of the training.
    #[must_use]
    pub fn spec(&self) -> &TrainingSpec {
        &self.spec
    }

    /// What came of it.
    #[must_use]
    pub fn outcome(&self) -> &TrainingOutcome {
        &self.outcome
    }

    /// The bytes of a file; the same for the same model.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let (spec, outcome) = (self.spec.clone(), self.outcome.clone());
        let checksum = Some(checksum(&self.network));
        let record =
            serde_json::to_string(&ModelMetadata { version: VERSION, spec, outcome, checksum })
                .expect("a record of plain fields");
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
            (name, view.expect("as many bytes as the shape asks for"))
        });
        let metadata = [(ENTRY.to_owned(), record)].into_iter().collect();
        safetensors::serialize(views, Some(metadata)).expect("tensors with different names")
    }

    /// The model of the bytes of a file.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ModelError> {
        let container = |_: safetensors::SafeTensorError| ModelError::Container;
        let tensors = SafeTensors::deserialize(bytes).map_err(container)?;
        let (_, header) = SafeTensors::read_metadata(bytes).map_err(container)?;
        let entry = header.metadata().as_ref().and_then(|metadata| metadata.get(ENTRY));
        let entry = entry.ok_or(ModelError::Foreign)?;
        let unreadable = |error: serde_json::Error| ModelError::Record(error.to_string());
        let MetadataVersion { version } = serde_json::from_str(entry).map_err(unreadable)?;
        if version != VERSION {
            return Err(ModelError::Version(version));
        }
        let record: ModelMetadata = serde_json::from_str(entry).map_err(unreadable)?;
        let network = Network::new(&layers(&tensors)?)?;
        if record.checksum.is_some_and(|written| written != checksum(&network)) {
            return Err(ModelError::Damaged);
        }
        NetworkModel::new(network, record.spec, record.outcome)
    }
}

/// The checksum of all numbers of a network.
fn checksum(network: &Network) -> String {
    let mut sum = crc32fast::Hasher::new();
    for layer in network.layers() {
        for number in layer.weights.iter().chain(&layer.biases) {
            sum.update(&number.to_le_bytes());
        }
    }
    format!("{:08x}", sum.finalize())
}

/// The layers of all tensors, none left over.
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

/// The shape and the numbers of a tensor with so many dimensions.
fn tensor(
    tensors: &SafeTensors<'_>,
    name: String,
    dimensions: usize,
) -> Result<(Vec<usize>, Vec<f32>), ModelError> {
    let Ok(view) = tensors.tensor(&name) else {
        let reason = "missing among the tensors of the model".to_owned();
        return Err(ModelError::Tensor { name, reason });
    };
    if view.dtype() != Dtype::F32 {
        let reason = format!("numbers of type {:?}; F32 is allowed", view.dtype());
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
