//! Makes plans from specs that users type. The registry resolves the names and every player is made
//! once, so that a plan that cannot be played is an error before anything is stored.

use ludion_players::arena::conditions::GameConditions;
use ludion_players::arena::pair::GameSettings;
use ludion_players::arena::pairings::PairSchedule;
use ludion_players::arena::plan::{GamesPlan, PlanKind, TuningOptions};
use ludion_players::arena::sprt::Sprt;
use ludion_players::effective::EffectivePlayer;
use ludion_players::player::{Budget, BudgetUnit};
use ludion_players::registry::{AnyGame, PlayerInfo, Registry, RegistryError};
use ludion_players::spec::{Spec, SpecValue};

use crate::{PlayablePlan, RunError, championship, names, player_files, present, tuning};

/// Largest number of random plies at the start of a game. An opening that ends the game is drawn
/// again and then shortened, so that a much larger number would keep a pair from beginning.
pub const MAX_OPENING: u32 = 1000;

/// The settings of the games of a run, with their conditions.
#[derive(Clone, PartialEq, Debug)]
pub struct RunTerms {
    /// Budget, opening, ply limit and seed.
    pub settings: GameSettings,
    /// Openings, clocks and adjudication.
    pub conditions: GameConditions,
}

impl From<GameSettings> for RunTerms {
    fn from(settings: GameSettings) -> Self {
        RunTerms { settings, conditions: GameConditions::default() }
    }
}

impl RunTerms {
    /// Returns the settings and conditions of a plan.
    #[must_use]
    pub fn of(plan: &GamesPlan) -> Self {
        let conditions = plan.conditions.as_deref().cloned().unwrap_or_default();
        RunTerms { settings: plan.terms, conditions }
    }
}

/// Plans a match of two players, which a sequential test may end early.
///
/// # Errors
/// When a name or a setting is not allowed; the message says what is.
pub fn duel(
    registry: &Registry,
    game: &str,
    players: [&str; 2],
    pairs: u64,
    terms: impl Into<RunTerms>,
    sprt: Option<Sprt>,
) -> Result<PlayablePlan, RunError> {
    let schedule = PairSchedule::duel(pairs);
    let mut playable = resolve(registry, PlanKind::Match, game, &players, schedule, terms.into())?;
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
    terms: impl Into<RunTerms>,
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
    let playable = resolve(registry, PlanKind::Tournament, game, players, schedule, terms.into())?;
    refuse_equal_players(playable.plan())?;
    Ok(playable)
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
    terms: impl Into<RunTerms>,
) -> Result<PlayablePlan, RunError> {
    let field = championship::parse_entrants(player)?;
    let players: Vec<&str> = field.entrants.iter().map(|entrant| &entrant.text[..]).collect();
    let schedule = PairSchedule::round_robin(players.len() as u32, pairs);
    let kind = PlanKind::Championship;
    let mut playable = resolve(registry, kind, game, &players, schedule, terms.into())?;
    let budget = playable.plan().budget();
    let first = playable.game.effective_player(players[0], &budget)?;
    refuse_overridden(&first, field.axes.iter().map(|axis| &axis.name[..]), &budget)?;
    refuse_equal_players(playable.plan())?;
    playable.plan.field = Some(without_overridden(player, &first));
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
    terms: impl Into<RunTerms>,
) -> Result<GamesPlan, RunError> {
    let open = tuning::open_player(registry, game, &tuning.player)?;
    tuning::check_method(&tuning, &open, pairs)?;
    let opponent = against.map_or_else(|| open.with_defaults(), str::to_owned);
    let schedule = PairSchedule { meetings: Vec::new(), pairs };
    // One candidate is checked for all of them: they differ only by values within the allowed
    // ranges. A second one has no defaults, which are allowed where another value has no effect.
    let players = [&opponent[..], &open.at(&open.start)];
    let playable = resolve(registry, PlanKind::Tuning, game, &players, schedule, terms.into())?;
    let elsewhere = vec![0.73; open.space.axes().len()];
    playable.game.player(&open.at(&open.space.point_at(&elsewhere)))?;
    let budget = playable.plan().budget();
    let start = playable.game.effective_player(players[1], &budget)?;
    refuse_overridden(&start, open.names().into_iter(), &budget)?;
    let tuned = full_open_spec(&*playable.game, &tuning.player, &budget)?;
    let player = without_overridden(&tuning.player, &start);
    let mut plan = playable.into_plan();
    plan.players.truncate(1);
    plan.tuning = Some(TuningOptions { player, ..tuning });
    if let Some(full) = &mut plan.full {
        full.players.truncate(1);
        full.tuned = Some(tuned);
    }
    Ok(plan)
}

/// Returns an error if two players of a plan are the same player under its budget.
fn refuse_equal_players(plan: &GamesPlan) -> Result<(), RunError> {
    let specs = player_files::identities(plan);
    for (i, spec) in specs.iter().enumerate() {
        if let Some(j) = specs[..i].iter().position(|earlier| earlier == spec) {
            let under = match plan.terms.budget.units().is_empty() {
                true => String::new(),
                false => format!(" under the budget {}", plan.terms.budget),
            };
            return Err(RunError::Wrong(format!(
                "players {} and {} are the same player{under}, {}; every player is listed once",
                j + 1,
                i + 1,
                plan.players[i]
            )));
        }
    }
    Ok(())
}

