//! The search proper: does the mover reach more than `alpha`? A null-window negamax, so
//! its answer is a bound: at most `alpha`, or at least `alpha + 1`.
//!
//! Scores count the stones the winner has left, plus one: 1 is a win with one's last
//! stone, 0 a draw, negative a loss. A node is only entered when the mover cannot win
//! at once and has a move after which the opponent cannot either; both are seen from
//! its parent by masks. Nothing here knows of budgets beyond [`SearchContext::spent`].

use super::parity;
use super::shape::{BoardShape, ShapeSource};
use super::table::{BoundsTable, ScoreBounds};

/// Answered instead of a score when the work was stopped.
pub(super) const STOPPED: i32 = i32::MAX;

/// A position with what its parent already knows of it.
#[derive(Clone, Copy)]
pub(super) struct SearchNode {
    pub(super) mover: u64,
    pub(super) all: u64,
    /// Moves after which the opponent cannot win at once.
    pub(super) moves: u64,
    /// Empty cells that make four for the mover, for the opponent.
    pub(super) mine: u64,
    pub(super) theirs: u64,
    /// Stones on the board.
    pub(super) plies: i32,
    /// Whether this position and its mirror image are looked up as one.
    pub(super) mirrored: bool,
}

/// What a search works with.
pub(super) struct SearchContext<'a> {
    pub(super) table: &'a mut BoundsTable,
    pub(super) nodes: u64,
    /// The node count at which to ask again whether to stop.
    pub(super) ask_at: u64,
    /// Whether to stop; else `ask_at` is set anew.
    pub(super) spent: &'a mut dyn FnMut(u64) -> Option<u64>,
}

impl SearchContext<'_> {
    #[inline(always)]
    fn stopped(&mut self) -> bool {
        self.nodes += 1;
        self.nodes >= self.ask_at && self.ask()
    }

    #[cold]
    fn ask(&mut self) -> bool {
        match (self.spent)(self.nodes) {
            Some(next) => self.ask_at = next,
            None => self.ask_at = 0,
        }
        self.ask_at == 0
    }
}

/// The moves of the mover of `all` that neither leave nor open a cell of `theirs` to
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

/// One way of compiling the search; it calls itself through this.
pub(super) trait InstructionLevel {
    fn search<B: ShapeSource<LANES>, const LANES: usize>(
        work: &mut SearchContext<'_>,
        board: B,
        node: SearchNode,
        alpha: i32,
    ) -> i32;
}

/// Whether the score of `node` is above `alpha`: a bound on the far side of it.
#[inline(always)]
pub(super) fn search<L: InstructionLevel, B: ShapeSource<LANES>, const LANES: usize>(
    work: &mut SearchContext<'_>,
    board: B,
    node: SearchNode,
    alpha: i32,
) -> i32 {
    if work.stopped() {
        return STOPPED;
    }
    let shape = board.shape();
    let left = shape.cells - node.plies;
    if left <= 2 {
        return 0;
    }
    // The opponent cannot win with the next stone, nor the mover with this one.
    let lowest = -((left - 2) / 2);
    if lowest > alpha {
        return lowest;
    }
    let fastest = (left - 1) / 2;
    if fastest <= alpha {
        return fastest;
    }
    if is_single(node.moves) {
        return forced::<L, B, LANES>(work, board, node, alpha);
    }
    let key = key_of(shape, node.mover, node.all, node.mirrored);
    let found = work.table.get(key);
    if found.lower > alpha {
        return found.lower;
    }
    if found.upper <= alpha {
        return found.upper;
    }
    let opponent = node.mover ^ node.all;
    let mirrored = node.mirrored && shape.mirror(node.mover) & opponent == 0;
    each(node.moves, |stone| {
        work.table.prefetch(key_of(shape, opponent, node.all | stone, mirrored));
    });
    if let Some(bound) = parity::bound(shape, &node, alpha) {
        return bound;
    }
    let fan = MoveFan::new(shape, &node);
    if fan.wins() {
        return fastest;
    }
    if fastest - 1 <= alpha {
        return fastest - 1;
    }
    let known = ScoreBounds { lower: lowest, upper: found.upper.min(fastest - 1) };
    let mut ranks = fan.ranks(&node);
    let mut best = lowest;
    // Parity settles a move without entering it.
    if shape.rows % 2 == 0 {
        if node.plies % 2 == 1 && alpha < 0 && fan.holds(shape, &node) {
            return 0;
        }
        if node.plies % 2 == 0 && alpha >= 0 {
            fan.drop_held(shape, &node, &mut ranks);
            best = best.max(0);
        }
    }
    // What is known of the children already may settle it.
    for (lane, rank) in ranks.iter_mut().enumerate() {
        if fan.moves[lane] == 0 || is_single(fan.replies[lane]) {
            continue;
        }
        let all = node.all | fan.moves[lane];
        let child = work.table.get(key_of(shape, opponent, all, mirrored));
        if -child.upper > alpha {
            work.table.put(key, ScoreBounds { lower: -child.upper, ..known });
            return -child.upper;
        }
        if -child.lower <= alpha {
            best = best.max(-child.lower);
            *rank = NO_MOVE;
        }
    }
    while let Some(lane) = take_best(&mut ranks) {
        let child = fan.child(&node, lane, mirrored);
        let value = L::search::<B, LANES>(work, board, child, -alpha - 1);
        if value == STOPPED {
            return STOPPED;
        }
        if -value > alpha {
            work.table.put(key, ScoreBounds { lower: -value, ..known });
            return -value;
        }
        best = best.max(-value);
    }
    work.table.put(key, ScoreBounds { upper: best.min(known.upper), ..known });
    best
}

