//! `POST /api/choose`: a player chooses a move, and reports of its search are streamed while it
//! runs. A search is stopped when its client disconnects or the laboratory's time limit is reached.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::extract::State;
use axum::response::IntoResponse;
use ludion_players::param::Spec;
use ludion_players::player::{Budget, Choice, Observer, TreeBranch, TreeReportLimits};
use ludion_players::random::derive_seed;
use ludion_players::registry::{AnyPlayer, GameHistory};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::body::JsonBody;
use super::error::LabError;
use super::position::PositionRequest;
use super::queued_task::{FinalEvent, QueueSlot, QueuedTask, error_event, result_event};
use super::{LabState, SharedLabState};

/// Time between two reports of a search.
const REPORT_INTERVAL: Duration = Duration::from_millis(100);

/// A request for the move of a player in a position.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ChooseRequest {
    /// The spec of the game. The position is given by the same fields as in a `PositionRequest`.
    game: String,
    state: Option<String>,
    #[serde(default)]
    moves: String,
    /// The spec of the player, such as `mcts(sims=20000)`; by default the strongest one of the game
    /// that answers within a second.
    player: Option<String>,
    /// The budget for the move, such as `2s` or `1000sims`; by default unlimited.
    budget: Option<String>,
    /// The seed of the player; the number of moves before the position is mixed in.
    #[serde(default = "one")]
    seed: u64,
    /// Whether to send the top of the search tree as well, where the player has one.
    #[serde(default)]
    tree: bool,
    /// Whether to value every move, even if the player needs the best one only.
    #[serde(default)]
    all: bool,
}

fn one() -> u64 {
    1
}

/// A player and the position in which it searches, ready to run.
struct PreparedSearch {
    history: GameHistory,
    player: Box<dyn AnyPlayer>,
    budget: Budget,
    /// Limits of the search tree that is sent; `None` to send no tree.
    tree: Option<TreeReportLimits>,
    /// Whether every move is valued.
    all: bool,
}

/// Limits of the search tree that is sent, which then has at most 1,554 branches.
const TREE: TreeReportLimits = TreeReportLimits { depth: 4, width: 6 };

/// Serves `POST /api/choose`. Events: `waiting` while too many searches run, `thinking` with the
/// player, `report` and `tree` every 100 ms or so, and at the end `choice` or `error`.
pub(super) async fn choose(
    State(lab): State<SharedLabState>,
    JsonBody(request): JsonBody<ChooseRequest>,
) -> Result<impl IntoResponse, LabError> {
    // If the queue is full, the request is refused before its position is computed.
    let slot = QueueSlot::reserve(&lab)?;
    let search = lab.blocking(move |lab| request.prepare(lab)).await?;
    Ok(slot.run(lab, move |task| search.run(task)))
}

impl ChooseRequest {
    /// Checks the request and creates the player and the position.
    fn prepare(self, lab: &LabState) -> Result<PreparedSearch, LabError> {
        let budget = match self.budget.as_deref() {
            None | Some("") => Budget::UNLIMITED,
            Some(text) => text.parse().map_err(|error| LabError::Bad(format!("{error}")))?,
        };
        let position = PositionRequest { game: self.game, state: self.state, moves: self.moves };
        let history = position.open(&lab.registry, &lab.limits)?;
        let entry = lab.registry.entry(history.game.spec())?;
        let default = || entry.default_player(history.game.spec());
        let name = self.player.as_deref().unwrap_or_else(default);
        lab.check_player(entry, &Spec::parse(name)?)?;
        let mut player = history.game.player(name)?;
        let ply = history.moves().len() as u64;
        player.begin(derive_seed(self.seed, &[0, ply]));
        let tree = self.tree.then_some(TREE);
        Ok(PreparedSearch { history, player, budget, tree, all: self.all })
    }
}

impl PreparedSearch {
    fn run(mut self, task: &QueuedTask<'_>) -> FinalEvent {
        task.events.try_send("thinking", &json!({ "player": self.player.spec() }));
        let (tree, all) = (self.tree, self.all);
        let observer = StreamingObserver { task, was_cut_off: AtomicBool::new(false), tree, all };
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

/// The chosen move, and whether the laboratory's time limit ended the search early.
#[derive(Serialize)]
struct ChooseResponse {
    #[serde(flatten)]
    choice: Choice<String>,
    cut_off: bool,
}

/// Sets the reported depth to 0 if the search was cut off before it evaluated any move: a player of
/// fixed depth reports that depth even then.
fn with_true_depth(choice: Choice<String>, cut_off: bool) -> Choice<String> {
    let depth = if cut_off && choice.lines.is_empty() { 0 } else { choice.depth };
    Choice { depth, ..choice }
}

/// Streams the reports of a search, and stops it when the client disconnects or the laboratory's
/// time limit is reached.
struct StreamingObserver<'a> {
    task: &'a QueuedTask<'a>,
    /// Whether the search was stopped because of the time limit.
    was_cut_off: AtomicBool,
    tree: Option<TreeReportLimits>,
    all: bool,
}

impl Observer<String> for StreamingObserver<'_> {
    fn interval(&self) -> Option<Duration> {
        Some(REPORT_INTERVAL)
    }

    fn report(&self, so_far: &Choice<String>) {
        self.task.events.try_send("report", so_far);
    }

    fn tree_limits(&self) -> Option<TreeReportLimits> {
        self.tree
    }

    fn report_tree(&self, branches: &[TreeBranch<String>]) {
        self.task.events.try_send("tree", &branches);
    }

    fn wants_all_values(&self) -> bool {
        self.all
    }

    fn should_stop(&self) -> bool {
        if self.task.is_timed_out() {
            self.was_cut_off.store(true, Ordering::Relaxed);
            return true;
        }
        self.task.events.is_closed()
    }
}
