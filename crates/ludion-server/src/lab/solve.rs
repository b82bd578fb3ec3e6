//! `POST /api/solve`: the exact result of every move of a position, where the solver of the game
//! finds it within about a second.

use std::time::Duration;

use axum::extract::State;
use axum::response::IntoResponse;
use ludion_players::player::{Observer, RootLine};
use ludion_players::registry::GameHistory;
use ludion_players::solution::SolveLimits;
use serde::Serialize;

use super::SharedLabState;
use super::body::JsonBody;
use super::error::LabError;
use super::position::PositionRequest;
use super::queued_task::{FinalEvent, QueueSlot, QueuedTask, error_event, result_event};

/// Longest time of a search for exact results.
const MAX_TIME: Duration = Duration::from_millis(1200);

/// Limits of the solver in nodes, states and memory.
const LIMITS: SolveLimits =
    SolveLimits { nodes: 30_000_000, walk: 200_000, threads: 1, megabytes: 32, result_only: false };

/// The exact results of the moves of a position.
#[derive(Serialize)]
struct SolveResponse {
    /// Every legal move with its proven result.
    lines: Vec<RootLine<String>>,
    /// Number of states visited.
    nodes: u64,
}

/// Serves `POST /api/solve`. Events: `waiting` while too many searches run, and at the end
/// `solution` or `error`.
pub(super) async fn solve(
    State(lab): State<SharedLabState>,
    JsonBody(request): JsonBody<PositionRequest>,
) -> Result<impl IntoResponse, LabError> {
    let slot = QueueSlot::reserve(&lab)?;
    let open = move |lab: &super::LabState| request.open(&lab.registry, &lab.limits);
    let history = lab.blocking(open).await?;
    Ok(slot.run(lab, move |task| solution(&history, task)))
}

fn solution(history: &GameHistory, task: &QueuedTask<'_>) -> FinalEvent {
    match history.position().solve(LIMITS, &TimedObserver(task)) {
        Ok(solution) => {
            let (lines, nodes) = (solution.lines, solution.nodes);
            result_event("solution", &SolveResponse { lines, nodes })
        }
        Err(error) => error_event(error),
    }
}

/// Stops the solver when the client disconnects or the time is over.
struct TimedObserver<'a>(&'a QueuedTask<'a>);

impl Observer<String> for TimedObserver<'_> {
    fn should_stop(&self) -> bool {
        self.0.elapsed() > MAX_TIME || self.0.is_over()
    }
}
