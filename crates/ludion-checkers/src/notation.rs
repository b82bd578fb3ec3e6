//! The notation of checkers: squares as numbers, states as FEN, moves as in PDN.
//!
//! `W:W31,K28:B1,2` gives the side to move, then the pieces of white and of black, with a K
//! before kings. Ranges `31-50` and `K31..K50` are accepted, and `:H12` gives the number of plies
//! in which only kings have moved. A capture is written with its first and last square if these
//! identify it (`15x31`), otherwise with every square on which it lands (`15x22x31`). Algebraic
//! squares (`c3:e5`), usual in Russian draughts, are accepted too.

use std::ops::RangeInclusive;

use super::board::{bit, row_and_column};
use super::rules::{PromotionRule, SideColour, SquareNumbering};
use super::{Checkers, CheckersMove, CheckersState};
use ludion_core::bits::bits;
use ludion_core::game::{Game, Side};
use ludion_core::notation::{NotationError, NotationReader};
use ludion_core::scene::{Coord, Piece, PieceShape};

impl Checkers {
    /// Returns the number of dark squares.
    #[must_use]
    pub fn square_count(&self) -> u8 {
        2 * self.width * self.width
    }

    /// Returns the number, counted from 1, by which notation names the square with the bit number
    /// `bit`.
    #[must_use]
    pub fn number(&self, bit: u8) -> u8 {
        let w = u32::from(self.width);
        let (row, col) = row_and_column(w, bit);
        let plain = (row * w + col) as u8 + 1;
        match self.rules.numbering {
            SquareNumbering::Plain => plain,
            SquareNumbering::Rotated => self.square_count() + 1 - plain,
            SquareNumbering::Mirrored => (row * w + w - 1 - col) as u8 + 1,
        }
    }

    /// Returns the bit number of the square that notation names by `number`: the inverse of
    /// [`Checkers::number`].
    #[must_use]
    pub fn square(&self, number: u8) -> u8 {
        let w = self.width;
        let i = match self.rules.numbering {
            SquareNumbering::Plain => number - 1,
            SquareNumbering::Rotated => self.square_count() - number,
            SquareNumbering::Mirrored => (number - 1) / w * w + w - 1 - (number - 1) % w,
        };
        bit(w.into(), (i / w).into(), (i % w).into())
    }

    /// Returns the side that plays with the pieces of `colour`.
    #[must_use]
    pub fn side(&self, colour: SideColour) -> Side {
        if colour == self.rules.first { Side::First } else { Side::Second }
    }

    /// Writes a state as FEN, such as `W:W31,K28:B1,2`.
    pub(super) fn show_fen(&self, s: &CheckersState) -> String {
        let list = |colour| {
            let set = s.pieces[self.side(colour).index()];
            let mut numbers: Vec<(u8, u8)> = bits(set).map(|b| (self.number(b), b)).collect();
            numbers.sort_unstable();
            let king = |b: u8| if s.kings >> b & 1 == 1 { "K" } else { "" };
            let names: Vec<String> =
                numbers.into_iter().map(|(n, b)| format!("{}{n}", king(b))).collect();
            names.join(",")
        };
        let turn = if s.turn == self.side(SideColour::White) { 'W' } else { 'B' };
        let quiet = if s.quiet > 0 { format!(":H{}", s.quiet) } else { String::new() };
        format!("{turn}:W{}:B{}{quiet}", list(SideColour::White), list(SideColour::Black))
    }

    /// Returns the state with these pieces, checked like a state in FEN.
    pub(super) fn put_up(
        &self,
        pieces: &[Piece],
        turn: Side,
    ) -> Result<CheckersState, NotationError> {
        let mut s = CheckersState { pieces: [0; 2], kings: 0, turn, quiet: 0 };
        for piece in pieces {
            let square = self.squares().find(|&bit| self.cell(bit) == piece.at);
            let (Some(bit), Some(side)) = (square, piece.owner) else {
                return Err(NotationError::new("", "pieces stand on dark squares"));
            };
            s.pieces[side.index()] |= 1 << bit;
            s.kings |= u64::from(piece.shape == PieceShape::King) << bit;
        }
        self.read_fen(&self.show_fen(&s))
    }

