//! How checkers is written: squares by number, states as FEN, moves as in PDN.
//!
//! `W:W31,K28:B1,2` is the side to move, then the pieces of white and of black, kings behind
//! a K; ranges `31-50` and `K31..K50` are read too, and `:H12` counts plies of kings alone.
//! A capture is written by its ends where these say enough (`15x31`), else with every square
//! it lands on (`15x22x31`); squares are read as in chess too (`c3:e5`), as Russian games are
//! often written.

use std::ops::RangeInclusive;

use super::board::{bit, place};
use super::rules::{PromotionRule, SideColour, SquareNumbering};
use super::{Checkers, CheckersMove, CheckersState};
use crate::game::{Game, Side};
use crate::games::bits::bits;
use crate::notation::{NotationError, NotationReader};
use crate::scene::Coord;

impl Checkers {
    /// Dark squares of the board.
    #[must_use]
    pub fn square_count(&self) -> u8 {
        2 * self.width * self.width
    }

    /// The number of the square with this bit, from 1.
    #[must_use]
    pub fn number(&self, bit: u8) -> u8 {
        let w = u32::from(self.width);
        let (row, col) = place(w, bit);
        let plain = (row * w + col) as u8 + 1;
        match self.rules.numbering {
            SquareNumbering::Plain => plain,
            SquareNumbering::Turned => self.square_count() + 1 - plain,
            SquareNumbering::Mirrored => (row * w + w - 1 - col) as u8 + 1,
        }
    }

    /// The bit of the square with this number.
    #[must_use]
    pub fn square(&self, number: u8) -> u8 {
        let w = self.width;
        let i = match self.rules.numbering {
            SquareNumbering::Plain => number - 1,
            SquareNumbering::Turned => self.square_count() - number,
            SquareNumbering::Mirrored => (number - 1) / w * w + w - 1 - (number - 1) % w,
        };
        bit(w.into(), (i / w).into(), (i % w).into())
    }

    /// The side that plays this colour.
    #[must_use]
    pub fn side(&self, colour: SideColour) -> Side {
        if colour == self.rules.first { Side::First } else { Side::Second }
    }

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

    pub(super) fn read_fen(&self, text: &str) -> Result<CheckersState, NotationError> {
        let mut reader = NotationReader::new(text);
        let mut s = CheckersState { pieces: [0; 2], kings: 0, turn: Side::First, quiet: 0 };
        s.turn = self.side(colour(&mut reader)?);
        let mut read = [false; 2];
        for _ in 0..2 {
            reader.expect(":")?;
            reader.skip_spaces();
            let here = reader.error("the pieces of this colour came already");
            let side = self.side(colour(&mut reader)?);
            if std::mem::replace(&mut read[side.index()], true) {
                return Err(here);
            }
            self.read_pieces(&mut reader, side, &mut s)?;
        }
        if reader.takes(":H") {
            s.quiet = reader.number("plies of kings alone", 0, 254)? as u8;
        }
        reader.takes(".");
        reader.end()?;
        self.refuse_impossible(&reader, &s)?;
        Ok(s)
    }

