//! The course of a learning, round after round: games against itself, training, and two
//! matches, against the last generation and against the game's own evaluator. It follows from
//! the settings alone.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use ludion::arena::elo::{EloReport, PairCounts};
use ludion::arena::executor::JobSet;
use ludion::arena::pair::{self, AnyReferee, PairId};
use ludion::assets::{Assets, SharedBytes};
use ludion::learn::patterns::{
    AnyLearner, LearningOptions, PatternModel, PatternTrainingReport, SelfPlayGame,
};
use ludion::player::Budget;
use ludion::random::derive_seed;
use ludion::registry::AnyGame;
use serde::{Deserialize, Serialize};

use super::memory::{ByteJobs, KnownOutputs};
use crate::CommandContext;
use crate::failure::CommandFailure;

/// What a learning was asked for.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct LearningSettings {
    pub(super) game: String,
    pub(super) rounds: u32,
    /// Games against itself, each round.
    pub(super) games: u64,
    /// Pairs of a match.
    pub(super) pairs: u64,
    /// Rounds whose games are trained on.
    pub(super) window: u32,
    pub(super) terms: LearningOptions,
    pub(super) seed: u64,
    /// Where the model is written.
    pub(super) out: Option<PathBuf>,
}

/// A generation and what it is worth.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct LearnedGeneration {
    /// From 1.
    pub(super) generation: u32,
    #[serde(flatten)]
    pub(super) trained: PatternTrainingReport,
    /// Its pairs against the last generation that was kept; at first against what knows nothing.
    pub(super) against_last: PairCounts,
    /// Its pairs against the game's own evaluator, or none where the game has none.
    pub(super) against_own: PairCounts,
    /// Whether it was better than the last and kept.
    pub(super) kept: bool,
}

/// What comes next in a course.
pub(super) enum NextStage {
    Generation(Box<LearnedGeneration>),
    /// Somebody stopped it.
    Stopped,
    /// All rounds are over.
    Finished,
}

/// Games of one job of self-play.
const GAMES: u64 = 50;
/// Pairs of one job of a match.
const PAIRS: u64 = 5;
/// Random plies at the beginning of the games of a match.
const OPENING: u32 = 4;
/// What the seeds of a round are derived for.
const PLAYING: u64 = 0;
const TRAINING: u64 = 1;
const MATCH: u64 = 2;

/// A learning on its way.
pub(super) struct LearningRun<'a> {
    context: &'a CommandContext,
    pub(super) settings: &'a LearningSettings,
    learning: Box<dyn AnyLearner>,
    /// The model that plays each round: the best of those before.
    players: Vec<PatternModel>,
    /// The games of the last rounds.
    games: BTreeMap<usize, Vec<SelfPlayGame>>,
    pub(super) memory: KnownOutputs,
    /// Begins all names: the settings but for where the model goes, and the version.
    name: String,
}

impl<'a> LearningRun<'a> {
    pub(super) fn new(
        context: &'a CommandContext,
        settings: &'a LearningSettings,
        memory: KnownOutputs,
    ) -> Result<Self, CommandFailure> {
        let game = context.registry.game(&settings.game)?;
        let learning = game.learner().ok_or_else(|| {
            CommandFailure::Usage(format!(
                "{} is not learned by patterns: only games of pieces on a board are",
                settings.game
            ))
        })?;
        let fixed = LearningSettings { rounds: 0, out: None, ..settings.clone() };
        let text = serde_json::to_string(&fixed).map_err(|error| {
            CommandFailure::Failed(format!("the settings are no JSON: {error}"))
        })?;
        let print = derive_seed(0, &text.bytes().map(u64::from).collect::<Vec<_>>());
        let (spec, version) = (&settings.game, env!("CARGO_PKG_VERSION"));
        let name = format!("{spec}, settings {print:016x}, version {version}");
        let players = vec![learning.blank(settings.terms.phases)];
        Ok(LearningRun {
            context,
            settings,
            learning,
            players,
            games: BTreeMap::new(),
            memory,
            name,
        })
    }

    /// The best model so far as bytes.
    pub(super) fn bytes(&self) -> Vec<u8> {
        self.players.last().expect("the first knows nothing").write()
    }

