//! What a player counted and remembered during a search, beyond its choice, so that a person can
//! check it by hand. Positions and moves are in the notation of the game.

use serde::Serialize;

/// The details of a search; empty lists for what a player does not keep.
#[derive(Clone, PartialEq, Default, Debug, Serialize)]
pub struct SearchDetails {
    /// The outcomes of random games, by position and move: of the position that was searched for
    /// flat Monte-Carlo, of every remembered position for UCT.
    pub games: Vec<PositionGames>,
    /// The entries of the transposition table.
    pub memory: Vec<MemoryEntry>,
    /// Sentences about the search, such as that a solver gave up.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// Whether there are more positions than the observer asked for.
    pub truncated: bool,
}

/// The outcomes of random games after each move of a position.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct PositionGames {
    /// The position before the moves.
    pub state: String,
    /// The outcomes by move, in the order of the game; a single entry without a move if the game is
    /// over.
    pub moves: Vec<MoveGames>,
}

/// The outcomes of random games after one move, for the side that makes it.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct MoveGames {
    /// The move; `None` for the games that were over in the position itself, counted for the first
    /// side.
    #[serde(rename = "move")]
    pub play: Option<String>,
    /// Number of games won.
    pub wins: u64,
    /// Number of games drawn.
    pub draws: u64,
    /// Number of games lost.
    pub losses: u64,
}

/// The entry of a transposition table for one position.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct MemoryEntry {
    /// The position of the entry.
    pub state: String,
    /// The depth of the search below the position, in plies.
    pub depth: u32,
    /// Whether the search saw every line that matters to the end of the game.
    pub exact: bool,
    /// How the score relates to the value of the position.
    pub bound: MemoryBound,
    /// The value of the position for the side to move, or a bound on it: 100 is a win, −100 a loss.
    pub score: f64,
    /// The best move found; `None` if there is none.
    pub best: Option<String>,
}

/// How the score of a [`MemoryEntry`] relates to the value of its position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum MemoryBound {
    /// The score is the value at this depth, or is stored as if it were.
    Value,
    /// The value is at least the score.
    AtLeast,
    /// The value is at most the score.
    AtMost,
}
