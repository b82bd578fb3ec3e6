//! The servers of Ludion. The laboratory: games, players and their thinking in a browser. The
//! contest: teams submit solutions of hexagonal Tetris as in 2015, a referee scores them at
//! once, and a leaderboard shows who is ahead.
//!
//! [`laboratory`] and [`app`] are the whole of them as routers, to be tested without a socket;
//! [`serve`] listens.

pub mod lab;
pub mod pictures;
pub mod submissions;

use std::future::Future;

use axum::Router;
use tokio::net::TcpListener;

pub use lab::{LabAccess, LabConfig};
pub use submissions::{SubmissionLimits, SubmissionServer, TeamToken};

/// The contest: everything that is served.
pub fn app(contest: SubmissionServer) -> Router {
    submissions::routes(contest)
}

/// The laboratory: pages, their files and the interface under `/api`.
pub fn laboratory(lab: LabConfig) -> Router {
    lab::routes(lab)
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
