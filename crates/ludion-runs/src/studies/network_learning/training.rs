//! The rounds of a learning: the window of self-play games, trainings, and what is cached of them.

use std::collections::VecDeque;
use std::sync::atomic::AtomicBool;

use ludion_players::learn::dataset::shuffle;
use ludion_players::learn::policy_value::{NetworkInputs, PolicyValueModel, WdlProbabilities};
use ludion_players::learn::self_play::{AnyNetworkLearner, SelfPlayRecord};
use ludion_players::outcome::Wdl;
use ludion_players::random::Rng;
use ludion_train::policy_value::{LossReport, PolicyValueSamples, PolicyValueTrainer};
use serde::{Deserialize, Serialize};

use super::{NetworkGeneration, NetworkLearning, NetworkLearningSettings, TRAINING_SEED, failed};
use crate::RunError;
use crate::studies::StudySession;

/// How often resignations were checked by playing on, and how often they were wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct ResignationCheck {
    /// Number of games that were played on after a resignation.
    pub played_on: u64,
    /// Number of them that the side that resigned did not lose.
    pub wrong: u64,
}

/// Number of checks before resignations can be found to be wrong too often.
const MIN_CHECKS: u64 = 20;
/// One resignation of this many may be wrong.
const WRONG_ONE_OF: u64 = 20;

impl ResignationCheck {
    /// Counts the checked resignations of some games.
    fn of_games<'a>(games: impl Iterator<Item = &'a SelfPlayRecord>) -> Self {
        let mut check = ResignationCheck::default();
        for SelfPlayRecord { end, resignation, .. } in games {
            if let Some(found) = resignation.filter(|found| found.played_on) {
                check.played_on += 1;
                check.wrong += u64::from(end.seen_by(found.side) != Wdl::Loss);
            }
        }
        check
    }

    /// Returns whether games may be resigned: not if more than one of [`WRONG_ONE_OF`] is wrong.
    fn allows(&self) -> bool {
        self.played_on < MIN_CHECKS || self.wrong * WRONG_ONE_OF <= self.played_on
    }
}

/// The samples of the games of the window.
pub(super) struct WindowSamples {
    pub(super) all: PolicyValueSamples,
    /// The rounds that they come from, oldest first, with the number of samples of each.
    pub(super) rounds: VecDeque<(u64, usize)>,
}

impl WindowSamples {
    pub(super) fn new(inputs: &NetworkInputs) -> Self {
        let all = PolicyValueSamples::new(inputs.count(), inputs.shape().actions);
        WindowSamples { all, rounds: VecDeque::new() }
    }

    /// Adds the samples of a game.
    fn add(
        &mut self,
        learner: &dyn AnyNetworkLearner,
        inputs: &NetworkInputs,
        record: &SelfPlayRecord,
        trust: f32,
    ) -> Result<(), RunError> {
        let mut refused = None;
        let added = learner.for_each_sample(inputs, record, trust, &mut |sample| {
            let WdlProbabilities { win, draw, loss } = sample.value;
            let pushed = self.all.push(sample.inputs, sample.policy, [win, draw, loss], 1.0);
            refused = refused.take().or(pushed.err());
        });
        added.map_err(failed)?;
        refused.map_or(Ok(()), |error| Err(failed(error)))
    }
}

/// Results of the training of a round.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct FinishedTraining {
    pub(super) loss: LossReport,
    /// Number of samples of the window.
    pub(super) samples: u64,
    pub(super) resignations: ResignationCheck,
    /// Whether sides may resign in the self-play of the next round.
    pub(super) may_resign: bool,
}

impl NetworkLearning {
    /// Returns the common prefix of the names of all cached values.
    pub(super) fn name(&self, version: &str) -> String {
        let NetworkLearningSettings { game, .. } = &self.settings;
        format!("{game}, settings {:016x}, version {version}", self.fingerprint)
    }

    pub(super) fn games_name(&self, round: u64, job: u64, version: &str) -> String {
        format!("{}, games of round {round}, part {job}", self.name(version))
    }

    pub(super) fn checkpoint_name(&self, rounds: u64, version: &str) -> String {
        format!("{}, training after {rounds} rounds", self.name(version))
    }

    fn results_name(&self, rounds: u64, version: &str) -> String {
        format!("{}, results after {rounds} rounds", self.name(version))
    }

    pub(super) fn perfect_name(&self, rounds: u64, version: &str) -> String {
        format!("{}, perfect checks up to {rounds} rounds", self.name(version))
    }

    pub(super) fn kept_name(&self, rounds: u64, version: &str) -> String {
        format!("{}, network after {rounds} rounds", self.name(version))
    }

    /// Continues after the last round whose training is in the cache, and takes over the last network
    /// that was kept.
    pub(super) fn restore(
        &mut self,
        session: &StudySession<NetworkGeneration>,
    ) -> Result<(), RunError> {
        if self.trained > 0 {
            return Ok(());
        }
        let rounds = u64::from(self.settings.rounds);
        for finished in (1..=rounds).rev() {
            let Some(trainer) = self.cached_trainer(session, finished)? else { continue };
            let first = self.first_of_window(finished);
            for round in first.max(1)..finished {
                let results = self.cached_results(session, round)?;
                let trainer = self.cached_trainer(session, round)?;
                if let Some((results, earlier)) = results.zip(trainer) {
                    self.players.insert(round, earlier.network());
                    self.trainings.insert(round, results);
                }
            }
            if first > 0 {
                self.players.remove(&0);
            }
            // Without the networks of the window the lost games cannot be played again.
            if (first..finished).any(|round| !self.players.contains_key(&round)) {
                return Ok(());
            }
            let Some(results) = self.cached_results(session, finished)? else { return Ok(()) };
            self.players.insert(finished, trainer.network());
            self.trainings.insert(finished, results);
            (self.trainer, self.trained) = (trainer, finished);
            break;
        }
        self.restore_kept(session)?;
        if self.trained > 0 && self.settings.is_checked(self.trained - 1) {
            self.begin_check();
        }
        Ok(())
    }

