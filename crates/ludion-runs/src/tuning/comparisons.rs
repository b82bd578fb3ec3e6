//! The games of a generation of SPSA: one pair between the two points of each comparison. They are one
//! run in the store, so that a generation is resumed, repeated and sent to a cluster as any other run.

use ludion_optimise::space::SpacePoint;
use ludion_players::arena::conditions::OpeningOrder;
use ludion_players::arena::pair::GameSettings;
use ludion_players::arena::pairings::PairSchedule;
use ludion_players::arena::plan::{GamesPlan, PlanKind, PlanTally};
use ludion_players::random::derive_seed;
use ludion_players::registry::AnyGame;
use ludion_store::{RunState, Store};

use super::OpenPlayer;
use crate::tournament::mean_score;
use crate::{PlayedPlan, RunError, present};

/// Index for [`derive_seed`] of the seeds of generations.
const GENERATION_STREAM: u64 = 2;

/// The comparisons of a generation as a plan of games.
pub(super) struct Comparisons {
    /// The plan; the players of meeting i are 2i and 2i + 1.
    pub(super) plan: GamesPlan,
    /// For each comparison, the number of its meeting; `None` if both points are the same player.
    meetings: Vec<Option<usize>>,
}

/// Returns the comparisons of generation `number`, whose points are `asked` in pairs.
///
/// # Errors
/// When a candidate cannot be made.
pub(super) fn plan(
    game: &dyn AnyGame,
    tuning: &GamesPlan,
    open: &OpenPlayer,
    (number, asked): (u64, &[SpacePoint]),
) -> Result<Comparisons, RunError> {
    let budget = &tuning.budget();
    let (mut players, mut meetings, mut schedule) = (Vec::new(), Vec::new(), Vec::new());
    for pair in asked.chunks_exact(2) {
        let specs = [open.at(&pair[0]), open.at(&pair[1])];
        if specs[0] == specs[1] {
            meetings.push(None);
            continue;
        }
        let first = players.len() as u32;
        meetings.push(Some(schedule.len()));
        schedule.push([first, first + 1]);
        for spec in specs {
            game.player(&spec)?;
            players.push(game.effective_player(&spec, budget)?);
        }
    }
    let seed = derive_seed(tuning.terms.seed, &[GENERATION_STREAM, number]);
    let terms = GameSettings { seed, ..tuning.terms };
    let schedule = PairSchedule { meetings: schedule, pairs: 1 };
    let mut plan = GamesPlan::new(PlanKind::Tournament, &tuning.game, Vec::new(), schedule, terms);
    plan.conditions.clone_from(&tuning.conditions);
    // Every meeting has one pair, which would be the first of the list.
    if let Some(openings) = plan.conditions.as_mut().and_then(|c| c.openings.as_mut()) {
        openings.order = OpeningOrder::Drawn;
    }
    let files = tuning.full.as_ref().map_or_else(Vec::new, |full| full.files.clone());
    present::set_players(game, players, files, &mut plan);
    Ok(Comparisons { plan, meetings })
}

impl Comparisons {
    /// Returns the scores of the points, those of a comparison after each other.
    pub(super) fn scores(&self, tally: Option<&PlanTally>) -> Vec<f64> {
        let score = |meeting: &Option<usize>| {
            let games = meeting.zip(tally).map(|(i, tally)| &tally.standings.meetings[i].1.games);
            let first = games.map_or(0.5, mean_score);
            [first, 1.0 - first]
        };
        self.meetings.iter().flat_map(score).collect()
    }
}

/// Returns the scores of a generation whose games are stored, or `None` if they are not all there.
///
/// # Errors
/// When the store cannot be read.
pub(super) fn stored_scores(
    store: &Store,
    game: &dyn AnyGame,
    tuning: &GamesPlan,
    open: &OpenPlayer,
    generation: (u64, &[SpacePoint]),
) -> Result<Option<Vec<f64>>, RunError> {
    let compared = plan(game, tuning, open, generation)?;
    if compared.plan.schedule.meetings.is_empty() {
        return Ok(Some(compared.scores(None)));
    }
    let run = store.find(&compared.plan)?.filter(|run| run.state == RunState::Finished);
    let Some(run) = run else { return Ok(None) };
    let played = PlayedPlan::stored(store, &run)?;
    Ok(Some(compared.scores(Some(&played.tally))))
}
