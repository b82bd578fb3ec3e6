//! One game on its way to a better and better solution: plans of where units lock, found by
//! beams of different weights, then spelled. Several threads may work on one game; what they
//! find they share.

mod spelling;
mod variation;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

use super::super::phrases::{NEW_PHRASE, Phrases};
use super::super::problem::Problem;
use super::super::referee::{HextrisReferee, SolutionStatus};
use super::super::unit::Placement;
use super::baseline::{self, BaselineWeights};
use super::beam::{BeamWidth, LockPlan};
use super::clock::Deadline;
use super::evaluation::BoardWeights;
use super::prepared::AnyPreparedProblem;
use super::spell::Speller;
use super::styles::STYLES;
use super::{SolveObserver, SolvedGame};
use crate::random::{Rng, derive_seed};
use spelling::SplitSpelling;
use variation::SpelledPlan;

/// How wide spelling can be, with what it costs, that of [`CHEAP`] being 1.
const WIDTHS: [(usize, f64); 4] = [(80, 3.3), (24, 2.0), CHEAP, (4, 0.7)];
/// Wide enough for nearly all of the power.
const CHEAP: (usize, f64) = (8, 1.0);
/// No more than this part of the time that is left is counted on: no unit is like another.
const CAREFUL: f64 = 0.7;

/// From so many units the pace and the yield of spelling are judged.
const PROBE: usize = 20;
/// Plans that wait to be spelled.
const MAX_PLANS: usize = 8;
/// States of the first, quick beam.
const QUICK: usize = 4;
/// States of the beams that look for good weights.
const NARROW: usize = 30;
/// The part of the time for beams over whole games, where variations of the best come after.
const SEARCHED: f64 = 0.5;
/// The part of the first time for the course's solver, which has an answer before any beam.
const FIRST: f64 = 0.12;
/// Weights of which wider beams are tried.
const CHOSEN: usize = 5;

/// A game of a problem and what was found of it.
pub(super) struct GameSearch<'a> {
    number: usize,
    pub(super) problem: &'a Problem,
    pub(super) seed: u32,
    phrases: &'a Phrases,
    speller: &'a Speller<'a>,
    ground: &'a AnyPreparedProblem,
    total: &'a AtomicU64,
    observer: &'a dyn SolveObserver,
    most_states: usize,
    bytes: usize,
    found: Mutex<BestFound>,
}

#[derive(Debug)]
struct BestFound {
    /// Best first, with what each promises.
    plans: Vec<(f64, LockPlan)>,
    /// The weights that gave the best plans, best first, and what those promised.
    weights: Vec<(f64, BoardWeights)>,
    /// How many units the best plan locks.
    length: usize,
    /// What a row come down seems to earn.
    descent: f32,
    /// Seconds that cheap spelling seems to take for a unit.
    pace: Option<f64>,
    relay: Option<SplitSpelling>,
    /// The best game that was spelled cheaply, to be varied.
    favourite: Option<SpelledPlan>,
    best: Option<SolvedGame>,
}

/// What the games of a problem have in common.
#[derive(Clone, Copy)]
pub(super) struct SearchSetup<'a> {
    /// Which of the problems.
    pub(super) number: usize,
    pub(super) problem: &'a Problem,
    pub(super) phrases: &'a Phrases,
    pub(super) speller: &'a Speller<'a>,
    pub(super) ground: &'a AnyPreparedProblem,
    pub(super) weights: BoardWeights,
    /// For the work of one thread.
    pub(super) bytes: usize,
    /// The scores of all games together.
    pub(super) total: &'a AtomicU64,
    pub(super) observer: &'a dyn SolveObserver,
}

impl<'a> GameSearch<'a> {
    pub(super) fn new(setting: SearchSetup<'a>, seed: u32) -> Self {
        let SearchSetup {
            number,
            problem,
            phrases,
            speller,
            ground,
            weights,
            bytes,
            total,
            observer,
        } = setting;
        let found = BestFound {
            plans: Vec::new(),
            weights: vec![(f64::NEG_INFINITY, weights)],
            descent: if phrases.list().is_empty() { 0.0 } else { weights.descent },
            length: 0,
            pace: None,
            relay: None,
            favourite: None,
            best: None,
        };
        GameSearch {
            number,
            problem,
            seed,
            phrases,
            speller,
            ground,
            total,
            observer,
            most_states: ground.states_within(bytes, problem.source_length()),
            bytes,
            found: Mutex::new(found),
        }
    }

    /// How much there is to do, seen from other games.
    pub(super) fn weight(&self) -> f64 {
        let cells = self.problem.width() * self.problem.height();
        (self.problem.source_length() as f64 * cells as f64).sqrt()
    }

    /// The units that come; not kept, for there may be many games of many units.
    fn units(&self) -> Vec<usize> {
        self.problem.source(self.seed).collect()
    }

