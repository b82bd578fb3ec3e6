//! Games, positions and players once their types are forgotten: what the command line, the
//! arena and the page hold. Each call here is one virtual call for a whole decision, walk
//! or batch of games.

use std::any::Any;

use num_bigint::BigUint;
use num_rational::BigRational;

use super::RegistryError;
use super::archived::VisitArchivedGame;
use crate::archive::{AnySimulator, BlockError, GameBlock, SimulationSettings};
use crate::arena::pair::AnyReferee;
use crate::game::Status;
use crate::laws::LawViolation;
use crate::learn::labelling::{Labelling, LabellingError, VisitLabels};
use crate::learn::patterns::AnyLearner;
use crate::notation::NotationError;
use crate::outcome::AnyOutcome;
use crate::player::{Budget, Choice, Observer, PlayerError};
use crate::scene::{Coord, Scene, Symmetry};
use crate::search::census::CensusError;
use crate::search::solve::{Solution, SolveError, SolveLimits};

/// A game by name.
pub trait AnyGame: Send + Sync {
    /// The shortest text that names it.
    fn spec(&self) -> &str;
    /// The position in which every game begins.
    fn start(&self) -> Box<dyn AnyPosition>;
    /// Reads a position.
    ///
    /// # Errors
    /// What does not read, and where.
    fn read(&self, text: &str) -> Result<Box<dyn AnyPosition>, NotationError>;
    /// The player that `text` names, such as `minimax(depth=4)`.
    ///
    /// # Errors
    /// For an unknown player the nearest names, for a wrong parameter what is allowed.
    fn player(&self, text: &str) -> Result<Box<dyn AnyPlayer>, RegistryError>;
    /// A referee for matches between the players that `texts` name.
    ///
    /// # Errors
    /// As [`AnyGame::player`]; also when the game is a puzzle.
    fn referee(&self, texts: &[String]) -> Result<Box<dyn AnyReferee>, RegistryError>;
    /// Somebody who plays games for an archive.
    ///
    /// # Errors
    /// As [`AnyGame::player`].
    fn simulator(&self, cast: &SimulationSettings) -> Result<Box<dyn AnySimulator>, RegistryError>;
    /// Reads a block of an archive, game by game, until `visit` breaks off.
    ///
    /// # Errors
    /// When the block is none of this game.
    fn each_game(
        &self,
        block: &GameBlock,
        visit: &mut VisitArchivedGame<'_>,
    ) -> Result<(), BlockError>;
    /// Learning of patterns, where the game is one of pieces on a board.
    fn learning(&self) -> Option<Box<dyn AnyLearner>>;
    /// Shows the samples of every game in the bytes of an archive, where positions are words.
    ///
    /// # Errors
    /// When they are not, or the bytes are no archive of this game.
    fn lessons(
        &self,
        lesson: Labelling,
        bytes: &[u8],
        visit: &mut VisitLabels<'_>,
    ) -> Result<(), LabellingError>;
    /// The symmetries of the board that the rules respect.
    fn symmetries(&self) -> Vec<Symmetry>;
    /// Checks the laws of games on `games` random games; returns the states looked at.
    ///
    /// # Errors
    /// The first law found broken.
    fn check_laws(&self, games: usize, seed: u64) -> Result<usize, LawViolation>;
}

