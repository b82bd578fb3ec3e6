//! Training of networks: what `ludion::learn` can use, made from rows with targets.
//!
//! ```
//! use std::ops::ControlFlow;
//!
//! use ludion::learn::dataset::{Dataset, Sample};
//! use ludion_train::{Spec, Trainer};
//!
//! // How many of ten bits are set.
//! let rows: Vec<Sample> =
//!     (0..1024_u128).map(|bits| Sample::new(bits, f64::from(bits.count_ones()))).collect();
//! let data = Dataset::from_bits(10, &rows)?;
//! let spec = Spec { hidden: vec![16], epochs: 40, batch: 32, rate: 0.01, ..Spec::default() };
//! let trained = Trainer::new(spec)?.train(&data, |_| ControlFlow::Continue(()))?;
//! assert!(trained.model.outcome().r2.is_some_and(|r2| r2 > 0.99));
//! assert!((trained.model.network().value(0b1011) - 3.0).abs() < 0.5);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! One thread, and sums in a fixed order: the same spec and the same data give the same weights,
//! bit for bit, on every machine. This crate opens no file.

mod adam;
mod backprop;
mod objective;
mod trainer;

pub use ludion::learn::model::{LossFunction, TrainingSpec};
pub use trainer::{EpochReport, TrainError, TrainedModel, Trainer, TrainingEnd};
