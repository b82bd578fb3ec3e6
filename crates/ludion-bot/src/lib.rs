//! Bots of other people: programs in any language that play over standard input and output.
//!
//! [`protocol`] has the lines as types, `docs/guide/protocol.md` the same for people. The player
//! [`bot`] puts such a program into any seat, [`check()`] finds out whether it keeps to the
//! protocol, [`serve()`] is the reverse: one of our players for the programs of others. We
//! referee: a bot is never trusted about the rules, about time, or to end when it should.
//! Processes need Unix; elsewhere there is the protocol and [`serve()`] alone.

#[cfg(unix)]
mod check;
#[cfg(unix)]
mod error;
#[cfg(unix)]
mod player;
#[cfg(unix)]
mod process;
pub mod protocol;
mod serve;
#[cfg(unix)]
mod session;
#[cfg(unix)]
mod supervisor;

#[cfg(unix)]
pub use check::{BotCheckItem, BotCheckOptions, BotCheckReport, check};
#[cfg(unix)]
pub use error::BotError;
#[cfg(unix)]
pub use player::bot;
pub use serve::{ServeError, serve};
#[cfg(unix)]
pub use session::{BotIdentity, BotSession, BotTimeouts};
#[cfg(unix)]
pub use supervisor::supervise_if_asked;

/// The name of the player that starts a program.
pub const PLAYER_NAME: &str = "bot";
