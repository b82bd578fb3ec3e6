//! The server of Ludion: teams submit solutions of hexagonal Tetris as in the contest of 2015,
//! a referee scores them at once, and a leaderboard shows who is ahead.
//!
//! [`app`] is the whole of it as a router, to be tested without a socket; [`serve`] listens.

pub mod contest;

use std::future::Future;

use axum::Router;
use tokio::net::TcpListener;

pub use contest::{Contest, Limits, Token};

/// Everything that is served.
pub fn app(contest: Contest) -> Router {
    contest::routes(contest)
}

/// Serves requests until `stop` is done; those under way are still answered.
///
/// # Errors
/// When the listener fails.
pub async fn serve(
    listener: TcpListener,
    app: Router,
    stop: impl Future<Output = ()> + Send + 'static,
) -> std::io::Result<()> {
    axum::serve(listener, app).with_graceful_shutdown(stop).await
}
