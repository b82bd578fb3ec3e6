//! Morpion, a variant of tic-tac-toe after Corsini's exercise sheet: the first side to align
//! 3, 4 or 5 stones on a 3×3, 5×5 or 7×7 board wins. One cell always stays empty, so the game
//! on 3×3 is drawn after eight stones.
//!
//! Variants: on a `torus`, lines and slides continue across the edges, so broken diagonals
//! count (12 lines on 3×3). With `phase` 1 or 2, once only one cell is empty, stones slide into
//! it from its 4 or 8 neighbours, for at most 2·size plies; the game is drawn if the side to
//! move cannot slide.

use crate::encoding::{EncodingShape, push_bits};
use crate::erased::GameBuilder;
use crate::evaluator::{Evaluator, WIN, expected_result};
use crate::game::{Game, Side, Status};
use crate::grid::{GridGame, GridLayout, PieceBitboards};
use crate::named::NamedGame;
use crate::notation::{NotationError, NotationReader, show_owners};
use crate::outcome::Duel;
use crate::param::{Args, Param, ParamError};
use crate::presentation::StrengthLevel;
use crate::scene::{Coord, PieceShape, Scene, Symmetry, cell_name};

use super::bits::{BitGrid, bits};

/// What happens after the placing phase, which ends when only one cell is empty: the game is drawn,
/// or stones slide into that cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AfterPlacing {
    /// The game ends in a draw, because stones are only placed and never slide.
    Place,
    /// The sides take turns to slide a stone into the empty cell from its 4 orthogonal neighbours.
    SlideStraight,
    /// The sides take turns to slide a stone into the empty cell from its 8 neighbours.
    SlideAll,
}

/// The rules of Morpion: the board, and how the game continues when only one cell is empty.
#[derive(Clone, Copy, Debug)]
pub struct Morpion {
    grid: BitGrid,
    phase: AfterPlacing,
}

/// The stones of each side, as bits `row·size + column`, and the number of slides that both sides
/// have made.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct MorpionState {
    stones: [u64; 2],
    slides: u8,
}

/// A move that places a new stone or slides a stone into the empty cell.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MorpionMove {
    /// Puts a new stone on the cell of this number, `row·size + column`.
    Place(u8),
    /// Slides the stone on the cell of this number, `row·size + column`, into the empty cell.
    Slide(u8),
}

impl MorpionState {
    /// Returns the side to move, which follows from the number of stones and slides.
    #[inline]
    fn turn(&self) -> Side {
        let stones = (self.stones[0] | self.stones[1]).count_ones();
        Side::after(stones + u32::from(self.slides))
    }
}

impl Morpion {
    /// Returns the game on `size` × `size` cells; `size` is 3, 5 or 7.
    #[must_use]
    pub fn new(size: usize, torus: bool, phase: AfterPlacing) -> Self {
        Morpion { grid: BitGrid::wrapped(size, size, torus, torus), phase }
    }

    /// Returns the number of stones in a row that win: 3 on size 3, 4 on 5, 5 on 7.
    #[inline]
    fn line_length(&self) -> usize {
        self.grid.cols / 2 + 2
    }

    /// Returns the set of empty cells.
    #[inline]
    fn empty_cells(&self, s: &MorpionState) -> u64 {
        self.grid.all() & !(s.stones[0] | s.stones[1])
    }

    /// Returns whether all stones are placed, which leaves a single empty cell.
    #[inline]
    fn all_placed(&self, s: &MorpionState) -> bool {
        self.empty_cells(s).is_power_of_two()
    }

    /// Returns the cells from which `side` can slide a stone into the single empty cell.
    #[inline]
    fn sliders(&self, s: &MorpionState, side: Side) -> u64 {
        let (grid, hole) = (&self.grid, self.empty_cells(s));
        let beside = grid.left(hole) | grid.right(hole);
        let straight = beside | grid.up(hole) | grid.down(hole);
        let reach = match self.phase {
            AfterPlacing::Place => 0,
            AfterPlacing::SlideStraight => straight,
            AfterPlacing::SlideAll => straight | grid.up(beside) | grid.down(beside),
        };
        reach & s.stones[side.index()]
    }

