//! All games, players and riddles by name. `"connect4(7, 6)"` becomes an [`AnyGame`],
//! `"minimax(depth=4)"` an [`AnyPlayer`] for it.
//!
//! `ludion::registry::standard` returns one with every built-in game and riddle. A program of your
//! own adds to it:
//!
//! - a game with its evaluators, players, solver and learning, by [`Registry::with`] and
//!   [`GameBuilder`];
//! - a riddle, by [`Registry::with_riddle`];
//! - a player for all games, by [`Registry::with_player_for_all`]. Such a [`PositionPlayer`] sees
//!   type-erased positions; a player for one kind of game is a typed
//!   [`Player`](crate::player::Player), added to the game's [`GameBuilder`];
//! - an evaluator for all games, by [`Registry::with_evaluator_for_all`]. It sees batches of encoded
//!   states.
//!
//! ```
//! use ludion::game::Status;
//! use ludion::outcome::{AnyOutcome, Duel};
//! use ludion::player::{Budget, Choice, NoObserver, PlayerError};
//! use ludion::registry::{self, PlayerInfo, PositionPlayer, PositionRequest};
//!
//! /// Wins at once if it can; otherwise plays the first legal move.
//! struct WinNow;
//!
//! impl PositionPlayer for WinNow {
//!     fn choose(&mut self, request: &PositionRequest<'_>) -> Result<Choice<String>, PlayerError> {
//!         let side = request.position.status().turn().ok_or(PlayerError::Over)?;
//!         let won = Status::Over(AnyOutcome::Duel(Duel::Won(side)));
//!         let mut moves = request.position.moves();
//!         let wins = |m: &String| {
//!             let mut after = request.position.copy();
//!             after.play(m).is_ok() && after.status() == won
//!         };
//!         let best = moves.iter().position(wins).unwrap_or(0);
//!         Ok(Choice::bare(moves.swap_remove(best)))
//!     }
//! }
//!
//! let info = PlayerInfo {
//!     name: "win-now".into(),
//!     help: "wins at once if it can".into(),
//!     ..PlayerInfo::default()
//! };
//! let registry = registry::standard().with_player_for_all(info, |_args| Ok(Box::new(WinNow)));
//! let game = registry.game("tictactoe").unwrap();
//! let mut position = game.start();
//! position.play_line("a1 a2 b1 b2").unwrap();
//! let mut player = game.player("win-now").unwrap();
//! let choice = player.choose(&*position, Budget::UNLIMITED, &NoObserver).unwrap();
//! assert_eq!(choice.best, "c1");
//! ```
//!
//! A game whose name and parameters are known only at run time:
//!
//! ```
//! use ludion::games::matches::Matches;
//! use ludion::param::{Args, Param};
//! use ludion::registry::{GameBuilder, GameInfo, Registry};
//!
//! let heaps = ["small", "large"].into_iter().zip([7, 70]);
//! let registry = heaps.fold(Registry::empty(), |registry, (name, n)| {
//!     let info = GameInfo {
//!         name: format!("{name}-heap").into(),
//!         help: format!("take 1, 2 or 3 of {n} matches").into(),
//!         params: vec![Param::flag("misere", "who takes the last match loses")].into(),
//!         ..GameInfo::default()
//!     };
//!     let build = move |args: &Args| Ok(Matches { n, misere: args.flag("misere") });
//!     registry.with(GameBuilder::duel_with(info, build))
//! });
//! assert_eq!(registry.game("large-heap(misere)").unwrap().start().show(), "70 first");
//! ```

pub use crate::archive::GeneratorSettings;
pub use crate::erased::{
    AnyBatch, AnyCensus, AnyDecodedGame, AnyGame, AnyObserver, AnyOutcomeFrequency, AnyPlayer,
    AnyPosition, AnyRiddle, AnySolution, BatchOutputs, GameBuilder, GameEntry, GameHistory,
    IllegalActionError, MakeTextPlayer, MoveListError, NamedTextPlayer, PositionPlayer,
    PositionRequest, RegistryError, RiddleEntry, VisitDecodedGame,
};
pub use crate::named::{GameInfo, PlayerInfo, SharedEvaluator};
pub use crate::solution::SolveFn;

