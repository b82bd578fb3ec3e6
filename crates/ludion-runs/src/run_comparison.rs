//! Compares the stored results of two runs of the same plan: games move by move, outputs of studies
//! value by value. A repetition that is the same in every move has repeated the experiment.

use std::collections::HashMap;

use ludion_store::{RunId, RunPlan, Store, StoredGame};
use serde::Serialize;
use serde_json::Value;

use crate::RunError;

/// What a comparison of two runs found.
#[derive(Serialize, Clone, PartialEq, Debug, Default)]
pub struct RunComparison {
    /// Number of games or outputs that both runs have.
    pub compared: u64,
    /// Number of those that are the same.
    pub same: u64,
    /// Number of games or outputs that only one of the runs has.
    pub missing: u64,
    /// The first game that differs; `None` if none does or the runs are studies.
    pub difference: Option<GameDifference>,
}

/// Where two games differ.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub struct GameDifference {
    /// Number of the game in its run.
    pub game: u64,
    /// Number of equal plies before the difference, those of the opening included.
    pub ply: usize,
    /// The move of the first run; `None` if its game was over.
    pub before: Option<String>,
    /// The move of the second run; `None` if its game was over.
    pub now: Option<String>,
}

/// Compares the stored results of two runs.
///
/// # Errors
/// When one of the runs is missing or the store cannot be read.
pub fn compare_runs(store: &Store, before: RunId, now: RunId) -> Result<RunComparison, RunError> {
    match (store.any_run(before)?.plan, store.any_run(now)?.plan) {
        (RunPlan::Games(_), RunPlan::Games(_)) => games(store, before, now),
        _ => outputs(store, before, now),
    }
}

/// Number of games that are read at a time.
const BATCH: u64 = 1000;

fn games(store: &Store, before: RunId, now: RunId) -> Result<RunComparison, RunError> {
    let mut found = RunComparison::default();
    for batch in 0.. {
        let (from, end) = (batch * BATCH, (batch + 1) * BATCH);
        let (old, new) = (store.games(before, from, BATCH)?, store.games(now, from, BATCH)?);
        if old.is_empty() && new.is_empty() {
            break;
        }
        // A run that was stopped may lack games, so that a batch reaches further than its numbers.
        let within =
            |games: Vec<StoredGame>| games.into_iter().filter(move |game| game.number < end);
        let mut known: HashMap<u64, StoredGame> =
            within(old).map(|game| (game.number, game)).collect();
        for game in within(new) {
            match known.remove(&game.number) {
                Some(old) => found.add(&old, &game),
                None => found.missing += 1,
            }
        }
        found.missing += known.len() as u64;
    }
    Ok(found)
}

impl RunComparison {
    fn add(&mut self, old: &StoredGame, new: &StoredGame) {
        self.compared += 1;
        let [before, now] = [old, new].map(moves);
        let same = before == now && old.result.end == new.result.end;
        self.same += u64::from(same);
        if !same && self.difference.is_none() {
            let ply = before.iter().zip(&now).take_while(|(a, b)| a == b).count();
            let at = |moves: &[String]| moves.get(ply).cloned();
            let (before, now) = (at(&before), at(&now));
            self.difference = Some(GameDifference { game: new.number, ply, before, now });
        }
    }
}

/// Returns all moves of a game, those of the opening included.
fn moves(game: &StoredGame) -> Vec<String> {
    let Some(record) = &game.result.record else { return Vec::new() };
    record.opening.iter().cloned().chain(record.plies.iter().map(|m| m.play.clone())).collect()
}

fn outputs(store: &Store, before: RunId, now: RunId) -> Result<RunComparison, RunError> {
    let [old, new] = [before, now].map(|run| store.outputs::<Value>(run));
    let mut known: HashMap<u64, Value> =
        old?.into_iter().map(|output| (output.number, output.value)).collect();
    let mut found = RunComparison::default();
    for output in new? {
        match known.remove(&output.number) {
            Some(value) => {
                found.compared += 1;
                found.same += u64::from(value == output.value);
            }
            None => found.missing += 1,
        }
    }
    found.missing += known.len() as u64;
    Ok(found)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use ludion_players::arena::pair::GameSettings;
    use ludion_players::player::Budget;

    use super::*;
    use crate::{PlanSession, RunContext, setup};

    /// Plays five pairs with this seed into the store.
    fn play(store: Store, seed: u64) -> Store {
        let registry = ludion::registry::standard();
        let terms = GameSettings { budget: Budget::UNLIMITED, opening: 1, longest: 100, seed };
        let players = ["montecarlo(sims=4)", "random"];
        let plan = setup::duel(&registry, "tictactoe", players, 5, terms, None).expect("a plan");
        let mut session = PlanSession::start(plan, Some(store), None).expect("a session");
        let stop = AtomicBool::new(false);
        let context =
            RunContext { registry: &registry, threads: 2, stop: &stop, gate: None, cluster: None };
        session.play(&context, &mut |_, _| {}).expect("games");
        session.into_store().expect("a store")
    }

    #[test]
    fn a_repetition_is_the_same_move_by_move_and_another_seed_is_not() {
        let mut store = Store::in_memory().expect("a store");
        for seed in [3, 3, 4] {
            store = play(store, seed);
        }
        let same = compare_runs(&store, 1, 2).expect("a comparison");
        assert_eq!(same, RunComparison { compared: 10, same: 10, missing: 0, difference: None });
        let other = compare_runs(&store, 1, 3).expect("a comparison");
        assert!(other.compared == 10 && other.same < 10);
        let difference = other.difference.expect("a difference");
        let record = |run| store.game(run, difference.game).expect("a game");
        let at = |run| moves(&record(run)).get(difference.ply).cloned();
        assert_eq!((at(1), at(3)), (difference.before.clone(), difference.now.clone()));
        assert_ne!(difference.before, difference.now);
        store.drop_pairs_from(2, 3).expect("fewer games");
        let fewer = compare_runs(&store, 1, 2).expect("a comparison");
        assert_eq!((fewer.compared, fewer.same, fewer.missing), (6, 6, 4));
    }
}
