//! The command game: a move is one of the six commands, as in a solution. A command to a placement
//! where the unit does not fit locks it; a command that repeats a placement is illegal.
//!
//! There is always a legal move: the pivot never rises, so a move down leads to a new placement or
//! locks the unit.

use super::commands::{Command, DecodedChar};
use super::seeded_problem::{HextrisState, PARAMS, SLOT_WORDS, SeededProblem};
use super::unit::Placement;
use ludion_core::game::{Game, Side, Status};
use ludion_core::named::NamedGame;
use ludion_core::notation::{NotationError, NotationReader, read_shown_move};
use ludion_core::outcome::Points;
use ludion_core::param::{Args, Param, ParamError};
use ludion_core::random::mix;
use ludion_core::scene::{Coord, PieceShape, Scene, SceneLayout};

/// Hexagonal Tetris with one move for each command.
#[derive(Clone, Debug)]
pub struct CommandGame(pub SeededProblem);

/// State of the command game: the board, the unit's placement, and its earlier placements.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct CommandState {
    base: HextrisState,
    at: Placement,
    seen: [u64; SLOT_WORDS],
}

/// Symbol of each command, drawn on the cell below the board that users touch to give it.
const ARROWS: [&str; 6] = ["←", "→", "↙", "↘", "↻", "↺"];

impl CommandGame {
    /// Returns the state in which the next unit of `base` has just appeared.
    fn spawned(&self, base: HextrisState) -> CommandState {
        let unit = self.0.unit(&base);
        let (at, mut seen) = (unit.spawn(), [0; SLOT_WORDS]);
        if !self.0.is_over(&base) {
            let slot = unit.slot(at);
            seen[slot / 64] |= 1 << (slot % 64);
        }
        CommandState { base, at, seen }
    }

    #[inline]
    fn is_legal(&self, s: &CommandState, m: Command) -> bool {
        let unit = self.0.unit(&s.base);
        let to = unit.step(s.at, m);
        !unit.fits(self.0.rows(&s.base), to) || {
            let slot = unit.slot(to);
            s.seen[slot / 64] >> (slot % 64) & 1 == 0
        }
    }

    /// Returns the cell below the board that users touch to give a command.
    fn button(&self, m: Command) -> Coord {
        let width = self.0.problem().width();
        Coord::new(m.index() % width, self.0.problem().height() + m.index() / width)
    }

    fn read_unit(
        &self,
        reader: &mut NotationReader<'_>,
        mut s: CommandState,
    ) -> Result<CommandState, NotationError> {
        let unit = self.0.unit(&s.base);
        reader.expect(" at ")?;
        let x = reader.number("the column of the pivot", -9_999, 9_999)? as i16;
        reader.expect(".")?;
        let y = reader.number("the row of the pivot", -9_999, 9_999)? as i16;
        reader.expect("r")?;
        let turn = reader.number("the turn", 0, i64::from(unit.turns()) - 1)? as u8;
        s.at = Placement { x, y, turn };
        if self.0.is_over(&s.base) || !unit.fits(self.0.rows(&s.base), s.at) {
            return Err(reader.whole("the unit does not fit there"));
        }
        s.seen = [0; SLOT_WORDS];
        reader.expect(" seen")?;
        while !reader.is_at_end() {
            reader.expect(" ")?;
            let slot = reader.number("a place", 0, unit.slots() as i64 - 1)? as usize;
            if unit.placement(slot).y > y {
                return Err(reader.error("the unit cannot have been lower than it is"));
            }
            s.seen[slot / 64] |= 1 << (slot % 64);
        }
        Ok(s)
    }
}

impl Game for CommandGame {
    type State = CommandState;
    type Move = Command;
    type Outcome = Points;

    fn start(&self) -> CommandState {
        self.spawned(self.0.start())
    }

    fn status(&self, s: &CommandState) -> Status<Points> {
        let over = self.0.is_over(&s.base);
        let points = s.base.points() as i64;
        if over { Status::Over(Points(points)) } else { Status::Turn(Side::First) }
    }

    fn points_so_far(&self, s: &CommandState) -> Option<i64> {
        Some(s.base.points() as i64)
    }

    fn moves(&self, s: &CommandState, out: &mut Vec<Command>) {
        if !self.0.is_over(&s.base) {
            out.extend(Command::ALL.into_iter().filter(|&m| self.is_legal(s, m)));
        }
    }

