//! What a search leaves behind for its root: the exact worth in the table, and the variation
//! that both sides would play.

use crate::evaluator::Evaluator;
use crate::game::{Game, Side, Status};
use crate::outcome::Duel;
use crate::search::transposition_table::{Bound, TableEntry};

use super::{INFINITY, MIN_TABLE_DEPTH, PvsSearch, StopCheck};

impl<G: Game<Outcome = Duel>, E: Evaluator<G> + ?Sized, P: StopCheck> PvsSearch<'_, G, E, P> {
    /// Remembers the exact worth of the root `s` at `depth`.
    pub fn remember(&self, s: &G::State, value: i32, depth: u32, best: G::Move, complete: bool) {
        let place = self.listed(s).iter().position(|m| *m == best);
        let best = place.and_then(|place| u16::try_from(place).ok()).unwrap_or(TableEntry::NO_MOVE);
        let entry = TableEntry { value, bound: Bound::Exact, depth, best, complete };
        self.table.put(self.game.key(s), entry);
    }

    /// The exact worth of the root `s`, the depth and the best move, if they are remembered.
    #[must_use]
    pub fn recall(&self, s: &G::State) -> Option<(i32, u32, G::Move)> {
        let known = self.table.get(self.game.key(s)).filter(|e| e.bound == Bound::Exact)?;
        let best = *self.listed(s).get(usize::from(known.best))?;
        Some((known.value, known.depth, best))
    }

    /// The moves of `s` as the search lists them: the table counts places among these.
    fn listed(&self, s: &G::State) -> Vec<G::Move> {
        let mut list = Vec::new();
        if self.game.wins_at_once(s) == Some(false) && self.game.safe_moves(s, &mut list) {
            return list;
        }
        self.game.moves(s, &mut list);
        list
    }

    /// The moves that both sides would play from `s`, as far as `depth` plies and the memory
    /// go: the table's best, and near the depth limit, where it keeps none, a new search's.
    pub fn variation(&mut self, mut s: G::State, depth: u32) -> Vec<G::Move> {
        let mut line = Vec::new();
        for left in (1..=depth).rev() {
            let Status::Turn(turn) = self.game.status(&s) else { break };
            let best = if left < MIN_TABLE_DEPTH {
                self.best_near(&s, turn, left)
            } else {
                self.best_known(&s, turn)
            };
            let Some(m) = best.filter(|_| !self.stopped) else { break };
            line.push(m);
            self.game.play(&mut s, m);
        }
        line
    }

    /// The table's best move of `s`, or one that wins at once, or any where all lose.
    fn best_known(&self, s: &G::State, turn: Side) -> Option<G::Move> {
        let mut list = Vec::new();
        self.game.moves(s, &mut list);
        let won = |m: &G::Move| {
            let child = self.game.after(s, *m);
            self.game.status(&child) == Status::Over(Duel::Won(turn))
        };
        let searched = self.listed(s);
        if let Some(m) =
            list.iter().find(|m| won(m)).or(list.first().filter(|_| searched.is_empty()))
        {
            return Some(*m);
        }
        let known = self.table.get(self.game.key(s)).filter(|e| e.bound != Bound::Upper)?;
        searched.get(usize::from(known.best)).copied()
    }

    /// The first of the best moves of `s` by a full search of a few plies.
    fn best_near(&mut self, s: &G::State, turn: Side, depth: u32) -> Option<G::Move> {
        let mut list = Vec::new();
        self.game.moves(s, &mut list);
        let mut best: Option<(i32, G::Move)> = None;
        for m in list {
            let child = self.game.after(s, m);
            let value = self.value(&child, turn, depth - 1, (-INFINITY, INFINITY), 1);
            if best.is_none_or(|(most, _)| value > most) {
                best = Some((value, m));
            }
        }
        best.map(|(_, m)| m)
    }
}
