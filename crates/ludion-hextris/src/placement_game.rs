//! The placement game: a move locks the unit at one of its reachable placements, found by
//! breadth-first search. Placements that cover the same cells are one move. Only locks earn points;
//! phrases are not part of this game.
//!
//! A unit can lock at a placement if some command leads from there to a placement where it does not
//! fit. Reaching a placement never requires repeating another one, so the rule against repetition
//! does not matter here.

use super::board::RowCells;
use super::commands::Command;
use super::seeded_problem::{HextrisState, PARAMS, SLOT_WORDS, SeededProblem};
use super::unit::Placement;
use super::unit::Unit;
use ludion_core::game::{Game, Side, Status};
use ludion_core::named::NamedGame;
use ludion_core::notation::{NotationError, NotationReader};
use ludion_core::outcome::Points;
use ludion_core::param::{Args, Param, ParamError};
use ludion_core::scene::{Coord, Scene};

/// Hexagonal Tetris with one move for each unit: the placement at which it locks.
#[derive(Clone, Debug)]
pub struct PlacementGame(pub SeededProblem);

impl Game for PlacementGame {
    type State = HextrisState;
    type Move = Placement;
    type Outcome = Points;

    fn start(&self) -> HextrisState {
        self.0.start()
    }

    #[inline]
    fn status(&self, s: &HextrisState) -> Status<Points> {
        let over = self.0.is_over(s);
        if over { Status::Over(Points(s.points() as i64)) } else { Status::Turn(Side::First) }
    }

    fn points_so_far(&self, s: &HextrisState) -> Option<i64> {
        Some(s.points() as i64)
    }

    fn moves(&self, s: &HextrisState, out: &mut Vec<Placement>) {
        if self.0.is_over(s) {
            return;
        }
        let (mut seen, mut filled) = ([0; SLOT_WORDS], [0u64; SLOT_WORDS]);
        let unit = self.0.unit(s);
        let mut queue = [unit.spawn(); 64 * SLOT_WORDS];
        let scratch = LockSearchBuffers { seen: &mut seen, queue: &mut queue };
        find_lockable(unit, self.0.rows(s), scratch, |at, _| {
            let footprint = unit.footprint(at);
            if filled[footprint / 64] >> (footprint % 64) & 1 == 0 {
                filled[footprint / 64] |= 1 << (footprint % 64);
                out.push(at);
            }
        });
    }

    #[inline]
    fn play(&self, s: &mut HextrisState, m: Placement) {
        self.0.lock(s, m);
    }

    #[inline]
    fn key(&self, s: &HextrisState) -> u64 {
        self.0.key(s)
    }

    fn show_state(&self, s: &HextrisState) -> String {
        self.0.show(s)
    }

    fn read_state(&self, text: &str) -> Result<HextrisState, NotationError> {
        let mut reader = NotationReader::new(text);
        let s = self.0.read(&mut reader)?;
        reader.end()?;
        Ok(s)
    }

    /// Formats column and row of the pivot, and the turn unless it is 0, as in `3.7` and `3.7r2`.
    fn show_move(&self, _s: &HextrisState, m: Placement) -> String {
        let Placement { x, y, turn } = m;
        if turn == 0 { format!("{x}.{y}") } else { format!("{x}.{y}r{turn}") }
    }

    fn scene(&self, s: &HextrisState) -> Scene {
        self.0.scene(s, self.0.unit(s).spawn())
    }

    /// Returns all cells that the unit covers at the placement `m`.
    fn touches(&self, s: &HextrisState, m: Placement) -> Vec<Coord> {
        let mut cells: Vec<Coord> =
            self.0.unit(s).cells(m).map(|(x, y)| Coord::new(x as usize, y as usize)).collect();
        cells.sort_unstable();
        cells
    }
}

impl NamedGame for PlacementGame {
    const NAME: &'static str = "hextris-placements";
    const TITLE: &'static str = "Hexagonal Tetris, placements";
    const RULES: &'static str = "Choose where the falling unit locks, among all places that it can reach. Full rows disappear \
        and give points. The game ends when the next unit has no room.";
    const HELP: &'static str = "hexagonal Tetris, a move being where the unit locks";
    const PARAMS: &'static [Param] = PARAMS;
    const EXAMPLES: &'static [&'static str] =
        &["hextris-placements", "hextris-placements(dot)", "hextris-placements(pair, seed=3)"];

    fn build(args: &Args) -> Result<Self, ParamError> {
        SeededProblem::build(args).map(PlacementGame)
    }
}

/// Memory for the breadth-first search of [`find_lockable`].
#[derive(Debug)]
pub struct LockSearchBuffers<'a> {
    /// One bit for each index of a placement, [`Unit::slot`]; all must be 0 at the start.
    pub seen: &'a mut [u64],
    /// Space for [`Unit::slots`] placements; the initial content does not matter.
    pub queue: &'a mut [Placement],
}

/// Calls `found` with every placement where `unit` can lock, and with the first command that locks
/// it there; the placements nearest to the spawn come first. The unit must fit at its spawn.
pub fn find_lockable(
    unit: &Unit,
    rows: &[RowCells],
    scratch: LockSearchBuffers<'_>,
    mut found: impl FnMut(Placement, Command),
) {
    let LockSearchBuffers { seen, queue } = scratch;
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
