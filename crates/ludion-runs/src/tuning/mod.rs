//! Searches the parameters of a player that score best against an opponent, by a genetic algorithm
//! or by cross-entropy. Each candidate plays a match, which is stored: a candidate that has already
//! played, in this run or another, does not play again. The best of many noisy scores is an
//! overestimate, so the best candidate at the end plays another match with another seed.

mod open;
mod report;

use std::sync::Arc;

use ludion_optimise::cross_entropy::{
    CrossEntropy, CrossEntropyOptions as EntropyOptions, DistributionFamily, SampleSize,
    points::PointDistribution,
};
use ludion_optimise::genetic::{GeneticOptions, GeneticSearch};
use ludion_optimise::space::SpacePoint;
use ludion_optimise::{Maximiser, SetupError};
use ludion_players::arena::pair::GameSettings;
use ludion_players::arena::pairings::PairSchedule;
use ludion_players::arena::plan::{GamesPlan, PlanKind, PlanTally, TuningMethod, TuningOptions};
use ludion_players::random::derive_seed;
use ludion_players::registry::{AnyGame, Registry};
use ludion_store::{RunId, RunState, Store, StoredRun};

use crate::{PlanSession, PlayablePlan, PlayedPlan, RunContext, RunError, player_files, present};
pub use open::OpenPlayer;
pub use report::{ConfirmationMatch, TuningCandidate, TuningReport};

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
    let mut report = TuningReport::new(Some(run.id), &run.plan, tuning_of(&run.plan)?);
    report.state = run.state;
    for child in store.children(run.id)? {
        let child = present::present_run(registry, child);
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
        let mut scores = Vec::new();
        for point in &asked {
            let plan = candidate_plan(&*game, &run.plan, &open.at(point), 1, run.plan.terms.seed)?;
            match stored_score(store, &plan, &mut report)? {
                Some(score) => scores.push(score),
                None => return Ok(report),
            }
        }
        maximiser.tell(&scores).map_err(|error| RunError::Failed(error.to_string()))?;
        report.generations = maximiser.generations();
    }
    Ok(report)
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
        let start = vec![open.start.clone()];
        let maximiser = PointDistribution::wide(open.space.clone())
            .and_then(|wide| maximiser(tuning.by, tuning.generations, wide, start, plan.terms.seed))
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
    let report = TuningReport::new(run, plan, tuning_of(plan)?);
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
            let number = maximiser.generations().len() + 1;
            let mut scores = Vec::new();
            for (i, point) in asked.iter().enumerate() {
                let place = format!("generation {number}, {}/{}", i + 1, asked.len());
                let (size, i) = (asked.len() as u64, i as u64);
                let later = generations.saturating_sub(number as u64) * size;
                let matches_after = size - i - 1 + later + CONFIRMATION_FACTOR;
                let place = MatchPlace { place: &place, seed, times: 1, matches_after };
                let played = self.play(&open.at(point), place, on_progress)?;
                let Some((candidate, _)) = played else { return Ok(false) };
                scores.push(candidate.score);
                self.report.add_candidate(candidate);
            }
            maximiser.tell(&scores).map_err(|error| RunError::Failed(error.to_string()))?;
            self.report.generations = maximiser.generations();
        }
        let Some((best, _)) = maximiser.best() else { return Ok(true) };
        let (best, seed) = (open.at(&best), derive_seed(seed, &[1]));
        let (place, times) = ("the best again", CONFIRMATION_FACTOR);
        let place = MatchPlace { place, seed, times, matches_after: 0 };
        match self.play(&best, place, on_progress)? {
            Some((candidate, played)) => self.report.set_confirmation(candidate, &played),
            None => return Ok(false),
        }
        Ok(true)
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
        let known = match &self.store {
            None => None,
            Some(store) => store.find(&plan)?,
        };
        let playable = PlayablePlan { plan, game: Arc::clone(&self.game) };
        let mut session = match (self.store.take(), &known) {
            (Some(store), Some(known)) => PlanSession::resume(playable, store, known.id)?,
            (store, _) => PlanSession::start(playable, store, self.run)?,
        };
        let (so_far, played_pairs) = (&self.report, self.played_pairs);
        let left_pairs = matches_after * session.plan().schedule.total() / times;
        let played = session.play(self.run_context, &mut |plan, tally| {
            on_progress(&TuningProgress {
                place,
                player: &player,
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
        let candidate = TuningCandidate::new(player, was_known, &played);
        Ok((played.state == RunState::Finished).then_some((candidate, played)))
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

/// Returns the search method `by`: cross-entropy starts from `distribution`, the genetic algorithm
/// from the points `starts`.
///
/// # Errors
/// When a point is not in the space.
pub fn maximiser(
    by: TuningMethod,
    generations: u32,
    distribution: PointDistribution,
    starts: Vec<SpacePoint>,
    seed: u64,
) -> Result<Box<dyn Maximiser<Candidate = SpacePoint>>, SetupError> {
    Ok(match by {
        TuningMethod::Genetic => {
            let options = GeneticOptions { generations, ..GeneticOptions::default() };
            Box::new(GeneticSearch::new(distribution.space().clone(), options, starts, seed)?)
        }
        TuningMethod::CrossEntropy => {
            let options = EntropyOptions {
                samples: SampleSize::Fixed(SAMPLES),
                rho: ELITE_SHARE,
                iterations: generations,
                ..distribution.defaults()
            };
            Box::new(CrossEntropy::new(distribution, options, seed)?)
        }
    })
}

/// Number of candidates in a generation of cross-entropy: a few more than the genetic algorithm
/// has, because the distribution is fitted to them.
const SAMPLES: usize = 16;
/// Share of the candidates, the best ones, that the distribution is fitted to.
const ELITE_SHARE: f64 = 0.25;
