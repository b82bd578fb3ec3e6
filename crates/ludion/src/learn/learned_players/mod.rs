//! Players that look one ply ahead and judge what they see by what was learned from games: the
//! nearest neighbours of a move in an archive ([`KnnPlayer`]), or a trained network ([`MlpPlayer`]).
//!
//! A *move scorer* judges the board before and after a move together, a *board scorer* the board
//! after it; which one it is follows from the labels ([`Label::is_of_moves`]). The best mean label
//! is played, the first of equal ones. A game that a move wins at once is not looked for: what is
//! known is what was learned.
//!
//! [`Label::is_of_moves`]: super::labels::Label::is_of_moves

mod knn;
mod mlp;

pub use knn::KnnPlayer;
pub use mlp::{MlpEvaluator, MlpPlayer};

use std::time::Instant;

use super::labelling::Labelling;
use crate::game::Status;
use crate::men::MenOnlyGame;
use crate::player::{Choice, MoveRequest, PlayerError, RootLine};

/// No game here has more men a side, so no more are captured.
const MAX_CAPTURES: f64 = 12.0;

/// The move whose key has the highest score.
fn choose<G: MenOnlyGame>(
    turn: &MoveRequest<'_, G>,
    lesson: Labelling,
    scores: impl FnOnce(&[u128]) -> Vec<f64>,
) -> Result<Choice<G::Move>, PlayerError> {
    let (began, g, s) = (Instant::now(), turn.game, turn.state);
    let Status::Turn(side) = g.status(s) else { return Err(PlayerError::Over) };
    let mut moves = Vec::new();
    g.moves(s, &mut moves);
    let keys: Vec<u128> = moves.iter().map(|&m| lesson.key(g, s, &g.after(s, m), side)).collect();
    let scores = scores(&keys);
    let (mut best, mut highest) = (*moves.first().ok_or(PlayerError::Over)?, f64::NEG_INFINITY);
    for (&m, &score) in moves.iter().zip(&scores) {
        if score > highest {
            (best, highest) = (m, score);
        }
    }
    let scale = if lesson.label.is_of_moves() { 1.0 } else { MAX_CAPTURES };
    let line = |(&m, &score): (&G::Move, &f64)| RootLine {
        value: Some((score / scale).clamp(-1.0, 1.0)),
        visits: 1,
        ..RootLine::new(m)
    };
    Ok(Choice {
        best,
        lines: moves.iter().zip(&scores).map(line).collect(),
        nodes: moves.len() as u64,
        simulations: 0,
        depth: 1,
        time: began.elapsed(),
    })
}

#[cfg(test)]
mod tests;
