//! Mastermind in the laboratory: the experiment by cross-entropy, iteration by iteration as it
//! runs; the chain of its third law; and the real game, to be played or to be advised at.

mod advise;
mod bench;
mod chain;
mod experiment;

pub(super) use advise::{advise, answer};
pub(super) use bench::Benches;
pub(super) use chain::chain;
pub(super) use experiment::run;

use axum::Json;
use ludion::riddles::mastermind::Mastermind;
use ludion::riddles::mastermind::breaker::strategy::STRATEGIES;
use ludion::riddles::mastermind::laboratory::chain::Look;
use ludion::riddles::mastermind::laboratory::{Law, Settings, SettingsError};
use serde::{Deserialize, Serialize};

use super::reply::Refusal;

/// Most pegs and most colours here.
const LARGEST: usize = 40;

/// What there is to choose from.
#[derive(Serialize)]
pub(super) struct About {
    /// Most pegs, and most colours.
    largest: usize,
    laws: Vec<LawInfo>,
    look: Look,
    strategies: Vec<StrategyInfo>,
}

#[derive(Serialize)]
struct LawInfo {
    name: &'static str,
    help: &'static str,
    /// Whether its codes may have a colour twice.
    repeats: bool,
    /// The study's settings for it.
    settings: Settings,
}

#[derive(Serialize)]
struct StrategyInfo {
    name: &'static str,
    help: &'static str,
}

/// `GET /api/mastermind`.
pub(super) async fn about() -> Json<About> {
    let laws = [
        (Law::Independent, "every peg by itself; colours may come twice"),
        (Law::Permutation, "pegs one after the other, from the colours that are left"),
        (Law::corrected(), "around a centre x*, which moves to where the elite has more"),
        (Law::original(), "by a chain, the centre from the shares of the elite; mostly fails"),
    ];
    let law = |(law, help): (Law, &'static str)| LawInfo {
        name: law.name(),
        help,
        repeats: law.repeats(),
        settings: Settings::new(6, 10, law),
    };
    let strategies = STRATEGIES.iter().map(|s| StrategyInfo { name: s.name, help: s.help });
    Json(About {
        largest: LARGEST,
        laws: laws.into_iter().map(law).collect(),
        look: Look::new(10, 40),
        strategies: strategies.collect(),
    })
}

/// The riddle of a request.
#[derive(Clone, Copy, Deserialize)]
struct Sizes {
    pegs: usize,
    colours: usize,
    #[serde(default = "yes")]
    repeats: bool,
}

fn yes() -> bool {
    true
}

impl Sizes {
    fn rules(self) -> Result<Mastermind, Refusal> {
        within("pegs", self.pegs, LARGEST)?;
        within("colours", self.colours, LARGEST)?;
        let rules = Mastermind::new(self.pegs, self.colours, self.repeats);
        rules.map_err(|error| Refusal::Bad(error.to_string()))
    }
}

/// Refuses what is more than `most`.
fn within(name: &str, value: usize, most: usize) -> Result<(), Refusal> {
    if value <= most {
        return Ok(());
    }
    Err(Refusal::Bad(format!("{name} = {value} is not allowed here; {name} is at most {most}")))
}

impl From<SettingsError> for Refusal {
    fn from(error: SettingsError) -> Self {
        Refusal::Bad(error.to_string())
    }
}
