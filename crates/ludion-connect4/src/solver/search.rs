//! The null-window negamax search of the solver. It decides whether the side to move scores more
//! than `alpha`, so its value is a bound: at most `alpha`, or at least `alpha + 1`.
//!
//! Scores are those of [`Connect4Solver`](super::Connect4Solver): 1 is a win with the last stone, 0
//! a draw, negative a loss. A node is only searched if the side to move cannot win with its next
//! stone and has a move after which the opponent cannot either; the parent node tests both with
//! masks.

use super::busy::BusyNodes;
use super::parity;
use super::shape::{BoardShape, ShapeProvider};
use super::table::{ScoreBounds, SearchTables};

/// The value that a search returns instead of a score if a limit was reached.
pub(super) const STOPPED: i32 = i32::MAX;

/// A position with the sets of cells that its parent node has computed.
#[derive(Clone, Copy)]
pub(super) struct SearchNode {
    pub(super) mover: u64,
    pub(super) all: u64,
    /// The cells on which the side to move can play so that the opponent cannot win with its next
    /// stone.
    pub(super) moves: u64,
    /// The empty cells that complete four in a row for the side to move.
    pub(super) mine: u64,
    /// The empty cells that complete four in a row for the opponent.
    pub(super) theirs: u64,
    /// The number of stones on the board.
    pub(super) plies: i32,
    /// Whether this position and its mirror image have the same key in the transposition table.
    /// True as long as no stone faces an opponent's stone in the mirror; after that, no position
    /// below this node is the mirror image of another, and computing mirror images would only cost
    /// time.
    pub(super) mirrored: bool,
}

/// The state that all nodes of a search share.
pub(super) struct SearchContext<'a> {
    pub(super) tables: &'a mut SearchTables,
    /// The number of nodes that the solver has visited, over all calls.
    pub(super) nodes: u64,
    /// The node count at which the limits are checked next.
    pub(super) next_check: u64,
    /// A function that takes the current node count and returns the count at which to call it
    /// again, or `None` to stop the search.
    pub(super) check_limits: &'a mut dyn FnMut(u64) -> Option<u64>,
    /// The nodes that the threads of a search are searching; `None` on one thread.
    pub(super) busy: Option<&'a BusyNodes>,
}

impl SearchContext<'_> {
    /// Counts a node and returns whether the search must stop.
    #[inline(always)]
    fn count_node(&mut self) -> bool {
        self.nodes += 1;
        self.nodes >= self.next_check && self.check()
    }

    /// Checks the limits and returns whether the search must stop.
    #[cold]
    fn check(&mut self) -> bool {
        match (self.check_limits)(self.nodes) {
            Some(next) => self.next_check = next,
            None => self.next_check = 0,
        }
        self.next_check == 0
    }
}

/// Returns the cells on which the side to move can play so that the opponent cannot win with its
/// next stone. `all` are the occupied cells, and `theirs` the cells that complete four in a row for
/// the opponent.
#[inline(always)]
pub(super) fn safe_moves<const LANES: usize>(
    shape: &BoardShape<LANES>,
    all: u64,
    theirs: u64,
) -> u64 {
    let open = shape.open(all);
    let forced = open & theirs;
    let moves = if forced == 0 {
        open
    } else if is_single(forced) {
        forced
    } else {
        0
    };
    moves & !(theirs >> 1)
}

/// A CPU target that the search is compiled for. The search recurses through this trait, so that
/// all nodes run the same compiled version.
pub(super) trait CpuTarget {
    fn search<B: ShapeProvider<LANES>, const LANES: usize>(
        context: &mut SearchContext<'_>,
        board: B,
        node: SearchNode,
        alpha: i32,
    ) -> i32;
}

