//! The solver of de Falco and Fleck, which plays unit by unit: of all placements found by
//! breadth-first search, in which whole phrases are single steps that are tried first, it chooses the
//! one with the best weighted sum of six features. It is the baseline with which the beam solver is
//! compared.
//!
//! Features, weights, candidates and the order of ties are those of the program that the authors had
//! in the contest: placements wholly above the row over the full cells are no candidates, a placement
//! below the highest full row has a negative rise, and of equal placements the one found last wins.
//! At the end all phrases that the commands happen to contain are spelled. With the weights 7, 7, 1,
//! 4, 4, 4, which the authors tuned for the contest, it has exactly their scores on problems 0, 1, 8,
//! 10, 11, 13, 17 and 19 to 23.

use std::cell::Cell;
use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

use super::super::board::HexBoard;
use super::super::commands::{Command, DecodedChar};
use super::super::game::{CommandEffect, HextrisSimulation};
use super::super::phrases::Phrases;
use super::super::problem::Problem;
use super::super::referee::execute;
use super::super::unit::{Placement, Unit};
use super::unit_paths::{PhraseCommands, STEP_ORDER, UnitPathTree, phrase_commands};

/// Weights of the six features of de Falco and Fleck, in their order. JSON may have the names of
/// version 0.1.0 instead: height, perch, trapped, phrases, and beside for the one without effect.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BaselineWeights {
    /// Penalty for rising above the highest full row, and reward for staying below it.
    #[serde(alias = "height")]
    pub rise: f64,
    /// Reward for locking far below.
    #[serde(alias = "perch")]
    pub depth: f64,
    /// Penalty for empty cells that the unit covers or leaves beside it.
    #[serde(alias = "trapped")]
    pub enclosed: f64,
    /// Reward for rows that are full, or nearly.
    pub lines: f64,
    /// Reward for each point of the phrases on the path to the lock.
    #[serde(alias = "phrases")]
    pub power: f64,
    /// Weight of the connected components of full cells. The program of de Falco and Fleck computes
    /// them nowhere, so it has no effect.
    #[serde(alias = "beside")]
    pub components: f64,
}

impl Default for BaselineWeights {
    fn default() -> Self {
        let [rise, depth, enclosed, lines, power, components] = [3.0, 2.0, 1.0, 100.0, 1.0, 100.0];
        BaselineWeights { rise, depth, enclosed, lines, power, components }
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
    let begun = text.len();
    for number in problem.source(seed).skip(game.locked()) {
        let unit = &problem.units()[number];
        let reached = Cell::new(0_usize);
        tree.grow(unit, &board, &phrase_list, |_| {
            reached.set(reached.get() + 1);
            reached.get().is_multiple_of(PLACEMENTS_PER_POLL) && stop()
        });
        let best = best_placement(problem, &board, weights, unit, &tree);
        let Some(at) = best else { break };
        if stop() {
            break;
        }
        tree.write(unit, at, &phrase_list, &mut text);
        text.extend(last_lock_byte(unit, &board, at).map(char::from));
        unit.lock(&mut board, at);
    }
    spell_found_phrases(&mut text, begun, &phrase_list);
    text
}

/// Returns the best placement at which `unit` can lock. Placements that are wholly more than one row
/// above the full cells are considered only if there is no other. Of equal placements the last one
/// that the search reached wins.
pub(super) fn best_placement(
    problem: &Problem,
    board: &HexBoard,
    weights: &BaselineWeights,
    unit: &Unit,
    tree: &UnitPathTree,
) -> Option<Placement> {
    let highest = highest_row(board) as i16;
    let best_of = |lowest_bottom: i16| {
        let lockable = tree.reached().iter().copied().filter(|&at| {
            unit.extent(at).1 >= lowest_bottom && last_lock_byte(unit, board, at).is_some()
        });
        let scored = lockable.map(|at| {
            let power = 2 * u64::from(tree.phrase_characters(unit, at));
            (weights.value(problem, board, (unit, at), power), at)
        });
        scored.reduce(|best, other| if other.0 >= best.0 { other } else { best })
    };
    best_of(highest - 1).or_else(|| best_of(0)).map(|(_, at)| at)
}

/// Returns the highest row with a full cell; the lowest row of the board if no cell is full.
fn highest_row(board: &HexBoard) -> usize {
    board.iter().position(|&row| row != 0).unwrap_or(board.len() - 1)
}

/// Returns the character of the last command in the order of the search that locks `unit` at `at`.
pub(super) fn last_lock_byte(unit: &Unit, board: &HexBoard, at: Placement) -> Option<u8> {
    let blocked = |command: &&Command| !unit.fits(board, unit.step(at, **command));
    let last = STEP_ORDER.iter().rev().find(blocked);
    last.map(|command| command.characters().as_bytes()[0])
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

/// Spells the phrases whose commands occur in `text` from byte `begun` on, wherever they are, also
/// across locks; the longest first, and each where no other is spelled already.
fn spell_found_phrases(text: &mut String, begun: usize, phrases: &[PhraseCommands]) {
    let command = |byte| match DecodedChar::from_byte(byte) {
        DecodedChar::Command(command) => Some(command),
        DecodedChar::Ignored | DecodedChar::Unknown => None,
    };
    let commands: Vec<Option<Command>> = text.bytes().skip(begun).map(command).collect();
    let mut spelled: Vec<Option<u8>> = vec![None; commands.len()];
    for PhraseCommands { bytes, commands: wanted, .. } in phrases {
        let mut at = 0;
        while let Some(here) = commands.get(at..at + wanted.len()) {
            let is_free = spelled[at..at + wanted.len()].iter().all(Option::is_none);
            if is_free && here.iter().zip(wanted).all(|(here, wanted)| *here == Some(*wanted)) {
                let letters = bytes.iter().map(|&byte| Some(byte));
                spelled.splice(at..at + wanted.len(), letters);
                at += wanted.len();
            } else {
                at += 1;
            }
        }
    }
    let plain = |command: Option<Command>| command.map_or(b' ', |c| c.characters().as_bytes()[0]);
    let letters = spelled.into_iter().zip(commands);
    let letters = letters.map(|(letter, command)| letter.unwrap_or_else(|| plain(command)));
    text.truncate(begun);
    text.extend(letters.map(char::from));
}

/// The board with a unit locked on it, before full rows vanish.
struct LockedBoard<'a> {
    before: &'a HexBoard,
    after: HexBoard,
    width: usize,
    /// The rows of the unit's highest and lowest cell.
    rows: (usize, usize),
    /// The columns from one left of the unit to one right of it.
    columns: RangeInclusive<i32>,
}

impl<'a> LockedBoard<'a> {
    fn new(before: &'a HexBoard, width: usize, (unit, at): (&Unit, Placement)) -> Self {
        let mut after = before.clone();
        let (top, masks) = unit.masks(at);
        for (row, mask) in after[top..].iter_mut().zip(masks) {
            *row |= mask;
        }
        let columns = unit.cells(at).map(|(x, _)| x);
        let (left, right) = columns.fold((i32::MAX, i32::MIN), |(l, r), x| (l.min(x), r.max(x)));
        let columns = (left - 1).max(0)..=(right + 1).min(width as i32 - 1);
        LockedBoard { before, after, width, rows: (top, unit.extent(at).1 as usize), columns }
    }

