//! Games of an archive without their types.

use std::ops::ControlFlow;

use crate::archive::ArchivedGame;
use crate::game::Game;
use crate::outcome::{AnyOutcome, Outcome};
use crate::scene::Scene;

/// Callback for the games of an archive; it may break off.
pub type VisitArchivedGame<'a> = dyn FnMut(&dyn AnyArchivedGame) -> ControlFlow<()> + 'a;

/// A game of any type, read from an archive.
pub trait AnyArchivedGame {
    /// Returns its number among the games of its source.
    fn number(&self) -> u64;
    /// Returns how it ended.
    fn outcome(&self) -> AnyOutcome;
    /// Returns for every move its index among the legal ones, and their number.
    fn choices(&self) -> &[(u32, u32)];
    /// Returns the moves in notation.
    fn moves(&self) -> Vec<String>;
    /// Returns every state in notation, from the start to the end.
    fn states(&self) -> Vec<String>;
    /// Returns every state as a picture, from the start to the end.
    fn scenes(&self) -> Vec<Scene>;
}

impl<G: Game> AnyArchivedGame for ArchivedGame<'_, G> {
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
