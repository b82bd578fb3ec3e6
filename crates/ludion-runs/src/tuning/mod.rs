//! The parameters of a player that score best against an opponent, searched by a genetic
//! algorithm or by cross-entropy. Every candidate plays a match of its own, which the store
//! keeps: a candidate met before, in this run or another, is not played again. The best of many
//! noisy scores is flattered, so in the end the best candidate plays again from another seed.

mod open;
mod report;

use ludion::arena::pair::GameSettings;
use ludion::arena::pairings::PairSchedule;
use ludion::arena::plan::{MatchPlan, MatchTally, PlanKind, TuningMethod};
use ludion::optimise::cross_entropy::{
    CrossEntropy, CrossEntropyOptions as EntropyOptions, DistributionFamily, SampleSize,
    points::PointDistribution,
};
use ludion::optimise::genetic::{GeneticOptions, GeneticSearch};
use ludion::optimise::space::SpacePoint;
use ludion::optimise::{Maximiser, SetupError};
use ludion::random::derive_seed;
use ludion::registry::Registry;
use ludion_store::{RunId, RunState, Store, StoredRun};

use crate::{PlanSession, PlayedPlan, RunContext, RunError};
pub use open::OpenPlayer;
pub use report::{ConfirmationMatch, TuningCandidate, TuningReport};

/// How a tuning stands: it plays the match of one candidate.
pub struct TuningStanding<'a> {
    /// Generation and number of the candidate, in words.
    pub place: &'a str,
    /// The candidate.
    pub player: &'a str,
    /// Its match.
    pub plan: &'a MatchPlan,
    /// What the match has come to.
    pub ledger: &'a MatchTally,
    /// What was found before it.
    pub so_far: &'a TuningReport,
}

/// The open parameters of a player of a game.
///
/// # Errors
/// Names what is wrong with the player's text, and what is allowed.
pub fn opened(registry: &Registry, game: &str, player: &str) -> Result<OpenPlayer, RunError> {
    OpenPlayer::read(player, registry.entry(game)?.players())
}

/// What the store knows of a tuning: its candidates, as far as they have played, and the
/// generations that their scores lead to.
///
/// # Errors
/// When the store cannot be read.
pub fn stored(
    registry: &Registry,
    store: &Store,
    run: &StoredRun,
) -> Result<TuningReport, RunError> {
    let tuning = run.plan.tuning.as_ref().ok_or_else(unsaid)?;
    let mut answer = TuningReport::new(Some(run.id), &run.plan, tuning);
    answer.state = run.state;
    for child in store.children(run.id)? {
        let played = PlayedPlan::stored(store, &child)?;
        let candidate = TuningCandidate::of(child.plan.players[0].clone(), false, &played);
        if child.plan.terms.seed == run.plan.terms.seed {
            answer.met(candidate);
        } else {
            answer.confirm(candidate, &played);
        }
    }
    let (open, mut search) = begun(registry, &run.plan)?;
    while search.finished().is_none() {
        let asked: Vec<SpacePoint> = search.ask().to_vec();
        let mut scores = Vec::new();
        for point in &asked {
            match recalled(registry, store, &run.plan, &open.at(point), &mut answer)? {
                Some(score) => scores.push(score),
                None => return Ok(answer),
            }
        }
        search.tell(&scores).map_err(|error| RunError::Failed(error.to_string()))?;
        answer.generations = search.generations();
    }
    Ok(answer)
}

/// The score of a candidate whose match is finished, here or in another run.
fn recalled(
    registry: &Registry,
    store: &Store,
    tuning: &MatchPlan,
    text: &str,
    answer: &mut TuningReport,
) -> Result<Option<f64>, RunError> {
    let plan = candidate(registry, tuning, text, 1, tuning.terms.seed)?;
    if let Some(met) = answer.candidates.iter().find(|met| met.player == plan.players[0]) {
        let whole = met.games.total() == 2 * plan.schedule.total();
        return Ok(whole.then_some(met.score));
    }
    let Some(run) = store.find(&plan)?.filter(|run| run.state == RunState::Finished) else {
        return Ok(None);
    };
    let met = TuningCandidate::of(plan.players[0].clone(), true, &PlayedPlan::stored(store, &run)?);
    let score = met.score;
    answer.met(met);
    Ok(Some(score))
}

/// The search of a tuning, before its first generation.
fn begun(
    registry: &Registry,
    plan: &MatchPlan,
) -> Result<(OpenPlayer, Box<dyn Maximiser<Candidate = SpacePoint>>), RunError> {
    let tuning = plan.tuning.as_ref().ok_or_else(unsaid)?;
    let open = opened(registry, &plan.game, &tuning.player)?;
    let law = PointDistribution::wide(open.space.clone());
    let start = vec![open.start.clone()];
    let search = law
        .and_then(|law| maximiser(tuning.by, tuning.generations, law, start, plan.terms.seed))
        .map_err(|error| RunError::Wrong(error.to_string()))?;
    Ok((open, search))
}

/// The match of one candidate, of `times` as many pairs as the tuning says.
fn candidate(
    registry: &Registry,
    tuning: &MatchPlan,
    text: &str,
    times: u64,
    seed: u64,
) -> Result<MatchPlan, RunError> {
    let player = registry.game(&tuning.game)?.player(text)?.spec().to_owned();
    let players = vec![player, tuning.players[0].clone()];
    let schedule = PairSchedule::duel(times * tuning.schedule.pairs);
    let terms = GameSettings { seed, ..tuning.terms };
    Ok(MatchPlan::new(PlanKind::Match, &tuning.game, players, schedule, terms))
}

