//! Quarto, by Blaise Müller (1991), published by Gigamic. The 16 pieces are all combinations of light
//! or dark, tall or short, round or square, solid or hollow. A side puts the piece that it was given
//! on an empty cell of 4×4 and wins if it completes a row, column or diagonal of four pieces with a
//! property in common. Otherwise it gives the opponent one of the pieces left. The first side begins
//! by giving. If all pieces are placed without a winner, the game is drawn.
//!
//! Giving and placing are two moves of the same side. A piece is a hexadecimal digit, the sum of 8
//! (dark), 4 (short), 2 (square) and 1 (hollow).

use crate::encoding::{EncodingShape, push_bits};
use crate::erased::GameBuilder;
use crate::evaluator::Evaluator;
use crate::game::{Game, Side, Status};
use crate::named::NamedGame;
use crate::notation::{NotationError, NotationReader, show_grid};
use crate::outcome::Duel;
use crate::param::{Args, Param, ParamError};
use crate::random::{Rng, mix};
use crate::scene::{Coord, Figure, Piece, PieceShape, Scene, cell_name};

use super::bits::bits;

/// The rules of Quarto; the game has no parameters.
#[derive(Clone, Copy, Debug)]
pub struct Quarto;

/// The pieces on the board, the piece in hand, and the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct QuartoState {
    /// For each property, the cells (bits `4·row + column`) whose piece has it.
    having: [u16; 4],
    occupied: u16,
    /// The pieces that are neither on the board nor in hand.
    unused: u16,
    /// The piece that the side to move must place; `None` if it gives one.
    given: Option<u8>,
    turn: Side,
}

const FULL: u16 = u16::MAX;
/// The lines of four cells: rows, columns, diagonals.
const LINES: [u16; 10] =
    [0x000f, 0x00f0, 0x0f00, 0xf000, 0x1111, 0x2222, 0x4444, 0x8888, 0x8421, 0x1248];
/// Moves from here on give a piece; those below place it on a cell.
const GIVE: u8 = 16;
/// The first column of the pieces left in the picture.
const POOL: usize = 5;
const DIGITS: &str = "0123456789abcdef";

impl QuartoState {
    /// Returns whether a line of the board has a property in common.
    #[inline]
    fn has_line(&self) -> bool {
        LINES.iter().any(|&line| self.is_shared(line))
    }

    /// Returns whether all cells of a line are occupied by pieces with a property in common.
    #[inline]
    fn is_shared(&self, line: u16) -> bool {
        self.occupied & line == line
            && self.having.iter().any(|&set| set & line == line || set & line == 0)
    }

    /// Returns whether `piece` completes a line on an empty cell.
    #[inline]
    fn wins_with(&self, piece: u8) -> bool {
        LINES.iter().any(|&line| {
            (self.occupied & line).count_ones() == 3
                && (0..4).any(|i| {
                    let shared = self.having[i] & line;
                    match piece >> i & 1 {
                        1 => shared == self.occupied & line,
                        _ => shared == 0,
                    }
                })
        })
    }

    #[inline]
    fn place(&mut self, piece: u8, cell: u8) {
        for i in 0..4 {
            self.having[i] |= u16::from(piece >> i & 1) << cell;
        }
        self.occupied |= 1 << cell;
    }

    /// Returns the piece on a cell of the board.
    fn piece_at(&self, cell: usize) -> Option<u8> {
        let piece = (0..4).map(|i| ((self.having[i] >> cell & 1) as u8) << i).sum();
        (self.occupied >> cell & 1 == 1).then_some(piece)
    }
}

fn digit(piece: u8) -> char {
    char::from(DIGITS.as_bytes()[usize::from(piece)])
}

/// Returns the owner, which stands for the colour, and the shape of a piece.
fn face(piece: u8) -> (Option<Side>, PieceShape) {
    let [hollow, square, short, second] = [1, 2, 4, 8].map(|property| piece & property != 0);
    let colour = if second { Side::Second } else { Side::First };
    let figure = Figure { short, square, hollow, name: digit(piece) };
    (Some(colour), PieceShape::Figure(figure))
}

impl Game for Quarto {
    type State = QuartoState;
    /// The cell on which the piece in hand is placed, or 16 plus the piece that is given.
    type Move = u8;
    type Outcome = Duel;

    fn start(&self) -> QuartoState {
        QuartoState { having: [0; 4], occupied: 0, unused: FULL, given: None, turn: Side::First }
    }

    #[inline]
    fn status(&self, s: &QuartoState) -> Status<Duel> {
        // A line can be new only if a piece was placed and none given since.
        if s.given.is_none() {
            if s.has_line() {
                return Status::Over(Duel::Won(s.turn));
            }
            if s.occupied == FULL {
                return Status::Over(Duel::Drawn);
            }
        }
        Status::Turn(s.turn)
    }

