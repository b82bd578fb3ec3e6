//! Stored plans as this program reads them. A plan keeps its specs with all parameters
//! ([`FullSpecs`]), so its players are the same when defaults have changed; they are shown by their
//! shortest specs of today. A plan whose players cannot be made as they were has *changed*.

use ludion::arena::plan::{FullSpecs, GamesPlan};
use ludion::effective::EffectivePlayer;
use ludion::player::Budget;
use ludion::registry::{AnyGame, GameEntry, Registry};
use ludion::spec::{Spec, SpecValue};
use ludion_store::{RunPlan, StoredRun};

use crate::defaults_0_1_0::{self, ValueBefore};
use crate::setup::summarise_hindrances;
use crate::{RunError, setup};

/// Returns a stored plan with specs that have their stored meaning under the defaults of today.
///
/// # Errors
/// [`RunError::Changed`] if the game or a player cannot be made as it was.
pub fn present_plan(registry: &Registry, plan: &GamesPlan) -> Result<GamesPlan, RunError> {
    let stored = plan.full.clone().unwrap_or_else(|| defaults_0_1_0::full_specs(plan));
    let changed = |error: &dyn std::fmt::Display| RunError::Changed(error.to_string());
    let meant = registry.game(&stored.game).map_err(|error| changed(&error))?;
    let game = match registry.game(&plan.game) {
        Ok(game) if game.full_spec() == meant.full_spec() => plan.game.clone(),
        _ => meant.spec().to_owned(),
    };
    let entry = registry.entry(&game).map_err(|error| changed(&error))?;
    let budget = &plan.terms.budget;
    let mut players = Vec::new();
    for (full, shown) in stored.players.iter().zip(&plan.players) {
        let full = complete(entry, &*meant, full, budget)?;
        let player = meant.effective_player(&full, budget).map_err(|error| changed(&error))?;
        let now = meant.effective_player(shown, budget).ok();
        players.push(now.filter(|now| now.full == player.full).unwrap_or(player));
    }
    let mut plan = GamesPlan { game, ..plan.clone() };
    if let (Some(field), Some(first)) = (&mut plan.field, players.first()) {
        *field = setup::without_overridden(field, first);
    }
    let tuned = stored.tuned.map(|tuned| complete_open(entry, &*meant, &tuned, budget));
    let tuned = tuned.transpose()?;
    if let (Some(tuning), Some(tuned)) = (&mut plan.tuning, &tuned) {
        let now = setup::full_open_spec(&*meant, &tuning.player, &plan.terms.budget);
        if !now.is_ok_and(|now| now == *tuned) {
            tuning.player.clone_from(tuned);
        }
    }
    set_players(&*meant, players, &mut plan);
    if let Some(full) = &mut plan.full {
        full.tuned = tuned;
    }
    Ok(plan)
}

/// Sets the players of a plan: their shortest specs, their full specs and their hindrances.
pub(crate) fn set_players(game: &dyn AnyGame, players: Vec<EffectivePlayer>, plan: &mut GamesPlan) {
    plan.hindrances = Some(summarise_hindrances(&players));
    plan.full = Some(FullSpecs {
        game: game.full_spec().to_owned(),
        players: players.iter().map(|player| player.full.clone()).collect(),
        tuned: None,
    });
    plan.players = players.into_iter().map(|player| player.spec).collect();
}

/// Adds the parameters that the player got after its full spec was stored, with the values with which
/// it plays as before.
fn complete(
    entry: &GameEntry,
    game: &dyn AnyGame,
    full: &str,
    budget: &Budget,
) -> Result<String, RunError> {
    let mut spec = parse(full)?;
    let Some(info) = entry.player(&spec.name) else {
        return Err(RunError::Changed(format!("no player is called {:?} any more", spec.name)));
    };
    spec = info.canonical(&spec);
    let now = game.effective_player(full, budget);
    let now = now.map_err(|error| RunError::Changed(error.to_string()))?;
    for value in parse(&now.full)?.values {
        if spec.values.iter().any(|given| given.name == value.name) {
            continue;
        }
        let name = value.name.clone().unwrap_or_default();
        match defaults_0_1_0::value_before(&info.name, &name) {
            Some(ValueBefore::Default) => spec.values.push(value),
            Some(ValueBefore::Value(text)) => {
                spec.values.push(SpecValue { text: text.to_owned(), ..value });
            }
            None => {
                let sentence = format!("{} did not have the parameter {name} then", info.name);
                return Err(RunError::Changed(sentence));
            }
        }
    }
    Ok(spec.to_string())
}

/// Completes the full spec of a tuned player, whose open parameters stay as they are written.
fn complete_open(
    entry: &GameEntry,
    game: &dyn AnyGame,
    full: &str,
    budget: &Budget,
) -> Result<String, RunError> {
    let (closed, open) = setup::split_open(&parse(full)?);
    let now = game.effective_player(&closed.to_string(), budget);
    let now = now.map_err(|error| RunError::Changed(error.to_string()))?;
    // Open parameters have their defaults meanwhile.
    let mut draft = closed;
    for value in parse(&now.full)?.values {
        if open.iter().any(|open| open.name == value.name) {
            draft.values.push(value);
        }
    }
    let complete = complete(entry, game, &draft.to_string(), budget)?;
    let full = game.effective_player(&complete, budget);
    let full = full.map_err(|error| RunError::Changed(error.to_string()))?.full;
    Ok(setup::with_open(parse(&full)?, &open).to_string())
}

fn parse(text: &str) -> Result<Spec, RunError> {
    Spec::parse(text).map_err(|error| RunError::Changed(error.to_string()))
}

/// Returns a stored run with its plan as this program reads it; a plan that has changed stays as it
/// was stored.
#[must_use]
pub fn present_run(registry: &Registry, mut run: StoredRun) -> StoredRun {
    if let Ok(plan) = present_plan(registry, &run.plan) {
        run.plan = plan;
    }
    run
}

/// Returns a stored run of any kind with its plan as this program reads it.
#[must_use]
pub fn present_any_run(registry: &Registry, mut run: StoredRun<RunPlan>) -> StoredRun<RunPlan> {
    if let RunPlan::Games(plan) = &run.plan
        && let Ok(plan) = present_plan(registry, plan)
    {
        run.plan = RunPlan::Games(plan);
    }
    run
}
