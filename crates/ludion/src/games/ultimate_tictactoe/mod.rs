//! Ultimate tic-tac-toe: nine boards of tic-tac-toe form a large one. A side wins a board with three
//! in a row on it, and the game with three boards in a row. The cell of a move, within its board,
//! says on which board the opponent moves next; if that board is won or full, the opponent moves on
//! any other. The game is drawn when all boards are won or full. Source: the usual rules, as in
//! Bertholon, Géraud-Stewart, Kugelmann, Lenoir and Naccache, *At Most 43 Moves, At Least 29* (2020).
//!
//! Boards, and cells within a board, are numbered row by row.

mod boards;
mod evaluator;

use crate::encoding::EncodingShape;
use crate::erased::GameBuilder;
use crate::game::{Game, Side, Status};
use crate::named::NamedGame;
use crate::notation::{NotationError, NotationReader, show_owners};
use crate::outcome::Duel;
use crate::param::{Args, Param, ParamError};
use crate::random::{Rng, mix};
use crate::scene::{Coord, Piece, PieceShape, Scene, Symmetry, cell_name};

use super::bits::bits;
use super::tictactoe::{FULL, LINES, has_line};
use boards::{COMPLETING, allowed_name, grid_cells, inner, place, winning_cells};
pub use evaluator::LocalBoardEvaluator;

/// The rules of ultimate tic-tac-toe; the game has no parameters.
#[derive(Clone, Copy, Debug)]
pub struct UltimateTicTacToe;

/// The stones of each side on each board, and what follows from them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct UltimateTicTacToeState {
    /// For each side and board, the set of its cells.
    stones: [[u16; 9]; 2],
    /// The boards that each side has won.
    won: [u16; 2],
    /// The boards that are won or full.
    closed: u16,
    /// The boards on which the next move may be; none if the game is over.
    allowed: u16,
    turn: Side,
}

impl Game for UltimateTicTacToe {
    type State = UltimateTicTacToeState;
    /// The board and its cell on which the move puts a stone: `9·board + cell`.
    type Move = u8;
    type Outcome = Duel;

    fn start(&self) -> UltimateTicTacToeState {
        UltimateTicTacToeState {
            stones: [[0; 9]; 2],
            won: [0; 2],
            closed: 0,
            allowed: FULL,
            turn: Side::First,
        }
    }

    #[inline]
    fn status(&self, s: &UltimateTicTacToeState) -> Status<Duel> {
        if s.allowed != 0 {
            Status::Turn(s.turn)
        } else if has_line(s.won[s.turn.other().index()]) {
            Status::Over(Duel::Won(s.turn.other()))
        } else {
            Status::Over(Duel::Drawn)
        }
    }

    #[inline]
    fn moves(&self, s: &UltimateTicTacToeState, out: &mut Vec<u8>) {
        for board in bits(s.allowed.into()) {
            out.extend(bits(s.free(board.into()).into()).map(|cell| 9 * board + cell));
        }
    }

    #[inline]
    fn play(&self, s: &mut UltimateTicTacToeState, m: u8) {
        let (board, cell, turn) = (usize::from(m / 9), m % 9, s.turn.index());
        s.stones[turn][board] |= 1 << cell;
        s.turn = s.turn.other();
        if has_line(s.stones[turn][board]) {
            s.won[turn] |= 1 << board;
            s.closed |= 1 << board;
            if has_line(s.won[turn]) {
                s.allowed = 0;
                return;
            }
        } else if s.free(board) == 0 {
            s.closed |= 1 << board;
        }
        let next = 1 << cell & !s.closed;
        s.allowed = if next != 0 { next } else { FULL & !s.closed };
    }

    #[inline]
    fn key(&self, s: &UltimateTicTacToeState) -> u64 {
        let words = s.stones.map(|boards| {
            // Seven boards fit into a word, and two into the rest.
            let low = boards[..7].iter().fold(0, |word, &set| word << 9 | u64::from(set));
            (low, u64::from(boards[7]) << 9 | u64::from(boards[8]))
        });
        let rest =
            words[0].1 << 18 | words[1].1 | u64::from(s.allowed) << 36 | (s.turn as u64) << 45;
        mix(mix(mix(words[0].0) ^ words[1].0) ^ rest)
    }

    #[inline]
    fn count_moves(&self, s: &UltimateTicTacToeState, _scratch: &mut Vec<u8>) -> usize {
        s.count_free() as usize
    }

    /// The side to move wins on a board that completes three boards with a cell that wins the board.
    #[inline]
    fn wins_at_once(&self, s: &UltimateTicTacToeState) -> Option<bool> {
        let turn = s.turn.index();
        let deciding = COMPLETING[usize::from(s.won[turn])] & s.allowed;
        let wins = |board: u8| {
            let board = usize::from(board);
            COMPLETING[usize::from(s.stones[turn][board])] & s.free(board) != 0
        };
        Some(bits(deciding.into()).any(wins))
    }

