//! Test positions for endgame play: a player is measured by the share of won positions in which
//! its move keeps the win. The positions come from random games, and each has a move that keeps
//! the win and a move that loses it.

use super::super::{Checkers, CheckersMove, CheckersState};
use super::EndgameTable;
use ludion_core::game::Game;
use ludion_core::random::Rng;

/// A position that the side to move wins with some moves and loses with others.
#[derive(Clone, PartialEq, Debug)]
pub struct EndgameTestPosition {
    /// The position, which is won for the side to move.
    pub state: CheckersState,
    /// The moves that keep the win.
    pub winning_moves: Vec<CheckersMove>,
    /// The number of legal moves in the position.
    pub move_count: usize,
}

impl EndgameTable {
    /// Returns whether the move `m` of `s` leads to a position that the opponent loses; `None` if
    /// the table does not cover that position.
    #[must_use]
    pub fn keeps_win(&self, g: &Checkers, s: &CheckersState, m: CheckersMove) -> Option<bool> {
        let after = g.after(s, m);
        if after.mine() == 0 { Some(true) } else { self.wins(&after).map(|wins| !wins) }
    }

    /// Draws a test position with exactly `pieces` men, from 3 to as many as the table covers.
    #[must_use]
    pub fn random_test_position(
        &self,
        g: &Checkers,
        pieces: usize,
        rng: &mut Rng,
    ) -> EndgameTestPosition {
        assert!((3..=self.pieces()).contains(&pieces), "the table covers such positions");
        let mut moves = Vec::new();
        loop {
            let mut s = g.start();
            loop {
                moves.clear();
                g.moves(&s, &mut moves);
                if moves.is_empty() || s.occupied().count_ones() as usize <= pieces {
                    break;
                }
                g.play(&mut s, moves[rng.below(moves.len())]);
            }
            if s.occupied().count_ones() as usize != pieces {
                continue;
            }
            let keeps = |m: &CheckersMove| self.keeps_win(g, &s, *m) == Some(true);
            let winning_moves: Vec<CheckersMove> = moves.iter().copied().filter(keeps).collect();
            if !winning_moves.is_empty() && winning_moves.len() < moves.len() {
                let move_count = moves.len();
                return EndgameTestPosition { state: s, winning_moves, move_count };
            }
        }
    }
}
