//! One game on its way to a better and better solution: plans of where units lock, found by
//! beams of different weights, then spelled. Several threads may work on one game; what they
//! find they share.

use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

use super::super::phrases::{NEW_PHRASE, Phrases};
use super::super::problem::Problem;
use super::super::referee::{Referee, Verdict};
use super::super::unit::Placement;
use super::beam::{Breadth, Plan};
use super::clock::Deadline;
use super::evaluation::Weights;
use super::ground::AnyGround;
use super::spell::{SpellOptions, Spelled, spell};
use super::styles::STYLES;
use super::walk::{Spell, write_plainly};
use crate::random::{Rng, derive_seed};

/// How wide spelling can be, with what it costs, that of [`CHEAP`] being 1.
const WIDTHS: [(usize, f64); 4] = [(80, 3.3), (24, 2.0), CHEAP, (4, 0.7)];
/// Wide enough for nearly all of the power.
const CHEAP: (usize, f64) = (8, 1.0);
/// No more than this part of the time that is left is counted on: no unit is like another.
const CAREFUL: f64 = 0.7;

/// From so many units the pace and the yield of spelling are judged.
const PROBE: usize = 30;
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
    spells: &'a [Spell],
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
    best: Option<(String, Verdict)>,
}

/// What the games of a problem have in common.
#[derive(Clone, Copy, Debug)]
pub(super) struct Setting<'a> {
    pub(super) problem: &'a Problem,
    pub(super) phrases: &'a Phrases,
    pub(super) spells: &'a [Spell],
    pub(super) ground: &'a AnyGround,
    pub(super) weights: Weights,
    /// For the work of one thread.
    pub(super) bytes: usize,
}

impl<'a> Game<'a> {
    pub(super) fn new(setting: Setting<'a>, seed: u32) -> Self {
        let Setting { problem, phrases, spells, ground, weights, bytes } = setting;
        let units: Vec<usize> = problem.source(seed).collect();
        let found = Found {
            plans: Vec::new(),
            weights: (f64::NEG_INFINITY, weights),
            descent: if phrases.list().is_empty() { 0.0 } else { weights.descent },
            pace: None,
            best: None,
        };
        Game {
            problem,
            seed,
            phrases,
            spells,
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
        self.offer(write_plainly(self.problem, self.spells, &self.units, all, 0, stop));
        if !self.phrases.list().is_empty() {
            self.probe(&plan, until);
        }
    }

    /// Spells the first units to see what that takes and what it gives.
    fn probe(&self, plan: &Plan, until: Option<Deadline<'_>>) {
        let placements = &plan.placements[..plan.placements.len().min(PROBE)];
        let now = || until.map_or(Duration::ZERO, |until| until.now());
        let began = now();
        let stop = || until.is_some_and(|until| until.has_passed());
        let spelled = self.spell(placements, CHEAP.0, &stop);
        let pace = (now() - began).as_secs_f64() / placements.len().max(1) as f64;
        let mut found = self.found();
        found.pace = Some(pace);
        let Some(spelled) = spelled else { return };
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
            let _ = self.spell_plan(&plan, WIDTHS[0].0, &|| false);
        }
    }

    /// Beams and spelling until the time is over. Threads on the same game have different lanes.
    pub(super) fn improve_until(&self, until: Deadline<'_>, lane: usize, seed: u64) {
        self.search_until(self.time_to_search(until), lane, derive_seed(seed, &[lane as u64]));
        let mut best = None;
        while let Some(plan) = self.next_plan() {
            if until.has_passed() {
                return;
            }
            let score = self.spell_until(&plan, until, &WIDTHS[2..]);
            if best.is_none_or(|best| score > best) {
                best = Some(score);
                self.spell_until(&plan, until, &WIDTHS[..2]);
            }
        }
    }

    /// Leaves as much time as spelling once cheaply and once thoroughly takes, but not more than
    /// half of it.
    fn time_to_search<'d>(&self, until: Deadline<'d>) -> Deadline<'d> {
        let (pace, units) = (self.found().pace.unwrap_or(0.0), self.units.len() as f64);
        let spelling = pace * units * (CHEAP.1 + WIDTHS[0].1) / CAREFUL;
        let left = until.left();
        let spelling = Duration::from_secs_f64(spelling.min(1e6));
        until.before(spelling.max(left.mul_f64(0.1)).min(left.mul_f64(0.5)))
    }

    /// Short beams of different weights over half of the time, then one as wide as the rest
    /// allows with the best of them.
    fn search_until(&self, until: Deadline<'_>, lane: usize, seed: u64) {
        let halfway = until.part(0.5);
        let each = halfway.left().mul_f64(1.0 / 12.0);
        let mut round = lane;
        while !halfway.has_passed() {
            let short = Some(halfway.within(each));
            let _ = self.try_weights(self.weights(round, seed), usize::MAX, short);
            round += 1;
        }
        let weights = self.found().weights.1;
        let _ = self.try_weights(weights, usize::MAX, Some(until));
    }

    /// Takes the best plan that nobody has spelled.
    fn next_plan(&self) -> Option<Plan> {
        let mut found = self.found();
        (!found.plans.is_empty()).then(|| found.plans.remove(0).1)
    }

    /// Spells a plan with the first of `widths` for which there is time, and returns the score.
    /// If the time is too short for the last of all, the end of the game is written plainly.
    fn spell_until(&self, plan: &Plan, until: Deadline<'_>, widths: &[(usize, f64)]) -> u64 {
        let pace = self.found().pace.unwrap_or(0.0);
        let (left, units) = (CAREFUL * until.left().as_secs_f64(), plan.placements.len());
        let takes = |cost: f64| cost * pace * units as f64;
        let stop = || until.has_passed();
        if let Some(&(width, _)) = widths.iter().find(|(_, cost)| takes(*cost) <= left) {
            return self.spell_plan(plan, width, &stop);
        }
        let (width, cost) = WIDTHS[WIDTHS.len() - 1];
        if widths.last() != Some(&(width, cost)) {
            return 0;
        }
        let first = (units as f64 * left / takes(cost)) as usize;
        let placements = &plan.placements[..first.min(units)];
        let Some(mut spelled) = self.spell(placements, width, &stop) else { return 0 };
        let all = &plan.placements;
        spelled.commands +=
            &write_plainly(self.problem, self.spells, &self.units, all, first, stop);
        self.offer(spelled.commands)
    }

    fn spell_plan(&self, plan: &Plan, width: usize, stop: &dyn Fn() -> bool) -> u64 {
        let spelled = self.spell(&plan.placements, width, stop);
        spelled.map_or(0, |spelled| self.offer(spelled.commands))
    }

    fn spell(
        &self,
        placements: &[Placement],
        width: usize,
        stop: &dyn Fn() -> bool,
    ) -> Option<Spelled> {
        let options = SpellOptions { width, memory: self.bytes, ..SpellOptions::default() };
        spell(self.problem, self.phrases, self.seed, placements, &options, stop)
    }
}
