//! Where a unit has been in the row that its pivot is in. Rows are left downwards only, so
//! this is all that must be known never to repeat a placement. It is kept in one word: ten
//! columns seen from the pivot, six bits a column for the turns; when a placement slips out of
//! sight, the outermost column on that side becomes a wall.

use super::super::super::commands::Command;

/// Bits of a column.
const COLUMN: u32 = 6;
/// The column of the pivot itself; four more are seen in the east, five in the west.
const HERE: u32 = 5 * COLUMN;
/// All turns of the westernmost column.
const WEST_END: u64 = 0b11_1111;
/// All turns of the easternmost column.
const EAST_END: u64 = WEST_END << (9 * COLUMN);
const SEEN: u64 = EAST_END | (EAST_END - 1);

/// The placements of a row that a unit has had, seen from where it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct VisitedPlacements(u64);

impl VisitedPlacements {
    /// A unit comes into a row with this turn.
    #[inline]
    pub(super) fn entering(turn: u32) -> Self {
        VisitedPlacements(1 << (HERE + turn))
    }

    /// After a command within the row that ends with `turn`; none if the unit has been there,
    /// or may have been.
    #[inline]
    pub(super) fn after(self, command: Command, turn: u32) -> Option<Self> {
        let seen = match command {
            Command::West => self.0 << COLUMN & SEEN | wall(self.0 & EAST_END, EAST_END),
            Command::East => self.0 >> COLUMN | wall(self.0 & WEST_END, WEST_END),
            _ => self.0,
        };
        let here = 1 << (HERE + turn);
        (seen & here == 0).then_some(VisitedPlacements(seen | here))
    }
}

/// The wall, if something slips out of sight.
#[inline]
fn wall(slipping: u64, wall: u64) -> u64 {
    if slipping == 0 { 0 } else { wall }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::random::Rng;

    #[test]
    fn no_placement_of_a_row_is_ever_repeated_and_short_ways_are_free() {
        let mut rng = Rng::new(6);
        for _ in 0..2_000 {
            let turns = [1, 2, 3, 6][rng.below(4)];
            let (mut x, mut turn) = (0, rng.below(turns));
            let (mut trail, mut been) =
                (VisitedPlacements::entering(turn as u32), HashSet::from([(x, turn)]));
            let mut least = 0;
            let mut greatest = 0;
            for _ in 0..60 {
                let (command, there) = match rng.below(4) {
                    0 => (Command::West, (x - 1, turn)),
                    1 => (Command::East, (x + 1, turn)),
                    2 => (Command::Clockwise, (x, (turn + 1) % turns)),
                    _ => (Command::CounterClockwise, (x, (turn + turns - 1) % turns)),
                };
                let after = trail.after(command, there.1 as u32);
                assert!(after.is_none() || !been.contains(&there));
                (least, greatest) = (there.0.min(least), there.0.max(greatest));
                // Within four columns all is seen.
                assert!(greatest - least > 4 || after.is_some() || been.contains(&there));
                let Some(next) = after else { continue };
                (trail, x, turn) = (next, there.0, there.1);
                been.insert(there);
            }
        }
    }
}
