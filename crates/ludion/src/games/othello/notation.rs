//! States of Othello from text: a board, or the moves of a game.

use super::kernel::neighbours;
use super::{Othello, OthelloState, PASS};
use crate::game::{Game, Side, Status};
use crate::games::bits::bits;
use crate::notation::{NotationError, NotationReader};

impl Othello {
    /// Reads a board, by rows with or without slashes between them, and the side to move.
    pub(super) fn read_board(
        &self,
        reader: &mut NotationReader<'_>,
    ) -> Result<OthelloState, NotationError> {
        let mut discs = [0u64; 2];
        for (y, x) in (0..self.size).flat_map(|y| (0..self.size).map(move |x| (y, x))) {
            if x == 0 && y > 0 {
                reader.takes("/");
            }
            let here = reader.clone();
            match reader.character("a cell")? {
                'x' | 'X' | '*' => discs[0] |= 1 << (8 * y + x),
                'o' | 'O' => discs[1] |= 1 << (8 * y + x),
                '.' | '-' => {}
                _ => return Err(here.error("expected a cell, one of \".xo\",")),
            }
        }
        reader.skip_spaces();
        let turn = match () {
            () if reader.takes("X") => Side::First,
            () if reader.takes("O") => Side::Second,
            () => reader.side()?,
        };
        reader.end()?;
        self.check_occupied(discs[0] | discs[1]).map_err(|problem| reader.whole(problem))?;
        let [own, other] = [discs[turn.index()], discs[turn.other().index()]];
        Ok(OthelloState { own, other, turn })
    }

    /// Checks that discs can be on exactly these cells: the four in the middle are never empty, and
    /// every other disc was put beside one that was there.
    fn check_occupied(&self, occupied: u64) -> Result<(), String> {
        let start = self.start();
        let centre = start.own | start.other;
        if occupied & centre != centre {
            return Err(
                "a cell in the middle is empty; the four there always have discs".to_owned()
            );
        }
        let mut joined = centre;
        loop {
            let grown = joined | neighbours(joined) & occupied;
            if grown == joined {
                break;
            }
            joined = grown;
        }
        match bits(occupied & !joined).next() {
            None => Ok(()),
            Some(cell) => {
                let name = self.show_move(&start, cell);
                Err(format!("the disc on {name} is not joined to the middle by other discs"))
            }
        }
    }

    /// Reads the moves of a game from the start, such as `f5d6c3`; passes may be left out.
    pub(super) fn read_moves(
        &self,
        reader: &mut NotationReader<'_>,
    ) -> Result<OthelloState, NotationError> {
        let mut s = self.start();
        while !reader.is_at_end() {
            let here = reader.clone();
            if reader.takes("pass") {
                if self.status(&s) != Status::Turn(s.turn) || self.placements(&s) != 0 {
                    return Err(here.error("expected a move of a side that has one"));
                }
                self.play(&mut s, PASS);
                reader.skip_spaces();
                continue;
            }
            let column = reader.character("a column")?.to_ascii_lowercase();
            let x = (u32::from(column)).wrapping_sub('a'.into());
            let y = reader.number("a row", 1, self.size.into())? - 1;
            if self.placements(&s) == 0 {
                self.play(&mut s, PASS);
            }
            let cell = 8 * y as u32 + x;
            if x >= u32::from(self.size) || self.placements(&s) >> cell & 1 == 0 {
                return Err(here.error("expected a legal move"));
            }
            self.play(&mut s, cell as u8);
            reader.skip_spaces();
        }
        Ok(s)
    }
}
