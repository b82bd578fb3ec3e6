//! Divide: two boxes of tokens. A move discards one box and splits the *other* into two
//! non-empty boxes. The side that cannot move, because both boxes hold one token, loses. A
//! position is lost for the side to move exactly if both boxes hold an odd number of tokens.
//!
//! The sorted variant keeps the smaller box on the left, so that splits which differ only
//! by order are one move.

use crate::erased::GameBuilder;
use crate::game::{Game, Side, Status};
use crate::named::NamedGame;
use crate::notation::{NotationError, NotationReader, heap_counts};
use crate::outcome::Duel;
use crate::param::{Args, Param, ParamError};
use crate::presentation::StrengthLevel;
use crate::scene::{Coord, Piece, PieceShape, Scene, Symmetry};

/// The most tokens that a box can hold, in any variant of the game.
const MOST: i64 = 1000;

/// The rules of Divide: the two boxes at the start, and whether they are kept sorted.
#[derive(Clone, Copy, Debug)]
pub struct Divide {
    /// The number of tokens in the left box (A) and the right box (B) at the start.
    pub boxes: [u16; 2],
    /// Whether the smaller box is kept on the left.
    pub sorted: bool,
}

/// The contents of the two boxes and the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct DivideState {
    /// The number of tokens in the left and the right box.
    pub boxes: [u16; 2],
    /// The side to move.
    pub turn: Side,
}

/// A move that discards one box and splits the other.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct DivideMove {
    /// The box that is discarded: 0 for the left box (A), 1 for the right box (B).
    pub discard: u8,
    /// The number of tokens of the other box that go into the new left box; the rest go into the
    /// new right box.
    pub left: u16,
}

impl Divide {
    /// Returns `boxes` with the smaller box on the left in the sorted variant, and unchanged
    /// otherwise.
    #[inline]
    fn sort_boxes(&self, boxes: [u16; 2]) -> [u16; 2] {
        if self.sorted && boxes[0] > boxes[1] { [boxes[1], boxes[0]] } else { boxes }
    }

    /// Returns the most tokens that can go into the new left box when box `discard` is discarded.
    #[inline]
    fn most_left(&self, s: &DivideState, discard: u8) -> u16 {
        let split = s.boxes[1 - usize::from(discard)];
        if self.sorted { split / 2 } else { split - 1 }
    }
}

impl Game for Divide {
    type State = DivideState;
    type Move = DivideMove;
    type Outcome = Duel;

    fn start(&self) -> DivideState {
        DivideState { boxes: self.sort_boxes(self.boxes), turn: Side::First }
    }

    #[inline]
    fn status(&self, s: &DivideState) -> Status<Duel> {
        if s.boxes == [1, 1] {
            Status::Over(Duel::Won(s.turn.other()))
        } else {
            Status::Turn(s.turn)
        }
    }

    #[inline]
    fn moves(&self, s: &DivideState, out: &mut Vec<DivideMove>) {
        for discard in [0, 1] {
            for left in 1..self.most_left(s, discard) + 1 {
                out.push(DivideMove { discard, left });
            }
        }
    }

    #[inline]
    fn count_moves(&self, s: &DivideState, _scratch: &mut Vec<DivideMove>) -> usize {
        usize::from(self.most_left(s, 0)) + usize::from(self.most_left(s, 1))
    }

    #[inline]
    fn play(&self, s: &mut DivideState, m: DivideMove) {
        let split = s.boxes[1 - usize::from(m.discard)];
        s.boxes = self.sort_boxes([m.left, split - m.left]);
        s.turn = s.turn.other();
    }

    #[inline]
    fn key(&self, s: &DivideState) -> u64 {
        u64::from(s.boxes[0]) << 17 | u64::from(s.boxes[1]) << 1 | s.turn as u64
    }

    #[inline]
    fn last_mover_wins(&self) -> bool {
        true
    }

    fn show_state(&self, s: &DivideState) -> String {
        format!("{},{} {}", s.boxes[0], s.boxes[1], s.turn)
    }

    fn read_state(&self, text: &str) -> Result<DivideState, NotationError> {
        let mut reader = NotationReader::new(text);
        let a = reader.number("the left box", 1, MOST)? as u16;
        reader.expect(",")?;
        let b = reader.number("the right box", 1, MOST)? as u16;
        let turn = reader.side()?;
        reader.end()?;
        if self.sorted && a > b {
            return Err(reader.whole("the smaller box belongs on the left in sorted divide"));
        }
        let most = self.boxes[0].max(self.boxes[1]);
        if a.max(b) > most {
            return Err(
                reader.whole(format!("no box can hold more than {most} tokens in this game"))
            );
        }
        Ok(DivideState { boxes: [a, b], turn })
    }

    /// Writes the box to discard and the number of tokens of the new left box: `A3` discards box A
    /// and puts three tokens of box B into the new left box.
    fn show_move(&self, _s: &DivideState, m: DivideMove) -> String {
        format!("{}{}", ["A", "B"][usize::from(m.discard)], m.left)
    }

    fn scene(&self, s: &DivideState) -> Scene {
        let room = self.boxes[0].max(self.boxes[1]).into();
        let mut scene = Scene::heaps(&s.boxes.map(usize::from), &[room, room], &PieceShape::Token);
        scene.columns = vec!["A".into(), "B".into()];
        scene.caption = format!("A holds {}, B holds {}", s.boxes[0], s.boxes[1]);
        scene
    }

    /// Returns the cell to click: in the box that is split, the last of the tokens that go into the
    /// new left box.
    fn touches(&self, _s: &DivideState, m: DivideMove) -> Vec<Coord> {
        vec![Coord::new(1 - usize::from(m.discard), usize::from(m.left) - 1)]
    }

    fn state_of_pieces(&self, pieces: &[Piece], turn: Side) -> Result<DivideState, NotationError> {
        let [a, b] = heap_counts(pieces);
        self.read_state(&format!("{a},{b} {turn}"))
    }

    fn symmetries(&self) -> Vec<Symmetry> {
        if self.sorted { Vec::new() } else { vec![Symmetry::Mirror] }
    }

    fn transform(&self, s: &DivideState, _mirror: Symmetry) -> DivideState {
        DivideState { boxes: [s.boxes[1], s.boxes[0]], turn: s.turn }
    }
}

/// Returns the registry entry of Divide.
#[must_use]
pub fn entry() -> GameBuilder<Divide> {
    GameBuilder::duel()
}

impl NamedGame for Divide {
    const NAME: &'static str = "divide";
    const TITLE: &'static str = "Divide";
    const RULES: &'static str = "There are two boxes of tokens. On your turn throw away one box and split the other one into \
        two boxes with at least one token each. If both boxes hold a single token you cannot move, \
        and you lose.";
    const LEVELS: &'static [StrengthLevel] = &[StrengthLevel::perfect_in(
        "deepening(secs=0)",
        &["divide", "divide(13, 17)", "divide(7, 17, sorted)"],
    )];
    const HELP: &'static str = "discard one box of tokens and split the other; who cannot, loses";
    const PARAMS: &'static [Param] = &[
        Param::int("a", 7, 1, MOST, "tokens in box A"),
        Param::int("b", 17, 1, MOST, "tokens in box B"),
        Param::flag("sorted", "the smaller box is kept on the left"),
    ];
    const EXAMPLES: &'static [&'static str] =
        &["divide", "divide(13, 17)", "divide(7, 17, sorted)"];

    fn build(args: &Args) -> Result<Self, ParamError> {
        let boxes = [args.size("a") as u16, args.size("b") as u16];
        Ok(Divide { boxes, sorted: args.flag("sorted") })
    }
}
