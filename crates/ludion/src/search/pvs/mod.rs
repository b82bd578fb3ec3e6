//! Principal-variation search over a shared table: the kernel of iterative deepening.
//!
//! Alpha-beta in which only the first move of a state gets the whole window and the others
//! must show in a window of width one that they are better (Marsland & Campbell, 1982; also
//! known as `NegaScout`). The table's best move comes first, then moves by history (what cut
//! off anywhere) with a bonus for killers (what cut off a sister state): the bonus is small,
//! since killers first of all was measured to visit up to three times the states.
//!
//! A won game counts [`MATE`] minus its plies from the root, so that the quickest win and the
//! slowest loss are best. An entry of the table counts only if a search of the asked depth
//! would have found the same; so the value at depth d is that of minimax at depth d, whatever
//! the table holds and whoever else writes to it.

mod values;
mod variation;

pub use values::{INFINITY, MATE, is_certain, plies_to_end};

use crate::evaluator::Evaluator;
use crate::game::{Game, Side, Status};
use crate::outcome::Duel;

use super::transposition_table::{Bound, TableEntry, TranspositionTable};
use values::{holds_at_any_depth, to_table, usable_value};

/// No search is deeper, so that the stack holds it and a certain value stays one.
pub const MAX_DEPTH: u32 = 1000;

/// States nearer to the depth limit are searched again rather than looked up.
const MIN_TABLE_DEPTH: u32 = 3;
/// States between two looks at how full the table is.
const GROWTH_INTERVAL: u64 = 16_384;
/// How many slots of moves have a history of their own.
const HISTORY_SLOTS: usize = 1024;
/// What being the last killer adds to a move's history, of at most ±2¹⁴; half for the one
/// before.
const KILLER_BONUS: i32 = 256;

/// Whether the search should go on; asked now and then.
pub trait StopCheck {
    /// Told the states visited so far; says after how many more to ask again, or `None` to
    /// stop the search.
    fn beat(&mut self, nodes: u64) -> Option<u64>;
}

/// A state in which the game goes on, as the search meets it.
struct PvsNode<'s, S> {
    state: &'s S,
    /// The side to move; values are seen by it.
    turn: Side,
    /// Plies to the depth limit, at least 1.
    depth: u32,
    /// Plies from the root.
    ply: u32,
}

// Derived, these would ask for states that are `Copy`.
impl<S> Clone for PvsNode<'_, S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S> Copy for PvsNode<'_, S> {}

impl<S> PvsNode<'_, S> {
    /// The worth of winning with the next move.
    #[inline]
    fn win_at_once(&self) -> i32 {
        MATE - self.ply as i32 - 1
    }
}

/// A move of a state with what orders it.
#[derive(Clone, Copy)]
struct RankedMove<M> {
    play: M,
    place: u16,
    order: i32,
}

/// One thread's search.
pub struct PvsSearch<'a, G: Game, E: ?Sized, P> {
    game: &'a G,
    judge: &'a E,
    table: &'a TranspositionTable,
    /// Whoever is asked whether to go on.
    pub pulse: P,
    /// States visited.
    pub nodes: u64,
    next_beat: u64,
    next_growth: u64,
    /// Whether the search was stopped; its values then mean nothing.
    pub stopped: bool,
    /// How often a line was broken off at the depth limit, or the table answered for one.
    pub horizons: u64,
    scratch: Vec<G::Move>,
    ranked: Vec<RankedMove<G::Move>>,
    killers: Vec<[Option<G::Move>; 2]>,
    history: Box<[[i32; HISTORY_SLOTS]; 2]>,
}

impl<'a, G: Game<Outcome = Duel>, E: Evaluator<G> + ?Sized, P: StopCheck> PvsSearch<'a, G, E, P> {
    /// A search that has not begun.
    pub fn new(game: &'a G, judge: &'a E, table: &'a TranspositionTable, pulse: P) -> Self {
        PvsSearch {
            game,
            judge,
            table,
            pulse,
            nodes: 0,
            next_beat: 1,
            next_growth: GROWTH_INTERVAL,
            stopped: false,
            horizons: 0,
            scratch: Vec::new(),
            ranked: Vec::new(),
            killers: Vec::new(),
            history: Box::new([[0; HISTORY_SLOTS]; 2]),
        }
    }

    /// The worth of `s` to `side`, `ply` plies below the root, where it lies between `alpha`
    /// and `beta`, else a bound on the same side of the window.
    #[inline]
    pub fn value(
        &mut self,
        s: &G::State,
        side: Side,
        depth: u32,
        (alpha, beta): (i32, i32),
        ply: u32,
    ) -> i32 {
        let turn = match self.game.status(s) {
            Status::Turn(turn) if depth > 0 => turn,
            status => return self.leaf(s, status, side, ply),
        };
        let node = PvsNode { state: s, turn, depth, ply };
        if turn == side {
            self.running(node, alpha, beta)
        } else {
            -self.running(node, -beta, -alpha)
        }
    }