    #[inline]
    fn max_slides(&self) -> u8 {
        2 * self.grid.cols as u8
    }

    fn cell(&self, cell: u8) -> Coord {
        Coord::new(usize::from(cell) % self.grid.cols, usize::from(cell) / self.grid.cols)
    }

    fn cell_name(&self, cell: u8) -> String {
        let Coord { x, y } = self.cell(cell);
        cell_name(x.into(), y.into(), self.grid.rows)
    }

    fn owner(&self, s: &MorpionState, x: usize, y: usize) -> Option<Side> {
        let bit = y * self.grid.cols + x;
        Side::BOTH.into_iter().find(|side| s.stones[side.index()] >> bit & 1 == 1)
    }
}

impl Morpion {
    /// Returns the stones of a line that can spare none of them, if there is one.
    fn winning_line(&self, s: &MorpionState) -> Vec<Coord> {
        let mut line = s.stones[s.turn().other().index()];
        if !self.grid.has_line(line, self.line_length()) {
            return Vec::new();
        }
        for cell in bits(line) {
            if self.grid.has_line(line & !(1 << cell), self.line_length()) {
                line &= !(1 << cell);
            }
        }
        bits(line).map(|cell| self.cell(cell)).collect()
    }
}

impl Game for Morpion {
    type State = MorpionState;
    type Move = MorpionMove;
    type Outcome = Duel;

    fn start(&self) -> MorpionState {
        MorpionState::default()
    }

    #[inline]
    fn status(&self, s: &MorpionState) -> Status<Duel> {
        let turn = s.turn();
        if self.grid.has_line(s.stones[turn.other().index()], self.line_length()) {
            return Status::Over(Duel::Won(turn.other()));
        }
        let ended =
            self.all_placed(s) && (s.slides == self.max_slides() || self.sliders(s, turn) == 0);
        if ended { Status::Over(Duel::Drawn) } else { Status::Turn(turn) }
    }

    #[inline]
    fn moves(&self, s: &MorpionState, out: &mut Vec<MorpionMove>) {
        let Status::Turn(turn) = self.status(s) else { return };
        if self.all_placed(s) {
            for cell in bits(self.sliders(s, turn)) {
                out.push(MorpionMove::Slide(cell));
            }
        } else {
            for cell in bits(self.empty_cells(s)) {
                out.push(MorpionMove::Place(cell));
            }
        }
    }

    #[inline]
    fn play(&self, s: &mut MorpionState, m: MorpionMove) {
        let turn = s.turn().index();
        match m {
            MorpionMove::Place(cell) => s.stones[turn] |= 1 << cell,
            MorpionMove::Slide(from) => {
                s.stones[turn] ^= 1 << from | self.empty_cells(s);
                s.slides += 1;
            }
        }
    }

    #[inline]
    fn key(&self, s: &MorpionState) -> u64 {
        self.grid.key(s.stones, s.slides.into(), 4)
    }

    #[inline]
    fn last_mover_wins(&self) -> bool {
        true
    }

    #[inline]
    fn slot(&self, m: MorpionMove) -> usize {
        match m {
            MorpionMove::Place(cell) | MorpionMove::Slide(cell) => cell.into(),
        }
    }

    fn show_state(&self, s: &MorpionState) -> String {
        let board = show_owners(self.grid.cols, self.grid.rows, |x, y| self.owner(s, x, y));
        if s.slides == 0 { board } else { format!("{board} slides {}", s.slides) }
    }

