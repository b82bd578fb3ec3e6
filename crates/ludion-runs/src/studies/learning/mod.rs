//! Learns patterns by self-play. Each round plays games of the best model against itself, trains a
//! new model on the games of the last rounds, and plays two matches: against the last kept
//! generation and against the game's own evaluator. A model that is not better than the last is not
//! kept. The first generation learns from random games. A record is a generation, which depends
//! only on the settings; games, match scores and models are cached.

mod report;
mod settings;
mod stages;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use ludion_players::arena::elo::{EloReport, PairCounts};
use ludion_players::arena::pair::GameSettings;
use ludion_players::learn::patterns::{
    AnyLearner, LearningOptions, PatternModel, PatternTrainingReport, SelfPlayGame,
};
use ludion_players::player::Budget;
use ludion_players::random::derive_seed;
use ludion_players::registry::Registry;
use ludion_store::{JobOutput, StudyPlan};
use serde::{Deserialize, Serialize};

use super::{OutputKey, StageRequest, StoredJobOutput, Study, StudyRecords, StudySession};
use crate::cluster::Attachment;
use crate::{RunError, plural};
pub use report::{GenerationReport, LearningReport};
pub use settings::{LearningRequest, LearningSettings};
pub use stages::{LearningStage, LearningStageSpec, LearningThreadState};
use stages::{MATCH_JOB_PAIRS, SELF_PLAY_JOB_GAMES, learner_of, read_games};

/// Result of one round: the training of a generation and its matches.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct LearnedGeneration {
    /// Number of the generation, from 1.
    pub generation: u32,
    /// Number of training examples, and the loss before and after training.
    #[serde(flatten)]
    pub trained: PatternTrainingReport,
    /// Results of the pairs against the last kept generation; for the first generation, against an
    /// untrained model.
    pub against_last: PairCounts,
    /// Results of the pairs against the game's own evaluator.
    pub against_own: PairCounts,
    /// Whether this generation won the match against the last kept one and was kept.
    pub kept: bool,
}

/// Number of random plies at the beginning of each game of a match.
const MATCH_OPENING: u32 = 4;
/// Indices with which the seeds of self-play, training and matches are derived from the seed of a
/// round.
const SELF_PLAY_SEED: u64 = 0;
const TRAINING_SEED: u64 = 1;
const MATCH_SEED: u64 = 2;

/// A stage of a round.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum RoundStage {
    /// Self-play of the round with this number: the current one, or an earlier one whose games are
    /// needed again.
    SelfPlay(usize),
    /// Match against the last kept generation.
    AgainstLast,
    /// Match against the game's own evaluator.
    AgainstOwn,
}

/// The model trained in this round, before it is kept or dropped.
struct Candidate {
    model: PatternModel,
    trained: PatternTrainingReport,
    against_last: Option<PairCounts>,
}

/// A study that learns patterns, while it runs.
pub struct PatternLearning {
    settings: LearningSettings,
    learner: Box<dyn AnyLearner>,
    /// For each round, the model that plays its self-play games: the best model before that round.
    players: Vec<PatternModel>,
    /// Self-play games by round, for the rounds whose games training still uses.
    games: BTreeMap<usize, Vec<SelfPlayGame>>,
    stage: RoundStage,
    candidate: Option<Candidate>,
    /// Hash of the settings, part of the names of cached values.
    fingerprint: u64,
}

impl PatternLearning {
    fn round(&self) -> usize {
        self.players.len() - 1
    }

    fn seed(&self, round: usize, purpose: u64) -> u64 {
        derive_seed(self.settings.seed, &[round as u64, purpose])
    }

    /// Returns the common prefix of the names of all cached values.
    fn name(&self, version: &str) -> String {
        let LearningSettings { game, .. } = &self.settings;
        format!("{game}, settings {:016x}, version {version}", self.fingerprint)
    }

