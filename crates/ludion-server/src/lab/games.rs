//! `GET /api/games` and `GET /api/players`: the registry's games, riddles and players; every game
//! and riddle with a picture.

use axum::Json;
use axum::extract::State;
use ludion_players::presentation::StrengthLevel;
use ludion_players::random::Rng;
use ludion_players::registry::{AnyGame, GameEntry, Registry, RiddleEntry};
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

pub(super) async fn games(
    State(lab): State<SharedLabState>,
) -> Result<Json<GamesResponse>, LabError> {
    let gallery = lab.blocking(|lab| {
        let registry = &lab.registry;
        let mut entries: Vec<&GameEntry> = registry.games().iter().collect();
        entries.sort_by_key(|entry| showcase::place(&entry.name));
        let games = entries.into_iter().map(|entry| game(registry, entry));
        let riddles = registry.riddles().iter().map(|entry| riddle(registry, entry));
        Ok(GamesResponse {
            games: games.collect::<Result<_, LabError>>()?,
            riddles: riddles.collect::<Result<_, LabError>>()?,
        })
    });
    Ok(Json(gallery.await?))
}

/// Describes a game and draws its picture.
fn game(registry: &Registry, entry: &GameEntry) -> Result<PicturedGame, LabError> {
    let game = registry.game(&entry.name)?;
    let variants =
        entry.titled_variants().into_iter().map(|(spec, title)| (spec, title.to_owned()));
    Ok(PicturedGame {
        listed: entry.into(),
        capable: entry.default_player().to_owned(),
        title: entry.presentation.title.to_string(),
        variants: variants.collect(),
        rules: entry.presentation.rules.to_string(),
        sides: game.side_names(),
        levels: entry.levels(&entry.name),
        scene: typical_scene(&*game),
        picture: picture(&entry.name, &*game),
    })
}

/// Returns the scene of the position that represents a game.
fn picture(name: &str, game: &dyn AnyGame) -> Scene {
    let mut position = game.start();
    let mut moves = showcase::moves(name).unwrap_or_default().split_whitespace().peekable();
    // A program of one's own may have another game of this name.
    if moves.peek().is_some() && moves.all(|m| position.play(m).is_ok()) {
        return position.scene();
    }
    if showcase::moves(name) == Some("") { game.start().scene() } else { typical_scene(game) }
}

/// Maximum number of positions of the random game from which a picture is taken.
const MAX_SCENES: usize = 200;

/// Returns the scene two fifths into a random game with a fixed seed.
fn typical_scene(game: &dyn AnyGame) -> Scene {
    let (mut position, mut rng) = (game.start(), Rng::new(4));
    let mut scenes = vec![position.scene()];
    while scenes.len() < MAX_SCENES {
        let moves = position.moves();
        let Some(m) = moves.get(rng.below(moves.len().max(1))) else { break };
        if position.play(m).is_err() {
            break;
        }
        scenes.push(position.scene());
    }
    let at = scenes.len() * 2 / 5;
    scenes.swap_remove(at)
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
