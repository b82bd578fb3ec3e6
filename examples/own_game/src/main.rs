//! A game of one's own: everything there is to write is in this file, its tests beside it.
//!
//! Chomp: a bar of chocolate whose lower left square, a1, is poisoned. In turns, bite: name
//! a square, and it is eaten with all that is above it or to its right. Who eats the poison
//! loses. `cargo run -p own_game -- --help` says what comes for free.

use std::process::ExitCode;

use ludion::game::{Game, Side, Status};
use ludion::named::NamedGame;
use ludion::notation::{NotationError, NotationReader, show_grid};
use ludion::outcome::Duel;
use ludion::param::{Args, Param, ParamError};
use ludion::registry::{GameBuilder, Registry};
use ludion::scene::{Coord, PieceShape, Scene, Symmetry, cell_name};

/// The rules with their parameters: here the size of the bar, at most 8 by 8.
struct Chomp {
    cols: usize,
    rows: usize,
}

/// A position: small, plain, and *all* that matters for the rest of the game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct State {
    /// Squares left in each row, from the bottom; no row is longer than the one below.
    left: [u8; 8],
    turn: Side,
}

impl Chomp {
    /// Whether the square at column `x` and row `y`, counted from the top as in scenes, is
    /// still there.
    fn has(&self, s: &State, x: usize, y: usize) -> bool {
        x < usize::from(s.left[self.rows - 1 - y])
    }
}

impl Game for Chomp {
    type State = State;
    /// The square bitten: column and row, from the lower left.
    type Move = (usize, usize);
    /// Two sides, one wins. For a puzzle it would be `Points`.
    type Outcome = Duel;

    fn start(&self) -> State {
        let left = std::array::from_fn(|row| if row < self.rows { self.cols as u8 } else { 0 });
        State { left, turn: Side::First }
    }

    fn status(&self, s: &State) -> Status<Duel> {
        // An empty bar: the other side has just eaten the poison.
        if s.left[0] == 0 { Status::Over(Duel::Won(s.turn)) } else { Status::Turn(s.turn) }
    }

    /// Always in the same order, none exactly when the game is over.
    fn moves(&self, s: &State, out: &mut Vec<(usize, usize)>) {
        for (row, &left) in s.left.iter().enumerate() {
            out.extend((0..left.into()).map(|column| (column, row)));
        }
    }

    fn play(&self, s: &mut State, (column, row): (usize, usize)) {
        for left in &mut s.left[row..] {
            *left = (*left).min(column as u8);
        }
        s.turn = s.turn.other();
    }

    /// Tables know a position by this number: different positions, different keys.
    fn key(&self, s: &State) -> u64 {
        s.left.iter().fold(s.turn as u64, |key, &left| key << 4 | u64::from(left))
    }

    /// The bar row by row from the top, then the side to move: `##./###/### first`.
    fn show_state(&self, s: &State) -> String {
        let bar = show_grid(self.cols, self.rows, |x, y| if self.has(s, x, y) { '#' } else { '.' });
        format!("{bar} {}", s.turn)
    }

    /// Reading back; whatever cannot happen is refused with a reason.
    fn read_state(&self, text: &str) -> Result<State, NotationError> {
        let mut reader = NotationReader::new(text);
        let cells = reader.grid(self.cols, self.rows, ".#")?;
        let mut s = State { left: [0; 8], turn: reader.side()? };
        reader.end()?;
        for (left, row) in s.left.iter_mut().zip(cells.chunks(self.cols).rev()) {
            *left = row.iter().sum::<usize>() as u8;
        }
        let closed =
            (0..cells.len()).all(|i| (cells[i] == 1) == self.has(&s, i % self.cols, i / self.cols));
        if !closed || s.left.windows(2).any(|rows| rows[0] < rows[1]) {
            return Err(reader.whole("a bite leaves nothing above it or to its right"));
        }
        Ok(s)
    }

    /// The square as on a chess board; reading a move comes for free.
    fn show_move(&self, _s: &State, (column, row): (usize, usize)) -> String {
        cell_name(column, self.rows - 1 - row, self.rows)
    }

    /// The picture as data. The terminal and the web page draw it.
    fn scene(&self, s: &State) -> Scene {
        let mut scene = Scene::grid(self.cols, self.rows);
        scene.name_like_chess();
        for (y, x) in (0..self.rows).flat_map(|y| (0..self.cols).map(move |x| (y, x))) {
            if self.has(s, x, y) {
                let poison = (x, y) == (0, self.rows - 1);
                let shape =
                    if poison { PieceShape::Text("†".to_owned()) } else { PieceShape::Block };
                scene.put(Coord::new(x, y), None, shape);
            }
        }
        scene
    }

    /// Where a person clicks to make the move.
    fn touches(&self, _s: &State, (column, row): (usize, usize)) -> Vec<Coord> {
        vec![Coord::new(column, self.rows - 1 - row)]
    }

    /// A square bar can be flipped about the diagonal through the poison. Games without
    /// symmetries leave this and the next method out.
    fn symmetries(&self) -> Vec<Symmetry> {
        if self.cols == self.rows { vec![Symmetry::AntiTranspose] } else { Vec::new() }
    }

    fn transform(&self, s: &State, _flip: Symmetry) -> State {
        let longer = |n: usize| s.left.iter().filter(|&&left| usize::from(left) > n).count() as u8;
        State { left: std::array::from_fn(longer), turn: s.turn }
    }
}

/// What the command line, the forms of the page and the error messages are made from.
impl NamedGame for Chomp {
    const NAME: &'static str = "chomp";
    const HELP: &'static str = "bite off a bar of chocolate; who eats the poisoned square loses";
    const PARAMS: &'static [Param] =
        &[Param::int("cols", 5, 1, 8, "columns"), Param::int("rows", 4, 1, 8, "rows")];
    const EXAMPLES: &'static [&'static str] = &["chomp", "chomp(4, 4)", "chomp(8, 2)"];

    fn build(args: &Args) -> Result<Self, ParamError> {
        Ok(Chomp { cols: args.size("cols"), rows: args.size("rows") })
    }
}

fn main() -> ExitCode {
    ludion_cli::run(Registry::standard().with(GameBuilder::<Chomp>::duel()))
}

#[cfg(test)]
mod tests;
