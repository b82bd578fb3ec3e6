//! One game of the registry without its type.

use std::borrow::Cow;
use std::sync::Arc;

use super::any::AnyGame;
use super::shared_players::SharedPlayers;
use crate::aliases::{self, Alias};
use crate::assets::Assets;
use crate::named::{GameInfo, PlayerInfo};
use crate::param::{Args, Param, ParamError, Spec};

/// What a game gets from the registry that builds it.
#[derive(Clone)]
pub(crate) struct GameContext {
    /// Players of every game.
    pub(crate) shared_players: SharedPlayers,
    /// Every player of every game, for error messages.
    pub(crate) all_players: Arc<Vec<PlayerInfo>>,
    /// The models and data files that evaluators load.
    pub(crate) assets: Assets,
}

/// Builds a game from its parameters.
pub(super) type BuildAnyGame =
    dyn Fn(Args, GameContext) -> Result<Arc<dyn AnyGame>, ParamError> + Send + Sync;

/// A game of the registry: its listing, its players and how it is built.
#[derive(Clone)]
pub struct GameEntry {
    /// Its name.
    pub name: Cow<'static, str>,
    /// One line of help.
    pub help: Cow<'static, str>,
    /// Its parameters.
    pub params: Cow<'static, [Param]>,
    /// Specs of variants to show; the laws are checked on each of them.
    pub examples: Vec<Cow<'static, str>>,
    /// Old spellings of its name, parameters and options.
    pub aliases: Cow<'static, [Alias]>,
    /// Whether it is played by one side alone, for points.
    pub puzzle: bool,
    players: Vec<PlayerInfo>,
    build: Arc<BuildAnyGame>,
}

impl GameEntry {
    pub(super) fn new(
        info: GameInfo,
        puzzle: bool,
        players: Vec<PlayerInfo>,
        build: Arc<BuildAnyGame>,
    ) -> Self {
        let GameInfo { name, help, params, examples, aliases } = info;
        GameEntry { name, help, params, examples, aliases, puzzle, players, build }
    }

    /// Returns whether `name` is the game's name or an old spelling of it.
    #[must_use]
    pub fn is_called(&self, name: &str) -> bool {
        aliases::is_called(name, &self.name, &self.aliases)
    }

    /// Reads the values of the parameters from `spec`.
    ///
    /// # Errors
    /// Names the parameter, the value and what is allowed.
    pub fn args(&self, spec: &Spec) -> Result<Args, ParamError> {
        let spec = aliases::canonical(spec, &self.name, &self.params, &self.aliases);
        Args::new(self.name.clone(), self.params.clone(), &spec)
    }

    /// Returns the players that can play the game.
    #[must_use]
    pub fn players(&self) -> &[PlayerInfo] {
        &self.players
    }

    /// Returns the player of this name or old spelling.
    #[must_use]
    pub fn player(&self, name: &str) -> Option<&PlayerInfo> {
        self.players.iter().find(|player| player.is_called(name))
    }

    /// Returns the spec of the strongest player that answers within a second.
    #[must_use]
    pub fn default_player(&self) -> &str {
        let quick = self.players.iter().filter_map(|player| player.quick.as_ref());
        quick.max_by_key(|quick| quick.rank).map_or("random", |quick| &quick.spec)
    }

    /// Removes players from the list.
    pub(crate) fn unlist(&mut self, is_gone: impl Fn(&str) -> bool) {
        self.players.retain(|info| !is_gone(&info.name));
    }

    /// Adds a player to the list, in place of one of the same name.
    pub(crate) fn list(&mut self, info: &PlayerInfo) {
        self.players.retain(|known| known.name != info.name);
        self.players.push(info.clone());
    }

    pub(crate) fn build(
        &self,
        args: Args,
        context: GameContext,
    ) -> Result<Arc<dyn AnyGame>, ParamError> {
        (self.build)(args, context)
    }
}
