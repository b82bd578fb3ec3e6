//! What the searches of a fixed depth share: how far they look, the walk with its counter
//! of calls, and the decision at the root.
//!
//! A finished game is worth ±[`WIN`] or 0, an unfinished one at the depth limit what an
//! evaluator says (0 for the blind one). The value of a state is always seen by a side that
//! the caller names, so that games in which a side moves twice in a row are searched right.
//! Ties go to the first move of the game's own order. The recursions themselves live with
//! their players.
//!
//! A budget in time or nodes, or a watcher that says stop, ends a walk early: what was looked
//! at by then is answered from, and the move under way counts for nothing.

use std::ops::Range;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::evaluator::{Evaluator, WIN};
use crate::game::{Game, Side, Status};
use crate::named::{EVAL, PlayerParts};
use crate::outcome::{Duel, Wdl};
use crate::param::{Args, Param, ParamError};
use crate::player::{Choice, MoveRequest, Observer, PlayerError, Proof, RootLine};

/// Greater than the worth of any state.
pub const INFINITY: i32 = WIN + 1;

/// How far a search looks, and who judges what lies beyond; nobody: it is worth 0.
pub struct SearchHorizon<G: Game> {
    /// Plies looked ahead, at least 1.
    pub depth: u32,
    /// The judge of unfinished games.
    pub judge: Option<Arc<dyn Evaluator<G>>>,
}

impl<G: Game> SearchHorizon<G> {
    /// Plies looked ahead.
    pub const DEPTH: Param = Param::int("depth", 4, 1, 100, "plies looked ahead");
    /// The parameters of a player that has nothing but its sight.
    pub const PARAMS: &'static [Param] = &[Self::DEPTH, EVAL];

    /// Looks `depth` plies ahead, at least one, and judges nothing.
    #[must_use]
    pub fn blind(depth: u32) -> Self {
        SearchHorizon { depth: depth.max(1), judge: None }
    }

    /// By the parameters `depth` and `eval`.
    ///
    /// # Errors
    /// When the game has no evaluator of that name.
    pub fn build(args: &Args, parts: &PlayerParts<G>) -> Result<Self, ParamError> {
        Ok(SearchHorizon { depth: args.size("depth") as u32, judge: parts.evaluator(args)? })
    }

    /// How deep to look for one move: the budget's word goes first.
    #[must_use]
    pub fn depth_for(&self, turn: &MoveRequest<'_, G>) -> u32 {
        turn.budget.depth.unwrap_or(self.depth).max(1)
    }
}

/// A walk down the tree of a game.
pub struct FixedDepthSearch<'a, G: Game, E: ?Sized> {
    /// The rules.
    pub game: &'a G,
    judge: &'a E,
    /// The moves of every state on the way down, each state's behind its parent's.
    moves: Vec<G::Move>,
    /// Recursive calls so far, the root not counted.
    pub calls: u64,
    /// Whether the budget is spent: every value from then on means nothing.
    pub spent: bool,
    alarm: Option<EarlyStop<'a, G::Move>>,
    /// The call at which the alarm is asked next.
    next_look: u64,
}

/// What ends a walk before its depth.
struct EarlyStop<'a, M> {
    began: Instant,
    time: Option<Duration>,
    nodes: u64,
    observer: &'a dyn Observer<M>,
    looked: Instant,
    /// Calls to the next look: fewer where a call takes long.
    stride: u64,
}

/// Calls between two looks at the clock, at most.
const LOOK: u64 = 1024;

/// What a walk meets.
pub enum NodeVisit {
    /// The game or the sight ends here; the worth.
    Leaf(i32),
    /// The game goes on and this side moves.
    Inner(Side),
}

impl<'a, G: Game<Outcome = Duel>, E: Evaluator<G> + ?Sized> FixedDepthSearch<'a, G, E> {
    /// A walk that has not begun.
    pub fn new(game: &'a G, judge: &'a E) -> Self {
        let (moves, next_look) = (Vec::new(), u64::MAX);
        FixedDepthSearch { game, judge, moves, calls: 0, spent: false, alarm: None, next_look }
    }

    /// A walk that ends when the budget of `turn` does.
    fn within(turn: &MoveRequest<'a, G>, judge: &'a E) -> Self {
        let nodes = turn.budget.nodes.unwrap_or(u64::MAX);
        let (began, time, observer) = (Instant::now(), turn.budget.time, turn.observer);
        let alarm = Some(EarlyStop { began, time, nodes, observer, looked: began, stride: 1 });
        FixedDepthSearch { alarm, next_look: 1, ..FixedDepthSearch::new(turn.game, judge) }
    }

