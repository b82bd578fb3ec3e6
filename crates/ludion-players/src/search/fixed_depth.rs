//! Shared parts of the fixed-depth searches: their options, the state of the recursion with its
//! counter of calls, and the choice of the root move. The recursions themselves are in the players.
//!
//! A finished game has the value ±[`WIN`] or 0; an unfinished game at the depth limit has the
//! evaluator's value, 0 without one. Values are always relative to a side that the caller names, so
//! games in which a side moves twice in a row are searched correctly. Of equal root moves the first
//! in the order of the game is chosen.
//!
//! A budget in time or nodes, or the observer, can end a search early. The choice then uses the
//! root moves searched so far; the one in progress is ignored.

use std::ops::Range;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::evaluator::{Evaluator, WIN};
use crate::game::{Game, Side, Status};
use crate::named::{EVAL, PlayerParts};
use crate::outcome::{Duel, Wdl};
use crate::param::{Args, Param, ParamError};
use crate::player::{Choice, MoveRequest, Observer, PlayerError, Proof, RootLine};
use crate::repetition::GamePath;

/// A number greater than the value of any state, the end of the full window.
pub const INFINITY: i32 = WIN + 1;

/// The options of a fixed-depth player: search depth and evaluator.
pub struct FixedDepthOptions<G: Game> {
    /// Search depth in plies, at least 1.
    pub depth: u32,
    /// The evaluator of unfinished games at the depth limit; without one their value is 0.
    pub evaluator: Option<Arc<dyn Evaluator<G>>>,
}

impl<G: Game> FixedDepthOptions<G> {
    /// The player parameter for the search depth.
    pub const DEPTH: Param = Param::int("depth", 4, 1, 100, "search depth in plies");
    /// The parameters of a fixed-depth player that has no others: `depth` and `eval`.
    pub const PARAMS: &'static [Param] = &[Self::DEPTH, EVAL];

    /// Creates options with this depth, at least 1, and no evaluator.
    #[must_use]
    pub fn without_evaluator(depth: u32) -> Self {
        FixedDepthOptions { depth: depth.max(1), evaluator: None }
    }

    /// Reads the player parameters `depth` and `eval`.
    ///
    /// # Errors
    /// When the game has no evaluator of that name.
    pub fn build(args: &Args, parts: &PlayerParts<G>) -> Result<Self, ParamError> {
        Ok(FixedDepthOptions {
            depth: args.size("depth") as u32,
            evaluator: parts.evaluator(args)?,
        })
    }

    /// Returns the search depth for a request: that of the budget if it limits the depth, otherwise
    /// that of the options.
    #[must_use]
    pub fn depth_for(&self, request: &MoveRequest<'_, G>) -> u32 {
        request.budget.depth.unwrap_or(self.depth).max(1)
    }
}

/// The state of a fixed-depth search that all its recursive calls share.
pub struct FixedDepthSearch<'a, G: Game> {
    /// The game that is searched.
    pub game: &'a G,
    evaluator: Option<&'a dyn Evaluator<G>>,
    /// The positions before the state that is being searched.
    pub path: GamePath,
    /// A stack of the moves of every state on the path from the root.
    moves: Vec<G::Move>,
    /// Number of recursive calls so far, not counting the root.
    pub calls: u64,
    /// Whether the search was stopped early; values returned after that are meaningless.
    pub stopped: bool,
    early_stop: Option<EarlyStop<'a, G::Move>>,
    /// The value of `calls` at which the stop conditions are checked next.
    next_poll: u64,
}

/// The conditions that end a search early: time, nodes, or the observer.
struct EarlyStop<'a, M> {
    began: Instant,
    time: Option<Duration>,
    nodes: u64,
    observer: &'a dyn Observer<M>,
    last_poll: Instant,
    /// Number of calls between two checks; it is reduced if calls are slow.
    poll_interval: u64,
}

/// Maximum number of recursive calls between two checks of the stop conditions.
const MAX_POLL_INTERVAL: u64 = 1024;

/// The kind of a node: whether a search must go on below it.
pub enum NodeKind {
    /// A finished game or a state at the depth limit, with its value for the side that was passed
    /// to [`FixedDepthSearch::visit`].
    Leaf(i32),
    /// A state whose moves must be searched, with the side to move.
    Inner(Side),
}

