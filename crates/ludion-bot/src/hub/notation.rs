//! What Hub needs of the rules of draughts: positions and moves in its notation.

/// A position in the notation of Hub, with the moves after it.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct HubPosition {
    /// The side to move and the pieces by square.
    pub pos: String,
    /// The moves from there.
    pub moves: Vec<String>,
}

/// Translates between the notations of a game and of Hub. The program that brings in the games
/// implements it, because this crate knows none.
pub trait HubNotation: Send + Sync {
    /// Writes a state, or the start if it is `None`, and the moves after it.
    ///
    /// # Errors
    /// When the game is not one that Hub engines play, or a state or move is not legal; the error is
    /// a sentence.
    fn write_position(
        &self,
        game: &str,
        state: Option<&str>,
        moves: &[String],
    ) -> Result<HubPosition, String>;

    /// Parses a position; returns its state and the moves after it in the notation of the game.
    ///
    /// # Errors
    /// When the position or a move is not legal; the error is a sentence.
    fn read_position(
        &self,
        game: &str,
        position: &HubPosition,
    ) -> Result<(String, Vec<String>), String>;

    /// Writes the moves after a state, up to the first that is not legal.
    fn write_moves(&self, game: &str, state: &str, moves: &[String]) -> Vec<String>;

    /// Parses moves after a state, up to the first that is not legal, to the notation of the game.
    fn read_moves(&self, game: &str, state: &str, moves: &[String]) -> Vec<String>;
}