use std::sync::Arc;

use crate::assets::Assets;
use crate::erased::{GameContext, SharedPlayer, SharedPlayers};
use crate::param::{Args, ParamError, Spec};

/// All games with their players, and all riddles, by name. Clones are cheap and can have different
/// assets.
#[derive(Clone)]
pub struct Registry {
    games: Vec<GameEntry>,
    riddles: Vec<RiddleEntry>,
    shared_players: SharedPlayers,
    /// The players of all games; those of the same name are listed once.
    all_players: Arc<Vec<PlayerInfo>>,
    assets: Assets,
    shared_evaluators: Arc<Vec<SharedEvaluator>>,
}

impl Registry {
    /// Returns a registry without games, riddles and players.
    #[must_use]
    pub fn empty() -> Self {
        Registry {
            games: Vec::new(),
            riddles: Vec::new(),
            shared_players: SharedPlayers::default(),
            all_players: Arc::default(),
            assets: Assets::default(),
            shared_evaluators: Arc::default(),
        }
    }

    /// Adds a game; it replaces a game of the same name.
    #[must_use]
    pub fn with(mut self, entry: impl Into<GameEntry>) -> Self {
        let mut entry = entry.into();
        for shared in self.shared_players.iter() {
            entry.list(&shared.info);
        }
        self.games.retain(|known| known.name != entry.name);
        self.games.push(entry);
        self.collect_players();
        self
    }

    /// Adds a riddle; it replaces a riddle of the same name.
    #[must_use]
    pub fn with_riddle(mut self, entry: RiddleEntry) -> Self {
        self.riddles.retain(|known| known.name != entry.name);
        self.riddles.push(entry);
        self
    }

    /// Adds a player to every game, also to games added later; it replaces a player of the same
    /// name. `build` makes the player from its parameters; the player sees type-erased positions.
    #[must_use]
    pub fn with_player_for_all(
        self,
        info: PlayerInfo,
        build: impl Fn(&Args) -> Result<Box<dyn PositionPlayer>, ParamError> + Send + Sync + 'static,
    ) -> Self {
        self.with_shared_player(SharedPlayer::position(info, Arc::new(build)))
    }

    /// Adds a player that exchanges text, such as an external bot, to every game, also to games
    /// added later; it replaces a player of the same name.
    #[must_use]
    pub fn with_text_player(self, text_player: NamedTextPlayer) -> Self {
        self.with_shared_player(SharedPlayer::text(text_player))
    }

    fn with_shared_player(mut self, player: SharedPlayer) -> Self {
        for entry in &mut self.games {
            entry.list(&player.info);
        }
        self.shared_players.add(player);
        self.collect_players();
        self
    }

    /// Removes the players that exchange text, such as external bots, from all games.
    #[must_use]
    pub fn without_text_players(mut self) -> Self {
        for entry in &mut self.games {
            let text =
                |name: &str| self.shared_players.find(name).is_some_and(SharedPlayer::is_text);
            entry.unlist(text);
        }
        self.shared_players.remove_text_players();
        self.collect_players();
        self
    }

    /// Adds an evaluator of values and policies to every game for two sides, also to games added
    /// later; it replaces an evaluator of the same name.
    #[must_use]
    pub fn with_evaluator_for_all(mut self, evaluator: SharedEvaluator) -> Self {
        let shared = Arc::make_mut(&mut self.shared_evaluators);
        shared.retain(|known| known.name != evaluator.name);
        shared.push(evaluator);
        self
    }

    fn collect_players(&mut self) {
        let mut players: Vec<PlayerInfo> = Vec::new();
        for info in self.games.iter().flat_map(GameEntry::players) {
            if !players.iter().any(|known| known.name == info.name) {
                players.push(info.clone());
            }
        }
        self.all_players = Arc::new(players);
    }

    /// Replaces the assets: the models and data files that evaluators and players load.
    #[must_use]
    pub fn with_assets(mut self, assets: Assets) -> Self {
        self.assets = assets;
        self
    }

