//! `POST /api/edit`: a position from the pieces that a person has put on a board, and the pieces
//! that there are.

use std::collections::BTreeSet;

use axum::Json;
use axum::extract::State;
use ludion_players::game::{Side, Status};
use ludion_players::random::Rng;
use ludion_players::registry::{AnyGame, AnyPosition};
use ludion_players::scene::{Coord, Piece, PieceShape, Scene, SceneLayout};
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
    /// The pieces; left out to ask how positions are put up.
    pieces: Option<Vec<Piece>>,
    /// The side to move, where it does not follow from the pieces.
    turn: Option<Side>,
}

/// A kind of piece that can be put on the board.
#[derive(Clone, Serialize, PartialEq)]
struct PieceKind {
    /// The owner; `None` if it belongs to neither side, or its owner follows from the other pieces.
    owner: Option<Side>,
    shape: PieceShape,
}

/// What a click does while a position is put up.
#[derive(Clone, Copy, Serialize, PartialEq)]
#[serde(rename_all = "lowercase")]
enum EditMode {
    /// It puts a piece of the palette on a cell.
    Pieces,
    /// It sets the number of objects of a heap.
    Heaps,
    /// It adds or takes a seed of a pit.
    Seeds,
    /// Nothing: positions of the game are written as text.
    Text,
}

/// The position of the pieces, and how positions of the game are put up.
#[derive(Serialize)]
pub(super) struct EditResponse {
    /// The position in the notation of the game; `None` if no pieces were given.
    state: Option<String>,
    mode: EditMode,
    /// The kinds of pieces, those of the first side first.
    palette: Vec<PieceKind>,
    /// Whether the side to move follows from the pieces.
    turn_follows: bool,
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
            Some(pieces) => {
                let put = game.put_up(&distinct(pieces)?, turn);
                // The notation of a wrong position tells nothing to a person who has put it up.
                Some(put.map_err(|error| LabError::Bad(error.problem().to_owned()))?.show())
            }
            None => None,
        };
        let Editing { mode, palette, turn_follows, .. } = Editing::of(&*game);
        Ok(EditResponse { state, mode, palette, turn_follows })
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
const GAMES: (u64, usize) = (8, 200);

/// How positions of a game are put up, as random games show it.
struct Editing {
    mode: EditMode,
    palette: Vec<PieceKind>,
    turn_follows: bool,
    /// Whether a piece of the other side would be the same.
    owner_follows: bool,
}

impl Editing {
    fn of(game: &dyn AnyGame) -> Editing {
        let mut editing = Editing {
            mode: EditMode::Text,
            palette: Vec::new(),
            turn_follows: false,
            owner_follows: false,
        };
        for seed in 0..GAMES.0 {
            let (mut position, mut rng) = (game.start(), Rng::new(seed));
            for _ in 0..GAMES.1 {
                editing.learn(game, &*position);
                let moves = position.moves();
                let Some(m) = moves.get(rng.below(moves.len().max(1))) else { break };
                if editing.is_known() || position.play(m).is_err() {
                    break;
                }
            }
        }
        if let [only] = &mut editing.palette[..]
            && editing.owner_follows
        {
            only.owner = None;
        }
        editing.palette.sort_by_key(|kind| (kind.owner, format!("{:?}", kind.shape)));
        editing
    }

    /// Returns whether further positions tell nothing.
    fn is_known(&self) -> bool {
        matches!(self.mode, EditMode::Heaps | EditMode::Seeds)
    }

    /// Adds what the pieces of a position tell.
    fn learn(&mut self, game: &dyn AnyGame, position: &dyn AnyPosition) {
        let (Scene { pieces, layout, .. }, Status::Turn(turn)) =
            (position.scene(), position.status())
        else {
            return;
        };
        let put = |pieces: &[Piece], turn| Some(game.put_up(pieces, turn).ok()?.show());
        let Some(state) = put(&pieces, turn) else { return };
        if self.mode == EditMode::Text {
            self.turn_follows = put(&pieces, turn.other()).as_ref() == Some(&state);
            let has_seeds = pieces.iter().any(|piece| matches!(piece.shape, PieceShape::Seeds(_)));
            self.mode = match layout {
                SceneLayout::Heaps { .. } => EditMode::Heaps,
                _ if has_seeds => EditMode::Seeds,
                _ => EditMode::Pieces,
            };
        }
        if self.mode == EditMode::Seeds {
            return;
        }
        for (i, piece) in pieces.iter().enumerate() {
            let put_instead = |kinds: &[PieceKind]| {
                let mut others = pieces.clone();
                others.remove(i);
                others.extend(kinds.iter().map(|kind| kind.at(piece.at)));
                put(&others, turn)
            };
            let kind = PieceKind { owner: piece.owner, shape: piece.shape.clone() };
            // A piece without which the position is the same is part of the picture only.
            let is_same =
                |kind: &PieceKind| put_instead(std::slice::from_ref(kind)).as_ref() == Some(&state);
            if self.palette.contains(&kind)
                || put_instead(&[]).as_ref() == Some(&state)
                || self.palette.iter().any(is_same)
            {
                continue;
            }
            if let Some(opposite) = kind.of_other_side() {
                let put = put_instead(std::slice::from_ref(&opposite));
                self.owner_follows |= put.as_ref() == Some(&state);
                if opposite.is_shown(game, put, piece.at) && !self.palette.contains(&opposite) {
                    self.palette.push(opposite);
                }
            }
            self.palette.push(kind);
        }
    }
}

impl PieceKind {
    fn at(&self, at: Coord) -> Piece {
        Piece { at, owner: self.owner, shape: self.shape.clone() }
    }

    fn of_other_side(&self) -> Option<PieceKind> {
        Some(PieceKind { owner: Some(self.owner?.other()), shape: self.shape.clone() })
    }

    /// Returns whether the position with this notation shows a piece of this kind on the cell `at`.
    fn is_shown(&self, game: &dyn AnyGame, state: Option<String>, at: Coord) -> bool {
        let position = state.and_then(|text| game.read(&text).ok());
        position.is_some_and(|position| position.scene().pieces.contains(&self.at(at)))
    }
}
