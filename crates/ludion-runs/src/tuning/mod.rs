//! Searches the parameters of a player that score best against an opponent, by a genetic algorithm,
//! cross-entropy or CMA-ES. Each candidate plays a match, which is stored: a candidate that has already
//! played, in this run or another, does not play again. With SPSA the candidates of a generation play
//! against each other, in one stored run ([`comparisons`]). The best of many noisy scores is an
//! overestimate, so the best candidate at the end plays another match with another seed.

mod comparisons;
mod method;
mod open;
mod report;

use std::sync::Arc;

use ludion_optimise::Maximiser;
use ludion_optimise::space::SpacePoint;
use ludion_players::arena::pair::GameSettings;
use ludion_players::arena::pairings::PairSchedule;
use ludion_players::arena::plan::{GamesPlan, PlanKind, PlanTally, TuningMethod, TuningOptions};
use ludion_players::random::derive_seed;
use ludion_players::registry::{AnyGame, Registry};
use ludion_store::{RunId, RunState, Store, StoredRun};

use crate::{PlanSession, PlayablePlan, PlayedPlan, RunContext, RunError, player_files, present};
pub(crate) use method::check_method;
pub use method::maximiser;
pub use open::OpenPlayer;
pub use report::{ConfirmationMatch, TunedPoint, TuningCandidate, TuningReport};

/// Progress of a tuning within the match of one candidate.
pub struct TuningProgress<'a> {
    /// Generation and number of the candidate as text, such as `generation 2, 3/12`.
    pub place: &'a str,
    /// Spec of the candidate.
    pub player: &'a str,
    /// Plan of the candidate's match.
    pub plan: &'a GamesPlan,
    /// Results of the pairs of this match so far.
    pub tally: &'a PlanTally,
    /// Number of pairs that this program played in the matches before this one.
    pub played_pairs: u64,
    /// Maximum number of pairs in the matches after this one; the search can end earlier, and
    /// stored matches are not played.
    pub left_pairs: u64,
    /// Report of the tuning so far, with the candidates before this one.
    pub so_far: &'a TuningReport,
}

/// Parses the open parameters of a player of a game.
///
/// # Errors
/// When the spec of the player is wrong; the message says what is allowed.
pub fn open_player(registry: &Registry, game: &str, player: &str) -> Result<OpenPlayer, RunError> {
    OpenPlayer::parse(player, registry.entry(game)?.players())
}

/// Computes the report of a stored tuning from the matches of its candidates.
///
/// # Errors
/// When the store cannot be read.
pub fn stored(
    registry: &Registry,
    store: &Store,
    run: &StoredRun,
) -> Result<TuningReport, RunError> {
    let CandidateSearch { game, open, mut maximiser } = CandidateSearch::new(registry, &run.plan)?;
    let mut report = TuningReport::new(Some(run.id), &run.plan, tuning_of(&run.plan)?, &open);
    report.state = run.state;
    for child in store.children(run.id)? {
        let child = present::present_run(registry, child);
        // The games between the candidates of a generation are no match.
        if child.plan.kind != PlanKind::Match {
            continue;
        }
        let played = PlayedPlan::stored(store, &child)?;
        let candidate = TuningCandidate::new(child.plan.players[0].clone(), false, &played);
        if child.plan.terms.seed == run.plan.terms.seed {
            report.add_candidate(candidate);
        } else {
            report.set_confirmation(candidate, &played);
        }
    }
    while maximiser.finished().is_none() {
        let asked: Vec<SpacePoint> = maximiser.ask().to_vec();
        let scores = match report.tuning.by {
            TuningMethod::Spsa => {
                let generation = maximiser.generations().len() as u64;
                comparisons::stored_scores(store, &*game, &run.plan, &open, (generation, &asked))?
            }
            _ => stored_scores(store, &*game, &run.plan, &open, &asked, &mut report)?,
        };
        let Some(scores) = scores else { break };
        maximiser.tell(&scores).map_err(|error| RunError::Failed(error.to_string()))?;
        report.add_generation(&*maximiser, &open);
    }
    Ok(report)
}

