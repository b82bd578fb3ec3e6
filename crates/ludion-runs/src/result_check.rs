//! Checks whether a pair of games that a worker sent can be the result of its job: the seats are
//! those of the schedule, the opening is the one drawn for its number, every move is legal, and the
//! rules end the game as reported. The moves that the players chose are not computed again.

use std::sync::{Arc, Mutex, PoisonError};

use ludion_players::arena::conditions::GameConditions;
use ludion_players::arena::game::GameEnd;
use ludion_players::arena::pair::{AnyReferee, GameRecord, GameResult, GameSettings, SpentEffort};
use ludion_players::arena::plan::GamesPlan;
use ludion_players::game::Status;
use ludion_players::outcome::AnyOutcome;
use ludion_players::registry::AnyGame;

/// Checks the pairs that workers send for one plan.
pub(crate) struct ResultCheck {
    game: Arc<dyn AnyGame>,
    /// Referee that draws openings; `None` if the plan has no opening or the game has no player
    /// `random`.
    openings: Option<Mutex<Box<dyn AnyReferee>>>,
}

/// Returns whether games of the plan do not all begin at the start position.
fn has_openings(plan: &GamesPlan) -> bool {
    let has_list = plan.conditions.as_ref().is_some_and(|conditions| conditions.openings.is_some());
    plan.terms.opening > 0 || has_list
}

/// Returns whether the conditions of the plan allow that a game ends in this way.
fn can_end(plan: &GamesPlan, end: &GameEnd) -> bool {
    let none = GameConditions::default();
    let conditions = plan.conditions.as_deref().unwrap_or(&none);
    match end {
        GameEnd::Time { .. } => conditions.clock.is_some(),
        GameEnd::Adjudicated { .. } => !conditions.adjudication.is_empty(),
        GameEnd::Rules(_) | GameEnd::Forfeit { .. } | GameEnd::Endless => true,
    }
}

impl ResultCheck {
    pub(crate) fn new(game: &Arc<dyn AnyGame>, plan: &GamesPlan) -> Self {
        // The opening does not depend on the players, so it can be drawn with cheap ones.
        let players = vec!["random".to_owned(); plan.players.len()];
        let mut openings = has_openings(plan).then(|| game.referee(&players).ok()).flatten();
        if let (Some(referee), Some(conditions)) = (&mut openings, &plan.conditions)
            && referee.set_conditions(conditions).is_err()
        {
            openings = None;
        }
        ResultCheck { game: Arc::clone(game), openings: openings.map(Mutex::new) }
    }

    /// Creates a check of the rules alone, without openings.
    pub(crate) fn of_rules(game: &Arc<dyn AnyGame>) -> Self {
        ResultCheck { game: Arc::clone(game), openings: None }
    }

    /// Returns whether the stored game with this number has the seats of its schedule and moves that
    /// lead to its result.
    pub(crate) fn accepts_stored(&self, plan: &GamesPlan, number: u64, game: &GameResult) -> bool {
        let [a, b] = plan.schedule.pair(number / 2).players;
        let seats = if number.is_multiple_of(2) { [a, b] } else { [b, a] };
        let record = game.record.as_ref();
        game.seats == seats && record.is_some_and(|record| self.is_legal(plan, game, record))
    }

    /// Returns whether these two games can be the result of the pair with this number.
    pub(crate) fn accepts(&self, plan: &GamesPlan, number: u64, pair: &[GameResult; 2]) -> bool {
        let [a, b] = plan.schedule.pair(number).players;
        if pair[0].seats != [a, b] || pair[1].seats != [b, a] {
            return false;
        }
        if !pair.iter().all(|game| can_end(plan, &game.end)) {
            return false;
        }
        let opening = self.opening(plan, number);
        pair.iter().all(|game| match &game.record {
            Some(record) => {
                opening
                    .as_ref()
                    .is_none_or(|(start, drawn)| *start == record.start && *drawn == record.opening)
                    && self.is_legal(plan, game, record)
            }
            None => true,
        })
    }

