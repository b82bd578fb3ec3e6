//! A game that a judgement played against itself, as bytes: the plies of the opening, the
//! number of plies, every move by its place in the game's list, what the search thought of
//! every state after the opening, and how it ended.

use super::codes::{put, put_signed, take, take_signed};
use crate::game::{Game, Side, Status};
use crate::outcome::Duel;

/// One game of self-play.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SelfPlayGame {
    /// Random plies at the beginning.
    pub opening: usize,
    /// The moves by their place in the list of the game.
    pub moves: Vec<u16>,
    /// The worth of each state after the opening to the side to move, as the search saw it.
    pub worths: Vec<i32>,
    /// How it ended; a game that was broken off is drawn.
    pub end: Duel,
}

/// Why bytes are no game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the kept game does not read, or has a move that the rules do not allow")]
pub struct SelfPlayGameError;

impl SelfPlayGame {
    /// Appends the game to `out`.
    pub fn write(&self, out: &mut Vec<u8>) {
        put(out, self.opening as u64);
        put(out, self.moves.len() as u64);
        self.moves.iter().for_each(|&place| put(out, place.into()));
        self.worths.iter().for_each(|&worth| put_signed(out, worth.into()));
        out.push(match self.end {
            Duel::Drawn => 0,
            Duel::Won(Side::First) => 1,
            Duel::Won(Side::Second) => 2,
        });
    }

    /// Takes a game from the front of `bytes`.
    ///
    /// # Errors
    /// When there is none.
    pub fn take(bytes: &mut &[u8]) -> Result<Self, SelfPlayGameError> {
        SelfPlayGame::read(bytes).ok_or(SelfPlayGameError)
    }

    fn read(bytes: &mut &[u8]) -> Option<Self> {
        let opening = usize::try_from(take(bytes)?).ok()?;
        let count = usize::try_from(take(bytes)?).ok()?;
        // Every ply takes a byte at least, so no number asks for more room than there are bytes.
        if count > bytes.len() || opening > count {
            return None;
        }
        let moves = (0..count).map(|_| u16::try_from(take(bytes)?).ok());
        let moves = moves.collect::<Option<Vec<u16>>>()?;
        let worths = (opening..count).map(|_| i32::try_from(take_signed(bytes)?).ok());
        let worths = worths.collect::<Option<Vec<i32>>>()?;
        let (&end, rest) = bytes.split_first()?;
        *bytes = rest;
        let end = match end {
            0 => Duel::Drawn,
            1 => Duel::Won(Side::First),
            2 => Duel::Won(Side::Second),
            _ => return None,
        };
        Some(SelfPlayGame { opening, moves, worths, end })
    }

    /// Tells `visit` the number, the state and the mover of every ply.
    ///
    /// # Errors
    /// When a move is not legal.
    pub fn replay<G: Game<Outcome = Duel>>(
        &self,
        g: &G,
        mut visit: impl FnMut(usize, &G::State, Side),
    ) -> Result<(), SelfPlayGameError> {
        let (mut s, mut moves) = (g.start(), Vec::new());
        for (ply, &place) in self.moves.iter().enumerate() {
            let Status::Turn(side) = g.status(&s) else { return Err(SelfPlayGameError) };
            visit(ply, &s, side);
            moves.clear();
            g.moves(&s, &mut moves);
            g.play(&mut s, *moves.get(usize::from(place)).ok_or(SelfPlayGameError)?);
        }
        Ok(())
    }
}
