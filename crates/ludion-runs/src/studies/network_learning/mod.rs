//! Learns a network with policy and value by self-play, in the manner of AlphaZero (Silver et al.
//! 2018). Each round plays games of the newest network against itself and trains it on the games of
//! the last rounds. After some rounds the network is checked: a sequential test against the last
//! network that was kept decides whether it is kept, matches against other players place it on a
//! ladder, and where the exact solver can solve random positions, it judges the choices. A study
//! without a given number of rounds ends when the game is learned: when the solver solved all
//! positions of two checks in a row, and the network, with search and alone, kept all their values.
//!
//! A record is a generation: the network of a check. It depends only on the settings; games, match
//! results and the states of trainings are cached, so that a killed run loses at most a round.

mod check;
mod report;
mod settings;
mod stages;
mod training;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use ludion_players::learn::policy_value::{NetworkInputs, PolicyValueModel, PolicyValueNetwork};
use ludion_players::learn::self_play::{AnyNetworkLearner, SelfPlayOptions, SelfPlayRecord};
use ludion_players::random::derive_seed;
use ludion_players::registry::Registry;
use ludion_store::{JobOutput, StudyPlan};
use ludion_train::policy_value::PolicyValueTrainer;

use super::{OutputKey, StageRequest, StoredJobOutput, Study, StudyRecords, StudySession};
use crate::cluster::Attachment;
use crate::{RunError, plural};
pub use check::{JudgedPositions, LadderMatch, NetworkGeneration};
use check::{NetworkCheck, TEST_PAIRS, ladder_of, pairs_of};
pub use report::{LadderReport, NetworkGenerationReport, NetworkLearningReport};
pub use settings::{DEFAULT_ROUNDS, NetworkLearningRequest, NetworkLearningSettings};
use stages::{
    JUDGE_JOB_POSITIONS, MATCH_JOB_PAIRS, PLAYER, SELF_PLAY_JOB_GAMES, learner_of, read_games,
};
pub use stages::{NetworkStage, NetworkStageSpec, NetworkThreadState};
pub use training::ResignationCheck;
use training::{FinishedTraining, WindowSamples};

/// Indices with which the seeds of self-play, trainings, matches and judgements are derived.
const SELF_PLAY_SEED: u64 = 0;
const TRAINING_SEED: u64 = 1;
const MATCH_SEED: u64 = 2;
const JUDGE_SEED: u64 = 3;
const NETWORK_SEED: u64 = 4;

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

/// How fast the self-play of a round was.
#[derive(Clone, Copy, Debug)]
struct SelfPlaySpeed {
    /// Number of games per second.
    games: f64,
    /// Number of positions in these games per second.
    positions: f64,
}

impl SelfPlaySpeed {
    fn new(games: &[SelfPlayRecord], began: Instant) -> Self {
        let seconds = began.elapsed().as_secs_f64().max(1e-9);
        let positions: usize = games.iter().map(|game| game.moves.len()).sum();
        SelfPlaySpeed { games: games.len() as f64 / seconds, positions: positions as f64 / seconds }
    }
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
    samples: WindowSamples,
    /// The last network that was kept; at first the untrained one.
    kept: PolicyValueNetwork,
    stage: LearningStage,
    check: Option<NetworkCheck>,
    /// Number of checks in a row in which all values were kept, by the rounds before the check.
    perfect: BTreeMap<u64, u32>,
    /// The results of the trainings, by the round that follows.
    trainings: BTreeMap<u64, FinishedTraining>,
    /// Hash of the settings, part of the names of cached values.
    fingerprint: u64,
    /// When the current self-play began.
    self_play_began: Instant,
    /// Speed of the last self-play after a training of this program; games from before it may be in the
    /// cache.
    speed: Option<SelfPlaySpeed>,
    has_trained: bool,
}

fn failed(error: impl std::fmt::Display) -> RunError {
    RunError::Failed(error.to_string())
}

