//! The history of one game: its positions and the moves between them. The command line and the
//! server show games from it.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::any::{AnyGame, AnyPosition, MoveListError};
use crate::notation::NotationError;
use crate::scene::{Coord, Piece, PieceShape, Scene, SceneLayout};

/// The history of one game: its positions and the moves between them.
pub struct GameHistory {
    /// The rules of the game.
    pub game: Arc<dyn AnyGame>,
    /// All positions from the first to the current one; one more than there are moves.
    positions: Vec<Box<dyn AnyPosition>>,
    moves: Vec<String>,
}

impl GameHistory {
    /// Creates a history that begins with the start position of `game`.
    #[must_use]
    pub fn new(game: Arc<dyn AnyGame>) -> Self {
        let start = game.start();
        GameHistory::from(game, start)
    }

    /// Creates a history that begins with the position `start`.
    #[must_use]
    pub fn from(game: Arc<dyn AnyGame>, start: Box<dyn AnyPosition>) -> Self {
        GameHistory { game, positions: vec![start], moves: Vec::new() }
    }

    /// Returns the position with which the history begins.
    #[must_use]
    pub fn start(&self) -> &dyn AnyPosition {
        &*self.positions[0]
    }

    /// Returns the current position, after all moves.
    #[must_use]
    pub fn position(&self) -> &dyn AnyPosition {
        &**self.positions.last().expect("a history has its first position")
    }

    /// Returns the moves played, in the notation of the game.
    #[must_use]
    pub fn moves(&self) -> &[String] {
        &self.moves
    }

    /// Plays the move `text` in the current position.
    ///
    /// # Errors
    /// When `text` is not a legal move; the error lists the legal moves.
    pub fn play(&mut self, text: &str) -> Result<(), NotationError> {
        let m = self.position().canonical_move(text)?;
        let mut next = self.position().copy();
        next.play(&m)?;
        self.positions.push(next);
        self.moves.push(m);
        Ok(())
    }

    /// Plays several moves, separated by white space or commas, as the method `play_line` of
    /// [`AnyPosition`] does.
    ///
    /// # Errors
    /// When a move is not legal; then none of the moves is played.
    pub fn play_line(&mut self, text: &str) -> Result<(), MoveListError> {
        let played = self.position().copy().play_line(text)?;
        for (m, number) in played.iter().zip(1..) {
            self.play(m).map_err(|error| MoveListError { number, error })?;
        }
        Ok(())
    }

    /// Returns the position before the last `plies` moves; `None` if fewer moves were played.
    #[must_use]
    pub fn ago(&self, plies: usize) -> Option<&dyn AnyPosition> {
        self.moves.len().checked_sub(plies).map(|i| &*self.positions[i])
    }

    /// Takes back the last `plies` moves; at least this number must have been played.
    pub fn take_back(&mut self, plies: usize) {
        let left = self.moves.len() - plies;
        self.moves.truncate(left);
        self.positions.truncate(left + 1);
    }

    /// Returns a picture of the current position with the cells of the last move marked. In a scene
    /// of heaps no move is marked, because the objects that it touched are gone.
    #[must_use]
    pub fn scene(&self) -> Scene {
        let mut scene = self.position().scene();
        let last = self.moves.last().zip(self.ago(1));
        if let Some((m, before)) = last
            && !matches!(scene.layout, SceneLayout::Heaps { .. })
        {
            for cell in before.touches(m).unwrap_or_default() {
                if scene.contains(cell) && !scene.marked.contains(&cell) {
                    scene.marked.push(cell);
                }
            }
        }
        self.name_owners(&mut scene);
        scene
    }

    /// Gives tokens and blocks that a move has put on a grid to the side that made the move, where the
    /// state does not keep whose they are.
    fn name_owners(&self, scene: &mut Scene) {
        let is_open = |piece: &Piece| {
            piece.owner.is_none() && matches!(piece.shape, PieceShape::Token | PieceShape::Block)
        };
        let is_grid = matches!(scene.layout, SceneLayout::Grid { .. });
        if !is_grid || !scene.pieces.iter().any(is_open) {
            return;
        }
        let open = |position: &dyn AnyPosition| -> HashSet<Coord> {
            position.scene().pieces.iter().filter(|piece| is_open(piece)).map(|p| p.at).collect()
        };
        let mut before = open(self.start());
        let mut owners = HashMap::new();
        for (from, to) in self.positions.iter().zip(&self.positions[1..]) {
            let after = open(&**to);
            if let Some(side) = from.status().turn() {
                owners.extend(after.difference(&before).map(|&cell| (cell, side)));
            }
            before = after;
        }
        for piece in scene.pieces.iter_mut().filter(|piece| is_open(piece)) {
            piece.owner = owners.get(&piece.at).copied();
        }
    }
}
