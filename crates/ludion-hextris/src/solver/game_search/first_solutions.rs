//! The first solutions of a game, and how fast the solvers are in it. From that follows, where time is
//! short, which solver is worth it.

use std::sync::atomic::Ordering;
use std::time::Duration;

use super::super::super::phrases::NEW_PHRASE_BONUS;
use super::super::super::referee::SolutionStatus;
use super::super::super::unit::Placement;
use super::super::beam::PlacementPlan;
use super::super::clock::Deadline;
use super::super::evaluation::BoardWeights;
use super::super::spell::NO_PHRASES;
use super::super::{FIRST_FRACTION, SolvedGame};
use super::spelling_effort::{CHEAP, FASTEST, SpellingEffort};
use super::{GameSearch, LITTLE_TIME};

/// Number of units whose commands are searched first, to estimate time per unit and points for
/// phrases per row.
pub(super) const MEASURED_UNITS: usize = 20;
/// Number of units whose shortest paths are written first, to estimate their time.
const MEASURED_PATHS: usize = 5;
/// Shortest paths of a whole game are written, without phrases, only if they are expected to take at
/// most this fraction of the time left.
const PATH_FRACTION: f64 = 0.1;
/// The solver of de Falco and Fleck is run to the end of the game if that takes at most this fraction of
/// the time left.
const BASELINE_INSURANCE: f64 = 0.2;
/// It is not, if more than this many times its points are expected from spelling; if not, and several
/// threads work on the game, one of them runs it.
const SAFE_LEAD: f64 = 1.5;
/// Fraction of the units that spelling could do by its first measurement, of which it is trusted to do
/// more than the solver of de Falco and Fleck.
const SPELLING_CAUTION: f64 = 0.75;
/// Number of states kept by the first beam search of a game, which has to be quick.
const QUICK_STATES: usize = 4;
/// Fraction of the time for first solutions that goes to the solver of de Falco and Fleck, which
/// finds one sooner than any beam search.
const BASELINE_FRACTION: f64 = 0.12;

/// Fraction of the time for first solutions that it gets if it has not locked a unit before.
const FIRST_UNIT_FRACTION: f64 = 0.4;

/// How fast a solver was on the first units of a game.
#[derive(Clone, Copy, Debug)]
pub(super) struct SolverRate {
    units: f64,
    units_per_second: f64,
    points_per_unit: f64,
}

impl SolverRate {
    fn new(seconds: f64, units: usize, points: u64) -> Self {
        let some = units.max(1) as f64;
        SolverRate {
            units: units as f64,
            units_per_second: units as f64 / seconds.max(1e-9),
            points_per_unit: points as f64 / some,
        }
    }
}