impl<'a, G: Game<Outcome = Duel>> FixedDepthSearch<'a, G> {
    /// Creates a search without limits, which cannot be stopped early, from a state that a game
    /// reached by `path`.
    pub fn new(game: &'a G, path: &GamePath, evaluator: Option<&'a dyn Evaluator<G>>) -> Self {
        let (moves, next_poll) = (Vec::new(), u64::MAX);
        FixedDepthSearch {
            game,
            evaluator,
            path: path.clone(),
            moves,
            calls: 0,
            stopped: false,
            early_stop: None,
            next_poll,
        }
    }

    /// Creates a search that stops early when the budget of `request` is spent or its observer
    /// stops it.
    fn with_budget(request: &MoveRequest<'a, G>, evaluator: Option<&'a dyn Evaluator<G>>) -> Self {
        let nodes = request.budget.nodes.unwrap_or(u64::MAX);
        let (began, time, observer) = (Instant::now(), request.budget.time, request.observer);
        let early_stop =
            Some(EarlyStop { began, time, nodes, observer, last_poll: began, poll_interval: 1 });
        FixedDepthSearch {
            early_stop,
            next_poll: 1,
            ..FixedDepthSearch::new(request.game, request.path, evaluator)
        }
    }

    #[cold]
    fn poll(&mut self) {
        if let Some(early_stop) = &mut self.early_stop {
            let now = Instant::now();
            self.stopped |= self.calls > early_stop.nodes
                || early_stop.time.is_some_and(|time| now - early_stop.began >= time)
                || early_stop.observer.should_stop();
            let took = now - early_stop.last_poll;
            early_stop.last_poll = now;
            if took > Duration::from_millis(2) {
                early_stop.poll_interval = (early_stop.poll_interval / 2).max(1);
            } else if took < Duration::from_micros(500) {
                early_stop.poll_interval = (2 * early_stop.poll_interval).min(MAX_POLL_INTERVAL);
            }
            self.next_poll = (self.calls + early_stop.poll_interval)
                .min(early_stop.nodes.saturating_add(1).max(self.calls + 1));
        }
    }

    /// Counts a recursive call for state `s` with the remaining depth `depth`. Returns the value of
    /// `s` for `side` if `s` is a leaf, otherwise the side to move.
    #[inline]
    pub fn visit(&mut self, s: &G::State, side: Side, depth: u32) -> NodeKind {
        self.calls += 1;
        if self.calls >= self.next_poll {
            self.poll();
        }
        if self.stopped {
            return NodeKind::Leaf(0);
        }
        match self.path.status(self.game, s) {
            Status::Over(end) => NodeKind::Leaf(end.seen_by(side).sign() * WIN),
            Status::Turn(mover) if depth == 0 => {
                let value = self.evaluator.map_or(0, |evaluator| evaluator.value(self.game, s));
                NodeKind::Leaf(if mover == side { value } else { -value })
            }
            Status::Turn(mover) => NodeKind::Inner(mover),
        }
    }

    /// Pushes the legal moves of `s` on the move stack and `s` on the path, and returns the indices of
    /// the moves; [`FixedDepthSearch::pop_moves`] removes them.
    #[inline]
    pub fn push_moves(&mut self, s: &G::State) -> Range<usize> {
        let base = self.moves.len();
        self.path.moves(self.game, s, &mut self.moves);
        self.path.push(self.game, s);
        base..self.moves.len()
    }

    /// Returns the move at index `i` of the move stack.
    #[inline]
    pub fn move_at(&self, i: usize) -> G::Move {
        self.moves[i]
    }

    /// Returns the state after making the move at index `i` of the move stack in `s`.
    #[inline]
    pub fn child(&self, s: &G::State, i: usize) -> G::State {
        self.game.after(s, self.moves[i])
    }

    /// Removes the moves that [`FixedDepthSearch::push_moves`] pushed; `listed` is its result.
    #[inline]
    pub fn pop_moves(&mut self, listed: Range<usize>) {
        self.moves.truncate(listed.start);
        self.path.truncate(self.game, self.path.len().saturating_sub(1));
    }
}

/// Returns the value of a child of the root for [`choose_root_move`].
type ChildValueFn<'f, G> = dyn FnMut(&mut FixedDepthSearch<'_, G>, &<G as Game>::State, Side, Option<i32>) -> Option<i32>
    + 'f;

