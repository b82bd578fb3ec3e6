//! Search for better and better solutions of one game. Beam search with different weights produces
//! *placement plans*, which say where each unit locks; *spelling* then chooses commands that lead
//! there and contain many phrases. Several threads may work on one game and share what they find.

mod first_solutions;
mod spelling;
mod spelling_effort;
mod variation;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

use super::super::phrases::Phrases;
use super::super::problem::Problem;
use super::super::referee::{HextrisReferee, SolutionStatus};
use super::baseline::{self, BaselineWeights};
use super::beam::{BeamLimits, PlacementPlan};
use super::clock::Deadline;
use super::evaluation::BoardWeights;
use super::prepared::AnyPreparedProblem;
use super::spell::Speller;
use super::weight_presets::{SOLVER_PRESETS, SOLVER_PRESETS_WITHOUT_PHRASES};
use super::{SolveObserver, SolvedGame};
use first_solutions::{MEASURED_UNITS, SolverRate};
use ludion_core::random::{Rng, derive_seed};
use spelling::ParallelSpelling;
use spelling_effort::{CHEAP, FASTEST, THOROUGH};
use variation::ScoredPlan;

/// Work is started only if its estimated time is at most this fraction of the remaining time; the
/// rest is a margin, because units take different times.
const USABLE_TIME: f64 = 0.7;

/// Maximum number of placement plans that wait for the choice of their commands; the worst are
/// dropped.
const MAX_PLANS: usize = 8;
/// The plan of the first beam search is spelled at once if the time for more beam searches is less
/// than this many times as long.
const MIN_BEAMS: f64 = 4.0;
/// Number of states kept by the beam searches that compare evaluation weights.
const NARROW_STATES: usize = 30;
/// Fraction of a game's time for beam searches over the whole game and the choice of commands, if
/// the rest is for variations of the best placement plan.
const BEAM_FRACTION: f64 = 0.5;
/// Number of sets of evaluation weights, the best so far, that are kept and tried again in beam
/// searches with more states.
const MAX_BEST_WEIGHTS: usize = 5;
/// Beam searches plan at most this many times the units that can be spelled in the time left.
const HORIZON_MARGIN: f64 = 1.3;
/// There is only one beam search before a game is spelled if even the fastest spelling takes this fraction
/// of the time; and that beam search is sized to take [`SHORT_BEAM_FRACTION`] of it.
const LITTLE_TIME: f64 = 0.35;
const SHORT_BEAM_FRACTION: f64 = 0.05;

/// The search for solutions of one game, with the best results so far.
pub(super) struct GameSearch<'a> {
    number: usize,
    pub(super) problem: &'a Problem,
    pub(super) seed: u32,
    phrases: &'a Phrases,
    speller: &'a Speller<'a>,
    prepared: &'a AnyPreparedProblem,
    total: &'a AtomicU64,
    observer: &'a dyn SolveObserver,
    max_states: usize,
    bytes: usize,
    /// Whether the quickest solver would not reach the end of the game in the time.
    is_short: AtomicBool,
    found: Mutex<GameSearchState>,
}

/// Results of the search of one game, shared by the threads that work on it.
#[derive(Debug)]
struct GameSearchState {
    /// Placement plans that wait for the choice of their commands, each with its estimated score,
    /// best first.
    plans: Vec<(f64, PlacementPlan)>,
    /// Evaluation weights whose beam searches found the best placement plans, each with the
    /// estimated score of its plan, best first.
    weights: Vec<(f64, BoardWeights)>,
    /// Number of units that lock in the placement plan with the highest estimated score.
    length: usize,
    /// Number of units that beam searches plan; fewer than the game has if the time does not suffice to
    /// spell them.
    horizon: usize,
    /// Estimated points for phrases per row that a unit descends.
    descent: f32,
    /// Estimated seconds per unit for choosing commands with [`CHEAP`]; `None` before it is
    /// measured.
    pace: Option<f64>,
    /// Seconds per unit for writing shortest paths.
    path_pace: f64,
    /// Seconds of the first beam search, which has few states.
    beam_seconds: f64,
    /// How fast the solver of de Falco and Fleck is, if it did not reach the end of the game.
    baseline: Option<SolverRate>,
    /// How fast spelling with [`CHEAP`] is.
    spelling: Option<SolverRate>,
    /// The placement plan whose commands several threads choose together at the moment, each for
    /// some of the units; `None` if there is none.
    parallel: Option<ParallelSpelling>,
    /// The placement plan with the best score after a quick choice of its commands; variations of
    /// it are tried.
    best_plan: Option<ScoredPlan>,
    best: Option<SolvedGame>,
}

