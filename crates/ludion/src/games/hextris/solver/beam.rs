//! A beam over lock placements: all states that some placements of the units so far lead to are
//! judged by points, rows come down and the worth of the board, and the best of them, each board
//! once, are gone on from. The spelling of the paths comes after; here a row come down stands
//! for what it will earn.

use std::collections::HashSet;

use super::super::board::lock_points;
use super::super::unit::Placement;
use super::clock::Deadline;
use super::evaluation::{BoardEvaluation, BoardWeights, SCALE};
use super::lock_evaluator::{LockEvaluator, bonus_hash, place};
use super::prepared::PreparedProblem;
use super::reach::ReachFlood;
use super::row_word::RowWord;

/// How wide a beam may be.
#[derive(Clone, Copy, Debug)]
pub struct BeamWidth<'a> {
    /// The most states that are gone on from at once.
    pub states: usize,
    /// When it should have come to the end of the game: it is as wide as the time allows, and
    /// goes on from one state after it.
    pub until: Option<Deadline<'a>>,
    /// When it is broken off.
    pub stop: Option<Deadline<'a>>,
}

impl BeamWidth<'_> {
    /// So many states, however long it takes.
    #[must_use]
    pub fn of(states: usize) -> Self {
        BeamWidth { states, until: None, stop: None }
    }
}

/// A game as its locks.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LockPlan {
    /// Where each unit locks.
    pub placements: Vec<Placement>,
    /// The move score.
    pub points: u64,
    /// How many rows the units come down.
    pub descents: u64,
    /// Whether the game is over then: no more units come, or the next one does not fit.
    pub is_complete: bool,
}

impl LockPlan {
    /// What it will come to if a row come down earns `descent` points.
    #[must_use]
    pub fn promise(&self, descent: f32) -> f64 {
        self.points as f64 + self.descents as f64 * f64::from(descent)
    }
}

/// The states that are gone on from, a column a property.
#[derive(Default)]
struct BeamLevel<B> {
    rows: Vec<B>,
    /// What each row is worth.
    worths: Vec<i32>,
    states: Vec<BeamState>,
}

#[derive(Clone, Copy, Default)]
pub(super) struct BeamState {
    /// The sum of the worths.
    pub(super) worth: i64,
    /// What the whole board gains or costs beyond the sum over its rows.
    pub(super) outline: i64,
    pub(super) hash: u64,
    pub(super) points: u64,
    pub(super) descents: u64,
    pub(super) cleared: u64,
    pub(super) lines_before: u32,
    /// The last lock, as a place in the history.
    pub(super) last: u32,
}

/// A lock that was gone on from.
#[derive(Clone, Copy)]
struct LockLink {
    before: u32,
    lock: LockChoice,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct LockChoice {
    pub(super) row: i16,
    pub(super) corner: u8,
    pub(super) turn: u8,
}

/// A state that may be gone on from.
#[derive(Clone, Copy)]
struct BeamChild {
    value: i64,
    hash: u64,
    /// Known once it was looked at more closely.
    outline: i64,
    parent: u32,
    lock: LockChoice,
}

/// No link: before the first lock.
const NONE: u32 = u32::MAX;

/// One pass of a beam over one game.
pub struct BeamSearch<'a, B> {
    ground: &'a PreparedProblem<B>,
    evaluation: BoardEvaluation<B>,
    units: &'a [usize],
    reach: ReachFlood<B>,
    level: BeamLevel<B>,
    next: BeamLevel<B>,
    history: Vec<LockLink>,
    children: Vec<BeamChild>,
    /// Rows after a lock that clears some.
    scratch: Vec<B>,
    seen: HashSet<u64>,
    /// The best game, what it is worth and whether it is over.
    best: Option<(i64, BeamState, bool)>,
    expanded: u64,
}

impl<'a, B: RowWord> BeamSearch<'a, B> {
    /// The beam for the game in which `units` come.
    #[must_use]
    pub fn new(ground: &'a PreparedProblem<B>, weights: &BoardWeights, units: &'a [usize]) -> Self {
        BeamSearch {
            evaluation: BoardEvaluation::new(weights, ground.width, ground.height),
            ground,
            units,
            reach: ReachFlood::default(),
            level: BeamLevel::default(),
            next: BeamLevel::default(),
            history: Vec::new(),
            children: Vec::new(),
            scratch: Vec::new(),
            seen: HashSet::new(),
            best: None,
            expanded: 0,
        }
    }

    /// How many states were gone on from.
    #[must_use]
    pub fn expanded(&self) -> u64 {
        self.expanded
    }

