//! Adapts the Connect Four solver to the interface of the registry: every legal column of a
//! position is solved exactly, or looked up in the opening book.

use super::Connect4;
use super::book::OpeningBook;
use super::solver::{Connect4Solver, Connect4SolverLimits};
use ludion_core::game::{Game, Status};
use ludion_core::player::{Choice, MoveRequest, RootLine};
use ludion_core::solution::{Solution, SolveError, SolveLimits};
use ludion_core::timer::DecisionTimer;

/// Solves every move of the state of `request` within `limits`; the budget of the request is
/// ignored.
pub fn solve(
    request: &MoveRequest<'_, Connect4>,
    limits: SolveLimits,
) -> Result<Solution<u8>, SolveError> {
    let (g, s) = (request.game, request.state);
    if let Status::Over(_) = g.status(s) {
        return Err(SolveError::Over);
    }
    let mut solver = Connect4Solver::new(*g, limits.megabytes).with_threads(limits.threads);
    let (mut moves, mut lines, mut scores) = (Vec::new(), Vec::new(), Vec::new());
    g.moves(s, &mut moves);
    let mut timer = DecisionTimer::start(request);
    let known = OpeningBook::bundled().analyse(g, s);
    for &m in &moves {
        let child = g.after(s, m);
        let stop = || request.observer.should_stop();
        let nodes = Some(limits.nodes.saturating_sub(solver.nodes()));
        let column =
            Connect4SolverLimits { nodes, stop: Some(&stop), ..Connect4SolverLimits::default() };
        let in_book = known.as_ref().and_then(|scores| scores[usize::from(m)]);
        let solved = in_book.or_else(|| solver.solve(&child, &column).map(|score| -score));
        let Some(score) = solved else {
            return Err(SolveError::Spent { nodes: solver.nodes(), depth: 0 });
        };
        let proof = solver.proof(s, score);
        scores.push(score);
        lines.push(RootLine {
            value: Some(f64::from(proof.verdict.sign())),
            proven: Some(proof),
            ..RootLine::new(m)
        });
        timer.should_continue(|time| Choice {
            lines: lines.clone(),
            nodes: solver.nodes(),
            time,
            ..Choice::bare(m)
        });
    }
    let most = *scores.iter().max().expect("a game that goes on has a move");
    let best =
        moves.iter().zip(&scores).filter(|(_, score)| **score == most).map(|(&m, _)| m).collect();
    Ok(Solution { value: solver.proof(s, most), best, lines, nodes: solver.nodes() })
}
