//! A position as the page shows it: picture, legal moves with the cells to touch, status. It is
//! given by a game, perhaps a state to begin from, and moves; nothing is remembered here.

use axum::Json;
use axum::extract::State;
use ludion::game::{Side, Status};
use ludion::outcome::AnyOutcome;
use ludion::registry::{Record, Registry};
use ludion::scene::{Cell, Scene};
use serde::{Deserialize, Serialize};

use super::body::Body;
use super::reply::Refusal;
use super::{Limits, Shared};

/// Where a game stands, as it is asked for.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Place {
    /// The game, such as `connect4(7, 6)`.
    pub(super) game: String,
    /// The state to begin from.
    pub(super) state: Option<String>,
    /// Moves, with spaces or commas between.
    #[serde(default)]
    pub(super) moves: String,
}

impl Place {
    /// The game as far as it is said.
    pub(super) fn open(&self, registry: &Registry, limits: &Limits) -> Result<Record, Refusal> {
        let game = registry.game(&self.game)?;
        let start = match &self.state {
            Some(text) => game.read(text)?,
            None => game.start(),
        };
        let mut record = Record::from(game, start);
        record.play_line(&self.moves)?;
        let (count, most) = (record.moves().len(), limits.moves);
        if count > most {
            let sentence = format!("{count} moves are too many; at most {most} are taken");
            return Err(Refusal::Bad(sentence));
        }
        Ok(record)
    }
}

/// Where a game stands, as it is shown.
#[derive(Serialize)]
pub(super) struct Shown {
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
    legal: Vec<Legal>,
}

/// A legal move.
#[derive(Serialize)]
struct Legal {
    #[serde(rename = "move")]
    play: String,
    /// The cells a person touches to play it, in order.
    touches: Vec<Cell>,
}

pub(super) async fn position(
    State(running): State<Shared>,
    Body(place): Body<Place>,
) -> Result<Json<Shown>, Refusal> {
    let shown = running.off(move |running| {
        let record = place.open(&running.registry, &running.limits)?;
        shown(&record)
    });
    Ok(Json(shown.await?))
}

fn shown(record: &Record) -> Result<Shown, Refusal> {
    let position = record.position();
    let (turn, outcome) = match position.status() {
        Status::Turn(side) => (Some(side), None),
        Status::Over(outcome) => (None, Some(outcome)),
    };
    let legal = position.moves().into_iter().map(|play| {
        let touches = position.touches(&play)?;
        Ok(Legal { play, touches })
    });
    Ok(Shown {
        game: record.game.spec().to_owned(),
        state: position.show(),
        moves: record.moves().to_vec(),
        turn,
        outcome,
        result: outcome.map(|outcome| outcome.to_string()),
        scene: record.scene(),
        legal: legal.collect::<Result<_, Refusal>>()?,
    })
}
