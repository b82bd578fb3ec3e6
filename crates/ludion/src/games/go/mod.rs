//! Go on boards from 2×2 to 9×9, by the rules of Tromp and Taylor except that suicide is illegal. A
//! move puts a stone on an empty point; stones of the opponent without an empty point next to their
//! chain are taken off. A move may not bring back an earlier position of the board (positional
//! superko). A side may pass; two passes in a row end the game. A side's area are its stones and the
//! empty points from which only its stones are reached; the second side adds the komi, and the
//! larger area wins.
//!
//! A state knows the point of a simple ko; longer repetitions are found on the path of the game. The
//! random games of [`Game::playout`] follow the simpler rules of the module `playout`.

mod board;
mod evaluator;
mod notation;
mod playout;
pub mod solver;

use crate::encoding::EncodingShape;
use crate::erased::GameBuilder;
use crate::game::{Game, Side, Status};
use crate::named::NamedGame;
use crate::notation::NotationError;
use crate::outcome::Duel;
use crate::param::{Args, Param, ParamError};
use crate::presentation::StrengthLevel;
use crate::random::{Rng, mix};
use crate::repetition::RepetitionRule;
use crate::scene::{Coord, PieceShape, Scene, Symmetry};

use board::{GoBoard, Points, points};
pub use evaluator::InfluenceEvaluator;
use notation::column_name;

/// The rules of Go: the size of the board, and the komi.
#[derive(Clone, Copy, Debug)]
pub struct Go {
    board: GoBoard,
    /// The points that the second side gets.
    komi: f64,
}

/// A state of Go.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct GoState {
    /// The stones of the first side, then those of the second, as two halves of [`Points`], which
    /// need no stricter alignment.
    halves: [[u64; 2]; 2],
    /// The point that may not be played because it would bring back the position before the last
    /// move, or [`NO_POINT`].
    ko: u8,
    /// Whether the last move was a pass.
    passed: bool,
    /// Whether the last two moves were passes.
    over: bool,
    turn: Side,
}

/// A move of Go: the point of the stone, or [`GoMove::PASS`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct GoMove(u8);

/// Stands for no point.
const NO_POINT: u8 = u8::MAX;

impl GoMove {
    /// The move that puts no stone.
    pub const PASS: GoMove = GoMove(NO_POINT);
}

impl GoState {
    /// Returns the stones of the first side, then those of the second.
    #[inline]
    fn stones(&self) -> [Points; 2] {
        self.halves.map(|[low, high]| Points::from(high) << 64 | Points::from(low))
    }

    #[inline]
    fn set_stones(&mut self, stones: [Points; 2]) {
        self.halves = stones.map(|set| [set as u64, (set >> 64) as u64]);
    }
}

impl Go {
    /// Returns the game on `size` × `size` points, from 2 to 9, with this komi.
    ///
    /// # Panics
    /// When the size is out of range.
    #[must_use]
    pub fn new(size: usize, komi: f64) -> Self {
        assert!((2..=9).contains(&size), "boards have 2 to 9 rows");
        Go { board: GoBoard::new(size), komi }
    }

    #[inline]
    fn empty(&self, s: &GoState) -> Points {
        let [first, second] = s.stones();
        self.board.all & !(first | second)
    }

    /// Returns the points on which the side to move may put a stone.
    #[inline]
    fn legal(&self, s: &GoState) -> Points {
        let empty = self.empty(s);
        let stones = s.stones();
        let [mine, theirs] = [stones[s.turn.index()], stones[s.turn.other().index()]];
        // A stone next to an empty point has a liberty.
        let beside = [empty << 1, empty >> 1, empty << board::STRIDE, empty >> board::STRIDE];
        let free = empty & beside.iter().fold(0, |all, set| all | set);
        let enclosed = points(empty & !free).map(|point| 1 << point).filter(|&at: &Points| {
            let rest = empty & !at;
            GoBoard::captured(at, theirs, rest) != 0
                || GoBoard::dead_chain(at, mine | at, rest) == 0
        });
        let legal = free | enclosed.sum::<Points>();
        if s.ko == NO_POINT { legal } else { legal & !(1 << s.ko) }
    }

    /// Returns the outcome of a finished game with these stones.
    fn outcome(&self, stones: [Points; 2]) -> Duel {
        let [first, second] = self.board.areas(stones).map(|area| f64::from(area.count_ones()));
        match first - second - self.komi {
            0.0 => Duel::Drawn,
            lead => Duel::Won(if lead > 0.0 { Side::First } else { Side::Second }),
        }
    }