    /// The best game it finds.
    pub fn run(&mut self, breadth: BeamWidth<'_>) -> LockPlan {
        self.begin();
        let began = breadth.until.map_or(0.0, |until| until.now().as_secs_f64());
        let mut is_complete = true;
        for number in 0..self.units.len() {
            if self.level.states.is_empty() {
                break;
            }
            if breadth.stop.is_some_and(|stop| stop.has_passed()) {
                is_complete = false;
                break;
            }
            let width = self.width(breadth, number, began);
            self.expand(number, width);
            self.select(number, width);
        }
        for i in 0..self.level.states.len() {
            self.finish(self.level.states[i], is_complete);
        }
        self.plan()
    }

    fn begin(&mut self) {
        let ground = self.ground;
        self.history.clear();
        self.best = None;
        self.expanded = 0;
        let outline = self.outline(&ground.rows);
        let mut state = BeamState { last: NONE, outline, ..BeamState::default() };
        self.level.rows.clone_from(&ground.rows);
        self.level.worths.clear();
        for y in 0..ground.height {
            let above = if y == 0 { B::default() } else { ground.rows[y - 1] };
            let worth = self.evaluation.row(y, above, ground.rows[y]);
            self.level.worths.push(worth);
            state.worth += i64::from(worth);
            state.hash = state.hash.wrapping_add(ground.rows[y].mix(y as u64));
        }
        self.level.states = vec![state];
        if !self.spawns(&ground.rows, 0) {
            self.finish(state, true);
            self.level.states.clear();
        }
    }

    /// How many states to keep at unit `number`: so many that the rest of the game is done in time.
    fn width(&self, breadth: BeamWidth<'_>, number: usize, began: f64) -> usize {
        let Some(until) = breadth.until else { return breadth.states };
        if self.expanded < 32 {
            return breadth.states.min(8);
        }
        let each = (until.now().as_secs_f64() - began) / self.expanded as f64;
        let allowed = until.left().as_secs_f64() / each / (self.units.len() - number) as f64;
        (allowed as usize).clamp(1, breadth.states)
    }

    /// Whether unit `number` can come, or none comes any more.
    fn spawns(&self, rows: &[B], number: usize) -> bool {
        let Some(&unit) = self.units.get(number) else { return true };
        let mover = &self.ground.movers[unit];
        let shape = mover.shape(0, mover.first);
        mover.layers > 0
            && !shape.rows.is_empty()
            && rows
                .iter()
                .zip(&shape.rows)
                .all(|(&row, &mask)| (row & mask << mover.spawn).is_empty())
    }

    /// A game that ends with `state`.
    fn finish(&mut self, state: BeamState, is_complete: bool) {
        let value = state.points as i64 * SCALE + state.descents as i64 * self.evaluation.descent;
        if self.best.is_none_or(|(best, ..)| value > best) {
            self.best = Some((value, state, is_complete));
        }
    }

    /// Makes the children of all states.
    fn expand(&mut self, number: usize, width: usize) {
        let ground = self.ground;
        let mover = &ground.movers[self.units[number]];
        let outlook = self.evaluation.outlook(self.units.len() - number - 1);
        let most = (8 * width).max(1 << 12);
        self.children.clear();
        let mut floor = i64::MIN;
        for parent in 0..self.level.states.len() {
            let h = ground.height;
            let rows = &self.level.rows[parent * h..][..h];
            if !self.reach.flood(mover, rows) {
                continue;
            }
            self.expanded += 1;
            let mut judge = LockEvaluator {
                ground,
                evaluation: &self.evaluation,
                mover,
                outlook,
                rows,
                worths: &self.level.worths[parent * h..][..h],
                state: &self.level.states[parent],
                scratch: &mut self.scratch,
            };
            let children = &mut self.children;
            self.reach.each_lock(mover, |turn, row, corner| {
                let (value, hash) = judge.value(turn, row, corner);
                if value > floor {
                    let lock =
                        LockChoice { row: row as i16, corner: corner as u8, turn: turn as u8 };
                    children.push(BeamChild {
                        value,
                        hash,
                        outline: 0,
                        parent: parent as u32,
                        lock,
                    });
                }
            });
            if children.len() >= most {
                floor = keep_best(children, 3 * width);
            }
        }
    }

    /// Makes the best children the next level, each board once.
    fn select(&mut self, number: usize, width: usize) {
        if self.children.len() > 3 * width {
            keep_best(&mut self.children, 3 * width);
        }
        let mut children = std::mem::take(&mut self.children);
        self.look_closer(&mut children, number);
        self.next.rows.clear();
        self.next.worths.clear();
        self.next.states.clear();
        for child in &children {
            if self.next.states.len() >= width {
                break;
            }
            self.adopt(child, number);
        }
        self.children = children;
        std::mem::swap(&mut self.level, &mut self.next);
    }