/// [`search`] where there is only one move: not worth a place in the table.
#[inline(always)]
fn forced<L: InstructionLevel, B: ShapeSource<LANES>, const LANES: usize>(
    work: &mut SearchContext<'_>,
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
    match L::search::<B, LANES>(work, board, child, -alpha - 1) {
        STOPPED => STOPPED,
        value => -value,
    }
}

/// Whether `set` holds one bit, or none.
#[inline(always)]
fn is_single(set: u64) -> bool {
    set & set.wrapping_sub(1) == 0
}

/// Calls `f` with every single bit of `set`.
#[inline(always)]
fn each(mut set: u64, mut f: impl FnMut(u64)) {
    while set != 0 {
        f(set & set.wrapping_neg());
        set &= set - 1;
    }
}

/// The rank of a lane that has no move, or has it no more.
const NO_MOVE: u16 = u16::MAX;

/// Takes the lane of the lowest rank.
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

/// All moves of a node at once, one lane a column, so that the compiler can work on
/// several lanes with one instruction. Lanes without a move are computed too, and unused.
struct MoveFan<const LANES: usize> {
    /// The stone played.
    moves: [u64; LANES],
    /// The empty cells that make four for the mover then.
    threats: [u64; LANES],
    /// What the opponent can do then without losing at once.
    replies: [u64; LANES],
}

impl<const LANES: usize> MoveFan<LANES> {
    #[inline(always)]
    fn new(shape: &BoardShape<LANES>, node: &SearchNode) -> Self {
        let mut fan = MoveFan { moves: [0; LANES], threats: [0; LANES], replies: [0; LANES] };
        for lane in 0..LANES {
            let stone = node.moves & shape.columns[lane];
            let all = node.all | stone;
            let threats = shape.threats(node.mover | stone) & !all;
            fan.moves[lane] = stone;
            fan.threats[lane] = threats;
            fan.replies[lane] = safe_moves(shape, all, threats);
        }
        fan
    }

    /// Whether a move leaves no reply: then the mover wins with the next stone.
    #[inline(always)]
    fn wins(&self) -> bool {
        let mut wins = false;
        for lane in 0..LANES {
            wins |= self.moves[lane] != 0 && self.replies[lane] == 0;
        }
        wins
    }

    /// Whether a move of the second side is enough, by parity, not to lose.
    #[inline(always)]
    fn holds(&self, shape: &BoardShape<LANES>, node: &SearchNode) -> bool {
        let mut holds = false;
        for lane in 0..LANES {
            let (stone, first) = (self.moves[lane], node.mover ^ node.all);
            holds |= (stone != 0) & parity::follower_holds(shape, first, node.all | stone);
        }
        holds
    }

    /// Drops the moves of the first side after which it cannot win, by parity.
    #[inline(always)]
    fn drop_held(&self, shape: &BoardShape<LANES>, node: &SearchNode, ranks: &mut [u16; LANES]) {
        for (&stone, rank) in self.moves.iter().zip(ranks) {
            if parity::follower_holds(shape, node.mover | stone, node.all | stone) {
                *rank = NO_MOVE;
            }
        }
    }

    /// The position after the move of `lane`.
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

    /// A rank for every lane that has a move, the most promising move lowest, and among
    /// equals the one nearest to the middle.
    ///
    /// Measured: a fixed order of columns beats history, cell values and remembered
    /// best moves, as the same positions are met again more often. What pays: threats,
    /// unless above one of the opponent's; moves towards an own threat, not right
    /// below it, which wastes it; moves that leave one reply.
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
