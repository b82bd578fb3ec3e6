//! Parses positions given as the sequence of columns played, one character per move.

use crate::{Connect4, Connect4State};
use ludion_core::game::{Game, Status};
use ludion_core::notation::NotationError;

impl Connect4 {
    /// Returns the position after the moves of `text` from the start: `1` is the first column,
    /// and after `9` come `a`, `b`, …
    ///
    /// # Errors
    /// At the first character that is not a column, is a full column, or comes after the end of
    /// the game.
    pub fn read_move_sequence(&self, text: &str) -> Result<Connect4State, NotationError> {
        let mut s = self.start();
        let word = text.trim();
        let before = text.chars().take_while(|c| c.is_whitespace()).count();
        for (i, c) in (before..).zip(word.chars()) {
            let error = |problem: String| Err(NotationError::at(text, i, problem));
            let digit = c.to_digit(36).filter(|d| (1..=u32::from(self.cols)).contains(d));
            let Some(column) = digit else {
                let last = char::from_digit(self.cols.into(), 36).unwrap_or('?');
                return error(format!("{c:?} is not a column (1 to {last})"));
            };
            if let Status::Over(end) = self.status(&s) {
                return error(format!("the game was over ({end}) before the move"));
            }
            let m = column as u8 - 1;
            if s.all & self.column(m) == self.column(m) {
                return error(format!("column {c} is full"));
            }
            self.play(&mut s, m);
        }
        Ok(s)
    }
}
