//! Nine Men's Morris. The sides place nine men each on the 24 points of the board, one in turn, and
//! then move a man along a line to the next point. Three men of a side on one line are a mill. A side
//! that closes a mill takes a man of the opponent that is in no mill, or any if all are in mills;
//! this is a second move of the same side. With three men left a side may move a man to any empty
//! point. A side with two men left, or without a move, has lost. The third occurrence of a position
//! is a draw. (Rules of the World Nine Men's Morris Federation; R. Gasser, "Solving Nine Men's
//! Morris", 1996, proved the game a draw.)

mod board;
mod evaluator;
mod notation;

use crate::encoding::EncodingShape;
use crate::erased::GameBuilder;
use crate::game::{Game, Side, Status};
use crate::named::NamedGame;
use crate::notation::NotationError;
use crate::outcome::Duel;
use crate::param::{Args, Param, ParamError};
use crate::random::Rng;
use crate::repetition::RepetitionRule;
use crate::scene::{Coord, Piece, PieceShape, Scene, Symmetry};

use super::bits::bits;
use board::{LINES, NEXT, POINTS, SIZE, coord, image, in_mill, place, point_name};
pub use evaluator::MillEvaluator;
/// Number of men of a side at the start.
const MEN: u8 = 9;
/// Number of plies after which a random game is drawn.
const MAX_PLAYOUT_PLIES: u32 = 200;
/// Stands for no point in a move.
const NO_POINT: u8 = POINTS as u8;

/// The rules of Nine Men's Morris.
#[derive(Clone, Copy, Debug)]
pub struct Morris {
    /// Whether a side with three men may move to any empty point.
    flying: bool,
}

/// A state of Nine Men's Morris.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct MorrisState {
    /// The men of each side on the board, as bits in the order of the points.
    men: [u32; 2],
    /// Number of men that each side has still to place.
    hand: [u8; 2],
    turn: Side,
    /// Whether the side to move has closed a mill and takes a man.
    takes: bool,
}

/// A move: a man goes from one point to another. Placing a man has no source, taking one no target.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct MorrisMove {
    from: u8,
    to: u8,
}

impl Morris {
    #[inline]
    fn empty(s: &MorrisState) -> u32 {
        !(s.men[0] | s.men[1]) & ((1 << POINTS) - 1)
    }

    /// Returns the men that the side to move may take.
    #[inline]
    fn takeable(s: &MorrisState) -> u32 {
        let theirs = s.men[s.turn.other().index()];
        let free = bits(theirs.into()).filter(|&point| !in_mill(theirs, point));
        let free: u32 = free.map(|point| 1 << point).sum();
        if free == 0 { theirs } else { free }
    }

    /// Returns the points to which the man on `point` may move.
    #[inline]
    fn targets(&self, s: &MorrisState, point: u8) -> u32 {
        let flies = self.flying && s.men[s.turn.index()].count_ones() <= 3;
        Morris::empty(s) & if flies { u32::MAX } else { NEXT[usize::from(point)] }
    }

    /// Calls `visit` with each move of the side to move.
    #[inline]
    fn each_move(&self, s: &MorrisState, mut visit: impl FnMut(MorrisMove)) {
        let mine = s.turn.index();
        if s.takes {
            bits(Morris::takeable(s).into())
                .for_each(|from| visit(MorrisMove { from, to: NO_POINT }));
        } else if s.hand[mine] > 0 {
            bits(Morris::empty(s).into()).for_each(|to| visit(MorrisMove { from: NO_POINT, to }));
        } else if !Morris::is_reduced(s, s.turn) {
            for from in bits(s.men[mine].into()) {
                bits(self.targets(s, from).into()).for_each(|to| visit(MorrisMove { from, to }));
            }
        }
    }

    /// Returns whether a side has fewer than three men, on the board and to place.
    #[inline]
    fn is_reduced(s: &MorrisState, side: Side) -> bool {
        s.men[side.index()].count_ones() + u32::from(s.hand[side.index()]) < 3
    }

