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
use super::super::spell::{SpellOptions, SpelledGame};
use super::super::unit_paths;
use super::{GameSearch, SPELLING_WIDTHS, USABLE_TIME};

/// Number of consecutive units of a block, whose commands are chosen together when time is short.
const BLOCK_UNITS: usize = 30;
/// A placement plan, divided into ranges of units (parts), for which several threads choose the
/// commands.
#[derive(Debug)]
pub(super) struct ParallelSpelling {
    plan: Arc<PlacementPlan>,
    /// Index of the first unit of every part, followed by the number of units of the whole plan.
    bounds: Vec<usize>,
    next: usize,
    texts: Vec<Option<String>>,
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
            let all = plan.placements.len();
            let text = self.spell_units(&plan, 0..all, until, &SPELLING_WIDTHS[2..]);
            let score = self.offer(text.unwrap_or_default());
            self.update_best_plan(score, &plan.placements);
            if best.is_none_or(|best| score > best) {
                best = Some(score);
                let text = self.spell_units(&plan, 0..all, until, &SPELLING_WIDTHS[..2]);
                self.offer(text.unwrap_or_default());
            }
        }
    }

    /// Returns the estimated seconds for choosing the commands of `units` units; `cost` is the
    /// relative running time of an entry of `SPELLING_WIDTHS`.
    pub(super) fn spelling_seconds(&self, cost: f64, units: usize) -> f64 {
        cost * self.found().pace.unwrap_or(0.0) * units as f64
    }

    /// Chooses commands for some parts (ranges of units) of the best placement plan while other
    /// threads do the others; the thread that finishes last joins the commands of all parts. A part
    /// that is not done in time gets the commands of shortest paths.
    pub(super) fn spell_in_parts(&self, until: Deadline<'_>, lanes: usize) {
        loop {
            let (plan, part, units) = {
                let mut found = self.found();
                if found.parallel.is_none() && !found.plans.is_empty() {
                    let plan = Arc::new(found.plans.remove(0).1);
                    let bound = |i| i * plan.placements.len() / lanes;
                    let bounds = (0..=lanes).map(bound).collect();
                    let texts = vec![None; lanes];
                    found.parallel = Some(ParallelSpelling { plan, bounds, next: 0, texts });
                }
                let Some(parallel) =
                    found.parallel.as_mut().filter(|parallel| parallel.next < lanes)
                else {
                    return;
                };
                let part = parallel.next;
                parallel.next += 1;
                (Arc::clone(&parallel.plan), part, parallel.bounds[part]..parallel.bounds[part + 1])
            };
            let text = self.spell_units(&plan, units.clone(), until, &SPELLING_WIDTHS[1..]);
            let placements = &plan.placements[..units.end];
            let stop = || until.has_passed();
            let text =
                text.unwrap_or_else(|| self.write_shortest_paths(placements, units.start, stop));
            let mut found = self.found();
            let Some(parallel) = found.parallel.as_mut() else { return };
            parallel.texts[part] = Some(text);
            if let Some(texts) = parallel.texts.iter().cloned().collect::<Option<Vec<_>>>() {
                found.parallel = None;
                drop(found);
                self.offer(texts.concat());
                return;
            }
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

    /// Returns commands for a range of units of a placement plan, chosen with the first of `widths`
    /// (entries of `SPELLING_WIDTHS`) for which the time suffices. If it suffices for none, works
    /// in blocks if `widths` include the fastest; otherwise returns `None`.
    fn spell_units(
        &self,
        plan: &PlacementPlan,
        units: Range<usize>,
        until: Deadline<'_>,
        widths: &[(usize, f64)],
    ) -> Option<String> {
        let left = USABLE_TIME * until.left().as_secs_f64();
        let in_time =
            |&&(_, cost): &&(usize, f64)| self.spelling_seconds(cost, units.len()) <= left;
        if let Some(&(width, _)) = widths.iter().find(in_time) {
            return self.spell_range(plan, units, width, &|| until.has_passed());
        }
        if widths.last() != SPELLING_WIDTHS.last() {
            return None;
        }
        Some(self.spell_in_blocks(plan, units, until))
    }

    /// Returns commands for a range of units, chosen for one block of units after the other, each
    /// as thoroughly as its share of the time allows; units for which no time is left get shortest
    /// paths.
    fn spell_in_blocks(
        &self,
        plan: &PlacementPlan,
        units: Range<usize>,
        until: Deadline<'_>,
    ) -> String {
        let spelling = until.part(0.95);
        let (mut text, mut next) = (String::new(), units.start);
        while next < units.end {
            let block = next..units.end.min(next + BLOCK_UNITS);
            let share = block.len() as f64 / (units.end - next) as f64;
            let time = spelling.left().as_secs_f64() * share;
            let in_time =
                |&&(_, cost): &&(usize, f64)| self.spelling_seconds(cost, block.len()) <= time;
            let last = &SPELLING_WIDTHS[SPELLING_WIDTHS.len() - 1];
            let &(width, cost) = SPELLING_WIDTHS.iter().find(in_time).unwrap_or(last);
            let began = spelling.now();
            let stop = || spelling.has_passed();
            let Some(spelled) = self.spell_range(plan, block.clone(), width, &stop) else { break };
            let took = (spelling.now() - began).as_secs_f64();
            self.found().pace = Some(took / cost / block.len() as f64);
            text += &spelled;
            next = block.end;
        }
        let placements = &plan.placements[..units.end];
        text + &self.write_shortest_paths(placements, next, || until.has_passed())
    }

    /// Returns commands for a range of units of a placement plan, chosen by a search that keeps
    /// `width` paths for each placement; `None` if `stop` returns true. A range that does not start
    /// with the first unit is spelled as a problem of its own, whose board is the one after the
    /// earlier units and whose seed is the state of the generator there.
    pub(super) fn spell_range(
        &self,
        plan: &PlacementPlan,
        units: Range<usize>,
        width: usize,
        stop: &dyn Fn() -> bool,
    ) -> Option<String> {
        let placements = &plan.placements[units.clone()];
        if units.start == 0 {
            let spelled = self.spell(self.problem, self.seed, placements, width, stop);
            return spelled.map(|spelled| spelled.commands);
        }
        let (mut board, mut source) = (self.problem.board().clone(), UnitSource::new(self.seed));
        for &at in &plan.placements[..units.start] {
            let unit = source.unit(self.problem.units().len());
            self.problem.units()[unit].lock(&mut board, at);
        }
        let rest = self.problem.with_board(&board, units.len());
        let spelled = self.spell(&rest, source.seed(), placements, width, stop);
        spelled.map(|spelled| spelled.commands)
    }

    /// Returns the best commands found for a game whose units lock at `placements`, by a search
    /// that keeps `width` paths for each placement; `None` if `stop` returns true or a placement
    /// cannot be reached.
    pub(super) fn spell(
        &self,
        problem: &Problem,
        seed: u32,
        placements: &[Placement],
        width: usize,
        stop: &dyn Fn() -> bool,
    ) -> Option<SpelledGame> {
        let options = SpellOptions { width, memory: self.bytes, ..SpellOptions::default() };
        self.speller.spell(problem, seed, placements, &options, stop)
    }
}