    /// Goes one round on. A round that is known is not done again.
    pub(super) fn step(
        &mut self,
        known: Option<&LearnedGeneration>,
    ) -> Result<NextStage, CommandFailure> {
        let round = self.players.len() - 1;
        if round as u64 >= self.settings.rounds.into() {
            return Ok(NextStage::Finished);
        }
        let name = format!("{}, model of round {round}", self.name);
        if let Some(step) = known
            && let Some(model) =
                self.memory.recall(&name)?.and_then(|bytes| self.learning.read(&bytes).ok())
        {
            self.players.push(model);
            return Ok(NextStage::Generation(Box::new(step.clone())));
        }
        let Some((step, model)) = self.generation(round)? else { return Ok(NextStage::Stopped) };
        self.memory.keep(&name, &model.write())?;
        self.players.push(model);
        self.forget(round)?;
        Ok(NextStage::Generation(Box::new(step)))
    }

    /// The generation of a round, and the model that goes on from it.
    fn generation(
        &mut self,
        round: usize,
    ) -> Result<Option<(LearnedGeneration, PatternModel)>, CommandFailure> {
        let LearningSettings { window, terms, .. } = self.settings;
        let first = (round + 1).saturating_sub(*window as usize);
        for played in first..=round {
            if !self.play(played)? {
                return Ok(None);
            }
        }
        let mut model = self.players[round].clone();
        let mut games = self.games.range(first..).flat_map(|(_, games)| games);
        let trained = self
            .learning
            .train(&mut model, &mut games, &terms.training, self.seed(round, TRAINING))
            .map_err(|error| CommandFailure::Failed(error.to_string()))?;
        let generation = round as u32 + 1;
        model.training = serde_json::json!({
            "generation": generation,
            "settings": LearningSettings { out: None, ..self.settings.clone() },
            "loss": trained.after,
            "version": env!("CARGO_PKG_VERSION"),
        });
        let last = self.players[round].write();
        let Some(against_last) = self.contest(round, &model, Some(last))? else {
            return Ok(None);
        };
        let Some(against_own) = self.contest(round, &model, None)? else { return Ok(None) };
        let score = EloReport::from_counts(&against_last.score_counts())
            .map_or(0.0, |strength| strength.score);
        let kept = score > 0.5;
        let step = LearnedGeneration { generation, trained, against_last, against_own, kept };
        let goes_on = if kept { model } else { self.players[round].clone() };
        Ok(Some((step, goes_on)))
    }

    fn seed(&self, round: usize, purpose: u64) -> u64 {
        derive_seed(self.settings.seed, &[round as u64, purpose])
    }

    /// The name of the games of a round.
    fn name_of_games(&self, round: usize) -> String {
        format!("{}, games of round {round}", self.name)
    }

    fn jobs(&self) -> u64 {
        self.settings.games.div_ceil(GAMES)
    }

    /// Has the games of a round at hand; `false` when somebody stopped it.
    fn play(&mut self, round: usize) -> Result<bool, CommandFailure> {
        if self.games.contains_key(&round) {
            return Ok(true);
        }
        let work = SelfPlayJobs {
            learning: &*self.learning,
            model: &self.players[round],
            settings: self.settings,
            seed: self.seed(round, PLAYING),
        };
        let what = format!("games of round {} of {}", round + 1, self.settings.rounds);
        let name = self.name_of_games(round);
        let task = ByteJobs { work: &work, name: &name, jobs: self.jobs(), what: &what };
        let Some(outputs) = self.memory.outputs(self.context, &task)? else { return Ok(false) };
        let mut games = Vec::new();
        for mut bytes in outputs.iter().map(Vec::as_slice) {
            while !bytes.is_empty() {
                let game = SelfPlayGame::take(&mut bytes);
                games.push(game.map_err(|error| CommandFailure::Failed(error.to_string()))?);
            }
        }
        self.games.insert(round, games);
        Ok(true)
    }