    #[inline]
    fn moves(&self, s: &QuartoState, out: &mut Vec<u8>) {
        if s.given.is_some() {
            out.extend(bits((!s.occupied).into()));
        } else if !s.has_line() {
            out.extend(bits(s.unused.into()).map(|piece| GIVE + piece));
        }
    }

    #[inline]
    fn play(&self, s: &mut QuartoState, m: u8) {
        match s.given.take() {
            Some(piece) => s.place(piece, m),
            None => {
                s.unused &= !(1 << (m - GIVE));
                s.given = Some(m - GIVE);
                s.turn = s.turn.other();
            }
        }
    }

    #[inline]
    fn key(&self, s: &QuartoState) -> u64 {
        let sets = s.having.iter().fold(0, |key, &set| key << 16 | u64::from(set));
        let hand = s.given.map_or(0, |piece| u64::from(piece) + 1);
        mix(mix(sets) ^ (u64::from(s.occupied) << 16 | hand << 1 | s.turn as u64))
    }

    #[inline]
    fn count_moves(&self, s: &QuartoState, _scratch: &mut Vec<u8>) -> usize {
        let set = match s.given {
            Some(_) => !s.occupied,
            None if s.has_line() => 0,
            None => s.unused,
        };
        set.count_ones() as usize
    }

    #[inline]
    fn wins_at_once(&self, s: &QuartoState) -> Option<bool> {
        Some(s.given.is_some_and(|piece| s.wins_with(piece)))
    }

    #[inline]
    fn slot(&self, m: u8) -> usize {
        m.into()
    }

    fn playout(&self, mut s: QuartoState, rng: &mut Rng, _scratch: &mut Vec<u8>) -> Duel {
        let mut draw = |mut set: u16| {
            for _ in 0..rng.below(set.count_ones() as usize) {
                set &= set - 1;
            }
            set.trailing_zeros() as u8
        };
        loop {
            if let Some(piece) = s.given.take() {
                s.place(piece, draw(!s.occupied));
            }
            if s.has_line() {
                return Duel::Won(s.turn);
            }
            if s.unused == 0 {
                return Duel::Drawn;
            }
            let piece = draw(s.unused);
            self.play(&mut s, GIVE + piece);
        }
    }

    fn show_state(&self, s: &QuartoState) -> String {
        let board = show_grid(4, 4, |x, y| s.piece_at(4 * y + x).map_or('.', digit));
        let hand = s.given.map_or('-', digit);
        format!("{board} {hand} {}", s.turn)
    }

    /// Parses the board by rows, the piece in hand (`-` for none) and the side to move.
    fn read_state(&self, text: &str) -> Result<QuartoState, NotationError> {
        let mut reader = NotationReader::new(text);
        let cells = reader.grid(4, 4, &format!(".{DIGITS}"))?;
        reader.skip_spaces();
        let here = reader.clone();
        let hand = reader.character("the piece in hand or -")?;
        let given = DIGITS.find(hand).map(|piece| piece as u8);
        if given.is_none() && hand != '-' {
            return Err(here.error("expected the piece in hand, 0 to f, or -"));
        }
        let turn = reader.side()?;
        reader.end()?;
        let mut s = QuartoState { given, turn, ..self.start() };
        let on_board = cells.iter().enumerate().filter(|(_, piece)| **piece > 0);
        let on_board = on_board.map(|(cell, piece)| (Some(cell as u8), *piece as u8 - 1));
        for (cell, piece) in on_board.chain(given.map(|piece| (None, piece))) {
            if s.unused >> piece & 1 == 0 {
                return Err(reader.whole(format!("the piece {} is there twice", digit(piece))));
            }
            s.unused &= !(1 << piece);
            if let Some(cell) = cell {
                s.place(piece, cell);
            }
        }
        // The second side places the first piece, and gives the second one.
        let pieces = s.occupied.count_ones();
        let placer = Side::after(pieces + u32::from(given.is_some()));
        if turn != placer {
            return Err(reader.whole(format!("{placer} moves with {pieces} pieces on the board")));
        }
        if given.is_some() && s.has_line() {
            return Err(reader.whole("a line was complete before the piece was given"));
        }
        Ok(s)
    }

    fn show_move(&self, _s: &QuartoState, m: u8) -> String {
        match m.checked_sub(GIVE) {
            Some(piece) => digit(piece).to_string(),
            None => cell_name(usize::from(m % 4), usize::from(m / 4), 4),
        }
    }

