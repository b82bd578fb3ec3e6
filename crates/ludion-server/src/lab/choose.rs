//! `POST /api/choose`: a player chooses a move, and its search is streamed while it runs. A search
//! ends when its client has gone or the laboratory's time limit is over.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::extract::State;
use axum::response::IntoResponse;
use ludion::param::Spec;
use ludion::player::{Budget, Choice, Observer, TreeBranch, TreeLimits};
use ludion::random::derive_seed;
use ludion::registry::{AnyPlayer, GameHistory};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::body::JsonBody;
use super::error::LabError;
use super::position::PositionRequest;
use super::queued_task::{FinalEvent, QueueSlot, QueuedTask, error_event, result_event};
use super::{LabState, SharedLabState};

/// How often a search is reported.
const REPORT_INTERVAL: Duration = Duration::from_millis(100);

/// A move that a player is asked to choose.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ChooseRequest {
    /// The game. The position is given by the same fields as in a `PositionRequest`.
    game: String,
    state: Option<String>,
    #[serde(default)]
    moves: String,
    /// The player, such as `mcts(sims=20000)`; by default the strongest that answers at once.
    player: Option<String>,
    /// The budget, such as `2s` or `1000sims`.
    budget: Option<String>,
    /// The seed; the number of the move is mixed in.
    #[serde(default = "one")]
    seed: u64,
    /// Whether to send the top of the search tree as well, where the player has one.
    #[serde(default)]
    tree: bool,
}

fn one() -> u64 {
    1
}

/// A search that is ready to run.
struct PreparedSearch {
    history: GameHistory,
    player: Box<dyn AnyPlayer>,
    budget: Budget,
    tree: Option<TreeLimits>,
}

/// The part of a search tree that is sent: at most 1,554 branches.
const TREE: TreeLimits = TreeLimits { depth: 4, width: 6 };

/// Events: `waiting` while too many searches run, `thinking` with the player, `report` and `tree`
/// from time to time, `choice` in the end, or `error`.
pub(super) async fn choose(
    State(lab): State<SharedLabState>,
    JsonBody(request): JsonBody<ChooseRequest>,
) -> Result<impl IntoResponse, LabError> {
    // A client beyond the queue is refused before its position is set up.
    let slot = QueueSlot::reserve(&lab)?;
    let search = lab.off(move |lab| request.prepare(lab)).await?;
    Ok(slot.run(lab, move |task| search.run(task)))
}

impl ChooseRequest {
    fn prepare(self, lab: &LabState) -> Result<PreparedSearch, LabError> {
        let budget = match self.budget.as_deref() {
            None | Some("") => Budget::UNLIMITED,
            Some(text) => text.parse().map_err(|error| LabError::Bad(format!("{error}")))?,
        };
        let position = PositionRequest { game: self.game, state: self.state, moves: self.moves };
        let history = position.open(&lab.registry, &lab.limits)?;
        let entry = lab.registry.entry(history.game.spec())?;
        let name = self.player.as_deref().unwrap_or_else(|| entry.default_player());
        lab.check_player(entry, &Spec::parse(name)?)?;
        let mut player = history.game.player(name)?;
        let ply = history.moves().len() as u64;
        player.begin(derive_seed(self.seed, &[0, ply]));
        Ok(PreparedSearch { history, player, budget, tree: self.tree.then_some(TREE) })
    }
}

impl PreparedSearch {
    fn run(mut self, task: &QueuedTask<'_>) -> FinalEvent {
        task.events.try_send("thinking", &json!({ "player": self.player.spec() }));
        let observer =
            StreamingObserver { task, was_cut_off: AtomicBool::new(false), tree: self.tree };
        match self.player.choose(self.history.position(), self.budget, &observer) {
            Ok(choice) => {
                let cut_off = observer.was_cut_off.into_inner();
                let choice = with_true_depth(choice, cut_off);
                result_event("choice", &ChooseResponse { choice, cut_off })
            }
            Err(refusal) => error_event(refusal),
        }
    }
}

/// A choice, and whether the laboratory's time limit ended the search early.
#[derive(Serialize)]
struct ChooseResponse {
    #[serde(flatten)]
    choice: Choice<String>,
    cut_off: bool,
}

/// Sets the depth to 0 where a search of fixed depth was cut off before it evaluated any move.
fn with_true_depth(choice: Choice<String>, cut_off: bool) -> Choice<String> {
    let depth = if cut_off && choice.lines.is_empty() { 0 } else { choice.depth };
    Choice { depth, ..choice }
}

/// Streams the reports of a search, and stops it when the client has gone or the time is over.
struct StreamingObserver<'a> {
    task: &'a QueuedTask<'a>,
    /// Set when the time is over.
    was_cut_off: AtomicBool,
    tree: Option<TreeLimits>,
}

impl Observer<String> for StreamingObserver<'_> {
    fn interval(&self) -> Option<Duration> {
        Some(REPORT_INTERVAL)
    }

    fn report(&self, so_far: &Choice<String>) {
        self.task.events.try_send("report", so_far);
    }

    fn tree_limits(&self) -> Option<TreeLimits> {
        self.tree
    }

    fn report_tree(&self, branches: &[TreeBranch<String>]) {
        self.task.events.try_send("tree", &branches);
    }

    fn should_stop(&self) -> bool {
        if self.task.is_timed_out() {
            self.was_cut_off.store(true, Ordering::Relaxed);
            return true;
        }
        self.task.events.is_closed()
    }
}
