//! The placement game: a move locks the unit at one of the places that it can reach and lock
//! at, found by breadth-first search. Placements that fill the same cells are one move. Points
//! are the move score; how the way there is spelled is no matter here.

use super::reach::{ReachBuffers, lockable};
use super::seeded_problem::{LockedState, PARAMS, SeededProblem, WORDS};
use super::unit::Placement;
use crate::erased::GameBuilder;
use crate::game::{Game, Side, Status};
use crate::named::NamedGame;
use crate::notation::{NotationError, NotationReader};
use crate::outcome::Points;
use crate::param::{Args, Param, ParamError};
use crate::scene::{Coord, Scene};

/// The rules: a problem with a seed.
#[derive(Clone, Debug)]
pub struct PlacementGame(pub SeededProblem);

impl Game for PlacementGame {
    type State = LockedState;
    type Move = Placement;
    type Outcome = Points;

    fn start(&self) -> LockedState {
        self.0.start()
    }

    #[inline]
    fn status(&self, s: &LockedState) -> Status<Points> {
        let over = self.0.is_over(s);
        if over { Status::Over(Points(s.points() as i64)) } else { Status::Turn(Side::First) }
    }

    fn moves(&self, s: &LockedState, out: &mut Vec<Placement>) {
        if self.0.is_over(s) {
            return;
        }
        let (mut seen, mut filled) = ([0; WORDS], [0u64; WORDS]);
        let unit = self.0.unit(s);
        let mut queue = [unit.spawn(); 64 * WORDS];
        let scratch = ReachBuffers { seen: &mut seen, queue: &mut queue };
        lockable(unit, self.0.rows(s), scratch, |at, _| {
            let look = unit.look(at);
            if filled[look / 64] >> (look % 64) & 1 == 0 {
                filled[look / 64] |= 1 << (look % 64);
                out.push(at);
            }
        });
    }

    #[inline]
    fn play(&self, s: &mut LockedState, m: Placement) {
        self.0.lock(s, m);
    }

    #[inline]
    fn key(&self, s: &LockedState) -> u64 {
        self.0.key(s)
    }

    fn show_state(&self, s: &LockedState) -> String {
        self.0.show(s)
    }

    fn read_state(&self, text: &str) -> Result<LockedState, NotationError> {
        let mut reader = NotationReader::new(text);
        let s = self.0.read(&mut reader)?;
        reader.end()?;
        Ok(s)
    }

    /// Column and row of the pivot, and the turn if there is one: `3.7`, `3.7r2`.
    fn show_move(&self, _s: &LockedState, m: Placement) -> String {
        let Placement { x, y, turn } = m;
        if turn == 0 { format!("{x}.{y}") } else { format!("{x}.{y}r{turn}") }
    }

    fn scene(&self, s: &LockedState) -> Scene {
        self.0.scene(s, self.0.unit(s).spawn())
    }

    /// All the cells that the unit fills.
    fn touches(&self, s: &LockedState, m: Placement) -> Vec<Coord> {
        let mut cells: Vec<Coord> =
            self.0.unit(s).cells(m).map(|(x, y)| Coord::new(x as usize, y as usize)).collect();
        cells.sort_unstable();
        cells
    }
}

/// Returns the registry's entry of this game.
#[must_use]
pub fn entry() -> GameBuilder<PlacementGame> {
    GameBuilder::puzzle()
}

impl NamedGame for PlacementGame {
    const NAME: &'static str = "hextris-placements";
    const HELP: &'static str = "hexagonal Tetris, a move being where the unit locks";
    const PARAMS: &'static [Param] = PARAMS;
    const EXAMPLES: &'static [&'static str] =
        &["hextris-placements", "hextris-placements(dot)", "hextris-placements(pair, seed=3)"];

    fn build(args: &Args) -> Result<Self, ParamError> {
        SeededProblem::build(args).map(PlacementGame)
    }
}
