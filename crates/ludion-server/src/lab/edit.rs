//! `POST /api/edit`: a position from the pieces that a person has put on a board, and the pieces
//! that there are.

use std::collections::BTreeSet;

use axum::Json;
use axum::extract::State;
use ludion_players::game::{Side, Status};
use ludion_players::random::Rng;
use ludion_players::registry::AnyGame;
use ludion_players::scene::{Piece, PieceShape};
use serde::{Deserialize, Serialize};

use super::body::JsonBody;
use super::error::LabError;
use super::{LabState, SharedLabState};

/// The pieces on a board.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct EditRequest {
    /// The spec of the game.
    game: String,
    /// The pieces; left out to ask which pieces there are.
    pieces: Option<Vec<Piece>>,
    /// The side to move, where it does not follow from the pieces.
    turn: Option<Side>,
}

/// A kind of piece that can be put on the board.
#[derive(Serialize, PartialEq)]
struct PieceKind {
    owner: Option<Side>,
    shape: PieceShape,
}

/// The position of the pieces, and the pieces that there are.
#[derive(Serialize)]
pub(super) struct EditResponse {
    /// The position in the notation of the game; `None` if no pieces were given.
    state: Option<String>,
    /// The kinds of pieces; none if the positions of the game cannot be put up piece by piece.
    palette: Vec<PieceKind>,
}

pub(super) async fn edit(
    State(lab): State<SharedLabState>,
    JsonBody(request): JsonBody<EditRequest>,
) -> Result<Json<EditResponse>, LabError> {
    Ok(Json(lab.blocking(move |lab| request.put_up(lab)).await?))
}

impl EditRequest {
    fn put_up(&self, lab: &LabState) -> Result<EditResponse, LabError> {
        let game = lab.registry.game(&self.game)?;
        let turn = self.turn.unwrap_or(Side::First);
        let state = match &self.pieces {
            Some(pieces) => Some(game.put_up(&distinct(pieces)?, turn)?.show()),
            None => None,
        };
        Ok(EditResponse { state, palette: palette(&*game) })
    }
}

/// Returns the pieces, or an error if two of them are on one cell.
fn distinct(pieces: &[Piece]) -> Result<Vec<Piece>, LabError> {
    let cells: BTreeSet<_> = pieces.iter().map(|piece| piece.at).collect();
    if cells.len() < pieces.len() {
        return Err(LabError::Bad("two pieces are on one cell".to_owned()));
    }
    Ok(pieces.to_vec())
}

/// Number of random games in which kinds of pieces are looked for, and the most moves of each.
const GAMES: (u64, usize) = (4, 200);

/// Returns the kinds of pieces that occur in random games, those of the first side first.
fn palette(game: &dyn AnyGame) -> Vec<PieceKind> {
    let start = game.start();
    let Status::Turn(turn) = start.status() else { return Vec::new() };
    if game.put_up(&start.scene().pieces, turn).is_err() {
        return Vec::new();
    }
    let mut kinds: Vec<PieceKind> = Vec::new();
    for seed in 0..GAMES.0 {
        let (mut position, mut rng) = (game.start(), Rng::new(seed));
        for _ in 0..GAMES.1 {
            for Piece { owner, shape, .. } in position.scene().pieces {
                let kind = PieceKind { owner, shape };
                if kind.owner.is_some() && !kinds.contains(&kind) {
                    kinds.push(kind);
                }
            }
            let moves = position.moves();
            let Some(m) = moves.get(rng.below(moves.len().max(1))) else { break };
            if position.play(m).is_err() {
                break;
            }
        }
    }
    kinds.sort_by_key(|kind| (kind.owner, format!("{:?}", kind.shape)));
    kinds
}