impl NetworkLearning {
    fn seed(&self, round: u64, purpose: u64) -> u64 {
        derive_seed(self.settings.seed, &[round, purpose])
    }

    fn self_play_jobs(&self) -> u64 {
        self.settings.games.div_ceil(SELF_PLAY_JOB_GAMES)
    }

    /// Returns the first round whose games the training of `round` uses.
    fn first_of_window(&self, round: u64) -> u64 {
        (round + 1).saturating_sub(self.settings.window.into())
    }

    /// Returns a network as a model.
    fn model(&self, network: &PolicyValueNetwork, rounds: u64) -> PolicyValueModel {
        let NetworkLearningSettings { game, seed, games, .. } = &self.settings;
        let training = serde_json::json!({
            "rounds": rounds, "games": rounds * games, "seed": seed,
        });
        PolicyValueModel::new(network.clone(), game, self.inputs.name(), training)
    }

    fn attachment(&self, name: &str, network: &PolicyValueNetwork) -> Attachment {
        let bytes = self.model(network, self.trained).to_bytes();
        Attachment { name: name.to_owned(), bytes: Arc::new(bytes) }
    }

    fn self_play_request(&self, round: u64) -> StageRequest<NetworkStageSpec> {
        let NetworkLearningSettings { game, self_play, games, .. } = &self.settings;
        // The untrained network knows nothing, so it does not resign.
        let resign =
            self_play.resign && self.trainings.get(&round).is_some_and(|found| found.may_resign);
        let spec = NetworkStageSpec::SelfPlay {
            game: game.clone(),
            options: SelfPlayOptions { resign, ..*self_play },
            games: *games,
            seed: self.seed(round, SELF_PLAY_SEED),
        };
        let attachments = vec![self.attachment(PLAYER, &self.players[&round])];
        StageRequest { spec, jobs: self.self_play_jobs(), attachments }
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
        let rounds = plural(settings.rounds.into(), "round");
        let most = if settings.ends_early { "up to " } else { "" };
        let about = format!("{}, {most}{rounds}", settings.game);
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
            samples: WindowSamples::new(&inputs),
            inputs,
            ladder,
            trainer,
            trained: 0,
            players: BTreeMap::from([(0, network.clone())]),
            games: BTreeMap::new(),
            kept: network,
            stage: LearningStage::SelfPlay(0),
            check: None,
            perfect: BTreeMap::new(),
            trainings: BTreeMap::new(),
            fingerprint,
            self_play_began: Instant::now(),
            speed: None,
            has_trained: false,
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
            if self.trained >= u64::from(self.settings.rounds) || self.is_learned(session)? {
                return Ok(None);
            }
            let mut window = self.first_of_window(self.trained)..=self.trained;
            if let Some(round) = window.find(|round| !self.games.contains_key(round)) {
                self.stage = LearningStage::SelfPlay(round);
                self.self_play_began = Instant::now();
                return Ok(Some(self.self_play_request(round)));
            }
            if !self.train(session, stop)? {
                return Ok(None);
            }
            self.has_trained = true;
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
                if self.has_trained {
                    self.speed = Some(SelfPlaySpeed::new(&games, self.self_play_began));
                }
                self.games.insert(round, games);
            }
            LearningStage::AgainstLast | LearningStage::Ladder(_) => self.finish_match(&outputs),
            LearningStage::Judge => {
                return self.finish_check(JudgedPositions::count(&outputs), session).map(Some);
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
                let last = self.trainings.last_key_value();
                let about = match (self.speed, last) {
                    (Some(SelfPlaySpeed { games, positions }), _) => {
                        format!(", {games:.0} games/s, {positions:.0} positions/s")
                    }
                    (None, Some((_, FinishedTraining { loss, .. }))) => {
                        format!(", loss {:.2} + {:.2}", loss.policy - loss.entropy, loss.value)
                    }
                    (None, None) => String::new(),
                };
                format!("round {} of {}{about}", round + 1, self.settings.rounds)
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