    fn owner(s: &GoState, x: usize, y: usize) -> Option<Side> {
        Side::BOTH
            .into_iter()
            .find(|side| s.stones()[side.index()] >> GoBoard::point(x, y) & 1 == 1)
    }

    /// Returns the number of an action: the index of the point, or that after the last for a pass.
    #[inline]
    fn action(&self, m: GoMove) -> u32 {
        let size = self.board.size;
        if m == GoMove::PASS { (size * size) as u32 } else { self.board.index(m.0) as u32 }
    }

    /// Returns the stones without the gaps between rows, as a number that fits 64 bits on boards up
    /// to 5×5.
    fn packed(&self, s: &GoState) -> u64 {
        let size = self.board.size;
        let row =
            |stones: Points, y: usize| (stones >> (board::STRIDE * y)) as u64 & ((1 << size) - 1);
        let pack = |stones| (0..size).fold(0, |all, y| all << size | row(stones, y));
        let [first, second] = s.stones();
        pack(first) << (size * size) | pack(second)
    }
}

/// Returns a hash of a set of stones.
#[inline]
fn hash([low, high]: [u64; 2], seed: u64) -> u64 {
    mix(low ^ mix(high ^ mix(seed)))
}

impl Game for Go {
    type State = GoState;
    type Move = GoMove;
    type Outcome = Duel;

    fn start(&self) -> GoState {
        GoState { halves: [[0; 2]; 2], ko: NO_POINT, passed: false, over: false, turn: Side::First }
    }

    #[inline]
    fn status(&self, s: &GoState) -> Status<Duel> {
        if s.over { Status::Over(self.outcome(s.stones())) } else { Status::Turn(s.turn) }
    }

    /// Lists the points row by row from the top left, then the pass.
    #[inline]
    fn moves(&self, s: &GoState, out: &mut Vec<GoMove>) {
        if !s.over {
            out.extend(points(self.legal(s)).map(GoMove));
            out.push(GoMove::PASS);
        }
    }

    #[inline]
    fn play(&self, s: &mut GoState, m: GoMove) {
        let (mine, theirs) = (s.turn.index(), s.turn.other().index());
        s.ko = NO_POINT;
        if m == GoMove::PASS {
            s.over = s.passed;
            s.passed = true;
        } else {
            let at: Points = 1 << m.0;
            let empty = self.empty(s) & !at;
            let mut stones = s.stones();
            let captured = GoBoard::captured(at, stones[theirs], empty);
            s.passed = false;
            stones[theirs] ^= captured;
            // A single stone that took a single stone and could be taken back.
            if captured.is_power_of_two()
                && GoBoard::spread(at) & self.board.all & (stones[mine] | empty) == 0
            {
                s.ko = captured.trailing_zeros() as u8;
            }
            stones[mine] |= at;
            s.set_stones(stones);
        }
        s.turn = s.turn.other();
    }

    #[inline]
    fn key(&self, s: &GoState) -> u64 {
        let flags = u64::from(s.ko) << 3
            | u64::from(s.passed) << 2
            | u64::from(s.over) << 1
            | s.turn as u64;
        if self.board.size <= 5 {
            // The ko is the index of its point, or that after the last.
            let ko = if s.ko == NO_POINT { 31 } else { self.board.index(s.ko) as u64 };
            return self.packed(s) << 8 | ko << 3 | flags & 7;
        }
        hash(s.halves[0], flags + 3) ^ hash(s.halves[1], 2)
    }

    #[inline]
    fn repetition_rule(&self) -> RepetitionRule<Duel> {
        RepetitionRule::Forbidden
    }

    #[inline]
    fn repetition_key(&self, s: &GoState) -> u64 {
        hash(s.halves[0], 1) ^ hash(s.halves[1], 2)
    }

    #[inline]
    fn count_moves(&self, s: &GoState, _scratch: &mut Vec<GoMove>) -> usize {
        if s.over { 0 } else { self.legal(s).count_ones() as usize + 1 }
    }

    fn playout(&self, s: GoState, rng: &mut Rng, _scratch: &mut Vec<GoMove>) -> Duel {
        let stones = if s.over { s.stones() } else { playout::play(&self.board, &s, rng) };
        self.outcome(stones)
    }

    #[inline]
    fn slot(&self, m: GoMove) -> usize {
        self.action(m) as usize
    }

    fn show_state(&self, s: &GoState) -> String {
        self.state_text(s)
    }

    fn read_state(&self, text: &str) -> Result<GoState, NotationError> {
        self.parse_state(text)
    }

    fn show_move(&self, _s: &GoState, m: GoMove) -> String {
        if m == GoMove::PASS { "pass".to_owned() } else { self.point_name(m.0) }
    }

