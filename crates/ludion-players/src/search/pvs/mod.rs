//! Principal-variation search with a shared transposition table: the kernel of iterative deepening.
//!
//! Alpha-beta in which only the first move of a node gets the full window; the others are searched
//! with a null window, and again with the full window only if they may be better (Marsland &
//! Campbell, 1982; also known as `NegaScout`). The table's best move is searched first, the others
//! in the order of the history heuristic with a bonus for killer moves. The bonus is small: trying
//! killers first was measured to visit up to three times as many nodes.
//!
//! A won game has the value [`MATE`] minus its plies from the root, so that the quickest win and
//! the slowest loss are best. A table entry is used only if a search of the requested depth would
//! have found the same value. So the value at depth d is that of minimax at depth d, independent of
//! the contents of the table and of the threads that share it.
//!
//! Where repeated positions end the game, a single repetition within the search counts as the end,
//! and table entries do not depend on the path: wins and losses are still exact, because the side
//! that wins need not repeat, but other values may depend on the order of the search, and no draw is
//! proven by a repetition. Where repetitions are forbidden, the key of an entry covers the positions
//! of the path, and all values are exact.

mod selective;
mod values;
mod variation;

pub use values::{INFINITY, MATE, is_certain, plies_to_end};

use crate::evaluator::Evaluator;
use crate::game::{Game, Side, Status};
use crate::outcome::{Duel, Wdl};
use crate::repetition::GamePath;

use super::transposition_table::{Bound, TableEntry, TranspositionTable};
use selective::Selectivity;
use values::{holds_at_any_depth, to_table, usable_value};

/// The maximum search depth in plies. It bounds the call stack and keeps values of certain wins
/// distinct from estimates.
pub const MAX_DEPTH: u32 = 1000;

/// Nodes with a smaller remaining depth are searched without the transposition table.
const MIN_TABLE_DEPTH: u32 = 3;
/// Number of nodes between two checks whether the transposition table should grow.
const GROWTH_INTERVAL: u64 = 16_384;
/// Number of counters per side for the history heuristic; moves share a counter if their slots are
/// equal modulo this.
const HISTORY_SLOTS: usize = 1024;
/// The bonus of the latest killer move of a ply in move ordering; the killer before it gets half.
/// It is added to the history value, which lies between −2¹⁴ and 2¹⁴.
const KILLER_BONUS: i32 = 256;

/// Decides when a search stops; the search polls it at intervals.
pub trait StopCheck {
    /// Gets the number of nodes visited so far. Returns the number of further nodes before the next
    /// poll, or `None` to stop the search.
    fn poll(&mut self, nodes: u64) -> Option<u64>;
}

/// An interior node of the search: a state in which the game is not over.
struct PvsNode<'s, S> {
    state: &'s S,
    /// The side to move; the value of the node is relative to it.
    turn: Side,
    /// Remaining search depth in plies, at least 1.
    depth: u32,
    /// Number of plies from the root to this node.
    ply: u32,
}

// `derive` would require `S: Copy`.
impl<S> Clone for PvsNode<'_, S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S> Copy for PvsNode<'_, S> {}

impl<S> PvsNode<'_, S> {
    /// Returns the value that this node has if the side to move can win with its next move.
    #[inline]
    fn win_at_once(&self) -> i32 {
        MATE - self.ply as i32 - 1
    }
}

/// A move with its rank in move ordering; moves of a higher rank are searched first.
#[derive(Clone, Copy)]
struct RankedMove<M> {
    play: M,
    index: u16,
    rank: i32,
}

