//! Spelling of placement plans, which is the choice of commands that contain many phrases, within a
//! time limit: how thoroughly each plan is spelled, how many units at a time, and by which thread.
//! Plans wait in `GameSearchState::plans`, best first; the units of a plan that takes one thread
//! too long are divided among several threads.

use std::ops::Range;
use std::sync::Arc;

use super::super::super::problem::Problem;
use super::super::super::unit::Placement;
use super::super::super::unit_source::UnitSource;
use super::super::beam::PlacementPlan;
use super::super::clock::Deadline;
use super::super::spell::{ALL_PHRASES, NO_PHRASES, SpelledGame};
use super::super::unit_paths;
use super::spelling_effort::{CHEAP, FASTEST, SPELLING_EFFORTS, SpellingEffort, THOROUGH_EFFORTS};
use super::{GameSearch, USABLE_TIME};

/// Number of units after which the width of spelling is adapted to the time left.
const UNITS_PER_WIDTH: usize = 5;
/// Weight of the last unit in the moving average of the time per unit.
const PACE_WEIGHT: f64 = 0.05;
/// Shortest paths get this many times the time that they are expected to take.
const PATH_MARGIN: f64 = 1.5;

/// Least and greatest number of units of a part, see [`ParallelSpelling`]. No phrase is spelled across
/// two parts.
const MIN_PART_UNITS: usize = 5;
const MAX_PART_UNITS: usize = 400;
/// Least number of parts that a thread can spell in the time left; more if the plan is cut, because the
/// units of the parts that are not spelled at the deadline are lost.
const PARTS_IN_TIME: f64 = 3.0;
const CUT_PARTS_IN_TIME: f64 = 8.0;

/// A placement plan, divided into ranges of units (parts), for which several threads choose the
/// commands.
#[derive(Debug)]
pub(super) struct ParallelSpelling {
    plan: Arc<PlacementPlan>,
    /// Number of units of each part but the last.
    part_units: usize,
    /// The commands of the parts that were begun, and whether they lead to the last lock of the part;
    /// `None` until they are chosen.
    texts: Vec<Option<(String, bool)>>,
    /// Number of threads that work on a part.
    running: usize,
}

impl ParallelSpelling {
    fn units(&self, part: usize) -> Range<usize> {
        let start = part * self.part_units;
        start..self.plan.placements.len().min(start + self.part_units)
    }

    /// Returns whether all parts were begun.
    fn is_begun(&self) -> bool {
        self.texts.len() * self.part_units >= self.plan.placements.len()
    }
}