    fn read_state(&self, text: &str) -> Result<MorpionState, NotationError> {
        let mut reader = NotationReader::new(text);
        let stones = reader.owners(self.grid.cols, self.grid.rows)?;
        let mut s = MorpionState { stones, slides: 0 };
        if !reader.is_at_end() {
            reader.expect(" slides ")?;
            let most = if self.phase == AfterPlacing::Place { 0 } else { self.max_slides() };
            s.slides = reader.number("the number of slides", 0, most.into())? as u8;
            reader.end()?;
        }
        reader.alternate(stones[0].count_ones(), stones[1].count_ones())?;
        if self.empty_cells(&s) == 0 {
            return Err(reader.whole("one cell always stays empty"));
        }
        if s.slides > 0 && !self.all_placed(&s) {
            return Err(reader.whole("stones slide only when a single cell is empty"));
        }
        if self.grid.has_line(stones[s.turn().index()], self.line_length()) {
            return Err(reader.whole(format!("{} had already won before the last move", s.turn())));
        }
        Ok(s)
    }

    fn show_move(&self, s: &MorpionState, m: MorpionMove) -> String {
        match m {
            MorpionMove::Place(cell) => self.cell_name(cell),
            MorpionMove::Slide(from) => {
                let hole = self.empty_cells(s).trailing_zeros() as u8;
                format!("{}-{}", self.cell_name(from), self.cell_name(hole))
            }
        }
    }

    fn scene(&self, s: &MorpionState) -> Scene {
        let (size, shapes) = (self.grid.cols, [PieceShape::Cross, PieceShape::Ring]);
        let mut scene = Scene::owners(size, size, shapes, |x, y| self.owner(s, x, y));
        scene.name_like_chess();
        if s.slides > 0 {
            scene.caption = format!("slide {} of {}", s.slides, self.max_slides());
        }
        scene.winning = self.winning_line(s);
        scene
    }

    fn side_names(&self) -> [&'static str; 2] {
        ["Crosses", "Noughts"]
    }

    fn touches(&self, s: &MorpionState, m: MorpionMove) -> Vec<Coord> {
        match m {
            MorpionMove::Place(cell) => vec![self.cell(cell)],
            MorpionMove::Slide(from) => {
                vec![self.cell(from), self.cell(self.empty_cells(s).trailing_zeros() as u8)]
            }
        }
    }

    fn symmetries(&self) -> Vec<Symmetry> {
        Symmetry::SQUARE.to_vec()
    }

    fn transform(&self, s: &MorpionState, symmetry: Symmetry) -> MorpionState {
        MorpionState {
            stones: s.stones.map(|set| self.grid.image(set, symmetry)),
            slides: s.slides,
        }
    }

    /// The extras are the number of slides made, from 1, as a one-hot vector.
    fn encoding(&self) -> EncodingShape {
        let (rows, cols) = (self.grid.rows, self.grid.cols);
        let extras = if self.phase == AfterPlacing::Place { 0 } else { self.max_slides().into() };
        EncodingShape { planes: 2, rows, cols, extras, actions: rows * cols }
    }

    #[inline]
    fn features(&self, s: &MorpionState, seen_by: Side, out: &mut Vec<u32>) {
        let cells = self.grid.cells();
        push_bits(s.stones[seen_by.index()], 0, out);
        push_bits(s.stones[seen_by.other().index()], cells, out);
        if s.slides > 0 {
            out.push((2 * cells) as u32 + u32::from(s.slides) - 1);
        }
    }

    /// A move has the number of the cell that it fills, or from which it slides.
    #[inline]
    fn actions(&self, _s: &MorpionState, moves: &[MorpionMove], out: &mut Vec<u32>) {
        out.extend(moves.iter().map(|m| match m {
            MorpionMove::Place(cell) | MorpionMove::Slide(cell) => u32::from(*cell),
        }));
    }
}

/// Evaluates a position by three numbers for each side: the lines that it can still complete, the
/// stones on these lines, and the lines that need only one more stone.
#[derive(Clone, Copy, Debug)]
pub struct LineEvaluator;

