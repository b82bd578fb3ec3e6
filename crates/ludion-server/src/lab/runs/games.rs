//! The games of a run: a page of summaries, or one game with its moves.

use axum::Json;
use axum::extract::State;
use ludion_players::arena::pair::{GameRecord, MoveRecord};
use ludion_runs::{GameSummary, present_any_run, present_run};
use ludion_store::{RunId, RunPlan};
use serde::{Deserialize, Serialize};

use super::limits::check_range;
use super::paths::{GamePath, RunPath};
use crate::lab::SharedLabState;
use crate::lab::body::QueryParameters;
use crate::lab::error::LabError;

/// The query of a list of games: which part of the run's games.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct GamesQuery {
    /// Number of the first game, from 0.
    #[serde(default)]
    from: u64,
    /// Maximum number of games in the answer.
    #[serde(default = "fifty")]
    count: u64,
}

fn fifty() -> u64 {
    50
}

/// Largest `count` of a query.
const MAX_COUNT: u64 = 500;

/// A part of a run's games, without their moves.
#[derive(Serialize)]
pub(crate) struct GamesPage {
    run: RunId,
    /// Number of games of the whole run; 0 for a study or a tuning.
    total: u64,
    games: Vec<GameSummary>,
}

/// Serves `GET /api/runs/{run}/games`.
pub(crate) async fn games(
    State(lab): State<SharedLabState>,
    RunPath(id): RunPath,
    QueryParameters(page): QueryParameters<GamesQuery>,
) -> Result<Json<GamesPage>, LabError> {
    check_range("count", page.count, 1..=MAX_COUNT)?;
    let games = lab.blocking(move |lab| {
        let store = lab.open_store()?;
        let run = present_any_run(&lab.full_registry, store.any_run(id)?);
        let RunPlan::Games(plan) = &run.plan else {
            return Ok(GamesPage { run: id, total: 0, games: Vec::new() });
        };
        // The games of a tuning belong to its matches, which are stored as separate runs.
        let total = if plan.tuning.is_some() { 0 } else { run.games };
        let games = store.games(id, page.from, page.count)?;
        let games = games.iter().map(|game| GameSummary::new(plan, game)).collect();
        Ok(GamesPage { run: id, total, games })
    });
    Ok(Json(games.await?))
}

/// A game with its moves.
#[derive(Serialize)]
pub(crate) struct GameResponse {
    run: RunId,
    /// The spec of the game that was played.
    game: String,
    #[serde(flatten)]
    summary: GameSummary,
    /// The position in which the game began; not there if it is the start position of the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    start: Option<String>,
    /// The random moves before the players take over.
    opening: Vec<String>,
    /// The moves of the players, each with the player's value of it and the time and nodes spent.
    moves: Vec<MoveRecord>,
}

/// Serves `GET /api/runs/{run}/games/{game}`.
pub(crate) async fn game(
    State(lab): State<SharedLabState>,
    GamePath(id, number): GamePath,
) -> Result<Json<GameResponse>, LabError> {
    let game = lab.blocking(move |lab| {
        let store = lab.open_store()?;
        let plan = present_run(&lab.full_registry, store.run(id)?).plan;
        let stored = store.game(id, number)?;
        let summary = GameSummary::new(&plan, &stored);
        let record = stored.result.record.unwrap_or_default();
        let GameRecord { start, opening, plies: moves } = *record;
        Ok(GameResponse { run: id, game: plan.game, summary, start, opening, moves })
    });
    Ok(Json(game.await?))
}