    fn games_name(&self, round: usize, job: u64, version: &str) -> String {
        format!("{}, games of round {round}, part {job}", self.name(version))
    }

    fn self_play_jobs(&self) -> u64 {
        self.settings.games.div_ceil(SELF_PLAY_JOB_GAMES)
    }

    /// Returns the first round whose games the model of the current round is trained on.
    fn first_of_window(&self) -> usize {
        (self.round() + 1).saturating_sub(self.settings.window as usize)
    }

    /// Reads the models of finished rounds from the cache and skips these rounds.
    fn skip_known_rounds(
        &mut self,
        session: &StudySession<LearnedGeneration>,
    ) -> Result<(), RunError> {
        while (self.round() as u64) < self.settings.rounds.into() {
            let round = self.round();
            let Some(record) = session.record(round as u64) else { break };
            let name = |version: &str| format!("{}, model of round {round}", self.name(version));
            let model = session.cached(name)?.and_then(|bytes| self.learner.read(&bytes).ok());
            let Some(model) = model else { break };
            let kept = record.kept;
            self.players.push(model);
            self.write_model(session, kept)?;
        }
        Ok(())
    }

    /// Writes the best model to the file that the settings name, if `is_new`.
    fn write_model(
        &self,
        session: &StudySession<LearnedGeneration>,
        is_new: bool,
    ) -> Result<(), RunError> {
        match &self.settings.out {
            Some(path) if is_new => session.write_file(path, &self.best().write()),
            _ => Ok(()),
        }
    }

    fn best(&self) -> &PatternModel {
        self.players.last().expect("the first model knows nothing")
    }

    /// Drops the games of rounds that no later round is trained on, also from the cache.
    fn drop_old_games(
        &mut self,
        session: &mut StudySession<LearnedGeneration>,
    ) -> Result<(), RunError> {
        let first = self.first_of_window();
        let old: Vec<usize> = self.games.range(..first).map(|(&round, _)| round).collect();
        for round in old {
            self.games.remove(&round);
            for job in 0..self.self_play_jobs() {
                session.drop_cached(|version| self.games_name(round, job, version))?;
            }
        }
        Ok(())
    }

    /// Trains a copy of the best model on the games of the last rounds; returns `None` if `stop` is
    /// set before the end.
    fn train(&self, stop: &AtomicBool) -> Result<Option<Candidate>, RunError> {
        let round = self.round();
        let mut model = self.best().clone();
        let window = self.games.range(self.first_of_window()..);
        let mut games = window.flat_map(|(_, games)| games);
        let seed = self.seed(round, TRAINING_SEED);
        let training = &self.settings.terms.training;
        let trained = self
            .learner
            .train_or_stop(&mut model, &mut games, training, seed, stop)
            .map_err(|error| RunError::Failed(error.to_string()))?;
        let Some(trained) = trained else { return Ok(None) };
        model.training = serde_json::json!({
            "generation": round as u32 + 1,
            "settings": LearningSettings { out: None, ..self.settings.clone() },
            "loss": trained.after,
            "version": env!("CARGO_PKG_VERSION"),
        });
        Ok(Some(Candidate { model, trained, against_last: None }))
    }

    fn self_play_request(&self, round: usize) -> StageRequest<LearningStageSpec> {
        let LearningSettings { game, games, terms, .. } = &self.settings;
        let spec = LearningStageSpec::SelfPlay {
            game: game.clone(),
            terms: *terms,
            games: *games,
            seed: self.seed(round, SELF_PLAY_SEED),
        };
        let attachments = vec![stages::model(stages::PLAYER, &self.players[round])];
        StageRequest { spec, jobs: self.self_play_jobs(), attachments }
    }

