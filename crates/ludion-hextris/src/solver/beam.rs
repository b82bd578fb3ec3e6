//! Beam search over the placements at which units lock. All states after each unit are scored by
//! points, rows descended and the value of the board, and the best distinct ones are kept. The
//! commands on the way to the locks are chosen later; here each row that a unit descends counts as
//! the points for phrases that it is expected to earn.

use std::collections::HashSet;
use std::time::Duration;

use super::super::board::lock_points;
use super::super::unit::Placement;
use super::clock::Deadline;
use super::evaluation::{BoardEvaluation, BoardWeights, UNITS_PER_POINT};
use super::evaluation::{LockEvaluator, lock_unit, state_hash};
use super::placement_flood::PlacementFlood;
use super::prepared::PreparedProblem;
use super::row_word::RowWord;

/// Limits of a beam search.
#[derive(Clone, Copy, Debug)]
pub struct BeamLimits<'a> {
    /// Maximum number of states that the search keeps after each unit.
    pub states: usize,
    /// Deadline by which the search should have reached the end of the game: if time is short, it
    /// keeps fewer states, down to one.
    pub until: Option<Deadline<'a>>,
    /// Deadline at which the search is interrupted; the placement plan that it returns then lacks
    /// the last units of the game.
    pub stop: Option<Deadline<'a>>,
}

impl BeamLimits<'_> {
    /// Returns limits with a number of states and no deadlines.
    #[must_use]
    pub fn states(states: usize) -> Self {
        BeamLimits { states, until: None, stop: None }
    }
}

/// The result of a beam search: the placement at which each unit of a game locks, without the
/// commands that lead there.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PlacementPlan {
    /// Placement at which each unit locks, in the order of the game.
    pub placements: Vec<Placement>,
    /// Points of all locks, without points for phrases.
    pub points: u64,
    /// Total number of rows that the units descend.
    pub rows_descended: u64,
    /// Whether the game is over after these placements: no unit is left, or the next one does not
    /// fit.
    pub is_complete: bool,
}

impl PlacementPlan {
    /// Returns the estimated score: the points of the locks, and `descent` points for each row
    /// descended.
    #[must_use]
    pub fn estimated_score(&self, descent: f32) -> f64 {
        self.points as f64 + self.rows_descended as f64 * f64::from(descent)
    }
}

/// The states kept after one unit, as a structure of arrays.
#[derive(Default)]
struct BeamLevel<B> {
    rows: Vec<B>,
    /// Value of each row in `rows`.
    row_values: Vec<i32>,
    states: Vec<BeamState>,
}

/// A state of the beam, without the rows of its board.
#[derive(Clone, Copy, Default)]
pub(super) struct BeamState {
    /// Sum of the values of the board's rows.
    pub(super) row_value: i64,
    /// The part of the board's value that is not a sum over rows: the penalty for buried cells and
    /// the value of the room left for the largest unit, see [`BoardWeights`].
    pub(super) global_value: i64,
    pub(super) hash: u64,
    pub(super) points: u64,
    pub(super) rows_descended: u64,
    pub(super) cleared: u64,
    pub(super) lines_before: u32,
    /// Index of the last lock in `BeamSearch::history`.
    pub(super) last: u32,
}

/// The placement of a locked unit, with the index of the previous lock of the same game.
#[derive(Clone, Copy)]
struct PlacementLink {
    before: u32,
    lock: CompactPlacement,
}

/// The placement of a locked unit in four bytes; `corner` is the column of its leftmost cell.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct CompactPlacement {
    pub(super) row: i16,
    pub(super) corner: u8,
    pub(super) turn: u8,
}

/// A state after one more lock, a candidate for the next level.
#[derive(Clone, Copy)]
struct BeamChild {
    value: i64,
    hash: u64,
    /// The part of the board's value that is not a sum over rows, see [`BeamState::global_value`];
    /// computed only for the best candidates.
    global_value: i64,
    parent: u32,
    lock: CompactPlacement,
}

