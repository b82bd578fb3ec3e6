//! Archives: many games in few bytes. A move is stored as its index among the legal moves, in mixed
//! radix ([`mixed_radix`]). The rules say when a game ends, so neither lengths nor results are
//! stored. A random game of checkers takes about eleven bytes.
//!
//! [`ArchiveGenerator`] plays games and encodes them in blocks, [`for_each_game`] decodes a block,
//! and [`file_format`] defines the bytes of a file of blocks. This module opens no files.

pub mod file_format;
pub mod mixed_radix;

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde::{Deserialize, Serialize};

use crate::game::{Game, Status};
use crate::player::{Budget, MoveRequest, Player, PlayerError, StopOnFlag};
use crate::random::{Rng, derive_seed};
use crate::repetition::GamePath;
use mixed_radix::{MixedRadixReader, MixedRadixWriter};

/// The maximum length of an archived game in plies; registered games are much shorter.
const MAX_PLIES: usize = 1 << 16;

/// A block of encoded games with consecutive numbers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameBlock {
    /// The number of the first game among the games of its source, from 0.
    pub first: u64,
    /// Number of games in the block.
    pub count: u32,
    /// The moves of all games as mixed-radix digits: the index of each move among the legal moves.
    pub digits: Vec<u8>,
}

/// The settings of simulated games: players, budget and opening.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GeneratorSettings {
    /// The specs of the players of the first and the second side.
    pub players: [String; 2],
    /// The budget of a player for one move.
    pub budget: Budget,
    /// Number of random plies at the start of a game, before the players take over.
    pub opening: u32,
}

/// Reasons why a block cannot be decoded.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BlockError {
    /// The data end before the game of this number is over.
    #[error("moves of game {0} are missing")]
    Short(u64),
    /// There are data after the end of the last game.
    #[error("there are moves after the last game")]
    Long,
    /// The game of this number has more plies than an archived game may have.
    #[error("game {0} is too long; at most {MAX_PLIES} plies are allowed")]
    Endless(u64),
}

/// Reasons why games cannot be encoded.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum EncodeError {
    /// A move of a game is not legal.
    #[error("move {ply} of game {number} is not legal")]
    Illegal {
        /// The number of the game with the illegal move.
        number: u64,
        /// The number of the illegal move in the game, from 1.
        ply: usize,
    },
    /// The game of this number is not over after its last move. It cannot be archived, because an
    /// archive stores neither lengths nor results.
    #[error("game {0} is not over after its last move")]
    Unfinished(u64),
}

/// The players of a [`ArchiveGenerator`].
pub enum GeneratorPlayers<G: Game> {
    /// Both sides play uniformly random moves.
    Random,
    /// One player per side, after an opening of random moves.
    Players {
        /// The players of the first and the second side.
        players: [Box<dyn Player<G>>; 2],
        /// The budget of a player for one move.
        budget: Budget,
        /// Number of random plies at the start of a game, before the players take over.
        opening: u32,
    },
}

/// Type-erased [`ArchiveGenerator`]: plays games and encodes them. A game depends only on the seed
/// and its number, not on the games before it.
pub trait AnyArchiveGenerator: Send {
    /// Plays the games with the numbers `first..first + count` of a seed and returns them as a
    /// block.
    ///
    /// # Errors
    /// When a player fails.
    fn block(&mut self, seed: u64, first: u64, count: u32) -> Result<GameBlock, PlayerError> {
        let never = AtomicBool::new(false);
        self.block_or_stop(seed, first, count, &never).expect("nothing stops the games")
    }

    /// Plays the games with the numbers `first..first + count` of a seed and returns them as a
    /// block, or an error if a player fails. Returns `None` if `stop` is set before the end.
    fn block_or_stop(
        &mut self,
        seed: u64,
        first: u64,
        count: u32,
        stop: &AtomicBool,
    ) -> Option<Result<GameBlock, PlayerError>>;
}

/// Plays games of type `G` and encodes them as blocks of an archive.
pub struct ArchiveGenerator<G: Game> {
    game: Arc<G>,
    seats: GeneratorPlayers<G>,
    moves: Vec<G::Move>,
}

/// The indices of the two players for [`derive_seed`], which derives their seeds from the seed of a
/// game.
const SEAT_STREAMS: [u64; 2] = [1, 2];

impl<G: Game> ArchiveGenerator<G> {
    /// Creates a generator that plays `game` with these players.
    #[must_use]
    pub fn new(game: Arc<G>, seats: GeneratorPlayers<G>) -> Self {
        ArchiveGenerator { game, seats, moves: Vec::new() }
    }

