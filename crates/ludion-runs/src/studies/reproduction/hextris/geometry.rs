//! Sections 2.g, 3.a and 3.b: rows that come down, oblique coordinates, rotations, and the symmetry of
//! units.

use ludion_hextris::board::clear_lines;
use ludion_hextris::{HexBoard, PROBLEMS, Unit};
use serde::{Deserialize, Serialize};

use crate::studies::reproduction::JudgeContext;
use crate::studies::reproduction::finding::{Comparison, Finding};
use crate::studies::reproduction::verdict::Verdict;
use crate::studies::reproduction::work::{ItemHead, ItemKind, JobContext, WorkItem};

/// A cell as column and row, or in oblique coordinates.
type Cell = (i32, i32);

/// What is wrong with the published formulas, of all cells that were tried.
#[derive(Default, Serialize, Deserialize)]
struct GeometryErrors {
    /// Steps with the published sign of the transformation, and with the other one.
    steps: [u64; 2],
    /// Rotations by the two formulas in oblique coordinates.
    rotations: u64,
    /// Rotations by the formula in the coordinates of the problem.
    problem_rotations: u64,
}

/// Number of rows and columns of the board on which steps are compared.
const SIDE: i32 = 20;

/// Leads to oblique coordinates: with sign 1 as published, with sign −1 as it should be.
fn oblique((x, y): Cell, sign: i32) -> Cell {
    (x + sign * y.div_euclid(2), y)
}

/// Turns a cell in oblique coordinates clockwise about the origin.
fn turn((x, y): Cell) -> Cell {
    (-y, x + y)
}

/// Counts the steps down that oblique coordinates with this sign lead to a wrong cell.
fn count_wrong_steps(sign: i32) -> u64 {
    let cells = (0..SIDE).flat_map(|y| (0..SIDE).map(move |x| (x, y)));
    let wrong = |(x, y): Cell| {
        let odd = y % 2;
        let (left, right) = ((x - 1 + odd, y + 1), (x + odd, y + 1));
        let (q, r) = oblique((x, y), sign);
        let back = |cell: Cell| oblique(cell, -sign);
        u64::from(back((q - 1, r + 1)) != left) + u64::from(back((q, r + 1)) != right)
    };
    cells.map(wrong).sum()
}

fn count_geometry_errors() -> GeometryErrors {
    let cells = || (-SIDE..SIDE).flat_map(|y| (-SIDE..SIDE).map(move |x| (x, y)));
    let length = |(x, y): Cell| x * x + x * y + y * y;
    let is_no_rotation = |cell: &Cell| {
        let (x, y) = turn(*cell);
        let round = (0..6).fold(*cell, |cell, _| turn(cell));
        round != *cell || length((x, y)) != length(*cell) || (x + y, -x) != *cell
    };
    let is_wrong = |cell: &Cell| {
        let (x, y) = *cell;
        let down = x + y.div_euclid(2) + y;
        oblique(turn(oblique(*cell, -1)), 1) != (-y + down.div_euclid(2), down)
    };
    GeometryErrors {
        steps: [count_wrong_steps(1), count_wrong_steps(-1)],
        rotations: cells().filter(is_no_rotation).count() as u64,
        problem_rotations: cells().filter(is_wrong).count() as u64,
    }
}

pub(super) fn coordinates() -> WorkItem {
    let head = ItemHead {
        id: "coordinates",
        kind: ItemKind::Claim,
        place: "section 3.a, figure 1.9",
        title: "Oblique coordinates and rotations",
        published: "(x, y) → (x + ⌊y/2⌋, y) leads to oblique coordinates and (x, y) → (x − ⌊y/2⌋, y) \
                    back. In them the step down left is (x − 1, y + 1), the one down right (x, y + 1), \
                    a clockwise rotation is (x, y) → (−y, x + y), and the other one (x + y, −x). In the \
                    coordinates of the problem the clockwise one is (x, y) → (−y + ⌊z/2⌋, z), where z = \
                    x + ⌊y/2⌋ + y.",
        method: "Both steps from all cells of a board of 20 by 20, by the rules of figure 1.9 (which \
                 depend on the parity of the row) and by oblique coordinates, with the published sign \
                 and with the other one; and rotations of 1600 cells: six of them, and one there and \
                 back.",
        command: "",
    };
    WorkItem::measured(
        head,
        |_| 1,
        |_: &JobContext<'_>| Ok(count_geometry_errors()),
        |_: &JudgeContext<'_>, found: &[GeometryErrors]| {
            let none = GeometryErrors::default();
            let errors = found.first().unwrap_or(&none);
            let [plus, minus] = errors.steps;
            let row = |what: &str, wrong: u64| Comparison::exact(what, 0.0, wrong as f64);
            let other_sign = Comparison {
                published: String::new(),
                verdict: Verdict::Unknowable,
                ..row("wrong steps of 800 with x − ⌊y/2⌋ towards oblique", minus)
            };
            Finding::all(
                vec![
                    row("wrong steps of 800 with x + ⌊y/2⌋ towards oblique", plus),
                    other_sign,
                    row("wrong rotations of 1600 in oblique coordinates", errors.rotations),
                    row(
                        "wrong rotations of 1600 in the coordinates of the problem",
                        errors.problem_rotations,
                    ),
                ],
                "The two transformations are exchanged: it is x − ⌊y/2⌋ that leads to oblique coordinates \
                 and x + ⌊y/2⌋ that leads back. With the published ones a step down from an odd row goes \
                 astray. The rotations in oblique coordinates are right. The one in the coordinates of \
                 the problem adds ⌊y/2⌋ on both ways, so it contradicts the published way back, too, and \
                 is wrong for most cells.",
            )
        },
    )
}

