//! `POST /api/position`: a position as the page shows it, with its picture, its legal moves and the
//! cells to touch for each, and its status. The request gives the game, optionally a state to start
//! from, and moves; the server stores nothing about it.

use axum::Json;
use axum::extract::State;
use ludion_players::game::{Side, Status};
use ludion_players::outcome::AnyOutcome;
use ludion_players::presentation::{DEFAULT_ADVANTAGE, StrengthLevel};
use ludion_players::registry::{AnyPosition, GameHistory, Registry};
use ludion_players::scene::{Coord, Scene};
use serde::{Deserialize, Serialize};

use super::body::JsonBody;
use super::error::LabError;
use super::{LabLimits, SharedLabState};

/// The position of a request: a game, a state to start from and the moves after it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PositionRequest {
    /// The spec of the game, such as `connect4(7, 6)`.
    pub(super) game: String,
    /// The state to start from, in the notation of the game; by default its initial state.
    pub(super) state: Option<String>,
    /// Moves, separated by spaces or commas.
    #[serde(default)]
    pub(super) moves: String,
}

impl PositionRequest {
    /// Creates the game and plays the moves of the request.
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
        let mut history = GameHistory::from(game, start);
        history.play_line(&self.moves)?;
        let (count, max) = (history.moves().len(), limits.moves);
        if count > max {
            let sentence = format!("{count} moves are too many; at most {max} are taken");
            return Err(LabError::Bad(sentence));
        }
        Ok(history)
    }
}

/// A position as the page shows it.
#[derive(Serialize)]
pub(super) struct PositionResponse {
    /// The spec of the game in canonical form.
    game: String,
    /// The name that people use for this variant of the game.
    title: String,
    /// What the first and the second side are called.
    sides: [&'static str; 2],
    /// Players of this variant by their strength, the weakest first.
    levels: Vec<StrengthLevel>,
    /// The advantage, in units of a win, whose expected score is 0.7, for players that count points.
    advantage: f64,
    /// The state after the moves, in the notation of the game.
    state: String,
    /// The moves from the start to this position, in the notation of the game.
    moves: Vec<String>,
    /// The side to move; `None` when the game is over.
    turn: Option<Side>,
    /// The outcome, if the game is over.
    outcome: Option<AnyOutcome>,
    /// The outcome in words, if the game is over.
    result: Option<String>,
    scene: Scene,
    legal: Vec<LegalMove>,
}

/// A legal move and how it is entered on a board.
#[derive(Serialize)]
struct LegalMove {
    /// The move in the notation of the game.
    #[serde(rename = "move")]
    play: String,
    /// The cells that a person touches to play the move, in order.
    touches: Vec<Coord>,
    /// The ways of the piece across the board, if they have more cells than are touched.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    ways: Vec<Vec<Coord>>,
    /// The cells whose pieces the move removes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    removes: Vec<Coord>,
}

impl LegalMove {
    fn new(position: &dyn AnyPosition, play: String) -> Result<Self, LabError> {
        let touches = position.touches(&play)?;
        let mut ways = position.ways(&play)?;
        if ways.len() == 1 && ways[0] == touches {
            ways.clear();
        }
        let removes = position.removes(&play)?;
        Ok(LegalMove { play, touches, ways, removes })
    }
}

pub(super) async fn position(
    State(lab): State<SharedLabState>,
    JsonBody(request): JsonBody<PositionRequest>,
) -> Result<Json<PositionResponse>, LabError> {
    let response = lab.blocking(move |lab| {
        PositionResponse::new(&lab.registry, &request.open(&lab.registry, &lab.limits)?)
    });
    Ok(Json(response.await?))
}

impl PositionResponse {
    pub(super) fn new(registry: &Registry, history: &GameHistory) -> Result<Self, LabError> {
        let position = history.position();
        let (turn, outcome) = match position.status() {
            Status::Turn(side) => (Some(side), None),
            Status::Over(outcome) => (None, Some(outcome)),
        };
        let legal = position.moves().into_iter().map(|play| LegalMove::new(position, play));
        let (spec, entry) = (history.game.spec(), registry.entry(history.game.spec())?);
        Ok(PositionResponse {
            game: spec.to_owned(),
            title: entry.title_of(spec).to_owned(),
            sides: history.game.side_names(),
            levels: entry.levels(spec),
            advantage: entry.presentation.advantage.unwrap_or(DEFAULT_ADVANTAGE),
            state: position.show(),
            moves: history.moves().to_vec(),
            turn,
            outcome,
            result: outcome.map(|outcome| outcome.to_string()),
            scene: history.scene(),
            legal: legal.collect::<Result<_, LabError>>()?,
        })
    }
}
