//! How checkers is written: squares by number, states as FEN, moves as in PDN.
//!
//! `W:W31,K28:B1,2` is the side to move, then the pieces of white and of black, kings behind
//! a K; ranges `31-50` and `K31..K50` are read too, and `:H12` counts plies of kings alone.
//! A capture is written by its ends where these say enough (`15x31`), else with every square
//! it lands on (`15x22x31`).

use super::board::{bit, opposite, place};
use super::rules::{Colour, Numbering, Promotion, Reach};
use super::{Board, Checkers, Move, State};
use crate::game::{Game, Side};
use crate::games::bits::bits;
use crate::notation::{ReadError, Reader};

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
            Numbering::Plain => plain,
            Numbering::Turned => self.square_count() + 1 - plain,
            Numbering::Mirrored => (row * w + w - 1 - col) as u8 + 1,
        }
    }

    /// The bit of the square with this number.
    #[must_use]
    pub fn square(&self, number: u8) -> u8 {
        let w = self.width;
        let i = match self.rules.numbering {
            Numbering::Plain => number - 1,
            Numbering::Turned => self.square_count() - number,
            Numbering::Mirrored => (number - 1) / w * w + w - 1 - (number - 1) % w,
        };
        bit(w.into(), (i / w).into(), (i % w).into())
    }

    /// The side that plays this colour.
    #[must_use]
    pub fn side(&self, colour: Colour) -> Side {
        if colour == self.rules.first { Side::First } else { Side::Second }
    }

    pub(super) fn show_fen(&self, s: &State) -> String {
        let list = |colour| {
            let set = s.pieces[self.side(colour).index()];
            let mut numbers: Vec<(u8, u8)> = bits(set).map(|b| (self.number(b), b)).collect();
            numbers.sort_unstable();
            let king = |b: u8| if s.kings >> b & 1 == 1 { "K" } else { "" };
            let names: Vec<String> =
                numbers.into_iter().map(|(n, b)| format!("{}{n}", king(b))).collect();
            names.join(",")
        };
        let turn = if s.turn == self.side(Colour::White) { 'W' } else { 'B' };
        let quiet = if s.quiet > 0 { format!(":H{}", s.quiet) } else { String::new() };
        format!("{turn}:W{}:B{}{quiet}", list(Colour::White), list(Colour::Black))
    }

    pub(super) fn read_fen(&self, text: &str) -> Result<State, ReadError> {
        let mut reader = Reader::new(text);
        let mut s = State { pieces: [0; 2], kings: 0, turn: Side::First, quiet: 0 };
        s.turn = self.side(colour(&mut reader)?);
        let mut read = [false; 2];
        for _ in 0..2 {
            reader.expect(":")?;
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
        reader: &mut Reader<'_>,
        side: Side,
        s: &mut State,
    ) -> Result<(), ReadError> {
        if reader.end().is_ok() || reader.next_is(':') || reader.next_is('.') {
            return Ok(());
        }
        loop {
            let here = reader.error("this square is taken already");
            let king = reader.takes("K");
            let first = self.read_number(reader)?;
            let range = reader.takes("..") || reader.takes("-");
            let last = if range {
                reader.takes("K");
                self.read_number(reader)?
            } else {
                first
            };
            for number in first..=last {
                let at = 1 << self.square(number);
                if s.occupied() & at != 0 {
                    return Err(here);
                }
                s.pieces[side.index()] |= at;
                s.kings |= if king { at } else { 0 };
            }
            if !reader.takes(",") {
                return Ok(());
            }
        }
    }

    fn read_number(&self, reader: &mut Reader<'_>) -> Result<u8, ReadError> {
        let number = reader.number("a square", 1, self.square_count().into())?;
        Ok(number as u8)
    }

    fn refuse_impossible(&self, reader: &Reader<'_>, s: &State) -> Result<(), ReadError> {
        if self.rules.promotion == Promotion::Never {
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

    /// The squares on which `m` sets its piece down, the first and the last included.
    pub(super) fn full_way(&self, s: &State, m: Move) -> Vec<u8> {
        self.ways(s, m).into_iter().next().expect("a legal move has a way")
    }

    /// The squares that tell `m` from the other legal moves: its ends, or its full way.
    pub(super) fn way(&self, s: &State, m: Move) -> Vec<u8> {
        let mut moves = Vec::new();
        self.moves(s, &mut moves);
        let alike = moves.iter().filter(|n| (n.from, n.to) == (m.from, m.to)).count();
        if alike > 1 { self.full_way(s, m) } else { vec![m.from, m.to] }
    }

    /// Every way of making a move.
    fn ways(&self, s: &State, m: Move) -> Vec<Vec<u8>> {
        if m.taken == 0 {
            return vec![vec![m.from, m.to]];
        }
        let mut tracker = Tracker {
            g: self,
            m,
            turn: s.turn,
            blocked: s.occupied() & !(1 << m.from),
            way: vec![m.from],
            found: Vec::new(),
        };
        tracker.follow(m.taken, s.kings >> m.from & 1 == 1, None);
        tracker.found
    }

    pub(super) fn write_move(&self, s: &State, m: Move) -> String {
        let by = if m.taken == 0 { "-" } else { "x" };
        let numbers = self.way(s, m).into_iter().map(|bit| self.number(bit).to_string());
        numbers.collect::<Vec<_>>().join(by)
    }

    pub(super) fn find_move(&self, s: &State, text: &str) -> Result<Move, ReadError> {
        let mut moves = Vec::new();
        self.moves(s, &mut moves);
        if moves.is_empty() {
            return Err(ReadError::new(text, "the game is over, no move is legal"));
        }
        let refuse = |problem: &str, among: &[Move]| {
            let legal: Vec<String> = among.iter().map(|&m| self.write_move(s, m)).collect();
            ReadError::new(text, format!("{problem}: {}", legal.join(" ")))
        };
        let wanted =
            self.read_way(text).ok_or_else(|| refuse("not a legal move; legal", &moves))?;
        let fits = |m: &Move| {
            (m.from, m.to) == (wanted[0], wanted[wanted.len() - 1])
                && (wanted.len() == 2 || self.ways(s, *m).iter().any(|way| passes(way, &wanted)))
        };
        let found: Vec<Move> = moves.iter().copied().filter(fits).collect();
        match found[..] {
            [m] => Ok(m),
            [] => Err(refuse("not a legal move; legal", &moves)),
            _ => Err(refuse("several captures are written so; say which", &found)),
        }
    }

    /// The squares of a move as it is written.
    fn read_way(&self, text: &str) -> Option<Vec<u8>> {
        let squares: Option<Vec<u8>> = text
            .trim()
            .split(['-', 'x', 'X', ':'])
            .map(|part| part.trim().parse().ok())
            .map(|number| number.filter(|n| (1..=self.square_count()).contains(n)))
            .map(|number| number.map(|n| self.square(n)))
            .collect();
        squares.filter(|squares| squares.len() > 1)
    }
}

/// Whether `way` comes through all of `wanted` in this order.
fn passes(way: &[u8], wanted: &[u8]) -> bool {
    let mut rest = way.iter();
    wanted.iter().all(|square| rest.any(|passed| passed == square))
}

fn colour(reader: &mut Reader<'_>) -> Result<Colour, ReadError> {
    let here = reader.error("expected W or B");
    match reader.character("W or B")? {
        'W' | 'w' => Ok(Colour::White),
        'B' | 'b' => Ok(Colour::Black),
        _ => Err(here),
    }
}

/// Finds the ways to take a known set of pieces.
struct Tracker<'a> {
    g: &'a Checkers,
    m: Move,
    turn: Side,
    /// Squares that the piece cannot pass.
    blocked: u64,
    way: Vec<u8>,
    found: Vec<Vec<u8>>,
}

impl Tracker<'_> {
    fn follow(&mut self, left: u64, king: bool, came: Option<usize>) {
        let at = *self.way.last().expect("a way has its first square");
        if left == 0 && at == self.m.to {
            self.found.push(self.way.clone());
            return;
        }
        let flying = king && self.g.rules.kings == Reach::Flying;
        for d in (0..8).filter(|&d| came.is_none_or(|c| opposite(c) != d)) {
            let (mut over, free) = (self.step(1 << at, d), !self.blocked);
            while flying && over & free != 0 {
                over = self.step(over, d);
            }
            if over & left == 0 {
                continue;
            }
            let mut land = self.step(over, d) & free;
            while land != 0 {
                let square = land.trailing_zeros() as u8;
                let passing = self.g.rules.promotion == Promotion::InPassing;
                let king = king || passing && land & self.g.crown(self.turn) != 0;
                self.way.push(square);
                self.follow(left & !over, king, Some(d));
                self.way.pop();
                land = if flying { self.step(land, d) & free } else { 0 };
            }
        }
    }

    fn step(&self, set: u64, d: usize) -> u64 {
        match self.g.width {
            3 => Board::<3>::step(set, d) & Board::<3>::ALL,
            4 => Board::<4>::step(set, d) & Board::<4>::ALL,
            _ => Board::<5>::step(set, d) & Board::<5>::ALL,
        }
    }
}
