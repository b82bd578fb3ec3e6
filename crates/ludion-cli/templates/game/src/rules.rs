//! The rules of my_game. Replace them by the rules of your game.
//!
//! There is a row of empty cells. In turn, each side crosses one of them; both sides make the same
//! crosses. The side that completes a line, by default three adjacent crosses, wins. The game is
//! known as Treblecross.

use ludion::game::{Game, Side, Status};
use ludion::named::NamedGame;
use ludion::notation::{NotationError, NotationReader, show_grid};
use ludion::outcome::Duel;
use ludion::param::{Args, Param, ParamError};
use ludion::scene::{Coord, PieceShape, Scene, Symmetry};

/// The rules with their parameters.
#[derive(Clone, Copy, Debug)]
pub struct MyGameRules {
    /// Number of cells of the row, at most 60.
    pub cells: usize,
    /// Number of adjacent crosses that win, at most the number of cells.
    pub line: usize,
}

/// A state: a small plain value with everything that matters for the rest of the game. The side to
/// move follows from the number of crosses; in other games it is a field of its own.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct MyGameState {
    /// The crossed cells: bit `i` is the cell `i`, counted from 0 at the left.
    pub crosses: u64,
}

impl MyGameState {
    /// Returns the side to move.
    pub fn turn(self) -> Side {
        Side::after(self.crosses.count_ones())
    }

    /// Returns whether the cell is crossed.
    pub fn has(self, cell: usize) -> bool {
        self.crosses >> cell & 1 == 1
    }
}

impl MyGameRules {
    /// Returns whether there is a line of crosses.
    pub fn has_line(&self, s: &MyGameState) -> bool {
        // After the step `i`, a bit stands for a run of `i + 1` crosses.
        (1..self.line).fold(s.crosses, |runs, i| runs & s.crosses >> i) != 0
    }

    /// Returns the cells that are not crossed, from the left.
    pub fn empty_cells(&self, s: &MyGameState) -> impl Iterator<Item = usize> + use<> {
        let s = *s;
        (0..self.cells).filter(move |&cell| !s.has(cell))
    }

    /// Returns whether the side to move can win with one move.
    pub fn can_win(&self, s: &MyGameState) -> bool {
        self.empty_cells(s).any(|cell| self.has_line(&self.after(s, cell)))
    }
}

impl Game for MyGameRules {
    type State = MyGameState;
    /// The cell to cross, counted from 0 at the left.
    type Move = usize;
    /// A game for two sides has the outcome `Duel`, which is won or drawn; a puzzle has `Points`.
    type Outcome = Duel;

    fn start(&self) -> MyGameState {
        MyGameState { crosses: 0 }
    }

    fn status(&self, s: &MyGameState) -> Status<Duel> {
        // The side that has just moved has completed the line. A full row has a line, so that no
        // game is drawn.
        if self.has_line(s) {
            Status::Over(Duel::Won(s.turn().other()))
        } else {
            Status::Turn(s.turn())
        }
    }

    /// Lists the legal moves, always in the same order; there are none exactly when the game is
    /// over.
    fn moves(&self, s: &MyGameState, out: &mut Vec<usize>) {
        if !self.has_line(s) {
            out.extend(self.empty_cells(s));
        }
    }

    fn play(&self, s: &mut MyGameState, cell: usize) {
        s.crosses |= 1 << cell;
    }

    /// Returns the number by which hash tables identify a state: equal states have equal keys, and
    /// different states have different ones.
    fn key(&self, s: &MyGameState) -> u64 {
        s.crosses
    }

    /// Writes the row on one line: `..x.x..`.
    fn show_state(&self, s: &MyGameState) -> String {
        show_grid(self.cells, 1, |x, _| if s.has(x) { 'x' } else { '.' })
    }

    /// Parses what `show_state` writes. A state that cannot occur is an error with a reason.
    fn read_state(&self, text: &str) -> Result<MyGameState, NotationError> {
        let mut reader = NotationReader::new(text);
        let cells = reader.grid(self.cells, 1, ".x")?;
        reader.end()?;
        let crosses = (0..self.cells).filter(|&cell| cells[cell] == 1).map(|cell| 1 << cell).sum();
        let s = MyGameState { crosses };
        let without = |cell: usize| MyGameState { crosses: crosses & !(1 << cell) };
        if self.has_line(&s) && (0..self.cells).all(|cell| self.has_line(&without(cell))) {
            return Err(reader.whole("the game was over before the last cross"));
        }
        Ok(s)
    }

    /// Writes the number of the cell, counted from 1. By default, moves are read by comparing a text
    /// with this notation.
    fn show_move(&self, _s: &MyGameState, cell: usize) -> String {
        (cell + 1).to_string()
    }

    /// Returns a picture as data, which the terminal and the web page draw. There are also hexagons
    /// and heaps, other shapes, and pieces that belong to a side.
    fn scene(&self, s: &MyGameState) -> Scene {
        let mut scene = Scene::grid(self.cells, 1);
        scene.columns = (1..=self.cells).map(|number| number.to_string()).collect();
        for cell in (0..self.cells).filter(|&cell| s.has(cell)) {
            scene.put(Coord::new(cell, 0), None, PieceShape::Cross);
        }
        scene.caption = format!("{} crosses in line win", self.line);
        scene
    }

    /// Returns the cells of the picture that a person clicks, in order, to play the move.
    fn touches(&self, _s: &MyGameState, cell: usize) -> Vec<Coord> {
        vec![Coord::new(cell, 0)]
    }

    /// Returns the symmetries of the board: left and right can be swapped. A game without
    /// symmetries omits this method and the next.
    fn symmetries(&self) -> Vec<Symmetry> {
        vec![Symmetry::Mirror]
    }

    fn transform(&self, s: &MyGameState, _mirror: Symmetry) -> MyGameState {
        MyGameState { crosses: s.crosses.reverse_bits() >> (64 - self.cells) }
    }
}

/// The name, the help and the parameters, from which the command line, the forms of the web page
/// and the error messages are made.
impl NamedGame for MyGameRules {
    const NAME: &'static str = "my_game";
    const HELP: &'static str = "cross cells of a row; a line of crosses wins";
    const PARAMS: &'static [Param] = &[
        Param::int("cells", 11, 2, 60, "cells of the row"),
        Param::int("line", 3, 2, 10, "adjacent crosses that win, at most the number of cells"),
    ];
    /// Variants that lists show and tests check.
    const EXAMPLES: &'static [&'static str] = &["my_game", "my_game(8)", "my_game(6, line=2)"];

    fn build(args: &Args) -> Result<Self, ParamError> {
        let (cells, line) = (args.size("cells"), args.size("line"));
        if line > cells {
            return Err(args.together(format!("a line of {line} does not fit into {cells} cells")));
        }
        Ok(MyGameRules { cells, line })
    }
}
