//! Stages of a learning: self-play of a network, a match of two players, and the judgement of
//! choices by the exact solver. Outputs are bytes: encoded [`SelfPlayRecord`]s; for a match one byte
//! for each game, twice the score of the new network; for a judgement one byte for each position.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use ludion_players::arena::pair::{AnyReferee, GameSettings, PairId};
use ludion_players::assets::Assets;
use ludion_players::learn::policy_value::{NetworkEvaluator, NetworkInputs, PolicyValueModel};
use ludion_players::learn::self_play::{
    AnyNetworkLearner, SelfPlayOptions, SelfPlayRecord, SelfPlayRecordError,
};
use ludion_players::player::{Budget, StopOnFlag};
use ludion_players::random::derive_seed;
use ludion_players::registry::{AnyGame, AnyPlayer, AnyPosition, Registry};
use ludion_players::solution::SolveLimits;
use serde::{Deserialize, Serialize};

use crate::RunError;
use crate::judge::{keeping_moves, random_position};
use crate::studies::{JobFailure, Stage};

/// Maximum number of games in a self-play job.
pub(super) const SELF_PLAY_JOB_GAMES: u64 = 100;
/// Maximum number of pairs in a job of a match.
pub(super) const MATCH_JOB_PAIRS: u64 = 5;
/// Maximum number of positions in a job of a judgement.
pub(super) const JUDGE_JOB_POSITIONS: u64 = 5;

/// Names of attached networks: the one of self-play, and the new and the last one of a match.
pub(super) const PLAYER: &str = "player";
pub(super) const NEW: &str = "new";
pub(super) const LAST: &str = "last";

/// What a judgement found out about the choices in a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum JudgedChoices {
    /// The solver did not finish, or the game was over.
    Unsolved = 0,
    /// Neither the search nor the network alone keeps the value of the position.
    BothLose = 1,
    /// The search keeps the value, the network alone does not.
    SearchKeeps = 2,
    /// The network alone keeps the value, the search does not.
    PolicyKeeps = 3,
    /// Both keep the value.
    BothKeep = 4,
}

/// Returns the learner of a game, or an error for a puzzle.
pub(super) fn learner_of(game: &dyn AnyGame) -> Result<Box<dyn AnyNetworkLearner>, RunError> {
    game.network_learner().ok_or_else(|| {
        let only = "only games of two sides are, such as connect4 and matches";
        RunError::Wrong(format!("{} is not learned: {only}", game.spec()))
    })
}

/// Decodes self-play games that were encoded one after the other.
pub(super) fn read_games(mut bytes: &[u8]) -> Result<Vec<SelfPlayRecord>, SelfPlayRecordError> {
    let mut games = Vec::new();
    while !bytes.is_empty() {
        games.push(SelfPlayRecord::take(&mut bytes)?);
    }
    Ok(games)
}

/// Spec of a stage: everything that its jobs depend on, except the attached networks.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum NetworkStageSpec {
    /// Self-play of the attached network.
    SelfPlay {
        /// Spec of the game.
        game: String,
        /// Options of self-play.
        options: SelfPlayOptions,
        /// Number of self-play games in the stage.
        games: u64,
        /// Seed from which the seed of each game is derived.
        seed: u64,
    },
    /// A match of two players that use the attached networks.
    Match {
        /// Spec of the game.
        game: String,
        /// Specs of the two players, the one with the new network first.
        players: [String; 2],
        /// Budget, opening, length limit and seed that all games share.
        terms: GameSettings,
        /// Number of pairs played before this stage.
        first: u64,
        /// Number of pairs in the stage.
        pairs: u64,
    },
    /// The judgement of choices in random positions.
    Judge {
        /// Spec of the game.
        game: String,
        /// Specs of a player that searches and of one that does not, both with the new network.
        players: [String; 2],
        /// Number of positions.
        positions: u64,
        /// Maximum number of random plies to a position.
        plies: u32,
        /// Seed from which the positions are drawn.
        seed: u64,
    },
}

