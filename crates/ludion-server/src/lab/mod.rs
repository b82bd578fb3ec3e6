//! The laboratory in a browser: pages embedded in the program, and an interface under `/api`.
//!
//! The interface keeps no state for a client: a position is a game, an optional state and moves, all
//! as text, so a link holds everything. Errors are `{"error": "a sentence"}`. Long operations are
//! server-sent events and end when the client disconnects.
//!
//! Adding a route: one handler, one line of the table in `routes`, one path in `openapi.json` (a test
//! compares the two). A handler takes `body::JsonBody` for JSON and returns
//! `Result<Json<_>, LabError>`; blocking work goes through `LabState::blocking` or
//! `LabState::with_store`, and long work sends its events through `stream`.
//!
//! Adding a page: one module in `static/js/pages`, one line in `static/js/pages.js`.

mod about;
mod access;
mod body;
mod choose;
mod error;
mod files;
mod games;
mod hextris;
mod learning;
mod limits;
mod mastermind;
mod position;
mod queued_task;
mod routes;
mod runs;
mod stream;

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware;
use ludion::registry::Registry;
use ludion_runs::cluster::Cluster;
use ludion_runs::kinds::WorkKinds;
use ludion_store::Store;
use tokio::sync::Semaphore;

pub use access::LabAccess;
pub use error::LabError;
pub use limits::LabLimits;
pub use routes::{ApiRoute, ROUTES};
pub use runs::RunLimits;

/// Configuration of the laboratory.
pub struct LabConfig {
    /// Games and players.
    pub registry: Arc<Registry>,
    /// The store of runs.
    pub store: Store,
    /// Which clients are admitted.
    pub access: LabAccess,
    /// Limits of requests and runs.
    pub limits: LabLimits,
    /// Whether a request may start external bots.
    pub allow_bots: bool,
    /// The kinds of studies that can be started, resumed and shown.
    pub kinds: WorkKinds,
    /// The folder with archives of games and trained models, if any.
    pub data: Option<PathBuf>,
    /// The cluster whose status is shown, if any.
    pub cluster: Option<Box<dyn Cluster + Send + Sync>>,
}

/// State shared by all requests.
pub(crate) struct LabState {
    registry: Arc<Registry>,
    /// The registry with external bots.
    given: Arc<Registry>,
    store: Mutex<Store>,
    limits: LabLimits,
    allow_bots: bool,
    cluster: Option<Box<dyn Cluster + Send + Sync>>,
    /// Code breakers kept from earlier requests.
    benches: mastermind::BreakerCaches,
    /// One permit for each search that may run now.
    thinking: Arc<Semaphore>,
    /// One permit for each search that may run or wait.
    waiting: Arc<Semaphore>,
    /// Runs in progress.
    desk: runs::RunManager,
    /// Archives of games and trained models.
    data: Arc<learning::DataFolder>,
}

/// The state as handlers receive it.
pub(crate) type SharedLabState = Arc<LabState>;

impl LabState {
    /// Runs a closure of some milliseconds on a blocking thread.
    async fn off<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl FnOnce(&LabState) -> Result<T, LabError> + Send + 'static,
    ) -> Result<T, LabError> {
        let running = Arc::clone(self);
        let done = tokio::task::spawn_blocking(move || work(&running));
        done.await.map_err(|_| LabError::Broken)?
    }

    /// Runs a closure with the store on a blocking thread.
    async fn with_store<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl FnOnce(&LabState, &mut Store) -> Result<T, LabError> + Send + 'static,
    ) -> Result<T, LabError> {
        self.off(|running| {
            let mut store = running.store.lock().map_err(|_| LabError::Broken)?;
            work(running, &mut store)
        })
        .await
    }

    /// Opens the store once more for a longer operation. Call it on a blocking thread only.
    fn open_store(&self) -> Result<Store, ludion_store::StoreError> {
        self.store.lock().unwrap_or_else(PoisonError::into_inner).reopen()
    }

    /// Whether requests may name this player.
    fn allows(&self, player: &str) -> bool {
        self.allow_bots || !self.given.is_text_player(player)
    }
}

/// Returns the registry for requests: assets are files of the data folder, and external bots are
/// included only where they are allowed.
fn admitted(given: &Registry, data: &Arc<learning::DataFolder>, allow_bots: bool) -> Arc<Registry> {
    let registry = given.clone().with_assets(data.assets(given.assets().clone()));
    Arc::new(if allow_bots { registry } else { registry.without_text_players() })
}

/// Returns the routes of pages, static files and the interface.
pub(crate) fn routes(lab: LabConfig) -> Router {
    let LabConfig { registry: given, store, access, limits, allow_bots, kinds, data, cluster } =
        lab;
    let thinking = Arc::new(Semaphore::new(limits.searches));
    let data = Arc::new(learning::DataFolder::new(data, store.files()));
    let registry = admitted(&given, &data, allow_bots);
    let running: SharedLabState = Arc::new(LabState {
        registry,
        given,
        store: Mutex::new(store),
        limits,
        allow_bots,
        cluster,
        benches: mastermind::BreakerCaches::default(),
        desk: runs::RunManager::new(&limits, &thinking, kinds),
        data,
        thinking,
        waiting: Arc::new(Semaphore::new(limits.searches + limits.queue)),
    });
    let table =
        ROUTES.iter().fold(Router::new(), |app, route| app.route(route.path, (route.handler)()));
    table
        .fallback(files::serve)
        .method_not_allowed_fallback(routes::wrong_method)
        .layer(DefaultBodyLimit::max(limits.body_bytes))
        .layer(middleware::from_fn_with_state(Arc::new(access), access::guard))
        .with_state(running)
}