impl LineEvaluator {
    fn side_value(g: &Morpion, s: &MorpionState, side: Side) -> i32 {
        let grid = &g.grid;
        let (mine, theirs) = (s.stones[side.index()], s.stones[side.other().index()]);
        let (open, empty) = (grid.all() & !theirs, g.empty_cells(s));
        let steps: [&dyn Fn(u64) -> u64; 4] = [
            &|set| grid.right(set),
            &|set| grid.down(set),
            &|set| grid.down(grid.right(set)),
            &|set| grid.down(grid.left(set)),
        ];
        let line_value = |step: &dyn Fn(u64) -> u64| {
            // A line is represented by its last cell. Each set is shifted cell by cell along
            // the line, so that the bits of all cells of a line meet at its last cell.
            let (mut ends, mut full, mut lacking) = (grid.all(), grid.all(), 0);
            let (mut open, mut mine, mut empty) = (open, mine, empty);
            let mut stones = [0; 5];
            for place in &mut stones[..g.line_length()] {
                lacking = lacking & mine | full & empty;
                (ends, full) = (ends & open, full & mine);
                *place = mine;
                (open, mine, empty) = (step(open), step(mine), step(empty));
            }
            let on_lines: u32 = stones.iter().map(|set| (set & ends).count_ones()).sum();
            ends.count_ones() + 3 * on_lines + 30 * lacking.count_ones()
        };
        steps.iter().map(|step| line_value(step)).sum::<u32>() as i32
    }
}

impl Evaluator<Morpion> for LineEvaluator {
    fn value(&self, g: &Morpion, s: &MorpionState) -> i32 {
        let turn = s.turn();
        (LineEvaluator::side_value(g, s, turn) - LineEvaluator::side_value(g, s, turn.other()))
            .clamp(1 - WIN, WIN - 1)
    }

    fn expected_result(&self, g: &Morpion, s: &MorpionState) -> f64 {
        // The best fit to the results of 222 positions of size 5 between searches of depth 2.
        expected_result(self.value(g, s), 60.0)
    }
}

impl GridGame for Morpion {
    fn board(&self) -> GridLayout {
        GridLayout::full(self.grid.cols, self.grid.rows, |x, y| y * self.grid.cols + x)
    }

    #[inline]
    fn pieces(&self, s: &MorpionState) -> PieceBitboards {
        let turn = s.turn();
        let men = [turn, turn.other()].map(|side| s.stones[side.index()]);
        PieceBitboards { men, ..PieceBitboards::default() }
    }
}

/// Returns the registry entry of Morpion, with the evaluator `lines`.
#[must_use]
pub fn entry() -> GameBuilder<Morpion> {
    GameBuilder::duel().grid().evaluator(
        "lines",
        "open lines, the stones on them, and lines that lack one",
        LineEvaluator,
    )
}

impl NamedGame for Morpion {
    const NAME: &'static str = "morpion";
    const TITLE: &'static str = "Morpion";
    const RULES: &'static str = "In turn, each player puts a stone on an empty cell. The first to align three stones (four or \
        five on the larger boards) wins. One cell always stays empty; in some variants stones then \
        slide into it. On a torus lines continue across the edges.";
    const LEVELS: &'static [StrengthLevel] =
        &[StrengthLevel::perfect_in("deepening(secs=0)", &["morpion", "morpion(torus)"])];
    const HELP: &'static str = "align stones, one cell left empty; on a torus, with sliding stones";
    const PARAMS: &'static [Param] = &[
        Param::choice("size", &["3", "5", "7"], "cells on a side; 3, 4 or 5 stones in a row win"),
        Param::flag("torus", "lines and slides run over the edges"),
        Param::int("phase", 0, 0, 2, "then slide stones: 0 no, 1 from 4 neighbours, 2 from 8"),
    ];
    const EXAMPLES: &'static [&'static str] = &[
        "morpion",
        "morpion(torus)",
        "morpion(3, phase=1)",
        "morpion(3, torus, phase=2)",
        "morpion(5, torus, phase=1)",
        "morpion(7, phase=2)",
    ];

    fn build(args: &Args) -> Result<Self, ParamError> {
        let size = match args.text("size") {
            "3" => 3,
            "5" => 5,
            _ => 7,
        };
        let phase = match args.int("phase") {
            0 => AfterPlacing::Place,
            1 => AfterPlacing::SlideStraight,
            _ => AfterPlacing::SlideAll,
        };
        Ok(Morpion::new(size, args.flag("torus"), phase))
    }
}
