//! Plans of games, made from what people say: names are read by the registry, and what nobody
//! can play is refused before anything is kept.

use ludion::arena::pair::GameSettings;
use ludion::arena::pairings::PairSchedule;
use ludion::arena::plan::{MatchPlan, PlanKind, TuningPlan};
use ludion::arena::sprt::Sprt;
use ludion::registry::Registry;

use crate::{RunError, championship, session, tuning};

/// A match of two players, which a test may end early.
///
/// # Errors
/// Names what is wrong, and what is allowed.
pub fn duel(
    registry: &Registry,
    game: &str,
    players: [&str; 2],
    pairs: u64,
    terms: GameSettings,
    sprt: Option<Sprt>,
) -> Result<MatchPlan, RunError> {
    let plan = named(registry, PlanKind::Match, game, &players, PairSchedule::duel(pairs), terms)?;
    checked(registry, MatchPlan { sprt, ..plan })
}

/// Who meets whom in a tournament.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TournamentForm {
    /// Everybody meets everybody.
    #[default]
    RoundRobin,
    /// The first player meets all others.
    Gauntlet,
}

/// A tournament of two players or more.
///
/// # Errors
/// Names what is wrong, and what is allowed.
pub fn tournament(
    registry: &Registry,
    game: &str,
    players: &[impl AsRef<str>],
    form: TournamentForm,
    pairs: u64,
    terms: GameSettings,
) -> Result<MatchPlan, RunError> {
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
    checked(registry, named(registry, PlanKind::Tournament, game, players, schedule, terms)?)
}

/// A championship of one player with one or two open parameters, such as `mcts(a=1..50)`.
///
/// # Errors
/// Names what is wrong, and what is allowed.
pub fn championship(
    registry: &Registry,
    game: &str,
    player: &str,
    pairs: u64,
    terms: GameSettings,
) -> Result<MatchPlan, RunError> {
    let field = championship::read(player)?;
    let players: Vec<&str> = field.entrants.iter().map(|entrant| &entrant.text[..]).collect();
    let schedule = PairSchedule::round_robin(players.len() as u32, pairs);
    let plan = named(registry, PlanKind::Championship, game, &players, schedule, terms)?;
    checked(registry, MatchPlan { field: Some(player.to_owned()), ..plan })
}

/// A tuning of the open parameters of a player, such as `mcts(a=?, c=?1..3)`, against an
/// opponent: the player with its defaults, if nobody is named. Each candidate plays `pairs`.
///
/// # Errors
/// Names what is wrong, and what is allowed.
pub fn tune(
    registry: &Registry,
    game: &str,
    wanted: TuningPlan,
    against: Option<&str>,
    pairs: u64,
    terms: GameSettings,
) -> Result<MatchPlan, RunError> {
    let open = tuning::opened(registry, game, &wanted.player)?;
    let opponent = against.map_or_else(|| open.plain(), str::to_owned);
    let schedule = PairSchedule { meetings: Vec::new(), pairs };
    // The first candidate stands for all: they differ by values within their ranges.
    let both = [&opponent[..], &open.at(&open.start)];
    let plan = named(registry, PlanKind::Tuning, game, &both, schedule, terms)?;
    session::check(registry, &plan)?;
    let players = plan.players.into_iter().take(1).collect();
    Ok(MatchPlan { players, tuning: Some(wanted), ..plan })
}

fn named(
    registry: &Registry,
    kind: PlanKind,
    game: &str,
    texts: &[impl AsRef<str>],
    schedule: PairSchedule,
    terms: GameSettings,
) -> Result<MatchPlan, RunError> {
    let game = registry.game(game)?;
    let mut players = Vec::new();
    for text in texts {
        players.push(game.player(text.as_ref())?.spec().to_owned());
    }
    Ok(MatchPlan::new(kind, game.spec(), players, schedule, terms))
}

fn checked(registry: &Registry, plan: MatchPlan) -> Result<MatchPlan, RunError> {
    session::check(registry, &plan)?;
    Ok(plan)
}