    /// Parses a state in FEN.
    pub(super) fn read_fen(&self, text: &str) -> Result<CheckersState, NotationError> {
        let mut reader = NotationReader::new(text);
        let mut s = CheckersState { pieces: [0; 2], kings: 0, turn: Side::First, quiet: 0 };
        s.turn = self.side(colour(&mut reader)?);
        let mut read = [false; 2];
        for _ in 0..2 {
            reader.expect(":")?;
            reader.skip_spaces();
            let here = reader.error("the pieces of this colour are listed twice");
            let side = self.side(colour(&mut reader)?);
            if std::mem::replace(&mut read[side.index()], true) {
                return Err(here);
            }
            self.read_pieces(&mut reader, side, &mut s)?;
        }
        if reader.takes(":H") {
            s.quiet = reader.number("the number of king plies", 0, 254)? as u8;
        }
        reader.takes(".");
        reader.end()?;
        self.check_state(&reader, &s)?;
        Ok(s)
    }

    /// Parses a list of squares and ranges, and adds pieces of `side` on them to `s`.
    fn read_pieces(
        &self,
        reader: &mut NotationReader<'_>,
        side: Side,
        s: &mut CheckersState,
    ) -> Result<(), NotationError> {
        if reader.is_at_end() || reader.next_is(':') || reader.next_is('.') {
            return Ok(());
        }
        loop {
            reader.skip_spaces();
            let taken = reader.error("this square is already occupied");
            let king = reader.takes("K");
            for number in self.read_range(reader)? {
                let at = 1 << self.square(number);
                if s.occupied() & at != 0 {
                    return Err(taken);
                }
                s.pieces[side.index()] |= at;
                s.kings |= if king { at } else { 0 };
            }
            reader.skip_spaces();
            if !reader.takes(",") {
                return Ok(());
            }
        }
    }

    /// Parses a square or a range such as `31-50`, and returns the numbers of the squares.
    fn read_range(
        &self,
        reader: &mut NotationReader<'_>,
    ) -> Result<RangeInclusive<u8>, NotationError> {
        let first = self.read_number(reader)?;
        if !reader.takes("..") && !reader.takes("-") {
            return Ok(first..=first);
        }
        reader.takes("K");
        let here = reader.error(format!("a range that begins with {first} cannot end before it,"));
        let last = self.read_number(reader)?;
        if last < first { Err(here) } else { Ok(first..=last) }
    }

    /// Parses a square, given as a number or in algebraic notation, and returns its number.
    fn read_number(&self, reader: &mut NotationReader<'_>) -> Result<u8, NotationError> {
        if let Some(bit) = reader.take_word(|word| self.read_square(word)) {
            return Ok(self.number(bit));
        }
        let number = reader.number("a square", 1, self.square_count().into())?;
        Ok(number as u8)
    }

    /// Returns an error if the state cannot occur in a game with these rules.
    fn check_state(
        &self,
        reader: &NotationReader<'_>,
        s: &CheckersState,
    ) -> Result<(), NotationError> {
        if s.occupied() == 0 {
            return Err(reader.whole("the board is empty"));
        }
        if self.rules.promotion == PromotionRule::Never {
            return match s.kings {
                0 => Ok(()),
                _ => Err(reader.whole(format!("the {} rules have no kings", self.rules.name))),
            };
        }
        for side in Side::BOTH {
            let unpromoted = s.pieces[side.index()] & !s.kings & self.promotion_row(side);
            if unpromoted != 0 {
                let number = self.number(unpromoted.trailing_zeros() as u8);
                let problem = format!("the man on {number} would have been promoted");
                return Err(reader.whole(problem));
            }
        }
        if s.quiet > 0 && s.theirs() & s.kings == 0 {
            return Err(reader.whole("king plies are counted, but the last mover has no king"));
        }
        Ok(())
    }

    /// Returns the squares that the notation of `m` names: its first and last square, or a full
    /// path if another legal move has the same first and last square.
    pub(super) fn notation_squares(&self, s: &CheckersState, m: CheckersMove) -> Vec<u8> {
        let mut moves = Vec::new();
        self.moves(s, &mut moves);
        let alike = moves.iter().filter(|n| (n.from, n.to) == (m.from, m.to)).count();
        if alike > 1 {
            self.capture_paths(s, m).into_iter().next().expect("a legal move has a path")
        } else {
            vec![m.from, m.to]
        }
    }