/// A position of a game.
pub trait AnyPosition: Any + Send + Sync {
    /// A copy.
    fn copy(&self) -> Box<dyn AnyPosition>;
    /// The position in its notation.
    fn show(&self) -> String;
    /// Its key.
    fn key(&self) -> u64;
    /// Whose turn it is, or how the game ended.
    fn status(&self) -> Status<AnyOutcome>;
    /// The legal moves in their notation and the order of the game.
    fn moves(&self) -> Vec<String>;
    /// The legal move that `text` means, as the game itself writes it.
    ///
    /// # Errors
    /// Names the legal moves when `text` is none of them.
    fn spell(&self, text: &str) -> Result<String, NotationError>;
    /// Plays one move.
    ///
    /// # Errors
    /// Names the legal moves when `text` is none of them.
    fn play(&mut self, text: &str) -> Result<(), NotationError>;
    /// The position as a picture.
    fn scene(&self) -> Scene;
    /// The cells of the scene a person touches to play a move.
    ///
    /// # Errors
    /// Names the legal moves when `text` is none of them.
    fn touches(&self, text: &str) -> Result<Vec<Coord>, NotationError>;
    /// How many lines of exactly `depth` moves start here.
    fn perft(&self, depth: u32, threads: usize) -> u64;
    /// Counts all positions and games from here.
    ///
    /// # Errors
    /// When more than `limit` moves lead from position to position, or games are infinitely
    /// many.
    fn census(&self, limit: u64) -> Result<AnyCensus, CensusError>;
    /// How many distinct positions there are after 0, 1, … `depth` plies.
    ///
    /// # Errors
    /// When one ply has more than `limit`.
    fn positions_by_ply(&self, depth: u32, limit: u64) -> Result<Vec<u64>, CensusError>;
    /// What perfect play from here comes to, with every move that keeps it.
    ///
    /// # Errors
    /// When the game is over or a puzzle, or the effort does not suffice.
    fn solve(
        &self,
        effort: SolveLimits,
        observer: &AnyObserver<'_>,
    ) -> Result<AnySolution, SolveError>;
    /// Plays `count` random games from here, in batches where the game has them; returns
    /// how often each kind of end came.
    fn playouts(&self, count: u64, seed: u64) -> Vec<u64>;
    /// Plays `count` random games from here one after the other.
    fn playouts_one_by_one(&self, count: u64, seed: u64) -> Vec<u64>;
}

impl dyn AnyPosition {
    /// Plays several moves with white space or commas between them. A word that is no move
    /// is tried character by character, so that `4453` is four moves of Connect Four.
    ///
    /// # Errors
    /// At the first word that is no legal move; the moves before it are played.
    pub fn play_line(&mut self, text: &str) -> Result<Vec<String>, MoveListError> {
        let mut played = Vec::new();
        for word in text.split([' ', ',', '\t', '\n']).filter(|word| !word.is_empty()) {
            let Err(error) = self.play(word) else {
                played.push(word.to_owned());
                continue;
            };
            let before = played.len();
            for c in word.chars() {
                let single = c.to_string();
                if let Err(within) = self.play(&single) {
                    let number = played.len() + 1;
                    let error = if played.len() == before { error } else { within };
                    return Err(MoveListError { number, error });
                }
                played.push(single);
            }
        }
        Ok(played)
    }
}

/// A move in a list that is not legal when its turn comes.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("move {number}: {error}")]
pub struct MoveListError {
    /// Which move, counted from 1.
    pub number: usize,
    /// What is wrong with it.
    pub error: NotationError,
}

/// What a walk over all positions of a game found.
#[derive(Clone, PartialEq, Debug)]
pub struct AnyCensus {
    /// Distinct positions, finished ones included.
    pub positions: u64,
    /// The longest game in plies.
    pub longest: u32,
    /// Complete games.
    pub games: BigUint,
    /// What perfect play comes to.
    pub perfect: AnyOutcome,
    /// For every end that can happen, how often.
    pub ends: Vec<AnyOutcomeCount>,
}

/// How often one end happens.
#[derive(Clone, PartialEq, Debug)]
pub struct AnyOutcomeCount {
    /// The end.
    pub outcome: AnyOutcome,
    /// Complete games that end so.
    pub games: BigUint,
    /// The exact chance under random play.
    pub chance: BigRational,
}

/// What perfect play comes to; moves come in their notation.
pub type AnySolution = Solution<String>;

/// Somebody who looks on while a player thinks; moves come in their notation.
pub type AnyObserver<'a> = dyn Observer<String> + 'a;

/// A player for the positions of one game.
pub trait AnyPlayer: Send {
    /// The shortest text that names it.
    fn spec(&self) -> &str;
    /// A new game begins: forget the last one and draw from `seed` from now on.
    fn begin(&mut self, seed: u64);
    /// Chooses a move.
    ///
    /// # Errors
    /// When the game is over, the position is of another game, or the player fails.
    fn choose(
        &mut self,
        position: &dyn AnyPosition,
        budget: Budget,
        observer: &AnyObserver<'_>,
    ) -> Result<Choice<String>, PlayerError>;
}
