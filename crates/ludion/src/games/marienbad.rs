//! Marienbad: three rows of matches; a move takes some matches from one row. The side that takes
//! the last match wins; in the misère variant it loses. If a move may take any number of matches,
//! the game is Nim.

use crate::erased::GameBuilder;
use crate::game::{Game, Side, Status};
use crate::named::NamedGame;
use crate::notation::{NotationError, NotationReader, heap_counts};
use crate::outcome::Duel;
use crate::param::{Args, Param, ParamError};
use crate::presentation::StrengthLevel;
use crate::random::Rng;
use crate::scene::{Coord, Piece, PieceShape, Scene, Symmetry};

/// The largest value of the parameter `n`, from which the sizes of the rows are made.
const MOST: i64 = 60;

/// The rules of Marienbad: the rows at the start, the most matches that a move may take, and
/// whether the last match wins or loses.
#[derive(Clone, Copy, Debug)]
pub struct Marienbad {
    /// The number of matches in each row at the start.
    pub rows: [u16; 3],
    /// The most matches that a move may take; `None` if there is no limit.
    pub limit: Option<u16>,
    /// Whether the side that takes the last match loses.
    pub misere: bool,
}

/// The matches left in each row and the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct MarienbadState {
    /// The number of matches left in each row.
    pub rows: [u16; 3],
    /// The side to move.
    pub turn: Side,
}

/// A move that takes some matches from one row.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct MarienbadMove {
    /// The row from which the move takes matches, counted from 0.
    pub row: u8,
    /// The number of matches that the move takes.
    pub count: u16,
}

impl Game for Marienbad {
    type State = MarienbadState;
    type Move = MarienbadMove;
    type Outcome = Duel;

    fn start(&self) -> MarienbadState {
        MarienbadState { rows: self.rows, turn: Side::First }
    }

    #[inline]
    fn status(&self, s: &MarienbadState) -> Status<Duel> {
        if s.rows != [0; 3] {
            Status::Turn(s.turn)
        } else {
            Status::Over(Duel::Won(if self.misere { s.turn } else { s.turn.other() }))
        }
    }

    #[inline]
    fn moves(&self, s: &MarienbadState, out: &mut Vec<MarienbadMove>) {
        for (row, &left) in (0..).zip(&s.rows) {
            let most = self.limit.map_or(left, |limit| left.min(limit));
            for count in 1..most + 1 {
                out.push(MarienbadMove { row, count });
            }
        }
    }

    #[inline]
    fn count_moves(&self, s: &MarienbadState, _scratch: &mut Vec<MarienbadMove>) -> usize {
        let most = self.limit.unwrap_or(u16::MAX);
        usize::from(s.rows[0].min(most))
            + usize::from(s.rows[1].min(most))
            + usize::from(s.rows[2].min(most))
    }

    #[inline]
    fn play(&self, s: &mut MarienbadState, m: MarienbadMove) {
        s.rows[usize::from(m.row)] -= m.count;
        s.turn = s.turn.other();
    }

    #[inline]
    fn key(&self, s: &MarienbadState) -> u64 {
        s.rows.iter().fold(s.turn as u64, |key, &left| key << 16 | u64::from(left))
    }

    #[inline]
    fn last_mover_wins(&self) -> bool {
        !self.misere
    }

    fn show_state(&self, s: &MarienbadState) -> String {
        format!("{},{},{} {}", s.rows[0], s.rows[1], s.rows[2], s.turn)
    }

    fn read_state(&self, text: &str) -> Result<MarienbadState, NotationError> {
        let mut reader = NotationReader::new(text);
        let mut rows = [0; 3];
        for (i, row) in rows.iter_mut().enumerate() {
            if i > 0 {
                reader.expect(",")?;
            }
            *row = reader.number(&format!("row {}", i + 1), 0, self.rows[i].into())? as u16;
        }
        let turn = reader.side()?;
        reader.end()?;
        Ok(MarienbadState { rows, turn })
    }

