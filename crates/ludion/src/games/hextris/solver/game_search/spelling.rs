//! The spelling of one game in time: how thoroughly, how much of it, and by whom. Plans wait in
//! the game, best first; a plan too long for one thread is spelled in parts.

use std::ops::Range;
use std::sync::Arc;

use super::super::super::problem::Problem;
use super::super::super::unit::Placement;
use super::super::super::unit_source::UnitSource;
use super::super::beam::LockPlan;
use super::super::clock::Deadline;
use super::super::spell::{SpellOptions, SpelledGame};
use super::super::unit_paths;
use super::{CAREFUL, GameSearch, WIDTHS};

/// Units that are spelled at a time when time is short.
const FEW: usize = 30;
/// A plan too long to be spelled by one thread in time: each spells a part.
#[derive(Debug)]
pub(super) struct SplitSpelling {
    plan: Arc<LockPlan>,
    /// The first unit of every part, and the end.
    bounds: Vec<usize>,
    next: usize,
    texts: Vec<Option<String>>,
}

impl GameSearch<'_> {
    /// Spells the plans that wait: all of them cheaply, and thoroughly those that are better
    /// than the ones before.
    pub(super) fn spell_until(&self, until: Deadline<'_>) {
        let mut best = None;
        while let Some(plan) = self.next_plan() {
            if until.has_passed() {
                return;
            }
            let all = plan.placements.len();
            let text = self.spell_units(&plan, 0..all, until, &WIDTHS[2..]);
            let score = self.offer(text.unwrap_or_default());
            self.favour(score, &plan.placements);
            if best.is_none_or(|best| score > best) {
                best = Some(score);
                let text = self.spell_units(&plan, 0..all, until, &WIDTHS[..2]);
                self.offer(text.unwrap_or_default());
            }
        }
    }

    /// Seconds that spelling so many units at this cost seems to take.
    pub(super) fn takes(&self, cost: f64, units: usize) -> f64 {
        cost * self.found().pace.unwrap_or(0.0) * units as f64
    }

    /// The best plan, each thread a part of it; who comes last puts the parts together. A part
    /// that was not spelled in time is written plainly.
    pub(super) fn spell_in_parts(&self, until: Deadline<'_>, lanes: usize) {
        loop {
            let (plan, part, units) = {
                let mut found = self.found();
                if found.relay.is_none() && !found.plans.is_empty() {
                    let plan = Arc::new(found.plans.remove(0).1);
                    let bound = |i| i * plan.placements.len() / lanes;
                    let bounds = (0..=lanes).map(bound).collect();
                    let texts = vec![None; lanes];
                    found.relay = Some(SplitSpelling { plan, bounds, next: 0, texts });
                }
                let Some(relay) = found.relay.as_mut().filter(|relay| relay.next < lanes) else {
                    return;
                };
                let part = relay.next;
                relay.next += 1;
                (Arc::clone(&relay.plan), part, relay.bounds[part]..relay.bounds[part + 1])
            };
            let text = self.spell_units(&plan, units.clone(), until, &WIDTHS[1..]);
            let placements = &plan.placements[..units.end];
            let stop = || until.has_passed();
            let text = text.unwrap_or_else(|| self.write_plainly(placements, units.start, stop));
            let mut found = self.found();
            let Some(relay) = found.relay.as_mut() else { return };
            relay.texts[part] = Some(text);
            if let Some(texts) = relay.texts.iter().cloned().collect::<Option<Vec<_>>>() {
                found.relay = None;
                drop(found);
                self.offer(texts.concat());
                return;
            }
        }
    }

    /// Commands for the units from `written` on, on the shortest ways.
    pub(super) fn write_plainly(
        &self,
        placements: &[Placement],
        written: usize,
        stop: impl Fn() -> bool,
    ) -> String {
        unit_paths::write_plainly(self.problem, &self.units(), placements, written, stop)
    }

    /// Spells some units of a plan with the first of `widths` for which there is time. If it is
    /// too short even for the least, in haste.
    fn spell_units(
        &self,
        plan: &LockPlan,
        units: Range<usize>,
        until: Deadline<'_>,
        widths: &[(usize, f64)],
    ) -> Option<String> {
        let left = CAREFUL * until.left().as_secs_f64();
        let in_time = |&&(_, cost): &&(usize, f64)| self.takes(cost, units.len()) <= left;
        if let Some(&(width, _)) = widths.iter().find(in_time) {
            return self.spell_stretch(plan, units, width, &|| until.has_passed());
        }
        if widths.last() != WIDTHS.last() {
            return None;
        }
        Some(self.spell_in_haste(plan, units, until))
    }

    /// Spells a few units at a time, each few as thoroughly as their share of the time allows,
    /// and what is left in the end plainly.
    fn spell_in_haste(&self, plan: &LockPlan, units: Range<usize>, until: Deadline<'_>) -> String {
        let spelling = until.part(0.95);
        let (mut text, mut next) = (String::new(), units.start);
        while next < units.end {
            let few = next..units.end.min(next + FEW);
            let share = few.len() as f64 / (units.end - next) as f64;
            let time = spelling.left().as_secs_f64() * share;
            let in_time = |&&(_, cost): &&(usize, f64)| self.takes(cost, few.len()) <= time;
            let last = &WIDTHS[WIDTHS.len() - 1];
            let &(width, cost) = WIDTHS.iter().find(in_time).unwrap_or(last);
            let began = spelling.now();
            let stop = || spelling.has_passed();
            let Some(spelled) = self.spell_stretch(plan, few.clone(), width, &stop) else { break };
            let took = (spelling.now() - began).as_secs_f64();
            self.found().pace = Some(took / cost / few.len() as f64);
            text += &spelled;
            next = few.end;
        }
        let placements = &plan.placements[..units.end];
        text + &self.write_plainly(placements, next, || until.has_passed())
    }

    /// Spells some units of a plan: from the second on as a problem of its own, whose board is
    /// what the units before leave and whose source goes on where theirs ends.
    pub(super) fn spell_stretch(
        &self,
        plan: &LockPlan,
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