/// Returns the scores of candidates whose matches are finished, or `None` if one is not.
fn stored_scores(
    store: &Store,
    game: &dyn AnyGame,
    tuning: &GamesPlan,
    open: &OpenPlayer,
    asked: &[SpacePoint],
    report: &mut TuningReport,
) -> Result<Option<Vec<f64>>, RunError> {
    let mut scores = Vec::new();
    for point in asked {
        let plan = candidate_plan(game, tuning, &open.at(point), 1, tuning.terms.seed)?;
        match stored_score(store, &plan, report)? {
            Some(score) => scores.push(score),
            None => return Ok(None),
        }
    }
    Ok(Some(scores))
}

/// Returns the score of a candidate whose match is finished, in this run or another, and adds the
/// candidate to the report. Returns `None` if its match is not finished.
fn stored_score(
    store: &Store,
    plan: &GamesPlan,
    report: &mut TuningReport,
) -> Result<Option<f64>, RunError> {
    let player = &plan.players[0];
    if let Some(known) = report.candidates.iter().find(|known| known.player == *player) {
        let is_finished = known.games.total() == 2 * plan.schedule.total();
        return Ok(is_finished.then_some(known.score));
    }
    let Some(run) = store.find(plan)?.filter(|run| run.state == RunState::Finished) else {
        return Ok(None);
    };
    let played = PlayedPlan::stored(store, &run)?;
    let candidate = TuningCandidate::new(player.clone(), true, &played);
    let score = candidate.score;
    report.add_candidate(candidate);
    Ok(Some(score))
}

/// Search method of a tuning, with the game and the player that it tunes.
struct CandidateSearch {
    game: Arc<dyn AnyGame>,
    open: OpenPlayer,
    maximiser: Box<dyn Maximiser<Candidate = SpacePoint>>,
}

impl CandidateSearch {
    /// Returns the search before its first generation.
    fn new(registry: &Registry, plan: &GamesPlan) -> Result<Self, RunError> {
        let tuning = tuning_of(plan)?;
        let game = registry.game(&plan.game)?;
        let open = open_player(registry, &plan.game, &tuning.player)?;
        let maximiser = method::of_tuning(tuning, &open, plan.schedule.pairs, plan.terms.seed)
            .map_err(|error| RunError::Wrong(error.to_string()))?;
        Ok(CandidateSearch { game, open, maximiser })
    }
}

fn tuning_of(plan: &GamesPlan) -> Result<&TuningOptions, RunError> {
    plan.tuning.as_ref().ok_or_else(|| {
        RunError::Failed("the store has a tuning that does not say what is tuned".to_owned())
    })
}

/// Returns the plan of a candidate's match, whose number of pairs is `times` that of the tuning.
/// Makes the candidate once, so that a wrong one is an error here.
fn candidate_plan(
    game: &dyn AnyGame,
    tuning: &GamesPlan,
    candidate: &str,
    times: u64,
    seed: u64,
) -> Result<GamesPlan, RunError> {
    game.player(candidate)?;
    let budget = &tuning.budget();
    let opponent = game.effective_player(&tuning.players[0], budget)?;
    let players = vec![game.effective_player(candidate, budget)?, opponent];
    let schedule = PairSchedule::duel(times * tuning.schedule.pairs);
    let terms = GameSettings { seed, ..tuning.terms };
    let mut plan = GamesPlan::new(PlanKind::Match, &tuning.game, Vec::new(), schedule, terms);
    plan.conditions.clone_from(&tuning.conditions);
    let files = tuning.full.as_ref().map_or_else(Vec::new, |full| full.files.clone());
    present::set_players(game, players, files, &mut plan);
    Ok(plan)
}

/// Number of pairs of the confirmation match for each pair of a candidate's match.
const CONFIRMATION_FACTOR: u64 = 4;

/// Index for [`derive_seed`] of the seed of the confirmation match.
const CONFIRMATION_STREAM: u64 = 1;

