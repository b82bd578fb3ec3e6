//! The submission server of hexagonal Tetris: `POST` and `GET /teams/ID/solutions` with HTTP Basic
//! authentication (empty user, the team's token as password); `GET /leaderboard` and `GET
//! /problems` without authentication.

mod auth;
mod error;
mod judge;
mod leaderboard;
mod limits;
mod served_problem;
mod solutions;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::routing::get;
use ludion_hextris::{Phrases, Problem};
use ludion_store::{Store, StoreError};

pub use auth::AccessToken;
pub use error::SubmissionError;
pub use leaderboard::{Leaderboard, OverallEntry, ProblemEntry, ProblemRanking, rank};
use limits::RateLimiter;
pub use limits::SubmissionLimits;
pub use served_problem::ServedProblem;

/// Configuration of the submission server.
pub struct SubmissionConfig {
    /// The problems that accept solutions, by number.
    pub problems: BTreeMap<u32, Problem>,
    /// The phrases of power, which the referee rewards.
    pub phrases: Phrases,
    /// The store of teams and solutions.
    pub store: Store,
    /// Limits of requests.
    pub limits: SubmissionLimits,
}

impl SubmissionConfig {
    /// Stores the problems and the phrases, so that the laboratory can show the submissions.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub fn store_problems(&mut self) -> Result<(), StoreError> {
        for problem in self.problems.values() {
            ServedProblem::new(problem, &self.phrases).put(&mut self.store)?;
        }
        Ok(())
    }
}

/// State of the submission server, shared by all requests.
struct SubmissionState {
    problems: BTreeMap<u32, Problem>,
    phrases: Phrases,
    store: Mutex<Store>,
    limits: SubmissionLimits,
    rates: RateLimiter,
}

type SharedSubmissionState = Arc<SubmissionState>;

impl SubmissionState {
    /// Runs a closure with the store on a thread where it may block.
    async fn with_store<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl FnOnce(&SubmissionState, &mut Store) -> Result<T, SubmissionError> + Send + 'static,
    ) -> Result<T, SubmissionError> {
        let server = Arc::clone(self);
        let done = tokio::task::spawn_blocking(move || {
            let mut store = server.store.lock().map_err(|_| SubmissionError::Internal)?;
            work(&server, &mut store)
        });
        done.await.map_err(|_| SubmissionError::Internal)?
    }
}

/// Returns the router, and starts scoring the stored solutions without a score.
pub(crate) fn routes(contest: SubmissionConfig) -> Router {
    let SubmissionConfig { problems, phrases, store, limits } = contest;
    let rates = RateLimiter::new(limits.posts_per_minute);
    let store = Mutex::new(store);
    let server = Arc::new(SubmissionState { problems, phrases, store, limits, rates });
    judge::score_in_background(&server);
    Router::new()
        .route("/teams/{team}/solutions", get(solutions::list).post(solutions::submit))
        .route("/leaderboard", get(leaderboard::show))
        .route("/problems", get(leaderboard::problems))
        .fallback(|| async { SubmissionError::NotFound })
        .method_not_allowed_fallback(|| async { SubmissionError::Method })
        .layer(DefaultBodyLimit::max(limits.body_bytes))
        .with_state(server)
}