    /// Lets go of games that no later round is trained on.
    fn forget(&mut self, round: usize) -> Result<(), CommandFailure> {
        let next = (round + 2).saturating_sub(self.settings.window as usize);
        let old: Vec<usize> = self.games.range(..next).map(|(&round, _)| round).collect();
        for round in old {
            self.games.remove(&round);
            let (name, jobs) = (self.name_of_games(round), self.jobs());
            self.memory.drop_outputs(&name, jobs)?;
        }
        Ok(())
    }

    /// A match of a model against another, or against the game's own evaluator.
    fn contest(
        &mut self,
        round: usize,
        model: &PatternModel,
        other: Option<Vec<u8>>,
    ) -> Result<Option<PairCounts>, CommandFailure> {
        let against_last = other.is_some();
        let new: SharedBytes = Arc::new(model.write());
        let last: SharedBytes = Arc::new(other.unwrap_or_default());
        let assets =
            Assets::new(move |name| Ok(Arc::clone(if name == NEW { &new } else { &last })));
        let game = self.context.registry.game_with(&self.settings.game, &assets)?;
        let eval = |name: &str| format!("patterns({name})");
        let evals = [eval(NEW), if against_last { eval(LAST) } else { "own".to_owned() }];
        let depth = self.settings.terms.depth;
        let players = evals.map(|eval| format!("deepening(depth={depth}, secs=0, eval={eval})"));
        // Names that do not go together are refused here, not on the threads.
        game.referee(&players)?;
        let terms = pair::GameSettings {
            budget: Budget::UNLIMITED,
            opening: OPENING,
            longest: self.settings.terms.longest as u32,
            seed: self.seed(round, MATCH),
        };
        let work = MatchJobs { game, players: players.to_vec(), terms, pairs: self.settings.pairs };
        let whom = if against_last { "the last" } else { "the game's own evaluator" };
        let what = format!("match of generation {} against {whom}", round + 1);
        let name = format!("{}, round {round} against {whom}", self.name);
        let jobs = self.settings.pairs.div_ceil(PAIRS);
        let task = ByteJobs { work: &work, name: &name, jobs, what: &what };
        let Some(outputs) = self.memory.outputs(self.context, &task)? else { return Ok(None) };
        let mut pairs = PairCounts::default();
        for halves in outputs.iter().flat_map(|bytes| bytes.chunks_exact(2)) {
            pairs.add([f64::from(halves[0]) / 2.0, f64::from(halves[1]) / 2.0]);
        }
        Ok(Some(pairs))
    }
}

/// The names of models in a match.
const NEW: &str = "new";
const LAST: &str = "last";

/// Games of a model against itself, some to a job.
struct SelfPlayJobs<'a> {
    learning: &'a dyn AnyLearner,
    model: &'a PatternModel,
    settings: &'a LearningSettings,
    seed: u64,
}

impl JobSet for SelfPlayJobs<'_> {
    type Worker = Box<dyn FnMut(u64) -> SelfPlayGame>;
    type Output = Vec<u8>;

    fn worker(&self) -> Self::Worker {
        self.learning.self_play(self.model, &self.settings.terms, self.seed)
    }

    fn job(&self, play: &mut Self::Worker, number: u64) -> Vec<u8> {
        let mut bytes = Vec::new();
        for game in number * GAMES..((number + 1) * GAMES).min(self.settings.games) {
            play(game).write(&mut bytes);
        }
        bytes
    }
}

/// Pairs of games between two players, some to a job; a byte a game, twice its score.
struct MatchJobs {
    game: Arc<dyn AnyGame>,
    players: Vec<String>,
    terms: pair::GameSettings,
    pairs: u64,
}

impl JobSet for MatchJobs {
    type Worker = Box<dyn AnyReferee>;
    type Output = Vec<u8>;

    fn worker(&self) -> Self::Worker {
        self.game.referee(&self.players).expect("these players sat down before")
    }

    fn job(&self, referee: &mut Self::Worker, number: u64) -> Vec<u8> {
        let numbers = number * PAIRS..((number + 1) * PAIRS).min(self.pairs);
        let pairs = numbers.map(|number| {
            let pairing = PairId { players: [0, 1], number };
            referee.play_pair(&self.terms, pairing, false)
        });
        pairs.flatten().map(|game| (2.0 * game.score(0)) as u8).collect()
    }
}
