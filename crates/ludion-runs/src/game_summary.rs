//! A stored game without its moves, as the command line and the laboratory show it.

use ludion_players::arena::game::GameEnd;
use ludion_players::arena::plan::GamesPlan;
use ludion_players::game::Side;
use ludion_players::outcome::Duel;
use ludion_store::StoredGame;
use serde::Serialize;

/// A game of a run without its moves.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub struct GameSummary {
    /// The number of the game in its run, from 0.
    pub number: u64,
    /// Specs of the players, the one that moved first in front.
    pub players: [String; 2],
    /// Names under which the players are shown, in the same order; `None` if they are shown by
    /// their specs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub names: Option<[String; 2]>,
    /// The side that won; `None` for a draw.
    pub won: Option<Side>,
    /// Description of how the game ended, such as `first wins`.
    pub ended: String,
    /// Number of plies, the opening included.
    pub plies: u32,
}

impl GameSummary {
    /// Returns the names under which the players are shown.
    #[must_use]
    pub fn player_names(&self) -> &[String; 2] {
        self.names.as_ref().unwrap_or(&self.players)
    }

    /// Summarises a game that was played by this plan.
    #[must_use]
    pub fn new(plan: &GamesPlan, game: &StoredGame) -> Self {
        let player = |seat: u32| plan.players.get(seat as usize).cloned().unwrap_or_default();
        let name = |seat: u32| plan.player_name(seat as usize).to_owned();
        GameSummary {
            number: game.number,
            players: game.result.seats.map(player),
            names: (!plan.names.is_empty()).then(|| game.result.seats.map(name)),
            won: match game.result.end.duel() {
                Duel::Won(side) => Some(side),
                Duel::Drawn => None,
            },
            ended: describe_end(&game.result.end),
            plies: game.result.plies,
        }
    }
}

/// Describes how a game ended: `first wins`, `second forfeits: it took too long`.
fn describe_end(end: &GameEnd) -> String {
    match end {
        GameEnd::Rules(duel) => duel.to_string(),
        GameEnd::Forfeit { by, reason } => format!("{by} forfeits: {reason}"),
        GameEnd::Endless => "drawn, too many plies".to_owned(),
        GameEnd::Time { by } => format!("{by} loses on time"),
        GameEnd::Adjudicated { duel, reason } => format!("{duel} by adjudication: {reason}"),
    }
}