impl GameSearch<'_> {
    /// Finds first solutions: with the solver of de Falco and Fleck, then by a quick beam search whose
    /// first units are spelled. Measures how fast both are.
    pub(in super::super) fn find_first_solutions(&self, until: Option<Deadline<'_>>) {
        let now = || until.map_or(Duration::ZERO, |until| until.now());
        let began = now();
        self.complete_best(until.map(|until| until.part(BASELINE_FRACTION)));
        if self.best().verdict.locked == 0 {
            self.complete_best(until.map(|until| until.part(FIRST_UNIT_FRACTION)));
        }
        let SolvedGame { commands, verdict, .. } = self.best();
        if verdict.status == SolutionStatus::InProgress {
            let seconds = (now() - began).as_secs_f64();
            let points = verdict.score.saturating_sub(self.bonuses(&commands));
            self.found().baseline = Some(SolverRate::new(seconds, verdict.locked, points));
        }
        let rest = self.problem.source_length().saturating_sub(verdict.locked) as f64;
        let is_short = until.zip(self.found().baseline).is_some_and(|(until, baseline)| {
            rest > baseline.units_per_second * until.left().as_secs_f64() / FIRST_FRACTION
        });
        if let Some(until) = until.filter(|_| is_short && !self.phrases.list().is_empty())
            && self.measure_short_game(until)
        {
            return;
        }
        let began = now();
        // If even the quickest solver does not reach the end of the game, a plan of its beginning will do.
        let [soon, stop] = if is_short { [0.15, 0.2] } else { [0.4, 0.6] }
            .map(|fraction| until.map(|until| until.part(fraction)));
        let until = if is_short { until.map(|until| until.part(0.4)) } else { until };
        let plan = self.try_weights(self.best_weights(0), QUICK_STATES, soon, stop);
        self.found().beam_seconds = (now() - began).as_secs_f64();
        self.measure_paths(&plan, until);
        let is_late = || until.is_some_and(|until| until.has_passed());
        let seconds = self.found().path_pace * plan.placements.len() as f64;
        if self.phrases.list().is_empty()
            || until.is_none_or(|until| seconds < PATH_FRACTION * until.left().as_secs_f64())
        {
            self.offer(self.write_shortest_paths(&plan.placements, 0, is_late));
        }
        if !self.phrases.list().is_empty() {
            self.measure_spelling(&plan, CHEAP, until);
        }
    }

    /// Plans and spells the first units of a game that the quickest solver does not finish in the time, to
    /// measure how fast that is. Returns whether spelling the whole game takes most of the time, so that
    /// all the rest of it is for spelling.
    fn measure_short_game(&self, until: Deadline<'_>) -> bool {
        self.plan_units(MEASURED_UNITS);
        let began = until.now();
        let plan = self.try_weights(self.best_weights(0), 1, Some(until), Some(until));
        self.found().beam_seconds = (until.now() - began).as_secs_f64();
        self.measure_paths(&plan, Some(until));
        self.measure_spelling(&plan, FASTEST, Some(until));
        let seconds = self.spelling_seconds(FASTEST, self.problem.source_length());
        let is_short = seconds > LITTLE_TIME * until.left().as_secs_f64() / FIRST_FRACTION;
        self.is_short.store(is_short, Ordering::Relaxed);
        if !is_short {
            self.plan_units(self.problem.source_length());
            self.found().length = 0;
        }
        is_short
    }

    /// Finds another placement plan, with the preset of weights with this number, while a thread finds
    /// the first solutions. If that one finds that the time of the game is short, the plan is given up.
    pub(in super::super) fn assist_first_solutions(&self, preset: usize, until: Deadline<'_>) {
        let clock = || if self.is_short() { Duration::MAX } else { until.now() };
        let until = Deadline::new(&clock, until.at());
        let weights = self.round_weights(preset, 0);
        let _ = self.try_weights(weights, QUICK_STATES, Some(until.part(0.7)), Some(until));
    }

    /// Measures how long shortest paths take, by those of the first units of a placement plan.
    fn measure_paths(&self, plan: &PlacementPlan, until: Option<Deadline<'_>>) {
        let placements = &plan.placements[..plan.placements.len().min(MEASURED_PATHS)];
        let now = || until.map_or(Duration::ZERO, |until| until.now());
        let began = now();
        let _ = self.write_shortest_paths(placements, 0, || false);
        self.found().path_pace = (now() - began).as_secs_f64() / placements.len().max(1) as f64;
    }

    /// Returns whether the solver of de Falco and Fleck, which is not at its end, should go on: if it
    /// is expected to score more by the deadline than `lanes` threads that spell the plans of quick beam
    /// searches, or nearly as much and does not take all the time of all threads.
    pub(super) fn should_complete(&self, until: Deadline<'_>, lanes: usize) -> bool {
        let found = self.found();
        let (Some(baseline), left) = (found.baseline, until.left().as_secs_f64()) else {
            return false;
        };
        let units = self.problem.source_length() as f64;
        let cost = self.spelling_cost(FASTEST);
        let ours = found.spelling.map_or(0.0, |spelling| {
            let spelled = lanes as f64 * left * spelling.units_per_second / cost;
            units.min(SPELLING_CAUTION * spelled) * spelling.points_per_unit
        });
        let ends_soon =
            units - baseline.units <= BASELINE_INSURANCE * left * baseline.units_per_second;
        let done = baseline.units + left * baseline.units_per_second;
        let theirs = units.min(done) * baseline.points_per_unit;
        theirs >= ours || (ends_soon || lanes > 1) && SAFE_LEAD * theirs > ours
    }

    /// Chooses commands for the first units of a placement plan, to estimate the time per unit and
    /// the points for phrases per row that a unit descends.
    fn measure_spelling(
        &self,
        plan: &PlacementPlan,
        effort: SpellingEffort,
        until: Option<Deadline<'_>>,
    ) {
        let placements = &plan.placements[..plan.placements.len().min(MEASURED_UNITS)];
        let now = || until.map_or(Duration::ZERO, |until| until.now());
        let began = now();
        let stop = || until.is_some_and(|until| until.has_passed());
        let mut spelling = self.speller.begin(self.problem, self.seed, self.bytes, NO_PHRASES);
        let options = self.spell_options(effort);
        let spelled =
            placements.iter().take_while(|&&at| spelling.advance(at, &options, &stop)).count();
        let seconds = (now() - began).as_secs_f64() / self.spelling_cost(effort);
        let pace = seconds / spelled.max(1) as f64;
        let commands = spelling.commands();
        let powers = self.phrases.powers(&self.phrases.count(&commands));
        let power: u64 = powers.iter().map(|power| power.power).sum();
        let power = power.saturating_sub(self.bonuses(&commands));
        self.offer(commands);
        let mut found = self.found();
        found.pace = Some(pace);
        if spelled == 0 {
            return;
        }
        found.spelling = Some(SolverRate::new(pace * spelled as f64, spelled, power));
        let descents = self.descents(&placements[..spelled]).max(1);
        let descent = (power as f32 / descents as f32).max(1.0);
        found.descent = descent;
        for (estimated_score, plan) in &mut found.plans {
            *estimated_score = plan.estimated_score(descent);
        }
        let weights = BoardWeights { descent, ..found.weights[0].1 };
        found.weights = vec![(plan.estimated_score(descent), weights)];
    }

    /// Returns the points for the first occurrences of phrases in `commands`.
    fn bonuses(&self, commands: &str) -> u64 {
        let counts = self.phrases.count(commands);
        NEW_PHRASE_BONUS * counts.iter().filter(|&&count| count > 0).count() as u64
    }

    fn descents(&self, placements: &[Placement]) -> u64 {
        let units = self.problem.source(self.seed).map(|unit| &self.problem.units()[unit]);
        units.zip(placements).map(|(unit, at)| (at.y - unit.spawn().y).max(0) as u64).sum()
    }
}
