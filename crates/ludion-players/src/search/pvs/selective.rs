//! Selective search: principal-variation search that spends less depth on moves and nodes which
//! probably do not matter. Its values are estimates; it proves nothing.
//!
//! - Late-move reductions: moves late in the order that take no piece are searched one to three
//!   plies less deep, and again with full depth if they turn out better than expected.
//! - Static pruning: outside the principal variation, a node of little depth is cut off if its static
//!   value exceeds beta by a margin for each ply, unless a capture is pending for either side.
//! - Futility: at the last ply, moves that force nothing are left out if the static value is below
//!   alpha by a margin.
//! - Pruning by a shallow search: outside the principal variation, a quiet node is cut off if a search
//!   of two fifths of its depth exceeds beta by a margin that grows with the depth (after Buro's
//!   `ProbCut`, 1995, with a fixed margin).
//! - Extension: a single legal move costs no depth.
//! - Internal iterative deepening in the principal variation, where the table has no move to try first.
//! - Move ordering also by the history of pairs of moves: which reply refuted the previous move.
//!
//! A table entry is used if it was searched at least as deep as needed. The last ply is searched
//! without the table.

use crate::evaluator::Evaluator;
use crate::game::Game;
use crate::outcome::Duel;
use crate::search::transposition_table::{Bound, TableEntry};

use super::values::{from_table, to_table};
use super::{INFINITY, PvsNode, PvsSearch, RankedMove, StopCheck, is_certain};

/// The least depth at which a shallow search may cut off a node.
const MIN_PRUNING_DEPTH: u32 = 5;
/// The margin above beta of a shallow search, in hundredths of the evaluator's unit per ply of depth.
const PRUNING_MARGIN: i32 = 10;
/// The least depth at which the table's move is searched for if it is missing.
const MIN_DEEPENING_DEPTH: u32 = 4;
/// The least depth at which late moves are reduced.
const MIN_REDUCTION_DEPTH: u32 = 2;
/// The number of moves of a node that are not reduced, outside the principal variation and in it.
const UNREDUCED_MOVES: usize = 1;
const UNREDUCED_PV_MOVES: usize = 3;
/// The number of moves outside the principal variation that are reduced by at most one ply.
const SLIGHTLY_REDUCED_MOVES: usize = 3;
/// The number of moves outside the principal variation that are reduced by at most two plies, and the
/// least depth at which the others are reduced by three.
const REDUCED_MOVES: usize = 6;
const MIN_STRONG_REDUCTION_DEPTH: u32 = 6;
/// The greatest depth at which the static value may cut off a node.
const MAX_STATIC_PRUNING_DEPTH: u32 = 4;
/// The margin above beta of a static value, in hundredths of the evaluator's unit per ply of depth.
const STATIC_PRUNING_MARGIN: i32 = 40;
/// The most that a move of the last ply which forces nothing is expected to gain, in hundredths of the
/// evaluator's unit.
const FUTILITY_MARGIN: i32 = 60;
/// The number of slots of the previous move and of the move in the history of pairs.
pub(super) const PAIR_SLOTS: usize = 256;

/// What the static value of a node says about it.
#[derive(Clone, Copy)]
enum StaticVerdict {
    /// The value of the node is probably at least this, which is not below beta.
    AtLeastBeta(i32),
    /// Moves that force nothing probably have at most this value, which is not above alpha.
    QuietMovesFail(i32),
    /// Nothing.
    Open,
}

/// The state of a selective search beside that of an exact one.
pub(super) struct Selectivity {
    /// The value of a clear advantage, by which margins are scaled.
    pub(super) unit: i32,
    /// The ply from which on nothing is extended, twice the depth of the iteration.
    pub(super) last_extension: u32,
    /// How well each move did as a reply to each previous move.
    pair_history: Vec<i16>,
    /// The slot of the move that led to each ply.
    line: Vec<u8>,
}

impl Selectivity {
    pub(super) fn new(unit: i32) -> Self {
        Selectivity {
            unit,
            last_extension: 0,
            pair_history: vec![0; 2 * PAIR_SLOTS * PAIR_SLOTS],
            line: Vec::new(),
        }
    }

    /// Notes the slot of the move that leads to `ply`.
    #[inline]
    fn enter_ply(&mut self, ply: u32, slot: usize) {
        let ply = ply as usize;
        if self.line.len() <= ply {
            self.line.resize(ply + 1, 0);
        }
        self.line[ply] = (slot % PAIR_SLOTS) as u8;
    }