    /// Returns whether a cell is full; outside the board nothing is.
    fn is_full(&self, x: i32, y: usize) -> bool {
        (0..self.width as i32).contains(&x) && self.after.is_full(x as usize, y)
    }

    /// Returns the sum, over the empty cells below the unit's highest row and down to the row below
    /// the unit, of their full upper neighbours.
    fn enclosed(&self) -> i64 {
        let (top, bottom) = self.rows;
        let rows = top + 1..=(bottom + 1).min(self.after.len() - 1);
        let cells = rows.flat_map(|y| self.columns.clone().map(move |x| (x, y)));
        let covers = cells.filter(|&(x, y)| !self.is_full(x, y)).map(|(x, y)| {
            let left = x - 1 + (y as i32 & 1);
            i64::from(self.is_full(left, y - 1)) + i64::from(self.is_full(left + 1, y - 1))
        });
        covers.sum()
    }

    /// Returns the number of empty cells of the unit's lowest row.
    fn empty(&self) -> i64 {
        self.columns.clone().filter(|&x| !self.is_full(x, self.rows.1)).count() as i64
    }

    /// Returns 1 for each full row, a half for each row of the unit that lacks one cell, and a
    /// quarter for each that lacks two.
    fn lines(&self) -> f64 {
        let rows = self.after.iter().zip(self.before.iter());
        let worth = rows.map(|(&row, &before)| match self.width as u32 - row.count_ones() {
            0 => 1.0,
            1 if row != before => 0.5,
            2 if row != before => 0.25,
            _ => 0.0,
        });
        worth.sum()
    }
}

impl BaselineWeights {
    /// Returns the weighted sum of the features if `unit` locks at `at` after a path whose phrases
    /// earn `power` points. Parts are whole percents, cut towards 0.
    fn value(
        &self,
        problem: &Problem,
        board: &HexBoard,
        (unit, at): (&Unit, Placement),
        power: u64,
    ) -> f64 {
        let locked = LockedBoard::new(board, problem.width(), (unit, at));
        let ((top, bottom), height) = (locked.rows, problem.height() as i64);
        let rise = highest_row(board) as i64 - top as i64;
        let percent = |part: i64, whole: i64| (100 * part / whole) as f64;
        let of_unit = |cells: i64| percent(cells, unit.size() as i64);
        self.depth * percent(bottom as i64, height)
            - self.rise * percent(rise, height)
            - self.enclosed * (of_unit(locked.enclosed()) + 2.0 * of_unit(locked.empty()))
            + self.lines * locked.lines()
            + self.power * power as f64
    }
}