/// The principal-variation search of one thread.
pub struct PvsSearch<'a, G: Game, P> {
    game: &'a G,
    evaluator: Option<&'a dyn Evaluator<G>>,
    /// The greatest absolute value of an estimate.
    max_estimate: i32,
    /// Whether the value of a position whose result the evaluator knows is taken without searching on.
    pub stops_at_known: bool,
    table: &'a TranspositionTable,
    /// The positions before the node that is being searched: those of the game, then those of the
    /// search from the root on.
    path: GamePath,
    /// Number of positions of the game on `path`.
    root: usize,
    /// Decides when the search stops.
    pub stop_check: P,
    /// Number of nodes visited so far.
    pub nodes: u64,
    next_poll: u64,
    next_growth: u64,
    /// Whether the search was stopped early; values returned after that are meaningless.
    pub stopped: bool,
    /// Number of times that the search reached the depth limit, or used a table entry whose own
    /// search had reached it.
    pub depth_limit_hits: u64,
    scratch: Vec<G::Move>,
    ranked: Vec<RankedMove<G::Move>>,
    killers: Vec<[Option<G::Move>; 2]>,
    history: Box<[[i32; HISTORY_SLOTS]; 2]>,
    /// The state of a selective search; `None` if the search is exact.
    selectivity: Option<Box<Selectivity>>,
}

impl<'a, G: Game<Outcome = Duel>, P: StopCheck> PvsSearch<'a, G, P> {
    /// Creates a search with empty killer and history tables, from a state that a game reached by
    /// `path`. Without an evaluator, every estimate is 0.
    pub fn new(
        game: &'a G,
        path: &GamePath,
        evaluator: Option<&'a dyn Evaluator<G>>,
        table: &'a TranspositionTable,
        stop_check: P,
    ) -> Self {
        PvsSearch {
            game,
            evaluator,
            max_estimate: evaluator.map_or(0, Evaluator::max_abs_value),
            stops_at_known: evaluator.is_some_and(Evaluator::knows_results),
            table,
            path: path.clone(),
            root: path.len(),
            stop_check,
            nodes: 0,
            next_poll: 1,
            next_growth: GROWTH_INTERVAL,
            stopped: false,
            depth_limit_hits: 0,
            scratch: Vec::new(),
            ranked: Vec::new(),
            killers: Vec::new(),
            history: Box::new([[0; HISTORY_SLOTS]; 2]),
            selectivity: None,
        }
    }

    /// Searches `s`, which is `ply` plies below the root, to `depth`. Returns its value for `side`
    /// if it lies between `alpha` and `beta`. Otherwise returns a bound: at most `alpha` if the
    /// value is too low, at least `beta` if it is too high.
    #[inline]
    pub fn value(
        &mut self,
        s: &G::State,
        side: Side,
        depth: u32,
        (alpha, beta): (i32, i32),
        ply: u32,
    ) -> i32 {
        let turn = match self.status(s) {
            Status::Turn(turn) if depth > 0 && !(self.stops_at_known && self.is_known(s)) => turn,
            status => return self.leaf(s, status, side, (alpha, beta), ply),
        };
        let node = PvsNode { state: s, turn, depth, ply };
        if turn == side {
            self.interior(node, alpha, beta)
        } else {
            -self.interior(node, -beta, -alpha)
        }
    }

    /// Returns whether the evaluator knows the result of `s`.
    #[cold]
    fn is_known(&self, s: &G::State) -> bool {
        self.evaluator.is_some_and(|evaluator| evaluator.known_result(self.game, s).is_some())
    }

    /// Returns the status of `s` after the current path. A game that ends because a position of the
    /// search is repeated is not proven to end so, and counts as one that reached the depth limit.
    #[inline]
    fn status(&mut self, s: &G::State) -> Status<Duel> {
        let (status, by_repetition) = self.path.search_status(self.game, s, self.root);
        self.depth_limit_hits += u64::from(by_repetition);
        status
    }

    /// Returns the result of `s` for `side` if the game is over or the evaluator knows it for certain.
    #[must_use]
    pub fn known_result(&self, s: &G::State, side: Side) -> Option<Wdl> {
        match self.game.status(s) {
            Status::Over(end) => Some(end.seen_by(side)),
            Status::Turn(turn) => {
                let known = self.evaluator?.known_result(self.game, s)?;
                Some(if turn == side { known } else { known.flip() })
            }
        }
    }

    /// Adds `s`, whose moves are searched next, to the path. Returns the number of positions before,
    /// for [`PvsSearch::leave`].
    #[inline]
    pub fn enter(&mut self, s: &G::State) -> usize {
        let before = self.path.len();
        self.path.push(self.game, s);
        before
    }

