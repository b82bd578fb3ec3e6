//! Nine Men's Morris. The sides place nine men each on the 24 points of the board, one in turn, and
//! then move a man along a line to the next point. Three men of a side on one line are a mill. A side
//! that closes a mill takes a man of the opponent that is in no mill, or any if all are in mills;
//! this is a second move of the same side. With three men left a side may move a man to any empty
//! point. A side with two men left, or without a move, has lost. The third occurrence of a position
//! is a draw. (Rules of the World Nine Men's Morris Federation; R. Gasser, "Solving Nine Men's
//! Morris", 1996, proved the game a draw.)

use crate::encoding::EncodingShape;
use crate::erased::GameBuilder;
use crate::evaluator::{Evaluator, WIN, expected_result};
use crate::game::{Game, Side, Status};
use crate::named::NamedGame;
use crate::notation::{NotationError, NotationReader};
use crate::outcome::Duel;
use crate::param::{Args, Param, ParamError};
use crate::random::Rng;
use crate::repetition::RepetitionRule;
use crate::scene::{Coord, PieceShape, Scene, Symmetry, cell_name};

use super::bits::bits;

/// Number of points of the board.
const POINTS: usize = 24;
/// Number of men of a side at the start.
const MEN: u8 = 9;
/// Number of rows and columns of the picture.
const SIZE: usize = 7;
/// Number of plies after which a random game is drawn.
const MAX_PLAYOUT_PLIES: u32 = 200;
/// Stands for no point in a move.
const NO_POINT: u8 = POINTS as u8;

/// The column and the row of each point in the picture, row by row from the top left.
#[rustfmt::skip]
const PLACES: [(u8, u8); POINTS] = [
    (0, 0), (3, 0), (6, 0), (1, 1), (3, 1), (5, 1), (2, 2), (3, 2), (4, 2), (0, 3), (1, 3), (2, 3),
    (4, 3), (5, 3), (6, 3), (2, 4), (3, 4), (4, 4), (1, 5), (3, 5), (5, 5), (0, 6), (3, 6), (6, 6),
];

/// The lines of the board; the middle point of each is next to the other two.
#[rustfmt::skip]
const LINES: [[u8; 3]; 16] = [
    [0, 1, 2], [3, 4, 5], [6, 7, 8], [9, 10, 11], [12, 13, 14], [15, 16, 17], [18, 19, 20],
    [21, 22, 23], [0, 9, 21], [3, 10, 18], [6, 11, 15], [1, 4, 7], [16, 19, 22], [8, 12, 17],
    [5, 13, 20], [2, 14, 23],
];

/// The points next to each point.
const NEXT: [u32; POINTS] = next_points();
/// The other two points of each line through a point; every point is on two lines.
const MILLS: [[u32; 2]; POINTS] = mills();

const fn next_points() -> [u32; POINTS] {
    let mut next = [0; POINTS];
    let mut i = 0;
    while i < LINES.len() {
        let [a, b, c] = LINES[i];
        next[a as usize] |= 1 << b;
        next[b as usize] |= 1 << a | 1 << c;
        next[c as usize] |= 1 << b;
        i += 1;
    }
    next
}

const fn mills() -> [[u32; 2]; POINTS] {
    let (mut mills, mut count) = ([[0; 2]; POINTS], [0; POINTS]);
    let mut i = 0;
    while i < 3 * LINES.len() {
        let (line, point) = (LINES[i / 3], LINES[i / 3][i % 3] as usize);
        mills[point][count[point]] = (1 << line[0] | 1 << line[1] | 1 << line[2]) & !(1 << point);
        count[point] += 1;
        i += 1;
    }
    mills
}

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

