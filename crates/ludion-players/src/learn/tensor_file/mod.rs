//! Layers of networks in the format safetensors, with an entry of Ludion in the metadata. A layer is
//! the tensors `NAME.weight` (outputs × inputs) and `NAME.bias`, as those of PyTorch's `Linear`.

mod half;

use safetensors::{Dtype, SafeTensors, tensor::TensorView};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::plain_words::plain_message;

use super::model::{ModelError, ModelKind, VERSION};
use super::network::Layer;

/// The key of Ludion's entry in the metadata of a file.
pub const ENTRY: &str = "ludion";

/// The formats of the numbers in a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum WeightFormat {
    /// Floats of 32 bits.
    #[default]
    F32,
    /// Floats of 16 bits.
    F16,
}

impl WeightFormat {
    /// Returns the number that a file in this format has for `x`.
    #[must_use]
    pub fn round(self, x: f32) -> f32 {
        match self {
            WeightFormat::F32 => x,
            WeightFormat::F16 => half::from_bits(half::to_bits(x)),
        }
    }

    fn bytes(self, numbers: &[f32]) -> Vec<u8> {
        match self {
            WeightFormat::F32 => numbers.iter().flat_map(|x| x.to_le_bytes()).collect(),
            WeightFormat::F16 => {
                numbers.iter().flat_map(|&x| half::to_bits(x).to_le_bytes()).collect()
            }
        }
    }

    fn dtype(self) -> Dtype {
        match self {
            WeightFormat::F32 => Dtype::F32,
            WeightFormat::F16 => Dtype::F16,
        }
    }
}

/// A parsed file.
#[derive(Debug)]
pub struct TensorFile<'a> {
    tensors: SafeTensors<'a>,
    entry: String,
}

/// The version and the kind in the entry, read first, because files of all versions have them.
#[derive(Deserialize)]
struct EntryVersion {
    version: u32,
    #[serde(default)]
    kind: ModelKind,
}

impl<'a> TensorFile<'a> {
    /// Parses the bytes of a file.
    pub fn parse(bytes: &'a [u8]) -> Result<Self, ModelError> {
        let container = |_: safetensors::SafeTensorError| ModelError::Container;
        let tensors = SafeTensors::deserialize(bytes).map_err(container)?;
        let (_, header) = SafeTensors::read_metadata(bytes).map_err(container)?;
        let entry = header.metadata().as_ref().and_then(|metadata| metadata.get(ENTRY));
        let entry = entry.ok_or(ModelError::Foreign)?.clone();
        Ok(TensorFile { tensors, entry })
    }

    /// Parses Ludion's entry of the metadata, which must be of the supported version and this kind.
    pub fn entry<T: DeserializeOwned>(&self, wanted: ModelKind) -> Result<T, ModelError> {
        let unreadable =
            |error: serde_json::Error| ModelError::Metadata(plain_message(&error.to_string()));
        let EntryVersion { version, kind } =
            serde_json::from_str(&self.entry).map_err(unreadable)?;
        if version != VERSION {
            return Err(ModelError::Version(version));
        }
        if kind != wanted {
            return Err(ModelError::Kind { found: kind, wanted });
        }
        serde_json::from_str(&self.entry).map_err(unreadable)
    }

    /// Returns the number of tensors.
    #[must_use]
    pub fn len(&self) -> usize {
        self.tensors.len()
    }

