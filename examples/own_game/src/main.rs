//! An example of a game of your own. This file has the rules and the entry for the registry. Beside
//! it are an evaluator and a player made for the game ([`theory`]) and a player for all games
//! ([`careful`]); both are optional.
//!
//! Chomp is played on a bar of chocolate whose lower left square, a1, is poisoned. In turns, the
//! sides name a square, which is eaten with all squares above it or to its right. The side that
//! eats the poison loses. Each side may also pass once, or as often as the parameter `passes` says,
//! as long as more than the poison is left. `cargo run -p own_game -- --help` lists the commands
//! that work with it.

mod careful;
mod theory;

use std::process::ExitCode;

use ludion::game::{Game, Side, Status};
use ludion::grid::{GridGame, GridLayout, PieceBitboards};
use ludion::named::NamedGame;
use ludion::notation::{NotationError, NotationReader, show_grid};
use ludion::outcome::Duel;
use ludion::param::{Args, Param, ParamError};
use ludion::registry::{GameBuilder, Registry};
use ludion::scene::{Coord, PieceShape, Scene, Symmetry, cell_name};

/// The rules of Chomp with their parameters.
#[derive(Clone, Copy)]
struct Chomp {
    /// Number of columns of the bar, at most 8.
    cols: usize,
    /// Number of rows of the bar, at most 8.
    rows: usize,
    /// Number of times that each side may pass in a game.
    passes: u8,
}

/// A state of Chomp: a small plain value with *everything* that matters for the rest of the game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct ChompState {
    /// Number of squares left in each row, from the bottom; no row is longer than the one below it.
    left: [u8; 8],
    /// Number of passes left for the first side, then for the second side.
    passes: [u8; 2],
    turn: Side,
}

/// A move of Chomp.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum ChompMove {
    /// Eats the square in this column and row, counted from 0 at the lower left, with all squares
    /// above it or to its right.
    Bite(usize, usize),
    Pass,
}

impl ChompState {
    fn only_the_poison_is_left(&self) -> bool {
        self.left[0] == 1 && self.left[1] == 0
    }
}

impl Chomp {
    /// Returns whether the square in column `x` and row `y`, counted from the top left as in
    /// scenes, is still there.
    fn has(&self, s: &ChompState, x: usize, y: usize) -> bool {
        x < usize::from(s.left[self.rows - 1 - y])
    }

    /// Returns all squares of the full bar as column and row, counted from the upper left, row by
    /// row.
    fn squares(&self) -> impl Iterator<Item = (usize, usize)> {
        let cols = self.cols;
        (0..self.rows).flat_map(move |y| (0..cols).map(move |x| (x, y)))
    }
}

impl Game for Chomp {
    type State = ChompState;
    type Move = ChompMove;
    /// A game for two sides has the outcome `Duel`; a puzzle has `Points`.
    type Outcome = Duel;

    fn start(&self) -> ChompState {
        let left = std::array::from_fn(|row| if row < self.rows { self.cols as u8 } else { 0 });
        ChompState { left, passes: [self.passes; 2], turn: Side::First }
    }

    fn status(&self, s: &ChompState) -> Status<Duel> {
        // The bar is empty: the other side has just eaten the poison.
        if s.left[0] == 0 { Status::Over(Duel::Won(s.turn)) } else { Status::Turn(s.turn) }
    }

    /// Lists the legal moves, always in the same order; there are none exactly when the game is
    /// over.
    fn moves(&self, s: &ChompState, out: &mut Vec<ChompMove>) {
        for (row, &left) in s.left.iter().enumerate() {
            out.extend((0..left.into()).map(|column| ChompMove::Bite(column, row)));
        }
        let bar_is_eaten = s.left[0] == 0;
        if s.passes[s.turn.index()] > 0 && !bar_is_eaten && !s.only_the_poison_is_left() {
            out.push(ChompMove::Pass);
        }
    }

    fn play(&self, s: &mut ChompState, m: ChompMove) {
        match m {
            ChompMove::Bite(column, row) => {
                for left in &mut s.left[row..] {
                    *left = (*left).min(column as u8);
                }
            }
            ChompMove::Pass => s.passes[s.turn.index()] -= 1,
        }
        s.turn = s.turn.other();
    }

    /// Returns the number by which hash tables identify a state: different states have different
    /// keys.
    fn key(&self, s: &ChompState) -> u64 {
        let digits = s.left.iter().chain(&s.passes);
        digits.fold(s.turn as u64, |key, &digit| key << 4 | u64::from(digit))
    }

    /// Writes the bar row by row from the top, the side to move, and the passes left of both sides:
    /// `##./###/### first 1 0`.
    fn show_state(&self, s: &ChompState) -> String {
        let bar = show_grid(self.cols, self.rows, |x, y| if self.has(s, x, y) { '#' } else { '.' });
        format!("{bar} {} {} {}", s.turn, s.passes[0], s.passes[1])
    }