/// An opened stage with its networks.
pub struct NetworkStage {
    spec: NetworkStageSpec,
    game: Arc<dyn AnyGame>,
    /// The learner and the network of self-play.
    self_play: Option<(Box<dyn AnyNetworkLearner>, NetworkEvaluator)>,
}

/// State that a thread keeps from job to job.
pub enum NetworkThreadState {
    /// Nothing: self-play keeps no state.
    SelfPlay,
    /// Referee that plays pairs of games.
    Match(Box<dyn AnyReferee>),
    /// The two players of a judgement.
    Judge([Box<dyn AnyPlayer>; 2]),
}

/// Returns the numbers of the games, pairs or positions of a job: `size` of them, fewer in the last
/// job.
fn numbers(job: u64, size: u64, total: u64) -> std::ops::Range<u64> {
    job * size..((job + 1) * size).min(total)
}

impl Stage for NetworkStage {
    type Spec = NetworkStageSpec;
    type Worker = NetworkThreadState;
    type Output = Vec<u8>;

    fn open(
        registry: &Registry,
        assets: &Assets,
        spec: NetworkStageSpec,
    ) -> Result<Self, RunError> {
        let (NetworkStageSpec::SelfPlay { game, .. }
        | NetworkStageSpec::Match { game, .. }
        | NetworkStageSpec::Judge { game, .. }) = &spec;
        let game = registry.game_with(game, assets)?;
        let mut self_play = None;
        match &spec {
            NetworkStageSpec::SelfPlay { .. } => {
                let learner = learner_of(&*game)?;
                let bytes = assets.fetch(PLAYER).map_err(RunError::Failed)?;
                let model = PolicyValueModel::from_bytes((*bytes).as_ref())
                    .map_err(|error| RunError::Failed(error.to_string()))?;
                let evaluator = evaluator_of(&model, &*learner)?;
                self_play = Some((learner, evaluator));
            }
            NetworkStageSpec::Match { players, .. } => drop(game.referee(players)?),
            NetworkStageSpec::Judge { players, .. } => {
                for player in players {
                    game.player(player)?;
                }
            }
        }
        Ok(NetworkStage { spec, game, self_play })
    }

    fn worker(&self) -> NetworkThreadState {
        match &self.spec {
            NetworkStageSpec::SelfPlay { .. } => NetworkThreadState::SelfPlay,
            NetworkStageSpec::Match { players, .. } => {
                let referee = self.game.referee(players);
                NetworkThreadState::Match(referee.expect("these players were made before"))
            }
            NetworkStageSpec::Judge { players, .. } => {
                NetworkThreadState::Judge([0, 1].map(|i: usize| {
                    self.game.player(&players[i]).expect("these players were made before")
                }))
            }
        }
    }

    fn job(
        &self,
        worker: &mut NetworkThreadState,
        number: u64,
        stop: &AtomicBool,
    ) -> Result<Vec<u8>, JobFailure> {
        match (&self.spec, worker) {
            (
                NetworkStageSpec::SelfPlay { options, games, seed, .. },
                NetworkThreadState::SelfPlay,
            ) => {
                let (learner, evaluator) = self.self_play.as_ref().expect("a stage of self-play");
                let numbers = numbers(number, SELF_PLAY_JOB_GAMES, *games);
                let records = learner.play(evaluator, options, *seed, numbers, stop);
                let mut bytes = Vec::new();
                for record in records.ok_or(JobFailure::Stopped)? {
                    record.write(&mut bytes);
                }
                Ok(bytes)
            }
            (
                NetworkStageSpec::Match { terms, first, pairs, .. },
                NetworkThreadState::Match(referee),
            ) => {
                let mut scores = Vec::new();
                for number in numbers(number, MATCH_JOB_PAIRS, *pairs) {
                    let pair = PairId { players: [0, 1], number: first + number };
                    let played = referee.play_pair_or_stop(terms, pair, false, stop);
                    let played = played.ok_or(JobFailure::Stopped)?;
                    scores.extend(played.map(|game| (2.0 * game.score(0)) as u8));
                }
                Ok(scores)
            }
            (
                NetworkStageSpec::Judge { positions, plies, seed, .. },
                NetworkThreadState::Judge(players),
            ) => numbers(number, JUDGE_JOB_POSITIONS, *positions)
                .map(|number| {
                    let seed = derive_seed(*seed, &[number]);
                    let Some((_, position)) = random_position(&*self.game, &(0..=*plies), seed)
                    else {
                        return Ok(JudgedChoices::Unsolved as u8);
                    };
                    judge(&*position, players, stop).map(|judgement| judgement as u8)
                })
                .collect(),
            _ => unreachable!("a worker is of the stage that made it"),
        }
    }

