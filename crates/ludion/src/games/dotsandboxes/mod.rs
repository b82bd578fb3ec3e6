//! Dots and Boxes on `rows` × `cols` boxes: a move draws an edge between two neighbouring dots. A
//! side that completes one or two boxes gets them and moves again. The game ends when all edges are
//! drawn; the side with more boxes wins. Source: E. R. Berlekamp, *The Dots-and-Boxes Game* (2000).
//!
//! A state has the edges and the numbers of boxes of both sides, not which boxes they are, because
//! this does not matter for the rest of the game. With `majority` the game ends as soon as a side has
//! more than half of the boxes.

mod board;
mod evaluator;

use crate::encoding::EncodingShape;
use crate::erased::GameBuilder;
use crate::game::{Game, Side, Status};
use crate::named::NamedGame;
use crate::notation::{NotationError, NotationReader};
use crate::outcome::Duel;
use crate::param::{Args, Param, ParamError};
use crate::presentation::StrengthLevel;
use crate::random::{Rng, mix};
use crate::scene::{Coord, PieceShape, Scene, Symmetry, cell_name};

use board::{edges_of, words};
pub use evaluator::BoxEvaluator;

/// The greatest number of edges of a board: bit 127 is never an edge.
const MAX_EDGES: usize = 127;

/// The rules of Dots and Boxes.
///
/// Edges are numbered row by row from the top: the horizontal edges above a row of boxes, then its
/// vertical edges, and so on; at last the horizontal edges at the bottom.
#[derive(Clone, Debug)]
pub struct DotsAndBoxes {
    rows: usize,
    cols: usize,
    majority: bool,
    /// For each edge the edges of the one or two boxes on its sides. A missing box has all 128 bits
    /// and is never complete.
    boxes: Vec<[u128; 2]>,
}

/// The edges drawn, as two words of bits, the numbers of boxes of both sides, and the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct DotsAndBoxesState {
    edges: [u64; 2],
    scores: [u8; 2],
    turn: Side,
}

impl DotsAndBoxesState {
    #[inline]
    fn edges(&self) -> u128 {
        u128::from(self.edges[1]) << 64 | u128::from(self.edges[0])
    }
}

impl DotsAndBoxes {
    /// Returns the game on `rows` × `cols` boxes with at most 127 edges.
    #[must_use]
    pub fn new(rows: usize, cols: usize, majority: bool) -> Self {
        let mut g = DotsAndBoxes { rows, cols, majority, boxes: Vec::new() };
        g.boxes = vec![[u128::MAX; 2]; g.edge_count()];
        for (y, x) in (0..rows).flat_map(|y| (0..cols).map(move |x| (y, x))) {
            let sides = g.sides_of_box(x, y);
            let mask = sides.iter().fold(0, |mask, &edge| mask | 1 << edge);
            for edge in sides {
                let [one, other] = &mut g.boxes[edge];
                *if *one == u128::MAX { one } else { other } = mask;
            }
        }
        g
    }

    #[inline]
    fn all(&self) -> u128 {
        (1 << self.boxes.len()) - 1
    }

    #[inline]
    fn free(&self, s: &DotsAndBoxesState) -> u128 {
        if self.is_over(s) { 0 } else { self.all() & !s.edges() }
    }

    #[inline]
    fn is_over(&self, s: &DotsAndBoxesState) -> bool {
        s.edges() == self.all()
            || self.majority && s.scores.iter().any(|&score| self.is_majority(score))
    }

    #[inline]
    fn is_majority(&self, score: u8) -> bool {
        2 * usize::from(score) > self.box_count()
    }

    #[inline]
    fn outcome(s: &DotsAndBoxesState) -> Duel {
        match s.scores[0].cmp(&s.scores[1]) {
            std::cmp::Ordering::Greater => Duel::Won(Side::First),
            std::cmp::Ordering::Less => Duel::Won(Side::Second),
            std::cmp::Ordering::Equal => Duel::Drawn,
        }
    }
}

impl Game for DotsAndBoxes {
    type State = DotsAndBoxesState;
    /// The number of the edge that the move draws.
    type Move = u8;
    type Outcome = Duel;

    fn start(&self) -> DotsAndBoxesState {
        DotsAndBoxesState { edges: [0; 2], scores: [0; 2], turn: Side::First }
    }

    #[inline]
    fn status(&self, s: &DotsAndBoxesState) -> Status<Duel> {
        if self.is_over(s) { Status::Over(Self::outcome(s)) } else { Status::Turn(s.turn) }
    }

    #[inline]
    fn moves(&self, s: &DotsAndBoxesState, out: &mut Vec<u8>) {
        out.extend(edges_of(self.free(s)));
    }

    #[inline]
    fn play(&self, s: &mut DotsAndBoxesState, m: u8) {
        s.edges[usize::from(m >> 6)] |= 1 << (m & 63);
        let boxes = self.completed(s.edges(), m.into());
        s.scores[s.turn.index()] += boxes;
        if boxes == 0 {
            s.turn = s.turn.other();
        }
    }