    /// Returns the counter of a move as a reply to the move that led to `ply`.
    #[inline]
    fn pair(&mut self, side: usize, ply: u32, slot: usize) -> &mut i16 {
        let previous = usize::from(self.line.get(ply as usize).copied().unwrap_or(0));
        &mut self.pair_history[(side * PAIR_SLOTS + previous) * PAIR_SLOTS + slot % PAIR_SLOTS]
    }
}

impl<G: Game<Outcome = Duel>, P: StopCheck> PvsSearch<'_, G, P> {
    /// Makes the search selective.
    pub fn make_selective(&mut self) {
        self.selectivity = Some(Box::new(Selectivity::new(self.evaluator_unit())));
    }

    /// Returns the value of a clear advantage.
    #[must_use]
    pub fn evaluator_unit(&self) -> i32 {
        self.evaluator.map_or(1, Evaluator::unit).max(1)
    }

    /// Tells a selective search the depth of the iteration that begins, and the move that leads to
    /// the first ply.
    #[inline]
    pub fn begin_root_move(&mut self, depth: u32, m: G::Move) {
        let slot = self.game.slot(m);
        if let Some(selectivity) = &mut self.selectivity {
            selectivity.last_extension = 2 * depth;
            selectivity.enter_ply(1, slot);
        }
    }

    /// Returns the value of a node for the side to move, by a selective search.
    pub(super) fn selective(&mut self, node: PvsNode<'_, G::State>, alpha: i32, beta: i32) -> i32 {
        if node.depth <= 1 {
            return self.selective_frontier(node, alpha, beta);
        }
        let key = self.path.estimate_key(self.game, node.state);
        let entry = self.table.get(key);
        let mut first = TableEntry::NO_MOVE;
        if let Some(entry) = entry {
            self.depth_limit_hits += 1;
            if let Some(value) = deep_enough_value(entry, node, alpha, beta) {
                return value;
            }
            first = entry.best;
        }
        if let StaticVerdict::AtLeastBeta(value) = self.static_verdict(node, alpha, beta) {
            return value;
        }
        if let Some(value) = self.shallow_cutoff(node, alpha, beta) {
            return value;
        }
        let is_pv = beta - alpha > 1;
        if is_pv && first == TableEntry::NO_MOVE && node.depth >= MIN_DEEPENING_DEPTH {
            self.selective(PvsNode { depth: node.depth - 2, ..node }, alpha, beta);
            first = self.table.get(key).map_or(TableEntry::NO_MOVE, |entry| entry.best);
        }
        if self.stopped {
            return alpha;
        }
        let base = self.ranked.len();
        let immediate = self.rank_selective_moves(node, first);
        let (value, best) = match immediate {
            Some(value) => (value, TableEntry::NO_MOVE),
            None => self.selective_best_move(node, (alpha, beta), base),
        };
        self.ranked.truncate(base);
        if !self.stopped {
            let bound = Bound::from_window(value, alpha, beta);
            let value = to_table(value, node.ply);
            let entry = TableEntry { value, bound, depth: node.depth, best, complete: false };
            self.table.put(key, entry);
        }
        value
    }

    /// Returns the value of a node at the last ply. A single legal move leads to another such node, so
    /// that forced sequences are searched to their end.
    fn selective_frontier(
        &mut self,
        node: PvsNode<'_, G::State>,
        mut alpha: i32,
        beta: i32,
    ) -> i32 {
        if self.game.wins_at_once(node.state) == Some(true) {
            return node.win_at_once();
        }
        let verdict = self.static_verdict(node, alpha, beta);
        if let StaticVerdict::AtLeastBeta(value) = verdict {
            return value;
        }
        let base = self.scratch.len();
        self.path.moves(self.game, node.state, &mut self.scratch);
        let is_single = self.scratch.len() - base == 1 && self.may_extend(node.ply);
        let depth = u32::from(is_single);
        let mut best = -INFINITY;
        let before = self.enter(node.state);
        for i in base..self.scratch.len() {
            let child = self.game.after(node.state, self.scratch[i]);
            if let StaticVerdict::QuietMovesFail(value) = verdict
                && i > base
                && !self.is_noisy(&child)
            {
                best = best.max(value);
                continue;
            }
            let value = self.value(&child, node.turn, depth, (alpha, beta), node.ply + 1);
            best = best.max(value);
            alpha = alpha.max(value);
            if alpha >= beta || self.stopped {
                break;
            }
        }
        self.leave(before);
        self.scratch.truncate(base);
        best
    }

    /// Returns whether the evaluator would search on in `s`.
    #[inline]
    fn is_noisy(&self, s: &G::State) -> bool {
        self.evaluator.is_some_and(|evaluator| evaluator.is_noisy(self.game, s))
    }

    /// Returns whether the opponent threatens to capture in `s`.
    #[inline]
    fn is_threatened(&self, s: &G::State) -> bool {
        self.evaluator.is_some_and(|evaluator| evaluator.is_threatened(self.game, s))
    }

    /// Returns whether a single legal move at `ply` costs no depth.
    #[inline]
    fn may_extend(&self, ply: u32) -> bool {
        self.selectivity.as_ref().is_some_and(|selectivity| ply < selectivity.last_extension)
    }

    /// Returns what the static value of a node of little depth outside the principal variation says
    /// about it. Where the side to move must capture, it says nothing; where the opponent could
    /// capture next, it may be too high.
    #[inline]
    fn static_verdict(&self, node: PvsNode<'_, G::State>, alpha: i32, beta: i32) -> StaticVerdict {
        if beta - alpha > 1
            || node.depth > MAX_STATIC_PRUNING_DEPTH
            || is_certain(beta)
            || self.is_noisy(node.state)
        {
            return StaticVerdict::Open;
        }
        let is_threatened = self.is_threatened(node.state);
        if is_threatened && node.depth > 1 {
            return StaticVerdict::Open;
        }
        let Some(evaluator) = self.evaluator else { return StaticVerdict::Open };
        let value = evaluator.value(self.game, node.state);
        let low = value - self.margin(STATIC_PRUNING_MARGIN * node.depth as i32);
        let high = value + self.margin(FUTILITY_MARGIN);
        if low >= beta && !is_threatened {
            StaticVerdict::AtLeastBeta(low)
        } else if node.depth == 1 && high <= alpha && !is_certain(alpha) {
            StaticVerdict::QuietMovesFail(high)
        } else {
            StaticVerdict::Open
        }
    }

    /// Returns a margin that is given in hundredths of the evaluator's unit.
    #[inline]
    fn margin(&self, hundredths: i32) -> i32 {
        self.selectivity.as_ref().map_or(1, |selectivity| selectivity.unit) * hundredths / 100
    }

    /// Searches a node outside the principal variation less deep, and returns a value of at least
    /// `beta` if the result exceeds `beta` by the margin.
    fn shallow_cutoff(
        &mut self,
        node: PvsNode<'_, G::State>,
        alpha: i32,
        beta: i32,
    ) -> Option<i32> {
        if beta - alpha > 1
            || node.depth < MIN_PRUNING_DEPTH
            || is_certain(beta)
            || self.is_noisy(node.state)
        {
            return None;
        }
        let raised = beta + self.margin(PRUNING_MARGIN * node.depth as i32);
        let shallow = PvsNode { depth: node.depth * 2 / 5, ..node };
        let value = self.selective(shallow, raised - 1, raised);
        (value >= raised && !self.stopped).then_some(value)
    }

    /// Lists and ranks the moves of a node in the buffer `ranked`. Returns the value of the node if
    /// a win with the next move or the lack of a safe move decides it.
    #[inline]
    fn rank_selective_moves(&mut self, node: PvsNode<'_, G::State>, first: u16) -> Option<i32> {
        let can_win = self.game.wins_at_once(node.state);
        if can_win == Some(true) {
            return Some(node.win_at_once());
        }
        let base = self.scratch.len();
        if !(can_win == Some(false) && self.game.safe_moves(node.state, &mut self.scratch)) {
            self.path.moves(self.game, node.state, &mut self.scratch);
        }
        self.push_ranked(node, first, base);
        if let Some(selectivity) = &mut self.selectivity {
            let start = self.ranked.len() - (self.scratch.len() - base);
            for ranked in &mut self.ranked[start..] {
                let slot = self.game.slot(ranked.play);
                let pair = *selectivity.pair(node.turn.index(), node.ply, slot);
                ranked.rank = ranked.rank.saturating_add(i32::from(pair));
            }
        }
        let none = self.scratch.len() == base;
        self.scratch.truncate(base);
        none.then_some(1 - node.win_at_once())
    }

    /// Searches the moves in the buffer `ranked` from index `base` on. Returns the best value and
    /// the index of its move.
    fn selective_best_move(
        &mut self,
        node: PvsNode<'_, G::State>,
        (mut alpha, beta): (i32, i32),
        base: usize,
    ) -> (i32, u16) {
        let (mut best, mut best_place) = (-INFINITY, TableEntry::NO_MOVE);
        let is_pv = beta - alpha > 1;
        let pieces = self.game.piece_counts(node.state);
        let is_single = self.ranked.len() - base == 1 && self.may_extend(node.ply);
        let full_depth = if is_single { node.depth } else { node.depth - 1 };
        let before = self.enter(node.state);
        for i in base..self.ranked.len() {
            self.select_next(i);
            let RankedMove { play, index, .. } = self.ranked[i];
            let child = self.game.after(node.state, play);
            if full_depth > 1 {
                self.table.prefetch(self.path.estimate_key(self.game, &child));
            }
            let slot = self.game.slot(play);
            if let Some(selectivity) = &mut self.selectivity {
                selectivity.enter_ply(node.ply + 1, slot);
            }
            let mut reduction = reduction(node.depth, i - base, is_pv);
            if reduction > 0 && pieces != self.game.piece_counts(&child) {
                reduction = 0;
            }
            let depths = (full_depth, full_depth.saturating_sub(reduction));
            let value = self.reduced_scout(&child, node, depths, (alpha, beta), i == base);
            if self.stopped {
                break;
            }
            if value > best {
                (best, best_place) = (value, index);
            }
            alpha = alpha.max(value);
            if alpha >= beta {
                self.update_ordering(node, base, i);
                self.update_pairs(node, base, i);
                break;
            }
        }
        self.leave(before);
        (best, best_place)
    }

    /// Searches one child of `node`: with a null window and reduced depth, then with full depth and
    /// the full window as far as it may be better than the moves before. `depths` are the full and
    /// the reduced depth.
    #[inline]
    fn reduced_scout(
        &mut self,
        child: &G::State,
        node: PvsNode<'_, G::State>,
        (full, reduced): (u32, u32),
        (alpha, beta): (i32, i32),
        first: bool,
    ) -> i32 {
        let (turn, ply) = (node.turn, node.ply + 1);
        if !first {
            let mut value = self.value(child, turn, reduced, (alpha, alpha + 1), ply);
            if value > alpha && reduced < full && !self.stopped {
                value = self.value(child, turn, full, (alpha, alpha + 1), ply);
            }
            if value <= alpha || value >= beta || self.stopped {
                return value;
            }
        }
        self.value(child, turn, full, (alpha, beta), ply)
    }

    /// Updates the history of pairs after a cutoff by the move at index `cut` of the buffer
    /// `ranked`.
    fn update_pairs(&mut self, node: PvsNode<'_, G::State>, base: usize, cut: usize) {
        let Some(selectivity) = &mut self.selectivity else { return };
        let bonus = (node.depth * node.depth).min(400) as i32;
        for i in base..=cut {
            let by = if i == cut { bonus } else { -bonus };
            let slot = self.game.slot(self.ranked[i].play);
            let pair = selectivity.pair(node.turn.index(), node.ply, slot);
            // Values stay between −2¹³ and 2¹³, and old results fade.
            *pair += (by - i32::from(*pair) * by.abs() / (1 << 13)) as i16;
        }
    }
}

/// Returns the number of plies by which a move that takes no piece is reduced; `number` is its place
/// in the order of moves, from 0.
#[inline]
fn reduction(depth: u32, number: usize, is_pv: bool) -> u32 {
    let unreduced = if is_pv { UNREDUCED_PV_MOVES } else { UNREDUCED_MOVES };
    if depth < MIN_REDUCTION_DEPTH || number < unreduced {
        0
    } else if is_pv || number < SLIGHTLY_REDUCED_MOVES {
        1
    } else if depth < MIN_STRONG_REDUCTION_DEPTH || number < REDUCED_MOVES {
        2
    } else {
        3
    }
}

/// Returns the value of a table entry that was searched deep enough for a node and decides it.
#[inline]
fn deep_enough_value<S>(
    entry: TableEntry,
    node: PvsNode<'_, S>,
    alpha: i32,
    beta: i32,
) -> Option<i32> {
    let value = from_table(entry.value, node.ply);
    let decides = match entry.bound {
        Bound::Exact => true,
        Bound::Lower => value >= beta,
        Bound::Upper => value <= alpha,
    };
    (decides && (entry.depth >= node.depth || is_certain(value))).then_some(value)
}
