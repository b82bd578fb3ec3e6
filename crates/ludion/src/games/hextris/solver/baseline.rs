//! The solver of the course's team (seed 2), unit by unit: of all placements found breadth first,
//! phrases as single moves, the one with the best weighted sum of six indicators. It is what the
//! strong solver is held against.

use std::cell::Cell;

use serde::{Deserialize, Serialize};

use super::super::board::{HexBoard, full_row};
use super::super::game::{CommandEffect, HextrisGame};
use super::super::phrases::Phrases;
use super::super::problem::Problem;
use super::super::referee::execute;
use super::super::unit::{Placement, Unit};
use super::unit_paths::{UnitPaths, lock_byte, set_of, spells};

/// The weights of the indicators, in the order of the course.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BaselineWeights {
    /// Of the height of the board, which costs.
    pub height: f64,
    /// Of the height of the highest cell of the unit, which costs.
    pub perch: f64,
    /// Of the rows that vanish.
    pub lines: f64,
    /// Of the empty cells trapped around the unit, which cost.
    pub trapped: f64,
    /// Of the empty cells beside the unit in its lowest row, which cost.
    pub beside: f64,
    /// Of the phrases on the way, one not used before counting twice.
    pub phrases: f64,
}

impl Default for BaselineWeights {
    fn default() -> Self {
        let [height, perch, lines, trapped, beside, phrases] = [3.0, 2.0, 1.0, 100.0, 1.0, 100.0];
        BaselineWeights { height, perch, lines, trapped, beside, phrases }
    }
}

/// How many placements are come to between two looks at the clock.
const OFTEN: usize = 256;

/// A game that was begun by these commands up to the last lock, and from there on as the course's
/// solver plays it; `stop` ends it early.
#[must_use]
pub fn go_on(
    (problem, phrases, seed): (&Problem, &Phrases, u32),
    begun: &str,
    weights: &BaselineWeights,
    stop: &dyn Fn() -> bool,
) -> String {
    let spells = spells(phrases);
    let (run, mut text) = begin(problem, seed, begun);
    let (mut walk, mut board) = (UnitPaths::new(problem), run.board().clone());
    let mut used = set_of(phrases, &text);
    for number in problem.source(seed).skip(run.locked()) {
        let unit = &problem.units()[number];
        let reached = Cell::new(0_usize);
        walk.grow(unit, &board, &spells, |_| {
            reached.set(reached.get() + 1);
            reached.get().is_multiple_of(OFTEN) && stop()
        });
        // What hangs in the air above all that is full is not worth a look, unless all does.
        let highest = board.iter().position(|&row| row != 0).unwrap_or(board.len()) as i16;
        let lockable = |&&at: &&Placement| lock_byte(unit, &board, at).is_some();
        let is_low = |at: &Placement| unit.extent(*at).1 + 1 >= highest;
        let any_low = walk.reached().iter().filter(lockable).any(is_low);
        let candidates = walk.reached().iter().filter(lockable);
        let judged = candidates.filter(|at| !any_low || is_low(at)).map(|&at| {
            let (count, set) = walk.phrases(unit, at);
            let spelled = f64::from(count) + f64::from((set & !used).count_ones());
            (judge(problem, &board, unit, at, weights) + weights.phrases * spelled, at)
        });
        // The first of equals, which is the nearest.
        let best = judged.reduce(|best, other| if other.0 > best.0 { other } else { best });
        let Some((_, at)) = best else { break };
        if stop() {
            break;
        }
        used |= walk.phrases(unit, at).1;
        walk.write(unit, at, &spells, &mut text);
        text.extend(lock_byte(unit, &board, at).map(char::from));
        unit.lock(&mut board, at);
    }
    text
}

/// The game after the last lock of these commands, and the commands that led there.
fn begin<'p>(problem: &'p Problem, seed: u32, begun: &str) -> (HextrisGame<'p>, String) {
    let (mut run, mut end) = (HextrisGame::new(problem, seed), 0);
    for (at, byte) in begun.bytes().enumerate() {
        match execute(&mut run, byte) {
            Ok(Some(CommandEffect::Locked(_))) => end = at + 1,
            Ok(_) => {}
            Err(_) => break,
        }
    }
    (run, begun[..end].to_owned())
}

/// The weighted sum of all but the phrases when `unit` locks at `at`.
fn judge(
    problem: &Problem,
    board: &HexBoard,
    unit: &Unit,
    at: Placement,
    weights: &BaselineWeights,
) -> f64 {
    let mut after = board.clone();
    let (top, masks) = unit.masks(at);
    for (row, mask) in after[top..].iter_mut().zip(masks) {
        *row |= mask;
    }
    let width = problem.width();
    let is_full = |x: i32, y: i32| {
        let inside = 0 <= x && x < width as i32 && 0 <= y && y < problem.height() as i32;
        !inside || after.is_full(x as usize, y as usize)
    };
    let lowest = i32::from(unit.extent(at).1);
    let (mut trapped, mut beside) = (0, 0);
    for (x, y) in unit.cells(at) {
        let around = neighbours(x, y).into_iter().filter(|&(x, y)| !is_full(x, y));
        let is_trapped = |&(x, y): &(i32, i32)| {
            let [left, right, ..] = neighbours(x, y);
            is_full(left.0, left.1) && is_full(right.0, right.1) && y > 0
        };
        trapped += around.filter(is_trapped).count();
        beside += usize::from(y == lowest && !is_full(x - 1, y));
        beside += usize::from(y == lowest && !is_full(x + 1, y));
    }
    let lines = after.iter().filter(|&&row| row == full_row(width)).count();
    unit.lock(&mut after, at);
    let highest = after.iter().position(|&row| row != 0).unwrap_or(problem.height());
    let height = (problem.height() - highest) as f64;
    let perch = (problem.height() - top) as f64;
    weights.lines * lines as f64
        - weights.height * height
        - weights.perch * perch
        - weights.trapped * trapped as f64
        - weights.beside * beside as f64
}

/// The two above first.
fn neighbours(x: i32, y: i32) -> [(i32, i32); 6] {
    let left = x - 1 + (y & 1);
    [(left, y - 1), (left + 1, y - 1), (x - 1, y), (x + 1, y), (left, y + 1), (left + 1, y + 1)]
}