    #[inline]
    fn key(&self, s: &DotsAndBoxesState) -> u64 {
        let score = u64::from(s.scores[0]) << 1 | s.turn as u64;
        if self.boxes.len() <= 57 {
            // A score is below 64 on these boards.
            return s.edges[0] << 7 | score;
        }
        mix(mix(mix(score) ^ s.edges[1]) ^ s.edges[0])
    }

    #[inline]
    fn count_moves(&self, s: &DotsAndBoxesState, _scratch: &mut Vec<u8>) -> usize {
        self.free(s).count_ones() as usize
    }

    /// Without `majority` every order of the free edges is a game.
    #[inline]
    fn count_replies(&self, s: &DotsAndBoxesState, scratch: &mut Vec<u8>) -> u64 {
        if self.majority {
            return crate::game::count_replies(self, s, scratch);
        }
        let free = u64::from(self.free(s).count_ones());
        free * free.saturating_sub(1)
    }

    #[inline]
    fn slot(&self, m: u8) -> usize {
        m.into()
    }

    /// Draws the free edges in random order.
    fn playout(&self, mut s: DotsAndBoxesState, rng: &mut Rng, _scratch: &mut Vec<u8>) -> Duel {
        let (mut free, mut count) = ([0; MAX_EDGES], 0);
        for edge in edges_of(self.free(&s)) {
            free[count] = edge;
            count += 1;
        }
        while count > 0 {
            let place = rng.below(count);
            let edge = free[place];
            count -= 1;
            free[place] = free[count];
            self.play(&mut s, edge);
            if self.majority && self.is_majority(s.scores[s.turn.index()]) {
                break;
            }
        }
        Self::outcome(&s)
    }

    /// Writes the lines of edges from the top, `-` and `|` for edges and `.` where none is drawn,
    /// then the boxes of both sides and the side to move: `--/|.|/.-/.../.. 0:0 first`.
    fn show_state(&self, s: &DotsAndBoxesState) -> String {
        let (mut text, mut edge) = (String::new(), 0);
        for (i, (count, sign)) in self.lines().enumerate() {
            if i > 0 {
                text.push('/');
            }
            text.extend(
                (edge..edge + count).map(|e| if s.edges() >> e & 1 == 1 { sign } else { '.' }),
            );
            edge += count;
        }
        format!("{text} {}:{} {}", s.scores[0], s.scores[1], s.turn)
    }

    fn read_state(&self, text: &str) -> Result<DotsAndBoxesState, NotationError> {
        let mut reader = NotationReader::new(text);
        let (mut edges, mut edge) = (0, 0);
        for (i, (count, sign)) in self.lines().enumerate() {
            if i > 0 {
                reader.expect("/")?;
            }
            for drawn in reader.grid(count, 1, &format!(".{sign}"))? {
                edges |= (drawn as u128) << edge;
                edge += 1;
            }
        }
        reader.skip_spaces();
        let complete = self.complete_boxes(edges).count();
        let most = self.box_count() as i64;
        let first = reader.number("the boxes of the first side", 0, most)? as u8;
        reader.expect(":")?;
        let second = reader.number("the boxes of the second side", 0, most)? as u8;
        let turn = reader.side()?;
        reader.end()?;
        if usize::from(first + second) != complete {
            return Err(reader.whole(format!(
                "{complete} boxes are complete, and the sides have {} together",
                first + second
            )));
        }
        Ok(DotsAndBoxesState { edges: words(edges), scores: [first, second], turn })
    }

    /// Writes the two dots that the edge joins, the left or lower one first. Dots are named like the
    /// cells of a chess board: `a1b1` is the leftmost edge at the bottom.
    fn show_move(&self, _s: &DotsAndBoxesState, m: u8) -> String {
        let (x, y) = self.point(m.into());
        let name = |x: usize, y: usize| cell_name(x / 2, y / 2, self.rows + 1);
        match y % 2 {
            0 => name(x - 1, y) + &name(x + 1, y),
            _ => name(x, y + 1) + &name(x, y - 1),
        }
    }

    /// Every dot, edge and box is a cell; a complete box has a token.
    fn read_move(&self, s: &DotsAndBoxesState, text: &str) -> Result<u8, NotationError> {
        super::read_pair_of_cells(self, s, text)
    }

