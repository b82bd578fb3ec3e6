//! The results of a search at its root: stores and loads the exact value of the root in the table,
//! and collects the principal variation.

use crate::game::{Game, Side, Status};
use crate::outcome::Duel;
use crate::search::transposition_table::{Bound, TableEntry};

use super::{INFINITY, MIN_TABLE_DEPTH, PvsSearch, StopCheck};

impl<G: Game<Outcome = Duel>, P: StopCheck> PvsSearch<'_, G, P> {
    /// Stores the exact value of the root `s`, searched to `depth`, and its best move in the table.
    /// `complete` says that no line reached the depth limit.
    pub fn store_root(&self, s: &G::State, value: i32, depth: u32, best: G::Move, complete: bool) {
        let index = self.search_moves_of(s).iter().position(|m| *m == best);
        let best = index.and_then(|index| u16::try_from(index).ok()).unwrap_or(TableEntry::NO_MOVE);
        let entry = TableEntry { value, bound: Bound::Exact, depth, best, complete };
        self.table.put(self.entry_key(s), entry);
    }

    /// Returns the exact value of the root `s`, the depth of its search and the best move, if the
    /// table has them.
    #[must_use]
    pub fn load_root(&self, s: &G::State) -> Option<(i32, u32, G::Move)> {
        let entry = self.table.get(self.entry_key(s));
        let entry = entry.filter(|e| e.bound == Bound::Exact)?;
        let best = *self.search_moves_of(s).get(usize::from(entry.best))?;
        Some((entry.value, entry.depth, best))
    }

    /// Returns the key of `s` in the table.
    #[inline]
    fn entry_key(&self, s: &G::State) -> u64 {
        match self.selectivity {
            Some(_) => self.path.estimate_key(self.game, s),
            None => self.path.table_key(self.game, s),
        }
    }

    /// Returns the moves of `s` that the search considers, in the order of the game; moves that
    /// lose at once may be left out. Table entries store indices into this list.
    fn search_moves_of(&self, s: &G::State) -> Vec<G::Move> {
        let mut list = Vec::new();
        if self.game.wins_at_once(s) == Some(false) && self.game.safe_moves(s, &mut list) {
            return list;
        }
        self.path.moves(self.game, s, &mut list);
        list
    }

    /// Returns the principal variation from `s`, a child of the last state on the path, at most
    /// `depth` plies. It follows the table's best
    /// moves; near the depth limit, where the table has none, it searches again.
    pub fn variation(&mut self, mut s: G::State, depth: u32) -> Vec<G::Move> {
        let (mut line, before) = (Vec::new(), self.path.len());
        for left in (1..=depth).rev() {
            let Status::Turn(turn) = self.path.status(self.game, &s) else { break };
            let best = if left < MIN_TABLE_DEPTH {
                self.searched_move(&s, turn, left)
            } else {
                self.table_move(&s, turn)
            };
            let Some(m) = best.filter(|_| !self.stopped) else { break };
            line.push(m);
            self.path.play(self.game, &mut s, m);
        }
        self.leave(before);
        line
    }

    /// Returns a move of `s` that wins immediately, or the first move if all lose at once, or else
    /// the best move of the table; `None` if the table has none.
    fn table_move(&self, s: &G::State, turn: Side) -> Option<G::Move> {
        let mut list = Vec::new();
        self.path.moves(self.game, s, &mut list);
        let won = |m: &G::Move| {
            let child = self.game.after(s, *m);
            self.game.status(&child) == Status::Over(Duel::Won(turn))
        };
        let search_list = self.search_moves_of(s);
        if let Some(m) =
            list.iter().find(|m| won(m)).or(list.first().filter(|_| search_list.is_empty()))
        {
            return Some(*m);
        }
        let entry = self.table.get(self.entry_key(s));
        let entry = entry.filter(|e| e.bound != Bound::Upper)?;
        search_list.get(usize::from(entry.best)).copied()
    }

    /// Returns the best move of `s`, the first of equal ones, by a search to the small depth
    /// `depth` with the full window; `None` without legal moves.
    fn searched_move(&mut self, s: &G::State, turn: Side, depth: u32) -> Option<G::Move> {
        let mut list = Vec::new();
        self.path.moves(self.game, s, &mut list);
        let mut best: Option<(i32, G::Move)> = None;
        let before = self.enter(s);
        for m in list {
            let child = self.game.after(s, m);
            let value = self.value(&child, turn, depth - 1, (-INFINITY, INFINITY), 1);
            if best.is_none_or(|(most, _)| value > most) {
                best = Some((value, m));
            }
        }
        self.leave(before);
        best.map(|(_, m)| m)
    }
}
