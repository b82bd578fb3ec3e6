//! Command-line arguments that give a position: a game, optionally a state, optionally moves.

use clap::Args;
pub(crate) use ludion::registry::GameHistory;
use ludion::registry::Registry;

use crate::failure::CommandFailure;

/// Arguments that give a position.
#[derive(Args)]
pub(crate) struct PositionArgs {
    /// The game, such as connect4 or "hexapawn(4, 5, cylinder)"
    pub(crate) game: String,
    /// Begin from this state, in the notation that `show` prints
    #[arg(long, value_name = "STATE", allow_hyphen_values = true)]
    from: Option<String>,
    /// Then play these moves, separated by spaces or commas
    #[arg(long, value_name = "MOVES", allow_hyphen_values = true)]
    moves: Option<String>,
}

impl PositionArgs {
    /// Returns whether a state or moves are given.
    pub(crate) fn has_state(&self) -> bool {
        self.from.is_some() || self.moves.is_some()
    }

    /// Opens the game at the start or the given state and plays the given moves.
    pub(crate) fn open(&self, registry: &Registry) -> Result<GameHistory, CommandFailure> {
        let game = registry.game(&self.game)?;
        let start = match &self.from {
            Some(text) => game.read(text)?,
            None => game.start(),
        };
        let mut record = GameHistory::from(game, start);
        record.play_line(self.moves.as_deref().unwrap_or_default())?;
        Ok(record)
    }
}
