//! Learns a network with policy and value by self-play, in the manner of AlphaZero (Silver et al.
//! 2018). Each round plays games of the newest network against itself and trains it on the games of
//! the last rounds. After some rounds the network is checked: a sequential test against the last
//! network that was kept decides whether it is kept, matches against other players place it on a
//! ladder, and where the exact solver can solve random positions, it judges the choices.
//!
//! A record is a generation: the network of a check. It depends only on the settings; games, match
//! results and the states of trainings are cached, so that a killed run loses at most a round.

mod report;
mod settings;
mod stages;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use ludion_players::arena::elo::{EloReport, PairCounts};
use ludion_players::arena::pair::GameSettings;
use ludion_players::arena::sprt::{EloScale, Sprt, SprtDecision};
use ludion_players::learn::policy_value::{NetworkInputs, PolicyValueModel, PolicyValueNetwork};
use ludion_players::learn::self_play::{AnyNetworkLearner, SelfPlayRecord};
use ludion_players::player::Budget;
use ludion_players::random::{Rng, derive_seed};
use ludion_players::registry::Registry;
use ludion_store::{JobOutput, StudyPlan};
use ludion_train::policy_value::{LossReport, PolicyValueSamples, PolicyValueTrainer};
use serde::{Deserialize, Serialize};

use super::{OutputKey, StageRequest, StoredJobOutput, Study, StudyRecords, StudySession};
use crate::cluster::Attachment;
use crate::{RunError, plural};
pub use report::{LadderReport, NetworkGenerationReport, NetworkLearningReport};
pub use settings::{NetworkLearningRequest, NetworkLearningSettings};
use stages::{
    JUDGE_JOB_POSITIONS, Judgement, LAST, MATCH_JOB_PAIRS, NEW, PLAYER, SELF_PLAY_JOB_GAMES,
    learner_of, read_games,
};
pub use stages::{NetworkStage, NetworkStageSpec, NetworkThreadState};

/// Result of the match against a player of the ladder.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct LadderMatch {
    /// Spec of the opponent.
    pub opponent: String,
    /// Results of the pairs.
    pub pairs: PairCounts,
}

/// What the exact solver found out about the choices in random positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct JudgedPositions {
    /// Number of positions that the solver solved.
    pub solved: u64,
    /// Number of them in which the choice of the search keeps the value of the position.
    pub search_keeps: u64,
    /// Number of them in which the first choice of the network keeps it.
    pub policy_keeps: u64,
}

/// Result of a check: the training of a generation, its matches and the solver's judgement.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct NetworkGeneration {
    /// Number of the generation, from 1.
    pub generation: u32,
    /// Number of rounds so far.
    pub rounds: u32,
    /// Number of self-play games so far.
    pub games: u64,
    /// Number of samples of the last training.
    pub samples: u64,
    /// Losses of the last training.
    pub loss: LossReport,
    /// CRC-32 of the file of the network, in hexadecimal.
    pub checksum: String,
    /// Results of the pairs against the last kept generation; for the first one, against the
    /// untrained network.
    pub against_last: PairCounts,
    /// Results of the matches against other players.
    pub ladder: Vec<LadderMatch>,
    /// The judgement of the exact solver.
    pub judged: JudgedPositions,
    /// Whether this generation passed the test against the last kept one and was kept.
    pub kept: bool,
}

/// Number of random plies at the beginning of each game of a match.
const MATCH_OPENING: u32 = 4;
/// Number of pairs of a match between two decisions of the sequential test.
const TEST_PAIRS: u64 = 20;
/// How often a sample is used in trainings, on average.
const USES: usize = 6;
/// Indices with which the seeds of self-play, trainings, matches and judgements are derived.
const SELF_PLAY_SEED: u64 = 0;
const TRAINING_SEED: u64 = 1;
const MATCH_SEED: u64 = 2;
const JUDGE_SEED: u64 = 3;
const NETWORK_SEED: u64 = 4;

/// The test that a generation must pass to be kept: that it is not worse than the last. Networks of a
/// game that both play perfectly are equal, so the test does not ask for more.
const GATE: Sprt =
    Sprt { elo0: -40.0, elo1: 10.0, alpha: 0.05, beta: 0.05, model: EloScale::Logistic };

