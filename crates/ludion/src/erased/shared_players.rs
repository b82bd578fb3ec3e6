//! Players that a registry gives to every game: those that answer in text, such as bots, and
//! those that see positions without their types ([`PositionPlayer`]). They know no game; an adapter
//! in front of them translates and checks their moves.

use std::sync::Arc;

use super::position_player::{PositionPlayer, PositionPlayerAdapter};
use super::typed::TypedGame;
use crate::game::Game;
use crate::named::{PlayerInfo, PlayerScope};
use crate::param::{Args, ParamError};
use crate::player::Player;
use crate::players::text_player::{TextPlayer, TextPlayerAdapter};

/// Makes a text player from its parameters. It starts no work before the first game begins.
pub type MakeTextPlayer = dyn Fn(&Args) -> Result<Box<dyn TextPlayer>, ParamError> + Send + Sync;

/// Builds a player of every game from its parameters.
pub type BuildPositionPlayer =
    dyn Fn(&Args) -> Result<Box<dyn PositionPlayer>, ParamError> + Send + Sync;

/// A text player with its listing, as
/// [`Registry::with_text_player`](crate::registry::Registry::with_text_player) takes it.
#[derive(Clone)]
pub struct NamedTextPlayer {
    /// Its name, help and parameters.
    pub info: PlayerInfo,
    /// Makes one.
    pub make: Arc<MakeTextPlayer>,
}

/// A player of every game.
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

    /// Returns whether it answers in text.
    pub(crate) fn is_text(&self) -> bool {
        matches!(self.kind, SharedPlayerKind::Text(_))
    }

    /// Builds the player for `game`.
    pub(super) fn build<G: Game>(
        &self,
        game: &TypedGame<G>,
        args: &Args,
    ) -> Result<Box<dyn Player<G>>, ParamError> {
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

/// The players that a registry gives to every game; copies are cheap.
#[derive(Clone, Default)]
pub(crate) struct SharedPlayers(Arc<Vec<SharedPlayer>>);

impl SharedPlayers {
    pub(crate) fn iter(&self) -> impl Iterator<Item = &SharedPlayer> + Clone {
        self.0.iter()
    }

    pub(crate) fn find(&self, name: &str) -> Option<&SharedPlayer> {
        self.iter().find(|player| player.info.is_called(name))
    }

    /// Adds a player in place of one of the same name.
    pub(crate) fn add(&mut self, player: SharedPlayer) {
        let players = Arc::make_mut(&mut self.0);
        players.retain(|known| known.info.name != player.info.name);
        players.push(player);
    }

    /// Removes the players that answer in text.
    pub(crate) fn remove_text_players(&mut self) {
        Arc::make_mut(&mut self.0).retain(|player| !player.is_text());
    }
}
