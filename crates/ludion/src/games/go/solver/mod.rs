//! Exact results of Go on boards of at most 4×4 points under positional superko.
//!
//! Under superko the value of a position depends on the path to it, so that a search cannot share
//! positions. This solver proves bounds that hold on every path: what a side forces if cycles count
//! against it. Where the bounds of both sides meet, the result is exact; on 3×3 and 4×4 points they do
//! from the first move on, on 2×2 they do not. The value of 4×4 is 2 points for the first side, as in
//! E. van der Werf, H. J. van den Herik and J. Uiterwijk, "Solving Go on Small Boards" (2003).

mod forcing;
mod positions;
mod stones;

use std::cell::OnceCell;
use std::time::Instant;

use super::board::GoBoard;
use super::{Go, GoMove, GoState};
use crate::game::{Game, Side, Status};
use crate::outcome::Wdl;
use crate::player::{Choice, MoveRequest, Proof, RootLine};
use crate::search::solve::solve as general_solve;
use crate::solution::{Solution, SolveError, SolveLimits};

use forcing::{Forcing, Turn};
use positions::{Position, PositionGraph};
use stones::{SmallBoard, Stones};

/// Number of bytes that a position takes in the tables.
const POSITION_BYTES: usize = 70;

/// Solves 4×4 points by bounds, and other boards, or what the bounds leave open, by search.
///
/// # Errors
/// When the game is over, or a limit is reached.
pub(super) fn solve(
    request: &MoveRequest<'_, Go>,
    limits: SolveLimits,
) -> Result<Solution<GoMove>, SolveError> {
    if request.game.board.size != 4 {
        return general_solve(request, limits);
    }
    match solve_by_bounds(request, limits)? {
        Some(solution) => Ok(solution),
        None => general_solve(request, limits),
    }
}

/// Solves a state by bounds that hold on every path. The result has no numbers of plies; moves whose
/// bounds do not meet have no result. Returns `None` if the result of the state stays open, a limit is
/// reached, or the observer stops the solver.
///
/// # Errors
/// When the game is over.
///
/// # Panics
/// When the board has more than 4×4 points.
pub fn solve_by_bounds(
    request: &MoveRequest<'_, Go>,
    limits: SolveLimits,
) -> Result<Option<Solution<GoMove>>, SolveError> {
    let Status::Turn(side) = request.status() else {
        return Err(SolveError::Over);
    };
    let size = request.game.board.size;
    assert!(size <= 4, "the solver by bounds takes boards of at most 4×4 points");
    let began = Instant::now();
    let is_stopped = |positions: usize| {
        let observer = request.observer;
        if observer.interval().is_some_and(|interval| began.elapsed() >= interval) {
            let nodes = positions as u64;
            observer.report(&Choice { nodes, ..Choice::bare(GoMove::PASS) });
        }
        observer.should_stop()
    };
    let most = usize::try_from(limits.nodes).unwrap_or(usize::MAX);
    let most = most.min(limits.megabytes.saturating_mul((1 << 20) / POSITION_BYTES));
    let root = root_position(request);
    let graph = PositionGraph::new(SmallBoard::new(size), root, most, is_stopped);
    let Some(graph) = graph else { return Ok(None) };
    let nodes = graph.len() as u64;
    let bounds = Bounds { request, graph: &graph, tables: Default::default() };
    let mut lines = Vec::new();
    for m in request.moves() {
        let Some(proven) = bounds.verdict(root, side, m) else { return Ok(None) };
        let proven = proven.map(|verdict| Proof { verdict, plies: None });
        let value = proven.map(|proof| f64::from(proof.verdict.sign()));
        lines.push(RootLine { value, proven, variation: vec![m], ..RootLine::new(m) });
    }
    Ok(solution(lines, nodes))
}

/// Returns the solution from the lines of all moves, if they decide it.
fn solution(lines: Vec<RootLine<GoMove>>, nodes: u64) -> Option<Solution<GoMove>> {
    let verdict = |line: &RootLine<GoMove>| line.proven.map(|proof| proof.verdict);
    let best = lines.iter().filter_map(verdict).max()?;
    let is_open = best != Wdl::Win && lines.iter().any(|line| line.proven.is_none());
    let kept = lines.iter().filter(|line| verdict(line) == Some(best));
    let best_moves = kept.map(|line| line.play).collect();
    let value = Proof { verdict: best, plies: None };
    (!is_open).then_some(Solution { value, best: best_moves, lines, nodes })
}