    fn safe_moves(&self, s: &UltimateTicTacToeState, out: &mut Vec<u8>) -> bool {
        let first = out.len();
        self.moves(s, out);
        let mut kept = first;
        for i in first..out.len() {
            let m = out[i];
            if self.wins_at_once(&self.after(s, m)) == Some(false) {
                out[kept] = m;
                kept += 1;
            }
        }
        out.truncate(kept);
        true
    }

    #[inline]
    fn last_mover_wins(&self) -> bool {
        true
    }

    #[inline]
    fn slot(&self, m: u8) -> usize {
        m.into()
    }

    fn playout(
        &self,
        mut s: UltimateTicTacToeState,
        rng: &mut Rng,
        _scratch: &mut Vec<u8>,
    ) -> Duel {
        while s.allowed != 0 {
            let mut number = rng.below(s.count_free() as usize) as u32;
            let mut boards = s.allowed;
            let (board, mut free) = loop {
                let board = boards.trailing_zeros() as usize;
                let (free, count) = (s.free(board), s.free(board).count_ones());
                if number < count {
                    break (board, free);
                }
                number -= count;
                boards &= boards - 1;
            };
            for _ in 0..number {
                free &= free - 1;
            }
            self.play(&mut s, 9 * board as u8 + free.trailing_zeros() as u8);
        }
        match self.status(&s) {
            Status::Over(end) => end,
            Status::Turn(_) => unreachable!("no board is allowed at the end"),
        }
    }

    /// Writes the whole grid and the board of the next move, named like a cell of a chess board of
    /// three columns: `…/......... b2`; `any` if it may be on any open board, `none` at the end.
    fn show_state(&self, s: &UltimateTicTacToeState) -> String {
        let grid = show_owners(9, 9, |x, y| s.owner(x, y));
        format!("{grid} {}", allowed_name(s))
    }

    fn read_state(&self, text: &str) -> Result<UltimateTicTacToeState, NotationError> {
        let mut reader = NotationReader::new(text);
        let cells = reader.grid(9, 9, ".xo")?;
        let mut s = self.start();
        for ((x, y), stone) in grid_cells().zip(cells).filter(|&(_, stone)| stone > 0) {
            let (board, cell) = inner(x, y);
            s.stones[stone - 1][board] |= 1 << cell;
        }
        let [first, second] =
            s.stones.map(|boards| boards.iter().map(|set| set.count_ones()).sum());
        reader.alternate(first, second)?;
        s.turn = Side::after(first + second);
        s.find_closed_boards();
        if s.won[0] & s.won[1] != 0 {
            return Err(reader.whole("a board is won by both sides"));
        }
        if has_line(s.won[s.turn.index()]) {
            return Err(reader.whole(format!("{} had already won before the last move", s.turn)));
        }
        let open = FULL & !s.closed;
        let choices = (0..9).filter(|board| open >> board & 1 == 1).map(|board| 1 << board);
        let choices: Vec<u16> = if s.is_over() { vec![0] } else { choices.chain([open]).collect() };
        let names =
            choices.iter().map(|&allowed| allowed_name(&UltimateTicTacToeState { allowed, ..s }));
        let names: Vec<String> = names.collect();
        reader.skip_spaces();
        let found = reader.take_word(|word| names.iter().position(|name| name == word));
        let Some(choice) = found else {
            let problem =
                format!("expected the board of the next move, one of {},", names.join(" "));
            return Err(reader.error(problem));
        };
        reader.end()?;
        // The last of the choices is any board, also if only one is open.
        s.allowed = choices[choice];
        Ok(s)
    }

    fn show_move(&self, _s: &UltimateTicTacToeState, m: u8) -> String {
        let (x, y) = place(m);
        cell_name(x, y, 9)
    }

    /// Walls separate the boards. The free cells of a board that is won are filled for its winner, and
    /// the board of the next move is marked.
    fn scene(&self, s: &UltimateTicTacToeState) -> Scene {
        let mut scene = Scene::grid(9, 9);
        let corners = grid_cells().filter(|(x, y)| x % 3 == 0 && y % 3 == 0);
        scene.frames = corners.map(|(x, y)| [Coord::new(x, y), Coord::new(x + 2, y + 2)]).collect();
        for (x, y) in grid_cells() {
            let shape = match s.owner(x, y) {
                Some(Side::First) => PieceShape::Cross,
                Some(Side::Second) => PieceShape::Ring,
                None => PieceShape::Block,
            };
            if let Some(side) = s.owner(x, y).or(s.board_owner(x, y)) {
                scene.put(Coord::new(x, y), Some(side), shape);
            }
        }
        if s.allowed.is_power_of_two() {
            let next = s.allowed.trailing_zeros() as usize;
            let cells = grid_cells().filter(|&(x, y)| inner(x, y).0 == next);
            scene.marked = cells.map(|(x, y)| Coord::new(x, y)).collect();
        }
        scene.winning = winning_cells(s).map(|(x, y)| Coord::new(x, y)).collect();
        scene.name_like_chess();
        let [first, second] = s.won.map(u16::count_ones);
        scene.caption =
            format!("next board: {}; boards: first {first}, second {second}", allowed_name(s));
        scene
    }

