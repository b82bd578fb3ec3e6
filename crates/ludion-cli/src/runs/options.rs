//! Options of commands that play games between players.

use clap::Args;
use ludion::arena::pair::GameSettings;
use ludion::player::Budget;
use ludion_runs::setup::{MAX_OPENING, RunTerms};

use super::conditions::ConditionsArgs;
use crate::CommandContext;
use crate::failure::CommandFailure;

/// Options that apply to every game of a run.
#[derive(Args, Clone)]
pub(crate) struct GameTermsArgs {
    /// What each player may spend on a move in all, such as 100ms or 5000sims; replaces its
    /// parameters [default: from its parameters]
    #[arg(long, value_name = "BUDGET", allow_hyphen_values = true)]
    pub(crate) budget: Option<Budget>,
    /// Random plies before the players take over, the same in both games of a pair; they follow the
    /// opening of a list [default: 2, after --openings and --from 0]
    #[arg(long, value_name = "PLIES", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u32).range(0..=i64::from(MAX_OPENING)))]
    pub(crate) opening: Option<u32>,
    /// Plies after which a game is a draw [default: 10000]
    #[arg(long, value_name = "PLIES")]
    pub(crate) longest: Option<u32>,
    #[command(flatten)]
    pub(crate) conditions: ConditionsArgs,
}

impl GameTermsArgs {
    /// Returns the game settings with this seed and the defaults of options that were not given.
    pub(crate) fn terms(&self, seed: u64) -> GameSettings {
        GameSettings {
            budget: self.budget.unwrap_or_default(),
            opening: self.opening.unwrap_or(if self.conditions.has_openings() { 0 } else { 2 }),
            longest: self.longest.unwrap_or(10_000),
            seed,
        }
    }

    /// Returns the game settings with this seed, and the conditions of games of `game`.
    pub(crate) fn run_terms(
        &self,
        context: &CommandContext,
        game: &str,
    ) -> Result<RunTerms, CommandFailure> {
        let conditions = self.conditions.read(context, game)?;
        Ok(RunTerms { settings: self.terms(context.seed), conditions })
    }
}