    fn play_game(
        &mut self,
        seed: u64,
        out: &mut MixedRadixWriter,
        stop: &AtomicBool,
    ) -> Result<(), PlayerError> {
        let (game, mut rng) = (&*self.game, Rng::new(seed));
        let (mut s, mut path) = (game.start(), GamePath::new());
        if let GeneratorPlayers::Players { players, .. } = &mut self.seats {
            for (player, seat) in players.iter_mut().zip(SEAT_STREAMS) {
                player.begin(derive_seed(seed, &[seat]));
            }
        }
        for ply in 0..MAX_PLIES {
            let Status::Turn(side) = path.status(game, &s) else { return Ok(()) };
            self.moves.clear();
            path.moves(game, &s, &mut self.moves);
            let index = match &mut self.seats {
                GeneratorPlayers::Players { players, budget, opening }
                    if ply >= *opening as usize =>
                {
                    let (state, path, observer) = (&s, &path, &StopOnFlag(stop));
                    let request =
                        MoveRequest { path, observer, ..MoveRequest::new(game, state, *budget) };
                    let best = players[side.index()].choose(&request)?.best;
                    if stop.load(Ordering::Relaxed) {
                        return Ok(());
                    }
                    let found = self.moves.iter().position(|m| *m == best);
                    found.expect("a player chooses a legal move")
                }
                _ => rng.below(self.moves.len()),
            };
            out.put(index as u64, self.moves.len() as u64);
            path.play(game, &mut s, self.moves[index]);
        }
        Err(PlayerError::Failed(format!("a game had more than {MAX_PLIES} plies")))
    }
}

impl<G: Game> AnyArchiveGenerator for ArchiveGenerator<G> {
    fn block_or_stop(
        &mut self,
        seed: u64,
        first: u64,
        count: u32,
        stop: &AtomicBool,
    ) -> Option<Result<GameBlock, PlayerError>> {
        let mut out = MixedRadixWriter::default();
        for number in (first..).take(count as usize) {
            let played = self.play_game(derive_seed(seed, &[number]), &mut out, stop);
            if stop.load(Ordering::Relaxed) {
                return None;
            }
            if let Err(error) = played {
                return Some(Err(error));
            }
        }
        Some(Ok(GameBlock { first, count, digits: out.finish() }))
    }
}

/// Encodes complete games, given as lists of moves, as a block whose first game has the number
/// `first`.
///
/// # Errors
/// When a move is not legal, or a game is not over after its last move.
pub fn encode_games<'a, G: Game>(
    game: &G,
    first: u64,
    games: impl IntoIterator<Item = &'a [G::Move]>,
) -> Result<GameBlock, EncodeError> {
    let (mut out, mut count, mut legal) = (MixedRadixWriter::default(), 0, Vec::new());
    for (number, played) in (first..).zip(games) {
        let (mut s, mut path) = (game.start(), GamePath::new());
        for (ply, m) in (1..).zip(played) {
            legal.clear();
            path.moves(game, &s, &mut legal);
            let index = legal.iter().position(|known| known == m);
            let index = index.ok_or(EncodeError::Illegal { number, ply })?;
            out.put(index as u64, legal.len() as u64);
            path.play(game, &mut s, *m);
        }
        if let Status::Turn(_) = path.status(game, &s) {
            return Err(EncodeError::Unfinished(number));
        }
        count += 1;
    }
    Ok(GameBlock { first, count, digits: out.finish() })
}

/// A game decoded from an archive.
pub struct DecodedGame<'a, G: Game> {
    /// The rules of the game.
    pub game: &'a G,
    /// The number of the game among the games of its source, from 0.
    pub number: u64,
    /// All states from the start to the end; one more than there are moves.
    pub states: &'a [G::State],
    /// The moves of the game; move `i` leads from state `i` to state `i + 1`.
    pub moves: &'a [G::Move],
    /// For every move, its index among the legal moves and the number of legal moves.
    pub choices: &'a [(u32, u32)],
    /// The outcome of the game.
    pub outcome: G::Outcome,
}

/// Largest number of games without any choice of a move in a block, whose moves take no space.
const MAX_FORCED_GAMES: u64 = 1 << 16;

