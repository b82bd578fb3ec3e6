//! The games of a run: a page of summaries, or one game with its moves.

use axum::Json;
use axum::extract::State;
use ludion_players::arena::pair::{GameRecord, MoveRecord};
use ludion_runs::studies::Study;
use ludion_runs::studies::played_game::{PlayedGame, PlayedGameEnd, PlayedGameSettings};
use ludion_runs::{GameSummary, present_any_run, present_run};
use ludion_store::{RunId, RunPlan, Store};
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
        let plan = match &run.plan {
            RunPlan::Games(plan) => plan,
            RunPlan::Study(_) => {
                let played = played_game(&store, id)?;
                let games = played.iter().map(|(game, end)| game.summary(end));
                let games: Vec<GameSummary> = games.skip(page.from as usize).collect();
                return Ok(GamesPage { run: id, total: u64::from(played.is_some()), games });
            }
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
        if let (0, Some((game, end))) = (number, played_game(&store, id)?) {
            let (summary, record) = (game.summary(&end), game.record(&end));
            let GameRecord { start, opening, plies: moves } = record;
            return Ok(GameResponse { run: id, game: game.game, summary, start, opening, moves });
        }
        let plan = present_run(&lab.full_registry, store.run(id)?).plan;
        let stored = store.game(id, number)?;
        let summary = GameSummary::new(&plan, &stored);
        let record = stored.result.record.unwrap_or_default();
        let GameRecord { start, opening, plies: moves } = *record;
        Ok(GameResponse { run: id, game: plan.game, summary, start, opening, moves })
    });
    Ok(Json(game.await?))
}

/// Returns the game of a run that keeps one which a person played; `None` for other runs, and while
/// it has not been checked.
pub(crate) fn played_game(
    store: &Store,
    id: RunId,
) -> Result<Option<(PlayedGameSettings, PlayedGameEnd)>, LabError> {
    match store.any_run(id)?.plan {
        RunPlan::Study(plan) if plan.kind == PlayedGame::KIND => {
            let end = store.outputs::<PlayedGameEnd>(id)?.into_iter().next();
            Ok(end.map(|end| Ok::<_, LabError>((plan.settings()?, end.value))).transpose()?)
        }
        _ => Ok(None),
    }
}