/// A stage of a learning.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum LearningStage {
    /// Self-play of the round with this number: the current one, or an earlier one whose games are
    /// needed again.
    SelfPlay(u64),
    /// Part of the match against the last kept generation.
    AgainstLast,
    /// Match against the player of the ladder with this index.
    Ladder(usize),
    /// Judgement by the exact solver.
    Judge,
}

/// A check in progress.
struct Check {
    network: PolicyValueNetwork,
    loss: LossReport,
    samples: u64,
    against_last: PairCounts,
    ladder: Vec<LadderMatch>,
}

/// A study that learns a network, while it runs.
pub struct NetworkLearning {
    settings: NetworkLearningSettings,
    learner: Box<dyn AnyNetworkLearner>,
    inputs: NetworkInputs,
    ladder: Vec<String>,
    trainer: PolicyValueTrainer,
    /// Number of rounds that the trainer has finished.
    trained: u64,
    /// The networks that play the rounds of the window and the next one, by round.
    players: BTreeMap<u64, PolicyValueNetwork>,
    /// Self-play games by round, for the rounds of the window.
    games: BTreeMap<u64, Vec<SelfPlayRecord>>,
    /// The last network that was kept; at first the untrained one.
    kept: PolicyValueNetwork,
    stage: LearningStage,
    check: Option<Check>,
    /// Losses and number of samples of the last training.
    last_training: (LossReport, u64),
    /// Hash of the settings, part of the names of cached values.
    fingerprint: u64,
}

/// Returns the specs of the players that a network is compared with: the searches that the game has
/// without learning.
fn ladder_of(registry: &Registry, game: &str, sims: u32) -> Result<Vec<String>, RunError> {
    let game = registry.game(game)?;
    let specs = [format!("mcts(sims={})", 10 * sims), "deepening(depth=4, secs=0)".to_owned()];
    let known = specs.into_iter().filter(|spec| game.player(spec).is_ok());
    Ok(known.collect())
}

/// Returns the number of pairs that are counted.
fn pairs_of(counts: &PairCounts) -> u64 {
    counts.score_counts().total() as u64
}

fn failed(error: impl std::fmt::Display) -> RunError {
    RunError::Failed(error.to_string())
}

impl NetworkLearning {
    fn seed(&self, round: u64, purpose: u64) -> u64 {
        derive_seed(self.settings.seed, &[round, purpose])
    }

    /// Returns the common prefix of the names of all cached values.
    fn name(&self, version: &str) -> String {
        let NetworkLearningSettings { game, .. } = &self.settings;
        format!("{game}, settings {:016x}, version {version}", self.fingerprint)
    }

    fn games_name(&self, round: u64, job: u64, version: &str) -> String {
        format!("{}, games of round {round}, part {job}", self.name(version))
    }

    fn checkpoint_name(&self, rounds: u64, version: &str) -> String {
        format!("{}, training after {rounds} rounds", self.name(version))
    }

    fn losses_name(&self, rounds: u64, version: &str) -> String {
        format!("{}, losses after {rounds} rounds", self.name(version))
    }

    fn self_play_jobs(&self) -> u64 {
        self.settings.games.div_ceil(SELF_PLAY_JOB_GAMES)
    }

    /// Returns the first round whose games the training of `round` uses.
    fn first_of_window(&self, round: u64) -> u64 {
        (round + 1).saturating_sub(self.settings.window.into())
    }

    /// Returns the bytes of the model file of a network.
    fn model_bytes(&self, network: &PolicyValueNetwork, rounds: u64) -> Vec<u8> {
        let NetworkLearningSettings { game, seed, games, .. } = &self.settings;
        let training = serde_json::json!({
            "rounds": rounds, "games": rounds * games, "seed": seed,
        });
        let model = PolicyValueModel::new(network.clone(), game, self.inputs.name(), training);
        model.to_bytes()
    }

    fn attachment(&self, name: &str, network: &PolicyValueNetwork) -> Attachment {
        let bytes = self.model_bytes(network, self.trained);
        Attachment { name: name.to_owned(), bytes: Arc::new(bytes) }
    }

