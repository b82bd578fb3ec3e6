//! The traits of games, positions and players without their types, as the command line, the
//! arena and the server hold them. Each call is one virtual call for a whole decision, walk
//! or batch of games.

use std::any::Any;

use num_bigint::BigUint;
use num_rational::BigRational;

use super::archived::VisitArchivedGame;
use super::error::RegistryError;
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
use crate::solution::{Solution, SolveError, SolveLimits};

/// A game of any type.
pub trait AnyGame: Send + Sync {
    /// Returns the shortest spec of the game.
    fn spec(&self) -> &str;
    /// Returns the position in which every game begins.
    fn start(&self) -> Box<dyn AnyPosition>;
    /// Reads a position.
    ///
    /// # Errors
    /// Names what does not read, and where.
    fn read(&self, text: &str) -> Result<Box<dyn AnyPosition>, NotationError>;
    /// Builds the player of a spec such as `minimax(depth=4)`.
    ///
    /// # Errors
    /// When the player is unknown, does not play this game, or has wrong parameters.
    fn player(&self, text: &str) -> Result<Box<dyn AnyPlayer>, RegistryError>;
    /// Returns a referee for matches between the players of these specs.
    ///
    /// # Errors
    /// As [`AnyGame::player`]; also when the game is a puzzle.
    fn referee(&self, texts: &[String]) -> Result<Box<dyn AnyReferee>, RegistryError>;
    /// Returns a simulator, which plays games for an archive.
    ///
    /// # Errors
    /// As [`AnyGame::player`].
    fn simulator(
        &self,
        settings: &SimulationSettings,
    ) -> Result<Box<dyn AnySimulator>, RegistryError>;
    /// Reads a block of an archive, game by game, until `visit` breaks off.
    ///
    /// # Errors
    /// When the block does not read as games of this kind.
    fn each_game(
        &self,
        block: &GameBlock,
        visit: &mut VisitArchivedGame<'_>,
    ) -> Result<(), BlockError>;
    /// Returns a learner of patterns, if the game is one of pieces on a board.
    fn learner(&self) -> Option<Box<dyn AnyLearner>>;
    /// Labels the positions of every game of an archive, given as bytes.
    ///
    /// # Errors
    /// When the game is not one of men alone, or the bytes are not an archive of this game.
    fn label_games(
        &self,
        labelling: Labelling,
        bytes: &[u8],
        visit: &mut VisitLabels<'_>,
    ) -> Result<(), LabellingError>;
    /// Returns the symmetries of the board that the rules respect.
    fn symmetries(&self) -> Vec<Symmetry>;
    /// Checks the laws of games on `games` random games; returns the number of states checked.
    ///
    /// # Errors
    /// Returns the first law that is broken.
    fn check_laws(&self, games: usize, seed: u64) -> Result<usize, LawViolation>;
}

/// A position of a game of any type.
pub trait AnyPosition: Any + Send + Sync {
    /// Returns a copy.
    fn copy(&self) -> Box<dyn AnyPosition>;
    /// Returns the position in the notation of its game.
    fn show(&self) -> String;
    /// Returns its key.
    fn key(&self) -> u64;
    /// Returns whose turn it is, or how the game ended.
    fn status(&self) -> Status<AnyOutcome>;
    /// Returns the legal moves in notation, in the order of the game.
    fn moves(&self) -> Vec<String>;
    /// Returns the legal move that `text` means, as the game itself writes it.
    ///
    /// # Errors
    /// Names the legal moves when `text` is none of them.
    fn canonical_move(&self, text: &str) -> Result<String, NotationError>;
    /// Plays one move.
    ///
    /// # Errors
    /// Names the legal moves when `text` is none of them.
    fn play(&mut self, text: &str) -> Result<(), NotationError>;
    /// Returns the position as a picture.
    fn scene(&self) -> Scene;
    /// Returns the cells of the scene that a person touches to play a move.
    ///
    /// # Errors
    /// Names the legal moves when `text` is none of them.
    fn touches(&self, text: &str) -> Result<Vec<Coord>, NotationError>;
    /// Returns the number of sequences of exactly `depth` moves from here.
    fn perft(&self, depth: u32, threads: usize) -> u64;
    /// Counts all positions and games from here.
    ///
    /// # Errors
    /// When more than `limit` moves lead from position to position, or games can be endless.
    fn census(&self, limit: u64) -> Result<AnyCensus, CensusError>;
    /// Returns the number of distinct positions after 0, 1, … `depth` plies.
    ///
    /// # Errors
    /// When one ply has more than `limit` positions.
    fn positions_by_ply(&self, depth: u32, limit: u64) -> Result<Vec<u64>, CensusError>;
    /// Returns the exact value of the position, with every move that keeps it.
    ///
    /// # Errors
    /// When the game is over or a puzzle, or a limit is reached.
    fn solve(
        &self,
        limits: SolveLimits,
        observer: &AnyObserver<'_>,
    ) -> Result<AnySolution, SolveError>;
    /// Plays `count` random games from here, in batches where the game has them; returns the
    /// number of games for each kind of outcome.
    fn playouts(&self, count: u64, seed: u64) -> Vec<u64>;
    /// Plays `count` random games from here one after the other.
    fn playouts_one_by_one(&self, count: u64, seed: u64) -> Vec<u64>;
}

impl dyn AnyPosition {
    /// Plays several moves with white space or commas between them. A word that is not a move
    /// is tried character by character, so that `4453` is four moves of Connect Four.
    ///
    /// # Errors
    /// At the first word that is not a legal move; the moves before it are played.
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

/// Error of a move in a list that is not legal when its turn comes.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("move {number}: {error}")]
pub struct MoveListError {
    /// The number of the move, from 1.
    pub number: usize,
    /// The error of the move.
    pub error: NotationError,
}

/// The census of a game of any type: counts over all positions and complete games.
#[derive(Clone, PartialEq, Debug)]
pub struct AnyCensus {
    /// Distinct positions, finished ones included.
    pub positions: u64,
    /// The longest game in plies.
    pub longest: u32,
    /// Complete games.
    pub games: BigUint,
    /// The outcome of perfect play.
    pub perfect: AnyOutcome,
    /// The number of complete games for each outcome.
    pub ends: Vec<AnyOutcomeCount>,
}

/// How often one outcome occurs.
#[derive(Clone, PartialEq, Debug)]
pub struct AnyOutcomeCount {
    /// The outcome.
    pub outcome: AnyOutcome,
    /// Complete games with this outcome.
    pub games: BigUint,
    /// Its exact probability under random play.
    pub chance: BigRational,
}

/// The exact value of a position, with moves in notation.
pub type AnySolution = Solution<String>;

/// An observer of a thinking player, with moves in notation.
pub type AnyObserver<'a> = dyn Observer<String> + 'a;

/// A player of one game of any type.
pub trait AnyPlayer: Send {
    /// Returns the shortest spec of the player.
    fn spec(&self) -> &str;
    /// Starts a new game: forgets the last one and draws from `seed` from now on.
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