    /// The board of the next move is any open one.
    fn state_of_pieces(
        &self,
        pieces: &[Piece],
        _turn: Side,
    ) -> Result<UltimateTicTacToeState, NotationError> {
        let is_stone = |piece: &&Piece| piece.shape != PieceShape::Block;
        let grid = show_owners(9, 9, |x, y| {
            let at = Coord::new(x, y);
            pieces.iter().filter(is_stone).find(|piece| piece.at == at)?.owner
        });
        let names = ["any", "none"].map(str::to_owned).into_iter();
        let boards = (0..9).map(|board| cell_name(board % 3, board / 3, 3));
        let mut read = names.chain(boards).map(|next| self.read_state(&format!("{grid} {next}")));
        let first = read.next().expect("a board of any name");
        first.or_else(|error| read.find_map(Result::ok).ok_or(error))
    }

    fn side_names(&self) -> [&'static str; 2] {
        ["Crosses", "Noughts"]
    }

    fn touches(&self, _s: &UltimateTicTacToeState, m: u8) -> Vec<Coord> {
        let (x, y) = place(m);
        vec![Coord::new(x, y)]
    }

    fn symmetries(&self) -> Vec<Symmetry> {
        Symmetry::SQUARE.to_vec()
    }

    fn transform(&self, s: &UltimateTicTacToeState, symmetry: Symmetry) -> UltimateTicTacToeState {
        let image = |set: u16| {
            bits(set.into()).fold(0, |image, i| {
                let i = usize::from(i);
                let (x, y) = symmetry.point((i % 3, i / 3), 3, 3);
                image | 1 << (3 * y + x)
            })
        };
        let mut turned = UltimateTicTacToeState {
            won: s.won.map(image),
            closed: image(s.closed),
            allowed: image(s.allowed),
            ..self.start()
        };
        turned.turn = s.turn;
        for (side, board) in (0..2).flat_map(|side| (0..9).map(move |board| (side, board))) {
            let target = image(1 << board).trailing_zeros() as usize;
            turned.stones[side][target] = image(s.stones[side][board]);
        }
        turned
    }

    /// The planes are the stones of the side that sees the state, those of its opponent, the boards
    /// that each has won, and the boards of the next move.
    fn encoding(&self) -> EncodingShape {
        EncodingShape { planes: 5, rows: 9, cols: 9, extras: 0, actions: 81 }
    }

    fn features(&self, s: &UltimateTicTacToeState, seen_by: Side, out: &mut Vec<u32>) {
        let sides = [seen_by, seen_by.other()].map(Side::index);
        for plane in 0..5 {
            let is_set = |x: usize, y: usize| {
                let (board, cell) = inner(x, y);
                match plane {
                    0 | 1 => s.stones[sides[plane]][board] >> cell & 1 == 1,
                    2 | 3 => s.won[sides[plane - 2]] >> board & 1 == 1,
                    _ => s.allowed >> board & 1 == 1,
                }
            };
            let cells = grid_cells().filter(|&(x, y)| is_set(x, y));
            out.extend(cells.map(|(x, y)| (81 * plane + 9 * y + x) as u32));
        }
    }

    /// A move has the number of its cell in the whole grid, row by row.
    #[inline]
    fn actions(&self, _s: &UltimateTicTacToeState, moves: &[u8], out: &mut Vec<u32>) {
        out.extend(moves.iter().map(|&m| {
            let (x, y) = place(m);
            (9 * y + x) as u32
        }));
    }
}

/// Returns the registry entry of ultimate tic-tac-toe, with the evaluator `boards`.
#[must_use]
pub fn entry() -> GameBuilder<UltimateTicTacToe> {
    GameBuilder::duel().evaluator(
        "boards",
        "lines that can still be completed, on each board and of boards",
        LocalBoardEvaluator,
    )
}

impl NamedGame for UltimateTicTacToe {
    const NAME: &'static str = "ultimate-tictactoe";
    const TITLE: &'static str = "Ultimate tic-tac-toe";
    const RULES: &'static str = "Nine small boards of tic-tac-toe form a large one. The cell you play in decides on which \
        small board your opponent moves next. Three in a row win a small board, and three small \
        boards in a row win the game.";
    const HELP: &'static str = "nine boards of tic-tac-toe; a move says where the other moves next";
    const PARAMS: &'static [Param] = &[];
    const EXAMPLES: &'static [&'static str] = &["ultimate-tictactoe"];

    fn build(_args: &Args) -> Result<Self, ParamError> {
        Ok(UltimateTicTacToe)
    }
}
