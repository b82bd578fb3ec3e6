//! Makes plans from specs that users type. The registry resolves the names and every player is made
//! once, so that a plan that cannot be played is an error before anything is stored.

use ludion::arena::pair::GameSettings;
use ludion::arena::pairings::PairSchedule;
use ludion::arena::plan::{GamesPlan, PlanKind, TuningOptions};
use ludion::arena::sprt::Sprt;
use ludion::player::BudgetUnit;
use ludion::registry::{PlayerInfo, Registry, RegistryError};
use ludion::spec::Spec;

use crate::{PlayablePlan, RunError, championship, names, tuning};

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

/// Gives the players of a plan these names, one for each; an empty list keeps the names as they
/// are.
///
/// # Errors
/// When there are too few or too many names, or a name is not allowed.
pub fn with_names(mut playable: PlayablePlan, given: &[String]) -> Result<PlayablePlan, RunError> {
    if !given.is_empty() {
        playable.plan.names = names::checked(given, playable.plan.players.len())?;
    }
    Ok(playable)
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
    let (mut specs, mut own_names) = (Vec::new(), Vec::new());
    for text in players {
        let mut player = game.player(text.as_ref())?;
        specs.push(player.spec().to_owned());
        // The entrants of a championship and a tuning differ by their values, not by their names.
        let is_named = matches!(kind, PlanKind::Match | PlanKind::Tournament);
        own_names.push(if is_named { player.own_name() } else { None });
    }
    // A puzzle has no referee, which this detects even if there are no players.
    game.referee(&[])?;
    let mut plan = GamesPlan::new(kind, game.spec(), specs, schedule, terms);
    plan.names = names::distinct(&plan.players, own_names);
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
