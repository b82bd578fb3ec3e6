//! The laboratory in a browser: pages embedded in the program, and an interface under `/api`.
//!
//! The interface keeps no state for a client: a position is a game, an optional state and moves,
//! all as text, so a link holds everything. Errors are `{"error": "a sentence"}`. Long operations
//! are server-sent events and end when the client disconnects.
//!
//! Adding a route: one handler, one line of the table in `routes`, one path in `openapi.json` (a
//! test compares the two). A handler takes `body::JsonBody` for JSON and returns `Result<Json<_>,
//! LabError>`; blocking work goes through `LabState::blocking` or `LabState::with_store`, and long
//! work sends its events through `stream`.
//!
//! Adding a page: one module in `static/js/pages`, one line in `static/js/pages.js`.

mod about;
mod access;
mod body;
mod choose;
mod compression;
mod edit;
mod error;
mod explorer;
mod files;
mod games;
mod hextris;
mod learning;
mod limits;
mod mastermind;
mod position;
mod priority;
mod queued_task;
mod read;
mod reproductions;
mod routes;
mod runs;
mod showcase;
mod solve;
mod stream;

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware;
use ludion_players::registry::Registry;
use ludion_runs::cluster::Cluster;
use ludion_runs::kinds::WorkKinds;
use ludion_store::Store;
use tokio::sync::Semaphore;

use crate::submissions::AccessToken;

pub use access::LabAccess;
pub use error::LabError;
pub use limits::LabLimits;
pub use routes::{ApiRoute, ROUTES};
pub use runs::RunLimits;

/// Configuration of the laboratory.
pub struct LabConfig {
    /// The games and players of the laboratory, external bots included.
    pub registry: Arc<Registry>,
    /// The store that keeps runs and submissions.
    pub store: Store,
    /// Which clients may use the laboratory.
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
    /// The registry for requests; without external bots unless they are allowed.
    registry: Arc<Registry>,
    /// The registry with external bots, to recognise their names.
    full_registry: Arc<Registry>,
    store: Mutex<Store>,
    limits: LabLimits,
    allow_bots: bool,
    /// The token of clients that manage teams; `None` if no client may.
    admin: Option<AccessToken>,
    cluster: Option<Box<dyn Cluster + Send + Sync>>,
    /// Cached code breakers of Mastermind.
    breakers: mastermind::BreakerCaches,
    /// The list of games with their pictures.
    gallery: games::GalleryCache,
    /// The games of the store, counted by position.
    explorers: explorer::ExplorerCache,
    /// One permit for each search that may run at the same time.
    search_permits: Arc<Semaphore>,
    /// One permit for each search that may run or wait in the queue.
    queue_permits: Arc<Semaphore>,
    /// Executes runs.
    run_manager: runs::RunManager,
    /// The folder of archives and trained models.
    data: Arc<learning::DataFolder>,
}

/// The state of the laboratory as handlers receive it.
pub(crate) type SharedLabState = Arc<LabState>;

impl LabState {
    /// Runs a short closure on a thread where it may block. Long work goes through `queued_task` or
    /// the run manager instead.
    async fn blocking<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl FnOnce(&LabState) -> Result<T, LabError> + Send + 'static,
    ) -> Result<T, LabError> {
        let lab = Arc::clone(self);
        let done = tokio::task::spawn_blocking(move || work(&lab));
        done.await.map_err(|_| LabError::Internal)?
    }

    /// Runs a short closure with the shared connection to the store on a thread where it may block.
    async fn with_store<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl FnOnce(&LabState, &mut Store) -> Result<T, LabError> + Send + 'static,
    ) -> Result<T, LabError> {
        self.blocking(|lab| {
            let mut store = lab.store.lock().map_err(|_| LabError::Internal)?;
            work(lab, &mut store)
        })
        .await
    }

    /// Opens another connection to the store, for longer operations. It blocks, so it is called on
    /// a blocking thread only.
    fn open_store(&self) -> Result<Store, ludion_store::StoreError> {
        self.store.lock().unwrap_or_else(PoisonError::into_inner).reopen()
    }

    /// Returns whether requests may use this player: external bots only where they are allowed.
    fn allows(&self, player: &str) -> bool {
        self.allow_bots || !self.full_registry.is_text_player(player)
    }
}

/// Returns the registry for requests: its assets are files of the data folder alone, and external
/// bots are included only where they are allowed.
fn request_registry(
    full_registry: &Registry,
    data: &Arc<learning::DataFolder>,
    allow_bots: bool,
) -> Arc<Registry> {
    let registry = full_registry.clone().with_assets(data.assets(full_registry.assets().clone()));
    Arc::new(if allow_bots { registry } else { registry.without_text_players() })
}

/// Returns the router of pages, static files and the interface. Clients that send the token `admin` may
/// manage the teams of the contest.
pub(crate) fn routes(config: LabConfig, admin: Option<AccessToken>) -> Router {
    let LabConfig {
        registry: full_registry,
        store,
        access,
        limits,
        allow_bots,
        kinds,
        data,
        cluster,
    } = config;
    let search_permits = Arc::new(Semaphore::new(limits.searches));
    let data = Arc::new(learning::DataFolder::new(data, store.files()));
    let registry = request_registry(&full_registry, &data, allow_bots);
    let lab: SharedLabState = Arc::new(LabState {
        registry,
        full_registry,
        store: Mutex::new(store),
        limits,
        allow_bots,
        admin,
        cluster,
        breakers: mastermind::BreakerCaches::default(),
        gallery: games::GalleryCache::default(),
        explorers: explorer::ExplorerCache::default(),
        run_manager: runs::RunManager::new(&limits, &search_permits, kinds),
        data,
        search_permits,
        queue_permits: Arc::new(Semaphore::new(limits.searches + limits.queue)),
    });
    let table =
        ROUTES.iter().fold(Router::new(), |app, route| app.route(route.path, (route.handler)()));
    table
        .fallback(files::serve)
        .method_not_allowed_fallback(routes::wrong_method)
        .layer(DefaultBodyLimit::max(limits.body_bytes))
        .layer(middleware::from_fn(compression::compress_response))
        .layer(middleware::from_fn_with_state(Arc::new(access), access::guard))
        .with_state(lab)
}
