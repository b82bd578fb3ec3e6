//! The one place that knows both games and players, by name.
//!
//! `"connect4(7,6)"` becomes a [`AnyGame`], `"minimax(depth=4)"` a [`AnyPlayer`] for it.
//! Types are forgotten only here, at the edge of a decision: inside a search, a playout or
//! a whole match everything is compiled for its game.

mod any;
mod archived;
mod entry;
mod history;
mod riddles;
mod solvers;
mod text_players;
mod typed;

pub use crate::archive::SimulationSettings;
pub use any::{
    AnyCensus, AnyGame, AnyObserver, AnyOutcomeCount, AnyPlayer, AnyPosition, AnySolution,
    MoveListError,
};
pub use archived::{AnyArchivedGame, VisitArchivedGame};
pub use entry::{GameBuilder, GameEntry, PlayerInfo, SolveFn};
pub use history::GameHistory;
pub use riddles::{AnyRiddle, RiddleEntry};
pub use text_players::{MakeTextPlayer, NamedTextPlayer};

use std::sync::Arc;

use crate::assets::Assets;
use crate::games::{
    checkers::{Checkers, endgame::EndgameEvaluator, evaluator::MaterialEvaluator},
    connect4::{Connect4, evaluator::ThreatEvaluator, solver_player::SolverPlayer},
    dice::Dice,
    divide::Divide,
    hexapawn::{Hexapawn, PawnEvaluator},
    hextris::{CommandGame, PlacementGame},
    marienbad::Marienbad,
    matches::{Matches, Mod4Evaluator},
    morpion::{LineEvaluator, Morpion},
    tictactoe::TicTacToe,
};
use crate::named::NamedRiddle;
use crate::notation::nearest;
use crate::param::{Args, ParamError, Spec, did_you_mean};
use crate::riddles::mastermind::Mastermind;
use text_players::TextPlayers;

/// Why a name gives no game or player.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum RegistryError {
    /// No game or player of that name.
    #[error("no {what} is called {name:?}{}; there are {known}", did_you_mean(meant))]
    Unknown {
        /// Game or player.
        what: &'static str,
        /// What was written.
        name: String,
        /// The nearest names.
        meant: Vec<String>,
        /// All names, in words.
        known: String,
    },
    /// The parameters are wrong.
    #[error(transparent)]
    Param(#[from] ParamError),
    /// The player exists, but not for this kind of game.
    #[error("{player} plays duels only, and {game} is a puzzle for one; for it there are {known}")]
    DuelsOnly {
        /// The player.
        player: String,
        /// The game.
        game: String,
        /// Players that can, in words.
        known: String,
    },
    /// The player exists, but not for this game.
    #[error(
        "{player} is not for {game}: it plays games of men alone on 32 squares, as checkers by the \
         seed's rules is; for {game} there are {known}"
    )]
    MenOnly {
        /// The player.
        player: String,
        /// The game.
        game: String,
        /// Players that can, in words.
        known: String,
    },
    /// A match was asked for where there is no opponent.
    #[error("{game} is a puzzle for one, and a match needs a game for two")]
    NoOpponent {
        /// The game.
        game: String,
    },
}

impl RegistryError {
    fn unknown<'a>(
        what: &'static str,
        name: &str,
        known: impl Iterator<Item = &'a str> + Clone,
    ) -> Self {
        RegistryError::Unknown {
            what,
            name: name.to_owned(),
            meant: nearest(name, known.clone()).into_iter().map(str::to_owned).collect(),
            known: known.collect::<Vec<_>>().join(", "),
        }
    }
}

/// All games by name, each with its players. Copies are cheap, and may have shelves of their own.
#[derive(Clone)]
pub struct Registry {
    games: Vec<GameEntry>,
    riddles: Vec<RiddleEntry>,
    text_players: TextPlayers,
    assets: Assets,
}

impl Registry {
    /// A registry without games.
    #[must_use]
    pub fn empty() -> Self {
        Registry {
            games: Vec::new(),
            riddles: Vec::new(),
            text_players: TextPlayers::default(),
            assets: Assets::default(),
        }
    }

    /// Every game of this library.
    #[must_use]
    pub fn standard() -> Self {
        Registry::empty()
            .with(GameBuilder::<Matches>::duel().evaluator(
                "mod4",
                "the theory: lost at a multiple of four, misère at one more",
                Mod4Evaluator,
            ))
            .with(GameBuilder::<Divide>::duel())
            .with(GameBuilder::<Dice>::duel())
            .with(GameBuilder::<Marienbad>::duel())
            .with(GameBuilder::<Hexapawn>::duel().grid().evaluator(
                "pawns",
                "pawns, how far they have come, and moves left",
                PawnEvaluator,
            ))
            .with(GameBuilder::<Morpion>::duel().grid().evaluator(
                "lines",
                "open lines, the stones on them, and lines that lack one",
                LineEvaluator,
            ))
            .with(GameBuilder::<TicTacToe>::duel().grid())
            .with(
                GameBuilder::<Connect4>::duel()
                    .grid()
                    .evaluator("threats", "open lines, and threats by row", ThreatEvaluator)
                    .player::<SolverPlayer>()
                    .solver(solvers::connect4),
            )
            .with(
                GameBuilder::<Checkers>::duel()
                    .grid()
                    .men()
                    .evaluator(
                        "material+mobility",
                        "pieces once all captures are made, and the steps either side has",
                        MaterialEvaluator { mobility: true },
                    )
                    .evaluator(
                        "material",
                        "pieces once all captures are made",
                        MaterialEvaluator { mobility: false },
                    )
                    .maker(EndgameEvaluator::maker()),
            )
            .with(GameBuilder::<CommandGame>::puzzle())
            .with(GameBuilder::<PlacementGame>::puzzle())
            .with_riddle::<Mastermind>()
    }