    fn accepts(&self, number: u64, output: &Vec<u8>) -> bool {
        match &self.spec {
            NetworkStageSpec::SelfPlay { games, .. } => {
                let (learner, evaluator) = self.self_play.as_ref().expect("a stage of self-play");
                let wanted = numbers(number, SELF_PLAY_JOB_GAMES, *games).count();
                let Ok(games) = read_games(output) else { return false };
                games.len() == wanted
                    && games.iter().all(|game| {
                        learner.for_each_sample(evaluator.inputs(), game, 0.0, &mut |_| ()).is_ok()
                    })
            }
            NetworkStageSpec::Match { pairs, .. } => {
                let wanted = 2 * numbers(number, MATCH_JOB_PAIRS, *pairs).count();
                output.len() == wanted && output.iter().all(|&halves| halves <= 2)
            }
            NetworkStageSpec::Judge { positions, .. } => {
                let wanted = numbers(number, JUDGE_JOB_POSITIONS, *positions).count();
                output.len() == wanted && output.iter().all(|&byte| byte <= 4)
            }
        }
    }
}

/// Returns the network of a model as an evaluator for the games of `learner`.
pub(super) fn evaluator_of(
    model: &PolicyValueModel,
    learner: &dyn AnyNetworkLearner,
) -> Result<NetworkEvaluator, RunError> {
    let inputs = NetworkInputs::from_name(model.encoding(), learner.encoding());
    let inputs = inputs.filter(|inputs| {
        let network = model.network();
        (network.features(), network.actions()) == (inputs.count(), inputs.shape().actions)
    });
    let inputs = inputs.ok_or_else(|| {
        RunError::Failed(format!("the network has other inputs: {}", model.encoding()))
    })?;
    Ok(NetworkEvaluator::new(Arc::new(model.network().clone()), Arc::new(inputs)))
}

/// Limits of the solver for one position; a position that needs more is left out.
const SOLVE_LIMITS: SolveLimits =
    SolveLimits { nodes: 300_000, walk: 20_000, threads: 1, megabytes: 16, result_only: false };

/// Solves a position and compares its value with those of the players' choices.
fn judge(
    position: &dyn AnyPosition,
    players: &mut [Box<dyn AnyPlayer>; 2],
    stop: &AtomicBool,
) -> Result<JudgedChoices, JobFailure> {
    let observer = &StopOnFlag(stop);
    let solution = position.solve(SOLVE_LIMITS, observer);
    if stop.load(std::sync::atomic::Ordering::Relaxed) {
        return Err(JobFailure::Stopped);
    }
    let Ok(solution) = solution else { return Ok(JudgedChoices::Unsolved) };
    let keeping = keeping_moves(&solution);
    let mut keeps = [false; 2];
    for (keeps, player) in keeps.iter_mut().zip(players) {
        player.begin(0);
        let choice = player.choose(position, Budget::UNLIMITED, observer);
        let choice = choice.map_err(|error| JobFailure::Failed(error.to_string()))?;
        *keeps = keeping.contains(&choice.best.as_str());
    }
    if stop.load(std::sync::atomic::Ordering::Relaxed) {
        return Err(JobFailure::Stopped);
    }
    Ok(match keeps {
        [false, false] => JudgedChoices::BothLose,
        [true, false] => JudgedChoices::SearchKeeps,
        [false, true] => JudgedChoices::PolicyKeeps,
        [true, true] => JudgedChoices::BothKeep,
    })
}
