//! The solver of de Falco and Fleck, which plays unit by unit: of all placements found by
//! breadth-first search, in which whole phrases are single steps, it chooses the one with the best
//! weighted sum of six features. It is the baseline with which the beam solver is compared.

use std::cell::Cell;

use serde::{Deserialize, Serialize};

use super::super::board::{HexBoard, full_row};
use super::super::game::{CommandEffect, HextrisSimulation};
use super::super::phrases::Phrases;
use super::super::problem::Problem;
use super::super::referee::execute;
use super::super::unit::{Placement, Unit};
use super::unit_paths::{UnitPathTree, lock_byte, phrase_commands, phrase_set};

/// Weights of the six features of de Falco and Fleck, in their order.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BaselineWeights {
    /// Penalty per row of the stack's height: from the highest full cell down to the bottom, after
    /// the lock.
    pub height: f64,
    /// Penalty per row of the height of the unit's highest cell above the bottom.
    #[serde(rename = "perch")]
    pub unit_height: f64,
    /// Reward for each row that the lock clears.
    pub lines: f64,
    /// Penalty for each empty cell next to the locked unit whose two upper neighbours are full.
    pub trapped: f64,
    /// Penalty for each empty cell directly left or right of a cell in the unit's lowest row.
    pub beside: f64,
    /// Reward for each phrase spelled on the path to the lock; a phrase that is new in the game
    /// counts twice.
    pub phrases: f64,
}

impl Default for BaselineWeights {
    fn default() -> Self {
        let [height, unit_height, lines, trapped, beside, phrases] =
            [3.0, 2.0, 1.0, 100.0, 1.0, 100.0];
        BaselineWeights { height, unit_height, lines, trapped, beside, phrases }
    }
}

/// Number of reached placements after which the search asks again whether to stop.
const PLACEMENTS_PER_POLL: usize = 256;

/// Replays the commands `started` up to their last lock, continues the game with this solver until
/// it ends or `stop` returns true, and returns the commands of the whole game.
#[must_use]
pub fn continue_game(
    (problem, phrases, seed): (&Problem, &Phrases, u32),
    started: &str,
    weights: &BaselineWeights,
    stop: &dyn Fn() -> bool,
) -> String {
    let phrase_list = phrase_commands(phrases);
    let (game, mut text) = replay_to_last_lock(problem, seed, started);
    let (mut tree, mut board) = (UnitPathTree::new(problem), game.board().clone());
    let mut used = phrase_set(phrases, &text);
    for number in problem.source(seed).skip(game.locked()) {
        let unit = &problem.units()[number];
        let reached = Cell::new(0_usize);
        tree.grow(unit, &board, &phrase_list, |_| {
            reached.set(reached.get() + 1);
            reached.get().is_multiple_of(PLACEMENTS_PER_POLL) && stop()
        });
        // Placements that end above the highest full cells without touching their row are ignored
        // unless there are no others.
        let highest = board.iter().position(|&row| row != 0).unwrap_or(board.len()) as i16;
        let lockable = |&&at: &&Placement| lock_byte(unit, &board, at).is_some();
        let is_low = |at: &Placement| unit.extent(*at).1 + 1 >= highest;
        let any_low = tree.reached().iter().filter(lockable).any(is_low);
        let candidates = tree.reached().iter().filter(lockable);
        let scored = candidates.filter(|at| !any_low || is_low(at)).map(|&at| {
            let (count, set) = tree.phrases(unit, at);
            let spelled = f64::from(count) + f64::from((set & !used).count_ones());
            (lock_value(problem, &board, unit, at, weights) + weights.phrases * spelled, at)
        });
        // Of equal placements the first, which is the nearest, wins.
        let best = scored.reduce(|best, other| if other.0 > best.0 { other } else { best });
        let Some((_, at)) = best else { break };
        if stop() {
            break;
        }
        used |= tree.phrases(unit, at).1;
        tree.write(unit, at, &phrase_list, &mut text);
        text.extend(lock_byte(unit, &board, at).map(char::from));
        unit.lock(&mut board, at);
    }
    text
}

/// Returns the game after the last lock of the commands `started`, and these commands up to there.
fn replay_to_last_lock<'p>(
    problem: &'p Problem,
    seed: u32,
    started: &str,
) -> (HextrisSimulation<'p>, String) {
    let (mut game, mut end) = (HextrisSimulation::new(problem, seed), 0);
    for (at, byte) in started.bytes().enumerate() {
        match execute(&mut game, byte) {
            Ok(Some(CommandEffect::Locked(_))) => end = at + 1,
            Ok(_) => {}
            Err(_) => break,
        }
    }
    (game, started[..end].to_owned())
}

/// Returns the weighted sum of all features except phrases, if `unit` locks at `at`.
fn lock_value(
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
    let unit_height = (problem.height() - top) as f64;
    weights.lines * lines as f64
        - weights.height * height
        - weights.unit_height * unit_height
        - weights.trapped * trapped as f64
        - weights.beside * beside as f64
}

/// Returns the six neighbours of the cell (x, y), the two above it first.
fn neighbours(x: i32, y: i32) -> [(i32, i32); 6] {
    let left = x - 1 + (y & 1);
    [(left, y - 1), (left + 1, y - 1), (x - 1, y), (x + 1, y), (left, y + 1), (left + 1, y + 1)]
}