    fn scene(&self, s: &DotsAndBoxesState) -> Scene {
        let (cols, rows) = (2 * self.cols + 1, 2 * self.rows + 1);
        let mut scene = Scene::grid(cols, rows);
        for (y, x) in (0..=self.rows).flat_map(|y| (0..=self.cols).map(move |x| (y, x))) {
            scene.put(Coord::new(2 * x, 2 * y), None, PieceShape::Text("•".to_owned()));
        }
        // An edge is a line from dot to dot. The first line is a corner, so that cells have no outlines
        // even without an edge.
        scene.lines.push([Coord::new(0, 0); 2]);
        for edge in edges_of(s.edges()) {
            let (x, y) = self.point(edge.into());
            let (dx, dy) = if y % 2 == 0 { (1, 0) } else { (0, 1) };
            scene.lines.push([Coord::new(x - dx, y - dy), Coord::new(x + dx, y + dy)]);
        }
        for (x, y) in self.complete_boxes(s.edges()) {
            scene.put(Coord::new(2 * x + 1, 2 * y + 1), None, PieceShape::Token);
        }
        // Only columns and rows of dots have names.
        let name =
            |place: usize, name: String| if place.is_multiple_of(2) { name } else { String::new() };
        scene.columns = (0..cols).map(|x| name(x, crate::scene::column_letter(x / 2))).collect();
        scene.rows = (0..rows).map(|y| name(y, (self.rows + 1 - y / 2).to_string())).collect();
        scene.caption = format!("boxes: first {}, second {}", s.scores[0], s.scores[1]);
        scene
    }

    fn touches(&self, _s: &DotsAndBoxesState, m: u8) -> Vec<Coord> {
        let (x, y) = self.point(m.into());
        vec![Coord::new(x, y)]
    }

    fn symmetries(&self) -> Vec<Symmetry> {
        match self.rows == self.cols {
            true => Symmetry::SQUARE.to_vec(),
            false => vec![Symmetry::Mirror, Symmetry::Flip, Symmetry::HalfTurn],
        }
    }

    fn transform(&self, s: &DotsAndBoxesState, symmetry: Symmetry) -> DotsAndBoxesState {
        let (cols, rows) = (2 * self.cols + 1, 2 * self.rows + 1);
        let image = |edge: u8| self.edge_at(symmetry.point(self.point(edge.into()), cols, rows));
        let edges = edges_of(s.edges()).fold(0, |edges, edge| edges | 1 << image(edge));
        DotsAndBoxesState { edges: words(edges), ..*s }
    }

    /// The plane has the edges drawn. The extras are the lead in boxes, as a one-hot vector; an
    /// action is the cell of its edge.
    fn encoding(&self) -> EncodingShape {
        let (cols, rows) = (2 * self.cols + 1, 2 * self.rows + 1);
        let extras = 2 * self.box_count() + 1;
        EncodingShape { planes: 1, rows, cols, extras, actions: cols * rows }
    }

    fn features(&self, s: &DotsAndBoxesState, seen_by: Side, out: &mut Vec<u32>) {
        // Edges are numbered in the order of their cells.
        out.extend(edges_of(s.edges()).map(|edge| self.cell_number(edge)));
        let [mine, theirs] =
            [seen_by, seen_by.other()].map(|side| u32::from(s.scores[side.index()]));
        let cells = ((2 * self.cols + 1) * (2 * self.rows + 1)) as u32;
        out.push(cells + self.box_count() as u32 + mine - theirs);
    }

    #[inline]
    fn actions(&self, _s: &DotsAndBoxesState, moves: &[u8], out: &mut Vec<u32>) {
        out.extend(moves.iter().map(|&edge| self.cell_number(edge)));
    }
}

/// Returns the registry entry of Dots and Boxes, with the evaluator `boxes`.
#[must_use]
pub fn entry() -> GameBuilder<DotsAndBoxes> {
    GameBuilder::duel().evaluator(
        "boxes",
        "boxes, boxes with three edges, and the parity of safe moves",
        BoxEvaluator,
    )
}

impl NamedGame for DotsAndBoxes {
    const NAME: &'static str = "dotsandboxes";
    const TITLE: &'static str = "Dots and Boxes";
    const RULES: &'static str = "Each move draws an edge between two neighbouring dots. Completing a box scores it and gives \
        another move. When all edges are drawn, the player with more boxes wins.";
    const HELP: &'static str = "draw edges between dots; a completed box counts and moves again";
    const PARAMS: &'static [Param] = &[
        Param::int("rows", 4, 1, 42, "rows of boxes; there are at most 127 edges"),
        Param::int("cols", 4, 1, 42, "columns of boxes"),
        Param::flag("majority", "the game ends as soon as a side has more than half of the boxes"),
    ];
    const LEVELS: &'static [StrengthLevel] = &[StrengthLevel::perfect_in(
        "deepening(secs=0)",
        &["dotsandboxes(2, 2)", "dotsandboxes(1, 5)"],
    )];
    const EXAMPLES: &'static [&'static str] = &[
        "dotsandboxes",
        "dotsandboxes(2, 2)",
        "dotsandboxes(3, 3, majority)",
        "dotsandboxes(1, 5)",
        "dotsandboxes(5, 5)",
        "dotsandboxes(7, 8)",
    ];

    fn build(args: &Args) -> Result<Self, ParamError> {
        let (rows, cols) = (args.size("rows"), args.size("cols"));
        let edges = 2 * rows * cols + rows + cols;
        if edges > MAX_EDGES {
            return Err(args.together(format!(
                "{rows} rows of {cols} boxes have {edges} edges; at most {MAX_EDGES} are allowed"
            )));
        }
        Ok(DotsAndBoxes::new(rows, cols, args.flag("majority")))
    }
}
