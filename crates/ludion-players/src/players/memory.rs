//! Alpha-beta with a transposition table (French: *NegAlphaBeta_Memory*, standard and heuristic).
//! With the move order `best-first`, the stored best move of a state is tried first.
//!
//! The table is used correctly: the side to move is part of the key, bounds are stored as bounds,
//! and an entry is used only if its search had exactly the requested depth or saw every line to the
//! end of the game. So the choice is that of minimax at the same depth, independent of the contents
//! of the table. The option `sheet` uses the incorrect table of Corsini's exercise sheet instead:
//! see [`super::naive_memory`].

use crate::effective::BudgetOverride;
use crate::evaluator::WIN;
use crate::game::{Game, Side};
use crate::named::{EVAL, NamedPlayer, PlayerParts};
use crate::outcome::Duel;
use crate::param::{Args, Param, ParamError};
use crate::player::{
    BudgetUnit, Choice, MemoryBound, MemoryEntry, MoveRequest, Player, PlayerError, SearchDetails,
};
use crate::players::naive_memory::FlawedTable;
use crate::search::details::reachable;
use crate::search::fixed_depth::{
    FixedDepthOptions, FixedDepthSearch, INFINITY, NodeKind, choose_root_move,
};
use crate::search::transposition_table::{Bound, TableEntry, TranspositionTable};

/// The order in which the moves of a state are tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MoveOrder {
    /// The order in which the game lists its moves.
    Standard,
    /// The best move of the table entry first, the others in the order of the game.
    BestFirst,
}

impl MoveOrder {
    /// The player parameter `order`, which selects the move order.
    pub const PARAM: Param = Param::choice(
        "order",
        &["standard", "best-first"],
        "which moves are tried first: the game's order (standard), or the stored best move \
         (best-first)",
    );

    /// Reads the move order from the player parameter `order`.
    #[must_use]
    pub fn build(args: &Args) -> Self {
        if args.text("order") == "standard" { MoveOrder::Standard } else { MoveOrder::BestFirst }
    }
}

/// Chooses moves by alpha-beta search to a fixed depth, with a transposition table.
pub struct TranspositionPlayer<G: Game> {
    options: FixedDepthOptions<G>,
    order: MoveOrder,
    megabytes: usize,
    /// The transposition table; `None` before the first move, at which it is allocated.
    table: Option<TranspositionTable>,
    /// The incorrect table of [`super::naive_memory`], which replaces `table` if the parameter
    /// `sheet` is set.
    naive: Option<FlawedTable<G>>,
}

impl<G: Game<Outcome = Duel>> TranspositionPlayer<G> {
    pub(super) const MEGABYTES: Param =
        Param::int("mb", 16, 1, 65_536, "size of the transposition table in megabytes")
            .only_if("sheet", &["no"]);
    pub(super) const SHEET: Param = Param::flag(
        "sheet",
        "use the incorrect transposition table of the original exercise sheet",
    );

    /// Creates a player with a correct transposition table of `megabytes`.
    #[must_use]
    pub fn new(options: FixedDepthOptions<G>, order: MoveOrder, megabytes: usize) -> Self {
        TranspositionPlayer { options, order, megabytes, table: None, naive: None }
    }

    /// Creates a player with the incorrect table of Corsini's exercise sheet.
    #[must_use]
    pub fn naive(options: FixedDepthOptions<G>, order: MoveOrder) -> Self {
        let naive = Some(FlawedTable::new(order));
        TranspositionPlayer { options, order, megabytes: 1, table: None, naive }
    }

    pub(super) fn from_args(args: &Args, options: FixedDepthOptions<G>) -> Self {
        let order = MoveOrder::build(args);
        if args.flag("sheet") {
            TranspositionPlayer::naive(options, order)
        } else {
            TranspositionPlayer::new(options, order, args.size("mb"))
        }
    }
}

/// A fixed-depth search with a transposition table.
struct MemorySearch<'t, 'w, 'a, G: Game> {
    search: &'w mut FixedDepthSearch<'a, G>,
    table: &'t TranspositionTable,
    order: MoveOrder,
    /// Number of times that the search reached the depth limit, or used a table entry whose own
    /// search had reached it.
    depth_limit_hits: u64,
}

impl<G: Game<Outcome = Duel>> MemorySearch<'_, '_, '_, G> {
    /// Returns the value of `s` for `side` if it lies between `alpha` and `beta`. Otherwise returns
    /// a bound: at most `alpha` if the value is too low, at least `beta` if it is too high.
    fn value(&mut self, s: &G::State, side: Side, depth: u32, alpha: i32, beta: i32) -> i32 {
        let mover = match self.search.visit(s, side, depth) {
            NodeKind::Leaf(value) => {
                self.depth_limit_hits += u64::from(depth == 0 && value.abs() < WIN);
                return value;
            }
            NodeKind::Inner(mover) => mover,
        };
        let sign = if mover == side { 1 } else { -1 };
        let (alpha, beta) = if mover == side { (alpha, beta) } else { (-beta, -alpha) };
        let key = self.search.path.table_key(self.search.game, s);
        let entry = self.table.get(key);
        if let Some(value) = entry.and_then(|entry| usable_value(entry, depth, alpha, beta)) {
            self.depth_limit_hits += u64::from(entry.is_some_and(|entry| !entry.complete));
            return sign * value;
        }
        let first = match self.order {
            MoveOrder::Standard => None,
            MoveOrder::BestFirst => entry.map(|entry| entry.best),
        };
        let hits_before = self.depth_limit_hits;
        let (value, best) = self.best_child(s, mover, depth, (alpha, beta), first);
        let bound = Bound::from_window(value, alpha, beta);
        let complete = self.depth_limit_hits == hits_before;
        if !self.search.stopped {
            self.table.put(key, TableEntry { value, bound, depth, best, complete });
        }
        sign * value
    }

    /// Returns the best value of a child for `mover`, and the index of the move that leads to it.
    /// The move with index `first` is searched first.
    fn best_child(
        &mut self,
        s: &G::State,
        mover: Side,
        depth: u32,
        (mut alpha, beta): (i32, i32),
        first: Option<u16>,
    ) -> (i32, u16) {
        let listed = self.search.push_moves(s);
        let first = first.map(usize::from).filter(|i| *i < listed.len());
        let others = (0..listed.len()).filter(|i| Some(*i) != first);
        let mut best = (-INFINITY, TableEntry::NO_MOVE);
        for i in first.into_iter().chain(others) {
            let child = self.search.child(s, listed.start + i);
            let value = self.value(&child, mover, depth - 1, alpha, beta);
            if value > best.0 {
                best = (value, u16::try_from(i).unwrap_or(TableEntry::NO_MOVE));
            }
            alpha = alpha.max(value);
            if alpha >= beta {
                break;
            }
        }
        self.search.pop_moves(listed);
        best
    }
}

