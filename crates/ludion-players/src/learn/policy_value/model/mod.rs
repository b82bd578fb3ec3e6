//! The model file of a network with policy and value (see `docs/guide/network-file.md`).

use serde::{Deserialize, Serialize};

use crate::learn::model::{ModelError, ModelKind, VERSION};
use crate::learn::tensor_file::{TensorFile, WeightFormat, checksum};

use super::network::PolicyValueNetwork;
use super::parameters::PolicyValueLayers;

/// A network with policy and value, with the game and the encoding that it is for.
#[derive(Clone, PartialEq, Debug)]
pub struct PolicyValueModel {
    network: PolicyValueNetwork,
    game: String,
    encoding: String,
    training: serde_json::Value,
    format: WeightFormat,
}

/// The contents of Ludion's metadata entry.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PolicyValueMetadata {
    version: u32,
    kind: ModelKind,
    game: String,
    encoding: String,
    #[serde(default)]
    training: serde_json::Value,
    /// The CRC-32 of all weights and biases as 32-bit floats, in hexadecimal; `None` in files of
    /// other programs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    checksum: Option<String>,
}

impl PolicyValueModel {
    /// Combines a network with the spec of its game, the name of the encoding of states and actions,
    /// and any description of its training.
    #[must_use]
    pub fn new(
        network: PolicyValueNetwork,
        game: impl Into<String>,
        encoding: impl Into<String>,
        training: serde_json::Value,
    ) -> Self {
        let (game, encoding) = (game.into(), encoding.into());
        PolicyValueModel { network, game, encoding, training, format: WeightFormat::F32 }
    }

    /// Rounds the weights to this format, so that the file is smaller: half the size with 16 bits,
    /// where weights beyond ±65504 become that, and about a quarter with 8 bits.
    #[must_use]
    pub fn with_format(self, format: WeightFormat) -> Self {
        let mut layers = self.network.layers();
        layers.iter_mut().for_each(|layer| format.round(layer));
        let network = PolicyValueNetwork::new(&layers).expect("rounded weights are finite");
        PolicyValueModel { network, format, ..self }
    }

    /// Returns the network.
    #[must_use]
    pub fn network(&self) -> &PolicyValueNetwork {
        &self.network
    }

    /// Returns the spec of the game.
    #[must_use]
    pub fn game(&self) -> &str {
        &self.game
    }

    /// Returns the name of the encoding of states and actions.
    #[must_use]
    pub fn encoding(&self) -> &str {
        &self.encoding
    }

    /// Returns the description of the training.
    #[must_use]
    pub fn training(&self) -> &serde_json::Value {
        &self.training
    }

    /// Returns the format of the weights in the file.
    #[must_use]
    pub fn format(&self) -> WeightFormat {
        self.format
    }

    /// Checks that the model is for this game, encoding and numbers of features and actions.
    pub fn check_game(
        &self,
        game: &str,
        encoding: &str,
        features: usize,
        actions: usize,
    ) -> Result<(), ModelError> {
        if self.game != game {
            return Err(ModelError::Game { found: self.game.clone(), wanted: game.to_owned() });
        }
        if self.encoding != encoding {
            let (found, wanted) = (self.encoding.clone(), encoding.to_owned());
            return Err(ModelError::Encoding { found, wanted });
        }
        let sizes = [
            ("features", self.network.features(), features),
            ("actions", self.network.actions(), actions),
        ];
        match sizes.into_iter().find(|(_, found, wanted)| found != wanted) {
            Some((what, found, wanted)) => Err(ModelError::Size { what, found, wanted }),
            None => Ok(()),
        }
    }

    /// Serialises the model to the bytes of a file; equal models give equal bytes.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let layers = self.network.layers();
        let entry = PolicyValueMetadata {
            version: VERSION,
            kind: ModelKind::PolicyValue,
            game: self.game.clone(),
            encoding: self.encoding.clone(),
            training: self.training.clone(),
            checksum: Some(checksum(layers.iter())),
        };
        TensorFile::write(&entry, &layers.named(""), self.format)
    }

    /// Parses the bytes of a model file.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ModelError> {
        let file = TensorFile::parse(bytes)?;
        let entry: PolicyValueMetadata = file.entry(ModelKind::PolicyValue)?;
        let layers = PolicyValueLayers::read(&file, "")?;
        file.check_names(layers.named("").iter().map(|(name, _)| name.as_str()))?;
        let network = PolicyValueNetwork::new(&layers)?;
        if entry.checksum.is_some_and(|written| written != checksum(layers.iter())) {
            return Err(ModelError::Damaged);
        }
        let PolicyValueMetadata { game, encoding, training, .. } = entry;
        Ok(PolicyValueModel { network, game, encoding, training, format: file.format() })
    }
}

#[cfg(test)]
mod tests;
