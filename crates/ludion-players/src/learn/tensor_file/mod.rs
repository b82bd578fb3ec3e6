//! Layers of networks in the format safetensors, with an entry of Ludion in the metadata. A layer is
//! the tensors `NAME.weight` (outputs × inputs) and `NAME.bias`, as those of PyTorch's `Linear`; with
//! weights of 8 bits also `NAME.scale`, a factor for each output.

mod half;

use safetensors::{Dtype, SafeTensors, tensor::TensorView};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::plain_words::plain_message;

use super::model::{ModelError, ModelKind, VERSION};
use super::network::Layer;

/// The key of Ludion's entry in the metadata of a file.
pub const ENTRY: &str = "ludion";

/// The formats of the weights in a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum WeightFormat {
    /// Floats of 32 bits.
    #[default]
    F32,
    /// Floats of 16 bits.
    F16,
    /// Integers of 8 bits with a factor for each output of the layer. Biases are floats of 32 bits.
    I8,
}

/// The largest integer of 8 bits that stands for a weight.
const MAX_I8: f32 = 127.0;

impl WeightFormat {
    /// Rounds the numbers of a layer to those that a file in this format has.
    pub fn round(self, layer: &mut Layer) {
        match self {
            WeightFormat::F32 => {}
            WeightFormat::F16 => {
                for x in layer.weights.iter_mut().chain(&mut layer.biases) {
                    *x = half::from_bits(half::to_bits(*x));
                }
            }
            WeightFormat::I8 => {
                for row in layer.weights.chunks_mut(layer.inputs.max(1)) {
                    let scale = row_scale(row);
                    row.iter_mut().for_each(|x| *x = f32::from(to_i8(*x, scale)) * scale);
                }
            }
        }
    }

    /// Returns the tensors of a layer with this name: name, type, shape and bytes of each.
    fn tensors(self, name: &str, layer: &Layer) -> Vec<(String, Dtype, Vec<usize>, Vec<u8>)> {
        let [weight, bias, scale] = parts(name);
        let (shape, outputs) = (vec![layer.outputs, layer.inputs], vec![layer.outputs]);
        let floats = |numbers: &[f32]| numbers.iter().flat_map(|x| x.to_le_bytes()).collect();
        let halves = |numbers: &[f32]| {
            numbers.iter().flat_map(|&x| half::to_bits(x).to_le_bytes()).collect()
        };
        match self {
            WeightFormat::F32 => vec![
                (weight, Dtype::F32, shape, floats(&layer.weights)),
                (bias, Dtype::F32, outputs, floats(&layer.biases)),
            ],
            WeightFormat::F16 => vec![
                (weight, Dtype::F16, shape, halves(&layer.weights)),
                (bias, Dtype::F16, outputs, halves(&layer.biases)),
            ],
            WeightFormat::I8 => {
                let rows = || layer.weights.chunks(layer.inputs.max(1));
                let scales: Vec<f32> = rows().map(row_scale).collect();
                let weights = rows().zip(&scales).flat_map(|(row, &scale)| {
                    row.iter().map(move |&x| to_i8(x, scale).cast_unsigned())
                });
                vec![
                    (weight, Dtype::I8, shape, weights.collect()),
                    (bias, Dtype::F32, outputs.clone(), floats(&layer.biases)),
                    (scale, Dtype::F32, outputs, floats(&scales)),
                ]
            }
        }
    }
}

/// Returns the factor of a row of weights: the power of 2 with which the largest is at most
/// [`MAX_I8`], so that numbers that were rounded once are rounded to themselves.
fn row_scale(row: &[f32]) -> f32 {
    let largest = row.iter().fold(0.0_f32, |largest, x| largest.max(x.abs()));
    let mut scale = 1.0_f32;
    while largest > MAX_I8 * scale && scale < 1e30 {
        scale *= 2.0;
    }
    while largest <= MAX_I8 * scale / 2.0 && scale > 1e-30 {
        scale /= 2.0;
    }
    scale
}

fn to_i8(x: f32, scale: f32) -> i8 {
    (x / scale).round().clamp(-MAX_I8, MAX_I8) as i8
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

    /// Returns the format of the weights: that of 8 bits if a tensor has it, that of 16 bits if all
    /// tensors have it.
    #[must_use]
    pub fn format(&self) -> WeightFormat {
        let types: Vec<Dtype> = self.tensors.iter().map(|(_, view)| view.dtype()).collect();
        match (types.contains(&Dtype::I8), types.iter().all(|&dtype| dtype == Dtype::F16)) {
            (true, _) => WeightFormat::I8,
            (false, true) => WeightFormat::F16,
            (false, false) => WeightFormat::F32,
        }
    }

    /// Returns whether the file has a tensor of the layer with this name.
    #[must_use]
    pub fn has_layer(&self, name: &str) -> bool {
        parts(name).iter().any(|part| self.tensors.tensor(part).is_ok())
    }

    /// Returns the layer with this name.
    pub fn layer(&self, name: &str) -> Result<Layer, ModelError> {
        let [weights, biases, scales] = parts(name);
        let is_short = self.tensors.tensor(&weights).is_ok_and(|view| view.dtype() == Dtype::I8);
        let (shape, mut weights) = self.tensor(weights, 2)?;
        let (_, biases) = self.tensor(biases, 1)?;
        let [outputs, inputs] = [shape[0], shape[1]];
        if is_short {
            let (_, factors) = self.tensor(scales.clone(), 1)?;
            if factors.len() != outputs {
                let reason = format!("{} factors; {outputs} are needed", factors.len());
                return Err(ModelError::Tensor { name: scales, reason });
            }
            for (row, factor) in weights.chunks_mut(inputs.max(1)).zip(&factors) {
                row.iter_mut().for_each(|x| *x *= factor);
            }
        } else if self.tensors.tensor(&scales).is_ok() {
            let reason = "not part of the network, whose weights are no integers".to_owned();
            return Err(ModelError::Tensor { name: scales, reason });
        }
        Ok(Layer { inputs, outputs, weights, biases })
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
            Dtype::I8 if dimensions == 2 => {
                data.iter().map(|byte| f32::from(byte.cast_signed())).collect()
            }
            other => {
                let reason =
                    format!("entries of type {other:?}; F32 or F16, of weights also I8, is needed");
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
        let tensors = layers.iter().flat_map(|(name, layer)| format.tensors(name, layer));
        let tensors: Vec<_> = tensors.collect();
        let views = tensors.iter().map(|(name, dtype, shape, data)| {
            let view = TensorView::new(*dtype, shape.clone(), data);
            (name, view.expect("as many bytes as the shape needs"))
        });
        let entry = serde_json::to_string(entry).expect("plain fields are JSON");
        let metadata = [(ENTRY.to_owned(), entry)].into_iter().collect();
        safetensors::serialize(views, Some(metadata)).expect("tensors with different names")
    }
}

/// Returns the names of the tensors of a layer.
fn parts(layer: &str) -> [String; 3] {
    ["weight", "bias", "scale"].map(|part| format!("{layer}.{part}"))
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
