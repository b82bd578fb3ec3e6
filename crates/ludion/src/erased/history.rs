//! The history of one game: the positions it went through and the moves between them. The command
//! line and the server show games from it.

use std::sync::Arc;

use super::any::{AnyGame, AnyPosition, MoveListError};
use crate::notation::NotationError;
use crate::scene::{Scene, SceneLayout};

/// The history of one game: its positions and the moves between them.
pub struct GameHistory {
    /// The game.
    pub game: Arc<dyn AnyGame>,
    /// One more than there are moves.
    positions: Vec<Box<dyn AnyPosition>>,
    moves: Vec<String>,
}

impl GameHistory {
    /// Starts from the position in which every game begins.
    #[must_use]
    pub fn new(game: Arc<dyn AnyGame>) -> Self {
        let start = game.start();
        GameHistory::from(game, start)
    }

    /// Starts from another position.
    #[must_use]
    pub fn from(game: Arc<dyn AnyGame>, start: Box<dyn AnyPosition>) -> Self {
        GameHistory { game, positions: vec![start], moves: Vec::new() }
    }

    /// Returns the first position.
    #[must_use]
    pub fn start(&self) -> &dyn AnyPosition {
        &*self.positions[0]
    }

    /// Returns the last position.
    #[must_use]
    pub fn position(&self) -> &dyn AnyPosition {
        &**self.positions.last().expect("a history has its first position")
    }

    /// Returns the moves played, as the game writes them.
    #[must_use]
    pub fn moves(&self) -> &[String] {
        &self.moves
    }

    /// Plays a move.
    ///
    /// # Errors
    /// Names the legal moves when `text` is none of them.
    pub fn play(&mut self, text: &str) -> Result<(), NotationError> {
        let m = self.position().canonical_move(text)?;
        let mut next = self.position().copy();
        next.play(&m)?;
        self.positions.push(next);
        self.moves.push(m);
        Ok(())
    }

    /// Plays several moves, written as for `play_line` of positions.
    ///
    /// # Errors
    /// At the first word that is not a legal move; nothing is played then.
    pub fn play_line(&mut self, text: &str) -> Result<(), MoveListError> {
        let played = self.position().copy().play_line(text)?;
        for (m, number) in played.iter().zip(1..) {
            self.play(m).map_err(|error| MoveListError { number, error })?;
        }
        Ok(())
    }

    /// Returns the position `plies` moves ago, if there were so many.
    #[must_use]
    pub fn ago(&self, plies: usize) -> Option<&dyn AnyPosition> {
        self.moves.len().checked_sub(plies).map(|i| &*self.positions[i])
    }

    /// Takes back `plies` moves; there must be so many.
    pub fn take_back(&mut self, plies: usize) {
        let left = self.moves.len() - plies;
        self.moves.truncate(left);
        self.positions.truncate(left + 1);
    }

    /// Returns the picture of the last position with the last move marked. Among heaps the
    /// objects that a move touched are gone or elsewhere, so no move is marked there.
    #[must_use]
    pub fn scene(&self) -> Scene {
        let mut scene = self.position().scene();
        let last = self.moves.last().zip(self.ago(1));
        if let Some((m, before)) = last
            && !matches!(scene.layout, SceneLayout::Heaps { .. })
        {
            for cell in before.touches(m).unwrap_or_default() {
                if !scene.marked.contains(&cell) {
                    scene.marked.push(cell);
                }
            }
        }
        scene
    }
}