/// Chooses the first root move with the best value. Calls `value` with every child to get its value
/// for the side to move at the root. `value` also gets the best value so far and may return `None`
/// for a child that is no better.
///
/// # Errors
/// When the game is over.
pub fn choose_root_move<G: Game<Outcome = Duel>>(
    request: &MoveRequest<'_, G>,
    depth: u32,
    evaluator: Option<&dyn Evaluator<G>>,
    value: &mut ChildValueFn<'_, G>,
) -> Result<Choice<G::Move>, PlayerError> {
    let began = Instant::now();
    let Status::Turn(root) = request.status() else {
        return Err(PlayerError::Over);
    };
    let mut search = FixedDepthSearch::with_budget(request, evaluator);
    let listed = search.push_moves(request.state);
    let first = search.move_at(listed.start);
    let mut lines = Vec::with_capacity(listed.len());
    let mut best: Option<(i32, G::Move)> = None;
    let mut reported = Duration::ZERO;
    let choice = |lines: Vec<RootLine<G::Move>>, best: Option<(i32, G::Move)>, nodes| {
        let (best, time) = (best.map_or(first, |(_, best)| best), began.elapsed());
        Choice { lines, nodes, depth, time, ..Choice::bare(best) }
    };
    for i in listed {
        let m = search.move_at(i);
        let child = search.child(request.state, i);
        let found = value(&mut search, &child, root, best.map(|(value, _)| value));
        if search.stopped {
            break;
        }
        if let Some(v) = found.filter(|v| best.is_none_or(|(value, _)| *v > value)) {
            best = Some((v, m));
        }
        lines.push(root_line(m, found));
        let elapsed = began.elapsed();
        if request.observer.interval().is_some_and(|gap| elapsed - reported >= gap) {
            reported = elapsed;
            request.observer.report(&choice(lines.clone(), best, search.calls));
        }
    }
    Ok(choice(lines, best, search.calls))
}

/// Implements `Player` and `NamedPlayer` for a player whose only field is its
/// [`FixedDepthOptions`], `options`. The arguments are the type of the player, its name, its help,
/// and the function for [`choose_root_move`], which here also gets the remaining depth of a child.
macro_rules! fixed_depth_player {
    (
        $player:ident,
        $name:literal,
        $help:literal,
        |$search:ident, $child:ident, $side:ident, $depth:ident, $best:pat_param| $value:expr
    ) => {
        impl<G: $crate::game::Game<Outcome = $crate::outcome::Duel>> $crate::player::Player<G>
            for $player<G>
        {
            fn choose(
                &mut self,
                request: &$crate::player::MoveRequest<'_, G>,
            ) -> Result<$crate::player::Choice<G::Move>, $crate::player::PlayerError> {
                let depth = self.options.depth_for(request);
                let $depth = depth - 1;
                $crate::search::fixed_depth::choose_root_move(
                    request,
                    depth,
                    self.options.evaluator.as_deref(),
                    &mut |$search, $child, $side, $best| $value,
                )
            }
        }

        impl<G: $crate::game::Game<Outcome = $crate::outcome::Duel>> $crate::named::NamedPlayer<G>
            for $player<G>
        {
            const NAME: &'static str = $name;
            const SPENDS: &'static [$crate::player::BudgetUnit] = {
                use $crate::player::BudgetUnit::{Depth, Nodes, Time};
                &[Time, Nodes, Depth]
            };
            const OVERRIDES: &'static [$crate::effective::BudgetOverride] = {
                use $crate::player::BudgetUnit::Depth;
                &[$crate::effective::BudgetOverride::replaces("depth", Depth)]
            };
            const HELP: &'static str = $help;
            const PARAMS: &'static [$crate::param::Param] = FixedDepthOptions::<G>::PARAMS;

            fn build(
                args: &$crate::param::Args,
                parts: &$crate::named::PlayerParts<G>,
            ) -> Result<Self, $crate::param::ParamError> {
                Ok($player { options: FixedDepthOptions::build(args, parts)? })
            }
        }
    };
}
pub(crate) use fixed_depth_player;

/// Returns the line of the root move `m`, with its value for the side to move if it is known.
pub fn root_line<M: Copy>(m: M, value: Option<i32>) -> RootLine<M> {
    RootLine {
        value: value.map(|v| f64::from(v) / f64::from(WIN)),
        proven: value.and_then(proof),
        ..RootLine::new(m)
    }
}

/// Returns the proof of a win or loss for the values ±[`WIN`], otherwise `None`. A value of 0
/// proves no draw, because it may come from the depth limit.
fn proof(value: i32) -> Option<Proof> {
    match value {
        WIN => Some(Proof { verdict: Wdl::Win, plies: None }),
        v if v == -WIN => Some(Proof { verdict: Wdl::Loss, plies: None }),
        _ => None,
    }
}
