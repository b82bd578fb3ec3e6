//! Trains networks on datasets of `ludion::learn` or on archives of games: backpropagation, Adam
//! and early stopping. Module [`policy_value`] trains networks with policy and value.
//!
//! ```
//! use std::ops::ControlFlow;
//!
//! use ludion::learn::dataset::Dataset;
//! use ludion::learn::rows::LabelledRows;
//! use ludion_train::{Trainer, TrainingSettings};
//!
//! // The target is the number of bits set of ten.
//! let mut rows = LabelledRows::new(10);
//! (0..1024_u128).for_each(|bits| rows.push_bits(bits, f64::from(bits.count_ones())));
//! let data = Dataset::from_bits(&rows)?;
//! let (hidden, default) = (vec![16], TrainingSettings::default());
//! let spec = TrainingSettings { hidden, epochs: 40, batch: 32, rate: 0.01, ..default };
//! let trained = Trainer::new(spec)?.train(&data, |_| ControlFlow::Continue(()))?;
//! assert!(trained.model.outcome().r2.is_some_and(|r2| r2 > 0.99));
//! assert!((trained.model.network().value(&[0b1011]) - 3.0).abs() < 0.5);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Training uses one thread and a fixed order of summation: the same settings and data give the
//! same weights, bit for bit, on every machine. This crate opens no file.

mod adam;
mod archive;
mod archive_dataset;
mod backprop;
mod loss;
pub mod policy_value;
mod trainer;

pub use archive::{ArchiveTrained, ArchiveTraining, ArchiveTrainingError};
pub use archive_dataset::{ArchiveDataset, ArchiveDatasetError, ArchiveDatasetOptions};
pub use ludion_players::learn::model::{LossFunction, TrainingSettings};
pub use trainer::{EpochReport, TrainError, TrainedModel, Trainer, TrainingEnd};