    /// The registry with one more game; a game of the same name is replaced.
    #[must_use]
    pub fn with(mut self, entry: impl Into<GameEntry>) -> Self {
        let mut entry = entry.into();
        for text_player in self.text_players.iter() {
            entry.list(&text_player.info);
        }
        self.games.retain(|known| known.name != entry.name);
        self.games.push(entry);
        self
    }

    /// The registry with one more riddle; a riddle of the same name is replaced.
    #[must_use]
    pub fn with_riddle<R: NamedRiddle>(mut self) -> Self {
        self.riddles.retain(|known| known.name != R::NAME);
        self.riddles.push(RiddleEntry::of::<R>());
        self
    }

    /// The registry with one more player for every game, those added later included: one
    /// that answers in text and so needs to know no game. A player of the same name is
    /// replaced.
    #[must_use]
    pub fn with_text_player(mut self, text_player: NamedTextPlayer) -> Self {
        for entry in &mut self.games {
            entry.list(&text_player.info);
        }
        self.text_players.add(text_player);
        self
    }

    /// The registry without the players that answer in text.
    #[must_use]
    pub fn without_text_players(mut self) -> Self {
        for entry in &mut self.games {
            entry.unlist(|player| self.text_players.find(player).is_some());
        }
        self.text_players = TextPlayers::default();
        self
    }

    /// The registry with a shelf on which evaluators find their models and data.
    #[must_use]
    pub fn with_assets(mut self, assets: Assets) -> Self {
        self.assets = assets;
        self
    }

    /// The shelf on which evaluators find their models and data.
    #[must_use]
    pub fn assets(&self) -> &Assets {
        &self.assets
    }

    /// Whether the player of this name answers in text: a program of somebody's own.
    #[must_use]
    pub fn is_text_player(&self, player: &str) -> bool {
        self.text_players.find(player).is_some()
    }

    /// All games, in the order they were registered.
    #[must_use]
    pub fn games(&self) -> &[GameEntry] {
        &self.games
    }

    /// All riddles, in the order they were registered.
    #[must_use]
    pub fn riddles(&self) -> &[RiddleEntry] {
        &self.riddles
    }

    /// The riddle that `text` names, such as `mastermind(5, 8)`.
    ///
    /// # Errors
    /// For an unknown riddle the nearest names, for a wrong parameter what is allowed.
    pub fn riddle(&self, text: &str) -> Result<Arc<dyn AnyRiddle>, RegistryError> {
        let spec = Spec::parse(text)?;
        let names = self.riddles.iter().map(|entry| entry.name);
        let entry = self.riddles.iter().find(|entry| entry.name == spec.name);
        let entry = entry.ok_or_else(|| RegistryError::unknown("riddle", &spec.name, names))?;
        Ok(entry.build(&Args::new(entry.name, entry.params, &spec)?)?)
    }

    /// All players of all games, each once.
    #[must_use]
    pub fn players(&self) -> Vec<PlayerInfo> {
        let mut players: Vec<PlayerInfo> = Vec::new();
        for info in self.games.iter().flat_map(GameEntry::players) {
            if !players.iter().any(|known| known.name == info.name) {
                players.push(info.clone());
            }
        }
        players
    }

    /// The entry of the game that `text` names, whatever parameters it gives.
    ///
    /// # Errors
    /// For an unknown game the nearest names.
    pub fn entry(&self, text: &str) -> Result<&GameEntry, RegistryError> {
        self.entry_of(&Spec::parse(text)?)
    }

    fn entry_of(&self, spec: &Spec) -> Result<&GameEntry, RegistryError> {
        let names = self.games.iter().map(|entry| entry.name);
        self.games
            .iter()
            .find(|entry| entry.name == spec.name)
            .ok_or_else(|| RegistryError::unknown("game", &spec.name, names))
    }

    /// The game that `text` names, such as `connect4(7, 6)`.
    ///
    /// # Errors
    /// For an unknown game the nearest names, for a wrong parameter what is allowed.
    pub fn game(&self, text: &str) -> Result<Arc<dyn AnyGame>, RegistryError> {
        self.game_with(text, &self.assets)
    }

    /// The game that `text` names, whose evaluators look on another shelf.
    ///
    /// # Errors
    /// As [`Registry::game`].
    pub fn game_with(
        &self,
        text: &str,
        assets: &Assets,
    ) -> Result<Arc<dyn AnyGame>, RegistryError> {
        let spec = Spec::parse(text)?;
        let entry = self.entry_of(&spec)?;
        let args = Args::new(entry.name, entry.params, &spec)?;
        Ok(entry.build(args, self.text_players.clone(), assets.clone())?)
    }
}
