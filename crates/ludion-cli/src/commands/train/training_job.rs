//! From the bytes of an archive to a trained network: games are labelled, split into those that
//! are trained on and those held back, equal rows merged in either part, and the epochs shown.

use std::ops::ControlFlow;
use std::sync::atomic::Ordering;

use ludion::learn::dataset::{Dataset, LabelledPosition, merge};
use ludion::learn::labelling::Labelling;
use ludion::random::derive_seed;
use ludion::registry::AnyGame;
use ludion_plot::{ChartPoint, ChartSeries};
use ludion_train::{EpochReport, TrainedModel, Trainer, TrainingSpec};

use crate::failure::CommandFailure;
use crate::runs::interrupt;

/// What is learned, and from what.
pub(crate) struct TrainingJob<'a> {
    pub(crate) game: &'a dyn AnyGame,
    /// The archive, and what it is called.
    pub(crate) bytes: &'a [u8],
    pub(crate) name: &'a str,
    pub(crate) lesson: Labelling,
    /// Games that count, from the first.
    pub(crate) games: u64,
    pub(crate) spec: TrainingSpec,
}

/// What came of it.
pub(crate) struct TrainedNetwork {
    pub(crate) trained: TrainedModel,
    pub(crate) games: u64,
    pub(crate) held_back: u64,
}

/// What seeds are derived for, beside those of the training itself.
const SPLIT: u64 = 10;

impl TrainingJob<'_> {
    /// Trains; `see` is shown every epoch. Ctrl-C ends it with the best weights so far.
    pub(crate) fn train(
        &self,
        mut see: impl FnMut(&EpochReport),
    ) -> Result<TrainedNetwork, CommandFailure> {
        let trainer = Trainer::new(TrainingSpec {
            game: self.game.spec().to_owned(),
            labels: self.lesson.to_string(),
            ..self.spec.clone()
        })?;
        let (parts, [kept, held_back]) = self.samples()?;
        let [taught, held] = parts.map(merge);
        let (first, all) = (taught.len() as u32, (taught.len() + held.len()) as u32);
        let data = Dataset::from_bits(self.lesson.width(), &[taught, held].concat())
            .map_err(|error| CommandFailure::Failed(format!("{}: {error}", self.name)))?;
        let split = ((0..first).collect(), (first..all).collect());
        let trained = trainer.train_on(&data, split, |epoch| {
            see(epoch);
            match interrupt::flag().load(Ordering::Relaxed) {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        })?;
        Ok(TrainedNetwork { trained, games: kept + held_back, held_back })
    }

    /// The samples of games to train on and of games held back, and how many games those are.
    fn samples(&self) -> Result<([Vec<LabelledPosition>; 2], [u64; 2]), CommandFailure> {
        let (mut parts, mut counts) = ([Vec::new(), Vec::new()], [0; 2]);
        let seen = self.game.label_games(self.lesson, self.bytes, &mut |samples| {
            let number: u64 = counts.iter().sum();
            let drawn = derive_seed(self.spec.seed, &[SPLIT, number]) as f64 / u64::MAX as f64;
            let part = usize::from(drawn < self.spec.held_back);
            parts[part].extend(samples);
            counts[part] += 1;
            let enough = number + 1 == self.games;
            if enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        seen.map_err(|error| CommandFailure::Failed(format!("{}: {error}", self.name)))?;
        Ok((parts, counts))
    }
}

/// A figure of every epoch, as a line of a chart.
pub(crate) fn line(
    name: &str,
    curve: &[EpochReport],
    of: impl Fn(&EpochReport) -> Option<f64>,
) -> ChartSeries {
    let point =
        |epoch: &EpochReport| of(epoch).map(|y| ChartPoint::bare(f64::from(epoch.number), y));
    let line = curve.iter().filter_map(point).collect();
    ChartSeries { name: name.to_owned(), line, ..ChartSeries::default() }
}
