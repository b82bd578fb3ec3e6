//! Alpha-beta with a memory (French: *NegAlphaBeta_Memory*, standard and heuristic): a state
//! met again is not searched again, and in the order `best-first` the move remembered as the
//! best of a state is tried first there.
//!
//! The memory is sound: the side to move is part of the key, bounds are kept as bounds, and
//! an entry counts only if it looked exactly as far as is asked, or saw everything there is
//! in less. So the decision is the one of minimax at the same depth, whatever is remembered.
//! With `sheet` it is the course's variant instead, which is none of this: see
//! [`super::naive_memory`].

use crate::evaluator::{Evaluator, WIN, ZeroEvaluator};
use crate::game::{Game, Side};
use crate::named::{EVAL, NamedPlayer, PlayerParts};
use crate::outcome::Duel;
use crate::param::{Args, Param, ParamError};
use crate::player::{BudgetUnit, Choice, MoveRequest, Player, PlayerError};
use crate::players::naive_memory::NaiveMemory;
use crate::search::fixed_depth::{
    FixedDepthOptions, FixedDepthSearch, INFINITY, NodeVisit, choose_root_move,
};
use crate::search::transposition_table::{Bound, TableEntry, TranspositionTable};

/// In what order the moves of a state are tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MoveOrder {
    /// The game's own.
    Standard,
    /// The remembered best first.
    BestFirst,
}

impl MoveOrder {
    /// The parameter.
    pub const PARAM: Param = Param::choice(
        "order",
        &["standard", "best-first"],
        "which moves are tried first: the game's order (standard), or the remembered best \
         (the course's heuristic)",
    );

    /// By the parameter `order`.
    #[must_use]
    pub fn build(args: &Args) -> Self {
        if args.text("order") == "standard" { MoveOrder::Standard } else { MoveOrder::BestFirst }
    }
}

/// Looks `depth` plies ahead and remembers what it saw.
pub struct MemoryPlayer<G: Game> {
    sight: FixedDepthOptions<G>,
    order: MoveOrder,
    megabytes: usize,
    /// Made at the first move.
    table: Option<TranspositionTable>,
    sheet: Option<NaiveMemory<G>>,
}

impl<G: Game<Outcome = Duel>> MemoryPlayer<G> {
    pub(super) const MEGABYTES: Param =
        Param::int("mb", 16, 1, 65_536, "size of the memory in megabytes");
    pub(super) const SHEET: Param = Param::flag(
        "sheet",
        "the course's memory to the letter, which errs, instead of a sound one",
    );

    /// A player of this sight.
    #[must_use]
    pub fn new(sight: FixedDepthOptions<G>, order: MoveOrder, megabytes: usize) -> Self {
        MemoryPlayer { sight, order, megabytes, table: None, sheet: None }
    }

    /// A player of this sight that remembers as the course's sheet does.
    #[must_use]
    pub fn sheet(sight: FixedDepthOptions<G>, order: MoveOrder) -> Self {
        let sheet = Some(NaiveMemory::new(order));
        MemoryPlayer { sight, order, megabytes: 1, table: None, sheet }
    }

    pub(super) fn with_sight(args: &Args, sight: FixedDepthOptions<G>) -> Self {
        let order = MoveOrder::build(args);
        if args.flag("sheet") {
            MemoryPlayer::sheet(sight, order)
        } else {
            MemoryPlayer::new(sight, order, args.size("mb"))
        }
    }
}

/// A walk that remembers.
struct MemorySearch<'t, 'w, 'a, G: Game, E: ?Sized> {
    walk: &'w mut FixedDepthSearch<'a, G, E>,
    table: &'t TranspositionTable,
    order: MoveOrder,
    /// How often a line was broken off at the depth limit.
    horizons: u64,
}