    #[inline]
    fn play(&self, s: &mut CommandState, m: Command) {
        let unit = self.0.unit(&s.base);
        let to = unit.step(s.at, m);
        if unit.fits(self.0.rows(&s.base), to) {
            let slot = unit.slot(to);
            s.seen[slot / 64] |= 1 << (slot % 64);
            s.at = to;
        } else {
            let mut base = s.base;
            self.0.lock(&mut base, s.at);
            *s = self.spawned(base);
        }
    }

    #[inline]
    fn key(&self, s: &CommandState) -> u64 {
        let Placement { x, y, turn } = s.at;
        let at = (x as u16 as u64) << 32 | (y as u16 as u64) << 16 | u64::from(turn);
        let words = self.0.unit(&s.base).slots().div_ceil(64);
        s.seen[..words].iter().fold(mix(self.0.key(&s.base) ^ at), |key, word| mix(key ^ word))
    }

    #[inline]
    fn slot(&self, m: Command) -> usize {
        m.index()
    }

    /// Formats the board, the unit's placement, and the placements that the unit has had. If the
    /// unit has just appeared, only the board is written.
    fn show_state(&self, s: &CommandState) -> String {
        let mut text = self.0.show(&s.base);
        if *s != self.spawned(s.base) {
            let Placement { x, y, turn } = s.at;
            text += &format!(" at {x}.{y}r{turn} seen");
            for slot in
                (0..64 * SLOT_WORDS).filter(|slot| s.seen[slot / 64] >> (slot % 64) & 1 == 1)
            {
                text += &format!(" {slot}");
            }
        }
        text
    }

    fn read_state(&self, text: &str) -> Result<CommandState, NotationError> {
        let mut reader = NotationReader::new(text);
        let s = self.spawned(self.0.read(&mut reader)?);
        if reader.is_at_end() { Ok(s) } else { self.read_unit(&mut reader, s) }
    }

    /// Formats a command as the first of its six characters.
    fn show_move(&self, _s: &CommandState, m: Command) -> String {
        m.characters()[..1].to_owned()
    }

    /// Reads a command given as any of its six characters, in upper or lower case.
    fn read_move(&self, s: &CommandState, text: &str) -> Result<Command, NotationError> {
        match text.trim().as_bytes() {
            &[byte] => match DecodedChar::from_byte(byte) {
                DecodedChar::Command(m) if !self.0.is_over(&s.base) && self.is_legal(s, m) => Ok(m),
                _ => read_shown_move(self, s, text),
            },
            _ => read_shown_move(self, s, text),
        }
    }

    /// Draws the board, and below it one cell for each command, which users touch to give it.
    fn scene(&self, s: &CommandState) -> Scene {
        let mut scene = self.0.scene(&s.base, s.at);
        let buttons = Command::ALL.len().div_ceil(self.0.problem().width());
        if let SceneLayout::Hexagons { rows, .. } = &mut scene.layout {
            *rows += buttons as u16;
        }
        scene.rows.extend(vec!["keys".to_owned(); buttons]);
        for m in Command::ALL {
            scene.put(self.button(m), None, PieceShape::Text(ARROWS[m.index()].to_owned()));
        }
        let keys = Command::ALL.map(|m| format!("{} {}", &m.characters()[..1], ARROWS[m.index()]));
        scene.caption += &format!("; keys: {}", keys.join(" "));
        scene
    }

    fn touches(&self, _s: &CommandState, m: Command) -> Vec<Coord> {
        vec![self.button(m)]
    }
}

impl NamedGame for CommandGame {
    const NAME: &'static str = "hextris";
    const TITLE: &'static str = "Hexagonal Tetris";
    const RULES: &'static str = "Steer a falling unit with six commands: west, east, southwest, southeast, and turns in both \
        directions. A command that does not fit locks the unit. Full rows disappear and give points. \
        The game ends when the next unit has no room.";
    const HELP: &'static str =
        "hexagonal Tetris, command by command; the first key of each: p b a l d k";
    const PARAMS: &'static [Param] = PARAMS;
    const EXAMPLES: &'static [&'static str] =
        &["hextris", "hextris(turning)", "hextris(well, seed=7)"];

    fn build(args: &Args) -> Result<Self, ParamError> {
        SeededProblem::build(args).map(CommandGame)
    }
}
