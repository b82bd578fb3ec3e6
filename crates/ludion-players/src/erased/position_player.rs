//! Players that see type-erased positions, so that one implementation plays every game. They list
//! the legal moves, play them on copies and ask for the status, all in text, which makes them
//! slower than typed players.

use std::sync::Arc;
use std::time::Instant;

use super::any::{AnyObserver, AnyPosition};
use super::builder::GameParts;
use super::dyn_game::DynGame;
use super::dyn_value::DynMove;
use super::game::ErasedPosition;
use super::translate::{MoveObserver, choice_in_moves};
use crate::game::Status;
use crate::outcome::Outcome;
use crate::player::{Budget, Choice, MoveRequest, Player, PlayerError};

/// A request for a move in a type-erased position.
pub struct PositionRequest<'a> {
    /// The spec of the game.
    pub game: &'a str,
    /// The position to choose a move in; the game is not over.
    pub position: &'a dyn AnyPosition,
    /// The limits of what the player may spend on this move.
    pub budget: Budget,
    /// Receives progress reports and can stop the search.
    pub observer: &'a AnyObserver<'a>,
}

/// Chooses moves in type-erased positions of any game. Register it by
/// [`Registry::with_player_for_all`](crate::registry::Registry::with_player_for_all).
pub trait PositionPlayer: Send {
    /// Starts a new game: forgets the previous one and seeds the random generator.
    fn begin(&mut self, seed: u64) {
        let _ = seed;
    }

    /// Chooses a move in the position of `request`, written as in [`AnyPosition::moves`].
    ///
    /// # Errors
    /// When the player fails to choose a move.
    fn choose(&mut self, request: &PositionRequest<'_>) -> Result<Choice<String>, PlayerError>;
}

/// Makes a typed player of one game from a [`PositionPlayer`].
pub(super) struct PositionPlayerAdapter<O: Outcome> {
    pub(super) game: Arc<DynGame<O>>,
    pub(super) spec: String,
    pub(super) parts: Arc<GameParts<O>>,
    pub(super) player: Box<dyn PositionPlayer>,
}

impl<O: Outcome> Player<DynGame<O>> for PositionPlayerAdapter<O> {
    fn begin(&mut self, seed: u64) {
        self.player.begin(seed);
    }

    fn choose(
        &mut self,
        request: &MoveRequest<'_, DynGame<O>>,
    ) -> Result<Choice<DynMove>, PlayerError> {
        let (began, g, s) = (Instant::now(), request.game, request.state);
        if let Status::Over(_) = request.status() {
            return Err(PlayerError::Over);
        }
        let (game, parts) = (Arc::clone(&self.game), Arc::clone(&self.parts));
        let choice = self.player.choose(&PositionRequest {
            game: &self.spec,
            position: &ErasedPosition { game, parts, state: s.clone(), path: request.path.clone() },
            budget: request.budget,
            observer: &MoveObserver {
                game: g,
                state: s,
                path: request.path,
                observer: request.observer,
            },
        })?;
        let choice = choice_in_moves(g, request.path, s, &choice)
            .map_err(|error| PlayerError::Failed(format!("the player answered {error}")))?;
        Ok(Choice { time: began.elapsed(), ..choice })
    }
}