/// Callback that gets the progress of a tuning after every counted pair.
pub type OnTuningProgress<'a> = &'a mut dyn FnMut(&TuningProgress<'_>);

/// Runs a tuning, new or resumed, candidate by candidate; matches that the store holds are not
/// played again. The state of the report tells whether the search is finished.
///
/// # Errors
/// When the plan is not a tuning, another program plays it, or the store fails.
pub fn play(
    run_context: &RunContext<'_>,
    plan: &GamesPlan,
    storage: Option<(Store, RunId)>,
    on_progress: OnTuningProgress<'_>,
) -> Result<TuningReport, RunError> {
    let CandidateSearch { game, open, mut maximiser } =
        CandidateSearch::new(run_context.registry, plan)?;
    player_files::check(run_context.registry, plan)?;
    // The opponent is the same in every match, so it is checked once here.
    game.player(&plan.players[0])?;
    let (store, run) = storage.unzip();
    let _lock = match (&store, run) {
        (Some(store), Some(run)) => store.lock(run)?,
        _ => None,
    };
    let report = TuningReport::new(run, plan, tuning_of(plan)?, &open);
    let played_pairs = 0;
    let mut matches =
        CandidateMatches { run_context, plan, game, store, run, report, played_pairs };
    matches.set_state(RunState::Running)?;
    matches.note_resumption()?;
    let is_finished = matches.search(&open, &mut *maximiser, on_progress)?;
    matches.set_state(if is_finished { RunState::Finished } else { RunState::Stopped })?;
    Ok(matches.report)
}

/// Plays the matches of the candidates and collects the report.
struct CandidateMatches<'a> {
    run_context: &'a RunContext<'a>,
    plan: &'a GamesPlan,
    game: Arc<dyn AnyGame>,
    store: Option<Store>,
    run: Option<RunId>,
    report: TuningReport,
    /// Number of pairs that this program played.
    played_pairs: u64,
}

/// A match within a tuning: its place as text, its seed, its size relative to a candidate's match,
/// and the maximum number of matches of that size after it.
#[derive(Clone, Copy)]
struct MatchPlace<'a> {
    place: &'a str,
    seed: u64,
    times: u64,
    matches_after: u64,
}

