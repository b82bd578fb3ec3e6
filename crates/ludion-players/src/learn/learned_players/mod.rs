//! Players that score each legal move with a learned model, without search: the nearest
//! neighbours in an archive ([`KnnPlayer`]), or a trained network ([`MlpPlayer`]).
//!
//! They play every duel, on the features of [`Game::features`]. A model of move labels scores the
//! states before and after a move together, a model of position labels the state after it
//! ([`Label::is_of_moves`]). The move with the highest score is played,
//! the first of equal ones. Immediate wins are not treated specially.
//!
//! With [`ScoreChoice::Argmin`] the move with the lowest score is played instead. The text of *Deep
//! Checker* (2021) says so; its program plays the highest.
//!
//! [`Label::is_of_moves`]: super::labels::Label::is_of_moves

mod knn;
mod mlp;
mod policy;

pub use knn::KnnPlayer;
pub use mlp::{MlpEvaluator, MlpPlayer};
pub use policy::{PolicyPlayer, network_of};

use std::time::Instant;

use super::labelling::RowEncoder;
use super::rows::BitRows;
use crate::game::{Game, Status};
use crate::param::{Args, Param};
use crate::player::{Choice, MoveRequest, PlayerError, RootLine};

/// Which of the scored moves is played.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum ScoreChoice {
    /// The move with the highest score.
    #[default]
    Argmax,
    /// The move with the lowest score.
    Argmin,
}

impl ScoreChoice {
    /// The player parameter that selects the choice.
    pub const PARAM: Param = Param::choice(
        "choose",
        &["argmax", "argmin"],
        "move to play: that of the highest score, or of the lowest",
    );

    fn build(args: &Args) -> Self {
        if args.text("choose") == "argmin" { ScoreChoice::Argmin } else { ScoreChoice::Argmax }
    }
}

/// Returns the maximum number of captures by a side: the most pieces that a side has at the start.
/// Predicted captures are divided by it to get the values of moves.
fn max_captures<G: Game>(g: &G) -> f64 {
    let counts = g.piece_counts(&g.start()).unwrap_or_default();
    f64::from(counts.into_iter().max().unwrap_or(0).max(1))
}

/// Chooses the move with the highest or lowest score. `scores` gets the rows of all moves and returns
/// a score for each.
fn choose<G: Game>(
    turn: &MoveRequest<'_, G>,
    encoder: RowEncoder,
    choice: ScoreChoice,
    scores: impl FnOnce(&BitRows) -> Vec<f64>,
) -> Result<Choice<G::Move>, PlayerError> {
    let (started, g, s) = (Instant::now(), turn.game, turn.state);
    let Status::Turn(side) = turn.status() else { return Err(PlayerError::Over) };
    let moves = turn.moves();
    let mut rows = BitRows::new(encoder.width());
    moves.iter().for_each(|&m| encoder.push(g, s, &g.after(s, m), side, &mut rows));
    let scores = scores(&rows);
    let (mut best, mut highest) = (*moves.first().ok_or(PlayerError::Over)?, f64::NEG_INFINITY);
    for (&m, &score) in moves.iter().zip(&scores) {
        let rank = if choice == ScoreChoice::Argmax { score } else { -score };
        if rank > highest {
            (best, highest) = (m, rank);
        }
    }
    let is_of_moves = encoder.labelling().label.is_of_moves();
    let scale = if is_of_moves { 1.0 } else { max_captures(g) };
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
        time: started.elapsed(),
    })
}

#[cfg(test)]
mod tests;