/// Compares the score of `node` with `alpha`: returns a lower bound above `alpha`, or an upper
/// bound of at most `alpha`, or [`STOPPED`].
#[inline(always)]
pub(super) fn search<L: CpuTarget, B: ShapeProvider<LANES>, const LANES: usize>(
    context: &mut SearchContext<'_>,
    board: B,
    node: SearchNode,
    alpha: i32,
) -> i32 {
    if context.count_node() {
        return STOPPED;
    }
    let shape = board.shape();
    let left = shape.cells - node.plies;
    if left <= 2 {
        return 0;
    }
    // Neither the side to move nor the opponent can win with the next stone.
    let lowest = -((left - 2) / 2);
    if lowest > alpha {
        return lowest;
    }
    let fastest = (left - 1) / 2;
    if fastest <= alpha {
        return fastest;
    }
    if is_single(node.moves) {
        return forced::<L, B, LANES>(context, board, node, alpha);
    }
    let key = key_of(shape, node.mover, node.all, node.mirrored);
    let found = context.tables.get(left, key);
    if found.lower > alpha {
        return found.lower;
    }
    if found.upper <= alpha {
        return found.upper;
    }
    let opponent = node.mover ^ node.all;
    let mirrored = node.mirrored && shape.mirror(node.mover) & opponent == 0;
    for_each_bit(node.moves, |stone| {
        context.tables.prefetch(left - 1, key_of(shape, opponent, node.all | stone, mirrored));
    });
    if let Some(bound) = parity::bound(shape, &node, alpha) {
        return bound;
    }
    let lanes = MoveLanes::new(shape, &node);
    if lanes.has_winning_move() {
        return fastest;
    }
    if fastest - 1 <= alpha {
        return fastest - 1;
    }
    let known = ScoreBounds { lower: lowest, upper: found.upper.min(fastest - 1) };
    let mut ranks = lanes.ranks(&node);
    let mut best = lowest;
    // Parity decides some moves without a search.
    if shape.rows % 2 == 0 {
        if node.plies % 2 == 1 {
            let bound = if alpha < 0 { 0 } else { alpha + 1 };
            if lanes.has_follow_up(shape, &node, bound) {
                return bound;
            }
        } else {
            let bound = alpha.min(0);
            if lanes.drop_followed_up(shape, &node, -bound, &mut ranks) {
                best = best.max(bound);
            }
        }
    }
    // Bounds of the children in the table may decide the node.
    for (lane, rank) in ranks.iter_mut().enumerate() {
        if lanes.moves[lane] == 0 || is_single(lanes.replies[lane]) {
            continue;
        }
        let all = node.all | lanes.moves[lane];
        let child = context.tables.get(left - 1, key_of(shape, opponent, all, mirrored));
        if -child.upper > alpha {
            context.tables.put(left, key, ScoreBounds { lower: -child.upper, ..known });
            return -child.upper;
        }
        if -child.lower <= alpha {
            best = best.max(-child.lower);
            *rank = NO_MOVE;
        }
    }
    let value = match context.busy {
        Some(busy) if left > SHARED_CELLS => {
            search_shared::<L, B, LANES>(context, board, busy, &node, &lanes, ranks, best, alpha)
        }
        _ => search_in_order::<L, B, LANES>(context, board, &mut ranks, best, alpha, |lane| {
            lanes.child(&node, lane, mirrored)
        }),
    };
    if value == STOPPED {
        return STOPPED;
    }
    let found = if value > alpha {
        ScoreBounds { lower: value, ..known }
    } else {
        ScoreBounds { upper: value.min(known.upper), ..known }
    };
    context.tables.put(left, key, found);
    value
}

/// Searches the moves of a node, the one with the lowest rank first. Returns the first value above
/// `alpha`, else the greatest of `best` and the values, or [`STOPPED`].
#[inline(always)]
fn search_in_order<L: CpuTarget, B: ShapeProvider<LANES>, const LANES: usize>(
    context: &mut SearchContext<'_>,
    board: B,
    ranks: &mut [u16; LANES],
    mut best: i32,
    alpha: i32,
    child: impl Fn(usize) -> SearchNode,
) -> i32 {
    while let Some(lane) = take_best(ranks) {
        let value = L::search::<B, LANES>(context, board, child(lane), -alpha - 1);
        if value == STOPPED {
            return STOPPED;
        }
        if -value > alpha {
            return -value;
        }
        best = best.max(-value);
    }
    best
}

/// The most empty cells of a node that a thread searches without a look at the other threads.
const SHARED_CELLS: i32 = 20;

