//! Players of every game that see a position without its type. They list the legal moves, play
//! them on copies and ask for the status, all in text; they are slower than typed players, and
//! written once for all games.

use std::sync::Arc;
use std::time::Instant;

use super::any::{AnyObserver, AnyPosition};
use super::builder::GameParts;
use super::translate::{MoveObserver, choice_in_moves};
use super::typed::TypedPosition;
use crate::game::{Game, Status};
use crate::player::{Budget, Choice, MoveRequest, Player, PlayerError};

/// A request for a move in a position without its type.
pub struct PositionRequest<'a> {
    /// The spec of the game.
    pub game: &'a str,
    /// The position to choose a move in; the game goes on.
    pub position: &'a dyn AnyPosition,
    /// What may be spent.
    pub budget: Budget,
    /// Gets reports, and may stop the player.
    pub observer: &'a AnyObserver<'a>,
}

/// Chooses moves in any game; see
/// [`Registry::with_player_for_all`](crate::registry::Registry::with_player_for_all).
pub trait PositionPlayer: Send {
    /// Starts a new game: forgets the last one and draws from `seed` from now on.
    fn begin(&mut self, seed: u64) {
        let _ = seed;
    }

    /// Chooses a move, written as [`AnyPosition::moves`] writes it.
    ///
    /// # Errors
    /// When the player cannot do its work.
    fn choose(&mut self, request: &PositionRequest<'_>) -> Result<Choice<String>, PlayerError>;
}

/// A [`PositionPlayer`] as a player of one game.
pub(super) struct PositionPlayerAdapter<G: Game> {
    pub(super) game: Arc<G>,
    pub(super) spec: String,
    pub(super) parts: Arc<GameParts<G>>,
    pub(super) player: Box<dyn PositionPlayer>,
}

impl<G: Game> Player<G> for PositionPlayerAdapter<G> {
    fn begin(&mut self, seed: u64) {
        self.player.begin(seed);
    }

    fn choose(&mut self, request: &MoveRequest<'_, G>) -> Result<Choice<G::Move>, PlayerError> {
        let (began, g, s) = (Instant::now(), request.game, request.state);
        if let Status::Over(_) = g.status(s) {
            return Err(PlayerError::Over);
        }
        let (game, parts) = (Arc::clone(&self.game), Arc::clone(&self.parts));
        let choice = self.player.choose(&PositionRequest {
            game: &self.spec,
            position: &TypedPosition { game, parts, state: s.clone() },
            budget: request.budget,
            observer: &MoveObserver { game: g, state: s, observer: request.observer },
        })?;
        let choice = choice_in_moves(g, s, &choice)
            .map_err(|error| PlayerError::Failed(format!("the player answered {error}")))?;
        Ok(Choice { time: began.elapsed(), ..choice })
    }
}