/// Returns the position of a request, with a board that its path forbids.
fn root_position(request: &MoveRequest<'_, Go>) -> Position {
    let (g, s) = (request.game, request.state);
    let (board, legal) = (SmallBoard::new(g.board.size), request.moves());
    let stones = g.small_stones(s);
    let forbidden = board.empty_points(stones).filter(|at| {
        let point = g.small_point(*at);
        !legal.contains(&GoMove(point))
    });
    let earlier = forbidden.filter_map(|at| board.after(stones, at)).next();
    Position::new(stones, earlier)
}

/// The tables of what each side forces from the positions of a graph.
struct Bounds<'a> {
    request: &'a MoveRequest<'a, Go>,
    graph: &'a PositionGraph,
    /// For each side, that it wins, and that it does not lose.
    tables: [[OnceCell<Option<Forcing<'a>>>; 2]; 2],
}

impl<'a> Bounds<'a> {
    /// Returns the result of a move for `side`, if it is proven. `None` if the observer stops the
    /// solver.
    fn verdict(&self, root: Position, side: Side, m: GoMove) -> Option<Option<Wdl>> {
        let (g, s) = (self.request.game, self.request.state);
        let child = g.after(s, m);
        if let Status::Over(end) = g.status(&child) {
            return Some(Some(end.seen_by(side)));
        }
        let board = &self.graph.board;
        let next = if m == GoMove::PASS {
            Some(root.passed(board))
        } else {
            root.after(board, g.small_set(m.0))
        };
        let Some(next) = next else { return Some(None) };
        let forces = |forcer: Side, result| {
            let turn = Turn { is_forcer: forcer != side, passed: child.passed };
            self.forces(next, turn, forcer, result)
        };
        Some(if forces(side, Wdl::Win)? {
            Some(Wdl::Win)
        } else if forces(side.other(), Wdl::Win)? {
            Some(Wdl::Loss)
        } else if forces(side, Wdl::Draw)? && forces(side.other(), Wdl::Draw)? {
            Some(Wdl::Draw)
        } else {
            None
        })
    }

    /// Returns whether `forcer` is proven to win, or not to lose.
    fn forces(&self, from: Position, turn: Turn, forcer: Side, result: Wdl) -> Option<bool> {
        let g = self.request.game;
        let needed = if forcer == Side::First { g.komi } else { -g.komi };
        let is_win = result == Wdl::Win;
        let lead = if is_win { needed.floor() + 1.0 } else { needed.ceil() } as i32;
        let table = self.tables[forcer.index()][usize::from(is_win)]
            .get_or_init(|| Forcing::new(self.graph, lead, || self.request.observer.should_stop()));
        let past = self.request.path.keys_after(crate::repetition::GamePath::EMPTY);
        let past = past.unwrap_or_default();
        let now = g.repetition_key(self.request.state);
        let is_past = |stones: Stones| {
            let key = g.repetition_key(&g.small_state(stones, forcer.other()));
            key == now || past.contains(&key)
        };
        Some(table.as_ref()?.holds(from, turn, is_past))
    }
}

impl Go {
    /// Returns the stones of a state on a board of at most 4×4 points.
    fn small_stones(&self, s: &GoState) -> Stones {
        let stones = s
            .stones()
            .map(|set| super::points(set).fold(0, |all, point| all | 1 << self.board.index(point)));
        Stones { mine: stones[s.turn.index()], theirs: stones[s.turn.other().index()] }
    }

    fn small_set(&self, point: u8) -> u16 {
        1 << self.board.index(point)
    }

    fn small_point(&self, at: u16) -> u8 {
        let (index, size) = (at.trailing_zeros() as usize, self.board.size);
        GoBoard::point(index % size, index / size)
    }

    /// Returns a state with these stones, in which `turn` is to move.
    fn small_state(&self, stones: Stones, turn: Side) -> GoState {
        let set = |bits: u16| {
            let points = (0..16).map(|point| 1 << point).filter(|at| bits & at != 0);
            points.fold(0, |all, at| all | 1 << self.small_point(at))
        };
        let [mine, theirs] = [set(stones.mine), set(stones.theirs)];
        let mut s = GoState { turn, ..self.start() };
        s.set_stones(if turn == Side::First { [mine, theirs] } else { [theirs, mine] });
        s
    }
}
