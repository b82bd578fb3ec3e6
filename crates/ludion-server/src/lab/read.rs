//! `POST /api/read`: a text that a person pastes, as a position or as the moves of a game. It may be
//! a position in the notation of the game, moves, or a record with tags, such as PDN.

use axum::Json;
use axum::extract::State;
use ludion_players::registry::{AnyGame, GameHistory};
use ludion_runs::records::{self, RecordText};
use serde::{Deserialize, Serialize};

use super::body::JsonBody;
use super::error::LabError;
use super::{LabState, SharedLabState};

/// A text and the game that is shown while it is pasted.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ReadRequest {
    /// The spec of the game; a tag `Game` in the text replaces it.
    game: String,
    /// The text: a position, moves, or a record with tags.
    text: String,
}

/// What a text stands for.
#[derive(Serialize)]
pub(super) struct ReadResponse {
    /// The spec of the game in canonical form.
    game: String,
    /// The position in which the game begins; `None` for its start position.
    state: Option<String>,
    /// The moves after it, in the notation of the game.
    moves: Vec<String>,
}

pub(super) async fn read(
    State(lab): State<SharedLabState>,
    JsonBody(request): JsonBody<ReadRequest>,
) -> Result<Json<ReadResponse>, LabError> {
    Ok(Json(lab.blocking(move |lab| request.read(lab)).await?))
}

impl ReadRequest {
    fn read(&self, lab: &LabState) -> Result<ReadResponse, LabError> {
        let game = lab.registry.game(&self.game)?;
        let position = match game.read(self.text.trim()) {
            Ok(position) => {
                let state = Some(position.show()).filter(|state| *state != game.start().show());
                return Ok(ReadResponse { game: game.spec().to_owned(), state, moves: Vec::new() });
            }
            Err(error) => error,
        };
        // A text that looks like a board is not tried as moves: its own error says more.
        if self.text.contains('/') && !self.text.contains('[') {
            return Err(position.into());
        }
        let records = records::split(&self.text)?;
        let Some(record) = records.first() else {
            return Err(LabError::Bad("there is no position and no move in this text".to_owned()));
        };
        let game = match record.tags.get("Game") {
            Some(spec) => lab.registry.game(spec)?,
            None => game,
        };
        self.play(lab, game, record)
    }

    /// Plays the moves of a record from the position of its tags.
    fn play(
        &self,
        lab: &LabState,
        game: std::sync::Arc<dyn AnyGame>,
        record: &RecordText,
    ) -> Result<ReadResponse, LabError> {
        let start = record.tags.get("Start").or_else(|| record.tags.get("FEN"));
        let state = start.map(|text| Ok::<_, LabError>(game.read(text)?.show())).transpose()?;
        let begin = match &state {
            Some(text) => game.read(text)?,
            None => game.start(),
        };
        let mut history = GameHistory::from(game, begin);
        let mut words: Vec<&str> =
            record.moves.iter().filter_map(|(word, _)| played(word)).collect();
        words.pop_if(|last| DRAUGHTS_RESULTS.contains(last));
        if words.len() > lab.limits.moves {
            return Err(LabError::Bad(format!("at most {} moves are taken", lab.limits.moves)));
        }
        history.play_line(&words.join(" "))?;
        let moves = history.moves().to_vec();
        Ok(ReadResponse { game: history.game.spec().to_owned(), state, moves })
    }
}

/// Results after the moves of a record of draughts, in points.
const DRAUGHTS_RESULTS: [&str; 4] = ["2-0", "0-2", "1-1", "0-0"];

/// Returns the move in a word of a record, without the number before it and the marks after it;
/// `None` if the word is a number or a mark alone.
fn played(word: &str) -> Option<&str> {
    let after_number = match word.split_once('.') {
        Some((number, rest)) if number.chars().all(|c| c.is_ascii_digit()) => {
            rest.trim_start_matches('.')
        }
        _ => word,
    };
    let plain = after_number.trim_end_matches(['!', '?']);
    Some(plain).filter(|plain| !plain.is_empty() && !plain.starts_with('$'))
}

#[cfg(test)]
mod tests {
    use super::played;

    #[test]
    fn numbers_and_marks_are_no_part_of_a_move() {
        let words = ["1.", "11-15", "2...", "3.22x18!?", "$4", "12"];
        let moves: Vec<&str> = words.iter().filter_map(|word| played(word)).collect();
        assert_eq!(moves, ["11-15", "22x18", "12"]);
    }
}