    /// What the whole board gains or costs beyond the sum over its rows.
    fn outline(&mut self, rows: &[B]) -> i64 {
        let mut outline = -self.evaluation.burial(rows);
        if self.evaluation.room != 0 {
            let fits = self.reach.flood(&self.ground.movers[self.ground.largest], rows);
            outline += if fits { i64::from(self.reach.room()) * self.evaluation.room } else { 0 };
        }
        outline
    }

    /// Takes into the value of the children, each board once, what is dear to find out, and puts
    /// the best first.
    fn look_closer(&mut self, children: &mut Vec<BeamChild>, number: usize) {
        let ground = self.ground;
        let mover = &ground.movers[self.units[number]];
        let outlook = self.evaluation.outlook(self.units.len() - number - 1);
        children.sort_unstable_by(|a, b| order(b, a));
        self.seen.clear();
        children.retain(|child| self.seen.insert(child.hash));
        for child in children.iter_mut() {
            let (h, parent) = (ground.height, child.parent as usize);
            self.scratch.clear();
            self.scratch.extend_from_slice(&self.level.rows[parent * h..][..h]);
            place(&mut self.scratch, mover, child.lock, ground.full);
            let rows = std::mem::take(&mut self.scratch);
            child.outline = self.outline(&rows);
            self.scratch = rows;
            child.value += (child.outline - self.level.states[parent].outline) * outlook / 256;
        }
        children.sort_unstable_by(|a, b| order(b, a));
    }

    fn adopt(&mut self, child: &BeamChild, number: usize) {
        let ground = self.ground;
        let (h, parent) = (ground.height, child.parent as usize);
        let mover = &ground.movers[self.units[number]];
        let before = self.level.states[parent];
        let first = self.next.rows.len();
        self.next.rows.extend_from_slice(&self.level.rows[parent * h..][..h]);
        let rows = &mut self.next.rows[first..];
        let lines = place(rows, mover, child.lock, ground.full);
        let mut state = BeamState {
            worth: 0,
            outline: child.outline,
            hash: 0,
            points: before.points + lock_points(mover.size, lines, before.lines_before),
            descents: before.descents + (i32::from(child.lock.row) - mover.first) as u64,
            cleared: before.cleared + u64::from(lines),
            lines_before: lines,
            last: self.history.len() as u32,
        };
        for y in 0..h {
            let above = if y == 0 { B::default() } else { rows[y - 1] };
            let worth = self.evaluation.row(y, above, rows[y]);
            self.next.worths.push(worth);
            state.worth += i64::from(worth);
            state.hash = state.hash.wrapping_add(rows[y].mix(y as u64));
        }
        debug_assert_eq!(
            bonus_hash(state.hash, lines),
            child.hash,
            "the rows touched say what all rows say"
        );
        self.history.push(LockLink { before: before.last, lock: child.lock });
        let rows = &self.next.rows[first..];
        if self.spawns(rows, number + 1) {
            self.next.states.push(state);
        } else {
            self.finish(state, true);
            self.next.rows.truncate(first);
            self.next.worths.truncate(first);
        }
    }

    fn plan(&self) -> LockPlan {
        let Some((_, state, is_complete)) = self.best else { return LockPlan::default() };
        let mut placements = Vec::new();
        let mut last = state.last;
        while last != NONE {
            let LockLink { before, lock } = self.history[last as usize];
            placements.push(lock);
            last = before;
        }
        placements.reverse();
        let placement = |(lock, &unit): (LockChoice, &usize)| {
            let mover = &self.ground.movers[unit];
            mover.placement(lock.turn.into(), lock.row.into(), lock.corner.into())
        };
        LockPlan {
            placements: placements.into_iter().zip(self.units).map(placement).collect(),
            points: state.points,
            descents: state.descents,
            is_complete,
        }
    }
}

/// Best last; a total order, so that nothing depends on how they were sorted.
fn order(a: &BeamChild, b: &BeamChild) -> std::cmp::Ordering {
    let key = |child: &BeamChild| (child.value, std::cmp::Reverse((child.parent, child.lock)));
    key(a).cmp(&key(b))
}

/// Keeps the `count` best of more children and returns the value of the least of them.
fn keep_best(children: &mut Vec<BeamChild>, count: usize) -> i64 {
    let (_, least, _) = children.select_nth_unstable_by(count - 1, |a, b| order(b, a));
    let least = least.value;
    children.truncate(count);
    least
}