    /// Continues after the last round whose training is in the cache, and takes over the last network
    /// that was kept.
    fn restore(&mut self, session: &StudySession<NetworkGeneration>) -> Result<(), RunError> {
        if self.trained > 0 {
            return Ok(());
        }
        let rounds = u64::from(self.settings.rounds);
        for finished in (1..=rounds).rev() {
            let Some(trainer) = self.cached_trainer(session, finished)? else { continue };
            let first = self.first_of_window(finished);
            for round in first.max(1)..finished {
                if let Some(earlier) = self.cached_trainer(session, round)? {
                    self.players.insert(round, earlier.network());
                }
            }
            if first > 0 {
                self.players.remove(&0);
            }
            // Without the networks of the window the lost games cannot be played again.
            if (first..finished).any(|round| !self.players.contains_key(&round)) {
                return Ok(());
            }
            let losses = session.cached(|version| self.losses_name(finished, version))?;
            let losses = losses.and_then(|bytes| serde_json::from_slice(&bytes).ok());
            let Some(losses) = losses else { return Ok(()) };
            self.players.insert(finished, trainer.network());
            (self.trainer, self.trained, self.last_training) = (trainer, finished, losses);
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

    fn begin_check(&mut self) {
        let (loss, samples) = self.last_training;
        self.check = Some(Check {
            network: self.trainer.network(),
            loss,
            samples,
            against_last: PairCounts::default(),
            ladder: Vec::new(),
        });
    }

    fn kept_name(&self, rounds: u64, version: &str) -> String {
        format!("{}, network after {rounds} rounds", self.name(version))
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
    fn train(
        &mut self,
        session: &mut StudySession<NetworkGeneration>,
        stop: &AtomicBool,
    ) -> Result<bool, RunError> {
        let round = self.trained;
        let shape = self.inputs.shape();
        let mut samples = PolicyValueSamples::new(self.inputs.count(), shape.actions);
        let mut refused = None;
        for record in self.games.range(self.first_of_window(round)..).flat_map(|(_, games)| games) {
            let added = self.learner.for_each_sample(
                &self.inputs,
                record,
                self.settings.trust,
                &mut |sample| {
                    let value = sample.value;
                    let wdl = [value.win, value.draw, value.loss];
                    let pushed = samples.push(sample.inputs, sample.policy, wdl, 1.0);
                    refused = refused.take().or(pushed.err());
                },
            );
            added.map_err(failed)?;
        }
        if let Some(error) = refused {
            return Err(failed(error));
        }
        self.trainer.set_options(self.settings.training_of(round)).map_err(failed)?;
        let seed = self.seed(round, TRAINING_SEED);
        let order = self.training_order(samples.len(), seed);
        let report = self.trainer.train_on(&samples, &order, stop).map_err(failed)?;
        let Some(loss) = report else { return Ok(false) };
        self.last_training = (loss, samples.len() as u64);
        self.trained += 1;
        self.players.insert(self.trained, self.trainer.network());
        let losses = serde_json::to_vec(&self.last_training).map_err(failed)?;
        session.cache(|version| self.losses_name(round + 1, version), &losses)?;
        let bytes = self.trainer.to_bytes();
        session.cache(|version| self.checkpoint_name(round + 1, version), &bytes)?;
        self.drop_old(session)?;
        if self.settings.is_checked(round) {
            self.begin_check();
        }
        Ok(true)
    }

    /// Returns the samples of one training in random order: as many of the window as make every sample
    /// be used [`USES`] times while it is in the window.
    fn training_order(&self, samples: usize, seed: u64) -> Vec<u32> {
        let mut order: Vec<u32> = (0..samples as u32).collect();
        let mut rng = Rng::new(seed);
        for i in (1..order.len()).rev() {
            order.swap(i, rng.below(i + 1));
        }
        let rounds = self.games.range(self.first_of_window(self.trained)..).count();
        order.truncate((samples * USES).div_ceil(rounds.max(USES)));
        order
    }

    /// Drops what no later training uses, also from the cache.
    fn drop_old(&mut self, session: &mut StudySession<NetworkGeneration>) -> Result<(), RunError> {
        let first = self.first_of_window(self.trained);
        let old: Vec<u64> = self.games.range(..first).map(|(&round, _)| round).collect();
        for round in old {
            self.games.remove(&round);
            self.players.remove(&round);
            for job in 0..self.self_play_jobs() {
                session.drop_cached(|version| self.games_name(round, job, version))?;
            }
            session.drop_cached(|version| self.checkpoint_name(round, version))?;
        }
        Ok(())
    }

    fn self_play_request(&self, round: u64) -> StageRequest<NetworkStageSpec> {
        let NetworkLearningSettings { game, self_play, games, .. } = &self.settings;
        let spec = NetworkStageSpec::SelfPlay {
            game: game.clone(),
            options: *self_play,
            games: *games,
            seed: self.seed(round, SELF_PLAY_SEED),
        };
        let attachments = vec![self.attachment(PLAYER, &self.players[&round])];
        StageRequest { spec, jobs: self.self_play_jobs(), attachments }
    }

    fn match_request(&self, check: &Check, opponent: String) -> StageRequest<NetworkStageSpec> {
        let is_gate = self.stage == LearningStage::AgainstLast;
        let played = if is_gate { pairs_of(&check.against_last) } else { 0 };
        let most = self.settings.pairs;
        let pairs = if is_gate { TEST_PAIRS.min(most - played) } else { most.min(TEST_PAIRS) };
        let terms = GameSettings {
            budget: Budget::UNLIMITED,
            opening: MATCH_OPENING,
            longest: self.settings.self_play.longest as u32,
            seed: self.seed(self.trained, MATCH_SEED),
        };
        let mut attachments = vec![self.attachment(NEW, &check.network)];
        if is_gate {
            attachments.push(self.attachment(LAST, &self.kept));
        }
        let players = [self.search_player(NEW), opponent];
        let game = self.settings.game.clone();
        let spec = NetworkStageSpec::Match { game, players, terms, first: played, pairs };
        StageRequest { spec, jobs: pairs.div_ceil(MATCH_JOB_PAIRS), attachments }
    }

    fn search_player(&self, network: &str) -> String {
        format!("mcts(sims={}, eval=net({network}))", self.settings.match_sims)
    }

    fn judge_request(&self, check: &Check) -> StageRequest<NetworkStageSpec> {
        let NetworkLearningSettings { game, positions, self_play, seed, .. } = &self.settings;
        let spec = NetworkStageSpec::Judge {
            game: game.clone(),
            players: [self.search_player(NEW), format!("policy({NEW})")],
            positions: *positions,
            plies: self_play.long_opening + self_play.short_opening,
            // The same positions in every check.
            seed: derive_seed(*seed, &[JUDGE_SEED]),
        };
        let attachments = vec![self.attachment(NEW, &check.network)];
        StageRequest { spec, jobs: positions.div_ceil(JUDGE_JOB_POSITIONS), attachments }
    }

    /// Returns the next stage of the check: the match against the last generation until it is
    /// decided, then the ladder, then the judgement.
    fn next_check_stage(&mut self) -> Option<StageRequest<NetworkStageSpec>> {
        let check = self.check.as_ref()?;
        let undecided = GATE.decide(&check.against_last.score_counts()) == SprtDecision::Open;
        if undecided && pairs_of(&check.against_last) < self.settings.pairs {
            self.stage = LearningStage::AgainstLast;
            return Some(self.match_request(check, self.search_player(LAST)));
        }
        if let Some(opponent) = self.ladder.get(check.ladder.len()) {
            self.stage = LearningStage::Ladder(check.ladder.len());
            return Some(self.match_request(check, opponent.clone()));
        }
        self.stage = LearningStage::Judge;
        Some(self.judge_request(check))
    }

    /// Ends a check; the network is kept if the test accepts it, or if the test is undecided and it
    /// scored at least half.
    fn finish_check(
        &mut self,
        judged: JudgedPositions,
        session: &mut StudySession<NetworkGeneration>,
    ) -> Result<(u64, NetworkGeneration), RunError> {
        let Check { network, loss, samples, against_last, ladder } =
            self.check.take().expect("a judgement ends a check");
        let counts = against_last.score_counts();
        let score = EloReport::from_counts(&counts).map_or(0.0, |report| report.score);
        let kept = match GATE.decide(&counts) {
            SprtDecision::Upper => true,
            SprtDecision::Lower => false,
            SprtDecision::Open => score >= 0.5,
        };
        let bytes = self.model_bytes(&network, self.trained);
        let generation = self.trained.div_ceil(self.settings.check.into());
        let record = NetworkGeneration {
            generation: generation as u32,
            rounds: self.trained as u32,
            games: self.trained * self.settings.games,
            samples,
            loss,
            checksum: format!("{:08x}", crc32fast::hash(&bytes)),
            against_last,
            ladder,
            judged,
            kept,
        };
        if kept {
            session.cache(|version| self.kept_name(self.trained, version), &bytes)?;
            self.kept = network;
            if let Some(path) = &self.settings.out {
                session.write_file(path, &bytes)?;
            }
        }
        Ok((generation - 1, record))
    }

    /// Returns whether the check after the rounds so far is recorded.
    fn is_recorded(&self, session: &StudySession<NetworkGeneration>) -> bool {
        let generation = self.trained.div_ceil(self.settings.check.into());
        generation > 0 && session.record(generation - 1).is_some()
    }
}

impl Study for NetworkLearning {
    const KIND: &'static str = "learn network";
    const UNIT: &'static str = "generations";
    const CACHE: &'static str = "learn network";

    type Request = NetworkLearningRequest;
    type Settings = NetworkLearningSettings;
    type Stage = NetworkStage;
    type Record = NetworkGeneration;
    type Report = NetworkLearningReport;

    fn settings(
        registry: &Registry,
        request: NetworkLearningRequest,
        seed: u64,
    ) -> Result<NetworkLearningSettings, RunError> {
        request.settings(registry, seed)
    }

    fn plan(settings: &NetworkLearningSettings) -> Result<StudyPlan, RunError> {
        let rounds = u64::from(settings.rounds);
        let about = format!("{}, {}", settings.game, plural(rounds, "round"));
        Ok(StudyPlan::new(Self::KIND, about, settings.generations(), settings.seed, settings)?)
    }

    fn total_jobs(settings: &NetworkLearningSettings) -> u64 {
        let NetworkLearningSettings { games, pairs, rounds, positions, .. } = settings;
        let games = games.div_ceil(SELF_PLAY_JOB_GAMES).saturating_mul((*rounds).into());
        let check = (pairs + 2 * TEST_PAIRS).div_ceil(MATCH_JOB_PAIRS)
            + positions.div_ceil(JUDGE_JOB_POSITIONS);
        games + check * settings.generations()
    }

    fn written_files(settings: &NetworkLearningSettings) -> Vec<&Path> {
        settings.out.as_deref().into_iter().collect()
    }

    fn new(registry: &Registry, settings: NetworkLearningSettings) -> Result<Self, RunError> {
        let learner = learner_of(&*registry.game(&settings.game)?)?;
        let windows = settings.inputs.parse().map_err(failed)?;
        let inputs = NetworkInputs::new(learner.encoding(), windows);
        let seed = derive_seed(settings.seed, &[NETWORK_SEED]);
        let network = settings.network_shape(&inputs).random_network(seed).map_err(failed)?;
        let trainer = PolicyValueTrainer::new(&network, settings.training_of(0)).map_err(failed)?;
        let ladder = ladder_of(registry, &settings.game, settings.match_sims)?;
        let fingerprint = settings.fingerprint()?;
        Ok(NetworkLearning {
            settings,
            learner,
            inputs,
            ladder,
            trainer,
            trained: 0,
            players: BTreeMap::from([(0, network.clone())]),
            games: BTreeMap::new(),
            kept: network,
            stage: LearningStage::SelfPlay(0),
            check: None,
            last_training: (LossReport::default(), 0),
            fingerprint,
        })
    }

    fn next_stage(
        &mut self,
        _registry: &Registry,
        session: &mut StudySession<NetworkGeneration>,
        stop: &AtomicBool,
    ) -> Result<Option<StageRequest<NetworkStageSpec>>, RunError> {
        self.restore(session)?;
        loop {
            if self.check.is_some() {
                if self.is_recorded(session) {
                    self.check = None;
                } else {
                    return Ok(self.next_check_stage());
                }
            }
            if self.trained >= u64::from(self.settings.rounds) {
                return Ok(None);
            }
            let mut window = self.first_of_window(self.trained)..=self.trained;
            if let Some(round) = window.find(|round| !self.games.contains_key(round)) {
                self.stage = LearningStage::SelfPlay(round);
                return Ok(Some(self.self_play_request(round)));
            }
            if !self.train(session, stop)? {
                return Ok(None);
            }
        }
    }

    fn output_key(&self, job: u64, version: &str) -> OutputKey {
        let (name, rounds) = (self.name(version), self.trained);
        OutputKey::Cached(match self.stage {
            LearningStage::SelfPlay(round) => self.games_name(round, job, version),
            LearningStage::AgainstLast => {
                let played = self.check.as_ref().map_or(0, |check| pairs_of(&check.against_last));
                format!("{name}, after {rounds} rounds against the last, from {played}, part {job}")
            }
            LearningStage::Ladder(i) => {
                format!("{name}, after {rounds} rounds against {}, part {job}", self.ladder[i])
            }
            LearningStage::Judge => format!("{name}, after {rounds} rounds judged, part {job}"),
        })
    }

    fn store_output(output: &Vec<u8>) -> StoredJobOutput<NetworkGeneration> {
        StoredJobOutput::Cached(output.clone())
    }

    fn load_output(stored: StoredJobOutput<NetworkGeneration>) -> Option<Vec<u8>> {
        match stored {
            StoredJobOutput::Cached(bytes) => Some(bytes),
            StoredJobOutput::Record(_) => None,
        }
    }

    fn finish_stage(
        &mut self,
        outputs: Vec<Vec<u8>>,
        session: &mut StudySession<NetworkGeneration>,
    ) -> Result<Option<(u64, NetworkGeneration)>, RunError> {
        match self.stage {
            LearningStage::SelfPlay(round) => {
                let mut games = Vec::new();
                for bytes in &outputs {
                    games.extend(read_games(bytes).map_err(failed)?);
                }
                self.games.insert(round, games);
            }
            LearningStage::AgainstLast | LearningStage::Ladder(_) => {
                let check = self.check.as_mut().expect("a match is part of a check");
                let mut pairs = match self.stage {
                    LearningStage::AgainstLast => std::mem::take(&mut check.against_last),
                    _ => PairCounts::default(),
                };
                for halves in outputs.iter().flat_map(|bytes| bytes.chunks_exact(2)) {
                    pairs.add([f64::from(halves[0]) / 2.0, f64::from(halves[1]) / 2.0]);
                }
                match self.stage {
                    LearningStage::Ladder(i) => {
                        check.ladder.push(LadderMatch { opponent: self.ladder[i].clone(), pairs });
                    }
                    _ => check.against_last = pairs,
                }
            }
            LearningStage::Judge => {
                let mut judged = JudgedPositions::default();
                for &byte in outputs.iter().flatten() {
                    let is = |judgement: Judgement| byte == judgement as u8;
                    let both = is(Judgement::BothKeep);
                    judged.solved += u64::from(!is(Judgement::Unsolved));
                    judged.search_keeps += u64::from(both || is(Judgement::SearchKeeps));
                    judged.policy_keeps += u64::from(both || is(Judgement::PolicyKeeps));
                }
                return self.finish_check(judged, session).map(Some);
            }
        }
        Ok(None)
    }

    fn rounds(&self) -> Option<(u64, u64)> {
        Some((self.trained, self.settings.rounds.into()))
    }

    fn status(&self, _outputs: &[JobOutput<Vec<u8>>]) -> String {
        let after = plural(self.trained, "round");
        match self.stage {
            LearningStage::SelfPlay(round) => {
                let (loss, samples) = &self.last_training;
                let trained = if *samples > 0 {
                    format!(", loss {:.3} + {:.3}", loss.policy - loss.entropy, loss.value)
                } else {
                    String::new()
                };
                format!("games of round {} of {}{trained}", round + 1, self.settings.rounds)
            }
            LearningStage::AgainstLast => format!("test against the last network after {after}"),
            LearningStage::Ladder(i) => format!("match against {} after {after}", self.ladder[i]),
            LearningStage::Judge => format!("the solver judges after {after}"),
        }
    }

    fn report(
        settings: &NetworkLearningSettings,
        run: &StudyRecords<NetworkGeneration>,
    ) -> Result<NetworkLearningReport, RunError> {
        Ok(NetworkLearningReport::new(settings, run))
    }
}