/// Searches the moves of a node as [`search_in_order`], but leaves those for later that another
/// thread is searching: then their values are in the table (after Kerrigan, *Simplified ABDADA*,
/// 2017). The first move is not left, because it may decide the node.
#[inline(never)]
#[expect(clippy::too_many_arguments, reason = "it takes what a node has computed")]
fn search_shared<L: CpuTarget, B: ShapeProvider<LANES>, const LANES: usize>(
    context: &mut SearchContext<'_>,
    board: B,
    busy: &BusyNodes,
    node: &SearchNode,
    lanes: &MoveLanes<LANES>,
    mut ranks: [u16; LANES],
    mut best: i32,
    alpha: i32,
) -> i32 {
    let shape = board.shape();
    let mirrored = node.mirrored && shape.mirror(node.mover) & (node.mover ^ node.all) == 0;
    let mut left_for_later = [NO_MOVE; LANES];
    let mut may_wait = false;
    loop {
        let Some(lane) = take_best(&mut ranks) else {
            if left_for_later.iter().all(|&rank| rank == NO_MOVE) {
                return best;
            }
            ranks = std::mem::replace(&mut left_for_later, [NO_MOVE; LANES]);
            may_wait = false;
            continue;
        };
        let child = lanes.child(node, lane, mirrored);
        let key = key_of(shape, child.mover, child.all, mirrored);
        if may_wait && busy.contains(key) {
            left_for_later[lane] = lane as u16;
            continue;
        }
        busy.insert(key);
        let value = L::search::<B, LANES>(context, board, child, -alpha - 1);
        busy.remove(key);
        if value == STOPPED {
            return STOPPED;
        }
        if -value > alpha {
            return -value;
        }
        best = best.max(-value);
        may_wait = true;
    }
}

/// Searches a node with only one move. Such nodes are not stored in the transposition table.
#[inline(always)]
fn forced<L: CpuTarget, B: ShapeProvider<LANES>, const LANES: usize>(
    context: &mut SearchContext<'_>,
    board: B,
    node: SearchNode,
    alpha: i32,
) -> i32 {
    let shape = board.shape();
    let all = node.all | node.moves;
    let threats = shape.threats(node.mover | node.moves) & !all;
    let replies = safe_moves(shape, all, threats);
    if replies == 0 {
        return (shape.cells - node.plies - 1) / 2;
    }
    let opponent = node.mover ^ node.all;
    let child = SearchNode {
        mover: opponent,
        all,
        moves: replies,
        mine: node.theirs & !all,
        theirs: threats,
        plies: node.plies + 1,
        mirrored: node.mirrored && shape.mirror(node.mover) & opponent == 0,
    };
    match L::search::<B, LANES>(context, board, child, -alpha - 1) {
        STOPPED => STOPPED,
        value => -value,
    }
}

/// Returns whether `set` has at most one bit.
#[inline(always)]
fn is_single(set: u64) -> bool {
    set & set.wrapping_sub(1) == 0
}

/// Calls `f` with each bit of `set`, as a set of one bit.
#[inline(always)]
fn for_each_bit(mut set: u64, mut f: impl FnMut(u64)) {
    while set != 0 {
        f(set & set.wrapping_neg());
        set &= set - 1;
    }
}

/// The rank of a lane that has no move, or whose move was searched or needs no search.
const NO_MOVE: u16 = u16::MAX;

/// Returns the lane with the lowest rank, which is the most promising move, and marks it as
/// searched; `None` if no move is left.
#[inline(always)]
fn take_best<const LANES: usize>(ranks: &mut [u16; LANES]) -> Option<usize> {
    let mut least = NO_MOVE;
    for &rank in ranks.iter() {
        least = least.min(rank);
    }
    for rank in ranks.iter_mut() {
        *rank |= if *rank == least { NO_MOVE } else { 0 };
    }
    (least != NO_MOVE).then_some(usize::from(least) % LANES)
}

/// Returns the key of a position in the transposition table. If `mirrored`, the mirror image of the
/// position has the same key.
#[inline(always)]
fn key_of<const LANES: usize>(
    shape: &BoardShape<LANES>,
    mover: u64,
    all: u64,
    mirrored: bool,
) -> u64 {
    let key = shape.key(mover, all);
    if mirrored { key.min(shape.mirror(key)) } else { key }
}

/// All moves of a node, one lane per column, so that the compiler can use vector instructions.
/// Lanes without a move are computed too, but not used.
struct MoveLanes<const LANES: usize> {
    /// The cell on which the move of the lane puts a stone, as a set; 0 if there is no move.
    moves: [u64; LANES],
    /// The empty cells that would complete four in a row for the moving side after the lane's move.
    threats: [u64; LANES],
    /// The replies of the opponent to the lane's move after which the moving side cannot win with
    /// its next stone.
    replies: [u64; LANES],
}

