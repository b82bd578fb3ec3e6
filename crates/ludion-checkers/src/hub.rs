//! Positions and moves as the Hub protocol of draughts engines writes them (version 2, 2019).
//!
//! A position is the side to move, `W` or `B`, and one character for each square in the order of
//! their numbers: `w` and `b` for men, `W` and `B` for kings, `e` for an empty square. A capture
//! names its first and last square, then every captured square: `28x19x23`.

use super::rules::SideColour;
use super::{Checkers, CheckersMove, CheckersState};
use ludion_core::bits::bits;
use ludion_core::game::{Game, Side};
use ludion_core::notation::NotationError;

impl Checkers {
    /// Writes a position in the notation of Hub.
    #[must_use]
    pub fn show_hub_position(&self, s: &CheckersState) -> String {
        let white = self.side(SideColour::White);
        let turn = if s.turn == white { 'W' } else { 'B' };
        let square = |number: u8| {
            let at = 1 << self.square(number);
            let king = s.kings & at != 0;
            match (s.pieces[white.index()] & at != 0, s.pieces[white.other().index()] & at != 0) {
                (true, _) => {
                    if king {
                        'W'
                    } else {
                        'w'
                    }
                }
                (_, true) => {
                    if king {
                        'B'
                    } else {
                        'b'
                    }
                }
                _ => 'e',
            }
        };
        std::iter::once(turn).chain((1..=self.square_count()).map(square)).collect()
    }

    /// Parses a position in the notation of Hub.
    ///
    /// # Errors
    /// When the text is not a position of this board that can occur in a game.
    pub fn read_hub_position(&self, text: &str) -> Result<CheckersState, NotationError> {
        let squares = usize::from(self.square_count());
        if text.chars().count() != squares + 1 {
            let problem = format!("a position has a letter for the side and {squares} squares");
            return Err(NotationError::new(text, problem));
        }
        let white = self.side(SideColour::White);
        let mut s = CheckersState { pieces: [0; 2], kings: 0, turn: Side::First, quiet: 0 };
        for (i, c) in text.chars().enumerate() {
            let at = || 1 << self.square(i as u8);
            match (i, c) {
                (0, 'W') => s.turn = white,
                (0, 'B') => s.turn = white.other(),
                (0, _) => return Err(NotationError::at(text, i, "expected W or B")),
                (_, 'w' | 'W') => s.pieces[white.index()] |= at(),
                (_, 'b' | 'B') => s.pieces[white.other().index()] |= at(),
                (_, 'e') => {}
                _ => return Err(NotationError::at(text, i, "expected w, W, b, B or e")),
            }
            if i > 0 && matches!(c, 'W' | 'B') {
                s.kings |= at();
            }
        }
        // The checks of a state are those of its FEN.
        self.read_state(&self.show_state(&s))
    }

    /// Writes a move in the notation of Hub.
    #[must_use]
    pub fn show_hub_move(&self, m: CheckersMove) -> String {
        let ends = [m.from, m.to].map(|bit| self.number(bit).to_string());
        if m.taken == 0 {
            return ends.join("-");
        }
        let mut taken: Vec<u8> = bits(m.taken).map(|bit| self.number(bit)).collect();
        taken.sort_unstable();
        taken.into_iter().fold(ends.join("x"), |text, number| format!("{text}x{number}"))
    }

    /// Returns the legal move of `s` that `text` names in the notation of Hub. A capture may leave
    /// out the captured squares if its ends identify it.
    ///
    /// # Errors
    /// When the text is not a legal move.
    pub fn read_hub_move(
        &self,
        s: &CheckersState,
        text: &str,
    ) -> Result<CheckersMove, NotationError> {
        let mut moves = Vec::new();
        self.moves(s, &mut moves);
        let refuse = || {
            let legal: Vec<String> = moves.iter().map(|&m| self.show_hub_move(m)).collect();
            NotationError::new(text, format!("not a legal move; legal: {}", legal.join(" ")))
        };
        let square = |part: &str| {
            let number = part.parse().ok().filter(|n| (1..=self.square_count()).contains(n));
            number.map(|number| self.square(number))
        };
        let squares: Option<Vec<u8>> = text.split(['-', 'x']).map(square).collect();
        let Some(([from, to], taken)) =
            squares.as_deref().and_then(|squares| squares.split_first_chunk())
        else {
            return Err(refuse());
        };
        let taken = taken.iter().fold(0, |set: u64, &bit| set | 1 << bit);
        let has_ends = |m: &&CheckersMove| (m.from, m.to) == (*from, *to);
        let alike: Vec<CheckersMove> = moves.iter().filter(has_ends).copied().collect();
        match alike[..] {
            [m] if taken == 0 => Ok(m),
            _ => alike.into_iter().find(|m| m.taken == taken).ok_or_else(refuse),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludion_core::random::Rng;

    #[test]
    fn positions_and_moves_of_random_games_read_back() {
        let mut rng = Rng::new(7);
        for rules in ["international", "english", "russian", "brazilian", "frisian"] {
            let g = Checkers::named(&format!("checkers({rules})")).unwrap();
            for _ in 0..20 {
                let (mut s, mut moves) = (g.start(), Vec::new());
                while g.status(&s).turn().is_some() {
                    let plain = CheckersState { quiet: 0, ..s };
                    assert_eq!(g.read_hub_position(&g.show_hub_position(&s)), Ok(plain));
                    moves.clear();
                    g.moves(&s, &mut moves);
                    for &m in &moves {
                        assert_eq!(g.read_hub_move(&s, &g.show_hub_move(m)), Ok(m));
                    }
                    g.play(&mut s, moves[rng.below(moves.len())]);
                }
            }
        }
    }

    #[test]
    fn the_start_and_a_capture_are_written_as_the_protocol_says() {
        let g = Checkers::named("checkers(international)").unwrap();
        let start = format!("W{}{}{}", "b".repeat(20), "e".repeat(10), "w".repeat(20));
        assert_eq!(g.show_hub_position(&g.start()), start);
        let s = g.read_state("W:W28:B23,10").unwrap();
        let m = g.read_hub_move(&s, "28x19x23").unwrap();
        assert_eq!(g.show_hub_move(m), "28x19x23");
        assert_eq!(g.read_hub_move(&s, "28x19"), Ok(m));
        for wrong in ["", "28", "28-19x", "28x19x22", "1-51", "28-17"] {
            assert!(g.read_hub_move(&s, wrong).is_err(), "{wrong}");
        }
        for wrong in ["", "W", &start[1..], &start.replace('W', "X"), &start.replace('e', "?")] {
            assert!(g.read_hub_position(wrong).is_err(), "{wrong}");
        }
    }
}
