//! Search for better and better solutions of one game: beam search with different weights produces
//! plans of lock placements, which are then spelled. Several threads may work on one game and share
//! what they find.

mod spelling;
mod variation;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

use super::super::phrases::{NEW_PHRASE_BONUS, Phrases};
use super::super::problem::Problem;
use super::super::referee::{HextrisReferee, SolutionStatus};
use super::super::unit::Placement;
use super::baseline::{self, BaselineWeights};
use super::beam::{BeamLimits, PlacementPlan};
use super::clock::Deadline;
use super::evaluation::BoardWeights;
use super::prepared::AnyPreparedProblem;
use super::spell::Speller;
use super::weight_presets::WEIGHT_PRESETS;
use super::{SolveObserver, SolvedGame};
use crate::random::{Rng, derive_seed};
use spelling::ParallelSpelling;
use variation::ScoredPlan;

/// Widths of spelling with their relative costs, that of [`CHEAP_WIDTH`] being 1.
const SPELLING_WIDTHS: [(usize, f64); 4] = [(80, 3.3), (24, 2.0), CHEAP_WIDTH, (4, 0.7)];
/// A width that already finds nearly all of the power.
const CHEAP_WIDTH: (usize, f64) = (8, 1.0);
/// Fraction of the remaining time that estimates may use, because units differ.
const USABLE_TIME: f64 = 0.7;

/// Number of units from which the speed and yield of spelling are estimated.
const MEASURED_UNITS: usize = 20;
/// Maximum number of plans that wait to be spelled.
const MAX_PLANS: usize = 8;
/// Number of states of the first, quick beam.
const QUICK_STATES: usize = 4;
/// Number of states of the beams that compare weights.
const NARROW_STATES: usize = 30;
/// Fraction of the time for beams over whole games if variations of the best plan follow.
const BEAM_FRACTION: f64 = 0.5;
/// Fraction of the initial time for the solver of de Falco and Fleck, which has a solution before
/// any beam.
const BASELINE_FRACTION: f64 = 0.12;
/// Number of best weights that are tried in wider beams.
const MAX_BEST_WEIGHTS: usize = 5;

/// A game of a problem with the best results so far.
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
    found: Mutex<GameSearchState>,
}

/// Results of a game's search, shared by its threads.
#[derive(Debug)]
struct GameSearchState {
    /// Plans that wait to be spelled with their estimated scores, best first.
    plans: Vec<(f64, PlacementPlan)>,
    /// Weights of the best plans with their estimated scores, best first.
    weights: Vec<(f64, BoardWeights)>,
    /// Number of units that the best plan locks.
    length: usize,
    /// Estimated points per row descended.
    descent: f32,
    /// Estimated seconds per unit of cheap spelling.
    pace: Option<f64>,
    /// A plan that several threads spell together.
    parallel: Option<ParallelSpelling>,
    /// The best cheaply spelled plan, to be varied.
    best_plan: Option<ScoredPlan>,
    best: Option<SolvedGame>,
}

