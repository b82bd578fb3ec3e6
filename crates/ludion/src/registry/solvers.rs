//! Methods of solving made for one game, in the form that [`Entry::solver`](super::Entry::solver)
//! takes.

use crate::game::{Game, Status};
use crate::games::connect4::Connect4;
use crate::games::connect4::solver::{Limits, Solver};
use crate::player::{Choice, Line, Turn};
use crate::search::meter::Meter;
use crate::search::solve::{Effort, Solution, SolveError};

/// Connect Four by its own solver: the exact score of every column.
pub(super) fn connect4(
    turn: &Turn<'_, Connect4>,
    effort: Effort,
) -> Result<Solution<u8>, SolveError> {
    let (g, s) = (turn.game, turn.state);
    if let Status::Over(_) = g.status(s) {
        return Err(SolveError::Over);
    }
    let mut solver = Solver::new(*g, effort.megabytes);
    let (mut moves, mut lines, mut scores) = (Vec::new(), Vec::new(), Vec::new());
    g.moves(s, &mut moves);
    let mut meter = Meter::start(turn);
    for &m in &moves {
        let child = g.after(s, m);
        let stop = || turn.watch.stop();
        let nodes = Some(effort.nodes.saturating_sub(solver.nodes()));
        let limits = Limits { nodes, stop: Some(&stop), ..Limits::default() };
        let Some(score) = solver.solve(&child, &limits) else {
            return Err(SolveError::Spent { nodes: solver.nodes(), depth: 0 });
        };
        let proof = solver.proof(s, -score);
        scores.push(-score);
        lines.push(Line {
            value: Some(f64::from(proof.verdict.sign())),
            proven: Some(proof),
            ..Line::of(m)
        });
        meter.go_on(|time| Choice {
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