    fn scene(&self, s: &QuartoState) -> Scene {
        let mut scene = Scene::grid(POOL + 4, 4);
        for cell in 0..16 {
            if let Some((owner, shape)) = s.piece_at(cell).map(face) {
                scene.put(Coord::new(cell % 4, cell / 4), owner, shape);
            }
        }
        let in_pool = |piece: u8| Coord::new(POOL + usize::from(piece % 4), usize::from(piece / 4));
        for piece in bits(s.unused.into()).chain(s.given) {
            let (owner, shape) = face(piece);
            scene.put(in_pool(piece), owner, shape);
        }
        scene.marked.extend(s.given.map(in_pool));
        let shared =
            LINES.iter().filter(|&&line| s.is_shared(line)).fold(0, |all, line| all | line);
        scene.winning = bits(shared.into())
            .map(|cell| Coord::new(usize::from(cell) % 4, usize::from(cell) / 4))
            .collect();
        scene.columns = ["a", "b", "c", "d", "", "", "", "", ""].map(str::to_owned).to_vec();
        scene.rows = ["4", "3", "2", "1"].map(str::to_owned).to_vec();
        scene.caption = match (self.status(s), s.given) {
            (Status::Over(_), _) => String::new(),
            (_, Some(piece)) => format!("{} places {}", s.turn, digit(piece)),
            (_, None) => format!("{} gives a piece", s.turn),
        };
        scene
    }

    /// Pieces beside the board are unused. No piece is in hand, so that the side to move follows.
    fn state_of_pieces(&self, pieces: &[Piece], _turn: Side) -> Result<QuartoState, NotationError> {
        let name = |x, y| match pieces
            .iter()
            .find(|piece| piece.at == Coord::new(x, y))
            .map(|piece| &piece.shape)
        {
            Some(PieceShape::Figure(figure)) => figure.name,
            _ => '.',
        };
        let board = show_grid(4, 4, name);
        let count = board.matches(|c| !"./".contains(c)).count();
        self.read_state(&format!("{board} - {}", Side::after(count as u32)))
    }

    fn touches(&self, _s: &QuartoState, m: u8) -> Vec<Coord> {
        vec![match m.checked_sub(GIVE).map(usize::from) {
            Some(piece) => Coord::new(POOL + piece % 4, piece / 4),
            None => Coord::new(usize::from(m % 4), usize::from(m / 4)),
        }]
    }

    /// Two planes for each property: pieces that have it, and pieces that do not. Extras: the piece in
    /// hand, the pieces left, and whether the side that sees the state is to move.
    fn encoding(&self) -> EncodingShape {
        EncodingShape { planes: 8, rows: 4, cols: 4, extras: 33, actions: 32 }
    }

    #[inline]
    fn features(&self, s: &QuartoState, seen_by: Side, out: &mut Vec<u32>) {
        for (i, &set) in s.having.iter().enumerate() {
            push_bits(set.into(), 32 * i, out);
            push_bits((s.occupied & !set).into(), 32 * i + 16, out);
        }
        push_bits(s.given.map_or(0, |piece| 1 << piece), 128, out);
        push_bits(s.unused.into(), 144, out);
        push_bits(u64::from(seen_by == s.turn), 160, out);
    }

    #[inline]
    fn actions(&self, _s: &QuartoState, moves: &[u8], out: &mut Vec<u32>) {
        out.extend(moves.iter().map(|&m| u32::from(m)));
    }
}

/// Evaluates a position by the pieces that can be given without losing at once: with an odd number of
/// them the side that gives is likely to give the last one.
#[derive(Clone, Copy, Debug)]
pub struct SafePieceEvaluator;

impl Evaluator<Quarto> for SafePieceEvaluator {
    fn value(&self, _g: &Quarto, s: &QuartoState) -> i32 {
        let safe = bits(s.unused.into()).filter(|&piece| !s.wins_with(piece)).count() as i32;
        match s.given {
            Some(piece) if s.wins_with(piece) => 9_000,
            None if safe == 0 => -8_000,
            // The side places a piece, and gives the next one.
            _ => {
                let weight = 400 / (safe + 1);
                if safe % 2 == 1 { weight } else { -weight }
            }
        }
    }
}

/// Returns the registry entry of Quarto, with the evaluator `safe`.
#[must_use]
pub fn entry() -> GameBuilder<Quarto> {
    GameBuilder::duel().evaluator(
        "safe",
        "pieces that can be given without losing at once",
        SafePieceEvaluator,
    )
}

impl NamedGame for Quarto {
    const NAME: &'static str = "quarto";
    const TITLE: &'static str = "Quarto";
    const RULES: &'static str = "The 16 pieces are light or dark, tall or short, round or square, solid or hollow. You place \
        the piece that your opponent gives you, and then choose the piece that your opponent must \
        place. Four pieces in a line that share a property win for the player who completes the \
        line.";
    const HELP: &'static str = "place the given piece, give the next; four with a property win";
    const PARAMS: &'static [Param] = &[];
    const EXAMPLES: &'static [&'static str] = &["quarto"];

    fn build(_args: &Args) -> Result<Self, ParamError> {
        Ok(Quarto)
    }
}
