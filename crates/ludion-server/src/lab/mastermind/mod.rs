//! Mastermind in the laboratory: the cross-entropy experiment, iteration by iteration; the Markov
//! chain of its Mallows distribution; and the game, to be played or advised on.

mod advise;
mod breaker_cache;
mod chain;
mod experiment;

pub(super) use advise::{advise, answer};
pub(super) use breaker_cache::BreakerCaches;
pub(super) use chain::chain;
pub(super) use experiment::{check_study, run};

use axum::Json;
use ludion::riddles::mastermind::Mastermind;
use ludion::riddles::mastermind::breaker::strategy::STRATEGIES;
use ludion::riddles::mastermind::experiment::chain::ChainOptions;
use ludion::riddles::mastermind::experiment::{
    DistributionKind, ExperimentSettings, ExperimentSettingsError,
};
use serde::{Deserialize, Serialize};

use super::error::LabError;

/// Most pegs, and most colours.
const LARGEST: usize = 40;

/// The distributions, strategies and default settings.
#[derive(Serialize)]
pub(super) struct MastermindResponse {
    /// Most pegs, and most colours.
    largest: usize,
    laws: Vec<DistributionInfo>,
    look: ChainOptions,
    strategies: Vec<StrategyInfo>,
}

#[derive(Serialize)]
struct DistributionInfo {
    name: &'static str,
    help: &'static str,
    /// Whether a code may contain a colour twice.
    repeats: bool,
    /// The published settings of the distribution.
    settings: ExperimentSettings,
}

#[derive(Serialize)]
struct StrategyInfo {
    name: &'static str,
    help: &'static str,
}

/// `GET /api/mastermind`.
pub(super) async fn about() -> Json<MastermindResponse> {
    let laws = [
        (DistributionKind::Independent, "every peg by itself; colours may come twice"),
        (DistributionKind::Permutation, "pegs one after the other, from the colours that are left"),
        (
            DistributionKind::corrected(),
            "around a centre x*, which moves to where the elite has more",
        ),
        (
            DistributionKind::original(),
            "by a chain, the centre from the shares of the elite; mostly fails",
        ),
    ];
    let law = |(law, help): (DistributionKind, &'static str)| DistributionInfo {
        name: law.name(),
        help,
        repeats: law.repeats(),
        settings: ExperimentSettings::new(6, 10, law),
    };
    let strategies = STRATEGIES.iter().map(|s| StrategyInfo { name: s.name, help: s.help });
    Json(MastermindResponse {
        largest: LARGEST,
        laws: laws.into_iter().map(law).collect(),
        look: ChainOptions::new(10, 40),
        strategies: strategies.collect(),
    })
}

/// The size of a request's codes.
#[derive(Clone, Copy, Deserialize)]
struct MastermindSize {
    pegs: usize,
    colours: usize,
    #[serde(default = "yes")]
    repeats: bool,
}

fn yes() -> bool {
    true
}

impl MastermindSize {
    fn rules(self) -> Result<Mastermind, LabError> {
        within("pegs", self.pegs, LARGEST)?;
        within("colours", self.colours, LARGEST)?;
        let rules = Mastermind::new(self.pegs, self.colours, self.repeats);
        rules.map_err(|error| LabError::Bad(error.to_string()))
    }
}

/// Rejects a value above `most`.
fn within(name: &str, value: usize, most: usize) -> Result<(), LabError> {
    if value <= most {
        return Ok(());
    }
    Err(LabError::Bad(format!("{name} = {value} is not allowed here; {name} is at most {most}")))
}

impl From<ExperimentSettingsError> for LabError {
    fn from(error: ExperimentSettingsError) -> Self {
        LabError::Bad(error.to_string())
    }
}
