//! Games of an archive once their types are forgotten.

use std::ops::ControlFlow;

use crate::archive::ArchivedGame;
use crate::game::Game;
use crate::outcome::{AnyOutcome, Outcome};
use crate::scene::Scene;

/// Whoever looks at the games of an archive; says whether to go on.
pub type VisitArchivedGame<'a> = dyn FnMut(&dyn AnyArchivedGame) -> ControlFlow<()> + 'a;

/// A game that was read from an archive.
pub trait AnyArchivedGame {
    /// Its number among those of its source.
    fn number(&self) -> u64;
    /// How it ended.
    fn outcome(&self) -> AnyOutcome;
    /// For every move its place among the legal ones, and how many those were.
    fn choices(&self) -> &[(u32, u32)];
    /// The moves in their notation.
    fn moves(&self) -> Vec<String>;
    /// Every state in its notation, from the start to the end.
    fn states(&self) -> Vec<String>;
    /// Every state as a picture, from the start to the end.
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
