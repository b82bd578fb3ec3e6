//! A unit prepared for going over a board with whole rows of placements at once. A placement
//! is known by its turn, the row of its pivot and its *corner*, the column of its leftmost
//! cell: so every command is the same shift for all placements of a turn in a row, whose
//! parity is what the shift depends on.

use super::super::board::full_row;
use super::super::commands::Command;
use super::super::unit::{Placement, Unit};
use super::row_word::{ColumnShift, RowWord};

/// A unit on boards of one size.
#[derive(Clone, Debug)]
pub struct UnitMover<B> {
    pub(super) turns: usize,
    pub(super) size: usize,
    pub(super) height: i32,
    /// The row of the pivot at the spawn: the first layer.
    pub(super) first: i32,
    /// How many rows the pivot can be in, from there.
    pub(super) layers: usize,
    /// The corner of the spawn.
    pub(super) spawn: u32,
    /// Index 2·turn + parity of the pivot's row.
    pub(super) shapes: Vec<UnitShape<B>>,
}

/// One turn about pivots in rows of one parity.
#[derive(Clone, Debug)]
pub(super) struct UnitShape<B> {
    /// Its highest row, seen from the pivot's.
    pub(super) top: i32,
    /// Its leftmost column, seen from the pivot's.
    left: i32,
    /// The cells as rows below the top and columns beside the corner.
    pub(super) cells: Vec<(u8, u8)>,
    /// From top to bottom, the corner in the lowest bit.
    pub(super) rows: Vec<B>,
    /// The corners at which it is not wider than the board; none when it is too high for it.
    pub(super) inside: B,
    pub(super) southwest: ColumnShift,
    pub(super) southeast: ColumnShift,
    /// Turn and shift of a sixth clockwise and counter-clockwise, where those can be on the board.
    pub(super) turned: [Option<(usize, ColumnShift)>; 2],
    /// Turns that cover the same cells with their corner in the same place, to be preferred.
    pub(super) twins: Vec<usize>,
}

impl<B: RowWord> UnitMover<B> {
    /// Prepares `unit` for boards of this size.
    #[must_use]
    pub fn new(unit: &Unit, width: usize, height: usize) -> Self {
        let turns = usize::from(unit.turns());
        let spawn = unit.spawn();
        let mut shapes: Vec<UnitShape<B>> = (0..2 * turns)
            .map(|i| UnitShape::new(unit, (i / 2) as u8, (i % 2) as i16, width, height))
            .collect();
        link(unit, &mut shapes);
        let first = i32::from(spawn.y);
        let fitting = shapes.iter().filter(|shape| !shape.rows.is_empty());
        let last = fitting.map(|shape| height as i32 - shape.rows.len() as i32 - shape.top).max();
        let layers = last.map_or(0, |last| last - first + 1).max(0) as usize;
        let left = shapes[(spawn.y & 1) as usize].left;
        UnitMover {
            turns,
            size: unit.size(),
            height: height as i32,
            first,
            layers,
            spawn: (i32::from(spawn.x) + left).max(0) as u32,
            shapes,
        }
    }

    #[inline]
    pub(super) fn shape(&self, turn: usize, row: i32) -> &UnitShape<B> {
        &self.shapes[2 * turn + (row & 1) as usize]
    }

    /// The placement of a turn whose pivot is in `row` and whose leftmost cell in `corner`.
    #[inline]
    #[must_use]
    pub(super) fn placement(&self, turn: usize, row: i32, corner: u32) -> Placement {
        let x = corner as i32 - self.shape(turn, row).left;
        Placement { x: x as i16, y: row as i16, turn: turn as u8 }
    }
}

impl<B: RowWord> UnitShape<B> {
    fn new(unit: &Unit, turn: u8, parity: i16, width: usize, height: usize) -> Self {
        let at = Placement { x: 0, y: parity, turn };
        let cells = || unit.cells(at);
        let left = cells().map(|(x, _)| x).min().unwrap_or(0);
        let right = cells().map(|(x, _)| x).max().unwrap_or(0);
        let top = cells().map(|(_, y)| y).min().unwrap_or(0);
        let bottom = cells().map(|(_, y)| y).max().unwrap_or(0);
        let (columns, lines) = ((right - left + 1) as usize, (bottom - top + 1) as usize);
        let fits = columns <= width && lines <= height;
        let mut shape = UnitShape {
            top: top - i32::from(parity),
            left,
            cells: Vec::new(),
            rows: Vec::new(),
            inside: B::default(),
            southwest: ColumnShift::none(),
            southeast: ColumnShift::none(),
            turned: [None; 2],
            twins: Vec::new(),
        };
        if fits {
            shape.rows.resize(lines, B::default());
            shape.inside = B::of(full_row(width - columns + 1));
            shape.cells = cells().map(|(x, y)| ((y - top) as u8, (x - left) as u8)).collect();
            for &(y, x) in &shape.cells {
                shape.rows[usize::from(y)] |= B::ONE << u32::from(x);
            }
        }
        shape
    }
}

/// What the shapes know of each other: where commands lead, and which look alike.
fn link<B: RowWord>(unit: &Unit, shapes: &mut [UnitShape<B>]) {
    let lefts: Vec<i32> = shapes.iter().map(|shape| shape.left).collect();
    for i in 0..shapes.len() {
        let at = Placement { x: 0, y: (i % 2) as i16, turn: (i / 2) as u8 };
        let target = |command| {
            let to = unit.step(at, command);
            let index = 2 * usize::from(to.turn) + (to.y & 1) as usize;
            let shift = ColumnShift::new::<B>(i32::from(to.x) + lefts[index] - lefts[i]);
            (usize::from(to.turn), shift)
        };
        let none = ColumnShift::none();
        shapes[i].southwest = target(Command::SouthWest).1.unwrap_or(none);
        shapes[i].southeast = target(Command::SouthEast).1.unwrap_or(none);
        shapes[i].turned = [Command::Clockwise, Command::CounterClockwise].map(|command| {
            let (turn, shift) = target(command);
            shift.map(|shift| (turn, shift))
        });
        let twins = (0..shapes.len() / 2).filter(|&turn| is_preferred(shapes, i, turn)).collect();
        shapes[i].twins = twins;
    }
}

/// Whether `turn` covers the same cells as shape `i` and lies lower by its pivot, which leaves
/// more rows to come down by and so more to spell.
fn is_preferred<B: RowWord>(shapes: &[UnitShape<B>], i: usize, turn: usize) -> bool {
    let shape = &shapes[i];
    let parity = (i as i32 + shape.top - shapes[2 * turn].top).rem_euclid(2);
    let other = &shapes[2 * turn + parity as usize];
    other.rows == shape.rows && (other.top, turn) < (shape.top, i / 2)
}