/// Returns the value of a table entry if a search to `depth` with the window `alpha` to `beta`
/// would have returned the same.
#[inline]
fn usable_value(entry: TableEntry, depth: u32, alpha: i32, beta: i32) -> Option<i32> {
    let TableEntry { value, bound, .. } = entry;
    // A win or loss found at a smaller depth holds at a greater depth, too.
    let certain = match bound {
        Bound::Lower => value == WIN,
        Bound::Upper => value == -WIN,
        Bound::Exact => value.abs() == WIN,
    };
    let depth_matches = entry.depth == depth || entry.depth < depth && (entry.complete || certain);
    let cuts_off = match bound {
        Bound::Exact => true,
        Bound::Lower => value >= beta,
        Bound::Upper => value <= alpha,
    };
    (depth_matches && cuts_off).then_some(value)
}

impl<G: Game<Outcome = Duel>> Player<G> for TranspositionPlayer<G> {
    fn begin(&mut self, _seed: u64) {
        if let Some(table) = &self.table {
            table.forget();
        }
        if let Some(naive) = &mut self.naive {
            naive.clear();
        }
    }

    fn choose(&mut self, request: &MoveRequest<'_, G>) -> Result<Choice<G::Move>, PlayerError> {
        let depth = self.options.depth_for(request);
        let evaluator = self.options.evaluator.as_deref();
        if let Some(naive) = &mut self.naive {
            return naive.choose(request, depth, evaluator);
        }
        let order = self.order;
        let table = &*self.table.get_or_insert_with(|| TranspositionTable::new(self.megabytes));
        table.next_search();
        let choice =
            choose_root_move(request, depth, evaluator, &mut |search, child, side, best| {
                let alpha = best.unwrap_or(-INFINITY);
                let mut memory = MemorySearch { search, table, order, depth_limit_hits: 0 };
                Some(memory.value(child, side, depth - 1, alpha, INFINITY)).filter(|v| *v > alpha)
            })?;
        report_entries(request, table);
        Ok(choice)
    }
}

/// Reports the entries of the table that can be reached from the root, if the observer asks for
/// details.
fn report_entries<G: Game<Outcome = Duel>>(
    request: &MoveRequest<'_, G>,
    table: &TranspositionTable,
) {
    let Some(limit) = request.observer.details_limit() else { return };
    let g = request.game;
    let (memory, truncated) = reachable(g, request.state, limit, |s| {
        let entry = table.get(g.key(s))?;
        let mut moves = Vec::new();
        g.moves(s, &mut moves);
        let best = moves.get(usize::from(entry.best));
        Some(MemoryEntry {
            state: g.show_state(s),
            depth: entry.depth,
            exact: entry.complete,
            bound: match entry.bound {
                Bound::Exact => MemoryBound::Value,
                Bound::Lower => MemoryBound::AtLeast,
                Bound::Upper => MemoryBound::AtMost,
            },
            score: 100.0 * f64::from(entry.value) / f64::from(WIN),
            best: best.map(|&best| g.show_move(s, best)),
        })
    });
    let details = SearchDetails { memory, truncated, ..SearchDetails::default() };
    request.observer.report_details(&details);
}

impl<G: Game<Outcome = Duel>> NamedPlayer<G> for TranspositionPlayer<G> {
    const NAME: &'static str = "memory";
    const SPENDS: &'static [BudgetUnit] = &[BudgetUnit::Time, BudgetUnit::Nodes, BudgetUnit::Depth];
    const OVERRIDES: &'static [BudgetOverride] =
        &[BudgetOverride::replaces("depth", BudgetUnit::Depth)];
    const HELP: &'static str = "alphabeta with a transposition table (NegAlphaBeta_Memory, standard \
                                and heuristic)";
    const PARAMS: &'static [Param] =
        &[FixedDepthOptions::<G>::DEPTH, MoveOrder::PARAM, EVAL, Self::MEGABYTES, Self::SHEET];

    fn build(args: &Args, parts: &PlayerParts<G>) -> Result<Self, ParamError> {
        Ok(TranspositionPlayer::from_args(args, FixedDepthOptions::build(args, parts)?))
    }
}

#[doc(hidden)]
#[deprecated(since = "0.2.0", note = "renamed to `TranspositionPlayer`")]
pub type Memory<G> = TranspositionPlayer<G>;