/// Pairs of the last match, for each pair of a candidate's.
const CONFIRM: u64 = 4;

/// Searches, candidate by candidate; what the store knows is not played. `told` is told of every
/// pair. The answer says whether it came to the end.
///
/// # Errors
/// When the plan says of nothing to tune, another program is at it, or the store fails.
pub fn play(
    run_context: &RunContext<'_>,
    plan: &MatchPlan,
    store: Option<Store>,
    run: Option<RunId>,
    told: &mut dyn FnMut(&TuningStanding<'_>),
) -> Result<TuningReport, RunError> {
    let tuning = plan.tuning.as_ref().ok_or_else(unsaid)?;
    let (open, mut search) = begun(run_context.registry, plan)?;
    let _lock = match (&store, run) {
        (Some(store), Some(run)) => store.lock(run)?,
        _ => None,
    };
    let mut ground = TuningContext {
        run_context,
        plan,
        store,
        run,
        answer: TuningReport::new(run, plan, tuning),
    };
    ground.set_state(RunState::Running)?;
    let finished = ground.search(&open, &mut *search, told)?;
    ground.set_state(if finished { RunState::Finished } else { RunState::Stopped })?;
    Ok(ground.answer)
}

fn unsaid() -> RunError {
    RunError::Failed("the store has a tuning that does not say what is tuned".to_owned())
}

/// Where the candidates of a tuning play.
struct TuningContext<'a> {
    run_context: &'a RunContext<'a>,
    plan: &'a MatchPlan,
    store: Option<Store>,
    run: Option<RunId>,
    answer: TuningReport,
}

/// Tells how a tuning stands.
type OnTuningProgress<'a> = &'a mut dyn FnMut(&TuningStanding<'_>);

impl TuningContext<'_> {
    /// Says whether it came to the end.
    fn search(
        &mut self,
        open: &OpenPlayer,
        search: &mut dyn Maximiser<Candidate = SpacePoint>,
        told: OnTuningProgress<'_>,
    ) -> Result<bool, RunError> {
        let seed = self.plan.terms.seed;
        while search.finished().is_none() {
            let asked: Vec<SpacePoint> = search.ask().to_vec();
            let number = search.generations().len() + 1;
            let mut scores = Vec::new();
            for (i, point) in asked.iter().enumerate() {
                let place = format!("generation {number}, {}/{}", i + 1, asked.len());
                let Some((candidate, _)) = self.play(&open.at(point), 1, seed, &place, told)?
                else {
                    return Ok(false);
                };
                scores.push(candidate.score);
                self.answer.met(candidate);
            }
            search.tell(&scores).map_err(|error| RunError::Failed(error.to_string()))?;
            self.answer.generations = search.generations();
        }
        let Some((best, _)) = search.best() else { return Ok(true) };
        let seed = derive_seed(seed, &[1]);
        match self.play(&open.at(&best), CONFIRM, seed, "the best again", told)? {
            Some((candidate, played)) => self.answer.confirm(candidate, &played),
            None => return Ok(false),
        }
        Ok(true)
    }

    /// The match of one candidate, from the store or played. `None` when it was stopped.
    fn play(
        &mut self,
        text: &str,
        times: u64,
        seed: u64,
        place: &str,
        told: OnTuningProgress<'_>,
    ) -> Result<Option<(TuningCandidate, PlayedPlan)>, RunError> {
        let registry = self.run_context.registry;
        let plan = candidate(registry, self.plan, text, times, seed)?;
        let player = plan.players[0].clone();
        let known = match &self.store {
            None => None,
            Some(store) => store.find(&plan)?,
        };
        let mut session = match (self.store.take(), &known) {
            (Some(store), Some(known)) => PlanSession::resume(registry, store, known.id)?,
            (store, _) => PlanSession::start(registry, plan, store, self.run)?,
        };
        let so_far = &self.answer;
        let played = session.play(self.run_context, &mut |plan, ledger| {
            told(&TuningStanding { place, player: &player, plan, ledger, so_far });
        })?;
        self.store = session.into_store();
        let known = known.is_some() && played.games == 0;
        let candidate = TuningCandidate::of(player, known, &played);
        Ok((played.state == RunState::Finished).then_some((candidate, played)))
    }

    fn set_state(&mut self, state: RunState) -> Result<(), RunError> {
        self.answer.state = state;
        if let (Some(store), Some(run)) = (&mut self.store, self.run) {
            store.set_state(run, state)?;
        }
        Ok(())
    }
}

/// The search itself: cross-entropy begins with the law, the genetic algorithm with the points.
///
/// # Errors
/// When the points are none of the space.
pub fn maximiser(
    by: TuningMethod,
    generations: u32,
    law: PointDistribution,
    starts: Vec<SpacePoint>,
    seed: u64,
) -> Result<Box<dyn Maximiser<Candidate = SpacePoint>>, SetupError> {
    Ok(match by {
        TuningMethod::Genetic => {
            let options = GeneticOptions { generations, ..GeneticOptions::default() };
            Box::new(GeneticSearch::new(law.space().clone(), options, starts, seed)?)
        }
        TuningMethod::CrossEntropy => {
            let options = EntropyOptions {
                samples: SampleSize::Fixed(SAMPLES),
                rho: ELITE,
                iterations: generations,
                ..law.defaults()
            };
            Box::new(CrossEntropy::new(law, options, seed)?)
        }
    })
}

/// Candidates of one generation of cross-entropy: as many as the genetic algorithm has, and a
/// few more for the law to be fitted to.
const SAMPLES: usize = 16;
/// The share of them that the law is fitted to.
const ELITE: f64 = 0.25;