    fn found(&self) -> MutexGuard<'_, BestFound> {
        self.found.lock().expect("nobody panics while holding it")
    }

    /// The best commands so far and what they are worth; none that are worth nothing.
    pub(super) fn best(&self) -> SolvedGame {
        let best = self.found().best.clone();
        best.unwrap_or_else(|| self.judged(String::new()))
    }

    fn judged(&self, commands: String) -> SolvedGame {
        let verdict = self.referee().judge(self.seed, &commands);
        SolvedGame { problem: self.number, seed: self.seed, commands, verdict }
    }

    fn referee(&self) -> HextrisReferee<'a> {
        HextrisReferee::new(self.problem, self.phrases)
    }

    /// Keeps commands if the referee finds them better than what there was. Returns their score.
    fn offer(&self, commands: String) -> u64 {
        let solved = self.judged(commands);
        let worth = solved.verdict.score;
        let mut found = self.found();
        let score = found.best.as_ref().map(|best| best.verdict.score);
        if !solved.verdict.status.is_error() && score.is_none_or(|score| worth > score) {
            self.total.fetch_add(worth - score.unwrap_or(0), Ordering::Relaxed);
            self.observer.better(&solved);
            found.best = Some(solved);
        }
        worth
    }

    /// A complete answer soon, that of the course's solver, then one of our own; and what is to be
    /// known of spelling.
    pub(super) fn begin(&self, until: Option<Deadline<'_>>) {
        self.go_on(until.map(|until| until.part(FIRST)));
        let soon = until.map(|until| until.part(0.6));
        let plan = self.try_weights(self.chosen(0), QUICK, soon, until);
        let late = || until.is_some_and(|until| until.has_passed());
        self.offer(self.write_plainly(&plan.placements, 0, late));
        if !self.phrases.list().is_empty() && !late() {
            self.probe(&plan, until);
        }
    }

    /// Goes on as the course's solver does where the best game so far breaks off.
    pub(super) fn go_on(&self, until: Option<Deadline<'_>>) {
        let SolvedGame { commands: begun, verdict, .. } = self.best();
        if verdict.status != SolutionStatus::InProgress {
            return;
        }
        let late = || until.is_some_and(|until| until.has_passed());
        let weights = BaselineWeights::default();
        let game = (self.problem, self.phrases, self.seed);
        self.offer(baseline::go_on(game, &begun, &weights, &late));
    }

    /// Spells the first units to see what that takes and what it gives.
    fn probe(&self, plan: &LockPlan, until: Option<Deadline<'_>>) {
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
        let descent = (power as f32 / descents as f32).clamp(1.0, 6.0);
        found.descent = descent;
        for (promise, plan) in &mut found.plans {
            *promise = plan.promise(descent);
        }
        let weights = BoardWeights { descent, ..found.weights[0].1 };
        found.weights = vec![(plan.promise(descent), weights)];
    }

    fn descents(&self, placements: &[Placement]) -> u64 {
        let units = self.problem.source(self.seed).map(|unit| &self.problem.units()[unit]);
        units.zip(placements).map(|(unit, at)| (at.y - unit.spawn().y).max(0) as u64).sum()
    }

    /// A beam that should end at one time and is broken off at another; what it finds is kept,
    /// of a game that was broken off only where there is nothing else.
    fn try_weights(
        &self,
        weights: BoardWeights,
        states: usize,
        until: Option<Deadline<'_>>,
        stop: Option<Deadline<'_>>,
    ) -> LockPlan {
        let descent = self.found().descent;
        let weights = BoardWeights { descent, ..weights };
        let breadth = BeamWidth { states: states.min(self.most_states), until, stop };
        let plan = self.ground.search(&weights, &self.units(), breadth);
        let promise = plan.promise(descent);
        let mut found = self.found();
        if !plan.is_complete && found.length > 0 {
            return plan;
        }
        if promise > found.weights[0].0 {
            found.length = plan.placements.len();
        }
        // Weights that come to the same are most likely those of the same plan.
        if found.weights.iter().all(|(other, _)| *other != promise) {
            let place = found.weights.partition_point(|(other, _)| *other > promise);
            found.weights.insert(place, (promise, weights));
            found.weights.truncate(CHOSEN);
        }
        if !found.plans.iter().any(|(_, known)| *known == plan) {
            let place = found.plans.partition_point(|(other, _)| *other >= promise);
            found.plans.insert(place, (promise, plan.clone()));
            found.plans.truncate(MAX_PLANS);
        }
        plan
    }

    /// The best weights but for so many; the best of all where there are not as many.
    fn chosen(&self, number: usize) -> BoardWeights {
        let found = self.found();
        found.weights.get(number).unwrap_or(&found.weights[0]).1
    }

    /// The weights of the `round`th beam: those known to be good at something, then neighbours
    /// of these and, more often, of the best.
    fn weights(&self, round: usize, seed: u64) -> BoardWeights {
        if let Some(style) = STYLES.get(round) {
            return *style;
        }
        let coordinates = [self.problem.id().into(), self.seed.into(), round as u64];
        let mut rng = Rng::new(derive_seed(seed, &coordinates));
        if rng.unit() < 0.2 {
            return STYLES[rng.below(STYLES.len())].near(&mut rng);
        }
        let number = (CHOSEN as f64 * rng.unit() * rng.unit()) as usize;
        self.chosen(number).near(&mut rng)
    }

    /// So many beams of one width, and the best plan spelled: repeatable.
    pub(super) fn improve_by_rounds(&self, rounds: usize, states: usize, seed: u64) {
        for round in 0..rounds {
            let _ = self.try_weights(self.weights(round, seed), states, None, None);
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
        // Where no beam came to the end of the game, an answer that does comes before better ones.
        let is_complete = self.found().plans.iter().any(|(_, plan)| plan.is_complete);
        if lane == 0 && !is_complete {
            self.go_on(Some(until));
        }
        let (whole, quick) = (until, self.is_quick(until));
        let until = if quick { whole.part(SEARCHED) } else { whole };
        let (mut round, enough) = (lane, until.left().mul_f64(0.05));
        while until.left() > enough {
            let search = self.time_to_search(until, lanes);
            self.climb_until(search.part(0.4), until, &mut round, seed);
            self.search_until(self.time_to_search(until, lanes), until, lane, lanes);
            let left = CAREFUL * until.left().as_secs_f64();
            let length = self.found().length;
            if lanes > 1 && self.takes(CHEAP.1, length) > left {
                self.spell_in_parts(until, lanes);
            } else {
                self.spell_until(until);
            }
        }
        if quick {
            self.vary_until(whole, seed);
        }
    }

    /// Leaves as much time as spelling takes: once cheaply before all, and once thoroughly unless
    /// that is more than half of the time.
    fn time_to_search<'d>(&self, until: Deadline<'d>, lanes: usize) -> Deadline<'d> {
        let left = until.left().as_secs_f64();
        let length = self.found().length;
        let once = self.takes(1.0, length) / CAREFUL;
        let cheaply = (1.1 * once * CHEAP.1 / lanes as f64).min(0.85 * left);
        let both = (once * (CHEAP.1 + WIDTHS[0].1)).clamp(0.1 * left, 0.5 * left);
        until.before(Duration::from_secs_f64(cheaply.max(both)))
    }

    /// Narrow beams of different weights: what they find good is mostly good for wide ones.
    fn climb_until(&self, until: Deadline<'_>, stop: Deadline<'_>, round: &mut usize, seed: u64) {
        let each = until.left().mul_f64(1.0 / 12.0);
        while !until.has_passed() {
            let short = Some(until.within(each));
            let _ = self.try_weights(self.weights(*round, seed), NARROW, short, Some(stop));
            *round += 1;
        }
    }

    /// Wider beams of the weights chosen, over half of the time, then with the best of them one
    /// as wide as the rest allows. Each lane has weights of its own.
    fn search_until(&self, until: Deadline<'_>, stop: Deadline<'_>, lane: usize, lanes: usize) {
        let halfway = until.part(0.5);
        for number in (lane..CHOSEN).step_by(lanes) {
            let share = lanes as f64 / (CHOSEN - number) as f64;
            let weights = self.chosen(number);
            let share = Some(halfway.part(share));
            let _ = self.try_weights(weights, usize::MAX, share, Some(stop));
        }
        let _ = self.try_weights(self.chosen(lane), usize::MAX, Some(until), Some(stop));
    }

    /// Takes the best plan that nobody has spelled.
    fn next_plan(&self) -> Option<LockPlan> {
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
    fn parts_spelled_apart_are_one_valid_game() {
        let problem = problems::find("tetrahexes").expect("one of ours").problem();
        let (phrases, ground) = (Phrases::known(), AnyPreparedProblem::new(&problem));
        let setting = SearchSetup {
            number: 0,
            problem: &problem,
            phrases: &phrases,
            speller: &Speller::new(&phrases),
            ground: &ground,
            weights: STYLES[0],
            bytes: 1 << 24,
            total: &AtomicU64::new(0),
            observer: &|_: SolveProgress| (),
        };
        let game = GameSearch::new(setting, problem.seeds()[1]);
        let plan = game.try_weights(STYLES[0], 3, None, None);
        let never = || false;
        let parts = [0..33, 33..34, 34..60];
        let mut text: String = parts
            .into_iter()
            .map(|units| game.spell_stretch(&plan, units, 4, &never).expect("a plan of ours"))
            .collect();
        text += &game.write_plainly(&plan.placements, 60, never);
        let verdict = game.referee().judge(game.seed, &text);
        assert!(!verdict.status.is_error(), "{:?}", verdict.error);
        assert_eq!((verdict.move_score, verdict.locked), (plan.points, plan.placements.len()));
        assert!(verdict.power_score > 1000, "{}", verdict.power_score);
    }
}
