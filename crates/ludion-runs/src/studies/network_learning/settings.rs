//! Request for a study that learns a network, and the settings made from it.

use std::ops::RangeInclusive;
use std::path::PathBuf;

use ludion_players::learn::policy_value::{NetworkInputs, WindowShapes};
use ludion_players::learn::self_play::SelfPlayOptions;
use ludion_players::learn::tensor_file::WeightFormat;
use ludion_players::random::{Rng, derive_seed};
use ludion_players::registry::{AnyGame, Registry};
use ludion_players::scene::SceneLayout;
use ludion_train::policy_value::{LearningRate, PolicyValueOptions, PolicyValueShape};
use serde::{Deserialize, Serialize};

use crate::RunError;

/// Request for a study that learns a network with policy and value.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct NetworkLearningRequest {
    /// Spec of the game.
    pub game: String,
    /// Number of rounds, each with self-play and training; `None` for [`DEFAULT_ROUNDS`], or fewer if
    /// the game is learned before.
    pub rounds: Option<u32>,
    /// Number of self-play games in each round; `None` for a number that suits the length of the
    /// games.
    pub games: Option<u32>,
    /// Number of rounds between two checks, which decide whether the network is kept.
    pub check: u32,
    /// Maximum number of pairs of games in a match of a check.
    pub pairs: u32,
    /// Number of simulations of a move in the matches of a check.
    pub match_sims: u32,
    /// Number of random positions of a check in which the exact solver judges the choices.
    pub positions: u32,
    /// Number of most recent rounds whose games a training uses.
    pub window: u32,
    /// How often a sample is used in trainings, on average.
    pub uses: u32,
    /// Number of simulations of a full search in self-play.
    pub sims: u32,
    /// Widths of the hidden layers of the network.
    pub hidden: Vec<usize>,
    /// Inputs of the network, such as `cells` or `lines4`; `None` for the default of the game.
    pub inputs: Option<String>,
    /// Learning rate of the first round; it falls to a twentieth until the last.
    pub rate: f64,
    /// Share of the search in the target of the value, from 0 to 1; the rest is the result of the
    /// game.
    pub trust: f32,
    /// File to which the best network is written; `None` to write no file.
    pub out: Option<PathBuf>,
    /// Format of the weights in this file.
    pub weights: WeightFormat,
}

impl Default for NetworkLearningRequest {
    fn default() -> Self {
        NetworkLearningRequest {
            game: String::new(),
            rounds: None,
            games: None,
            check: 20,
            pairs: 100,
            match_sims: 200,
            positions: 200,
            window: 20,
            uses: 20,
            sims: SelfPlayOptions::DEFAULT.full_sims,
            hidden: vec![48, 32],
            inputs: None,
            rate: 1e-3,
            trust: 0.5,
            out: None,
            weights: WeightFormat::F32,
        }
    }
}

/// Maximum number of rounds of a study that is given none.
pub const DEFAULT_ROUNDS: u32 = 100;

/// Settings of a study that learns a network, stored with the run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct NetworkLearningSettings {
    /// Canonical spec of the game.
    pub game: String,
    /// Maximum number of rounds, each with self-play and training.
    pub rounds: u32,
    /// Whether the study ends before its last round if the game is learned; see
    /// [`JudgedPositions::all_kept`](super::JudgedPositions::all_kept).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ends_early: bool,
    /// Number of self-play games in each round.
    pub games: u64,
    /// Number of rounds between two checks.
    pub check: u32,
    /// Maximum number of pairs of games in a match of a check.
    pub pairs: u64,
    /// Number of simulations of a move in the matches of a check.
    pub match_sims: u32,
    /// Number of random positions that the exact solver judges in a check.
    pub positions: u64,
    /// Number of most recent rounds whose games a training uses.
    pub window: u32,
    /// How often a sample is used in trainings, on average.
    pub uses: u32,
    /// Options of the self-play games.
    pub self_play: SelfPlayOptions,
    /// Widths of the hidden layers.
    pub hidden: Vec<usize>,
    /// Inputs of the network.
    pub inputs: String,
    /// Number of active inputs of a typical state.
    pub active: usize,
    /// Options of the trainings.
    pub training: PolicyValueOptions,
    /// Share of the search in the target of the value.
    pub trust: f32,
    /// Seed from which the seeds of games and trainings are derived.
    pub seed: u64,
    /// Absolute path of the file to which the best network is written; `None` to write no file.
    pub out: Option<PathBuf>,
    /// Format of the weights in this file.
    #[serde(default)]
    pub weights: WeightFormat,
}

