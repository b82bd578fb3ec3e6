//! A training as bytes, from which it continues with the same bits.
//!
//! The format is that of network files (`ludion::learn::tensor_file`), with four numbers for each
//! parameter: the weight (prefix `weights.`), the moments of Adam (`means.`, `squares.`) and the
//! average of the weight (`averages.`).

use ludion_players::learn::model::{ModelError, ModelKind, VERSION};
use ludion_players::learn::policy_value::{PolicyValueLayers, PolicyValueParameters};
use ludion_players::learn::tensor_file::{TensorFile, WeightFormat, checksum};
use serde::{Deserialize, Serialize};

use crate::adam::AdamStepSize;

use super::options::PolicyValueOptions;
use super::trainer::{PolicyValueTrainError, PolicyValueTrainer, TrainerState};

/// The prefixes of the names of layers.
const PREFIXES: [&str; 4] = ["weights.", "means.", "squares.", "averages."];

/// The contents of Ludion's metadata entry.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct CheckpointMetadata {
    version: u32,
    kind: ModelKind,
    steps: u64,
    beta_powers: [f64; 2],
    checksum: String,
}

impl PolicyValueTrainer {
    /// Serialises the weights and the state of the optimiser, but not the options.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let TrainerState { weights, moments: [means, squares], averages, step_size, steps } =
            self.state();
        let layers = [weights, means, squares, averages].map(PolicyValueParameters::layers);
        let entry = CheckpointMetadata {
            version: VERSION,
            kind: ModelKind::PolicyValueTraining,
            steps: *steps,
            beta_powers: step_size.beta_powers,
            checksum: checksum(layers.iter().flat_map(PolicyValueLayers::iter)),
        };
        let named = layers.iter().zip(PREFIXES).flat_map(|(layers, prefix)| layers.named(prefix));
        TensorFile::write(&entry, &named.collect::<Vec<_>>(), WeightFormat::F32)
    }

    /// Continues a training from the bytes of [`to_bytes`](Self::to_bytes). With the same options,
    /// samples and seeds it has the same future.
    pub fn from_bytes(
        bytes: &[u8],
        options: PolicyValueOptions,
    ) -> Result<Self, PolicyValueTrainError> {
        Self::with_state(read_state(bytes)?, options)
    }
}

/// Reads the state of a training.
fn read_state(bytes: &[u8]) -> Result<TrainerState, ModelError> {
    let file = TensorFile::parse(bytes)?;
    let entry: CheckpointMetadata = file.entry(ModelKind::PolicyValueTraining)?;
    let mut layers = Vec::new();
    let mut parameters = Vec::new();
    for prefix in PREFIXES {
        let read = PolicyValueLayers::read(&file, prefix)?;
        parameters.push(PolicyValueParameters::new(&read)?);
        layers.push(read);
    }
    let named = layers.iter().zip(PREFIXES).flat_map(|(layers, prefix)| layers.named(prefix));
    file.check_names(named.map(|(name, _)| name).collect::<Vec<_>>().iter().map(String::as_str))?;
    if entry.checksum != checksum(layers.iter().flat_map(PolicyValueLayers::iter)) {
        return Err(ModelError::Damaged);
    }
    let [weights, means, squares, averages]: [PolicyValueParameters; 4] =
        parameters.try_into().expect("one for each prefix");
    let state = TrainerState {
        weights,
        moments: [means, squares],
        averages,
        step_size: AdamStepSize { beta_powers: entry.beta_powers },
        steps: entry.steps,
    };
    if state.is_consistent() {
        Ok(state)
    } else {
        Err(ModelError::Metadata("the parts of the training do not fit together".to_owned()))
    }
}
