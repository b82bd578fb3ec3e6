//! The games of a run, page by page, and one of them move by move.

use axum::Json;
use axum::extract::State;
use ludion::arena::game::GameEnd;
use ludion::arena::pair::MoveRecord;
use ludion::game::Side;
use ludion::outcome::Duel;
use ludion_store::{RunId, RunPlan, StoredGame};
use serde::{Deserialize, Serialize};

use super::limits::check_range;
use super::paths::{GamePath, RunPath};
use crate::lab::SharedLabState;
use crate::lab::body::QueryParameters;
use crate::lab::error::LabError;

/// Which games of a run.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct GamesQuery {
    /// The number of the first one.
    #[serde(default)]
    from: u64,
    /// How many, at most.
    #[serde(default = "fifty")]
    count: u64,
}

fn fifty() -> u64 {
    50
}

/// Games of one answer.
const MOST: u64 = 500;

/// Some games of a run.
#[derive(Serialize)]
pub(crate) struct GamesPage {
    run: RunId,
    /// How many games the run has, those of other pages too.
    total: u64,
    games: Vec<GameSummary>,
}

/// A game without its moves.
#[derive(Serialize)]
struct GameSummary {
    number: u64,
    /// Who sat first and second.
    players: [String; 2],
    /// Who won: `first`, `second`, or nobody.
    won: Option<Side>,
    /// How it ended, in words.
    ended: String,
    plies: u32,
}

impl GameSummary {
    fn of(players: &[String], game: &StoredGame) -> Self {
        let named = |seat: u32| players.get(seat as usize).cloned().unwrap_or_default();
        GameSummary {
            number: game.number,
            players: game.result.seats.map(named),
            won: match game.result.end.duel() {
                Duel::Won(side) => Some(side),
                Duel::Drawn => None,
            },
            ended: match &game.result.end {
                GameEnd::Rules(duel) => duel.to_string(),
                GameEnd::Forfeit { by, reason } => format!("{by} forfeits: {reason}"),
                GameEnd::Endless => "drawn, too many plies".to_owned(),
            },
            plies: game.result.plies,
        }
    }
}

pub(crate) async fn games(
    State(running): State<SharedLabState>,
    RunPath(id): RunPath,
    QueryParameters(page): QueryParameters<GamesQuery>,
) -> Result<Json<GamesPage>, LabError> {
    check_range("count", page.count, 1..=MOST)?;
    let games = running.off(move |running| {
        let store = running.open_store()?;
        let run = store.any_run(id)?;
        let RunPlan::Games(plan) = &run.plan else {
            return Ok(GamesPage { run: id, total: 0, games: Vec::new() });
        };
        // The games of a tuning are those of its matches.
        let total = if plan.tuning.is_some() { 0 } else { run.games };
        let games = store.games(id, page.from, page.count)?;
        let games = games.iter().map(|game| GameSummary::of(&plan.players, game)).collect();
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
    short: GameSummary,
    /// Random moves before the players were asked.
    opening: Vec<String>,
    /// Moves of the players, with what they thought and spent.
    moves: Vec<MoveRecord>,
}

pub(crate) async fn game(
    State(running): State<SharedLabState>,
    GamePath(id, number): GamePath,
) -> Result<Json<GameResponse>, LabError> {
    let game = running.off(move |running| {
        let store = running.open_store()?;
        let plan = store.run(id)?.plan;
        let stored = store.game(id, number)?;
        let short = GameSummary::of(&plan.players, &stored);
        let record = stored.result.record.unwrap_or_default();
        let (opening, moves) = (record.opening, record.plies);
        Ok(GameResponse { run: id, game: plan.game, short, opening, moves })
    });
    Ok(Json(game.await?))
}