    fn match_request(&self, candidate: &Candidate) -> StageRequest<LearningStageSpec> {
        let eval = |name: &str| format!("patterns({name})");
        let opponent = match self.stage {
            RoundStage::AgainstOwn => "own".to_owned(),
            _ => eval(stages::LAST),
        };
        let LearningSettings { game, pairs, terms, .. } = &self.settings;
        let LearningOptions { depth, nodes, longest, .. } = terms;
        let player = |eval: String| match nodes {
            None => format!("deepening(depth={depth}, secs=0, eval={eval})"),
            Some(_) => format!("deepening(search=selective, secs=0, eval={eval})"),
        };
        let terms = GameSettings {
            budget: Budget { nodes: *nodes, ..Budget::UNLIMITED },
            opening: MATCH_OPENING,
            longest: *longest as u32,
            seed: self.seed(self.round(), MATCH_SEED),
        };
        let mut attachments: Vec<Attachment> = vec![stages::model(stages::NEW, &candidate.model)];
        if self.stage == RoundStage::AgainstLast {
            attachments.push(stages::model(stages::LAST, self.best()));
        }
        let players = [player(eval(stages::NEW)), player(opponent)];
        let spec = LearningStageSpec::Match { game: game.clone(), players, terms, pairs: *pairs };
        StageRequest { spec, jobs: pairs.div_ceil(MATCH_JOB_PAIRS), attachments }
    }

    /// Ends a round; the candidate is kept if it won the match against the last generation.
    fn finish_round(
        &mut self,
        candidate: Candidate,
        against_own: PairCounts,
        session: &mut StudySession<LearnedGeneration>,
    ) -> Result<(u64, LearnedGeneration), RunError> {
        let round = self.round();
        let Candidate { model, trained, against_last } = candidate;
        let against_last = against_last.unwrap_or_default();
        let score =
            EloReport::from_counts(&against_last.score_counts()).map_or(0.0, |report| report.score);
        let kept = score > 0.5;
        let generation = round as u32 + 1;
        let record = LearnedGeneration { generation, trained, against_last, against_own, kept };
        let model = if kept { model } else { self.best().clone() };
        let name = |version: &str| format!("{}, model of round {round}", self.name(version));
        session.cache(name, &model.write())?;
        self.players.push(model);
        self.write_model(session, kept)?;
        Ok((round as u64, record))
    }
}

impl Study for PatternLearning {
    const KIND: &'static str = "learn";
    const UNIT: &'static str = "rounds";
    const CACHE: &'static str = "learn";

    type Request = LearningRequest;
    type Settings = LearningSettings;
    type Stage = LearningStage;
    type Record = LearnedGeneration;
    type Report = LearningReport;

    fn settings(
        registry: &Registry,
        request: LearningRequest,
        seed: u64,
    ) -> Result<LearningSettings, RunError> {
        request.settings(registry, seed)
    }

    fn plan(settings: &LearningSettings) -> Result<StudyPlan, RunError> {
        let rounds = u64::from(settings.rounds);
        let about = format!("{}, {}", settings.game, plural(rounds, "round"));
        Ok(StudyPlan::new(Self::KIND, about, rounds, settings.seed, settings)?)
    }

    fn total_jobs(settings: &LearningSettings) -> u64 {
        let LearningSettings { games, pairs, rounds, .. } = settings;
        let matches = 2 * pairs.div_ceil(MATCH_JOB_PAIRS);
        (games.div_ceil(SELF_PLAY_JOB_GAMES) + matches).saturating_mul((*rounds).into())
    }

    fn written_files(settings: &LearningSettings) -> Vec<&Path> {
        settings.out.as_deref().into_iter().collect()
    }

    fn new(registry: &Registry, settings: LearningSettings) -> Result<Self, RunError> {
        let learner = learner_of(registry, &settings.game)?;
        let players = vec![learner.blank(settings.terms.phases)];
        let fingerprint = settings.fingerprint()?;
        Ok(PatternLearning {
            settings,
            learner,
            players,
            games: BTreeMap::new(),
            stage: RoundStage::SelfPlay(0),
            candidate: None,
            fingerprint,
        })
    }

