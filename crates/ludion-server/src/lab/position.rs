//! A position as the page shows it: picture, legal moves with the cells to touch, status. It is
//! given by a game, perhaps a state to begin from, and moves; nothing is remembered here.

use axum::Json;
use axum::extract::State;
use ludion::game::{Side, Status};
use ludion::outcome::AnyOutcome;
use ludion::registry::{GameHistory, Registry};
use ludion::scene::{Coord, Scene};
use serde::{Deserialize, Serialize};

use super::body::JsonBody;
use super::error::LabError;
use super::{LabLimits, SharedLabState};

/// Where a game stands, as it is asked for.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PositionRequest {
    /// The game, such as `connect4(7, 6)`.
    pub(super) game: String,
    /// The state to begin from.
    pub(super) state: Option<String>,
    /// Moves, with spaces or commas between.
    #[serde(default)]
    pub(super) moves: String,
}

impl PositionRequest {
    /// The game as far as it is said.
    pub(super) fn open(
        &self,
        registry: &Registry,
        limits: &LabLimits,
    ) -> Result<GameHistory, LabError> {
        let game = registry.game(&self.game)?;
        let start = match &self.state {
            Some(text) => game.read(text)?,
            None => game.start(),
        };
        let mut record = GameHistory::from(game, start);
        record.play_line(&self.moves)?;
        let (count, most) = (record.moves().len(), limits.moves);
        if count > most {
            let sentence = format!("{count} moves are too many; at most {most} are taken");
            return Err(LabError::Bad(sentence));
        }
        Ok(record)
    }
}

/// Where a game stands, as it is shown.
#[derive(Serialize)]
pub(super) struct PositionResponse {
    /// The shortest text that names the game.
    game: String,
    /// The state in its notation.
    state: String,
    /// The moves, as the game writes them.
    moves: Vec<String>,
    /// Who moves; nobody when the game is over.
    turn: Option<Side>,
    /// How the game ended.
    outcome: Option<AnyOutcome>,
    /// The end in words.
    result: Option<String>,
    scene: Scene,
    legal: Vec<LegalMove>,
}

/// A legal move.
#[derive(Serialize)]
struct LegalMove {
    #[serde(rename = "move")]
    play: String,
    /// The cells a person touches to play it, in order.
    touches: Vec<Coord>,
}

pub(super) async fn position(
    State(running): State<SharedLabState>,
    JsonBody(place): JsonBody<PositionRequest>,
) -> Result<Json<PositionResponse>, LabError> {
    let shown = running.off(move |running| {
        let record = place.open(&running.registry, &running.limits)?;
        shown(&record)
    });
    Ok(Json(shown.await?))
}

fn shown(record: &GameHistory) -> Result<PositionResponse, LabError> {
    let position = record.position();
    let (turn, outcome) = match position.status() {
        Status::Turn(side) => (Some(side), None),
        Status::Over(outcome) => (None, Some(outcome)),
    };
    let legal = position.moves().into_iter().map(|play| {
        let touches = position.touches(&play)?;
        Ok(LegalMove { play, touches })
    });
    Ok(PositionResponse {
        game: record.game.spec().to_owned(),
        state: position.show(),
        moves: record.moves().to_vec(),
        turn,
        outcome,
        result: outcome.map(|outcome| outcome.to_string()),
        scene: record.scene(),
        legal: legal.collect::<Result<_, LabError>>()?,
    })
}