impl<const LANES: usize> MoveLanes<LANES> {
    #[inline(always)]
    fn new(shape: &BoardShape<LANES>, node: &SearchNode) -> Self {
        let mut lanes = MoveLanes { moves: [0; LANES], threats: [0; LANES], replies: [0; LANES] };
        for lane in 0..LANES {
            let stone = node.moves & shape.columns[lane];
            let all = node.all | stone;
            let threats = shape.threats(node.mover | stone) & !all;
            lanes.moves[lane] = stone;
            lanes.threats[lane] = threats;
            lanes.replies[lane] = safe_moves(shape, all, threats);
        }
        lanes
    }

    /// Returns whether some move leaves the opponent no safe reply: with every reply, the side to
    /// move wins with the stone after this move.
    #[inline(always)]
    fn has_winning_move(&self) -> bool {
        let mut has_winning_move = false;
        for lane in 0..LANES {
            has_winning_move |= self.moves[lane] != 0 && self.replies[lane] == 0;
        }
        has_winning_move
    }

    /// Returns whether the second side, which is to move, has a move after which parity proves a
    /// score of at least `score`.
    #[inline(always)]
    fn has_follow_up(&self, shape: &BoardShape<LANES>, node: &SearchNode, score: i32) -> bool {
        let mut has_follow_up = false;
        if parity::can_prove(shape, score) {
            for stone in self.moves {
                let (second, all) = (node.mover | stone, node.all | stone);
                has_follow_up |= (stone != 0) & parity::follow_up_scores(shape, second, all, score);
            }
        }
        has_follow_up
    }

    /// Removes from `ranks` the moves of the first side after which parity proves a score of at
    /// least `score` for the second side, and returns whether there are any.
    #[inline(always)]
    fn drop_followed_up(
        &self,
        shape: &BoardShape<LANES>,
        node: &SearchNode,
        score: i32,
        ranks: &mut [u16; LANES],
    ) -> bool {
        let mut has_dropped = false;
        if parity::can_prove(shape, score) {
            let second = node.mover ^ node.all;
            for (&stone, rank) in self.moves.iter().zip(ranks) {
                let is_proven = parity::follow_up_scores(shape, second, node.all | stone, score);
                *rank |= if is_proven { NO_MOVE } else { 0 };
                has_dropped |= (stone != 0) & is_proven;
            }
        }
        has_dropped
    }

    /// Returns the child node after the move of `lane`.
    #[inline(always)]
    fn child(&self, node: &SearchNode, lane: usize, mirrored: bool) -> SearchNode {
        SearchNode {
            mover: node.mover ^ node.all,
            all: node.all | self.moves[lane],
            moves: self.replies[lane],
            mine: node.theirs & !self.moves[lane],
            theirs: self.threats[lane],
            plies: node.plies + 1,
            mirrored,
        }
    }

    /// Ranks the moves for move ordering, the most promising lowest; equal moves are ordered from
    /// the middle column outwards.
    ///
    /// In measurements a fixed order of columns beat the history heuristic, cell values and best
    /// moves from the table, because more transpositions occur. These bonuses save nodes: threats
    /// after the move, unless directly above one of the opponent's; a move two cells below an own
    /// threat; a move that leaves one reply. A move directly below an own threat wastes it and
    /// comes last.
    #[inline(always)]
    fn ranks(&self, node: &SearchNode) -> [u16; LANES] {
        let mut ranks = [NO_MOVE; LANES];
        for (lane, ranked) in ranks.iter_mut().enumerate() {
            let (stone, replies) = (self.moves[lane], self.replies[lane]);
            let useful = self.threats[lane] & !(node.theirs << 1);
            let promise = 4 * useful.count_ones() as u64
                + if stone & node.mine >> 2 != 0 { 2 } else { 0 }
                + if is_single(replies) { 1 } else { 0 };
            let waste = if stone & node.mine >> 1 != 0 { 8 } else { 0 };
            let rank = (512 + waste - promise) * LANES as u64 + lane as u64;
            *ranked = if stone == 0 { NO_MOVE } else { rank as u16 };
        }
        ranks
    }
}
