//! The contest: `POST /teams/ID/solutions` and `GET` of the same, with Basic authentication, an
//! empty user and the token of the team as password; `GET /leaderboard` and `GET /problems` for
//! everybody.

mod auth;
mod judge;
mod leaderboard;
mod limits;
mod reply;
mod solutions;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::routing::get;
use ludion::games::hextris::{Phrases, Problem};
use ludion_store::Store;

pub use auth::Token;
pub use leaderboard::{Entry, Leaderboard, Overall, Ranked, rank};
pub use limits::Limits;
use limits::Rates;
pub use reply::Refusal;

/// What teams compete in.
pub struct Contest {
    /// The problems by their number.
    pub problems: BTreeMap<u32, Problem>,
    /// The phrases that have power.
    pub phrases: Phrases,
    /// Where teams and solutions are kept.
    pub store: Store,
    /// What is too much.
    pub limits: Limits,
}

/// A contest that is under way.
struct Running {
    problems: BTreeMap<u32, Problem>,
    phrases: Phrases,
    store: Mutex<Store>,
    limits: Limits,
    rates: Rates,
}

type Shared = Arc<Running>;

impl Running {
    /// Does something with the store, off the threads that answer requests.
    async fn with_store<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl FnOnce(&Running, &mut Store) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        let running = Arc::clone(self);
        let done = tokio::task::spawn_blocking(move || {
            let mut store = running.store.lock().map_err(|_| Refusal::Broken)?;
            work(&running, &mut store)
        });
        done.await.map_err(|_| Refusal::Broken)?
    }
}

/// The routes of a contest. What was submitted before and not scored is scored now.
pub(crate) fn routes(contest: Contest) -> Router {
    let Contest { problems, phrases, store, limits } = contest;
    let rates = Rates::new(limits.posts_a_minute);
    let store = Mutex::new(store);
    let running = Arc::new(Running { problems, phrases, store, limits, rates });
    judge::in_the_background(&running);
    Router::new()
        .route("/teams/{team}/solutions", get(solutions::list).post(solutions::submit))
        .route("/leaderboard", get(leaderboard::show))
        .route("/problems", get(leaderboard::problems))
        .fallback(|| async { Refusal::Nowhere })
        .method_not_allowed_fallback(|| async { Refusal::Method })
        .layer(DefaultBodyLimit::max(limits.body_bytes))
        .with_state(running)
}
