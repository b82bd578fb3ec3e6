//! Stored plans as this program reads them. A plan keeps its specs with all parameters
//! ([`FullSpecs`]), so its players are the same when defaults have changed; they are shown by their
//! shortest specs of today. A plan whose players cannot be made as they were has *changed*.

use ludion_players::arena::plan::{FullSpecs, GamesPlan, PlayerFile};
use ludion_players::effective::EffectivePlayer;
use ludion_players::player::Budget;
use ludion_players::registry::{AnyGame, GameEntry, Registry};
use ludion_players::spec::{Spec, SpecValue};
use ludion_store::{RunPlan, StoredRun};

use crate::defaults_0_1_0::{self, ValueBefore};
use crate::setup::summarise_hindrances;
use crate::{RunError, setup};

/// Returns a stored plan with specs that have their stored meaning under the defaults of today.
///
/// # Errors
/// [`RunError::Changed`] if the game or a player cannot be made as it was.
pub fn present_plan(registry: &Registry, plan: &GamesPlan) -> Result<GamesPlan, RunError> {
    let stored = match &plan.full {
        Some(full) => FullSpecs::clone(full),
        None => defaults_0_1_0::full_specs(plan),
    };
    let changed = |error: &dyn std::fmt::Display| RunError::Changed(error.to_string());
    let meant = registry.game(&stored.game).map_err(|error| changed(&error))?;
    let game = match registry.game(&plan.game) {
        Ok(game) if game.full_spec() == meant.full_spec() => plan.game.clone(),
        _ => meant.spec().to_owned(),
    };
    let entry = registry.entry(&game).map_err(|error| changed(&error))?;
    let budget = &plan.budget();
    let players = present_players(entry, &*meant, &stored.players, plan)?;
    let files = stored.files;
    let mut plan = GamesPlan { game, ..plan.clone() };
    if let (Some(field), Some(first)) = (&mut plan.field, players.first()) {
        *field = setup::without_overridden(field, first);
    }
    let tuned = stored.tuned.map(|tuned| complete_open(entry, &*meant, &tuned, budget));
    let tuned = tuned.transpose()?;
    if let (Some(tuning), Some(tuned)) = (&mut plan.tuning, &tuned) {
        let now = setup::full_open_spec(&*meant, &tuning.player, budget);
        if !now.is_ok_and(|now| now == *tuned) {
            tuning.player.clone_from(tuned);
        }
    }
    set_players(&*meant, players, files, &mut plan);
    if let Some(full) = &mut plan.full {
        full.tuned = tuned;
    }
    Ok(plan)
}

/// Returns the stored players as they act under the budget of the plan; by the names that the plan
/// has where these still mean the same.
fn present_players(
    entry: &GameEntry,
    game: &dyn AnyGame,
    stored: &[String],
    plan: &GamesPlan,
) -> Result<Vec<EffectivePlayer>, RunError> {
    let budget = &plan.budget();
    let present = |(full, shown): (&String, &String)| {
        let full = complete(entry, game, full, budget)?;
        let player = game.effective_player(&full, budget);
        let player = player.map_err(|error| RunError::Changed(error.to_string()))?;
        let now = game.effective_player(shown, budget).ok();
        Ok(now.filter(|now| now.full == player.full).unwrap_or(player))
    };
    stored.iter().zip(&plan.players).map(present).collect()
}