    /// The worth to `side` of a state where the game or the sight ends.
    #[inline]
    fn leaf(&mut self, s: &G::State, status: Status<Duel>, side: Side, ply: u32) -> i32 {
        self.nodes += 1;
        match status {
            Status::Over(end) => end.seen_by(side).sign() * (MATE - ply as i32),
            Status::Turn(turn) => {
                self.horizons += 1;
                let value = self.judge.value(self.game, s);
                if turn == side { value } else { -value }
            }
        }
    }

    /// The worth of a running state in the window.
    fn running(&mut self, node: PvsNode<'_, G::State>, alpha: i32, beta: i32) -> i32 {
        self.nodes += 1;
        if self.nodes >= self.next_beat {
            self.beat();
        }
        // Nothing can be better than to win with the next move.
        let beta = beta.min(node.win_at_once());
        if alpha >= beta || self.stopped {
            return beta;
        }
        let horizons = self.horizons;
        let value = if self.game.last_mover_wins() {
            self.without_last_ply(node, alpha, beta)
        } else {
            self.looked_up(node, alpha, beta)
        };
        if holds_at_any_depth(value, Bound::from_window(value, alpha, beta)) {
            self.horizons = horizons;
        }
        value
    }

    /// Asks whether to go on, and lets the table grow at fixed numbers of states, whenever
    /// the clock looks: so that a search on one thread repeats itself.
    #[cold]
    fn beat(&mut self) {
        if self.nodes >= self.next_growth {
            self.table.grow();
            self.next_growth = self.nodes + GROWTH_INTERVAL;
        }
        match self.pulse.beat(self.nodes) {
            Some(more) => self.next_beat = self.next_growth.min(self.nodes + more),
            None => self.stopped = true,
        }
    }

    /// Where nobody loses by his own move, the last ply matters to a win only if it is one's
    /// own. So when the window asks for nothing but a win, or nothing but a loss, the last
    /// ply is left out if it belongs to the other.
    #[inline]
    fn without_last_ply(&mut self, node: PvsNode<'_, G::State>, alpha: i32, beta: i32) -> i32 {
        let most = self.judge.max_abs_value();
        let (only_win, only_loss) = (alpha >= most, beta <= -most);
        let spare = if node.depth.is_multiple_of(2) { only_win } else { only_loss };
        if spare && node.depth == 1 {
            self.horizons += 1;
            return -most;
        }
        let depth = node.depth - u32::from(spare);
        let value = self.looked_up(PvsNode { depth, ..node }, alpha, beta);
        if !spare || is_certain(value) {
            value
        } else if only_win {
            // With the last ply, an opinion might have come out as high as this.
            value.max(most)
        } else {
            value.min(-most)
        }
    }

    /// The worth of a running state, from the table if it knows, else by a search.
    #[inline]
    fn looked_up(&mut self, node: PvsNode<'_, G::State>, alpha: i32, beta: i32) -> i32 {
        if node.depth == 1 {
            return self.frontier(node, alpha, beta);
        }
        if node.depth < MIN_TABLE_DEPTH {
            return self.searched(node, alpha, beta, TableEntry::NO_MOVE).0;
        }
        let key = self.game.key(node.state);
        let known = self.table.get(key);
        if let Some(known) = known
            && let Some(value) = usable_value(known, node.depth, alpha, beta, node.ply)
        {
            self.horizons +=
                u64::from(!known.complete && !holds_at_any_depth(known.value, known.bound));
            return value;
        }
        let horizons = self.horizons;
        let first = known.map_or(TableEntry::NO_MOVE, |known| known.best);
        let (value, best) = self.searched(node, alpha, beta, first);
        if !self.stopped {
            let bound = Bound::from_window(value, alpha, beta);
            let complete = self.horizons == horizons;
            let value = to_table(value, node.ply);
            self.table.put(key, TableEntry { value, bound, depth: node.depth, best, complete });
        }
        value
    }

    /// The worth of a state one ply above the depth limit.
    #[inline]
    fn frontier(&mut self, node: PvsNode<'_, G::State>, alpha: i32, beta: i32) -> i32 {
        match self.game.wins_at_once(node.state) {
            Some(true) => return node.win_at_once(),
            Some(false) if alpha >= self.judge.max_abs_value() => {
                self.horizons += 1;
                return self.judge.max_abs_value();
            }
            _ => {}
        }
        let base = self.scratch.len();
        self.game.moves(node.state, &mut self.scratch);
        let mut best = -INFINITY;
        for i in base..self.scratch.len() {
            let child = self.game.after(node.state, self.scratch[i]);
            let status = self.game.status(&child);
            best = best.max(self.leaf(&child, status, node.turn, node.ply + 1));
            if best >= beta {
                break;
            }
        }
        self.scratch.truncate(base);
        best
    }