/// The value of [`PlacementLink::before`] and [`BeamState::last`] if the game has no earlier lock.
const NO_LINK: u32 = u32::MAX;

/// A beam search over one game.
pub struct BeamSearch<'a, B> {
    prepared: &'a PreparedProblem<B>,
    evaluation: BoardEvaluation<B>,
    units: &'a [usize],
    reach: PlacementFlood<B>,
    level: BeamLevel<B>,
    next: BeamLevel<B>,
    history: Vec<PlacementLink>,
    children: Vec<BeamChild>,
    /// Scratch memory for the rows of a board after a lock.
    scratch: Vec<B>,
    seen: HashSet<u64>,
    /// Value and last state of the best game recorded so far, and whether it is complete.
    best: Option<(i64, BeamState, bool)>,
    expanded: u64,
}

impl<'a, B: RowWord> BeamSearch<'a, B> {
    /// Creates the search for the game with this sequence of units, given as indices into the
    /// problem's units.
    #[must_use]
    pub fn new(
        prepared: &'a PreparedProblem<B>,
        weights: &BoardWeights,
        units: &'a [usize],
    ) -> Self {
        BeamSearch {
            evaluation: BoardEvaluation::new(weights, prepared.width, prepared.height),
            prepared,
            units,
            reach: PlacementFlood::default(),
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

    /// Returns the number of states expanded by the last run.
    #[must_use]
    pub fn expanded(&self) -> u64 {
        self.expanded
    }

    /// Runs the search from the initial board and returns the placements of the best game found.
    pub fn run(&mut self, limits: BeamLimits<'_>) -> PlacementPlan {
        self.begin();
        let began = limits.until.map_or(0.0, |until| until.now().as_secs_f64());
        let mut is_complete = true;
        for number in 0..self.units.len() {
            if self.level.states.is_empty() {
                break;
            }
            // Both deadlines are on one clock, which is read once for each unit.
            let now = limits.until.or(limits.stop).map_or(Duration::ZERO, |until| until.now());
            if limits.stop.is_some_and(|stop| stop.at() <= now) {
                is_complete = false;
                break;
            }
            let width = self.width(limits, number, (began, now.as_secs_f64()));
            self.expand(number, width);
            self.select(number, width);
        }
        for i in 0..self.level.states.len() {
            self.finish(self.level.states[i], is_complete);
        }
        self.plan()
    }

    /// Makes the initial board the only state of the beam.
    fn begin(&mut self) {
        let prepared = self.prepared;
        self.history.clear();
        self.best = None;
        self.expanded = 0;
        let global_value = self.global_value(&prepared.rows);
        let mut state = BeamState { last: NO_LINK, global_value, ..BeamState::default() };
        self.level.rows.clone_from(&prepared.rows);
        self.level.row_values.clear();
        for y in 0..prepared.height {
            let above = if y == 0 { B::default() } else { prepared.rows[y - 1] };
            let row_value = self.evaluation.row(y, above, prepared.rows[y]);
            self.level.row_values.push(row_value);
            state.row_value += i64::from(row_value);
            state.hash = state.hash.wrapping_add(prepared.rows[y].mix(y as u64));
        }
        self.level.states = vec![state];
        if !self.spawns(&prepared.rows, 0) {
            self.finish(state, true);
            self.level.states.clear();
        }
    }

    /// Returns the number of states to keep after the unit with index `number` in the game, so that
    /// the search, which started at `began` seconds, reaches the end of the game in time.
    fn width(&self, limits: BeamLimits<'_>, number: usize, (began, now): (f64, f64)) -> usize {
        let Some(until) = limits.until else { return limits.states };
        if self.expanded < 32 {
            return limits.states.min(8);
        }
        let each = (now - began) / self.expanded as f64;
        let left = (until.at().as_secs_f64() - now).max(0.0);
        let allowed = left / each / (self.units.len() - number) as f64;
        (allowed as usize).clamp(1, limits.states)
    }

    /// Returns whether unit `number` of the game fits at its spawn; true if there is no such unit.
    fn spawns(&self, rows: &[B], number: usize) -> bool {
        let Some(&unit) = self.units.get(number) else { return true };
        let unit = &self.prepared.units[unit];
        let shape = unit.shape(0, unit.first);
        unit.layers > 0
            && !shape.rows.is_empty()
            && rows
                .iter()
                .zip(&shape.rows)
                .all(|(&row, &mask)| (row & mask << unit.spawn).is_empty())
    }

    /// Records the game that ends with `state` if it has the highest estimated score so far.
    /// `is_complete` is false if the search was interrupted.
    fn finish(&mut self, state: BeamState, is_complete: bool) {
        let value = state.points as i64 * UNITS_PER_POINT
            + state.rows_descended as i64 * self.evaluation.descent;
        if self.best.is_none_or(|(best, ..)| value > best) {
            self.best = Some((value, state, is_complete));
        }
    }

    /// Creates the candidates of the next level: each state of this level after each lock of unit
    /// `number`. If there are many more than `width`, the worst are dropped.
    fn expand(&mut self, number: usize, width: usize) {
        let prepared = self.prepared;
        let unit = &prepared.units[self.units[number]];
        let board_weight = self.evaluation.board_weight(self.units.len() - number - 1);
        let max_children = (8 * width).max(1 << 12);
        self.children.clear();
        let mut min_value = i64::MIN;
        for parent in 0..self.level.states.len() {
            let h = prepared.height;
            let rows = &self.level.rows[parent * h..][..h];
            if !self.reach.flood(unit, rows) {
                continue;
            }
            self.expanded += 1;
            let mut evaluator = LockEvaluator {
                prepared,
                evaluation: &self.evaluation,
                unit,
                board_weight,
                rows,
                row_values: &self.level.row_values[parent * h..][..h],
                state: &self.level.states[parent],
                scratch: &mut self.scratch,
            };
            let children = &mut self.children;
            self.reach.for_each_lock(unit, |turn, row, corner| {
                let (value, hash) = evaluator.value(turn, row, corner);
                if value > min_value {
                    let lock = CompactPlacement {
                        row: row as i16,
                        corner: corner as u8,
                        turn: turn as u8,
                    };
                    children.push(BeamChild {
                        value,
                        hash,
                        global_value: 0,
                        parent: parent as u32,
                        lock,
                    });
                }
            });
            if children.len() >= max_children {
                min_value = keep_best(children, 3 * width);
            }
        }
    }

    /// Makes the `width` best candidates with distinct boards the next level.
    fn select(&mut self, number: usize, width: usize) {
        if self.children.len() > 3 * width {
            keep_best(&mut self.children, 3 * width);
        }
        let mut children = std::mem::take(&mut self.children);
        self.add_global_values(&mut children, number);
        self.next.rows.clear();
        self.next.row_values.clear();
        self.next.states.clear();
        for child in &children {
            if self.next.states.len() >= width {
                break;
            }
            self.add_child(child, number);
        }
        self.children = children;
        std::mem::swap(&mut self.level, &mut self.next);
    }

    /// Returns the part of a board's value that is not a sum over rows: the penalty for buried
    /// cells and the value of the room left for the largest unit.
    fn global_value(&mut self, rows: &[B]) -> i64 {
        let mut global_value = -self.evaluation.buried_cost(rows);
        if self.evaluation.room != 0 {
            let fits = self.reach.flood(&self.prepared.units[self.prepared.largest], rows);
            global_value +=
                if fits { i64::from(self.reach.room()) * self.evaluation.room } else { 0 };
        }
        global_value
    }

    /// Removes candidates with equal boards, computes [`BeamChild::global_value`] of the others and
    /// includes it in their values, and sorts the best first. `number` is the index of the unit
    /// that the candidates have locked.
    fn add_global_values(&mut self, children: &mut Vec<BeamChild>, number: usize) {
        let prepared = self.prepared;
        let unit = &prepared.units[self.units[number]];
        let board_weight = self.evaluation.board_weight(self.units.len() - number - 1);
        children.sort_unstable_by(|a, b| order(b, a));
        self.seen.clear();
        children.retain(|child| self.seen.insert(child.hash));
        for child in children.iter_mut() {
            let (h, parent) = (prepared.height, child.parent as usize);
            self.scratch.clear();
            self.scratch.extend_from_slice(&self.level.rows[parent * h..][..h]);
            lock_unit(&mut self.scratch, unit, child.lock, prepared.full);
            let rows = std::mem::take(&mut self.scratch);
            child.global_value = self.global_value(&rows);
            self.scratch = rows;
            child.value +=
                (child.global_value - self.level.states[parent].global_value) * board_weight / 256;
        }
        children.sort_unstable_by(|a, b| order(b, a));
    }

    /// Adds the state of a candidate to the next level, or records its game as ended if the next
    /// unit does not fit.
    fn add_child(&mut self, child: &BeamChild, number: usize) {
        let prepared = self.prepared;
        let (h, parent) = (prepared.height, child.parent as usize);
        let unit = &prepared.units[self.units[number]];
        let before = self.level.states[parent];
        let first = self.next.rows.len();
        self.next.rows.extend_from_slice(&self.level.rows[parent * h..][..h]);
        let rows = &mut self.next.rows[first..];
        let lines = lock_unit(rows, unit, child.lock, prepared.full);
        let mut state = BeamState {
            row_value: 0,
            global_value: child.global_value,
            hash: 0,
            points: before.points + lock_points(unit.size, lines, before.lines_before),
            rows_descended: before.rows_descended + (i32::from(child.lock.row) - unit.first) as u64,
            cleared: before.cleared + u64::from(lines),
            lines_before: lines,
            last: self.history.len() as u32,
        };
        for y in 0..h {
            let above = if y == 0 { B::default() } else { rows[y - 1] };
            let row_value = self.evaluation.row(y, above, rows[y]);
            self.next.row_values.push(row_value);
            state.row_value += i64::from(row_value);
            state.hash = state.hash.wrapping_add(rows[y].mix(y as u64));
        }
        debug_assert_eq!(
            state_hash(state.hash, lines),
            child.hash,
            "the incremental hash equals the full one"
        );
        self.history.push(PlacementLink { before: before.last, lock: child.lock });
        let rows = &self.next.rows[first..];
        if self.spawns(rows, number + 1) {
            self.next.states.push(state);
        } else {
            self.finish(state, true);
            self.next.rows.truncate(first);
            self.next.row_values.truncate(first);
        }
    }

    /// Returns the placements of the best game, traced back from its last lock.
    fn plan(&self) -> PlacementPlan {
        let Some((_, state, is_complete)) = self.best else { return PlacementPlan::default() };
        let mut placements = Vec::new();
        let mut last = state.last;
        while last != NO_LINK {
            let PlacementLink { before, lock } = self.history[last as usize];
            placements.push(lock);
            last = before;
        }
        placements.reverse();
        let placement = |(lock, &unit): (CompactPlacement, &usize)| {
            let unit = &self.prepared.units[unit];
            unit.placement(lock.turn.into(), lock.row.into(), lock.corner.into())
        };
        PlacementPlan {
            placements: placements.into_iter().zip(self.units).map(placement).collect(),
            points: state.points,
            rows_descended: state.rows_descended,
            is_complete,
        }
    }
}

/// Orders candidates by value, the best last; the order is total, so that results do not depend on
/// the sorting algorithm.
fn order(a: &BeamChild, b: &BeamChild) -> std::cmp::Ordering {
    let key = |child: &BeamChild| (child.value, std::cmp::Reverse((child.parent, child.lock)));
    key(a).cmp(&key(b))
}

/// Keeps the `count` best candidates and returns the smallest value among them.
fn keep_best(children: &mut Vec<BeamChild>, count: usize) -> i64 {
    let (_, least, _) = children.select_nth_unstable_by(count - 1, |a, b| order(b, a));
    let least = least.value;
    children.truncate(count);
    least
}