    /// Takes over the last network that was kept.
    fn restore_kept(&mut self, session: &StudySession<NetworkGeneration>) -> Result<(), RunError> {
        let records = (0..self.settings.generations()).filter_map(|i| session.record(i));
        let Some(record) = records.filter(|record| record.kept).last() else { return Ok(()) };
        let name = |version: &str| self.kept_name(record.rounds.into(), version);
        if let Some(bytes) = session.cached(name)?.filter(|bytes| !bytes.is_empty()) {
            let model = PolicyValueModel::from_bytes(&bytes).map_err(failed)?;
            self.kept = model.network().clone();
        }
        Ok(())
    }

    fn cached_results(
        &self,
        session: &StudySession<NetworkGeneration>,
        rounds: u64,
    ) -> Result<Option<FinishedTraining>, RunError> {
        let bytes = session.cached(|version| self.results_name(rounds, version))?;
        Ok(bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok()))
    }

    fn cached_trainer(
        &self,
        session: &StudySession<NetworkGeneration>,
        rounds: u64,
    ) -> Result<Option<PolicyValueTrainer>, RunError> {
        let bytes = session.cached(|version| self.checkpoint_name(rounds, version))?;
        let Some(bytes) = bytes.filter(|bytes| !bytes.is_empty()) else { return Ok(None) };
        Ok(PolicyValueTrainer::from_bytes(&bytes, self.settings.training_of(rounds)).ok())
    }

    /// Trains the network on the games of the window; returns `false` if `stop` is set before the
    /// end.
    pub(super) fn train(
        &mut self,
        session: &mut StudySession<NetworkGeneration>,
        stop: &AtomicBool,
    ) -> Result<bool, RunError> {
        let round = self.trained;
        self.update_samples()?;
        self.trainer.set_options(self.settings.training_of(round)).map_err(failed)?;
        let seed = self.seed(round, TRAINING_SEED);
        let count = self.samples.all.len();
        let order = self.training_order(count, seed);
        let report = self.trainer.train_on(&self.samples.all, &order, stop).map_err(failed)?;
        let Some(loss) = report else { return Ok(false) };
        self.trained += 1;
        self.players.insert(self.trained, self.trainer.network());
        let resignations = ResignationCheck::of_games(self.window_games());
        let (samples, may_resign) = (count as u64, resignations.allows());
        let results = FinishedTraining { loss, samples, resignations, may_resign };
        let bytes = serde_json::to_vec(&results).map_err(failed)?;
        session.cache(|version| self.results_name(round + 1, version), &bytes)?;
        self.trainings.insert(self.trained, results);
        let bytes = self.trainer.to_bytes();
        session.cache(|version| self.checkpoint_name(round + 1, version), &bytes)?;
        self.drop_old(session)?;
        if self.settings.is_checked(round) {
            self.begin_check();
        }
        Ok(true)
    }

    /// Returns the games that the training of the current round uses.
    fn window_games(&self) -> impl Iterator<Item = &SelfPlayRecord> {
        let last = self.games.last_key_value().map_or(0, |(&round, _)| round);
        self.games.range(self.first_of_window(last)..).flat_map(|(_, games)| games)
    }

    /// Adds the samples of the rounds of the window that are not yet in memory, and drops those of
    /// older rounds.
    fn update_samples(&mut self) -> Result<(), RunError> {
        let first = self.first_of_window(self.trained);
        while self.samples.rounds.front().is_some_and(|(round, _)| *round < first) {
            let (_, count) = self.samples.rounds.pop_front().expect("there is a first one");
            self.samples.all.drop_oldest(count);
        }
        let next = self.samples.rounds.back().map_or(first, |(round, _)| round + 1);
        for (&round, games) in self.games.range(next..) {
            let before = self.samples.all.len();
            for record in games {
                self.samples.add(&*self.learner, &self.inputs, record, self.settings.trust)?;
            }
            self.samples.rounds.push_back((round, self.samples.all.len() - before));
        }
        Ok(())
    }

    /// Returns the samples of one training in random order: as many of the window as make every sample
    /// be used as often as the settings say while it is in the window, but each at most once.
    fn training_order(&self, samples: usize, seed: u64) -> Vec<u32> {
        let mut order: Vec<u32> = (0..samples as u32).collect();
        shuffle(&mut order, &mut Rng::new(seed));
        let rounds = self.games.range(self.first_of_window(self.trained)..).count();
        let uses = self.settings.uses as usize;
        order.truncate((samples * uses).div_ceil(rounds.max(uses)));
        order
    }

    /// Drops what no later training uses, also from the cache.
    fn drop_old(&mut self, session: &mut StudySession<NetworkGeneration>) -> Result<(), RunError> {
        let first = self.first_of_window(self.trained);
        let old: Vec<u64> = self.games.range(..first).map(|(&round, _)| round).collect();
        for round in old {
            self.games.remove(&round);
            self.players.remove(&round);
            self.trainings.remove(&round);
            for job in 0..self.self_play_jobs() {
                session.drop_cached(|version| self.games_name(round, job, version))?;
            }
            session.drop_cached(|version| self.checkpoint_name(round, version))?;
        }
        Ok(())
    }
}
