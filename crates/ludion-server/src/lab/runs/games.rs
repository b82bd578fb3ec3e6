//! The games of a run, page by page, and one of them move by move.

use axum::Json;
use axum::extract::State;
use ludion::arena::game::End;
use ludion::arena::pair::PlyRecord;
use ludion::game::Side;
use ludion::outcome::Duel;
use ludion_store::{Planned, RunId, StoredGame};
use serde::{Deserialize, Serialize};

use super::limits::check_range;
use super::number::{GameNumber, Number};
use crate::lab::Shared;
use crate::lab::body::Asked;
use crate::lab::reply::Refusal;

/// Which games of a run.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Page {
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
pub(crate) struct Games {
    run: RunId,
    /// How many games the run has, those of other pages too.
    total: u64,
    games: Vec<InShort>,
}

/// A game without its moves.
#[derive(Serialize)]
struct InShort {
    number: u64,
    /// Who sat first and second.
    players: [String; 2],
    /// Who won: `first`, `second`, or nobody.
    won: Option<Side>,
    /// How it ended, in words.
    ended: String,
    plies: u32,
}

impl InShort {
    fn of(players: &[String], game: &StoredGame) -> Self {
        let named = |seat: u32| players.get(seat as usize).cloned().unwrap_or_default();
        InShort {
            number: game.number,
            players: game.result.seats.map(named),
            won: match game.result.end.duel() {
                Duel::Won(side) => Some(side),
                Duel::Drawn => None,
            },
            ended: match &game.result.end {
                End::Rules(duel) => duel.to_string(),
                End::Forfeit { by, reason } => format!("{by} forfeits: {reason}"),
                End::Endless => "drawn, too many plies".to_owned(),
            },
            plies: game.result.plies,
        }
    }
}

pub(crate) async fn games(
    State(running): State<Shared>,
    Number(id): Number,
    Asked(page): Asked<Page>,
) -> Result<Json<Games>, Refusal> {
    check_range("count", page.count, 1..=MOST)?;
    let games = running.off(move |running| {
        let store = running.beside()?;
        let run = store.any_run(id)?;
        let Planned::Games(plan) = &run.plan else {
            return Ok(Games { run: id, total: 0, games: Vec::new() });
        };
        // The games of a tuning are those of its matches.
        let total = if plan.tuning.is_some() { 0 } else { run.games };
        let games = store.games(id, page.from, page.count)?;
        let games = games.iter().map(|game| InShort::of(&plan.players, game)).collect();
        Ok(Games { run: id, total, games })
    });
    Ok(Json(games.await?))
}

/// A game with its moves.
#[derive(Serialize)]
pub(crate) struct OneGame {
    run: RunId,
    game: String,
    #[serde(flatten)]
    short: InShort,
    /// Random moves before the players were asked.
    opening: Vec<String>,
    /// Moves of the players, with what they thought and spent.
    moves: Vec<PlyRecord>,
}

pub(crate) async fn game(
    State(running): State<Shared>,
    GameNumber(id, number): GameNumber,
) -> Result<Json<OneGame>, Refusal> {
    let game = running.off(move |running| {
        let store = running.beside()?;
        let plan = store.run(id)?.plan;
        let stored = store.game(id, number)?;
        let short = InShort::of(&plan.players, &stored);
        let record = stored.result.record.unwrap_or_default();
        let (opening, moves) = (record.opening, record.plies);
        Ok(OneGame { run: id, game: plan.game, short, opening, moves })
    });
    Ok(Json(game.await?))
}
