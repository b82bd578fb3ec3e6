//! How well a player plays endgames: the share of won positions in which its move keeps the
//! win. Positions are those that random games come to, where there is also a move that throws
//! the win away: elsewhere nobody can err.

use super::super::{Checkers, CheckersMove, CheckersState};
use super::EndgameTable;
use crate::game::Game;
use crate::random::Rng;

/// A won position with moves that keep the win and moves that do not.
#[derive(Clone, PartialEq, Debug)]
pub struct WinTest {
    /// The position.
    pub state: CheckersState,
    /// The moves that keep the win.
    pub keeping: Vec<CheckersMove>,
    /// How many moves there are.
    pub moves: usize,
}

impl EndgameTable {
    /// Whether a move of `s` leaves the other side lost; nothing where the table ends.
    #[must_use]
    pub fn keeps_the_win(&self, g: &Checkers, s: &CheckersState, m: CheckersMove) -> Option<bool> {
        let after = g.after(s, m);
        if after.mine() == 0 { Some(true) } else { self.wins(&after).map(|wins| !wins) }
    }

    /// A position with exactly so many men, at most as many as the table knows and at least 3.
    #[must_use]
    pub fn exam(&self, g: &Checkers, pieces: usize, rng: &mut Rng) -> WinTest {
        assert!((3..=self.pieces()).contains(&pieces), "the table knows such positions");
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
            let keeps = |m: &CheckersMove| self.keeps_the_win(g, &s, *m) == Some(true);
            let keeping: Vec<CheckersMove> = moves.iter().copied().filter(keeps).collect();
            if !keeping.is_empty() && keeping.len() < moves.len() {
                return WinTest { state: s, keeping, moves: moves.len() };
            }
        }
    }
}
