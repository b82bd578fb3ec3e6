//! HTTP servers: the laboratory (games, players, runs and learning in a browser) and the submission
//! server (teams submit solutions of hexagonal Tetris; a referee scores them).
//!
//! [`laboratory`] and [`app`] return complete routers, which can be tested without a socket;
//! [`serve`] answers requests with them.

mod connections;
pub mod lab;
pub mod pictures;
mod runtime;
pub mod submissions;

use std::future::Future;

use axum::Router;
use tokio::net::TcpListener;

pub use connections::{ConnectionLimits, listen, serve_with};
pub use lab::{LabAccess, LabConfig};
pub use runtime::start_runtime;
pub use submissions::{AccessToken, ServedProblem, SubmissionConfig, SubmissionLimits};

/// Returns the router of the submission server.
pub fn app(contest: SubmissionConfig) -> Router {
    submissions::routes(contest)
}

/// Returns the router of the laboratory: pages, static files and the interface under `/api`.
pub fn laboratory(lab: LabConfig) -> Router {
    lab::routes(lab, None)
}

/// Returns the router of a laboratory in which clients with the token `admin` manage the teams of the
/// contest.
pub fn laboratory_with_admin(lab: LabConfig, admin: AccessToken) -> Router {
    lab::routes(lab, Some(admin))
}

/// Answers requests with a router until `stop` resolves, with the default [`ConnectionLimits`];
/// requests in progress then are still answered.
///
/// # Errors
/// Returns the error of the listening socket.
pub async fn serve(
    listener: TcpListener,
    app: Router,
    stop: impl Future<Output = ()> + Send + 'static,
) -> std::io::Result<()> {
    serve_with(listener, app, ConnectionLimits::default(), stop).await
}