    #[cold]
    fn look(&mut self) {
        if let Some(alarm) = &mut self.alarm {
            let now = Instant::now();
            self.spent |= self.calls > alarm.nodes
                || alarm.time.is_some_and(|time| now - alarm.began >= time)
                || alarm.observer.stop();
            let took = now - alarm.looked;
            alarm.looked = now;
            if took > Duration::from_millis(2) {
                alarm.stride = (alarm.stride / 2).max(1);
            } else if took < Duration::from_micros(500) {
                alarm.stride = (2 * alarm.stride).min(LOOK);
            }
            self.next_look =
                (self.calls + alarm.stride).min(alarm.nodes.saturating_add(1).max(self.calls + 1));
        }
    }

    /// Counts a call, and says what `s` is worth to `side` if the walk ends here.
    #[inline]
    pub fn visit(&mut self, s: &G::State, side: Side, depth: u32) -> NodeVisit {
        self.calls += 1;
        if self.calls >= self.next_look {
            self.look();
        }
        if self.spent {
            return NodeVisit::Leaf(0);
        }
        match self.game.status(s) {
            Status::Over(end) => NodeVisit::Leaf(end.seen_by(side).sign() * WIN),
            Status::Turn(turn) if depth == 0 => {
                let value = self.judge.value(self.game, s);
                NodeVisit::Leaf(if turn == side { value } else { -value })
            }
            Status::Turn(turn) => NodeVisit::Inner(turn),
        }
    }

    /// Lists the moves of `s`; they stay until [`FixedDepthSearch::leave`].
    #[inline]
    pub fn enter(&mut self, s: &G::State) -> Range<usize> {
        let base = self.moves.len();
        self.game.moves(s, &mut self.moves);
        base..self.moves.len()
    }

    /// One of the moves listed.
    #[inline]
    pub fn listed(&self, i: usize) -> G::Move {
        self.moves[i]
    }

    /// The state after one of the moves listed.
    #[inline]
    pub fn child(&self, s: &G::State, i: usize) -> G::State {
        self.game.after(s, self.moves[i])
    }

    /// Forgets the moves that [`FixedDepthSearch::enter`] listed.
    #[inline]
    pub fn leave(&mut self, listed: Range<usize>) {
        self.moves.truncate(listed.start);
    }
}

/// The decision at the root: asks `value` for the worth of every child to the side that
/// moves, and chooses the first of the best. `value` is told the best so far and may answer
/// `None` when a child is no better.
///
/// # Errors
/// When the game is over.
pub fn decide<G: Game<Outcome = Duel>, E: Evaluator<G> + ?Sized>(
    turn: &MoveRequest<'_, G>,
    depth: u32,
    judge: &E,
    mut value: impl FnMut(&mut FixedDepthSearch<'_, G, E>, &G::State, Side, Option<i32>) -> Option<i32>,
) -> Result<Choice<G::Move>, PlayerError> {
    let began = Instant::now();
    let Status::Turn(root) = turn.game.status(turn.state) else {
        return Err(PlayerError::Over);
    };
    let mut walk = FixedDepthSearch::within(turn, judge);
    let listed = walk.enter(turn.state);
    let first = walk.listed(listed.start);
    let mut lines = Vec::with_capacity(listed.len());
    let mut best: Option<(i32, G::Move)> = None;
    let mut reported = Duration::ZERO;
    let choice = |lines: Vec<RootLine<G::Move>>, best: Option<(i32, G::Move)>, nodes| {
        let (best, time) = (best.map_or(first, |(_, best)| best), began.elapsed());
        Choice { lines, nodes, depth, time, ..Choice::bare(best) }
    };
    for i in listed {
        let m = walk.listed(i);
        let child = walk.child(turn.state, i);
        let found = value(&mut walk, &child, root, best.map(|(value, _)| value));
        if walk.spent {
            break;
        }
        if let Some(v) = found.filter(|v| best.is_none_or(|(value, _)| *v > value)) {
            best = Some((v, m));
        }
        lines.push(line(m, found));
        let elapsed = began.elapsed();
        if turn.observer.interval().is_some_and(|gap| elapsed - reported >= gap) {
            reported = elapsed;
            turn.observer.report(&choice(lines.clone(), best, walk.calls));
        }
    }
    Ok(choice(lines, best, walk.calls))
}

/// The line of a move of this worth, if it is known.
pub fn line<M: Copy>(m: M, value: Option<i32>) -> RootLine<M> {
    RootLine {
        value: value.map(|v| f64::from(v) / f64::from(WIN)),
        proven: value.and_then(proof),
        ..RootLine::of(m)
    }
}

/// A won or lost value is exact; 0 may be a draw or the end of the sight.
fn proof(value: i32) -> Option<Proof> {
    match value {
        WIN => Some(Proof { verdict: Wdl::Win, plies: None }),
        v if v == -WIN => Some(Proof { verdict: Wdl::Loss, plies: None }),
        _ => None,
    }
}