impl CandidateMatches<'_> {
    /// Searches until the end or until the run is stopped; returns whether the search is finished.
    fn search(
        &mut self,
        open: &OpenPlayer,
        maximiser: &mut dyn Maximiser<Candidate = SpacePoint>,
        on_progress: OnTuningProgress<'_>,
    ) -> Result<bool, RunError> {
        let seed = self.plan.terms.seed;
        let generations = u64::from(self.report.tuning.generations);
        while maximiser.finished().is_none() {
            let asked: Vec<SpacePoint> = maximiser.ask().to_vec();
            let number = maximiser.generations().len() as u64;
            let left = generations.saturating_sub(number + 1);
            let scores = match self.report.tuning.by {
                TuningMethod::Spsa => self.compare(open, (number, left), &asked, on_progress)?,
                _ => self.play_all(open, (number, left), &asked, on_progress)?,
            };
            let Some(scores) = scores else { return Ok(false) };
            maximiser.tell(&scores).map_err(|error| RunError::Failed(error.to_string()))?;
            self.report.add_generation(maximiser, open);
        }
        let Some((best, _)) = maximiser.best() else { return Ok(true) };
        let (best, seed) = (open.at(&best), derive_seed(seed, &[CONFIRMATION_STREAM]));
        let (place, times) = ("the best again", CONFIRMATION_FACTOR);
        let place = MatchPlace { place, seed, times, matches_after: 0 };
        match self.play(&best, place, on_progress)? {
            Some((candidate, played)) => self.report.set_confirmation(candidate, &played),
            None => return Ok(false),
        }
        Ok(true)
    }

    /// Plays the matches of the candidates of a generation, which has this number and so many after it.
    /// Returns their scores, or `None` if the run was stopped.
    fn play_all(
        &mut self,
        open: &OpenPlayer,
        (number, left): (u64, u64),
        asked: &[SpacePoint],
        on_progress: OnTuningProgress<'_>,
    ) -> Result<Option<Vec<f64>>, RunError> {
        let (seed, size) = (self.plan.terms.seed, asked.len() as u64);
        let mut scores = Vec::new();
        for (i, point) in (1..).zip(asked) {
            let place = format!("generation {}, {i}/{size}", number + 1);
            let matches_after = size - i + left * size + CONFIRMATION_FACTOR;
            let place = MatchPlace { place: &place, seed, times: 1, matches_after };
            let played = self.play(&open.at(point), place, on_progress)?;
            let Some((candidate, _)) = played else { return Ok(None) };
            scores.push(candidate.score);
            self.report.add_candidate(candidate);
        }
        Ok(Some(scores))
    }

    /// Plays the games between the candidates of a generation of SPSA. Returns their scores, or `None`
    /// if the run was stopped.
    fn compare(
        &mut self,
        open: &OpenPlayer,
        (number, left): (u64, u64),
        asked: &[SpacePoint],
        on_progress: OnTuningProgress<'_>,
    ) -> Result<Option<Vec<f64>>, RunError> {
        let compared = comparisons::plan(&*self.game, self.plan, open, (number, asked))?;
        if compared.plan.schedule.meetings.is_empty() {
            return Ok(Some(compared.scores(None)));
        }
        let place = format!("generation {}", number + 1);
        let left_pairs = (left + CONFIRMATION_FACTOR) * self.plan.schedule.pairs;
        let centre = self.report.centres.last();
        let player = centre.map_or_else(|| open.at(&open.start), |point| point.player.clone());
        let about = (&place[..], &player[..], left_pairs);
        let (played, _) = self.play_plan(compared.plan.clone(), about, on_progress)?;
        let is_finished = played.state == RunState::Finished;
        Ok(is_finished.then(|| compared.scores(Some(&played.tally))))
    }

    /// Reads the match of one candidate from the store, or plays it. Returns `None` if the match
    /// was stopped.
    fn play(
        &mut self,
        candidate: &str,
        place: MatchPlace<'_>,
        on_progress: OnTuningProgress<'_>,
    ) -> Result<Option<(TuningCandidate, PlayedPlan)>, RunError> {
        let MatchPlace { place, seed, times, matches_after } = place;
        let plan = candidate_plan(&*self.game, self.plan, candidate, times, seed)?;
        let player = plan.players[0].clone();
        let left_pairs = matches_after * plan.schedule.total() / times;
        let (played, was_known) =
            self.play_plan(plan, (place, &player, left_pairs), on_progress)?;
        let candidate = TuningCandidate::new(player, was_known, &played);
        Ok((played.state == RunState::Finished).then_some((candidate, played)))
    }

    /// Reads the games of a plan from the store, or plays those that it does not hold. Returns also
    /// whether all were known. `about` has the place and the player for the progress, and the number of
    /// pairs that follow.
    fn play_plan(
        &mut self,
        plan: GamesPlan,
        about: (&str, &str, u64),
        on_progress: OnTuningProgress<'_>,
    ) -> Result<(PlayedPlan, bool), RunError> {
        let known = match &self.store {
            None => None,
            Some(store) => store.find(&plan)?,
        };
        let playable = PlayablePlan { plan, game: Arc::clone(&self.game) };
        let mut session = match (self.store.take(), &known) {
            (Some(store), Some(known)) => PlanSession::resume(playable, store, known.id)?,
            (store, _) => PlanSession::start(playable, store, self.run)?,
        };
        let (place, player, left_pairs) = about;
        let (so_far, played_pairs) = (&self.report, self.played_pairs);
        let played = session.play(self.run_context, &mut |plan, tally| {
            on_progress(&TuningProgress {
                place,
                player,
                plan,
                tally,
                played_pairs,
                left_pairs,
                so_far,
            });
        })?;
        self.played_pairs += played.games / 2;
        self.store = session.into_store();
        let was_known = known.is_some() && played.games == 0;
        Ok((played, was_known))
    }

    fn note_resumption(&mut self) -> Result<(), RunError> {
        if let (Some(store), Some(run)) = (&mut self.store, self.run) {
            store.note_resumption(run)?;
        }
        Ok(())
    }

    fn set_state(&mut self, state: RunState) -> Result<(), RunError> {
        self.report.state = state;
        if let (Some(store), Some(run)) = (&mut self.store, self.run) {
            store.set_state(run, state)?;
        }
        Ok(())
    }
}
