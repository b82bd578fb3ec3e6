//! The lines of the protocol as types, in both directions: the Universal Game Interface and
//! our extensions. `docs/guide/protocol.md` is the same for people. Reading never fails hard:
//! either side ignores a line that it does not know.

mod command;
mod go;
mod reply;

pub use command::{BotCommand, BotCommandError, PositionOrigin, PositionQuery};
pub use go::{GameClock, GoParameters};
pub use reply::{BotFeature, BotReply, BotScore, SearchInfo, SpinOption};

use ludion::game::{Side, Status};
use ludion::outcome::{AnyOutcome, Duel};

/// What `query result` is answered with: `p1win`, `p2win`, `draw`, `score N`, or `none` while
/// the game goes on.
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

/// What `query legal` is answered with: the moves, or `none` when the game is over.
#[must_use]
pub fn legal_text(moves: &[String]) -> String {
    if moves.is_empty() { "none".to_owned() } else { moves.join(" ") }
}
