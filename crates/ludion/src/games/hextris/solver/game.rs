//! One game on its way to a better and better solution: plans of where units lock, found by
//! beams of different weights, then spelled. Several threads may work on one game; what they
//! find they share.

use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use super::super::phrases::{NEW_PHRASE, Phrases};
use super::super::problem::Problem;
use super::super::referee::{Referee, Verdict};
use super::super::source::Source;
use super::super::unit::Placement;
use super::beam::{Breadth, Plan};
use super::clock::Deadline;
use super::evaluation::Weights;
use super::ground::AnyGround;
use super::spell::{SpellOptions, Spelled, spell};
use super::styles::STYLES;
use super::walk::write_plainly;
use crate::random::{Rng, derive_seed};

/// How wide spelling can be, with what it costs, that of [`CHEAP`] being 1.
const WIDTHS: [(usize, f64); 4] = [(80, 3.3), (24, 2.0), CHEAP, (4, 0.7)];
/// Wide enough for nearly all of the power.
const CHEAP: (usize, f64) = (8, 1.0);
/// No more than this part of the time that is left is counted on: no unit is like another.
const CAREFUL: f64 = 0.7;

/// From so many units the pace and the yield of spelling are judged.
const PROBE: usize = 20;
/// Units that are spelled at a time when time is short.
const FEW: usize = 30;
/// Plans that wait to be spelled.
const MOST_PLANS: usize = 8;
/// States of the first, quick beam.
const QUICK: usize = 4;

/// A game of a problem and what was found of it.
#[derive(Debug)]
pub(super) struct Game<'a> {
    pub(super) problem: &'a Problem,
    pub(super) seed: u32,
    phrases: &'a Phrases,
    ground: &'a AnyGround,
    units: Vec<usize>,
    most_states: usize,
    bytes: usize,
    found: Mutex<Found>,
}

#[derive(Debug)]
struct Found {
    /// Best first, with what each promises.
    plans: Vec<(f64, Plan)>,
    /// The weights that gave the best plan, and what that promised.
    weights: (f64, Weights),
    /// What a row come down seems to earn.
    descent: f32,
    /// Seconds that cheap spelling seems to take for a unit.
    pace: Option<f64>,
    relay: Option<Relay>,
    best: Option<(String, Verdict)>,
}

/// A plan too long to be spelled by one thread in time: each spells a part.
#[derive(Debug)]
struct Relay {
    plan: Arc<Plan>,
    /// The first unit of every part, and the end.
    bounds: Vec<usize>,
    next: usize,
    texts: Vec<Option<String>>,
}

/// What the games of a problem have in common.
#[derive(Clone, Copy, Debug)]
pub(super) struct Setting<'a> {
    pub(super) problem: &'a Problem,
    pub(super) phrases: &'a Phrases,
    pub(super) ground: &'a AnyGround,
    pub(super) weights: Weights,
    /// For the work of one thread.
    pub(super) bytes: usize,
}

impl<'a> Game<'a> {
    pub(super) fn new(setting: Setting<'a>, seed: u32) -> Self {
        let Setting { problem, phrases, ground, weights, bytes } = setting;
        let units: Vec<usize> = problem.source(seed).collect();
        let found = Found {
            plans: Vec::new(),
            weights: (f64::NEG_INFINITY, weights),
            descent: if phrases.list().is_empty() { 0.0 } else { weights.descent },
            pace: None,
            relay: None,
            best: None,
        };
        Game {
            problem,
            seed,
            phrases,
            ground,
            most_states: ground.states_within(bytes, units.len()),
            units,
            bytes,
            found: Mutex::new(found),
        }
    }

    /// How much there is to do, seen from other games.
    pub(super) fn weight(&self) -> f64 {
        let cells = self.problem.width() * self.problem.height();
        (self.units.len() as f64 * cells as f64).sqrt()
    }

