//! The games of a run: a page of summaries, or one game with its moves.

use axum::Json;
use axum::extract::State;
use ludion::arena::pair::MoveRecord;
use ludion_runs::GameSummary;
use ludion_store::{RunId, RunPlan};
use serde::{Deserialize, Serialize};

use super::limits::check_range;
use super::paths::{GamePath, RunPath};
use crate::lab::SharedLabState;
use crate::lab::body::QueryParameters;
use crate::lab::error::LabError;

/// The page of games that is asked for.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct GamesQuery {
    /// The number of the first game.
    #[serde(default)]
    from: u64,
    /// The number of games, at most.
    #[serde(default = "fifty")]
    count: u64,
}

fn fifty() -> u64 {
    50
}

/// Games of one page, at most.
const MAX_COUNT: u64 = 500;

/// A page of games.
#[derive(Serialize)]
pub(crate) struct GamesPage {
    run: RunId,
    /// Games of the whole run.
    total: u64,
    games: Vec<GameSummary>,
}

pub(crate) async fn games(
    State(lab): State<SharedLabState>,
    RunPath(id): RunPath,
    QueryParameters(page): QueryParameters<GamesQuery>,
) -> Result<Json<GamesPage>, LabError> {
    check_range("count", page.count, 1..=MAX_COUNT)?;
    let games = lab.off(move |lab| {
        let store = lab.open_store()?;
        let run = store.any_run(id)?;
        let RunPlan::Games(plan) = &run.plan else {
            return Ok(GamesPage { run: id, total: 0, games: Vec::new() });
        };
        // A tuning counts the games of its matches, which are runs of their own.
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
    game: String,
    #[serde(flatten)]
    summary: GameSummary,
    /// Random moves before the players take over.
    opening: Vec<String>,
    /// Moves of the players, with their values and costs.
    moves: Vec<MoveRecord>,
}

pub(crate) async fn game(
    State(lab): State<SharedLabState>,
    GamePath(id, number): GamePath,
) -> Result<Json<GameResponse>, LabError> {
    let game = lab.off(move |lab| {
        let store = lab.open_store()?;
        let plan = store.run(id)?.plan;
        let stored = store.game(id, number)?;
        let summary = GameSummary::new(&plan, &stored);
        let record = stored.result.record.unwrap_or_default();
        let (opening, moves) = (record.opening, record.plies);
        Ok(GameResponse { run: id, game: plan.game, summary, opening, moves })
    });
    Ok(Json(game.await?))
}
