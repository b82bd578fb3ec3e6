//! Players that a registry adds to every game: those that exchange text, such as external bots, and
//! those that see type-erased positions ([`PositionPlayer`]). They are independent of the type of
//! the game; an adapter translates and checks their moves.

use std::sync::Arc;

use super::dyn_game::DynGame;
use super::game::ErasedGame;
use super::position_player::{PositionPlayer, PositionPlayerAdapter};
use crate::named::{PlayerInfo, PlayerScope};
use crate::outcome::Outcome;
use crate::param::{Args, ParamError};
use crate::player::Player;
use crate::players::text_player::{TextPlayer, TextPlayerAdapter};

/// Function that makes a text player from its parameters. The player does no work before its first
/// game begins.
pub type MakeTextPlayer = dyn Fn(&Args) -> Result<Box<dyn TextPlayer>, ParamError> + Send + Sync;

/// Function that builds a player of type-erased positions from its parameters.
pub type BuildPositionPlayer =
    dyn Fn(&Args) -> Result<Box<dyn PositionPlayer>, ParamError> + Send + Sync;

/// A text player with its description; pass it to
/// [`Registry::with_text_player`](crate::registry::Registry::with_text_player).
#[derive(Clone)]
pub struct NamedTextPlayer {
    /// The name, help and parameters of the player.
    pub info: PlayerInfo,
    /// Makes the player from the values of its parameters.
    pub make: Arc<MakeTextPlayer>,
}

/// A player that the registry adds to every game.
#[derive(Clone)]
pub(crate) struct SharedPlayer {
    pub(crate) info: PlayerInfo,
    kind: SharedPlayerKind,
}

#[derive(Clone)]
enum SharedPlayerKind {
    Text(Arc<MakeTextPlayer>),
    Position(Arc<BuildPositionPlayer>),
}

impl SharedPlayer {
    pub(crate) fn text(player: NamedTextPlayer) -> Self {
        SharedPlayer::new(player.info, SharedPlayerKind::Text(player.make))
    }

    pub(crate) fn position(info: PlayerInfo, build: Arc<BuildPositionPlayer>) -> Self {
        SharedPlayer::new(info, SharedPlayerKind::Position(build))
    }

    fn new(info: PlayerInfo, kind: SharedPlayerKind) -> Self {
        SharedPlayer { info: PlayerInfo { scope: PlayerScope::AllGames, ..info }, kind }
    }

    /// Returns whether the player exchanges text, as external bots do.
    pub(crate) fn is_text(&self) -> bool {
        matches!(self.kind, SharedPlayerKind::Text(_))
    }

    /// Builds the player for `game` with the parameters `args`.
    pub(super) fn build<O: Outcome>(
        &self,
        game: &ErasedGame<O>,
        args: &Args,
    ) -> Result<Box<dyn Player<DynGame<O>>>, ParamError> {
        Ok(match &self.kind {
            SharedPlayerKind::Text(make) => {
                Box::new(TextPlayerAdapter::new(&game.spec, make(args)?))
            }
            SharedPlayerKind::Position(build) => Box::new(PositionPlayerAdapter {
                game: Arc::clone(&game.game),
                spec: game.spec.clone(),
                parts: Arc::clone(&game.parts),
                player: build(args)?,
            }),
        })
    }
}

/// The players that a registry adds to every game; clones are cheap.
#[derive(Clone, Default)]
pub(crate) struct SharedPlayers(Arc<Vec<SharedPlayer>>);

impl SharedPlayers {
    pub(crate) fn iter(&self) -> impl Iterator<Item = &SharedPlayer> + Clone {
        self.0.iter()
    }

    pub(crate) fn find(&self, name: &str) -> Option<&SharedPlayer> {
        self.iter().find(|player| player.info.is_called(name))
    }

    /// Adds a player; it replaces a player of the same name.
    pub(crate) fn add(&mut self, player: SharedPlayer) {
        let players = Arc::make_mut(&mut self.0);
        players.retain(|known| known.info.name != player.info.name);
        players.push(player);
    }

    /// Removes the players that exchange text, such as external bots.
    pub(crate) fn remove_text_players(&mut self) {
        Arc::make_mut(&mut self.0).retain(|player| !player.is_text());
    }
}