    fn found(&self) -> MutexGuard<'_, Found> {
        self.found.lock().expect("nobody panics while holding it")
    }

    /// The best commands so far and what they are worth; none that are worth nothing.
    pub(super) fn best(&self) -> (String, Verdict) {
        let none = || (String::new(), self.referee().judge(self.seed, ""));
        self.found().best.clone().unwrap_or_else(none)
    }

    /// The score so far.
    pub(super) fn score(&self) -> u64 {
        self.found().best.as_ref().map_or(0, |(_, verdict)| verdict.score)
    }

    fn referee(&self) -> Referee<'a> {
        Referee::new(self.problem, self.phrases)
    }

    /// Keeps commands if the referee finds them better than what there was. Returns their score.
    fn offer(&self, commands: String) -> u64 {
        let verdict = self.referee().judge(self.seed, &commands);
        let worth = verdict.score;
        let mut found = self.found();
        let score = found.best.as_ref().map(|(_, verdict)| verdict.score);
        if !verdict.status.is_error() && score.is_none_or(|score| worth > score) {
            found.best = Some((commands, verdict));
        }
        worth
    }

    /// A complete answer soon, and what is to be known of spelling.
    pub(super) fn begin(&self, until: Option<Deadline<'_>>) {
        let weights = self.found().weights.1;
        let plan = self.try_weights(weights, QUICK, until);
        let stop = || until.is_some_and(|until| until.has_passed());
        let all = &plan.placements;
        self.offer(write_plainly(self.problem, &self.units, all, 0, stop));
        if !self.phrases.list().is_empty() {
            self.probe(&plan, until);
        }
    }

    /// Spells the first units to see what that takes and what it gives.
    fn probe(&self, plan: &Plan, until: Option<Deadline<'_>>) {
        let placements = &plan.placements[..plan.placements.len().min(PROBE)];
        let now = || until.map_or(Duration::ZERO, |until| until.now());
        let began = now();
        let spelled = std::cell::Cell::new(0_u32);
        let stop = || {
            let late = until.is_some_and(|until| until.has_passed());
            spelled.set(spelled.get() + u32::from(!late));
            late
        };
        let result = self.spell(self.problem, self.seed, placements, CHEAP.0, &stop);
        let pace = (now() - began).as_secs_f64() / f64::from(spelled.get().max(1));
        let mut found = self.found();
        found.pace = Some(pace);
        let Some(spelled) = result else { return };
        let used = self.phrases.count(&spelled.commands).iter().filter(|&&count| count > 0).count();
        let power = spelled.power.saturating_sub(NEW_PHRASE * used as u64);
        let descents = self.descents(placements).max(1);
        found.descent = (power as f32 / descents as f32).clamp(1.0, 6.0);
    }

    fn descents(&self, placements: &[Placement]) -> u64 {
        let units = self.units.iter().map(|&unit| &self.problem.units()[unit]);
        units.zip(placements).map(|(unit, at)| (at.y - unit.spawn().y).max(0) as u64).sum()
    }

    /// A beam; what it finds is kept.
    fn try_weights(&self, weights: Weights, states: usize, until: Option<Deadline<'_>>) -> Plan {
        let descent = self.found().descent;
        let weights = Weights { descent, ..weights };
        let breadth = Breadth { states: states.min(self.most_states), until };
        let plan = self.ground.search(&weights, &self.units, breadth);
        let promise = plan.promise(descent);
        let mut found = self.found();
        if promise > found.weights.0 {
            found.weights = (promise, weights);
        }
        if !found.plans.iter().any(|(_, known)| *known == plan) {
            let place = found.plans.partition_point(|(other, _)| *other >= promise);
            found.plans.insert(place, (promise, plan.clone()));
            found.plans.truncate(MOST_PLANS);
        }
        plan
    }

    /// The weights of the `round`th beam: those known to be good at something, then neighbours
    /// of the best.
    fn weights(&self, round: usize, seed: u64) -> Weights {
        if let Some(style) = STYLES.get(round) {
            return *style;
        }
        let coordinates = [self.problem.id().into(), self.seed.into(), round as u64];
        let mut rng = Rng::new(derive_seed(seed, &coordinates));
        self.found().weights.1.near(&mut rng)
    }

    /// So many beams of one width, and the best plan spelled: repeatable.
    pub(super) fn improve_by_rounds(&self, rounds: usize, states: usize, seed: u64) {
        for round in 0..rounds {
            let _ = self.try_weights(self.weights(round, seed), states, None);
        }
        if let Some(plan) = self.next_plan() {
            let all = 0..plan.placements.len();
            let text = self.spell_stretch(&plan, all, WIDTHS[0].0, &|| false);
            self.offer(text.unwrap_or_default());
        }
    }

    /// Beams and spelling until the time is over. Of so many threads on the same game this is
    /// the one of the given lane.
    pub(super) fn improve_until(&self, until: Deadline<'_>, lane: usize, lanes: usize, seed: u64) {
        let seed = derive_seed(seed, &[lane as u64]);
        let (mut round, enough) = (lane, until.left().mul_f64(0.05));
        while until.left() > enough {
            self.search_until(self.time_to_search(until, lanes), &mut round, seed);
            let left = CAREFUL * until.left().as_secs_f64();
            if lanes > 1 && self.takes(CHEAP.1, self.units.len()) > left {
                return self.spell_in_parts(until, lanes);
            }
            self.spell_until(until);
        }
    }

    /// Spells the plans that wait: all of them cheaply, and thoroughly those that are better
    /// than the ones before.
    fn spell_until(&self, until: Deadline<'_>) {
        let mut best = None;
        while let Some(plan) = self.next_plan() {
            if until.has_passed() {
                return;
            }
            let all = plan.placements.len();
            let text = self.spell_units(&plan, 0..all, until, &WIDTHS[2..]);
            let score = self.offer(text.unwrap_or_default());
            if best.is_none_or(|best| score > best) {
                best = Some(score);
                let text = self.spell_units(&plan, 0..all, until, &WIDTHS[..2]);
                self.offer(text.unwrap_or_default());
            }
        }
    }

    /// Seconds that spelling so many units at this cost seems to take.
    fn takes(&self, cost: f64, units: usize) -> f64 {
        cost * self.found().pace.unwrap_or(0.0) * units as f64
    }

    /// The best plan, each thread a part of it; who comes last puts the parts together. A part
    /// that was not spelled in time is written plainly.
    fn spell_in_parts(&self, until: Deadline<'_>, lanes: usize) {
        loop {
            let (plan, part, units) = {
                let mut found = self.found();
                if found.relay.is_none() && !found.plans.is_empty() {
                    let plan = Arc::new(found.plans.remove(0).1);
                    let bound = |i| i * plan.placements.len() / lanes;
                    let bounds = (0..=lanes).map(bound).collect();
                    let texts = vec![None; lanes];
                    found.relay = Some(Relay { plan, bounds, next: 0, texts });
                }
                let Some(relay) = found.relay.as_mut().filter(|relay| relay.next < lanes) else {
                    return;
                };
                let part = relay.next;
                relay.next += 1;
                (Arc::clone(&relay.plan), part, relay.bounds[part]..relay.bounds[part + 1])
            };
            let text = self.spell_units(&plan, units.clone(), until, &WIDTHS[1..]);
            let plainly = || {
                let placements = &plan.placements[..units.end];
                let never = || false;
                write_plainly(self.problem, &self.units, placements, units.start, never)
            };
            let text = text.unwrap_or_else(plainly);
            let mut found = self.found();
            let Some(relay) = found.relay.as_mut() else { return };
            relay.texts[part] = Some(text);
            if let Some(texts) = relay.texts.iter().cloned().collect::<Option<Vec<_>>>() {
                drop(found);
                self.offer(texts.concat());
            }
        }
    }

    /// Leaves as much time as spelling takes: once cheaply before all, and once thoroughly unless
    /// that is more than half of the time.
    fn time_to_search<'d>(&self, until: Deadline<'d>, lanes: usize) -> Deadline<'d> {
        let left = until.left().as_secs_f64();
        let once = self.takes(1.0, self.units.len()) / CAREFUL;
        let cheaply = (1.1 * once * CHEAP.1 / lanes as f64).min(0.85 * left);
        let both = (once * (CHEAP.1 + WIDTHS[0].1)).clamp(0.1 * left, 0.5 * left);
        until.before(Duration::from_secs_f64(cheaply.max(both)))
    }

    /// Short beams of different weights over half of the time, then one as wide as the rest
    /// allows with the best of them.
    fn search_until(&self, until: Deadline<'_>, round: &mut usize, seed: u64) {
        let halfway = until.part(0.5);
        let each = halfway.left().mul_f64(1.0 / 12.0);
        while !halfway.has_passed() {
            let short = Some(halfway.within(each));
            let _ = self.try_weights(self.weights(*round, seed), usize::MAX, short);
            *round += 1;
        }
        let weights = self.found().weights.1;
        let _ = self.try_weights(weights, usize::MAX, Some(until));
    }

    /// Takes the best plan that nobody has spelled.
    fn next_plan(&self) -> Option<Plan> {
        let mut found = self.found();
        (!found.plans.is_empty()).then(|| found.plans.remove(0).1)
    }

    /// Spells some units of a plan with the first of `widths` for which there is time. If it is
    /// too short even for the least, in haste.
    fn spell_units(
        &self,
        plan: &Plan,
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
    fn spell_in_haste(&self, plan: &Plan, units: Range<usize>, until: Deadline<'_>) -> String {
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
        text + &write_plainly(self.problem, &self.units, placements, next, || false)
    }

    /// Spells some units of a plan: from the second on as a problem of its own, whose board is
    /// what the units before leave and whose source goes on where theirs ends.
    fn spell_stretch(
        &self,
        plan: &Plan,
        units: Range<usize>,
        width: usize,
        stop: &dyn Fn() -> bool,
    ) -> Option<String> {
        let placements = &plan.placements[units.clone()];
        if units.start == 0 {
            let spelled = self.spell(self.problem, self.seed, placements, width, stop);
            return spelled.map(|spelled| spelled.commands);
        }
        let (mut board, mut source) = (self.problem.board().clone(), Source::new(self.seed));
        for &at in &plan.placements[..units.start] {
            let unit = source.unit(self.problem.units().len());
            self.problem.units()[unit].lock(&mut board, at);
        }
        let rest = self.problem.with_board(&board, units.len());
        let spelled = self.spell(&rest, source.seed(), placements, width, stop);
        spelled.map(|spelled| spelled.commands)
    }

    fn spell(
        &self,
        problem: &Problem,
        seed: u32,
        placements: &[Placement],
        width: usize,
        stop: &dyn Fn() -> bool,
    ) -> Option<Spelled> {
        let options = SpellOptions { width, memory: self.bytes, ..SpellOptions::default() };
        spell(problem, self.phrases, seed, placements, &options, stop)
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::problems;
    use super::super::styles::STYLES;
    use super::*;

    #[test]
    fn parts_spelled_apart_are_one_valid_game() {
        let problem = problems::find("tetrahexes").expect("one of ours").problem();
        let (phrases, ground) = (Phrases::known(), AnyGround::new(&problem));
        let setting = Setting {
            problem: &problem,
            phrases: &phrases,
            ground: &ground,
            weights: STYLES[0],
            bytes: 1 << 24,
        };
        let game = Game::new(setting, problem.seeds()[1]);
        let plan = game.try_weights(STYLES[0], 3, None);
        let never = || false;
        let parts = [0..33, 33..34, 34..60];
        let mut text: String = parts
            .into_iter()
            .map(|units| game.spell_stretch(&plan, units, 4, &never).expect("a plan of ours"))
            .collect();
        text += &write_plainly(&problem, &game.units, &plan.placements, 60, never);
        let verdict = game.referee().judge(game.seed, &text);
        assert!(!verdict.status.is_error(), "{:?}", verdict.error);
        assert_eq!((verdict.move_score, verdict.locked), (plan.points, plan.placements.len()));
        assert!(verdict.power_score > 1000, "{}", verdict.power_score);
    }
}
