//! The evaluator of Gomoku. A *window* is as many consecutive cells as win; it is open to a side if
//! the opponent has no stone on it. Windows of all places and one direction are counted at once.

use crate::evaluator::{Evaluator, WIN, expected_result};
use crate::game::Side;

use super::cells::CellSet;
use super::{Gomoku, GomokuState};

/// Evaluates a position by the stones on open windows, by windows that lack one stone, and by *forks*:
/// cells on which a stone makes two threats to win at once, such as the ends of an open three.
#[derive(Clone, Copy, Debug)]
pub struct ThreatEvaluator;

/// What the stones of one side can become.
struct SideThreats {
    /// The sum of the values of its open windows.
    potential: i32,
    /// The cells on which its next stone wins.
    wins: CellSet,
    /// Whether it has a fork.
    has_fork: bool,
}

/// The value of an open window by the number of stones that it lacks, from 1 on; 0 if it lacks more.
const WINDOW_VALUES: [i32; 4] = [60, 20, 5, 1];

impl ThreatEvaluator {
    fn side_threats(g: &Gomoku, s: &GomokuState, side: Side) -> SideThreats {
        let (mine, empty) = (s.stones(side), g.empty(s));
        let (open, length) = (mine | empty, g.length);
        let (mut potential, mut has_fork, mut may_win) = (0, false, false);
        let mut fours = CellSet::EMPTY;
        for step in g.steps() {
            // Bit planes of the number of stones that the window from a cell on lacks. Numbers from
            // 4 on are not told apart.
            let (mut ones, mut twos, mut many) = (CellSet::EMPTY, CellSet::EMPTY, CellSet::EMPTY);
            let (mut inside, mut lacking) = (!CellSet::EMPTY, empty);
            let mut cells = open;
            for _ in 0..length {
                inside = inside & cells;
                let carry = ones & lacking;
                ones = (ones | lacking) & !carry;
                many = many | (twos & carry);
                twos = (twos | carry) & !(twos & carry);
                (cells, lacking) = (cells.down(step), lacking.down(step));
            }
            let few = inside & !many;
            let lack = [few & ones & !twos, few & twos & !ones, few & ones & twos];
            for (windows, value) in lack.iter().zip(WINDOW_VALUES) {
                potential += value * windows.count() as i32;
            }
            potential += WINDOW_VALUES[3] * (inside & many).count() as i32;
            may_win |= !lack[0].is_empty();
            // Forks are made of windows that lack two stones.
            if lack[1].is_empty() {
                continue;
            }
            // The cells where a stone makes a window that lacks one.
            let mut near = CellSet::EMPTY;
            let mut windows = lack[1];
            for _ in 0..length {
                near = near | windows;
                windows = windows.up(step);
            }
            near = near & empty;
            has_fork |= !(fours & near).is_empty() || Self::has_open_three(g, mine, empty, step);
            fours = fours | near;
        }
        let wins = if may_win { g.winning_cells(mine, empty) } else { CellSet::EMPTY };
        SideThreats { potential, wins, has_fork }
    }

    /// Returns whether a stone can make an open row that lacks one stone at both ends.
    fn has_open_three(g: &Gomoku, mine: CellSet, empty: CellSet, step: usize) -> bool {
        // The cells that follow an empty cell and then exactly so many stones, and those before.
        let mut after = [CellSet::EMPTY; super::MAX_SIZE];
        after[0] = empty.up(step);
        for length in 1..g.length - 1 {
            after[length] = (mine & after[length - 1]).up(step);
        }
        let mut before = empty.down(step);
        for length in 0..g.length - 1 {
            if !(before & after[g.length - 2 - length] & empty).is_empty() {
                return true;
            }
            before = (mine & before).down(step);
        }
        false
    }
}

impl Evaluator<Gomoku> for ThreatEvaluator {
    fn value(&self, g: &Gomoku, s: &GomokuState) -> i32 {
        let turn = s.turn();
        let [mine, theirs] = [turn, turn.other()].map(|side| Self::side_threats(g, s, side));
        let urgent = match (mine.wins.is_empty(), theirs.wins.count()) {
            (false, _) => WIN / 2,
            (true, 2..) => -WIN / 2,
            (true, 1) => {
                if theirs.has_fork {
                    -600
                } else {
                    -60
                }
            }
            (true, 0) if mine.has_fork => WIN / 4,
            (true, 0) => {
                if theirs.has_fork {
                    -200
                } else {
                    20
                }
            }
        };
        (mine.potential - theirs.potential + urgent).clamp(1 - WIN, WIN - 1)
    }

    fn expected_result(&self, g: &Gomoku, s: &GomokuState) -> f64 {
        expected_result(self.value(g, s), 400.0)
    }
}