    /// Returns the assets: the models and data files that evaluators and players load.
    #[must_use]
    pub fn assets(&self) -> &Assets {
        &self.assets
    }

    /// Returns whether the player of this name exchanges text, as external bots do.
    #[must_use]
    pub fn is_text_player(&self, player: &str) -> bool {
        self.shared_players.find(player).is_some_and(SharedPlayer::is_text)
    }

    /// Returns all games, in the order they were added.
    #[must_use]
    pub fn games(&self) -> &[GameEntry] {
        &self.games
    }

    /// Returns all riddles, in the order they were added.
    #[must_use]
    pub fn riddles(&self) -> &[RiddleEntry] {
        &self.riddles
    }

    /// Returns the players of all games; those of the same name are listed once.
    #[must_use]
    pub fn players(&self) -> Vec<PlayerInfo> {
        (*self.all_players).clone()
    }

    /// Returns the entry of the game that the spec `text` names; its parameters are not checked.
    ///
    /// # Errors
    /// When the spec does not parse or the game is unknown; the error suggests similar names.
    pub fn entry(&self, text: &str) -> Result<&GameEntry, RegistryError> {
        self.entry_of(&Spec::parse(text)?)
    }

    fn entry_of(&self, spec: &Spec) -> Result<&GameEntry, RegistryError> {
        let names = || self.games.iter().map(|entry| &*entry.name).collect::<Vec<_>>();
        let entry = self.games.iter().find(|entry| entry.is_called(&spec.name));
        entry.ok_or_else(|| {
            let riddle = self.riddles.iter().find(|riddle| riddle.is_called(&spec.name));
            match riddle.map(|riddle| riddle.name.clone().into_owned()) {
                Some(name) => RegistryError::IsRiddle { name, known: names().join(", ") },
                None => RegistryError::unknown("game", &spec.name, &names()),
            }
        })
    }

    /// Builds the game that the spec `text` describes, such as `connect4(7, 6)`.
    ///
    /// # Errors
    /// When the spec does not parse, the game is unknown, or its parameters are wrong.
    pub fn game(&self, text: &str) -> Result<Arc<dyn AnyGame>, RegistryError> {
        self.game_with(text, &self.assets)
    }

    /// Builds the game that the spec `text` describes, with `assets` in place of those of the
    /// registry.
    ///
    /// # Errors
    /// As for [`Registry::game`].
    pub fn game_with(
        &self,
        text: &str,
        assets: &Assets,
    ) -> Result<Arc<dyn AnyGame>, RegistryError> {
        let spec = Spec::parse(text)?;
        let entry = self.entry_of(&spec)?;
        let context = GameContext {
            shared_players: self.shared_players.clone(),
            all_players: Arc::clone(&self.all_players),
            assets: assets.clone(),
            shared_evaluators: Arc::clone(&self.shared_evaluators),
        };
        Ok(entry.build(entry.args(&spec)?, context)?)
    }

    /// Returns the entry of the riddle that the spec `text` names; its parameters are not checked.
    ///
    /// # Errors
    /// When the spec does not parse or the riddle is unknown; the error suggests similar names.
    pub fn riddle_entry(&self, text: &str) -> Result<&RiddleEntry, RegistryError> {
        let name = Spec::parse(text)?.name;
        let names = || self.riddles.iter().map(|entry| &*entry.name).collect::<Vec<_>>();
        let entry = self.riddles.iter().find(|entry| entry.is_called(&name));
        entry.ok_or_else(|| RegistryError::unknown("riddle", &name, &names()))
    }

    /// Builds the riddle that the spec `text` describes, such as `mastermind(5, 8)`.
    ///
    /// # Errors
    /// When the spec does not parse, the riddle is unknown, or its parameters are wrong.
    pub fn riddle(&self, text: &str) -> Result<Arc<dyn AnyRiddle>, RegistryError> {
        Ok(self.riddle_entry(text)?.build(&Spec::parse(text)?)?)
    }
}

#[doc(hidden)]
#[deprecated(since = "0.2.0", note = "renamed to `RegistryError`")]
pub type Error = RegistryError;
