//! Hub, the protocol of draughts engines (version 2, 2019): engines as players, and players as
//! engines.
//!
//! A line is a command with arguments ([`HubLine`]). The rules of draughts are not needed here:
//! [`HubNotation`] translates positions and moves.

mod line;
mod notation;
mod score;
mod serve;
#[cfg(unix)]
mod session;

pub use line::HubLine;
pub use notation::{HubNotation, HubPosition};
pub use serve::serve_hub;
#[cfg(unix)]
pub(crate) use session::HubSession;
