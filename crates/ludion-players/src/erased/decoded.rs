//! Type-erased games of an archive.

use std::ops::ControlFlow;

use crate::archive::DecodedGame;
use crate::game::Game;
use crate::outcome::{AnyOutcome, Outcome};
use crate::scene::Scene;

/// Callback for each game of an archive; it can end the decoding by a break.
pub type VisitDecodedGame<'a> = dyn FnMut(&dyn AnyDecodedGame) -> ControlFlow<()> + 'a;

/// A type-erased game, decoded from an archive.
pub trait AnyDecodedGame {
    /// Returns the number of the game among the games of its source, from 0.
    fn number(&self) -> u64;
    /// Returns the outcome of the game.
    fn outcome(&self) -> AnyOutcome;
    /// Returns, for every move, its index among the legal moves and the number of legal moves.
    fn choices(&self) -> &[(u32, u32)];
    /// Returns the moves of the game in notation.
    fn moves(&self) -> Vec<String>;
    /// Returns every state in notation, from the start to the end.
    fn states(&self) -> Vec<String>;
    /// Returns a picture of every state, from the start to the end.
    fn scenes(&self) -> Vec<Scene>;
}

impl<G: Game> AnyDecodedGame for DecodedGame<'_, G> {
    fn number(&self) -> u64 {
        self.number
    }

    fn outcome(&self) -> AnyOutcome {
        self.outcome.any()
    }

    fn choices(&self) -> &[(u32, u32)] {
        self.choices
    }

    fn moves(&self) -> Vec<String> {
        self.states.iter().zip(self.moves).map(|(s, m)| self.game.show_move(s, *m)).collect()
    }

    fn states(&self) -> Vec<String> {
        self.states.iter().map(|s| self.game.show_state(s)).collect()
    }

    fn scenes(&self) -> Vec<Scene> {
        self.states.iter().map(|s| self.game.scene(s)).collect()
    }
}
