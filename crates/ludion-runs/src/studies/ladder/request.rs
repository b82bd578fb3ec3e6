//! Request for a rating list: the game, the players, and the settings of the games.

use ludion_players::arena::pair::GameSettings;
use ludion_players::effective::EffectivePlayer;
use ludion_players::player::{Budget, BudgetUnit};
use ludion_players::registry::{AnyGame, Registry};
use serde::Deserialize;

use super::LadderSettings;
use crate::RunError;
use crate::setup::{MAX_OPENING, summarise_hindrances};

/// Request for a rating list.
#[derive(Deserialize, Default)]
#[serde(default, deny_unknown_fields)]
pub struct LadderRequest {
    /// The spec of the game.
    pub game: String,
    /// Specs of the players. If the list is empty, every player of the game that keeps to the budget
    /// and needs no file.
    pub players: Vec<String>,
    /// What each player may spend on a move; by default 20 milliseconds.
    pub budget: Option<String>,
    /// Random plies before the players take over; by default 2.
    pub opening: Option<u32>,
    /// Plies after which a game is drawn; by default 10000.
    pub longest: Option<u32>,
    /// Largest number of rounds; by default 100000, which is until the run is stopped.
    pub rounds: Option<u64>,
    /// Pairs of games in a round; by default two for each player.
    pub pairs: Option<u32>,
}

/// The budget of a move if none is given.
const DEFAULT_BUDGET: &str = "20ms";
/// The largest number of rounds if none is given.
const DEFAULT_ROUNDS: u64 = 100_000;
/// The largest number of players.
const MAX_PLAYERS: usize = 200;

impl LadderRequest {
    pub(super) fn settings(
        self,
        registry: &Registry,
        seed: u64,
    ) -> Result<LadderSettings, RunError> {
        let wrong = |message: String| Err(RunError::Wrong(message));
        let game = registry.game(&self.game)?;
        // A puzzle has no referee.
        game.referee(&[])?;
        let budget: Budget = self.budget.as_deref().unwrap_or(DEFAULT_BUDGET).parse().map_err(
            |error: ludion_players::player::ParseBudgetError| RunError::Wrong(error.to_string()),
        )?;
        let players = match self.players.is_empty() {
            true => default_players(registry, &*game, &budget)?,
            false => given_players(&*game, &self.players, &budget)?,
        };
        if !(2..=MAX_PLAYERS).contains(&players.len()) {
            let count = players.len();
            return wrong(format!("a rating list has 2 to {MAX_PLAYERS} players, not {count}"));
        }
        let opening = self.opening.unwrap_or(2);
        if opening > MAX_OPENING {
            return wrong(format!("opening is {opening}; allowed is 0 to {MAX_OPENING}"));
        }
        let rounds = self.rounds.unwrap_or(DEFAULT_ROUNDS);
        let pairs = self.pairs.unwrap_or(2 * players.len() as u32);
        if rounds == 0 || pairs == 0 || rounds > DEFAULT_ROUNDS || pairs > 10_000 {
            return wrong(format!(
                "rounds is {rounds} and pairs is {pairs}; allowed are 1 to {DEFAULT_ROUNDS} rounds of \
                 1 to 10000 pairs"
            ));
        }
        let longest = self.longest.unwrap_or(10_000);
        Ok(LadderSettings {
            game: game.full_spec().to_owned(),
            hindrances: summarise_hindrances(&players),
            names: players.iter().map(|player| player.spec.clone()).collect(),
            players: players.into_iter().map(|player| player.full).collect(),
            terms: GameSettings { budget, opening, longest, seed },
            rounds,
            pairs,
            files: Vec::new(),
        })
    }
}

/// Returns the given players under the budget; each must be there once.
fn given_players(
    game: &dyn AnyGame,
    specs: &[String],
    budget: &Budget,
) -> Result<Vec<EffectivePlayer>, RunError> {
    let mut players: Vec<EffectivePlayer> = Vec::new();
    for spec in specs {
        game.player(spec)?;
        let player = game.effective_player(spec, budget)?;
        if players.iter().any(|known| known.full == player.full) {
            return Err(RunError::Wrong(format!(
                "{} is listed twice under the budget {budget}",
                player.spec
            )));
        }
        players.push(player);
    }
    Ok(players)
}

/// Returns all players of the game that need no file, and spend what the budget limits or nothing.
fn default_players(
    registry: &Registry,
    game: &dyn AnyGame,
    budget: &Budget,
) -> Result<Vec<EffectivePlayer>, RunError> {
    let units = budget.units();
    let keeps_to =
        |spends: &[BudgetUnit]| spends.is_empty() || spends.iter().any(|unit| units.contains(unit));
    let mut players: Vec<EffectivePlayer> = Vec::new();
    for info in registry.entry(game.spec())?.players() {
        // A player that needs a file or a command cannot be made by its name alone.
        if !keeps_to(&info.spends) || game.player(&info.name).is_err() {
            continue;
        }
        let player = game.effective_player(&info.name, budget)?;
        if !players.iter().any(|known| known.full == player.full) {
            players.push(player);
        }
    }
    Ok(players)
}