impl<G: Game<Outcome = Duel>, E: Evaluator<G> + ?Sized> MemorySearch<'_, '_, '_, G, E> {
    /// The worth of `s` to `side` where it lies between `alpha` and `beta`, else a bound on
    /// the same side of the window.
    fn value(&mut self, s: &G::State, side: Side, depth: u32, alpha: i32, beta: i32) -> i32 {
        let turn = match self.walk.visit(s, side, depth) {
            NodeVisit::Leaf(value) => {
                self.horizons += u64::from(depth == 0 && value.abs() < WIN);
                return value;
            }
            NodeVisit::Inner(turn) => turn,
        };
        let sign = if turn == side { 1 } else { -1 };
        let (alpha, beta) = if turn == side { (alpha, beta) } else { (-beta, -alpha) };
        let key = self.walk.game.key(s);
        let known = self.table.get(key);
        if let Some(value) = known.and_then(|known| answer(known, depth, alpha, beta)) {
            self.horizons += u64::from(known.is_some_and(|known| !known.complete));
            return sign * value;
        }
        let first = match self.order {
            MoveOrder::Standard => None,
            MoveOrder::BestFirst => known.map(|known| known.best),
        };
        let horizons = self.horizons;
        let (value, best) = self.best_child(s, turn, depth, (alpha, beta), first);
        let bound = Bound::from_window(value, alpha, beta);
        let complete = self.horizons == horizons;
        if !self.walk.spent {
            self.table.put(key, TableEntry { value, bound, depth, best, complete });
        }
        sign * value
    }

    /// The best of the children to `turn`, which moves, with the place of its move.
    fn best_child(
        &mut self,
        s: &G::State,
        turn: Side,
        depth: u32,
        (mut alpha, beta): (i32, i32),
        first: Option<u16>,
    ) -> (i32, u16) {
        let listed = self.walk.enter(s);
        let first = first.map(usize::from).filter(|i| *i < listed.len());
        let others = (0..listed.len()).filter(|i| Some(*i) != first);
        let mut best = (-INFINITY, TableEntry::NO_MOVE);
        for i in first.into_iter().chain(others) {
            let child = self.walk.child(s, listed.start + i);
            let value = self.value(&child, turn, depth - 1, alpha, beta);
            if value > best.0 {
                best = (value, u16::try_from(i).unwrap_or(TableEntry::NO_MOVE));
            }
            alpha = alpha.max(value);
            if alpha >= beta {
                break;
            }
        }
        self.walk.leave(listed);
        best
    }
}

/// What a remembered entry answers to a search of `depth` in this window, if it does.
fn answer(known: TableEntry, depth: u32, alpha: i32, beta: i32) -> Option<i32> {
    let TableEntry { value, bound, .. } = known;
    // A win seen within fewer plies is one within more, too; so is a loss.
    let certain = match bound {
        Bound::Lower => value == WIN,
        Bound::Upper => value == -WIN,
        Bound::Exact => value.abs() == WIN,
    };
    let fits = known.depth == depth || known.depth < depth && (known.complete || certain);
    let settles = match bound {
        Bound::Exact => true,
        Bound::Lower => value >= beta,
        Bound::Upper => value <= alpha,
    };
    (fits && settles).then_some(value)
}

impl<G: Game<Outcome = Duel>> MemoryPlayer<G> {
    fn search<E: Evaluator<G> + ?Sized>(
        table: &TranspositionTable,
        order: MoveOrder,
        turn: &MoveRequest<'_, G>,
        depth: u32,
        judge: &E,
    ) -> Result<Choice<G::Move>, PlayerError> {
        table.next_search();
        choose_root_move(turn, depth, judge, |walk, child, side, best| {
            let alpha = best.unwrap_or(-INFINITY);
            let mut memory = MemorySearch { walk, table, order, horizons: 0 };
            Some(memory.value(child, side, depth - 1, alpha, INFINITY)).filter(|v| *v > alpha)
        })
    }
}

impl<G: Game<Outcome = Duel>> Player<G> for MemoryPlayer<G> {
    fn begin(&mut self, _seed: u64) {
        if let Some(table) = &self.table {
            table.forget();
        }
        if let Some(sheet) = &mut self.sheet {
            sheet.forget();
        }
    }

    fn choose(&mut self, turn: &MoveRequest<'_, G>) -> Result<Choice<G::Move>, PlayerError> {
        let depth = self.sight.depth_for(turn);
        if let Some(sheet) = &mut self.sheet {
            return match &self.sight.judge {
                None => sheet.decide(turn, depth, &ZeroEvaluator),
                Some(e) => sheet.decide(turn, depth, &**e),
            };
        }
        let table = self.table.get_or_insert_with(|| TranspositionTable::new(self.megabytes));
        match &self.sight.judge {
            None => Self::search(table, self.order, turn, depth, &ZeroEvaluator),
            Some(e) => Self::search(table, self.order, turn, depth, &**e),
        }
    }
}

impl<G: Game<Outcome = Duel>> NamedPlayer<G> for MemoryPlayer<G> {
    const NAME: &'static str = "memory";
    const SPENDS: &'static [BudgetUnit] = &[BudgetUnit::Time, BudgetUnit::Nodes, BudgetUnit::Depth];
    const HELP: &'static str = "alphabeta that remembers positions (NegAlphaBeta_Memory, standard \
                                and heuristic)";
    const PARAMS: &'static [Param] =
        &[FixedDepthOptions::<G>::DEPTH, MoveOrder::PARAM, EVAL, Self::MEGABYTES, Self::SHEET];

    fn build(args: &Args, parts: &PlayerParts<G>) -> Result<Self, ParamError> {
        Ok(MemoryPlayer::with_sight(args, FixedDepthOptions::build(args, parts)?))
    }
}
