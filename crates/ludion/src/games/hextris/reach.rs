//! Where a unit can lock: breadth-first search over its placements from where it came. A
//! placement can lock when some command leads from it to where the unit does not fit. A unit
//! never has to repeat a placement to come anywhere, so that the rule against it does not
//! matter here.

use super::board::RowCells;
use super::commands::Command;
use super::unit::{Placement, Unit};

/// What the search needs, to be had once and used often: a bit a slot, and a queue.
#[derive(Debug)]
pub struct ReachBuffers<'a> {
    /// A bit for each of [`Unit::slots`], all 0.
    pub seen: &'a mut [u64],
    /// Room for as many placements.
    pub queue: &'a mut [Placement],
}

/// Calls `found` with every placement where `unit`, which must fit where it comes, can lock,
/// and with the first command that locks it there; nearest placements first.
pub fn lockable(
    unit: &Unit,
    rows: &[RowCells],
    scratch: ReachBuffers<'_>,
    mut found: impl FnMut(Placement, Command),
) {
    let ReachBuffers { seen, queue } = scratch;
    let mut visit = |at| {
        let slot = unit.slot(at);
        let new = seen[slot / 64] >> (slot % 64) & 1 == 0;
        seen[slot / 64] |= 1 << (slot % 64);
        new
    };
    visit(unit.spawn());
    queue[0] = unit.spawn();
    let (mut next, mut end) = (0, 1);
    while next < end {
        let at = queue[next];
        next += 1;
        let mut lock = None;
        for command in Command::ALL {
            let to = unit.step(at, command);
            if !unit.fits(rows, to) {
                lock = lock.or(Some(command));
            } else if visit(to) {
                queue[end] = to;
                end += 1;
            }
        }
        if let Some(command) = lock {
            found(at, command);
        }
    }
}
