//! Self-play games and their binary format: the number of opening plies, the number of plies, the
//! index of each move in the list of legal moves, the search value of each state after the opening,
//! and the outcome. All but the outcome are variable-length integers.

use crate::game::{Game, Side, Status};
use crate::learn::varint::{put, put_signed, take, take_signed};
use crate::outcome::Duel;
use crate::repetition::GamePath;

/// A self-play game with the values that its searches found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SelfPlayGame {
    /// The number of random plies at the beginning of the game.
    pub opening: usize,
    /// All moves of the game, each as an index in the list of legal moves.
    pub moves: Vec<u16>,
    /// The search values of the states after the opening, each for the side to move; empty if all
    /// moves were random.
    pub values: Vec<i32>,
    /// The outcome of the game; a game that reached the ply limit is drawn.
    pub end: Duel,
}

/// Error of decoding or replaying a self-play game whose bytes or moves are invalid.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the stored game is invalid or has an illegal move")]
pub struct SelfPlayGameError;

impl SelfPlayGame {
    /// Appends the bytes of the game to `out`.
    pub fn write(&self, out: &mut Vec<u8>) {
        put(out, self.opening as u64);
        put(out, self.moves.len() as u64);
        self.moves.iter().for_each(|&index| put(out, index.into()));
        self.values.iter().for_each(|&value| put_signed(out, value.into()));
        out.push(match self.end {
            Duel::Drawn => 0,
            Duel::Won(Side::First) => 1,
            Duel::Won(Side::Second) => 2,
        });
    }

    /// Reads a game from the front of `bytes` and advances `bytes` past it.
    ///
    /// # Errors
    /// When the bytes are not a valid game.
    pub fn take(bytes: &mut &[u8]) -> Result<Self, SelfPlayGameError> {
        SelfPlayGame::read(bytes).ok_or(SelfPlayGameError)
    }

    fn read(bytes: &mut &[u8]) -> Option<Self> {
        let opening = usize::try_from(take(bytes)?).ok()?;
        let count = usize::try_from(take(bytes)?).ok()?;
        // Every ply takes at least a byte, so this check limits the memory that invalid counts can
        // claim.
        if count > bytes.len() || opening > count {
            return None;
        }
        let moves = (0..count).map(|_| u16::try_from(take(bytes)?).ok());
        let moves = moves.collect::<Option<Vec<u16>>>()?;
        let values = (opening..count).map(|_| i32::try_from(take_signed(bytes)?).ok());
        let values = values.collect::<Option<Vec<i32>>>()?;
        let (&end, rest) = bytes.split_first()?;
        *bytes = rest;
        let end = match end {
            0 => Duel::Drawn,
            1 => Duel::Won(Side::First),
            2 => Duel::Won(Side::Second),
            _ => return None,
        };
        Some(SelfPlayGame { opening, moves, values, end })
    }

    /// Replays the game and calls `visit` for each ply with its number from 0, the state before the
    /// move and the side to move.
    ///
    /// # Errors
    /// When a move is not legal.
    pub fn replay<G: Game<Outcome = Duel>>(
        &self,
        g: &G,
        mut visit: impl FnMut(usize, &G::State, Side),
    ) -> Result<(), SelfPlayGameError> {
        let (mut s, mut path, mut moves) = (g.start(), GamePath::new(), Vec::new());
        for (ply, &index) in self.moves.iter().enumerate() {
            let Status::Turn(side) = path.status(g, &s) else { return Err(SelfPlayGameError) };
            visit(ply, &s, side);
            moves.clear();
            path.moves(g, &s, &mut moves);
            path.play(g, &mut s, *moves.get(usize::from(index)).ok_or(SelfPlayGameError)?);
        }
        Ok(())
    }
}
