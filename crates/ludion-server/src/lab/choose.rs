//! A player's decision, told live: what it thinks of every move while it thinks, then the
//! choice. At most so many searches think at once, the others wait for their turn; a search
//! whose client is gone stops.

use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use axum::extract::State;
use axum::response::IntoResponse;
use ludion::param::Spec;
use ludion::player::{Budget, Choice, Observer, TreeBranch, TreeLimits};
use ludion::random::derive_seed;
use ludion::registry::{AnyPlayer, GameHistory};
use serde::{Deserialize, Serialize};
use serde_json::json;
use tokio::sync::OwnedSemaphorePermit;

use super::body::JsonBody;
use super::error::LabError;
use super::position::PositionRequest;
use super::stream::{EventSender, news};
use super::{LabLimits, LabState, SharedLabState};

/// How often a search says what it thinks.
const PACE: Duration = Duration::from_millis(100);

/// A decision that is asked for.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ChooseRequest {
    /// Where the game stands: its fields are those of a `PositionRequest`.
    game: String,
    state: Option<String>,
    #[serde(default)]
    moves: String,
    /// Who decides, such as `mcts(sims=20000)`; if nobody is named, the strongest that answers
    /// at once.
    player: Option<String>,
    /// What may be spent, such as `2s` or `1000sims`.
    budget: Option<String>,
    /// What randomness is drawn from, together with the number of the move.
    #[serde(default = "one")]
    seed: u64,
    /// Whether to tell the top of the search tree as well, where the player has one.
    #[serde(default)]
    tree: bool,
}

fn one() -> u64 {
    1
}

/// A search that can begin.
struct PreparedSearch {
    record: GameHistory,
    player: Box<dyn AnyPlayer>,
    budget: Budget,
    tree: bool,
}

/// How much of a search tree is told: at most 1,554 branches.
const TREE: TreeLimits = TreeLimits { depth: 4, width: 6 };

/// Events: `waiting` until it is its turn, `thinking` with the player, `report` and `tree` now
/// and then, `choice` in the end, or `error`.
pub(super) async fn choose(
    State(running): State<SharedLabState>,
    JsonBody(question): JsonBody<ChooseRequest>,
) -> Result<impl IntoResponse, LabError> {
    let place_in_queue =
        Arc::clone(&running.waiting).try_acquire_owned().map_err(|_| LabError::Busy)?;
    let search = running.off(move |running| question.prepare(running)).await?;
    let (teller, answer) = news();
    tokio::spawn(async move {
        let Some(turn) = its_turn(&running, &teller).await else { return };
        let (limits, permits) = (running.limits, (place_in_queue, turn));
        tokio::task::spawn_blocking(move || think(search, teller, &limits, permits));
    });
    Ok(answer)
}

/// Waits until one more search may think; nothing when the client is gone before.
pub(super) async fn its_turn(
    running: &LabState,
    teller: &EventSender,
) -> Option<OwnedSemaphorePermit> {
    if let Ok(turn) = Arc::clone(&running.thinking).try_acquire_owned() {
        return Some(turn);
    }
    teller.mention("waiting", &json!({}));
    // One place in the line, kept while we look whether somebody still waits.
    let mut turn = pin!(Arc::clone(&running.thinking).acquire_owned());
    while !teller.is_alone() {
        if let Ok(turn) = tokio::time::timeout(PACE, turn.as_mut()).await {
            return turn.ok();
        }
    }
    None
}

impl ChooseRequest {
    fn prepare(self, running: &LabState) -> Result<PreparedSearch, LabError> {
        let budget = match self.budget.as_deref() {
            None | Some("") => Budget::UNLIMITED,
            Some(text) => text.parse().map_err(|error| LabError::Bad(format!("{error}")))?,
        };
        let place = PositionRequest { game: self.game, state: self.state, moves: self.moves };
        let record = place.open(&running.registry, &running.limits)?;
        let name = match self.player {
            Some(name) => name,
            None => running.registry.entry(record.game.spec())?.default_player().to_owned(),
        };
        let mut player = seat(running, &record, &name)?;
        let ply = record.moves().len() as u64;
        player.begin(derive_seed(self.seed, &[0, ply]));
        Ok(PreparedSearch { record, player, budget, tree: self.tree })
    }
}

/// The player that `text` names, if requests may ask for it.
fn seat(
    running: &LabState,
    record: &GameHistory,
    text: &str,
) -> Result<Box<dyn AnyPlayer>, LabError> {
    let entry = running.registry.entry(record.game.spec())?;
    running.check_player(entry, &Spec::parse(text)?)?;
    Ok(record.game.player(text)?)
}

/// Thinks and tells; the permits are given back at the end.
fn think(
    mut search: PreparedSearch,
    teller: EventSender,
    limits: &LabLimits,
    _permits: (OwnedSemaphorePermit, OwnedSemaphorePermit),
) {
    if teller.is_alone() {
        return;
    }
    teller.mention("thinking", &json!({ "player": search.player.spec() }));
    let last = Instant::now() + limits.time;
    let cut_off = AtomicBool::new(false);
    let watch = LiveObserver {
        teller: &teller,
        last,
        cut_off: &cut_off,
        tree: search.tree.then_some(TREE),
    };
    match search.player.choose(search.record.position(), search.budget, &watch) {
        Ok(choice) => {
            let cut_off = cut_off.load(Ordering::Relaxed);
            teller.end("choice", &ChooseResponse { choice: honest(choice, cut_off), cut_off });
        }
        Err(refusal) => teller.end("error", &json!({ "error": refusal.to_string() })),
    }
}

/// A choice, and whether the laboratory's limit of time ended the search before it was done.
#[derive(Serialize)]
struct ChooseResponse {
    #[serde(flatten)]
    choice: Choice<String>,
    cut_off: bool,
}

/// A search of a fixed depth that was cut off before it knew of any move has not looked so far
/// ahead as it meant to.
fn honest(choice: Choice<String>, cut_off: bool) -> Choice<String> {
    let depth = if cut_off && choice.lines.is_empty() { 0 } else { choice.depth };
    Choice { depth, ..choice }
}

/// Passes on what a player thinks, and stops it when nobody listens or the time is up.
struct LiveObserver<'a> {
    teller: &'a EventSender,
    last: Instant,
    /// Set when the time is up.
    cut_off: &'a AtomicBool,
    tree: Option<TreeLimits>,
}

impl Observer<String> for LiveObserver<'_> {
    fn interval(&self) -> Option<Duration> {
        Some(PACE)
    }

    fn report(&self, so_far: &Choice<String>) {
        self.teller.mention("report", so_far);
    }

    fn pruning(&self) -> Option<TreeLimits> {
        self.tree
    }

    fn tree(&self, branches: &[TreeBranch<String>]) {
        self.teller.mention("tree", &branches);
    }

    fn stop(&self) -> bool {
        if Instant::now() >= self.last {
            self.cut_off.store(true, Ordering::Relaxed);
            return true;
        }
        self.teller.is_alone()
    }
}
