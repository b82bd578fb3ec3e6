//! Dice: a move gives a die a quarter turn, so that a new face is on top, and subtracts the number
//! of that face from a running count. The side that makes the count negative loses.

use crate::encoding::EncodingShape;
use crate::erased::GameBuilder;
use crate::game::{Game, Side, Status};
use crate::named::NamedGame;
use crate::notation::{NotationError, NotationReader};
use crate::outcome::Duel;
use crate::param::{Args, Param, ParamError};
use crate::presentation::StrengthLevel;
use crate::scene::{Coord, PieceShape, Scene};

/// The rules of Dice: the running count and the face on top at the start.
#[derive(Clone, Copy, Debug)]
pub struct Dice {
    /// The running count at the start, from which every move subtracts the new top face.
    pub count: i16,
    /// The face on top of the die at the start, 1 to 6.
    pub face: u8,
}

/// The running count, the face on top of the die, and the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct DiceState {
    /// The running count, from which every move subtracts the new top face; negative when the game
    /// is over.
    pub count: i16,
    /// The face on top of the die, 1 to 6.
    pub face: u8,
    /// The side to move.
    pub turn: Side,
}

/// Returns whether a quarter turn brings face `to` to the top of a die that shows `from`: any
/// face but `from` itself and the opposite one, `7 - from`.
#[inline]
fn is_quarter_turn(from: u8, to: u8) -> bool {
    to != from && to != 7 - from
}

impl Game for Dice {
    type State = DiceState;
    /// The face that the move turns to the top, 1 to 6.
    type Move = u8;
    type Outcome = Duel;

    fn start(&self) -> DiceState {
        DiceState { count: self.count, face: self.face, turn: Side::First }
    }

    #[inline]
    fn status(&self, s: &DiceState) -> Status<Duel> {
        if s.count < 0 { Status::Over(Duel::Won(s.turn)) } else { Status::Turn(s.turn) }
    }

    #[inline]
    fn moves(&self, s: &DiceState, out: &mut Vec<u8>) {
        if s.count >= 0 {
            for to in 1..7 {
                if is_quarter_turn(s.face, to) {
                    out.push(to);
                }
            }
        }
    }

    #[inline]
    fn count_moves(&self, s: &DiceState, _scratch: &mut Vec<u8>) -> usize {
        // All faces but the one on top and the one at the bottom.
        if s.count >= 0 { 4 } else { 0 }
    }

    #[inline]
    fn play(&self, s: &mut DiceState, m: u8) {
        s.count -= i16::from(m);
        s.face = m;
        s.turn = s.turn.other();
    }

    #[inline]
    fn key(&self, s: &DiceState) -> u64 {
        u64::from(s.count as u16) << 4 | u64::from(s.face) << 1 | s.turn as u64
    }

    fn show_state(&self, s: &DiceState) -> String {
        format!("{} face {} {}", s.count, s.face, s.turn)
    }

    fn read_state(&self, text: &str) -> Result<DiceState, NotationError> {
        let mut reader = NotationReader::new(text);
        let count = reader.number("the count", -6, self.count.into())? as i16;
        reader.expect(" face ")?;
        let face = reader.number("the face", 1, 6)? as u8;
        let turn = reader.side()?;
        reader.end()?;
        Ok(DiceState { count, face, turn })
    }

    fn show_move(&self, _s: &DiceState, m: u8) -> String {
        m.to_string()
    }

    /// Draws the six faces in a row and marks the one on top.
    fn scene(&self, s: &DiceState) -> Scene {
        let mut scene = Scene::grid(6, 1);
        for face in 1..=6 {
            scene.put(face_cell(face), None, PieceShape::die(face));
        }
        scene.marked.push(face_cell(s.face));
        scene.caption = format!("count {}, face {} on top", s.count, s.face);
        scene
    }

    fn touches(&self, _s: &DiceState, m: u8) -> Vec<Coord> {
        vec![face_cell(m)]
    }

    /// The plane is the face on top, the extras are the count, from 0, as a one-hot vector.
    fn encoding(&self) -> EncodingShape {
        let extras = usize::from(self.count.unsigned_abs()) + 1;
        EncodingShape { planes: 1, rows: 1, cols: 6, extras, actions: 6 }
    }

    fn features(&self, s: &DiceState, _seen_by: Side, out: &mut Vec<u32>) {
        out.push(u32::from(s.face) - 1);
        out.extend(u32::try_from(s.count).ok().map(|count| 6 + count));
    }

    fn actions(&self, _s: &DiceState, moves: &[u8], out: &mut Vec<u32>) {
        out.extend(moves.iter().map(|&face| u32::from(face) - 1));
    }
}

fn face_cell(face: u8) -> Coord {
    Coord::new(usize::from(face) - 1, 0)
}

/// Returns the registry entry of Dice.
#[must_use]
pub fn entry() -> GameBuilder<Dice> {
    GameBuilder::duel()
}

impl NamedGame for Dice {
    const NAME: &'static str = "dice";
    const TITLE: &'static str = "Dice";
    const RULES: &'static str = "A die lies on the table and there is a running count. On your turn tip the die over one of \
        its edges, so that a new face comes to the top, and subtract that face from the count. The \
        player who makes the count negative loses.";
    const LEVELS: &'static [StrengthLevel] =
        &[StrengthLevel::perfect_in("deepening(secs=0)", &["dice", "dice(7, 3)"])];
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