impl NetworkLearningRequest {
    fn check(&self) -> Result<(), RunError> {
        let ranges: [(&str, u32, RangeInclusive<u32>); 9] = [
            ("rounds", self.rounds.unwrap_or(DEFAULT_ROUNDS), 1..=100_000),
            ("games", self.games.unwrap_or(MAX_GAMES), 20..=10_000_000),
            ("check", self.check, 1..=100_000),
            ("pairs", self.pairs, 1..=1_000_000),
            ("match_sims", self.match_sims, 1..=1_000_000),
            ("positions", self.positions, 0..=100_000),
            ("window", self.window, 1..=1_000),
            ("uses", self.uses, 1..=1_000),
            ("sims", self.sims, 2..=100_000),
        ];
        for (name, value, range) in ranges {
            if !range.contains(&value) {
                let (low, high) = (range.start(), range.end());
                return Err(RunError::Wrong(format!(
                    "{name} = {value} is not allowed; {name} is {low} to {high}"
                )));
            }
        }
        let widths = self.hidden.iter().all(|width| (1..=4096).contains(width));
        if self.hidden.is_empty() || self.hidden.len() > 16 || !widths {
            return Err(RunError::Wrong(format!(
                "hidden = {:?} is not allowed; 1 to 16 layers of 1 to 4096 are",
                self.hidden
            )));
        }
        if !(self.rate.is_finite() && self.rate > 0.0) {
            return Err(RunError::Wrong(format!("rate is {}; allowed is above 0", self.rate)));
        }
        if !(0.0..=1.0).contains(&self.trust) {
            return Err(RunError::Wrong(format!("trust is {}; allowed is 0 to 1", self.trust)));
        }
        Ok(())
    }

    pub(super) fn settings(
        self,
        registry: &Registry,
        seed: u64,
    ) -> Result<NetworkLearningSettings, RunError> {
        self.check()?;
        let game = registry.game(&self.game)?;
        let learner = super::stages::learner_of(&*game)?;
        let shape = learner.encoding();
        let has_heaps = matches!(game.start().scene().layout, SceneLayout::Heaps { .. });
        let windows: WindowShapes = match &self.inputs {
            Some(text) => {
                text.parse().map_err(|error| RunError::Wrong(format!("inputs: {error}")))?
            }
            None if has_heaps => WindowShapes::default(),
            None => default_windows(&shape),
        };
        let inputs = NetworkInputs::new(shape, windows);
        if windows != WindowShapes::default() && (has_heaps || !inputs.has_windows()) {
            return Err(RunError::Wrong(format!(
                "inputs = {windows} is not allowed; {} has no such cells: try cells",
                game.spec()
            )));
        }
        let cheap_sims = (self.sims / 6).max(2);
        let self_play =
            SelfPlayOptions { full_sims: self.sims, cheap_sims, ..SelfPlayOptions::DEFAULT };
        let out = self.out.as_ref().map(std::path::absolute).transpose();
        let rounds = self.rounds.unwrap_or(DEFAULT_ROUNDS);
        let settings = NetworkLearningSettings {
            game: game.spec().to_owned(),
            rounds,
            ends_early: self.rounds.is_none(),
            games: self.games.unwrap_or_else(|| games_for(&*game)).into(),
            check: self.check.min(rounds),
            pairs: self.pairs.into(),
            match_sims: self.match_sims,
            positions: self.positions.into(),
            window: self.window,
            uses: self.uses,
            self_play,
            hidden: self.hidden,
            inputs: windows.to_string(),
            active: inputs.typical_active(),
            training: PolicyValueOptions {
                rate: LearningRate::constant(self.rate),
                averaging: AVERAGING,
                ..PolicyValueOptions::default()
            },
            trust: self.trust,
            seed,
            out: out.map_err(|error| {
                RunError::Wrong(format!("the path of the network does not read: {error}"))
            })?,
            weights: self.weights,
        };
        let size = inputs.count() * settings.hidden[0];
        if size > MAX_FIRST_LAYER {
            return Err(RunError::Wrong(format!(
                "the first layer would have {size} weights, {} inputs of {}; at most \
                 {MAX_FIRST_LAYER} are allowed: try inputs = cells, or fewer hidden units",
                inputs.count(),
                settings.hidden[0]
            )));
        }
        Ok(settings)
    }
}

