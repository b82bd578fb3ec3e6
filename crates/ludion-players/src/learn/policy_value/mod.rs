//! Networks with policy and value: from the features of a state they estimate the probability of
//! each legal move and those of win, draw and loss for the side to move.
//!
//! A state is the ascending list of its active features, the inputs that are 1; all others are 0. A
//! move is the number of an action. The trunk is a stack of dense layers with ReLU, the first of
//! which adds one row of weights for each active feature. Two linear heads read its last outputs:
//! the value head gives logits of win, draw and loss, the policy head a logit for each action. Only
//! the logits of legal actions are computed, and the softmax is over them alone.
//!
//! Batches of any size, single states and all instruction sets give identical bits (see
//! [`linear`](super::linear)). The crate `ludion-train` trains these networks.
//!
//! ```
//! use ludion::learn::network::Layer;
//! use ludion::learn::policy_value::{PolicyValueLayers, PolicyValueNetwork, PolicyValueScratch};
//!
//! let layer = |inputs, outputs, weights: &[f32]| Layer {
//!     inputs,
//!     outputs,
//!     weights: weights.to_vec(),
//!     biases: vec![0.0; outputs],
//! };
//! // One hidden unit, which is the number of active features of two.
//! let network = PolicyValueNetwork::new(&PolicyValueLayers {
//!     trunk: vec![layer(2, 1, &[1.0, 1.0])],
//!     value: layer(1, 3, &[1.0, 0.0, -1.0]),
//!     policy: layer(1, 4, &[0.0, 9.0, 9.0, 0.0]),
//! })?;
//! let (mut scratch, mut priors) = (PolicyValueScratch::default(), [0.0; 2]);
//! let value = network.evaluate(&[0, 1], &[0, 3], &mut scratch, &mut priors);
//! assert!(value.win > 0.8 && value.expected_result() > 0.8);
//! assert_eq!(priors, [0.5, 0.5]);
//! # Ok::<(), ludion::learn::network::NetworkError>(())
//! ```

mod batch;
mod evaluator;
mod inputs;
mod model;
mod network;
mod parameters;
mod softmax;
#[cfg(test)]
mod tests;

pub use batch::PolicyValueBatch;
pub use evaluator::NetworkEvaluator;
pub use inputs::{NetworkInputs, WindowShapes, WindowShapesError};
pub use model::PolicyValueModel;
pub use network::{PolicyValueNetwork, PolicyValueScratch};
pub use parameters::{PolicyValueLayers, PolicyValueParameters};
pub use softmax::{WdlProbabilities, softmax};
