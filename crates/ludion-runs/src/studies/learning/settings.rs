//! What a user asks of a learning, and the settings that follow from it.

use std::ops::RangeInclusive;
use std::path::PathBuf;

use ludion::learn::patterns::{LearningOptions, MAX_PHASES, PatternTrainingOptions};
use ludion::random::derive_seed;
use ludion::registry::Registry;
use serde::{Deserialize, Serialize};

use crate::RunError;

/// A learning that a user asks for.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LearningRequest {
    /// The game.
    pub game: String,
    /// The number of rounds of self-play, training and match.
    pub rounds: u32,
    /// The number of games against itself in each round.
    pub games: u32,
    /// Plies looked ahead in these games and in the matches.
    pub depth: u32,
    /// Random plies at the beginning of a game against itself, at most.
    pub opening: u32,
    /// The number of pairs of a match.
    pub pairs: u32,
    /// The number of rounds whose games are trained on.
    pub window: u32,
    /// Parts of the game, by number of pieces, with weights of their own.
    pub phases: u32,
    /// The number of times every position is trained on.
    pub epochs: u32,
    /// The step of training.
    pub rate: f32,
    /// The share of the search's opinion in a target; the rest is how the game ended.
    pub trust: f32,
    /// The file to which the best model is written.
    pub out: Option<PathBuf>,
}

impl Default for LearningRequest {
    fn default() -> Self {
        LearningRequest::DEFAULT
    }
}

/// Plies after which a game is drawn.
const MAX_PLIES: usize = 400;

impl LearningRequest {
    /// The defaults; a game must be given.
    pub const DEFAULT: LearningRequest = LearningRequest {
        game: String::new(),
        rounds: 6,
        games: 20_000,
        depth: 4,
        opening: 12,
        pairs: 100,
        window: 3,
        phases: 1,
        epochs: PatternTrainingOptions::DEFAULT.epochs,
        rate: PatternTrainingOptions::DEFAULT.rate,
        trust: PatternTrainingOptions::DEFAULT.trust,
        out: None,
    };

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
        let LearningRequest { rate, epochs, trust, phases, depth, opening, .. } = self;
        let training = PatternTrainingOptions { rate, epochs, trust };
        let out = self.out.as_ref().map(std::path::absolute).transpose();
        Ok(LearningSettings {
            game: registry.game(&self.game)?.spec().to_owned(),
            rounds: self.rounds,
            games: self.games.into(),
            pairs: self.pairs.into(),
            window: self.window,
            terms: LearningOptions { phases, depth, opening, longest: MAX_PLIES, training },
            seed,
            out: out.map_err(|error| {
                RunError::Wrong(format!("the path of the model does not read: {error}"))
            })?,
        })
    }
}

/// The settings of a learning.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct LearningSettings {
    /// The game.
    pub game: String,
    /// The number of rounds.
    pub rounds: u32,
    /// The number of games against itself in each round.
    pub games: u64,
    /// The number of pairs of a match.
    pub pairs: u64,
    /// The number of rounds whose games are trained on.
    pub window: u32,
    /// How games are played and trained on.
    pub terms: LearningOptions,
    /// The seed of all games and of the training.
    pub seed: u64,
    /// The file to which the best model is written.
    pub out: Option<PathBuf>,
}

impl LearningSettings {
    /// Returns the number that tells settings apart, but for the number of rounds and the file.
    pub(super) fn fingerprint(&self) -> Result<u64, RunError> {
        let fixed = LearningSettings { rounds: 0, out: None, ..self.clone() };
        let text = serde_json::to_string(&fixed)
            .map_err(|error| RunError::Failed(format!("the settings are no JSON: {error}")))?;
        Ok(derive_seed(0, &text.bytes().map(u64::from).collect::<Vec<_>>()))
    }
}
