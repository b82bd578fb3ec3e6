//! A type-erased game of the registry.

use std::borrow::Cow;
use std::sync::Arc;

use super::any::AnyGame;
use super::shared_players::SharedPlayers;
use crate::aliases::{self, Alias};
use crate::assets::Assets;
use crate::named::{GameInfo, PlayerInfo, SharedEvaluator};
use crate::param::{Args, Param, ParamError, Spec};
use crate::presentation::{GamePresentation, StrengthLevel};

/// The data of a registry that a game needs to build its players.
#[derive(Clone)]
pub(crate) struct GameContext {
    /// The players that the registry adds to every game.
    pub(crate) shared_players: SharedPlayers,
    /// The players of all games, to explain in an error that a player exists but not for this game.
    pub(crate) all_players: Arc<Vec<PlayerInfo>>,
    /// The models and data files that evaluators and players load.
    pub(crate) assets: Assets,
    /// The evaluators that the registry adds to every game for two sides.
    pub(crate) shared_evaluators: Arc<Vec<SharedEvaluator>>,
}

/// Function that builds a type-erased game from its parameters.
pub(super) type BuildAnyGame =
    dyn Fn(Args, GameContext) -> Result<Arc<dyn AnyGame>, ParamError> + Send + Sync;

/// A game of the registry: its description, its players and the function that builds it.
#[derive(Clone)]
pub struct GameEntry {
    /// The name of the game in specs.
    pub name: Cow<'static, str>,
    /// One line that describes the game in lists and help texts.
    pub help: Cow<'static, str>,
    /// The parameters that a spec of the game can set.
    pub params: Cow<'static, [Param]>,
    /// Specs of typical variants of the game, shown in lists. Tests check each of them with
    /// [`crate::laws`].
    pub examples: Vec<Cow<'static, str>>,
    /// Old names of the game, its parameters and their options, which specs may still use.
    pub aliases: Cow<'static, [Alias]>,
    /// What people are told about the game.
    pub presentation: GamePresentation,
    /// Whether the game is a puzzle: played by one side alone, for points.
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
        let GameInfo { name, help, params, examples, aliases, mut presentation } = info;
        if presentation.title.is_empty() {
            presentation.title = name.clone();
        }
        GameEntry { name, help, params, examples, aliases, presentation, puzzle, players, build }
    }

    /// Returns whether `name` is the present name of the game or an old one.
    #[must_use]
    pub fn is_called(&self, name: &str) -> bool {
        aliases::is_called(name, &self.name, &self.aliases)
    }

    /// Reads the values of the game's parameters from `spec`.
    ///
    /// # Errors
    /// When a parameter is unknown or its value is not allowed.
    pub fn args(&self, spec: &Spec) -> Result<Args, ParamError> {
        let spec = aliases::canonical(spec, &self.name, &self.params, &self.aliases);
        Args::new(self.name.clone(), self.params.clone(), &spec)
    }

    /// Returns the players that can play the game.
    #[must_use]
    pub fn players(&self) -> &[PlayerInfo] {
        &self.players
    }

    /// Returns the player of the game whose present or old name is `name`; `None` if there is none.
    #[must_use]
    pub fn player(&self, name: &str) -> Option<&PlayerInfo> {
        self.players.iter().find(|player| player.is_called(name))
    }

    /// Returns the spec of the strongest player that answers within a second for the variant with this
    /// shortest spec: the one that the game names for the level `strong`, or the best that players
    /// declare; `random` if there is none.
    #[must_use]
    pub fn default_player(&self, spec: &str) -> &str {
        let is_of_variant =
            |level: &&StrengthLevel| level.variants.is_empty() || self.is_level_of(level, spec);
        let mut named = self.presentation.levels.iter().filter(|level| level.name == "strong");
        if let Some(level) = named.find(is_of_variant) {
            return &level.spec;
        }
        let quick = self.players.iter().filter_map(|player| player.quick.as_ref());
        quick.max_by_key(|quick| quick.rank).map_or("random", |quick| &quick.spec)
    }

    /// Returns the canonical shortest spec of each variant with the name that people use for it.
    #[must_use]
    pub fn titled_variants(&self) -> Vec<(String, &str)> {
        let titled = self.presentation.variants.iter();
        titled.filter_map(|(spec, title)| Some((self.shortest(spec)?, &**title))).collect()
    }

    /// Returns the canonical shortest spec of a variant; `None` if there is no such variant.
    fn shortest(&self, spec: &str) -> Option<String> {
        Some(self.args(&Spec::parse(spec).ok()?).ok()?.to_string())
    }

    /// Returns the name that people use for the variant with this shortest spec: its own, or that of
    /// the game.
    #[must_use]
    pub fn title_of(&self, spec: &str) -> &str {
        let own = self.titled_variants().into_iter().find(|(variant, _)| variant == spec);
        own.map_or(&self.presentation.title, |(_, title)| title)
    }

    /// Returns players by their strength for the variant with this shortest spec, the weakest first:
    /// `mcts` with few simulations and the default player, and those that the game names itself for
    /// this variant.
    #[must_use]
    pub fn levels(&self, spec: &str) -> Vec<StrengthLevel> {
        let levels = self.presentation.levels.iter();
        let own: Vec<_> = levels.filter(|level| self.is_level_of(level, spec)).collect();
        let beginner = StrengthLevel::new("beginner", "mcts(sims=30)");
        let strong = StrengthLevel {
            spec: self.default_player(spec).to_owned().into(),
            ..StrengthLevel::new("strong", "")
        };
        let mut levels = vec![beginner, StrengthLevel::new("club", "mcts(sims=1000)"), strong];
        let is_listed = |level: &StrengthLevel| {
            Spec::parse(&level.spec).is_ok_and(|spec| self.player(&spec.name).is_some())
        };
        let is_replaced = |level: &StrengthLevel| {
            own.iter().any(|named| named.name == level.name || named.spec == level.spec)
        };
        levels.retain(|level| is_listed(level) && !is_replaced(level));
        levels.extend(own.into_iter().cloned());
        let order = ["beginner", "club", "strong", "perfect"];
        levels.sort_by_key(|level| order.iter().position(|name| *name == level.name));
        levels
    }

    /// Returns whether a level that the game names is one of the variant with this shortest spec.
    fn is_level_of(&self, level: &StrengthLevel, spec: &str) -> bool {
        match &level.variants[..] {
            [] => spec == self.name,
            named => named.iter().any(|variant| self.shortest(variant).as_deref() == Some(spec)),
        }
    }

    /// Removes the players for whose names `is_gone` returns true from the list of players.
    pub(crate) fn unlist(&mut self, is_gone: impl Fn(&str) -> bool) {
        self.players.retain(|info| !is_gone(&info.name));
    }

    /// Adds a player to the list of players; it replaces a player of the same name.
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
