//! The laboratory in a browser: pages embedded in the program, and an interface under `/api`.
//!
//! The interface keeps no state for a client: a position is a game, perhaps a state, and moves,
//! all of them text, so a link holds all there is. Errors are `{"error": "a sentence"}`. What
//! takes its time comes as server-sent events, and ends when nobody listens any more.
//!
//! Adding a route: one handler, one line of the table in `routes`, one path in `openapi.json`
//! (a test holds the two against each other). A handler takes `body::JsonBody` for JSON and
//! answers with `Result<Json<_>, LabError>`; work off the threads that answer goes through
//! `LabState::off` or `LabState::with_store`, and long work tells its news through `stream`.
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
use ludion_runs::study;
use ludion_store::Store;
use tokio::sync::Semaphore;

pub use access::LabAccess;
pub use error::LabError;
pub use limits::LabLimits;
pub use routes::{ApiRoute, ROUTES};
pub use runs::RunLimits;

/// What a laboratory is made of.
pub struct LabConfig {
    /// Games and players.
    pub registry: Arc<Registry>,
    /// Where runs are kept.
    pub store: Store,
    /// Who may come in.
    pub access: LabAccess,
    /// What is too much.
    pub limits: LabLimits,
    /// Whether programs of somebody's own may be started by a request.
    pub allow_bots: bool,
    /// The kinds of studies that can be looked at and conducted.
    pub studies: Vec<study::AnyStudyKind>,
    /// The folder with archives of games and trained models, if there is one.
    pub data: Option<PathBuf>,
    /// Other machines that can be looked at.
    pub cluster: Option<Box<dyn Cluster + Send + Sync>>,
}

/// A laboratory that is open.
pub(crate) struct LabState {
    registry: Arc<Registry>,
    /// The registry as it was given, programs of somebody's own included.
    given: Arc<Registry>,
    store: Mutex<Store>,
    limits: LabLimits,
    allow_bots: bool,
    cluster: Option<Box<dyn Cluster + Send + Sync>>,
    /// Breakers of codes that were of use before.
    benches: mastermind::BreakerCaches,
    /// Searches that may think now.
    thinking: Arc<Semaphore>,
    /// Searches that may think or wait for their turn.
    waiting: Arc<Semaphore>,
    /// Runs that are under way.
    desk: runs::RunManager,
    /// Archives of games and trained models.
    data: Arc<learning::DataFolder>,
}

/// What every handler has at hand.
pub(crate) type SharedLabState = Arc<LabState>;

impl LabState {
    /// Does something that takes milliseconds, off the threads that answer requests.
    async fn off<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl FnOnce(&LabState) -> Result<T, LabError> + Send + 'static,
    ) -> Result<T, LabError> {
        let running = Arc::clone(self);
        let done = tokio::task::spawn_blocking(move || work(&running));
        done.await.map_err(|_| LabError::Broken)?
    }

    /// Does something with the store, off the threads that answer requests.
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

    /// The store once more, for something that takes longer. Not for threads that answer.
    fn open_store(&self) -> Result<Store, ludion_store::StoreError> {
        self.store.lock().unwrap_or_else(PoisonError::into_inner).reopen()
    }

    /// Whether requests may ask for the player of this name.
    fn allows(&self, player: &str) -> bool {
        self.allow_bots || !self.given.is_text_player(player)
    }
}

/// What requests may name: files are those of the folder, and programs of somebody's own are
/// there only where they may be started.
fn admitted(given: &Registry, data: &Arc<learning::DataFolder>, allow_bots: bool) -> Arc<Registry> {
    let registry = given.clone().with_assets(data.assets(given.assets().clone()));
    Arc::new(if allow_bots { registry } else { registry.without_text_players() })
}

/// The pages, their files and the interface.
pub(crate) fn routes(lab: LabConfig) -> Router {
    let LabConfig { registry: given, store, access, limits, allow_bots, studies, data, cluster } =
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
        desk: runs::RunManager::new(&limits, &thinking, studies),
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
