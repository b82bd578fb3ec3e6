//! A game as far as it has been played, opened from what the command line says: a game,
//! perhaps a state to begin from, perhaps moves.

use std::sync::Arc;

use clap::Args;
use ludion::notation::ReadError;
use ludion::registry::{AnyGame, AnyPosition, Registry};
use ludion::scene::{Layout, Scene};

use crate::failure::Failure;

/// The arguments that say where a game stands.
#[derive(Args)]
pub(crate) struct Place {
    /// The game, such as connect4 or "hexapawn(4, 5, cylinder)"
    pub(crate) game: String,
    /// Begin from this state, in the notation that `show` gives
    #[arg(long, value_name = "STATE", allow_hyphen_values = true)]
    from: Option<String>,
    /// Then play these moves, with spaces or commas between
    #[arg(long, value_name = "MOVES", allow_hyphen_values = true)]
    moves: Option<String>,
}

impl Place {
    /// The game as far as the arguments say.
    pub(crate) fn open(&self, registry: &Registry) -> Result<Record, Failure> {
        let game = registry.game(&self.game)?;
        let start = match &self.from {
            Some(text) => game.read(text)?,
            None => game.start(),
        };
        let line = self.moves.as_deref().unwrap_or_default();
        let played = start.copy().play_line(line)?;
        let mut record = Record { game, positions: vec![start], moves: Vec::new() };
        for m in &played {
            record.play(m)?;
        }
        Ok(record)
    }
}

/// A game, every position it went through and the moves between them.
pub(crate) struct Record {
    /// The game.
    pub(crate) game: Arc<dyn AnyGame>,
    /// One more than moves.
    positions: Vec<Box<dyn AnyPosition>>,
    moves: Vec<String>,
}

impl Record {
    /// A game of which nothing is played yet.
    pub(crate) fn new(game: Arc<dyn AnyGame>) -> Self {
        let positions = vec![game.start()];
        Record { game, positions, moves: Vec::new() }
    }

    /// Where the game began.
    pub(crate) fn start(&self) -> &dyn AnyPosition {
        &*self.positions[0]
    }

    /// Where the game stands.
    pub(crate) fn position(&self) -> &dyn AnyPosition {
        &**self.positions.last().expect("a record keeps the position it began from")
    }

    /// The moves played, as the game writes them.
    pub(crate) fn moves(&self) -> &[String] {
        &self.moves
    }

    /// Plays a move.
    pub(crate) fn play(&mut self, text: &str) -> Result<(), ReadError> {
        let m = self.position().spell(text)?;
        let mut next = self.position().copy();
        next.play(&m)?;
        self.positions.push(next);
        self.moves.push(m);
        Ok(())
    }

    /// The position `plies` moves ago, if there were as many.
    pub(crate) fn ago(&self, plies: usize) -> Option<&dyn AnyPosition> {
        self.moves.len().checked_sub(plies).map(|i| &*self.positions[i])
    }

    /// Takes back as many moves; there must be as many.
    pub(crate) fn take_back(&mut self, plies: usize) {
        let left = self.moves.len() - plies;
        self.moves.truncate(left);
        self.positions.truncate(left + 1);
    }

    /// The picture of where the game stands, the last move pointed out. Among heaps the
    /// objects that a move touched are gone or elsewhere, so there it is not.
    pub(crate) fn scene(&self) -> Scene {
        let mut scene = self.position().scene();
        let last = self.moves.last().zip(self.ago(1));
        if let Some((m, before)) = last
            && !matches!(scene.layout, Layout::Heaps { .. })
        {
            for cell in before.touches(m).unwrap_or_default() {
                if !scene.marked.contains(&cell) {
                    scene.marked.push(cell);
                }
            }
        }
        scene
    }
}