    /// Removes the positions from the path that were added since [`PvsSearch::enter`] returned
    /// `before`.
    #[inline]
    pub fn leave(&mut self, before: usize) {
        self.path.truncate(self.game, before);
    }

    /// Returns the value for `side` of a finished game, or of a state at the depth limit by the
    /// evaluator, which may return a bound outside the window.
    #[inline]
    fn leaf(
        &mut self,
        s: &G::State,
        status: Status<Duel>,
        side: Side,
        (alpha, beta): (i32, i32),
        ply: u32,
    ) -> i32 {
        self.nodes += 1;
        match status {
            Status::Over(end) => end.seen_by(side).sign() * (MATE - ply as i32),
            Status::Turn(turn) => {
                self.depth_limit_hits += 1;
                let Some(evaluator) = self.evaluator else { return 0 };
                let moves = &mut self.scratch;
                if turn == side {
                    evaluator.value_within(self.game, s, (alpha, beta), moves)
                } else {
                    -evaluator.value_within(self.game, s, (-beta, -alpha), moves)
                }
            }
        }
    }

    /// Returns the value of a node in which the game is not over, for the side to move.
    fn interior(&mut self, node: PvsNode<'_, G::State>, alpha: i32, beta: i32) -> i32 {
        self.nodes += 1;
        if self.nodes >= self.next_poll {
            self.poll();
        }
        // No value is better than that of a win with the next move.
        let beta = beta.min(node.win_at_once());
        if alpha >= beta || self.stopped {
            return beta;
        }
        if self.selectivity.is_some() {
            self.depth_limit_hits += 1;
            return self.selective(node, alpha, beta);
        }
        let hits_before = self.depth_limit_hits;
        let value = if self.game.last_mover_wins() {
            self.without_last_ply(node, alpha, beta)
        } else {
            self.lookup_or_search(node, alpha, beta)
        };
        if holds_at_any_depth(value, Bound::from_window(value, alpha, beta)) {
            self.depth_limit_hits = hits_before;
        }
        value
    }

    /// Polls the stop check and lets the table grow. The table grows at fixed numbers of nodes,
    /// independent of the clock, so that a search on one thread is reproducible.
    #[cold]
    fn poll(&mut self) {
        if self.nodes >= self.next_growth {
            self.table.grow();
            self.next_growth = self.nodes + GROWTH_INTERVAL;
        }
        match self.stop_check.poll(self.nodes) {
            Some(more) => self.next_poll = self.next_growth.min(self.nodes + more),
            None => self.stopped = true,
        }
    }

    /// Searches a node of a game in which no side loses by its own move. If the window only asks
    /// whether one side wins, and the last ply before the depth limit belongs to the other side,
    /// that ply cannot change the answer and is skipped.
    #[inline]
    fn without_last_ply(&mut self, node: PvsNode<'_, G::State>, alpha: i32, beta: i32) -> i32 {
        let max_value = self.max_estimate;
        let (only_win, only_loss) = (alpha >= max_value, beta <= -max_value);
        let skip_last_ply = if node.depth.is_multiple_of(2) { only_win } else { only_loss };
        if skip_last_ply && node.depth == 1 {
            self.depth_limit_hits += 1;
            return -max_value;
        }
        let depth = node.depth - u32::from(skip_last_ply);
        let value = self.lookup_or_search(PvsNode { depth, ..node }, alpha, beta);
        if !skip_last_ply || is_certain(value) {
            value
        } else if only_win {
            // With the skipped ply, the estimate could have been as high as this.
            value.max(max_value)
        } else {
            value.min(-max_value)
        }
    }

