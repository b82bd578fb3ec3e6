//! Methods of solving made for one game, in the form that [`Entry::solver`](super::GameBuilder::solver)
//! takes.

use crate::game::{Game, Status};
use crate::games::connect4::Connect4;
use crate::games::connect4::solver::{Connect4Solver, SolverLimits};
use crate::player::{Choice, MoveRequest, RootLine};
use crate::search::solve::{Solution, SolveError, SolveLimits};
use crate::search::timer::DecisionTimer;

/// Connect Four by its own solver: the exact score of every column.
pub(super) fn connect4(
    turn: &MoveRequest<'_, Connect4>,
    effort: SolveLimits,
) -> Result<Solution<u8>, SolveError> {
    let (g, s) = (turn.game, turn.state);
    if let Status::Over(_) = g.status(s) {
        return Err(SolveError::Over);
    }
    let mut solver = Connect4Solver::new(*g, effort.megabytes);
    let (mut moves, mut lines, mut scores) = (Vec::new(), Vec::new(), Vec::new());
    g.moves(s, &mut moves);
    let mut meter = DecisionTimer::start(turn);
    for &m in &moves {
        let child = g.after(s, m);
        let stop = || turn.observer.should_stop();
        let nodes = Some(effort.nodes.saturating_sub(solver.nodes()));
        let limits = SolverLimits { nodes, stop: Some(&stop), ..SolverLimits::default() };
        let Some(score) = solver.solve(&child, &limits) else {
            return Err(SolveError::Spent { nodes: solver.nodes(), depth: 0 });
        };
        let proof = solver.proof(s, -score);
        scores.push(-score);
        lines.push(RootLine {
            value: Some(f64::from(proof.verdict.sign())),
            proven: Some(proof),
            ..RootLine::new(m)
        });
        meter.should_continue(|time| Choice {
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
