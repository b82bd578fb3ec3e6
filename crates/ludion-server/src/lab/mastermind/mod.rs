//! Mastermind in the laboratory: the cross-entropy experiment, iteration by iteration; the Markov
//! chain of its Mallows distribution; and the game, with feedback for guesses and advice.

mod advise;
mod breaker_cache;
mod chain;
mod experiment;

pub(super) use advise::{advise, answer};
pub(super) use breaker_cache::BreakerCaches;
pub(super) use chain::chain;
pub(super) use experiment::{check_study, run};

use axum::Json;
use ludion_mastermind::Mastermind;
use ludion_mastermind::breaker::strategy::STRATEGIES;
use ludion_mastermind::experiment::chain::ChainOptions;
use ludion_mastermind::experiment::{
    DistributionKind, ExperimentSettings, ExperimentSettingsError,
};
use serde::{Deserialize, Serialize};

use super::error::LabError;

/// Largest number of pegs, and of colours, in a request.
const LARGEST: usize = 40;

/// The answer of `GET /api/mastermind`: the limits, distributions and strategies that requests can
/// choose from, with default settings.
#[derive(Serialize)]
pub(super) struct MastermindResponse {
    /// Largest number of pegs, and of colours, in a request.
    largest: usize,
    /// The distributions of the experiment.
    laws: Vec<DistributionInfo>,
    /// Default settings of the chain diagnostics.
    look: ChainOptions,
    /// The strategies of code breakers.
    strategies: Vec<StrategyInfo>,
}

#[derive(Serialize)]
struct DistributionInfo {
    name: &'static str,
    help: &'static str,
    /// Whether codes drawn from the distribution may contain a colour twice.
    repeats: bool,
    /// The published settings of the distribution.
    settings: ExperimentSettings,
}

#[derive(Serialize)]
struct StrategyInfo {
    name: &'static str,
    help: &'static str,
}

/// Serves `GET /api/mastermind`.
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

/// The size of the codes that a request is about.
#[derive(Clone, Copy, Deserialize)]
struct MastermindSize {
    pegs: usize,
    colours: usize,
    /// Whether a code may contain a colour twice.
    #[serde(default = "yes")]
    repeats: bool,
}

fn yes() -> bool {
    true
}

impl MastermindSize {
    /// Returns the rules of this size, or rejects a size that is too large.
    fn rules(self) -> Result<Mastermind, LabError> {
        within("pegs", self.pegs, LARGEST)?;
        within("colours", self.colours, LARGEST)?;
        let rules = Mastermind::new(self.pegs, self.colours, self.repeats);
        rules.map_err(|error| LabError::Bad(error.to_string()))
    }
}

/// Rejects the value of the field `name` if it is above `most`.
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