    fn next_stage(
        &mut self,
        _registry: &Registry,
        session: &mut StudySession<LearnedGeneration>,
        stop: &AtomicBool,
    ) -> Result<Option<StageRequest<LearningStageSpec>>, RunError> {
        if let Some(candidate) = &self.candidate {
            self.stage = RoundStage::AgainstOwn;
            return Ok(Some(self.match_request(candidate)));
        }
        self.drop_old_games(session)?;
        self.skip_known_rounds(session)?;
        if self.round() as u64 >= self.settings.rounds.into() {
            return Ok(None);
        }
        let mut window = self.first_of_window()..=self.round();
        if let Some(round) = window.find(|round| !self.games.contains_key(round)) {
            self.stage = RoundStage::SelfPlay(round);
            return Ok(Some(self.self_play_request(round)));
        }
        let Some(candidate) = self.train(stop)? else { return Ok(None) };
        self.stage = RoundStage::AgainstLast;
        let request = self.match_request(&candidate);
        self.candidate = Some(candidate);
        Ok(Some(request))
    }

    fn output_key(&self, job: u64, version: &str) -> OutputKey {
        let (name, round) = (self.name(version), self.round());
        OutputKey::Cached(match self.stage {
            RoundStage::SelfPlay(round) => self.games_name(round, job, version),
            RoundStage::AgainstLast => {
                format!("{name}, round {round} against the last, part {job}")
            }
            RoundStage::AgainstOwn => {
                format!("{name}, round {round} against the game's own evaluator, part {job}")
            }
        })
    }

    fn store_output(output: &Vec<u8>) -> StoredJobOutput<LearnedGeneration> {
        StoredJobOutput::Cached(output.clone())
    }

    fn load_output(stored: StoredJobOutput<LearnedGeneration>) -> Option<Vec<u8>> {
        match stored {
            StoredJobOutput::Cached(bytes) => Some(bytes),
            StoredJobOutput::Record(_) => None,
        }
    }

    fn finish_stage(
        &mut self,
        outputs: Vec<Vec<u8>>,
        session: &mut StudySession<LearnedGeneration>,
    ) -> Result<Option<(u64, LearnedGeneration)>, RunError> {
        if let RoundStage::SelfPlay(round) = self.stage {
            let mut games = Vec::new();
            for bytes in &outputs {
                let read = read_games(bytes).map_err(|error| RunError::Failed(error.to_string()));
                games.extend(read?);
            }
            self.games.insert(round, games);
            return Ok(None);
        }
        let mut pairs = PairCounts::default();
        for halves in outputs.iter().flat_map(|bytes| bytes.chunks_exact(2)) {
            pairs.add([f64::from(halves[0]) / 2.0, f64::from(halves[1]) / 2.0]);
        }
        let mut candidate = self.candidate.take().expect("a match follows a training");
        if self.stage == RoundStage::AgainstLast {
            candidate.against_last = Some(pairs);
            self.candidate = Some(candidate);
            return Ok(None);
        }
        self.finish_round(candidate, pairs, session).map(Some)
    }

    fn rounds(&self) -> Option<(u64, u64)> {
        // The first round is not like the others: its games are random.
        let finished = (self.round() as u64).checked_sub(1)?;
        Some((finished, u64::from(self.settings.rounds) - 1))
    }

    fn status(&self, _outputs: &[JobOutput<Vec<u8>>]) -> String {
        let generation = self.round() + 1;
        match self.stage {
            RoundStage::SelfPlay(round) => {
                format!("games of round {} of {}", round + 1, self.settings.rounds)
            }
            RoundStage::AgainstLast => format!("match of generation {generation} against the last"),
            RoundStage::AgainstOwn => {
                format!("match of generation {generation} against the game's own evaluator")
            }
        }
    }

    fn report(
        settings: &LearningSettings,
        run: &StudyRecords<LearnedGeneration>,
    ) -> Result<LearningReport, RunError> {
        Ok(LearningReport::new(settings, run))
    }
}