    /// Writes a move as in PDN, such as `31-27` or `15x31`.
    pub(super) fn write_move(&self, s: &CheckersState, m: CheckersMove) -> String {
        let by = if m.taken == 0 { "-" } else { "x" };
        let numbers =
            self.notation_squares(s, m).into_iter().map(|bit| self.number(bit).to_string());
        numbers.collect::<Vec<_>>().join(by)
    }

    /// Returns the legal move of `s` that `text` names.
    pub(super) fn find_move(
        &self,
        s: &CheckersState,
        text: &str,
    ) -> Result<CheckersMove, NotationError> {
        let mut moves = Vec::new();
        self.moves(s, &mut moves);
        if moves.is_empty() {
            return Err(NotationError::new(text, "the game is over, no move is legal"));
        }
        let refuse = |problem: &str, among: &[CheckersMove]| {
            let legal: Vec<String> = among.iter().map(|&m| self.write_move(s, m)).collect();
            NotationError::new(text, format!("{problem}: {}", legal.join(" ")))
        };
        let wanted =
            self.read_path(text).ok_or_else(|| refuse("not a legal move; legal", &moves))?;
        let (from, to) = (wanted[0], wanted[wanted.len() - 1]);
        let mut found: Vec<CheckersMove> =
            moves.iter().copied().filter(|m| (m.from, m.to) == (from, to)).collect();
        if text.contains(CAPTURE_SEPARATORS) && found.iter().any(|m| m.taken == 0) {
            return Err(refuse("a move without capture is written with -; legal", &moves));
        }
        if found.len() > 1 || wanted.len() > 2 {
            found = self.moves_through(s, &found, &wanted);
        }
        match found[..] {
            [m] => Ok(m),
            [] => Err(refuse("not a legal move; legal", &moves)),
            _ => Err(refuse("ambiguous capture; one of", &found)),
        }
    }

    /// Returns those of `moves` that have a path through the squares `wanted` in this order. A
    /// move with exactly this path takes precedence.
    fn moves_through(
        &self,
        s: &CheckersState,
        moves: &[CheckersMove],
        wanted: &[u8],
    ) -> Vec<CheckersMove> {
        let mut passing = Vec::new();
        for &m in moves {
            let paths = self.capture_paths(s, m);
            if paths.iter().any(|path| path == wanted) {
                return vec![m];
            }
            if paths.iter().any(|path| contains_in_order(path, wanted)) {
                passing.push(m);
            }
        }
        passing
    }

    /// Parses the squares that a move names; `None` if `text` is not a list of at least two
    /// squares.
    fn read_path(&self, text: &str) -> Option<Vec<u8>> {
        let squares: Option<Vec<u8>> = text
            .trim()
            .split(|c| c == '-' || CAPTURE_SEPARATORS.contains(&c))
            .map(|part| self.read_square(part.trim()))
            .collect();
        squares.filter(|squares| squares.len() > 1)
    }

    /// Parses a square as a number or in algebraic notation, such as `c3`: the column from the left
    /// of the printed board and the row from its bottom. Returns its bit number, or `None` if
    /// `text` is not a dark square of the board.
    fn read_square(&self, text: &str) -> Option<u8> {
        let Some(letter @ 'a'..='j') = text.chars().next() else {
            let number = text.parse().ok().filter(|n| (1..=self.square_count()).contains(n));
            return number.map(|n| self.square(n));
        };
        let row: usize = text[1..].parse().ok().filter(|row| (1..=self.size()).contains(row))?;
        let cell = Coord::new(usize::from(letter as u8 - b'a'), self.size() - row);
        self.squares().find(|&bit| self.cell(bit) == cell)
    }
}

/// The separators between the squares of a capture.
const CAPTURE_SEPARATORS: [char; 3] = ['x', 'X', ':'];

/// Returns whether `path` contains all squares of `wanted` in this order.
fn contains_in_order(path: &[u8], wanted: &[u8]) -> bool {
    let mut rest = path.iter();
    wanted.iter().all(|square| rest.any(|passed| passed == square))
}

/// Parses the letter of a colour, `W` or `B`.
fn colour(reader: &mut NotationReader<'_>) -> Result<SideColour, NotationError> {
    let here = reader.error("expected W or B");
    match reader.character("W or B")? {
        'W' | 'w' => Ok(SideColour::White),
        'B' | 'b' => Ok(SideColour::Black),
        _ => Err(here),
    }
}