/// Returns whether a man on `point` is in a mill of `men`.
#[inline]
fn in_mill(men: u32, point: u8) -> bool {
    MILLS[usize::from(point)].iter().any(|&others| others & !men == 0)
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

    fn place(point: u8) -> (usize, usize) {
        let (x, y) = PLACES[usize::from(point)];
        (x.into(), y.into())
    }

    fn point_name(point: u8) -> String {
        let (x, y) = Morris::place(point);
        cell_name(x, y, SIZE)
    }

    fn coord(point: u8) -> Coord {
        let (x, y) = Morris::place(point);
        Coord::new(x, y)
    }

    fn image(point: u8, symmetry: Symmetry) -> u8 {
        let (x, y) = symmetry.point(Morris::place(point), SIZE, SIZE);
        let found = PLACES.iter().position(|&place| place == (x as u8, y as u8));
        found.expect("a symmetry of the board maps points to points") as u8
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
        let mut text = String::new();
        for point in 0..NO_POINT {
            if point > 0 && PLACES[usize::from(point)].1 != PLACES[usize::from(point) - 1].1 {
                text.push('/');
            }
            let owner = Side::BOTH.into_iter().find(|side| s.men[side.index()] >> point & 1 == 1);
            text.push(owner.map_or('.', |side| ['x', 'o'][side.index()]));
        }
        let takes = if s.takes { " takes" } else { "" };
        format!("{text} {}-{} {}{takes}", s.hand[0], s.hand[1], s.turn)
    }

    fn read_state(&self, text: &str) -> Result<MorrisState, NotationError> {
        let mut reader = NotationReader::new(text);
        let (mut men, mut last) = ([0; 2], 0);
        for (point, &(_, y)) in PLACES.iter().enumerate() {
            if y != last {
                reader.expect("/")?;
                last = y;
            }
            match reader.grid(1, 1, ".xo")?[0] {
                0 => {}
                owner => men[owner - 1] |= 1 << point,
            }
        }
        reader.skip_spaces();
        let first = reader.number("the men to place", 0, MEN.into())? as u8;
        reader.expect("-")?;
        let hand = [first, reader.number("the men to place", 0, MEN.into())? as u8];
        let turn = reader.side()?;
        reader.skip_spaces();
        let s = MorrisState { men, hand, turn, takes: reader.takes("takes") };
        reader.end()?;
        for side in Side::BOTH {
            let all = s.men[side.index()].count_ones() + u32::from(s.hand[side.index()]);
            if all > MEN.into() {
                return Err(
                    reader.whole(format!("{side} has {all} men, and at most {MEN} are allowed"))
                );
            }
        }
        let mine = s.men[turn.index()];
        if s.takes && !bits(mine.into()).any(|point| in_mill(mine, point)) {
            return Err(reader.whole(format!("{turn} takes a man without a mill")));
        }
        if s.takes && s.men[turn.other().index()] == 0 {
            return Err(reader.whole(format!("{turn} has no man to take")));
        }
        Ok(s)
    }

    /// Writes `d6` for placing, `d6-d7` for moving and `xd6` for taking.
    fn show_move(&self, _s: &MorrisState, m: MorrisMove) -> String {
        match (m.from, m.to) {
            (NO_POINT, to) => Morris::point_name(to),
            (from, NO_POINT) => format!("x{}", Morris::point_name(from)),
            (from, to) => format!("{}-{}", Morris::point_name(from), Morris::point_name(to)),
        }
    }

    fn scene(&self, s: &MorrisState) -> Scene {
        let mut scene = Scene::grid(SIZE, SIZE);
        scene.name_like_chess();
        scene.lines = LINES.iter().map(|&[a, _, c]| [a, c].map(Morris::coord)).collect();
        for side in Side::BOTH {
            for point in bits(s.men[side.index()].into()) {
                scene.put(Morris::coord(point), Some(side), PieceShape::Disc);
            }
        }
        scene.caption = match (s.takes, s.hand) {
            (true, _) => format!("{} closed a mill and takes a man", s.turn),
            (false, [0, 0]) => String::new(),
            (false, [first, second]) => format!("to place: {first} and {second} men"),
        };
        scene
    }

    fn touches(&self, _s: &MorrisState, m: MorrisMove) -> Vec<Coord> {
        [m.from, m.to].into_iter().filter(|&p| p != NO_POINT).map(Morris::coord).collect()
    }

    fn symmetries(&self) -> Vec<Symmetry> {
        Symmetry::SQUARE.to_vec()
    }

    fn transform(&self, s: &MorrisState, symmetry: Symmetry) -> MorrisState {
        let image = |men: u32| bits(men.into()).map(|p| 1 << Morris::image(p, symmetry)).sum();
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
                let (x, y) = Morris::place(point);
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

/// Values men, mills and the freedom to move.
#[derive(Clone, Copy, Default, Debug)]
pub struct MillEvaluator;

/// The value of one man, in the units of an evaluator.
const MAN: i32 = 300;

impl MillEvaluator {
    fn side_value(g: &Morris, s: &MorrisState, side: Side) -> i32 {
        let (men, empty) = (s.men[side.index()], Morris::empty(s));
        let count = men.count_ones() as i32 + i32::from(s.hand[side.index()]);
        let open =
            LINES.iter().map(|&[a, b, c]| 1 << a | 1 << b | 1 << c).map(|line: u32| {
                match ((men & line).count_ones(), (empty & line).count_ones()) {
                    (3, _) => 40,
                    (2, 1) => 25,
                    _ => 0,
                }
            });
        let flies = g.flying && s.hand[side.index()] == 0 && men.count_ones() <= 3;
        let freedom: u32 = match flies {
            true => 20,
            false => bits(men.into()).map(|p| (NEXT[usize::from(p)] & empty).count_ones()).sum(),
        };
        MAN * count + open.sum::<i32>() + 8 * freedom as i32
    }
}

impl Evaluator<Morris> for MillEvaluator {
    fn value(&self, g: &Morris, s: &MorrisState) -> i32 {
        let takes = if s.takes { MAN } else { 0 };
        let value = MillEvaluator::side_value(g, s, s.turn)
            - MillEvaluator::side_value(g, s, s.turn.other())
            + takes;
        value.clamp(1 - WIN, WIN - 1)
    }

    fn expected_result(&self, g: &Morris, s: &MorrisState) -> f64 {
        expected_result(self.value(g, s), 600.0)
    }
}

/// Returns the registry entry of Nine Men's Morris, with the evaluator `mills`.
#[must_use]
pub fn entry() -> GameBuilder<Morris> {
    GameBuilder::duel().evaluator("mills", "men, mills and the freedom to move", MillEvaluator)
}

impl NamedGame for Morris {
    const NAME: &'static str = "morris";
    const HELP: &'static str = "Nine Men's Morris: place, move, and take a man for every mill";
    const PARAMS: &'static [Param] =
        &[Param::choice("three", &["fly", "walk"], "how a side with three men moves")];
    const EXAMPLES: &'static [&'static str] = &["morris", "morris(three=walk)"];

    fn build(args: &Args) -> Result<Self, ParamError> {
        Ok(Morris { flying: args.text("three") == "fly" })
    }
}
