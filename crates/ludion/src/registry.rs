//! The one place that knows both games and players, by name.
//!
//! `"connect4(7,6)"` becomes a [`AnyGame`], `"minimax(depth=4)"` a [`AnyPlayer`] for it.
//! Types are forgotten only here, at the edge of a decision: inside a search, a playout or
//! a whole match everything is compiled for its game.

mod any;
mod entry;
mod record;
mod replay;
mod riddles;
mod solvers;
mod typed;
mod voices;

pub use crate::archive::Cast;
pub use any::{
    AnyCensus, AnyEnd, AnyGame, AnyPlayer, AnyPosition, AnySolution, AnyWatch, LineError,
};
pub use entry::{Entry, GameEntry, PlayerInfo, SolveGame};
pub use record::Record;
pub use replay::{AnyReplay, VisitGame};
pub use riddles::{AnyRiddle, RiddleEntry};
pub use voices::{MakeVoice, NamedVoice};

use std::sync::Arc;

use crate::games::{
    checkers::{Checkers, endgame::WithEndgames, evaluator::Material},
    connect4::{Connect4, evaluator::Threats, expert::Expert},
    dice::Dice,
    divide::Divide,
    hexapawn::{Hexapawn, Pawns},
    hextris::{CommandGame, PlacementGame},
    marienbad::Marienbad,
    matches::{Matches, Mod4},
    morpion::{Lines, Morpion},
    tictactoe::TicTacToe,
};
use crate::listing::ListedRiddle;
use crate::notation::nearest;
use crate::param::{Args, ParamError, Spec, did_you_mean};
use crate::riddles::mastermind::Mastermind;
use crate::shelf::Shelf;
use voices::Voices;

/// Why a name gives no game or player.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum Error {
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

impl Error {
    fn unknown<'a>(
        what: &'static str,
        name: &str,
        known: impl Iterator<Item = &'a str> + Clone,
    ) -> Self {
        Error::Unknown {
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
    voices: Voices,
    shelf: Shelf,
}

impl Registry {
    /// A registry without games.
    #[must_use]
    pub fn empty() -> Self {
        Registry {
            games: Vec::new(),
            riddles: Vec::new(),
            voices: Voices::default(),
            shelf: Shelf::default(),
        }
    }

    /// Every game of this library.
    #[must_use]
    pub fn standard() -> Self {
        Registry::empty()
            .with(Entry::<Matches>::duel().evaluator(
                "mod4",
                "the theory: lost at a multiple of four, misère at one more",
                Mod4,
            ))
            .with(Entry::<Divide>::duel())
            .with(Entry::<Dice>::duel())
            .with(Entry::<Marienbad>::duel())
            .with(Entry::<Hexapawn>::duel().grid().evaluator(
                "pawns",
                "pawns, how far they have come, and moves left",
                Pawns,
            ))
            .with(Entry::<Morpion>::duel().grid().evaluator(
                "lines",
                "open lines, the stones on them, and lines that lack one",
                Lines,
            ))
            .with(Entry::<TicTacToe>::duel().grid())
            .with(
                Entry::<Connect4>::duel()
                    .grid()
                    .evaluator("threats", "open lines, and threats by row", Threats)
                    .player::<Expert>()
                    .solver(solvers::connect4),
            )
            .with(
                Entry::<Checkers>::duel()
                    .grid()
                    .men()
                    .evaluator(
                        "material+mobility",
                        "pieces once all captures are made, and the steps either side has",
                        Material { mobility: true },
                    )
                    .evaluator(
                        "material",
                        "pieces once all captures are made",
                        Material { mobility: false },
                    )
                    .maker(WithEndgames::maker()),
            )
            .with(Entry::<CommandGame>::puzzle())
            .with(Entry::<PlacementGame>::puzzle())
            .with_riddle::<Mastermind>()
    }

    /// The registry with one more game; a game of the same name is replaced.
    #[must_use]
    pub fn with(mut self, entry: impl Into<GameEntry>) -> Self {
        let mut entry = entry.into();
        for voice in self.voices.iter() {
            entry.list(&voice.info);
        }
        self.games.retain(|known| known.name != entry.name);
        self.games.push(entry);
        self
    }

    /// The registry with one more riddle; a riddle of the same name is replaced.
    #[must_use]
    pub fn with_riddle<R: ListedRiddle>(mut self) -> Self {
        self.riddles.retain(|known| known.name != R::NAME);
        self.riddles.push(RiddleEntry::of::<R>());
        self
    }

    /// The registry with one more player for every game, those added later included: one
    /// that answers in text and so needs to know no game. A player of the same name is
    /// replaced.
    #[must_use]
    pub fn with_voice(mut self, voice: NamedVoice) -> Self {
        for entry in &mut self.games {
            entry.list(&voice.info);
        }
        self.voices.add(voice);
        self
    }

    /// The registry without the players that answer in text.
    #[must_use]
    pub fn without_voices(mut self) -> Self {
        for entry in &mut self.games {
            entry.unlist(|player| self.voices.find(player).is_some());
        }
        self.voices = Voices::default();
        self
    }

    /// The registry with a shelf on which evaluators find their models and data.
    #[must_use]
    pub fn with_shelf(mut self, shelf: Shelf) -> Self {
        self.shelf = shelf;
        self
    }

    /// The shelf on which evaluators find their models and data.
    #[must_use]
    pub fn shelf(&self) -> &Shelf {
        &self.shelf
    }

    /// Whether the player of this name answers in text: a program of somebody's own.
    #[must_use]
    pub fn is_voice(&self, player: &str) -> bool {
        self.voices.find(player).is_some()
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
    pub fn riddle(&self, text: &str) -> Result<Arc<dyn AnyRiddle>, Error> {
        let spec = Spec::parse(text)?;
        let names = self.riddles.iter().map(|entry| entry.name);
        let entry = self.riddles.iter().find(|entry| entry.name == spec.name);
        let entry = entry.ok_or_else(|| Error::unknown("riddle", &spec.name, names))?;
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
    pub fn entry(&self, text: &str) -> Result<&GameEntry, Error> {
        self.entry_of(&Spec::parse(text)?)
    }

    fn entry_of(&self, spec: &Spec) -> Result<&GameEntry, Error> {
        let names = self.games.iter().map(|entry| entry.name);
        self.games
            .iter()
            .find(|entry| entry.name == spec.name)
            .ok_or_else(|| Error::unknown("game", &spec.name, names))
    }

    /// The game that `text` names, such as `connect4(7, 6)`.
    ///
    /// # Errors
    /// For an unknown game the nearest names, for a wrong parameter what is allowed.
    pub fn game(&self, text: &str) -> Result<Arc<dyn AnyGame>, Error> {
        self.game_with(text, &self.shelf)
    }

    /// The game that `text` names, whose evaluators look on another shelf.
    ///
    /// # Errors
    /// As [`Registry::game`].
    pub fn game_with(&self, text: &str, shelf: &Shelf) -> Result<Arc<dyn AnyGame>, Error> {
        let spec = Spec::parse(text)?;
        let entry = self.entry_of(&spec)?;
        let args = Args::new(entry.name, entry.params, &spec)?;
        Ok(entry.build(args, self.voices.clone(), shelf.clone())?)
    }
}
