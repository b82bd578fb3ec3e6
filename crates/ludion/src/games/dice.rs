//! Dice: a die is given a quarter turn, to a face that is neither on top nor below, and
//! that face is taken from the count. Who makes the count negative loses.

use crate::game::{Game, Side, Status};
use crate::listing::ListedGame;
use crate::notation::{ReadError, Reader};
use crate::outcome::Duel;
use crate::param::{Args, Param, ParamError};
use crate::scene::{Cell, Scene, Shape};

/// The rules: the count and the face on top at the start.
#[derive(Clone, Copy, Debug)]
pub struct Dice {
    /// The count at the start.
    pub count: i16,
    /// The face on top at the start, 1 to 6.
    pub face: u8,
}

/// The count, the face on top, and whose turn it is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct State {
    /// What is left; negative when the game is over.
    pub count: i16,
    /// The face on top, 1 to 6.
    pub face: u8,
    /// The side to move.
    pub turn: Side,
}

/// Whether a quarter turn brings `to` on top of a die that shows `from`: neither the same
/// face nor the opposite one, which makes seven with it.
#[inline]
fn is_quarter_turn(from: u8, to: u8) -> bool {
    to != from && to != 7 - from
}

impl Game for Dice {
    type State = State;
    /// The face turned up.
    type Move = u8;
    type Outcome = Duel;

    fn start(&self) -> State {
        State { count: self.count, face: self.face, turn: Side::First }
    }

    #[inline]
    fn status(&self, s: &State) -> Status<Duel> {
        if s.count < 0 { Status::Over(Duel::Won(s.turn)) } else { Status::Turn(s.turn) }
    }

    #[inline]
    fn moves(&self, s: &State, out: &mut Vec<u8>) {
        if s.count >= 0 {
            out.extend((1..=6).filter(|&to| is_quarter_turn(s.face, to)));
        }
    }

    #[inline]
    fn play(&self, s: &mut State, m: u8) {
        s.count -= i16::from(m);
        s.face = m;
        s.turn = s.turn.other();
    }

    #[inline]
    fn key(&self, s: &State) -> u64 {
        u64::from(s.count as u16) << 4 | u64::from(s.face) << 1 | s.turn as u64
    }

    fn show_state(&self, s: &State) -> String {
        format!("{} face {} {}", s.count, s.face, s.turn)
    }

    fn read_state(&self, text: &str) -> Result<State, ReadError> {
        let mut reader = Reader::new(text);
        let count = reader.number("the count", -6, self.count.into())? as i16;
        reader.expect(" face ")?;
        let face = reader.number("the face", 1, 6)? as u8;
        let turn = reader.side()?;
        reader.end()?;
        Ok(State { count, face, turn })
    }

    fn show_move(&self, _s: &State, m: u8) -> String {
        m.to_string()
    }

    /// The six faces in a row, the one on top marked.
    fn scene(&self, s: &State) -> Scene {
        let mut scene = Scene::grid(6, 1);
        for face in 1..=6 {
            scene.put(face_cell(face), None, Shape::Text(face.to_string()));
        }
        scene.marked.push(face_cell(s.face));
        scene.caption = format!("count {}, face {} on top", s.count, s.face);
        scene
    }

    fn touches(&self, _s: &State, m: u8) -> Vec<Cell> {
        vec![face_cell(m)]
    }
}

fn face_cell(face: u8) -> Cell {
    Cell::new(usize::from(face) - 1, 0)
}

impl ListedGame for Dice {
    const NAME: &'static str = "dice";
    const HELP: &'static str = "turn a die and take its face from the count; below zero loses";
    const PARAMS: &'static [Param] = &[
        Param::int("count", 31, 7, 100, "the count at the start"),
        Param::int("face", 1, 1, 6, "the face on top at the start"),
    ];
    const EXAMPLES: &'static [&'static str] = &["dice", "dice(7, 3)"];

    fn build(args: &Args) -> Result<Self, ParamError> {
        Ok(Dice { count: args.int("count") as i16, face: args.int("face") as u8 })
    }
}