    /// Parses what `show_state` writes; a state that cannot occur is an error with a reason.
    fn read_state(&self, text: &str) -> Result<ChompState, NotationError> {
        let mut reader = NotationReader::new(text);
        let cells = reader.grid(self.cols, self.rows, ".#")?;
        let turn = reader.side()?;
        let mut passes = [0; 2];
        for left in &mut passes {
            reader.skip_spaces();
            *left = reader.number("the passes left", 0, self.passes.into())? as u8;
        }
        let mut s = ChompState { left: [0; 8], passes, turn };
        reader.end()?;
        for (left, row) in s.left.iter_mut().zip(cells.chunks(self.cols).rev()) {
            *left = row.iter().sum::<usize>() as u8;
        }
        let closed = self.squares().zip(&cells).all(|((x, y), &c)| (c == 1) == self.has(&s, x, y));
        if !closed || s.left.windows(2).any(|rows| rows[0] < rows[1]) {
            return Err(reader.whole("a bite leaves nothing above it or to its right"));
        }
        Ok(s)
    }

    /// Writes the square as on a chess board, or `pass`. By default, moves are read by comparing a
    /// text with this notation.
    fn show_move(&self, _s: &ChompState, m: ChompMove) -> String {
        match m {
            ChompMove::Bite(column, row) => cell_name(column, self.rows - 1 - row, self.rows),
            ChompMove::Pass => "pass".to_owned(),
        }
    }

    /// Returns a picture as data, which the terminal and the web page draw. The cell beyond the
    /// upper right corner of the bar means "pass".
    fn scene(&self, s: &ChompState) -> Scene {
        let mut scene = Scene::grid(self.cols + 1, self.rows + 1);
        scene.name_like_chess();
        for (x, y) in self.squares().filter(|&(x, y)| self.has(s, x, y)) {
            let poison = (x, y) == (0, self.rows - 1);
            let shape = if poison { PieceShape::Text("†".to_owned()) } else { PieceShape::Block };
            scene.put(Coord::new(x, y + 1), None, shape);
        }
        scene.put(Coord::new(self.cols, 0), None, PieceShape::Text("»".to_owned()));
        scene.caption = format!("passes (») left: {} and {}", s.passes[0], s.passes[1]);
        scene
    }

    /// Returns the cells that a person clicks to play the move.
    fn touches(&self, _s: &ChompState, m: ChompMove) -> Vec<Coord> {
        vec![match m {
            ChompMove::Bite(column, row) => Coord::new(column, self.rows - row),
            ChompMove::Pass => Coord::new(self.cols, 0),
        }]
    }

    /// Returns the symmetries: a square bar can be reflected about the diagonal through the poison.
    /// A game without symmetries omits this method and the next.
    fn symmetries(&self) -> Vec<Symmetry> {
        if self.cols == self.rows { vec![Symmetry::AntiTranspose] } else { Vec::new() }
    }

    fn transform(&self, s: &ChompState, _flip: Symmetry) -> ChompState {
        let longer = |n: usize| s.left.iter().filter(|&&left| usize::from(left) > n).count() as u8;
        ChompState { left: std::array::from_fn(longer), ..*s }
    }
}

/// Describes the bar as a board with pieces, so that patterns can be learned from self-play.
/// Patterns do not see the passes, which are not on the board.
impl GridGame for Chomp {
    fn board(&self) -> GridLayout {
        GridLayout::full(self.cols, self.rows, |x, y| y * self.cols + x)
    }

    fn pieces(&self, s: &ChompState) -> PieceBitboards {
        let left = self.squares().enumerate().filter(|&(_, (x, y))| self.has(s, x, y));
        let set = left.fold(0, |set, (bit, _)| set | 1 << bit);
        PieceBitboards { men: [set, 0], ..PieceBitboards::default() }
    }
}

/// Declares the name, the help and the parameters, from which the command line, the forms of the
/// web page and the error messages are made.
impl NamedGame for Chomp {
    const NAME: &'static str = "chomp";
    const HELP: &'static str = "bite off a bar of chocolate; who eats the poisoned square loses";
    const PARAMS: &'static [Param] = &[
        Param::int("cols", 5, 1, 8, "columns"),
        Param::int("rows", 4, 1, 8, "rows"),
        Param::int("passes", 1, 0, 9, "how often each side may pass"),
    ];
    const EXAMPLES: &'static [&'static str] =
        &["chomp", "chomp(4, 4)", "chomp(8, 2)", "chomp(3, 3, passes=0)"];

    fn build(args: &Args) -> Result<Self, ParamError> {
        let passes = args.size("passes") as u8;
        Ok(Chomp { cols: args.size("cols"), rows: args.size("rows"), passes })
    }
}

/// Returns the game with its evaluators and players. `GameBuilder::<Chomp>::duel()` alone is enough
/// to play; the rest is specific to this game. A game with a fast exact solver adds `.solver(…)`.
fn entry() -> GameBuilder<Chomp> {
    GameBuilder::duel()
        .grid()
        .evaluator("theory", "bars that are known to be lost, and passes", theory::TheoryEvaluator)
        .player::<theory::TheoryPlayer>()
}

/// Returns a registry with all games of the library, this one, and a player for all of them.
fn registry() -> Registry {
    ludion::registry::standard().with(entry()).with_player_for_all(careful::info(), careful::build)
}

fn main() -> ExitCode {
    ludion_cli::run(registry())
}

#[cfg(test)]
mod tests;