    /// Takes a list of squares, ranges among them.
    fn read_pieces(
        &self,
        reader: &mut NotationReader<'_>,
        side: Side,
        s: &mut CheckersState,
    ) -> Result<(), NotationError> {
        if reader.end().is_ok() || reader.next_is(':') || reader.next_is('.') {
            return Ok(());
        }
        loop {
            reader.skip_spaces();
            let taken = reader.error("this square is taken already");
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

    /// Takes the number of a square, or those of a range.
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

    /// Takes a square, by its number or as in chess.
    fn read_number(&self, reader: &mut NotationReader<'_>) -> Result<u8, NotationError> {
        if let Some(bit) = reader.take_word(|word| self.read_square(word)) {
            return Ok(self.number(bit));
        }
        let number = reader.number("a square", 1, self.square_count().into())?;
        Ok(number as u8)
    }

    fn refuse_impossible(
        &self,
        reader: &NotationReader<'_>,
        s: &CheckersState,
    ) -> Result<(), NotationError> {
        if s.occupied() == 0 {
            return Err(reader.whole("there is nobody on the board"));
        }
        if self.rules.promotion == PromotionRule::Never {
            return match s.kings {
                0 => Ok(()),
                _ => Err(reader.whole(format!("there are no kings by {} rules", self.rules.name))),
            };
        }
        for side in Side::BOTH {
            let stuck = s.pieces[side.index()] & !s.kings & self.crown(side);
            if stuck != 0 {
                let number = self.number(stuck.trailing_zeros() as u8);
                let problem = format!("the man on {number} would have become a king there");
                return Err(reader.whole(problem));
            }
        }
        if s.quiet > 0 && s.theirs() & s.kings == 0 {
            return Err(reader.whole("plies of kings alone were counted, but no king has moved"));
        }
        Ok(())
    }

    /// The squares that tell `m` from the other legal moves: its ends, or a full way.
    pub(super) fn way(&self, s: &CheckersState, m: CheckersMove) -> Vec<u8> {
        let mut moves = Vec::new();
        self.moves(s, &mut moves);
        let alike = moves.iter().filter(|n| (n.from, n.to) == (m.from, m.to)).count();
        if alike > 1 {
            self.ways(s, m).into_iter().next().expect("a legal move has a way")
        } else {
            vec![m.from, m.to]
        }
    }

    pub(super) fn write_move(&self, s: &CheckersState, m: CheckersMove) -> String {
        let by = if m.taken == 0 { "-" } else { "x" };
        let numbers = self.way(s, m).into_iter().map(|bit| self.number(bit).to_string());
        numbers.collect::<Vec<_>>().join(by)
    }

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
            self.read_way(text).ok_or_else(|| refuse("not a legal move; legal", &moves))?;
        let (from, to) = (wanted[0], wanted[wanted.len() - 1]);
        let mut found: Vec<CheckersMove> =
            moves.iter().copied().filter(|m| (m.from, m.to) == (from, to)).collect();
        if text.contains(CAPTURES) && found.iter().any(|m| m.taken == 0) {
            return Err(refuse("this move captures nothing, it is written with -; legal", &moves));
        }
        if found.len() > 1 || wanted.len() > 2 {
            found = self.made_by(s, &found, &wanted);
        }
        match found[..] {
            [m] => Ok(m),
            [] => Err(refuse("not a legal move; legal", &moves)),
            _ => Err(refuse("several captures are written so; say which", &found)),
        }
    }

    /// Those of `moves` that come through the squares `wanted`; one whose full way these are
    /// comes before those that have squares between them.
    fn made_by(
        &self,
        s: &CheckersState,
        moves: &[CheckersMove],
        wanted: &[u8],
    ) -> Vec<CheckersMove> {
        let mut passing = Vec::new();
        for &m in moves {
            let ways = self.ways(s, m);
            if ways.iter().any(|way| way == wanted) {
                return vec![m];
            }
            if ways.iter().any(|way| passes(way, wanted)) {
                passing.push(m);
            }
        }
        passing
    }

    /// The squares of a move as it is written, by number or as in chess.
    fn read_way(&self, text: &str) -> Option<Vec<u8>> {
        let squares: Option<Vec<u8>> = text
            .trim()
            .split(|c| c == '-' || CAPTURES.contains(&c))
            .map(|part| self.read_square(part.trim()))
            .collect();
        squares.filter(|squares| squares.len() > 1)
    }

    /// The bit of a square that is written as a number, or like `c3`: a letter for the column,
    /// from the left of the printed board, and the row from its bottom.
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

/// What stands between the squares of a capture.
const CAPTURES: [char; 3] = ['x', 'X', ':'];

/// Whether `way` comes through all of `wanted` in this order.
fn passes(way: &[u8], wanted: &[u8]) -> bool {
    let mut rest = way.iter();
    wanted.iter().all(|square| rest.any(|passed| passed == square))
}

fn colour(reader: &mut NotationReader<'_>) -> Result<SideColour, NotationError> {
    let here = reader.error("expected W or B");
    match reader.character("W or B")? {
        'W' | 'w' => Ok(SideColour::White),
        'B' | 'b' => Ok(SideColour::Black),
        _ => Err(here),
    }
}