/// Cells above a cleared row that come down by the published rule, by the opposite rule, and all.
type ClearedCells = [u64; 3];

pub(super) fn clearing() -> WorkItem {
    let head = ItemHead {
        id: "clearing",
        kind: ItemKind::Claim,
        place: "section 2.g, figure 1.3",
        title: "How rows come down",
        published: "When a row is full it is emptied, and the rows above come down by one: cells of even \
                    rows by the step down left (↙), the others by the other one, whose sign is lost in the \
                    copy at hand.",
        method: "A cell is put on an empty board of 20 by 20 above a full row, which the referee clears; \
                 the cell is then compared with the one that the step leads to by figure 1.9.",
        command: "",
    };
    let measure = |_: &JobContext<'_>| {
        let mut counts: ClearedCells = [0; 3];
        let side = SIDE as usize;
        for (x, y) in (0..side - 1).flat_map(|y| (0..side).map(move |x| (x, y))) {
            let mut board = HexBoard::empty(side);
            board.put(x, y);
            (0..side).for_each(|column| board.put(column, side - 1));
            clear_lines(&mut board, side);
            // By figure 1.9 an even row has its cell below on the right in the same column, an odd
            // row its cell below on the left.
            let (left, right) = if y % 2 == 0 { (x.checked_sub(1), x) } else { (Some(x), x + 1) };
            let is_at = |column: Option<usize>| {
                column.is_some_and(|column| column < side && board.is_full(column, y + 1))
            };
            let steps = [is_at(left), is_at(Some(right))];
            counts[0] += u64::from(steps[y % 2]);
            counts[1] += u64::from(steps[1 - y % 2]);
            counts[2] += 1;
        }
        Ok(counts)
    };
    WorkItem::measured(
        head,
        |_| 1,
        measure,
        |_: &JudgeContext<'_>, found: &[ClearedCells]| {
            let [published, opposite, cells] = found.first().copied().unwrap_or_default();
            let other = Comparison {
                published: String::new(),
                verdict: Verdict::Unknowable,
                ..Comparison::exact(
                    "cells that come down by the opposite rule",
                    0.0,
                    opposite as f64,
                )
            };
            let what = format!("cells of {cells} that come down by the published rule");
            Finding::all(
                vec![Comparison::exact(what, cells as f64, published as f64), other],
                "A cell keeps its column. In an even row the cell below in the same column is the one on \
                 the right (figure 1.9 of the report says so), in an odd row the one on the left: the \
                 two steps are exchanged.",
            )
        },
    )
}

/// Units with 1, 2, 3 and 6 distinct rotations, and others.
type SymmetryCounts = [u64; 5];

pub(super) fn symmetry() -> WorkItem {
    let head = ItemHead {
        id: "symmetry",
        kind: ItemKind::Claim,
        place: "section 3.b, figure 1.10",
        title: "The symmetry of units",
        published: "The rotations of a unit, generated by one of angle π/6, form a group of six elements; \
                    the number k of distinct ones is 1, 2, 3 or 6, and r in {0, …, k} names one.",
        method: "k of all units of the built-in problems; and the order of a rotation by π/6.",
        command: "ludion hextris show turning",
    };
    let measure = |_: &JobContext<'_>| {
        let mut counts: SymmetryCounts = [0; 5];
        for problem in PROBLEMS {
            for unit in problem.problem().units() {
                let place = [1, 2, 3, 6].iter().position(|k| *k == Unit::turns(unit));
                counts[place.unwrap_or(4)] += 1;
            }
        }
        Ok(counts)
    };
    WorkItem::measured(
        head,
        |_| 1,
        measure,
        |_: &JudgeContext<'_>, found: &[SymmetryCounts]| {
            let [one, two, three, six, other] = found.first().copied().unwrap_or_default();
            let all_occur = [one, two, three, six].iter().all(|count| *count > 0);
            let mut kinds = Comparison::exact("units with another k", 0.0, other as f64);
            kinds.ours = format!("{other}; k = 1, 2, 3, 6: {one}, {two}, {three}, {six} units");
            kinds.verdict = Verdict::exact(other == 0 && all_occur);
            Finding::all(
                vec![
                    kinds,
                    Comparison::exact("order of a rotation by π/6", 6.0, 12.0),
                    Comparison::exact("values of r in {0, …, k} for k = 6", 6.0, 7.0),
                ],
                "The four cases are right and all occur. Two slips: a sixth of a turn is π/3, not π/6 (which \
             does not keep the grid), and r runs to k − 1.",
            )
        },
    )
}