/// Data shared by the searches of all games of a problem.
#[derive(Clone, Copy)]
pub(super) struct SearchContext<'a> {
    /// Index of the problem in the list of problems to solve.
    pub(super) number: usize,
    pub(super) problem: &'a Problem,
    pub(super) phrases: &'a Phrases,
    pub(super) speller: &'a Speller<'a>,
    pub(super) prepared: &'a AnyPreparedProblem,
    pub(super) weights: BoardWeights,
    /// Memory that one thread may use for beam search, in bytes; it may use as much again for the
    /// choice of commands.
    pub(super) bytes: usize,
    /// Sum of the best scores so far of all games of all problems, for progress reports.
    pub(super) total: &'a AtomicU64,
    pub(super) observer: &'a dyn SolveObserver,
}

impl<'a> GameSearch<'a> {
    pub(super) fn new(context: SearchContext<'a>, seed: u32) -> Self {
        let SearchContext {
            number,
            problem,
            phrases,
            speller,
            prepared,
            weights,
            bytes,
            total,
            observer,
        } = context;
        let found = GameSearchState {
            plans: Vec::new(),
            weights: vec![(f64::NEG_INFINITY, weights.for_length(problem.source_length()))],
            descent: if phrases.list().is_empty() { 0.0 } else { weights.descent },
            length: 0,
            horizon: problem.source_length(),
            pace: None,
            path_pace: 0.0,
            beam_seconds: 0.0,
            baseline: None,
            spelling: None,
            parallel: None,
            best_plan: None,
            best: None,
        };
        GameSearch {
            number,
            problem,
            seed,
            phrases,
            speller,
            prepared,
            total,
            observer,
            max_states: prepared.states_within(bytes, problem.source_length()),
            bytes,
            is_short: AtomicBool::new(false),
            found: Mutex::new(found),
        }
    }

    /// Returns the relative share of the time that this game gets: more for large boards and many
    /// units.
    pub(super) fn weight(&self) -> f64 {
        let cells = self.problem.width() * self.problem.height();
        (self.problem.source_length() as f64 * cells as f64).sqrt()
    }

    /// Returns the sequence of units of the game; it is not stored, because there may be many games
    /// of many units.
    fn units(&self) -> Vec<usize> {
        self.problem.source(self.seed).collect()
    }