/// Sets the players of a plan: their shortest specs, their full specs, their files and their
/// hindrances.
pub(crate) fn set_players(
    game: &dyn AnyGame,
    players: Vec<EffectivePlayer>,
    files: Vec<PlayerFile>,
    plan: &mut GamesPlan,
) {
    plan.hindrances = Some(summarise_hindrances(&players));
    plan.full = Some(Box::new(FullSpecs {
        game: game.full_spec().to_owned(),
        players: players.iter().map(|player| player.full.clone()).collect(),
        tuned: None,
        files,
    }));
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

#[cfg(test)]
mod tests {
    use ludion_players::arena::pair::GameSettings;

    use super::*;
    use crate::setup::{TournamentForm, championship, duel, tournament, tune};
    use ludion_players::arena::plan::{TuningMethod, TuningOptions};

    fn settings(budget: &str) -> GameSettings {
        let budget = if budget.is_empty() { Budget::UNLIMITED } else { budget.parse().unwrap() };
        GameSettings { budget, opening: 0, longest: 100, seed: 1 }
    }

    fn match_plan(players: [&str; 2], budget: &str) -> GamesPlan {
        let registry = ludion::registry::standard();
        duel(&registry, "tictactoe", players, 1, settings(budget), None).unwrap().into_plan()
    }

    /// Returns the plan as 0.1.0 stored it.
    fn of_0_1_0(mut plan: GamesPlan, players: &[&str]) -> GamesPlan {
        plan.players = players.iter().map(|&player| player.to_owned()).collect();
        GamesPlan { full: None, hindrances: None, ..plan }
    }

    #[test]
    fn the_player_that_acts_is_shown_and_stored() {
        let plan = match_plan(["mcts(sims=200)", "montecarlo(sims=9)"], "1500sims");
        assert_eq!(plan.players, ["mcts(sims=1500)", "montecarlo"]);
        let full = &plan.full.as_ref().unwrap().players;
        assert!(full[0].starts_with("mcts(sims=1500, select=puct,"), "{full:?}");
        assert_eq!(full[1], "montecarlo", "the parameter of games per action does not act");
        let plan = match_plan(["mcts(sims=200)", "deepening(secs=2)"], "50ms");
        assert_eq!(plan.players, ["mcts", "deepening"]);
        assert!(!plan.repeats());
        let plan = match_plan(["deepening(depth=3)", "minimax"], "5plies");
        assert_eq!(plan.players, ["deepening(depth=5)", "minimax(depth=5)"]);
        assert!(plan.repeats());
        assert!(!match_plan(["deepening(depth=3)", "minimax"], "").repeats(), "a second a move");
        assert!(!match_plan(["mcts(threads=2)", "minimax"], "").repeats());
        assert!(match_plan(["mcts(threads=2, parallel=root)", "minimax"], "").repeats());
    }

    #[test]
    fn equal_entrants_and_overridden_axes_are_refused() {
        let registry = ludion::registry::standard();
        let form = TournamentForm::RoundRobin;
        let cup = |players: &[&str], budget| {
            let played = tournament(&registry, "tictactoe", players, form, 1, settings(budget));
            played.map(|_| ()).map_err(|error| error.to_string())
        };
        assert_eq!(cup(&["mcts(sims=9)", "mcts(sims=8)"], ""), Ok(()));
        let refused = cup(&["random", "mcts(sims=9)", "mcts(sims=8)"], "7sims").unwrap_err();
        assert_eq!(
            refused,
            "players 2 and 3 are the same player under the budget 7sims, mcts(sims=7); every player \
             is listed once"
        );
        assert!(cup(&["mcts", "mcts(sims=10000)"], "").is_err(), "a default that is given");
        let field = |player, budget| {
            let plan = championship(&registry, "tictactoe", player, 1, settings(budget));
            plan.map(|plan| plan.into_plan().field.unwrap()).map_err(|error| error.to_string())
        };
        assert_eq!(field("mcts(sims=9, c=1|2)", "7sims").unwrap(), "mcts(sims=7, c=1|2)");
        assert_eq!(field("mcts(sims=9, c=1|2)", "7ms").unwrap(), "mcts(c=1|2)");
        let refused = field("mcts(sims=9|8)", "7sims").unwrap_err();
        assert!(refused.starts_with("the budget 7sims overrides sims"), "{refused}");
        let tuning = |player: &str| {
            let player = player.to_owned();
            let tuning = TuningOptions { player, by: TuningMethod::Genetic, generations: 1 };
            tune(&registry, "tictactoe", tuning, None, 1, settings("7sims"))
        };
        assert!(tuning("mcts(sims=?1..9)").is_err());
        let plan = tuning("mcts(sims=9, c=?1..3)").unwrap();
        assert_eq!(plan.tuning.as_ref().unwrap().player, "mcts(sims=7, c=?1..3)");
        let tuned = plan.full.as_ref().unwrap().tuned.as_ref().unwrap();
        assert!(tuned.contains("c=?1..3, prior=no"), "{tuned}");
        assert_eq!(present_plan(&registry, &plan).unwrap(), plan);
    }

    #[test]
    fn a_stored_plan_keeps_its_players_when_defaults_change() {
        let registry = ludion::registry::standard();
        let plan = match_plan(["uct(sims=30)", "minimax(eval=\"playouts(3)\")"], "");
        assert_eq!(present_plan(&registry, &plan).unwrap(), plan);
        // A version with other defaults stored these full specs under the shortest names it had.
        let mut other = plan.clone();
        other.players = vec!["uct".to_owned(), "minimax".to_owned()];
        let now = present_plan(&registry, &other).unwrap();
        assert_eq!(now.players[0], "uct(sims=30)");
        assert_eq!(now.full, plan.full);
        assert_eq!(now.players[1], "minimax(eval=\"playouts(sims=3, seed=1)\")");
    }

    #[test]
    fn plans_of_0_1_0_are_read_with_its_defaults_and_shown_as_they_played() {
        let registry = ludion::registry::standard();
        let plan = match_plan(["mcts", "uct"], "1500sims");
        let old = of_0_1_0(plan.clone(), &["mcts(sims=200)", "uct"]);
        let now = present_plan(&registry, &old).unwrap();
        assert_eq!(now.players[0], "mcts(sims=1500, growth=0)");
        // The defaults of 0.1.0, which may not be those of today.
        let uct = &now.full.unwrap().players[1];
        assert!(uct.starts_with("uct(depth=1, sims=1, c=0.3, keep=no, memory=256"), "{uct}");
    }

    #[test]
    fn a_player_that_cannot_be_made_as_it_was_has_changed() {
        let registry = ludion::registry::standard();
        let mut plan = match_plan(["uct", "random"], "");
        let mut with = |spec: &str| {
            plan.full.as_mut().unwrap().players[0] = spec.to_owned();
            present_plan(&registry, &plan).unwrap_err().to_string()
        };
        for (spec, reason) in [
            ("uct(depth=1, sims=1, c=0.3, keep=no, memory=256, luck=3)", "no parameter \"luck\""),
            ("uct(depth=1, sims=1, c=0.3, keep=no)", "uct did not have the parameter memory then"),
            ("oracle(depth=1)", "oracle"),
        ] {
            let sentence = with(spec);
            assert!(sentence.starts_with("a player has changed since the run was stored: "));
            assert!(sentence.contains(reason), "{sentence}");
        }
    }
}