    /// Returns whether the file has no tensors.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.tensors.is_empty()
    }

    /// Returns the format of the numbers: that of 16 bits if all tensors have it.
    #[must_use]
    pub fn format(&self) -> WeightFormat {
        let all_short = self.tensors.iter().all(|(_, view)| view.dtype() == Dtype::F16);
        if all_short { WeightFormat::F16 } else { WeightFormat::F32 }
    }

    /// Returns whether the file has a tensor of the layer with this name.
    #[must_use]
    pub fn has_layer(&self, name: &str) -> bool {
        parts(name).iter().any(|part| self.tensors.tensor(part).is_ok())
    }

    /// Returns the layer with this name.
    pub fn layer(&self, name: &str) -> Result<Layer, ModelError> {
        let [weights, biases] = parts(name);
        let (shape, weights) = self.tensor(weights, 2)?;
        let (_, biases) = self.tensor(biases, 1)?;
        Ok(Layer { inputs: shape[1], outputs: shape[0], weights, biases })
    }

    /// Checks that the file has no other tensors than those of the layers with these names.
    pub fn check_names<'n>(
        &self,
        layers: impl IntoIterator<Item = &'n str>,
    ) -> Result<(), ModelError> {
        let known: Vec<String> = layers.into_iter().flat_map(parts).collect();
        let mut names = self.tensors.names();
        names.sort_unstable();
        match names.into_iter().find(|name| !known.iter().any(|known| known == name)) {
            Some(name) => {
                let reason = "not part of the network".to_owned();
                Err(ModelError::Tensor { name: name.to_owned(), reason })
            }
            None => Ok(()),
        }
    }

    /// Returns the shape and the numbers of a tensor, which must have this number of dimensions.
    fn tensor(
        &self,
        name: String,
        dimensions: usize,
    ) -> Result<(Vec<usize>, Vec<f32>), ModelError> {
        let Ok(view) = self.tensors.tensor(&name) else {
            let reason = "missing".to_owned();
            return Err(ModelError::Tensor { name, reason });
        };
        let data = view.data();
        let numbers = match view.dtype() {
            Dtype::F32 => {
                data.as_chunks::<4>().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect()
            }
            Dtype::F16 => {
                let numbers = data.as_chunks::<2>().0.iter();
                numbers.map(|bytes| half::from_bits(u16::from_le_bytes(*bytes))).collect()
            }
            other => {
                let reason = format!("entries of type {other:?}; F32 or F16 is needed");
                return Err(ModelError::Tensor { name, reason });
            }
        };
        if view.shape().len() != dimensions {
            let reason = format!("shape {:?}; {dimensions} dimensions are needed", view.shape());
            return Err(ModelError::Tensor { name, reason });
        }
        Ok((view.shape().to_vec(), numbers))
    }

    /// Returns the bytes of a file with this entry and these layers. Equal contents give equal bytes.
    ///
    /// # Panics
    /// If two layers have the same name, or a layer is not valid.
    #[must_use]
    pub fn write(
        entry: &impl Serialize,
        layers: &[(String, &Layer)],
        format: WeightFormat,
    ) -> Vec<u8> {
        let tensors = layers.iter().flat_map(|(name, layer)| {
            let shapes = [vec![layer.outputs, layer.inputs], vec![layer.outputs]];
            let numbers = [&layer.weights, &layer.biases].map(|numbers| format.bytes(numbers));
            parts(name).into_iter().zip(shapes.into_iter().zip(numbers))
        });
        let tensors: Vec<_> = tensors.collect();
        let views = tensors.iter().map(|(name, (shape, data))| {
            let view = TensorView::new(format.dtype(), shape.clone(), data);
            (name, view.expect("as many bytes as the shape needs"))
        });
        let entry = serde_json::to_string(entry).expect("plain fields are JSON");
        let metadata = [(ENTRY.to_owned(), entry)].into_iter().collect();
        safetensors::serialize(views, Some(metadata)).expect("tensors with different names")
    }
}

/// Returns the names of the two tensors of a layer.
fn parts(layer: &str) -> [String; 2] {
    ["weight", "bias"].map(|part| format!("{layer}.{part}"))
}

/// Returns the CRC-32 of the weights and biases of layers, as 32-bit floats, in hexadecimal.
pub fn checksum<'a>(layers: impl IntoIterator<Item = &'a Layer>) -> String {
    let mut sum = crc32fast::Hasher::new();
    for layer in layers {
        for number in layer.weights.iter().chain(&layer.biases) {
            sum.update(&number.to_le_bytes());
        }
    }
    format!("{:08x}", sum.finalize())
}