    fn found(&self) -> MutexGuard<'_, GameSearchState> {
        self.found.lock().expect("no thread panics with the lock")
    }

    /// Returns the best solution so far; if there is none, a solution without commands.
    pub(super) fn best(&self) -> SolvedGame {
        let best = self.found().best.clone();
        best.unwrap_or_else(|| self.scored(String::new()))
    }

    /// Returns a solution of the game with these commands and the referee's score.
    fn scored(&self, commands: String) -> SolvedGame {
        let verdict = self.referee().score(self.seed, &commands);
        SolvedGame { problem: self.number, seed: self.seed, commands, verdict }
    }

    fn referee(&self) -> HextrisReferee<'a> {
        HextrisReferee::new(self.problem, self.phrases)
    }

    /// Scores the solution with these commands, keeps it if it is better than the best so far, and
    /// returns its score.
    fn offer(&self, commands: String) -> u64 {
        let solved = self.scored(commands);
        let new_score = solved.verdict.score;
        let mut found = self.found();
        let score = found.best.as_ref().map(|best| best.verdict.score);
        if !solved.verdict.status.is_error() && score.is_none_or(|score| new_score > score) {
            self.total.fetch_add(new_score - score.unwrap_or(0), Ordering::Relaxed);
            self.observer.improved(&solved);
            found.best = Some(solved);
        }
        new_score
    }

    /// Continues the best solution with the solver of de Falco and Fleck if it stops before the end
    /// of the game.
    pub(super) fn complete_best(&self, until: Option<Deadline<'_>>) {
        let SolvedGame { commands: begun, verdict, .. } = self.best();
        if verdict.status != SolutionStatus::InProgress {
            return;
        }
        let is_late = || until.is_some_and(|until| until.has_passed());
        let weights = BaselineWeights::default();
        let game = (self.problem, self.phrases, self.seed);
        self.offer(baseline::continue_game(game, &begun, &weights, &is_late));
    }

    /// Runs one beam search with these weights and at most `states` states, and returns its
    /// placement plan. The search is sized to end by `until` and is interrupted at `stop`. The plan
    /// and the weights are also remembered if they are among the best so far; those of an
    /// interrupted search only if there is no plan yet.
    fn try_weights(
        &self,
        weights: BoardWeights,
        states: usize,
        until: Option<Deadline<'_>>,
        stop: Option<Deadline<'_>>,
    ) -> PlacementPlan {
        let descent = self.found().descent;
        let weights = BoardWeights { descent, ..weights };
        let limits = BeamLimits { states: states.min(self.max_states), until, stop };
        let horizon = self.found().horizon;
        let units: Vec<usize> = self.problem.source(self.seed).take(horizon).collect();
        let plan = self.prepared.search(&weights, &units, limits);
        let estimated_score = plan.estimated_score(descent);
        let mut found = self.found();
        let has_plan = found.weights[0].0 > f64::NEG_INFINITY;
        if found.horizon != horizon || !plan.is_complete && has_plan {
            return plan;
        }
        if estimated_score > found.weights[0].0 {
            found.length = plan.placements.len();
        }
        // Weights whose placement plans have equal estimated scores most likely found the same
        // plan.
        if found.weights.iter().all(|(other, _)| *other != estimated_score) {
            let place = found.weights.partition_point(|(other, _)| *other > estimated_score);
            found.weights.insert(place, (estimated_score, weights));
            found.weights.truncate(MAX_BEST_WEIGHTS);
        }
        if !found.plans.iter().any(|(_, known)| *known == plan) {
            let place = found.plans.partition_point(|(other, _)| *other >= estimated_score);
            found.plans.insert(place, (estimated_score, plan.clone()));
            found.plans.truncate(MAX_PLANS);
        }
        plan
    }

    /// Returns the evaluation weights of rank `number` among the best so far, counted from 0; the
    /// best if there are not so many.
    fn best_weights(&self, number: usize) -> BoardWeights {
        let found = self.found();
        found.weights.get(number).unwrap_or(&found.weights[0]).1
    }

    /// Returns the evaluation weights for the beam search with number `round`: the presets in the
    /// first rounds, then randomly changed presets or, more often, randomly changed copies of the
    /// best weights so far.
    fn round_weights(&self, round: usize, seed: u64) -> BoardWeights {
        let presets: &[BoardWeights] = if self.phrases.list().is_empty() {
            &SOLVER_PRESETS_WITHOUT_PHRASES
        } else {
            &SOLVER_PRESETS
        };
        let preset = |number: usize| {
            presets.get(number).map(|preset| preset.for_length(self.problem.source_length()))
        };
        if let Some(preset) = preset(round) {
            return preset;
        }
        let coordinates = [self.problem.id().into(), self.seed.into(), round as u64];
        let mut rng = Rng::new(derive_seed(seed, &coordinates));
        if rng.unit() < 0.2
            && let Some(preset) = preset(rng.below(presets.len()))
        {
            return preset.perturbed(&mut rng);
        }
        let number = (MAX_BEST_WEIGHTS as f64 * rng.unit() * rng.unit()) as usize;
        self.best_weights(number).perturbed(&mut rng)
    }

    /// Runs `rounds` beam searches that keep `states` states, and chooses commands for the best of
    /// their placement plans; the result is reproducible.
    pub(super) fn improve_by_rounds(&self, rounds: usize, states: usize, seed: u64) {
        for round in 0..rounds {
            let _ = self.try_weights(self.round_weights(round, seed), states, None, None);
        }
        if let Some(plan) = self.next_plan() {
            let all = 0..plan.placements.len();
            let text = self.spell_range(&plan, all, THOROUGH, &|| false);
            self.offer(text.unwrap_or_default());
        }
    }

    /// Runs beam searches and chooses commands for their placement plans until the deadline, as
    /// thread number `lane` of `lanes` threads that work on this game.
    pub(super) fn improve_until(&self, until: Deadline<'_>, lane: usize, lanes: usize, seed: u64) {
        let seed = derive_seed(seed, &[lane as u64]);
        self.choose_horizon(until, lanes);
        if lane == 0 && self.should_complete(until, lanes) {
            self.complete_best(Some(until));
        }
        let (whole, quick) = (until, self.is_quick(until));
        let until = if quick { whole.part(BEAM_FRACTION) } else { whole };
        let (mut round, enough) = (lane, until.left().mul_f64(0.05));
        while until.left() > enough {
            let search = self.time_to_search(until, lanes);
            if self.is_short() && self.has_little_time(until, lanes) {
                let (began, soon) = (until.now(), Some(until.part(SHORT_BEAM_FRACTION)));
                let weights = self.round_weights(round, seed);
                let _ = self.try_weights(weights, NARROW_STATES, soon, Some(until));
                self.found().beam_seconds = (until.now() - began).as_secs_f64();
                round += lanes;
            } else if self.has_time_for_beams(search) {
                self.tune_weights_until(search.part(0.4), until, &mut round, seed);
                self.search_wide_until(self.time_to_search(until, lanes), until, lane, lanes);
            }
            let left = USABLE_TIME * until.left().as_secs_f64();
            let length = self.found().length;
            if lanes > 1 && self.spelling_seconds(CHEAP, length) > left {
                self.spell_in_parts(until, lanes);
            } else {
                self.spell_until(until);
            }
        }
        if quick {
            self.vary_until(whole, seed);
        }
    }

    /// Chooses the number of units to plan, once, if the time of the game is short: those that `lanes`
    /// threads can spell until the deadline. Plans of another number of units are dropped.
    fn choose_horizon(&self, until: Deadline<'_>, lanes: usize) {
        let fast = self.spelling_seconds(FASTEST, 1);
        if fast <= 0.0 || !self.is_short() || self.found().horizon != MEASURED_UNITS {
            return;
        }
        let planned = self.found().beam_seconds / MEASURED_UNITS as f64;
        let each = fast / (HORIZON_MARGIN * lanes as f64) + planned;
        self.plan_units((until.left().as_secs_f64() / each) as usize + 1);
    }

    /// Returns whether plans do not reach the end of the game, because there is no time to spell them.
    fn is_cut(&self) -> bool {
        self.found().horizon < self.problem.source_length()
    }

    /// Returns whether even the fastest spelling takes a large part of the time.
    fn has_little_time(&self, until: Deadline<'_>, lanes: usize) -> bool {
        let length = self.found().length;
        let seconds = self.spelling_seconds(FASTEST, length) / lanes as f64;
        seconds > LITTLE_TIME * until.left().as_secs_f64()
    }

    /// Returns whether the time of the game is short, see [`GameSearch::is_short`].
    pub(super) fn is_short(&self) -> bool {
        self.is_short.load(Ordering::Relaxed)
    }

    /// Sets the number of units that beam searches plan, and drops the plans of another number.
    fn plan_units(&self, units: usize) {
        let mut found = self.found();
        let best = found.weights[0].1;
        found.horizon = units.min(self.problem.source_length());
        found.length = found.horizon;
        found.plans.clear();
        found.weights = vec![(f64::NEG_INFINITY, best)];
    }

    /// Returns whether more beam searches should be tried until the deadline: unless there is a plan
    /// to spell, and hardly more time than one of them takes.
    fn has_time_for_beams(&self, until: Deadline<'_>) -> bool {
        let found = self.found();
        let has_plan = found.parallel.is_some() || !found.plans.is_empty();
        !has_plan || until.left().as_secs_f64() > MIN_BEAMS * found.beam_seconds
    }

    /// Returns the deadline for beam searches, before `until`, that leaves time to choose the
    /// commands of a placement plan: once quickly, and once thoroughly unless that takes more than
    /// half of the time.
    fn time_to_search<'d>(&self, until: Deadline<'d>, lanes: usize) -> Deadline<'d> {
        let left = until.left().as_secs_f64();
        let length = self.found().length;
        let [cheap, thorough] =
            [CHEAP, THOROUGH].map(|effort| self.spelling_seconds(effort, length) / USABLE_TIME);
        let cheaply = (1.1 * cheap / lanes as f64).min(0.85 * left);
        let both = (cheap + thorough).clamp(0.1 * left, 0.5 * left);
        until.before(Duration::from_secs_f64(cheaply.max(both)))
    }

    /// Compares evaluation weights by beam searches with few states until the deadline `until`;
    /// weights that do well with few states mostly do well with many.
    fn tune_weights_until(
        &self,
        until: Deadline<'_>,
        stop: Deadline<'_>,
        round: &mut usize,
        seed: u64,
    ) {
        let each = until.left().mul_f64(1.0 / 12.0);
        while !until.has_passed() {
            let short = Some(until.within(each));
            let _ = self.try_weights(
                self.round_weights(*round, seed),
                NARROW_STATES,
                short,
                Some(stop),
            );
            *round += 1;
        }
    }

    /// Runs beam searches with many states: for half of the time with each of the best weights,
    /// then once with the best of them and as many states as the remaining time allows. Each thread
    /// has its own weights.
    fn search_wide_until(
        &self,
        until: Deadline<'_>,
        stop: Deadline<'_>,
        lane: usize,
        lanes: usize,
    ) {
        let halfway = until.part(0.5);
        for number in (lane..MAX_BEST_WEIGHTS).step_by(lanes) {
            let share = lanes as f64 / (MAX_BEST_WEIGHTS - number) as f64;
            let weights = self.best_weights(number);
            let share = Some(halfway.part(share));
            let _ = self.try_weights(weights, usize::MAX, share, Some(stop));
        }
        let _ = self.try_weights(self.best_weights(lane), usize::MAX, Some(until), Some(stop));
    }

    /// Removes and returns the best of the placement plans that wait for the choice of their
    /// commands; `None` if none waits.
    fn next_plan(&self) -> Option<PlacementPlan> {
        let mut found = self.found();
        (!found.plans.is_empty()).then(|| found.plans.remove(0).1)
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::problems;
    use super::super::SolveProgress;
    use super::*;

    #[test]
    fn parts_spelled_separately_form_a_valid_game() {
        let problem = problems::find("tetrahexes").expect("a built-in problem").problem();
        let (phrases, prepared) = (Phrases::known(), AnyPreparedProblem::new(&problem));
        let context = SearchContext {
            number: 0,
            problem: &problem,
            phrases: &phrases,
            speller: &Speller::new(&phrases),
            prepared: &prepared,
            weights: SOLVER_PRESETS[0],
            bytes: 1 << 24,
            total: &AtomicU64::new(0),
            observer: &|_: SolveProgress| (),
        };
        let game = GameSearch::new(context, problem.seeds()[1]);
        let plan = game.try_weights(SOLVER_PRESETS[0], 3, None, None);
        let never = || false;
        let parts = [0..33, 33..34, 34..60];
        let mut text: String = parts
            .into_iter()
            .map(|units| game.spell_range(&plan, units, CHEAP, &never).expect("a valid plan"))
            .collect();
        text += &game.write_shortest_paths(&plan.placements, 60, never);
        let verdict = game.referee().score(game.seed, &text);
        assert!(!verdict.status.is_error(), "{:?}", verdict.error);
        assert_eq!((verdict.move_score, verdict.locked), (plan.points, plan.placements.len()));
        assert!(verdict.power_score > 1000, "{}", verdict.power_score);
    }
}