    /// Returns whether the side to move, which takes nothing now, can move.
    #[inline]
    fn can_move(&self, s: &MorrisState) -> bool {
        let mine = s.turn.index();
        s.hand[mine] > 0
            || !Morris::is_reduced(s, s.turn)
                && bits(s.men[mine].into()).any(|point| self.targets(s, point) != 0)
    }
}

impl Game for Morris {
    type State = MorrisState;
    type Move = MorrisMove;
    type Outcome = Duel;

    fn start(&self) -> MorrisState {
        MorrisState { men: [0; 2], hand: [MEN; 2], turn: Side::First, takes: false }
    }

    #[inline]
    fn status(&self, s: &MorrisState) -> Status<Duel> {
        if s.takes || self.can_move(s) {
            Status::Turn(s.turn)
        } else {
            Status::Over(Duel::Won(s.turn.other()))
        }
    }

    #[inline]
    fn moves(&self, s: &MorrisState, out: &mut Vec<MorrisMove>) {
        self.each_move(s, |m| out.push(m));
    }

    #[inline]
    fn play(&self, s: &mut MorrisState, m: MorrisMove) {
        let (mine, theirs) = (s.turn.index(), s.turn.other().index());
        if m.to == NO_POINT {
            s.men[theirs] ^= 1 << m.from;
            s.takes = false;
        } else {
            if m.from == NO_POINT {
                s.hand[mine] -= 1;
            } else {
                s.men[mine] ^= 1 << m.from;
            }
            s.men[mine] |= 1 << m.to;
            s.takes = in_mill(s.men[mine], m.to);
        }
        if !s.takes {
            s.turn = s.turn.other();
        }
    }

    #[inline]
    fn key(&self, s: &MorrisState) -> u64 {
        let hand = u64::from(s.hand[0]) << 4 | u64::from(s.hand[1]);
        let flags = (s.turn as u64) << 1 | u64::from(s.takes);
        u64::from(s.men[0]) << 34 | u64::from(s.men[1]) << 10 | hand << 2 | flags
    }

    #[inline]
    fn repetition_rule(&self) -> RepetitionRule<Duel> {
        RepetitionRule::Ends { occurrences: 3, outcome: Duel::Drawn }
    }

    /// A man that is placed or taken never goes back.
    #[inline]
    fn reversible_plies(&self, s: &MorrisState) -> usize {
        if s.takes || s.hand != [0; 2] { 0 } else { usize::MAX }
    }

    #[inline]
    fn count_moves(&self, s: &MorrisState, _scratch: &mut Vec<MorrisMove>) -> usize {
        let mut count = 0;
        self.each_move(s, |_| count += 1);
        count
    }

    /// Plays random moves without looking for repetitions; a game of [`MAX_PLAYOUT_PLIES`] plies is
    /// drawn.
    fn playout(&self, mut s: MorrisState, rng: &mut Rng, scratch: &mut Vec<MorrisMove>) -> Duel {
        let base = scratch.len();
        for _ in 0..MAX_PLAYOUT_PLIES {
            self.moves(&s, scratch);
            if scratch.len() == base {
                return Duel::Won(s.turn.other());
            }
            let m = scratch[base + rng.below(scratch.len() - base)];
            scratch.truncate(base);
            self.play(&mut s, m);
        }
        Duel::Drawn
    }

    #[inline]
    fn slot(&self, m: MorrisMove) -> usize {
        usize::from(m.from) * (POINTS + 1) + usize::from(m.to)
    }

    fn show_state(&self, s: &MorrisState) -> String {
        self.state_text(s)
    }

    fn read_state(&self, text: &str) -> Result<MorrisState, NotationError> {
        self.parse_state(text)
    }

    fn state_of_pieces(&self, pieces: &[Piece], turn: Side) -> Result<MorrisState, NotationError> {
        self.put_up(pieces, turn)
    }

