//! Lines of the bot protocol as types, in both directions: the Universal Game Interface (UGI) and
//! Ludion's extensions. `docs/guide/protocol.md` explains them. Both sides ignore unknown lines.

mod command;
mod go;
mod reply;

pub use command::{BotCommand, BotCommandError, PositionOrigin, PositionQuery};
pub use go::{GameClock, GoParameters};
pub use reply::{BotFeature, BotOption, BotReply, BotScore, SearchInfo};

use ludion_players::game::{Side, Status};
use ludion_players::outcome::{AnyOutcome, Duel};

/// Returns the response to `query result`: `p1win`, `p2win`, `draw`, `score N`, or `none` while the
/// game is not over.
#[must_use]
pub fn result_text(status: Status<AnyOutcome>) -> String {
    match status {
        Status::Turn(_) => "none".to_owned(),
        Status::Over(AnyOutcome::Duel(Duel::Won(Side::First))) => "p1win".to_owned(),
        Status::Over(AnyOutcome::Duel(Duel::Won(Side::Second))) => "p2win".to_owned(),
        Status::Over(AnyOutcome::Duel(Duel::Drawn)) => "draw".to_owned(),
        Status::Over(AnyOutcome::Points(points)) => format!("score {points}"),
    }
}

/// Returns the response to `query legal`: the moves, or `none` when the game is over.
#[must_use]
pub fn legal_text(moves: &[String]) -> String {
    if moves.is_empty() { "none".to_owned() } else { moves.join(" ") }
}