/// Minimum and maximum number of self-play games of a round that are chosen for a game.
const MIN_GAMES: u32 = 200;
const MAX_GAMES: u32 = 2_000;
/// The work of a round, in plies times the work of a ply: a network evaluation and a few legal moves.
const ROUND_WORK: f64 = 1_200_000.0;
/// The work of a network evaluation, counted in legal moves.
const EVALUATION_WORK: f64 = 20.0;
/// Number of random games that [`games_for`] looks at, and their maximum number of plies.
const SAMPLED_GAMES: u64 = 40;
const SAMPLED_PLIES: usize = 400;

/// Returns a number of self-play games for which a round takes about as long as one of Connect Four:
/// fewer if games are long or have many moves. It is estimated from random games, not by the clock,
/// so that a run can be repeated.
fn games_for(game: &dyn AnyGame) -> u32 {
    let mut work = 0.0;
    for number in 0..SAMPLED_GAMES {
        let (mut rng, mut position) = (Rng::new(number), game.start());
        for _ in 0..SAMPLED_PLIES {
            let moves = position.moves();
            if moves.is_empty() {
                break;
            }
            work += EVALUATION_WORK + moves.len() as f64;
            position.play(&moves[rng.below(moves.len())]).expect("a listed move is legal");
        }
    }
    let games = ROUND_WORK * SAMPLED_GAMES as f64 / f64::max(work, 1.0);
    (games as u32).clamp(MIN_GAMES, MAX_GAMES)
}

/// The share of the old average that each step of a training keeps.
const AVERAGING: f64 = 0.99;
/// Maximum number of weights of the first layer.
const MAX_FIRST_LAYER: usize = 20_000_000;

/// Returns the windows that a network for this encoding has by default: lines of up to four cells on
/// boards of at least three by three, none otherwise.
fn default_windows(shape: &ludion_players::encoding::EncodingShape) -> WindowShapes {
    let side = shape.rows.min(shape.cols);
    if shape.planes >= 2 && side >= 3 {
        WindowShapes { line: side.min(4), block: (0, 0) }
    } else {
        WindowShapes::default()
    }
}

impl NetworkLearningSettings {
    /// Returns the number of checks: one after every `check` rounds, and one after the last.
    pub(super) fn generations(&self) -> u64 {
        u64::from(self.rounds).div_ceil(self.check.into())
    }

    /// Returns whether the network is checked after the round with this number, from 0.
    pub(super) fn is_checked(&self, round: u64) -> bool {
        (round + 1).is_multiple_of(self.check.into()) || round + 1 == u64::from(self.rounds)
    }

    /// Returns the number of rounds before the check that precedes the one after `rounds` rounds; 0 if
    /// that is the first one.
    pub(super) fn previous_check(&self, rounds: u64) -> u64 {
        let check = u64::from(self.check);
        rounds.saturating_sub(1) / check * check
    }

    /// Returns the options of the training of a round: the rate falls to a twentieth until the last.
    pub(super) fn training_of(&self, round: u64) -> PolicyValueOptions {
        let done = round as f64 / f64::from(self.rounds.max(2) - 1);
        let rate = self.training.rate.first * (1.0 - 0.95 * done);
        PolicyValueOptions { rate: LearningRate::constant(rate), ..self.training }
    }

    /// Returns the shape of the network for these inputs.
    pub(super) fn network_shape(&self, inputs: &NetworkInputs) -> PolicyValueShape {
        PolicyValueShape {
            features: inputs.count(),
            actions: inputs.shape().actions,
            hidden: self.hidden.clone(),
            active: self.active,
        }
    }

    /// Returns a hash of the settings without the output file.
    pub(super) fn fingerprint(&self) -> Result<u64, RunError> {
        let weights = WeightFormat::F32;
        let fixed = NetworkLearningSettings { out: None, weights, ..self.clone() };
        let text = serde_json::to_string(&fixed)
            .map_err(|error| RunError::Failed(format!("the settings are no JSON: {error}")))?;
        Ok(derive_seed(0, &text.bytes().map(u64::from).collect::<Vec<_>>()))
    }
}