impl GameSearch<'_> {
    /// Chooses commands for the waiting placement plans until the deadline: quickly for all of
    /// them, and again thoroughly for each that scores better than all plans before it.
    pub(super) fn spell_until(&self, until: Deadline<'_>) {
        let mut best = None;
        while let Some(plan) = self.next_plan() {
            if until.has_passed() {
                return;
            }
            let all = 0..plan.placements.len();
            let (text, _) =
                self.spell_in_time(&plan, all.clone(), (until, until), THOROUGH_EFFORTS);
            let score = self.offer(text);
            self.update_best_plan(score, &plan.placements);
            if best.is_none_or(|best| score > best) {
                best = Some(score);
                let left = USABLE_TIME * until.left().as_secs_f64();
                let in_time =
                    |&&effort: &&SpellingEffort| self.spelling_seconds(effort, all.len()) <= left;
                let thorough = &SPELLING_EFFORTS[..THOROUGH_EFFORTS];
                if let Some(&effort) = thorough.iter().find(in_time) {
                    let text = self.spell_range(&plan, all, effort, &|| until.has_passed());
                    self.offer(text.unwrap_or_default());
                }
            }
        }
    }

    /// Returns the estimated seconds for choosing the commands of `units` units.
    pub(super) fn spelling_seconds(&self, effort: SpellingEffort, units: usize) -> f64 {
        self.spelling_cost(effort) * self.found().pace.unwrap_or(0.0) * units as f64
    }

    /// Chooses commands for some parts (ranges of units) of the best placement plan while other
    /// threads do the others. The thread that finishes last joins the commands of all parts; if the
    /// time did not suffice for all parts, the game ends after those that are there.
    pub(super) fn spell_in_parts(&self, until: Deadline<'_>, lanes: usize) {
        let fast = self.spelling_seconds(FASTEST, 1).max(1e-9);
        let parts = if self.is_cut() { CUT_PARTS_IN_TIME } else { PARTS_IN_TIME };
        let in_time = until.left().as_secs_f64() / fast;
        let part_units = ((in_time / parts) as usize).clamp(MIN_PART_UNITS, MAX_PART_UNITS);
        loop {
            let (plan, part, units) = {
                let mut found = self.found();
                if found.parallel.is_none() && !found.plans.is_empty() {
                    let plan = Arc::new(found.plans.remove(0).1);
                    let part_units = part_units.min(plan.placements.len().div_ceil(lanes));
                    let (texts, running) = (Vec::new(), 0);
                    found.parallel = Some(ParallelSpelling { plan, part_units, texts, running });
                }
                let is_late = until.has_passed();
                let next = found.parallel.as_mut().filter(|next| !is_late && !next.is_begun());
                let Some(parallel) = next else {
                    drop(found);
                    return self.join_parts(until);
                };
                let part = parallel.texts.len();
                parallel.texts.push(None);
                parallel.running += 1;
                (Arc::clone(&parallel.plan), part, parallel.units(part))
            };
            // The others get their shares of the time, too.
            let rest = plan.placements.len() - units.start;
            let soon = until.part(lanes as f64 * units.len() as f64 / rest as f64);
            let text = self.spell_in_time(&plan, units, (soon, until), 1);
            let mut found = self.found();
            let Some(parallel) = found.parallel.as_mut() else { return };
            parallel.texts[part] = Some(text);
            parallel.running -= 1;
        }
    }

    /// Joins the commands of all parts if no thread works on one and no other will be begun.
    fn join_parts(&self, until: Deadline<'_>) {
        let mut found = self.found();
        let is_whole = |parallel: &ParallelSpelling| {
            parallel.running == 0 && (parallel.is_begun() || until.has_passed())
        };
        if found.parallel.as_ref().is_some_and(is_whole) {
            let texts = found.parallel.take().map(|parallel| parallel.texts);
            drop(found);
            let mut whole = true;
            let texts = texts.unwrap_or_default().into_iter().flatten();
            let joined = texts.take_while(|(_, is_whole)| std::mem::replace(&mut whole, *is_whole));
            self.offer(joined.map(|(text, _)| text).collect());
        }
    }

    /// Returns command characters that lock units at their `placements` by shortest paths, without
    /// regard to phrases. `placements` begins with the first unit of the game; commands are
    /// returned only for the units from index `written` on. Ends early, with the commands so far,
    /// if `stop` returns true.
    pub(super) fn write_shortest_paths(
        &self,
        placements: &[Placement],
        written: usize,
        stop: impl Fn() -> bool,
    ) -> String {
        unit_paths::write_shortest_paths(self.problem, &self.units(), placements, written, stop)
    }

    /// Returns commands for a range of units of a placement plan, chosen as thoroughly as the time
    /// allows, with the entries of [`SPELLING_EFFORTS`] from index `first` on, so that they should be
    /// chosen by the first deadline, and whether they lead to the last lock. Units for which no time is left
    /// at the second get shortest paths; if the range ends with the plan, or the plan before the game, the
    /// commands may lack the last units.
    fn spell_in_time(
        &self,
        plan: &PlacementPlan,
        units: Range<usize>,
        (soon, until): (Deadline<'_>, Deadline<'_>),
        first: usize,
    ) -> (String, bool) {
        let may_lack = units.end == plan.placements.len() || self.is_cut();
        let (mut pace, path_pace) = {
            let found = self.found();
            (found.pace.unwrap_or(0.0), found.path_pace)
        };
        let (problem, seed) = self.rest_of_game(plan, units.start);
        let used = if units.start == 0 { NO_PHRASES } else { ALL_PHRASES };
        let mut spelling = self.speller.begin(&problem, seed, self.bytes, used);
        let (mut next, mut effort) = (units.start, CHEAP);
        while next < units.end {
            let rest = units.end - next;
            // What follows the range can only be joined to all of it.
            let paths = if may_lack { 0.0 } else { PATH_MARGIN * path_pace * rest as f64 };
            let until = until.before(std::time::Duration::from_secs_f64(paths));
            if (next - units.start).is_multiple_of(UNITS_PER_WIDTH) {
                let left = USABLE_TIME * soon.left().as_secs_f64();
                let in_time = |&effort: &SpellingEffort| {
                    self.spelling_cost(effort) * pace * rest as f64 <= left
                };
                effort = SPELLING_EFFORTS.into_iter().skip(first).find(in_time).unwrap_or(FASTEST);
            }
            let began = until.now();
            let stop = || until.has_passed();
            if stop()
                || !spelling.advance(plan.placements[next], &self.spell_options(effort), &stop)
            {
                break;
            }
            let took = (until.now() - began).as_secs_f64() / self.spelling_cost(effort);
            pace += PACE_WEIGHT * (took - pace);
            next += 1;
        }
        self.found().pace = Some(pace);
        let is_whole = next == units.end || !may_lack;
        let is_late = || may_lack && until.has_passed();
        let paths = self.write_shortest_paths(&plan.placements[..units.end], next, is_late);
        (spelling.commands() + &paths, is_whole)
    }

    /// Returns the problem that the units of a plan from index `first` on are, and its seed: its board
    /// is the one after the earlier units, and its seed the state of the generator there.
    fn rest_of_game(&self, plan: &PlacementPlan, first: usize) -> (Problem, u32) {
        let (mut board, mut source) = (self.problem.board().clone(), UnitSource::new(self.seed));
        for &at in &plan.placements[..first] {
            let unit = source.unit(self.problem.units().len());
            self.problem.units()[unit].lock(&mut board, at);
        }
        (self.problem.with_board(&board, plan.placements.len() - first), source.seed())
    }

    /// Returns commands for a range of units of a placement plan, chosen with this effort;
    /// `None` if `stop` returns true.
    pub(super) fn spell_range(
        &self,
        plan: &PlacementPlan,
        units: Range<usize>,
        effort: SpellingEffort,
        stop: &dyn Fn() -> bool,
    ) -> Option<String> {
        let (problem, seed) = self.rest_of_game(plan, units.start);
        let spelled = self.spell(&problem, seed, &plan.placements[units], effort, stop);
        spelled.map(|spelled| spelled.commands)
    }

    /// Returns the best commands found for a game whose units lock at `placements`, with this
    /// effort; `None` if `stop` returns true or a placement
    /// cannot be reached.
    pub(super) fn spell(
        &self,
        problem: &Problem,
        seed: u32,
        placements: &[Placement],
        effort: SpellingEffort,
        stop: &dyn Fn() -> bool,
    ) -> Option<SpelledGame> {
        self.speller.spell(problem, seed, placements, &self.spell_options(effort), stop)
    }
}
