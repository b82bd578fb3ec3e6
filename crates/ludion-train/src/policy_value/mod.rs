//! Training of networks with policy and value (`ludion::learn::policy_value`).
//!
//! The loss of a sample is the cross-entropy of the policy over its legal actions plus that of win,
//! draw and loss, each with a weight. The optimiser is Adam with decoupled weight decay (Loshchilov &
//! Hutter, 2019). Every step updates all parameters, also the rows of features that no sample of the
//! batch has: their gradient is 0, but their means decay. So a step depends on nothing but the state
//! of the optimiser and the batch, and a training that is stored and read back continues with the
//! same bits.
//!
//! ```
//! use std::sync::atomic::AtomicBool;
//!
//! use ludion::learn::policy_value::PolicyValueScratch;
//! use ludion_train::policy_value::{
//!     PolicyValueOptions, PolicyValueSamples, PolicyValueShape, PolicyValueTrainer,
//! };
//!
//! // Two states: in the first one action 2 is right and wins, in the second one action 0 draws.
//! let mut samples = PolicyValueSamples::new(4, 3);
//! samples.push(&[0, 3], &[(0, 0.0), (2, 1.0)], [1.0, 0.0, 0.0], 1.0)?;
//! samples.push(&[1, 2], &[(0, 5.0), (1, 0.0)], [0.0, 1.0, 0.0], 1.0)?;
//! let shape = PolicyValueShape { features: 4, actions: 3, hidden: vec![16], active: 2 };
//! let options = PolicyValueOptions { batch: 2, ..PolicyValueOptions::default() };
//! let mut trainer = PolicyValueTrainer::new(&shape.random_network(1)?, options)?;
//! for epoch in 0..300 {
//!     trainer.train_epoch(&samples, epoch, &AtomicBool::new(false))?;
//! }
//! let mut priors = [0.0; 2];
//! let (network, mut scratch) = (trainer.network(), PolicyValueScratch::default());
//! let value = network.evaluate(&[0, 3], &[0, 2], &mut scratch, &mut priors);
//! assert!(value.expected_result() > 0.9 && priors[1] > 0.9);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod checkpoint;
mod gradient;
mod initial;
mod options;
mod samples;
#[cfg(test)]
mod tests;
mod trainer;

pub use initial::PolicyValueShape;
pub use options::{LearningRate, PolicyValueOptions};
pub use samples::{PolicyValueSample, PolicyValueSamples, SampleError};
pub use trainer::{LossReport, PolicyValueTrainError, PolicyValueTrainer};