    /// Writes `d6` for placing, `d6-d7` for moving and `xd6` for taking.
    fn show_move(&self, _s: &MorrisState, m: MorrisMove) -> String {
        match (m.from, m.to) {
            (NO_POINT, to) => point_name(to),
            (from, NO_POINT) => format!("x{}", point_name(from)),
            (from, to) => format!("{}-{}", point_name(from), point_name(to)),
        }
    }

    fn scene(&self, s: &MorrisState) -> Scene {
        let mut scene = Scene::grid(SIZE, SIZE);
        scene.name_like_chess();
        scene.lines = LINES.iter().map(|&[a, _, c]| [a, c].map(coord)).collect();
        for side in Side::BOTH {
            for point in bits(s.men[side.index()].into()) {
                scene.put(coord(point), Some(side), PieceShape::Disc);
            }
        }
        scene.caption = match (s.takes, s.hand) {
            (true, _) => format!("{} closed a mill and takes a man", s.turn),
            (false, [0, 0]) => String::new(),
            (false, [first, second]) => format!("to place: {first} and {second} men"),
        };
        scene
    }

    fn side_names(&self) -> [&'static str; 2] {
        ["White", "Black"]
    }

    fn touches(&self, _s: &MorrisState, m: MorrisMove) -> Vec<Coord> {
        [m.from, m.to].into_iter().filter(|&p| p != NO_POINT).map(coord).collect()
    }

    fn symmetries(&self) -> Vec<Symmetry> {
        Symmetry::SQUARE.to_vec()
    }

    fn transform(&self, s: &MorrisState, symmetry: Symmetry) -> MorrisState {
        let image = |men: u32| bits(men.into()).map(|p| 1 << image(p, symmetry)).sum();
        MorrisState { men: s.men.map(image), ..*s }
    }

    /// Planes of own and other men; then the men that each has to place, and whether a man is taken.
    fn encoding(&self) -> EncodingShape {
        let extras = 2 * (usize::from(MEN) + 1) + 1;
        EncodingShape {
            planes: 2,
            rows: SIZE,
            cols: SIZE,
            extras,
            actions: (POINTS + 1) * (POINTS + 1),
        }
    }

    fn features(&self, s: &MorrisState, seen_by: Side, out: &mut Vec<u32>) {
        let (sides, cells) = ([seen_by, seen_by.other()], SIZE * SIZE);
        for (plane, side) in sides.into_iter().enumerate() {
            out.extend(bits(s.men[side.index()].into()).map(|point| {
                let (x, y) = place(point);
                (plane * cells + SIZE * y + x) as u32
            }));
        }
        let room = usize::from(MEN) + 1;
        for (i, side) in sides.into_iter().enumerate() {
            out.push((2 * cells + i * room + usize::from(s.hand[side.index()])) as u32);
        }
        out.extend(s.takes.then_some((2 * cells + 2 * room) as u32));
    }

    fn actions(&self, _s: &MorrisState, moves: &[MorrisMove], out: &mut Vec<u32>) {
        out.extend(moves.iter().map(|&m| self.slot(m) as u32));
    }
}

/// Returns the registry entry of Nine Men's Morris, with the evaluator `mills`.
#[must_use]
pub fn entry() -> GameBuilder<Morris> {
    GameBuilder::duel().evaluator("mills", "men, mills and the freedom to move", MillEvaluator)
}

impl NamedGame for Morris {
    const NAME: &'static str = "morris";
    const TITLE: &'static str = "Nine Men's Morris";
    const RULES: &'static str = "Place nine men each on the points of the board, in turn, then move them along the lines. \
        Three men on a line are a mill: take one of your opponent's men that is not in a mill. With \
        three men left you may jump to any point. A player with two men left, or without a move, \
        loses.";
    const HELP: &'static str = "Nine Men's Morris: place, move, and take a man for every mill";
    const PARAMS: &'static [Param] =
        &[Param::choice("three", &["fly", "walk"], "how a side with three men moves")];
    const EXAMPLES: &'static [&'static str] = &["morris", "morris(three=walk)"];

    fn build(args: &Args) -> Result<Self, ParamError> {
        Ok(Morris { flying: args.text("three") == "fly" })
    }
}