    /// Writes the row, counted from 1, and the number of matches: `2:3` takes three matches from
    /// the second row.
    fn show_move(&self, _s: &MarienbadState, m: MarienbadMove) -> String {
        format!("{}:{}", m.row + 1, m.count)
    }

    fn scene(&self, s: &MarienbadState) -> Scene {
        let rows = |rows: [u16; 3]| rows.map(usize::from);
        let mut scene = Scene::heaps(&rows(s.rows), &rows(self.rows), &PieceShape::Match);
        scene.columns = (1..=3).map(|row| row.to_string()).collect();
        scene
    }

    /// Returns the cell to click: of the matches that the move takes from the end of the row, the
    /// one nearest to its beginning.
    fn touches(&self, s: &MarienbadState, m: MarienbadMove) -> Vec<Coord> {
        let row = usize::from(m.row);
        vec![Coord::new(row, usize::from(s.rows[row] - m.count))]
    }

    fn state_of_pieces(
        &self,
        pieces: &[Piece],
        turn: Side,
    ) -> Result<MarienbadState, NotationError> {
        let [a, b, c] = heap_counts(pieces);
        self.read_state(&format!("{a},{b},{c} {turn}"))
    }

    fn removes(&self, s: &MarienbadState, m: MarienbadMove) -> Vec<Coord> {
        let (row, count) = (usize::from(m.row), usize::from(m.count));
        let left = usize::from(s.rows[row]);
        (left - count..left).map(|i| Coord::new(row, i)).collect()
    }

    fn symmetries(&self) -> Vec<Symmetry> {
        if self.rows[0] == self.rows[2] { vec![Symmetry::Mirror] } else { Vec::new() }
    }

    fn transform(&self, s: &MarienbadState, _mirror: Symmetry) -> MarienbadState {
        let [a, b, c] = s.rows;
        MarienbadState { rows: [c, b, a], turn: s.turn }
    }
}

/// Returns the registry entry of Marienbad.
#[must_use]
pub fn entry() -> GameBuilder<Marienbad> {
    GameBuilder::duel()
}

impl NamedGame for Marienbad {
    const NAME: &'static str = "marienbad";
    const TITLE: &'static str = "Nim";
    const RULES: &'static str = "There are three rows of matches. On your turn choose a row and take as many matches from it \
        as you like, up to the limit if there is one. The player who takes the last match wins; in \
        the misère variant that player loses.";
    const LEVELS: &'static [StrengthLevel] = &[StrengthLevel::perfect_in(
        "deepening(secs=0)",
        &["marienbad", "marienbad(8, quarter, take=3, misere)"],
    )];
    const HELP: &'static str = "three rows of matches; take from one row, the last match wins";
    const PARAMS: &'static [Param] = &[
        Param::int("n", 4, 1, MOST, "the size that the rows are made from"),
        Param::choice(
            "rows",
            &["triple", "quarter", "random"],
            "n, 2n, 3n; n/4, n/2, n; or three numbers from 1 to n drawn from the seed",
        ),
        Param::int("take", 0, 0, 3 * MOST, "the most a move may take; 0: any number"),
        Param::flag("misere", "whoever takes the last match loses"),
        Param::int("seed", 1, 0, i64::MAX, "what random rows are drawn from"),
    ];
    const EXAMPLES: &'static [&'static str] =
        &["marienbad", "marienbad(8, quarter, take=3, misere)", "marienbad(9, random, seed=5)"];

    fn build(args: &Args) -> Result<Self, ParamError> {
        let n = args.size("n") as u16;
        let rows = match args.text("rows") {
            "triple" => [n, 2 * n, 3 * n],
            "quarter" if n < 4 => {
                return Err(args.refuse(
                    "n",
                    n,
                    format!("4 to {MOST} with rows = quarter, so that no row is empty"),
                ));
            }
            "quarter" => [n / 4, n / 2, n],
            _ => {
                let mut rng = Rng::new(args.int("seed") as u64);
                [0; 3].map(|_| 1 + rng.below(n.into()) as u16)
            }
        };
        let limit = Some(args.size("take") as u16).filter(|&most| most > 0);
        Ok(Marienbad { rows, limit, misere: args.flag("misere") })
    }
}