/// Data shared by the games of a problem.
#[derive(Clone, Copy)]
pub(super) struct SearchContext<'a> {
    /// Index of the problem.
    pub(super) number: usize,
    pub(super) problem: &'a Problem,
    pub(super) phrases: &'a Phrases,
    pub(super) speller: &'a Speller<'a>,
    pub(super) prepared: &'a AnyPreparedProblem,
    pub(super) weights: BoardWeights,
    /// Memory for one thread, in bytes.
    pub(super) bytes: usize,
    /// Sum of the scores of all games.
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
            weights: vec![(f64::NEG_INFINITY, weights)],
            descent: if phrases.list().is_empty() { 0.0 } else { weights.descent },
            length: 0,
            pace: None,
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
            found: Mutex::new(found),
        }
    }

    /// Returns a measure of the work of this game, relative to other games.
    pub(super) fn weight(&self) -> f64 {
        let cells = self.problem.width() * self.problem.height();
        (self.problem.source_length() as f64 * cells as f64).sqrt()
    }

    /// Returns the sequence of units; it is not stored, because there may be many games of many
    /// units.
    fn units(&self) -> Vec<usize> {
        self.problem.source(self.seed).collect()
    }

    fn found(&self) -> MutexGuard<'_, GameSearchState> {
        self.found.lock().expect("no thread panics with the lock")
    }

    /// Returns the best solution so far; without one, an empty solution.
    pub(super) fn best(&self) -> SolvedGame {
        let best = self.found().best.clone();
        best.unwrap_or_else(|| self.scored(String::new()))
    }

    /// Scores commands with the referee.
    fn scored(&self, commands: String) -> SolvedGame {
        let verdict = self.referee().score(self.seed, &commands);
        SolvedGame { problem: self.number, seed: self.seed, commands, verdict }
    }

    fn referee(&self) -> HextrisReferee<'a> {
        HextrisReferee::new(self.problem, self.phrases)
    }

    /// Keeps commands if they score better than the best so far, and returns their score.
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

    /// Finds a complete solution with the solver of de Falco and Fleck, then one by a quick beam,
    /// and measures spelling.
    pub(super) fn find_first_solutions(&self, until: Option<Deadline<'_>>) {
        self.complete_best(until.map(|until| until.part(BASELINE_FRACTION)));
        let soon = until.map(|until| until.part(0.6));
        let plan = self.try_weights(self.best_weights(0), QUICK_STATES, soon, until);
        let is_late = || until.is_some_and(|until| until.has_passed());
        self.offer(self.write_shortest_paths(&plan.placements, 0, is_late));
        if !self.phrases.list().is_empty() && !is_late() {
            self.measure_spelling(&plan, until);
        }
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

    /// Spells the first units to estimate the speed and the yield of spelling.
    fn measure_spelling(&self, plan: &PlacementPlan, until: Option<Deadline<'_>>) {
        let placements = &plan.placements[..plan.placements.len().min(MEASURED_UNITS)];
        let now = || until.map_or(Duration::ZERO, |until| until.now());
        let began = now();
        let spelled = std::cell::Cell::new(0_u32);
        let stop = || {
            let late = until.is_some_and(|until| until.has_passed());
            spelled.set(spelled.get() + u32::from(!late));
            late
        };
        let result = self.spell(self.problem, self.seed, placements, CHEAP_WIDTH.0, &stop);
        let pace = (now() - began).as_secs_f64() / f64::from(spelled.get().max(1));
        let mut found = self.found();
        found.pace = Some(pace);
        let Some(spelled) = result else { return };
        let used = self.phrases.count(&spelled.commands).iter().filter(|&&count| count > 0).count();
        let power = spelled.power.saturating_sub(NEW_PHRASE_BONUS * used as u64);
        let descents = self.descents(placements).max(1);
        let descent = (power as f32 / descents as f32).clamp(1.0, 6.0);
        found.descent = descent;
        for (estimated_score, plan) in &mut found.plans {
            *estimated_score = plan.estimated_score(descent);
        }
        let weights = BoardWeights { descent, ..found.weights[0].1 };
        found.weights = vec![(plan.estimated_score(descent), weights)];
    }

    fn descents(&self, placements: &[Placement]) -> u64 {
        let units = self.problem.source(self.seed).map(|unit| &self.problem.units()[unit]);
        units.zip(placements).map(|(unit, at)| (at.y - unit.spawn().y).max(0) as u64).sum()
    }

    /// Runs a beam that should end at `until` and is interrupted at `stop`, and keeps its plan; an
    /// interrupted plan is kept only if there is no other.
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
        let plan = self.prepared.search(&weights, &self.units(), limits);
        let estimated_score = plan.estimated_score(descent);
        let mut found = self.found();
        if !plan.is_complete && found.length > 0 {
            return plan;
        }
        if estimated_score > found.weights[0].0 {
            found.length = plan.placements.len();
        }
        // Weights with equal estimates most likely lead to the same plan.
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

    /// Returns the weights of rank `number`, or the best if there are fewer.
    fn best_weights(&self, number: usize) -> BoardWeights {
        let found = self.found();
        found.weights.get(number).unwrap_or(&found.weights[0]).1
    }

    /// Returns the weights of a beam by its round: first the presets, then perturbations of presets
    /// and, more often, of the best weights.
    fn round_weights(&self, round: usize, seed: u64) -> BoardWeights {
        if let Some(style) = WEIGHT_PRESETS.get(round) {
            return *style;
        }
        let coordinates = [self.problem.id().into(), self.seed.into(), round as u64];
        let mut rng = Rng::new(derive_seed(seed, &coordinates));
        if rng.unit() < 0.2 {
            return WEIGHT_PRESETS[rng.below(WEIGHT_PRESETS.len())].perturbed(&mut rng);
        }
        let number = (MAX_BEST_WEIGHTS as f64 * rng.unit() * rng.unit()) as usize;
        self.best_weights(number).perturbed(&mut rng)
    }

    /// Runs a fixed number of beams and spells the best plan; the result is reproducible.
    pub(super) fn improve_by_rounds(&self, rounds: usize, states: usize, seed: u64) {
        for round in 0..rounds {
            let _ = self.try_weights(self.round_weights(round, seed), states, None, None);
        }
        if let Some(plan) = self.next_plan() {
            let all = 0..plan.placements.len();
            let text = self.spell_range(&plan, all, SPELLING_WIDTHS[0].0, &|| false);
            self.offer(text.unwrap_or_default());
        }
    }

    /// Runs beams and spelling until the deadline, as thread `lane` of `lanes` on this game.
    pub(super) fn improve_until(&self, until: Deadline<'_>, lane: usize, lanes: usize, seed: u64) {
        let seed = derive_seed(seed, &[lane as u64]);
        // If no beam reached the end of the game, a complete solution comes first.
        let is_complete = self.found().plans.iter().any(|(_, plan)| plan.is_complete);
        if lane == 0 && !is_complete {
            self.complete_best(Some(until));
        }
        let (whole, quick) = (until, self.is_quick(until));
        let until = if quick { whole.part(BEAM_FRACTION) } else { whole };
        let (mut round, enough) = (lane, until.left().mul_f64(0.05));
        while until.left() > enough {
            let search = self.time_to_search(until, lanes);
            self.tune_weights_until(search.part(0.4), until, &mut round, seed);
            self.search_wide_until(self.time_to_search(until, lanes), until, lane, lanes);
            let left = USABLE_TIME * until.left().as_secs_f64();
            let length = self.found().length;
            if lanes > 1 && self.spelling_seconds(CHEAP_WIDTH.1, length) > left {
                self.spell_in_parts(until, lanes);
            } else {
                self.spell_until(until);
            }
        }
        if quick {
            self.vary_until(whole, seed);
        }
    }

    /// Returns the deadline of beams that leaves time for spelling: cheaply once, and thoroughly
    /// once unless that takes more than half of the time.
    fn time_to_search<'d>(&self, until: Deadline<'d>, lanes: usize) -> Deadline<'d> {
        let left = until.left().as_secs_f64();
        let length = self.found().length;
        let once = self.spelling_seconds(1.0, length) / USABLE_TIME;
        let cheaply = (1.1 * once * CHEAP_WIDTH.1 / lanes as f64).min(0.85 * left);
        let both = (once * (CHEAP_WIDTH.1 + SPELLING_WIDTHS[0].1)).clamp(0.1 * left, 0.5 * left);
        until.before(Duration::from_secs_f64(cheaply.max(both)))
    }

    /// Compares weights in narrow beams; weights that are good there are mostly good in wide beams.
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

    /// Runs wider beams with the best weights for half of the time, then one with the best of them
    /// as wide as the rest allows. Each lane has its own weights.
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

    /// Takes the best plan that was not spelled yet.
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
            weights: WEIGHT_PRESETS[0],
            bytes: 1 << 24,
            total: &AtomicU64::new(0),
            observer: &|_: SolveProgress| (),
        };
        let game = GameSearch::new(context, problem.seeds()[1]);
        let plan = game.try_weights(WEIGHT_PRESETS[0], 3, None, None);
        let never = || false;
        let parts = [0..33, 33..34, 34..60];
        let mut text: String = parts
            .into_iter()
            .map(|units| game.spell_range(&plan, units, 4, &never).expect("a valid plan"))
            .collect();
        text += &game.write_shortest_paths(&plan.placements, 60, never);
        let verdict = game.referee().score(game.seed, &text);
        assert!(!verdict.status.is_error(), "{:?}", verdict.error);
        assert_eq!((verdict.move_score, verdict.locked), (plan.points, plan.placements.len()));
        assert!(verdict.power_score > 1000, "{}", verdict.power_score);
    }
}