    /// Returns the opening of the pair with this number, or `None` if it cannot be drawn.
    fn opening(&self, plan: &GamesPlan, number: u64) -> Option<(Option<String>, Vec<String>)> {
        if !has_openings(plan) {
            return Some((None, Vec::new()));
        }
        let referee = self.openings.as_ref()?;
        let mut referee = referee.lock().unwrap_or_else(PoisonError::into_inner);
        let terms = GameSettings { longest: 0, ..plan.terms };
        let [game, _] = referee.play_pair(&terms, plan.schedule.pair(number), true);
        game.record.map(|record| (record.start, record.opening))
    }

    /// Returns whether all moves are legal and the game ends as reported.
    fn is_legal(&self, plan: &GamesPlan, game: &GameResult, record: &GameRecord) -> bool {
        let start = record.start.as_ref();
        let position = start.map_or_else(|| Ok(self.game.start()), |text| self.game.read(text));
        let Ok(mut position) = position else { return false };
        let mut spent = [SpentEffort::default(); 2];
        for text in &record.opening {
            if position.play(text).is_err() {
                return false;
            }
        }
        for ply in &record.plies {
            if position.status().turn() != Some(ply.side) || position.play(&ply.play).is_err() {
                return false;
            }
            spent[ply.side.index()].add(ply.nodes, ply.time);
        }
        let plies = (record.opening.len() + record.plies.len()) as u32;
        let status = position.status();
        let ended = match &game.end {
            GameEnd::Rules(duel) => status == Status::Over(AnyOutcome::Duel(*duel)),
            GameEnd::Forfeit { by, .. } => status.turn() == Some(*by),
            GameEnd::Endless => status.turn().is_some() && plies >= plan.terms.longest,
            GameEnd::Time { by } => status.turn() == Some(*by),
            GameEnd::Adjudicated { .. } => status.turn().is_some(),
        };
        ended && game.plies == plies && game.spent == spent
    }
}

#[cfg(test)]
mod tests {
    use ludion::registry;
    use ludion_players::arena::pairings::PairSchedule;
    use ludion_players::arena::plan::PlanKind;
    use ludion_players::game::Side;
    use ludion_players::outcome::Duel;
    use ludion_players::player::Budget;

    use super::*;

    fn plan(game: &dyn AnyGame) -> GamesPlan {
        let players = ["random", "montecarlo(sims=2)"].map(str::to_owned).to_vec();
        let terms = GameSettings { budget: Budget::default(), opening: 3, longest: 40, seed: 5 };
        GamesPlan::new(PlanKind::Match, game.spec(), players, PairSchedule::duel(20), terms)
    }

    #[test]
    fn a_pair_is_accepted_for_its_own_job_only_and_an_altered_pair_never() {
        let game = registry::standard().game("connect4").expect("a game");
        let plan = plan(&*game);
        let check = ResultCheck::new(&game, &plan);
        let mut referee = game.referee(&plan.players).expect("players");
        let pairs: Vec<_> =
            (0..20).map(|n| referee.play_pair(&plan.terms, plan.schedule.pair(n), true)).collect();
        for (number, pair) in pairs.iter().enumerate() {
            for job in 0..20 {
                let same = pairs[job as usize] == *pair
                    || pairs[job as usize][0].record.as_ref().map(|r| &r.opening)
                        == pair[0].record.as_ref().map(|r| &r.opening);
                assert_eq!(check.accepts(&plan, job, pair), same, "pair {number} as job {job}");
            }
        }
        let wrong = |change: fn(&mut GameResult)| {
            let mut pair = pairs[0].clone();
            change(&mut pair[1]);
            assert!(!check.accepts(&plan, 0, &pair), "{pair:?}");
        };
        wrong(|game| game.seats.swap(0, 1));
        wrong(|game| {
            game.end = GameEnd::Rules(match game.end.duel() {
                Duel::Won(side) => Duel::Won(side.other()),
                Duel::Drawn => Duel::Won(Side::First),
            });
        });
        wrong(|game| game.end = GameEnd::Endless);
        wrong(|game| game.plies += 1);
        wrong(|game| game.spent[0].nodes += 1);
        wrong(|game| game.record.as_mut().expect("moves").plies[0].play = "z9".to_owned());
        wrong(|game| drop(game.record.as_mut().expect("moves").plies.pop()));
    }
}