/// Decodes a block and calls `visit` with each game, until `visit` breaks.
///
/// # Errors
/// When the block is not valid for this game.
pub fn for_each_game<G: Game>(
    game: &G,
    block: &GameBlock,
    visit: &mut dyn FnMut(DecodedGame<'_, G>) -> ControlFlow<()>,
) -> Result<(), BlockError> {
    // Every game takes at least one bit, unless no game has a choice. So a wrong count ends soon, and
    // the numbers of the games do not overflow.
    let most = 8 * (block.digits.len() as u64 + 1) + MAX_FORCED_GAMES;
    if u64::from(block.count) > most || block.first.checked_add(block.count.into()).is_none() {
        return Err(BlockError::Short(block.first.saturating_add(most)));
    }
    let mut digits = MixedRadixReader::new(&block.digits);
    let (mut states, mut moves, mut choices) = (Vec::new(), Vec::new(), Vec::new());
    let mut legal = Vec::new();
    for number in (block.first..).take(block.count as usize) {
        states.clear();
        moves.clear();
        choices.clear();
        let (mut s, mut path) = (game.start(), GamePath::new());
        let outcome = loop {
            states.push(s.clone());
            if let Status::Over(outcome) = path.status(game, &s) {
                break outcome;
            }
            if moves.len() == MAX_PLIES {
                return Err(BlockError::Endless(number));
            }
            legal.clear();
            path.moves(game, &s, &mut legal);
            let index = digits.take(legal.len() as u64).ok_or(BlockError::Short(number))?;
            let m = legal[index as usize];
            moves.push(m);
            choices.push((index as u32, legal.len() as u32));
            path.play(game, &mut s, m);
        };
        let (states, moves, choices) = (&states[..], &moves[..], &choices[..]);
        if visit(DecodedGame { game, number, states, moves, choices, outcome }).is_break() {
            return Ok(());
        }
    }
    if digits.is_at_end() { Ok(()) } else { Err(BlockError::Long) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::random_game;
    use crate::outcome::Duel;
    use crate::players::minimax::MinimaxPlayer;
    use ludion::games::connect4::Connect4;
    use ludion::games::tictactoe::TicTacToe;

    fn moves_of<G: Game>(game: &G, block: &GameBlock) -> Vec<Vec<G::Move>> {
        let mut games = Vec::new();
        for_each_game(game, block, &mut |decoded| {
            games.push(decoded.moves.to_vec());
            ControlFlow::Continue(())
        })
        .unwrap();
        games
    }

    #[test]
    fn random_games_decode_to_those_of_the_rules() {
        let game = Connect4::STANDARD;
        let block = ArchiveGenerator::new(Arc::new(game), GeneratorPlayers::Random)
            .block(5, 100, 50)
            .unwrap();
        let mut played = 0;
        for_each_game(&game, &block, &mut |decoded| {
            let mut rng = Rng::new(derive_seed(5, &[decoded.number]));
            let expected = random_game(&game, game.start(), &mut rng, &mut Vec::new());
            assert_eq!(decoded.outcome, expected);
            assert_eq!(decoded.states.len(), decoded.moves.len() + 1);
            played += 1;
            ControlFlow::Continue(())
        })
        .unwrap();
        assert_eq!(played, 50);
    }

    #[test]
    fn a_game_does_not_depend_on_the_block_it_is_in() {
        let game = Connect4::STANDARD;
        let mut simulator = ArchiveGenerator::new(Arc::new(game), GeneratorPlayers::Random);
        let whole = moves_of(&game, &simulator.block(9, 0, 40).unwrap());
        let parts: Vec<_> = [(0, 13), (13, 27)]
            .iter()
            .flat_map(|&(first, count)| moves_of(&game, &simulator.block(9, first, count).unwrap()))
            .collect();
        assert_eq!(whole, parts);
    }

    #[test]
    fn players_take_over_after_the_opening() {
        let game = TicTacToe;
        let player = || -> Box<dyn Player<TicTacToe>> { Box::new(MinimaxPlayer::new(9)) };
        let seats = GeneratorPlayers::Players {
            players: [player(), player()],
            budget: Budget::UNLIMITED,
            opening: 1,
        };
        let block = ArchiveGenerator::new(Arc::new(game), seats).block(1, 0, 30).unwrap();
        let mut first_moves = std::collections::HashSet::new();
        for_each_game(&game, &block, &mut |decoded| {
            assert_eq!(decoded.outcome, Duel::Drawn, "perfect play draws");
            first_moves.insert(decoded.choices[0]);
            ControlFlow::Continue(())
        })
        .unwrap();
        assert!(first_moves.len() > 4, "openings are drawn: {first_moves:?}");
    }

    #[test]
    fn encoding_gives_the_simulated_block_and_refuses_unfinished_games() {
        let game = TicTacToe;
        let block = ArchiveGenerator::new(Arc::new(game), GeneratorPlayers::Random)
            .block(1, 7, 20)
            .unwrap();
        let games = moves_of(&game, &block);
        assert_eq!(encode_games(&game, 7, games.iter().map(Vec::as_slice)), Ok(block));
        let cut = |moves: &[u8]| encode_games(&game, 3, [moves]);
        assert_eq!(cut(&games[0][..4]), Err(EncodeError::Unfinished(3)));
        let twice = [games[0][0]; 2];
        assert_eq!(cut(&twice), Err(EncodeError::Illegal { number: 3, ply: 2 }));
    }

    #[test]
    fn invalid_blocks_are_errors() {
        let game = Connect4::STANDARD;
        let block =
            ArchiveGenerator::new(Arc::new(game), GeneratorPlayers::Random).block(1, 0, 3).unwrap();
        let read =
            |block: &GameBlock| for_each_game(&game, block, &mut |_| ControlFlow::Continue(()));
        for kept in 0..block.digits.len() {
            let cut = GameBlock { digits: block.digits[..kept].to_vec(), ..block.clone() };
            assert!(read(&cut).is_err() || moves_of(&game, &cut) != moves_of(&game, &block));
        }
        assert_eq!(read(&GameBlock { count: 2, ..block.clone() }), Err(BlockError::Long));
        assert_eq!(read(&GameBlock { count: 4, ..block }), Err(BlockError::Short(3)));
    }
}
