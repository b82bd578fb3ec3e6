//! The traits of type-erased games, positions and players, which the command line, the arena and
//! the server use. One virtual call covers a whole choice of a move, walk or batch of games.

use std::any::Any;

use num_bigint::BigUint;
use num_rational::BigRational;

use super::batch::AnyBatch;
use super::decoded::VisitDecodedGame;
use super::error::RegistryError;
use crate::archive::{AnyArchiveGenerator, BlockError, GameBlock, GeneratorSettings};
use crate::arena::pair::AnyReferee;
use crate::effective::EffectivePlayer;
use crate::encoding::EncodingShape;
use crate::game::{Side, Status};
use crate::laws::LawViolation;
use crate::learn::labelling::{Labelling, LabellingError, RowVisitor};
use crate::learn::patterns::AnyLearner;
use crate::learn::self_play::AnyNetworkLearner;
use crate::notation::NotationError;
use crate::outcome::AnyOutcome;
use crate::player::{Budget, Choice, Observer, PlayerError};
use crate::random::Rng;
use crate::scene::{Coord, Piece, Scene, Symmetry};
use crate::search::census::{CensusError, OnCensusProgress};
use crate::solution::{Solution, SolveError, SolveLimits};

/// A type-erased game: the rules with their parameters, and the players, solver and learning for
/// it.
pub trait AnyGame: Send + Sync {
    /// Returns the shortest spec of the game: only parameters that differ from their defaults.
    fn spec(&self) -> &str;
    /// Returns the spec of the game with all its parameters, defaults included.
    fn full_spec(&self) -> &str;
    /// Returns whether the game has a rule about repeated positions, so that the moves before a
    /// position matter.
    fn has_repetition_rule(&self) -> bool;
    /// Returns what people call the two sides, see
    /// [`Game::side_names`](crate::game::Game::side_names).
    fn side_names(&self) -> [&'static str; 2];
    /// Returns the start position.
    fn start(&self) -> Box<dyn AnyPosition>;
    /// Parses a position from the notation of the game.
    ///
    /// # Errors
    /// When `text` is not a position; the error says what is wrong and where.
    fn read(&self, text: &str) -> Result<Box<dyn AnyPosition>, NotationError>;
    /// Returns the position with these pieces and this side to move, see
    /// [`Game::state_of_pieces`](crate::game::Game::state_of_pieces).
    ///
    /// # Errors
    /// When there is no such position, or the positions of the game cannot be put up piece by piece.
    fn put_up(&self, pieces: &[Piece], turn: Side) -> Result<Box<dyn AnyPosition>, NotationError>;
    /// Builds the player that the spec `text` describes, such as `minimax(depth=4)`, for this game.
    ///
    /// # Errors
    /// When the player is unknown, does not play this game, or has wrong parameters.
    fn player(&self, text: &str) -> Result<Box<dyn AnyPlayer>, RegistryError>;
    /// Returns what `budget` makes of the player that the spec `text` describes: the specs under
    /// which its results are shown and stored. The player is not built.
    ///
    /// # Errors
    /// When the player is unknown, does not play this game, or has wrong parameters.
    fn effective_player(
        &self,
        text: &str,
        budget: &Budget,
    ) -> Result<EffectivePlayer, RegistryError>;
    /// Returns a referee, which plays games between the players that the specs `texts` describe.
    ///
    /// # Errors
    /// As for [`AnyGame::player`]; also when the game is a puzzle.
    fn referee(&self, texts: &[String]) -> Result<Box<dyn AnyReferee>, RegistryError>;
    /// Returns a simulator, which plays games with these settings and encodes them for an archive.
    ///
    /// # Errors
    /// As for [`AnyGame::player`], for both players of the settings.
    fn simulator(
        &self,
        settings: &GeneratorSettings,
    ) -> Result<Box<dyn AnyArchiveGenerator>, RegistryError>;
    /// Decodes a block of an archive and calls `visit` with each game, until `visit` breaks.
    ///
    /// # Errors
    /// When the block is not valid for this game.
    fn each_game(
        &self,
        block: &GameBlock,
        visit: &mut VisitDecodedGame<'_>,
    ) -> Result<(), BlockError>;
    /// Returns a learner of pattern models; `None` unless the game was registered as a
    /// [`GridGame`](crate::grid::GridGame).
    fn learner(&self) -> Option<Box<dyn AnyLearner>>;
    /// Returns whether patterns are the better choice for learning this game, because they win more than
    /// a network after learning of the same time.
    fn learns_patterns_best(&self) -> bool;
    /// Returns a learner of networks with policy and value; `None` for a puzzle.
    fn network_learner(&self) -> Option<Box<dyn AnyNetworkLearner>>;
    /// Labels the moves or positions of each game in `bytes`, an archive of this game, and calls
    /// `visit` with the labelled rows of one game after the other.
    ///
    /// # Errors
    /// When the game is a puzzle or has no such labels, or the bytes are not an archive of this
    /// game.
    fn label_games(
        &self,
        labelling: Labelling,
        bytes: &[u8],
        visit: &mut RowVisitor<'_>,
    ) -> Result<(), LabellingError>;
    /// Returns the symmetries of the board that the rules preserve, without the identity.
    fn symmetries(&self) -> Vec<Symmetry>;
    /// Returns the sizes of the encoding of states and moves for learning, see
    /// [`Game::encoding`](crate::game::Game::encoding).
    fn encoding(&self) -> EncodingShape;
    /// Returns `count` states of the game at its start, which are stepped together.
    fn batch(&self, count: usize) -> Box<dyn AnyBatch>;
    /// Checks the laws of [`crate::laws`] on `games` random games; returns the number of distinct
    /// states checked.
    ///
    /// # Errors
    /// When a law is broken; the error is the first violation found.
    fn check_laws(&self, games: usize, seed: u64) -> Result<usize, LawViolation> {
        self.check_laws_with_progress(games, seed, &mut |_| ())
    }
    /// Checks the laws and calls `on_game` after each random game with the number of games so far.
    ///
    /// # Errors
    /// When a law is broken; the error is the first violation found.
    fn check_laws_with_progress(
        &self,
        games: usize,
        seed: u64,
        on_game: &mut dyn FnMut(usize),
    ) -> Result<usize, LawViolation>;
}

/// A type-erased position: a state with its game.
pub trait AnyPosition: Any + Send + Sync {
    /// Returns a copy of the position.
    fn copy(&self) -> Box<dyn AnyPosition>;
    /// Sets the state to that of `other`, which saves the memory of a copy. Returns `false` and
    /// changes nothing if `other` is of another game.
    fn set(&mut self, other: &dyn AnyPosition) -> bool;
    /// Returns the position in the notation of its game.
    fn show(&self) -> String;
    /// Returns the hash key of the state, see [`Game::key`](crate::game::Game::key).
    fn key(&self) -> u64;
    /// Returns the side to move, or the outcome if the game is over.
    fn status(&self) -> Status<AnyOutcome>;
    /// Returns the legal moves in notation, in the order of
    /// [`Game::moves`](crate::game::Game::moves).
    fn moves(&self) -> Vec<String>;
    /// Returns the legal move that `text` stands for, in the spelling that the game uses.
    ///
    /// # Errors
    /// When `text` is not a legal move; the error lists the legal moves.
    fn canonical_move(&self, text: &str) -> Result<String, NotationError>;
    /// Plays the move `text`, in the notation of the game.
    ///
    /// # Errors
    /// When `text` is not a legal move; the error lists the legal moves.
    fn play(&mut self, text: &str) -> Result<(), NotationError>;
    /// Returns whether `other` has an equal state of the same type of game; the parameters of the
    /// games are not compared.
    fn is_equal(&self, other: &dyn AnyPosition) -> bool;
    /// Appends the action numbers of the legal moves, in the order of [`AnyPosition::moves`].
    fn actions(&self, out: &mut Vec<u32>);
    /// Returns the points that a puzzle has given so far, see
    /// [`Game::points_so_far`](crate::game::Game::points_so_far).
    fn points_so_far(&self) -> Option<i64>;
    /// Returns a number that tells which actions are legal, see
    /// [`Game::actions_key`](crate::game::Game::actions_key).
    fn actions_key(&self) -> Option<u64>;
    /// Plays the legal move with this action number. Returns `false` and changes nothing if there
    /// is none.
    fn play_action(&mut self, action: u32) -> bool;
    /// Returns the action number of the move `text`, in the notation of the game.
    ///
    /// # Errors
    /// When `text` is not a legal move; the error lists the legal moves.
    fn action_of(&self, text: &str) -> Result<u32, NotationError>;
    /// Returns the move with this action number in notation; `None` if it is not legal.
    fn move_of_action(&self, action: u32) -> Option<String>;
    /// Appends the features of the position that are set, in ascending order, see
    /// [`Game::features`](crate::game::Game::features).
    fn features(&self, seen_by: Side, out: &mut Vec<u32>);
    /// Returns a picture of the position, as data.
    fn scene(&self) -> Scene;
    /// Returns the cells of the scene that a person clicks, in order, to play the move `text`.
    ///
    /// # Errors
    /// When `text` is not a legal move; the error lists the legal moves.
    fn touches(&self, text: &str) -> Result<Vec<Coord>, NotationError>;
    /// Returns the ways of the move `text` across the board, see
    /// [`Game::ways`](crate::game::Game::ways).
    ///
    /// # Errors
    /// When `text` is not a legal move; the error lists the legal moves.
    fn ways(&self, text: &str) -> Result<Vec<Vec<Coord>>, NotationError>;
    /// Returns the cells whose pieces the move `text` removes, see
    /// [`Game::removes`](crate::game::Game::removes).
    ///
    /// # Errors
    /// When `text` is not a legal move; the error lists the legal moves.
    fn removes(&self, text: &str) -> Result<Vec<Coord>, NotationError>;
    /// Returns the number of sequences of exactly `depth` moves from this position.
    fn perft(&self, depth: u32, threads: usize) -> u64;
    /// Computes [`AnyPosition::perft`] and calls `on_part` with the number of parts counted and the
    /// number of all parts, from any thread.
    fn perft_with_progress(
        &self,
        depth: u32,
        threads: usize,
        on_part: &(dyn Fn(u64, u64) + Sync),
    ) -> u64;
    /// Counts the positions that can be reached from this one, and the complete games from it.
    ///
    /// # Errors
    /// When there are more than `limit` moves between positions, or play can return to a position.
    fn census(&self, limit: u64) -> Result<AnyCensus, CensusError> {
        self.census_with_progress(limit, &mut |_, _| ())
    }
    /// Computes [`AnyPosition::census`] and calls `on_progress` every few thousand positions.
    ///
    /// # Errors
    /// When there are more than `limit` moves between positions, or play can return to a position.
    fn census_with_progress(
        &self,
        limit: u64,
        on_progress: OnCensusProgress<'_>,
    ) -> Result<AnyCensus, CensusError>;
    /// Returns the numbers of distinct positions after 0, 1, …, `depth` plies from this position.
    ///
    /// # Errors
    /// When there are more than `limit` distinct positions after one of the plies.
    fn positions_by_ply(&self, depth: u32, limit: u64) -> Result<Vec<u64>, CensusError> {
        self.positions_by_ply_with_progress(depth, limit, &mut |_, _| ())
    }
    /// Computes [`AnyPosition::positions_by_ply`] and calls `on_progress` every few thousand
    /// positions with the ply and the number of its positions so far.
    ///
    /// # Errors
    /// When there are more than `limit` distinct positions after one of the plies.
    fn positions_by_ply_with_progress(
        &self,
        depth: u32,
        limit: u64,
        on_progress: &mut dyn FnMut(u32, u64),
    ) -> Result<Vec<u64>, CensusError>;
    /// Solves the position exactly: returns its result under perfect play and that of every move.
    ///
    /// # Errors
    /// When the game is over or a puzzle, or a limit is reached.
    fn solve(
        &self,
        limits: SolveLimits,
        observer: &AnyObserver<'_>,
    ) -> Result<AnySolution, SolveError>;
    /// Plays `count` uniformly random games from this position, in batches if the game supports it.
    /// Returns the number of games of each kind of outcome, see
    /// [`Outcome::kinds`](crate::outcome::Outcome::kinds).
    fn playouts(&self, count: u64, seed: u64) -> Vec<u64> {
        self.playouts_with(count, &mut Rng::new(seed))
    }
    /// Plays `count` uniformly random games with the random numbers of `rng`, as
    /// [`AnyPosition::playouts`] does.
    fn playouts_with(&self, count: u64, rng: &mut Rng) -> Vec<u64>;
    /// Plays `count` uniformly random games from this position one after the other; used to measure
    /// the speed of single playouts. Returns the number of games of each kind of outcome.
    fn playouts_one_by_one(&self, count: u64, seed: u64) -> Vec<u64>;
}

impl dyn AnyPosition {
    /// Plays several moves, separated by white space or commas, and returns them. A word that is
    /// not a move is read character by character, so that `4453` is four moves of Connect Four.
    ///
    /// # Errors
    /// At the first move that is not legal; the moves before it have been played.
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

/// Error of a list of moves in which one move is not legal.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("move {number}: {error}")]
pub struct MoveListError {
    /// The number of the illegal move in the list, from 1.
    pub number: usize,
    /// The reason why the move is not legal.
    pub error: NotationError,
}

/// The type-erased result of a census: counts over all positions and complete games.
#[derive(Clone, PartialEq, Debug)]
pub struct AnyCensus {
    /// Number of distinct positions, including those in which the game is over.
    pub positions: u64,
    /// Length of the longest game in plies.
    pub longest: u32,
    /// Number of complete games: of sequences of moves until the game is over.
    pub games: BigUint,
    /// The outcome under perfect play by both sides.
    pub perfect: AnyOutcome,
    /// How often each possible outcome occurs.
    pub ends: Vec<AnyOutcomeFrequency>,
}

/// How often one outcome occurs among all complete games and in random play.
#[derive(Clone, PartialEq, Debug)]
pub struct AnyOutcomeFrequency {
    /// The outcome that is counted.
    pub outcome: AnyOutcome,
    /// Number of complete games with this outcome.
    pub games: BigUint,
    /// The exact probability of this outcome under uniformly random moves.
    pub chance: BigRational,
}

/// The result of solving a position, with moves in notation.
pub type AnySolution = Solution<String>;

/// An observer of a player's search, with moves in notation.
pub type AnyObserver<'a> = dyn Observer<String> + 'a;

/// A type-erased player of one game.
pub trait AnyPlayer: Send {
    /// Returns the shortest spec of the player: only parameters that differ from their defaults.
    fn spec(&self) -> &str;
    /// Starts a new game: forgets the previous one and seeds the random generator.
    fn begin(&mut self, seed: u64);
    /// Chooses a move in `position`.
    ///
    /// # Errors
    /// When the game is over, the position is of another game, or the player fails.
    fn choose(
        &mut self,
        position: &dyn AnyPosition,
        budget: Budget,
        observer: &AnyObserver<'_>,
    ) -> Result<Choice<String>, PlayerError>;
    /// Returns the name that the player gives itself, as an external bot does; `None` if it is
    /// known by its spec.
    fn own_name(&mut self) -> Option<String> {
        None
    }
}
