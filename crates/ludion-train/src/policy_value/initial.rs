//! Networks with random weights, to begin a training with.

use ludion_players::learn::network::{Layer, MAX_WIDTH, NetworkError};
use ludion_players::learn::policy_value::{PolicyValueLayers, PolicyValueNetwork};
use ludion_players::random::Rng;
use serde::{Deserialize, Serialize};

/// The factor that makes the weights of the heads small, so that an untrained network estimates
/// nearly equal probabilities.
const HEAD_SCALE: f64 = 0.1;

/// The shape of a network with policy and value.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PolicyValueShape {
    /// The number of features of a state.
    pub features: usize,
    /// The number of actions.
    pub actions: usize,
    /// The widths of the layers of the trunk.
    pub hidden: Vec<usize>,
    /// The number of features that are active in a typical state; the first weights are larger for
    /// fewer of them.
    pub active: usize,
}

impl PolicyValueShape {
    /// Returns a network with random weights from `seed` and biases 0. The weights of a layer are
    /// uniform within ±√(6/inputs) (He et al., 2015), where only active features count as inputs;
    /// those of the heads are smaller.
    ///
    /// # Errors
    /// When a width is 0 or too large, or there are too many layers.
    pub fn random_network(&self, seed: u64) -> Result<PolicyValueNetwork, NetworkError> {
        let mut rng = Rng::new(seed);
        let mut layer = |inputs: usize, outputs: usize, reach: f64| {
            // An invalid width has no weights; `PolicyValueNetwork::new` refuses it.
            let count = if inputs.max(outputs) > MAX_WIDTH { 0 } else { inputs * outputs };
            let weights = (0..count).map(|_| ((2.0 * rng.unit() - 1.0) * reach) as f32);
            Layer {
                inputs,
                outputs,
                weights: weights.collect(),
                biases: vec![0.0; outputs.min(MAX_WIDTH)],
            }
        };
        let he = |inputs: usize| (6.0 / inputs.max(1) as f64).sqrt();
        let (mut inputs, mut reach) = (self.features, he(self.active.min(self.features)));
        let mut trunk = Vec::new();
        for &outputs in &self.hidden {
            trunk.push(layer(inputs, outputs, reach));
            (inputs, reach) = (outputs, he(outputs));
        }
        let reach = reach * HEAD_SCALE;
        let value = layer(inputs, 3, reach);
        let policy = layer(inputs, self.actions, reach);
        PolicyValueNetwork::new(&PolicyValueLayers { trunk, value, policy })
    }
}