    /// Returns the value of a node from the transposition table if possible, otherwise by a search.
    #[inline]
    fn lookup_or_search(&mut self, node: PvsNode<'_, G::State>, alpha: i32, beta: i32) -> i32 {
        if node.depth == 1 {
            return self.frontier(node, alpha, beta);
        }
        if node.depth < MIN_TABLE_DEPTH {
            return self.search_moves(node, alpha, beta, TableEntry::NO_MOVE).0;
        }
        let key = self.path.table_key(self.game, node.state);
        let entry = self.table.get(key);
        if let Some(entry) = entry
            && let Some(value) = usable_value(entry, node.depth, alpha, beta, node.ply)
        {
            self.depth_limit_hits +=
                u64::from(!entry.complete && !holds_at_any_depth(entry.value, entry.bound));
            return value;
        }
        let hits_before = self.depth_limit_hits;
        let first = entry.map_or(TableEntry::NO_MOVE, |entry| entry.best);
        let (value, best) = self.search_moves(node, alpha, beta, first);
        if !self.stopped {
            let bound = Bound::from_window(value, alpha, beta);
            let complete = self.depth_limit_hits == hits_before;
            let value = to_table(value, node.ply);
            self.table.put(key, TableEntry { value, bound, depth: node.depth, best, complete });
        }
        value
    }

    /// Returns the value of a node whose children are all at the depth limit.
    #[inline]
    fn frontier(&mut self, node: PvsNode<'_, G::State>, alpha: i32, beta: i32) -> i32 {
        match self.game.wins_at_once(node.state) {
            Some(true) => return node.win_at_once(),
            Some(false) if alpha >= self.max_estimate => {
                self.depth_limit_hits += 1;
                return self.max_estimate;
            }
            _ => {}
        }
        let base = self.scratch.len();
        self.path.moves(self.game, node.state, &mut self.scratch);
        let mut best = -INFINITY;
        let before = self.enter(node.state);
        for i in base..self.scratch.len() {
            let child = self.game.after(node.state, self.scratch[i]);
            let status = self.status(&child);
            let window = (alpha.max(best), beta);
            best = best.max(self.leaf(&child, status, node.turn, window, node.ply + 1));
            if best >= beta {
                break;
            }
        }
        self.leave(before);
        self.scratch.truncate(base);
        best
    }

    /// Searches the moves of a node, the one with index `first` first. Returns the best value and
    /// the index of its move.
    #[inline]
    fn search_moves(
        &mut self,
        node: PvsNode<'_, G::State>,
        alpha: i32,
        beta: i32,
        first: u16,
    ) -> (i32, u16) {
        let base = self.ranked.len();
        let immediate = self.rank_moves(node, first);
        let found = match immediate {
            Some(value) => (value, TableEntry::NO_MOVE),
            None => self.best_move(node, (alpha, beta), base),
        };
        self.ranked.truncate(base);
        found
    }

    /// Lists and ranks the moves of a node in the buffer `ranked`. Returns the value of the node if
    /// a win with the next move or the lack of a safe move decides it.
    #[inline]
    fn rank_moves(&mut self, node: PvsNode<'_, G::State>, first: u16) -> Option<i32> {
        let can_win = self.game.wins_at_once(node.state);
        if can_win == Some(true) {
            return Some(node.win_at_once());
        }
        let base = self.scratch.len();
        if !(can_win == Some(false) && self.game.safe_moves(node.state, &mut self.scratch)) {
            self.path.moves(self.game, node.state, &mut self.scratch);
            if can_win.is_none() && (base..self.scratch.len()).any(|i| self.wins(node, i)) {
                self.scratch.truncate(base);
                return Some(node.win_at_once());
            }
        }
        self.push_ranked(node, first, base);
        let none = self.scratch.len() == base;
        self.scratch.truncate(base);
        // Without a safe move, the opponent wins with its next move.
        none.then_some(1 - node.win_at_once())
    }

