//! `GET /api/games` and `GET /api/players`: the registry's games, riddles and players; every game
//! and riddle with a picture.

use std::sync::{Arc, OnceLock};

use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse as _, Response};
use ludion_players::presentation::StrengthLevel;
use ludion_players::random::Rng;
use ludion_players::registry::{AnyGame, GameEntry, GameHistory, Registry, RiddleEntry};
use ludion_players::scene::Scene;
use ludion_runs::{GameDescription, RiddleDescription};
use serde::Serialize;

use super::error::LabError;
use super::{SharedLabState, showcase};

/// The answer of `GET /api/games`.
#[derive(Serialize)]
pub(super) struct GamesResponse {
    games: Vec<PicturedGame>,
    riddles: Vec<PicturedRiddle>,
}

/// A game with a picture of a typical position.
#[derive(Serialize)]
struct PicturedGame {
    #[serde(flatten)]
    listed: GameDescription,
    /// Spec of the strongest player of the game that answers within a second.
    capable: String,
    /// The name that people use for the game.
    title: String,
    /// The spec of the variant that the gallery opens.
    opens: String,
    /// Names that people use for variants: pairs of a shortest spec and its title.
    variants: Vec<(String, String)>,
    /// The rules in a few sentences; empty if the game has none.
    rules: String,
    /// What the first and the second side are called.
    sides: [&'static str; 2],
    /// Players by their strength, the weakest first.
    levels: Vec<StrengthLevel>,
    /// A position of a random game.
    scene: Scene,
    /// The position that represents the game in the gallery.
    picture: Scene,
}

/// A riddle with a picture of some guesses and their feedback.
#[derive(Serialize)]
struct PicturedRiddle {
    #[serde(flatten)]
    listed: RiddleDescription,
    scene: Scene,
}

/// The answer of `GET /api/games` as JSON, made once: the registry does not change.
#[derive(Default)]
pub(super) struct GalleryCache(OnceLock<Bytes>);

impl GalleryCache {
    fn json(&self, registry: &Registry) -> Result<Bytes, LabError> {
        if let Some(known) = self.0.get() {
            return Ok(known.clone());
        }
        let made = serde_json::to_vec(&gallery(registry)?).map_err(|_| LabError::Internal)?;
        Ok(self.0.get_or_init(|| made.into()).clone())
    }
}

pub(super) async fn games(State(lab): State<SharedLabState>) -> Result<Response, LabError> {
    let json = lab.blocking(|lab| lab.gallery.json(&lab.registry)).await?;
    Ok(([(CONTENT_TYPE, "application/json")], json).into_response())
}

fn gallery(registry: &Registry) -> Result<GamesResponse, LabError> {
    let mut entries: Vec<&GameEntry> = registry.games().iter().collect();
    entries.sort_by_key(|entry| showcase::place(&entry.name));
    let games = entries.into_iter().map(|entry| game(registry, entry));
    let riddles = registry.riddles().iter().map(|entry| riddle(registry, entry));
    Ok(GamesResponse {
        games: games.collect::<Result<_, LabError>>()?,
        riddles: riddles.collect::<Result<_, LabError>>()?,
    })
}

/// Describes a game and draws its picture.
fn game(registry: &Registry, entry: &GameEntry) -> Result<PicturedGame, LabError> {
    let game = registry.game(&entry.name)?;
    let variants =
        entry.titled_variants().into_iter().map(|(spec, title)| (spec, title.to_owned()));
    Ok(PicturedGame {
        listed: entry.into(),
        capable: entry.default_player(&entry.name).to_owned(),
        title: entry.presentation.title.to_string(),
        opens: opens(registry, &entry.name),
        variants: variants.collect(),
        rules: entry.presentation.rules.to_string(),
        sides: game.side_names(),
        levels: entry.levels(&entry.name),
        scene: typical_scene(&game),
        picture: picture(&entry.name, &game),
    })
}

/// Returns the spec that the gallery opens: the variant that people know by the name of the game.
fn opens(registry: &Registry, name: &str) -> String {
    let known = showcase::variant(name).filter(|spec| registry.game(spec).is_ok());
    known.unwrap_or(name).to_owned()
}

/// Returns the scene of the position that represents a game.
fn picture(name: &str, game: &Arc<dyn AnyGame>) -> Scene {
    let mut history = GameHistory::new(Arc::clone(game));
    // A program of one's own may have another game of this name.
    match showcase::moves(name) {
        Some(moves) if history.play_line(moves).is_ok() => gallery_scene(&history),
        _ => typical_scene(game),
    }
}

/// Maximum number of moves of the random game from which a picture is taken.
const MAX_MOVES: usize = 199;

/// Returns the scene two fifths into a random game with a fixed seed.
fn typical_scene(game: &Arc<dyn AnyGame>) -> Scene {
    let (mut history, mut rng) = (GameHistory::new(Arc::clone(game)), Rng::new(4));
    while history.moves().len() < MAX_MOVES {
        let moves = history.position().moves();
        let Some(m) = moves.get(rng.below(moves.len().max(1))) else { break };
        if history.play(m).is_err() {
            break;
        }
    }
    let count = history.moves().len();
    history.take_back(count - (count + 1) * 2 / 5);
    gallery_scene(&history)
}

/// Returns the scene of a position with the owners of its pieces, without marks of the last move.
fn gallery_scene(history: &GameHistory) -> Scene {
    Scene { marked: history.position().scene().marked, ..history.scene() }
}

/// Number of guesses in the picture of a riddle.
const GUESSES: u64 = 5;

/// Describes a riddle and draws its picture.
fn riddle(registry: &Registry, entry: &RiddleEntry) -> Result<PicturedRiddle, LabError> {
    let riddle = registry.riddle(&entry.name)?;
    let secret = riddle.secret(0);
    let asked = (1..=GUESSES).map(|seed| {
        let guess = riddle.secret(seed);
        let answer = riddle.reply(&secret, &guess)?;
        Ok((guess, answer))
    });
    let asked: Vec<_> = asked.collect::<Result<_, LabError>>()?;
    Ok(PicturedRiddle { listed: entry.into(), scene: riddle.picture(&asked)? })
}

/// The answer of `GET /api/players`.
#[derive(Serialize)]
pub(super) struct PlayersResponse {
    players: Vec<ludion_players::registry::PlayerInfo>,
}

pub(super) async fn players(State(lab): State<SharedLabState>) -> Json<PlayersResponse> {
    Json(PlayersResponse { players: lab.registry.players() })
}
