//! Makes plans from specs that users type. The registry resolves the names and every player is made
//! once, so that a plan that cannot be played is an error before anything is stored.

use ludion::arena::pair::GameSettings;
use ludion::arena::pairings::PairSchedule;
use ludion::arena::plan::{GamesPlan, PlanKind, TuningOptions};
use ludion::arena::sprt::Sprt;
use ludion::player::BudgetUnit;
use ludion::registry::{PlayerInfo, Registry, RegistryError};
use ludion::spec::Spec;

use crate::{PlayablePlan, RunError, championship, tuning};

/// Largest number of random plies at the start of a game. An opening that ends the game is drawn
/// again and then shortened, so that a much larger number would keep a pair from beginning.
pub const MAX_OPENING: u32 = 1000;

/// Plans a match of two players, which a sequential test may end early.
///
/// # Errors
/// When a name or a setting is not allowed; the message says what is.
pub fn duel(
    registry: &Registry,
    game: &str,
    players: [&str; 2],
    pairs: u64,
    terms: GameSettings,
    sprt: Option<Sprt>,
) -> Result<PlayablePlan, RunError> {
    let schedule = PairSchedule::duel(pairs);
    let mut playable = resolve(registry, PlanKind::Match, game, &players, schedule, terms)?;
    playable.plan.sprt = sprt;
    Ok(playable)
}

/// Which players meet in a tournament.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TournamentForm {
    /// Every player meets every other.
    #[default]
    RoundRobin,
    /// The first player meets every other; the others do not meet.
    Gauntlet,
}

/// Plans a tournament of two or more players. Each meeting is `pairs` pairs of games.
///
/// # Errors
/// When a name or a setting is not allowed; the message says what is.
pub fn tournament(
    registry: &Registry,
    game: &str,
    players: &[impl AsRef<str>],
    form: TournamentForm,
    pairs: u64,
    terms: GameSettings,
) -> Result<PlayablePlan, RunError> {
    if players.len() < 2 {
        let there_is = if players.is_empty() { "none" } else { "one" };
        return Err(RunError::Wrong(format!(
            "a tournament needs at least two players, and there is {there_is}"
        )));
    }
    let count = players.len() as u32;
    let schedule = match form {
        TournamentForm::RoundRobin => PairSchedule::round_robin(count, pairs),
        TournamentForm::Gauntlet => PairSchedule::gauntlet(count, pairs),
    };
    resolve(registry, PlanKind::Tournament, game, players, schedule, terms)
}

/// Plans a championship of one player with one or two open parameters, such as `mcts(a=1..50)`.
///
/// # Errors
/// When a name or a setting is not allowed; the message says what is.
pub fn championship(
    registry: &Registry,
    game: &str,
    player: &str,
    pairs: u64,
    terms: GameSettings,
) -> Result<PlayablePlan, RunError> {
    let entrants = championship::parse_entrants(player)?.entrants;
    let players: Vec<&str> = entrants.iter().map(|entrant| &entrant.text[..]).collect();
    let schedule = PairSchedule::round_robin(players.len() as u32, pairs);
    let kind = PlanKind::Championship;
    let mut playable = resolve(registry, kind, game, &players, schedule, terms)?;
    playable.plan.field = Some(player.to_owned());
    Ok(playable)
}

/// Plans a tuning of the open parameters of a player, such as `mcts(a=?, c=?1..3)`. Each candidate
/// plays a match of `pairs` pairs against one opponent, by default the player with its default
/// values.
///
/// # Errors
/// When a name or a setting is not allowed; the message says what is.
pub fn tune(
    registry: &Registry,
    game: &str,
    tuning: TuningOptions,
    against: Option<&str>,
    pairs: u64,
    terms: GameSettings,
) -> Result<GamesPlan, RunError> {
    let open = tuning::open_player(registry, game, &tuning.player)?;
    let opponent = against.map_or_else(|| open.with_defaults(), str::to_owned);
    let schedule = PairSchedule { meetings: Vec::new(), pairs };
    // One candidate is checked for all of them: they differ only by values within the allowed
    // ranges.
    let players = [&opponent[..], &open.at(&open.start)];
    let playable = resolve(registry, PlanKind::Tuning, game, &players, schedule, terms)?;
    let mut plan = playable.into_plan();
    plan.players.truncate(1);
    plan.tuning = Some(tuning);
    Ok(plan)
}

/// Makes the game and each player once, and returns the plan with their canonical specs.
fn resolve(
    registry: &Registry,
    kind: PlanKind,
    game: &str,
    players: &[impl AsRef<str>],
    schedule: PairSchedule,
    terms: GameSettings,
) -> Result<PlayablePlan, RunError> {
    let game = registry.game(game)?;
    let mut specs = Vec::new();
    for text in players {
        specs.push(game.player(text.as_ref())?.spec().to_owned());
    }
    // A puzzle has no referee, which this detects even if there are no players.
    game.referee(&[])?;
    if terms.opening > MAX_OPENING {
        return Err(RunError::Wrong(format!(
            "an opening of {} plies is too long; it may have up to {MAX_OPENING}",
            terms.opening
        )));
    }
    let plan = GamesPlan::new(kind, game.spec(), specs, schedule, terms);
    check_budget(registry, &plan)?;
    Ok(PlayablePlan { plan, game })
}

/// Returns an error if the budget is in units that none of the players uses.
fn check_budget(registry: &Registry, plan: &GamesPlan) -> Result<(), RunError> {
    let units = plan.terms.budget.units();
    let names: Result<Vec<String>, _> =
        plan.players.iter().map(|player| Ok(Spec::parse(player)?.name)).collect();
    let names = names.map_err(RegistryError::Param)?;
    let known = registry.entry(&plan.game)?.players().iter();
    let infos: Vec<&PlayerInfo> =
        known.filter(|info| names.iter().any(|name| info.is_called(name))).collect();
    let is_used = infos.iter().any(|info| info.spends.iter().any(|unit| units.contains(unit)));
    if units.is_empty() || is_used {
        return Ok(());
    }
    let words = |units: &[BudgetUnit]| match units {
        [] => "no budget".to_owned(),
        units => units.iter().map(|unit| unit.name()).collect::<Vec<_>>().join(", "),
    };
    let known: Vec<String> =
        infos.iter().map(|info| format!("{} uses {}", info.name, words(&info.spends))).collect();
    Err(RunError::Wrong(format!(
        "none of the players uses a budget in {}: {}",
        words(&units),
        known.join("; ")
    )))
}