    /// Ranks the moves in the buffer `scratch` from index `base` on and adds them to the buffer
    /// `ranked`.
    #[inline]
    fn push_ranked(&mut self, node: PvsNode<'_, G::State>, first: u16, base: usize) {
        let ply = node.ply as usize;
        if self.killers.len() <= ply {
            self.killers.resize(ply + 1, [None; 2]);
        }
        let killers = self.killers[ply];
        for i in base..self.scratch.len() {
            let play = self.scratch[i];
            let index = u16::try_from(i - base).unwrap_or(TableEntry::NO_MOVE);
            let rank = if index == first {
                i32::MAX
            } else {
                self.history[node.turn.index()][self.game.slot(play) % HISTORY_SLOTS]
                    + if killers[0] == Some(play) { KILLER_BONUS } else { 0 }
                    + if killers[1] == Some(play) { KILLER_BONUS / 2 } else { 0 }
            };
            self.ranked.push(RankedMove { play, index, rank });
        }
    }

    /// Returns whether the move at index `i` of the buffer `scratch` wins immediately.
    #[inline]
    fn wins(&self, node: PvsNode<'_, G::State>, i: usize) -> bool {
        let child = self.game.after(node.state, self.scratch[i]);
        self.game.status(&child) == Status::Over(Duel::Won(node.turn))
    }

    /// Searches the moves in the buffer `ranked` from index `base` on. Returns the best value and
    /// the index of its move in the list of moves that the search considers.
    fn best_move(
        &mut self,
        node: PvsNode<'_, G::State>,
        (mut alpha, beta): (i32, i32),
        base: usize,
    ) -> (i32, u16) {
        let (mut best, mut best_place) = (-INFINITY, TableEntry::NO_MOVE);
        let before = self.enter(node.state);
        for i in base..self.ranked.len() {
            self.select_next(i);
            let RankedMove { play, index, .. } = self.ranked[i];
            let child = self.game.after(node.state, play);
            if node.depth > MIN_TABLE_DEPTH {
                self.table.prefetch(self.path.table_key(self.game, &child));
            }
            let value = self.scout(&child, node, (alpha, beta), i == base);
            if self.stopped {
                break;
            }
            if value > best {
                (best, best_place) = (value, index);
            }
            alpha = alpha.max(value);
            if alpha >= beta {
                self.update_ordering(node, base, i);
                break;
            }
        }
        self.leave(before);
        (best, best_place)
    }

    /// Searches one child of `node`. A child other than the first is searched with a null window,
    /// and with the full window only if it may be better than the moves before.
    #[inline]
    fn scout(
        &mut self,
        child: &G::State,
        node: PvsNode<'_, G::State>,
        (alpha, beta): (i32, i32),
        first: bool,
    ) -> i32 {
        let PvsNode { turn, depth, ply, .. } = node;
        if !first && beta - alpha > 1 {
            let value = self.value(child, turn, depth - 1, (alpha, alpha + 1), ply + 1);
            if value <= alpha || value >= beta || self.stopped {
                return value;
            }
        }
        self.value(child, turn, depth - 1, (alpha, beta), ply + 1)
    }

    /// Swaps the highest-ranked move among those from index `i` on with the move at index `i`.
    #[inline]
    fn select_next(&mut self, i: usize) {
        let mut next = i;
        for j in i + 1..self.ranked.len() {
            if self.ranked[j].rank > self.ranked[next].rank {
                next = j;
            }
        }
        self.ranked.swap(i, next);
    }

    /// Updates killer moves and history after a cutoff by the move at index `cut` of the buffer
    /// `ranked`; the moves before it, from index `base` on, were searched without a cutoff.
    #[inline]
    fn update_ordering(&mut self, node: PvsNode<'_, G::State>, base: usize, cut: usize) {
        let play = self.ranked[cut].play;
        let killers = &mut self.killers[node.ply as usize];
        if killers[0] != Some(play) {
            *killers = [Some(play), killers[0]];
        }
        let history = &mut self.history[node.turn.index()];
        let bonus = (node.depth * node.depth).min(1 << 10) as i32;
        let mut adjust = |m: G::Move, by: i32| {
            let entry = &mut history[self.game.slot(m) % HISTORY_SLOTS];
            // Values stay between −2¹⁴ and 2¹⁴, and old results fade.
            *entry += by - *entry * by.abs() / (1 << 14);
        };
        adjust(play, bonus);
        for earlier in &self.ranked[base..cut] {
            adjust(earlier.play, -bonus);
        }
    }
}