/// Returns an error if the budget overrides one of the open parameters `names` of a player.
fn refuse_overridden<'a>(
    player: &EffectivePlayer,
    mut names: impl Iterator<Item = &'a str>,
    budget: &Budget,
) -> Result<(), RunError> {
    let found = names.find(|name| player.overridden.iter().any(|overridden| overridden == name));
    match found {
        None => Ok(()),
        Some(name) => Err(RunError::Wrong(format!(
            "the budget {budget} overrides {name}, so its values cannot be compared; leave out the \
             budget or choose another parameter",
        ))),
    }
}

/// Returns a spec with open parameters as it is shown: values that the budget overrides are replaced
/// by those that act, or left out. `player` is the effective player of any of its values.
pub(crate) fn without_overridden(text: &str, player: &EffectivePlayer) -> String {
    let (Ok(mut spec), Ok(acting)) = (Spec::parse(text), Spec::parse(&player.spec)) else {
        return text.to_owned();
    };
    let mut is_changed = false;
    spec.values.retain_mut(|value| {
        let is_overridden =
            value.name.as_ref().is_some_and(|name| player.overridden.contains(name));
        if !is_overridden {
            return true;
        }
        let acts = acting.values.iter().find(|acting| acting.name == value.name);
        is_changed = true;
        acts.is_some_and(|acts| {
            value.clone_from(acts);
            true
        })
    });
    if is_changed { spec.to_string() } else { text.to_owned() }
}

/// Returns the spec of a tuned player with all parameters; the open ones stay as they are written.
///
/// # Errors
/// When the player is not one of the game.
pub(crate) fn full_open_spec(
    game: &dyn AnyGame,
    text: &str,
    budget: &Budget,
) -> Result<String, RegistryError> {
    let (closed, open) = split_open(&Spec::parse(text)?);
    let full = game.effective_player(&closed.to_string(), budget)?.full;
    Ok(with_open(Spec::parse(&full)?, &open).to_string())
}

/// Splits the spec of a tuned player: the spec without its open parameters, and these.
pub(crate) fn split_open(spec: &Spec) -> (Spec, Vec<SpecValue>) {
    let is_open = |value: &SpecValue| !value.quoted && value.text.starts_with('?');
    let (open, values) = spec.values.iter().cloned().partition(is_open);
    (Spec { name: spec.name.clone(), values }, open)
}

/// Returns a spec with all parameters in which the open ones stand as they are written.
pub(crate) fn with_open(mut full: Spec, open: &[SpecValue]) -> Spec {
    for value in &mut full.values {
        if let Some(open) = open.iter().find(|open| open.name == value.name) {
            value.clone_from(open);
        }
    }
    full
}

/// Maximum number of hindrances that a plan lists.
const MAX_HINDRANCES: usize = 5;

/// Returns the hindrances of all players, each once, and how many are not listed.
pub(crate) fn summarise_hindrances(players: &[EffectivePlayer]) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for hindrance in players.iter().flat_map(|player| &player.hindrances) {
        if !all.contains(hindrance) {
            all.push(hindrance.clone());
        }
    }
    if all.len() > MAX_HINDRANCES {
        let more = all.len() - (MAX_HINDRANCES - 1);
        all.truncate(MAX_HINDRANCES - 1);
        all.push(format!("and {more} more of this kind"));
    }
    all
}

/// Makes the game and each player once, and returns the plan with the specs of the players under the
/// budget.
fn resolve(
    registry: &Registry,
    kind: PlanKind,
    game: &str,
    players: &[impl AsRef<str>],
    schedule: PairSchedule,
    terms: RunTerms,
) -> Result<PlayablePlan, RunError> {
    let RunTerms { settings: terms, conditions } = terms;
    let (assets, files) = registry.assets().recording();
    let game = registry.game_with(game, &assets)?;
    let mut plan = GamesPlan::new(kind, game.spec(), Vec::new(), schedule, terms);
    if conditions != GameConditions::default() {
        plan.conditions = Some(Box::new(conditions));
    }
    refuse_two_times(&plan)?;
    let budget = plan.budget();
    let (mut effective, mut own_names) = (Vec::new(), Vec::new());
    for text in players {
        let mut player = game.player(text.as_ref())?;
        effective.push(game.effective_player(text.as_ref(), &budget)?);
        // The entrants of a championship and a tuning differ by their values, not by their names.
        let is_named = matches!(kind, PlanKind::Match | PlanKind::Tournament);
        own_names.push(if is_named { player.own_name() } else { None });
    }
    // A puzzle has no referee, which this detects even if there are no players.
    game.referee(&[])?;
    if terms.opening > MAX_OPENING {
        return Err(RunError::Wrong(format!(
            "an opening of {} plies is too long; it may have up to {MAX_OPENING}",
            terms.opening
        )));
    }
    let files = player_files::with_checksums(registry.assets(), &files)?;
    present::set_players(&*game, effective, files, &mut plan);
    plan.names = names::distinct(&plan.players, own_names);
    check_budget(registry, &plan)?;
    let playable = PlayablePlan { plan, game };
    playable.check_conditions()?;
    Ok(playable)
}

/// Returns an error if a plan has both clocks and a time for each move.
fn refuse_two_times(plan: &GamesPlan) -> Result<(), RunError> {
    let has_clock = plan.conditions.as_ref().is_some_and(|conditions| conditions.clock.is_some());
    match plan.terms.budget.time.filter(|_| has_clock) {
        None => Ok(()),
        Some(_) => Err(RunError::Wrong(format!(
            "the games have clocks, and the budget {} limits the time of a move as well; leave out one",
            plan.terms.budget
        ))),
    }
}

/// Returns an error if the budget is in units that none of the players uses.
fn check_budget(registry: &Registry, plan: &GamesPlan) -> Result<(), RunError> {
    let units = plan.budget().units();
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