    fn read_move(&self, s: &GoState, text: &str) -> Result<GoMove, NotationError> {
        self.parse_move(s, text)
    }

    fn scene(&self, s: &GoState) -> Scene {
        let size = self.board.size;
        let shapes = [PieceShape::Disc, PieceShape::Disc];
        let mut scene = Scene::owners(size, size, shapes, |x, y| Go::owner(s, x, y));
        scene.columns = (0..size).map(|x| column_name(x).to_string()).collect();
        scene.rows = (1..=size).rev().map(|y| y.to_string()).collect();
        let last = size - 1;
        for i in 0..size {
            scene.lines.push([Coord::new(0, i), Coord::new(last, i)]);
            scene.lines.push([Coord::new(i, 0), Coord::new(i, last)]);
        }
        scene.buttons.push((Coord::new(0, size), "pass".to_owned()));
        let [first, second] = self.board.areas(s.stones()).map(Points::count_ones);
        scene.caption = match (s.over, s.passed) {
            (true, _) => format!("area {first} : {second} + {}", self.komi),
            (false, true) => "the last move was a pass".to_owned(),
            (false, false) => String::new(),
        };
        scene
    }

    fn side_names(&self) -> [&'static str; 2] {
        ["Black", "White"]
    }

    fn touches(&self, _s: &GoState, m: GoMove) -> Vec<Coord> {
        if m == GoMove::PASS {
            return vec![Coord::new(0, self.board.size)];
        }
        let (x, y) = GoBoard::place(m.0);
        vec![Coord::new(x, y)]
    }

    fn symmetries(&self) -> Vec<Symmetry> {
        Symmetry::SQUARE.to_vec()
    }

    fn transform(&self, s: &GoState, symmetry: Symmetry) -> GoState {
        let ko = if s.ko == NO_POINT { NO_POINT } else { self.board.point_image(s.ko, symmetry) };
        let mut image = GoState { ko, ..*s };
        image.set_stones(s.stones().map(|stones| self.board.image(stones, symmetry)));
        image
    }

    /// Planes of own stones, stones of the opponent and the ko; then whether the last move was a
    /// pass, and whether the second side, which gets the komi, sees the state.
    fn encoding(&self) -> EncodingShape {
        let size = self.board.size;
        EncodingShape { planes: 3, rows: size, cols: size, extras: 2, actions: size * size + 1 }
    }

    fn features(&self, s: &GoState, seen_by: Side, out: &mut Vec<u32>) {
        let cells = self.board.size * self.board.size;
        let ko = if s.ko == NO_POINT { 0 } else { 1 << s.ko };
        let stones = s.stones();
        let planes = [stones[seen_by.index()], stones[seen_by.other().index()], ko];
        for (plane, set) in planes.into_iter().enumerate() {
            out.extend(points(set).map(|point| (plane * cells + self.board.index(point)) as u32));
        }
        let extras = [s.passed, seen_by == Side::Second].into_iter().enumerate();
        out.extend(extras.filter(|extra| extra.1).map(|(i, _)| (3 * cells + i) as u32));
    }

    fn actions(&self, _s: &GoState, moves: &[GoMove], out: &mut Vec<u32>) {
        out.extend(moves.iter().map(|&m| self.action(m)));
    }
}

/// Returns the registry entry of Go.
#[must_use]
pub fn entry() -> GameBuilder<Go> {
    GameBuilder::duel()
        .evaluator("influence", "points nearer to the stones of each side", InfluenceEvaluator)
        .solver(solver::solve)
}

impl NamedGame for Go {
    const NAME: &'static str = "go";
    const TITLE: &'static str = "Go";
    const RULES: &'static str = "In turn, each player puts a stone on an empty point, or passes. Stones without an empty \
        point beside their chain are taken off. No position of the board may come back. Two passes \
        end the game; the player who surrounds and occupies more points wins, and White receives \
        komi for moving second.";
    // Alpha-beta with an evaluator of areas loses to tree search with a hundredth of its time.
    const LEVELS: &'static [StrengthLevel] = &[StrengthLevel::new("strong", "mcts(sims=50000)")];
    const HELP: &'static str = "surround more points than the opponent; no position comes back";
    const PARAMS: &'static [Param] = &[
        Param::int("size", 9, 2, 9, "number of rows and columns"),
        Param::real("komi", 7.5, -81.0, 81.0, "points for the second side"),
    ];
    const EXAMPLES: &'static [&'static str] =
        &["go", "go(5, komi=0.5)", "go(3, komi=8)", "go(2, komi=1)"];

    fn build(args: &Args) -> Result<Self, ParamError> {
        Ok(Go::new(args.size("size"), args.real("komi")))
    }
}
