//! Request for a study that learns patterns, and the settings made from it.

use std::ops::RangeInclusive;
use std::path::PathBuf;

use ludion_players::learn::patterns::{LearningOptions, MAX_PHASES, PatternTrainingOptions};
use ludion_players::random::derive_seed;
use ludion_players::registry::{AnyGame, Registry};
use serde::{Deserialize, Serialize};

use crate::RunError;

/// Request for a study that learns patterns.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LearningRequest {
    /// Spec of the game.
    pub game: String,
    /// Number of rounds, each with self-play, training and matches.
    pub rounds: u32,
    /// Number of self-play games in each round.
    pub games: u32,
    /// Search depth in plies, in self-play and in matches.
    pub depth: u32,
    /// Number of nodes of a selective search, in self-play and in matches; `None` for exact searches to
    /// `depth`.
    pub nodes: Option<u64>,
    /// Maximum number of random plies at the beginning of a self-play game.
    pub opening: u32,
    /// Number of pairs of games in a match.
    pub pairs: u32,
    /// Number of most recent rounds, the current one included, whose games a training uses.
    pub window: u32,
    /// Number of phases of a game. The number of pieces on the board decides the phase of a state,
    /// and each phase has its own weights.
    pub phases: u32,
    /// Number of passes over the training examples.
    pub epochs: u32,
    /// Initial learning rate.
    pub rate: f32,
    /// Share of the search value in a training target, from 0 to 1; the rest is the result of the
    /// game.
    pub trust: f32,
    /// File to which the best model is written after each round; `None` to write no file.
    pub out: Option<PathBuf>,
}

impl Default for LearningRequest {
    fn default() -> Self {
        LearningRequest::DEFAULT
    }
}

/// Maximum number of nodes of a search.
const MAX_NODES: u64 = 1_000_000_000;
/// Number of plies after which an unfinished game is drawn.
const MAX_PLIES: usize = 400;

impl LearningRequest {
    /// The defaults of all fields except `game`, which must be given.
    pub const DEFAULT: LearningRequest = LearningRequest {
        game: String::new(),
        rounds: 6,
        games: 20_000,
        depth: 4,
        nodes: None,
        opening: 12,
        pairs: 100,
        window: 3,
        phases: 1,
        epochs: PatternTrainingOptions::DEFAULT.epochs,
        rate: PatternTrainingOptions::DEFAULT.rate,
        trust: PatternTrainingOptions::DEFAULT.trust,
        out: None,
    };

    /// Returns the defaults for `game`. Games with kings are learned from selective searches, by weights that
    /// change with the number of pieces, because exact searches to a small depth teach little about
    /// kings.
    #[must_use]
    pub fn default_for(game: &dyn AnyGame) -> LearningRequest {
        let default = LearningRequest { game: game.spec().to_owned(), ..LearningRequest::DEFAULT };
        if !game.learner().is_some_and(|learner| learner.is_balanced()) {
            return default;
        }
        let nodes = Some(2_000);
        LearningRequest { rounds: 3, games: 12_000, nodes, phases: 4, epochs: 6, ..default }
    }

    fn check(&self) -> Result<(), RunError> {
        let ranges: [(&str, u32, RangeInclusive<u32>); 8] = [
            ("rounds", self.rounds, 1..=10_000),
            ("games", self.games, 20..=10_000_000),
            ("depth", self.depth, 1..=30),
            ("opening", self.opening, 0..=200),
            ("pairs", self.pairs, 1..=1_000_000),
            ("window", self.window, 1..=100),
            ("phases", self.phases, 1..=MAX_PHASES),
            ("epochs", self.epochs, 1..=1000),
        ];
        for (name, value, range) in ranges {
            if !range.contains(&value) {
                let (low, high) = (range.start(), range.end());
                let sentence =
                    format!("{name} = {value} is not allowed; {name} is {low} to {high}");
                return Err(RunError::Wrong(sentence));
            }
        }
        if let Some(nodes) = self.nodes.filter(|nodes| !(1..=MAX_NODES).contains(nodes)) {
            let sentence = format!("nodes = {nodes} is not allowed; nodes is 1 to {MAX_NODES}");
            return Err(RunError::Wrong(sentence));
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
    ) -> Result<LearningSettings, RunError> {
        self.check()?;
        let LearningRequest { rate, epochs, trust, phases, depth, nodes, opening, .. } = self;
        let training = PatternTrainingOptions { rate, epochs, trust };
        let out = self.out.as_ref().map(std::path::absolute).transpose();
        Ok(LearningSettings {
            game: registry.game(&self.game)?.spec().to_owned(),
            rounds: self.rounds,
            games: self.games.into(),
            pairs: self.pairs.into(),
            window: self.window,
            terms: LearningOptions { phases, depth, nodes, opening, longest: MAX_PLIES, training },
            seed,
            out: out.map_err(|error| {
                RunError::Wrong(format!("the path of the model does not read: {error}"))
            })?,
        })
    }
}

/// Settings of a study that learns patterns, stored with the run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct LearningSettings {
    /// Canonical spec of the game.
    pub game: String,
    /// Number of rounds, each with self-play, training and matches.
    pub rounds: u32,
    /// Number of self-play games in each round.
    pub games: u64,
    /// Number of pairs of games in a match.
    pub pairs: u64,
    /// Number of most recent rounds, the current one included, whose games a training uses.
    pub window: u32,
    /// Options of self-play and training.
    pub terms: LearningOptions,
    /// Seed from which the seeds of games and trainings are derived.
    pub seed: u64,
    /// Absolute path of the file to which the best model is written; `None` to write no file.
    pub out: Option<PathBuf>,
}

impl LearningSettings {
    /// Returns a hash of the settings without the number of rounds and the output file.
    pub(super) fn fingerprint(&self) -> Result<u64, RunError> {
        let fixed = LearningSettings { rounds: 0, out: None, ..self.clone() };
        let text = serde_json::to_string(&fixed)
            .map_err(|error| RunError::Failed(format!("the settings are no JSON: {error}")))?;
        Ok(derive_seed(0, &text.bytes().map(u64::from).collect::<Vec<_>>()))
    }
}