    /// Searches the moves of a state; the best value and the place of its move.
    #[inline]
    fn searched(
        &mut self,
        node: PvsNode<'_, G::State>,
        alpha: i32,
        beta: i32,
        first: u16,
    ) -> (i32, u16) {
        let base = self.ranked.len();
        let plain = self.rank(node, first);
        let found = match plain {
            Some(value) => (value, TableEntry::NO_MOVE),
            None => self.best_move(node, (alpha, beta), base),
        };
        self.ranked.truncate(base);
        found
    }

    /// Lists the moves worth searching with their order; or says what the state is worth, if
    /// that is plain already.
    #[inline]
    fn rank(&mut self, node: PvsNode<'_, G::State>, first: u16) -> Option<i32> {
        let seen = self.game.wins_at_once(node.state);
        if seen == Some(true) {
            return Some(node.win_at_once());
        }
        let base = self.scratch.len();
        if !(seen == Some(false) && self.game.safe_moves(node.state, &mut self.scratch)) {
            self.game.moves(node.state, &mut self.scratch);
            if seen.is_none() && (base..self.scratch.len()).any(|i| self.wins(node, i)) {
                self.scratch.truncate(base);
                return Some(node.win_at_once());
            }
        }
        let ply = node.ply as usize;
        if self.killers.len() <= ply {
            self.killers.resize(ply + 1, [None; 2]);
        }
        let killers = self.killers[ply];
        for i in base..self.scratch.len() {
            let play = self.scratch[i];
            let place = u16::try_from(i - base).unwrap_or(TableEntry::NO_MOVE);
            let order = if place == first {
                i32::MAX
            } else {
                self.history[node.turn.index()][self.game.slot(play) % HISTORY_SLOTS]
                    + if killers[0] == Some(play) { KILLER_BONUS } else { 0 }
                    + if killers[1] == Some(play) { KILLER_BONUS / 2 } else { 0 }
            };
            self.ranked.push(RankedMove { play, place, order });
        }
        let none = self.scratch.len() == base;
        self.scratch.truncate(base);
        // Without a safe move, the opponent wins with the next.
        none.then_some(1 - node.win_at_once())
    }

    /// Whether the move listed at `i` wins at once.
    #[inline]
    fn wins(&self, node: PvsNode<'_, G::State>, i: usize) -> bool {
        let child = self.game.after(node.state, self.scratch[i]);
        self.game.status(&child) == Status::Over(Duel::Won(node.turn))
    }

    /// Searches the moves ranked from `base` on; the best value and the place of its move.
    fn best_move(
        &mut self,
        node: PvsNode<'_, G::State>,
        (mut alpha, beta): (i32, i32),
        base: usize,
    ) -> (i32, u16) {
        let (mut best, mut best_place) = (-INFINITY, TableEntry::NO_MOVE);
        for i in base..self.ranked.len() {
            self.bring_next(i);
            let RankedMove { play, place, .. } = self.ranked[i];
            let child = self.game.after(node.state, play);
            if node.depth > MIN_TABLE_DEPTH {
                self.table.prefetch(self.game.key(&child));
            }
            let value = self.scout(&child, node, (alpha, beta), i == base);
            if self.stopped {
                break;
            }
            if value > best {
                (best, best_place) = (value, place);
            }
            alpha = alpha.max(value);
            if alpha >= beta {
                self.reward(node, base, i);
                break;
            }
        }
        (best, best_place)
    }

    /// A child in the whole window if it is the first, else in a window of width one, and in
    /// the whole one only if it proves better there.
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

    /// Puts the best ranked of the moves from `i` on in place `i`.
    #[inline]
    fn bring_next(&mut self, i: usize) {
        let mut next = i;
        for j in i + 1..self.ranked.len() {
            if self.ranked[j].order > self.ranked[next].order {
                next = j;
            }
        }
        self.ranked.swap(i, next);
    }

    /// Remembers that the move ranked at `cut` cut off its state, and that those before, from
    /// `base` on, did not.
    #[inline]
    fn reward(&mut self, node: PvsNode<'_, G::State>, base: usize, cut: usize) {
        let play = self.ranked[cut].play;
        let killers = &mut self.killers[node.ply as usize];
        if killers[0] != Some(play) {
            *killers = [Some(play), killers[0]];
        }
        let history = &mut self.history[node.turn.index()];
        let bonus = (node.depth * node.depth).min(1 << 10) as i32;
        let mut nudge = |m: G::Move, by: i32| {
            let entry = &mut history[self.game.slot(m) % HISTORY_SLOTS];
            // Pulled towards ±2¹⁴, so that old merits fade.
            *entry += by - *entry * by.abs() / (1 << 14);
        };
        nudge(play, bonus);
        for earlier in &self.ranked[base..cut] {
            nudge(earlier.play, -bonus);
        }
    }
}
